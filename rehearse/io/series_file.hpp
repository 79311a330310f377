// The results of a series on the disk, game by game, so that one that was broken off in any way goes on where it
// stood: JSON Lines, the settings first, then a line for each finished game. It knows no rule of a series.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/io/file.hpp"
#include "base/io/threads.hpp"
#include "base/result.hpp"
#include "rehearse/series.hpp"

namespace kakehashi::rehearse::io {

/// All that the results depend on, by name: games of other settings must not be counted together.
using SeriesSettings = std::map<std::string, std::string>;

class SeriesFile {
 public:
  /// Makes the file, or takes up an earlier one: the results in it are those of `earlier()`. The error says why
  /// not: it is of other settings (which, is told), another process writes it, it is no such file.
  [[nodiscard]] static base::Result<SeriesFile, base::Message> open(const std::string& path,
                                                                    const SeriesSettings& settings);

  [[nodiscard]] const std::vector<SeriesResult>& earlier() const { return earlier_; }
  /// The line is written when this returns, and soon on the disk too. Why not, or nothing.
  [[nodiscard]] base::Message add(const SeriesResult& result);

 private:
  SeriesFile(std::string path, base::io::File file);

  std::string path_;
  std::shared_ptr<base::io::File> file_;
  std::unique_ptr<base::io::Background> syncing_;
  std::vector<SeriesResult> earlier_;
};

}  // namespace kakehashi::rehearse::io
