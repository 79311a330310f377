// The rows of describe's table.
#include "config/describe.hpp"
#include "config/engine_keys.hpp"
#include "config/member_key.hpp"
#include "config/schedule_window.hpp"
#include "config/server_keys.hpp"
#include "config/time_zone.hpp"

namespace kakehashi::config {
namespace {

using namespace std::chrono_literals;

constexpr bool required = true;
constexpr bool optional = false;

std::vector<Key> top_level_keys() {
  using B = BotConfig;
  return {
      {"name", text<&B::name>(judge_bot_name, "1 to 64 bytes"), optional,
       "What this bot is called in the log.", "the account's name"},
      {"ponder", choice<&B::ponder>({"off", "on", "early"}, {{"false", "off"}, {"true", "on"}}),
       optional,
       "Whether the engine thinks on the opponent's time; sets the engine's USI_Ponder too. on begins "
       "when the server confirms our move, early when it is sent. false and true mean off and on.",
       ""},
      {"notify", NotifyKey{}, optional,
       "Who is told what happens: webhooks, whose address stands in a file of its own, and commands, "
       "which get JSON on their standard input; [notifications.md](notifications.md) tells more.",
       ""},
      {"rules", RulesKey{}, optional,
       "Settings for single games, chosen by what is known when a game is offered: the chapter Rules of "
       "docs/configuration.md.",
       ""},
  };
}

std::vector<Key> account_keys() {
  using B = BotConfig;
  using A = Account;
  return {
      {"account.name",
       text<&B::account, &A::name>(judge_account_name, "1 to 32 letters, digits and _ @ - ."),
       required, "The name to log in with; the server shows it to everyone.", ""},
      {"account.password_file", text<&B::account, &A::password_file>(judge_path, any_path), optional,
       "A file that holds the trip or password and nothing else; one newline at its end is dropped. "
       "Make it readable by its owner only (chmod 600).",
       ""},
      {"account.password_env",
       text<&B::account, &A::password_env>(judge_variable, "the name of a variable, without a $"),
       optional, "An environment variable that holds the trip or password instead.", ""},
      {"account.password_credential",
       text<&B::account, &A::password_credential>(judge_credential, "a name without /"), optional,
       "A systemd credential that holds it instead: the NAME of LoadCredential=NAME:PATH in the unit.", ""},
  };
}

std::vector<Key> game_keys() {
  using B = BotConfig;
  using G = Game;
  return {
      {"game.name",
       text<&B::game, &G::name>(judge_game_name,
                                "<label>-<seconds>-<seconds per move>[F][-B or -W], or empty"),
       optional,
       "The game to wait for. floodgate-300-10F gives 300 s, and 10 s more with each move (F); "
       "without F the 10 s are byoyomi; -B or -W asks for a side, in private games only. It is sent "
       "in front of the trip, as servers of the shogi-server family expect: leave it out where a "
       "plain password is asked for.",
       "none: the password is sent alone"},
      {"game.count", whole<&B::game, &G::count>(1, 1'000'000), optional,
       "How many games to play before leaving.", "until stopped"},
      {"game.comments", flag<&B::game, &G::comments>(), optional,
       "Whether moves carry the engine's evaluation and expected line as a comment; the server puts "
       "it into its public record.",
       "true for floodgate games, else false"},
      {"game.declare", choice<&B::game, &G::declare>({"engine", "auto"}), optional,
       "Who declares an entering-king win: engine when it says bestmove win, auto also the bridge, as "
       "soon as the 27-point declaration holds on our turn, where the game has that rule.",
       ""},
      {"game.resign", ResignKey{}, optional,
       "When to resign: engine when the engine says so; never not while a legal move is left, so that "
       "the engine's best line is played on instead; {score: 3000, moves: 5} when the engine says so "
       "or its score is that many centipawns behind on so many own moves in a row. A side without a "
       "legal move resigns in any case.",
       ""},
      {"game.own_accounts",
       texts<&B::game, &G::own_accounts>(judge_account_name, "names of accounts, at most 100"), optional,
       "Our other accounts on this server: a game against one of them is rejected. The bots that run "
       "in the same process know each other without it.",
       ""},
      {"game.meet_own", flag<&B::game, &G::meet_own>(), optional,
       "Whether to play against our own bots too.", ""},
  };
}

std::vector<Key> schedule_keys() {
  using B = BotConfig;
  using S = Schedule;
  return {
      {"schedule.windows", texts<&B::schedule, &S::windows>(judge_window, accepted_windows), optional,
       "When to be logged in and to be paired, in the time of schedule.time_zone; days are those on "
       "which a window opens, and one whose end is not after its beginning ends on the next day. A game "
       "that was offered within a window is played to its end. Where games begin at the half hour, "
       "let a window end a little before the first one that is not wanted.",
       "always"},
      {"schedule.time_zone", text<&B::schedule, &S::time_zone>(judge_zone, "local, UTC, +09:00, Asia/Tokyo"),
       optional, "The zone of the windows: the machine's, an offset from UTC, or a name of the time zone "
       "database, whose summer times are followed.", ""},
      {"schedule.early", duration<&B::schedule, &S::early>(0ms, 1h), optional,
       "How long before a window opens to log in.", ""},
  };
}

std::vector<Key> time_keys() {
  using B = BotConfig;
  using T = Time;
  return {
      {"time.margin", AutoDurationKey{get_optional_duration<&B::time, &T::margin>,
                                      set_optional_duration<&B::time, &T::margin>, 0ms, 1min},
       optional,
       "Kept back from each move's time for the way to the server and back; servers count arrival "
       "times, and reaching the limit exactly loses. auto measures: the connection's round trip and "
       "its spread, a lost packet, what the server charges beyond our own count, and how fast the "
       "engine obeys stop.",
       ""},
      {"time.margin_min", duration<&B::time, &T::margin_min>(0ms, 1min), optional,
       "The least that time.margin: auto keeps back.", ""},
      {"time.margin_max", duration<&B::time, &T::margin_max>(10ms, 1min), optional,
       "The most that time.margin: auto keeps back.", ""},
      {"time.round_up", flag<&B::time, &T::round_up>(), optional,
       "Whether an engine that declares RoundUpToFullSecond and NetworkDelay (YaneuraOu's family) is told "
       "to use each second that it begins, less the measured way: servers round T down, so the rest "
       "of a second costs nothing. In a game that is not counted in seconds it is told not to. What "
       "engine.options says of the two stays.",
       ""},
      {"time.untimed_move", duration<&B::time, &T::untimed_move>(100ms, 1h), optional,
       "What the engine gets per move in games without a clock.", ""},
  };
}

std::vector<Key> records_keys() {
  using B = BotConfig;
  using R = Records;
  return {
      {"records.enabled", flag<&B::records, &R::enabled>(), optional,
       "Whether a record of each game is kept.", ""},
      {"records.directory", text<&B::records, &R::directory>(judge_path, any_path), optional,
       "Where records go; made when the first game begins.", ""},
      {"records.name",
       text<&B::records, &R::name>(judge_record_name,
                                   "{date} {time} {game_id} {black} {white} {game_name} {datetime} "
                                   "{title} {sente} {gote} {hex5} {ply} and text"),
       optional,
       "The file name without its extension; a second game of that name gets -2, no record is "
       "overwritten. {_black} and {black_} put a _ before or behind, unless there is no value. "
       "{datetime} {title} {sente} {gote} are ShogiHome's words for date_time, game_id, black and "
       "white; {hex5} is five hexadecimal digits that differ from game to game; {ply} is the number of "
       "moves, for which the files are renamed when the game ends.",
       ""},
      {"records.formats",
       choices<&B::records, &R::formats>(
           {"csa", "csa3", "kif", "kifu", "ki2", "ki2u", "jkf", "usi", "jsonl"}),
       optional,
       "The formats in which each game is written, one file each: csa (V2.2) or csa3 (V3.0), which "
       "grows with every move; at the game's end kif and ki2 (Shift_JIS), kifu and ki2u (UTF-8), "
       "jkf (JSON Kifu Format), usi (a position line) and jsonl (JSON Lines with everything known of "
       "each move).",
       ""},
      {"records.comments",
       choice<&B::records, &R::comments>(
           {"auto", "floodgate", "csa3", "shogihome", "shogigui", "none"}),
       optional,
       "The style of the comments in which records say what the engine thought; auto is floodgate's "
       "in csa, V3.0's own in csa3, and ShogiHome's in all others.",
       ""},
      {"records.newline", choice<&B::records, &R::newline>({"lf", "crlf"}), optional,
       "How lines of records end; some programs on Windows want crlf.", ""},
      {"records.times", flag<&B::records, &R::times>(), optional,
       "Whether each of our moves has a comment with the time that the server granted, that the "
       "engine was offered, that was used and that was charged, and the record's end their sums.",
       ""},
  };
}

std::vector<Key> book_keys() {
  using B = BotConfig;
  using K = Book;
  return {
      {"book.file", text<&B::book, &K::file>(judge_path, any_path), optional,
       "An opening book in YaneuraOu's text format (.db). A position that it knows is answered from it, "
       "without the engine; illegal moves are passed over.",
       ""},
      {"book.on_the_fly", flag<&B::book, &K::on_the_fly>(), optional,
       "Whether the book is searched on the disk for each move, instead of read whole at the start; it "
       "must be sorted by its positions, as YaneuraOu and ShogiHome write it.",
       ""},
      {"book.rule", choice<&B::book, &K::rule>({"best", "by_count", "by_score"}), optional,
       "best plays the first move of a position; by_count one of them by chance, as often as it was "
       "played; by_score by chance too, the better the likelier.",
       ""},
      {"book.temperature", whole<&B::book, &K::temperature>(1, 10'000), optional,
       "For by_score, in centipawns: a move that is worse by as much is chosen about a third as often.",
       ""},
  };
}

std::vector<Key> archive_keys() {
  using B = BotConfig;
  return {
      {"archive.enabled", flag<&B::archive, &Archive::enabled>(), optional,
       "Whether every finished game goes into the archive, which kakehashi games and the live page "
       "read.",
       ""},
      {"archive.file", text<&B::archive, &Archive::file>(judge_path, any_path), optional,
       "The archive, an SQLite database; made with the first game. Several bots, of several processes "
       "too, may share one; it must lie on a disk of this machine.",
       "games.db, in records.directory"},
  };
}

std::vector<Key> journal_keys() {
  using B = BotConfig;
  using J = Journal;
  return {
      {"journal.enabled", flag<&B::journal, &J::enabled>(), optional,
       "Whether a journal is kept: everything that reaches the bot and everything it does, secrets "
       "masked. It completes records after a crash, and kakehashi replay repeats it.",
       ""},
      {"journal.directory", text<&B::journal, &J::directory>(judge_path, any_path), optional,
       "Where journals go; made when the bot starts.", "journal, beside records.directory"},
      {"journal.keep", whole<&B::journal, &J::keep>(1, 10'000), optional,
       "How many files are kept whole, one for each game; older ones of a run that still matters "
       "are condensed, the others removed.",
       ""},
      {"journal.bytes_max", size<&B::journal, &J::bytes_max>(100'000, 100'000'000'000), optional,
       "At this size a file takes no more, and the next game begins a new one; 0: no limit.", ""},
  };
}

std::vector<Key> stop_keys() {
  using B = BotConfig;
  return {
      {"stop.drain_limit", duration<&B::stop, &Stop::drain_limit>(0s, 24h), optional,
       "How long the running game may go on after the first SIGTERM or SIGINT; then it is resigned "
       "on our turn. Stay below the time that your supervisor grants (TimeoutStopSec). 0s: "
       "it is played to its end.",
       ""},
  };
}

std::vector<Key> log_keys() {
  using B = BotConfig;
  using L = Log;
  return {
      {"log.level", choice<&B::log, &L::level>({"debug", "info", "warn", "error"}), optional,
       "The least weight of what is logged; debug shows every protocol line, passwords masked.", ""},
      {"log.format", choice<&B::log, &L::format>({"text", "json"}), optional,
       "Lines for people, or one JSON object a line.", ""},
      {"log.file", text<&B::log, &L::file>(judge_path, any_path), optional,
       "Where the log goes; several bots may name one file.", "standard error"},
      {"log.rotate_bytes", size<&B::log, &L::rotate_bytes>(10'000, 100'000'000'000), optional,
       "At this size a new file is begun; 0: never.", ""},
      {"log.rotate_keep", whole<&B::log, &L::rotate_keep>(1, 1000), optional,
       "How many old files are kept.", ""},
  };
}

}  // namespace

const std::vector<Section>& sections() {
  static const std::vector<Section> all{
      {"server", "The CSA server."},
      {"server.tls", "How the server is trusted; [TLS, WebSocket and proxies](servers.md) tells more."},
      {"server.websocket", "What a WebSocket server is asked for."},
      {"account",
       "Who logs in. The trip or password comes from exactly one of a file, an environment variable "
       "or a systemd credential; it never stands in a configuration file or on a command line. "
       "Only a private game on a test server can do without."},
      {"game", "What is played."},
      {"schedule",
       "When the bot plays. Outside its windows it is logged out, between games, while the engine stays "
       "ready; `kakehashi check` tells when the next window opens."},
      {"engine", "The engine."},
      {"engine.standby",
       "A second engine for when the first one fails; [the guard](guard.md) tells more."},
      {"engine.limits", "What each engine process, the standby's too, may take of the machine."},
      {"time", "How the clock is used."},
      {"records", "Records of the games."},
      {"book", "An opening book of the bridge, asked before the engine."},
      {"archive", "The archive of finished games; [archive.md](archive.md) tells more."},
      {"journal", "The journal of what happened."},
      {"stop", "How the bot leaves."},
      {"log", "The log."},
  };
  return all;
}

const std::vector<Key>& keys() {
  static const std::vector<Key> all = [] {
    std::vector<Key> rows;
    for (auto part :
         {top_level_keys(), server_keys(), tls_keys(), websocket_keys(), account_keys(), game_keys(),
          schedule_keys(), engine_keys(), standby_keys(), limit_keys(), time_keys(), records_keys(), book_keys(),
          archive_keys(), journal_keys(), stop_keys(), log_keys()}) {
      rows.insert(rows.end(), part.begin(), part.end());
    }
    return rows;
  }();
  return all;
}

}  // namespace kakehashi::config
