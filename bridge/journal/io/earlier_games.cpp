#include "bridge/journal/io/earlier_games.hpp"

#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include "base/io/file.hpp"
#include "bridge/journal/io/journal_files.hpp"
#include "bridge/journal/journal.hpp"
#include "bridge/record/io/record_writer.hpp"
#include "shogi/record/format.hpp"

namespace kakehashi::bridge::io {
namespace {

/// What an engine says at its start and the summary of the game fit in many times over.
constexpr std::size_t head_bytes = std::size_t{256} * 1024;

struct Head {
  std::string text;
  bool is_all = false;
};

Head read_head(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Head head{std::string(head_bytes, '\0'), false};
  file.read(head.text.data(), static_cast<std::streamsize>(head_bytes));
  head.text.resize(static_cast<std::size_t>(file.gcount()));
  head.is_all = head.text.size() < head_bytes;
  return head;
}

/// A journal that was full before the game ended knows less than the record on disk.
void take_longer_record(EarlierGame& earlier, const config::BotConfig& bot) {
  const auto text = earlier.record_path.empty() ? std::nullopt : base::io::read_whole(earlier.record_path);
  const auto format = text ? shogi::record::detect_format(*text, earlier.record_path) : std::nullopt;
  if (!format) {
    return;
  }
  auto games = shogi::record::read_records(*text, *format, bot.records.utc_offset);
  shogi::record::Record& ours = earlier.game.record;
  if (games && games->size() == 1 && games->front().moves.size() > ours.moves.size()) {
    ours.moves = std::move(games->front().moves);
    ours.ending = games->front().ending ? std::move(games->front().ending) : ours.ending;
  }
}

std::optional<EarlierGame> read_game(const std::string& path, const config::BotConfig& bot) {
  const auto text = base::io::read_whole(path);
  if (!text) {
    return std::nullopt;
  }
  const journal::Contents contents = journal::read(*text);
  const auto record = journal::last_record(contents);
  auto game = record ? journal::last_game(contents, *record, bot) : std::nullopt;
  if (!game) {
    return std::nullopt;
  }
  EarlierGame earlier{std::move(*game), record->path};
  if (!record->is_finished) {
    take_longer_record(earlier, bot);
  }
  return earlier;
}

}  // namespace

std::vector<std::string> ended_journals(const config::BotConfig& bot) {
  std::vector<std::string> paths;
  if (!bot.journal.enabled) {
    return paths;
  }
  const std::string directory = journal_directory(bot);
  for (const JournalName& name : list_journals(directory, safe_file_name(bot.name))) {
    std::string path = (std::filesystem::path(directory) / name.file_name()).string();
    if (!is_in_use(path)) {
      paths.push_back(std::move(path));
    }
  }
  return paths;
}

std::vector<EarlierGame> earlier_games(
    const std::vector<std::string>& journals, const config::BotConfig& bot,
    const std::function<bool(const journal::GameMark&)>& is_known) {
  std::vector<EarlierGame> games;
  for (const std::string& path : journals) {
    const Head head = read_head(path);
    const auto mark = journal::last_mark(journal::read(head.text));
    if (mark ? is_known(*mark) : head.is_all) {
      continue;
    }
    if (auto game = read_game(path, bot)) {
      games.push_back(std::move(*game));
    }
  }
  return games;
}

}  // namespace kakehashi::bridge::io
