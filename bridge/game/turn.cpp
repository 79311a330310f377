#include "bridge/game/turn.hpp"

#include <algorithm>
#include <vector>

#include "base/result.hpp"
#include "bridge/engine/game_rules.hpp"
#include "bridge/event.hpp"
#include "bridge/game/translate.hpp"
#include "bridge/rescue_words.hpp"
#include "shogi/book/book.hpp"
#include "shogi/game_end.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::bridge {

using base::duration;
using base::Millis;
using base::quoted;
using base::say;

namespace {

/// With less than this left before the rescue, a new search is not worth starting.
constexpr Millis search_again_min{200};

/// With less than this between "stop" and the rescue, the standby engine is not asked for a move.
constexpr Millis consultation_min{50};

/// With less than this left, an engine that answered nonsense is not restarted on our turn.
constexpr Millis restart_on_turn_min{2'000};

/// How often an old search is looked at that nothing could be done about.
constexpr Millis look_again{100};

/// An engine that is lost in so many searches in a row is not asked again on this turn.
constexpr int searches_lost_max = 3;

/// A disk that has been asleep may need as long; a book that needs longer costs more than it gives.
constexpr Millis lookup_max{500};
/// Nor does a question take more than this part of the turn.
constexpr int lookup_parts = 4;

/// splitmix64: the seed decides on every choice, so that a game can be repeated.
std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15U;
  std::uint64_t value = state;
  value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31U);
}

void report_unusable(const Turn::Inputs& in, const base::Message& why) {
  in.out.error("unusable_bestmove",
               say("{}; {}", why, say("position {}", shogi::usi::format_sfen(in.game.position()))));
  in.out.count(Incident::unusable_bestmove);
}

/// A book is a file from anywhere: what the rules forbid is not even chosen from.
std::optional<std::string> choose_from_book(const Turn::Inputs& in, const BookAnswered& answer) {
  std::vector<shogi::book::Move> moves = shogi::book::read_moves(answer.lines);
  const std::size_t known = moves.size();
  std::erase_if(moves, [&](const shogi::book::Move& move) {
    return read_choice(in.game.position(), move.text).kind != EngineChoice::Kind::move;
  });
  if (moves.size() < known) {
    in.out.warn("book_move_illegal",
                say("the book has moves for this position that the rules forbid; they are passed over"));
  }
  const auto chosen = shogi::book::choose(moves, in.config.book.rule, in.config.book.temperature,
                                          next_random(in.book.random));
  return chosen ? std::optional(moves[*chosen].text) : std::nullopt;
}

/// An engine could still be ready before another move must be played.
bool may_be_back(const Turn::Inputs& in, const TurnClock& clock) {
  return !clock.entitled() || in.team.engines().may_be_ready_by(clock.rescue_at());
}

/// Of the 24-point rule, for both sides; 24 to 30 are a draw there.
constexpr int points_of_24_point_rule = 31;

/// By the rule of this game; nothing: there is none, or one that is counted otherwise. What "H" adds for handicap games is
/// left out: it would only ask for less.
std::optional<shogi::Declaration> judge_declaration(const Game& game) {
  const csa::GameSummary& summary = game.summary();
  const std::string rule = rules_of(summary).entering_king;
  const bool is_24_point_rule = rule.starts_with("CSARule24");
  if (!is_24_point_rule && !rule.starts_with("CSARule27")) {
    return std::nullopt;
  }
  shogi::Declaration declaration = shogi::judge_declaration(game.position(), summary.our_color);
  if (is_24_point_rule) {
    declaration.points_needed = points_of_24_point_rule;
  }
  return declaration;
}

