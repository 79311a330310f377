#include "csa/io/tls_words.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <array>
#include <cctype>
#include <ctime>
#include <memory>
#include <string_view>
#include <vector>

#include "base/text.hpp"

namespace kakehashi::csa::io {
namespace {

constexpr std::size_t names_max = 10;

std::string format_time(const ASN1_TIME* time) {
  std::tm parts{};
  std::array<char, 32> text{};
  if (time == nullptr || ::ASN1_TIME_to_tm(time, &parts) != 1 ||
      std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M UTC", &parts) == 0) {
    return "an unreadable time";
  }
  return text.data();
}

std::string text_of(const ASN1_STRING* text) {
  return {reinterpret_cast<const char*>(::ASN1_STRING_get0_data(text)),
          static_cast<std::size_t>(::ASN1_STRING_length(text))};
}

std::string text_of_address(const ASN1_OCTET_STRING* address) {
  const unsigned char* bytes = ::ASN1_STRING_get0_data(address);
  const int size = ::ASN1_STRING_length(address);
  std::string text;
  std::array<char, 8> group{};
  for (int i = 0; size == 4 && i < 4; ++i) {
    text += (i == 0 ? "" : ".") + std::to_string(bytes[i]);
  }
  for (int i = 0; size == 16 && i < 16; i += 2) {
    std::snprintf(group.data(), group.size(), "%x", bytes[i] * 256 + bytes[i + 1]);
    text += (i == 0 ? "" : ":") + std::string(group.data());
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

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < names_max; ++i) {
    text += (i == 0 ? "" : ", ") + base::quote_for_log(names[i], 100);
  }
  return names.size() > names_max
             ? text + " and " + std::to_string(names.size() - names_max) + " more"
             : text;
}

std::string issuer_of(const X509* certificate) {
  const auto name = common_name(::X509_get_issuer_name(certificate));
  return name.empty() ? "an authority without a name" : base::quote_for_log(name, 100);
}

std::string hexadecimal_digits(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (c != ':') {
      digits += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
  }
  return digits;
}

/// What the peer's alert or its bytes most likely mean; empty: nothing better than OpenSSL's words.
std::string meaning_of(int reason_code, bool is_opening) {
  switch (reason_code) {
    case SSL_R_WRONG_VERSION_NUMBER:
    case SSL_R_HTTP_REQUEST:
    case SSL_R_PACKET_LENGTH_TOO_LONG:
    case SSL_R_RECORD_LENGTH_MISMATCH:
      return is_opening ? "the server does not speak TLS on this port; the connection was given up, "
                          "and nothing was sent unencrypted"
                        : "";
    case SSL_R_UNSUPPORTED_PROTOCOL:
    case SSL_R_TLSV1_ALERT_PROTOCOL_VERSION:
      return "the server does not speak TLS 1.2 or newer";
    case SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE:
      return "the server refused the handshake: it knows none of our ciphers, or it asks for a "
             "client certificate (server.tls.certificate_file)";
    case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED:
      return "the server asks for a client certificate (server.tls.certificate_file)";
    case SSL_R_TLSV1_ALERT_UNKNOWN_CA:
    case SSL_R_TLSV1_ALERT_ACCESS_DENIED:
    case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN:
    case SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE:
      return "the server does not accept the client certificate of server.tls.certificate_file";
    case SSL_R_TLSV1_UNRECOGNIZED_NAME:
      return "the server does not know the name that it was called by (server.tls.server_name)";
    default:
      return "";
  }
}

}  // namespace

std::string format_fingerprint(const x509_st* certificate) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (::X509_digest(certificate, ::EVP_sha256(), digest.data(), &size) != 1) {
    return "";
  }
  std::string text;
  std::array<char, 4> pair{};
  for (unsigned int i = 0; i < size; ++i) {
    std::snprintf(pair.data(), pair.size(), "%02X", digest[i]);
    text += (i == 0 ? "" : ":") + std::string(pair.data());
  }
  return text;
}

bool is_same_fingerprint(std::string_view one, std::string_view other) {
  const auto digits = hexadecimal_digits(one);
  return !digits.empty() && digits == hexadecimal_digits(other);
}

std::string explain_certificate(x509_store_ctx_st* verification, const std::string& name) {
  const int error = ::X509_STORE_CTX_get_error(verification);
  const X509* leaf = ::X509_STORE_CTX_get0_cert(verification);
  const X509* current = ::X509_STORE_CTX_get_current_cert(verification);
  const X509* blamed = current == nullptr ? leaf : current;
  const std::string whose =
      blamed == leaf ? "its certificate"
                     : "the certificate of its authority " +
                           base::quote_for_log(common_name(::X509_get_subject_name(blamed)), 100);
  const auto to_trust = [&] {
    return " (server.tls.ca_file names others to trust, server.tls.fingerprint this certificate "
           "alone: " + format_fingerprint(leaf) + ")";
  };
  switch (error) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return whose + " expired on " + format_time(::X509_get0_notAfter(blamed));
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return whose + " is not valid before " + format_time(::X509_get0_notBefore(blamed)) +
             "; is the clock of this machine right?";
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return whose + " is for " + list_of(names_of(leaf)) + ", not for " +
             base::quote_for_log(name, 100);
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
      return whose + " is self-signed, so nobody vouches for it" + to_trust();
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
      return whose + " was issued by " + issuer_of(blamed) + ", which is not trusted here" +
             to_trust();
    default:
      return whose + " cannot be trusted: " + ::X509_verify_cert_error_string(error);
  }
}

std::string explain_tls_error(bool is_opening) {
  const unsigned long error = ::ERR_peek_error();
  ::ERR_clear_error();
  if (ERR_GET_LIB(error) == ERR_LIB_SSL) {
    if (auto meaning = meaning_of(ERR_GET_REASON(error), is_opening); !meaning.empty()) {
      return meaning;
    }
  }
  const char* words = ::ERR_reason_error_string(error);
  return std::string(is_opening ? "the TLS handshake failed: " : "TLS failed: ") +
         (words == nullptr ? "the server broke the protocol" : words);
}

}  // namespace kakehashi::csa::io
