#include "csa/io/layers.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <strings.h>

#include <array>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/io/threads.hpp"

namespace kakehashi::csa::io {

using base::quoted;
using base::say;

// --- contexts

namespace {

/// Notes that a passphrase was asked for, and gives none: OpenSSL would ask the terminal.
int give_no_passphrase(char*, int, int, void* was_asked) {
  *static_cast<bool*>(was_asked) = true;
  return 0;
}

/// The system's word where it refused the file, else `otherwise`.
base::Message reason(base::Message otherwise) {
  for (unsigned long error = ::ERR_get_error(); error != 0; error = ::ERR_get_error()) {
    if (ERR_SYSTEM_ERROR(error)) {
      return say("cannot be read: {}", base::system_words(std::generic_category().message(ERR_GET_REASON(error))));
    }
  }
  return otherwise;
}

void trust_the_system(SSL_CTX* context) {
  ::SSL_CTX_set_default_verify_paths(context);
  // Who names places of his own means those and no others.
  const bool has_named_places = std::getenv(::X509_get_default_cert_file_env()) != nullptr ||
                                std::getenv(::X509_get_default_cert_dir_env()) != nullptr;
  if (const auto file = has_named_places ? "" : authorities_elsewhere(); !file.empty()) {
    ::SSL_CTX_load_verify_file(context, file.c_str());
  }
}

}  // namespace

std::string authorities_elsewhere(const std::filesystem::path& root) {
  const auto is_there = [&](const char* path) {
    std::error_code failed;
    const auto found = root / std::filesystem::path(path).relative_path();
    return std::filesystem::exists(found, failed) && !std::filesystem::is_empty(found, failed) && !failed;
  };
  if (is_there(::X509_get_default_cert_file()) || is_there(::X509_get_default_cert_dir())) {
    return "";
  }
  // Debian, Arch and Gentoo; Fedora and its kin; Alpine and the BSDs; openSUSE.
  constexpr std::array places{"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
                              "/etc/ssl/cert.pem", "/etc/ssl/ca-bundle.pem"};
  for (const char* place : places) {
    if (is_there(place)) {
      return root / std::filesystem::path(place).relative_path();
    }
  }
  return "";
}

void FreeTlsContext::operator()(ssl_ctx_st* context) const { ::SSL_CTX_free(context); }

base::Result<TlsContext> make_tls_context(const TlsSettings& settings) {
  ::ERR_clear_error();
  TlsContext made(::SSL_CTX_new(::TLS_client_method()));
  if (!made) {
    return base::fail(say("TLS cannot be used: {}", reason(say("OpenSSL gave no context"))));
  }
  SSL_CTX* context = made.get();
  ::SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  ::SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  ::SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  ::SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);

  if (settings.ca_file.empty()) {
    trust_the_system(context);
  } else if (::SSL_CTX_load_verify_file(context, settings.ca_file.c_str()) != 1) {
    return base::fail(say("the file of authorities {} {}", quoted(settings.ca_file, 400),
                          reason(say("holds no certificate in PEM form"))));
  }
  if (settings.certificate_file.empty()) {
    return made;
  }
  if (::SSL_CTX_use_certificate_chain_file(context, settings.certificate_file.c_str()) != 1) {
    return base::fail(say("the certificate file {} {}", quoted(settings.certificate_file, 400),
                          reason(say("holds no certificate in PEM form"))));
  }
  const auto key_file = quoted(settings.key_file, 400);
  bool was_asked = false;
  ::SSL_CTX_set_default_passwd_cb(context, give_no_passphrase);
  ::SSL_CTX_set_default_passwd_cb_userdata(context, &was_asked);
  const bool is_loaded =
      ::SSL_CTX_use_PrivateKey_file(context, settings.key_file.c_str(), SSL_FILETYPE_PEM) == 1;
  ::SSL_CTX_set_default_passwd_cb_userdata(context, nullptr);
  if (was_asked) {
    return base::fail(say("the key file {} is protected by a passphrase; a key without one is needed", key_file));
  }
  // Loading a key also compares it with the certificate.
  const bool is_other = ERR_GET_REASON(::ERR_peek_error()) == X509_R_KEY_VALUES_MISMATCH ||
                        ERR_GET_REASON(::ERR_peek_error()) == X509_R_KEY_TYPE_MISMATCH;
  if (!is_loaded && !is_other) {
    return base::fail(say("the key file {} {}", key_file, reason(say("holds no private key in PEM form"))));
  }
  if (!is_loaded || ::SSL_CTX_check_private_key(context) != 1) {
    return base::fail(say("the key file {} does not belong to the certificate in {}", key_file,
                          quoted(settings.certificate_file, 400)));
  }
  return made;
}

