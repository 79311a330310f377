// The door through which the games of a rehearsal are shown while they are played. Whoever plays them knows no terminal.
#pragma once

#include <cstddef>

#include "base/message.hpp"
#include "base/time.hpp"
#include "bridge/view.hpp"
#include "rehearse/series.hpp"

namespace kakehashi::rehearse {

/// What is told while games are played.
class Show {
 public:
  Show() = default;
  virtual ~Show() = default;
  Show(const Show&) = delete;
  Show& operator=(const Show&) = delete;

  /// Whether observe() is of use; a view costs a copy of the game.
  [[nodiscard]] virtual bool wants_views() const = 0;
  virtual void observe(std::size_t bot, bridge::View view) = 0;
  /// The clocks go on between moves.
  virtual void draw(base::SteadyTime now) = 0;
  /// A line outside the picture: below it, or in its turn.
  virtual void tell(const base::Message& line) = 0;
  virtual void moved(int game, int plies) = 0;
  virtual void ended(const SeriesResult& result, base::SteadyTime now) = 0;
  /// A game that was begun ends without a result.
  virtual void broken_off(int game) = 0;
};

}  // namespace kakehashi::rehearse
