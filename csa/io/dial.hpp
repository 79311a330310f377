// Getting a TCP connection to a host: looks the name up and tries each of its addresses, IPv6 and
// IPv4, within one time limit. Knows nothing of what the connection is for. Included by shells only.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.hpp"
#include "base/time.hpp"

namespace kakehashi::csa::io {

// --- looking names up with the system's resolver, which takes as long as it likes and cannot be told to stop: each name on
// threads of its own, so that one that does not resolve holds up neither another nor the exit. It knows neither ports nor
// time limits.

/// A service of the io_context; all is called from its thread. The lookups are Errands.
class NameLookups : public boost::asio::execution_context::service {
 public:
  struct Answer {
    std::vector<boost::asio::ip::tcp::endpoint> endpoints;  ///< port 0, in the order to be tried
    base::Message why;                                      ///< there are none; empty when there are
  };
  using Done = std::function<void(const Answer& answer)>;
  using Ticket = std::uint64_t;
  /// As getaddrinfo(3), which a test may replace: called from many threads, must not throw.
  using Resolve = std::function<Answer(const std::string& host)>;

  /// More wait for a thread to end. A second one for a name is begun beside one that may hang.
  static constexpr std::size_t threads_max = 32;
  static constexpr std::size_t threads_per_name_max = 2;

  explicit NameLookups(boost::asio::io_context& context);
  NameLookups(boost::asio::io_context& context, Resolve resolve);

  [[nodiscard]] static NameLookups& of(boost::asio::io_context& context);

  /// `done` is called once, from the io_context, unless forgotten before; never from inside begin().
  /// What anybody learns of a name serves all who ask for it.
  Ticket begin(const std::string& host, Done done);
  void forget(Ticket ticket);

  static boost::asio::execution_context::id id;  ///< by which Asio finds the service

 private:
  struct Ask {
    Ticket ticket;
    Done done;
  };
  struct Name {
    std::deque<Ask> asks;
    std::size_t threads = 0;
  };

  void shutdown() override;
  void start(const std::string& host, Name& name);
  void ended(const std::string& host, Ticket newest, const Answer& answer);
  void start_waiting();

  boost::asio::io_context& loop_;
  Resolve resolve_;
  std::map<std::string, Name> names_;
  std::size_t threads_ = 0;
  Ticket last_ticket_ = 0;
};

/// Whether /etc/nsswitch.conf names more for hosts than files and dns, which are all that a static program has.
[[nodiscard]] bool names_other_services(std::string_view nsswitch);

/// What the machine's own getent(1) says of a host, by whatever services the machine has; nothing where it cannot be
/// asked. Takes as long as it likes.
[[nodiscard]] std::optional<NameLookups::Answer> ask_getent(const std::string& program, const std::string& host);

// --- dialling

/// "127.0.0.1:4081", "[::1]:4081".
[[nodiscard]] std::string format_endpoint(const boost::asio::ip::tcp::endpoint& endpoint);

/// One attempt. Shared with its own pending handlers, which outlive its owner's interest.
class Dial : public std::enable_shared_from_this<Dial> {
 public:
  struct Target {
    std::string host;  ///< a name, or an address without brackets
    std::uint16_t port = 0;
    base::Millis timeout{0};  ///< for the look-up and all addresses together
  };
  struct Callbacks {
    std::function<void(boost::asio::ip::tcp::socket socket, std::string peer)> connected;
    std::function<void(base::Message why)> failed;  ///< names each address that was tried
  };

  Dial(boost::asio::io_context& context, Target target, Callbacks callbacks);

  /// Once. Exactly one callback follows, from the io_context, unless cancelled before it.
  void start();
  /// The same with the addresses that the name stands for, in the order in which they are tried.
  void start(std::vector<boost::asio::ip::tcp::endpoint> endpoints);
  void cancel();

 private:
  using Tcp = boost::asio::ip::tcp;
  using Clock = std::chrono::steady_clock;

  void resolve();
  void looked_up(const NameLookups::Answer& answer);
  void try_next();
  void attempted(const Tcp::endpoint& endpoint, boost::system::error_code failed);
  void fail(base::Message why);
  void wait_until(Clock::time_point deadline, void (Dial::*action)());
  void stop_waiting();
  void lookup_timed_out();
  void attempt_timed_out();

  Target target_;
  Callbacks callbacks_;
  NameLookups& lookups_;
  NameLookups::Ticket lookup_ = 0;
  Tcp::socket socket_;
  boost::asio::steady_timer timer_;
  std::uint64_t wait_ = 0;
  Clock::time_point deadline_{};
  std::vector<Tcp::endpoint> endpoints_;
  std::size_t next_ = 0;
  base::Message failures_;
  bool timed_out_ = false;
  bool is_done_ = false;
};

}  // namespace kakehashi::csa::io
