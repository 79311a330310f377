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

using base::Message;
using base::quoted;
using base::say;
using base::say_as;

/// Where containers and systemd put them: nobody else is there, whatever the mode.
constexpr std::array<std::string_view, 2> given_places{"/run/secrets/", "/run/credentials/"};

using Rule = base::Result<base::Secret> (*)(std::string_view text);

void take(SecretRead& read, const Message::Part& origin, std::string_view text, Rule rule) {
  auto secret = rule(text);
  if (secret) {
    read.secret = std::move(secret).value();
  } else {
    read.problem = say_as("fault", "{} {}", origin, secret.error().what);
  }
}

struct Kind {
  Rule rule;
  std::size_t bytes_max;
  Message wanted;         ///< what its owner is to write into the file
  Message next = {};      ///< behind what the rule found, where the rule itself does not say what is wanted
  bool is_given = false;  ///< who may read it was judged by whoever put it there
};

void take_file(SecretRead& read, const Message::Part& origin, const std::string& path, const Kind& kind) {
  // Room for the newline that is dropped.
  FileRead file = read_file(path, kind.bytes_max + 2);
  if (!file.is_good()) {
    read.problem = say_as("fault", "{} {}", origin, file.trouble);
    if (!kind.is_given && file.is_absent) {
      read.problem = say("{}; write {} into it, one line, and chmod 600", read.problem, kind.wanted);
    } else if (!kind.is_given && file.is_forbidden) {
      read.problem = say("{}; it must belong to the user that runs this", read.problem);
    }
    return;
  }
  const base::Secret text(std::move(file.text));
  const bool is_judged =
      !kind.is_given && std::ranges::none_of(given_places, [&](std::string_view place) { return path.starts_with(place); });
  if (file.is_open_to_all && is_judged) {
    read.problem =
        say("{} can be read by everyone on this machine, so it is no secret; make it private with chmod 600", origin);
    return;
  }
  take(read, origin, text.reveal(), kind.rule);
  if (!read.problem.empty() && !kind.next.empty()) {
    read.problem = say("{}; {}", read.problem, kind.next);
  }
  if (file.is_open_to_others && is_judged) {
    read.warning = say("{} can be read by its group; make it private with chmod 600", origin);
  }
}

Message password() { return say("the password (the trip)"); }

SecretRead read_from_file(const char* key, const std::string& path, const Kind& kind) {
  SecretRead read;
  read.key = key;
  take_file(read, quoted(path, 400), path, kind);
  return read;
}

SecretRead read_from_variable(const std::string& name) {
  SecretRead read;
  read.key = "account.password_env";
  const char* value = std::getenv(name.c_str());
  if (value == nullptr) {
    read.problem = say("the environment variable {} is not set", name);
  } else {
    take(read, say("the environment variable {}", name), value, read_password);
  }
  return read;
}

SecretRead read_credential(const std::string& name) {
  SecretRead read;
  read.key = "account.password_credential";
  const char* directory = std::getenv("CREDENTIALS_DIRECTORY");
  if (directory == nullptr || *directory == '\0') {
    read.problem = say("there are no credentials here: systemd hands them to a service whose unit says LoadCredential={}"
                       ":/path/to/file; elsewhere use account.password_file",
                       name);
    return read;
  }
  take_file(read, say("the credential {} (LoadCredential=)", quoted(name)), std::string(directory) + "/" + name,
            {read_password, password_bytes_max, password(), {}, true});
  return read;
}

}  // namespace

SecretRead read_proxy_secret(const std::string& path) {
  return read_from_file("server.proxy_password_file", path,
                        {read_proxy_password, password_bytes_max, say("the proxy's password")});
}

SecretRead read_token_secret(const std::string& path) {
  SecretRead read = read_from_file(
      "--status-token-file", path,
      {read_first_line, first_line_bytes_max, say("a word of your own"), say("write a word of your own there")});
  read.warning = {};
  return read;
}

SecretRead read_address_secret(const std::string& path) {
  return read_from_file("notify.url_file", path,
                        {read_first_line, first_line_bytes_max, say("the address of the webhook"),
                         say("write the address of the webhook there")});
}

SecretRead read_secret(const Account& account) {
  if (!account.password_file.empty()) {
    return read_from_file("account.password_file", account.password_file,
                          {read_password, password_bytes_max, password()});
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
