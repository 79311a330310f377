// How a game is ended by us: resignation and declaration, by the engine's word or by configuration,
// and what the rules are known to end by themselves. The server decides; nothing here overrules it.
#include <string>

#include "base/text.hpp"
#include "bridge/bot_core.hpp"
#include "bridge/game_rules.hpp"
#include "shogi/declaration.hpp"
#include "shogi/legality.hpp"

namespace kakehashi::bridge {

namespace {

/// Plies left at which the move limit is told.
constexpr int near_limit_plies = 10;
/// The third time; the fourth decides.
constexpr int near_repetition = 3;

/// Of the 24-point rule, for both sides; 24 to 30 are a draw there.
constexpr int points_of_24_point_rule = 31;

/// The rule that shogi::judge_declaration() judges by.
bool has_27_point_rule(const csa::GameSummary& summary) {
  return rules_of(summary).entering_king == "CSARule27";
}

const char* describe(shogi::Repetition repetition) {
  switch (repetition) {
    case shogi::Repetition::none: return "nothing";
    case shogi::Repetition::draw: return "a draw by repetition";
    case shogi::Repetition::perpetual_check_by_mover:
      return "a loss of the side that moved, by perpetual check";
    case shogi::Repetition::perpetual_check_by_other:
      return "a win of the side that moved, by the other's perpetual check";
  }
  return "nothing";
}

}  // namespace

bool Bot::Core::ends_without_a_search(Playing& playing) {
  if (is_resigning_) {
    resign(playing, "the operator asked for it");
    return true;
  }
  const shogi::Position& position = playing.game.position();
  if (!shogi::has_legal_move(position)) {
    resign(playing, "there is no legal move");
    return true;
  }
  const csa::GameSummary& summary = playing.game.summary();
  if (config_.game.declare == config::Declare::automatic && has_27_point_rule(summary) &&
      shogi::judge_declaration(position, summary.our_color).is_valid()) {
    declare(playing);
    return true;
  }
  return false;
}

void Bot::Core::answer_resignation(Playing& playing) {
  if (config_.game.resign.by != config::Resign::By::never) {
    resign(playing, "the engine resigns");
    return;
  }
  play_fallback(playing, "the engine resigns (game.resign: never)", std::nullopt);
}

bool Bot::Core::gives_up_by_score(Playing& playing) const {
  const config::Resign& policy = config_.game.resign;
  if (policy.by != config::Resign::By::score) {
    return false;
  }
  const bool is_low =
      playing.thought_ply == playing.game.ply() && playing.thought.is_at_most(-policy.score);
  playing.low_scores = is_low ? playing.low_scores + 1 : 0;
  return playing.low_scores >= policy.moves;
}

void Bot::Core::refuse_declaration(Playing& playing, const std::string& why) {
  // The engine is well, but counts otherwise than the server. It is asked once more; one that
  // insists does not get its game lost.
  report_unusable(playing, "bestmove win: " + why);
  if (++playing.turn->unusable_answers == 1) {
    search(playing);
    return;
  }
  play_without_engine(playing, RescueCause::declaration, "the declaration does not hold");
}

void Bot::Core::declare(Playing& playing) {
  shogi::Declaration declaration = shogi::judge_declaration(
      playing.game.position(), playing.game.summary().our_color);
  const std::string rule = rules_of(playing.game.summary()).entering_king;
  if (rule.starts_with("CSARule24")) {
    declaration.points_needed = points_of_24_point_rule;
  }
  if (rule == no_declaration) {
    refuse_declaration(playing, "this game has no declaration rule");
    return;
  }
  if (!declaration.is_valid()) {
    const std::string facts =
        std::string(declaration.is_in_check ? "in check, " : "") +
        (declaration.king_in_camp ? "" : "the king is not in the camp, ") +
        std::to_string(declaration.pieces_in_camp) + " of 10 pieces in the camp, " +
        std::to_string(declaration.points) + " of " + std::to_string(declaration.points_needed) +
        " points";
    refuse_declaration(playing, "the declaration would lose (" + facts + ")");
    return;
  }
  drop_search(playing);
  if (session_.may_send_move()) {
    out_.info("declared", "declaring the win with " + std::to_string(declaration.points) +
                              " points");
    playing.last_sent = session_.declare(now_.steady);
    send(playing.last_sent);
  }
}

void Bot::Core::note_rules(const Playing& playing) {
  const Game& game = playing.game;
  if (game.repetition() != shogi::Repetition::none) {
    out_.info("repetition", std::string("by our count the position has come up for the fourth time, ") +
                                describe(game.repetition()) + "; waiting for the server's word");
  } else if (game.occurrences() == near_repetition) {
    out_.info("repetition_near", "the position has come up for the third time; the fourth decides");
  }
  if (game.plies_left() == near_limit_plies) {
    out_.info("move_limit_near", "the game ends in " + std::to_string(near_limit_plies) +
                                     " plies, by Max_Moves " +
                                     std::to_string(*game.summary().max_moves));
  }
}

}  // namespace kakehashi::bridge
