#include "bridge/cli/engine_killer.hpp"

#include <sys/types.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <vector>

namespace kakehashi::bridge::cli {
namespace {

constexpr std::size_t moves_before = 6;

/// Engines are started from the main thread (usi/io/spawn.hpp).
std::vector<pid_t> children() {
  const std::string self = std::to_string(::getpid());
  std::ifstream list("/proc/self/task/" + self + "/children");
  std::vector<pid_t> found;
  for (pid_t one = 0; list >> one;) {
    found.push_back(one);
  }
  return found;
}

}  // namespace

bool EngineKiller::strikes(const View& view) {
  if (!view.game || view.game->end || view.phase != Phase::playing ||
      view.game->moves.size() < moves_before || view.game->game_id == last_game_) {
    return false;
  }
  last_game_ = view.game->game_id;
  const auto engines = children();
  if (engines.empty()) {
    return false;
  }
  random_ = random_ * 6364136223846793005U + 1442695040888963407U;
  const auto chosen = engines[static_cast<std::size_t>((random_ >> 33U) % engines.size())];
  return ::kill(chosen, SIGKILL) == 0;
}

}  // namespace kakehashi::bridge::cli
