#include "csa/io/server_link.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <deque>
#include <utility>
#include <variant>
#include <vector>

#include "base/io/intake.hpp"
#include "base/line_splitter.hpp"
#include "base/secret.hpp"
#include "csa/io/dial.hpp"
#include "csa/io/layers.hpp"

namespace kakehashi::csa::io {

using base::say;

namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;
using Tcp = asio::ip::tcp;

/// What is taken at one moment is at most this much, whatever the server has sent; what is kept meanwhile has room for twice
/// as much as the second.
constexpr std::size_t taken_bytes_max = std::size_t{256} * 1024;
constexpr std::size_t kept_bytes_max = std::size_t{64} * 1024;
constexpr std::size_t read_bytes_max = std::size_t{16} * 1024;

/// The head of a TLS alert (RFC 8446, section 5.1): the answer to a plain word.
constexpr std::string_view tls_alert = "\x15\x03";

Dial::Target target_of(const ServerAddress& address) {
  if (address.proxy) {
    return {address.proxy->host, address.proxy->port, address.connect_timeout};
  }
  return {address.host, address.port, address.connect_timeout};
}

/// A write that failed for want of the system's memory is tried again so often and so long: the line still
/// stands, and a game hangs on it.
constexpr std::chrono::milliseconds write_again_pause{20};
constexpr std::chrono::seconds write_again_max{10};
/// How long the reading side has to meet and tell the end that a write has met.
constexpr std::chrono::seconds end_is_met_within{1};

// --- what waits to be sent

/// In order and bounded; and how long a write that fails is worth another try. It writes nothing itself.
class SendQueue {
 public:
  /// False: more waits than may, and it is not taken.
  [[nodiscard]] bool push(std::string bytes) {
    bytes_ += bytes.size();
    if (bytes_ > ServerLink::queue_bytes_max) {
      return false;
    }
    queue_.push_back(std::move(bytes));
    return true;
  }
  [[nodiscard]] bool is_empty() const { return queue_.empty(); }

  /// What is to be written next: the first, without what has left of it. It stays where it is until it is written.
  [[nodiscard]] std::string_view front() const { return std::string_view(queue_.front()).substr(written_bytes_); }
  void written() {
    written_bytes_ = 0;
    failed_at_.reset();
    bytes_ -= queue_.front().size();
    base::wipe(queue_.front());
    queue_.pop_front();
  }
  void written_in_part(std::size_t size) { written_bytes_ += size; }

  /// Whether it may be tried again; if not, this was the end of it.
  [[nodiscard]] bool may_try_again(error_code failed, Clock::time_point now) {
    failed_at_ = failed_at_.value_or(now);
    const bool may_pass = failed == asio::error::no_buffer_space || failed == asio::error::no_memory;
    if (may_pass && now < *failed_at_ + write_again_max) {
      return true;
    }
    failure_ = failed;
    return false;
  }
  [[nodiscard]] error_code failure() const { return failure_; }

 private:
  std::deque<std::string> queue_;
  std::size_t bytes_ = 0;
  std::size_t written_bytes_ = 0;  ///< of the first
  std::optional<Clock::time_point> failed_at_;  ///< for the first time since it worked
  error_code failure_;
};

// --- the socket

/// The TCP connection, once it is there: reads when it is told to, writes what waits, and is held up as long as the game
/// is worth. It knows no layers and no lines. A part of its owner, which pending handlers keep alive.
class Wire {
 public:
  class Owner {
   public:
    Owner() = default;
    Owner(const Owner&) = delete;
    Owner& operator=(const Owner&) = delete;
    virtual ~Owner() = default;

    /// `size` bytes wait for take().
    virtual void have_read(error_code failed, std::size_t size) = 0;
    virtual void have_sent_all() = 0;
    virtual void cannot_send(error_code failed) = 0;
    /// The other side takes nothing.
    virtual void too_much_waits() = 0;
  };

  explicit Wire(asio::io_context& context) : socket_(context), write_timer_(context), repeat_timer_(context) {}

  /// Once, with a connected socket.
  void open(std::weak_ptr<Owner> owner, Tcp::socket socket, std::chrono::seconds keepalive_idle) {
    owner_ = std::move(owner);
    socket_ = std::move(socket);
    bounds_repeats_ = set_options(socket_, keepalive_idle);
    acknowledge_quickly(socket_);
  }