/// With how many points the win may be declared, or why that would lose.
base::Result<int, base::Message> declarable(const Game& game) {
  const auto declaration = judge_declaration(game);
  if (!declaration) {
    return base::Failure<base::Message>{say("this game has no declaration rule that is known here")};
  }
  if (declaration->is_valid()) {
    return declaration->points;
  }
  std::vector<base::Message> flaws;
  if (declaration->is_in_check) {
    flaws.push_back(say("in check"));
  }
  if (!declaration->king_in_camp) {
    flaws.push_back(say("the king is not in the camp"));
  }
  const auto& [pieces, points, needed] =
      std::tie(declaration->pieces_in_camp, declaration->points, declaration->points_needed);
  return base::Failure<base::Message>{
      flaws.empty()
          ? say("the declaration would lose ({} of 10 pieces in the camp, {} of {} points)", pieces, points, needed)
          : say("the declaration would lose ({}, {} of 10 pieces in the camp, {} of {} points)", base::listed(flaws),
                pieces, points, needed)};
}

bool declares_at_once(const Turn::Inputs& in) {
  if (in.config.game.declare != config::Declare::automatic && !in.trouble.is_to_declare) {
    return false;
  }
  const auto declaration = judge_declaration(in.game);
  return declaration && declaration->is_valid();
}

struct NoOpinion {
  base::Message why;
  bool is_broken = false;  ///< the engine, and it has to be replaced; else it is well, and declares what does not hold
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
        return base::Failure<NoOpinion>{{say("bestmove win: {}", points.error())}};
      }
      return Consultation::Opinion{"win", answer.ponder, "%KACHI"};
    case EngineChoice::Kind::unusable: break;
  }
  return base::Failure<NoOpinion>{{choice.why, true}};
}

}  // namespace

// --- the beginning

Turn::Turn(const Inputs& in, base::SteadyTime started)
    : clock_(started, in.limits(in.team.player_seat(), Millis{0})) {}

ThinkTime Turn::limits(const Inputs& in, Millis spent) const {
  ThinkTime own = in.limits(in.team.player_seat(), spent);
  if (others_.is_shared()) {
    own.rescue_after = std::max(own.rescue_after, others_.longest_wait(in, true));
  }
  return own;
}

void Turn::begin(const Inputs& in, bool must_resign) {
  if (must_resign) {
    answer_ = Resign{say("the operator asked for it")};
  } else if (!shogi::has_legal_move(in.game.position())) {
    answer_ = Resign{say("there is no legal move")};
  } else if (declares_at_once(in)) {
    declare(in);
  } else if (!in.game.is_for_engines()) {
    play_fallback(in, say("behind a move against the rules a king is missing or can be taken"), RescueCause::unusable);
  } else if (book_.ask(in, clock_); !book_.is_open()) {
    think(in);
  }
}

// --- the book: what it knows is played at once

void BookQuestion::ask(const TurnContext& in, const TurnClock& clock) {
  if (in.config.book.file.empty()) {
    return;
  }
  const Millis left = clock.limits().hurry_after - clock.gone(in.now.steady);
  const Millis patience = std::min(lookup_max, left / lookup_parts);
  if (patience <= in.link.lateness()) {
    return;  // its answer would be read too late, and the end of the wait as well
  }
  asked_ = Asked{++in.book.lookups, in.now.steady + patience};
  in.out.add(LookUpBook{in.book.lookups, shogi::book::key_of(in.game.position())});
}

bool BookQuestion::hear(const BookAnswered& answer) {
  if (!asked_ || asked_->number != answer.number) {
    return false;  // of a turn that is over, or too late
  }
  asked_.reset();
  return true;
}

