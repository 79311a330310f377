// The whole bot between a server and an engine that say anything at all, at any time: the referee of
// the golden scripts must have nothing to complain about.
//
//   <LINE   the server says it            [LINE   and more lines wait in its segment
//   ~LINE   as '[', and goes on for longer than any line that is read
//   >LINE   the engine says it            @N      N times 50 ms pass
//   -       the connection breaks, or cannot be made        +   it is made
//   x       the engine ends               d r q   asked to drain, to resign, to leave at once
//   bLINE   the book answers the last question; ';' ends a line
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/line_splitter.hpp"
#include "base/text.hpp"
#include "csa/message.hpp"
#include "fuzz/targets.hpp"
#include "support/stage.hpp"

namespace kakehashi::fuzz {
namespace {

using base::Millis;
using bridge::EngineId;
using How = bridge::ServerClosed::How;

constexpr std::size_t steps_max = 400;
/// The bot waits for hours if nobody speaks; nothing new happens then.
constexpr std::int64_t ticks_max = 20'000;
constexpr Millis tick{50};

/// A segment of the server's, through the splitter that the link has: what cannot be read is left out.
class Segment {
 public:
  void add(std::string_view line, std::size_t further_bytes) {
    bytes_.append(line).append(further_bytes, '#').push_back('\n');
  }
  [[nodiscard]] std::vector<std::string> take() {
    const auto fed = splitter_.feed(bytes_);
    std::vector<std::string> lines(fed.lines.begin(), fed.lines.end());
    bytes_.clear();
    return lines;
  }

 private:
  std::string bytes_;
  base::LineSplitter splitter_{csa::server_line_bytes_max};
};

/// The two peers as the world knows them, so that nothing impossible happens.
struct World {
  bool is_connecting = false;
  bool is_connected = false;
  std::optional<EngineId> engine_to_start;
  std::optional<EngineId> engine;
  std::uint64_t lookup = 0;

  void see(const bridge::Actions& actions) {
    for (const bridge::Action& action : actions) {
      if (std::holds_alternative<bridge::ConnectServer>(action)) {
        is_connecting = true;
      } else if (std::holds_alternative<bridge::CloseServer>(action)) {
        is_connecting = is_connected = false;
      } else if (const auto* start = std::get_if<bridge::StartEngine>(&action)) {
        engine_to_start = start->engine;
      } else if (const auto* kill = std::get_if<bridge::KillEngine>(&action)) {
        engine = engine == kill->engine ? std::nullopt : engine;
        engine_to_start = engine_to_start == kill->engine ? std::nullopt : engine_to_start;
      } else if (const auto* look_up = std::get_if<bridge::LookUpBook>(&action)) {
        lookup = look_up->number;
      }
    }
  }
};

config::BotConfig config_for(unsigned char choice) {
  config::BotConfig config = support::stage_config();
  config.ponder = (choice & 1U) != 0   ? config::Ponder::on
                  : (choice & 2U) != 0 ? config::Ponder::early
                                       : config::Ponder::off;
  config.book.file = (choice & 4U) != 0 ? "opening.db" : "";
  config.server.after_game = (choice & 8U) != 0 ? config::AfterGame::stay : config::AfterGame::reconnect;
  config.engine.on_failure = (choice & 16U) != 0 ? config::OnFailure::resign : config.engine.on_failure;
  return config;
}

/// The referee reads the server's lines in its own way. With a server that contradicts itself bot and
/// referee may follow different games; these complaints are left to the simulator, whose server means
/// what it says.
bool is_about_the_game(std::string_view complaint) {
  for (const char* words : {"our turn, an", "game line", "LOGOUT in mid-game", "AGREE",
                            "with the other side's sign", "the book is asked"}) {
    if (complaint.find(words) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

std::optional<bridge::Event> event_of(std::string_view line, World& world) {
  const char kind = line.front();
  const std::string rest(line.substr(1));
  switch (kind) {
    case '>':
      return world.engine ? std::optional<bridge::Event>(bridge::EngineLine{*world.engine, rest})
                          : std::nullopt;
    case '+':
      if (!std::exchange(world.is_connecting, false)) {
        return std::nullopt;
      }
      world.is_connected = true;
      return bridge::ServerConnected{};
    case '-':
      if (!world.is_connected && !world.is_connecting) {
        return std::nullopt;
      }
      world.is_connected = world.is_connecting = false;
      return bridge::ServerClosed{How::broken, base::verbatim(rest)};
    case 'x':
      if (!world.engine) {
        return std::nullopt;
      }
      return bridge::EngineExited{*std::exchange(world.engine, std::nullopt), base::verbatim("status 1")};
    case 'd': return bridge::StopRequested{bridge::Urgency::drain};
    case 'r': return bridge::StopRequested{bridge::Urgency::resign};
    case 'q': return bridge::StopRequested{bridge::Urgency::at_once};
    case 'b': {
      std::string lines = rest;
      std::replace(lines.begin(), lines.end(), ';', '\n');
      return bridge::BookAnswered{world.lookup, lines};
    }
    case 'c':
      return world.engine ? std::optional<bridge::Event>(bridge::ClockRecalled{
                                *world.engine, {static_cast<usi::ClockReading>(rest.size() % 4), false}})
                          : std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace

void bot(std::string_view bytes) {
  if (bytes.empty()) {
    return;
  }
  World world;
  support::Stage stage(config_for(static_cast<unsigned char>(bytes.front())), 1,
                       [&](Millis, const bridge::Event*, const bridge::Actions& actions) {
                         world.see(actions);
                       });
  stage.start();
  Segment segment;
  const auto end_segment = [&] {
    const std::vector<std::string> lines = segment.take();
    for (std::size_t i = 0; i < lines.size() && world.is_connected && !stage.is_over(); ++i) {
      stage.happen(bridge::ServerLine{lines[i], i + 1 < lines.size()});
    }
  };
  std::int64_t ticks = 0;
  std::size_t steps = 0;
  for (const std::string_view line : base::split(bytes.substr(1), '\n')) {
    if (stage.is_over() || ++steps > steps_max || ticks > ticks_max) {
      break;
    }
    const char kind = line.empty() ? ' ' : line.front();
    const bool has_more = kind == '[' || kind == '~';
    if (has_more || kind == '<') {
      segment.add(line.substr(1), kind == '~' ? csa::server_line_bytes_max : 0);
    }
    if (has_more) {
      continue;
    }
    end_segment();
    // A process starts at once; that it does not is the simulator's business.
    if (world.engine_to_start && !stage.is_over()) {
      world.engine = std::exchange(world.engine_to_start, std::nullopt);
      stage.happen(bridge::EngineStarted{*world.engine, 1});
    }
    if (kind == ' ' || kind == '<' || stage.is_over()) {
      continue;
    }
    if (kind == '@') {
      const auto count = std::clamp<std::int64_t>(base::parse_int(line.substr(1)).value_or(1), 0, 2'000);
      ticks += count;
      stage.pass_to(stage.at() + tick * count);
    } else if (const auto event = event_of(line, world)) {
      stage.happen(*event);
    }
  }
  end_segment();
  for (const std::string& complaint : stage.referee().complaints()) {
    require(is_about_the_game(complaint), complaint.c_str());
  }
}

}  // namespace kakehashi::fuzz
