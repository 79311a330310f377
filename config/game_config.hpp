// What a bot plays and how it uses its time: the sections `game`, `schedule`, `time` and `book`. What follows from a
// schedule at a given instant is bridge/bot/schedule's business.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "shogi/book/book.hpp"

namespace kakehashi::config {

using base::Millis;

/// Who declares an entering-king win: the engine, or the bridge too, as soon as it holds.
enum class Declare { engine, automatic };

/// When a game is given up: when the engine says so; never while a legal move is left; or when the
/// engine says so or thinks so badly of its moves.
struct Resign {
  enum class By { engine, never, score };
  By by = By::engine;
  int score = 0;  ///< centipawns, positive: as many behind
  int moves = 0;  ///< so many own moves in a row
};

struct Game {
  /// "floodgate-300-10F"; sent as "name,trip" in the LOGIN line. Empty: the password goes alone.
  std::string name;
  /// Games to play; nothing: until stopped.
  std::optional<int> count;
  /// `move,'* score pv` comments. Nothing: on for floodgate game names only.
  std::optional<bool> comments;
  Declare declare = Declare::engine;
  Resign resign;
  /// Our other accounts; the loader adds those of the bots that run in the same process on that server.
  std::vector<std::string> own_accounts;
  bool meet_own = false;  ///< play against them too
};

/// From an instant on, local time is that much ahead of UTC.
struct ZoneOffset {
  std::int64_t since_s = 0;  ///< seconds since 1970, UTC
  std::chrono::seconds ahead{0};

