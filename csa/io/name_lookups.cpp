#include "csa/io/name_lookups.hpp"

#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/io/errands.hpp"

namespace kakehashi::csa::io {
namespace {

NameLookups::Answer ask_system(const std::string& host) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_protocol = IPPROTO_TCP;
  addrinfo* found = nullptr;
  NameLookups::Answer answer;
  if (const int failed = ::getaddrinfo(host.c_str(), nullptr, &hints, &found); failed != 0) {
    answer.why = failed == EAI_SYSTEM ? std::system_category().message(errno) : ::gai_strerror(failed);
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
    answer.why = "there is no address";
  }
  return answer;
}

}  // namespace

boost::asio::execution_context::id NameLookups::id;

NameLookups::NameLookups(boost::asio::io_context& context) : NameLookups(context, ask_system) {}

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
      ended(host, newest, {{}, "no thread for it: " + why});
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

}  // namespace kakehashi::csa::io
