#include "config/io/load_shogihome.hpp"

#include <zlib.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include "base/text.hpp"
#include "config/io/read_file.hpp"
#include "config/yaml/yaml_tree.hpp"

namespace kakehashi::config::io {
namespace {

using base::quoted;
using base::say;

/// A packed text is shorter than what it holds, but base64 makes a third more of it.
constexpr std::size_t packed_bytes_max = 2 * file_bytes_max;
constexpr std::string_view variable_prefix = "env:";

struct Found {
  std::string folder;  ///< of a file; empty: there is none
  FileRead read;
};

Found find(const std::string& where) {
  if (where == "-") {
    return {"", read_standard_input(packed_bytes_max)};
  }
  if (where.starts_with(variable_prefix)) {
    const std::string name = where.substr(variable_prefix.size());
    const char* value = std::getenv(name.c_str());
    FileRead read;
    read.trouble = value == nullptr ? say("is not set") : base::Message();
    read.text = value == nullptr ? "" : value;
    return {"", std::move(read)};
  }
  const std::string folder = std::filesystem::path(where).parent_path().string();
  return {folder.empty() ? "." : folder, read_file(where, packed_bytes_max)};
}

ShogiHomeImport failed(const std::string& name, base::Message why) {
  ShogiHomeImport made;
  made.problems.push_back({name, {}, "", std::move(why)});
  return made;
}

/// Their bridge takes a path as it stands if there is such a file, else from the settings' folder.
void make_whole(const std::string& where, const std::string& folder, const char* theirs, const char* ours, std::string& path,
                ShogiHomeImport& made) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) {
    path = std::filesystem::absolute(path, ignored).lexically_normal().string();
    return;
  }
  base::Message trouble = say("there is no file {}", quoted(path, 400));
  if (!folder.empty() && !std::filesystem::path(path).is_absolute()) {
    const auto there = std::filesystem::absolute(std::filesystem::path(folder) / path, ignored)
                           .lexically_normal();
    if (std::filesystem::exists(there, ignored)) {
      path = there.string();
      return;
    }
    trouble = say("there is no file {}, nor {}", quoted(path, 400), quoted(there.string(), 400));
  }
  const auto place = made.places.find(ours);
  made.problems.push_back({where, place == made.places.end() ? Place{} : place->second, theirs,
                           std::move(trouble)});
}

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view white_space = " \t\r\n";
/// The base64 of gzip's first three bytes, 1F 8B 08 (RFC 1952, 2.3.1).
constexpr std::string_view packed_beginning = "H4sI";

/// RFC 4648, 4; the "=" at the end may be left out, as its length says nothing new.
std::optional<std::string> decode_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int bits_held = 0;
  bool is_padded = false;
  for (const char c : text) {
    if (white_space.find(c) != std::string_view::npos) {
      continue;
    }
    if (c == '=') {
      is_padded = true;
      continue;
    }
    const std::size_t value = alphabet.find(c);
    if (value == std::string_view::npos || is_padded) {
      return std::nullopt;
    }
    bits = (bits << 6U) | static_cast<std::uint32_t>(value);
    bits_held += 6;
    if (bits_held >= 8) {
      bits_held -= 8;
      bytes += static_cast<char>((bits >> static_cast<unsigned>(bits_held)) & 0xFFU);
    }
  }
  return bytes;
}

}  // namespace

ShogiHomeImport load_shogihome(const std::string& where, const std::vector<ShogiHomeOverride>& overrides) {
  Found found = find(where);
  if (!found.read.is_good()) {
    return failed(where, found.read.trouble);
  }
  std::string text = std::move(found.read.text);
  if (looks_packed(text)) {
    auto unpacked = unpack(text, file_bytes_max);
    if (!unpacked) {
      return failed(where, unpacked.error().what);
    }
    text = std::move(unpacked).value();
  }
  ShogiHomeImport made = import_shogihome({where, std::move(text)}, overrides);
  if (!made.bot.engine.command.empty()) {
    make_whole(where, found.folder, "usi.path", "engine.command", made.bot.engine.command.front(), made);
  }
  if (!made.bot.book.file.empty()) {
    make_whole(where, found.folder, "usi.extraBook.filePath", "book.file", made.bot.book.file, made);
  }
  if (found.read.is_open_to_others && !made.bot.account.password.empty()) {
    made.warnings.push_back({where, made.places["account"], "server.password",
                             say("the file can be read by other users; make it private with chmod 600")});
  }
  return made;
}

Loaded load_shogihomes(const std::vector<std::string>& origins, const std::vector<ShogiHomeOverride>& overrides) {
  Loaded loaded;
  std::vector<Report> reports;
  for (const std::string& where : origins) {
    ShogiHomeImport made = load_shogihome(where, overrides);
    Report report(where);
    report.problems = std::move(made.problems);
    report.warnings = std::move(made.warnings);
    reports.push_back(std::move(report));
    loaded.bots.push_back(std::move(made.bot));
    loaded.places.push_back(std::move(made.places));
  }
  finish(loaded, reports);
  return loaded;
}

bool looks_packed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(white_space);
  return begin != std::string_view::npos && text.substr(begin).starts_with(packed_beginning) &&
         decode_base64(text).has_value();
}

base::Result<std::string> unpack(std::string_view text, std::size_t bytes_max) {
  auto packed = decode_base64(text);
  if (!packed) {
    return base::fail(say("is not base64"));
  }
  if (packed->size() > std::numeric_limits<uInt>::max()) {
    return base::fail(say("is too long"));
  }
  z_stream stream{};
  constexpr int gzip_only = 16 + MAX_WBITS;
  if (inflateInit2(&stream, gzip_only) != Z_OK) {
    return base::fail(say("cannot be unpacked: there is no memory for it"));
  }
  std::string unpacked(bytes_max + 1, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(packed->data());
  stream.avail_in = static_cast<uInt>(packed->size());
  stream.next_out = reinterpret_cast<Bytef*>(unpacked.data());
  stream.avail_out = static_cast<uInt>(unpacked.size());
  const int code = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  if (stream.avail_out == 0) {
    return base::fail(say("holds more than {} bytes when unpacked", bytes_max));
  }
  if (code != Z_STREAM_END) {
    return base::fail(code == Z_BUF_ERROR || code == Z_OK ? say("is cut off: gzip's end is missing")
                                                          : say("is not gzip in base64, or is damaged"));
  }
  unpacked.resize(unpacked.size() - stream.avail_out);
  return unpacked;
}

}  // namespace kakehashi::config::io
