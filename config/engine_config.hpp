// What a bot can be told about its engines and what they may take of the machine: the section `engine`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "base/pass_environment.hpp"
#include "usi/dialect.hpp"
#include "usi/option.hpp"
#include "usi/process.hpp"

namespace kakehashi::config {

using base::Millis;

/// Ways to one machine; each costs a process and a copy of every line.
inline constexpr std::size_t hosts_max = 4;

enum class OnFailure { play_on, resign };

/// How an engine reads btime in a game with increments.
enum class EngineClock {
  automatic,  ///< found by asking the engine
  separate,   ///< btime is what is left before the increment, which the engine adds (Shogidokoro)
  included,   ///< btime holds the present move's increment already
  byoyomi,    ///< the engine knows no increments: it is given them as byoyomi
};

/// What the engines of a team are for.
enum class TeamPlay {
  standby,       ///< one plays, the others wait for it to fail
  multi_ponder,  ///< on the opponent's time each thinks ahead on another reply
  // On our turn all search, and one answer is made of theirs:
  majority,           ///< the move with the largest sum of weights
  optimist,           ///< the move with the best score
  first_with_advice,  ///< the main engine's; the others' are shown, and used where it has none
};

/// An engine beside the first: the standby, or a member of the team. Without a command it is the first one's program
/// again, with all that is not given here; with a command it has only what is given.
struct FurtherEngine {
  bool enabled = false;  ///< of the standby: there is one
  std::string name;      ///< of a member, for people; empty: by its place
  std::vector<std::string> command;
  std::vector<std::string> host;
  std::optional<usi::Protocol> protocol;  ///< nothing: what the first one speaks
  std::string directory;
  base::Environment environment;
  usi::WantedOptions options;
  std::string cpus;          ///< empty: its share of those that the team has
  int weight = weight_of_first;  ///< of a member: the heavier is the stronger, of two alike the first one

