// What a bot keeps of its games: the sections `records`, `archive` and `journal`. What the formats are is
// shogi/record's business.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "shogi/record/format.hpp"
#include "shogi/record/search_comment.hpp"

namespace kakehashi::config {

enum class Newline { lf, crlf };

struct Records {
  bool enabled = true;
  std::string directory = "records";
  /// With the placeholders of shogi/record/format.hpp; made safe as a file name.
  std::string name = "{date}-{time}_{black}_{white}";
  /// At least one, none twice; csa and csa3 exclude each other.
  std::vector<shogi::record::Format> formats{shogi::record::Format::csa};
  shogi::record::CommentStyle comments = shogi::record::CommentStyle::automatic;
  Newline newline = Newline::lf;
  /// Whether each own move tells what time there was for it and what became of that.
  bool times = false;
  /// Of the zone in which records give dates; the shell fills it in from the machine's zone.
  std::chrono::minutes utc_offset{0};
};

/// The archive of finished games; any number of bots and processes share one file.
struct Archive {
  bool enabled = true;
  std::string file;  ///< empty: games.db in the records' directory
};

/// What happened to a bot, line by line, so that it can be completed, looked at and repeated.
struct Journal {
  bool enabled = true;
  std::string directory;                ///< empty: "journal" beside the records' directory
  int keep = 50;                        ///< files, each of one game
  std::uint64_t bytes_max = 100'000'000;  ///< of one file; 0: no limit
};

}  // namespace kakehashi::config

#ifdef KAKEHASHI_DECLARES_SETTINGS
#include "config/schema/declare.hpp"

namespace kakehashi::config {

inline void declare(SettingsOf<Records> records) {
  records.flag("enabled", &Records::enabled, common,
      say("Whether a record of each game is kept."));
  records.text("directory", &Records::directory, judge_path, any_path(), basic,
      say("Where records go; made when the first game begins."));
  records.text("name", &Records::name, judge_record_name,
      say("{date} {time} {game_id} {black} {white} {game_name} {datetime} {title} {sente} {gote} {hex5} {ply} and text"),
      common,
      say("The file name without its extension; a second game of that name gets -2, no record is overwritten. "
          "{_black} and {black_} put a _ before or after, unless there is no value. {datetime} {title} {sente} "
          "{gote} are ShogiHome's words for date_time, game_id, black and white; {hex5} is five hexadecimal digits "
          "that differ from game to game; {ply} is the number of moves, for which the files are renamed when the "
          "game ends."));
  records.choices("formats", &Records::formats,
      {"csa", "csa3", "kif", "kifu", "ki2", "ki2u", "jkf", "usi", "jsonl"}, basic,
      say("The formats in which each game is written, one file each: csa (V2.2) or csa3 (V3.0), which grows with "
          "every move; at the game's end kif and ki2 (Shift_JIS), kifu and ki2u (UTF-8), jkf (JSON Kifu Format), usi "
          "(a position line) and jsonl (JSON Lines with everything known of each move)."));
  records.choice("comments", &Records::comments, {"auto", "floodgate", "csa3", "shogihome", "shogigui", "none"},
      expert,
      say("The style of the comments in which records say what the engine thought; auto is floodgate's in csa, "
          "V3.0's own in csa3, and ShogiHome's in all others."));
  records.choice("newline", &Records::newline, {"lf", "crlf"}, expert,
      say("How lines of records end; some programs on Windows want crlf."));
  records.flag("times", &Records::times, common,
      say("Whether each of our moves has a comment with the time that was granted by the server, offered to the "
          "engine, used and charged; the record's end has the sums.")).is_settable = true;
}

inline void declare(SettingsOf<Archive> archive) {
  archive.flag("enabled", &Archive::enabled, common,
      say("Whether every finished game goes into the archive, which kakehashi games and the live page read."));
  archive.text("file", &Archive::file, judge_path, any_path(), common,
      say("The archive, an SQLite database; made with the first game. Several bots, of several processes too, may "
          "share one; it must be on a disk of this machine."),
      say("games.db, in records.directory"));
}

inline void declare(SettingsOf<Journal> journal) {
  journal.flag("enabled", &Journal::enabled, common,
      say("Whether a journal is kept: everything that reaches the bot and everything it does, secrets masked. It "
          "completes records after a crash, and kakehashi replay repeats it."));
  journal.text("directory", &Journal::directory, judge_path, any_path(), common,
      say("Where journals go; made when the bot starts."), say("journal, beside records.directory"));
  journal.whole("keep", &Journal::keep, 1, 10'000, common,
      say("How many files are kept whole, one for each game; older ones of a run that still matters are condensed, "
          "the others removed."));
  journal.size("bytes_max", &Journal::bytes_max, 100'000, 100'000'000'000, expert,
      say("At this size a file takes no more, and the next game begins a new one; 0: no limit."));
}

}  // namespace kakehashi::config
#endif