  [[nodiscard]] base::io::Intake& intake() { return intake_; }
  [[nodiscard]] const base::io::Intake& intake() const { return intake_; }
  [[nodiscard]] int descriptor() { return socket_.native_handle(); }
  [[nodiscard]] bool is_open() const { return socket_.is_open(); }

  void close() {
    error_code ignored;
    write_timer_.cancel();
    repeat_timer_.cancel();
    socket_.close(ignored);
  }

  void read() {
    socket_.async_read_some(room(), [owner = owner_.lock()](error_code failed, std::size_t size) {
      owner->have_read(failed, size);
    });
  }

  /// Of what was read, and whatever else has arrived by now. An acknowledgement is owed for it.
  /// What did not fit into the buffer belongs to the same moment: see `more`. A read that left room has
  /// taken all that was there.
  [[nodiscard]] std::string take(std::size_t size) {
    owes_acknowledgement_ = true;
    std::string bytes(intake_.take(size));
    const std::size_t bytes_max = intake_.stream() != nullptr ? kept_bytes_max : taken_bytes_max;
    error_code failed;
    while (bytes.size() % read_bytes_max == 0 && bytes.size() < bytes_max && socket_.available(failed) > 0) {
      const auto extra = socket_.read_some(room(), failed);
      if (failed) {
        break;  // the next read meets it too
      }
      bytes += intake_.take(extra);
    }
    return bytes;
  }

  /// See ServerLink::acknowledge().
  void acknowledge() {
    if (std::exchange(owes_acknowledgement_, false) && socket_.is_open()) {
      acknowledge_quickly(socket_);
    }
  }

  void send(std::string bytes) {
    if (bytes.empty()) {
      return;
    }
    const bool is_first = queue_.is_empty();
    const std::size_t sent = is_first ? send_at_once(bytes) : 0;
    if (sent == bytes.size()) {
      base::wipe(bytes);
    } else if (!queue_.push(std::move(bytes))) {
      asio::post(socket_.get_executor(), [owner = owner_.lock()] { owner->too_much_waits(); });
    } else if (is_first) {
      queue_.written_in_part(sent);
      write_front();
    }
  }

  [[nodiscard]] bool has_sent_all() const { return queue_.is_empty(); }
  /// The end that a write has met for good, if one has.
  [[nodiscard]] error_code write_failure() const { return queue_.failure(); }

  void shut_down_sending() {
    error_code ignored;
    socket_.shutdown(Tcp::socket::shutdown_send, ignored);
  }

  /// See ServerLink::hold().
  void hold(base::Millis patience) {
    patience_ = std::max(patience, patience_min);
    set_patience(socket_, patience_);
    if (!bounds_repeats_ && patience_ > patience_min) {
      keep_repeating();
    }
  }

  [[nodiscard]] std::optional<TcpQuality> quality() { return tcp_quality(socket_.native_handle()); }