void Turn::on_book_answered(const Inputs& in, const BookAnswered& answer) {
  if (!book_.hear(answer)) {
    return;
  }
  const std::optional<std::string> text = choose_from_book(in, answer);
  if (!text) {
    think(in);
    return;
  }
  in.out.note(Level::debug, "book_move", say("the book plays {}", quoted(*text)));
  in.ahead.drop(in);
  in.team.player().abandon(in.now, in.out);
  in.ahead.expect({});
  in.thinking.begin(in.game.ply(), in.game.summary().our_color);
  answer_ = Play{read_choice(in.game.position(), *text).move};
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
    in.out.info("parked_answer_used", say("the engine that was lost had answered this reply already"));
    choose(in, *found.answer, in.team.player_seat());
    return;
  }
  if (found.search) {
    expect(in, found.search);
    watch_silence(in);
    in.take(in.team.player().ponderhit(in.ponderhit_times(clock_.limits()), in.out));
  } else {
    begin_search(in);
  }
  if (in.team.consults() && search_) {
    others_.ask(for_team(in), *search_, found.others);
    if (others_.is_shared() && clock_.entitled()) {
      clock_.set(limits(in, clock_.spent(in.now.steady)));
    }
  }
  watch_old_searches(in, in.now.steady);
}

bool Turn::has_time_to_search(const Inputs& in) const {
  const Millis gone = clock_.gone(in.now.steady);
  const bool is_repeated = unusable_answers_ > 0 || gone.count() > 0;
  return !is_repeated || clock_.limits().rescue_after - gone >= search_again_min;
}

void Turn::begin_search(const Inputs& in) {
  if (has_time_to_search(in)) {
    clock_.hurry_no_more();
    request_search(in);
  }
}

void Turn::request_search(const Inputs& in) {
  if (!clock_.entitled()) {
    clock_.start_again(in.now.steady);
  }
  if (!others_.is_shared()) {  // else the others are at the search already, and none of them is to begin it anew
    in.team.seek_player(in.now, in.out);
  }
  clock_.set(limits(in, clock_.spent(in.now.steady)));
  in.thinking.begin(in.game.ply(), in.game.summary().our_color);
  expect(in, in.team.player().search({in.position_line(in.team.player_seat()), usi::format_go(clock_.limits().go, false), false}, in.out));
  if (search_) {
    others_.follow_player(in.team.player_seat(), *search_);
  }
  watch_silence(in);
  watch_old_searches(in, in.now.steady);
  if (!search_ && in.team.engines().is_missing()) {
    play_without_engine(in, RescueCause::gone, say("there is no engine"));
  } else if (!search_ && !may_be_back(in, clock_)) {
    play_without_engine(in, RescueCause::gone, say("no engine is started again in time"));
  }
}

void Turn::expect(const Inputs& in, std::optional<usi::SearchId> search) {
  search_ = search;
  search_seat_ = in.team.player_seat();
}

void Turn::renew_queued_search(const Inputs& in, EngineTeam::Seat seat) {
  if (!in.team.member(seat).is_search_queued()) {
    return;
  }
  if (seat != in.team.player_seat()) {
    others_.renew_queued_search(for_team(in), seat);
    return;
  }
  if (!search_) {
    return;
  }
  request_search(in);
  if (clock_.is_hurried()) {
    in.team.hurry(in.now, in.out);
  }
}

void Turn::on_ready(const Inputs& in) {
  if (!search_ && !book_.is_open() && !others_.is_shared() && has_time_to_search(in)) {
    in.out.warn("search_repeated", say("another engine is ready and searches our move with the time left"));
    in.out.count(Incident::search_repeated);
    begin_search(in);
  }
}

void Turn::on_answer(const Inputs& in, const usi::SearchAnswered& answer) {
  search_.reset();
  in.trouble.searches_lost = 0;
  if (others_.is_shared()) {
    hear(in, in.team.player_seat(), answer);
    return;
  }
  if (others_.consultation()) {
    if (auto said = opinion_in(in, answer)) {
      others_.note(in.team.player_seat(), std::move(*said));
    }
  }
  choose(in, answer, in.team.player_seat());
}

