#include "cli/status_options.hpp"

#include <CLI/CLI.hpp>
#include <string>
#include <utility>

#include "base/text.hpp"
#include "config/io/read_secret.hpp"

namespace kakehashi::cli {

using base::say;

base::Result<std::optional<watch::io::HttpOptions>, base::Message> StatusOptions::read() const {
  using Failed = base::Failure<base::Message>;
  if (where.empty()) {
    return std::optional<watch::io::HttpOptions>{};
  }
  watch::io::HttpOptions options;
  const std::size_t colon = where.rfind(':');
  if (colon != std::string::npos) {
    options.address = where.substr(0, colon);
    if (options.address.starts_with('[') && options.address.ends_with(']')) {
      options.address = options.address.substr(1, options.address.size() - 2);
    }
  }
  const auto port = base::parse_int(colon == std::string::npos ? where : where.substr(colon + 1));
  if (!port || *port < 0 || *port > 65535) {
    return Failed{say("--status wants a port or address:port, such as 9980 or 127.0.0.1:9980, not {}", base::quoted(where))};
  }
  options.port = static_cast<std::uint16_t>(*port);
  if (!token_file.empty()) {
    auto read = config::io::read_token_secret(token_file);
    if (!read.problem.empty()) {
      return Failed{say("{}: {}", read.key, read.problem)};
    }
    options.token = std::move(read.secret);
  }
  return std::optional(std::move(options));
}

void add_status_options(CLI::App& command, StatusOptions& options) {
  command
      .add_option("--status", options.where,
                  say("Show the state of the bots over HTTP: a live page, /metrics for Prometheus, "
                      "/healthz, /readyz, /api/v1/status. For this machine only, unless a token is given")
                      .english())
      ->type_name("[ADDRESS:]PORT");
  command
      .add_option("--status-token-file", options.token_file,
                  say("A file with the word that readers of --status must show as a bearer token").english())
      ->type_name("FILE");
}

}  // namespace kakehashi::cli
