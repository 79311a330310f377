// `kakehashi games`: lists, shows, counts and exports the games of an archive.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/encoding.hpp"
#include "base/exit_status.hpp"
#include "base/text.hpp"
#include "cli/command_line.hpp"
#include "cli/games_options.hpp"
#include "cli/record_file.hpp"
#include "cli/terminal.hpp"
#include "games/game_filter.hpp"
#include "games/game_text.hpp"
#include "games/io/archive.hpp"
#include "games/statistics.hpp"
#include "journal/io/record_writer.hpp"
#include "shogi/record/format.hpp"
#include "shogi/record/show.hpp"

namespace kakehashi::cli {
namespace {

namespace fs = std::filesystem;
namespace record = shogi::record;

constexpr int count_max = 1'000'000'000;  // of games, and so of their numbers

struct Options {
  GamesOptions games;
  std::int64_t limit = games::GameFilter::limit_default;
  std::int64_t id = 0;
  bool is_json = false;
  bool has_boards = false;
  std::string svg;
  std::string to;
  std::string output;
  std::string directory;
  std::string us;
};

int complain(const std::string& what, int status) {
  std::cerr << "kakehashi: " << what << "\n";
  return status;
}

int list(const Options& options) {
  auto filter = options.games.filter();
  if (!filter) {
    return base::exit_usage;
  }
  filter->limit = options.limit;
  auto archive = options.games.open();
  if (!archive) {
    return base::exit_no_input;
  }
  const auto games = archive->list(*filter);
  if (!games) {
    return complain("the archive cannot be read: " + games.error().text, base::exit_no_input);
  }
  std::cout << (options.is_json ? games::json_of(*games) + "\n" : games::list_text(*games));
  return base::exit_ok;
}

int stats(const Options& options) {
  const auto filter = options.games.filter();
  if (!filter) {
    return base::exit_usage;
  }
  auto archive = options.games.open();
  if (!archive) {
    return base::exit_no_input;
  }
  games::Statistics statistics;
  const auto why = archive->each(*filter, games::io::Archive::Order::any, [&](const games::ArchivedGame& game) {
    statistics.take(game);
    return true;
  });
  if (why) {
    return complain("the archive cannot be read: " + why->text, base::exit_no_input);
  }
  std::cout << (options.is_json ? games::json(statistics) + "\n" : games::show(statistics));
  return base::exit_ok;
}

int show(const Options& options) {
  auto archive = options.games.open();
  if (!archive) {
    return base::exit_no_input;
  }
  const auto found = archive->find(options.id);
  if (!found || !*found) {
    return complain(found ? "there is no game " + std::to_string(options.id) +
                                " in this archive; kakehashi games list shows which there are"
                          : "the archive cannot be read: " + found.error().text,
                    base::exit_no_input);
  }
  const games::ArchivedGame& game = (*found)->game;
  const auto read = games::record_in(**found);
  if (!read) {
    return complain("the moves of game " + std::to_string(options.id) + " cannot be read: " + read.error().what,
                    base::exit_data);
  }
  const shogi::record::Record& record = *read;
  if (!options.svg.empty()) {
    const auto why = write_record_file(options.svg, games::plot_svg(game, record), true);
    return why ? complain(*why, base::exit_cannot_create) : base::exit_ok;
  }
  if (options.is_json) {
    std::cout << games::json_of(game, record) << "\n";
  } else if (options.has_boards) {
    std::cout << games::head_text(game) << "\n" << shogi::record::show_record(record, std::nullopt);
  } else {
    std::cout << games::game_text(game, record);
  }
  return base::exit_ok;
}

// --- games out of an archive and into it, as files

/// Lines to a file or to standard output.
class Output {
 public:
  explicit Output(const std::string& path) : path_(path) {
    if (!path.empty() && path != "-") {
      file_.open(path, std::ios::binary | std::ios::trunc);
    }
    stream() << as_file;
  }
  ~Output() { stream() << as_text; }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void write(const std::string& text) { stream() << text; }
  [[nodiscard]] int finish() {
    stream().flush();
    return stream() ? base::exit_ok
                    : complain((path_.empty() ? "standard output" : path_) + " cannot be written",
                               base::exit_cannot_create);
  }

