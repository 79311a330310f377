// When the core should hear of the way's length: when it has changed, not with every line.
#pragma once

#include <chrono>
#include <optional>

#include "bridge/event.hpp"
#include "csa/io/tcp_quality.hpp"

namespace kakehashi::bridge::io {

class LinkWatch {
 public:
  /// Nothing: the core knows as much already.
  [[nodiscard]] std::optional<LinkMeasured> take(const std::optional<csa::io::TcpQuality>& quality) {
    if (!quality || (told_ && !differs(quality->rtt, told_->rtt) &&
                     !differs(quality->variance, told_->variance))) {
      return std::nullopt;
    }
    told_ = quality;
    return LinkMeasured{quality->rtt, quality->variance};
  }

 private:
  /// By more than an eighth and half a millisecond.
  static bool differs(std::chrono::microseconds a, std::chrono::microseconds b) {
    return (a > b ? a - b : b - a) > b / 8 + std::chrono::microseconds{500};
  }

  std::optional<csa::io::TcpQuality> told_;
};

}  // namespace kakehashi::bridge::io
