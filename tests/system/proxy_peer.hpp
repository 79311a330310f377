// A real SOCKS5 or HTTP proxy on the loopback, which looks names up by its own table, so that a name
// that nobody else knows proves who looked it up.
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace kakehashi::test {

class ProxyPeer {
 public:
  enum class Kind { socks5, http };

  struct Rules {
    Kind kind = Kind::socks5;
    std::string user{};  ///< empty: open to everybody
    std::string password{};
    /// "csa.invalid:4081" and the port on the loopback that it means; others are unreachable.
    std::map<std::string, std::uint16_t> hosts{};
    int socks_failure = 4;  ///< the reply for others
    std::string http_failure = "502 Bad Gateway";
    bool is_mute = false;  ///< accepts and says nothing
  };

  ProxyPeer(boost::asio::io_context& context, Rules rules);
  ~ProxyPeer();
  ProxyPeer(const ProxyPeer&) = delete;
  ProxyPeer& operator=(const ProxyPeer&) = delete;

  [[nodiscard]] std::uint16_t port() const;
  /// What was asked for, in order: "csa.invalid:4081".
  [[nodiscard]] const std::vector<std::string>& requests() const;
  void stop_listening();

 private:
  struct State;
  class Session;
  std::shared_ptr<State> state_;
};

}  // namespace kakehashi::test
