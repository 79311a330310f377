#include "journal/io/journal_files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>
#include <thread>
#include <tuple>
#include <variant>

#include "base/io/file.hpp"
#include "base/text.hpp"
#include "journal/journal.hpp"

namespace kakehashi::journal::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view extension = ".journal";
constexpr std::size_t part_digits_min = 4;
constexpr std::size_t first_line_bytes_max = 4096;
constexpr std::chrono::milliseconds child_pause{20};
constexpr int child_looks = 25;

/// As its first line says.
bool is_condensed(const std::string& path) {
  const std::string line = base::io::read_own_beginning(path, first_line_bytes_max).value_or("");
  const auto contents = read(line.substr(0, line.find('\n')) + "\n");
  const auto* opened = contents.entries.empty()
                           ? nullptr
                           : std::get_if<Opened>(&contents.entries.front().entry);
  return opened != nullptr && opened->is_condensed;
}

/// A file that cannot be condensed stays as it is: it is only larger than it need be.
void condense_file(const std::string& path) {
  const auto text = base::io::read_own(path);
  const std::string condensed = text ? condense(*text) : "";
  if (!condensed.empty() && condensed != *text) {
    static_cast<void>(base::io::replace_whole(path, condensed));
  }
}

/// The process that took a lock on the file is there still. /proc/locks has lines like
/// "1: FLOCK  ADVISORY  WRITE 14889 fe:00:10952920 0 EOF", none of a dead one in a container.
bool is_holder_alive(int descriptor) {
  struct stat file{};
  if (::fstat(descriptor, &file) != 0) {
    return false;
  }
  const std::string inode = ":" + std::to_string(file.st_ino);
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    const auto words = base::split_words(line);
    if (words.size() > 5 && words[1] == "FLOCK" && words[5].ends_with(inode)) {
      const auto process = base::parse_int(words[4]);
      if (process && *process > 0 && (::kill(static_cast<pid_t>(*process), 0) == 0 || errno == EPERM)) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

std::string JournalName::file_name() const {
  std::string digits = std::to_string(part);
  digits.insert(0, part_digits_min - std::min(part_digits_min, digits.size()), '0');
  return bot + "_" + run + "_" + digits + std::string(extension);
}

std::optional<JournalName> read_journal_name(std::string_view file_name) {
  if (!file_name.ends_with(extension)) {
    return std::nullopt;
  }
  file_name.remove_suffix(extension.size());
  const std::size_t part_at = file_name.rfind('_');
  if (part_at == std::string_view::npos || part_at == 0) {
    return std::nullopt;
  }
  const std::size_t run_at = file_name.rfind('_', part_at - 1);
  const auto part = base::parse_int(file_name.substr(part_at + 1));
  if (run_at == std::string_view::npos || !part || *part < 1 || *part > 1'000'000'000) {
    return std::nullopt;
  }
  return JournalName{std::string(file_name.substr(0, run_at)),
                     std::string(file_name.substr(run_at + 1, part_at - run_at - 1)),
                     static_cast<int>(*part)};
}

std::string journal_directory(const config::BotConfig& bot) {
  if (!bot.journal.directory.empty()) {
    return bot.journal.directory;
  }
  fs::path records = fs::path(bot.records.directory).lexically_normal();
  if (!records.has_filename()) {
    records = records.parent_path();  // it was written with a slash at its end
  }
  return (records.parent_path() / "journal").string();
}

std::vector<JournalName> list_journals(const std::string& directory, std::string_view bot) {
  std::vector<JournalName> found;
  std::error_code failed;
  for (fs::directory_iterator it(directory, failed), end; !failed && it != end;
       it.increment(failed)) {
    auto name = read_journal_name(it->path().filename().string());
    if (name && name->bot == bot) {
      found.push_back(std::move(*name));
    }
  }
  std::sort(found.begin(), found.end(), [](const JournalName& a, const JournalName& b) {
    return std::tie(a.run, a.part) < std::tie(b.run, b.part);
  });
  return found;
}

std::vector<std::string> parts_until(const std::string& path) {
  const fs::path file(path);
  const auto last = read_journal_name(file.filename().string());
  std::vector<std::string> paths;
  if (last) {
    const fs::path directory = file.has_parent_path() ? file.parent_path() : fs::path(".");
    for (const JournalName& name : list_journals(directory.string(), last->bot)) {
      if (name.run == last->run && name.part < last->part) {
        paths.push_back((file.parent_path() / name.file_name()).string());
      }
    }
  }
  paths.push_back(path);
  return paths;
}

bool is_in_use(const std::string& path) {
  const base::io::File file(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (!file.is_open()) {
    return false;
  }
  const int descriptor = file.descriptor();
  bool is_free = ::flock(descriptor, LOCK_SH | LOCK_NB) == 0;
  const bool may_be_left = !is_free && !is_holder_alive(descriptor);
  for (int look = 0; look < child_looks && !is_free && may_be_left; ++look) {
    std::this_thread::sleep_for(child_pause);
    is_free = ::flock(descriptor, LOCK_SH | LOCK_NB) == 0;
  }
  return !is_free;
}

void tidy_journals(const std::string& directory, std::string_view bot, std::string_view present,
                   int keep) {
  const std::vector<JournalName> all = list_journals(directory, bot);
  const std::size_t kept = std::min(all.size(), static_cast<std::size_t>(std::max(keep, 1)));
  const auto newest = all.end() - static_cast<std::ptrdiff_t>(kept);
  std::set<std::string, std::less<>> runs{std::string(present)};
  std::set<std::string, std::less<>> is_done;
  for (auto it = newest; it != all.end(); ++it) {
    runs.insert(it->run);
  }
  // From the newest on: behind one that is condensed, all of its run are.
  std::vector<std::string> to_condense;
  for (auto it = newest; it != all.begin();) {
    --it;
    const std::string path = (fs::path(directory) / it->file_name()).string();
    if (is_done.contains(it->run) || is_in_use(path)) {
      continue;
    }
    if (!runs.contains(it->run)) {
      std::remove(path.c_str());
    } else if (is_condensed(path)) {
      is_done.insert(it->run);
    } else {
      to_condense.push_back(path);
    }
  }
  std::for_each(to_condense.rbegin(), to_condense.rend(), condense_file);
}

}  // namespace kakehashi::journal::io
