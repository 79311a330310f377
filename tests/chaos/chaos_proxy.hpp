// A bad way between a bridge and a server, on the loopback: it splits, delays and stalls what it
// carries, resets lines and closes one half of them. It never reorders, drops or changes a byte of a
// line that stands. What each connection will suffer is drawn from a seed.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kakehashi::test {

/// `silence_then_reset`: nothing is carried any more, and a while later the line is reset.
enum class Cut { none, reset, silence_then_reset, half_close_to_bridge, half_close_to_server };

[[nodiscard]] const char* describe(Cut cut);

/// What is drawn for a connection.
struct Plan {
  std::size_t piece_bytes_max = 0;  ///< of what is carried at once
  std::chrono::milliseconds delay_max{0};      ///< of each piece
  std::chrono::milliseconds stall{0};          ///< once in each direction
  std::size_t stall_after_bytes = 0;
  Cut cut = Cut::none;
  std::size_t cut_after_bytes = 0;  ///< of both directions together
};

/// What one has suffered so far.
struct Suffered {
  std::string bot;   ///< whose LOGIN it carried; empty: none yet
  std::string game;  ///< the last that it carried START of
  int pieces = 0;
  int delays = 0;
  int stalls = 0;
  Cut cut = Cut::none;
};

/// What the whole way has suffered; connections for `connections`.
struct Sums {
  int connections = 0;
  int pieces = 0;
  int delays = 0;
  int stalls = 0;
  int resets = 0;
  int silences = 0;
  int half_closes = 0;
};

class ChaosProxy {
 public:
  ChaosProxy(boost::asio::io_context& context, std::uint16_t server_port, std::uint64_t seed);
  ~ChaosProxy();
  ChaosProxy(const ChaosProxy&) = delete;
  ChaosProxy& operator=(const ChaosProxy&) = delete;

  [[nodiscard]] std::uint16_t port() const;
  /// Of that bot in that game, one for each connection; looked at any time.
  [[nodiscard]] std::vector<Suffered> suffered(const std::string& bot, const std::string& game) const;
  [[nodiscard]] Sums sums() const;
  /// From now on lines are left in peace, those that stand too: what is running may come to its end.
  void calm();

 private:
  struct State;
  class Connection;
  class Lane;
  std::shared_ptr<State> state_;  ///< shared with its pending handlers, which outlive it
};

}  // namespace kakehashi::test
