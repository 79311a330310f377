#include "journal/journal_text.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <variant>

#include "base/overload.hpp"
#include "base/text.hpp"
#include "config/game_settings.hpp"
#include "config/schema/keys.hpp"
#include "config/schema/plain_settings.hpp"

namespace kakehashi::journal {
namespace {

constexpr std::size_t text_bytes_max = 400;
constexpr std::size_t instant_columns = 13;

/// As it stands, unless it holds what would confuse a terminal.
std::string shown(const std::string& text) {
  const std::string quoted = base::quote_for_log(text, text_bytes_max);
  return quoted == '"' + text + '"' ? text : quoted;
}

std::string row(const char* mark, const std::string& who, const std::string& text) {
  return std::string(mark) + " " + who + (text.empty() ? "" : "  " + shown(text));
}

/// "2026-11-21 03:15:22 UTC".
std::string format_wall(base::WallTime wall) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", base::calendar(wall));
}

/// What a script may not change: places on a machine, and what the core never sees.
bool is_for_scripts(const std::string& key) {
  return !key.starts_with("log.") && !key.starts_with("journal.") &&
         !key.starts_with("account.password") && key != "records.utc_offset" && key != "schedule.offsets" && key != "notify" &&
         !key.ends_with(".command") && !key.ends_with(".directory") &&
         !key.ends_with(".environment");
}

std::optional<std::string> config_line(const config::PlainSetting& setting) {
  if (!is_for_scripts(setting.key) || setting.values.empty()) {
    return std::nullopt;
  }
  const std::vector<config::PlainSetting> defaults = config::plain_settings({});
  const bool is_default = std::find(defaults.begin(), defaults.end(), setting) != defaults.end();
  // The scripts' own beginning names a game and a margin; no other value of theirs is the default.
  if (is_default && setting.key != "game.name" && setting.key != "time.margin") {
    return std::nullopt;
  }
  if (setting.key == "engine.standby.options") {
    return setting.values.size() == 2 ? std::optional("config engine.standby.options = {" +
                                                      setting.values[0] + ": " +
                                                      setting.values[1] + "}")
                                      : std::nullopt;
  }
  if (setting.key == "engine.team") {
    config::BotConfig then;
    if (!config::apply(setting, then)) {
      return std::nullopt;
    }
    const config::FurtherEngine& member = then.engine.team.front();
    return "config engine.team = [{" + (member.name.empty() ? "" : "name: " + member.name + ", ") +
           "weight: " + std::to_string(member.weight) + "}]";
  }
  if (setting.key == "engine.options") {
    return setting.values.size() == 2
               ? std::optional("config engine.option." + setting.values[0] + " = " + setting.values[1])
               : std::nullopt;
  }
  if (setting.key == "rules") {
    config::BotConfig then;
    return config::apply(setting, then) ? std::optional("config rules = [" + config::spell_rule(then.rules.front()) + "]") : std::nullopt;
  }
  if (setting.key == "game.resign") {
    return "config game.resign = " + config::spell_value(*config::find_key(setting.key), setting);
  }
  const config::Key* key = config::find_key(setting.key);
  if (key != nullptr && std::holds_alternative<config::TextsKey>(key->shape)) {
    return "config " + setting.key + " = [" + base::join(setting.values, ", ") + "]";
  }
  const auto* number = key == nullptr ? nullptr : std::get_if<config::NumberKey>(&key->shape);
  const bool is_duration = number != nullptr && number->unit == config::NumberKey::Unit::millis && setting.values[0] != "auto";
  return "config " + setting.key + " = " + setting.values[0] + (is_duration ? "ms" : "");
}

const char* word_of(bridge::ServerClosed::How how) {
  switch (how) {
    case bridge::ServerClosed::How::refused: return "refused";
    case bridge::ServerClosed::How::eof: return "closed eof";
    case bridge::ServerClosed::How::broken: return "closed broken";
  }
  return "closed eof";
}

const char* word_of(bridge::Urgency urgency) {
  switch (urgency) {
    case bridge::Urgency::drain: return "drain";
    case bridge::Urgency::resign: return "resign";
    case bridge::Urgency::at_once: return "at_once";
    case bridge::Urgency::renew: return "renew";
  }
  return "drain";
}

/// An event as scripts spell it.
struct Spelled {
  std::string head;
  std::string text{};   ///< a peer's, as a rule
  std::string aside{};  ///< for people only
  bool is_for_scripts = true;
};

Spelled spelled(const bridge::Event& event) {
  const auto of = [](const auto& e, const std::string& what) { return "! " + bridge::engine_word(e.engine) + " " + what; };
  return std::visit(
      base::Overload{
          [](const bridge::ServerConnected& e) { return Spelled{"! server connected", "", e.peer.english()}; },
          [](const bridge::ServerLine& e) {
            return Spelled{e.more ? "<+ server" : "< server", e.text.empty() ? "(blank)" : e.text};
          },
          [](const bridge::ServerClosed& e) { return Spelled{std::string("! server ") + word_of(e.how), e.why.english()}; },
          [&](const bridge::EngineStarted& e) {
            return Spelled{of(e, "started"), "",
                           "process " + std::to_string(e.process) + (e.withheld.empty() ? "" : ", without " + e.withheld)};
          },
          [&](const bridge::EngineFailedToStart& e) { return Spelled{of(e, "failed"), e.why.english()}; },
          [](const bridge::EngineLine& e) { return Spelled{"< " + bridge::engine_word(e.engine), e.text}; },
          [&](const bridge::EngineStderr& e) { return Spelled{of(e, "stderr"), e.text}; },
          [&](const bridge::EngineExited& e) { return Spelled{of(e, "exits"), e.status.english()}; },
          [&](const bridge::EngineLink& e) {
            return Spelled{of(e, e.is_up ? "link up " : "link down ") + (e.is_out ? "out " : "on ") +
                               std::to_string(e.round_trip.count()) + " " + std::to_string(e.deviation.count()),
                           e.way + (e.way.empty() || e.why.empty() ? "" : " ") + e.why.english()};
          },
          [](const bridge::TimerFired&) { return Spelled{.head = "! timer", .is_for_scripts = false}; },
          [](const bridge::StopRequested& e) { return Spelled{std::string("! stop ") + word_of(e.urgency)}; },
          [](const bridge::BookAnswered& e) {
            std::string lines = e.lines;
            std::replace(lines.begin(), lines.end(), '\n', ';');
            return Spelled{"! book " + std::to_string(e.number), lines};
          },
          [&](const bridge::ClockRecalled& e) {
            return Spelled{of(e, "clock ") + std::string(usi::word_of(e.clocks.reading)) + (e.clocks.swaps_sides ? " swapped" : "")};
          },
          [](const bridge::RecordWritten& e) {
            return e.why.empty() ? Spelled{"! record written", e.path, "", false} : Spelled{"! record failed", e.why.english()};
          },
          [](const bridge::LinkMeasured& e) {
            return Spelled{"! link measured " + std::to_string(e.rtt.count()) + " " + std::to_string(e.variance.count())};
          },
      },
      event);
}

std::string format_row(base::Millis at, const std::string& text) {
  return fmt::format("@{}.{:03}s {}\n", at.count() / 1000, at.count() % 1000, text);
}

}  // namespace

