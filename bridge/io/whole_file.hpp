// A small file as one text: read, or replaced so that a crash leaves the old one or the new one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kakehashi::bridge::io {

/// Nothing when it cannot be read.
[[nodiscard]] std::optional<std::string> read_whole(const std::string& path);

/// Writes a draft beside the file, synchronises it and renames it over the file, whose permissions
/// it keeps. Why it could not, or an empty text; the old file is then as it was.
[[nodiscard]] std::string replace_whole(const std::string& path, std::string_view text);

/// What a draft of replace_whole() is called.
inline constexpr const char* draft_extension = ".tmp";

}  // namespace kakehashi::bridge::io
