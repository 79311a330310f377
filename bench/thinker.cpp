// A USI engine for bench/link.sh that uses all the time it is given, to the last millisecond, on
// every move: what is kept back for the link is all that stands between it and the flag. It moves
// the rook to and fro, so that a game is drawn by repetition after twelve plies.
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
      const bool is_forth = root.moves / 2 % 2 == 0;
      std::cout << "bestmove "
                << (root.is_black() ? (is_forth ? "2h3h" : "3h2h") : (is_forth ? "8b7b" : "7b8b"))
                << '\n'
                << std::flush;
    } else if (line == "quit") {
      return 0;
    }
  }
}