std::string describe(const bridge::Event& event) {
  const Spelled words = spelled(event);
  return words.head + (words.text.empty() ? "" : "  " + shown(words.text)) +
         (words.aside.empty() ? "" : "  (" + shown(words.aside) + ")");
}

std::string describe(const bridge::Action& action) {
  return std::visit(
      base::Overload{
          [](const bridge::ConnectServer&) { return std::string("> server (connect)"); },
          [](const bridge::WriteServer& a) {
            return row(">", "server", a.log_as.empty() ? "(blank)" : a.log_as);
          },
          [](const bridge::CloseServer&) { return std::string("> server (close)"); },
          [](const bridge::HoldLine& a) {
            return "> server (held without a sign of life for " + base::format_millis(a.patience.count()) + ")";
          },
          [](const bridge::StartEngine& a) { return "> " + bridge::engine_word(a.engine) + " (start)"; },
          [](const bridge::WriteEngine& a) { return row(">", bridge::engine_word(a.engine), a.line); },
          [](const bridge::StopEngineAt& a) { return "> keeper of " + bridge::engine_word(a.engine) + " (the time to stop)"; },
          [](const bridge::KillEngine& a) {
            return "> " + bridge::engine_word(a.engine) + " (kill, after " +
                   base::format_millis(a.grace.count()) + ")";
          },
          [](const bridge::ArmTimer&) { return std::string("> timer"); },
          [](const bridge::BeginRecord& a) { return row("=", "record begins", a.stem); },
          [](const bridge::AppendRecord& a) { return row("=", "record", a.text); },
          [](const bridge::FinishRecord&) { return std::string("= record ends"); },
          [](const bridge::Note& a) {
            return row("*", std::string(bridge::describe(a.level)) + "  " + a.code, a.text.english());
          },
          [](const bridge::LookUpBook& a) { return row(">", "book", a.position); },
          [](const bridge::RecallClock& a) { return row(">", "clock of " + bridge::engine_word(a.engine), a.facts); },
          [](const bridge::KeepClock& a) {
            return row("=", "clock of " + bridge::engine_word(a.engine), usi::describe(a.clocks.reading).english());
          },
          [](const bridge::IsFact auto& a) {
            const auto incident = bridge::incident_of(a);
            return row("=", "fact", incident ? bridge::code_of(*incident) : "paired");
          },
          [](const bridge::ReportReady&) { return std::string("> supervisor (ready)"); },
          [](const bridge::PhaseChanged& a) { return row(">", "supervisor", bridge::name_of(a.phase).english()); },
          [](const bridge::Exit& a) { return "> exit " + std::to_string(a.status); },
      },
      action);
}

