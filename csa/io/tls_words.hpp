// OpenSSL's findings as sentences that tell a user what to do. Pure but for OpenSSL's types; what a
// certificate says is a stranger's word and is quoted.
#pragma once

#include <string>

struct x509_st;
struct x509_store_ctx_st;

namespace kakehashi::csa::io {

/// SHA-256 of the whole certificate: "0A:1B:…", 32 bytes.
[[nodiscard]] std::string format_fingerprint(const x509_st* certificate);

/// Whether both are the same digest, whatever their colons and the case of their digits.
[[nodiscard]] bool is_same_fingerprint(std::string_view one, std::string_view other);

/// Why the verification of a chain failed; `name` is what the certificate had to be for.
[[nodiscard]] std::string explain_certificate(x509_store_ctx_st* verification,
                                              const std::string& name);

/// Why the connection failed, from OpenSSL's queue of errors, which it empties.
[[nodiscard]] std::string explain_tls_error(bool is_opening);

}  // namespace kakehashi::csa::io