void Turn::choose(const Inputs& in, const usi::SearchAnswered& answer, EngineTeam::Seat by) {
  const EngineChoice choice = read_choice(in.game.position(), answer.move);
  const config::Resign& policy = in.config.game.resign;
  switch (choice.kind) {
    case EngineChoice::Kind::move:
      in.team.member(by).known().lines.on_usable();
      if (policy.by == config::Resign::By::score &&
          in.thinking.is_low(in.game.ply(), -policy.score, policy.moves)) {
        answer_ = Resign{say("the engine's score has been as low as game.resign says")};
        return;
      }
      in.ahead.expect(answer.ponder);
      answer_ = Play{choice.move, by};
      return;
    case EngineChoice::Kind::resign:
      if (policy.by != config::Resign::By::never) {
        answer_ = Resign{say("the engine resigns")};
      } else {
        play_fallback(in, say("the engine resigns (game.resign: never)"), std::nullopt);
      }
      return;
    case EngineChoice::Kind::declare:
      declare(in);
      return;
    case EngineChoice::Kind::unusable: rescue(in, choice.why); return;
  }
}

// --- the others of a team that consults

void Turn::on_info(EngineTeam::Seat seat, const usi::SearchInfo& info) { others_.on_info(seat, info); }

void Turn::on_member_answer(const Inputs& in, EngineTeam::Seat seat, const usi::SearchAnswered& answer) {
  if (others_.awaits(seat, answer.search)) {
    hear(in, seat, answer);
  } else if (seat == in.team.player_seat() && (!search_ || search_ == answer.search)) {
    on_answer(in, answer);  // it came to play behind what it said, or with that
  }
}

void Turn::on_member_lost(const Inputs& in, EngineTeam::Seat seat) {
  others_.lose(seat);
  follow(in, others_.settle(for_team(in)));
}

void Turn::hear(const Inputs& in, EngineTeam::Seat seat, const usi::SearchAnswered& answer) {
  auto said = opinion_in(in, answer);
  if (said) {
    follow(in, others_.say(for_team(in), seat, std::move(*said)));
    return;
  }
  report_unusable(in, said.error().why);
  others_.lose(seat);
  if (!said.error().is_broken) {
    forbid_declaration(in, seat);
  }
  if (said.error().is_broken && !doubts_line(in, seat)) {
    in.take(in.team.replace(seat, say("the engine gave an unusable move"), in.now, in.out));  // what follows is news
  } else {
    follow(in, others_.settle(for_team(in)));
  }
}

void Turn::follow(const Inputs& in, const TeamTurn::Verdict& verdict) {
  if (std::holds_alternative<TeamTurn::Open>(verdict)) {
    return;
  }
  if (const auto* chosen = std::get_if<TeamTurn::Chosen>(&verdict)) {
    search_.reset();
    choose(in, chosen->answer, chosen->seat);
    return;
  }
  // Who plays goes on as a single engine, and is asked once more.
  ++unusable_answers_;
  begin_search(in);
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
  report_unusable(in, say("bestmove win: {}", points.error()));
  forbid_declaration(in, in.team.player_seat());
  ++unusable_answers_;
  if (unusable_answers_ == 1) {
    begin_search(in);
  } else if (unusable_answers_ == 2 && !in.team.consults() && in.team.may_doubt() && has_time_to_search(in)) {
    in.team.stand_in(say("the other one insists on a declaration that does not hold"), in.now, in.out);
    request_search(in);
  } else {
    play_without_engine(in, RescueCause::declaration, say("the declaration does not hold"));
  }
}

void Turn::forbid_declaration(const Inputs& in, EngineTeam::Seat seat) {
  in.trouble.is_to_declare = true;
  in.team.member(seat).forbid_declaration(in.out);
}

// --- time

std::optional<base::SteadyTime> Turn::deadline_of(Due what) const {
  switch (what) {
    case Due::book: return book_.deadline();
    case Due::stop: return clock_.is_hurried() ? std::nullopt : std::optional(clock_.hurry_at());
    case Due::others: return others_.deadline();
    case Due::rescue: return clock_.is_hurried() ? std::optional(clock_.rescue_at()) : std::nullopt;
    case Due::old_search: return clock_.is_hurried() ? std::nullopt : old_searches_at_;
    case Due::silence: return silence_.deadline();
  }
  return std::nullopt;
}

