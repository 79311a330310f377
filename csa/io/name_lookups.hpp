// Looking names up with the system's resolver, which takes as long as it likes and cannot be told to
// stop: each name on threads of its own, so that one that does not resolve holds up neither another
// nor the exit. It knows neither ports nor time limits.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi::csa::io {

/// A service of the io_context; all is called from its thread. The lookups are Errands.
class NameLookups : public boost::asio::execution_context::service {
 public:
  struct Answer {
    std::vector<boost::asio::ip::tcp::endpoint> endpoints;  ///< port 0, in the order to be tried
    std::string why;  ///< there are none; empty when there are
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

}  // namespace kakehashi::csa::io
