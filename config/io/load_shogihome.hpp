// ShogiHome's settings from a file, standard input or an environment variable, packed or plain, with
// the engine's path made whole. What the settings mean is import_shogihome's business.
#pragma once

#include <string>
#include <vector>

#include "config/import/shogihome.hpp"

namespace kakehashi::config::io {

/// Where settings are: "FILE", "-" for standard input, "env:NAME" for a variable.
struct ShogiHomeOrigin {
  std::string where;
  bool is_packed = false;  ///< base64 is expected; otherwise it is noticed
};

/// Adds what only a file system can tell: an engine's path that does not exist as it stands is taken
/// from the settings' folder, as their bridge does; a file with a password should be private.
[[nodiscard]] ShogiHomeImport load_shogihome(const ShogiHomeOrigin& origin,
                                             const std::vector<ShogiHomeOverride>& overrides);

/// Several bots, with the rules between them.
[[nodiscard]] Loaded load_shogihomes(const std::vector<ShogiHomeOrigin>& origins,
                                     const std::vector<ShogiHomeOverride>& overrides);

}  // namespace kakehashi::config::io
