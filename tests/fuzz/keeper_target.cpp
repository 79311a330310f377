// The keeper of an engine between clients and an engine that say anything, and its client before such a keeper.
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "base/text.hpp"
#include "fuzz/targets.hpp"
#include "keeper/client.hpp"
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

/// A line begins with the link that it comes over, counted from the latest; w writes, s sets a time, t passes it,
/// c closes the latest link, f does so for good, k kills.
void keeper_client(std::string_view bytes) {
  using namespace keeper;
  base::SteadyTime now{std::chrono::hours(1000)};
  Client client({.ways = 2, .session = "s"}, now);
  std::set<int> links;
  int latest = 0;
  bool has_ended = false;
  std::size_t lines = 0;
  for (const std::string_view line : base::split(bytes, '\n')) {
    for (const ClientAction& action : client.take_actions()) {
      require(!has_ended, "nothing follows the end");
      if (const auto* open = std::get_if<OpenLink>(&action)) {
        latest = open->link;
        require(links.insert(open->link).second, "a link is opened once");
        require(links.size() <= 5, "links are bounded");
      } else if (const auto* close = std::get_if<CloseLink>(&action)) {
        require(links.erase(close->link) == 1, "what is closed was open");
      } else if (const auto* send = std::get_if<SendLink>(&action)) {
        require(links.contains(send->link), "what is spoken over is open");
        for (const std::string_view word : base::split(std::string_view(send->text).substr(0, send->text.size() - 1), '\n')) {
          require(read_client_line(word).has_value(), "a keeper understands its client");
        }
      } else {
        has_ended = std::holds_alternative<EngineGone>(action) || std::holds_alternative<NotFound>(action);
      }
    }
    if (line.empty() || ++lines > lines_max) {
      continue;
    }
    const std::string_view rest = line.substr(1);
    const int link = latest - line.front() % 4;
    switch (line.front()) {
      case 'w': client.write("go infinite", now); break;
      case 's': client.stop_at(now + base::Millis{500}, now); break;
      case 't':
        now += base::Millis{std::clamp<std::int64_t>(base::parse_int(rest).value_or(50), 0, 1'000'000)};
        client.on_time(now);
        require(!client.deadline() || *client.deadline() > now, "what is due is done");
        break;
      case 'c':
      case 'f':
        links.erase(latest);
        client.on_closed(latest, base::verbatim(std::string(rest)), line.front() == 'f', now);
        break;
      case 'k': client.kill(); break;
      default: client.on_line(link, rest, now);
    }
  }
}

}  // namespace kakehashi::fuzz
