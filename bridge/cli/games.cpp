// `kakehashi games`: lists, shows, counts and exports the games of an archive.
#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <memory>

#include "base/text.hpp"
#include "bridge/archive/game_plot.hpp"
#include "bridge/archive/game_text.hpp"
#include "bridge/archive/statistics.hpp"
#include "bridge/cli/command_line.hpp"
#include "bridge/cli/games_export.hpp"
#include "bridge/cli/games_options.hpp"
#include "bridge/cli/record_file.hpp"
#include "bridge/fleet/io/exit_status.hpp"
#include "shogi/record/show.hpp"

namespace kakehashi::bridge::cli {
namespace {

constexpr int count_max = 1'000'000'000;  // of games, and so of their numbers

struct Options {
  GamesOptions games;
  std::int64_t limit = archive::GameFilter::limit_default;
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
    return exit_usage;
  }
  filter->limit = options.limit;
  auto archive = options.games.open();
  if (!archive) {
    return exit_no_input;
  }
  const auto games = archive->list(*filter);
  if (!games) {
    return complain("the archive cannot be read: " + games.error(), exit_no_input);
  }
  std::cout << (options.is_json ? archive::json_of(*games) + "\n" : archive::list_text(*games));
  return exit_ok;
}

int stats(const Options& options) {
  const auto filter = options.games.filter();
  if (!filter) {
    return exit_usage;
  }
  auto archive = options.games.open();
  if (!archive) {
    return exit_no_input;
  }
  archive::Statistics statistics;
  const auto why = archive->each(*filter, archive::io::Archive::Order::any, [&](const archive::ArchivedGame& game) {
    statistics.take(game);
    return true;
  });
  if (why) {
    return complain("the archive cannot be read: " + *why, exit_no_input);
  }
  std::cout << (options.is_json ? archive::json(statistics) + "\n" : archive::show(statistics));
  return exit_ok;
}

int show(const Options& options) {
  auto archive = options.games.open();
  if (!archive) {
    return exit_no_input;
  }
  const auto found = archive->find(options.id);
  if (!found || !*found) {
    return complain(found ? "there is no game " + std::to_string(options.id) +
                                " in this archive; kakehashi games list shows which there are"
                          : "the archive cannot be read: " + found.error(),
                    exit_no_input);
  }
  const archive::ArchivedGame& game = (*found)->game;
  const auto read = archive::record_in(**found);
  if (!read) {
    return complain("the moves of game " + std::to_string(options.id) + " cannot be read: " + read.error().what,
                    exit_data);
  }
  const shogi::record::Record& record = *read;
  if (!options.svg.empty()) {
    const auto why = write_record_file(options.svg, archive::plot_svg(game, record), true);
    return why ? complain(*why, exit_cannot_create) : exit_ok;
  }
  if (options.is_json) {
    std::cout << archive::json_of(game, record) << "\n";
  } else if (options.has_boards) {
    std::cout << archive::head_text(game) << "\n" << shogi::record::show_record(record, std::nullopt);
  } else {
    std::cout << archive::game_text(game, record);
  }
  return exit_ok;
}

int write_out(const Options& options) {
  const auto filter = options.games.filter();
  if (!filter) {
    return exit_usage;
  }
  auto archive = options.games.open();
  return archive ? export_games(*archive, *filter, options.to, options.output) : exit_no_input;
}

int read_in(const Options& options) {
  const auto file = options.games.file();
  return file ? import_games(*file, options.directory, options.us) : exit_config;
}

}  // namespace

void register_games(CLI::App& app, int& status) {
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

}  // namespace kakehashi::bridge::cli
