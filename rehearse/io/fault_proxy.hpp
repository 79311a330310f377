// What a rehearsal takes over from an event (clock, move limit, the server's habits), which faults it adds on the way,
// and the way that has them: between the bots and the server it carries bytes, late and with the habits and faults that
// were asked for. It reads no more of CSA than AGREE and the answer to LOGIN.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/time.hpp"
#include "rehearse/rehearsal_report.hpp"

namespace boost::asio {
class io_context;
}

namespace kakehashi::rehearse::io {

/// Sources: floodgate's and the tournaments' published settings, as observed.
struct EventHabits {
  std::string game_name;
  int max_moves = 256;
  /// Games are paired when the clock on the wall shows a multiple of this; nothing: at once.
  std::optional<base::Millis> pair_every;
  /// From AGREE to the server's hearing of it: START is long in coming.
  base::Millis agree_held{0};
  /// So many pairings at the beginning are rejected by the other side.
  int rejected_pairings = 0;
};

/// "wcsc", "denryu" or "floodgate".
[[nodiscard]] std::optional<EventHabits> habits_of(std::string_view event);

struct Faults {
  base::Millis delay_max{0};       ///< of what travels, either way, drawn each time
  bool cuts_after_login = false;   ///< the first login loses its line at once, and one in four later
  bool kills_engines = false;      ///< one engine in each game, in its middle
};

/// "none", "mild" or "wild".
[[nodiscard]] std::optional<Faults> faults_of(std::string_view word);

// --- the way between the bots and the server

struct FaultPlan {
  std::uint16_t server_port = 0;
  base::Millis agree_held{0};
  int rejected_pairings = 0;
  Faults faults;
  std::uint64_t seed = 1;
};

class FaultProxy {
 public:
  /// Hears of each fault and habit.
  using Told = std::function<void(RehearsalReport::Injected what)>;

  FaultProxy(boost::asio::io_context& context, FaultPlan plan, Told told);
  ~FaultProxy();
  FaultProxy(const FaultProxy&) = delete;
  FaultProxy& operator=(const FaultProxy&) = delete;

  /// Opens a port on loopback. The port, or why not.
  [[nodiscard]] base::Result<std::uint16_t, base::Message> start();
  void stop();

 private:
  class Road;
  class Carriage;
  /// Shared with its pending handlers, which outlive the proxy.
  std::shared_ptr<Road> road_;
};

}  // namespace kakehashi::rehearse::io
