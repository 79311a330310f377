// Somebody else who has our name and password, as a forgotten second run of the same bot: logs in from time
// to time, plays no game, and comes back a few times when it is thrown out.
#pragma once

#include <optional>
#include <string>

#include "sim/network.hpp"

namespace kakehashi::sim {

class Twin : public Client {
 public:
  Twin(Agenda& agenda, Network& network, std::uint64_t seed) : agenda_(agenda), network_(network), dice_(seed, 7) {}

  /// With the words that our own login had.
  void log_in(const std::string& login);
  /// It goes, and does not come back.
  void leave();

  void on_connected() override;
  void on_line(const std::string& line, bool more) override;
  void on_closed(bridge::ServerClosed::How how, const std::string& why) override;

 private:
  void connect();

  Agenda& agenda_;
  Network& network_;
  Dice dice_;
  Way way_{Delays{}};
  std::string login_;
  std::optional<LineId> line_;
  int attempts_left_ = 0;
};

}  // namespace kakehashi::sim
