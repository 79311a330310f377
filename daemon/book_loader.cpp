#include "daemon/book_loader.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "shogi/book/book.hpp"

namespace kakehashi::daemon {

namespace {

constexpr std::size_t piece_bytes = std::size_t{1024} * 1024;
/// So much of a book is looked at to tell whether it is sorted.
constexpr std::size_t order_bytes = std::size_t{1024} * 1024;

/// Up to the next position: journals keep what is answered.
std::string own_lines(std::string_view text) {
  if (text.starts_with("sfen ")) {
    return "";
  }
  return std::string(text.substr(0, text.find("\nsfen ")));
}

}  // namespace

/// The text as it stands in the file, and where each position's lines begin in it.
class BookFile::Whole {
 public:
  explicit Whole(std::string text) : text_(std::move(text)) {
    const std::string_view all = text_;
    std::unordered_map<std::string_view, std::int64_t> plies;
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t end = std::min(all.find('\n', at), all.size());
      const std::string_view line = all.substr(at, end - at);
      if (const auto key = shogi::book::key_in(line)) {
        // A position may stand there for several plies: the earliest counts, as in ShogiHome.
        const std::int64_t ply = shogi::book::ply_in(line);
        const auto [known, is_first] = plies.emplace(*key, ply);
        if (is_first || ply < known->second) {
          known->second = ply;
          behind_[*key] = std::min(end + 1, all.size());
        }
      }
      at = end + 1;
    }
  }

  [[nodiscard]] std::string_view lines_for(std::string_view position) const {
    const auto found = behind_.find(position);
    return found == behind_.end() ? std::string_view()
                                  : std::string_view(text_).substr(found->second, entry_bytes_max);
  }
  [[nodiscard]] bool is_empty() const { return behind_.empty(); }

 private:
  std::string text_;
  std::unordered_map<std::string_view, std::size_t> behind_;
};

BookFile::BookFile(const config::Book& settings) : settings_(settings) {
  if (settings.file.empty()) {
    return;
  }
  file_ = ::open(settings.file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat status {};
  if (file_ < 0 || ::fstat(file_, &status) != 0) {
    trouble_ = base::say("the book {} cannot be opened: {}", name(), base::system_words(std::strerror(errno)));
    return;
  }
  if (!S_ISREG(status.st_mode)) {
    trouble_ = base::say("the book {} is not a regular file", name());
    return;
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
  changed_ = status.st_mtim;
  if (!base::without_byte_order_mark(read_at(0, 64)).starts_with(shogi::book::header)) {
    trouble_ = base::say("the book {} does not begin with {}; only YaneuraOu's text format is read", name(),
                         shogi::book::header);
    return;
  }
  if (settings.on_the_fly) {
    judge_order();
  } else {
    read_whole();
  }
}

BookFile::~BookFile() {
  if (file_ >= 0) {
    ::close(file_);
  }
}

bool BookFile::is_still(const config::Book& settings) const {
  struct stat opened {};
  struct stat present {};
  return trouble_.empty() && settings.file == settings_.file &&
         settings.on_the_fly == settings_.on_the_fly &&
         (settings.file.empty() ||
          (::fstat(file_, &opened) == 0 && ::stat(settings.file.c_str(), &present) == 0 &&
           opened.st_dev == present.st_dev && opened.st_ino == present.st_ino &&
           static_cast<std::uint64_t>(present.st_size) == size_ &&
           present.st_mtim.tv_sec == changed_.tv_sec && present.st_mtim.tv_nsec == changed_.tv_nsec));
}

std::string BookFile::lines_for(std::string_view position) const {
  if (file_ < 0 || !trouble_.empty()) {
    return "";
  }
  if (whole_) {
    return own_lines(whole_->lines_for(position));
  }
  const auto behind = shogi::book::find_in_sorted(
      [this](std::uint64_t offset, std::size_t bytes) { return read_at(offset, bytes); }, size_,
      position);
  return behind ? own_lines(read_at(*behind, entry_bytes_max)) : "";
}

std::string BookFile::read_at(std::uint64_t offset, std::size_t bytes) const {
  std::string text(bytes, '\0');
  std::size_t size = 0;
  while (size < bytes) {
    const auto count =
        ::pread(file_, text.data() + size, bytes - size, static_cast<off_t>(offset + size));
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      break;
    }
    size += static_cast<std::size_t>(count);
  }
  text.resize(size);
  return text;
}

void BookFile::read_whole() {
  if (size_ > whole_bytes_max) {
    trouble_ = base::say("the book {} is too large to be read whole; use book.on_the_fly", name());
    return;
  }
  std::string text;
  text.reserve(size_);
  while (text.size() < size_) {
    const std::string piece =
        read_at(text.size(), std::min<std::uint64_t>(piece_bytes, size_ - text.size()));
    if (piece.empty()) {
      trouble_ = base::say("the book {} cannot be read to its end", name());
      return;
    }
    text += piece;
  }
  whole_ = std::make_unique<Whole>(std::move(text));
  if (whole_->is_empty()) {
    trouble_ = base::say("the book {} holds no position", name());
  }
}

void BookFile::judge_order() {
  std::string beginning = read_at(0, order_bytes);
  // The last line may be cut, and its key with it.
  beginning.resize(std::min(beginning.rfind('\n'), beginning.size()));
  std::string_view previous;
  for (const std::string_view line : base::split(beginning, '\n')) {
    const auto key = shogi::book::key_in(line);
    if (key && *key < previous) {
      trouble_ = base::say(
          "the book {} is not sorted by its positions; without book.on_the_fly it need not be", name());
      return;
    }
    previous = key.value_or(previous);
  }
}

BookLoader::BookLoader(boost::asio::io_context& context, Read read) : context_(context), read_(std::move(read)) {}

void BookLoader::open(const config::Book& settings, std::function<void()> opened) {
  auto before = std::make_shared<std::shared_ptr<const BookFile>>(std::exchange(book_, no_book()));
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

}  // namespace kakehashi::daemon
