#include "bridge/journal/io/cut_off_game.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

#include "base/io/file.hpp"
#include "bridge/journal/io/journal_files.hpp"
#include "bridge/record/io/record_writer.hpp"

namespace kakehashi::bridge::io {
namespace {

namespace fs = std::filesystem;

constexpr mode_t file_mode = 0600;
/// A run of months that is condensed is far below this; reading more would take longer than a server waits.
constexpr std::size_t run_bytes_max = std::size_t{256} * 1024 * 1024;

std::string path_of(const config::BotConfig& bot) {
  return (fs::path(journal_directory(bot)) / (safe_file_name(bot.name) + ".rejoin")).string();
}

void write_token(const std::string& path, const std::string& journal_path, const std::string& token) {
  ::unlink(path.c_str());
  if (journal_path.empty()) {
    return;  // the game could not be had from it
  }
  const std::string journal_name = fs::path(journal_path).filename().string();
  const base::io::File file(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, file_mode);
  // Should it not be written whole, the game is not asked for after a kill: nothing else hangs on it.
  static_cast<void>(file.is_open() && file.write(journal_name + "\n" + token + "\n"));
}

}  // namespace

std::optional<CutOffGame> find_cut_off_game(const config::BotConfig& bot) {
  const auto text = bot.journal.enabled ? base::io::read_whole(path_of(bot)) : std::nullopt;
  if (!text) {
    return std::nullopt;
  }
  const std::size_t end = text->find('\n');
  const auto name = read_journal_name(text->substr(0, end));
  if (!name || name->bot != safe_file_name(bot.name) || end + 2 > text->size() || !text->ends_with('\n')) {
    return std::nullopt;
  }
  CutOffGame game;
  game.journal_path = (fs::path(journal_directory(bot)) / name->file_name()).string();
  game.token = text->substr(end + 1, text->size() - end - 2);
  game.journal = base::io::File(game.journal_path, O_WRONLY | O_APPEND | O_NOFOLLOW);
  if (!game.journal.is_open() || ::flock(game.journal.descriptor(), LOCK_EX | LOCK_NB) != 0) {
    return std::nullopt;
  }
  return game;
}

base::Result<CutOffGameRead, std::string> read_cut_off_game(const CutOffGame& game,
                                                            const config::BotConfig& bot, base::Now now) {
  std::string whole;
  std::uint64_t last_bytes = 0;
  for (const std::string& part : parts_until(game.journal_path)) {
    auto text = base::io::read_whole(part);
    if (!text || whole.size() + text->size() > run_bytes_max) {
      return base::Failure<std::string>{text ? "its run is too long" : "its journal cannot be read"};
    }
    text->resize(text->rfind('\n') + 1);  // nothing, where there is none
    last_bytes = text->size();
    whole += *text;
  }
  const auto contents = journal::read(whole);
  auto record = journal::last_record(contents);
  if (record && record->is_finished) {
    return base::Failure<std::string>{""};  // killed between its end and its token's
  }
  auto run = go_on(contents, bot, game.token, "kakehashi " KAKEHASHI_VERSION, now);
  if (!run) {
    return base::Failure<std::string>{run.error()};
  }
  return CutOffGameRead{std::move(*run), std::move(record), last_bytes};
}

void TokenFile::keep(const config::BotConfig& bot, const std::string& token) {
  is_kept_ = journal_.behind(
      [path = path_of(bot), token](const std::string& journal_path) { write_token(path, journal_path, token); });
}

void TokenFile::forget(const config::BotConfig& bot) {
  is_kept_ = false;
  // Should it not be taken, the journal still knows the end of the game.
  static_cast<void>(journal_.behind([path = path_of(bot)](const std::string&) { ::unlink(path.c_str()); }));
}

}  // namespace kakehashi::bridge::io
