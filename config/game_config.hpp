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

inline void declare_threshold(SettingsOf<Resign> resign) {
  resign.whole("score", &Resign::score, 1, 100'000, common, {});
  resign.whole("moves", &Resign::moves, 1, 100, common, {});
}

inline void declare(SettingsOf<Game> game) {
  game.text("name", &Game::name, judge_game_name, say("<label>-<seconds>-<seconds per move>[F][-B or -W], or empty"),
      basic,
      say("The game to wait for. floodgate-300-10F gives 300 s, and 10 s more with each move (F); without F the 10 s "
          "are byoyomi; -B or -W asks for a side, in private games only. It is sent in front of the trip, as servers "
          "of the shogi-server family expect: leave it out where a plain password is asked for."),
      say("none: the password is sent alone"));
  game.whole("count", &Game::count, 1, 1'000'000, basic,
      say("How many games to play before leaving."), say("until stopped"));
  game.flag("comments", &Game::comments, common,
      say("Whether moves carry the engine's evaluation and expected line as a comment; the server puts it into its "
          "public record."),
      say("true for floodgate games, else false")).is_settable = true;
  game.choice("declare", &Game::declare, {"engine", "auto"}, common,
      say("Who declares an entering-king win. engine: the engine, by bestmove win. auto: also the bridge, as soon as "
          "the points suffice on our turn, in games with the 27-point rule.")).is_settable = true;
  game.own("resign", ResignKey{game.keys_within("resign", &Game::resign, declare_threshold)}, common,
      say("When to resign. engine: when the engine resigns. never: not while there is a legal move; the engine's "
          "best line is played instead. {score: 3000, moves: 5}: when the engine resigns, or its score is that many "
          "centipawns behind on so many own moves in a row. A side without a legal move resigns in any case.")).is_settable = true;
  game.texts("own_accounts", &Game::own_accounts, judge_account_name,
      say("names of accounts, at most 100"), expert,
      say("Our other accounts on this server: a game against one of them is rejected. The bots that run in the same "
          "process know each other without it."));
  game.flag("meet_own", &Game::meet_own, expert,
      say("Whether to play against our own bots too."));
}

inline void declare(SettingsOf<Schedule> schedule) {
  schedule.texts("windows", &Schedule::windows, judge_window,
      say("[days ]HH:MM-HH:MM, such as mon-fri 20:00-23:30; at most 100"),
      common,
      say("When to be logged in and to be paired, in the time of schedule.time_zone; days are those on which a "
          "window opens, and one whose end is not after its beginning ends on the next day. A game that was offered "
          "within a window is played to its end. Where games begin at fixed times, let a window end a little before "
          "the first game that you do not want."),
      say("always"));
  schedule.text("time_zone", &Schedule::time_zone, judge_zone, verbatim("local, UTC, +09:00, Asia/Tokyo"), common,
      say("The zone of the windows: the machine's, an offset from UTC, or a name of the time zone database, whose "
          "summer times are followed."));
  schedule.duration("early", &Schedule::early, 0ms, 1h, expert,
      say("How long before a window opens to log in."));
}

inline void declare(SettingsOf<Time> time) {
  time.auto_duration("margin", &Time::margin, 0ms, 1min, common,
      say("Kept back from each move's time for the way to the server and back; servers count arrival times, and "
          "reaching the limit exactly loses. auto measures: the connection's round trip and its spread, a lost "
          "packet, what the server charges beyond our own count, and how fast the engine obeys stop.")).is_settable = true;
  time.duration("margin_min", &Time::margin_min, 0ms, 1min, expert,
      say("The least that time.margin: auto keeps back.")).is_settable = true;
  time.duration("margin_max", &Time::margin_max, 10ms, 1min, expert,
      say("The most that time.margin: auto keeps back.")).is_settable = true;
  time.flag("round_up", &Time::round_up, common,
      say("Whether an engine that declares RoundUpToFullSecond and NetworkDelay (YaneuraOu's family) is told to use "
          "each second that it begins, less the measured way: servers round T down, so the rest of a second costs "
          "nothing. In a game that is not counted in seconds it is told not to. What engine.options says about the "
          "two is kept.")).is_settable = true;
  time.duration("untimed_move", &Time::untimed_move, 100ms, 1h, expert,
      say("What the engine gets per move in games without a clock.")).is_settable = true;
}

inline void declare(SettingsOf<Book> book) {
  book.text("file", &Book::file, judge_path, any_path(), common,
      say("An opening book in YaneuraOu's text format (.db). A position that it knows is answered from it, without "
          "the engine; illegal moves are skipped."));
  book.flag("on_the_fly", &Book::on_the_fly, expert,
      say("Whether the book is searched on the disk for each move, instead of read whole at the start; it must be "
          "sorted by its positions, as YaneuraOu and ShogiHome write it."));
  book.choice("rule", &Book::rule, {"best", "by_count", "by_score"}, common,
      say("best plays the first move of a position; by_count chooses by chance, in proportion to how often each was "
          "played; by_score chooses by chance, better moves more often."));
  book.whole("temperature", &Book::temperature, 1, 10'000, expert,
      say("For by_score, in centipawns: a move that is worse by as much is chosen about a third as often."));
}

}  // namespace kakehashi::config
#endif
