// `kakehashi record`: converts, shows and verifies records of games.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "base/encoding.hpp"
#include "base/exit_status.hpp"
#include "base/text.hpp"
#include "cli/command_line.hpp"
#include "cli/record_file.hpp"
#include "cli/terminal.hpp"
#include "shogi/record/model.hpp"
#include "shogi/record/show.hpp"

namespace kakehashi::cli {
namespace {

namespace record = shogi::record;
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

const std::vector<std::pair<std::string, record::CommentStyle>> styles{
    {"auto", record::CommentStyle::automatic},      {"floodgate", record::CommentStyle::floodgate},
    {"csa3", record::CommentStyle::csa3},           {"shogihome", record::CommentStyle::shogihome},
    {"shogigui", record::CommentStyle::shogigui},   {"none", record::CommentStyle::none}};

std::vector<std::string> format_words() {
  std::vector<std::string> words;
  words.reserve(record::formats.size());
  for (const auto& facts : record::formats) {
    words.emplace_back(facts.word);
  }
  return words;
}

int complain(const std::string& about, const std::string& what, int status) {
  std::cerr << "kakehashi: " << (about == "-" ? "standard input" : about) << ": " << what << "\n";
  return status;
}

/// The wanted game of the file, or all of them; none after a complaint.
std::vector<record::Record> load(const Options& options, int& status) {
  const std::string& path = options.inputs.front();
  RecordsRead read = read_record_file(path, record::format_of_word(options.from));
  if (read.games.empty()) {
    status = complain(path, read.trouble, read.status);
    return {};
  }
  read.tell_doubts(path);
  if (options.game == 0) {
    return std::move(read.games);
  }
  if (options.game > read.games.size()) {
    status = complain(path, "it has " + std::to_string(read.games.size()) + " games, so there is no "
                            "game " + std::to_string(options.game), base::exit_usage);
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

int convert(const Options& options) {
  const auto format = target_format(options);
  if (!format) {
    return complain("record convert", "name the format with --to, or by the ending of -o FILE",
                    base::exit_usage);
  }
  int status = base::exit_ok;
  const auto games = load(options, status);
  if (games.empty()) {
    return status;
  }
  if (games.size() > 1 && !holds_many(*format)) {
    return complain(options.inputs.front(),
                    "it has " + std::to_string(games.size()) + " games, and a file in " +
                        record::facts_of(*format).name + " holds one; choose with --game N",
                    base::exit_usage);
  }
  record::CommentStyle style = record::CommentStyle::automatic;
  for (const auto& [word, value] : styles) {
    style = word == options.comments ? value : style;
  }
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
    return std::cout ? base::exit_ok : complain("standard output", "it cannot be written", base::exit_cannot_create);
  }
  const auto why = write_record_file(options.output, text, options.force);
  return why ? complain("record convert", *why, base::exit_cannot_create) : base::exit_ok;
}

int show(const Options& options) {
  int status = base::exit_ok;
  const auto games = load(options, status);
  for (const auto& game : games) {
    const auto plies = game.moves.size();
    if (options.ply >= 0 && static_cast<std::size_t>(options.ply) > plies) {
      return complain(options.inputs.front(),
                      "the game has " + std::to_string(plies) + " moves, so there is no ply " +
                          std::to_string(options.ply),
                      base::exit_usage);
    }
    std::cout << (&game == &games.front() ? "" : "\n")
              << record::show_record(game, options.ply < 0
                                               ? std::nullopt
                                               : std::optional(static_cast<std::size_t>(options.ply)));
  }
  return status;
}

int verify(const Options& options) {
  int status = base::exit_ok;
  for (const std::string& path : options.inputs) {
    const RecordsRead read = read_record_file(path, record::format_of_word(options.from));
    if (read.games.empty()) {
      status = complain(path, read.trouble, read.status);
      continue;
    }
    std::size_t moves = 0;
    bool is_well = true;
    std::size_t number = 0;
    for (const auto& game : read.games) {
      ++number;
      moves += game.moves.size();
      for (const std::string& fault : record::inconsistencies(game)) {
        const std::string which =
            read.games.size() == 1 ? "" : "game " + std::to_string(number) + ": ";
        status = complain(path, which + fault, base::exit_data);
        is_well = false;
      }
    }
    if (is_well) {
      std::cout << path << ": " << read.games.size() << (read.games.size() == 1 ? " game, " : " games, ")
                << moves << " moves, all well\n";
    }
  }
  return status;
}

void add_input(CLI::App& command, Options& options, bool many) {
  auto* input = command.add_option("IN", options.inputs,
                                   many ? "Record files" : "A record file; - for standard input");
  input->required()->expected(1, many ? -1 : 1);
  command.add_option("--from", options.from, "Its format, where it cannot be detected")
      ->check(CLI::IsMember(format_words()));
}

}  // namespace

void register_record(CLI::App& app, const Terminal&, int& status) {
  auto* command = app.add_subcommand("record", "Convert, show and verify records of games");
  command->require_subcommand(1);
  auto options = std::make_shared<Options>();

  auto* convert_command = command->add_subcommand("convert", "Write a record in another format");
  add_input(*convert_command, *options, false);
  convert_command->add_option("--to", options->to, "The format to write; else by the ending of FILE")
      ->check(CLI::IsMember(format_words()));
  convert_command->add_option("-o,--output", options->output, "The file to write; standard output, if not given");
  std::vector<std::string> style_words;
  style_words.reserve(styles.size());
  for (const auto& style : styles) {
    style_words.push_back(style.first);
  }
  convert_command->add_option("--comments", options->comments, "How evaluations are written")
      ->check(CLI::IsMember(style_words));
  convert_command->add_option("--game", options->game, "Only this game of the file, from 1");
  convert_command->add_flag("--force", options->force, "Replace FILE if it exists");
  convert_command->callback([options, &status] { status = convert(*options); });

  auto* show_command =
      command->add_subcommand("show", "Print a game with its boards, hands, times and comments");
  add_input(*show_command, *options, false);
  show_command->add_option("--ply", options->ply, "Only the position after this move; 0: the start")
      ->check(CLI::Range(0, ply_max));
  show_command->add_option("--game", options->game, "Only this game of the file, from 1");
  show_command->callback([options, &status] { status = show(*options); });

  auto* verify_command = command->add_subcommand(
      "verify", "Check moves, endings and times; exit status 65 if there are faults");
  add_input(*verify_command, *options, true);
  verify_command->callback([options, &status] { status = verify(*options); });
}

}  // namespace kakehashi::cli
