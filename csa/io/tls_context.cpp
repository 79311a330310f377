#include "csa/io/tls_context.hpp"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <array>
#include <boost/asio/post.hpp>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "base/io/errands.hpp"
#include "base/text.hpp"

namespace kakehashi::csa::io {
namespace {

/// Notes that a passphrase was asked for, and gives none: OpenSSL would ask the terminal.
int give_no_passphrase(char*, int, int, void* was_asked) {
  *static_cast<bool*>(was_asked) = true;
  return 0;
}

/// The system's word where it refused the file, else `otherwise`.
std::string reason(const std::string& otherwise) {
  for (unsigned long error = ::ERR_get_error(); error != 0; error = ::ERR_get_error()) {
    if (ERR_SYSTEM_ERROR(error)) {
      return "cannot be read: " + std::generic_category().message(ERR_GET_REASON(error));
    }
  }
  return otherwise;
}

base::Failure<base::ParseError> refuse(const char* what, const std::string& file,
                                       const std::string& why) {
  return base::fail(std::string(what) + " " + base::quote_for_log(file, 400) + " " + why);
}

/// Who names places of his own means those and no others.
bool has_named_places() {
  return std::getenv(::X509_get_default_cert_file_env()) != nullptr ||
         std::getenv(::X509_get_default_cert_dir_env()) != nullptr;
}

void trust_the_system(SSL_CTX* context) {
  ::SSL_CTX_set_default_verify_paths(context);
  if (has_named_places()) {
    return;
  }
  if (const auto file = authorities_elsewhere(); !file.empty()) {
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
    return base::fail("TLS cannot be used: " + reason("OpenSSL gave no context"));
  }
  SSL_CTX* context = made.get();
  ::SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  ::SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  ::SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  ::SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);

  if (settings.ca_file.empty()) {
    trust_the_system(context);
  } else if (::SSL_CTX_load_verify_file(context, settings.ca_file.c_str()) != 1) {
    return refuse("the file of authorities", settings.ca_file,
                  reason("holds no certificate in PEM form"));
  }
  if (settings.certificate_file.empty()) {
    return made;
  }
  if (::SSL_CTX_use_certificate_chain_file(context, settings.certificate_file.c_str()) != 1) {
    return refuse("the certificate file", settings.certificate_file,
                  reason("holds no certificate in PEM form"));
  }
  bool was_asked = false;
  ::SSL_CTX_set_default_passwd_cb(context, give_no_passphrase);
  ::SSL_CTX_set_default_passwd_cb_userdata(context, &was_asked);
  const bool is_loaded =
      ::SSL_CTX_use_PrivateKey_file(context, settings.key_file.c_str(), SSL_FILETYPE_PEM) == 1;
  ::SSL_CTX_set_default_passwd_cb_userdata(context, nullptr);
  if (was_asked) {
    return refuse("the key file", settings.key_file,
                  "is protected by a passphrase; a key without one is needed");
  }
  // Loading a key also compares it with the certificate.
  const bool is_other = ERR_GET_REASON(::ERR_peek_error()) == X509_R_KEY_VALUES_MISMATCH ||
                        ERR_GET_REASON(::ERR_peek_error()) == X509_R_KEY_TYPE_MISMATCH;
  if (!is_loaded && !is_other) {
    return refuse("the key file", settings.key_file, reason("holds no private key in PEM form"));
  }
  if (!is_loaded || ::SSL_CTX_check_private_key(context) != 1) {
    return refuse("the key file", settings.key_file,
                  "does not belong to the certificate in " +
                      base::quote_for_log(settings.certificate_file, 400));
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
  const auto fail = [&](const std::string& why) {
    boost::asio::post(loop_, [done, why] { done(base::fail(why)); });
  };
  if (threads_[files] >= threads_per_files_max) {
    fail("the files of server.tls are still being read for earlier connections: is their disk there?");
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
    fail("no thread to read the files of server.tls: " + failure.message());
  } else {
    ++threads_[files];
  }
}

}  // namespace kakehashi::csa::io
