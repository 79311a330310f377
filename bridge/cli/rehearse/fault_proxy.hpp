// The way between the bots of a rehearsal and its server: carries bytes, late and with the habits and
// faults that were asked for. It reads no more of CSA than AGREE and the answer to LOGIN.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "bridge/cli/rehearse/rehearsal_event.hpp"

namespace boost::asio {
class io_context;
}

namespace kakehashi::bridge::cli {

struct FaultPlan {
  std::uint16_t server_port = 0;
  base::Millis agree_held{0};
  int rejected_pairings = 0;
  Faults faults;
  std::uint64_t seed = 1;
};

class FaultProxy {
 public:
  /// `told` hears of each fault and habit, as a line for people.
  FaultProxy(boost::asio::io_context& context, FaultPlan plan, std::function<void(std::string)> told);
  ~FaultProxy();
  FaultProxy(const FaultProxy&) = delete;
  FaultProxy& operator=(const FaultProxy&) = delete;

  /// Opens a port on loopback. The port, or a sentence that says why not.
  [[nodiscard]] base::Result<std::uint16_t, std::string> start();
  void stop();

 private:
  class Road;
  /// Shared with its pending handlers, which outlive the proxy.
  std::shared_ptr<Road> road_;
};

}  // namespace kakehashi::bridge::cli
