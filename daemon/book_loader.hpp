// The opening book that a bot plays by, and the one that another configuration puts in its place. A large
// one takes seconds to read: while other bots play, a thread of its own does that.
#pragma once

#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/io/threads.hpp"
#include "base/message.hpp"
#include "config/bot_config.hpp"

namespace boost::asio {
class io_context;
}

namespace kakehashi::daemon {

/// A file that is read whole, or searched on the disk. What its lines mean is shogi/book's business; no fault of a
/// book ever reaches a game.
class BookFile {
 public:
  /// Opens the book of the settings, and reads it unless it is used on the fly.
  explicit BookFile(const config::Book& settings);
  ~BookFile();
  BookFile(const BookFile&) = delete;
  BookFile& operator=(const BookFile&) = delete;

  /// Why there is no book; empty: all well, or none is configured.
  [[nodiscard]] const base::Message& trouble() const { return trouble_; }

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

  [[nodiscard]] base::Quoted name() const { return base::quoted(settings_.file, 400); }
  [[nodiscard]] std::string read_at(std::uint64_t offset, std::size_t bytes) const;
  void read_whole();
  void judge_order();

  config::Book settings_;
  int file_ = -1;
  std::uint64_t size_ = 0;
  timespec changed_{};  ///< when it was opened
  std::unique_ptr<Whole> whole_;  ///< empty: on the fly
  base::Message trouble_;
};

/// The book that is played by now.
class BookLoader {
 public:
  /// A test may replace it.
  using Read = std::function<std::shared_ptr<const BookFile>(const config::Book&)>;

  explicit BookLoader(boost::asio::io_context& context, Read read = [](const config::Book& settings) {
    return std::make_shared<const BookFile>(settings);
  });

  /// `opened` is called from the io_context when the thread has read the book, or has seen that it is open
  /// already; inside the call when no book is wanted, or when the system gives no thread. Meanwhile there is
  /// none: two may not fit in memory.
  void open(const config::Book& settings, std::function<void()> opened);

  using Answer = std::function<void(const std::string& lines)>;
  /// What the book knows of a position: inside the call from memory, else from the io_context when the disk
  /// has given it; empty when too many wait for that.
  void look_up(const std::string& position, Answer answer);

  /// The last one that was opened, of the settings that were asked for last.
  [[nodiscard]] const BookFile& book() const { return *book_; }

 private:
  [[nodiscard]] static std::shared_ptr<const BookFile> no_book() { return std::make_shared<const BookFile>(config::Book{}); }

  boost::asio::io_context& context_;
  Read read_;
  std::shared_ptr<const BookFile> book_ = no_book();  ///< never null; the one without a book at first and while one is read
  std::shared_ptr<BookLoader*> self_ = std::make_shared<BookLoader*>(this);  ///< watched by its news
  base::io::Background thread_;  ///< the last: it is waited for first
};

}  // namespace kakehashi::daemon