boost::asio::execution_context::id TlsContexts::id;

TlsContexts::TlsContexts(boost::asio::io_context& context)
    : boost::asio::execution_context::service(context), loop_(context) {}

TlsContexts& TlsContexts::of(boost::asio::io_context& context) {
  return boost::asio::use_service<TlsContexts>(context);
}

void TlsContexts::make(const TlsSettings& settings, const Done& done) {
  const Files files{settings.ca_file, settings.certificate_file, settings.key_file};
  const auto fail = [&](const base::Message& why) { boost::asio::post(loop_, [done, why] { done(base::fail(why)); }); };
  if (threads_[files] >= threads_per_files_max) {
    fail(say("the files of server.tls are still being read for earlier connections: is their disk there?"));
    return;
  }
  const auto failure = base::io::Errands::of(loop_).send(
      [settings] {
        auto made = make_tls_context(settings);
        ::OPENSSL_thread_stop();  // what it keeps of this thread goes now, and not at the end of the process
        return made;
      },
      [this, files, done](base::Result<TlsContext> made) {
        --threads_[files];
        done(std::move(made));
      });
  if (failure) {
    fail(say("no thread to read the files of server.tls: {}", base::system_words(failure.message())));
  } else {
    ++threads_[files];
  }
}

// --- the layer

namespace {

// --- OpenSSL's findings as sentences that tell a user what to do; what a certificate says is a stranger's word and is quoted

constexpr std::size_t names_max = 10;

base::Message format_time(const ASN1_TIME* time) {
  std::tm parts{};
  std::array<char, 32> text{};
  if (time == nullptr || ::ASN1_TIME_to_tm(time, &parts) != 1 ||
      std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M UTC", &parts) == 0) {
    return say("an unreadable time");
  }
  return base::verbatim(text.data());
}

std::string text_of(const ASN1_STRING* text) {
  return {reinterpret_cast<const char*>(::ASN1_STRING_get0_data(text)),
          static_cast<std::size_t>(::ASN1_STRING_length(text))};
}

std::string text_of_address(const ASN1_OCTET_STRING* address) {
  const unsigned char* bytes = ::ASN1_STRING_get0_data(address);
  const int size = ::ASN1_STRING_length(address);
  std::string text;
  for (int i = 0; size == 4 && i < 4; ++i) {
    text += (i == 0 ? "" : ".") + std::to_string(bytes[i]);
  }
  for (int i = 0; size == 16 && i < 16; i += 2) {
    text += (i == 0 ? "" : ":") + fmt::format("{:x}", bytes[i] * 256 + bytes[i + 1]);
  }
  return text;
}

std::string common_name(const X509_NAME* name) {
  const int at = ::X509_NAME_get_index_by_NID(name, NID_commonName, -1);
  if (at < 0) {
    return "";
  }
  return text_of(::X509_NAME_ENTRY_get_data(::X509_NAME_get_entry(name, at)));
}

/// The hosts that a certificate is for: its alternative names, or its common name.
std::vector<std::string> names_of(const X509* certificate) {
  std::vector<std::string> names;
  const std::unique_ptr<GENERAL_NAMES, decltype(&::GENERAL_NAMES_free)> all(
      static_cast<GENERAL_NAMES*>(
          ::X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)),
      ::GENERAL_NAMES_free);
  for (int i = 0; all && i < sk_GENERAL_NAME_num(all.get()); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(all.get(), i);
    if (name->type == GEN_DNS) {
      names.push_back(text_of(name->d.dNSName));
    } else if (name->type == GEN_IPADD) {
      names.push_back(text_of_address(name->d.iPAddress));
    }
  }
  if (names.empty()) {
    names.push_back(common_name(::X509_get_subject_name(certificate)));
  }
  return names;
}

base::Message list_of(const std::vector<std::string>& names) {
  std::vector<base::Message> shown;
  for (std::size_t i = 0; i < names.size() && i < names_max; ++i) {
    shown.push_back(say("{}", quoted(names[i], 100)));
  }
  return names.size() > names_max ? say("{} and {} more", base::listed(shown), names.size() - names_max)
                                  : base::listed(shown);
}

base::Message issuer_of(const X509* certificate) {
  const auto name = common_name(::X509_get_issuer_name(certificate));
  return name.empty() ? say("an authority without a name") : say("{}", quoted(name, 100));
}

