// A link with a delay, for bench/link.sh: carries every connection to a server on this machine, each
// piece of each direction so much later, in order, as a long line would. Now and then a piece takes
// a retransmission longer. Prints its port.
//
//   bench_slow_link PORT DELAY_MS JITTER_MS LOST_PERMILLE LOST_MS ACCIDENT_MS SEED
//
// A piece is late by DELAY_MS + 0 to JITTER_MS, and of a thousand LOST_PERMILLE by LOST_MS more. On
// each connection the echo of the third move is late by ACCIDENT_MS more.
#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <functional>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <utility>

namespace {

using boost::asio::ip::tcp;
using Clock = std::chrono::steady_clock;
using boost::system::error_code;

struct Quality {
  std::chrono::milliseconds delay{0};
  int jitter_ms = 0;
  int lost_permille = 0;
  std::chrono::milliseconds lost{0};
  std::chrono::milliseconds accident{0};
};

class Dice {
 public:
  explicit Dice(unsigned long seed) : random_(seed) {}
  int below(int bound) {
    return bound > 0 ? static_cast<int>(random_() % static_cast<unsigned long>(bound)) : 0;
  }

 private:
  std::mt19937_64 random_;
};

struct Ends {
  tcp::socket client;
  tcp::socket server;
  int moves = 0;  ///< of the client's
  bool accident_is_due = false;
};

/// One direction of one connection.
class Way : public std::enable_shared_from_this<Way> {
 public:
  Way(std::shared_ptr<Ends> ends, bool is_upward, const Quality& quality, Dice& dice)
      : ends_(std::move(ends)), is_upward_(is_upward),
        from_(is_upward ? ends_->client : ends_->server),
        to_(is_upward ? ends_->server : ends_->client), timer_(from_.get_executor()),
        quality_(quality), dice_(dice) {}

  void read() {
    from_.async_read_some(boost::asio::buffer(buffer_),
                          [self = shared_from_this()](error_code failed, std::size_t size) {
                            if (failed) {
                              self->take("");  // the end comes late, too
                              return;
                            }
                            self->take(std::string(self->buffer_.data(), size));
                            self->read();
                          });
  }

 private:
  struct Piece {
    Clock::time_point due;
    std::string bytes;  ///< empty: the end
  };

  void take(std::string bytes) {
    auto due = Clock::now() + quality_.delay +
               std::chrono::microseconds(dice_.below(1000 * quality_.jitter_ms));
    if (dice_.below(1000) < quality_.lost_permille) {
      due += quality_.lost;
    }
    const bool is_move = !bytes.empty() && (bytes.front() == '+' || bytes.front() == '-');
    if (is_upward_ && is_move) {
      ends_->accident_is_due = ++ends_->moves == 3;
    } else if (!is_upward_ && is_move && std::exchange(ends_->accident_is_due, false)) {
      due += quality_.accident;
    }
    due = std::max(due, last_due_);
    last_due_ = due;
    pieces_.push_back({due, std::move(bytes)});
    if (pieces_.size() == 1) {
      wait();
    }
  }

  void wait() {
    timer_.expires_at(pieces_.front().due);
    timer_.async_wait([self = shared_from_this()](error_code) { self->deliver(); });
  }

  void deliver() {
    if (pieces_.front().bytes.empty()) {
      error_code ignored;
      to_.shutdown(tcp::socket::shutdown_send, ignored);
      return;
    }
    boost::asio::async_write(to_, boost::asio::buffer(pieces_.front().bytes),
                             [self = shared_from_this()](error_code failed, std::size_t) {
                               self->pieces_.pop_front();
                               if (!failed && !self->pieces_.empty()) {
                                 self->wait();
                               }
                             });
  }

  std::shared_ptr<Ends> ends_;
  bool is_upward_;
  tcp::socket& from_;
  tcp::socket& to_;
  boost::asio::steady_timer timer_;
  const Quality& quality_;
  Dice& dice_;
  Clock::time_point last_due_{};
  std::deque<Piece> pieces_;
  std::array<char, 16 * 1024> buffer_{};
};

class Link {
 public:
  Link(boost::asio::io_context& context, unsigned short server, Quality quality, unsigned long seed)
      : context_(context),
        door_(context, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0)),
        server_(boost::asio::ip::address_v4::loopback(), server),
        quality_(quality), dice_(seed) {}

  [[nodiscard]] unsigned short port() const { return door_.local_endpoint().port(); }

  void accept() {
    door_.async_accept([this](error_code failed, tcp::socket client) {
      if (!failed) {
        connect(std::move(client));
      }
      accept();
    });
  }

 private:
  void connect(tcp::socket client) {
    auto ends = std::make_shared<Ends>(Ends{std::move(client), tcp::socket(context_)});
    ends->server.async_connect(server_, [this, ends](error_code failed) {
      if (failed) {
        return;
      }
      ends->client.set_option(tcp::no_delay(true));
      ends->server.set_option(tcp::no_delay(true));
      for (const bool is_upward : {true, false}) {
        std::make_shared<Way>(ends, is_upward, quality_, dice_)->read();
      }
    });
  }

  boost::asio::io_context& context_;
  tcp::acceptor door_;
  tcp::endpoint server_;
  Quality quality_;
  Dice dice_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 8) {
    std::cerr << "bench_slow_link PORT DELAY_MS JITTER_MS LOST_PERMILLE LOST_MS ACCIDENT_MS SEED\n";
    return 64;
  }
  const auto number = [argv](int index) { return std::atoi(argv[index]); };
  boost::asio::io_context context(1);
  Link link(context, static_cast<unsigned short>(number(1)),
            {std::chrono::milliseconds(number(2)), number(3), number(4),
             std::chrono::milliseconds(number(5)), std::chrono::milliseconds(number(6))},
            static_cast<unsigned long>(number(7)));
  std::cout << link.port() << std::endl;
  link.accept();
  context.run();
}
