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
using base::say;

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

int complain(const Terminal& terminal, const base::Message& what, int status) {
  terminal.fault(what);
  return status;
}

int archive_unreadable(const Terminal& terminal, const games::io::Trouble& why) {
  return complain(terminal, say("the archive cannot be read: {}", why.text), base::exit_no_input);
}

int list(const Options& options, const Terminal& terminal) {
  auto filter = options.games.filter(terminal);
  if (!filter) {
    return base::exit_usage;
  }
  filter->limit = options.limit;
  auto archive = options.games.open(terminal);
  if (!archive) {
    return base::exit_no_input;
  }
  const auto games = archive->list(*filter);
  if (!games) {
    return archive_unreadable(terminal, games.error());
  }
  terminal.output.stream() << (options.is_json ? games::json_of(*games) + "\n"
                                               : games::list_text(*games, terminal.output.language()));
  return base::exit_ok;
}

int stats(const Options& options, const Terminal& terminal) {
  const auto filter = options.games.filter(terminal);
  if (!filter) {
    return base::exit_usage;
  }
  auto archive = options.games.open(terminal);
  if (!archive) {
    return base::exit_no_input;
  }
  games::Statistics statistics;
  const auto why = archive->each(*filter, games::io::Archive::Order::any, [&](const games::ArchivedGame& game) {
    statistics.take(game);
    return true;
  });
  if (why) {
    return archive_unreadable(terminal, *why);
  }
  terminal.output.stream() << (options.is_json ? games::json(statistics) + "\n"
                                               : games::show(statistics, terminal.output.language()));
  return base::exit_ok;
}

int show(const Options& options, const Terminal& terminal) {
  auto archive = options.games.open(terminal);
  if (!archive) {
    return base::exit_no_input;
  }
  const auto found = archive->find(options.id);
  if (!found) {
    return archive_unreadable(terminal, found.error());
  }
  if (!*found) {
    return complain(terminal,
                    say("there is no game {} in this archive; kakehashi games list shows which there are", options.id),
                    base::exit_no_input);
  }
  const games::ArchivedGame& game = (*found)->game;
  const auto read = games::record_in(**found);
  if (!read) {
    return complain(terminal, say("the moves of game {} cannot be read: {}", options.id, read.error().what),
                    base::exit_data);
  }
  const shogi::record::Record& record = *read;
  if (!options.svg.empty()) {
    const auto why = write_record_file(options.svg, games::plot_svg(game, record, terminal.output.language()), true);
    return why ? complain(terminal, *why, base::exit_cannot_create) : base::exit_ok;
  }
  std::ostream& output = terminal.output.stream();
  if (options.is_json) {
    output << games::json_of(game, record) << "\n";
  } else if (options.has_boards) {
    output << games::head_text(game, terminal.output.language()) << "\n"
           << shogi::record::show_record(record, std::nullopt, [&](const base::Message& text) { return terminal.output.said(text); });
  } else {
    output << games::game_text(game, record, terminal.output.language());
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
  [[nodiscard]] int finish(const Terminal& terminal) {
    stream().flush();
    return stream() ? base::exit_ok
                    : complain(terminal,
                               say("{} cannot be written", path_.empty() ? say("standard output") : base::verbatim(path_)),
                               base::exit_cannot_create);
  }

 private:
  std::ostream& stream() { return path_.empty() || path_ == "-" ? std::cout : file_; }

  std::string path_;
  std::ofstream file_;
};

int export_rows(games::io::Archive& archive, const games::GameFilter& filter, bool is_csv,
                const std::string& path, const Terminal& terminal) {
  Output output(path);
  output.write(is_csv ? games::csv_head() : "");
  const auto why = archive.each(filter, games::io::Archive::Order::latest_first, [&](const games::ArchivedGame& game) {
    output.write(is_csv ? games::csv_line(game) : games::json_of(game) + "\n");
    return true;
  });
  const int status = output.finish(terminal);
  return why ? archive_unreadable(terminal, *why) : status;
}

/// Why not; nothing: it is written.
base::Message export_record(const games::ArchivedRecord& archived, record::Format format, const std::string& directory) {
  const auto game = games::record_in(archived);
  if (!game) {
    return say("its moves cannot be read: {}", game.error().what);
  }
  const auto& facts = record::facts_of(format);
  std::string text = record::write_record(*game, format, record::CommentStyle::automatic);
  if (facts.is_shift_jis) {
    text = base::to_cp932(text);
  }
  const std::string name = journal::io::safe_file_name(std::to_string(archived.game.id) + "_" +
                                              archived.game.game_id + facts.extension);
  return write_record_file((fs::path(directory) / name).string(), text, true).value_or(base::Message());
}

int export_records(games::io::Archive& archive, const games::GameFilter& filter,
                   record::Format format, const std::string& directory, const Terminal& terminal) {
  if (directory.empty()) {
    return complain(terminal, say("records go to a directory, a file each: give one with -o"), base::exit_usage);
  }
  std::error_code failed;
  fs::create_directories(directory, failed);
  if (failed) {
    return complain(terminal, say("cannot create {}: {}", directory, base::system_words(failed.message())),
                    base::exit_cannot_create);
  }
  std::vector<std::int64_t> ids;
  if (const auto why = archive.each(filter, games::io::Archive::Order::latest_first, [&](const games::ArchivedGame& game) {
        ids.push_back(game.id);
        return true;
      })) {
    return archive_unreadable(terminal, *why);
  }
  int status = base::exit_ok;
  for (const std::int64_t id : ids) {
    const auto found = archive.find(id);
    const base::Message why = !found   ? found.error().text
                              : *found ? export_record(**found, format, directory)
                                       : base::Message();
    if (!why.empty()) {
      status = complain(terminal, say("game {}: {}", id, why), base::exit_data);
    }
  }
  terminal.errors.line(ids.size() == 1 ? say("{} game", 1) : say("{} games", ids.size()));
  return status;
}

/// Every game that the filter lets through, whatever its limit. Returns the exit status.
int export_games(games::io::Archive& archive, const games::GameFilter& filter,
                 const std::string& to, const std::string& output, const Terminal& terminal) {
  if (to == "csv" || to == "json") {
    return export_rows(archive, filter, to == "csv", output, terminal);
  }
  const auto format = record::format_of_word(to);
  return format ? export_records(archive, filter, *format, output, terminal)
                : complain(terminal,
                           say("--to is csv, json, csa, csa3, kif, kifu, ki2, ki2u, jkf, usi or jsonl, not {}", base::quoted(to)),
                           base::exit_usage);
}

/// Every record below the directory in which `us` played. Returns the exit status.
int import_games(const std::string& archive_path, const std::string& directory,
                 const std::string& us, const Terminal& terminal) {
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
    return complain(terminal, say("{}: {}", directory, base::system_words(failed.message())), base::exit_no_input);
  }
  std::sort(paths.begin(), paths.end());
  auto archive = games::io::Archive::open(archive_path, games::io::Archive::Access::write);
  if (!archive) {
    return complain(terminal, archive.error().text, base::exit_cannot_create);
  }
  std::size_t unreadable = 0;
  std::size_t foreign = 0;
  std::size_t games = 0;
  int added = 0;
  std::vector<games::ArchivedRecord> waiting;
  const auto flush = [&]() -> std::optional<base::Message> {
    const auto stored = archive->add(waiting);
    waiting.clear();
    added += stored ? *stored : 0;
    return stored ? std::nullopt : std::optional(stored.error().text);
  };
  for (const std::string& path : paths) {
    const RecordsRead read = read_record_file(path, std::nullopt);
    if (read.games.empty()) {
      ++unreadable;
      terminal.fault(say("{}: {}", path, read.trouble));
    }
    read.tell_doubts(path, terminal);
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
        return complain(terminal, say("the archive cannot be written: {}", *why), base::exit_cannot_create);
      }
    }
  }
  if (const auto why = flush()) {
    return complain(terminal, say("the archive cannot be written: {}", *why), base::exit_cannot_create);
  }
  terminal.output.line(say("{} games added, {} were there already; left out: {} without {}, {} files that cannot be read",
                           added, games - static_cast<std::size_t>(added), foreign, us, unreadable));
  return base::exit_ok;
}