/// What the peer's alert or its bytes most likely mean; empty: nothing better than OpenSSL's words.
base::Message meaning_of(int reason_code, bool is_opening) {
  switch (reason_code) {
    case SSL_R_WRONG_VERSION_NUMBER:
    case SSL_R_HTTP_REQUEST:
    case SSL_R_PACKET_LENGTH_TOO_LONG:
    case SSL_R_RECORD_LENGTH_MISMATCH:
      return is_opening ? say("the server does not speak TLS on this port; the connection was given up, "
                              "and nothing was sent unencrypted")
                        : base::Message();
    case SSL_R_UNSUPPORTED_PROTOCOL:
    case SSL_R_TLSV1_ALERT_PROTOCOL_VERSION: return say("the server does not speak TLS 1.2 or newer");
    case SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE:
      return say(
          "the server refused the handshake: it knows none of our ciphers, or it asks for a "
          "client certificate (server.tls.certificate_file)");
    case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED:
      return say("the server asks for a client certificate (server.tls.certificate_file)");
    case SSL_R_TLSV1_ALERT_UNKNOWN_CA:
    case SSL_R_TLSV1_ALERT_ACCESS_DENIED:
    case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN:
    case SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE:
      return say("the server does not accept the client certificate of server.tls.certificate_file");
    case SSL_R_TLSV1_UNRECOGNIZED_NAME:
      return say("the server does not know the name that it was called by (server.tls.server_name)");
    default: return {};
  }
}

/// SHA-256 of the whole certificate: "0A:1B:…", 32 bytes.
std::string format_fingerprint(const x509_st* certificate) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (::X509_digest(certificate, ::EVP_sha256(), digest.data(), &size) != 1) {
    return "";
  }
  std::array<char, std::size_t{3} * EVP_MAX_MD_SIZE> text{};
  ::OPENSSL_buf2hexstr_ex(text.data(), text.size(), nullptr, digest.data(), size, ':');
  return text.data();
}

/// Whether both are the same digest, whatever their colons and the case of their digits.
bool is_same_fingerprint(std::string one, std::string other) {
  std::erase(one, ':');
  std::erase(other, ':');
  return !one.empty() && ::strcasecmp(one.c_str(), other.c_str()) == 0;
}

/// Why the verification of a chain failed; `name` is what the certificate had to be for.
base::Message explain_certificate(x509_store_ctx_st* verification, const std::string& name) {
  const int error = ::X509_STORE_CTX_get_error(verification);
  const X509* leaf = ::X509_STORE_CTX_get0_cert(verification);
  const X509* current = ::X509_STORE_CTX_get_current_cert(verification);
  const X509* blamed = current == nullptr ? leaf : current;
  const auto whose = blamed == leaf ? say("its certificate")
                                    : say("the certificate of its authority {}",
                                          quoted(common_name(::X509_get_subject_name(blamed)), 100));
  switch (error) {
    case X509_V_ERR_CERT_HAS_EXPIRED: return say("{} expired on {}", whose, format_time(::X509_get0_notAfter(blamed)));
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return say("{} is not valid before {}; is the clock of this machine right?", whose,
                 format_time(::X509_get0_notBefore(blamed)));
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return say("{} is for {}, not for {}", whose, list_of(names_of(leaf)), quoted(name, 100));
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
      return say(
          "{} is self-signed, so nobody vouches for it (server.tls.ca_file names others to trust, "
          "server.tls.fingerprint this certificate alone: {})",
          whose, format_fingerprint(leaf));
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
      return say(
          "{} was issued by {}, which is not trusted here (server.tls.ca_file names others to trust, "
          "server.tls.fingerprint this certificate alone: {})",
          whose, issuer_of(blamed), format_fingerprint(leaf));
    default: return say("{} cannot be trusted: {}", whose, std::string(::X509_verify_cert_error_string(error)));
  }
}

/// Why the connection failed, from OpenSSL's queue of errors, which it empties.
base::Message explain_tls_error(bool is_opening) {
  const unsigned long error = ::ERR_peek_error();
  ::ERR_clear_error();
  if (ERR_GET_LIB(error) == ERR_LIB_SSL) {
    if (auto meaning = meaning_of(ERR_GET_REASON(error), is_opening); !meaning.empty()) {
      return meaning;
    }
  }
  const char* words = ::ERR_reason_error_string(error);
  const auto what = words == nullptr ? say("the server broke the protocol") : base::verbatim(words);
  return is_opening ? say("the TLS handshake failed: {}", what) : say("TLS failed: {}", what);
}

// ---

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

class TlsLayer : public Layer {
 public:
  TlsLayer(TlsContext context, TlsSettings settings, const std::string& host)
      : settings_(std::move(settings)),
        name_(name_for_tls(settings_.server_name.empty() ? host : settings_.server_name)),
        context_(std::move(context)) {}

  Output start() override {
    if (prepare()) {
      shake_hands();
    }
    return {take_outgoing(), ""};
  }

