#include "rehearse/server/io/server_shell.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <map>
#include <utility>
#include <variant>

#include "base/io/clocks.hpp"
#include "base/line_splitter.hpp"
#include "base/overload.hpp"
#include "base/text.hpp"

namespace kakehashi::rehearse::server::io {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Tcp = asio::ip::tcp;

/// Accepting fails for a moment when the process has no file descriptor left.
constexpr base::Millis accept_pause{100};

/// One accepted connection: whole lines in, whole lines out, a bounded queue between. It knows
/// sockets and nothing of CSA words.
class ClientLink : public std::enable_shared_from_this<ClientLink> {
 public:
  struct Callbacks {
    std::function<void(std::string)> line;
    /// At most once; never after close() or drop().
    std::function<void()> closed;
  };

  ClientLink(Tcp::socket socket, Callbacks callbacks)
      : socket_(std::move(socket)), linger_timer_(socket_.get_executor()), callbacks_(std::move(callbacks)) {}

  void read() {
    socket_.async_read_some(asio::buffer(buffer_), [self = shared_from_this()](error_code failed, std::size_t bytes) {
      self->have_read(failed, bytes);
    });
  }

  /// Queues the line. False when more is waiting than the bound allows: the caller drops it.
  [[nodiscard]] bool write(std::string_view line) {
    if (!is_open_) {
      return true;
    }
    queued_.append(line);
    queued_.push_back('\n');
    if (queued_.size() + writing_.size() > ServerShell::queue_bytes_max) {
      return false;
    }
    if (writing_.empty()) {
      write_some();
    }
    return true;
  }

  /// Sends what is queued and then FIN; the client's own end is awaited for a moment, because
  /// closing a socket with unread bytes would reset it and could destroy the last lines.
  void close() {
    if (!is_open_) {
      return;
    }
    is_open_ = false;
    linger_timer_.expires_after(ServerShell::linger_max);
    linger_timer_.async_wait([self = shared_from_this()](error_code) { self->drop(); });
    if (writing_.empty()) {
      end_output();
    }
  }

  /// At once.
  void drop() {
    is_open_ = false;
    error_code ignored;
    linger_timer_.cancel();
    socket_.close(ignored);
  }

 private:
  void have_read(error_code failed, std::size_t bytes) {
    // A closing link reads on only to see the client's own end.
    if (is_open_) {
      const auto fed = splitter_.feed(std::string_view(buffer_.data(), bytes));
      for (std::size_t i = 0; i < fed.lines.size() && is_open_; ++i) {
        callbacks_.line(std::string(fed.lines[i]));
      }
      if (is_open_ && (failed || fed.trouble != base::LineSplitter::Trouble::none)) {
        drop();
        callbacks_.closed();
      }
    }
    if (failed) {
      drop();
    } else if (socket_.is_open()) {
      read();
    }
  }

  void write_some() {
    writing_ = std::exchange(queued_, {});
    asio::async_write(socket_, asio::buffer(writing_), [self = shared_from_this()](error_code failed, std::size_t) {
      self->writing_.clear();
      if (failed) {
        return;  // the reading side meets the same end and tells it
      }
      if (!self->queued_.empty()) {
        self->write_some();
      } else if (!self->is_open_) {
        self->end_output();
      }
    });
  }

  void end_output() {
    error_code ignored;
    socket_.shutdown(Tcp::socket::shutdown_send, ignored);
  }

  Tcp::socket socket_;
  asio::steady_timer linger_timer_;
  Callbacks callbacks_;
  base::LineSplitter splitter_{ServerShell::line_bytes_max};
  std::array<char, std::size_t{8} * 1024> buffer_{};
  std::string queued_;   ///< not yet handed to the socket
  std::string writing_;  ///< being written; empty: nothing is
  bool is_open_ = true;
};

bool is_login_word(std::string_view word) {
  constexpr std::string_view login = "login";
  return std::equal(word.begin(), word.end(), login.begin(), login.end(),
                    [](char a, char b) { return (a | 0x20) == b; });
}

/// A LOGIN line without its password, also where it is quoted as an unknown command.
std::string masked(std::string_view line) {
  const auto words = base::split_words(line);
  for (std::size_t i = 0; i + 2 < words.size() && i < 4; ++i) {
    if (is_login_word(words[i])) {
      const auto kept = static_cast<std::size_t>(words[i + 2].data() - line.data());
      return std::string(line.substr(0, kept)) + "*****";
    }
  }
  return std::string(line);
}

}  // namespace

class ServerShell::Impl : public std::enable_shared_from_this<Impl> {
 public:
  Impl(asio::io_context& context, ShellOptions options, ShellCallbacks callbacks)
      : acceptor_(context),
        timer_(context),
        accept_timer_(context),
        options_(std::move(options)),
        callbacks_(std::move(callbacks)),
        server_(options_.settings, options_.seed) {}

  base::Result<std::uint16_t, base::Message> start() {
    const auto failed = open();
    if (failed) {
      return base::Failure<base::Message>{base::say("cannot listen on {} port {}: {}", options_.listen_address, options_.port,
                                                    base::system_words(failed.message()))};
    }
    is_running_ = true;
    accept();
    return port();
  }

