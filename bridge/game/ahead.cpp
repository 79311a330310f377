#include "bridge/game/ahead.hpp"

#include <utility>

#include "base/text.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::bridge {

using base::Millis;

std::string describe(const PonderStatistics& statistics) {
  return std::to_string(statistics.searches) + (statistics.searches == 1 ? " time, " : " times, ") +
         std::to_string(statistics.hits) + " replies came as expected (" +
         std::to_string(statistics.hits * 100 / statistics.searches) + " %), which gained " +
         base::format_millis(statistics.gained.count());
}

void Ahead::begin(const Context& context, const Game& game, Thinking& thinking, bool is_free,
                  const std::optional<Unconfirmed>& unconfirmed) {
  is_due_ = false;
  const std::string reply = std::exchange(expected_, {});
  if (context.config.ponder == config::Ponder::off || reply.empty() || !is_free ||
      game.is_ended_by_rule() || pondering_ || !context.team.is_idle()) {
    return;
  }
  const shogi::Color us = game.summary().our_color;
  shogi::Position position = game.position();
  PositionCommand command = game.command();
  csa::GameClock game_clock = game.game_clock();
  int ply = game.ply();
  if (unconfirmed) {
    position.play(unconfirmed->move);
    command.append(unconfirmed->move);
    game_clock.charge(us, unconfirmed->charge);
    ++ply;
  }
  const EngineChoice predicted = read_choice(position, reply);
  if (predicted.kind != EngineChoice::Kind::move) {
    return;
  }
  // The engine plans with the clocks as they will stand on our next turn, as far as they are known.
  const ThinkTime limits = think_time(game_clock, us, Millis{0}, context.rules());
  const auto search = context.team.search(
      {command.with(predicted.move), usi::format_go(limits.go, true), true}, context.now, context.out);
  if (search) {
    ++statistics_.searches;
    pondering_ = Pondering{*search, predicted.move, context.now.steady,
                           context.team.player().known().options.rewinds_when_pondering()};
    thinking.begin(ply + 1, us);
  }
}

Ahead::Found Ahead::take_up(const Context& context, const Game& game, base::SteadyTime turn_started,
                            bool is_late) {
  if (!pondering_) {
    return {};
  }
  const Pondering pondering = *std::exchange(pondering_, std::nullopt);
  const bool is_predicted = game.moves().back().move == pondering.predicted;
  Found found{.has_pondered = true, .is_hit = is_predicted};
  if (pondering.parked) {
    if (!is_predicted || read_choice(game.position(), pondering.parked->move).kind == EngineChoice::Kind::unusable) {
      return found;
    }
    found.answer = pondering.parked;
  } else {
    // An answer that a rewound search has given already is the opponent's move, and no use.
    const bool is_answer_of_other_side = pondering.is_rewound && context.team.is_idle();
    if (!is_predicted || context.team.player().current_search() != pondering.search || is_answer_of_other_side ||
        is_late) {
      context.team.abandon(context.now, context.out);
      found.is_hit = false;
      return found;
    }
    found.search = pondering.search;
  }
  ++statistics_.hits;
  statistics_.gained += base::millis_between(pondering.started, turn_started);
  return found;
}

void Ahead::on_lost(const EngineLost& lost, bool is_our_turn) {
  if (!pondering_ || pondering_->parked) {
    return;
  }
  if (lost.parked && lost.parked->search == pondering_->search && !pondering_->is_rewound) {
    pondering_->parked = lost.parked;
    return;
  }
  if (lost.is_replaced && !is_our_turn) {
    expected_ = shogi::usi::format_move(pondering_->predicted);
    is_due_ = true;
  }
  pondering_.reset();
}

void Ahead::drop(const Context& context) {
  if (pondering_) {
    pondering_.reset();
    context.team.abandon(context.now, context.out);
  }
}

}  // namespace kakehashi::bridge
