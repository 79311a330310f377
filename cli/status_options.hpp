// `--status` and `--status-token-file`: where the state of the bots can be read over HTTP.
#pragma once

#include <optional>
#include <string>

#include "base/message.hpp"
#include "base/result.hpp"
#include "watch/io/http_server.hpp"

namespace CLI {
class App;
}

namespace kakehashi::cli {

struct StatusOptions {
  std::string where;       ///< "9980", "127.0.0.1:9980" or "[::1]:9980"; empty: nowhere
  std::string token_file;

  /// Nothing without --status; the error says what is wrong.
  [[nodiscard]] base::Result<std::optional<watch::io::HttpOptions>, base::Message> read() const;
};

/// `options` must live until the command line has been read.
void add_status_options(CLI::App& command, StatusOptions& options);

}  // namespace kakehashi::cli
