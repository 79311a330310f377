#include "rehearse/rehearsal_report.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace kakehashi::rehearse {
namespace {

constexpr int share_permille_min = 950;
/// Several pairs of bots may each have something to say of the same engine.
constexpr std::size_t given_up_max = 16;

struct Told {
  bridge::Incident incident;
  const char* words;
};

/// What the guard did.
constexpr std::array guarded{
    Told{bridge::Incident::retrying, "came back to the server"},
    Told{bridge::Incident::game_rejected, "pairings rejected"},
    Told{bridge::Incident::engine_lost, "engines lost and restarted"},
    Told{bridge::Incident::search_repeated, "searches repeated by a restarted engine"},
    Told{bridge::Incident::engine_hurried, "searches that had to be stopped"},
    Told{bridge::Incident::rescue_played, "moves played without the engine"},
};

/// What no set-up may do that is to enter.
constexpr std::array unfit{
    Told{bridge::Incident::lost_by_fault, "games lost by the clock, a foul or an illegal move"},
    Told{bridge::Incident::unusable_bestmove, "illegal or unreadable moves of the engine"},
    Told{bridge::Incident::rescue_played, "moves played without the engine"},
    Told{bridge::Incident::agree_too_late, "games missed, since the engine was not ready"},
    Told{bridge::Incident::engine_given_up, "times the engine could not be started again"},
    Told{bridge::Incident::engine_option_skipped, "engine options that do not fit"},
    Told{bridge::Incident::record_failed, "records that could not be written"},
    Told{bridge::Incident::journal_failed, "journals that could not be written"},
    Told{bridge::Incident::game_lost_sight, "games whose line was lost"},
};

/// A round trip that varies as much as was injected costs the margin that much of each move: the round trip,
/// twice its deviation, and a lost packet with four deviations, no deviation longer than half of it.
bridge::TimeStatistics judged(bridge::TimeStatistics time, base::Millis delay_max) {
  constexpr int round_trips = 5;
  const base::Millis explained = 2 * delay_max * round_trips * time.moves;
  time.gone = std::max(base::Millis{0}, time.gone - explained);
  return time;
}

std::string tenths(int permille) {
  return std::to_string(permille / 10) + "." + std::to_string(permille % 10) + " %";
}

}  // namespace

void RehearsalReport::take(std::size_t bot, const bridge::Fact& fact) {
  if (const auto incident = bridge::incident_of(fact)) {
    ++sums_[bot].counts[*incident];
  }
  if (const auto* occurred = std::get_if<bridge::Occurred>(&fact)) {
    Sums& sums = sums_[bot];
    if (occurred->what == bridge::Incident::engine_given_up && sums.given_up.size() < given_up_max) {
      sums.given_up.insert(occurred->trouble);
    } else if (occurred->what == bridge::Incident::engine_lost) {
      sums.lost = occurred->trouble;
    }
  }
}

void RehearsalReport::observe(std::size_t bot, const bridge::View& view) {
  Sums& sums = sums_[bot];
  if (!view.game || !view.game->end || view.game->game_id == sums.last_game) {
    return;
  }
  sums.last_game = view.game->game_id;
  sums.time.add(view.game->time);
}

int RehearsalReport::count(std::size_t bot, bridge::Incident incident) const {
  const auto found = sums_[bot].counts.find(incident);
  return found == sums_[bot].counts.end() ? 0 : found->second;
}

std::vector<std::string> RehearsalReport::warnings(const std::array<std::string, 2>& names) const {
  std::vector<std::string> lines;
  for (std::size_t bot = 0; bot < sums_.size(); ++bot) {
    const Sums& sums = sums_[bot];
    for (const std::string& trouble : sums.given_up) {
      lines.push_back("warning  " + names[bot] + " had to do without an engine: " + trouble);
    }
    if (sums.given_up.empty() && !sums.lost.empty()) {
      lines.push_back("warning  " + names[bot] + " lost engines: " +
                      std::to_string(count(bot, bridge::Incident::engine_lost)) + "; the last one: " + sums.lost);
    }
  }
  return lines;
}

RehearsalReport::Verdict RehearsalReport::judge(const std::array<std::string, 2>& names, int planned,
                                                std::size_t finished, base::Millis delay_max) const {
  Verdict verdict;
  const auto tell = [&](std::string line) { verdict.lines.push_back(std::move(line)); };
  const auto object = [&](std::string line) { verdict.problems.push_back(std::move(line)); };
  tell("games    " + std::to_string(finished) + " of " + std::to_string(planned) + " finished");
  if (finished < static_cast<std::size_t>(planned)) {
    object("not all games were finished");
  }
  for (const auto& [what, times] : injected_) {
    tell("injected " + what + ": " + std::to_string(times));
  }
  int lost = 0;
  int kills = 0;
  for (std::size_t bot = 0; bot < sums_.size(); ++bot) {
    for (const Told& one : guarded) {
      if (const int times = count(bot, one.incident); times > 0) {
        tell("guard    " + names[bot] + ": " + one.words + ": " + std::to_string(times));
      }
    }
    const bridge::TimeStatistics& time = sums_[bot].time;
    if (time.moves > 0) {
      tell("time     " + names[bot] + ": " + bridge::describe(time));
      if (judged(time, delay_max).share_permille() < share_permille_min) {
        object(names[bot] + ": the engine had only " + tenths(time.share_permille()) +
               " of the time granted, the margin takes the rest: leave time.margin at auto, or lower "
               "time.margin_min where the server is near (docs/guard.md)");
      }
    }
    for (const Told& one : unfit) {
      // A killed engine may leave too little time for another one.
      const bool is_of_kills = one.incident == bridge::Incident::rescue_played;
      if (const int times = count(bot, one.incident); times > (is_of_kills ? sums_[bot].kills : 0)) {
        object(names[bot] + ": " + one.words + ": " + std::to_string(times) + " (" + bridge::code_of(one.incident) + ")");
      }
    }
    lost += count(bot, bridge::Incident::engine_lost) + count(bot, bridge::Incident::engine_lost_on_turn);
    kills += sums_[bot].kills;
  }
  if (kills == 0 && lost > 0) {
    object("an engine was lost by itself (engine_lost)");
  }
  for (const std::string& problem : verdict.problems) {
    tell("problem  " + problem);
  }
  tell(verdict.problems.empty() ? "verdict  fit to enter" : "verdict  not fit to enter yet");
  return verdict;
}

}  // namespace kakehashi::rehearse
