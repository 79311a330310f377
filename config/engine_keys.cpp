#include "config/engine_keys.hpp"

#include "config/member_key.hpp"
#include "config/server_keys.hpp"

namespace kakehashi::config {
namespace {

using namespace std::chrono_literals;

constexpr bool required = true;
constexpr bool optional = false;

}  // namespace

std::vector<Key> engine_keys() {
  using B = BotConfig;
  using E = Engine;
  return {
      {"engine.command", command<&B::engine, &E::command>(), required,
       "The engine's program and its arguments, each its own text; one text alone is the program's "
       "path, spaces included. No shell is involved.",
       ""},
      {"engine.protocol", choice<&B::engine, &E::protocol>({"usi", "uci", "tei", "ucgi"}), optional,
       "What the engine speaks: usi, or uci for a UCI engine that plays shogi. tei (Tak) and ucgi "
       "(crossword games) are known to kakehashi engine examine only.",
       ""},
      {"engine.directory", text<&B::engine, &E::directory>(judge_directory, any_path), optional,
       "The directory in which the engine runs, where most look for their evaluation files.",
       "the program's own"},
      {"engine.environment", environment<&B::engine, &E::environment>(), optional,
       "Environment variables for the engine, each as it stands here ($NAME is not expanded), besides those "
       "of engine.pass_environment.",
       ""},
      {"engine.pass_environment",
       texts<&B::engine, &E::pass_environment>(judge_pass_environment, "usual, names, patterns such as FOO_*"), optional,
       "Which of the bridge's own environment variables the engine and the standby get besides PATH, HOME, USER, "
       "LOGNAME, SHELL, TMPDIR, TZ, LANG, LANGUAGE and LC_*. usual stands for those of libraries, GPUs, threads, ssh "
       "and language runtimes; * for all. No pattern lets through what looks like a secret (PASS, TOKEN, SECRET, KEY, "
       "AUTH, TRIP, CREDENTIAL in its name); only the full name does.",
       ""},
      {"engine.options", options<&B::engine, &E::options>(), optional,
       "The engine's options, set in the written order, each value as it stands here; a name "
       "without a value presses a button. A list of one-key maps allows repeats.",
       ""},
      {"engine.start_timeout", duration<&B::engine, &E::start_timeout>(1s, 1h), optional,
       "How long the engine may take from its start to usiok.", ""},
      {"engine.ready_timeout", duration<&B::engine, &E::ready_timeout>(1s, 1h), optional,
       "How long it may take to answer isready since it last said anything (an empty line, info or a line on "
       "standard error are signs of life); large networks take minutes the first time.",
       ""},
      {"engine.ready_max", duration<&B::engine, &E::ready_max>(1s, 24h), optional,
       "How long it may take to answer isready in all, for engines that show signs of life meanwhile; never less than "
       "engine.ready_timeout.",
       ""},
      {"engine.silence_max",
       AutoDurationKey{get_optional_duration<&B::engine, &E::silence_max>,
                       set_optional_duration<&B::engine, &E::silence_max>, 1s, 24h},
       optional,
       "How long the engine may say nothing while our clock runs before it is doubted: the standby is asked as well, "
       "or without one the engine is told to stop and replaced if it does not. auto is increment and byoyomi and a "
       "quarter of the main time, 5 s at least, and twice as long as the engine has been silent and well before.",
       ""},
      {"engine.quit_timeout", duration<&B::engine, &E::quit_timeout>(100ms, 10min), optional,
       "How long it may take to end after quit before it is killed.", ""},
      {"engine.restart_each_game", flag<&B::engine, &E::restart_each_game>(), optional,
       "Whether every game gets a fresh engine process, for engines that do not bear a second game; "
       "the next login, or the next AGREE on a kept connection, waits until it is ready.",
       ""},
      {"engine.timed_ponderhit", flag<&B::engine, &E::timed_ponderhit>(), optional,
       "Whether ponderhit carries the clocks, an extension that some engines need with early "
       "pondering and most others ignore; go ponder carries estimated clocks in any case.",
       "true with ponder: early, else false"},
      {"engine.clock",
       choice<&B::engine, &E::clock>({"auto", "separate", "included", "byoyomi"}), optional,
       "How the engine reads btime in games with increments: separate adds the increment to btime by "
       "itself (Shogidokoro's reading), included takes btime as all there is for the move, byoyomi is "
       "for engines that know no increments. auto asks the engine once, before the first login, which "
       "takes 1 to 2 s, and remembers it; where that tells nothing, the name and version of YaneuraOu and "
       "fairy-stockfish do, and else it is byoyomi, which suits all.",
       ""},
      {"engine.on_failure", choice<&B::engine, &E::on_failure>({"play_on", "resign"}), optional,
       "When no engine can give a move in time: play any legal move, or resign.", ""},
  };
}

std::vector<Key> standby_keys() {
  using B = BotConfig;
  using E = Engine;
  using S = Standby;
  return {
      {"engine.standby", flag<&B::engine, &E::standby, &S::enabled>(), optional,
       "Whether a second engine waits, ready, to take over at once when the first one dies, hangs or "
       "plays an illegal move: true, for the same program once more, or the settings of "
       "engine.standby below. The first engine is restarted meanwhile and put back between moves.",
       ""},
      {"engine.standby.command", command<&B::engine, &E::standby, &S::command>(), optional,
       "The standby's program and its arguments. With a command of its own it has only the "
       "directory, environment and options that are given here.",
       "the first engine's, with its directory, environment and options where none are given here"},
      {"engine.standby.protocol",
       choice<&B::engine, &E::standby, &S::protocol>({"same", "usi", "uci"}), optional,
       "What the standby speaks: the same as the first engine, usi or uci.", ""},
      {"engine.standby.directory",
       text<&B::engine, &E::standby, &S::directory>(judge_directory, any_path), optional,
       "The directory in which the standby runs.", "the program's own"},
      {"engine.standby.environment", environment<&B::engine, &E::standby, &S::environment>(),
       optional, "Environment variables for the standby.", ""},
      {"engine.standby.options", options<&B::engine, &E::standby, &S::options>(), optional,
       "The standby's options; a smaller hash and fewer threads leave the first engine its own.", ""},
  };
}

std::vector<Key> limit_keys() {
  using B = BotConfig;
  using E = Engine;
  using L = Limits;
  return {
      {"engine.limits.memory",
       size<&B::engine, &E::limits, &L::memory>(16'000'000, 100'000'000'000'000), optional,
       "How much memory of its own an engine process may use; one that wants more is refused, mostly "
       "ends, and is replaced, before the machine suffers (RLIMIT_DATA). 0: no limit.",
       ""},
      {"engine.limits.address_space",
       size<&B::engine, &E::limits, &L::address_space>(16'000'000, 100'000'000'000'000), optional,
       "How much address space it may use, files that it maps included (RLIMIT_AS); GPU engines "
       "reserve far more than they use. 0: no limit.",
       ""},
      {"engine.limits.open_files", whole<&B::engine, &E::limits, &L::open_files>(16, 1'048'576),
       optional, "How many files and connections it may have open.", "as the bridge's"},
      {"engine.limits.core_dumps", flag<&B::engine, &E::limits, &L::core_dumps>(), optional,
       "Whether a crash may leave a core file; the restart waits until it is written.", ""},
      {"engine.limits.nice", whole<&B::engine, &E::limits, &L::nice>(0, 19), optional,
       "By how much it stands behind other processes, so that the bridge keeps its turn.", ""},
      {"engine.limits.cpus",
       text<&B::engine, &E::limits, &L::cpus>(judge_cpus, "numbers and ranges, such as 0-3,8"),
       optional, "The processors that it may run on, as the kernel counts them.", "all"},
  };
}

}  // namespace kakehashi::config
