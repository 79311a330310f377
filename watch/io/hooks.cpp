#include "watch/io/hooks.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/http.hpp>
#include <optional>
#include <sstream>
#include <utility>
#include <variant>

#include "csa/io/server_link.hpp"
#include "usi/io/spawn.hpp"

namespace kakehashi::watch::io {

// --- webhooks

namespace {

namespace http = boost::beast::http;

csa::ServerAddress address_of(const WebAddress& web, const std::string& ca_file) {
  csa::ServerAddress address;
  address.host = web.host;
  address.port = web.port;
  if (web.is_tls) {
    address.tls.emplace().ca_file = ca_file;
  }
  return address;
}

/// The link adds a line end behind it, which counts as the last byte of the body.
std::string request_of(const WebAddress& web, const std::string& content_type, const std::string& body) {
  const bool is_usual_port = web.port == (web.is_tls ? 443 : 80);
  const std::string bracketed = web.host.find(':') == std::string::npos ? web.host : "[" + web.host + "]";
  http::request<http::empty_body> head(http::verb::post, web.target.reveal(), 11);
  head.set(http::field::host, bracketed + (is_usual_port ? "" : ":" + std::to_string(web.port)));
  head.set(http::field::user_agent, "kakehashi/" KAKEHASHI_VERSION);
  head.set(http::field::accept, "*/*");
  head.set(http::field::content_type, content_type);
  head.content_length(body.size() + 1);
  head.keep_alive(false);
  std::ostringstream text;
  text << head.base() << body;
  return std::move(text).str();
}

}  // namespace

class Webhook::Exchange : public std::enable_shared_from_this<Exchange> {
 public:
  Exchange(boost::asio::io_context& context, Done done)
      : link_(context, callbacks()), timer_(context), done_(std::move(done)) {}

  void start(const WebAddress& address, const std::string& ca_file, std::string request) {
    request_ = std::move(request);
    link_.connect(address_of(address, ca_file));
  }

  void drop() {
    done_ = {};
    timer_.cancel();
    link_.close();
  }

 private:
  csa::io::ServerLink::Callbacks callbacks() {
    csa::io::ServerLink::Callbacks callbacks;
    callbacks.connected = [this](const base::Message&) {
      link_.write(request_);
      timer_.expires_after(timeout);
      timer_.async_wait([weak = weak_from_this()](boost::system::error_code failed) {
        const auto self = weak.lock();
        if (!failed && self) {
          self->finish(0, base::say("no answer within {}", base::duration(timeout.count())));
        }
      });
    };
    callbacks.line = [this](const std::string& line, bool) {
      boost::system::error_code fault;
      head_ += line + "\r\n";
      answer_.emplace().skip(true);
      answer_->put(boost::asio::buffer(head_), fault);
      if (answer_->is_header_done() && http::to_status_class(answer_->get().result()) == http::status_class::informational) {
        head_.clear();  // 100 Continue; the answer follows
      } else if (answer_->is_header_done()) {
        const auto status = static_cast<int>(answer_->get().result_int());
        finish(status, base::say("HTTP status {}", status));
      } else if (fault && fault != http::error::need_more) {
        finish(0, base::say("the answer is no HTTP"));
      }
    };
    callbacks.closed = [this](csa::HowClosed, const base::Message& why) { finish(0, why); };
    return callbacks;
  }

  void finish(int status, const base::Message& why) {
    timer_.cancel();
    link_.close();
    if (const Done done = std::exchange(done_, {})) {
      done(status, why);
    }
  }

