#include "bridge/game/ahead.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/overload.hpp"
#include "bridge/event.hpp"
#include "shogi/book/book.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::bridge {

using base::Millis;

namespace {

/// More than there are members is never thought about.
constexpr std::size_t replies_max = 48;

/// Where nothing is known of a position: captures of much by little, promotions and checks before all else.
std::vector<std::string> promising_moves(const shogi::Position& position) {
  // By PieceKind, in pawns; a king is never taken.
  constexpr std::array values{1, 3, 4, 5, 6, 8, 10, 0, 7, 6, 6, 6, 10, 12};
  const auto value_at = [&](shogi::Square square) {
    const auto piece = position.at(square);
    return piece ? values[static_cast<std::size_t>(piece->kind)] : 0;
  };
  const shogi::Color other = shogi::opposite(position.side_to_move());
  std::vector<std::pair<int, std::string>> ranked;
  for (const shogi::Move& move : shogi::legal_moves(position)) {
    shogi::Position behind = position;
    behind.play(move);
    const int gain = move.is_drop() ? 0 : 10 * value_at(move.to()) - (value_at(move.to()) > 0 ? value_at(move.from()) : 0);
    const int merit = gain + (move.promotes() ? 15 : 0) + (shogi::is_in_check(behind, other) ? 12 : 0);
    ranked.emplace_back(-merit, shogi::usi::format_move(move));
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& one, const auto& next) { return one.first < next.first; });
  std::vector<std::string> moves;
  moves.reserve(ranked.size());
  for (auto& [merit, text] : ranked) {
    moves.push_back(std::move(text));
  }
  return moves;
}

}  // namespace

base::Message describe(const PonderStatistics& statistics) {
  const auto percent = statistics.hits * 100 / statistics.searches;
  const auto gained = base::duration(statistics.gained.count());
  return statistics.searches == 1 ? base::say("{} time, {} replies came as expected ({} %), which gained {}",
                                              statistics.searches, statistics.hits, percent, gained)
                                  : base::say("{} times, {} replies came as expected ({} %), which gained {}",
                                              statistics.searches, statistics.hits, percent, gained);
}

// --- the beginning

MultiPonder& Ahead::scheduler(const Context& context) {
  if (!scheduler_) {
    scheduler_.emplace(context.team.engines().weights(), !context.team.consults());
  }
  return *scheduler_;
}

void Ahead::begin(const Context& context, const Game& game, Thinking& thinking, bool is_free,
                  const std::optional<Unconfirmed>& unconfirmed) {
  is_due_ = false;
  std::string reply = std::exchange(expected_, {});
  if (context.config.ponder == config::Ponder::off || !is_free || game.is_ended_by_rule() || !is_over()) {
    return;
  }
  const shogi::Color us = game.summary().our_color;
  Situation now{.began = context.now.steady,
                .position = game.position(),
                .command = game.command(),
                .game_clock = game.game_clock(),
                .ply = game.ply(),
                .us = us};
  if (unconfirmed) {
    now.position.play(unconfirmed->move);
    now.command.append(unconfirmed->move);
    now.game_clock.charge(us, unconfirmed->charge);
    ++now.ply;
  }
  if (read_choice(now.position, reply).kind == EngineChoice::Kind::move) {
    now.predicted.push_back(std::move(reply));
  }
  now.survey = std::min(survey_max, think_time(now.game_clock, us, Millis{0}, context.rules()).given / survey_parts);
  if (const auto usual = replies_took_.middle()) {
    now.survey = std::min(now.survey, *usual / survey_parts_of_reply);
  }
  situation_ = std::move(now);
  if (context.team.thinks_together() && game.is_for_engines()) {
    begin_together(context, thinking);
  } else if (!context.team.thinks_together() && !situation_->predicted.empty() && context.team.player().is_idle() &&
             context.team.engines().may_ponder(context.team.player_seat())) {
    begin_alone(context, thinking);
  }
}

void Ahead::begin_alone(const Context& context, Thinking& thinking) {
  const Seat seat = context.team.player_seat();
  MultiPonder& scheduler = this->scheduler(context);
  static_cast<void>(scheduler.end());
  for (Seat other = 0; other < context.team.size(); ++other) {
    static_cast<void>(other == seat ? scheduler.ready(other, context.now.steady)
                                    : scheduler.lost({other}, context.now.steady));
  }
  obey(scheduler.begin(situation_->predicted, seat, Millis{0}, context.now.steady), context, thinking);
}

