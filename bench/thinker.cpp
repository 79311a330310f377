// A USI engine for bench/link.sh that uses all the time it is given, to the last millisecond, on
// every move: what is kept back for the link is all that stands between it and the flag. It walks its rook
// about, so that no game ends by repetition before link.sh ends it.
#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

namespace {

struct Root {
  int moves = 0;
  [[nodiscard]] bool is_black() const { return moves % 2 == 0; }
};

Root root_of(const std::string& position) {
  Root root;
  std::istringstream words(position);
  bool in_moves = false;
  for (std::string word; words >> word;) {
    root.moves += in_moves ? 1 : 0;
    in_moves = in_moves || word == "moves";
  }
  return root;
}

/// Rounds of six squares and of five, so that no position comes up twice within sixty plies.
std::string rook_walk(const Root& root) {
  const std::string round = root.is_black() ? "234567" : "87654";
  const std::size_t step = static_cast<std::size_t>(root.moves / 2);
  const char rank = root.is_black() ? 'h' : 'b';
  return {round[step % round.size()], rank, round[(step + 1) % round.size()], rank};
}

/// Main time, byoyomi and increment of the side to move.
std::chrono::milliseconds time_of(const std::string& go, bool is_black) {
  std::istringstream words(go);
  long total = 0;
  for (std::string word; words >> word;) {
    if (word == (is_black ? "btime" : "wtime") || word == (is_black ? "binc" : "winc") ||
        word == "byoyomi") {
      long value = 0;
      words >> value;
      total += value;
    }
  }
  return std::chrono::milliseconds(total);
}

/// Until the time is over or anything is said ("stop").
void think(std::chrono::steady_clock::time_point end) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (std::cin.rdbuf()->in_avail() > 0 || left.count() <= 0 ||
        ::poll(&input, 1, static_cast<int>(left.count())) > 0) {
      return;
    }
  }
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);  // so that in_avail() knows what was read ahead
  Root root;
  for (std::string line; std::getline(std::cin, line);) {
    if (line == "usi") {
      std::cout << "id name Thinker\nid author the benchmarks\nusiok\n" << std::flush;
    } else if (line == "isready") {
      std::cout << "readyok\n" << std::flush;
    } else if (line.starts_with("position ")) {
      root = root_of(line);
    } else if (line.starts_with("go ")) {
      think(std::chrono::steady_clock::now() + time_of(line, root.is_black()));
      std::cout << "bestmove " << rook_walk(root) << '\n' << std::flush;
    } else if (line == "quit") {
      return 0;
    }
  }
}
