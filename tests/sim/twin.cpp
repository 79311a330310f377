#include "sim/twin.hpp"

#include <utility>

namespace kakehashi::sim {

void Twin::log_in(const std::string& login) {
  login_ = login;
  attempts_left_ = dice_.between(1, 40);
  connect();
}

void Twin::leave() {
  attempts_left_ = 0;
  if (line_) {
    network_.close(*std::exchange(line_, std::nullopt));
  }
}

void Twin::connect() {
  if (!line_ && attempts_left_-- > 0) {
    line_ = network_.connect(*this, way_);
  }
}

void Twin::on_connected() { network_.write(*line_, login_); }

void Twin::on_line(const std::string& line, bool) {
  if (line == "END Game_Summary") {
    network_.write(*line_, "REJECT");
  } else if (line.starts_with("LOGIN:incorrect")) {
    network_.close(*std::exchange(line_, std::nullopt));
    attempts_left_ = 0;
  }
}

void Twin::on_closed(bridge::ServerClosed::How, const std::string&) {
  line_.reset();
  agenda_.put_after(dice_.millis(300, 1'500), [this] { connect(); });
}

}  // namespace kakehashi::sim
