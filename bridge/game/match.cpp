#include "bridge/game/match.hpp"

#include <algorithm>
#include <utility>

#include "bridge/game/offer.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::bridge {

using base::duration;
using base::Millis;
using base::quoted;
using base::say;
using shogi::Color;

namespace {

/// Servers send the result in one go with its reason; it may come in a segment of its own.
constexpr Millis result_delay_max{2'000};

/// Plies left at which the move limit is told.
constexpr int near_limit_plies = 10;
/// The third time; the fourth decides.
constexpr int near_repetition = 3;

usi::GameOver gameover_of(csa::Outcome outcome) {
  switch (outcome) {
    case csa::Outcome::win: return usi::GameOver::win;
    case csa::Outcome::lose: return usi::GameOver::lose;
    case csa::Outcome::draw:
    case csa::Outcome::none: return usi::GameOver::draw;
  }
  return usi::GameOver::draw;
}

/// A loss that no engine chose: a person should look.
bool is_lost_by_fault(const csa::GameEnd& end) {
  return end.outcome == csa::Outcome::lose &&
         (end.reason == "#ILLEGAL_MOVE" || end.reason == "#ILLEGAL_ACTION" ||
          end.reason == "#TIME_UP");
}

/// What the server means by it, for a person who does not know its words.
base::Message accusation(std::string_view reason) {
  if (reason == "#ILLEGAL_ACTION") {
    return say("something was sent out of turn, or a keepalive too soon");
  }
  return reason == "#TIME_UP" ? say("our move came too late") : say("what we sent is against the rules");
}

base::Message describe(shogi::Repetition repetition) {
  switch (repetition) {
    case shogi::Repetition::none: break;
    case shogi::Repetition::draw: return say("a draw by repetition");
    case shogi::Repetition::perpetual_check_by_mover: return say("a loss of the side that moved, by perpetual check");
    case shogi::Repetition::perpetual_check_by_other:
      return say("a win of the side that moved, by the other's perpetual check");
  }
  return {};
}

/// What the rules are known to end by themselves. The server decides; nothing here overrules it.
void note_rules(const Game& game, Outbox& out) {
  if (game.repetition() != shogi::Repetition::none) {
    out.info("repetition",
             say("by our count the position has come up for the fourth time, {}; waiting for the server's word",
                 describe(game.repetition())));
  } else if (game.occurrences() == near_repetition) {
    out.info("repetition_near", say("the position has come up for the third time; the fourth decides"));
  }
  if (game.plies_left() == near_limit_plies) {
    out.info("move_limit_near",
             say("the game ends in {} plies, by Max_Moves {}", near_limit_plies, *game.summary().max_moves));
  }
}

/// The move that leads from one position to the other.
std::optional<shogi::Move> step_between(const shogi::Position& from, const shogi::Position& to) {
  for (const shogi::Move& move : shogi::legal_moves(from)) {
    shogi::Position reached = from;
    reached.play(move);
    if (reached == to) {
      return move;
    }
  }
  return std::nullopt;
}

/// What was played while the line was down: nothing, our move that was on its way, the opponent's,
/// or one behind the other. Nothing at all when no such way leads there.
std::optional<std::vector<shogi::Move>> way_between(const shogi::Position& from,
                                                    const shogi::Position& to,
                                                    const std::string& unanswered) {
  if (from == to) {
    return std::vector<shogi::Move>{};
  }
  if (const auto ours = shogi::csa::parse_move(from, unanswered.substr(0, 7));
      ours && shogi::is_legal(from, *ours)) {
    shogi::Position reached = from;
    reached.play(*ours);
    if (reached == to) {
      return std::vector<shogi::Move>{*ours};
    }
    if (const auto reply = step_between(reached, to)) {
      return std::vector<shogi::Move>{*ours, *reply};
    }
    return std::nullopt;
  }
  const auto step = step_between(from, to);
  return step ? std::optional(std::vector<shogi::Move>{*step}) : std::nullopt;
}

std::optional<Millis> shown_main_time(const csa::GameClock& game_clock, Color color) {
  if (game_clock.control(color).is_untimed()) {
    return std::nullopt;
  }
  return game_clock.main_time(color);
}

std::int64_t for_black(const usi::Score& score, Color thinker) {
  const std::int64_t sign = thinker == Color::black ? 1 : -1;
  return score.is_mate ? (score.mate_is_lost ? -1 : 1) * std::abs(score.value) * sign
                       : score.value * sign;
}

/// On one scale with centipawns, for a graph.
std::int64_t on_graph(const shogi::record::Evaluation& thought) {
  constexpr std::int64_t mate = 30'000;
  return std::clamp(thought.score, -mate, mate);
}

/// The result, for people; `last_sent` is what left for the server last.
void note_end(const Context& context, const csa::GameEnd& end, const Game& game, const std::string& last_sent) {
  const csa::GameSummary& summary = game.summary();
  const bool is_announced = !end.reason.empty() || !end.result.empty();
  context.out.tell(GameEnded{end.outcome, end.reason, !is_announced, summary.name(shogi::opposite(summary.our_color)),
                             summary.game_id, game.ply()});
  if (is_lost_by_fault(end)) {
    context.out.error("lost_by_fault", say("the server blames us: {}; the last move sent was {}; position {}",
                                           say("{} ({})", accusation(end.reason), end.reason), quoted(last_sent),
                                           shogi::usi::format_sfen(game.position())));
    context.out.count(Incident::lost_by_fault);
  }
}

/// "engine 4 of 12, second 1 of 9": what members of a team thought ahead.
base::Message describe(const std::vector<ViewedMember>& members) {
  std::vector<base::Message> each;
  each.reserve(members.size());
  for (const ViewedMember& member : members) {
    each.push_back(say("{} {} of {}", member.name, member.ponder.hits, member.ponder.searches));
  }
  return base::listed(each);
}

void note_statistics(const Context& context, const PonderStatistics& ponder, const std::vector<ViewedMember>& members,
                     const TimeStatistics& time, Statistics& statistics) {
  const auto with_totals = [](base::Message text, const auto& totals) {
    return totals.games > 1 ? say("{}; {}", std::move(text),
                                  say("in {} games together: {}", totals.games, bridge::describe(totals.sum)))
                            : text;
  };
  if (ponder.searches > 0) {
    ++statistics.ponder.games;
    statistics.ponder.sum.add(ponder);
    const auto thought = say("thought ahead {}", bridge::describe(ponder));
    context.out.info(
        "pondered",
        with_totals(members.empty() ? thought : say("{}; {}", thought, describe(members)), statistics.ponder),
        {{"searches", std::to_string(ponder.searches)},
         {"hits", std::to_string(ponder.hits)},
         {"gained_ms", std::to_string(ponder.gained.count())}});
  }
  if (time.moves == 0) {
    return;
  }
  ++statistics.time.games;
  statistics.time.sum.add(time);
  const Millis margin = context.rules().margin;
  context.out.info(
      "time_used",
      with_totals(say("{}; {}", bridge::describe(time), say("kept back now: {} a move", duration(margin.count()))),
                  statistics.time),
      {{"moves", std::to_string(time.moves)},
       {"granted_ms", std::to_string(time.granted.count())},
       {"had_ms", std::to_string(time.had().count())},
       {"used_ms", std::to_string(time.used.count())},
       {"charged_ms", std::to_string(time.charged.count())},
       {"lost_ms", std::to_string(time.lost.count())},
       {"margin_ms", std::to_string(margin.count())},
       {"way_ms", std::to_string(context.link.way().count())},
       {"stop_ms", std::to_string(context.team.player().known().habits.stops.expected().count())},
       {"late_ms", std::to_string(context.link.lateness().count())}});
}

/// What was thought of a move that was played: of ours alone.
const Thought* thought_behind(const csa::MovePlayed& played, const MoveAccount& account, const Thinking& thinking) {
  if (!played.is_ours) {
    return nullptr;
  }
  return account.sent() ? &account.sent()->thought : &thinking.thought();
}

/// The archive wants the record too, where no file is kept.
void grow(const Context& context, AppendRecord grown) {
  const bool has_grown = !grown.text.empty() || !grown.source.empty();
  if (context.config.records.enabled && has_grown) {
    context.out.add(std::move(grown));
  }
}

}  // namespace

// --- the beginning

Match::Match(Game game, GameRecord record, base::SteadyTime started, base::SteadyTime agreed)
    : game_(std::move(game)),
      record_(std::move(record)),
      account_(started, agreed),
      turn_is_due_(game_.is_our_turn()) {}

void Match::begin(const Context& context) {
  if (context.config.records.enabled) {
    context.out.add(record_.begin());
  }
}

// --- the server's words

void Match::on_move(const GameContext& in, csa::MovePlayed& event) {
  if (event.differs_from_sent) {
    in.out.error("echo_differs", say("the server played {} for our move; the server is followed", quoted(event.move)));
  }
  if (event.is_unechoed) {
    event.consumed = account_.charge_unechoed(event, in.now.steady, game_, in.link);
  }
  const shogi::Position before = game_.position();
  const bool counted_units = game_.counts_units();
  const auto deviation = game_.play(event, base::millis_between(account_.turn_started(), in.now.steady));
  const Color turn = game_.position().side_to_move();
  in.session.follow_turn(turn);
  event.mover = shogi::opposite(turn);
  event.is_ours = event.mover == game_.summary().our_color;
  if (deviation) {
    in.out.warn("move_against_rules",
                deviation->is_on_board
                    ? say("the server's move {} breaks the rules ({}); the server is followed, and the game goes on "
                          "until it says otherwise",
                          quoted(event.move), deviation->what)
                    : say("the server's move {} breaks the rules ({}); the server is followed, the board is as its "
                          "line says, and the game goes on until it says otherwise",
                          quoted(event.move), deviation->what));
    drop_search(in);
    ahead_.expect({});
  } else {
    account_for(in, event);
  }
  if (game_.counts_units() && !counted_units) {
    in.out.info("summary_remark", say("the server counts T in the Time_Unit of the summary, not in seconds"));
  }
  if (turn_) {
    drop_search(in);  // the server moved for us
  }
  add_to_record(in, event, before, deviation);
  const bool is_on_board = !deviation || deviation->is_on_board;
  account_.begin_turn(event, is_on_board ? game_.moves().back().consumed : Millis{0}, game_, in.now.steady);
  if (event.is_ours) {
    settle_sent_move(in, is_on_board);
  }
  note_rules(game_, in.out);
  ahead_.be_due(event.is_ours);
  turn_is_due_ = !event.is_ours;
}

void Match::on_special(const csa::SpecialPlayed& event) {
  // shogi-server repeats %KACHI without its time: the first one is kept.
  if (!ending_.special) {
    ending_.special = event;
  }
}

void Match::on_ending(const GameContext& in, const csa::GameEnding& event) {
  ending_.is_announced = true;
  // Silence on our turn would lose a game that is not over: some way into it the result is missed.
  const Color us = game_.summary().our_color;
  if (!event.may_stand_alone && in.session.turn() == us && !in.session.is_echo_owed()) {
    const ThinkTime limits = think_time(game_.game_clock(), us, Millis{0}, in.rules());
    ending_.doubt_at = std::min(in.now.steady + result_delay_max, account_.turn_started() + limits.hurry_after);
    ending_.doubted = event.reason;
  }
  drop_search(in);
  in.out.note(Level::debug, "game_ending", say("the server says {}", quoted(event.reason)));
}

void Match::doubt_end(const GameContext& in) {
  ending_.doubt_at.reset();
  ending_.is_announced = false;
  in.session.doubt_end();
  in.out.warn("end_doubted",
              say("the server said {} on our turn and no result; our clock may be running, so the game is "
                  "played on",
                  quoted(ending_.doubted)));
  turn_is_due_ = true;
  if (!in.lines_wait) {
    begin_turn(in);
  }
}

void Match::on_goes_on(const Context& context, const csa::GameGoesOn& event) {
  ending_.is_announced = false;
  ending_.doubt_at.reset();
  context.out.warn("end_doubted", say("a move came behind {}: the game goes on", quoted(event.reason)));
}

// --- our turn and the opponent's

void Match::begin_due(const GameContext& in) {
  if (in.lines_wait) {
    return;
  }
  if (turn_is_due_) {
    begin_turn(in);
  } else if (turn_ && !turn_->search() && in.team.substitute()) {
    // Who plays is not ready, and another one is by now.
    turn_->on_ready(for_turn(in));
    answer(in);
  }
  if (ahead_.is_due()) {
    std::optional<Ahead::Unconfirmed> unconfirmed;
    if (const auto& sent = account_.sent()) {
      unconfirmed = Ahead::Unconfirmed{sent->move, account_.charge_until(in.now.steady, game_, in.link)};
    }
    ahead_.begin(in, game_, thinking_, !ending_.is_announced && !turn_, unconfirmed);
  }
  ahead_.follow(in, thinking_);
}

void Match::begin_turn(const GameContext& in) {
  turn_is_due_ = false;
  if (ending_.is_announced) {
    return;
  }
  const Turn::Inputs inputs = for_turn(in);
  turn_.emplace(inputs, account_.turn_started());
  turn_->begin(inputs, in.must_resign);
  answer(in);
}

void Match::answer(const GameContext& in) {
  const auto answer = turn_->take_answer();
  if (!answer) {
    return;
  }
  const bool changes_engine = turn_->changes_engine();
  team_account_.end_turn(turn_->consultation());
  if (const auto* play = std::get_if<Turn::Play>(&*answer)) {
    send_move(in, *play);
  } else if (const auto* resignation = std::get_if<Turn::Resign>(&*answer)) {
    resign(in, resignation->why);
  } else if (drop_search(in); in.session.may_send_move()) {
    const int points = std::get<Turn::Declare>(*answer).points;
    in.out.info("declared", say("declaring the win with {} points", points));
    send(in, in.session.declare(in.now.steady));
  }
  if (changes_engine) {
    in.team.hand_over(say("no move came in time"), in.now, in.out);
  }
}

void Match::send_move(const GameContext& in, const Turn::Play& play) {
  const Turn turn = *std::exchange(turn_, std::nullopt);  // else its deadlines would ring for ever
  if (!in.session.may_send_move()) {
    in.out.warn("move_not_sent", say("a move was ready when the server takes none; it is dropped"));
    return;
  }
  const shogi::Position& position = game_.position();
  const Thought& thought = thinking_.thought();
  const std::string comment = wants_comments(in.config.game)
                                  ? floodgate_comment(position, shogi::usi::format_move(play.move), thought)
                                  : "";
  send(in, in.session.move(shogi::csa::format_move(position, play.move), comment, in.now.steady));
  account_.send({.move = play.move,
                 .thought = thought,
                 .left = in.now.steady,
                 .entitled = turn.clock().entitled(),
                 .had = turn.clock().time_of_engine(),
                 .main_time = game_.game_clock().main_time(game_.summary().our_color),
                 .elapsed = base::millis_between(turn.clock().started(), in.now.steady),
                 .ponder_hit = turn.ponder_hit()});
  team_account_.send(play.by, in.team);
  in.team.dismiss_advice(in.now, in.out);
  ahead_.be_due(in.config.ponder == config::Ponder::early);
}

void Match::send(const GameContext& in, std::string line) {
  last_sent_ = std::move(line);
  in.send(last_sent_);
}

void Match::resign(const GameContext& in, const base::Message& why) {
  drop_search(in);
  if (in.session.may_send_move()) {
    in.out.info("resigned", say("resigning: {}", why));
    send(in, in.session.resign(in.now.steady));
  }
}

void Match::drop_search(const Context& context) {
  turn_is_due_ = false;
  ahead_.be_due(false);
  turn_.reset();
  ahead_.drop(context);
  context.team.dismiss_advice(context.now, context.out);
  context.team.player().abandon(context.now, context.out);
}

void Match::settle_sent_move(const Context& context, bool is_on_board) {
  if (const auto sent = account_.settle(); sent && (!is_on_board || game_.moves().back().move != sent->move)) {
    ahead_.drop(context);  // of a game that the server did not play
  }
}

void Match::on_ready(const GameContext& in) {
  if (ending_.is_announced) {
    return;
  }
  in.team.player().join_game(in.out);
  if (turn_) {
    turn_->on_ready(for_turn(in));
    answer(in);
  }
}

void Match::on_lost(const GameContext& in, const EngineLost& lost) {
  ahead_.on_lost(lost, turn_.has_value(), in.team.thinks_together());
  if (turn_) {
    turn_->on_lost(for_turn(in), lost);
    answer(in);
  }
}

void Match::on_info(const Context& context, EngineTeam::Seat seat, const usi::SearchInfo& info) {
  if (turn_) {
    turn_->on_info(seat, info);
  }
  if (turn_ && turn_->search() == info.search && seat == context.team.player_seat()) {
    thinking_.take(info.info);
  } else {
    ahead_.on_info(seat, info, thinking_);
  }
}

bool Match::on_answer(const GameContext& in, const usi::SearchAnswered& given) {
  if (!turn_ || turn_->search() != given.search) {
    return false;
  }
  turn_->on_answer(for_turn(in), given);
  answer(in);
  return true;
}

void Match::on_member_answer(const GameContext& in, const MemberAnswered& given) {
  if (turn_) {
    turn_->on_member_answer(for_turn(in), given.seat, given.said);
    answer(in);
  }
}

void Match::on_member_lost(const GameContext& in, const MemberLost& lost) {
  if (turn_) {
    turn_->on_member_lost(for_turn(in), lost.seat);
    answer(in);
  }
}

void Match::on_stop_obeyed(const Context& context) {
  if (turn_) {
    turn_->on_stop_obeyed(for_turn(context));
  }
}

void Match::on_engine_link(const Context& context) {
  if (turn_) {
    turn_->on_engine_link(for_turn(context));
  }
}

void Match::on_engine_line(const GameContext& in, EngineTeam::Seat seat) {
  if (turn_) {
    turn_->renew_queued_search(for_turn(in), seat);
    answer(in);
  }
}

void Match::on_book_answered(const GameContext& in, const BookAnswered& book_answer) {
  ahead_.on_book_answered(book_answer);
  if (turn_) {
    turn_->on_book_answered(for_turn(in), book_answer);
    answer(in);
  }
}

void Match::end_step(const Context& context) {
  if (turn_) {
    turn_->end_step(context);
  }
}

// --- time

std::optional<base::SteadyTime> Match::deadline() const {
  return suspended_ ? std::nullopt : base::earlier(ending_.doubt_at, turn_ ? turn_->deadline() : ahead_.deadline());
}

void Match::on_time(const GameContext& in) {
  if (ending_.doubt_at) {
    doubt_end(in);
  } else if (turn_) {
    turn_->on_time(for_turn(in));
    answer(in);
  }
}

/// A game that the server does not give back hangs on its one connection. What can be had again is given up soon, to
/// be had again sooner.
Millis Match::line_patience() const {
  return may_rejoin() || ending_.is_announced ? Millis{0} : bridge::line_patience(game_, game_.is_our_turn() && !account_.sent());
}

void Match::account_for(const Context& context, const csa::MovePlayed& echo) {
  if (echo.is_ours) {
    record_.remark(describe_opinions(members(context.team)));
  }
  const auto time = account_.take_echo(echo, context.now.steady, game_, context.link);
  if (!time) {
    return;
  }
  if (context.config.records.times) {
    const std::string& by = team_account_.chosen_by();
    record_.remark("time: " + bridge::describe(*time).english() + (by.empty() ? "" : "; chosen by " + by));
  }
  context.out.note(Level::debug, "move_time", bridge::describe(*time));
}

// --- the record, and the end

void Match::add_to_record(const Context& context, const csa::MovePlayed& event, const shogi::Position& before,
                          const std::optional<Deviation>& deviation) {
  const MoveFacts facts = account_.facts_behind(event, thought_behind(event, account_, thinking_), context.now.steady);
  AppendRecord grown;
  if (deviation && !deviation->is_on_board) {
    grown = record_.refuse_and_leave(event.move);
  } else if (deviation) {
    grown = record_.hold(game_.moves().back(), facts, before);
  } else {
    grown = record_.add(game_.moves().back(), facts, before);
  }
  grow(context, std::move(grown));
}

FinishedGame Match::finish(const Context& context, const csa::GameEnd& end, Statistics& statistics) {
  const config::BotConfig& config = context.config;
  // What led to a resignation or a declaration.
  if (last_sent_.starts_with('%')) {
    record_.remark_at_end(describe_opinions(members(context.team)));
  }
  if (config.records.times && account_.time().moves > 0) {
    record_.remark_at_end("time: " + bridge::describe(account_.time()).english());
  }
  const bool is_unechoed = game_.is_our_turn() && !ending_.special;
  if (end.outcome == csa::Outcome::lose && end.reason == "#ILLEGAL_MOVE" && is_unechoed) {
    record_.refuse(last_sent_);
  }
  FinishRecord files = record_.finish(end, ending_.special, game_, context.now.wall);
  if (config.records.enabled) {
    context.out.add(std::move(files));
  }
  if (!end.reason.empty() || !end.result.empty()) {
    ++statistics.games_finished;  // the server has announced its end
  }
  note_end(context, end, game_, last_sent_);
  note_statistics(context, ahead_.statistics(), members(context.team), account_.time(), statistics);
  FinishedGame game{.bot = config.name,
                    .server = config.server.place(),
                    .game_name = config.game.name,
                    .engine = context.team.player().known().name,
                    .our_color = game_.summary().our_color,
                    .end = end,
                    .record = record_.record(),
                    .ponder = ahead_.statistics().view(),
                    .members = members(context.team),
                    .time = account_.time(),
                    .rescues = trouble_.rescues};
  context.team.game_over(gameover_of(end.outcome), context.now, context.out);
  return game;
}

// --- a line that is lost

void Match::suspend(const GameContext& in, const base::Message& why) {
  suspended_ = Suspended{in.now.steady, in.session.is_echo_owed() ? last_sent_ : ""};
  drop_search(in);
  in.out.warn("line_lost",
              say("the line was lost in mid-game: {}; the server may give the game back, so connecting at once", why));
}

bool Match::catch_up(const Context& context, const shogi::Position& position, const csa::ResumeState& state) {
  const auto way = way_between(game_.position(), position, suspended_->unanswered);
  if (!way) {
    return false;
  }
  for (const shogi::Move& move : *way) {
    const shogi::Position before = game_.position();
    const Color mover = before.side_to_move();
    const csa::GameClock& game_clock = game_.game_clock();
    const auto left = mover == Color::black ? state.black : state.white;
    // The clock that came back already holds the increment of the next turn.
    const Millis spent =
        left ? std::max(Millis{0}, game_clock.main_time(mover) + 2 * game_clock.control(mover).increment - *left)
             : Millis{0};
    csa::MovePlayed played{mover, shogi::csa::format_move(before, move), spent};
    played.is_ours = mover == game_.summary().our_color;
    game_.play(played);
    if (played.is_ours && account_.sent()) {
      record_.remark(describe_opinions(members(context.team)));
    }
    grow(context, record_.add(game_.moves().back(), MoveFacts{thought_behind(played, account_, thinking_)}, before));
    if (played.is_ours) {
      settle_sent_move(context, true);
    }
  }
  if (!way->empty()) {
    account_.begin_turn_unseen(suspended_->at);  // the latest instant at which it can have begun is unknown
    suspended_->unanswered.clear();
  }
  return true;
}

void Match::go_on(const GameContext& in, const csa::ResumeState& state, std::string token) {
  game_.set_reconnect_token(std::move(token));
  // The clocks hold the increment of the turn that runs; the account holds what is left before it.
  const csa::GameClock& game_clock = game_.game_clock();
  for (const auto& [color, left] : {std::pair(Color::black, state.black), std::pair(Color::white, state.white)}) {
    if (left) {
      game_.set_main_time(color, *left - game_clock.control(color).increment);
    }
  }
  const std::string unanswered = suspended_ ? std::exchange(suspended_, std::nullopt)->unanswered : "";
  in.team.player().join_game(in.out);
  turn_is_due_ = game_.is_our_turn() && unanswered.empty();
  if (!game_.is_our_turn() || unanswered.empty()) {
    return;
  }
  // It never arrived: the server stands where we stood when it left.
  if (unanswered == "%TORYO") {
    send(in, in.session.resign(in.now.steady));
  } else if (unanswered == "%KACHI") {
    send(in, in.session.declare(in.now.steady));
  } else {
    send(in, in.session.move(unanswered.substr(0, 7), {}, in.now.steady));
    account_.repeat();
  }
}

// --- for people

std::vector<ViewedMember> Match::members(const EngineTeam& team) const {
  const auto& said = turn_ ? turn_->consultation() : team_account_.said();
  return team_account_.members(team, ahead_, said, game_.summary().our_color);
}

GameView Match::view(const EngineTeam& team) const {
  GameView view;
  const csa::GameSummary& summary = game_.summary();
  view.game_id = summary.game_id;
  view.black_name = summary.black_name;
  view.white_name = summary.white_name;
  view.our_color = summary.our_color;
  view.start = summary.start;
  view.times = summary.times;
  view.position = game_.position();
  view.moves.reserve(game_.moves().size());
  const auto& recorded = record_.record().moves;
  for (std::size_t i = 0; i < game_.moves().size(); ++i) {
    const Game::Played& played = game_.moves()[i];
    ViewedMove& viewed = view.moves.emplace_back(ViewedMove{played.text, played.consumed});
    // The record ends where the server plays what it cannot hold.
    if (i < recorded.size() && recorded[i].evaluation) {
      viewed.score = on_graph(*recorded[i].evaluation);
      viewed.mate = recorded[i].evaluation->mate;
      viewed.depth = recorded[i].evaluation->depth;
    }
  }
  view.black_main_time = shown_main_time(game_.game_clock(), Color::black);
  view.white_main_time = shown_main_time(game_.game_clock(), Color::white);
  view.turn_started = account_.turn_started();
  view.time = account_.time();
  view.occurrences = game_.occurrences();
  view.max_moves = summary.max_moves;
  view.ponder = ahead_.statistics().view();
  view.members = members(team);
  const Thought& thought = thinking_.thought();
  if (thought.score) {
    view.score = ViewedScore{thought.score->is_mate, for_black(*thought.score, thinking_.thinker()), thought.depth, {},
                             thought.nps, thought.hashfull};
    for (const std::string& move : thinking_.line_from(game_, ahead_.predicted())) {
      view.score->pv += (view.score->pv.empty() ? "" : " ") + move;
    }
  }
  return view;
}

}  // namespace kakehashi::bridge
