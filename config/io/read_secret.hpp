// The password of an account from the one source that its configuration names: a file, an
// environment variable or a systemd credential. The text goes into a base::Secret and nowhere else.
#pragma once

#include <string>

#include "base/secret.hpp"
#include "config/bot_config.hpp"

namespace kakehashi::config::io {

struct SecretRead {
  base::Secret password;  ///< empty when the account names no source, or with a problem
  std::string key;        ///< "account.password_file": what problem and warning are about
  std::string problem;    ///< a sentence's end, after the key; empty: all well
  std::string warning;
};

[[nodiscard]] SecretRead read_secret(const Account& account);
/// The password of server.proxy's user, from its file.
[[nodiscard]] SecretRead read_proxy_secret(const std::string& path);

}  // namespace kakehashi::config::io
