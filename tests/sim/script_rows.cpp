#include "sim/script_rows.hpp"

#include <algorithm>

#include "base/overload.hpp"
#include "config/schema/keys.hpp"
#include "config/schema/plain_settings.hpp"
#include "support/script.hpp"
#include "support/stage.hpp"

namespace kakehashi::sim {

namespace {

/// Line ends and the like would break the script.
std::string printable(const std::string& text) {
  std::string line = text;
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return line.empty() ? "(blank)" : line;
}

const char* word_of(bridge::ServerClosed::How how) {
  switch (how) {
    case bridge::ServerClosed::How::refused: return "refused ";
    case bridge::ServerClosed::How::eof: return "closed eof ";
    case bridge::ServerClosed::How::broken: return "closed broken ";
  }
  return "closed broken ";
}

const char* word_of(bridge::Urgency urgency) {
  switch (urgency) {
    case bridge::Urgency::drain: return "drain";
    case bridge::Urgency::resign: return "resign";
    case bridge::Urgency::at_once: return "at_once";
    case bridge::Urgency::renew: return "renew";
  }
  return "at_once";
}

using Text = std::optional<std::string>;

/// The config lines that make these settings of the stage's own.
std::string config_lines(const config::BotConfig& config) {
  const auto ordinary = config::plain_settings(support::stage_config());
  std::string lines;
  for (const config::PlainSetting& setting : config::plain_settings(config)) {
    const config::Key* key = config::find_key(setting.key);
    const bool is_ordinary =
        std::find(ordinary.begin(), ordinary.end(), setting) != ordinary.end();
    if (key == nullptr || is_ordinary || setting.values.size() != 1) {
      continue;
    }
    const auto* number = std::get_if<config::NumberKey>(&key->shape);
    const bool is_duration = number != nullptr && number->unit == config::NumberKey::Unit::millis &&
                             setting.values.front() != "auto";
    lines += "config " + setting.key + " = " + setting.values.front() +
             (is_duration ? "ms\n" : "\n");
  }
  return lines;
}

}  // namespace

std::optional<std::string> script_row(base::Millis at, const bridge::Event* event) {
  const std::string instant = support::format_instant(at) + "  ";
  if (event == nullptr) {
    return instant + "! bot starts";
  }
  const Text text = std::visit(
      base::Overload{
          [](const bridge::ServerConnected&) { return Text("! server connected"); },
          [](const bridge::ServerLine& e) {
            return Text((e.more ? "<+ server " : "< server ") + printable(e.text));
          },
          [](const bridge::ServerClosed& e) {
            return Text("! server " + std::string(word_of(e.how)) + e.why.english());
          },
          [](const bridge::EngineStarted& e) {
            return Text("! " + bridge::engine_word(e.engine) + " started");
          },
          [](const bridge::EngineFailedToStart& e) {
            return Text("! " + bridge::engine_word(e.engine) + " failed " + e.why.english());
          },
          [](const bridge::EngineLine& e) {
            return Text("< " + bridge::engine_word(e.engine) + " " + printable(e.text));
          },
          [](const bridge::EngineStderr& e) {
            return Text("! " + bridge::engine_word(e.engine) + " stderr " + e.text);
          },
          [](const bridge::EngineExited& e) {
            return Text("! " + bridge::engine_word(e.engine) + " exits " + e.status.english());
          },
          [](const bridge::EngineLink&) { return Text(); },
          [](const bridge::TimerFired&) { return Text(); },
          [](const bridge::StopRequested& e) {
            return Text(std::string("! stop ") + word_of(e.urgency));
          },
          [](const bridge::BookAnswered&) { return Text(); },
          [](const bridge::ClockRecalled&) { return Text(); },
          [](const bridge::RecordWritten& e) {
            return e.why.empty() ? Text() : Text("! record failed " + e.why.english());
          },
          [](const bridge::LinkMeasured& e) {
            return Text("! link measured " + std::to_string(e.rtt.count()) + " " +
                        std::to_string(e.variance.count()));
          },
      },
      *event);
  return text ? Text(instant + *text) : Text();
}

std::string script_head(const Scenario& scenario, std::size_t bot, const std::string& complaint) {
  return "# Found by the simulator, seed " + std::to_string(scenario.seed) + ".\n# " +
         printable(complaint) + "\n" + config_lines(scenario.bots[bot].config) + "\n";
}

}  // namespace kakehashi::sim
