#include "csa/io/dial.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>

#include <fcntl.h>
#include <netdb.h>
#include <nss.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "base/io/threads.hpp"
#include "base/text.hpp"

namespace kakehashi::csa::io {

using base::duration;
using base::quoted;
using base::say;

// --- looking names up

namespace {

constexpr std::size_t output_bytes_max = std::size_t{64} * 1024;

NameLookups::Answer ask_library(const std::string& host) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_protocol = IPPROTO_TCP;
  addrinfo* found = nullptr;
  NameLookups::Answer answer;
  if (const int failed = ::getaddrinfo(host.c_str(), nullptr, &hints, &found); failed != 0) {
    answer.why =
        base::system_words(failed == EAI_SYSTEM ? std::system_category().message(errno) : ::gai_strerror(failed));
    return answer;
  }
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    boost::asio::ip::tcp::endpoint endpoint;
    if (one->ai_addrlen <= endpoint.capacity()) {
      std::memcpy(endpoint.data(), one->ai_addr, one->ai_addrlen);
      endpoint.resize(one->ai_addrlen);
      answer.endpoints.push_back(endpoint);
    }
  }
  ::freeaddrinfo(found);
  if (answer.endpoints.empty()) {
    answer.why = say("there is no address");
  }
  return answer;
}

NameLookups::Answer ask_machine(const std::string& host) {
#ifdef KAKEHASHI_STATIC
  // A static C library has "files" and "dns" built in. Any other service it would load from the machine, whose
  // libraries are made for another C library, and which may end the program (a program of glibc 2.36 died of
  // libnss_myhostname on 2.31 by SIGABRT, on 2.41 by SIGFPE): the machine's own program asks those. A loader and
  // libraries of our own would fail for services newer than they are; musl knows no services at all.
  static const int configured = ::__nss_configure_lookup("hosts", "files dns");
  static_cast<void>(configured);
  std::ifstream file("/etc/nsswitch.conf");
  const std::string services{std::istreambuf_iterator<char>(file), {}};
  if (names_other_services(services)) {
    if (auto answer = ask_getent("getent", host)) {
      return *std::move(answer);
    }
  }
#endif
  return ask_library(host);
}

}  // namespace

bool names_other_services(std::string_view nsswitch) {
  for (std::string_view line : base::split(nsswitch, '\n')) {
    line = base::trim(line.substr(0, line.find('#')));
    if (!line.starts_with("hosts:")) {
      continue;
    }
    bool is_condition = false;  // [!UNAVAIL=return]
    for (const std::string_view word : base::split_words(line.substr(line.find(':') + 1))) {
      is_condition = is_condition || word.starts_with("[");
      if (!is_condition && word != "files" && word != "dns") {
        return true;
      }
      is_condition = is_condition && !word.ends_with("]");
    }
  }
  return false;
}