std::optional<base::SteadyTime> Turn::deadline() const {
  std::optional<base::SteadyTime> next;
  for (const Due what : all_due) {
    next = base::earlier(next, deadline_of(what));
  }
  return next;
}

void Turn::on_time(const Inputs& in) {
  for (const Due what : all_due) {
    if (const auto at = deadline_of(what); !answer_ && at && in.expired(*at)) {
      see_to(what, in);
    }
  }
}

void Turn::see_to(Due what, const Inputs& in) {
  switch (what) {
    case Due::book:
      book_.give_up();
      in.out.warn("book_silent", say("the book has not answered for {}; the engine is asked",
                                     duration(clock_.spent(in.now.steady).count())));
      clock_.set(limits(in, clock_.spent(in.now.steady)));
      think(in);
      break;
    case Due::stop: hurry(in); break;
    case Due::others: follow(in, others_.on_time(for_team(in))); break;
    case Due::rescue:
      if (const auto chosen = others_.settle_now(for_team(in))) {
        follow(in, *chosen);
      } else {
        is_overdue_ = true;
        play_without_engine(in, RescueCause::silent, say("no move came in time"));
      }
      break;
    case Due::old_search:
      if (!in.lines_wait) {
        look_at_old_searches(in);
      }
      break;
    case Due::silence:
      if (!in.lines_wait) {
        look_at_silence(in);
      }
      break;
  }
}

void Turn::on_stop_obeyed(const Inputs& in) {
  if (!clock_.is_hurried() && clock_.entitled()) {
    clock_.set(limits(in, clock_.spent(in.now.steady)));
  }
}

void Turn::hurry(const Inputs& in) {
  clock_.hurry();
  // How late this process is may have shown since the turn began.
  if (clock_.entitled()) {
    clock_.rescue_within(limits(in, Millis{0}).rescue_after);
  }
  if (!search_) {
    return;
  }
  in.out.warn("engine_hurried", say("the engine has used its time of {}; it is told to stop",
                                    duration(clock_.limits().hurry_after.count())));
  in.out.count(Incident::engine_hurried);
  in.team.hurry(in.now, in.out);
  const Millis left = clock_.limits().rescue_after - clock_.spent(in.now.steady);
  if (clock_.entitled() && left >= consultation_min && !in.lines_wait && !others_.is_shared()) {
    usi::GoTimes times;
    times.byoyomi = left / 2;
    if (const auto other = in.team.substitute()) {
      in.team.consult({in.position_line(*other), usi::format_go(times, false), false}, in.out);
    }
  }
}

void Turn::end_step(const Context& context) {
  const EngineTeam& team = context.team;
  const bool is_searched = search_ && !team.player().is_search_queued();
  clock_.watch_idleness(book_.is_open() || is_searched || others_.is_awaiting(), context.now.steady);
  if (is_searched && !clock_.is_hurried()) {
    stop_orders_.tell(context, team.player_seat(), *search_, clock_.hurry_at());
  }
  others_.tell_keepers(context, stop_orders_);
}

// --- an engine that says nothing

void Turn::watch_silence(const Inputs& in) {
  silence_.end();
  if (!clock_.entitled() || clock_.is_hurried()) {
    return;
  }
  if (search_) {
    silence_.begin(in);
  } else if (in.trouble.searches_lost >= searches_lost_max) {
    silence_.wait_for_engine(in);
  }
}

void Turn::on_engine_link(const Inputs& in) {
  others_.on_engine_link(for_team(in));
  watch_old_searches(in, in.now.steady);
  if (search_ && !clock_.is_hurried() && clock_.entitled()) {
    silence_.on_link(in);
  }
}

