// The opening book that a bot plays by, and the one that another configuration puts in its place. A large
// one takes seconds to read: while other bots play, a thread of its own does that.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/io/background.hpp"
#include "bridge/io/book_file.hpp"
#include "config/bot_config.hpp"

namespace boost::asio {
class io_context;
}

namespace kakehashi::bridge::io {

class BookLoader {
 public:
  /// A test may replace it.
  using Read = std::function<std::shared_ptr<const BookFile>(const config::Book&)>;

  explicit BookLoader(boost::asio::io_context& context);
  BookLoader(boost::asio::io_context& context, Read read);

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
  boost::asio::io_context& context_;
  Read read_;
  std::shared_ptr<const BookFile> book_;  ///< never null; the one without a book at first and while one is read
  std::shared_ptr<BookLoader*> self_ = std::make_shared<BookLoader*>(this);  ///< watched by its news
  base::io::Background thread_;  ///< the last: it is waited for first
};

}  // namespace kakehashi::bridge::io
