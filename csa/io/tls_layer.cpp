#include "csa/io/tls_layer.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <array>
#include <boost/asio/ip/address.hpp>
#include <utility>

#include "csa/io/tls_words.hpp"

namespace kakehashi::csa::io {
namespace {

/// As certificates and SNI spell a host: without the dot of a full name and an IPv6 zone.
std::string name_for_tls(std::string host) {
  if (const auto zone = host.find('%'); zone != std::string::npos) {
    host.resize(zone);
  }
  if (host.ends_with('.')) {
    host.pop_back();
  }
  return host;
}

bool is_address(const std::string& name) {
  boost::system::error_code not_numeric;
  (void)boost::asio::ip::make_address(name, not_numeric);
  return !not_numeric;
}

}  // namespace

void TlsLayer::FreeConnection::operator()(ssl_st* connection) const { ::SSL_free(connection); }

TlsLayer::TlsLayer(TlsSettings settings, const std::string& host)
    : settings_(std::move(settings)),
      name_(name_for_tls(settings_.server_name.empty() ? host : settings_.server_name)) {}

Layer::Output TlsLayer::start() {
  if (prepare()) {
    shake_hands();
  }
  return {take_outgoing(), ""};
}

Layer::Output TlsLayer::receive(std::string_view bytes) {
  Output out;
  if (state() != State::opening && state() != State::open) {
    return out;
  }
  // A memory buffer takes everything; one read of the socket bounds what it holds.
  ::BIO_write(::SSL_get_rbio(connection_.get()), bytes.data(), static_cast<int>(bytes.size()));
  if (state() == State::opening) {
    shake_hands();
  }
  if (state() == State::open) {
    read(out);
  }
  out.below = take_outgoing();
  return out;
}

Layer::Output TlsLayer::send(std::string_view bytes) {
  if (state() == State::open && !bytes.empty()) {
    ::ERR_clear_error();
    const int outcome =
        ::SSL_write(connection_.get(), bytes.data(), static_cast<int>(bytes.size()));
    if (outcome <= 0) {
      fail_by(outcome);
    }
  }
  return {take_outgoing(), ""};
}

Layer::Output TlsLayer::finish() {
  ::SSL_shutdown(connection_.get());
  ::ERR_clear_error();
  return {take_outgoing(), ""};
}

std::string TlsLayer::advice() const { return "; does the server speak TLS on this port?"; }

std::string TlsLayer::description() const {
  if (state() == State::opening || !connection_) {
    return "";
  }
  // OpenSSL says "TLSv1.3".
  const std::string version = ::SSL_get_version(connection_.get());
  const std::string cipher = ::SSL_get_cipher_name(connection_.get());
  return (version.starts_with("TLSv") ? "TLS " + version.substr(4) : version) + ", " + cipher;
}

bool TlsLayer::prepare() {
  auto context = make_tls_context(settings_);
  if (!context) {
    fail(context.error().what);
    return false;
  }
  context_ = std::move(context).value();
  ::SSL_CTX_set_cert_verify_callback(context_.get(), judge, this);
  connection_.reset(::SSL_new(context_.get()));
  BIO* incoming = ::BIO_new(::BIO_s_mem());
  BIO* outgoing = ::BIO_new(::BIO_s_mem());
  if (!connection_ || incoming == nullptr || outgoing == nullptr) {
    ::BIO_free(incoming);
    ::BIO_free(outgoing);
    fail("TLS cannot be used: out of memory");
    return false;
  }
  // An empty buffer is not the end of the connection.
  BIO_set_mem_eof_return(incoming, -1);
  BIO_set_mem_eof_return(outgoing, -1);
  ::SSL_set_bio(connection_.get(), incoming, outgoing);
  ::SSL_set_connect_state(connection_.get());
  if (!name_the_server()) {
    fail("the name " + name_ + " cannot be used with TLS");
    return false;
  }
  return true;
}

bool TlsLayer::name_the_server() {
  if (is_address(name_)) {
    // SNI is for names only (RFC 6066, section 3).
    return ::X509_VERIFY_PARAM_set1_ip_asc(::SSL_get0_param(connection_.get()), name_.c_str()) == 1;
  }
  ::SSL_set_hostflags(connection_.get(), X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  return ::SSL_set1_host(connection_.get(), name_.c_str()) == 1 &&
         SSL_set_tlsext_host_name(connection_.get(), name_.c_str()) == 1;
}

void TlsLayer::shake_hands() {
  ::ERR_clear_error();
  const int outcome = ::SSL_do_handshake(connection_.get());
  if (outcome == 1) {
    open();
  } else {
    fail_by(outcome);
  }
}

void TlsLayer::read(Output& out) {
  std::array<char, std::size_t{16} * 1024> buffer;
  for (;;) {
    ::ERR_clear_error();
    const int size =
        ::SSL_read(connection_.get(), buffer.data(), static_cast<int>(buffer.size()));
    if (size <= 0) {
      fail_by(size);
      return;
    }
    out.above.append(buffer.data(), static_cast<std::size_t>(size));
  }
}

/// Nothing where OpenSSL only waits for more bytes.
void TlsLayer::fail_by(int outcome) {
  const int error = ::SSL_get_error(connection_.get(), outcome);
  if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) {
    return;
  }
  if (error == SSL_ERROR_ZERO_RETURN) {
    end("the server closed the connection");
    return;
  }
  const auto words = explain_tls_error(state() == State::opening);
  fail(verdict_.empty() ? words : verdict_);
}

std::string TlsLayer::take_outgoing() {
  if (!connection_) {
    return "";
  }
  BIO* outgoing = ::SSL_get_wbio(connection_.get());
  std::string bytes(::BIO_ctrl_pending(outgoing), '\0');
  const int size = bytes.empty()
                       ? 0
                       : ::BIO_read(outgoing, bytes.data(), static_cast<int>(bytes.size()));
  bytes.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return bytes;
}

int TlsLayer::judge(x509_store_ctx_st* verification, void* self) {
  auto& layer = *static_cast<TlsLayer*>(self);
  if (!layer.settings_.fingerprint.empty()) {
    const X509* leaf = ::X509_STORE_CTX_get0_cert(verification);
    const auto seen = leaf == nullptr ? "" : format_fingerprint(leaf);
    const bool is_pinned = is_same_fingerprint(seen, layer.settings_.fingerprint);
    ::X509_STORE_CTX_set_error(verification,
                               is_pinned ? X509_V_OK : X509_V_ERR_APPLICATION_VERIFICATION);
    if (!is_pinned) {
      layer.verdict_ = "its certificate is not the one of server.tls.fingerprint: it has the SHA-256 "
                       "fingerprint " + seen;
    }
    return is_pinned ? 1 : 0;
  }
  if (::X509_verify_cert(verification) == 1) {
    return 1;
  }
  layer.verdict_ = explain_certificate(verification, layer.name_);
  return 0;
}

}  // namespace kakehashi::csa::io
