#include "cli/login_probe.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <utility>
#include <variant>

#include "base/io/clocks.hpp"
#include "csa/client_session.hpp"
#include "csa/io/server_link.hpp"
#include "daemon/account_lock.hpp"

namespace kakehashi::cli {
namespace {

namespace asio = boost::asio;

using base::say;

class Probe {
 public:
  Probe(const config::BotConfig& config, bool logs_in)
      : config_(config), logs_in_(logs_in), timer_(context_), link_(context_, callbacks()) {}

  LoginProbe run() {
    const auto& server = config_.server;
    link_.connect(server.address());
    timer_.expires_after(server.connect_timeout + server.login_timeout);
    timer_.async_wait([this](boost::system::error_code failed) {
      if (!failed) {
        finish(found_.outcome, say("no answer to LOGIN within {}", base::duration(config_.server.login_timeout.count())));
      }
    });
    context_.run();
    return found_;
  }

 private:
  csa::io::ServerLink::Callbacks callbacks() {
    csa::io::ServerLink::Callbacks made;
    made.connected = [this](base::Message peer) {
      found_.peer = std::move(peer);
      if (logs_in_) {
        log_in();
      } else {
        finish(LoginProbe::Outcome::connected, {});
      }
    };
    made.line = [this](const std::string& line, bool) { hear(line); };
    made.closed = [this](csa::HowClosed, base::Message why) {
      finish(found_.outcome, std::move(why));
    };
    return made;
  }

  /// The very line that `run` sends: a login that works here works there.
  void log_in() {
    std::string password = config_.game.name;
    const auto secret = config_.account.password.reveal();
    if (!secret.empty()) {
      password += (password.empty() ? "" : ",") + std::string(secret);
    }
    link_.write(session_.login(config_.account.name, password, base::io::read_clocks().steady));
  }

  void hear(const std::string& line) {
    for (const auto& event : session_.on_line(line, base::io::read_clocks().steady)) {
      if (std::holds_alternative<csa::LoggedIn>(event)) {
        found_.outcome = LoginProbe::Outcome::logged_in;
        link_.write(session_.logout(base::io::read_clocks().steady));
        finish(found_.outcome, {});
        return;
      }
      if (const auto* failed = std::get_if<csa::LoginFailed>(&event)) {
        const auto& detail = failed->detail;
        finish(LoginProbe::Outcome::refused,
               detail.empty() ? say("the server refused the login")
                              : say("the server refused the login: {}", base::quoted(detail)));
        return;
      }
    }
  }

  void finish(LoginProbe::Outcome outcome, base::Message why) {
    if (is_over_) {
      return;  // the timer had already expired when the answer came
    }
    is_over_ = true;
    found_.outcome = outcome;
    found_.why = std::move(why);
    timer_.cancel();
    link_.close();  // LOGOUT still goes out, and its answer is waited for a moment
  }

  const config::BotConfig& config_;
  bool logs_in_;
  asio::io_context context_{1};
  asio::steady_timer timer_;
  csa::ClientSession session_;
  csa::io::ServerLink link_;
  LoginProbe found_;
  bool is_over_ = false;
};

}  // namespace

LoginProbe probe_login(const config::BotConfig& config) {
  daemon::AccountLock lock;
  if (auto holder = lock.take(config)) {
    return {LoginProbe::Outcome::in_use, {}, std::move(*holder)};
  }
  return Probe(config, true).run();
}

LoginProbe probe_connection(const config::BotConfig& config) { return Probe(config, false).run(); }

}  // namespace kakehashi::cli