void Ahead::begin_together(const Context& context, Thinking& thinking) {
  MultiPonder& scheduler = this->scheduler(context);
  static_cast<void>(muster(context, For::opponents_turn));
  if (context.team.consults()) {
    obey(scheduler.begin(situation_->predicted, context.team.player_seat(), Millis{0}, context.now.steady), context, thinking);
    return;
  }
  if (!context.config.book.file.empty()) {
    situation_->lookup = ++context.book.lookups;
    context.out.add(LookUpBook{*situation_->lookup, shogi::book::key_of(situation_->position)});
  }
  bool has_lines = false;
  for (Seat seat = 0; seat < context.team.size(); ++seat) {
    has_lines = has_lines || (context.team.engines().may_think(seat) && context.team.member(seat).has_lines());
  }
  const bool is_surveyed = has_lines && situation_->survey >= survey_min;
  obey(scheduler.begin(replies(!is_surveyed), context.team.player_seat(), is_surveyed ? situation_->survey : Millis{0},
                       context.now.steady),
       context, thinking);
}

std::vector<std::string> Ahead::replies(bool with_guesses) const {
  std::vector<std::string> all = situation_->predicted;
  for (const auto* source : {&situation_->surveyed, &situation_->in_book}) {
    std::copy_if(source->begin(), source->end(), std::back_inserter(all), [&](const std::string& reply) {
      return read_choice(situation_->position, reply).kind == EngineChoice::Kind::move;
    });
  }
  if (with_guesses) {
    std::vector<std::string> guesses = promising_moves(situation_->position);
    std::move(guesses.begin(), guesses.end(), std::back_inserter(all));
  }
  all.resize(std::min(all.size(), replies_max));
  return all;
}

// --- meanwhile

MultiPonder::Orders Ahead::muster(const Context& context, For turn) {
  MultiPonder& scheduler = this->scheduler(context);
  const EnginePool& engines = context.team.engines();
  const auto may_think = [&](Seat seat) {
    return engines.may_think(seat) && (turn == For::our_turn || engines.may_ponder(seat));
  };
  std::vector<Seat> lost;
  for (Seat seat = 0; seat < context.team.size(); ++seat) {
    const auto mine = std::find_if(pondering_.begin(), pondering_.end(), [&](const auto& one) { return one.seat == seat; });
    const bool has_lost_it = mine != pondering_.end() && context.team.member(seat).current_search() != mine->search;
    if (scheduler.is_there(seat) && (!may_think(seat) || has_lost_it)) {
      stop(seat, context);
      lost.push_back(seat);
    }
  }
  MultiPonder::Orders orders = scheduler.lost(lost, context.now.steady);
  for (Seat seat = 0; seat < context.team.size(); ++seat) {
    if (!scheduler.is_there(seat) && may_think(seat)) {
      MultiPonder::Orders more = scheduler.ready(seat, context.now.steady);
      std::move(more.begin(), more.end(), std::back_inserter(orders));
    }
  }
  return orders;
}

void Ahead::follow(const Context& context, Thinking& thinking) {
  if (!context.team.thinks_together() || !scheduler_ || !scheduler_->is_open()) {
    return;
  }
  obey(muster(context, For::opponents_turn), context, thinking);
  const auto surveyed_by = scheduler_->deadline();
  const bool is_surveyed = surveyed_by && context.expired(*surveyed_by);
  if (is_surveyed && survey_) {
    situation_->surveyed = survey_->lines;
  }
  if (is_surveyed || (!surveyed_by && situation_->has_news)) {
    situation_->has_news = false;
    obey(scheduler_->replies(replies(true), context.now.steady), context, thinking);
    obey(scheduler_->on_time(context.now.steady), context, thinking);
  }
}

std::optional<base::SteadyTime> Ahead::deadline() const { return scheduler_ ? scheduler_->deadline() : std::nullopt; }

void Ahead::on_book_answered(const BookAnswered& answer) {
  if (!situation_ || situation_->lookup != answer.number) {
    return;
  }
  situation_->lookup.reset();
  for (const shogi::book::Move& move : shogi::book::read_moves(answer.lines)) {
    situation_->in_book.push_back(move.text);
  }
  situation_->has_news = !situation_->in_book.empty();
}

void Ahead::on_info(Seat seat, const usi::SearchInfo& info, Thinking& thinking) {
  for (Pondering& pondering : pondering_) {
    if (pondering.seat == seat && pondering.search == info.search && !pondering.is_rewound) {
      pondering.thought.take(info.info);
      if (is_shown(pondering)) {
        thinking.take(info.info);
      }
    }
  }
  if (survey_ && survey_->seat == seat && survey_->search == info.search && !info.info.pv.empty()) {
    const auto line = static_cast<std::size_t>(std::max<std::int64_t>(1, info.info.multipv.value_or(1)));
    if (line <= survey_->lines.size() + 1 && line <= lines_max) {
      survey_->lines.resize(std::max(survey_->lines.size(), line));
      survey_->lines[line - 1] = info.info.pv.front();
    }
  }
}