  static constexpr int weight_of_first = 100;
};
/// Behind the first engine, which is called "engine"; `item` counts from 0.
[[nodiscard]] inline std::string name_of_member(const FurtherEngine& own, std::size_t item) {
  return own.name.empty() ? std::to_string(item + 2) : own.name;
}
inline constexpr const char* name_of_main_engine = "engine";
/// Besides the first engine.
inline constexpr std::size_t team_members_max = 15;

struct Engine {
  std::vector<std::string> command;   ///< program and arguments; required; no shell
  /// The ways to the machine on which it runs, by ssh: names, or whole command lines. Empty: this one.
  std::vector<std::string> host;
  bool keep = false;                  ///< it lives on when the bridge ends
  usi::Protocol protocol = usi::Protocol::usi;  ///< TEI and UCGI engines can be examined, and play no shogi
  std::string directory;              ///< working directory; empty: the program's own
  base::Environment environment;      ///< added to what is passed
  /// Of the bridge's own variables: names and patterns. Empty: none but those that every program needs.
  std::vector<std::string> pass_environment{std::string(base::usual_environment)};
  usi::WantedOptions options;
  Millis start_timeout{30'000};       ///< for usiok
  Millis ready_timeout{120'000};      ///< for readyok, from the engine's last sign of life on
  /// For readyok in all, however lively the engine is; ready_timeout where that is longer.
  static constexpr Millis ready_max{1'800'000};
  /// How long it may say nothing while our clock runs before it is doubted. Nothing: auto.
  std::optional<Millis> silence_max;
  Millis quit_timeout{5'000};         ///< from quit to SIGKILL
  /// A fresh process for every game; the next login waits for its readyok.
  bool restart_each_game = false;
  EngineClock clock = EngineClock::automatic;
  /// When no engine can give a move in time: play any legal move, or resign.
  OnFailure on_failure = OnFailure::play_on;
  FurtherEngine standby;
  std::vector<FurtherEngine> team;
  TeamPlay team_play = TeamPlay::standby;
  usi::ProcessLimits limits{.core_dumps = false};  ///< of each engine process

  /// A keeper holds it (keeper/).
  [[nodiscard]] bool is_kept() const { return keep || !host.empty(); }
};

/// As it is started: what its own settings say, and the first engine's where they are silent. It has neither standby
/// nor team.
[[nodiscard]] Engine further_engine(const Engine& first, const FurtherEngine& own);

}  // namespace kakehashi::config

#ifdef KAKEHASHI_DECLARES_SETTINGS
#include "config/schema/declare.hpp"

namespace kakehashi::config {

/// What standby and member have alike.
inline void declare_its_place(SettingsOf<FurtherEngine>& engine) {
  engine.choice("protocol", &FurtherEngine::protocol, {"same", "usi", "uci"}, expert,
      say("What it speaks: the same as the main engine, usi or uci."));
  engine.text("directory", &FurtherEngine::directory, judge_directory, any_path(), expert,
      say("The directory in which it runs."), say("the program's own"));
  engine.environment("environment", &FurtherEngine::environment, expert,
      say("Environment variables for it, such as the number of its GPU."));
}

inline void declare(SettingsOf<FurtherEngine> standby) {
  standby.command("command", &FurtherEngine::command, common,
      say("The standby's program and its arguments. With a command of its own it has only the directory, environment "
          "and options that are given here."),
      say("the main engine's, with its directory, environment and options where none are given here"));
  declare_its_place(standby);
  standby.options("options", &FurtherEngine::options, common,
      say("The standby's options; a smaller hash and fewer threads leave more to the main engine."));
}

/// Of one item of engine.team.
inline void declare_member(SettingsOf<FurtherEngine> member) {
  member.text("name", &FurtherEngine::name, judge_member_name, say("1 to 64 bytes"), common,
      say("What the member is called in logs, records and on the page."),
      say("its number in the team: 2 for the first item"));
  member.command("command", &FurtherEngine::command, common,
      say("The member's program and its arguments. With a command of its own it has only the host, directory, "
          "environment and options that are given here."),
      say("the main engine's, with its host, directory, environment and options where none are given here"));
  member.texts("host", &FurtherEngine::host, judge_ssh_host,
      say("names for ssh, or whole ssh command lines"), common,
      say("The machine on which the member runs, as engine.host."),
      say("the main engine's without a command of its own, else this machine"));
  declare_its_place(member);
  member.options("options", &FurtherEngine::options, common,
      say("The member's options, in place of all of the main engine's."));
  member.text("cpus", &FurtherEngine::cpus, judge_cpus, say("numbers and ranges, such as 0-3,8"),
      common,
      say("The processors of this machine that the member may run on."),
      say("members that think at the same time share engine.limits.cpus, or all, by their Threads: none has another's"));
  member.whole("weight", &FurtherEngine::weight, 1, 10'000, common,
      say("How strong the member is beside the others; the main engine has 100. The strongest takes the turns that "
          "nobody has thought about; of two alike, the one that stands first."));
}

inline void declare(SettingsOf<usi::ProcessLimits> limits) {
  limits.size("memory", &usi::ProcessLimits::memory, 16'000'000, 100'000'000'000'000, common,
      say("How much memory of its own an engine process may use; one that wants more does not get it, usually ends, "
          "and is replaced, before the machine suffers (RLIMIT_DATA). 0: no limit."));
  limits.size("address_space", &usi::ProcessLimits::address_space, 16'000'000, 100'000'000'000'000, expert,
      say("How much address space it may use, files that it maps included (RLIMIT_AS); GPU engines reserve far more "
          "than they use. 0: no limit."));
  limits.whole("open_files", &usi::ProcessLimits::open_files, 16, 1'048'576, expert,
      say("How many files and connections it may have open."), say("as the bridge's"));
  limits.flag("core_dumps", &usi::ProcessLimits::core_dumps, expert,
      say("Whether a crash may leave a core file; the restart waits until it is written."));
  limits.whole("nice", &usi::ProcessLimits::nice, 0, 19, expert,
      say("By how much it yields to other processes, so that the bridge is not late."));
  limits.text("cpus", &usi::ProcessLimits::cpus, judge_cpus, say("numbers and ranges, such as 0-3,8"),
      common,
      say("The processors that it may run on, as the kernel counts them."), say("all"));
}

inline void declare(SettingsOf<Engine> engine) {
  engine.command("command", &Engine::command, basic,
      say("The engine's program and its arguments, each its own text; one text alone is the program's path, spaces "
          "included. No shell is involved.")).is_required = true;
  engine.texts("host", &Engine::host, judge_ssh_host,
      say("names for ssh, or whole ssh command lines"), common,
      say("The machine on which the engine runs, as ssh knows it, or several connections to it, all used at once. A "
          "text with spaces is a whole ssh command line, cut at them. kakehashi-keep has to be there (kakehashi "
          "engine install); it holds the engine when connections break. engine.command and engine.directory are "
          "paths there. See [An engine on another machine](remote-engines.md)."),
      say("this machine"));
  engine.flag("keep", &Engine::keep, common,
      say("Whether the engine stays loaded when the bridge ends: a bridge that is started within 10 min takes it up "
          "again, after an upgrade or a crash too. kakehashi-keep holds it meanwhile."));
  engine.choice("protocol", &Engine::protocol, {"usi", "uci", "tei", "ucgi"}, common,
      say("What the engine speaks: usi, or uci for a UCI engine that plays shogi. tei (Tak) and ucgi (crossword "
          "games) are known to kakehashi engine examine only."));
  engine.text("directory", &Engine::directory, judge_directory, any_path(), basic,
      say("The directory in which the engine runs, where most look for their evaluation files. By itself it is that "
          "of the program; of a program in a bin directory (nice, python3, a link) that of what the link leads to, "
          "or of the first argument that is the whole path of a file."),
      say("the engine's own"));
  engine.environment("environment", &Engine::environment, common,
      say("Environment variables for the engine, exactly as written ($NAME is not expanded), besides those of "
          "engine.pass_environment."));
  engine.texts("pass_environment", &Engine::pass_environment, judge_pass_environment,
      say("usual, names, patterns such as FOO_*"), expert,
      say("Which of the bridge's own environment variables the engine and the standby get besides PATH, HOME, USER, "
          "LOGNAME, SHELL, TMPDIR, TZ, LANG, LANGUAGE and LC_*. usual means those of libraries, GPUs, threads, ssh "
          "and language runtimes; * for all. No pattern lets through what looks like a secret (PASS, TOKEN, SECRET, "
          "KEY, AUTH, TRIP, CREDENTIAL in its name); only the full name does."));
  engine.options("options", &Engine::options, basic,
      say("The engine's options, set in the written order, each value as it is written; a name without a value "
          "presses a button. A list of one-key maps allows repeats.")).is_settable = true;
  engine.duration("start_timeout", &Engine::start_timeout, 1s, 1h, expert,
      say("How long the engine may take from its start to usiok."));
  engine.duration("ready_timeout", &Engine::ready_timeout, 1s, 1h, common,
      say("How long it may take to answer isready since it last said anything (an empty line, info or a line on "
          "standard error are signs of life), and half an hour in all, or this where it is longer; large networks take "
          "minutes the first time."));
  engine.auto_duration("silence_max", &Engine::silence_max, 1s, 24h, expert,
      say("How long the engine may say nothing while our clock runs before it is doubted: the standby is asked as "
          "well, or without one the engine is told to stop and replaced if it does not. auto is increment and "
          "byoyomi and a quarter of the main time, 5 s at least; or twice as long as the engine was once silent "
          "before it answered, up to half of the main time with them."));
  engine.duration("quit_timeout", &Engine::quit_timeout, 100ms, 10min, expert,
      say("How long it may take to end after quit before it is killed."));
  engine.flag("restart_each_game", &Engine::restart_each_game, expert,
      say("Whether every game gets a fresh engine process, for engines that cannot play a second game; the next "
          "login, or the next AGREE on a kept connection, waits until it is ready."));
  engine.choice("clock", &Engine::clock, {"auto", "separate", "included", "byoyomi"}, common,
      say("How the engine reads btime in games with increments: separate adds the increment to btime by itself "
          "(Shogidokoro's reading), included takes btime as all there is for the move, byoyomi is for engines that "
          "know no increments. auto asks the engine once, before the first login, which takes 1 to 2 s, and "
          "remembers it; if that shows nothing, the name and version decide for YaneuraOu and fairy-stockfish, and "
          "else it is byoyomi, which suits all.")).is_settable = true;
  engine.choice("on_failure", &Engine::on_failure, {"play_on", "resign"}, common,
      say("When no engine can give a move in time: play any legal move, or resign.")).is_settable = true;
  engine.on_switch("standby", &Engine::standby, common,
      say("Whether a second engine waits, ready, to take over at once when the main one dies, hangs or plays an "
          "illegal move: true, for the same program once more, or the settings of engine.standby below. The main "
          "engine is restarted meanwhile and put back between moves."));
  declare(engine.section("standby", &Engine::standby,
      say("A second engine for when the main one fails. See [The standby engine](guard.md#the-standby-engine).")));
  engine.items("team", &Engine::team, declare_member, team_members_max, say("a member"), common,
      say("Further engines beside the main one, 16 in all, here or on other machines; in place of engine.standby. "
          "See [Several engines](teams.md)."));
  engine.choice("team_play", &Engine::team_play, {"standby", "multi_ponder", "majority", "optimist", "first_with_advice"}, common,
      say("What the engines of a team are for. standby: one plays, and the others wait, ready, for it to fail. "
          "multi_ponder: on the opponent's time each thinks ahead on another likely reply; needs ponder. The others "
          "have all engines search on our turn. majority plays the move with the largest sum of weights, optimist "
          "the one with the best score, first_with_advice the main engine's, and another's only where it has none in "
          "time."));
  declare(engine.section("limits", &Engine::limits,
      say("How much of the machine each engine process may use, the standby's and the team's too.")));
}

}  // namespace kakehashi::config
#endif
