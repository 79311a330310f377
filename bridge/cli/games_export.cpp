#include "bridge/cli/games_export.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <vector>

#include "base/text.hpp"
#include "bridge/archive/game_text.hpp"
#include "bridge/cli/record_file.hpp"
#include "bridge/fleet/io/exit_status.hpp"
#include "bridge/record/io/record_writer.hpp"
#include "bridge/record/io/shift_jis.hpp"
#include "shogi/record/format.hpp"

namespace kakehashi::bridge::cli {
namespace {

namespace fs = std::filesystem;
namespace record = shogi::record;
using archive::ArchivedRecord;

int complain(const std::string& what, int status) {
  std::cerr << "kakehashi: " << what << "\n";
  return status;
}

/// Lines to a file or to standard output.
class Output {
 public:
  explicit Output(const std::string& path) : path_(path) {
    if (!path.empty() && path != "-") {
      file_.open(path, std::ios::binary | std::ios::trunc);
    }
  }
  void write(const std::string& text) { stream() << text; }
  [[nodiscard]] int finish() {
    stream().flush();
    return stream() ? exit_ok
                    : complain((path_.empty() ? "standard output" : path_) + " cannot be written",
                               exit_cannot_create);
  }

 private:
  std::ostream& stream() { return path_.empty() || path_ == "-" ? std::cout : file_; }

  std::string path_;
  std::ofstream file_;
};

int export_rows(archive::io::Archive& archive, const archive::GameFilter& filter, bool is_csv,
                const std::string& path) {
  Output output(path);
  output.write(is_csv ? archive::csv_head() : "");
  const auto why = archive.each(filter, archive::io::Archive::Order::latest_first, [&](const archive::ArchivedGame& game) {
    output.write(is_csv ? archive::csv_line(game) : archive::json_of(game) + "\n");
    return true;
  });
  const int status = output.finish();
  return why ? complain("the archive cannot be read: " + *why, exit_no_input) : status;
}

/// Why not; empty: it is written.
std::string export_record(const archive::ArchivedRecord& archived, record::Format format,
                          const std::string& directory) {
  const auto game = archive::record_in(archived);
  if (!game) {
    return "its moves cannot be read: " + game.error().what;
  }
  const auto& facts = record::facts_of(format);
  std::string text = record::write_record(*game, format, record::CommentStyle::automatic);
  if (facts.is_shift_jis) {
    auto converted = io::to_shift_jis(text);
    if (!converted) {
      return converted.error().what;
    }
    text = std::move(*converted);
  }
  const std::string name = io::safe_file_name(std::to_string(archived.game.id) + "_" +
                                              archived.game.game_id + facts.extension);
  return write_record_file((fs::path(directory) / name).string(), text, true).value_or("");
}

int export_records(archive::io::Archive& archive, const archive::GameFilter& filter,
                   record::Format format, const std::string& directory) {
  if (directory.empty()) {
    return complain("records go to a directory, a file each: give one with -o", exit_usage);
  }
  std::error_code failed;
  fs::create_directories(directory, failed);
  if (failed) {
    return complain("cannot create " + directory + ": " + failed.message(), exit_cannot_create);
  }
  std::vector<std::int64_t> ids;
  if (const auto why = archive.each(filter, archive::io::Archive::Order::latest_first, [&](const archive::ArchivedGame& game) {
        ids.push_back(game.id);
        return true;
      })) {
    return complain("the archive cannot be read: " + *why, exit_no_input);
  }
  int status = exit_ok;
  for (const std::int64_t id : ids) {
    const auto found = archive.find(id);
    const std::string why = !found ? found.error() : *found ? export_record(**found, format, directory) : "";
    if (!why.empty()) {
      status = complain("game " + std::to_string(id) + ": " + why, exit_data);
    }
  }
  std::cerr << ids.size() << (ids.size() == 1 ? " game\n" : " games\n");
  return status;
}

}  // namespace

std::string export_formats() {
  std::string words;
  for (const auto& facts : record::formats) {
    words += (words.empty() ? "" : ", ") + std::string(facts.word);
  }
  return words;
}

int export_games(archive::io::Archive& archive, const archive::GameFilter& filter,
                 const std::string& to, const std::string& output) {
  if (to == "csv" || to == "json") {
    return export_rows(archive, filter, to == "csv", output);
  }
  const auto format = record::format_of_word(to);
  return format ? export_records(archive, filter, *format, output)
                : complain("--to is csv, json, " + export_formats() + ", not " + base::quote_for_log(to),
                           exit_usage);
}

int import_games(const std::string& archive_path, const std::string& directory,
                 const std::string& us) {
  constexpr std::size_t batch = 500;
  std::error_code failed;
  std::vector<std::string> paths;
  for (fs::recursive_directory_iterator it(directory, failed), end; !failed && it != end; it.increment(failed)) {
    const std::string extension = it->path().extension().string();
    const bool is_record = std::any_of(record::formats.begin(), record::formats.end(),
                                       [&](const auto& facts) { return extension == facts.extension; });
    if (is_record && it->is_regular_file(failed)) {
      paths.push_back(it->path().string());
    }
  }
  if (failed) {
    return complain(directory + ": " + failed.message(), exit_no_input);
  }
  std::sort(paths.begin(), paths.end());
  auto archive = archive::io::Archive::open(archive_path, archive::io::Archive::Access::write);
  if (!archive) {
    return complain(archive.error(), exit_cannot_create);
  }
  std::size_t unreadable = 0;
  std::size_t foreign = 0;
  std::size_t games = 0;
  int added = 0;
  std::vector<archive::ArchivedRecord> waiting;
  const auto flush = [&]() -> std::optional<std::string> {
    const auto stored = archive->add(waiting);
    waiting.clear();
    added += stored ? *stored : 0;
    return stored ? std::nullopt : std::optional(stored.error());
  };
  for (const std::string& path : paths) {
    const RecordsRead read = read_record_file(path, std::nullopt);
    unreadable += read.games.empty() ? 1 : 0;
    for (const record::Record& game : read.games) {
      auto archived = archive::imported(game, us, path);
      if (!archived) {
        ++foreign;
        continue;
      }
      ++games;
      if (archived->game.game_id.empty()) {
        archived->game.game_id = fs::path(path).stem().string();
      }
      waiting.push_back(std::move(*archived));
    }
    if (waiting.size() >= batch) {
      if (const auto why = flush()) {
        return complain("the archive cannot be written: " + *why, exit_cannot_create);
      }
    }
  }
  if (const auto why = flush()) {
    return complain("the archive cannot be written: " + *why, exit_cannot_create);
  }
  std::cout << added << " games added, " << games - static_cast<std::size_t>(added)
            << " were there already; left out: " << foreign << " without " << us << ", " << unreadable
            << " files that cannot be read\n";
  return exit_ok;
}

}  // namespace kakehashi::bridge::cli