void Turn::look_at_silence(const Inputs& in) {
  if (search_ && !clock_.is_hurried()) {
    if (silence_.look(in, !others_.is_shared())) {
      request_search(in);
    }
    return;
  }
  silence_.end();
  if (!clock_.is_hurried() && in.trouble.searches_lost >= searches_lost_max && !others_.is_shared()) {
    play_without_engine(in, RescueCause::gone, say("no engine has answered for a long time"));
  }
}

// --- an engine that goes on with an old search, told to stop or not: ours waits behind it

std::optional<base::SteadyTime> Turn::old_search_limit(const Inputs& in, EngineTeam::Seat seat) const {
  const EngineSupervisor& engine = in.team.member(seat);
  const auto search = engine.current_search();
  const bool is_asked = search && ((seat == in.team.player_seat() && search_) || others_.awaits(seat, *search));
  const auto told = engine.searches() != nullptr ? engine.searches()->told_to_stop_at() : std::nullopt;
  if (!is_asked || !engine.is_search_queued() || engine.link().out_since() || !told) {
    return std::nullopt;
  }
  const OldSearchPatience patience = old_search_patience(in, seat, clock_.limits().given);
  const bool has_substitute = !others_.is_shared() && in.team.may_doubt();
  return has_substitute ? *told + patience.to_stand_in
                        : std::max(*told + patience.to_replace, clock_.started() + patience.on_turn);
}

void Turn::watch_old_searches(const Inputs& in, base::SteadyTime no_sooner) {
  old_searches_at_.reset();
  for (EngineTeam::Seat seat = 0; seat < in.team.size(); ++seat) {
    if (const auto limit = old_search_limit(in, seat)) {
      old_searches_at_ = base::earlier(old_searches_at_, std::max(*limit, no_sooner));
    }
  }
}

bool Turn::pays_to_restart(const Inputs& in, EngineTeam::Seat seat) const {
  const Millis slowest = in.team.member(seat).known().habits.slowest_ready;
  const Millis left = clock_.limits().hurry_after - clock_.gone(in.now.steady);
  return others_.is_shared() || left >= slowest + slowest / 4 + search_again_min;
}

void Turn::look_at_old_searches(const Inputs& in) {
  for (EngineTeam::Seat seat = 0; seat < in.team.size(); ++seat) {
    const auto limit = old_search_limit(in, seat);
    if (!limit || !in.expired(*limit)) {
      continue;
    }
    in.team.note_deaf(seat, in.out);
    if (!others_.is_shared() && in.team.may_doubt()) {
      in.team.stand_in(say("the other one has yet to obey stop"), in.now, in.out);
      request_search(in);
      return;
    }
    if (pays_to_restart(in, seat)) {
      const base::SteadyTime told = *in.team.member(seat).searches()->told_to_stop_at();
      in.take(in.team.replace(seat,
                              say("{} sent no bestmove within {} after stop", in.team.member(seat).known().who,
                                  duration(base::millis_between(told, in.now.steady).count())),
                              in.now, in.out));
    }
  }
  watch_old_searches(in, in.now.steady + look_again);
}

// --- an engine that is lost, or of no use: another one while there is time, and a legal move when there is none

