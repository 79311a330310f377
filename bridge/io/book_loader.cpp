#include "bridge/io/book_loader.hpp"

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

BookLoader::BookLoader(boost::asio::io_context& context) : BookLoader(context, read_book) {}

BookLoader::BookLoader(boost::asio::io_context& context, Read read)
    : context_(context), read_(std::move(read)), book_(read_book({})) {}

void BookLoader::open(const config::Book& settings, std::function<void()> opened) {
  auto before = std::make_shared<std::shared_ptr<const BookFile>>(std::exchange(book_, read_book({})));
  if (settings.file.empty() && !(*before)->is_on_disk()) {
    opened();
    return;
  }
  const auto news = [opened, watched = std::weak_ptr<BookLoader*>(self_)](
                        std::shared_ptr<const BookFile> book) {
    if (const auto self = watched.lock()) {
      (*self)->book_ = std::move(book);
      opened();
    }
  };
  const auto fetch = [read = read_, settings, before] {
    auto book = (*before)->is_still(settings) ? *before : nullptr;
    before->reset();  // to forget a large one takes long too
    return book ? book : read(settings);
  };
  const bool is_taken = thread_.post([fetch, news, guard = boost::asio::make_work_guard(context_)] {
    boost::asio::post(guard.get_executor(), [news, book = fetch()] { news(book); });
  });
  if (!is_taken) {
    book_ = fetch();
    opened();
  }
}

void BookLoader::look_up(const std::string& position, Answer answer) {
  if (!book_->reads_disk()) {
    answer(book_->lines_for(position));
    return;
  }
  const auto news = [answer, watched = std::weak_ptr<BookLoader*>(self_)](const std::string& lines) {
    if (watched.lock()) {
      answer(lines);
    }
  };
  const bool is_taken =
      thread_.post([book = book_, position, news, guard = boost::asio::make_work_guard(context_)] {
        boost::asio::post(guard.get_executor(), [news, lines = book->lines_for(position)] { news(lines); });
      });
  if (!is_taken) {
    answer("");
  }
}

}  // namespace kakehashi::bridge::io
