#include "rehearse/rehearsal_report.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace kakehashi::rehearse {
namespace {

using base::say;
using base::say_as;

constexpr int share_permille_min = 950;
/// Several pairs of bots may each have something to say of the same engine.
constexpr std::size_t given_up_max = 16;

struct Told {
  bridge::Incident incident;
  base::Message words;
};

/// What the guard did.
std::array<Told, 6> guarded() {
  return {{
      {bridge::Incident::retrying, say("came back to the server")},
      {bridge::Incident::game_rejected, say("pairings rejected")},
      {bridge::Incident::engine_lost, say("engines lost and restarted")},
      {bridge::Incident::search_repeated, say("searches repeated by a restarted engine")},
      {bridge::Incident::engine_hurried, say("searches that had to be stopped")},
      {bridge::Incident::rescue_played, say("moves played without the engine")},
  }};
}

/// What no set-up may do that is to enter.
std::array<Told, 9> unfit() {
  return {{
      {bridge::Incident::lost_by_fault, say("games lost by the clock, a foul or an illegal move")},
      {bridge::Incident::unusable_bestmove, say("illegal or unreadable moves of the engine")},
      {bridge::Incident::rescue_played, say("moves played without the engine")},
      {bridge::Incident::agree_too_late, say("games missed, since the engine was not ready")},
      {bridge::Incident::engine_given_up, say("times the engine could not be started again")},
      {bridge::Incident::engine_option_skipped, say("engine options that do not fit")},
      {bridge::Incident::record_failed, say("records that could not be written")},
      {bridge::Incident::journal_failed, say("journals that could not be written")},
      {bridge::Incident::game_lost_sight, say("games whose line was lost")},
  }};
}

base::Message describe(RehearsalReport::Injected what) {
  switch (what) {
    case RehearsalReport::Injected::line_cut: return say("a line is cut behind its login");
    case RehearsalReport::Injected::pairing_rejected: return say("a pairing is rejected by the other side");
    case RehearsalReport::Injected::engine_killed: return say("an engine is killed in mid-game");
  }
  return {};
}

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
    if (occurred->what == bridge::Incident::engine_given_up) {
      const bool is_known = std::find(sums.given_up.begin(), sums.given_up.end(), occurred->trouble) != sums.given_up.end();
      if (!is_known && sums.given_up.size() < given_up_max) {
        sums.given_up.push_back(occurred->trouble);
      }
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

void RehearsalReport::engine_killed(std::size_t bot) {
  ++sums_[bot].kills;
  injected(Injected::engine_killed);
}

std::vector<RehearsalReport::Line> RehearsalReport::warnings(const std::array<std::string, 2>& names) const {
  std::vector<Line> lines;
  const auto warn = [&](base::Message text) { lines.push_back({say_as("column", "warning"), std::move(text)}); };
  for (std::size_t bot = 0; bot < sums_.size(); ++bot) {
    const Sums& sums = sums_[bot];
    for (const base::Message& trouble : sums.given_up) {
      warn(say("{} had to do without an engine: {}", names[bot], trouble));
    }
    if (sums.given_up.empty() && !sums.lost.empty()) {
      warn(say("{} lost engines: {}; the last one: {}", names[bot], count(bot, bridge::Incident::engine_lost), sums.lost));
    }
  }
  return lines;
}

RehearsalReport::Verdict RehearsalReport::judge(const std::array<std::string, 2>& names, int planned,
                                                std::size_t finished, base::Millis delay_max) const {
  Verdict verdict;
  const auto tell = [&](base::Message about, base::Message text) {
    verdict.lines.push_back({std::move(about), std::move(text)});
  };
  const auto object = [&](base::Message problem) { verdict.problems.push_back(std::move(problem)); };
  tell(say_as("column", "games"), say("{} of {} finished", finished, planned));
  if (finished < static_cast<std::size_t>(planned)) {
    object(say("not all games were finished"));
  }
  for (const auto& [what, times] : injected_) {
    tell(say_as("column", "injected"), say("{}: {}", describe(what), times));
  }
  int lost = 0;
  int kills = 0;
  for (std::size_t bot = 0; bot < sums_.size(); ++bot) {
    for (const Told& one : guarded()) {
      if (const int times = count(bot, one.incident); times > 0) {
        tell(say_as("column", "guard"), say("{}: {}: {}", names[bot], one.words, times));
      }
    }
    const bridge::TimeStatistics& time = sums_[bot].time;
    if (time.moves > 0) {
      tell(say_as("column", "time"), say("{}: {}", names[bot], bridge::describe(time)));
      if (judged(time, delay_max).share_permille() < share_permille_min) {
        object(say("{}: the engine had only {} of the time granted, the margin takes the rest: leave time.margin at auto, "
                   "or lower time.margin_min where the server is near (docs/guard.md)",
                   names[bot], tenths(time.share_permille())));
      }
    }
    for (const Told& one : unfit()) {
      // A killed engine may leave too little time for another one.
      const bool is_of_kills = one.incident == bridge::Incident::rescue_played;
      if (const int times = count(bot, one.incident); times > (is_of_kills ? sums_[bot].kills : 0)) {
        object(say("{}: {}: {} ({})", names[bot], one.words, times, std::string(bridge::code_of(one.incident))));
      }
    }
    lost += count(bot, bridge::Incident::engine_lost) + count(bot, bridge::Incident::engine_lost_on_turn);
    kills += sums_[bot].kills;
  }
  if (kills == 0 && lost > 0) {
    object(say("an engine was lost by itself (engine_lost)"));
  }
  for (const base::Message& problem : verdict.problems) {
    tell(say_as("column", "problem"), problem);
  }
  tell(say_as("column", "verdict"), verdict.problems.empty() ? say("fit to enter") : say("not fit to enter yet"));
  return verdict;
}

}  // namespace kakehashi::rehearse
