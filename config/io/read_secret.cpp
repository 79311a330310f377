#include "config/io/read_secret.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "base/text.hpp"
#include "config/io/read_file.hpp"
#include "config/secrets.hpp"

namespace kakehashi::config::io {
namespace {

/// Where containers and systemd put them: nobody else is there, whatever the mode.
constexpr std::array<std::string_view, 2> given_places{"/run/secrets/", "/run/credentials/"};

using Rule = base::Result<base::Secret> (*)(std::string_view text);

void take(SecretRead& read, const std::string& origin, std::string_view text, Rule rule) {
  auto secret = rule(text);
  if (secret) {
    read.secret = std::move(secret).value();
  } else {
    read.problem = origin + " " + secret.error().what;
  }
}

/// Who may read it: judged here, or by whoever put it there.
enum class Privacy { judged, given };

struct Kind {
  Rule rule;
  std::size_t bytes_max;
  const char* wanted;     ///< what its owner is to write into the file
  const char* next = "";  ///< behind what the rule found, where the rule itself does not say what is wanted
  Privacy privacy = Privacy::judged;
};

constexpr Kind password{read_password, password_bytes_max, "the password (the trip)"};
constexpr Kind credential{read_password, password_bytes_max, "the password (the trip)", "", Privacy::given};
constexpr Kind proxy_password{read_proxy_password, password_bytes_max, "the proxy's password"};
constexpr Kind token{read_first_line, first_line_bytes_max, "a word of your own",
                     "; write a word of your own there"};
constexpr Kind address{read_first_line, first_line_bytes_max, "the address of the webhook",
                       "; write the address of the webhook there"};

bool stands_in_given_place(std::string_view path) {
  return std::any_of(given_places.begin(), given_places.end(),
                     [&](std::string_view place) { return path.starts_with(place); });
}

void take_file(SecretRead& read, const std::string& origin, const std::string& path, const Kind& kind) {
  // Room for the newline that is dropped.
  FileRead file = read_file(path, kind.bytes_max + 2);
  if (!file.is_good()) {
    const std::string next =
        file.is_absent ? "; write " + std::string(kind.wanted) + " into it, one line, and chmod 600"
        : file.is_forbidden ? "; it must belong to the user that runs this"
                            : "";
    read.problem = origin + " " + file.trouble + (kind.privacy == Privacy::judged ? next : "");
    return;
  }
  const base::Secret text(std::move(file.text));
  const bool is_judged = kind.privacy == Privacy::judged && !stands_in_given_place(path);
  if (file.is_open_to_all && is_judged) {
    read.problem = origin + " can be read by everyone on this machine, so it is no secret; make it "
                            "private with chmod 600";
    return;
  }
  take(read, origin, text.reveal(), kind.rule);
  if (!read.problem.empty()) {
    read.problem += kind.next;
  }
  if (file.is_open_to_others && is_judged) {
    read.warning = origin + " can be read by its group; make it private with chmod 600";
  }
}

SecretRead read_from_file(const std::string& path) {
  SecretRead read;
  read.key = "account.password_file";
  take_file(read, base::quote_for_log(path, 400), path, password);
  return read;
}

SecretRead read_from_variable(const std::string& name) {
  SecretRead read;
  read.key = "account.password_env";
  const std::string origin = "the environment variable " + name;
  const char* value = std::getenv(name.c_str());
  if (value == nullptr) {
    read.problem = origin + " is not set";
  } else {
    take(read, origin, value, read_password);
  }
  return read;
}

SecretRead read_credential(const std::string& name) {
  SecretRead read;
  read.key = "account.password_credential";
  const char* directory = std::getenv("CREDENTIALS_DIRECTORY");
  if (directory == nullptr || *directory == '\0') {
    read.problem = "there are no credentials here: systemd hands them to a service whose unit says "
                   "LoadCredential=" + name +
                   ":/path/to/file; elsewhere use account.password_file";
    return read;
  }
  take_file(read, "the credential " + base::quote_for_log(name) + " (LoadCredential=)",
            std::string(directory) + "/" + name, credential);
  return read;
}

}  // namespace

SecretRead read_proxy_secret(const std::string& path) {
  SecretRead read;
  read.key = "server.proxy_password_file";
  take_file(read, base::quote_for_log(path, 400), path, proxy_password);
  return read;
}

SecretRead read_token_secret(const std::string& path) {
  SecretRead read;
  read.key = "--status-token-file";
  take_file(read, base::quote_for_log(path, 400), path, token);
  read.warning.clear();
  return read;
}

SecretRead read_address_secret(const std::string& path) {
  SecretRead read;
  read.key = "notify.url_file";
  take_file(read, base::quote_for_log(path, 400), path, address);
  return read;
}

SecretRead read_secret(const Account& account) {
  if (!account.password_file.empty()) {
    return read_from_file(account.password_file);
  }
  if (!account.password_env.empty()) {
    return read_from_variable(account.password_env);
  }
  if (!account.password_credential.empty()) {
    return read_credential(account.password_credential);
  }
  return {};
}

}  // namespace kakehashi::config::io
