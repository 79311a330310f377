#include "bridge/journal/journal_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <variant>

#include "base/overload.hpp"
#include "config/game_settings.hpp"
#include "config/schema/keys.hpp"
#include "config/schema/plain_settings.hpp"

namespace kakehashi::bridge::journal {
namespace {

/// What a script may not change: places on a machine, and what the core never sees.
bool is_for_scripts(const std::string& key) {
  return !key.starts_with("log.") && !key.starts_with("journal.") &&
         !key.starts_with("account.password") && key != "records.utc_offset" && key != "schedule.offsets" &&
         !key.ends_with(".command") && !key.ends_with(".directory") &&
         !key.ends_with(".environment");
}

std::string joined(const std::vector<std::string>& texts) {
  std::string line;
  for (const std::string& text : texts) {
    line += (line.empty() ? "" : ", ") + text;
  }
  return line;
}

std::optional<std::string> config_line(const config::PlainSetting& setting) {
  if (!is_for_scripts(setting.key) || setting.values.empty()) {
    return std::nullopt;
  }
  const std::vector<config::PlainSetting> defaults = config::plain_settings({});
  const bool is_default = std::find(defaults.begin(), defaults.end(), setting) != defaults.end();
  // The scripts' own beginning names a game; no other value of it is the default.
  if (is_default && setting.key != "game.name") {
    return std::nullopt;
  }
  if (setting.key == "engine.standby.options") {
    return setting.values.size() == 2 ? std::optional("config engine.standby.options = {" +
                                                      setting.values[0] + ": " +
                                                      setting.values[1] + "}")
                                      : std::nullopt;
  }
  if (setting.key == "engine.team") {
    const auto member = config::member_of_plain(setting.values);
    return member ? std::optional("config engine.team = [{" + (member->name.empty() ? "" : "name: " + member->name + ", ") +
                                  "weight: " + std::to_string(member->weight) + "}]")
                  : std::nullopt;
  }
  if (setting.key == "engine.options") {
    return setting.values.size() == 2
               ? std::optional("config engine.option." + setting.values[0] + " = " + setting.values[1])
               : std::nullopt;
  }
  if (setting.key == "rules") {
    const auto rule = config::rule_of_plain(setting.values);
    return rule ? std::optional("config rules = [" + config::spell_rule(*rule) + "]") : std::nullopt;
  }
  if (setting.key == "game.resign") {
    return "config game.resign = " + config::spell_value(setting);
  }
  const config::Key* key = config::find_key(setting.key);
  if (key != nullptr && std::holds_alternative<config::TextsKey>(key->shape)) {
    return "config " + setting.key + " = [" + joined(setting.values) + "]";
  }
  const bool is_duration =
      key != nullptr && (std::holds_alternative<config::DurationKey>(key->shape) ||
                         (std::holds_alternative<config::AutoDurationKey>(key->shape) &&
                          setting.values[0] != "auto"));
  return "config " + setting.key + " = " + setting.values[0] + (is_duration ? "ms" : "");
}

std::string closed_line(const ServerClosed& closed) {
  switch (closed.how) {
    case ServerClosed::How::refused: return "! server refused " + closed.why;
    case ServerClosed::How::eof: return "! server closed eof " + closed.why;
    case ServerClosed::How::broken: return "! server closed broken " + closed.why;
  }
  return "! server closed eof";
}

std::string stop_line(Urgency urgency) {
  switch (urgency) {
    case Urgency::drain: return "! stop drain";
    case Urgency::resign: return "! stop resign";
    case Urgency::at_once: return "! stop at_once";
    case Urgency::renew: return "! stop renew";
  }
  return "! stop drain";
}

std::optional<std::string> input_line(const Event& event) {
  using Line = std::optional<std::string>;
  return std::visit(
      base::Overload{
          [](const ServerConnected&) -> Line { return "! server connected"; },
          [](const ServerLine& e) -> Line {
            return std::string(e.more ? "<+" : "<") + " server " +
                   (e.text.empty() ? "(blank)" : e.text);
          },
          [](const ServerClosed& e) -> Line { return closed_line(e); },
          [](const EngineStarted& e) -> Line { return "! " + engine_word(e.engine) + " started"; },
          [](const EngineFailedToStart& e) -> Line {
            return "! " + engine_word(e.engine) + " failed " + e.why;
          },
          [](const EngineLine& e) -> Line { return "< " + engine_word(e.engine) + " " + e.text; },
          [](const EngineStderr& e) -> Line {
            return "! " + engine_word(e.engine) + " stderr " + e.text;
          },
          [](const EngineExited& e) -> Line {
            return "! " + engine_word(e.engine) + " exits " + e.status;
          },
          [](const EngineLink& e) -> Line {
            return "! " + engine_word(e.engine) + " link " + (e.is_up ? "up " : "down ") + (e.is_out ? "out " : "on ") +
                   std::to_string(e.round_trip.count()) + " " + std::to_string(e.deviation.count()) +
                   (e.way.empty() ? "" : " " + e.way) + (e.why.empty() ? "" : " " + e.why);
          },
          [](const TimerFired&) -> Line { return std::nullopt; },
          [](const StopRequested& e) -> Line { return stop_line(e.urgency); },
          [](const BookAnswered& e) -> Line {
            std::string lines = e.lines;
            std::replace(lines.begin(), lines.end(), '\n', ';');
            return "! book " + std::to_string(e.number) + " " + lines;
          },
          [](const ClockRecalled& e) -> Line {
            return "! " + engine_word(e.engine) + " clock " + std::string(usi::word_of(e.clocks.reading)) +
                   (e.clocks.swaps_sides ? " swapped" : "");
          },
          [](const RecordWritten& e) -> Line {
            return e.why.empty() ? std::nullopt : Line("! record failed " + e.why);
          },
          [](const LinkMeasured& e) -> Line {
            return "! link measured " + std::to_string(e.rtt.count()) + " " +
                   std::to_string(e.variance.count());
          },
      },
      event);
}

std::string format_row(base::Millis at, const std::string& text) {
  return fmt::format("@{}.{:03}s {}\n", at.count() / 1000, at.count() % 1000, text);
}

}  // namespace

std::string write_script(const Contents& contents) {
  std::string text;
  base::SteadyTime beginning{};
  for (const Numbered& numbered : contents.entries) {
    if (const auto* opened = std::get_if<Opened>(&numbered.entry); opened && opened->part == 1) {
      text += "# From the journal of run " + opened->run + " by " + opened->program +
              ". Say here what it proves.\n";
    } else if (const auto* setting = std::get_if<config::PlainSetting>(&numbered.entry)) {
      const auto line = config_line(*setting);
      text += line ? *line + "\n" : "";
    } else if (const auto* started = std::get_if<Started>(&numbered.entry)) {
      beginning = started->now.steady;
      text += "\n" + format_row(base::Millis{0}, "! bot starts");
    } else if (const auto* happened = std::get_if<Happened>(&numbered.entry)) {
      const auto line = input_line(happened->event);
      const auto at = std::max(base::Millis{0}, base::millis_between(beginning, happened->now.steady));
      text += line ? format_row(at, *line) : "";
    }
  }
  return text;
}

}  // namespace kakehashi::bridge::journal