  friend bool operator==(const ZoneOffset&, const ZoneOffset&) = default;
};

struct Schedule {
  std::vector<std::string> windows;  ///< as schedule.hpp reads them; empty: always
  std::string time_zone = "local";
  Millis early{60'000};        ///< logged in so long before a window opens
  /// Of the zone, by instant; the first one counts before its instant too. The shell fills it in.
  std::vector<ZoneOffset> offsets;
};

struct Time {
  /// Kept back from each move's time for the way to the server and back. Nothing: as measured.
  std::optional<Millis> margin;
  /// The bounds of a measured margin.
  Millis margin_min{300};
  Millis margin_max{3'000};
  /// Tell an engine that can round its thinking up how the server counts (RoundUpToFullSecond).
  bool round_up = false;
  /// For games without any clock: given as byoyomi.
  Millis untimed_move{10'000};
};

/// An opening book in YaneuraOu's text format, which is asked before the engine.
struct Book {
  std::string file;         ///< empty: none
  bool on_the_fly = false;  ///< searched on the disk, which needs it sorted, instead of read whole
  shogi::book::Rule rule = shogi::book::Rule::best;  ///< which move is played
  int temperature = 100;    ///< of by_score, in centipawns
};

}  // namespace kakehashi::config

#ifdef KAKEHASHI_DECLARES_SETTINGS
#include "config/schedule.hpp"
#include "config/schema/declare.hpp"

namespace kakehashi::config {

inline void declare(SettingsOf<Game> game) {
  using enum Level;
  game.text("name", &Game::name, judge_game_name, {"<label>-<seconds>-<seconds per move>[F][-B or -W], or empty",
             "<ラベル>-<持ち時間の秒>-<1 手の秒>[F][-B か -W]、または空"},
      basic,
      {"The game to wait for. floodgate-300-10F gives 300 s, and 10 s more with each move (F); without F the 10 s "
       "are byoyomi; -B or -W asks for a side, in private games only. It is sent in front of the trip, as servers "
       "of the shogi-server family expect: leave it out where a plain password is asked for.",
       "参加する対局名。floodgate-300-10F は 300 秒と、1 手ごとに 10 秒の加算(F)。F がなければ 10 秒は秒読み。-B と "
       "-W は手番を求め、私的な対局でだけ使える。shogi-server 系のサーバーに合わせて trip の前に付けて送るので、パス"
       "ワードだけを求められるところでは書かない。"},
      {"none: the password is sent alone", "なし(パスワードだけを送る)"});
  game.whole("count", &Game::count, 1, 1'000'000, basic,
      {"How many games to play before leaving.", "何局指したら終わるか。"},
      {"until stopped", "止めるまで"});
  game.flag("comments", &Game::comments, common,
      {"Whether moves carry the engine's evaluation and expected line as a comment; the server puts it into its "
       "public record.",
       "指し手に評価値と読み筋をコメントとして付けるか。サーバーの公開棋譜に載る。"},
      {"true for floodgate games, else false", "floodgate の対局なら true、ほかは false"}).is_settable = true;
  game.choice("declare", &Game::declare, {"engine", "auto"}, common,
      {"Who declares an entering-king win. engine: the engine, by bestmove win. auto: also the bridge, as soon as "
       "the points suffice on our turn, in games with the 27-point rule.",
       "入玉宣言を誰がするか。engine はエンジン(bestmove win)だけ。auto は、27 点法の対局で自分の手番に点数が足りれば、"
       "ブリッジもすぐに宣言する。"}).is_settable = true;
  game.own("resign", ResignKey{}, common,
      {"When to resign. engine: when the engine resigns. never: not while there is a legal move; the engine's best "
       "line is played instead. {score: 3000, moves: 5}: when the engine resigns, or its score is that many "
       "centipawns behind on so many own moves in a row. A side without a legal move resigns in any case.",
       "いつ投了するか。engine はエンジンが投了したとき。never は、合法手がある限り投了せず、エンジンの最善の読み筋で"
       "指し続ける。{score: 3000, moves: 5} は、エンジンが投了したか、評価値が自分の手で続けてその手数だけその値より"
       "悪いとき。合法手がなければ必ず投了する。"}).is_settable = true;
  game.texts("own_accounts", &Game::own_accounts, judge_account_name,
      {"names of accounts, at most 100", "アカウントの名前、100 まで"}, expert,
      {"Our other accounts on this server: a game against one of them is rejected. The bots that run in the same "
       "process know each other without it.",
       "このサーバーにある自分の他のアカウント。それらとの対局は断る。同じプロセスのボットは書かなくても互いを知っ"
       "ている。"});
  game.flag("meet_own", &Game::meet_own, expert,
      {"Whether to play against our own bots too.", "自分のボットとも指すか。"});
}

inline void declare(SettingsOf<Schedule> schedule) {
  using enum Level;
  using namespace std::chrono_literals;
  schedule.texts("windows", &Schedule::windows, judge_window,
      {"[days ]HH:MM-HH:MM, such as mon-fri 20:00-23:30; at most 100", "[曜日 ]HH:MM-HH:MM。例: mon-fri 20:00-23:30。100 まで"},
      common,
      {"When to be logged in and to be paired, in the time of schedule.time_zone; days are those on which a window "
       "opens, and one whose end is not after its beginning ends on the next day. A game that was offered within a "
       "window is played to its end. Where games begin at fixed times, let a window end a little before the first "
       "game that you do not want.",
       "ログインして対局に応じる時間帯。schedule.time_zone の時刻で書く。曜日は始まる日で、終わりが始まりより後でなけ"
       "れば翌日に終わる。時間帯の中で組まれた対局は最後まで指す。毎時 0 分と 30 分に対局が始まるところでは、指したく"
       "ない対局の少し前に終わらせる。"},
      {"always", "常に"});
  schedule.text("time_zone", &Schedule::time_zone, judge_zone, {"local, UTC, +09:00, Asia/Tokyo"}, common,
      {"The zone of the windows: the machine's, an offset from UTC, or a name of the time zone database, whose "
       "summer times are followed.",
       "時間帯のタイムゾーン。このマシンのもの、UTC からのずれ、またはタイムゾーンの名前(夏時間にも従う)。"});
  schedule.duration("early", &Schedule::early, 0ms, 1h, expert,
      {"How long before a window opens to log in.", "時間帯が始まるどれだけ前にログインするか。"});
}

inline void declare(SettingsOf<Time> time) {
  using enum Level;
  using namespace std::chrono_literals;
  time.auto_duration("margin", &Time::margin, 0ms, 1min, common,
      {"Kept back from each move's time for the way to the server and back; servers count arrival times, and "
       "reaching the limit exactly loses. auto measures: the connection's round trip and its spread, a lost "
       "packet, what the server charges beyond our own count, and how fast the engine obeys stop.",
       "サーバーとの往復のために、1 手の時間から取っておく分。サーバーは届いた時刻で数え、ちょうど使い切ると負けにな"
       "る。auto は測って決める。測るのは、往復時間とそのばらつき、失われたパケット、サーバーがこちらの計算より多く引"
       "いた時間、stop に従う速さ。"}).is_settable = true;
  time.duration("margin_min", &Time::margin_min, 0ms, 1min, expert,
      {"The least that time.margin: auto keeps back.", "time.margin: auto での最小値。"}).is_settable = true;
  time.duration("margin_max", &Time::margin_max, 10ms, 1min, expert,
      {"The most that time.margin: auto keeps back.", "time.margin: auto での最大値。"}).is_settable = true;
  time.flag("round_up", &Time::round_up, common,
      {"Whether an engine that declares RoundUpToFullSecond and NetworkDelay (YaneuraOu's family) is told to use "
       "each second that it begins, less the measured way: servers round T down, so the rest of a second costs "
       "nothing. In a game that is not counted in seconds it is told not to. What engine.options says about the two "
       "is kept.",
       "RoundUpToFullSecond と NetworkDelay を持つエンジン(やねうら王系)に、始まった 1 秒を、測った往復の分を除いて使"
       "い切らせるか。サーバーは T を切り捨てるので、秒の端数は消費時間にならない。秒単位でない対局では使い切らせない。"
       "engine.options に書いたものが優先。"}).is_settable = true;
  time.duration("untimed_move", &Time::untimed_move, 100ms, 1h, expert,
      {"What the engine gets per move in games without a clock.", "時間制限のない対局で、1 手にエンジンへ渡す時間。"}).is_settable = true;
}

inline void declare(SettingsOf<Book> book) {
  using enum Level;
  book.text("file", &Book::file, judge_path, any_path, common,
      {"An opening book in YaneuraOu's text format (.db). A position that it knows is answered from it, without the "
       "engine; illegal moves are skipped.",
       "やねうら王のテキスト形式(.db)の定跡。局面があれば、エンジンに考えさせずに指す。反則手は使わない。"});
  book.flag("on_the_fly", &Book::on_the_fly, expert,
      {"Whether the book is searched on the disk for each move, instead of read whole at the start; it must be "
       "sorted by its positions, as YaneuraOu and ShogiHome write it.",
       "最初に全部読む代わりに、1 手ごとにディスクで探すか。やねうら王や ShogiHome が書くように、局面の順に並んで"
       "いなければならない。"});
  book.choice("rule", &Book::rule, {"best", "by_count", "by_score"}, common,
      {"best plays the first move of a position; by_count chooses by chance, in proportion to how often each was "
       "played; by_score chooses by chance, better moves more often.",
       "best は局面の最初の手。by_count は指された回数に応じて、by_score は評価の良いものほど高い確率で選ぶ。"});
  book.whole("temperature", &Book::temperature, 1, 10'000, expert,
      {"For by_score, in centipawns: a move that is worse by as much is chosen about a third as often.",
       "by_score で、これだけ(センチポーン)悪い手は約 3 分の 1 の確率になる。"});
}

}  // namespace kakehashi::config
#endif
