#include "bridge/io/book_shelf.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <utility>

namespace kakehashi::bridge::io {
namespace {

std::shared_ptr<const BookFile> read_book(const config::Book& settings) {
  return std::make_shared<const BookFile>(settings);
}

}  // namespace

BookShelf::BookShelf(boost::asio::io_context& context) : BookShelf(context, read_book) {}

BookShelf::BookShelf(boost::asio::io_context& context, Read read)
    : context_(context), read_(std::move(read)), book_(read_book({})) {}

void BookShelf::open_now(const config::Book& settings) {
  if (!book_->is_still(settings)) {
    book_ = read_book({});
    book_ = read_(settings);
  }
}

void BookShelf::open(const config::Book& settings, std::function<void()> opened) {
  if (book_->is_still(settings)) {
    opened();
    return;
  }
  const auto news = [opened, watched = std::weak_ptr<BookShelf*>(self_)](
                        std::shared_ptr<const BookFile> book) {
    if (const auto self = watched.lock()) {
      (*self)->book_ = std::move(book);
      opened();
    }
  };
  // To forget a large one takes long too.
  auto before = std::make_shared<std::shared_ptr<const BookFile>>(std::exchange(book_, read_book({})));
  const bool is_taken = thread_.post([read = read_, settings, before, news,
                                      guard = boost::asio::make_work_guard(context_)] {
    before->reset();
    boost::asio::post(guard.get_executor(), [news, book = read(settings)] { news(book); });
  });
  if (!is_taken) {
    book_ = read_(settings);
    opened();
  }
}

}  // namespace kakehashi::bridge::io
