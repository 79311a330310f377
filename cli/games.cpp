// `kakehashi games`: lists, shows, counts and exports the games of an archive. `kakehashi publish`: the same games as a
// site of plain files, for any web server.
#include <fcntl.h>
#include <sys/file.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/encoding.hpp"
#include "base/exit_status.hpp"
#include "base/io/clocks.hpp"
#include "base/io/file.hpp"
#include "base/text.hpp"
#include "cli/command_line.hpp"
#include "cli/load_config.hpp"
#include "cli/option.hpp"
#include "cli/record_file.hpp"
#include "cli/terminal.hpp"
#include "games/game_filter.hpp"
#include "games/game_text.hpp"
#include "games/io/archive.hpp"
#include "games/io/archive_writer.hpp"
#include "games/site.hpp"
#include "games/statistics.hpp"
#include "journal/io/record_writer.hpp"
#include "shogi/record/format.hpp"
#include "shogi/record/show.hpp"
#include "watch/http_answer.hpp"

namespace kakehashi::cli {
namespace {

namespace fs = std::filesystem;
namespace record = shogi::record;
using base::say;

// --- which archive and which of its games: the options that the commands share

/// A command ends early, everything having been told: with that exit status.
struct Left {
  int status;
};

int until_left(const std::function<int()>& run) {
  try {
    return run();
  } catch (const Left& left) {
    return left.status;
  }
}

constexpr const char* default_archive = "records/games.db";

struct Condition {
  const char* option;
  const char* name;
  const char* type;
  base::Message help;
};
std::vector<Condition> known_conditions() {
  return {
      {"--opponent", "opponent", "NAME", say("Only games against NAME; a * stands for anything")},
      {"--bot", "bot", "NAME", say("Only games of this bot")},
      {"--game-name", "game", "NAME", say("Only games of this name, such as floodgate-300-10F")},
      {"--color", "color", "black|white", say("Only games with this color of ours")},
      {"--result", "result", "win|lose|draw|none", say("Only games that ended so for us")},
      {"--since", "since", "WHEN", say("Only games begun then or later: 2026-01-31, 2026-01-31T18:00 (UTC), 7d, 12h")},
      {"--until", "until", "WHEN", say("Only games begun before")},
  };
}

struct GamesOptions {
  std::string archive;
  std::string config;
  std::vector<std::pair<std::string, std::string>> conditions;  ///< of game_filter.hpp, as given

  /// Throws Left after a complaint, as the others do.
  [[nodiscard]] std::string file(const Terminal& terminal) const {
    if (!archive.empty() || config.empty()) {
      return archive.empty() ? default_archive : archive;
    }
    const auto bot = load_config(config, config::io::Passwords::leave, terminal);
    if (!bot) {
      throw Left{base::exit_config};
    }
    std::string named = games::io::archive_file(*bot);
    if (named.empty()) {
      throw Left{terminal.fault(say("{}: archive.enabled is false; name a file with --archive", config), base::exit_config)};
    }
    return named;
  }

  [[nodiscard]] games::io::Archive open(const Terminal& terminal) const {
    const std::string path = file(terminal);
    std::error_code failed;
    if (!std::filesystem::exists(path, failed) && !failed) {
      throw Left{terminal.fault(say("there is no archive {}, which a bot makes when its first game is over; name another with "
                                    "--archive FILE or --config CONFIG", path), base::exit_no_input)};
    }
    auto opened = games::io::Archive::open(path, games::io::Archive::Access::read);
    if (!opened) {
      throw Left{terminal.fault(say("{}; name another with --archive FILE or --config CONFIG", opened.error()),
                                base::exit_no_input)};
    }
    return std::move(*opened);
  }