 private:
  /// As much as the kernel takes without waiting: a move as a rule, and then nothing is to be done behind it. Of what it
  /// does not take, the write that waits meets the reason.
  [[nodiscard]] std::size_t send_at_once(std::string_view bytes) {
    const ssize_t sent = ::send(socket_.native_handle(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    return sent > 0 ? static_cast<std::size_t>(sent) : 0;
  }

  void write_front() {
    asio::async_write(socket_, asio::buffer(queue_.front()),
                      [this, owner = owner_.lock()](error_code failed, std::size_t size) {
                        have_written(failed, size);
                      });
  }

  void have_written(error_code failed, std::size_t size) {
    if (failed) {
      queue_.written_in_part(size);
      have_not_written(failed);
      return;
    }
    queue_.written();
    if (!queue_.is_empty()) {
      write_front();
    } else if (const auto owner = owner_.lock()) {
      owner->have_sent_all();
    }
  }

  void have_not_written(error_code failed) {
    if (!socket_.is_open()) {
      return;
    }
    if (queue_.may_try_again(failed, Clock::now())) {
      write_timer_.expires_after(write_again_pause);
      write_timer_.async_wait([this, owner = owner_.lock()](error_code stopped) {
        if (!stopped) {
          write_again();
        }
      });
      return;
    }
    // The reading side meets the same end as a rule and tells it, after the lines that still came.
    write_timer_.expires_after(end_is_met_within);
    write_timer_.async_wait([this, owner = owner_.lock()](error_code stopped) {
      if (!stopped) {
        owner->cannot_send(queue_.failure());
      }
    });
  }

  /// Asio takes a write that sent nothing for a sign that the kernel's buffer is full, and would wait for
  /// news of it that never come; asked for, they do.
  void write_again() {
    socket_.async_wait(Tcp::socket::wait_write, [this, owner = owner_.lock()](error_code failed) {
      if (failed) {
        have_not_written(failed);
      } else {
        write_front();
      }
    });
  }

  /// Where the kernel lets its pauses grow, for as long as the line is held.
  void keep_repeating() {
    set_patience(socket_, repeat_pace_.timeout(is_repeating(socket_), patience_, Clock::now()));
    repeat_timer_.expires_after(RepeatPace::look_every);
    repeat_timer_.async_wait([this, owner = owner_.lock()](error_code stopped) {
      if (!stopped && socket_.is_open() && patience_ > patience_min) {
        keep_repeating();
      }
    });
  }

  [[nodiscard]] asio::mutable_buffer room() {
    const auto room = intake_.room();
    return asio::buffer(room.data(), room.size());
  }

  std::weak_ptr<Owner> owner_;
  Tcp::socket socket_;
  base::io::Intake intake_{read_bytes_max};
  bool owes_acknowledgement_ = false;  ///< for what was read last
  SendQueue queue_;
  asio::steady_timer write_timer_;
  bool bounds_repeats_ = true;
  base::Millis patience_ = patience_min;
  RepeatPace repeat_pace_;
  asio::steady_timer repeat_timer_;
};

// --- writing: one write at a time, and writes that fail

base::Message with_advice(base::Message why, const base::Message& advice) {
  return advice.empty() ? why : say("{}; {}", std::move(why), advice);
}

// --- what the server says

/// Its bytes as lines, without those that cannot be read; in the end, how they ended.
class Lines {
 public:
  /// `is_plain`: without TLS.
  explicit Lines(bool is_plain) : is_plain_(is_plain) {}

  struct Heard {
    std::vector<std::string_view> lines;  ///< good as long as the bytes
    std::size_t dropped = 0;              ///< so many more could not be read
    base::Message why;                    ///< of the last of those
    base::Message trouble;                ///< of the connection; empty: none
  };
  [[nodiscard]] Heard feed(std::string_view bytes) {
    const bool is_alert = !has_heard_ && is_plain_ && bytes.starts_with(tls_alert);
    has_heard_ = true;
    if (is_alert) {
      return {{}, 0, {}, say("the server speaks TLS on this port: set server.tls")};
    }
    auto fed = splitter_.feed(bytes);
    return {std::move(fed.lines), fed.broken, in_words(fed.trouble), {}};
  }

  /// The server has closed the connection.
  [[nodiscard]] base::Message end() {
    if (!has_heard_ && is_plain_) {
      // What OpenSSL's servers do when they are spoken to plainly.
      return say("the server closed the connection without a word; does it speak TLS on this port (server.tls)?");
    }
    return splitter_.take_unfinished().empty() ? say("the server closed the connection")
                                               : say("the server closed the connection in mid-line");
  }

 private:
  static base::Message in_words(base::LineSplitter::Trouble trouble) {
    switch (trouble) {
      case base::LineSplitter::Trouble::none: return {};
      case base::LineSplitter::Trouble::line_too_long:
        return say("a line of more than {} bytes from the server was left out", ServerLink::line_bytes_max);
      case base::LineSplitter::Trouble::nul_byte: return say("a line with a NUL byte from the server was left out");
    }
    return {};
  }

  bool is_plain_;
  bool has_heard_ = false;
  base::LineSplitter splitter_{ServerLink::line_bytes_max};
};

}  // namespace

// --- the connection

// One attempt of a ServerLink and the connection it leads to: how far it has come, the layers above
// the wire, and who is told. Shared with its own pending handlers, which outlive the link's interest.
class ServerLink::Connection : public Wire::Owner, public std::enable_shared_from_this<Connection> {
 public:
  Connection(asio::io_context& context, Callbacks callbacks, Heir heir, ServerAddress address)
      : context_(context),
        callbacks_(std::move(callbacks)),
        heir_(std::move(heir)),
        address_(std::move(address)),
        timer_(context),
        wire_(context),
        lines_(!address_.tls) {}