  [[nodiscard]] std::uint16_t port() const {
    error_code ignored;
    return acceptor_.is_open() ? acceptor_.local_endpoint(ignored).port() : std::uint16_t{0};
  }

  void arrange(Arrangement next) { server_.arrange(std::move(next)); }

  void stop() {
    is_running_ = false;
    error_code ignored;
    acceptor_.close(ignored);
    timer_.cancel();
    accept_timer_.cancel();
    for (const auto& [id, link] : links_) {
      link->close();
    }
    links_.clear();
  }

 private:
  error_code open() {
    error_code failed;
    const auto address = asio::ip::make_address(options_.listen_address, failed);
    if (failed) {
      return failed;
    }
    try {
      acceptor_ = Tcp::acceptor(acceptor_.get_executor(), {address, options_.port});
    } catch (const boost::system::system_error& failure) {
      failed = failure.code();
    }
    return failed;
  }

  void accept() {
    acceptor_.async_accept([self = shared_from_this()](error_code failed, Tcp::socket socket) {
      if (!self->is_running_) {
        return;
      }
      if (!failed) {
        self->greet(std::move(socket));
        self->accept();
        return;
      }
      self->accept_timer_.expires_after(accept_pause);
      self->accept_timer_.async_wait([self](error_code) {
        if (self->is_running_) {
          self->accept();
        }
      });
    });
  }

  void greet(Tcp::socket socket) {
    error_code ignored;
    socket.set_option(Tcp::no_delay(options_.no_delay), ignored);
    socket.set_option(asio::socket_base::keep_alive(true), ignored);
    const auto id = ConnectionId{++connections_};
    ClientLink::Callbacks callbacks;
    callbacks.line = [self = weak_from_this(), id](std::string line) {
      if (const auto shell = self.lock(); shell && shell->is_running_) {
        shell->tell_line(id, Direction::from_client, line);
        shell->perform(shell->server_.on_line(id, line, base::io::read_clocks()));
      }
    };
    callbacks.closed = [self = weak_from_this(), id] {
      if (const auto shell = self.lock(); shell && shell->is_running_) {
        shell->lose(id);
      }
    };
    auto link = std::make_shared<ClientLink>(std::move(socket), std::move(callbacks));
    links_.emplace(id, link);
    link->read();
    perform(server_.connected(id, base::io::read_clocks()));
  }

  void lose(ConnectionId id) {
    links_.erase(id);
    perform(server_.on_closed(id, base::io::read_clocks()));
  }

  void perform(Output output) {
    std::vector<ConnectionId> slow;
    for (auto& order : output.orders) {
      std::visit(base::Overload{[this, &slow](SendLine& send) {
                                  if (!write(send)) {
                                    slow.push_back(send.to);
                                  }
                                },
                                [this](CloseConnection& close) { this->close(close.connection); }},
                 order);
    }
    if (callbacks_.report) {
      for (const auto& report : output.reports) {
        callbacks_.report(report);
      }
    }
    for (const auto id : slow) {
      if (const auto link = links_.find(id); link != links_.end()) {
        link->second->drop();
        lose(id);
      }
    }
    arm_timer();
  }

  bool write(const SendLine& send) {
    const auto link = links_.find(send.to);
    if (link == links_.end()) {
      return true;
    }
    tell_line(send.to, Direction::to_client, send.line);
    return link->second->write(send.line);
  }

  void close(ConnectionId id) {
    if (const auto link = links_.find(id); link != links_.end()) {
      link->second->close();
      links_.erase(link);
    }
  }

  void tell_line(ConnectionId id, Direction direction, std::string_view line) {
    if (callbacks_.line) {
      callbacks_.line(id, direction, masked(line));
    }
  }

  void arm_timer() {
    const auto deadline = is_running_ ? server_.next_deadline() : std::nullopt;
    if (deadline == armed_for_) {
      return;
    }
    armed_for_ = deadline;
    timer_.cancel();
    if (!deadline) {
      return;
    }
    timer_.expires_at(*deadline);
    timer_.async_wait([self = shared_from_this()](error_code cancelled) {
      if (!cancelled && self->is_running_) {
        self->armed_for_.reset();
        self->perform(self->server_.on_timer(base::io::read_clocks()));
      }
    });
  }

  Tcp::acceptor acceptor_;
  asio::steady_timer timer_;
  asio::steady_timer accept_timer_;
  ShellOptions options_;
  ShellCallbacks callbacks_;
  Server server_;
  std::map<ConnectionId, std::shared_ptr<ClientLink>> links_;
  std::uint64_t connections_ = 0;
  std::optional<base::SteadyTime> armed_for_;
  bool is_running_ = false;
};

ServerShell::ServerShell(asio::io_context& context, ShellOptions options,
                         ShellCallbacks callbacks)
    : impl_(std::make_shared<Impl>(context, std::move(options), std::move(callbacks))) {}

ServerShell::~ServerShell() { stop(); }

base::Result<std::uint16_t, base::Message> ServerShell::start() { return impl_->start(); }

std::uint16_t ServerShell::port() const { return impl_->port(); }

void ServerShell::arrange(Arrangement next) { impl_->arrange(std::move(next)); }

void ServerShell::stop() { impl_->stop(); }

}  // namespace kakehashi::rehearse::server::io