  Output receive(std::string_view bytes) override {
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

  Output send(std::string_view bytes) override {
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

  Output finish() override {
    ::SSL_shutdown(connection_.get());
    ::ERR_clear_error();
    return {take_outgoing(), ""};
  }

  [[nodiscard]] base::Message handshake() const override { return say("the TLS handshake"); }

  [[nodiscard]] base::Message advice() const override { return say("does the server speak TLS on this port?"); }

  [[nodiscard]] std::string description() const override {
    if (state() == State::opening || !connection_) {
      return "";
    }
    // OpenSSL says "TLSv1.3".
    const std::string version = ::SSL_get_version(connection_.get());
    const std::string cipher = ::SSL_get_cipher_name(connection_.get());
    return (version.starts_with("TLSv") ? "TLS " + version.substr(4) : version) + ", " + cipher;
  }

 private:
  [[nodiscard]] bool prepare() {
    ::SSL_CTX_set_cert_verify_callback(context_.get(), judge, this);
    connection_.reset(::SSL_new(context_.get()));
    BIO* incoming = ::BIO_new(::BIO_s_mem());
    BIO* outgoing = ::BIO_new(::BIO_s_mem());
    if (!connection_ || incoming == nullptr || outgoing == nullptr) {
      ::BIO_free(incoming);
      ::BIO_free(outgoing);
      fail(say("TLS cannot be used: {}", say("out of memory")));
      return false;
    }
    // An empty buffer is not the end of the connection.
    BIO_set_mem_eof_return(incoming, -1);
    BIO_set_mem_eof_return(outgoing, -1);
    ::SSL_set_bio(connection_.get(), incoming, outgoing);
    ::SSL_set_connect_state(connection_.get());
    if (!name_the_server()) {
      fail(say("the name {} cannot be used with TLS", name_));
      return false;
    }
    return true;
  }

  [[nodiscard]] bool name_the_server() {
    if (is_address(name_)) {
      // SNI is for names only (RFC 6066, section 3).
      return ::X509_VERIFY_PARAM_set1_ip_asc(::SSL_get0_param(connection_.get()), name_.c_str()) == 1;
    }
    ::SSL_set_hostflags(connection_.get(), X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return ::SSL_set1_host(connection_.get(), name_.c_str()) == 1 &&
           SSL_set_tlsext_host_name(connection_.get(), name_.c_str()) == 1;
  }

  void shake_hands() {
    ::ERR_clear_error();
    const int outcome = ::SSL_do_handshake(connection_.get());
    if (outcome == 1) {
      open();
    } else {
      fail_by(outcome);
    }
  }

  void read(Output& out) {
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
  void fail_by(int outcome) {
    const int error = ::SSL_get_error(connection_.get(), outcome);
    if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) {
      return;
    }
    if (error == SSL_ERROR_ZERO_RETURN) {
      end(say("the server closed the connection"));
      return;
    }
    const auto words = explain_tls_error(state() == State::opening);
    fail(verdict_.empty() ? words : verdict_);
  }

  [[nodiscard]] std::string take_outgoing() {
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

  /// OpenSSL's question whether the server's chain is good: 1 or 0.
  static int judge(x509_store_ctx_st* verification, void* self) {
    auto& layer = *static_cast<TlsLayer*>(self);
    if (!layer.settings_.fingerprint.empty()) {
      const X509* leaf = ::X509_STORE_CTX_get0_cert(verification);
      const auto seen = leaf == nullptr ? "" : format_fingerprint(leaf);
      const bool is_pinned = is_same_fingerprint(seen, layer.settings_.fingerprint);
      ::X509_STORE_CTX_set_error(verification,
                                 is_pinned ? X509_V_OK : X509_V_ERR_APPLICATION_VERIFICATION);
      if (!is_pinned) {
        layer.verdict_ =
            say("its certificate is not the one of server.tls.fingerprint: it has the SHA-256 fingerprint {}", seen);
      }
      return is_pinned ? 1 : 0;
    }
    if (::X509_verify_cert(verification) == 1) {
      return 1;
    }
    layer.verdict_ = explain_certificate(verification, layer.name_);
    return 0;
  }

  TlsSettings settings_;
  std::string name_;  ///< what the certificate must be for
  TlsContext context_;
  std::unique_ptr<SSL, decltype(&::SSL_free)> connection_{nullptr, ::SSL_free};
  base::Message verdict_;  ///< why judge() said no
};

}  // namespace

std::unique_ptr<Layer> make_tls_layer(TlsContext context, TlsSettings settings, const std::string& host) {
  return std::make_unique<TlsLayer>(std::move(context), std::move(settings), host);
}

}  // namespace kakehashi::csa::io
