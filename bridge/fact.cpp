#include "bridge/fact.hpp"

#include "base/overload.hpp"

namespace kakehashi::bridge {

using base::quoted;
using base::say;

Fact::Fact(const Fact& other) = default;
Fact::Fact(Fact&& other) noexcept = default;
Fact& Fact::operator=(const Fact& other) = default;
Fact& Fact::operator=(Fact&& other) noexcept = default;
Fact::~Fact() = default;

namespace {

/// "won", "lost", "drawn": how a game went, for a sentence.
base::Message how_it_went(csa::Outcome outcome) {
  switch (outcome) {
    case csa::Outcome::win: return say("won");
    case csa::Outcome::lose: return say("lost");
    case csa::Outcome::draw: return say("drawn");
    case csa::Outcome::none: break;
  }
  return say("ended without a result");
}

}  // namespace

const char* describe(RescueCause cause) {
  switch (cause) {
    case RescueCause::gone: return "gone";
    case RescueCause::silent: return "silent";
    case RescueCause::unusable: return "unusable";
    case RescueCause::declaration: return "declaration";
  }
  return "gone";
}

std::optional<Incident> incident_of(const Fact& fact) {
  using Counted = std::optional<Incident>;
  return std::visit(base::Overload{
                        [](const Paired&) { return Counted(); },
                        [](const GameStarted&) { return Counted(Incident::game_started); },
                        [](const GameEnded& ended) {
                          return Counted(ended.is_lost_sight ? Incident::game_lost_sight : Incident::game_ended);
                        },
                        [](const RescuePlayed&) { return Counted(Incident::rescue_played); },
                        [](const Occurred& occurred) { return Counted(occurred.what); },
                    },
                    fact);
}

const char* code_of(Incident incident) {
  switch (incident) {
    case Incident::connected: return "connected";
    case Incident::logged_in: return "logged_in";
    case Incident::login_refused: return "login_refused";
    case Incident::retrying: return "retrying";
    case Incident::game_rejected: return "game_rejected";
    case Incident::agree_too_late: return "agree_too_late";
    case Incident::game_started: return "game_started";
    case Incident::game_resumed: return "game_resumed";
    case Incident::game_ended: return "game_ended";
    case Incident::game_lost_sight: return "game_lost_sight";
    case Incident::engine_ready: return "engine_ready";
    case Incident::engine_lost: return "engine_lost";
    case Incident::engine_lost_on_turn: return "engine_lost_on_turn";
    case Incident::engine_given_up: return "engine_given_up";
    case Incident::engine_hurried: return "engine_hurried";
    case Incident::engine_option_skipped: return "engine_option_skipped";
    case Incident::search_repeated: return "search_repeated";
    case Incident::unusable_bestmove: return "unusable_bestmove";
    case Incident::rescue_played: return "rescue_move";
    case Incident::lost_by_fault: return "lost_by_fault";
    case Incident::record_failed: return "record_failed";
    case Incident::journal_failed: return "journal_failed";
    case Incident::bot_failed: return "bot_failed";
    case Incident::line_dropped: return "line_dropped";
  }
  return "";
}

Note in_words(const Paired& fact) {
  const auto color = fact.us == shogi::Color::black ? say("black") : say("white");
  return {Level::info,
          "paired",
          say("paired with {}, playing {}, game {}", quoted(fact.opponent), color, quoted(fact.game_id)),
          {{"opponent", fact.opponent}, {"color", color.english()}, {"game_id", fact.game_id}}};
}

Note in_words(const GameStarted& fact) {
  return {Level::info, "game_started", say("game {} started", quoted(fact.game_id)), {}};
}

namespace {

base::Message tell_end(const GameEnded& fact) {
  const auto opponent = quoted(fact.opponent);
  const bool is_one = fact.moves == 1;
  if (fact.is_lost_sight) {
    return is_one ? say("the connection ended in mid-game against {} after {} move", opponent, fact.moves)
                  : say("the connection ended in mid-game against {} after {} moves", opponent, fact.moves);
  }
  const auto went = how_it_went(fact.outcome);
  const auto what = fact.reason.empty() ? went : say("{} ({})", went, fact.reason);
  return is_one ? say("{} against {} after {} move", what, opponent, fact.moves)
                : say("{} against {} after {} moves", what, opponent, fact.moves);
}

}  // namespace

Note in_words(const GameEnded& fact) {
  return {fact.is_lost_sight ? Level::error : Level::info,
          fact.is_lost_sight ? "game_lost_sight" : "game_ended",
          tell_end(fact),
          {{"outcome", csa::describe(fact.outcome)},
           {"reason", fact.reason},
           {"game_id", fact.game_id},
           {"moves", std::to_string(fact.moves)}}};
}

Note in_words(const RescuePlayed& fact) {
  return {Level::error, "rescue_move", fact.how, {{"cause", describe(fact.cause)}}};
}

}  // namespace kakehashi::bridge
