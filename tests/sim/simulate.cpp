// The simulator as a program: plays stories from a seed on, and stops at the first one that fails,
// which it tells, makes small and writes as a golden script. docs/internals/testing.md says how to use it.
#include <chrono>
#include <csignal>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>

#include "base/text.hpp"
#include "sim/minimise.hpp"
#include "sim/script_rows.hpp"
#include "sim/statistics.hpp"

namespace kakehashi::sim {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* usage =
    "simulate [--seed N] [--games N | --minutes N] [--teams] [--keep-going] [--verbose] [--script FILE]\n"
    "  plays stories with the seeds N, N+1, ... until that many games came to their end; the exit\n"
    "  status is 1 when one of them fails. --teams gives each bot a team that thinks together. --verbose tells\n"
    "  each step.\n";

volatile std::sig_atomic_t is_interrupted = 0;

struct Options {
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> games;
  std::optional<std::int64_t> minutes;
  bool keeps_going = false;
  bool is_verbose = false;
  bool has_teams = false;
  std::string script;
};

std::optional<Options> read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--verbose") {
      options.is_verbose = true;
      continue;
    }
    if (word == "--teams") {
      options.has_teams = true;
      continue;
    }
    if (word == "--keep-going") {
      options.keeps_going = true;
      continue;
    }
    if (++i == argc) {
      return std::nullopt;
    }
    if (word == "--script") {
      options.script = argv[i];
      continue;
    }
    const auto number = base::parse_int(argv[i]);
    if (!number || *number < 0) {
      return std::nullopt;
    }
    if (word == "--seed") {
      options.seed = static_cast<std::uint64_t>(*number);
    } else if (word == "--games") {
      options.games = static_cast<std::uint64_t>(*number);
    } else if (word == "--minutes") {
      options.minutes = *number;
    } else {
      return std::nullopt;
    }
  }
  return options;
}

/// Inputs as golden scripts write them, and what the bot did about each.
void tell_step(std::size_t bot, base::Millis at, const bridge::Event* event,
               const bridge::Actions& actions) {
  const std::string who = "bot " + std::to_string(bot) + "  ";
  if (const auto row = script_row(at, event)) {
    std::cout << who << *row << "\n";
  }
  for (const bridge::Action& action : actions) {
    if (const auto* write = std::get_if<bridge::WriteServer>(&action)) {
      std::cout << who << "    > server " << write->log_as << "\n";
    } else if (const auto* said = std::get_if<bridge::WriteEngine>(&action)) {
      std::cout << who << "    > " << bridge::engine_word(said->engine) << " "
                << said->line << "\n";
    } else if (const auto* note = std::get_if<bridge::Note>(&action)) {
      std::cout << who << "    * " << bridge::describe(note->level) << " " << note->code << ": "
                << note->text << "\n";
    } else if (std::holds_alternative<bridge::ConnectServer>(action)) {
      std::cout << who << "    > server (connect)\n";
    } else if (std::holds_alternative<bridge::CloseServer>(action)) {
      std::cout << who << "    > server (close)\n";
    } else if (std::holds_alternative<bridge::StartEngine>(action)) {
      std::cout << who << "    > engine (start)\n";
    } else if (std::holds_alternative<bridge::KillEngine>(action)) {
      std::cout << who << "    > engine (kill)\n";
    } else if (const auto* done = std::get_if<bridge::Exit>(&action)) {
      std::cout << who << "    > exit " << done->status << "\n";
    }
  }
}

void tell_failure(const Options& options, const Scenario& scenario, const Outcome& outcome) {
  std::cout << "FAILED " << describe(scenario);
  for (const std::string& complaint : outcome.complaints) {
    std::cout << "  " << complaint << "\n";
  }
  const Scenario small = minimise_faults(scenario, outcome.complaints.front());
  std::cout << "enough of it: " << describe(small) << "repeat: simulate --seed " << scenario.seed
            << " --games 1 --verbose" << (options.has_teams ? " --teams" : "") << "\n";
  const FoundScript script = write_script(small, outcome.complaints.front());
  const std::string file = options.script.empty()
                               ? "seed_" + std::to_string(scenario.seed) + ".script"
                               : options.script;
  std::ofstream(file, std::ios::binary) << script.text;
  std::cout << (script.fails ? "a golden script that fails alike: "
                             : "it does not fail without its peers; all that the bot saw: ")
            << file << std::endl;
}

int run(const Options& options) {
  Statistics statistics;
  const auto began = Clock::now();
  const auto minutes_past = [&] {
    return std::chrono::duration<double, std::ratio<60>>(Clock::now() - began).count();
  };
  const auto is_enough = [&] {
    return is_interrupted != 0 ||
           (options.minutes ? minutes_past() >= static_cast<double>(*options.minutes)
                            : statistics.games >= options.games.value_or(10'000));
  };
  std::uint64_t told = 0;
  std::uint64_t seed = options.seed;
  for (; !is_enough(); ++seed) {
    const Scenario scenario = draw_scenario(seed, options.has_teams);
    if (options.is_verbose) {
      std::cout << describe(scenario);
    }
    const Outcome outcome =
        play_story(scenario, options.is_verbose ? StoryListener(tell_step) : StoryListener());
    statistics.add(outcome);
    if (!outcome.complaints.empty()) {
      tell_failure(options, scenario, outcome);
      if (!options.keeps_going) {
        break;
      }
    }
    constexpr std::uint64_t games_between_words = 50'000;
    if (statistics.games / games_between_words > told) {
      told = statistics.games / games_between_words;
      std::cout << "seeds " << options.seed << " to " << seed << ": " << statistics.games
                << " games, violations " << statistics.violations << std::endl;
    }
  }
  const double minutes = minutes_past();
  std::cout << describe(statistics) << "seeds " << options.seed << " to " << seed - 1 << ", "
            << static_cast<std::int64_t>(minutes * 60) << " s, "
            << static_cast<std::int64_t>(static_cast<double>(statistics.games) / minutes)
            << " games per minute" << std::endl;
  return statistics.violations == 0 ? 0 : 1;
}

}  // namespace
}  // namespace kakehashi::sim

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const auto options = kakehashi::sim::read_options(argc, argv);
  if (!options) {
    std::cerr << kakehashi::sim::usage;
    return 64;
  }
  std::signal(SIGINT, [](int) { kakehashi::sim::is_interrupted = 1; });
  std::signal(SIGTERM, [](int) { kakehashi::sim::is_interrupted = 1; });
  return kakehashi::sim::run(*options);
}
