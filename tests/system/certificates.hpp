// Certificates for tests, made on the spot by OpenSSL: an authority and what it issues, good and bad.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/system/scratch.hpp"

struct evp_pkey_st;
struct x509_st;

namespace kakehashi::test {

/// A certificate and its key as files.
struct Identity {
  std::string certificate_file;
  std::string key_file;
  std::string fingerprint;  ///< as `openssl x509 -fingerprint -sha256` prints it
};

struct Wanted {
  std::string file = "server";  ///< the files' stem
  /// As an extension spells them: "DNS:localhost,IP:127.0.0.1".
  std::string names = "DNS:localhost,IP:127.0.0.1";
  int first_day = -2;  ///< from today
  int last_day = 30;
  bool is_self_signed = false;
  std::string passphrase{};  ///< of the key; empty: none
};

class Authority {
 public:
  /// Its own certificate goes to "<name>.pem" in the directory.
  Authority(const Scratch& scratch, const std::string& name);

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] Identity issue(const Wanted& wanted) const;

 private:
  const Scratch& scratch_;
  std::string name_;
  std::string file_;
  std::shared_ptr<evp_pkey_st> key_;
  std::shared_ptr<x509_st> certificate_;
};

}  // namespace kakehashi::test
