// What TLS connections are made from: the trusted authorities and the client's certificate, read
// from the files of the settings. Knows no server.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "csa/server_address.hpp"

struct ssl_ctx_st;

namespace kakehashi::csa::io {

struct FreeTlsContext {
  void operator()(ssl_ctx_st* context) const;
};
using TlsContext = std::unique_ptr<ssl_ctx_st, FreeTlsContext>;

/// TLS 1.2 or newer. The error names the file that cannot be used, and nothing that stands in it;
/// a key with a passphrase is refused, never asked for. Reads the files each time: a certificate
/// that was renewed counts from the next connection on.
[[nodiscard]] base::Result<TlsContext> make_tls_context(const TlsSettings& settings);

/// OpenSSL looks for the system's authorities where the distribution had them that it was built on. A
/// program that brings its OpenSSL along meets other systems, and images that hold nothing but the file:
/// that file, where neither of OpenSSL's own places is there. Empty: they are, or there is none.
/// `root` stands before each path, for tests.
[[nodiscard]] std::string authorities_elsewhere(const std::filesystem::path& root = "/");

}  // namespace kakehashi::csa::io
