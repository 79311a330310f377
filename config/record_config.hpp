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
  /// Whether each own move of a team that consults tells what each of its engines said.
  bool opinions = true;
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
  using enum Level;
  records.flag("enabled", &Records::enabled, common,
      {"Whether a record of each game is kept.", "対局ごとに棋譜を残すか。"});
  records.text("directory", &Records::directory, judge_path, any_path, basic,
      {"Where records go; made when the first game begins.", "棋譜の置き場所。最初の対局が始まるときに作る。"});
  records.text("name", &Records::name, judge_record_name,
      {"{date} {time} {game_id} {black} {white} {game_name} {datetime} {title} {sente} {gote} {hex5} {ply} and text"},
      common,
      {"The file name without its extension; a second game of that name gets -2, no record is overwritten. "
       "{_black} and {black_} put a _ before or after, unless there is no value. {datetime} {title} {sente} "
       "{gote} are ShogiHome's words for date_time, game_id, black and white; {hex5} is five hexadecimal digits "
       "that differ from game to game; {ply} is the number of moves, for which the files are renamed when the game "
       "ends.",
       "拡張子を除いたファイル名。同じ名前の 2 局目には -2 が付き、上書きはしない。{_black} と {black_} は、値があ"
       "るときだけ前か後ろに _ を付ける。{datetime} {title} {sente} {gote} は ShogiHome での date_time、game_id、"
       "black、white。{hex5} は対局ごとに違う 16 進 5 桁。{ply} は手数で、終局時に名前を変える。"});
  records.choices("formats", &Records::formats,
      {"csa", "csa3", "kif", "kifu", "ki2", "ki2u", "jkf", "usi", "jsonl"}, basic,
      {"The formats in which each game is written, one file each: csa (V2.2) or csa3 (V3.0), which grows with "
       "every move; at the game's end kif and ki2 (Shift_JIS), kifu and ki2u (UTF-8), jkf (JSON Kifu Format), usi "
       "(a position line) and jsonl (JSON Lines with everything known of each move).",
       "棋譜の形式。1 つにつき 1 ファイル。csa(V2.2)と csa3(V3.0)は 1 手ごとに書き足す。終局時に kif と "
       "ki2(Shift_JIS)、kifu と ki2u(UTF-8)、jkf(JSON Kifu Format)、usi(position 行)、jsonl(各手について分かること"
       "すべての JSON Lines)。"});
  records.choice("comments", &Records::comments, {"auto", "floodgate", "csa3", "shogihome", "shogigui", "none"},
      expert,
      {"The style of the comments in which records say what the engine thought; auto is floodgate's in csa, V3.0's "
       "own in csa3, and ShogiHome's in all others.",
       "エンジンの読みを書くコメントの形式。auto は csa では floodgate 式、csa3 では V3.0 自身のもの、ほかは "
       "ShogiHome 式。"});
  records.choice("newline", &Records::newline, {"lf", "crlf"}, expert,
      {"How lines of records end; some programs on Windows want crlf.",
       "棋譜の改行。Windows には crlf を求めるプログラムがある。"});
  records.flag("times", &Records::times, common,
      {"Whether each of our moves has a comment with the time that was granted by the server, offered to the engine, "
       "used and charged; the record's end has the sums.",
       "自分の各手に、サーバーが与えた時間、エンジンに渡した時間、使った時間、引かれた時間をコメントで書き、末尾に合"
       "計を書くか。"}).is_settable = true;
  records.flag("opinions", &Records::opinions, expert,
      {"Whether each of our moves has a comment with what each engine of a team said that consults (engine.team_play: "
       "majority, optimist, first_with_advice).",
       "チームのエンジンが合議するとき(engine.team_play が majority、optimist、first_with_advice)、自分の各手に、各エン"
       "ジンの答えをコメントで書くか。"}).is_settable = true;
}

inline void declare(SettingsOf<Archive> archive) {
  using enum Level;
  archive.flag("enabled", &Archive::enabled, common,
      {"Whether every finished game goes into the archive, which kakehashi games and the live page read.",
       "終わった対局をアーカイブに入れるか。kakehashi games とライブページが読む。"});
  archive.text("file", &Archive::file, judge_path, any_path, common,
      {"The archive, an SQLite database; made with the first game. Several bots, of several processes too, may share "
       "one; it must be on a disk of this machine.",
       "アーカイブ(SQLite のデータベース)。最初の対局で作る。複数のボットやプロセスが 1 つを共有できる。このマシン"
       "のディスクに置く。"},
      {"games.db, in records.directory", "records.directory の games.db"});
}

inline void declare(SettingsOf<Journal> journal) {
  using enum Level;
  journal.flag("enabled", &Journal::enabled, common,
      {"Whether a journal is kept: everything that reaches the bot and everything it does, secrets masked. It "
       "completes records after a crash, and kakehashi replay repeats it.",
       "ジャーナルを残すか。ボットに届いたものすべてとしたことすべて(秘密は伏せる)。異常終了のあとに棋譜を補い、"
       "kakehashi replay で再現できる。"});
  journal.text("directory", &Journal::directory, judge_path, any_path, common,
      {"Where journals go; made when the bot starts.", "ジャーナルの置き場所。ボットの起動時に作る。"},
      {"journal, beside records.directory", "records.directory の隣の journal"});
  journal.whole("keep", &Journal::keep, 1, 10'000, common,
      {"How many files are kept whole, one for each game; older ones of a run that still matters are condensed, "
       "the others removed.",
       "全体を残すファイルの数(1 局に 1 つ)。まだ要る古いものは縮め、ほかは消す。"});
  journal.size("bytes_max", &Journal::bytes_max, 100'000, 100'000'000'000, expert,
      {"At this size a file takes no more, and the next game begins a new one; 0: no limit.",
       "この大きさでファイルは書き足されなくなり、次の対局で新しくなる。0 は無制限。"});
}

}  // namespace kakehashi::config
#endif
