#include "config/io/load_shogihome.hpp"

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "base/text.hpp"
#include "config/io/read_file.hpp"
#include "config/io/unpack.hpp"
#include "config/schema/validate.hpp"
#include "config/yaml/yaml_tree.hpp"

namespace kakehashi::config::io {
namespace {

/// A packed text is shorter than what it holds, but base64 makes a third more of it.
constexpr std::size_t packed_bytes_max = 2 * file_bytes_max;
constexpr std::string_view variable_prefix = "env:";

struct Found {
  std::string name;    ///< of the origin, for messages
  std::string folder;  ///< of a file; empty: there is none
  FileRead read;
};

Found find(const std::string& where) {
  if (where == "-") {
    return {"standard input", "", read_standard_input(packed_bytes_max)};
  }
  if (where.starts_with(variable_prefix)) {
    const std::string name = where.substr(variable_prefix.size());
    const char* value = std::getenv(name.c_str());
    FileRead read;
    read.trouble = value == nullptr ? "is not set" : "";
    read.text = value == nullptr ? "" : value;
    return {"the environment variable " + base::quote_for_log(name), "", std::move(read)};
  }
  const std::string folder = std::filesystem::path(where).parent_path().string();
  return {where, folder.empty() ? "." : folder, read_file(where, packed_bytes_max)};
}

ShogiHomeImport failed(const std::string& name, std::string why) {
  ShogiHomeImport made;
  made.problems.push_back({name, {}, "", std::move(why)});
  return made;
}

/// Their bridge takes a path as it stands if there is such a file, else from the settings' folder.
void make_whole(const Found& found, const char* theirs, const char* ours, std::string& path,
                ShogiHomeImport& made) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) {
    path = std::filesystem::absolute(path, ignored).lexically_normal().string();
    return;
  }
  std::string tried;
  if (!found.folder.empty() && !std::filesystem::path(path).is_absolute()) {
    const auto there = std::filesystem::absolute(std::filesystem::path(found.folder) / path, ignored)
                           .lexically_normal();
    if (std::filesystem::exists(there, ignored)) {
      path = there.string();
      return;
    }
    tried = ", nor " + base::quote_for_log(there.string(), 400);
  }
  const auto place = made.places.find(ours);
  made.problems.push_back({found.name, place == made.places.end() ? Place{} : place->second, theirs,
                           "there is no file " + base::quote_for_log(path, 400) + tried});
}

}  // namespace

ShogiHomeImport load_shogihome(const ShogiHomeOrigin& origin,
                               const std::vector<ShogiHomeOverride>& overrides) {
  Found found = find(origin.where);
  if (!found.read.is_good()) {
    return failed(found.name, found.read.trouble);
  }
  std::string text = std::move(found.read.text);
  if (origin.is_packed || looks_packed(text)) {
    auto unpacked = unpack(text, file_bytes_max);
    if (!unpacked) {
      return failed(found.name, unpacked.error().what);
    }
    text = std::move(unpacked).value();
  }
  ShogiHomeImport made = import_shogihome({found.name, std::move(text)}, overrides);
  if (!made.bot.engine.command.empty()) {
    make_whole(found, "usi.path", "engine.command", made.bot.engine.command.front(), made);
  }
  if (!made.bot.book.file.empty()) {
    make_whole(found, "usi.extraBook.filePath", "book.file", made.bot.book.file, made);
  }
  if (found.read.is_open_to_others && !made.bot.account.password.empty()) {
    made.warnings.push_back({found.name, made.places["account"], "server.password",
                             "the file can be read by other users; make it private with chmod 600"});
  }
  return made;
}

Loaded load_shogihomes(const std::vector<ShogiHomeOrigin>& origins,
                       const std::vector<ShogiHomeOverride>& overrides) {
  Loaded loaded;
  std::vector<Report> reports;
  for (const ShogiHomeOrigin& origin : origins) {
    ShogiHomeImport made = load_shogihome(origin, overrides);
    Report report(origin.where);
    report.problems = std::move(made.problems);
    report.warnings = std::move(made.warnings);
    reports.push_back(std::move(report));
    loaded.bots.push_back(std::move(made.bot));
    loaded.places.push_back(std::move(made.places));
  }
  validate_together(loaded.bots, loaded.places, reports);
  introduce_to_each_other(loaded.bots);
  for (Report& report : reports) {
    std::move(report.problems.begin(), report.problems.end(), std::back_inserter(loaded.problems));
    std::move(report.warnings.begin(), report.warnings.end(), std::back_inserter(loaded.warnings));
  }
  return loaded;
}

}  // namespace kakehashi::config::io
