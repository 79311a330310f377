// The game that runs, for a process that comes after this one should it be killed: its Reconnect_Token, which no
// journal holds, in a file beside the journal that only its owner can read, and that is gone with the game.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/io/file.hpp"
#include "bridge/journal/replay.hpp"
#include "bridge/journal/io/journal_writer.hpp"
#include "bridge/journal/journal_game.hpp"
#include "config/bot_config.hpp"

namespace kakehashi::bridge::io {

/// A game that another process was killed in; its journal is locked, so that nobody takes it for ended.
struct CutOffGame {
  std::string journal_path;
  std::string token;
  base::io::File journal;  ///< to append
};

/// Nothing when there is none, or when its process still runs.
[[nodiscard]] std::optional<CutOffGame> find_cut_off_game(const config::BotConfig& bot);

/// What the journals of its run tell of it. The error says why it cannot go on; empty: it was over.
struct CutOffGameRead {
  CutOffRun run;
  std::optional<journal::JournalledRecord> record;
  std::uint64_t journal_bytes = 0;  ///< of whole lines in the last file
};
[[nodiscard]] base::Result<CutOffGameRead, std::string> read_cut_off_game(const CutOffGame& game,
                                                                          const config::BotConfig& bot,
                                                                          base::Now now);

/// Written behind the steps of the journal, by its thread.
class TokenFile {
 public:
  explicit TokenFile(JournalWriter& journal) : journal_(journal) {}

  /// The present token of the game that the journal tells of; in place of an earlier one.
  void keep(const config::BotConfig& bot, const std::string& token);
  /// The game is over, or left.
  void forget(const config::BotConfig& bot);
  [[nodiscard]] bool is_kept() const { return is_kept_; }

 private:
  JournalWriter& journal_;
  bool is_kept_ = false;
};

}  // namespace kakehashi::bridge::io
