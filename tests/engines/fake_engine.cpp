// A scripted USI engine for tests: it plays a list of moves, and misbehaves by named switch. Each
// switch is one fault; a number is the ordinal of the `go` (from 1) on which it shows.
//
//   --moves "7g7f 2g2f"      the k-th move answers the k-th go; `resign` and `win` are moves too
//   --shuffle                (default) rook to and fro: 2h3h 3h2h for black, 8b7b 7b8b for white
//   --ponder MOVE            adds "ponder MOVE" to each bestmove
//   --think-ms N             thinks so long, or until stop
//   --clock MODEL            thinks as long as that engine does on the clock it is told: yaneuraou-9.40,
//                            yaneuraou-9.70, fairy-11.1, fairy-14, gpsshogi (ends on binc), slow
//   --name NAME              its id name
//   --score CP               the score of its info lines
//   --resign-on-go N, --win-on-go N, --illegal-on-go N, --unreadable-on-go N
//   --die-on-go N, --hang-on-go N, --close-stdout-on-go N, --no-newline-on-go N
//   --die-on-ponder N, --hang-on-ponder N      as soon as it is to think ahead
//   --die-after-go N, --hang-after-go N        behind its answer
//   --die-on-gameover N, --hang-on-gameover N  of its N-th game
//   --die-on-usi N, --hang-on-isready N        the N-th that it hears
//   --once FILE              each fault with a number only where the file is not there yet; makes it
//   --late-ms N              answers `stop` so much later
//   --bestmove-twice, --bestmove-before-ponderhit, --flood N, --huge-line, --stderr-flood
//   --no-usiok, --no-readyok, --slow-isready-ms N, --refuse-quit, --fork-child
//   --late-on-go N           answers more than two seconds later, whatever the clock says
//   --deaf-to-stop, --deaf-to-stop-in-ponder
//   --cut-lines N            reads no more than N bytes of a line
//   --keep-remains           a process that traces it keeps its remains for a minute: nobody can collect it
//   --wrong-options          declares options that break the rules
//   --shift-jis              declares 評価 (combo: 普通, 速い) in Shift_JIS, and is ready only where that is set to 速い in the
//                            same bytes; says so in Shift_JIS
//   --no-name, --slow-usiok-ms N, --chatter, --stray-info, --odd-info
//   --copy-protected, --unregistered
//   --protocol usi|uci|tei|ucgi   the words of another protocol; moves stay as --moves gives them
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/engines/clock_models.hpp"