  /// Once. The callbacks follow from the io_context.
  void start() {
    deadline_ = Clock::now() + address_.connect_timeout;
    if (!address_.tls) {
      dial(nullptr);
      return;
    }
    expect_opening();
    TlsContexts::of(context_).make(*address_.tls, [self = shared_from_this()](base::Result<TlsContext> made) {
      if (!made) {
        self->finish(HowClosed::refused, made.error().what);
      } else if (self->is_wanted()) {
        self->timer_.cancel();
        self->dial(std::move(*made));
      }
    });
  }

  /// In its place.
  void adopt(int socket, base::io::Legacy::Stream& stream, std::string_view lines, std::optional<std::string> first) {
    first_ = std::move(first);
    layers_ = LayerStack(address_, nullptr);
    static_cast<void>(layers_.start());
    stage_ = Open{};
    error_code failed;
    Tcp::socket taken(context_);
    sockaddr_storage own{};
    socklen_t size = sizeof own;
    ::getsockname(socket, reinterpret_cast<sockaddr*>(&own), &size);
    taken.assign(own.ss_family == AF_INET6 ? Tcp::v6() : Tcp::v4(), socket, failed);
    if (failed) {
      ::close(socket);
      asio::post(context_, [self = shared_from_this(), failed] { self->lose(base::system_words(failed.message())); });
      return;
    }
    wire_.open(weak_from_this(), std::move(taken), address_.tcp_keepalive);
    wire_.intake().keep_in(&stream);
    wire_.send(std::string(lines));
    asio::post(context_, [self = shared_from_this()] {
      if (self->is_wanted()) {
        self->deliver(std::string(self->wire_.intake().stream()->left()));
        self->wire_.read();
      }
    });
  }

  [[nodiscard]] Told told() const { return {wire_.intake().stream(), told_up_to_}; }

  void write(std::string_view line) {
    if (!is_in<Open>() || layers_.state() != Layer::State::open) {
      return;
    }
    std::string with_end;
    with_end.reserve(line.size() + 1);
    with_end.append(line).push_back('\n');
    wire_.send(layers_.send(with_end).to_peer);
    base::wipe(with_end);  // it may have been a LOGIN, here and in the queue
  }

  /// No callback from here on; see ServerLink::close().
  void close() {
    if (!is_wanted()) {
      return;
    }
    if (!is_in<Open>()) {
      if (const auto* dialling = std::get_if<Dialling>(&stage_)) {
        dialling->dial->cancel();
      }
      stage_ = Over{};
      release();
      return;
    }
    stage_ = Lingering{};
    wire_.send(layers_.finish().to_peer);
    timer_.expires_after(linger_max);
    timer_.async_wait([self = shared_from_this()](error_code) { self->release(); });
    if (wire_.has_sent_all()) {
      wire_.shut_down_sending();
    }
  }

  void hold(base::Millis patience) {
    if (is_in<Open>()) {
      wire_.hold(patience);
    }
  }

  void acknowledge() { wire_.acknowledge(); }

  [[nodiscard]] std::optional<TcpQuality> quality() {
    return is_in<Open>() ? wire_.quality() : std::nullopt;
  }

 private:
  struct ReadingFiles {};  ///< of server.tls, where it has any
  struct Dialling { std::shared_ptr<Dial> dial; };  ///< holds this object until it is done
  struct Opening {};       ///< of the layers
  struct Open {};
  struct Lingering {};     ///< closed by us: nobody is told anything any more, and what was written still leaves
  struct Over {};

  template <class Stage>
  [[nodiscard]] bool is_in() const { return std::holds_alternative<Stage>(stage_); }
  /// Whether somebody is still to be told.
  [[nodiscard]] bool is_wanted() const { return !is_in<Lingering>() && !is_in<Over>(); }

