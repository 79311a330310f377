#include "bridge/io/new_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/text.hpp"
#include "bridge/io/file.hpp"

namespace kakehashi::bridge::io {
namespace {

std::string write_draft(const std::string& path, std::string_view bytes) {
  const File draft(path, O_WRONLY | O_CREAT | O_EXCL);
  if (!draft.is_open()) {
    return failure("create", path);
  }
  if (!draft.write(bytes) || !draft.sync()) {
    auto why = failure("write", path);
    ::unlink(path.c_str());
    return why;
  }
  return "";
}

}  // namespace

std::string failure(std::string_view what, const std::string& path) {
  return "cannot " + std::string(what) + " " + base::quote_for_log(path, 400) + ": " +
         std::strerror(errno);
}

bool exists(const std::string& path) {
  std::error_code failed;
  return std::filesystem::symlink_status(path, failed).type() !=
         std::filesystem::file_type::not_found;
}

std::string synchronise_directory_of(const std::string& path) {
  auto directory = std::filesystem::path(path).parent_path().string();
  directory = directory.empty() ? "." : directory;
  const File opened(directory, O_RDONLY | O_DIRECTORY);
  return opened.is_open() && !opened.sync() ? failure("synchronise", directory) : "";
}

std::string rename_new(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) {
    return "";
  }
  // Not every file system can rename without replacing; a second name for the file does the same.
  if (errno != EEXIST && ::link(from.c_str(), to.c_str()) == 0) {
    ::unlink(from.c_str());
    return "";
  }
  return failure("create", to);
}

FileWritten write_new_file(const std::string& path, std::string_view bytes) {
  if (exists(path)) {
    return {true, ""};
  }
  const auto draft = path + ".tmp";
  if (auto why = write_draft(draft, bytes); !why.empty()) {
    return {false, std::move(why)};
  }
  if (auto why = rename_new(draft, path); !why.empty()) {
    ::unlink(draft.c_str());
    const bool is_taken = exists(path);
    return {is_taken, is_taken ? "" : std::move(why)};
  }
  return {false, synchronise_directory_of(path)};
}

}  // namespace kakehashi::bridge::io
