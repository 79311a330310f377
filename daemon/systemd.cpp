#include "daemon/systemd.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include "base/text.hpp"

namespace kakehashi::daemon {
namespace {

std::string take_variable(const char* name) {
  const char* value = std::getenv(name);
  std::string text = value == nullptr ? "" : value;
  ::unsetenv(name);
  return text;
}

}  // namespace

Systemd::Systemd(std::string socket, std::string_view watchdog_usec)
    : socket_(std::move(socket)) {
  const auto limit_us = base::parse_int(watchdog_usec);
  if (!socket_.empty() && limit_us && *limit_us > 0) {
    alive_interval_ = std::max(base::Millis{*limit_us / 2'000}, base::Millis{1});
  }
}

Systemd Systemd::from_environment() {
  auto socket = take_variable("NOTIFY_SOCKET");
  const auto watchdog_usec = take_variable("WATCHDOG_USEC");
  const auto watchdog_pid = take_variable("WATCHDOG_PID");
  const bool is_for_us = watchdog_pid.empty() || watchdog_pid == std::to_string(::getpid());
  return Systemd(std::move(socket), is_for_us ? watchdog_usec : "");
}

void Systemd::status(std::string_view text) const {
  std::string line = "STATUS=";
  for (const char c : text) {
    line += c == '\n' || c == '\r' ? ' ' : c;
  }
  send(line);
}

void Systemd::send(std::string_view state) const {
  sockaddr_un address{};
  if (socket_.empty() || socket_.size() >= sizeof address.sun_path) {
    return;
  }
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  if (address.sun_path[0] == '@') {
    address.sun_path[0] = '\0';
  }
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  const int descriptor = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) {
    return;
  }
  // Never waits: a supervisor that does not listen is no reason to miss a deadline.
  (void)::sendto(descriptor, state.data(), state.size(), MSG_DONTWAIT | MSG_NOSIGNAL,
                 reinterpret_cast<const sockaddr*>(&address), length);
  ::close(descriptor);
}

// --- when the process is ready

Readiness::Readiness(boost::asio::io_context& context, std::function<void()> tell)
    : timer_(context), tell_(std::move(tell)) {}

void Readiness::start(std::size_t bots_count, base::Millis within) {
  tried_.assign(bots_count, false);
  timer_.expires_after(within);
  timer_.async_wait([this](boost::system::error_code failed) {
    if (!failed) {
      tell_once();
    }
  });
}

void Readiness::tried(std::size_t bot) {
  if (bot < tried_.size()) {
    tried_[bot] = true;
  }
  if (!tried_.empty() && std::find(tried_.begin(), tried_.end(), false) == tried_.end()) {
    tell_once();
  }
}

void Readiness::stop() { timer_.cancel(); }

void Readiness::tell_once() {
  timer_.cancel();
  if (!std::exchange(has_told_, true)) {
    tell_();
  }
}

bool is_trouble(const bridge::Fact& fact) {
  const auto incident = bridge::incident_of(fact);
  return incident == bridge::Incident::retrying || incident == bridge::Incident::login_refused || incident == bridge::Incident::engine_lost ||
         incident == bridge::Incident::bot_failed;
}

// --- what is shown of a bot

namespace {

/// In the machine's zone: people compare it with the clock on the wall.
std::string time_of_day(base::WallTime at) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(at);
  std::tm parts{};
  std::array<char, 16> text{};
  if (::localtime_r(&seconds, &parts) == nullptr) {
    return "";
  }
  return {text.data(), std::strftime(text.data(), text.size(), "%H:%M", &parts)};
}

base::Message score_for_us(const bridge::GameView& game) {
  const auto& score = *game.score;
  const std::int64_t ours = game.our_color == shogi::Color::black ? score.value : -score.value;
  const std::string value = (ours > 0 ? "+" : "") + std::to_string(ours);
  return score.is_mate ? base::say("mate {} at depth {}", value, score.depth)
                       : base::say("{} at depth {}", value, score.depth);
}

base::Message describe_game(const bridge::GameView& game) {
  const auto playing = game.our_color == shogi::Color::black
                           ? base::say("playing {} as black", base::quoted(game.white_name, 40))
                           : base::say("playing {} as white", base::quoted(game.black_name, 40));
  return game.score ? base::say("{}, move {}, {}", playing, game.moves.size(), score_for_us(game))
                    : base::say("{}, move {}", playing, game.moves.size());
}

}  // namespace

base::Message describe_for_service(const bridge::View& view, const std::string& since) {
  if (view.phase == bridge::Phase::playing && view.game && !view.game->end) {
    return describe_game(*view.game);
  }
  base::Message text = bridge::name_of(view.phase);
  if (view.window) {
    text = base::say("{} until {}", text, view.window->opens);
  } else if (!since.empty()) {
    text = base::say("{} since {}", text, since);
  }
  const int games = view.games_finished;
  return games == 0   ? text
         : games == 1 ? base::say("{}, {} game finished", text, games)
                      : base::say("{}, {} games finished", text, games);
}

bool ServiceStatus::is_due(base::SteadyTime now) const {
  return !looked_at_ || base::millis_between(*looked_at_, now) >= interval_min;
}

std::optional<base::Message> ServiceStatus::observe(const bridge::View& view, const base::Now& now) {
  if (view.phase != phase_) {
    phase_ = view.phase;
    since_ = time_of_day(now.wall);
  }
  looked_at_ = now.steady;
  auto text = describe_for_service(view, since_);
  if (text == told_) {
    return std::nullopt;
  }
  told_ = text;
  return text;
}

}  // namespace kakehashi::daemon
