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
  Millis ready_max{1'800'000};        ///< for readyok in all, however lively the engine is
  /// How long it may say nothing while our clock runs before it is doubted. Nothing: auto.
  std::optional<Millis> silence_max;
  Millis quit_timeout{5'000};         ///< from quit to SIGKILL
  /// A fresh process for every game; the next login waits for its readyok.
  bool restart_each_game = false;
  /// Whether the clocks go along with ponderhit. Nothing: with ponder: early only.
  std::optional<bool> timed_ponderhit;
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

inline void declare(SettingsOf<FurtherEngine> standby) {
  using enum Level;
  standby.command("command", &FurtherEngine::command, common,
      {"The standby's program and its arguments. With a command of its own it has only the directory, environment "
       "and options that are given here.",
       "待機エンジンのプログラムと引数。ここに書けば、ディレクトリ、環境変数、オプションも、ここに書いたものだけに"
       "なる。"},
      {"the main engine's, with its directory, environment and options where none are given here",
       "メインのエンジンのもの。ディレクトリ、環境、オプションも、ここになければ同じ"});
  standby.choice("protocol", &FurtherEngine::protocol, {"same", "usi", "uci"}, expert,
      {"What the standby speaks: the same as the main engine, usi or uci.",
       "待機エンジンのプロトコル。メインのエンジンと同じか、usi か uci。"});
  standby.text("directory", &FurtherEngine::directory, judge_directory, any_path, expert,
      {"The directory in which the standby runs.", "待機エンジンを動かすディレクトリ。"},
      {"the program's own", "プログラムのある場所"});
  standby.environment("environment", &FurtherEngine::environment, expert,
      {"Environment variables for the standby.", "待機エンジンの環境変数。"});
  standby.options("options", &FurtherEngine::options, common,
      {"The standby's options; a smaller hash and fewer threads leave more to the main engine.",
       "待機エンジンのオプション。ハッシュとスレッドを小さくすれば、メインのエンジンの分が残る。"});
}

/// Of one item of engine.team.
inline void declare_member(SettingsOf<FurtherEngine> member) {
  using enum Level;
  member.text("name", &FurtherEngine::name, judge_member_name, {"1 to 64 bytes", "1〜64 バイト"}, common,
      {"What the member is called in logs, records and on the page.", "ログ、棋譜、ページでの呼び名。"},
      {"its number in the team: 2 for the first item", "チームでの番号。最初の項目が 2"});
  member.command("command", &FurtherEngine::command, common,
      {"The member's program and its arguments. With a command of its own it has only the host, directory, "
       "environment and options that are given here.",
       "メンバーのプログラムと引数。ここに書けば、マシン、ディレクトリ、環境変数、オプションも、ここに書いたものだけに"
       "なる。"},
      {"the main engine's, with its host, directory, environment and options where none are given here",
       "メインのエンジンのもの。マシン、ディレクトリ、環境、オプションも、ここになければ同じ"});
  member.texts("host", &FurtherEngine::host, judge_ssh_host,
      {"names for ssh, or whole ssh command lines", "ssh に渡す名前、または ssh のコマンドライン全体"}, common,
      {"The machine on which the member runs, as engine.host.", "メンバーを動かすマシン。engine.host と同じ書き方。"},
      {"the main engine's without a command of its own, else this machine",
       "command を書かなければメインのエンジンと同じ、書けばこのマシン"});
  member.choice("protocol", &FurtherEngine::protocol, {"same", "usi", "uci"}, expert,
      {"What the member speaks: the same as the main engine, usi or uci.",
       "メンバーのプロトコル。メインのエンジンと同じか、usi か uci。"});
  member.text("directory", &FurtherEngine::directory, judge_directory, any_path, expert,
      {"The directory in which the member runs.", "メンバーを動かすディレクトリ。"},
      {"the program's own", "プログラムのある場所"});
  member.environment("environment", &FurtherEngine::environment, expert,
      {"Environment variables for the member, such as the number of its GPU.",
       "メンバーの環境変数。使う GPU の番号など。"});
  member.options("options", &FurtherEngine::options, common,
      {"The member's options, in place of all of the main engine's.",
       "メンバーのオプション。書けば、メインのエンジンのオプションは一つも使わない。"});
  member.text("cpus", &FurtherEngine::cpus, judge_cpus, {"numbers and ranges, such as 0-3,8", "番号と範囲。例: 0-3,8"},
      common,
      {"The processors of this machine that the member may run on.", "このマシンで、メンバーが動いてよいプロセッサー。"},
      {"members that think at the same time share engine.limits.cpus, or all, by their Threads: none has another's",
       "同時に考えるメンバーが、engine.limits.cpus(なければ全部)を Threads に応じて重ならないように分ける"});
  member.whole("weight", &FurtherEngine::weight, 1, 10'000, common,
      {"How strong the member is beside the others; the main engine has 100. The strongest takes the turns that nobody "
       "has thought about; of two alike, the one that stands first.",
       "ほかと比べた強さ。メインのエンジンは 100。誰も先読みしていなかった手番は、いちばん強いメンバーが考える。同じな"
       "ら先に書いたほう。"});
}

inline void declare(SettingsOf<usi::ProcessLimits> limits) {
  using enum Level;
  limits.size("memory", &usi::ProcessLimits::memory, 16'000'000, 100'000'000'000'000, common,
      {"How much memory of its own an engine process may use; one that wants more does not get it, usually ends, and "
       "is replaced, before the machine suffers (RLIMIT_DATA). 0: no limit.",
       "エンジンのプロセスが自分で使ってよいメモリー。それ以上は確保できず、たいていは終わり、マシンが影響を受ける前"
       "に入れ替わる(RLIMIT_DATA)。0 は無制限。"});
  limits.size("address_space", &usi::ProcessLimits::address_space, 16'000'000, 100'000'000'000'000, expert,
      {"How much address space it may use, files that it maps included (RLIMIT_AS); GPU engines reserve far more "
       "than they use. 0: no limit.",
       "使ってよいアドレス空間。読み込むファイルも含む(RLIMIT_AS)。GPU のエンジンは使うよりずっと多く予約する。0 "
       "は無制限。"});
  limits.whole("open_files", &usi::ProcessLimits::open_files, 16, 1'048'576, expert,
      {"How many files and connections it may have open.", "開いてよいファイルと接続の数。"},
      {"as the bridge's", "ブリッジと同じ"});
  limits.flag("core_dumps", &usi::ProcessLimits::core_dumps, expert,
      {"Whether a crash may leave a core file; the restart waits until it is written.",
       "落ちたときコアファイルを残してよいか。再起動は書き終わるまで待つ。"});
  limits.whole("nice", &usi::ProcessLimits::nice, 0, 19, expert,
      {"By how much it yields to other processes, so that the bridge is not late.",
       "他のプロセスにどれだけ譲るか。ブリッジが遅れないようにする。"});
  limits.text("cpus", &usi::ProcessLimits::cpus, judge_cpus, {"numbers and ranges, such as 0-3,8", "番号と範囲。例: 0-3,8"},
      common,
      {"The processors that it may run on, as the kernel counts them.",
       "動いてよいプロセッサー。番号はカーネルのもの。"},
      {"all", "すべて"});
}

inline void declare(SettingsOf<Engine> engine) {
  using enum Level;
  using namespace std::chrono_literals;
  engine.command("command", &Engine::command, basic,
      {"The engine's program and its arguments, each its own text; one text alone is the program's path, spaces "
       "included. No shell is involved.",
       "エンジンのプログラムと引数を 1 つずつ。1 つだけ書けば、空白も含めてプログラムのパス。シェルは通さない。"}).is_required = true;
  engine.texts("host", &Engine::host, judge_ssh_host,
      {"names for ssh, or whole ssh command lines", "ssh に渡す名前、または ssh のコマンドライン全体"}, common,
      {"The machine on which the engine runs, as ssh knows it, or several connections to it, all used at once. A "
       "text with spaces is a whole ssh command line, cut at them. kakehashi-keep has to be there (kakehashi engine "
       "install); it holds the engine when connections break. engine.command and engine.directory are paths there. "
       "See [An engine on another machine](remote-engines.md).",
       "エンジンを動かすマシン。ssh で通じる名前で書く。回線を複数書けば、すべてに同時に流す。空白を含めば ssh のコマ"
       "ンドライン全体とみなし、空白で区切る。そのマシンには kakehashi-keep が必要で(kakehashi engine install)、接続が"
       "切れてもエンジンを動かし続ける。engine.command と engine.directory はそのマシンでのパス。詳しくは"
       "[別のマシンのエンジン](remote-engines.ja.md)。"},
      {"this machine", "このマシン"});
  engine.flag("keep", &Engine::keep, common,
      {"Whether the engine stays loaded when the bridge ends: a bridge that is started within 10 min takes it up "
       "again, after an upgrade or a crash too. kakehashi-keep holds it meanwhile.",
       "ブリッジが終わってもエンジンを読み込んだままにするか。10 分以内に起動し直せば、更新や異常終了のあとでも、同じ"
       "エンジンを使い続ける。その間は kakehashi-keep が保つ。"});
  engine.choice("protocol", &Engine::protocol, {"usi", "uci", "tei", "ucgi"}, common,
      {"What the engine speaks: usi, or uci for a UCI engine that plays shogi. tei (Tak) and ucgi (crossword "
       "games) are known to kakehashi engine examine only.",
       "エンジンのプロトコル。usi か、将棋を指す UCI エンジンなら uci。tei(Tak)と ucgi(クロスワード)は kakehashi "
       "engine examine でだけ使える。"});
  engine.text("directory", &Engine::directory, judge_directory, any_path, basic,
      {"The directory in which the engine runs, where most look for their evaluation files. By itself it is that of the "
       "program; of a program in a bin directory (nice, python3, a link) that of what the link leads to, or of the first "
       "argument that is the whole path of a file.",
       "エンジンを動かすディレクトリ。多くのエンジンはここで評価関数を探す。省くとプログラムのある場所。bin にあるプログラム"
       "(nice、python3、リンク)なら、リンクの先か、絶対パスで書いた最初の引数のファイルがある場所。"},
      {"the engine's own", "エンジンのある場所"});
  engine.environment("environment", &Engine::environment, common,
      {"Environment variables for the engine, exactly as written ($NAME is not expanded), besides those of "
       "engine.pass_environment.",
       "エンジンに足す環境変数。書いたままの値で渡す($NAME は展開しない)。ほかに engine.pass_environment のものが"
       "渡る。"});
  engine.texts("pass_environment", &Engine::pass_environment, judge_pass_environment,
      {"usual, names, patterns such as FOO_*", "usual、名前、FOO_* のようなパターン"}, expert,
      {"Which of the bridge's own environment variables the engine and the standby get besides PATH, HOME, USER, "
       "LOGNAME, SHELL, TMPDIR, TZ, LANG, LANGUAGE and LC_*. usual means those of libraries, GPUs, threads, "
       "ssh and language runtimes; * for all. No pattern lets through what looks like a secret (PASS, TOKEN, "
       "SECRET, KEY, AUTH, TRIP, CREDENTIAL in its name); only the full name does.",
       "ブリッジの環境変数のうち、エンジンと待機エンジンに渡すもの。PATH、HOME、USER、LOGNAME、SHELL、TMPDIR、TZ、LANG、"
       "LANGUAGE、LC_* は必ず渡る。usual はライブラリ、GPU、スレッド、ssh、言語処理系の変数。* はすべて。名前が"
       "秘密らしいもの(PASS、TOKEN、SECRET、KEY、AUTH、TRIP、CREDENTIAL を含む)はパターンでは渡らず、名前をそのま"
       "ま書いたときだけ渡る。"});
  engine.options("options", &Engine::options, basic,
      {"The engine's options, set in the written order, each value as it is written; a name without a value "
       "presses a button. A list of one-key maps allows repeats.",
       "エンジンのオプション。書いた順に、書いたままの値で設定する。値のない名前はボタンを押す。1 項目ずつのリストに"
       "すれば、同じオプションを繰り返せる。"}).is_settable = true;
  engine.duration("start_timeout", &Engine::start_timeout, 1s, 1h, expert,
      {"How long the engine may take from its start to usiok.", "起動から usiok までの時間。"});
  engine.duration("ready_timeout", &Engine::ready_timeout, 1s, 1h, common,
      {"How long it may take to answer isready since it last said anything (an empty line, info or a line on "
       "standard error are signs of life); large networks take minutes the first time.",
       "isready の答えを待つ時間。空行、info、標準エラーの行など、何か出力があるたびに数え直す。大きな評価関数は初回"
       "に数分かかる。"});
  engine.duration("ready_max", &Engine::ready_max, 1s, 24h, expert,
      {"How long it may take to answer isready in all, for engines that show signs of life meanwhile; never less "
       "than engine.ready_timeout.",
       "出力が続くエンジンについて、isready の答えを合計でどれだけ待つか。engine.ready_timeout より短くはならない。"});
  engine.auto_duration("silence_max", &Engine::silence_max, 1s, 24h, expert,
      {"How long the engine may say nothing while our clock runs before it is doubted: the standby is asked as well, "
       "or without one the engine is told to stop and replaced if it does not. auto is increment and byoyomi and a "
       "quarter of the main time, 5 s at least; or twice as long as the engine was once silent before it answered, up to "
       "half of the main time with them.",
       "こちらの時計が動く間、エンジンがどれだけ黙っていたら疑うか。疑えば待機エンジンにも考えさせ、待機エンジンがな"
       "ければ stop を送り、答えなければ入れ替える。auto は加算と秒読みに持ち時間の4 分の 1(5 秒以上)を足した時間で、"
       "前に黙ったあとで答えたことがあれば、その 2 倍(長くても加算と秒読みに持ち時間の半分を足した時間)。"});
  engine.duration("quit_timeout", &Engine::quit_timeout, 100ms, 10min, expert,
      {"How long it may take to end after quit before it is killed.", "quit のあと、強制終了するまで待つ時間。"});
  engine.flag("restart_each_game", &Engine::restart_each_game, expert,
      {"Whether every game gets a fresh engine process, for engines that cannot play a second game; the next login, "
       "or the next AGREE on a kept connection, waits until it is ready.",
       "対局ごとにエンジンを起動し直すか。2 局目を指せないエンジンのため。次のログイン(または次の AGREE)は準備ができ"
       "るまで待つ。"});
  engine.flag("timed_ponderhit", &Engine::timed_ponderhit, expert,
      {"Whether ponderhit carries the clocks, an extension that some engines need with early pondering and most "
       "others ignore; go ponder carries estimated clocks in any case.",
       "ponderhit に残り時間を付けるか。ponder: early で必要とするエンジンがあり、ほかの多くは無視する拡張。go "
       "ponder には、いずれにしても推定の残り時間が付く。"},
      {"true with ponder: early, else false", "ponder: early なら true、ほかは false"}).is_settable = true;
  engine.choice("clock", &Engine::clock, {"auto", "separate", "included", "byoyomi"}, common,
      {"How the engine reads btime in games with increments: separate adds the increment to btime by itself "
       "(Shogidokoro's reading), included takes btime as all there is for the move, byoyomi is for engines that "
       "know no increments. auto asks the engine once, before the first login, which takes 1 to 2 s, and remembers "
       "it; if that shows nothing, the name and version decide for YaneuraOu and fairy-stockfish, and else it is "
       "byoyomi, which suits all.",
       "加算のある対局で、エンジンが btime をどう読むか。separate は加算を自分で足す(将棋所の読み方)。included は "
       "btime がその手のすべて。byoyomi は加算を知らないエンジン向け。auto は最初のログインの前に 1〜2 秒かけてエ"
       "ンジンで一度確かめ、結果を覚えておく。確かめられなければ、やねうら王と fairy-stockfish は名前と版で決め、"
       "ほかはどのエンジンにも無難な byoyomi にする。"}).is_settable = true;
  engine.choice("on_failure", &Engine::on_failure, {"play_on", "resign"}, common,
      {"When no engine can give a move in time: play any legal move, or resign.",
       "どのエンジンも間に合わないとき。合法手を指すか、投了するか。"}).is_settable = true;
  engine.on_switch("standby", &Engine::standby, common,
      {"Whether a second engine waits, ready, to take over at once when the main one dies, hangs or plays an "
       "illegal move: true, for the same program once more, or the settings of engine.standby below. The main "
       "engine is restarted meanwhile and put back between moves.",
       "メインのエンジンが落ちた、固まった、反則手を返したときに、すぐ代わって指す 2 つ目のエンジンを用意するか。"
       "true(同じプログラムをもう 1 つ)か、下の engine.standby の設定。メインのエンジンはその間に再起動し、手の合"
       "間に戻る。"});
  declare(engine.section("standby", &Engine::standby,
      {"A second engine for when the main one fails. See [The standby engine](guard.md#the-standby-engine).",
       "メインのエンジンが使えなくなったときに代わるエンジン。詳しくは[待機エンジン](guard.ja.md#待機エンジン)。"}));
  engine.own("team", TeamKey{}, common,
      {"Further engines beside the main one, 16 in all, here or on other machines; in place of engine.standby. See "
       "[Several engines](teams.md).",
       "メインのエンジンに加えるエンジン。合わせて 16 まで、このマシンでも別のマシンでもよい。engine.standby の代わりに"
       "使う。詳しくは[複数のエンジン](teams.ja.md)。"});
  engine.choice("team_play", &Engine::team_play, {"standby", "multi_ponder", "majority", "optimist", "first_with_advice"}, common,
      {"What the engines of a team are for. standby: one plays, and the others wait, ready, for it to fail. "
       "multi_ponder: on the opponent's time each thinks ahead on another likely reply; needs ponder. The others have all "
       "engines search on our turn. majority plays the move with the largest sum of weights, optimist the one with the "
       "best score, first_with_advice the main engine's, and another's only where it has none in time.",
       "チームのエンジンの使い方。standby は 1 つが指し、ほかはそれが使えなくなるのを待つ。multi_ponder は、相手の考慮中"
       "に、それぞれが別の応手を先読みする(ponder が必要)。ほかは、手番で全エンジンが読む。majority は weight の合計が最"
       "大の手、optimist は評価値が最もよい手、first_with_advice はメインのエンジンの手(間に合わないときだけほかの手)を指す。"});
  declare(engine.section("limits", &Engine::limits,
      {"How much of the machine each engine process may use, the standby's and the team's too.",
       "エンジン(待機エンジンやチームのメンバーも)の各プロセスが使ってよい資源。"}));
}

}  // namespace kakehashi::config
#endif