int write_out(const Options& options, const Terminal& terminal) {
  const auto filter = options.games.filter(terminal);
  if (!filter) {
    return base::exit_usage;
  }
  auto archive = options.games.open(terminal);
  return archive ? export_games(*archive, *filter, options.to, options.output, terminal) : base::exit_no_input;
}

int read_in(const Options& options, const Terminal& terminal) {
  const auto file = options.games.file(terminal);
  return file ? import_games(*file, options.directory, options.us, terminal) : base::exit_config;
}

}  // namespace

void register_games(CLI::App& app, const Terminal& terminal, int& status) {
  auto* command = app.add_subcommand("games", say("List, show, count and export finished games").english());
  command->require_subcommand(1);
  const auto options = std::make_shared<Options>();
  const auto add = [&](const char* name, const base::Message& help, int (*run)(const Options&, const Terminal&)) {
    auto* added = command->add_subcommand(name, help.english());
    add_archive_options(*added, options->games);
    added->callback([options, run, &terminal, &status] { status = run(*options, terminal); });
    return added;
  };

  auto* list_command = add("list", say("The latest games, a line each"), list);
  add_filter_options(*list_command, options->games);
  list_command->add_option("--limit", options->limit, say("How many").english())->check(CLI::Range(1, count_max))->capture_default_str();
  list_command->add_flag("--json", options->is_json, say("As JSON").english());

  auto* show_command = add("show", say("One game: moves with times and evaluations"), show);
  show_command->add_option("ID", options->id, say("As games list shows it").english())->required()->check(CLI::Range(1, count_max));
  show_command->add_flag("--boards", options->has_boards, say("With a board after each move").english());
  show_command->add_flag("--json", options->is_json, say("As JSON, with the position after each move").english());
  show_command->add_option("--svg", options->svg, say("Write a plot of evaluation and time there instead").english())->type_name("FILE");

  auto* stats_command = add("stats", say("Results by opponent, color, clock and week, with 95 % intervals"), stats);
  add_filter_options(*stats_command, options->games);
  stats_command->add_flag("--json", options->is_json, say("As JSON").english());

  auto* export_command = add("export", say("Games as CSV, JSON or records"), write_out);
  add_filter_options(*export_command, options->games);
  export_command->add_option("--to", options->to, say("csv, json (one object a line), or a format of records: csa, csa3, kif, kifu, ki2, ki2u, jkf, usi, jsonl")
                           .english())
      ->required();
  export_command->add_option("-o,--output", options->output,
                             say("A file (csv, json; else standard output), or a directory for records, one file each").english());

  auto* import_command = add("import", say("Add games from records: after a crash, or from before there was an archive"), read_in);
  import_command->add_option("DIRECTORY", options->directory, say("Records of any format, with its directories").english())->required();
  import_command->add_option("--name", options->us, say("Our name in them").english())->required();
}

}  // namespace kakehashi::cli
