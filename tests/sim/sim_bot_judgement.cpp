// What a bot is judged by, beside the referee's rules: the server's board, its clock and its
// verdict, and the record that stays.
#include <algorithm>
#include <utility>

#include "base/overload.hpp"
#include "base/text.hpp"
#include "bridge/game/link_margin.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/usi.hpp"
#include "sim/sim_bot.hpp"

namespace kakehashi::sim {

using base::Millis;
using rehearse::server::EndReason;

namespace {

constexpr Millis seconds_rounded_up{1'000};
/// Where nothing can be kept the engine is asked for its first move.
constexpr Millis at_once{10};
/// So long the opening book may be asked.
constexpr Millis book_max{500};

/// The moves of a record, and whether it says how the game ended. A move that the rules forbid, and that nobody said
/// stands, is told in a comment of the end, as is what came behind one that no board can hold: that is where
/// a person finds it.
struct RecordText {
  std::vector<std::string> moves;
  bool has_end = false;
};

RecordText read_record(const std::string& text) {
  constexpr std::string_view refused = "'ILLEGAL_MOVE(";
  RecordText record;
  for (std::string_view line : base::split(text, '\n')) {
    if (record.has_end && line.starts_with(refused)) {
      line.remove_prefix(refused.size());
    } else if (record.has_end && line.starts_with('\'')) {
      line.remove_prefix(1);
    }
    if (line.size() >= 7 && (line.front() == '+' || line.front() == '-')) {
      record.moves.emplace_back(line.substr(0, 7));
    }
    record.has_end = record.has_end || line.starts_with('%');
  }
  return record;
}

std::string without_end_time(const std::string& text) {
  const std::size_t begin = text.find("$END_TIME:");
  if (begin == std::string::npos) {
    return text;
  }
  return text.substr(0, begin) + text.substr(text.find('\n', begin) + 1);
}

}  // namespace

void SimBot::disturb() { disturbed_.insert(game_id_); }

void SimBot::lose_to_the_world() {
  disturb();
  lost_to_the_world_.insert(game_id_);
}

/// Our turn in the game that ends here, as far as it went; or the one that a line that was left would still have had.
Turn SimBot::last_turn(const Board& board) {
  const shogi::Color us = *board.color_of(name());
  Turn turn;
  turn.budget = board.budget_of(us);
  turn.over = agenda_.at();
  turn.late_max = delays_.process_late_max;
  if (board.position.side_to_move() != us) {
    turn.began = agenda_.at();  // it would go on: the opponent has just moved
    return turn;
  }
  turn.began = board.turn_began;
  const bool is_heard = raw_game_ == board.game_id &&
                        (board.last_move.empty() ? is_raw_start_ : raw_move_ == board.last_move);
  if (is_heard) {
    turn.heard = raw_at_;
    turn.answered = answered_at_;
  } else if (line_) {
    // Still on its way, perhaps behind a line that must be repeated.
    turn.heard = std::max(network_.last_arrival(*line_).value_or(Millis{0}),
                          way_.arrival(Way::Direction::down, turn.began, way_.ordinary_max()));
  }
  turn.stood_still = stood_still(turn.heard.value_or(turn.began), turn.answered.value_or(turn.over));
  return turn;
}

/// How much of that time the process did nothing at all.
Millis SimBot::stood_still(Millis from, Millis until) const {
  Millis sum{0};
  Millis counted = from;
  for (const Stall& stall : stalls_) {
    const Millis end = std::min(stall.until, until);
    sum += std::max(Millis{0}, end - std::max(stall.from, counted));
    counted = std::max(counted, end);
  }
  return sum;
}

/// Whether a plain client at our place would have kept the game, and no accident made the difference.
bool SimBot::is_own_loss(const Board& board) {
  if (lost_to_the_world_.contains(board.game_id)) {
    return false;
  }
  const bool is_our_turn = board.position.side_to_move() == *board.color_of(name());
  const bool has_left = !line_ || raw_game_ != board.game_id;
  if (!is_our_turn && !has_left) {
    return true;  // there is no such ending
  }
  const Turn turn = last_turn(board);
  // A line that was given up when the flag had fallen, and its word was still on its way, has cost nothing.
  const bool has_left_in_time = has_left && (!turn.budget || left_at_ < turn.began + *turn.budget);
  return plain_client_keeps(way_, turn) && (has_left_in_time || !is_accident(way_, turn));
}

/// The turn has come to us, and nothing has left on it, or the engine's move as soon as it was there.
bool SimBot::is_engine_waited_for(const Board& board) {
  const Turn turn = last_turn(board);
  Millis said = engine_.answered_at();
  for (const SimEngine& other : further_) {
    said = std::max(said, other.answered_at());
  }
  const Millis way = kept_ ? kept_->kept_back_max() : Millis{0};
  return turn.heard && turn.heard <= agenda_.at() &&
         (!turn.answered || *turn.answered <= said + turn.late_max + way || was_cut_off());
}

int SimBot::faults_done() const {
  int done = plan_.faults_done() + losses_;
  for (const FaultPlan& plan : further_plans_) {
    done += plan.faults_done();
  }
  return done;
}

void SimBot::judge_search(const Search& search, bool is_far) {
  const Board* board = boards_.find(game_id_);
  if (search.is_ponder || !search.is_in_game || !in_game_ || board == nullptr || board->is_over) {
    return;
  }
  // Said on an earlier turn: another move has left meanwhile, or another game begun.
  if (is_far && (kept_->said_at() < board->turn_began || kept_->said_on() != board->plies)) {
    return;
  }
  if (!(search.position == board->position)) {
    complain("the engine searches " + shogi::usi::format_sfen(search.position) +
             ", the server's board is " + shogi::usi::format_sfen(board->position));
  }
  // A bridge knows how much is left when it says so; a cut link brings the line later.
  const auto left = board->time_left(is_far ? kept_->said_at() : agenda_.at());
  // An engine that was ill when it was asked how it reads its clocks has told something else.
  const bool is_clock_known = manners_.reading == ClockReading::whole ||
                              faults_done() == 0;
  if (left && search.has_no_limit) {
    complain("the engine is given a clock that it takes for none");
  }
  if (left && search.allowance.value_or(Millis{0}) > std::max(*left, at_once) &&
      is_clock_known && !disturbed_.contains(game_id_)) {
    complain("the engine is given " + std::to_string(search.allowance->count()) +
             " ms, the server grants " + std::to_string(left->count()) + " ms");
  }
  // What an engine is entitled to think, it thinks: the margin alone is kept back, and a second
  // where the server rounds up. Nothing on the wire tells whether a server charges listed moves: this one
  // does not, others do, and the bridge counts on the less.
  const auto own = static_cast<std::size_t>(board->position.side_to_move());
  // A process that stood still takes that for the way and for its own lateness, as far as one sample counts, and what a
  // login shows of a way for half as long again, until a move has come back.
  using bridge::LinkMargin;
  const Millis way_max = disturbed_.empty() ? 3 * way_.ordinary_max() : LinkMargin::echo_max + LinkMargin::echo_max / 2;
  const Millis late_max = disturbed_.empty() ? delays_.process_late_max : LinkMargin::sample_max;
  const Millis engine_way_max = is_far ? kept_->kept_back_max() : Millis{0};
  const Millis measured_max = config_.time.margin_max + way_max + late_max + engine_way_max;
  const Millis kept_back_max = config_.time.margin.value_or(measured_max) + seconds_rounded_up +
                               (config_.book.file.empty() ? Millis{0} : book_max) +
                               Millis{1'000 * listed_.seconds[own]};
  // What an unconfirmed move was charged is not known.
  if (left && is_clock_known && !patchy_.contains(game_id_) && search.allowance &&
      *search.allowance + kept_back_max < *left) {
    complain("the engine is given only " + std::to_string(search.allowance->count()) +
             " ms, the server grants " + std::to_string(left->count()) + " ms");
  }
}

/// A team that consults answers with what its engines have said: the right one of their answers, as soon as nothing can
/// change it, and no sooner unless time presses.
void SimBot::judge_panel(const bridge::Event* event, const bridge::Actions& actions) {
  if (!panel_) {
    return;
  }
  const std::string turn = game_id_ + "/" + std::to_string(moves_.size());
  if (event != nullptr) {
    panel_->see(*event, turn, agenda_.at());
  }
  std::string sent;
  bool is_unusual = false;
  bool has_go = false;
  for (const bridge::Action& action : actions) {
    if (const auto* write = std::get_if<bridge::WriteServer>(&action)) {
      sent = write->line;
    } else if (std::holds_alternative<bridge::KillEngine>(action)) {
      panel_->see(action, turn);
    } else if (const auto* told = std::get_if<bridge::WriteEngine>(&action)) {
      has_go = has_go || told->line.starts_with("go ");
    } else if (const auto* note = std::get_if<bridge::Note>(&action)) {
      // A team's own haste, a doubt and a parked answer are no facts.
      is_unusual = is_unusual || note->code == "parked_answer_used" || note->code == "engine_hurried" ||
                   note->code == "engine_doubted";
    } else if (const auto* occurred = std::get_if<bridge::Occurred>(&action)) {
      is_unusual = is_unusual || occurred->what == bridge::Incident::search_repeated;
    }
  }
  if (is_unusual && has_go) {
    panel_->spoil();
  }
  const Board* board = boards_.find(game_id_);
  const bool is_ours = in_game_ && line_ && board != nullptr && !board->is_over &&
                       board->color_of(name()) == board->position.side_to_move() && agenda_.at() >= board->turn_began;
  const bool is_answer = !sent.empty() && (std::string_view("+-").find(sent.front()) != std::string_view::npos || sent == "%TORYO");
  const bool is_open = is_ours && turn != answered_turn_;
  // Before what is asked in the same step, which is another turn's, or an answer's that nothing more is to change.
  if (is_open && is_answer) {
    const PanelJudge::Verdict verdict = panel_->verdict(board->position);
    if (sent == "%TORYO" && verdict.is_known && !verdict.is_determined && verdict.expected.empty() &&
        !is_asked_to_resign_ && config_.engine.on_failure != config::OnFailure::resign) {
      complain("the team resigns while others of its engines may still say a move");
    }
    const bool is_judged = verdict.is_known && !verdict.expected.empty() && (sent != "%TORYO" || !is_asked_to_resign_);
    if (is_judged) {
      const auto move = shogi::usi::parse_move(verdict.expected);
      const std::string expected = move ? shogi::csa::format_move(board->position, *move) : "%TORYO";
      if (sent.substr(0, 7) != expected) {
        complain("the team answers " + sent + ", its engines have said " + expected);
      }
      const rehearse::server::ClockRules& clock = board->clock;
      const auto left = board->time_left(agenda_.at());
      const auto own = static_cast<std::size_t>(board->position.side_to_move());
      const std::int64_t main_s = board->main_time_s[own] - listed_.seconds[own];
      const Millis patience = left ? Millis{1'000 * (clock.byoyomi_s + clock.increment_s)} + std::max(Millis{5'000}, Millis{250 * main_s})
                                   : config_.time.untimed_move;
      const bool time_presses = agenda_.at() - board->turn_began >= patience || (left && *left < config_.time.margin.value_or(config_.time.margin_max) + Millis{1'500 + 1'000 * listed_.seconds[own]});
      // What an unconfirmed move was charged is not known.
      constexpr Millis out_max{2'000};
      const bool is_out = verdict.out_since && agenda_.at() - *verdict.out_since >= out_max;
      if (!verdict.is_determined && !time_presses && !is_out && disturbed_.empty() && !patchy_.contains(game_id_)) {
        complain("the team answers " + sent + " before it is known that nothing changes it");
      }
    }
  }
  answered_turn_ = is_answer ? turn : answered_turn_;
  for (const bridge::Action& action : actions) {
    if (!std::holds_alternative<bridge::KillEngine>(action)) {
      panel_->see(action, turn);
    }
  }
  if (is_open && !is_answer) {
    const PanelJudge::Verdict verdict = panel_->verdict(board->position);
    if (verdict.is_known && verdict.is_complete && !verdict.expected.empty()) {
      complain("all engines have answered, " + verdict.expected + ", and nothing is sent");
    }
  }
}

/// An engine that takes no increments gets none as soon as it has died of them.
void SimBot::judge_engines() {
  constexpr int deaths_max = 3;
  if (engine_.deaths_of_increments() > deaths_max && !std::exchange(has_blamed_form_, true)) {
    complain("the engine is sent increments again and again, and dies of them");
  }
}

/// The way takes most of a turn, and a person was told that little is left for the engine. Listed moves are
/// charged as the bridge charges them. One that has pondered in vain is stopped twice in a turn, and the way to an engine
/// that is far away belongs to how long it takes to stop.
bool SimBot::is_way_long(const Board& board) const {
  const int stops = config_.ponder == config::Ponder::off ? 1 : 2;
  const Millis stop = manners_.stops_after.value_or(Millis{0}) + (kept_ ? kept_->ordinary_max() : Millis{0});
  const shogi::Color us = *board.color_of(name());
  const auto budget = board.budget_of(us);
  return budget && 2 * (way_.ordinary_max() + delays_.process_late_max) + stops * stop >
                       (*budget - Millis{1'000 * listed_.seconds[static_cast<std::size_t>(us)]}) / 2;
}

/// An engine that needs its time for "stop" gets its moves played after the first few.
void SimBot::judge_rescue(bridge::RescueCause cause) {
  constexpr int slow_stops_max = 3;
  const bool is_silent = cause == bridge::RescueCause::silent;
  const bool is_well = faults_done() == 0;
  const Board* board = boards_.find(game_id_);
  // A new connection's way is taken for half as long again, and what is kept back has a bound.
  const bool has_time = board != nullptr && board->color_of(name()) && !is_way_long(*board) &&
                        3 * way_.ordinary_max() + 2 * manners_.stops_after.value_or(Millis{0}) <= config_.time.margin_max;
  if (manners_.stops_after && is_silent && is_well && has_time && !was_cut_off() &&
      ++rescues_from_slow_stops_ == slow_stops_max + 1) {
    complain("the engine is stopped too late for its answer, again and again");
  }
}

void SimBot::judge_move(const std::string& line) {
  const Board* board = boards_.find(game_id_);
  const bool is_move = !line.empty() && (line.front() == '+' || line.front() == '-');
  if (!is_move || !in_game_ || board == nullptr || board->is_over) {
    return;
  }
  const bridge::View view = bot_.view();
  if (!view.game || !(view.game->position == board->position)) {
    complain("the boards differ when " + line + " is sent");
  }
}

void SimBot::on_report(const rehearse::server::GameReport& report, const Board* board) {
  if (const auto* rejected = std::get_if<rehearse::server::GameRejected>(&report)) {
    if (rejected->by == name() && is_blameless_) {
      complain("a game is rejected although nothing went wrong");
    }
  } else if (const auto* ended = std::get_if<rehearse::server::GameEnded>(&report)) {
    if (board != nullptr && board->color_of(name())) {
      ++games_finished_;
      judge_end(*ended, *board);
    }
  }
}

void SimBot::blame(const rehearse::server::GameEnded& ended, const Board& board, const std::string& what) {
  complain(what + " in " + ended.game_id + " after " + std::to_string(board.plies) + " plies, the last line was \"" +
           ended.last_line + "\"; " + describe(last_turn(board)));
}

void SimBot::judge_resignation(const rehearse::server::GameEnded& ended, const Board& board) {
  const bool may_resign = engine_.has_resigned() ||
                          std::any_of(further_.begin(), further_.end(), [](const SimEngine& one) { return one.has_resigned(); }) || is_asked_to_resign_ ||
                          (config_.engine.on_failure == config::OnFailure::resign &&
                           (manners_.stops_after || was_cut_off() || faults_done() > 0 ||
                            is_way_long(board))) ||
                          !shogi::has_legal_move(board.position);
  if (!may_resign) {
    blame(ended, board, "resigned, and nobody asked for it");
  }
}

void SimBot::judge_end(const rehearse::server::GameEnded& ended, const Board& board) {
  const bool is_lost = ended.winner && board.names[static_cast<std::size_t>(*ended.winner)] != name();
  if (!is_lost) {
    return;
  }
  switch (ended.reason) {
    case EndReason::illegal_move:
    case EndReason::drop_pawn_mate:
    case EndReason::king_left_in_check:
    case EndReason::wrong_declaration:
    case EndReason::illegal_action:
      blame(ended, board, std::string("lost by ") + rehearse::server::summary_word(ended.reason));
      return;
    case EndReason::time_up:
      // It came too late for that, or the engine's word was waited for: nothing else was to be sent, and what is late
      // loses no more.
      if (resigned_game_ == board.game_id || (config_.engine.on_failure == config::OnFailure::resign &&
                                              (is_way_long(board) || is_engine_waited_for(board)))) {
        judge_resignation(ended, board);
      } else if (is_own_loss(board)) {
        blame(ended, board, "lost on time");
      }
      return;
    case EndReason::abnormal:
      if (is_own_loss(board)) {
        blame(ended, board, "the game was left");
      }
      return;
    case EndReason::resign: judge_resignation(ended, board); return;
    case EndReason::declaration:
    case EndReason::repetition:
    case EndReason::perpetual_check:
    case EndReason::max_moves:
      return;
  }
}

void SimBot::judge_record(const std::string& text) {
  if (!without_end_time(text).starts_with(without_end_time(record_))) {
    complain("the finished record does not go on from what was written before");
  }
  const RecordText record = read_record(text);
  // The last move may have been lost with its echo.
  std::vector<std::string> known = moves_;
  if (patchy_.contains(game_id_) && !known.empty() && record.moves.size() + 1 == known.size()) {
    known.pop_back();
  }
  if (record.moves != known) {
    complain("the record holds " + std::to_string(record.moves.size()) + " moves, the server said " +
             std::to_string(moves_.size()));
  }
  if (!record.has_end) {
    complain("the record does not say how the game ended");
  }
}

}  // namespace kakehashi::sim