  void dial(TlsContext tls) {
    layers_ = LayerStack(address_, std::move(tls));
    Dial::Callbacks outcome;
    outcome.connected = [self = shared_from_this()](Tcp::socket socket, std::string peer) {
      self->dialled(std::move(socket), std::move(peer));
    };
    outcome.failed = [self = shared_from_this()](base::Message why) {
      self->finish(HowClosed::refused,
                   self->address_.proxy ? say("the proxy does not answer: {}", std::move(why)) : std::move(why));
    };
    const auto dial = std::make_shared<Dial>(context_, target_of(address_), std::move(outcome));
    stage_ = Dialling{dial};
    dial->start();
  }

  /// The socket is there; its layers may still have to open.
  void dialled(Tcp::socket socket, std::string peer) {
    if (!is_wanted()) {
      return;
    }
    stage_ = Opening{};
    peer_ = address_.proxy ? say("{} through {}", format_host(address_.host, address_.port), std::move(peer))
                           : base::verbatim(std::move(peer));
    wire_.open(weak_from_this(), std::move(socket), address_.tcp_keepalive);
    if (heir_.opened && !address_.tls && !address_.websocket && !address_.proxy) {
      wire_.intake().keep_in(heir_.opened(wire_.descriptor()));
    }
    expect_opening();
    wire_.send(layers_.start().to_peer);
    if (layers_.state() != Layer::State::failed) {
      wire_.read();
    }
    look_at_layers();
  }

  void expect_opening() {
    timer_.expires_at(deadline_);
    timer_.async_wait([self = shared_from_this()](error_code) { self->opening_timed_out(); });
  }

  void opening_timed_out() {
    if (is_wanted() && !is_in<Open>() && Clock::now() >= deadline_) {
      const auto what = is_in<ReadingFiles>() ? say("reading the files of server.tls") : layers_.handshake();
      auto why = say("{} took longer than {}", what, base::duration(address_.connect_timeout.count()));
      why = is_in<ReadingFiles>() ? std::move(why) : say("{}: {}", peer_, std::move(why));
      finish(HowClosed::refused, with_advice(std::move(why), layers_.advice()));
    }
  }

  /// Tells what has become of the layers: that they are open, once, or that they are of no use.
  void look_at_layers() {
    switch (layers_.state()) {
      case Layer::State::opening:
        return;
      case Layer::State::open: {
        if (!is_in<Opening>()) {
          return;
        }
        stage_ = Open{};
        timer_.cancel();
        const auto how = layers_.description();
        callbacks_.connected(how.empty() ? peer_ : say("{} ({})", peer_, how));
        return;
      }
      case Layer::State::ended:
      case Layer::State::failed:
        if (is_in<Open>()) {
          finish(layers_.state() == Layer::State::ended ? HowClosed::eof : HowClosed::broken, layers_.why());
        } else {
          finish(HowClosed::refused, say("{}: {}", peer_, layers_.why()));
        }
        return;
    }
  }

  void have_read(error_code failed, std::size_t size) override {
    if (is_wanted() && !failed) {
      take(wire_.take(size));
      wire_.acknowledge();
    }
    if (!is_wanted()) {
      drop_read(failed);
    } else if (!failed) {
      wire_.read();
    } else {
      tell_end(failed);
    }
  }

  /// Up through the layers, and what they say to it back to the server.
  void take(const std::string& bytes) {
    wire_.send(layers_.set_busy(!wire_.has_sent_all()).to_peer);
    auto risen = layers_.receive(bytes);
    wire_.send(std::move(risen.to_peer));
    if (layers_.state() == Layer::State::open) {
      look_at_layers();
    }
    if (!risen.from_peer.empty()) {
      deliver(risen.from_peer);
    }
    if (is_wanted()) {
      look_at_layers();
    }
  }

  void deliver(const std::string& bytes) {
    base::io::Intake& intake = wire_.intake();
    const std::uint64_t from = intake.end() - bytes.size();
    intake.suspect(intake.end());
    auto heard = lines_.feed(bytes);
    for (std::size_t i = 0; i < heard.lines.size() && is_wanted(); ++i) {
      told_up_to_ = from + base::LineSplitter::end_of(heard.lines[i], bytes);
      intake.suspect(told_up_to_);
      auto line = std::exchange(first_, std::nullopt);
      callbacks_.line(line ? std::move(*line) : std::string(heard.lines[i]), i + 1 < heard.lines.size());
    }
    intake.suspect(std::nullopt);
    if (heard.dropped > 0 && is_wanted()) {
      callbacks_.dropped(heard.dropped, std::move(heard.why));
    }
    if (!heard.trouble.empty()) {
      finish(HowClosed::broken, std::move(heard.trouble));
    }
  }

