#include "bridge/game/turn.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "base/text.hpp"
#include "bridge/engine/game_rules.hpp"
#include "bridge/game/translate.hpp"
#include "shogi/book/book.hpp"
#include "shogi/game_end.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::bridge {

using base::format_millis;
using base::Millis;
using base::quote_for_log;

namespace {

/// With less than this left before the rescue, a new search is not worth starting.
constexpr Millis search_again_min{200};

/// With less than this between "stop" and the rescue, the standby engine is not asked for a move.
constexpr Millis consultation_min{50};

/// With less than this left, an engine that answered nonsense is not restarted on our turn.
constexpr Millis restart_on_turn_min{2'000};

/// An engine may say nothing for this long whatever the clock.
constexpr Millis silence_min{5'000};

/// A link that is out for so long on our turn makes the standby search as well: most come back sooner.
constexpr Millis out_max{2'000};

/// With an answer in hand the others get a quarter of the main time for this move, silence_min at least. Then they are
/// told to stop, and have so long to obey.
constexpr Millis stop_wait{1'000};

/// An engine that is lost in so many searches in a row is not asked again on this turn.
constexpr int searches_lost_max = 3;

/// A disk that has been asleep may need as long; a book that needs longer costs more than it gives.
constexpr Millis lookup_max{500};
/// Nor does a question take more than this part of the turn.
constexpr int lookup_parts = 4;

/// Of the 24-point rule, for both sides; 24 to 30 are a draw there.
constexpr int points_of_24_point_rule = 31;

/// The rule that shogi::judge_declaration() judges by.
bool has_27_point_rule(const csa::GameSummary& summary) {
  return rules_of(summary).entering_king == "CSARule27";
}

/// splitmix64: the seed decides on every choice, so that a game can be repeated.
std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15U;
  std::uint64_t value = state;
  value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31U);
}

Millis main_time(const Game& game) { return game.game_clock().main_time(game.summary().our_color); }

/// What the server adds for each of our moves.
Millis each_move(const Game& game) {
  const csa::TimeControl& control = game.game_clock().control(game.summary().our_color);
  return control.increment + control.byoyomi;
}

/// For so long an engine is waited for without a doubt, and an answer waits for others.
Millis shortest_patience(const Game& game) { return each_move(game) + std::max(silence_min, main_time(game) / 4); }

bool is_ponderhit_timed(const Turn::Inputs& in) {
  return in.config.engine.timed_ponderhit.value_or(in.config.ponder == config::Ponder::early);
}

void report_unusable(const Turn::Inputs& in, const std::string& why) {
  in.out.error("unusable_bestmove", why + "; position " + shogi::usi::format_sfen(in.game.position()));
  in.out.count(Incident::unusable_bestmove);
}

/// With how many points the win may be declared, or why that would lose.
base::Result<int, std::string> declarable(const Game& game) {
  shogi::Declaration declaration = shogi::judge_declaration(game.position(), game.summary().our_color);
  const std::string rule = rules_of(game.summary()).entering_king;
  if (rule.starts_with("CSARule24")) {
    declaration.points_needed = points_of_24_point_rule;
  }
  if (rule == no_declaration) {
    return base::Failure<std::string>{"this game has no declaration rule"};
  }
  if (declaration.is_valid()) {
    return declaration.points;
  }
  return base::Failure<std::string>{
      "the declaration would lose (" + std::string(declaration.is_in_check ? "in check, " : "") +
      (declaration.king_in_camp ? "" : "the king is not in the camp, ") + std::to_string(declaration.pieces_in_camp) +
      " of 10 pieces in the camp, " + std::to_string(declaration.points) + " of " +
      std::to_string(declaration.points_needed) + " points)"};
}

struct NoOpinion {
  std::string why;
  bool is_broken = false;  ///< the engine, and it has to be replaced
};

/// What the answer means: engines differ in how they spell it.
base::Result<Consultation::Opinion, NoOpinion> opinion_in(const Turn::Inputs& in, const usi::SearchAnswered& answer) {
  const EngineChoice choice = read_choice(in.game.position(), answer.move);
  switch (choice.kind) {
    case EngineChoice::Kind::move:
      return Consultation::Opinion{shogi::usi::format_move(choice.move), answer.ponder,
                                   shogi::csa::format_move(in.game.position(), choice.move)};
    case EngineChoice::Kind::resign: return Consultation::Opinion{"resign", answer.ponder, "%TORYO"};
    case EngineChoice::Kind::declare:
      if (const auto points = declarable(in.game); !points) {
        return base::Failure<NoOpinion>{{"bestmove win: " + points.error()}};
      }
      return Consultation::Opinion{"win", answer.ponder, "%KACHI"};
    case EngineChoice::Kind::unusable: break;
  }
  return base::Failure<NoOpinion>{{"bestmove " + quote_for_log(answer.move) + " " + choice.why, true}};
}

}  // namespace

void TurnClock::watch_idleness(bool thinks, base::SteadyTime now) {
  if (!thinks && !idle_since_) {
    idle_since_ = now;
  } else if (thinks && idle_since_) {
    idle_before_ += base::millis_between(*idle_since_, now);
    idle_since_.reset();
  }
}

void TurnClock::end_thinking(base::SteadyTime now) {
  if (!idle_since_) {
    idle_since_ = now;
  }
}

Millis TurnClock::time_of_engine() const {
  Millis idle = idle_before_;
  if (idle_since_) {
    idle += std::max(Millis{0}, base::millis_between(*idle_since_, started_ + given_));
  }
  return std::max(Millis{0}, given_ - idle);
}

// --- the beginning

Turn::Turn(const Inputs& in, base::SteadyTime started)
    : clock_(started, limits(in, in.team.player_seat(), Millis{0})) {}

ThinkTime Turn::limits(const Inputs& in, EngineTeam::Seat seat, Millis spent) const {
  return think_time(in.game.game_clock(), in.game.summary().our_color, spent, rules(in, seat));
}

ThinkTimeRules Turn::rules(const Inputs& in, EngineTeam::Seat seat) const {
  ThinkTimeRules rules = in.rules(seat);
  if (in.team.consults()) {
    rules.stop_seen = Millis{0};  // nothing is lost by waiting in vain for one of several
  }
  return rules;
}

ThinkTime Turn::limits(const Inputs& in, Millis spent) const {
  ThinkTime own = limits(in, in.team.player_seat(), spent);
  if (is_shared()) {
    own.rescue_after = std::max(own.rescue_after, longest_wait(in, true));
  }
  return own;
}

Millis Turn::longest_wait(const Inputs& in, bool may_resign) const {
  Millis longest{0};
  for (EngineTeam::Seat seat = 0; seat < in.team.size(); ++seat) {
    if (consultation_->is_awaited(seat)) {
      ThinkTimeRules of_seat = rules(in, seat);
      of_seat.resigns = of_seat.resigns && may_resign;
      longest = std::max(longest, think_time(in.game.game_clock(), in.game.summary().our_color, Millis{0}, of_seat).rescue_after);
    }
  }
  return longest;
}

void Turn::begin(const Inputs& in, bool must_resign) {
  if (must_resign) {
    resign("the operator asked for it");
    return;
  }
  if (ends_without_a_search(in)) {
    return;
  }
  if (!in.game.is_for_engines()) {
    play_fallback(in, "behind a move against the rules a king is missing or can be taken", RescueCause::unusable);
    return;
  }
  if (!ask_book(in)) {
    think(in);
  }
}

bool Turn::ends_without_a_search(const Inputs& in) {
  const shogi::Position& position = in.game.position();
  if (!shogi::has_legal_move(position)) {
    resign("there is no legal move");
    return true;
  }
  const csa::GameSummary& summary = in.game.summary();
  if (in.config.game.declare == config::Declare::automatic && has_27_point_rule(summary) &&
      shogi::judge_declaration(position, summary.our_color).is_valid()) {
    declare(in);
    return true;
  }
  return false;
}

// --- the book: what it knows is played at once

bool Turn::ask_book(const Inputs& in) {
  if (in.config.book.file.empty()) {
    return false;
  }
  const Millis gone = clock_.entitled() ? clock_.spent(in.now.steady) : Millis{0};
  const Millis patience = std::min(lookup_max, (clock_.limits().hurry_after - gone) / lookup_parts);
  if (patience <= in.link.lateness()) {
    return false;  // its answer would be read too late, and the end of the wait as well
  }
  lookup_ = Lookup{++in.book.lookups, in.now.steady + patience};
  in.out.add(LookUpBook{in.book.lookups, shogi::book::key_of(in.game.position())});
  return true;
}

void Turn::on_book_answered(const Inputs& in, const BookAnswered& answer) {
  if (!lookup_ || lookup_->number != answer.number) {
    return;  // of a turn that is over, or too late
  }
  lookup_.reset();
  // A book is a file from anywhere: what the rules forbid is not even chosen from.
  std::vector<shogi::book::Move> moves = shogi::book::read_moves(answer.lines);
  const std::size_t known = moves.size();
  std::erase_if(moves, [&](const shogi::book::Move& move) {
    return read_choice(in.game.position(), move.text).kind != EngineChoice::Kind::move;
  });
  if (moves.size() < known) {
    in.out.warn("book_move_illegal",
                "the book has moves for this position that the rules forbid; they are passed over");
  }
  const auto chosen = shogi::book::choose(moves, in.config.book.rule, in.config.book.temperature,
                                          next_random(in.book.random));
  if (!chosen) {
    think(in);
    return;
  }
  const std::string& text = moves[*chosen].text;
  in.out.note(Level::debug, "book_move", "the book plays " + quote_for_log(text));
  in.ahead.drop(in);
  in.team.abandon(in.now, in.out);
  in.ahead.expect({});
  in.thinking.begin(in.game.ply(), in.game.summary().our_color);
  answer_ = Play{read_choice(in.game.position(), text).move};
}

void Turn::doubt_book(const Inputs& in) {
  lookup_.reset();
  in.out.warn("book_silent", "the book has not answered for " + format_millis(clock_.spent(in.now.steady).count()) +
                                 "; the engine is asked");
  clock_.set(limits(in, clock_.spent(in.now.steady)));
  think(in);
}

// --- the search

void Turn::think(const Inputs& in) {
  // Behind a book that took long.
  const bool is_late = clock_.entitled() && clock_.spent(in.now.steady) > (clock_.limits().rescue_after - clock_.limits().given) / 2;
  const EngineTeam::Seat before = in.team.player_seat();
  const Ahead::Found found = in.ahead.take_up(in, in.game, in.thinking, clock_.started(), is_late);
  if (in.team.player_seat() != before && clock_.entitled()) {
    // What is kept back of the turn depends on how far away an engine is, and on how it reads its clock.
    clock_.set(limits(in, clock_.spent(in.now.steady)));
  }
  if (found.has_pondered) {
    ponder_hit_ = found.is_hit;
  }
  if (found.answer) {
    in.out.info("parked_answer_used", "the engine that was lost had answered this reply already");
    choose(in, *found.answer);
    return;
  }
  if (found.search) {
    search_ = found.search;
    watch_silence(in);
    in.take(in.team.ponderhit(is_ponderhit_timed(in) ? usi::format_times(clock_.limits().go) : "", in.out));
  } else {
    begin_search(in);
  }
  if (in.team.consults() && search_ && !answer_) {
    ask_others(in, found);
  }
}

void Turn::begin_search(const Inputs& in) {
  const Millis gone = clock_.entitled() ? clock_.spent(in.now.steady) : Millis{0};
  const bool is_repeated = unusable_answers_ > 0 || gone.count() > 0;
  if (is_repeated && clock_.limits().rescue_after - gone < search_again_min) {
    return;  // the rescue deadline is about to act
  }
  is_hurried_ = false;
  request_search(in);
}

void Turn::request_search(const Inputs& in) {
  if (!clock_.entitled()) {
    clock_.start_again(in.now.steady);
  }
  if (!is_shared()) {  // else the others are at the search already, and none of them is to begin it anew
    in.team.seek_player(in.now, in.out);
  }
  clock_.set(limits(in, clock_.spent(in.now.steady)));
  in.thinking.begin(in.game.ply(), in.game.summary().our_color);
  search_ = in.team.search({in.game.command().text(), usi::format_go(clock_.limits().go, false), false}, in.out);
  if (search_ && consultation_) {
    consultation_->ask(in.team.player_seat(), *search_, std::nullopt);
  }
  watch_silence(in);
  if (!search_ && in.team.is_missing()) {
    play_without_engine(in, RescueCause::gone, "there is no engine");
  } else if (!search_ && !may_be_back(in)) {
    play_without_engine(in, RescueCause::gone, "no engine is started again in time");
  }
}

bool Turn::may_be_back(const Inputs& in) const {
  return !clock_.entitled() || in.team.may_be_ready_by(clock_.rescue_at());
}

void Turn::renew_queued_search(const Inputs& in, EngineTeam::Seat seat) {
  if (!in.team.member(seat).is_search_queued()) {
    return;
  }
  if (seat != in.team.player_seat()) {
    if (consultation_ && consultation_->is_awaited(seat)) {
      ask(in, seat);
    }
    return;
  }
  if (!search_) {
    return;
  }
  request_search(in);
  if (is_hurried_) {
    in.team.hurry(in.now, in.out);
  }
}

void Turn::on_ready(const Inputs& in) {
  if (!search_ && !lookup_ && !is_shared()) {
    in.out.warn("search_repeated", "another engine is ready and searches our move with the time left");
    in.out.count(Incident::search_repeated);
    begin_search(in);
  }
}

void Turn::on_answer(const Inputs& in, const usi::SearchAnswered& answer) {
  search_.reset();
  in.trouble.searches_lost = 0;
  if (is_shared()) {
    hear(in, in.team.player_seat(), answer);
  } else {
    if (consultation_) {
      if (auto said = opinion_in(in, answer)) {
        consultation_->say(in.team.player_seat(), std::move(*said));
      }
    }
    choose(in, answer);
  }
}

void Turn::choose(const Inputs& in, const usi::SearchAnswered& answer) {
  const EngineChoice choice = read_choice(in.game.position(), answer.move);
  const config::Resign& policy = in.config.game.resign;
  switch (choice.kind) {
    case EngineChoice::Kind::move:
      if (policy.by == config::Resign::By::score &&
          in.thinking.is_low(in.game.ply(), -policy.score, policy.moves)) {
        resign("the engine's score has been as low as game.resign says");
        return;
      }
      in.ahead.expect(answer.ponder);
      is_of_engine_ = true;
      answer_ = Play{choice.move};
      return;
    case EngineChoice::Kind::resign:
      if (policy.by != config::Resign::By::never) {
        resign("the engine resigns");
      } else {
        play_fallback(in, "the engine resigns (game.resign: never)", std::nullopt);
      }
      return;
    case EngineChoice::Kind::declare:
      declare(in);
      return;
    case EngineChoice::Kind::unusable:
      rescue(in, "bestmove " + quote_for_log(answer.move) + " " + choice.why);
      return;
  }
}

// --- the others of a team that consults

void Turn::ask_others(const Inputs& in, const Ahead::Found& found) {
  const EngineTeam::Seat player = in.team.player_seat();
  const bool may_resign = in.config.game.resign.by != config::Resign::By::never;
  consultation_.emplace(in.config.engine.team_play, in.team.weights(), may_resign);
  consultation_->ask(player, *search_, std::nullopt);
  consultation_->adopt(player, in.thinking.thought());
  const Millis gone = clock_.entitled() ? clock_.spent(in.now.steady) : Millis{0};
  for (EngineTeam::Seat seat = 0; seat < in.team.size(); ++seat) {
    if (seat == player) {
      continue;
    }
    if (!in.team.may_think(seat) || in.team.member(seat).link().out_since()) {
      in.team.abandon_at(seat, in.now, in.out);
      continue;
    }
    const auto hit = std::find_if(found.others.begin(), found.others.end(), [&](const Ahead::Hit& one) { return one.seat == seat; });
    if (hit == found.others.end()) {
      in.team.abandon_at(seat, in.now, in.out);
      ask(in, seat);
      continue;
    }
    const ThinkTime own = limits(in, seat, gone);
    consultation_->ask(seat, hit->search, clock_.started() + own.hurry_after);
    consultation_->adopt(seat, hit->thought);
    in.take(in.team.ponderhit_at(seat, is_ponderhit_timed(in) ? usi::format_times(own.go) : "", in.now, in.out));
  }
  if (!consultation_->is_shared()) {
    consultation_.reset();
    in.team.ask_no_more();
  } else if (clock_.entitled()) {
    clock_.set(limits(in, gone));
  }
}

void Turn::ask(const Inputs& in, EngineTeam::Seat seat) {
  const ThinkTime own = limits(in, seat, clock_.entitled() ? clock_.spent(in.now.steady) : Millis{0});
  const auto search =
      in.team.ask_at(seat, {in.game.command().text(), usi::format_go(own.go, false), false}, in.out);
  if (search) {
    consultation_->ask(seat, *search, clock_.started() + own.hurry_after);
  }
}

void Turn::on_info(EngineTeam::Seat seat, const usi::SearchInfo& info) {
  if (consultation_) {
    consultation_->on_info(seat, info);
  }
}

void Turn::on_member_answer(const Inputs& in, EngineTeam::Seat seat, const usi::SearchAnswered& answer) {
  if (is_shared() && consultation_->members()[seat].search == answer.search) {
    hear(in, seat, answer);
  } else if (consultation_ && seat == in.team.player_seat() && search_ == answer.search) {
    on_answer(in, answer);  // it came to play behind what it said
  }
}

void Turn::on_member_lost(const Inputs& in, EngineTeam::Seat seat) {
  if (is_shared()) {
    consultation_->lose(seat);
    settle(in);
  }
}

void Turn::hear(const Inputs& in, EngineTeam::Seat seat, const usi::SearchAnswered& answer) {
  auto said = opinion_in(in, answer);
  if (said) {
    consultation_->say(seat, std::move(*said));
    settle(in);
    return;
  }
  report_unusable(in, said.error().why);
  consultation_->lose(seat);
  if (said.error().is_broken) {
    in.take(in.team.replace_at(seat, "the engine gave an unusable move", in.now, in.out));  // what follows is news
  } else {
    settle(in);
  }
}

void Turn::settle(const Inputs& in) {
  if (answer_) {
    return;
  }
  if (const auto seat = consultation_->decided()) {
    conclude(in, *seat);
  } else if (!consultation_->is_awaiting()) {
    // Nobody has said anything that can be played. Who plays goes on as a single engine: it is asked once more if it is
    // well, and else waited for, if another may be started in time.
    go_on_alone(in);
    if (!in.team.player().is_ready()) {
      if (in.team.is_missing() || !may_be_back(in)) {
        play_without_engine(in, RescueCause::gone, "no engine is started again in time");
      }
    } else if (++unusable_answers_ == 1) {
      begin_search(in);
    } else {
      play_without_engine(in, RescueCause::unusable, "the engine gave no usable move");
    }
  } else if (consultation_->has_move()) {
    wait_until_ = is_wait_over_ ? wait_until_ : wait_end(in);
  } else if (consultation_->is_awaiting_only(in.team.player_seat())) {
    go_on_alone(in);  // its answer is the team's, whatever it is; and it may be doubted and advised by those that are idle
  }
}

void Turn::go_on_alone(const Inputs& in) {
  is_alone_ = true;
  wait_until_.reset();
  in.team.ask_no_more();
}

base::SteadyTime Turn::wait_end(const Inputs& in) const {
  const Millis patience = clock_.entitled() ? shortest_patience(in.game) : clock_.limits().hurry_after;
  base::SteadyTime end = std::min(clock_.started() + patience, answer_by(in));
  if (const auto out = all_out_since(in)) {
    end = std::min(end, *out + out_max);
  }
  return std::max(in.now.steady, end);
}

std::optional<base::SteadyTime> Turn::all_out_since(const Inputs& in) const {
  std::optional<base::SteadyTime> last;
  for (EngineTeam::Seat seat = 0; seat < in.team.size(); ++seat) {
    if (consultation_->is_awaited(seat)) {
      const auto out = in.team.member(seat).link().out_since();
      if (!out) {
        return std::nullopt;
      }
      last = std::max(last, out);
    }
  }
  return last;
}

base::SteadyTime Turn::answer_by(const Inputs& in) const {
  return clock_.started() + longest_wait(in, false);
}

void Turn::stop_others(const Inputs& in) {
  const std::vector<Consultation::Member>& members = consultation_->members();
  for (EngineTeam::Seat seat = 0; seat < members.size(); ++seat) {
    if (members[seat].search && members[seat].stop_at && in.expired(*members[seat].stop_at)) {
      consultation_->note_stopped(seat);
      in.team.hurry_at(seat, in.now, in.out);
    }
  }
}

void Turn::wait_no_more(const Inputs& in) {
  if (std::exchange(is_wait_over_, true) || in.expired(answer_by(in)) || all_out_since(in)) {
    wait_until_.reset();
    if (const auto seat = consultation_->choose()) {
      conclude(in, *seat);
    }
    return;
  }
  in.out.note(Level::debug, "engine_hurried", "with an answer in hand the team waits no longer for the others; they are told to stop");
  Millis longest = stop_wait;
  for (EngineTeam::Seat seat = 0; seat < in.team.size(); ++seat) {
    if (consultation_->is_awaited(seat)) {
      longest = std::max(longest, 2 * in.team.member(seat).known().habits.stops.expected());
      consultation_->note_stopped(seat);
      in.team.hurry_at(seat, in.now, in.out, false);
    }
  }
  wait_until_ = std::min(in.now.steady + longest, answer_by(in));
}

void Turn::conclude(const Inputs& in, EngineTeam::Seat seat) {
  const std::vector<Consultation::Member>& members = consultation_->members();
  bool is_unanimous = true;
  std::string all;
  for (EngineTeam::Seat one = 0; one < members.size(); ++one) {
    if (consultation_->is_awaited(one)) {
      in.team.abandon_at(one, in.now, in.out);
      consultation_->lose(one);
    }
    if (members[one].said) {
      is_unanimous = is_unanimous && members[one].said->move == members[seat].said->move;
      all += (all.empty() ? "" : ", ") + in.team.member(one).known().name_in_team + " " + members[one].said->shown;
    }
  }
  const Consultation::Opinion& said = *members[seat].said;
  search_.reset();
  wait_until_.reset();
  chosen_seat_ = seat;
  if (in.team.member(seat).is_ready()) {
    in.team.play(seat);
  }
  in.thinking.adopt(members[seat].thought);
  in.out.note(is_unanimous ? Level::debug : Level::info, "consulted",
              "the team plays " + said.shown + " of " + in.team.member(seat).known().name_in_team + ": " + all);
  choose(in, {usi::SearchId{}, said.move, said.ponder});
}

// --- the declaration

void Turn::declare(const Inputs& in) {
  const auto points = declarable(in.game);
  if (points) {
    answer_ = Declare{*points};
    return;
  }
  // The engine is well, but counts otherwise than the server. It is asked once more; one that
  // insists does not get its game lost.
  report_unusable(in, "bestmove win: " + points.error());
  if (++unusable_answers_ == 1) {
    begin_search(in);
    return;
  }
  play_without_engine(in, RescueCause::declaration, "the declaration does not hold");
}

// --- time

std::optional<base::SteadyTime> Turn::deadline(Deadline which) const {
  switch (which) {
    case Deadline::book: return lookup_ ? std::optional(lookup_->give_up) : std::nullopt;
    case Deadline::hurry: return is_hurried_ ? std::nullopt : std::optional(clock_.hurry_at());
    case Deadline::members: return is_shared() ? consultation_->next_stop() : std::nullopt;
    case Deadline::wait: return is_shared() ? wait_until_ : std::nullopt;
    case Deadline::rescue: return is_hurried_ ? std::optional(clock_.rescue_at()) : std::nullopt;
    case Deadline::silence: return look_at_silence_at_;
  }
  return std::nullopt;
}

std::optional<base::SteadyTime> Turn::deadline() const {
  std::optional<base::SteadyTime> next;
  for (const Deadline which :
       {Deadline::book, Deadline::hurry, Deadline::members, Deadline::wait, Deadline::rescue, Deadline::silence}) {
    next = base::earlier(next, deadline(which));
  }
  return next;
}

bool Turn::has_passed(Deadline which, const Context& context) const {
  const auto at = deadline(which);
  return !answer_ && at && context.expired(*at);
}

void Turn::on_time(const Inputs& in) {
  if (has_passed(Deadline::book, in)) {
    doubt_book(in);
  }
  if (has_passed(Deadline::hurry, in)) {
    hurry(in);
  }
  if (has_passed(Deadline::members, in)) {
    stop_others(in);
  }
  if (has_passed(Deadline::wait, in)) {
    wait_no_more(in);
  }
  if (has_passed(Deadline::rescue, in)) {
    // What has been said counts, whoever has not.
    if (const auto seat = is_shared() ? consultation_->choose() : std::nullopt) {
      conclude(in, *seat);
    } else {
      is_overdue_ = true;
      play_without_engine(in, RescueCause::silent, "no move came in time");
    }
  }
  if (has_passed(Deadline::silence, in) && !in.lines_wait) {
    look_at_silence(in);
  }
}

void Turn::on_stop_obeyed(const Inputs& in) {
  if (!is_hurried_ && clock_.entitled()) {
    clock_.set(limits(in, clock_.spent(in.now.steady)));
  }
}

void Turn::hurry(const Inputs& in) {
  is_hurried_ = true;
  // How late this process is may have shown since the turn began.
  if (clock_.entitled()) {
    clock_.rescue_within(limits(in, Millis{0}).rescue_after);
  }
  if (!search_) {
    return;
  }
  in.out.warn("engine_hurried", "the engine has used its time of " + format_millis(clock_.limits().hurry_after.count()) +
                                    "; it is told to stop");
  in.out.count(Incident::engine_hurried);
  in.team.hurry(in.now, in.out);
  const Millis left = clock_.limits().rescue_after - clock_.spent(in.now.steady);
  if (clock_.entitled() && left >= consultation_min && !in.lines_wait && !is_shared()) {
    usi::GoTimes times;
    times.byoyomi = left / 2;
    in.team.consult({in.game.command().text(), usi::format_go(times, false), false}, in.out);
  }
}

void Turn::end_step(const Context& context) {
  const EngineSupervisor& player = context.team.player();
  const bool is_searched = search_ && !player.is_search_queued();
  clock_.watch_idleness(lookup_ || is_searched || (is_shared() && consultation_->is_awaiting()), context.now.steady);
  if (const auto at = deadline(Deadline::hurry); at && is_searched) {
    tell_keeper(context, context.team.player_seat(), *search_, *at);
  }
  for (EngineTeam::Seat seat = 0; is_shared() && seat < context.team.size(); ++seat) {
    const Consultation::Member& member = consultation_->members()[seat];
    const bool is_told_otherwise = seat == context.team.player_seat() || context.team.member(seat).is_search_queued();
    if (member.search && member.stop_at && !is_told_otherwise) {
      tell_keeper(context, seat, *member.search, *member.stop_at);
    }
  }
}

void Turn::tell_keeper(const Context& context, EngineTeam::Seat seat, usi::SearchId search, base::SteadyTime at) {
  const auto told = told_.find(seat);
  const std::pair wanted(search, at);
  if (context.team.member(seat).is_kept() && (told == told_.end() || told->second != wanted)) {
    told_.insert_or_assign(seat, wanted);
    context.out.add(StopEngineAt{context.team.member(seat).id(), at});
  }
}

// --- an engine that says nothing

Millis Turn::patience(const Inputs& in) const {
  if (in.config.engine.silence_max) {
    return *in.config.engine.silence_max;
  }
  const Millis shortest = shortest_patience(in.game);
  const Millis longest = std::max(shortest, each_move(in.game) + main_time(in.game) / 2);
  return std::clamp(2 * in.team.player().known().habits.longest_silence, shortest, longest);
}

void Turn::watch_silence(const Inputs& in) {
  look_at_silence_at_.reset();
  if (!clock_.entitled() || is_hurried_) {
    return;
  }
  if (search_) {
    in.team.watch_silence(in.now);
  }
  if (const auto out = in.team.player().link().out_since(); out && search_) {
    look_at_silence_at_ = std::max(*out + out_max, in.now.steady);
  } else if (search_ || in.trouble.searches_lost >= searches_lost_max) {
    look_at_silence_at_ = in.now.steady + patience(in);
  }
}

void Turn::on_engine_link(const Inputs& in) {
  if (is_shared() && wait_until_ && !is_wait_over_) {
    wait_until_ = wait_end(in);
  }
  if (const auto out = in.team.player().link().out_since(); out && search_ && !is_hurried_ && clock_.entitled()) {
    look_at_silence_at_ = base::earlier(look_at_silence_at_, std::max(*out + out_max, in.now.steady));
  }
}

void Turn::look_at_silence(const Inputs& in) {
  look_at_silence_at_.reset();
  if (is_hurried_) {
    return;
  }
  if (const auto out = in.team.player().link().out_since(); out && search_) {
    if (const base::SteadyTime due = *out + out_max; !in.expired(due)) {
      look_at_silence_at_ = due;
    } else if (in.team.may_doubt() && !is_shared()) {
      in.out.warn("engine_doubted", "no link leads to the engine; the standby engine is asked as well, and who answers "
                                    "first plays");
      is_doubted_ = true;
      in.team.doubt("no link leads to the other one", in.now, in.out);
      request_search(in);
    } else {
      look_at_silence_at_ = in.now.steady + out_max;  // it searches on there; another may become ready meanwhile
    }
    return;
  }
  if (!search_) {
    if (in.trouble.searches_lost >= searches_lost_max && !is_shared()) {
      play_without_engine(in, RescueCause::gone, "no engine has answered for a long time");
    }
    return;
  }
  const auto since = in.team.player().silent_since();
  if (!since) {
    return;
  }
  if (const base::SteadyTime due = *since + patience(in); !in.expired(due)) {
    look_at_silence_at_ = due;
    return;
  }
  const std::string silence =
      "the engine has said nothing for " + format_millis(base::millis_between(*since, in.now.steady).count());
  if (in.team.may_doubt() && !is_shared()) {
    in.out.warn("engine_doubted", silence + "; the standby engine is asked as well, and who answers first plays");
    is_doubted_ = true;
    in.team.doubt("the other one is silent", in.now, in.out);
    request_search(in);
  } else {
    in.out.warn("engine_doubted", silence + "; it is told to stop, and replaced if it does not");
    in.team.hurry(in.now, in.out);
  }
}

// --- an engine that is lost, or of no use: another one while there is time, and a legal move when there is none

void Turn::on_lost(const Inputs& in, const EngineLost& lost) {
  int& searches_lost = in.trouble.searches_lost;
  if (is_shared()) {
    const bool was_searching = search_.has_value();
    // Who takes its place may be at the search already, or through with it.
    const EngineTeam::Seat player = in.team.player_seat();
    consultation_->lose(lost.seat);
    search_ = player == lost.seat ? std::nullopt : consultation_->members()[player].search;
    if (search_) {
      in.thinking.adopt(consultation_->members()[player].thought);
      watch_silence(in);
    }
    if (consultation_->is_awaiting() || consultation_->has_opinion()) {
      settle(in);
      return;
    }
    go_on_alone(in);
    searches_lost += was_searching ? 1 : 0;
  } else if (search_ && !lost.goes_on) {
    ++searches_lost;
  }
  search_ = lost.goes_on;
  if (lost.goes_on) {
    in.thinking.begin(in.game.ply(), in.game.summary().our_color);
    watch_silence(in);
  }
  if (lost.is_replaced || lookup_) {
    return;  // another one has the turn, or the book has, and an engine is looked for behind it
  }
  in.out.warn("engine_lost_on_turn", "our clock runs without an engine: " + lost.why);
  in.out.count(Incident::engine_lost_on_turn);
  const bool is_long = clock_.spent(in.now.steady) >= patience(in);
  if (lost.is_missing) {
    play_without_engine(in, RescueCause::gone, "the engine cannot be started");
  } else if (!may_be_back(in)) {
    play_without_engine(in, RescueCause::gone, "no engine is started again in time");
  } else if (clock_.entitled() &&
             (searches_lost >= searches_lost_max || (searches_lost == searches_lost_max - 1 && is_long))) {
    play_without_engine(in, RescueCause::gone,
                        "the engine was lost in " + std::to_string(searches_lost) + " searches in a row");
  }
}

void Turn::on_given_up(const Inputs& in, const std::string& why) {
  search_.reset();
  if (is_shared()) {
    consultation_->lose(in.team.player_seat());
  }
  if (const auto seat = is_shared() ? consultation_->choose() : std::nullopt) {
    conclude(in, *seat);
  } else if (!lookup_) {
    play_without_engine(in, RescueCause::gone, why);
  }
}

void Turn::rescue(const Inputs& in, const std::string& why) {
  ++unusable_answers_;
  report_unusable(in, why);
  // Another engine that waits can begin at once; a restarted one needs its time to get ready.
  const Millis needed = in.team.has_substitute() ? Millis{0} : restart_on_turn_min;
  // One that was asked already at the `stop` answers before the rescue must act.
  const bool is_too_late = !in.team.is_consulting() && clock_.limits().hurry_after - clock_.spent(in.now.steady) < needed;
  if (unusable_answers_ > 1 || is_too_late) {
    play_without_engine(in, RescueCause::unusable, "the engine gave no usable move");
    return;
  }
  in.take(in.team.replace("the engine gave an unusable move", in.now, in.out));
}

void Turn::play_without_engine(const Inputs& in, RescueCause cause, const std::string& why) {
  in.team.abandon(in.now, in.out);
  search_.reset();
  if (in.config.engine.on_failure == config::OnFailure::resign) {
    resign(why + " (engine.on_failure: resign)");
    return;
  }
  play_fallback(in, why, cause);
}

void Turn::play_fallback(const Inputs& in, const std::string& why, std::optional<RescueCause> cause) {
  // A line that another has told is better than none.
  if (const auto seat = consultation_ && in.thinking.thought().pv.empty() ? consultation_->first_with_line() : std::nullopt) {
    in.thinking.adopt(consultation_->members()[*seat].thought);
  }
  const auto fallback = choose_fallback(in.game, in.thinking, in.team.advice());
  if (!fallback) {
    resign("there is no legal move");
    return;
  }
  const std::string what = why + "; playing " + fallback->source;
  const std::string text = what + ", " + shogi::csa::format_move(in.game.position(), fallback->move);
  if (cause) {
    in.out.tell(RescuePlayed{*cause, text});
  } else {
    in.out.warn("resignation_declined", text);
  }
  if (cause && cause != RescueCause::silent) {
    clock_.end_thinking(in.now.steady);
  }
  if (cause && in.trouble.rescues.size() < FinishedGame::rescues_max) {
    in.trouble.rescues.push_back({in.game.ply() + 1, what});
  }
  in.ahead.expect({});
  answer_ = Play{fallback->move};
}

}  // namespace kakehashi::bridge