  [[nodiscard]] games::GameFilter filter(const Terminal& terminal) const {
    games::GameFilter wanted;
    const auto now_ms = base::io::read_clocks().wall.time_since_epoch().count();
    for (const auto& [name, value] : conditions) {
      if (const auto why = games::set_condition(wanted, name, value, now_ms)) {
        throw Left{terminal.fault(*why, base::exit_usage)};
      }
    }
    return wanted;
  }
};

void add_archive_options(CLI::App& command, GamesOptions& options) {
  option(command, "--archive", options.archive, say("The archive; else records/games.db"), "FILE");
  option(command, "--config", options.config, say("Take the archive of this bot's configuration"), "CONFIG");
}

void add_filter_options(CLI::App& command, GamesOptions& options) {
  for (const Condition& condition : known_conditions()) {
    command
        .add_option_function<std::string>(
            condition.option,
            [&options, name = condition.name](const std::string& value) {
              options.conditions.emplace_back(name, value);
            },
            condition.help.english())
        ->type_name(condition.type);
  }
}

// --- games

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

[[noreturn]] void archive_unreadable(const Terminal& terminal, const games::io::Trouble& why) {
  throw Left{terminal.fault(say("the archive cannot be read: {}", why), base::exit_no_input)};
}

using Order = games::io::Archive::Order;

/// Calls `take` with each game that the filter lets through.
void each_game(games::io::Archive& archive, const games::GameFilter& filter, const Terminal& terminal,
               const std::function<void(const games::ArchivedGame&)>& take, Order order = Order::latest_first) {
  const auto why = archive.each(filter, order, [&](const games::ArchivedGame& game) {
    take(game);
    return true;
  });
  if (why) {
    archive_unreadable(terminal, *why);
  }
}

void make_directory(const fs::path& directory, const Terminal& terminal) {
  std::error_code failed;
  fs::create_directories(directory, failed);
  if (failed) {
    throw Left{terminal.fault(say("cannot create {}: {}", directory.string(), base::system_words(failed.message())),
                              base::exit_cannot_create)};
  }
}

int list(const Options& options, const Terminal& terminal) {
  auto filter = options.games.filter(terminal);
  filter.limit = options.limit;
  auto archive = options.games.open(terminal);
  const auto games = archive.list(filter);
  if (!games) {
    archive_unreadable(terminal, games.error());
  }
  terminal.output.stream() << (options.is_json ? games::json_of(*games) + "\n"
                                               : games::list_text(*games, terminal.output.language()));
  return base::exit_ok;
}

int stats(const Options& options, const Terminal& terminal) {
  const auto filter = options.games.filter(terminal);
  auto archive = options.games.open(terminal);
  games::Statistics statistics;
  each_game(archive, filter, terminal, [&](const games::ArchivedGame& game) { statistics.take(game); }, Order::any);
  terminal.output.stream() << (options.is_json ? games::json(statistics) + "\n"
                                               : games::show(statistics, terminal.output.language()));
  return base::exit_ok;
}

int show(const Options& options, const Terminal& terminal) {
  auto archive = options.games.open(terminal);
  const auto found = archive.find(options.id);
  if (!found) {
    archive_unreadable(terminal, found.error());
  }
  if (!*found) {
    return terminal.fault(say("there is no game {} in this archive; kakehashi games list shows which there are", options.id),
                    base::exit_no_input);
  }
  const games::ArchivedGame& game = (*found)->game;
  const auto read = games::record_in(**found);
  if (!read) {
    return terminal.fault(say("the moves of game {} cannot be read: {}", options.id, read.error().what),
                    base::exit_data);
  }
  const shogi::record::Record& record = *read;
  if (!options.svg.empty()) {
    const auto why = write_record_file(options.svg, games::plot_svg(game, record, terminal.output.language()), true);
    return why ? terminal.fault(*why, base::exit_cannot_create) : base::exit_ok;
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

int export_rows(games::io::Archive& archive, const games::GameFilter& filter, bool is_csv,
                const std::string& path, const Terminal& terminal) {
  std::ofstream file;
  const bool is_for_stdout = path.empty() || path == "-";
  if (!is_for_stdout) {
    file.open(path, std::ios::binary | std::ios::trunc);
  }
  std::ostream& output = is_for_stdout ? std::cout : file;
  output << as_file << (is_csv ? games::csv_head() : "");
  each_game(archive, filter, terminal, [&](const games::ArchivedGame& game) {
    output << (is_csv ? games::csv_line(game) : games::json_of(game) + "\n");
  });
  output << as_text;
  return output ? base::exit_ok
                : terminal.fault(say("{} cannot be written", path.empty() ? say("standard output") : base::verbatim(path)),
                           base::exit_cannot_create);
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
    return terminal.fault(say("records go to a directory, a file each: give one with -o"), base::exit_usage);
  }
  make_directory(directory, terminal);
  std::vector<std::int64_t> ids;
  each_game(archive, filter, terminal, [&](const games::ArchivedGame& game) { ids.push_back(game.id); });
  int status = base::exit_ok;
  for (const std::int64_t id : ids) {
    const auto found = archive.find(id);
    const base::Message why = !found   ? found.error()
                              : *found ? export_record(**found, format, directory)
                                       : base::Message();
    if (!why.empty()) {
      status = terminal.fault(say("game {}: {}", id, why), base::exit_data);
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
                : terminal.fault(say("--to is csv, json, csa, csa3, kif, kifu, ki2, ki2u, jkf, usi or jsonl, not {}", base::quoted(to)),
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
    return terminal.fault(say("{}: {}", directory, base::system_words(failed.message())), base::exit_no_input);
  }
  std::sort(paths.begin(), paths.end());
  auto archive = games::io::Archive::open(archive_path, games::io::Archive::Access::write);
  if (!archive) {
    return terminal.fault(archive.error(), base::exit_cannot_create);
  }
  std::size_t unreadable = 0;
  std::size_t foreign = 0;
  std::size_t games = 0;
  int added = 0;
  std::vector<games::ArchivedRecord> waiting;
  const auto flush = [&] {
    const auto stored = archive->add(waiting);
    waiting.clear();
    if (!stored) {
      throw Left{terminal.fault(say("the archive cannot be written: {}", stored.error()), base::exit_cannot_create)};
    }
    added += *stored;
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
      flush();
    }
  }
  flush();
  terminal.output.line(say("{} games added, {} were there already; left out: {} without {}, {} files that cannot be read",
                           added, games - static_cast<std::size_t>(added), foreign, us, unreadable));
  return base::exit_ok;
}

int write_out(const Options& options, const Terminal& terminal) {
  const auto filter = options.games.filter(terminal);
  auto archive = options.games.open(terminal);
  return export_games(archive, filter, options.to, options.output, terminal);
}

int read_in(const Options& options, const Terminal& terminal) {
  return import_games(options.games.file(terminal), options.directory, options.us, terminal);
}

// --- publish

struct PublishOptions {
  GamesOptions games;
  std::string directory;
  games::SiteOptions site{"Shogi games · 将棋の対局", ""};
};

/// A file that says the same already keeps its time, so that what copies the site copies little.
std::optional<base::Message> write(const fs::path& directory, const games::SiteFile& file) {
  const fs::path path = directory / file.path;
  if (base::io::read_whole(path.string()) == file.text) {
    return std::nullopt;
  }
  return write_record_file(path.string(), file.text, true);
}

/// Why not; its files lie behind one another, the viewer's last: where that is, all are.
std::optional<base::Message> write_game(const fs::path& directory, const games::ArchivedRecord& archived) {
  const auto record = games::record_in(archived);
  if (!record) {
    return say("its moves cannot be read: {}", record.error().what);
  }
  std::vector<games::SiteFile> files = games::site_game(archived.game, *record);
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    if (auto why = write(directory, *file)) {
      return why;
    }
  }
  return std::nullopt;
}

int publish(PublishOptions options, const Terminal& terminal) {
  if (!options.site.address.empty() && options.site.address.back() != '/') {
    options.site.address += '/';
  }
  const auto filter = options.games.filter(terminal);
  auto archive = options.games.open(terminal);
  const fs::path directory(options.directory);
  make_directory(directory / "games", terminal);
  // Two at once would write the same drafts; the second has what is left to do. Where there are no locks it goes without.
  const base::io::File turn(directory.string(), O_RDONLY | O_DIRECTORY);
  static_cast<void>(::flock(turn.descriptor(), LOCK_EX));
  std::vector<games::ArchivedGame> all;
  each_game(archive, filter, terminal, [&](const games::ArchivedGame& game) { all.push_back(game); });
  std::vector<games::ArchivedGame> published;
  std::size_t added = 0;
  int status = base::exit_ok;
  for (const games::ArchivedGame& game : all) {
    std::error_code failed;
    if (!fs::exists(directory / "games" / (games::site_name(game) + ".json"), failed)) {
      const auto found = archive.find(game.id);
      const auto why = !found   ? std::optional(found.error())
                       : *found ? write_game(directory, **found)
                                : std::optional(say("it is gone"));
      if (why) {
        status = terminal.fault(say("game {} is left out: {}", game.id, *why), base::exit_data);
        continue;
      }
      ++added;
    }
    published.push_back(game);
  }
  for (const games::SiteFile& file :
       games::site_index(published, options.site, std::string(watch::live_page()))) {
    if (const auto why = write(directory, file)) {
      return terminal.fault(*why, base::exit_cannot_create);
    }
  }
  terminal.output.line(published.size() == 1 ? say("{} game published, {} new", 1, added)
                                             : say("{} games published, {} new", published.size(), added));
  return status;
}

}  // namespace

void register_games(CLI::App& app, const Terminal& terminal, int& status) {
  auto* command = app.add_subcommand("games", say("List, show, count and export finished games").english());
  command->require_subcommand(1);
  const auto options = std::make_shared<Options>();
  const auto add = [&](const char* name, const base::Message& help, int (*run)(const Options&, const Terminal&)) {
    auto* added = command->add_subcommand(name, help.english());
    add_archive_options(*added, options->games);
    added->callback([options, run, &terminal, &status] {
      status = until_left([&] { return run(*options, terminal); });
    });
    return added;
  };

  auto* list_command = add("list", say("The latest games, a line each"), list);
  add_filter_options(*list_command, options->games);
  option(*list_command, "--limit", options->limit, say("How many"))->check(CLI::Range(1, count_max))->capture_default_str();
  flag(*list_command, "--json", options->is_json, say("As JSON"));

  auto* show_command = add("show", say("One game: moves with times and evaluations"), show);
  option(*show_command, "ID", options->id, say("As games list shows it"))->required()->check(CLI::Range(1, count_max));
  flag(*show_command, "--boards", options->has_boards, say("With a board after each move"));
  flag(*show_command, "--json", options->is_json, say("As JSON, with the position after each move"));
  option(*show_command, "--svg", options->svg, say("Write a plot of evaluation and time there instead"), "FILE");

  auto* stats_command = add("stats", say("Results by opponent, color, clock and week, with 95 % intervals"), stats);
  add_filter_options(*stats_command, options->games);
  flag(*stats_command, "--json", options->is_json, say("As JSON"));

  auto* export_command = add("export", say("Games as CSV, JSON or records"), write_out);
  add_filter_options(*export_command, options->games);
  option(*export_command, "--to", options->to, say("csv, json (one object a line), or a format of records: csa, csa3, "
                                                   "kif, kifu, ki2, ki2u, jkf, usi, jsonl"))
      ->required();
  option(*export_command, "-o,--output", options->output, say("A file (csv, json; else standard output), or a directory "
                                                              "for records, one file each"));

  auto* import_command = add("import", say("Add games from records: after a crash, or from before there was an archive"), read_in);
  option(*import_command, "DIRECTORY", options->directory, say("Records of any format, with its directories"))->required();
  option(*import_command, "--name", options->us, say("Our name in them"))->required();
}

void register_publish(CLI::App& app, const Terminal& terminal, int& status) {
  auto* command = app.add_subcommand("publish", say("Write the finished games as a web site of plain files").english());
  const auto options = std::make_shared<PublishOptions>();
  option(*command, "DIRECTORY", options->directory, say("Where to write; a site that is there already is updated"))->required();
  add_archive_options(*command, options->games);
  add_filter_options(*command, options->games);
  option(*command, "--title", options->site.title, say("The title of the pages"))->capture_default_str();
  option(*command, "--address", options->site.address, say("Where the site will be found, for its feeds: https://…"));
  command->callback([options, &terminal, &status] {
    status = until_left([&] { return publish(*options, terminal); });
  });
}

}  // namespace kakehashi::cli
