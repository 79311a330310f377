#include "cli/load_config.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/io/file.hpp"
#include "config/io/load_files.hpp"
#include "csa/io/layers.hpp"

namespace kakehashi::cli {

using base::say;
using config::io::Passwords;

namespace {

/// Certificates and keys are read anew for each connection; what cannot be used at the start is a
/// fault of the configuration.
void judge_tls_files(config::Loaded& loaded) {
  for (std::size_t i = 0; i < loaded.files.size(); ++i) {
    const auto address = loaded.bots[i].server.address();
    if (!address.tls || address.tls->certificate_file.empty() != address.tls->key_file.empty()) {
      continue;  // the second is a fault that was told already
    }
    const auto context = csa::io::make_tls_context(*address.tls);
    if (!context) {
      loaded.problems.push_back(
          {loaded.files[i], loaded.places[i]["server.tls"], "server.tls", context.error().what});
    }
  }
  sort_by_place(loaded.problems);
}

}  // namespace

std::optional<std::vector<config::BotConfig>> told(config::Loaded loaded, const Terminal& terminal) {
  for (const auto& warning : loaded.warnings) {
    terminal.errors.line(say("warning: {}", config::describe(warning)));
  }
  for (const auto& problem : loaded.problems) {
    terminal.errors.line(config::describe(problem));
  }
  if (!loaded.problems.empty()) {
    return std::nullopt;
  }
  return std::move(loaded.bots);
}

std::optional<config::BotConfig> load_config(const std::string& path, Passwords passwords, const Terminal& terminal) {
  auto bots = told(judged_configs({path}, passwords), terminal);
  return bots ? std::optional(std::move(bots->front())) : std::nullopt;
}

config::Loaded judged_configs(const std::vector<std::string>& paths, Passwords passwords) {
  auto loaded = config::io::load_files(paths, passwords);
  if (passwords == Passwords::read) {
    judge_tls_files(loaded);
  }
  return loaded;
}

base::Message create_file(const std::string& path, std::string_view text, mode_t mode) {
  const base::io::File file(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  if (!file.is_open()) {
    return say("cannot create {}: {}", base::quoted(path, 400), base::io::last_error());
  }
  if (!file.write(text)) {
    auto why = say("cannot write {}: {}", base::quoted(path, 400), base::io::last_error());
    ::unlink(path.c_str());
    return why;
  }
  return {};
}

std::optional<base::Message> judge_new_file(const std::string& path) {
  if (path.empty()) {
    return say("must be the name of a file");
  }
  return base::io::exists(path) ? std::optional(say("{} exists, and nothing is overwritten", base::quoted(path, 400)))
                                : std::nullopt;
}

std::string whole_path(const std::string& path) {
  std::error_code failed;
  return std::filesystem::absolute(path, failed).lexically_normal().string();
}

}  // namespace kakehashi::cli
