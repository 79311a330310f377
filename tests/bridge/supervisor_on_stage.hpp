// An engine seat under a clock that is moved by hand, for tests. It judges nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "bridge/engine/engine_supervisor.hpp"
#include "bridge/event.hpp"

namespace kakehashi::bridge {

/// A seat with a clock that is moved by hand; each call gives what it wrote and said.
class Seat {
 public:
  explicit Seat(bool ponder = false, config::Engine config = {}) : seat(config, ponder) {}

  EngineSupervisor seat;
  Outbox out;
  base::Now now{base::SteadyTime{std::chrono::hours(1)}, {}};
  std::uint32_t engine = 1;

  void pass(base::Millis time) { now.steady += time; }
  std::vector<EngineNews> line(const char* text) {
    return seat.on(EngineLine{EngineId{0, engine}, text}, now, out);
  }
  void start() { seat.start(now, out); }
  std::vector<EngineNews> boot() {
    static_cast<void>(seat.on(EngineStarted{EngineId{0, engine}, 1}, now, out));
    static_cast<void>(line("id name Fake"));
    static_cast<void>(line("usiok"));
    return line("readyok");
  }
  void start_and_boot() {
    start();
    static_cast<void>(boot());
    out = Outbox();
  }
  std::vector<EngineNews> exit(const char* status = "exit status 1") {
    return seat.on(EngineExited{EngineId{0, engine}, base::verbatim(status)}, now, out);
  }

  /// What was asked for since the last call: lines, "start", "kill"; notes by their code.
  std::vector<std::string> said() {
    std::vector<std::string> words;
    for (const Action& action : out.take()) {
      if (const auto* write = std::get_if<WriteEngine>(&action)) {
        words.push_back(write->line);
      } else if (const auto* start_engine = std::get_if<StartEngine>(&action)) {
        const auto number = start_engine->engine.launch;
        words.push_back("start " + std::to_string(number));
      } else if (const auto* kill = std::get_if<KillEngine>(&action)) {
        words.push_back("kill " + std::to_string(kill->engine.launch));
      } else if (const auto* note = std::get_if<Note>(&action)) {
        words.push_back(std::string(describe(note->level)) + " " + note->code);
      }
    }
    out = Outbox();
    return words;
  }
};

using Words = std::vector<std::string>;

template <class News>
bool has(const std::vector<EngineNews>& news) {
  for (const EngineNews& item : news) {
    if (std::holds_alternative<News>(item)) {
      return true;
    }
  }
  return false;
}

inline const usi::SearchRequest request{"position startpos", "go btime 0 wtime 0 byoyomi 1000", false};

}  // namespace kakehashi::bridge
