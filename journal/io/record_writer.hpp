// The record files of the present game. The first begins when the game starts and may grow with each
// move; all are written whole at the end. Never overwrites the record of another game, and no error here
// ever reaches the game: each is returned as a RecordWritten for the core.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bridge/action.hpp"
#include "bridge/event.hpp"
#include "config/record_config.hpp"

namespace kakehashi::journal::io {

[[nodiscard]] std::string with_newlines(std::string_view text, config::Newline newline);

/// The bytes of a whole file.
[[nodiscard]] std::string stored(const bridge::RecordFile& file, config::Newline newline);

/// The name without anything that could lead out of a directory or confuse a shell: slashes,
/// control bytes and a leading dot become '_'; cut to 200 bytes, its extension kept.
[[nodiscard]] std::string safe_file_name(std::string_view name);

/// "game", "game-2", "game-3" …: how records are told apart that are asked for with one stem.
[[nodiscard]] std::string numbered_stem(const std::string& stem, int number);

class RecordWriter {
 public:
  /// `directory` is created with its parents when the first game begins.
  explicit RecordWriter(std::string directory, config::Newline newline = config::Newline::lf)
      : directory_(std::move(directory)), newline_(newline) {}

  /// Begins the files of a new game, all with one stem: the one asked for, or with "-2", "-3" …
  /// behind it when any of them exists. The first file is made at once, empty when nothing grows, so
  /// that the name is taken and a crash leaves a trace. The same stem again, while the game runs,
  /// replaces its content.
  [[nodiscard]] bridge::RecordWritten begin(const bridge::BeginRecord& record);
  /// The game that begin() began in another process goes on in its files, of which `noted` is the first; what
  /// that holds is replaced. Empty: that process did not note it, and may have made it.
  [[nodiscard]] bridge::RecordWritten go_on(const bridge::BeginRecord& record, const std::string& noted);
  /// Adds to the file that grows; fails when begin() did.
  [[nodiscard]] bridge::RecordWritten append(const bridge::AppendRecord& record);
  /// Writes each file whole under another name, synchronises it and renames it, so that a crash
  /// leaves each as it was or whole; the first comes last, so that it stands for all. With a new stem
  /// it is renamed behind that. When begin() had failed, it is tried again. What failed may be tried
  /// again by the same call: what is done already is left. The path is that of the first file.
  [[nodiscard]] bridge::RecordWritten finish(const bridge::FinishRecord& record);

  /// finish() failed, and may be called again.
  [[nodiscard]] bool is_unfinished() const { return !wanted_.empty(); }
  /// Of the present or the last game; empty when there is none.
  [[nodiscard]] const std::string& path() const { return path_; }

  static constexpr int suffix_max = 9999;

 private:
  [[nodiscard]] std::string path_of(std::string_view stem, std::string_view extension) const;
  [[nodiscard]] std::string free_stem(const std::string& wanted) const;
  [[nodiscard]] std::string left_behind(const bridge::BeginRecord& record) const;
  [[nodiscard]] base::Message create(std::string_view bytes);
  [[nodiscard]] base::Message finish_files(const bridge::FinishRecord& record);
  [[nodiscard]] base::Message write_beside(const std::string& extension, std::string_view bytes) const;
  [[nodiscard]] base::Message rename_first(const std::string& path);
  [[nodiscard]] base::Message replace(std::string_view bytes) const;

  std::string directory_;
  config::Newline newline_;
  std::string wanted_;  ///< the stem asked for; empty: no game
  std::string stem_;  ///< of all files of the game
  std::vector<std::string> extensions_;
  std::string path_;  ///< of the first file; empty: it could not be created
  std::string final_path_;  ///< of the first file when all is done; empty: finish() was not tried
  std::vector<bool> is_written_;  ///< by finish(), of its files
};

}  // namespace kakehashi::journal::io