namespace {

using std::chrono::milliseconds;

std::map<std::string, std::string> switches;

bool has(const std::string& name) { return switches.contains(name); }
long number(const std::string& name, long otherwise = 0) {
  const auto found = switches.find(name);
  return found == switches.end() ? otherwise : std::strtol(found->second.c_str(), nullptr, 10);
}
/// True once over all processes that name the same file.
bool is_first() {
  if (!has("--once")) {
    return true;
  }
  const int made = ::open(switches["--once"].c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (made >= 0) {
    ::close(made);
  }
  return made >= 0;
}

bool is_on_go(const std::string& name, long go) {
  return has(name) && number(name) == go && is_first();
}

std::string protocol() { return has("--protocol") ? switches["--protocol"] : "usi"; }

bool read_line(std::string& line) {
  if (!std::getline(std::cin, line)) {
    return false;
  }
  if (has("--cut-lines")) {
    line.resize(std::min(line.size(), static_cast<std::size_t>(number("--cut-lines"))));
  }
  return true;
}

void say(const std::string& line) { std::cout << line << '\n' << std::flush; }

/// How many moves the position line lists, and whether black moves.
struct Turn {
  std::size_t moves = 0;
  bool is_black = true;
};

Turn turn_of(const std::string& position) {
  std::istringstream words(position);
  Turn turn;
  bool in_moves = false;
  std::string previous;
  bool starts_white = false;
  for (std::string word; words >> word;) {
    if (in_moves) {
      ++turn.moves;
    } else if (word == "moves") {
      in_moves = true;
    } else if (word == (protocol() == "uci" ? "b" : "w") && previous.find('/') != std::string::npos) {
      starts_white = true;
    }
    previous = word;
  }
  turn.is_black = (turn.moves % 2 == 0) != starts_white;
  return turn;
}

std::string choose(const std::string& position, long go) {
  if (is_on_go("--resign-on-go", go)) {
    return "resign";
  }
  if (is_on_go("--win-on-go", go)) {
    return "win";
  }
  if (is_on_go("--illegal-on-go", go)) {
    return "5e5d";
  }
  if (is_on_go("--unreadable-on-go", go)) {
    return "n0nsense";
  }
  if (has("--moves")) {
    std::istringstream moves(switches["--moves"]);
    std::string move = "resign";
    for (long i = 0; i < go; ++i) {
      if (!(moves >> move)) {
        return "resign";
      }
    }
    return move;
  }
  if (protocol() == "tei") {
    return "b2";
  }
  if (protocol() == "ucgi") {
    return "8a.SEXTARII";
  }
  const Turn turn = turn_of(position);
  // A game as long as no other: its one answer takes the rook beside the king (cli/engine_probe.cpp).
  if (turn.moves > 500) {
    return protocol() == "uci" ? "i9i8" : "1a1b";
  }
  const bool is_forth = turn.moves / 2 % 2 == 0;
  if (protocol() == "uci") {
    return turn.is_black ? (is_forth ? "h2g2" : "g2h2") : (is_forth ? "b8c8" : "c8b8");
  }
  return turn.is_black ? (is_forth ? "2h3h" : "3h2h") : (is_forth ? "8b7b" : "7b8b");
}

/// True when a line arrives on standard input within the time.
bool input_within(milliseconds time) {
  if (std::cin.rdbuf()->in_avail() > 0) {
    return true;
  }
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return ::poll(&input, 1, static_cast<int>(time.count())) > 0;
}

[[noreturn]] void hang() {
  for (;;) {
    ::pause();
  }
}

[[noreturn]] void die() {
  std::cerr << "assertion failed: the fake engine dies as told" << std::endl;
  std::abort();
}

/// "--die-on-…", "--hang-on-…", where that is its moment.
void maybe_fail(const std::string& moment, long count) {
  if (is_on_go("--die-" + moment, count)) {
    die();
  }
  if (is_on_go("--hang-" + moment, count)) {
    hang();
  }
}

void answer(const std::string& position, long go) {
  maybe_fail("on-go", go);
  if (is_on_go("--close-stdout-on-go", go)) {
    ::close(STDOUT_FILENO);
    hang();
  }
  if (is_on_go("--late-on-go", go)) {
    std::this_thread::sleep_for(milliseconds(2'200));
  }
  const std::string move = choose(position, go);
  for (long i = 0; i < number("--flood"); ++i) {
    std::cout << "info depth " << i % 40 << " currmove " << move << " nodes " << i << '\n';
  }
  if (has("--huge-line")) {
    std::cout << "info string " << std::string(1'000'000, 'x') << '\n';
  }
  if (has("--stderr-flood")) {
    for (int i = 0; i < 20'000; ++i) {
      std::cerr << "a line of noise on standard error, as some engines write them\n";
    }
  }
  if (has("--score")) {
    say("info depth 5 seldepth 7 score cp " + switches["--score"] + " nodes 1000 pv " + move);
  }
  const std::string line =
      "bestmove " + move + (has("--ponder") ? " ponder " + switches["--ponder"] : "");
  if (is_on_go("--no-newline-on-go", go)) {
    std::cout << line << std::flush;
    std::_Exit(0);
  }
  if (has("--odd-info")) {
    say("info depth 3 joho 7 pv " + move);
  }
  say(line);
  if (has("--bestmove-twice")) {
    say(line);
  }
  if (has("--stray-info")) {
    say("info depth 1 nodes 1");
  }
  maybe_fail("after-go", go);
}

void introduce() {
  std::this_thread::sleep_for(milliseconds(number("--slow-usiok-ms")));
  if (has("--chatter")) {
    say("Fake 1.0, a program of the tests");
  }
  if (!has("--no-name")) {
    say("id name " + (has("--name") ? switches["--name"] : "FakeEngine"));
  }
  say("id author the tests");
  if (protocol() == "tei") {
    say("size 5 6 halfkomi 0 4");
  }
  if (protocol() == "usi") {
    say("option name USI_Hash type spin default 16 min 1 max 1024");
    say("option name USI_Ponder type check default false");
    say("option name Style Of Play type combo default calm var calm var wild");
  }
  if (has("--clock") && switches["--clock"].starts_with("yaneuraou")) {
    say("option name NetworkDelay2 type spin default 1120 min 0 max 10000");
  }
  if (has("--shift-jis")) {
    say("option name \x95\x5D\x89\xBF type combo default \x95\x81\x92\xCA var \x95\x81\x92\xCA var \x91\xAC\x82\xA2");
  }
  if (has("--wrong-options")) {
    say("option name Level type slider default 3");
    say("option name Depth type spin default 30 min 1 max 20");
    say("option name Mode type combo default fast var slow");
    say("option type check default true");
    say("option name Depth type spin default 3 min 1 max 20");
  }
  if (!has("--no-usiok")) {
    say(protocol() + "ok");
  }
  if (has("--copy-protected")) {
    say("copyprotection checking");
    say("copyprotection error");
  }
  if (has("--unregistered")) {
    say("registration error");
  }
}

/// Searches until it is told to end; false when the input ends first.
bool wait_for_end_of_search(bool is_ponder) {
  for (std::string line; read_line(line);) {
    if (line.starts_with("ponderhit")) {
      return true;
    }
    if (line == "stop") {
      if (has("--deaf-to-stop")) {
        hang();
      }
      if (is_ponder && has("--deaf-to-stop-in-ponder")) {
        continue;
      }
      std::this_thread::sleep_for(milliseconds(number("--late-ms")));
      return true;
    }
    if (line == "isready") {
      say("readyok");
    }
    if (line == "quit") {
      std::exit(0);
    }
  }
  return false;
}

/// Thinks as its switches say; true when a line came first.
bool thinks_until_told(const std::string& go, bool is_black) {
  if (has("--clock")) {
    const auto thinks = kakehashi::test::thinking_time(switches["--clock"],
                                                       kakehashi::test::told_clock(go, is_black));
    if (thinks.dies) {
      die();
    }
    return input_within(milliseconds(thinks.ms.value_or(3'600'000)));
  }
  return has("--think-ms") && input_within(milliseconds(number("--think-ms")));
}

void play() {
  std::string position;
  long go = 0;
  long ready = 0;
  long games = 0;
  bool is_quick = !has("--shift-jis");
  for (std::string line; read_line(line);) {
    if (line == protocol()) {
      maybe_fail("on-usi", 1);
      introduce();
    } else if (line == "setoption name \x95\x5D\x89\xBF value \x91\xAC\x82\xA2") {
      is_quick = true;
    } else if (line == "isready") {
      maybe_fail("on-isready", ++ready);
      if (!is_quick) {
        say("info string \x95\x5D\x89\xBF\x82\xAA\x92\x78\x82\xA2");  // "評価が遅い"
        die();
      }
      std::this_thread::sleep_for(milliseconds(number("--slow-isready-ms")));
      if (!has("--no-readyok")) {
        say("readyok");
      }
    } else if (line.starts_with("position ")) {
      position = line;
    } else if (line.starts_with("go")) {
      ++go;
      const bool is_ponder = line.starts_with("go ponder");
      const bool is_infinite = line == "go infinite";
      if (is_ponder) {
        maybe_fail("on-ponder", go);
      }
      if (is_infinite || (is_ponder && !has("--bestmove-before-ponderhit"))) {
        if (!wait_for_end_of_search(is_ponder)) {
          return;
        }
      } else if (thinks_until_told(line, turn_of(position).is_black)) {
        std::string next;  // stop, gameover or quit: the answer comes at once, or late as told
        std::getline(std::cin, next);
        std::this_thread::sleep_for(milliseconds(number("--late-ms")));
      }
      answer(position, go);
    } else if (line.starts_with("gameover")) {
      maybe_fail("on-gameover", ++games);
    } else if (line == "quit" && !has("--refuse-quit")) {
      return;
    }
  }
  if (has("--refuse-quit")) {
    hang();
  }
}

/// What is traced stays a zombie, for its parent as alive as ever, until the tracer looks at it.
void have_remains_kept() {
  int allowed[2];
  int traced[2];
  if (::pipe(allowed) != 0 || ::pipe(traced) != 0) {
    std::abort();
  }
  char byte = 'x';
  const pid_t engine = ::getpid();
  const pid_t tracer = ::fork();
  if (tracer == 0) {
    ::setsid();
    const bool may = ::read(allowed[0], &byte, 1) == 1;
    byte = may && ::ptrace(PTRACE_SEIZE, engine, nullptr, nullptr) == 0 ? 'y' : 'n';
    const bool is_told = ::write(traced[1], &byte, 1) == 1;
    for (int descriptor = 0; descriptor <= traced[1]; ++descriptor) {
      ::close(descriptor);
    }
    ::sleep(is_told ? 60 : 0);
    std::_Exit(0);
  }
  ::prctl(PR_SET_PTRACER, tracer, 0, 0, 0);
  const bool is_asked = ::write(allowed[1], &byte, 1) == 1;
  say(is_asked && ::read(traced[0], &byte, 1) == 1 && byte == 'y' ? std::to_string(tracer) : "not traced");
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);  // so that in_avail() knows what was read ahead
  const std::vector<std::string> with_value{
      "--moves", "--ponder", "--think-ms", "--score", "--resign-on-go", "--win-on-go",
      "--illegal-on-go", "--unreadable-on-go", "--die-on-go", "--hang-on-go",
      "--close-stdout-on-go", "--no-newline-on-go", "--late-ms", "--flood", "--slow-isready-ms",
      "--slow-usiok-ms", "--late-on-go", "--protocol", "--once", "--die-on-ponder",
      "--hang-on-ponder", "--die-after-go", "--hang-after-go", "--die-on-gameover",
      "--hang-on-gameover", "--die-on-usi", "--hang-on-isready", "--clock", "--name", "--cut-lines"};
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    bool takes_value = false;
    for (const std::string& known : with_value) {
      takes_value = takes_value || known == name;
    }
    switches[name] = takes_value && i + 1 < argc ? argv[++i] : "";
  }
  if (has("--fork-child") && ::fork() == 0) {
    hang();
  }
  if (has("--keep-remains")) {
    have_remains_kept();
  }
  if (has("--refuse-quit")) {
    std::signal(SIGTERM, SIG_IGN);
  }
  play();
  return 0;
}
