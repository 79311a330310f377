// `kakehashi record`: converts, shows and verifies records of games.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "base/encoding.hpp"
#include "base/exit_status.hpp"
#include "cli/command_line.hpp"
#include "cli/option.hpp"
#include "cli/record_file.hpp"
#include "cli/terminal.hpp"
#include "config/bot_config.hpp"
#include "config/schema/keys.hpp"
#include "shogi/record/model.hpp"
#include "shogi/record/show.hpp"

namespace kakehashi::cli {
namespace {

namespace record = shogi::record;
using base::say;
using record::Format;

constexpr int ply_max = 100'000;

struct Options {
  std::vector<std::string> inputs;
  std::string from;
  std::string to;
  std::string output;
  std::string comments = "auto";
  std::size_t game = 0;  ///< 0: all
  int ply = -1;          ///< -1: all
  bool force = false;
};

/// The words of the setting, in the order of the styles.
const std::vector<std::string>& style_words() {
  return std::get<config::ChoiceKey>(config::find_key("records.comments")->shape).words;
}

std::vector<std::string> format_words() {
  std::vector<std::string> words;
  words.reserve(record::formats.size());
  for (const auto& facts : record::formats) {
    words.emplace_back(facts.word);
  }
  return words;
}

int complain(const Terminal& terminal, const base::Message& about, const base::Message& what, int status) {
  return terminal.fault(say("{}: {}", about, what), status);
}

/// The wanted game of the file, or all of them; none after a complaint.
std::vector<record::Record> load(const Options& options, const Terminal& terminal, int& status) {
  const std::string& path = options.inputs.front();
  RecordsRead read = read_record_file(path, record::format_of_word(options.from));
  if (read.games.empty()) {
    status = complain(terminal, shown_input(path), read.trouble, read.status);
    return {};
  }
  read.tell_doubts(path, terminal);
  if (options.game == 0) {
    return std::move(read.games);
  }
  if (options.game > read.games.size()) {
    status = complain(terminal, shown_input(path),
                      say("it has {} games, so there is no game {}", read.games.size(), options.game), base::exit_usage);
    return {};
  }
  return {std::move(read.games[options.game - 1])};
}

std::optional<Format> target_format(const Options& options) {
  if (!options.to.empty()) {
    return record::format_of_word(options.to);
  }
  for (const auto& facts : record::formats) {
    if (options.output.ends_with(facts.extension)) {
      return facts.format;
    }
  }
  return std::nullopt;
}

bool holds_many(Format format) {
  return format == Format::csa || format == Format::csa3 || format == Format::usi ||
         format == Format::jsonl;
}

int convert(const Options& options, const Terminal& terminal) {
  const auto format = target_format(options);
  if (!format) {
    return complain(terminal, base::verbatim("record convert"), say("name the format with --to, or by the ending of -o FILE"),
                    base::exit_usage);
  }
  int status = base::exit_ok;
  const auto games = load(options, terminal, status);
  if (games.empty()) {
    return status;
  }
  if (games.size() > 1 && !holds_many(*format)) {
    return complain(terminal, shown_input(options.inputs.front()),
                    say("it has {} games, and a file in {} holds one; choose with --game N", games.size(),
                        std::string(record::facts_of(*format).name)),
                    base::exit_usage);
  }
  const auto word = std::ranges::find(style_words(), options.comments);
  const auto style = static_cast<record::CommentStyle>(word - style_words().begin());
  std::string text;
  for (const auto& game : games) {
    const bool is_csa = *format == Format::csa || *format == Format::csa3;
    text += (is_csa && !text.empty() ? "/\n" : "") + record::write_record(game, *format, style);
  }
  if (record::facts_of(*format).is_shift_jis) {
    text = base::to_cp932(text);
  }
  if (options.output.empty() || options.output == "-") {
    std::cout << as_file << text << as_text;
    return std::cout ? base::exit_ok
                     : complain(terminal, say("standard output"), say("it cannot be written"), base::exit_cannot_create);
  }
  const auto why = write_record_file(options.output, text, options.force);
  return why ? complain(terminal, base::verbatim("record convert"), *why, base::exit_cannot_create) : base::exit_ok;
}

int show(const Options& options, const Terminal& terminal) {
  int status = base::exit_ok;
  const auto games = load(options, terminal, status);
  for (const auto& game : games) {
    const auto plies = game.moves.size();
    if (options.ply >= 0 && static_cast<std::size_t>(options.ply) > plies) {
      return complain(terminal, shown_input(options.inputs.front()),
                      say("the game has {} moves, so there is no ply {}", plies, options.ply), base::exit_usage);
    }
    std::cout << (&game == &games.front() ? "" : "\n")
              << record::show_record(game, options.ply < 0
                                               ? std::nullopt
                                               : std::optional(static_cast<std::size_t>(options.ply)),
                                     [&](const base::Message& text) { return terminal.output.said(text); });
  }
  return status;
}

int verify(const Options& options, const Terminal& terminal) {
  int status = base::exit_ok;
  for (const std::string& path : options.inputs) {
    const RecordsRead read = read_record_file(path, record::format_of_word(options.from));
    if (read.games.empty()) {
      status = complain(terminal, shown_input(path), read.trouble, read.status);
      continue;
    }
    std::size_t moves = 0;
    bool is_well = true;
    std::size_t number = 0;
    for (const auto& game : read.games) {
      ++number;
      moves += game.moves.size();
      for (const base::Message& fault : record::inconsistencies(game)) {
        status = complain(terminal, shown_input(path),
                          read.games.size() == 1 ? fault : say("game {}: {}", number, fault), base::exit_data);
        is_well = false;
      }
    }
    if (is_well) {
      terminal.output.line(say("{}: {}", shown_input(path),
                               read.games.size() == 1
                                   ? say("{} game, {} moves, all well", 1, moves)
                                   : say("{} games, {} moves, all well", read.games.size(), moves)));
    }
  }
  return status;
}

void add_input(CLI::App& command, Options& options, bool many) {
  option(command, "IN", options.inputs, many ? say("Record files") : say("A record file; - for standard input"))
      ->required()
      ->expected(1, many ? -1 : 1);
  option(command, "--from", options.from, say("Its format, where it cannot be detected"))
      ->check(CLI::IsMember(format_words()));
}

}  // namespace

void register_record(CLI::App& app, const Terminal& terminal, int& status) {
  auto* command = app.add_subcommand("record", say("Convert, show and verify records of games").english());
  command->require_subcommand(1);
  auto options = std::make_shared<Options>();

  auto* convert_command = command->add_subcommand("convert", say("Write a record in another format").english());
  add_input(*convert_command, *options, false);
  option(*convert_command, "--to", options->to, say("The format to write; else by the ending of FILE"))
      ->check(CLI::IsMember(format_words()));
  option(*convert_command, "-o,--output", options->output, say("The file to write; standard output, if not given"));
  option(*convert_command, "--comments", options->comments, say("How evaluations are written"))
      ->check(CLI::IsMember(style_words()));
  option(*convert_command, "--game", options->game, say("Only this game of the file, from 1"));
  flag(*convert_command, "--force", options->force, say("Replace FILE if it exists"));
  convert_command->callback([options, &terminal, &status] { status = convert(*options, terminal); });

  auto* show_command =
      command->add_subcommand("show", say("Print a game with its boards, hands, times and comments").english());
  add_input(*show_command, *options, false);
  option(*show_command, "--ply", options->ply, say("Only the position after this move; 0: the start"))
      ->check(CLI::Range(0, ply_max));
  option(*show_command, "--game", options->game, say("Only this game of the file, from 1"));
  show_command->callback([options, &terminal, &status] { status = show(*options, terminal); });

  auto* verify_command = command->add_subcommand(
      "verify", say("Check moves, endings and times; exit status 65 if there are faults").english());
  add_input(*verify_command, *options, true);
  verify_command->callback([options, &terminal, &status] { status = verify(*options, terminal); });
}

}  // namespace kakehashi::cli
