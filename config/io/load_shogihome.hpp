// ShogiHome's settings from a file, standard input or an environment variable, packed or plain, with
// the engine's path made whole. What the settings mean is the room import's business. Only this file's source knows zlib.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "config/import/shogihome.hpp"

namespace kakehashi::config::io {

/// `where` settings are: "FILE", "-" for standard input, "env:NAME" for a variable. Packed ones are noticed.
///
/// Adds what only a file system can tell: an engine's path that does not exist as it stands is taken
/// from the settings' folder, as their bridge does; a file with a password should be private.
[[nodiscard]] ShogiHomeImport load_shogihome(const std::string& where, const std::vector<ShogiHomeOverride>& overrides);

/// Several bots, with the rules between them.
[[nodiscard]] Loaded load_shogihomes(const std::vector<std::string>& origins, const std::vector<ShogiHomeOverride>& overrides);

// --- the packed form: gzip in base64, as ShogiHome's window exports settings for a command line

/// Whether a text can be nothing else: base64 throughout, and gzip's first bytes.
[[nodiscard]] bool looks_packed(std::string_view text);

/// White space is skipped. Errors end a sentence that begins with the text, and repeat none of it:
/// no base64, no gzip, damaged, cut off, or longer than `bytes_max` when unpacked.
[[nodiscard]] base::Result<std::string> unpack(std::string_view text, std::size_t bytes_max);

}  // namespace kakehashi::config::io
