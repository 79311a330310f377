#include "bridge/cli/status_options.hpp"

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "base/secret.hpp"
#include "base/text.hpp"
#include "config/io/read_file.hpp"

namespace kakehashi::bridge::cli {

namespace {

constexpr std::size_t token_bytes_max = 1024;

}  // namespace

base::Result<std::optional<status::io::HttpOptions>, std::string> StatusOptions::read() const {
  using Failed = base::Failure<std::string>;
  if (where.empty()) {
    return std::optional<status::io::HttpOptions>{};
  }
  status::io::HttpOptions options;
  const std::size_t colon = where.rfind(':');
  if (colon != std::string::npos) {
    options.address = where.substr(0, colon);
    if (options.address.starts_with('[') && options.address.ends_with(']')) {
      options.address = options.address.substr(1, options.address.size() - 2);
    }
  }
  const auto port = base::parse_int(colon == std::string::npos ? where : where.substr(colon + 1));
  if (!port || *port < 0 || *port > 65535) {
    return Failed{"--status wants a port or address:port, such as 9980 or 127.0.0.1:9980, not " +
                  base::quote_for_log(where)};
  }
  options.port = static_cast<std::uint16_t>(*port);
  if (!token_file.empty()) {
    auto file = config::io::read_file(token_file, token_bytes_max);
    // Editors and echo end the word with a line end, which is no part of it.
    std::string token(base::trim(std::string_view(file.text).substr(0, file.text.find('\n'))));
    base::wipe(file.text);
    if (!file.is_good() || token.empty() || base::has_control_byte(token)) {
      return Failed{"--status-token-file: " + token_file + ": " +
                    (!file.is_good()  ? file.trouble
                     : token.empty() ? "there is no word in its first line; write one of your own there"
                                     : "a control character stands in its first line; write one word there")};
    }
    options.token = base::Secret(std::move(token));
  }
  return std::optional(std::move(options));
}

void add_status_options(CLI::App& command, StatusOptions& options) {
  command
      .add_option("--status", options.where,
                  "Show the state of the bots over HTTP: a live page, /metrics for Prometheus, "
                  "/healthz, /readyz, /api/v1/status. For this machine only, unless a token is given")
      ->type_name("[ADDRESS:]PORT");
  command
      .add_option("--status-token-file", options.token_file,
                  "A file with the word that readers of --status must show as a bearer token")
      ->type_name("FILE");
}

}  // namespace kakehashi::bridge::cli
