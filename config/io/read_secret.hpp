// A secret from the one source that is named for it: a file, an environment variable or a systemd
// credential. Who else may read the file is judged here for all of them. The text goes into a base::Secret
// and nowhere else.
#pragma once

#include <string>

#include "base/message.hpp"
#include "base/secret.hpp"
#include "config/bot_config.hpp"

namespace kakehashi::config::io {

struct SecretRead {
  base::Secret secret;    ///< empty when the account names no source, or with a problem
  std::string key;        ///< "account.password_file": what problem and warning are about
  base::Message problem;  ///< a sentence's end, after the key; empty: all well
  base::Message warning;
};

/// The password of an account.
[[nodiscard]] SecretRead read_secret(const Account& account);
/// The password of server.proxy's user, from its file.
[[nodiscard]] SecretRead read_proxy_secret(const std::string& path);
/// The word of --status-token-file. Its group may read it without a warning: a reader of the page, such as
/// Prometheus, needs it too.
[[nodiscard]] SecretRead read_token_secret(const std::string& path);
/// The address of a webhook, from notify.url_file.
[[nodiscard]] SecretRead read_address_secret(const std::string& path);

}  // namespace kakehashi::config::io