std::string Timeline::instant() const {
  if (!started_) {
    return "";
  }
  const auto millis = base::millis_between(started_->steady, last_).count();
  return fmt::format("{:+}.{:03} s", millis / 1000, std::abs(millis % 1000));
}

std::optional<std::string> Timeline::line(const Entry& entry) {
  using Line = std::optional<std::string>;
  const auto placed = [this](const std::string& text) {
    std::string at = instant();
    at.resize(std::max(instant_columns, at.size() + 1), ' ');
    return at + text;
  };
  return std::visit(
      base::Overload{
          [](const Opened& o) -> Line {
            return "# " + shown(o.bot) + ", run " + shown(o.run) + ", part " +
                   std::to_string(o.part) + ", written by " + shown(o.program) +
                   (o.is_condensed ? ", condensed" : "");
          },
          [](const config::PlainSetting&) -> Line { return std::nullopt; },
          [&](const Started& s) -> Line {
            started_ = s.now;
            last_ = s.now.steady;
            return "# started " + format_wall(s.now.wall) + ", seed " + std::to_string(s.seed);
          },
          [&](const Happened& h) -> Line {
            if (!started_) {
              started_ = h.now;  // the beginning is missing
            }
            last_ = h.now.steady;
            return std::holds_alternative<bridge::TimerFired>(h.event) ? Line() : placed(describe(h.event));
          },
          [&](const bridge::Action& action) -> Line {
            const bool is_fact = std::visit([]<class A>(const A&) { return bridge::IsFact<A>; }, action);  // its note tells it
            return is_fact || std::holds_alternative<bridge::ArmTimer>(action) ? Line() : placed(describe(action));
          },
          [&](const Broken& b) -> Line { return placed("# broken: " + shown(b.why)); },
          [&](const Closed& c) -> Line { return placed("# closed: " + shown(c.why)); },
          [&](const Full&) -> Line { return placed("# full: the rest of this game was not written"); },
      },
      entry);
}

std::string write_script(const Contents& contents) {
  std::string text;
  base::SteadyTime beginning{};
  std::optional<base::Millis> behind;  // the last input: what the script leaves out
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
      const Spelled words = spelled(happened->event);
      const auto at = std::max(base::Millis{0}, base::millis_between(beginning, happened->now.steady));
      if (words.is_for_scripts) {
        text += format_row(at, words.head + (words.text.empty() ? "" : " " + words.text));
      }
      behind = words.is_for_scripts ? std::nullopt : std::optional(at);
    }
  }
  return text + (behind ? format_row(*behind, "! time passes") : "");
}

}  // namespace kakehashi::journal
