#include "chaos/chaos_proxy.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <functional>
#include <random>
#include <utility>

namespace kakehashi::test {

namespace asio = boost::asio;
using asio::ip::tcp;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds silence{2'000};

template <class Number>
Number between(std::mt19937_64& random, Number least, Number most) {
  return least + static_cast<Number>(random() % (static_cast<std::uint64_t>(most - least) + 1));
}

/// Delays and stalls are what the games' clocks can bear; a third of the lines does not live long.
Plan draw(std::mt19937_64& random) {
  Plan plan;
  plan.piece_bytes_max = random() % 2 == 0 ? between<std::size_t>(random, 1, 40) : 4'096;
  plan.delay_max = milliseconds(random() % 2 == 0 ? between(random, 1, 30) : 0);
  if (random() % 2 == 0) {
    plan.stall = milliseconds(between(random, 100, 1'500));
    plan.stall_after_bytes = between<std::size_t>(random, 1, 1'500);
  }
  if (random() % 3 == 0) {
    constexpr std::array cuts{Cut::reset, Cut::silence_then_reset, Cut::half_close_to_bridge,
                              Cut::half_close_to_server};
    plan.cut = cuts[random() % cuts.size()];
    plan.cut_after_bytes = between<std::size_t>(random, 1, 2'500);
  }
  return plan;
}

void reset(tcp::socket& socket) {
  boost::system::error_code ignored;
  socket.set_option(asio::socket_base::linger(true, 0), ignored);
  socket.close(ignored);
}

}  // namespace

const char* describe(Cut cut) {
  switch (cut) {
    case Cut::none: return "";
    case Cut::reset: return "reset";
    case Cut::silence_then_reset: return "silent, then reset";
    case Cut::half_close_to_bridge: return "half-closed to the bridge";
    case Cut::half_close_to_server: return "half-closed to the server";
  }
  return "";
}

struct ChaosProxy::State {
  State(asio::io_context& in, std::uint16_t to, std::uint64_t seed)
      : context(in), server(asio::ip::address_v4::loopback(), to), random(seed),
        acceptor(in, tcp::endpoint(asio::ip::address_v4::loopback(), 0)) {}
  void accept(const std::shared_ptr<State>& self);

  asio::io_context& context;
  tcp::endpoint server;
  std::mt19937_64 random;
  tcp::acceptor acceptor;
  std::vector<std::shared_ptr<Suffered>> histories;
  std::vector<std::weak_ptr<Connection>> connections;
  bool is_calm = false;
};

/// One direction of a connection: one piece is read, perhaps waited for, and written, then the next.
class ChaosProxy::Lane {
 public:
  Lane(asio::io_context& context, tcp::socket& source, tcp::socket& target, bool bridge_speaks)
      : from(source), to(target), is_from_bridge(bridge_speaks), timer(context) {}

  tcp::socket& from;
  tcp::socket& to;
  bool is_from_bridge;
  asio::steady_timer timer;
  std::array<char, 4'096> buffer{};
  std::size_t carried = 0;
  bool has_stalled = false;
  std::string line;  ///< what of a line was seen so far
};

class ChaosProxy::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(std::shared_ptr<State> state, tcp::socket bridge)
      : state_(std::move(state)), bridge_(std::move(bridge)), server_(state_->context),
        plan_(draw(state_->random)), timer_(state_->context),
        lanes_{Lane(state_->context, bridge_, server_, true), Lane(state_->context, server_, bridge_, false)} {
    state_->histories.push_back(history_);
  }

  void start() {
    server_.async_connect(state_->server, [self = shared_from_this()](boost::system::error_code failed) {
      if (failed) {
        reset(self->bridge_);
        return;
      }
      boost::system::error_code ignored;
      self->server_.set_option(tcp::no_delay(true), ignored);
      self->bridge_.set_option(tcp::no_delay(true), ignored);
      for (Lane& lane : self->lanes_) {
        self->read(lane);
      }
    });
  }

  void calm() {
    const std::size_t whole = lanes_[0].buffer.size();
    plan_ = {whole, milliseconds(0), milliseconds(0), 0, Cut::none, 0};
  }

 private:
  void read(Lane& lane) {
    const std::size_t most = std::min(between<std::size_t>(state_->random, 1, plan_.piece_bytes_max),
                                      lane.buffer.size());
    lane.from.async_read_some(
        asio::buffer(lane.buffer.data(), plan_.piece_bytes_max >= lane.buffer.size() ? lane.buffer.size() : most),
        [self = shared_from_this(), &lane](boost::system::error_code failed, std::size_t size) {
          failed ? self->end(lane) : self->hold(lane, size);
        });
  }

  void hold(Lane& lane, std::size_t size) {
    milliseconds wait{0};
    if (plan_.stall.count() > 0 && !lane.has_stalled && lane.carried >= plan_.stall_after_bytes) {
      lane.has_stalled = true;
      ++history_->stalls;
      wait = plan_.stall;
    } else if (plan_.delay_max.count() > 0) {
      ++history_->delays;
      wait = milliseconds(between<std::int64_t>(state_->random, 0, plan_.delay_max.count()));
    }
    if (wait.count() == 0) {
      pass_on(lane, size);
      return;
    }
    lane.timer.expires_after(wait);
    lane.timer.async_wait([self = shared_from_this(), &lane, size](boost::system::error_code failed) {
      if (!failed) {
        self->pass_on(lane, size);
      }
    });
  }

  void pass_on(Lane& lane, std::size_t size) {
    if (is_silent_) {
      return;
    }
    if (plan_.cut != Cut::none && history_->cut == Cut::none &&
        lanes_[0].carried + lanes_[1].carried + size >= plan_.cut_after_bytes) {
      cut();
      if (is_silent_ || !lane.to.is_open()) {
        return;
      }
    }
    look_at(lane, {lane.buffer.data(), size});
    ++history_->pieces;
    lane.carried += size;
    asio::async_write(lane.to, asio::buffer(lane.buffer.data(), size),
                      [self = shared_from_this(), &lane](boost::system::error_code failed, std::size_t) {
                        failed ? self->end(lane) : self->read(lane);
                      });
  }

  void cut() {
    history_->cut = plan_.cut;
    boost::system::error_code ignored;
    switch (plan_.cut) {
      case Cut::none: break;
      case Cut::reset: reset_both(); break;
      case Cut::silence_then_reset:
        is_silent_ = true;
        timer_.expires_after(silence);
        timer_.async_wait([self = shared_from_this()](boost::system::error_code) { self->reset_both(); });
        break;
      case Cut::half_close_to_bridge: bridge_.shutdown(tcp::socket::shutdown_send, ignored); break;
      case Cut::half_close_to_server: server_.shutdown(tcp::socket::shutdown_send, ignored); break;
    }
  }

  void reset_both() {
    reset(bridge_);
    reset(server_);
  }

  /// The end of one direction is passed on; with both, the connection is over.
  void end(Lane& lane) {
    boost::system::error_code ignored;
    lane.to.shutdown(tcp::socket::shutdown_send, ignored);
  }

  /// Whose connection it is, and which game.
  void look_at(Lane& lane, std::string_view bytes) {
    for (const char c : bytes) {
      if (c != '\n') {
        lane.line += c;
        continue;
      }
      if (lane.is_from_bridge && lane.line.starts_with("LOGIN ")) {
        history_->bot = lane.line.substr(6, lane.line.find(' ', 6) - 6);
      } else if (!lane.is_from_bridge && lane.line.starts_with("Game_ID:")) {
        // Not START: the line may be cut between the bridge's AGREE and that answer.
        history_->game = lane.line.substr(8);
      }
      lane.line.clear();
    }
  }

  std::shared_ptr<State> state_;
  tcp::socket bridge_;
  tcp::socket server_;
  Plan plan_;
  std::shared_ptr<Suffered> history_ = std::make_shared<Suffered>();
  asio::steady_timer timer_;
  std::array<Lane, 2> lanes_;
  bool is_silent_ = false;
};

void ChaosProxy::State::accept(const std::shared_ptr<State>& self) {
  acceptor.async_accept([self](boost::system::error_code failed, tcp::socket socket) {
    if (failed) {
      return;
    }
    const auto connection = std::make_shared<Connection>(self, std::move(socket));
    if (self->is_calm) {
      connection->calm();
    }
    self->connections.push_back(connection);
    connection->start();
    self->accept(self);
  });
}

ChaosProxy::ChaosProxy(asio::io_context& context, std::uint16_t server_port, std::uint64_t seed)
    : state_(std::make_shared<State>(context, server_port, seed)) {
  state_->accept(state_);
}

ChaosProxy::~ChaosProxy() {
  boost::system::error_code ignored;
  state_->acceptor.close(ignored);
}

std::uint16_t ChaosProxy::port() const { return state_->acceptor.local_endpoint().port(); }

std::vector<Suffered> ChaosProxy::suffered(const std::string& bot, const std::string& game) const {
  std::vector<Suffered> found;
  for (const auto& history : state_->histories) {
    if (history->bot == bot && history->game == game) {
      found.push_back(*history);
    }
  }
  return found;
}

Sums ChaosProxy::sums() const {
  Sums sums;
  for (const auto& history : state_->histories) {
    ++sums.connections;
    sums.pieces += history->pieces;
    sums.delays += history->delays;
    sums.stalls += history->stalls;
    sums.resets += history->cut == Cut::reset;
    sums.silences += history->cut == Cut::silence_then_reset;
    sums.half_closes += history->cut == Cut::half_close_to_bridge || history->cut == Cut::half_close_to_server;
  }
  return sums;
}

void ChaosProxy::calm() {
  state_->is_calm = true;
  for (const auto& connection : state_->connections) {
    if (const auto living = connection.lock()) {
      living->calm();
    }
  }
}

}  // namespace kakehashi::test