 private:
  std::ostream& stream() { return path_.empty() || path_ == "-" ? std::cout : file_; }

  std::string path_;
  std::ofstream file_;
};

int export_rows(games::io::Archive& archive, const games::GameFilter& filter, bool is_csv,
                const std::string& path) {
  Output output(path);
  output.write(is_csv ? games::csv_head() : "");
  const auto why = archive.each(filter, games::io::Archive::Order::latest_first, [&](const games::ArchivedGame& game) {
    output.write(is_csv ? games::csv_line(game) : games::json_of(game) + "\n");
    return true;
  });
  const int status = output.finish();
  return why ? complain("the archive cannot be read: " + why->text, base::exit_no_input) : status;
}

/// Why not; empty: it is written.
std::string export_record(const games::ArchivedRecord& archived, record::Format format,
                          const std::string& directory) {
  const auto game = games::record_in(archived);
  if (!game) {
    return "its moves cannot be read: " + game.error().what;
  }
  const auto& facts = record::facts_of(format);
  std::string text = record::write_record(*game, format, record::CommentStyle::automatic);
  if (facts.is_shift_jis) {
    text = base::to_cp932(text);
  }
  const std::string name = journal::io::safe_file_name(std::to_string(archived.game.id) + "_" +
                                              archived.game.game_id + facts.extension);
  return write_record_file((fs::path(directory) / name).string(), text, true).value_or("");
}

int export_records(games::io::Archive& archive, const games::GameFilter& filter,
                   record::Format format, const std::string& directory) {
  if (directory.empty()) {
    return complain("records go to a directory, a file each: give one with -o", base::exit_usage);
  }
  std::error_code failed;
  fs::create_directories(directory, failed);
  if (failed) {
    return complain("cannot create " + directory + ": " + failed.message(), base::exit_cannot_create);
  }
  std::vector<std::int64_t> ids;
  if (const auto why = archive.each(filter, games::io::Archive::Order::latest_first, [&](const games::ArchivedGame& game) {
        ids.push_back(game.id);
        return true;
      })) {
    return complain("the archive cannot be read: " + why->text, base::exit_no_input);
  }
  int status = base::exit_ok;
  for (const std::int64_t id : ids) {
    const auto found = archive.find(id);
    const std::string why = !found ? found.error().text.english() : *found ? export_record(**found, format, directory) : "";
    if (!why.empty()) {
      status = complain("game " + std::to_string(id) + ": " + why, base::exit_data);
    }
  }
  std::cerr << ids.size() << (ids.size() == 1 ? " game\n" : " games\n");
  return status;
}

/// "csa, csa3, …": what `to` may be besides csv and json.
std::string export_formats() {
  std::string words;
  for (const auto& facts : record::formats) {
    words += (words.empty() ? "" : ", ") + std::string(facts.word);
  }
  return words;
}

/// Every game that the filter lets through, whatever its limit. Returns the exit status.
int export_games(games::io::Archive& archive, const games::GameFilter& filter,
                 const std::string& to, const std::string& output) {
  if (to == "csv" || to == "json") {
    return export_rows(archive, filter, to == "csv", output);
  }
  const auto format = record::format_of_word(to);
  return format ? export_records(archive, filter, *format, output)
                : complain("--to is csv, json, " + export_formats() + ", not " + base::quote_for_log(to),
                           base::exit_usage);
}

/// Every record below the directory in which `us` played. Returns the exit status.
int import_games(const std::string& archive_path, const std::string& directory,
                 const std::string& us) {
  constexpr std::size_t batch = 500;
  std::error_code failed;
  std::vector<std::string> paths;
  for (fs::recursive_directory_iterator it(directory, failed), end; !failed && it != end; it.increment(failed)) {
    const std::string extension = it->path().extension().string();
    const bool is_record = std::any_of(record::formats.begin(), record::formats.end(),
                                       [&](const auto& facts) { return extension == facts.extension; });
    if (is_record && it->is_regular_file(failed)) {
      paths.push_back(it->path().string());
    }
  }
  if (failed) {
    return complain(directory + ": " + failed.message(), base::exit_no_input);
  }
  std::sort(paths.begin(), paths.end());
  auto archive = games::io::Archive::open(archive_path, games::io::Archive::Access::write);
  if (!archive) {
    return complain(archive.error().text, base::exit_cannot_create);
  }
  std::size_t unreadable = 0;
  std::size_t foreign = 0;
  std::size_t games = 0;
  int added = 0;
  std::vector<games::ArchivedRecord> waiting;
  const auto flush = [&]() -> std::optional<std::string> {
    const auto stored = archive->add(waiting);
    waiting.clear();
    added += stored ? *stored : 0;
    return stored ? std::nullopt : std::optional(stored.error().text);
  };
  for (const std::string& path : paths) {
    const RecordsRead read = read_record_file(path, std::nullopt);
    if (read.games.empty()) {
      ++unreadable;
      std::cerr << "kakehashi: " << path << ": " << read.trouble << "\n";
    }
    read.tell_doubts(path);
    for (const record::Record& game : read.games) {
      auto archived = games::imported(game, us, path);
      if (!archived) {
        ++foreign;
        continue;
      }
      ++games;
      if (archived->game.game_id.empty()) {
        archived->game.game_id = fs::path(path).stem().string();
      }
      waiting.push_back(std::move(*archived));
    }
    if (waiting.size() >= batch) {
      if (const auto why = flush()) {
        return complain("the archive cannot be written: " + *why, base::exit_cannot_create);
      }
    }
  }
  if (const auto why = flush()) {
    return complain("the archive cannot be written: " + *why, base::exit_cannot_create);
  }
  std::cout << added << " games added, " << games - static_cast<std::size_t>(added)
            << " were there already; left out: " << foreign << " without " << us << ", " << unreadable
            << " files that cannot be read\n";
  return base::exit_ok;
}

int write_out(const Options& options) {
  const auto filter = options.games.filter();
  if (!filter) {
    return base::exit_usage;
  }
  auto archive = options.games.open();
  return archive ? export_games(*archive, *filter, options.to, options.output) : base::exit_no_input;
}

int read_in(const Options& options) {
  const auto file = options.games.file();
  return file ? import_games(*file, options.directory, options.us) : base::exit_config;
}

}  // namespace

void register_games(CLI::App& app, const Terminal&, int& status) {
  auto* command = app.add_subcommand("games", "List, show, count and export finished games");
  command->require_subcommand(1);
  const auto options = std::make_shared<Options>();
  const auto add = [&](const char* name, const char* help, int (*run)(const Options&)) {
    auto* added = command->add_subcommand(name, help);
    add_archive_options(*added, options->games);
    added->callback([options, run, &status] { status = run(*options); });
    return added;
  };

  auto* list_command = add("list", "The latest games, a line each", list);
  add_filter_options(*list_command, options->games);
  list_command->add_option("--limit", options->limit, "How many")->check(CLI::Range(1, count_max))->capture_default_str();
  list_command->add_flag("--json", options->is_json, "As JSON");

  auto* show_command = add("show", "One game: moves with times and evaluations", show);
  show_command->add_option("ID", options->id, "As games list shows it")->required()->check(CLI::Range(1, count_max));
  show_command->add_flag("--boards", options->has_boards, "With a board after each move");
  show_command->add_flag("--json", options->is_json, "As JSON, with the position after each move");
  show_command->add_option("--svg", options->svg, "Write a plot of evaluation and time there instead")->type_name("FILE");

  auto* stats_command = add("stats", "Results by opponent, color, clock and week, with 95 % intervals", stats);
  add_filter_options(*stats_command, options->games);
  stats_command->add_flag("--json", options->is_json, "As JSON");

  auto* export_command = add("export", "Games as CSV, JSON or records", write_out);
  add_filter_options(*export_command, options->games);
  export_command->add_option("--to", options->to, "csv, json (one object a line), or a format of records: " + export_formats())
      ->required();
  export_command->add_option("-o,--output", options->output,
                             "A file (csv, json; else standard output), or a directory for records, one file each");

  auto* import_command = add("import", "Add games from records: after a crash, or from before there was an archive", read_in);
  import_command->add_option("DIRECTORY", options->directory, "Records of any format, with its directories")->required();
  import_command->add_option("--name", options->us, "Our name in them")->required();
}

}  // namespace kakehashi::cli
