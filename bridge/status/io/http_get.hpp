// Reads one page of a running bridge on this machine: for `kakehashi health`, `status` and `top`.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "base/secret.hpp"
#include "base/time.hpp"

namespace kakehashi::bridge::status::io {

struct HttpPlace {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;
  base::Secret token;
};

struct HttpReply {
  int status = 0;
  std::string body;  ///< at most http_body_max bytes
};

inline constexpr std::size_t http_body_max = std::size_t{4} * 1024 * 1024;

/// Blocks for at most `timeout`. A sentence that says why there is no reply.
[[nodiscard]] base::Result<HttpReply, std::string> http_get(const HttpPlace& place,
                                                            const std::string& path,
                                                            base::Millis timeout);

}  // namespace kakehashi::bridge::status::io
