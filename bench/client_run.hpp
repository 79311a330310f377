// One client under test, one connection, all the games: what it adds to each move.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/games.hpp"

namespace kakehashi::bench {

/// What is under test: `floor=PROGRAM` (and with words behind it, `floor-threads`, `floor-quick`, `floor-dropping`) or
/// `bridge=PROGRAM`, and behind commas the words for its engine: `bridge=PROGRAM,flood=500000,long`. A bridge may be told
/// from another by what stands behind it: `bridge-391a68f=PROGRAM`.
/// `ssh=PROGRAM` is a bridge whose engine is started through ssh, `keeper=PROGRAM` one whose engine a keeper holds
/// there; both call ssh as BENCH_SSH says.
struct Client {
  std::string name;     ///< the table's first column
  std::string program;
  bool is_bridge = false;
  [[nodiscard]] bool is_floor() const { return name.starts_with("floor"); }
  enum class Engine { here, by_ssh, by_keeper } engine_is = Engine::here;
  std::vector<std::string> options;  ///< of the floor
  std::vector<std::string> engine_words;
};

/// Throws when the words are not understood.
[[nodiscard]] Client read_client(const std::string& words);

struct Result {
  std::vector<double> t1_ms;
  std::vector<double> t2_ms;
  double cpu_ms_per_move = 0;
  double resident_mib = 0;
  double drained_per_second = 0;  ///< lines of the engine's flood
  std::vector<double> late_ms;    ///< of each timer of the bridge's that rang, by its journal
};

struct Course {
  std::string engine;                    ///< the program
  std::vector<std::string> engine_words; ///< for every client's engine
  bool has_nagle = false;
  std::vector<GameLines> games;
  std::filesystem::path folder;          ///< made anew for each run

  [[nodiscard]] std::size_t moves() const;
};

/// Throws when anything but the expected line comes.
[[nodiscard]] Result run_client(const Client& client, const Course& course);

}  // namespace kakehashi::bench
