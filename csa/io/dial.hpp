// Getting a TCP connection to a host: looks the name up and tries each of its addresses, IPv6 and
// IPv4, within one time limit. Knows nothing of what the connection is for. Included by shells only.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "csa/io/name_lookups.hpp"

namespace kakehashi::csa::io {

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
    std::function<void(std::string why)> failed;  ///< names each address that was tried
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
  void fail(std::string why);
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
  std::string failures_;
  bool timed_out_ = false;
  bool is_done_ = false;
};

}  // namespace kakehashi::csa::io
