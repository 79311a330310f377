#include "daemon/control.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <string_view>
#include <utility>

namespace kakehashi::daemon {
namespace {

namespace asio = boost::asio;
using Local = asio::local::stream_protocol;
using Failed = boost::system::error_code;

constexpr base::Millis visit_max{5'000};
constexpr base::Millis accept_pause{100};  // behind an accept that failed
constexpr std::size_t reply_bytes_max = std::size_t{64} * 1024;
constexpr std::string_view japanese_line = "ja\n";

Local::endpoint place_of(std::uint16_t status_port) {
  // A first byte of 0: a name without a file.
  return {std::string(1, '\0') + "kakehashi-control-" + std::to_string(status_port)};
}

std::optional<Answerer> process_behind(Local::socket& socket) {
  ucred who{};
  socklen_t size = sizeof who;
  const bool is_known = ::getsockopt(socket.native_handle(), SOL_SOCKET, SO_PEERCRED, &who, &size) == 0;
  return is_known ? std::optional(Answerer{who.uid, who.pid}) : std::nullopt;
}

}  // namespace

bool may_command(uid_t peer, uid_t own) { return peer == own || peer == 0; }

class Control::Impl : public std::enable_shared_from_this<Impl> {
 public:
  Impl(asio::io_context& context, Answer answer)
      : acceptor_(context), pause_(context), answer_(std::move(answer)) {}

  base::Result<bool, base::Message> start(std::uint16_t status_port) {
    Failed failed;
    acceptor_.open(Local(), failed);
    if (!failed) {
      acceptor_.bind(place_of(status_port), failed);
    }
    if (!failed) {
      acceptor_.listen(static_cast<int>(visits_max), failed);
    }
    if (failed) {
      Failed ignored;
      acceptor_.close(ignored);
      return base::Failure<base::Message>{base::system_words(failed.message())};
    }
    accept();
    return true;
  }

  void stop() {
    Failed ignored;
    acceptor_.close(ignored);
    pause_.cancel();
    answer_ = {};
  }

 private:
  /// One request; closed by its end.
  struct Visit {
    explicit Visit(Local::socket given) : socket(std::move(given)), timer(socket.get_executor()) {}
    Local::socket socket;
    asio::steady_timer timer;
    std::string request;
  };

  void accept() {
    acceptor_.async_accept([self = shared_from_this()](Failed failed, Local::socket socket) {
      if (failed) {
        self->accept_later();
        return;
      }
      const auto visitor = process_behind(socket);
      if (visitor && may_command(visitor->user, ::geteuid()) && self->visits_ < visits_max) {
        self->read(std::make_shared<Visit>(std::move(socket)), visitor->user);
      }
      self->accept();
    });
  }

  /// There was no descriptor left for a visitor, as a rule: he waits, and is heard when there is one again.
  void accept_later() {
    if (!acceptor_.is_open()) {
      return;
    }
    pause_.expires_after(accept_pause);
    pause_.async_wait([self = shared_from_this()](Failed cancelled) {
      if (!cancelled && self->acceptor_.is_open()) {
        self->accept();
      }
    });
  }

  void read(const std::shared_ptr<Visit>& visit, uid_t user) {
    ++visits_;
    visit->timer.expires_after(visit_max);
    visit->timer.async_wait([visit](Failed failed) {
      if (!failed) {
        Failed ignored;
        visit->socket.close(ignored);
      }
    });
    asio::async_read_until(visit->socket, asio::dynamic_buffer(visit->request, request_bytes_max), '\n',
                           [self = shared_from_this(), visit, user](Failed failed, std::size_t size) {
                             visit->timer.cancel();
                             if (failed || !self->answer_) {
                               --self->visits_;
                             } else {
                               self->answer(visit, size, user);
                             }
                           });
  }

  void answer(const std::shared_ptr<Visit>& visit, std::size_t first_line, uid_t user) {
    const Answer answer = answer_;  // it may stop us
    const auto language = std::string_view(visit->request).substr(first_line) == japanese_line
                              ? words::Language::japanese
                              : words::Language::english;
    const std::string request = visit->request.substr(0, first_line - 1);
    answer(request, user, [self = shared_from_this(), visit, language](const ControlAnswer& given) {
      --self->visits_;
      std::string text = given.is_done ? "done\n" : "refused\n";
      for (const base::Message& line : given.lines) {
        text += words::in(language, line) + "\n";
      }
      // The buffer of a fresh socket takes it; who does not read it is not waited for.
      Failed ignored;
      visit->socket.non_blocking(true, ignored);
      visit->socket.write_some(asio::buffer(text), ignored);
      visit->socket.close(ignored);
    });
  }

  Local::acceptor acceptor_;
  asio::steady_timer pause_;
  Answer answer_;
  std::size_t visits_ = 0;
};

Control::Control(asio::io_context& context, Answer answer)
    : impl_(std::make_shared<Impl>(context, std::move(answer))) {}

Control::~Control() { stop(); }

base::Result<bool, base::Message> Control::start(std::uint16_t status_port) { return impl_->start(status_port); }

void Control::stop() { impl_->stop(); }

base::Result<ControlReply, base::Message> ask_control(std::uint16_t status_port, const std::string& request,
                                                      words::Language language, base::Millis patience) {
  using Error = base::Failure<base::Message>;
  asio::io_context context;
  Local::socket socket(context);
  Failed failed;
  socket.connect(place_of(status_port), failed);
  if (failed) {
    return Error{base::say("no 'kakehashi run --status' of this machine takes requests on port {} ({})", status_port,
                           base::system_words(failed.message()))};
  }
  const auto answerer = process_behind(socket);
  if (!answerer) {
    return Error{base::say("who answers on port {} cannot be known", status_port)};
  }
  const bool is_stranger = answerer->user != ::geteuid();
  if (::geteuid() != 0 && is_stranger) {
    return Error{base::say("the bots on port {} run as another user ({}): ask as that user, or as root", status_port,
                           answerer->user)};
  }
  const bool is_japanese = language == words::Language::japanese;
  asio::write(socket, asio::buffer(request + "\n" + std::string(is_japanese ? japanese_line : "")), failed);
  std::string said;
  asio::steady_timer timer(context, patience);
  timer.async_wait([&](Failed cancelled) {
    if (!cancelled) {
      socket.close();
    }
  });
  asio::async_read(socket, asio::dynamic_buffer(said, reply_bytes_max),
                   [&](Failed, std::size_t) { timer.cancel(); });
  context.run();
  const std::size_t end = said.find('\n');
  if (end == std::string::npos) {
    return Error{base::say("the bots on port {} gave no answer within {}; what came of it is in their log", status_port,
                           base::duration(patience.count()))};
  }
  return ControlReply{said.substr(0, end) == "done", said.substr(end + 1), is_stranger ? answerer : std::nullopt};
}

}  // namespace kakehashi::daemon
