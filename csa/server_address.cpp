#include "csa/server_address.hpp"

namespace kakehashi::csa {

std::string format_host(const std::string& host, std::uint16_t port) {
  const bool is_v6 = host.find(':') != std::string::npos;
  return (is_v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

}  // namespace kakehashi::csa
