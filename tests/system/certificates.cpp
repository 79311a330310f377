#include "tests/system/certificates.hpp"

#include <gtest/gtest.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <array>
#include <cstdio>

namespace kakehashi::test {
namespace {

using Key = std::shared_ptr<evp_pkey_st>;
using Certificate = std::shared_ptr<x509_st>;

constexpr long day_s = 24 * 60 * 60;

Key make_key() { return {EVP_EC_gen("P-256"), EVP_PKEY_free}; }

void extend(X509* certificate, X509* issuer, int extension, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* made = X509V3_EXT_conf_nid(nullptr, &context, extension, value.c_str());
  ASSERT_NE(made, nullptr) << value;
  X509_add_ext(certificate, made, -1);
  X509_EXTENSION_free(made);
}

Certificate begin_certificate(const std::string& subject, const Key& key, int first_day,
                              int last_day) {
  static long serial = 0;
  Certificate made(X509_new(), X509_free);
  X509_set_version(made.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(made.get()), ++serial);
  X509_gmtime_adj(X509_getm_notBefore(made.get()), first_day * day_s);
  X509_gmtime_adj(X509_getm_notAfter(made.get()), last_day * day_s);
  X509_set_pubkey(made.get(), key.get());
  X509_NAME_add_entry_by_txt(X509_get_subject_name(made.get()), "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(subject.c_str()), -1, -1, 0);
  return made;
}

template <class Write>
void write_file(const std::string& path, Write write) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  ASSERT_NE(file, nullptr) << path;
  EXPECT_EQ(write(file), 1) << path;
  std::fclose(file);
}

std::string fingerprint_of(const X509* certificate) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  EXPECT_EQ(X509_digest(certificate, EVP_sha256(), digest.data(), &size), 1);
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    std::array<char, 4> pair{};
    std::snprintf(pair.data(), pair.size(), "%02X", digest[i]);
    text += (i == 0 ? "" : ":") + std::string(pair.data());
  }
  return text;
}

}  // namespace

Authority::Authority(const Scratch& scratch, const std::string& name)
    : scratch_(scratch), name_(name), file_(scratch.path(name + ".pem")), key_(make_key()) {
  certificate_ = begin_certificate(name, key_, -10, 100);
  X509_set_issuer_name(certificate_.get(), X509_get_subject_name(certificate_.get()));
  extend(certificate_.get(), certificate_.get(), NID_basic_constraints, "critical,CA:TRUE");
  extend(certificate_.get(), certificate_.get(), NID_subject_key_identifier, "hash");
  EXPECT_GT(X509_sign(certificate_.get(), key_.get(), EVP_sha256()), 0);
  write_file(file_, [&](std::FILE* file) { return PEM_write_X509(file, certificate_.get()); });
}

Identity Authority::issue(const Wanted& wanted) const {
  const auto key = make_key();
  const auto made = begin_certificate(wanted.file, key, wanted.first_day, wanted.last_day);
  X509* issuer = wanted.is_self_signed ? made.get() : certificate_.get();
  X509_set_issuer_name(made.get(), X509_get_subject_name(issuer));
  extend(made.get(), issuer, NID_basic_constraints, "CA:FALSE");
  if (!wanted.names.empty()) {
    extend(made.get(), issuer, NID_subject_alt_name, wanted.names);
  }
  EXPECT_GT(X509_sign(made.get(), wanted.is_self_signed ? key.get() : key_.get(), EVP_sha256()), 0);

  Identity files{scratch_.path(wanted.file + ".crt"), scratch_.path(wanted.file + ".key"),
                 fingerprint_of(made.get())};
  write_file(files.certificate_file,
             [&](std::FILE* file) { return PEM_write_X509(file, made.get()); });
  const bool is_open = wanted.passphrase.empty();
  write_file(files.key_file, [&](std::FILE* file) {
    return PEM_write_PrivateKey(
        file, key.get(), is_open ? nullptr : EVP_aes_128_cbc(),
        is_open ? nullptr : reinterpret_cast<const unsigned char*>(wanted.passphrase.data()),
        static_cast<int>(wanted.passphrase.size()), nullptr, nullptr);
  });
  return files;
}

}  // namespace kakehashi::test
