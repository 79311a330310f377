#include "rehearse/io/fault_proxy.hpp"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <random>
#include <utility>

namespace kakehashi::rehearse::io {

std::optional<EventHabits> habits_of(std::string_view event) {
  if (event == "floodgate") {
    // The half hour between games, in seconds: waiting itself is what is rehearsed.
    return EventHabits{"floodgate-300-10F", 256, base::Millis{10'000}, base::Millis{0}, 0};
  }
  if (event == "wcsc") {
    return EventHabits{"wcsc-900-5F", 320, std::nullopt, base::Millis{3'000}, 1};
  }
  if (event == "denryu") {
    return EventHabits{"denryu-60-2F", 512, std::nullopt, base::Millis{1'000}, 1};
  }
  return std::nullopt;
}

std::optional<Faults> faults_of(std::string_view word) {
  if (word == "none") {
    return Faults{};
  }
  if (word == "mild") {
    return Faults{base::Millis{80}, false, false};
  }
  if (word == "wild") {
    return Faults{base::Millis{400}, true, true};
  }
  return std::nullopt;
}

// --- the way between the bots and the server

namespace asio = boost::asio;
using asio::ip::tcp;
using Failed = boost::system::error_code;

/// What all connections share.
class FaultProxy::Road : public std::enable_shared_from_this<Road> {
 public:
  Road(asio::io_context& context, FaultPlan plan, Told told)
      : acceptor_(context), plan_(plan), told_(std::move(told)), random_(plan.seed) {}

  base::Result<std::uint16_t, base::Message> start() {
    try {
      acceptor_ = tcp::acceptor(acceptor_.get_executor(), {asio::ip::address_v4::loopback(), 0});
    } catch (const boost::system::system_error& failure) {
      return base::Failure<base::Message>{base::system_words(failure.code().message())};
    }
    accept();
    return acceptor_.local_endpoint().port();
  }
  void stop() {
    Failed ignored;
    acceptor_.close(ignored);
    told_ = [](RehearsalReport::Injected) {};
  }

  [[nodiscard]] base::Millis drawn_delay() {
    const auto most = static_cast<std::uint64_t>(plan_.faults.delay_max.count());
    return base::Millis{most == 0 ? 0 : static_cast<std::int64_t>(random_() % (most + 1))};
  }
  /// What the client's AGREE becomes; the time it is held is added to the delay.
  [[nodiscard]] std::string pass_agree(std::string line, base::Millis& delay) {
    delay += plan_.agree_held;
    if (plan_.rejected_pairings == 0) {
      return line;
    }
    --plan_.rejected_pairings;
    told_(RehearsalReport::Injected::pairing_rejected);
    return "REJECT" + line.substr(std::string_view("AGREE").size());
  }
  [[nodiscard]] bool cuts_now() {
    // The first, so that it is seen in any rehearsal; then by chance, so that games come about.
    const bool cuts = plan_.faults.cuts_after_login && (++logins_ == 1 || random_() % 4 == 0);
    if (cuts) {
      told_(RehearsalReport::Injected::line_cut);
    }
    return cuts;
  }
  [[nodiscard]] tcp::endpoint server() const {
    return {asio::ip::address_v4::loopback(), plan_.server_port};
  }

 private:
  void accept();

  tcp::acceptor acceptor_;
  FaultPlan plan_;
  Told told_;
  std::mt19937_64 random_;  ///< chance that a seed repeats
  int logins_ = 0;
};

/// Both sockets of one connection; each direction carries what has come, in one piece, later.
class FaultProxy::Carriage : public std::enable_shared_from_this<Carriage> {
 public:
  Carriage(std::shared_ptr<Road> road, tcp::socket client)
      : road_(std::move(road)),
        ways_{Way(tcp::socket(client.get_executor())), Way(tcp::socket(client.get_executor()))} {
    ways_[0].socket = std::move(client);
  }

  void begin() {
    ways_[1].socket.async_connect(road_->server(), [self = shared_from_this()](Failed failed) {
      if (failed) {
        self->end();
        return;
      }
      for (Way& way : self->ways_) {
        Failed ignored;
        way.socket.set_option(tcp::no_delay(true), ignored);
      }
      self->read(0);
      self->read(1);
    });
  }

 private:
  struct Way {
    explicit Way(tcp::socket opened) : socket(std::move(opened)), timer(socket.get_executor()) {}
    tcp::socket socket;
    asio::steady_timer timer;
    std::array<char, std::size_t{16} * 1024> buffer{};
    std::string text;
  };

  void read(std::size_t from) {
    Way& way = ways_[from];
    way.socket.async_read_some(asio::buffer(way.buffer),
                               [self = shared_from_this(), from](Failed failed, std::size_t size) {
                                 failed ? self->end() : self->hear(from, size);
                               });
  }

  void hear(std::size_t from, std::size_t size) {
    Way& way = ways_[from];
    way.text.assign(way.buffer.data(), size);
    base::Millis delay = road_->drawn_delay();
    if (from == 0 && way.text.starts_with("AGREE")) {
      way.text = road_->pass_agree(std::move(way.text), delay);
    }
    const bool is_login = from == 1 && way.text.starts_with("LOGIN:") &&
                          way.text.find(" OK") != std::string::npos;
    const bool is_cut = is_login && road_->cuts_now();
    way.timer.expires_after(delay);
    way.timer.async_wait([self = shared_from_this(), from, is_cut](Failed failed) {
      failed ? self->end() : self->pass_on(from, is_cut);
    });
  }

  void pass_on(std::size_t from, bool is_cut) {
    asio::async_write(ways_[1 - from].socket, asio::buffer(ways_[from].text),
                      [self = shared_from_this(), from, is_cut](Failed failed, std::size_t) {
                        failed || is_cut ? self->end() : self->read(from);
                      });
  }

  void end() {
    for (Way& way : ways_) {
      Failed ignored;
      way.timer.cancel();
      way.socket.shutdown(tcp::socket::shutdown_both, ignored);
      way.socket.close(ignored);
    }
  }

  std::shared_ptr<Road> road_;
  std::array<Way, 2> ways_;
};

void FaultProxy::Road::accept() {
  acceptor_.async_accept([self = shared_from_this()](Failed failed, tcp::socket socket) {
    if (!failed) {
      std::make_shared<Carriage>(self, std::move(socket))->begin();
      self->accept();
    }
  });
}

FaultProxy::FaultProxy(asio::io_context& context, FaultPlan plan, Told told)
    : road_(std::make_shared<Road>(context, plan, std::move(told))) {}

FaultProxy::~FaultProxy() { stop(); }

base::Result<std::uint16_t, base::Message> FaultProxy::start() { return road_->start(); }

void FaultProxy::stop() { road_->stop(); }

}  // namespace kakehashi::rehearse::io