void Turn::on_lost(const Inputs& in, const EngineLost& lost) {
  int& searches_lost = in.trouble.searches_lost;
  if (others_.is_shared()) {
    others_.lose(lost.seat);
    // Who takes its place may be at the search already, or through with it.
    const Consultation::Member& player = others_.member(in.team.player_seat());
    expect(in, player.search);
    if (search_) {
      in.thinking.adopt(player.thought);
      watch_silence(in);
    }
    const TeamTurn::Verdict verdict = others_.settle(for_team(in));
    if (!std::holds_alternative<TeamTurn::Nobody>(verdict)) {
      follow(in, verdict);
      return;
    }
    ++searches_lost;
  } else if (search_ && lost.seat != search_seat_) {
    return;  // in the same step another one has been asked
  } else if (search_ && !lost.goes_on) {
    ++searches_lost;
  }
  expect(in, lost.goes_on);
  if (lost.goes_on) {
    in.thinking.begin(in.game.ply(), in.game.summary().our_color);
    watch_silence(in);
  }
  if (lost.is_replaced || book_.is_open()) {
    return;  // another one has the turn, or the book has, and an engine is looked for behind it
  }
  in.out.warn("engine_lost_on_turn", say("our clock runs without an engine: {}", lost.why));
  in.out.count(Incident::engine_lost_on_turn);
  const bool is_long = clock_.spent(in.now.steady) >= patience(in);
  if (lost.is_missing) {
    play_without_engine(in, RescueCause::gone, say("the engine cannot be started"));
  } else if (!may_be_back(in, clock_)) {
    play_without_engine(in, RescueCause::gone, say("no engine is started again in time"));
  } else if (clock_.entitled() &&
             (searches_lost >= searches_lost_max || (searches_lost == searches_lost_max - 1 && is_long))) {
    play_without_engine(in, RescueCause::gone, say("the engine was lost in {} searches in a row", searches_lost));
  }
}

bool Turn::doubts_line(const Inputs& in, EngineTeam::Seat seat) {
  EngineKnowledge& known = in.team.member(seat).known();
  if (!known.lines.on_unusable()) {
    return false;
  }
  in.out.warn("position_alone",
              say("{} may not have got the whole position line, which has {} bytes: from that length on it is "
                  "asked by the position alone, and knows no repetition",
                  known.who, in.game.command().text().size()));
  return true;
}

void Turn::rescue(const Inputs& in, const base::Message& why) {
  report_unusable(in, why);
  // The engine itself may be well, and keeps its table.
  if (doubts_line(in, in.team.player_seat()) && !std::exchange(is_asked_anew_, true) && has_time_to_search(in)) {
    begin_search(in);
    return;
  }
  ++unusable_answers_;
  // Another engine that waits can begin at once; a restarted one needs its time to get ready.
  const Millis needed = in.team.substitute() ? Millis{0} : restart_on_turn_min;
  // One that was asked already at the `stop` answers before the rescue must act.
  const bool is_too_late = !in.team.aside().is_consulting() && clock_.limits().hurry_after - clock_.spent(in.now.steady) < needed;
  if (unusable_answers_ > 1 || is_too_late) {
    play_without_engine(in, RescueCause::unusable, say("the engine gave no usable move"));
    return;
  }
  in.take(in.team.replace(in.team.player_seat(), say("the engine gave an unusable move"), in.now, in.out));
}

void Turn::play_without_engine(const Inputs& in, RescueCause cause, const base::Message& why) {
  in.team.player().abandon(in.now, in.out);
  search_.reset();
  if (in.config.engine.on_failure == config::OnFailure::resign) {
    answer_ = Resign{say("{} (engine.on_failure: resign)", why)};
    return;
  }
  play_fallback(in, why, cause);
}

void Turn::play_fallback(const Inputs& in, const base::Message& why, std::optional<RescueCause> cause) {
  others_.lend_line(in.thinking);
  const auto fallback = choose_fallback(in.game, in.thinking, in.team.aside().advice());
  if (!fallback) {
    answer_ = Resign{say("there is no legal move")};
    return;
  }
  const auto text =
      say("{}; {}", why,
          say("playing {}, {}", fallback->source, shogi::csa::format_move(in.game.position(), fallback->move)));
  if (cause) {
    in.out.tell(RescuePlayed{*cause, text});
  } else {
    in.out.warn("resignation_declined", text);
  }
  if (cause && cause != RescueCause::silent) {
    clock_.end_thinking(in.now.steady);
  }
  if (cause && in.trouble.rescues.size() < FinishedGame::rescues_max) {
    in.trouble.rescues.push_back({in.game.ply() + 1, rescue_words(why, fallback->source)});
  }
  in.ahead.expect({});
  answer_ = Play{fallback->move};
}

}  // namespace kakehashi::bridge
