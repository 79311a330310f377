#include "bridge/game/team_turn.hpp"

#include <algorithm>
#include <string>

#include "base/text.hpp"
#include "bridge/game/silence_watch.hpp"

namespace kakehashi::bridge {

using base::Millis;

namespace {

/// With an answer in hand the others get as long as one engine is waited for without a doubt (shortest_patience). Then
/// they are told to stop, and have so long to obey.
constexpr Millis stop_wait{1'000};

}  // namespace

void StopOrders::tell(const Context& context, EngineTeam::Seat seat, usi::SearchId search, base::SteadyTime at) {
  const EngineId engine = context.team.member(seat).id();
  const auto told = told_.find(engine);
  const std::pair wanted(search, at);
  if (context.team.member(seat).known().config.is_kept() && (told == told_.end() || told->second != wanted)) {
    told_.insert_or_assign(engine, wanted);
    context.out.add(StopEngineAt{engine, at});
  }
}

// --- who is asked

void TeamTurn::ask(const Inputs& in, usi::SearchId search, const std::vector<Ahead::Hit>& hits) {
  const Seat player = in.team.player_seat();
  const bool may_resign = in.config.game.resign.by != config::Resign::By::never;
  consultation_.emplace(in.config.engine.team_play, in.team.engines().weights(), may_resign);
  consultation_->ask(player, search, std::nullopt);
  consultation_->adopt(player, in.thinking.thought());
  for (Seat seat = 0; seat < in.team.size(); ++seat) {
    if (seat == player) {
      continue;
    }
    if (!in.team.engines().may_think(seat) || in.team.member(seat).link().out_since()) {
      in.team.member(seat).abandon(in.now, in.out);
      continue;
    }
    const auto hit = std::find_if(hits.begin(), hits.end(), [&](const Ahead::Hit& one) { return one.seat == seat; });
    if (hit == hits.end()) {
      in.team.member(seat).abandon(in.now, in.out);
      ask_one(in, seat);
      continue;
    }
    const ThinkTime own = in.limits(seat, in.clock.gone(in.now.steady));
    consultation_->ask(seat, hit->search, in.clock.started() + own.hurry_after);
    consultation_->adopt(seat, hit->thought);
    in.take(in.team.ask_by_ponderhit(seat, in.ponderhit_times(own), in.now, in.out));
  }
  if (!consultation_->is_shared()) {
    consultation_.reset();
    in.team.ask_no_more();
  }
}

void TeamTurn::ask_one(const Inputs& in, Seat seat) {
  const ThinkTime own = in.limits(seat, in.clock.gone(in.now.steady));
  const auto search =
      in.team.ask(seat, {in.position_line(seat), usi::format_go(own.go, false), false}, in.out);
  if (search) {
    consultation_->ask(seat, *search, in.clock.started() + own.hurry_after);
  }
}

void TeamTurn::follow_player(Seat player, usi::SearchId search) {
  if (consultation_) {
    consultation_->ask(player, search, std::nullopt);
  }
}

void TeamTurn::renew_queued_search(const Inputs& in, Seat seat) {
  if (consultation_ && consultation_->is_awaited(seat)) {
    ask_one(in, seat);
  }
}

// --- what they say

void TeamTurn::on_info(Seat seat, const usi::SearchInfo& info) {
  if (consultation_) {
    consultation_->on_info(seat, info);
  }
}

TeamTurn::Verdict TeamTurn::say(const Inputs& in, Seat seat, Consultation::Opinion opinion) {
  note(seat, std::move(opinion));
  return settle(in);
}

void TeamTurn::note(Seat seat, Consultation::Opinion opinion) { consultation_->say(seat, std::move(opinion)); }

void TeamTurn::lose(Seat seat) {
  if (is_shared()) {
    consultation_->lose(seat);
  }
}

// --- what comes of it

/// With an answer in hand the others are not waited for as long as there is time.
TeamTurn::Verdict TeamTurn::settle(const Inputs& in) {
  if (!is_shared()) {
    return Open{};
  }
  if (const auto seat = consultation_->decided()) {
    return conclude(in, *seat);
  }
  if (!consultation_->is_awaiting()) {
    go_on_alone(in);
    return Nobody{};
  }
  if (consultation_->has_move()) {
    wait_until_ = is_wait_over_ ? wait_until_ : wait_end(in);
  } else if (consultation_->is_awaiting_only(in.team.player_seat())) {
    go_on_alone(in);  // its answer is the team's, whatever it is; and it may be doubted and advised by those that are idle
  }
  return Open{};
}

std::optional<TeamTurn::Chosen> TeamTurn::settle_now(const Inputs& in) {
  const auto seat = is_shared() ? consultation_->choose() : std::nullopt;
  return seat ? std::optional(conclude(in, *seat)) : std::nullopt;
}

TeamTurn::Chosen TeamTurn::conclude(const Inputs& in, Seat seat) {
  const std::vector<Consultation::Member>& members = consultation_->members();
  bool is_unanimous = true;
  std::vector<std::string> all;
  for (Seat one = 0; one < members.size(); ++one) {
    if (consultation_->is_awaited(one)) {
      in.team.member(one).abandon(in.now, in.out);
      consultation_->lose(one);
    }
    if (members[one].said) {
      is_unanimous = is_unanimous && members[one].said->move == members[seat].said->move;
      all.push_back(in.team.member(one).known().name_in_team + " " + members[one].said->shown);
    }
  }
  const Consultation::Opinion& said = *members[seat].said;
  wait_until_.reset();
  if (in.team.member(seat).is_ready()) {
    in.team.play(seat);
  }
  in.thinking.adopt(members[seat].thought);
  in.out.note(is_unanimous ? Level::debug : Level::info, "consulted",
              base::say("the team plays {} of {}: {}", said.shown, in.team.member(seat).known().name_in_team,
                        base::join(all, ", ")));
  return Chosen{seat, {usi::SearchId{}, said.move, said.ponder}};
}

void TeamTurn::go_on_alone(const Inputs& in) {
  is_alone_ = true;
  wait_until_.reset();
  in.team.ask_no_more();
}

void TeamTurn::lend_line(Thinking& thinking) const {
  const auto seat = consultation_ && thinking.thought().pv.empty() ? consultation_->first_with_line() : std::nullopt;
  if (seat) {
    thinking.adopt(member(*seat).thought);
  }
}

// --- time

std::optional<base::SteadyTime> TeamTurn::deadline() const {
  return is_shared() ? base::earlier(consultation_->next_stop(), wait_until_) : std::nullopt;
}

TeamTurn::Verdict TeamTurn::on_time(const Inputs& in) {
  stop_those_due(in);
  return wait_until_ && in.expired(*wait_until_) ? wait_no_more(in) : Open{};
}

void TeamTurn::on_engine_link(const Inputs& in) {
  if (is_shared() && wait_until_ && !is_wait_over_) {
    wait_until_ = wait_end(in);
  }
}

void TeamTurn::stop_those_due(const Inputs& in) {
  const std::vector<Consultation::Member>& members = consultation_->members();
  for (Seat seat = 0; seat < members.size(); ++seat) {
    if (members[seat].search && members[seat].stop_at && in.expired(*members[seat].stop_at)) {
      consultation_->note_stopped(seat);
      in.team.member(seat).hurry(in.now, in.out);
    }
  }
}

TeamTurn::Verdict TeamTurn::wait_no_more(const Inputs& in) {
  if (std::exchange(is_wait_over_, true) || in.expired(answer_by(in)) || all_out_since(in)) {
    wait_until_.reset();
    const auto chosen = settle_now(in);
    return chosen ? Verdict(*chosen) : Open{};
  }
  in.out.note(Level::debug, "engine_hurried",
              base::say("with an answer in hand the team waits no longer for the others; they are told to stop"));
  Millis longest = stop_wait;
  for (Seat seat = 0; seat < in.team.size(); ++seat) {
    if (consultation_->is_awaited(seat)) {
      longest = std::max(longest, 2 * in.team.member(seat).known().habits.stops.expected());
      consultation_->note_stopped(seat);
      in.team.member(seat).hurry(in.now, in.out, false);
    }
  }
  wait_until_ = std::min(in.now.steady + longest, answer_by(in));
  return Open{};
}

base::SteadyTime TeamTurn::wait_end(const Inputs& in) const {
  const Millis patience = in.clock.entitled() ? shortest_patience(in.game) : in.clock.limits().hurry_after;
  base::SteadyTime end = std::min(in.clock.started() + patience, answer_by(in));
  if (const auto out = all_out_since(in)) {
    end = std::min(end, *out + SilenceWatch::out_max);
  }
  return std::max(in.now.steady, end);
}

std::optional<base::SteadyTime> TeamTurn::all_out_since(const Inputs& in) const {
  std::optional<base::SteadyTime> last;
  for (Seat seat = 0; seat < in.team.size(); ++seat) {
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

Millis TeamTurn::longest_wait(const TurnContext& in, bool may_resign) const {
  Millis longest{0};
  for (Seat seat = 0; seat < in.team.size(); ++seat) {
    if (consultation_->is_awaited(seat)) {
      ThinkTimeRules rules = in.turn_rules(seat);
      rules.resigns = rules.resigns && may_resign;
      longest = std::max(longest, think_time(in.game.game_clock(), in.game.summary().our_color, Millis{0}, rules).rescue_after);
    }
  }
  return longest;
}

base::SteadyTime TeamTurn::answer_by(const Inputs& in) const {
  return in.clock.started() + longest_wait(in, false);
}

void TeamTurn::tell_keepers(const Context& context, StopOrders& orders) const {
  for (Seat seat = 0; is_shared() && seat < context.team.size(); ++seat) {
    const Consultation::Member& member = consultation_->members()[seat];
    const bool is_told_otherwise = seat == context.team.player_seat() || context.team.member(seat).is_search_queued();
    if (member.search && member.stop_at && !is_told_otherwise) {
      orders.tell(context, seat, *member.search, *member.stop_at);
    }
  }
}

}  // namespace kakehashi::bridge
