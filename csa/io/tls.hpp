// What TLS connections are made from: the trusted authorities and the client's certificate, read
// from the files of the settings. Knows no server.
#pragma once

#include <boost/asio/io_context.hpp>

#include <array>
#include <filesystem>
#include <functional>
#include <map>
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

/// The same by a thread, for the files may lie on a disk that stands still. A service of the io_context.
class TlsContexts : public boost::asio::execution_context::service {
 public:
  using Done = std::function<void(base::Result<TlsContext> made)>;

  /// Of the same files: more attempts are refused until a thread comes back from them.
  static constexpr int threads_per_files_max = 2;

  explicit TlsContexts(boost::asio::io_context& context);
  [[nodiscard]] static TlsContexts& of(boost::asio::io_context& context);

  /// `done` is called once, from the io_context, and never from inside.
  void make(const TlsSettings& settings, const Done& done);

  static boost::asio::execution_context::id id;  ///< by which Asio finds the service

 private:
  using Files = std::array<std::string, 3>;

  void shutdown() override {}

  boost::asio::io_context& loop_;
  std::map<Files, int> threads_;
};

/// OpenSSL looks for the system's authorities where the distribution had them that it was built on. A
/// program that brings its OpenSSL along meets other systems, and images that hold nothing but the file:
/// that file, where neither of OpenSSL's own places is there. Empty: they are, or there is none.
/// `root` stands before each path, for tests.
[[nodiscard]] std::string authorities_elsewhere(const std::filesystem::path& root = "/");

}  // namespace kakehashi::csa::io