// --- what members are told

bool Ahead::is_shown(const Pondering& pondering) const { return &pondering == find(situation_->shown); }

std::optional<shogi::Move> Ahead::predicted() const {
  if (const Pondering* shown = situation_ ? find(situation_->shown) : nullptr) {
    return shown->predicted;
  }
  return kept_ ? std::optional(kept_->pondering.predicted) : std::nullopt;
}

void Ahead::obey(const MultiPonder::Orders& orders, const Context& context, Thinking& thinking) {
  for (const MultiPonder::Order& order : orders) {
    std::visit(base::Overload{
                   [&](const MultiPonder::Ponder& one) { ponder(one, context, thinking); },
                   [&](const MultiPonder::Survey& one) { survey(one, context); },
                   [&](const MultiPonder::Stop& one) { stop(one.seat, context); },
                   [](const MultiPonder::Hit&) {},     // take_up() sees to these
                   [](const MultiPonder::Search&) {},
               },
               order);
  }
}

void Ahead::ponder(const MultiPonder::Ponder& order, const Context& context, Thinking& thinking) {
  stop(order.seat, context);
  context.team.member(order.seat).abandon(context.now, context.out);
  const shogi::Move predicted = read_choice(situation_->position, order.reply).move;
  const usi::GoTimes times =
      think_time(situation_->game_clock, situation_->us, Millis{0}, context.rules(order.seat)).go;
  std::string line = situation_->command.with(predicted);
  if (context.team.member(order.seat).known().lines.is_too_long(line.size())) {
    line = PositionCommand(situation_->position).with(predicted);  // Stochastic_Ponder looks at the position before it
  }
  const auto search = context.team.member(order.seat).search(
      {std::move(line), usi::format_go(times, true), true}, context.out);
  if (!search) {
    return;
  }
  if (!std::exchange(situation_->is_counted, true)) {
    ++statistics_.searches;
  }
  if (find(situation_->shown) == nullptr) {
    situation_->shown = order.reply;
    thinking.begin(situation_->ply + 1, situation_->us);
  }
  pondering_.push_back({.seat = order.seat, .search = *search, .predicted = predicted, .reply = order.reply,
                        .started = context.now.steady,
                        .is_rewound = context.team.member(order.seat).known().options.rewinds_when_pondering()});
}

void Ahead::survey(const MultiPonder::Survey& order, const Context& context) {
  context.team.member(order.seat).abandon(context.now, context.out);
  const auto lines = static_cast<int>(std::min(context.team.size(), lines_max));
  const auto search =
      context.team.member(order.seat)
          .search({context.position_line(order.seat, situation_->command.text(), situation_->position), "go infinite", false, lines},
                  context.out);
  if (search) {
    survey_ = Survey{order.seat, *search};
  }
}

void Ahead::stop(Seat seat, const Context& context) {
  const bool surveys = survey_ && survey_->seat == seat;
  const auto gone = std::erase_if(pondering_, [&](const Pondering& one) { return one.seat == seat; });
  if (surveys) {
    survey_.reset();
  }
  if (surveys || gone > 0) {
    context.team.member(seat).abandon(context.now, context.out);
  }
}

const Ahead::Pondering* Ahead::find(std::string_view reply) const {
  const auto found = std::find_if(pondering_.begin(), pondering_.end(), [&](const auto& one) { return one.reply == reply; });
  return found == pondering_.end() ? nullptr : &*found;
}

// --- the end

