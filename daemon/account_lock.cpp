#include "daemon/account_lock.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "base/checksum.hpp"

namespace kakehashi::daemon {
namespace {

/// Questions that nobody answers wait here; more get no answer at once either.
constexpr int askers_max = 16;

/// As `ss -xl` shows it. What does not fit is cut, and told apart by a sum.
std::string name_of(const config::BotConfig& bot) {
  std::string host = bot.server.host;
  std::transform(host.begin(), host.end(), host.begin(), [](unsigned char c) { return std::tolower(c); });
  std::string name =
      "kakehashi/" + bot.account.name + "@" + host + ":" + std::to_string(bot.server.port);
  if (const std::size_t most = sizeof(sockaddr_un::sun_path) - 1; name.size() > most) {
    const std::string sum = fmt::format("{:08x}", base::crc32c(name));
    name.resize(most - sum.size());
    name += sum;
  }
  return name;
}

struct Address {
  sockaddr_un address{};
  socklen_t size = 0;

  explicit Address(const std::string& name) {
    address.sun_family = AF_UNIX;
    std::copy(name.begin(), name.end(), address.sun_path + 1);  // a NUL byte before it: abstract
    size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  }
  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address); }
};

base::Message holder_of(const Address& address) {
  ucred holder{};
  socklen_t size = sizeof holder;
  const int asker = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const bool is_known = asker >= 0 && ::connect(asker, address.get(), address.size) == 0 &&
                        ::getsockopt(asker, SOL_SOCKET, SO_PEERCRED, &holder, &size) == 0 && holder.pid > 0;
  if (asker >= 0) {
    ::close(asker);
  }
  return is_known ? base::say("process {}", holder.pid) : base::say("another process");
}

}  // namespace

std::optional<base::Message> AccountLock::take(const config::BotConfig& bot) {
  const std::string name = name_of(bot);
  if (name == name_) {
    return std::nullopt;
  }
  release();
  const Address address(name);
  const int made = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (made >= 0 && ::bind(made, address.get(), address.size) == 0 && ::listen(made, askers_max) == 0) {
    socket_ = made;
    name_ = name;
    return std::nullopt;
  }
  const int error = errno;
  if (made >= 0) {
    ::close(made);
  }
  if (error == EADDRINUSE) {
    return holder_of(address);
  }
  trouble_ = base::system_words(std::strerror(error));
  return std::nullopt;
}

void AccountLock::release() {
  if (socket_ >= 0) {
    ::close(socket_);
  }
  socket_ = -1;
  name_.clear();
}

}  // namespace kakehashi::daemon
