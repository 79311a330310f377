// The keeper of an engine between clients and an engine that say anything.
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "base/text.hpp"
#include "fuzz/targets.hpp"
#include "keeper/keeper.hpp"

namespace kakehashi::fuzz {
namespace {

constexpr std::size_t lines_max = 600;

/// What one client is told, held against what it may be told.
struct Listener {
  std::uint64_t seen = 0;
  std::uint64_t written = 0;
  bool is_refused = false;

  void hear(std::string_view text) {
    require(text.empty() || text.back() == '\n', "a client is told whole lines");
    for (std::string_view line : base::split(text.substr(0, text.empty() ? 0 : text.size() - 1), '\n')) {
      const auto words = base::split(line, ' ');
      require(!is_refused || line.empty(), "nothing follows a refusal");
      is_refused = words.front() == "refused";
      const auto number = words.size() > 1 ? base::parse_int(words[1]) : std::nullopt;
      if (words.front() == "ack") {
        require(number && static_cast<std::uint64_t>(*number) > written, "acknowledgements grow");
        written = static_cast<std::uint64_t>(*number);
      } else if (words.front() == "out" || words.front() == "err" || words.front() == "stopped" ||
                 words.front() == "exit" || words.front() == "lost") {
        require(number && static_cast<std::uint64_t>(*number) > seen, "a numbered line comes once, in order");
        seen = static_cast<std::uint64_t>(*number);
      }
    }
  }
};

}  // namespace

/// A line begins with who says it: 1 to 4 a client, + its arrival, - its going; e the engine, x its end, t time.
void keeper(std::string_view bytes) {
  using namespace keeper;
  base::SteadyTime now{std::chrono::hours(1000)};
  Keeper keeper({.version = "v"}, now);
  std::map<int, Listener> listeners;
  std::vector<std::string> lines;
  for (const std::string_view line : base::split(bytes, '\n')) {
    if (lines.size() == lines_max || line.empty()) {
      continue;
    }
    lines.emplace_back(line);
    const std::string_view rest = line.substr(1);
    const char who = line.front();
    if ((who == '+' || who == '-') && !rest.empty()) {
      const int client = rest.front() % 4;
      listeners.erase(client);
      keeper.on_client_gone(client, now);
      if (who == '+') {
        listeners.try_emplace(client);
        keeper.on_client(client, now);
      }
    } else if (who == 'e') {
      keeper.on_engine_line(std::string(rest), now);
    } else if (who == 'E') {
      keeper.on_engine_error_line(std::string(rest));
    } else if (who == 'x') {
      keeper.on_engine_exit("status 0", now);
    } else if (who == 't') {
      now += base::Millis{std::clamp<std::int64_t>(base::parse_int(rest).value_or(50), 0, 1'000'000)};
      keeper.on_time(now);
      require(!keeper.deadline() || *keeper.deadline() > now, "what is due is done");
    } else {
      keeper.on_client_line(who % 4, rest, now);
    }
    for (const Action& action : keeper.take_actions()) {
      if (const auto* write = std::get_if<WriteEngine>(&action)) {
        require(!base::has_control_byte(write->line), "an engine is told lines");
      }
    }
    for (auto& [client, listener] : listeners) {
      listener.hear(keeper.take_text(client, 64));
    }
  }
}

}  // namespace kakehashi::fuzz
