// The record file of the present game: begun when the game starts, grown with each move, replaced
// as a whole at the end. Never overwrites the record of another game, and no error here ever
// reaches the game: each is returned as a RecordWritten for the core.
#pragma once

#include <string>
#include <string_view>

#include "bridge/event.hpp"

namespace kakehashi::bridge::io {

/// The name without anything that could lead out of a directory or confuse a shell: slashes,
/// control bytes and a leading dot become '_'; cut to 200 bytes, its extension kept.
[[nodiscard]] std::string safe_file_name(std::string_view name);

class RecordWriter {
 public:
  /// `directory` is created with its parents when the first game begins.
  explicit RecordWriter(std::string directory) : directory_(std::move(directory)) {}

  /// Begins the file of a new game: `name`, or `name-2`, `name-3` … before the extension when such
  /// a file exists. The same name again, while the file is open, replaces its content.
  [[nodiscard]] RecordWritten begin(std::string_view name, std::string_view text);
  /// Adds to the file; fails when begin() did.
  [[nodiscard]] RecordWritten append(std::string_view text);
  /// Replaces the content: a second file is written, synchronised and renamed over the first, so
  /// that a crash leaves one or the other whole. When begin() had failed, it is tried again.
  [[nodiscard]] RecordWritten finish(std::string_view text);

  /// Of the present or the last game; empty when there is none.
  [[nodiscard]] const std::string& path() const { return path_; }

  static constexpr int suffix_max = 9999;

 private:
  [[nodiscard]] std::string create(std::string_view text);
  [[nodiscard]] std::string replace(std::string_view text) const;

  std::string directory_;
  std::string name_;  ///< empty: no game
  std::string path_;  ///< empty: the file could not be created
};

}  // namespace kakehashi::bridge::io
