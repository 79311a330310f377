#include "config/io/read_secret.hpp"

#include <cstdlib>
#include <utility>

#include "base/text.hpp"
#include "config/io/read_file.hpp"
#include "config/secrets.hpp"

namespace kakehashi::config::io {
namespace {

/// Where containers get their secrets: nobody else is there, whatever the mode.
constexpr std::string_view secrets_of_a_container = "/run/secrets/";

using Rule = base::Result<base::Secret> (*)(std::string_view text);

void take(SecretRead& read, const std::string& origin, std::string_view text, Rule rule) {
  auto password = rule(text);
  if (password) {
    read.password = std::move(password).value();
  } else {
    read.problem = origin + " " + password.error().what;
  }
}

/// Who may read it: judged here, or by whoever put it there.
enum class Privacy { judged, given };

void take_file(SecretRead& read, const std::string& origin, const std::string& path,
               Rule rule = read_password, Privacy privacy = Privacy::judged) {
  // Room for the newline that is dropped.
  FileRead file = read_file(path, password_bytes_max + 2);
  if (!file.is_good()) {
    const char* next = file.is_absent      ? "; write the password (the trip) into it, one line, and chmod 600"
                       : file.is_forbidden ? "; it must belong to the user that runs this"
                                           : "";
    read.problem = origin + " " + file.trouble + (privacy == Privacy::judged ? next : "");
    return;
  }
  const base::Secret text(std::move(file.text));
  const bool is_judged = privacy == Privacy::judged && !path.starts_with(secrets_of_a_container);
  if (file.is_open_to_all && is_judged) {
    read.problem = origin + " can be read by everyone on this machine, so it is no secret; make it "
                            "private with chmod 600";
    return;
  }
  take(read, origin, text.reveal(), rule);
  if (file.is_open_to_others && is_judged) {
    read.warning = origin + " can be read by its group; make it private with chmod 600";
  }
}

SecretRead read_from_file(const std::string& path) {
  SecretRead read;
  read.key = "account.password_file";
  take_file(read, base::quote_for_log(path, 400), path);
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
            std::string(directory) + "/" + name, read_password, Privacy::given);
  return read;
}

}  // namespace

SecretRead read_proxy_secret(const std::string& path) {
  SecretRead read;
  read.key = "server.proxy_password_file";
  take_file(read, base::quote_for_log(path, 400), path, read_proxy_password);
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