  /// The tail of a closed connection: nobody listens any more.
  void drop_read(error_code failed) {
    if (failed) {
      release();
    } else if (wire_.is_open()) {
      wire_.read();
    }
  }

  void tell_end(error_code failed) {
    if (failed != asio::error::eof) {
      lose(base::system_words(failed.message()));
    } else if (const auto unsent = wire_.write_failure()) {
      // A write that met the end first has taken the reason with it.
      lose(base::system_words(unsent.message()));
    } else if (!is_in<Open>()) {
      const auto advice = layers_.advice();
      const auto handshake = layers_.handshake();
      layers_.hear_end();
      lose(layers_.why().empty() ? with_advice(say("the connection was closed before {} was complete", handshake), advice)
                                 : layers_.why());
    } else {
      finish(HowClosed::eof, lines_.end());
    }
  }

  void have_sent_all() override {
    if (is_wanted()) {
      wire_.send(layers_.set_busy(false).to_peer);
    } else {
      wire_.shut_down_sending();
    }
  }

  void cannot_send(error_code failed) override {
    lose(say("nothing can be sent: {}", base::system_words(failed.message())));
  }

  void too_much_waits() override {
    finish(HowClosed::broken, say("the server does not read what it is sent"));
  }

  /// The line went dead, before or after the layers were open.
  void lose(const base::Message& why) {
    if (is_in<Open>()) {
      finish(HowClosed::broken, why);
    } else {
      finish(HowClosed::refused, say("{}: {}", peer_, why));
    }
  }

  void finish(HowClosed how, base::Message why) {
    if (!is_wanted()) {
      return;
    }
    stage_ = Over{};
    release();
    callbacks_.closed(how, std::move(why));
  }

  void release() {
    timer_.cancel();
    wire_.close();
    if (auto* stream = wire_.intake().stream()) {
      wire_.intake().keep_in(nullptr);
      heir_.closed(stream);
    }
  }

  // The handler that runs keeps this object alive, and so the callbacks, whatever they destroy.
  asio::io_context& context_;
  Callbacks callbacks_;
  Heir heir_;
  std::uint64_t told_up_to_ = 0;
  std::optional<std::string> first_;  ///< in place of the next line
  ServerAddress address_;
  std::variant<ReadingFiles, Dialling, Opening, Open, Lingering, Over> stage_;
  asio::steady_timer timer_;  ///< first for the opening, then for the lingering
  Clock::time_point deadline_{};  ///< of the opening
  base::Message peer_;
  LayerStack layers_;  ///< empty until what they are made from is there
  Wire wire_;
  Lines lines_;
};

// --- the link

ServerLink::ServerLink(boost::asio::io_context& context, Callbacks callbacks, Heir heir)
    : context_(context), callbacks_(std::move(callbacks)), heir_(std::move(heir)) {}

ServerLink::~ServerLink() { close(); }

void ServerLink::connect(ServerAddress address) {
  close();
  connection_ = std::make_shared<Connection>(context_, callbacks_, heir_, std::move(address));
  connection_->start();
}

void ServerLink::adopt(ServerAddress address, int socket, base::io::Legacy::Stream& stream, std::string_view lines,
                       std::optional<std::string> first) {
  close();
  connection_ = std::make_shared<Connection>(context_, callbacks_, heir_, std::move(address));
  connection_->adopt(socket, stream, lines, std::move(first));
}

ServerLink::Told ServerLink::told() const { return connection_ ? connection_->told() : Told{}; }

void ServerLink::write(std::string_view line) {
  if (connection_) {
    connection_->write(line);
  }
}

void ServerLink::acknowledge() {
  if (connection_) {
    connection_->acknowledge();
  }
}

void ServerLink::hold(base::Millis patience) {
  if (connection_) {
    connection_->hold(patience);
  }
}

std::optional<TcpQuality> ServerLink::quality() const {
  return connection_ ? connection_->quality() : std::nullopt;
}

void ServerLink::close() {
  if (connection_) {
    connection_->close();
    connection_.reset();
  }
}

}  // namespace kakehashi::csa::io