  csa::io::ServerLink link_;
  boost::asio::steady_timer timer_;
  Done done_;
  std::string request_;
  std::string head_;  ///< of the answer, as far as it has come
  std::optional<http::response_parser<http::empty_body>> answer_;
};

Webhook::Webhook(boost::asio::io_context& context, std::string ca_file)
    : context_(context), ca_file_(std::move(ca_file)) {}

Webhook::~Webhook() { drop(); }

void Webhook::drop() {
  if (exchange_) {
    exchange_->drop();
  }
}

void Webhook::post(const WebAddress& address, const std::string& content_type, std::string body,
                   Done done) {
  drop();
  exchange_ = std::make_shared<Exchange>(context_, std::move(done));
  exchange_->start(address, ca_file_, request_of(address, content_type, body));
}

// --- commands

class CommandHook::Child : public std::enable_shared_from_this<Child> {
 public:
  Child(boost::asio::io_context& context, const usi::io::Spawned& spawned, usi::io::SpawnRequest request, Done done)
      : spawned_(spawned), request_(std::move(request)), process_(spawned.process), exec_status_(context, spawned.exec_status),
        end_(context, spawned.pidfd), timer_(context), done_(std::move(done)) {}
  ~Child() { kill(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void watch() {
    end_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                    [self = shared_from_this()](boost::system::error_code failed) {
                      if (!failed) {
                        self->ended();
                      }
                    });
    timer_.expires_after(timeout);
    timer_.async_wait([weak = weak_from_this()](boost::system::error_code failed) {
      const auto self = weak.lock();
      if (!failed && self && self->process_ > 0) {
        self->finish(base::say("the command did not end within {}", base::duration(timeout.count())));
      }
    });
  }

  void drop() {
    done_ = {};
    finish({});
  }

 private:
  /// Whoever has ended already is collected, and what it left behind is killed; else it is killed itself.
  void kill() {
    if (process_ > 0) {
      ::kill(-process_, SIGKILL);
      usi::io::reap_in_background(std::exchange(process_, -1));
    }
  }

  void ended() {
    if (process_ <= 0) {
      return;
    }
    siginfo_t info{};
    const bool is_known = ::waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
                          info.si_pid == process_;
    if (const base::Message why = usi::io::exec_failure(spawned_, request_); !why.empty()) {
      finish(why);
    } else if (!is_known) {
      finish(base::say("the command's status is kept by another process (it is being traced)"));
    } else if (info.si_code != CLD_EXITED) {
      finish(base::say("the command was ended by signal {}", info.si_status));
    } else if (info.si_status != 0) {
      finish(base::say("the command ended with status {}", info.si_status));
    } else {
      finish({});
    }
  }

  void finish(const base::Message& why) {
    kill();
    timer_.cancel();
    boost::system::error_code ignored;
    end_.close(ignored);
    exec_status_.close(ignored);
    if (const Done done = std::exchange(done_, {})) {
      done(why);
    }
  }

  usi::io::Spawned spawned_;  ///< as it was started; its descriptors are held below
  usi::io::SpawnRequest request_;
  pid_t process_;
  boost::asio::posix::stream_descriptor exec_status_;
  boost::asio::posix::stream_descriptor end_;
  boost::asio::steady_timer timer_;
  Done done_;
};

CommandHook::~CommandHook() { drop(); }

void CommandHook::drop() {
  if (child_) {
    child_->drop();
    child_.reset();
  }
}

void CommandHook::run(const std::vector<std::string>& command, const std::string& input, Done done) {
  drop();
  usi::io::SpawnRequest request;
  request.command = command;
  request.is_heard = false;
  // A command that ends before it has read what it is told must not end the bridge.
  ::signal(SIGPIPE, SIG_IGN);
  const auto spawned = usi::io::spawn(request);
  if (const auto* why = std::get_if<base::Message>(&spawned)) {
    boost::asio::post(context_, [done = std::move(done), why = *why] { done(why); });
    return;
  }
  const auto& running = std::get<usi::io::Spawned>(spawned);
  child_ = std::make_shared<Child>(context_, running, std::move(request), std::move(done));
  child_->watch();
  // A fresh pipe takes it whole; one that its reader has closed already takes nothing (SIGPIPE is
  // ignored by the program). One that the system made small takes what fits rather than wait for the reader.
  ::fcntl(running.to_stdin, F_SETFL, O_NONBLOCK);
  const std::string text = input.substr(0, input_bytes_max);
  [[maybe_unused]] const auto written = ::write(running.to_stdin, text.data(), text.size());
  ::close(running.to_stdin);
}

}  // namespace kakehashi::watch::io
