// The opening book of one bot: a file that is read whole, or searched on the disk. What its lines
// mean is shogi/book's business; no fault of a book ever reaches a game.
#pragma once

#include <cstdint>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>

#include "config/bot_config.hpp"

namespace kakehashi::bridge::io {

class BookFile {
 public:
  /// Opens the book of the settings, and reads it unless it is used on the fly.
  explicit BookFile(const config::Book& settings);
  ~BookFile();
  BookFile(const BookFile&) = delete;
  BookFile& operator=(const BookFile&) = delete;

  /// Why there is no book, for people; empty: all well, or none is configured.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

  [[nodiscard]] bool is_on_disk() const { return !settings_.file.empty(); }
  /// Whether lines_for() may wait for a disk.
  [[nodiscard]] bool reads_disk() const { return file_ >= 0 && !whole_; }
  /// Whether these settings, now, would lead to the same book: it is not read again then.
  [[nodiscard]] bool is_still(const config::Book& settings) const;

  /// The lines behind that position; empty when the book does not know it.
  [[nodiscard]] std::string lines_for(std::string_view position) const;

  static constexpr std::uint64_t whole_bytes_max = 4'000'000'000;
  /// Of one position.
  static constexpr std::size_t entry_bytes_max = std::size_t{64} * 1024;

 private:
  class Whole;

  [[nodiscard]] std::string read_at(std::uint64_t offset, std::size_t bytes) const;
  void read_whole();
  void judge_order();

  config::Book settings_;
  int file_ = -1;
  std::uint64_t size_ = 0;
  timespec changed_{};  ///< when it was opened
  std::unique_ptr<Whole> whole_;  ///< empty: on the fly
  std::string trouble_;
};

}  // namespace kakehashi::bridge::io