std::optional<NameLookups::Answer> ask_getent(const std::string& program, const std::string& host) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return std::nullopt;
  }
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  // Not from a priority or a mask of this program's threads.
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t none;
  ::sigemptyset(&none);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  std::array<std::string, 4> words{program, "ahosts", "--", host};
  std::array<char*, 5> arguments{words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  pid_t child = -1;
  const int failed = ::posix_spawnp(&child, program.c_str(), &actions, &attributes, arguments.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::string output;
  std::array<char, 4096> bytes{};
  for (ssize_t count = 0; failed == 0 && output.size() < output_bytes_max;) {
    count = ::read(ends[0], bytes.data(), bytes.size());
    if (count == 0 || (count < 0 && errno != EINTR)) {
      break;
    }
    output.append(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }
  ::close(ends[0]);
  int status = -1;
  if (failed != 0 || ::waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
    return std::nullopt;
  }
  constexpr int not_found = 2;  // getent(1), EXIT STATUS
  NameLookups::Answer answer;
  if (WEXITSTATUS(status) == not_found) {
    answer.why = base::system_words(::gai_strerror(EAI_NONAME));
    return answer;
  }
  for (const std::string_view line : base::split(output, '\n')) {
    const auto columns = base::split_words(line);
    boost::system::error_code not_numeric;
    const auto address = boost::asio::ip::make_address(std::string(columns.empty() ? "" : columns[0]), not_numeric);
    if (!not_numeric && columns.size() > 1 && columns[1] == "STREAM") {
      answer.endpoints.emplace_back(address, 0);
    }
  }
  return answer.endpoints.empty() ? std::nullopt : std::optional(std::move(answer));
}

boost::asio::execution_context::id NameLookups::id;

NameLookups::NameLookups(boost::asio::io_context& context) : NameLookups(context, ask_machine) {}

NameLookups::NameLookups(boost::asio::io_context& context, Resolve resolve)
    : boost::asio::execution_context::service(context), loop_(context), resolve_(std::move(resolve)) {}

NameLookups& NameLookups::of(boost::asio::io_context& context) {
  return boost::asio::use_service<NameLookups>(context);
}

void NameLookups::shutdown() { const auto dropped = std::exchange(names_, {}); }

NameLookups::Ticket NameLookups::begin(const std::string& host, Done done) {
  Name& name = names_[host];
  name.asks.push_back({++last_ticket_, std::move(done)});
  const Ticket ticket = last_ticket_;
  if (name.threads < threads_per_name_max && threads_ < threads_max) {
    start(host, name);
  }
  return ticket;
}

void NameLookups::forget(Ticket ticket) {
  for (auto entry = names_.begin(); entry != names_.end(); ++entry) {
    Name& name = entry->second;
    const auto found = std::find_if(name.asks.begin(), name.asks.end(),
                                    [&](const Ask& ask) { return ask.ticket == ticket; });
    if (found != name.asks.end()) {
      name.asks.erase(found);
      if (name.asks.empty() && name.threads == 0) {
        names_.erase(entry);
      }
      return;
    }
  }
}

void NameLookups::start(const std::string& host, Name& name) {
  ++name.threads;
  ++threads_;
  const Ticket newest = last_ticket_;
  const auto failure = base::io::Errands::of(loop_).send(
      [resolve = resolve_, host] { return resolve(host); },
      [this, host, newest](const Answer& answer) { ended(host, newest, answer); });
  if (failure) {
    boost::asio::post(loop_, [this, host, newest, why = failure.message()] {
      ended(host, newest, {{}, say("no thread for it: {}", why)});
    });
  }
}

/// A failure is none for who asked later: the line may stand again since.
void NameLookups::ended(const std::string& host, Ticket newest, const Answer& answer) {
  Name& name = names_[host];
  --name.threads;
  --threads_;
  std::deque<Ask> served;
  std::deque<Ask> left;
  for (Ask& ask : name.asks) {
    (answer.why.empty() || ask.ticket <= newest ? served : left).push_back(std::move(ask));
  }
  name.asks = std::move(left);
  if (name.asks.empty() && name.threads == 0) {
    names_.erase(host);
  }
  start_waiting();
  for (const Ask& ask : served) {
    ask.done(answer);
  }
}

void NameLookups::start_waiting() {
  for (auto& [host, name] : names_) {
    if (threads_ < threads_max && name.threads == 0 && !name.asks.empty()) {
      start(host, name);
    }
  }
}

// --- dialling

namespace asio = boost::asio;
using boost::system::error_code;

std::string format_endpoint(const asio::ip::tcp::endpoint& endpoint) {
  const auto address = endpoint.address().to_string();
  const auto port = std::to_string(endpoint.port());
  return endpoint.address().is_v6() ? "[" + address + "]:" + port : address + ":" + port;
}

Dial::Dial(asio::io_context& context, Target target, Callbacks callbacks)
    : target_(std::move(target)),
      callbacks_(std::move(callbacks)),
      lookups_(NameLookups::of(context)),
      socket_(context),
      timer_(context) {}

void Dial::start() {
  error_code not_numeric;
  const auto numeric = asio::ip::make_address(target_.host, not_numeric);
  if (!not_numeric) {
    start({Tcp::endpoint(numeric, target_.port)});
    return;
  }
  deadline_ = Clock::now() + target_.timeout;
  resolve();
}

void Dial::start(std::vector<Tcp::endpoint> endpoints) {
  deadline_ = Clock::now() + target_.timeout;
  endpoints_ = std::move(endpoints);
  // Posted: a callback never comes from inside start().
  asio::post(socket_.get_executor(), [self = shared_from_this()] { self->try_next(); });
}

void Dial::cancel() {
  error_code not_open;
  is_done_ = true;
  lookups_.forget(lookup_);
  stop_waiting();
  socket_.close(not_open);
}

void Dial::resolve() {
  wait_until(deadline_, &Dial::lookup_timed_out);
  lookup_ = lookups_.begin(target_.host, [self = shared_from_this()](const NameLookups::Answer& answer) {
    self->looked_up(answer);
  });
}

void Dial::looked_up(const NameLookups::Answer& answer) {
  if (is_done_) {
    return;
  }
  if (!answer.why.empty()) {
    fail(say("cannot look up {}: {}", quoted(target_.host), answer.why));
    return;
  }
  for (Tcp::endpoint endpoint : answer.endpoints) {
    endpoint.port(target_.port);
    endpoints_.push_back(endpoint);
  }
  try_next();
}

void Dial::try_next() {
  if (is_done_) {
    return;
  }
  if (next_ == endpoints_.size()) {
    fail(failures_);
    return;
  }
  const auto endpoint = endpoints_[next_++];
  const auto now = Clock::now();
  const auto remaining = std::max(deadline_ - now, Clock::duration{0});
  const auto addresses_left = static_cast<std::int64_t>(endpoints_.size() - next_ + 1);
  error_code not_open;
  socket_.close(not_open);
  timed_out_ = false;
  wait_until(now + remaining / addresses_left, &Dial::attempt_timed_out);
  socket_.async_connect(endpoint, [self = shared_from_this(), endpoint](error_code failed) {
    self->attempted(endpoint, failed);
  });
}

void Dial::attempted(const Tcp::endpoint& endpoint, error_code failed) {
  if (is_done_) {
    return;
  }
  if (failed || timed_out_) {
    auto failure = say("{}: {}", format_endpoint(endpoint),
                       timed_out_ ? say("no answer in time") : base::system_words(failed.message()));
    failures_ = failures_.empty() ? std::move(failure) : say("{}; {}", std::move(failures_), std::move(failure));
    try_next();
    return;
  }
  is_done_ = true;
  stop_waiting();
  callbacks_.connected(std::move(socket_), format_endpoint(endpoint));
}

void Dial::fail(base::Message why) {
  cancel();
  callbacks_.failed(std::move(why));
}

// A handler that had already expired when its wait was replaced is known by its number: cancelling
// a timer does not call such a handler back.
void Dial::wait_until(Clock::time_point deadline, void (Dial::*action)()) {
  const auto wait = ++wait_;
  timer_.expires_at(deadline);
  timer_.async_wait([self = shared_from_this(), action, wait](error_code) {
    if (wait == self->wait_) {
      ((*self).*action)();
    }
  });
}

void Dial::stop_waiting() {
  ++wait_;
  timer_.cancel();
}

void Dial::lookup_timed_out() {
  fail(say("looking up {} took longer than {}", quoted(target_.host), duration(target_.timeout.count())));
}

void Dial::attempt_timed_out() {
  error_code not_open;
  timed_out_ = true;
  socket_.cancel(not_open);
}

}  // namespace kakehashi::csa::io