Ahead::Found Ahead::take_up(const Context& context, const Game& game, Thinking& thinking, base::SteadyTime turn_started,
                            bool is_late) {
  Found found{.has_pondered = !pondering_.empty() || kept_};
  const bool is_together = context.team.thinks_together();
  if (situation_ && situation_->ply + 1 == game.ply()) {
    replies_took_.take(base::millis_between(situation_->began, turn_started));
    replies_took_.end_move();
  }
  if (!found.has_pondered && !is_together) {
    return found;
  }
  const std::string reply = game.moves().empty() ? "" : shogi::usi::format_move(game.moves().back().move);
  // Who plays goes on playing, if it is one of them and another is not easier to reach.
  const auto merit = [&](const Pondering& one) {
    return std::pair(!context.team.member(one.seat).link().out_since(), one.seat == context.team.player_seat());
  };
  std::optional<Pondering> hit;
  bool is_heard = false;
  for (const Pondering& one : pondering_) {
    if (one.reply != reply || is_late || !is_good(one, context)) {
      continue;
    }
    if (!hit || merit(one) > merit(*hit)) {
      hit = one;
      is_heard = is_shown(one);
    }
  }
  MultiPonder& scheduler = this->scheduler(context);
  if (hit) {
    std::vector<Seat> spoilt;
    for (const Pondering& one : pondering_) {
      if (one.reply == reply && !is_good(one, context)) {
        spoilt.push_back(one.seat);
      } else if (one.reply == reply && one.seat != hit->seat) {
        found.others.push_back({one.seat, one.search, one.thought});
      }
    }
    static_cast<void>(scheduler.lost(spoilt, turn_started));
    for (const Seat seat : spoilt) {
      stop(seat, context);
    }
    std::erase_if(pondering_, [&](const Pondering& one) { return one.reply == reply; });
    obey(scheduler.reply(reply, turn_started), context, thinking);
    context.team.play(hit->seat);
    found.search = hit->search;
    if (!is_heard) {
      thinking.begin(situation_->ply + 1, situation_->us);
      thinking.adopt(std::move(hit->thought));
    }
  } else {
    const std::vector<Seat> slow = slow_members(context);
    drop_members(context);
    if (kept_ && kept_->pondering.reply == reply &&
        read_choice(game.position(), kept_->answer.move).kind != EngineChoice::Kind::unusable) {
      hit = kept_->pondering;
      found.answer = kept_->answer;
    } else if (is_together) {
      give_turn(slow, context);
    }
  }
  kept_.reset();
  if (hit) {
    found.is_hit = true;
    ++statistics_.hits;
    statistics_.gained += base::millis_between(hit->started, turn_started);
  }
  return found;
}

bool Ahead::is_good(const Pondering& pondering, const Context& context) const {
  const EngineSupervisor& member = context.team.member(pondering.seat);
  // An answer that a rewound search has given already is the opponent's move, and no use.
  return member.current_search() == pondering.search && !(pondering.is_rewound && member.is_idle()) &&
         !(context.team.thinks_together() && member.is_search_queued());
}

std::vector<Ahead::Seat> Ahead::slow_members(const Context& context) const {
  std::vector<Seat> slow;
  for (Seat seat = 0; seat < context.team.size(); ++seat) {
    const EngineSupervisor& member = context.team.member(seat);
    const bool is_at_work = (survey_ && survey_->seat == seat) ||
                            std::any_of(pondering_.begin(), pondering_.end(), [&](const auto& one) { return one.seat == seat; });
    if (member.link().out_since() || member.is_search_queued() || (!is_at_work && !member.is_idle())) {
      slow.push_back(seat);
    }
  }
  return slow;
}

void Ahead::give_turn(const std::vector<Seat>& slow, const Context& context) {
  MultiPonder& scheduler = this->scheduler(context);
  static_cast<void>(muster(context, For::our_turn));
  bool are_all_slow = true;
  for (Seat seat = 0; seat < context.team.size(); ++seat) {
    are_all_slow = are_all_slow && (!scheduler.is_there(seat) || std::find(slow.begin(), slow.end(), seat) != slow.end());
  }
  static_cast<void>(are_all_slow ? MultiPonder::Orders{} : scheduler.lost(slow, context.now.steady));
  for (const MultiPonder::Order& order : scheduler.reply({}, context.now.steady)) {
    if (const auto* search = std::get_if<MultiPonder::Search>(&order)) {
      context.team.play(search->seat);
    }
  }
}

void Ahead::on_lost(const EngineLost& lost, bool is_our_turn, bool thinks_together) {
  const auto found = std::find_if(pondering_.begin(), pondering_.end(), [&](const auto& one) { return one.seat == lost.seat; });
  if (found == pondering_.end()) {
    return;
  }
  if (lost.parked && lost.parked->search == found->search && !found->is_rewound) {
    kept_ = Kept{*found, *lost.parked};
  } else if (lost.is_replaced && !is_our_turn && !thinks_together) {
    expected_ = found->reply;
    is_due_ = true;
  }
  pondering_.erase(found);
}

void Ahead::drop_members(const Context& context) {
  if (scheduler_) {
    static_cast<void>(scheduler_->end());
  }
  while (!pondering_.empty()) {
    stop(pondering_.front().seat, context);
  }
  if (survey_) {
    stop(survey_->seat, context);
  }
}

void Ahead::drop(const Context& context) {
  drop_members(context);
  kept_.reset();
}

}  // namespace kakehashi::bridge
