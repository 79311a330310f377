#include "support/script.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "config/schema/keys.hpp"
#include "config/yaml/read_key.hpp"
#include "support/flow_yaml.hpp"
#include "support/stage.hpp"
#include "support/summary_block.hpp"

namespace kakehashi::support {

using base::Millis;
using base::trim;

namespace {

std::optional<Millis> parse_instant(std::string_view word) {
  if (word.size() < 3 || word.front() != '@' || word.back() != 's') {
    return std::nullopt;
  }
  word = word.substr(1, word.size() - 2);
  const std::size_t dot = word.find('.');
  const auto seconds = base::parse_int(word.substr(0, dot));
  std::int64_t millis = 0;
  if (dot != std::string_view::npos) {
    std::string decimals(word.substr(dot + 1));
    if (decimals.empty() || decimals.size() > 3) {
      return std::nullopt;
    }
    decimals.resize(3, '0');
    millis = base::parse_int(decimals).value_or(-1);
  }
  if (!seconds || millis < 0) {
    return std::nullopt;
  }
  return Millis{*seconds * 1000 + millis};
}

/// Takes the first word off a text.
std::string take_word(std::string_view& text) {
  text = trim(text);
  const std::size_t end = std::min(text.find(' '), text.size());
  std::string word(text.substr(0, end));
  text = trim(text.substr(end));
  return word;
}

/// A config line, read by the configuration's own table, so that a key and its values are written
/// as in a file. A value may be empty.
std::optional<std::string> configure(config::BotConfig& config, const std::string& path,
                                     const std::string& value) {
  constexpr std::string_view option = "engine.option.";
  if (path.starts_with(option)) {
    config.engine.options.emplace_back(path.substr(option.size()), value);
    return std::nullopt;
  }
  const config::Key* key = config::find_key(path);
  if (key == nullptr) {
    return "no such config key: " + path;
  }
  const config::YamlTree tree = read_flow(value);
  config::Report report("script");
  config::Places places;
  config::read_key({*key, tree, tree.root(), {}}, config, places, report);
  return report.problems.empty() ? std::nullopt : std::optional(report.problems.front().text.english());
}

bridge::EngineId engine_id(std::string_view word) {
  const std::size_t mark = word.find('#');
  const std::int64_t number =
      mark == std::string_view::npos ? 1 : base::parse_int(word.substr(mark + 1)).value_or(0);
  const std::string_view seat = word.substr(0, mark);
  const std::int64_t counted = seat.starts_with("seat") ? base::parse_int(seat.substr(4)).value_or(0) : 0;
  return {seat == "standby" ? 1U : static_cast<std::uint32_t>(counted), static_cast<std::uint32_t>(number)};
}

bool is_engine(std::string_view word) {
  return word.starts_with("engine") || word.starts_with("standby") || word.starts_with("seat");
}

bridge::ServerLine server_line(std::string text, bool more) {
  return {text == "(blank)" ? "" : std::move(text), more};
}

using Happenings = std::vector<Happening>;

base::Result<Happenings> read_line_input(const std::string& marker, std::string_view rest) {
  const std::string peer = take_word(rest);
  const bool more = marker == "<+";
  if (is_engine(peer)) {
    return Happenings{bridge::Event{bridge::EngineLine{engine_id(peer), std::string(rest)}}};
  }
  if (peer != "server") {
    return base::fail(base::verbatim("a line comes from server or engine, not " + peer));
  }
  if (!rest.starts_with("&summary")) {
    return Happenings{bridge::Event{server_line(std::string(rest), more)}};
  }
  const auto block = write_summary_block(rest.substr(8));
  if (!block) {
    return base::fail(block.error().what);
  }
  Happenings happenings;
  for (std::size_t i = 0; i < block->size(); ++i) {
    happenings.emplace_back(
        bridge::Event{bridge::ServerLine{(*block)[i], more || i + 1 < block->size()}});
  }
  return happenings;
}

base::Result<Happenings> read_server_fact(const std::string& fact, std::string_view rest) {
  using How = bridge::ServerClosed::How;
  if (fact == "connected") {
    return Happenings{bridge::Event{bridge::ServerConnected{base::verbatim("192.0.2.1:4081")}}};
  }
  if (fact == "refused") {
    return Happenings{bridge::Event{bridge::ServerClosed{How::refused, base::verbatim(std::string(rest))}}};
  }
  if (fact == "closed") {
    const std::string how = take_word(rest);
    const std::string why = rest.empty() ? "end of file" : std::string(rest);
    return Happenings{
        bridge::Event{bridge::ServerClosed{how == "eof" ? How::eof : How::broken, base::verbatim(why)}}};
  }
  return base::fail(base::verbatim("no such fact of the server: " + fact));
}

base::Result<Happenings> read_engine_fact(bridge::EngineId engine, const std::string& fact,
                                          std::string_view rest) {
  if (fact == "started") {
    return Happenings{bridge::Event{bridge::EngineStarted{engine, 4711}}};
  }
  if (fact == "failed") {
    return Happenings{bridge::Event{bridge::EngineFailedToStart{engine, base::verbatim(std::string(rest))}}};
  }
  if (fact == "stderr") {
    return Happenings{bridge::Event{bridge::EngineStderr{engine, std::string(rest)}}};
  }
  if (fact == "exits") {
    return Happenings{bridge::Event{bridge::EngineExited{engine, base::verbatim(std::string(rest))}}};
  }
  if (fact == "link") {
    // "engine link down out 20000 1000 wifi why it went"
    bridge::EngineLink link{.engine = engine, .is_up = take_word(rest) == "up", .is_out = take_word(rest) == "out"};
    link.round_trip = std::chrono::microseconds{base::parse_int(take_word(rest)).value_or(0)};
    link.deviation = std::chrono::microseconds{base::parse_int(take_word(rest)).value_or(0)};
    link.way = take_word(rest);
    link.why = base::verbatim(std::string(rest));
    return Happenings{bridge::Event{std::move(link)}};
  }
  if (fact == "clock") {
    const auto reading = usi::clock_reading_named(take_word(rest));
    return reading ? base::Result<Happenings>(Happenings{bridge::Event{
                         bridge::ClockRecalled{engine, {*reading, rest == "swapped"}}}})
                   : base::fail(base::verbatim("no such reading of a clock"));
  }
  return base::fail(base::verbatim("no such fact of the engine: " + fact));
}

base::Result<Happenings> read_fact(std::string_view rest) {
  const std::string subject = take_word(rest);
  const std::string fact = take_word(rest);
  if (subject == "bot" && fact == "starts") {
    return Happenings{BotStarts{}};
  }
  if (subject == "time" && fact == "passes") {
    return Happenings{TimePasses{}};
  }
  if (subject == "timer" && fact == "rings") {
    return Happenings{bridge::Event{bridge::TimerFired{}}};
  }
  if (subject == "server") {
    return read_server_fact(fact, rest);
  }
  if (is_engine(subject)) {
    return read_engine_fact(engine_id(subject), fact, rest);
  }
  if (subject == "link" && fact == "measured") {
    const auto words = base::split_words(rest);
    const auto number = [&](std::size_t i) {
      return i < words.size() ? base::parse_int(words[i]).value_or(0) : 0;
    };
    return Happenings{bridge::Event{
        bridge::LinkMeasured{std::chrono::microseconds{number(0)}, std::chrono::microseconds{number(1)}}}};
  }
  if (subject == "record" && fact == "failed") {
    return Happenings{
        bridge::Event{bridge::RecordWritten{"records/game.csa", base::verbatim(std::string(rest))}}};
  }
  if (subject == "book") {
    // "book 2 7g7f none 50 0 1; 2g2f …": the answer to the second question.
    std::string lines = fact == "none" ? std::string() : std::string(rest);
    std::replace(lines.begin(), lines.end(), ';', '\n');
    return Happenings{bridge::Event{bridge::BookAnswered{
        static_cast<std::uint64_t>(base::parse_int(fact).value_or(0)), std::move(lines)}}};
  }
  if (subject == "stop") {
    const bridge::Urgency urgency = fact == "drain"    ? bridge::Urgency::drain
                                    : fact == "renew"  ? bridge::Urgency::renew
                                    : fact == "resign" ? bridge::Urgency::resign
                                                       : bridge::Urgency::at_once;
    return Happenings{bridge::Event{bridge::StopRequested{urgency}}};
  }
  return base::fail(base::verbatim("no such fact: " + subject + " " + fact));
}

/// The usual beginnings: `booted` ends with a ready engine, `logged_in` waits for a game.
base::Result<Happenings> read_beginning(std::string_view name) {
  const auto from_engine = [](const char* text) {
    return bridge::Event{bridge::EngineLine{bridge::EngineId{0, 1}, text}};
  };
  Happenings happenings{BotStarts{},
                        bridge::Event{bridge::EngineStarted{bridge::EngineId{0, 1}, 4711}},
                        from_engine("id name Fake 1.0"),
                        from_engine("option name USI_Ponder type check default false"),
                        from_engine("usiok"),
                        from_engine("readyok")};
  if (name == "logged_in") {
    happenings.emplace_back(bridge::Event{bridge::ServerConnected{base::verbatim("192.0.2.1:4081")}});
    happenings.emplace_back(bridge::Event{bridge::ServerLine{"LOGIN:mybot OK", false}});
  } else if (name != "booted") {
    return base::fail(base::verbatim("no such beginning: " + std::string(name)));
  }
  return happenings;
}

/// Further engines are there by now, each with a name.
base::Result<Happenings> read_ready(std::string_view engines) {
  Happenings happenings;
  for (const std::string_view word : base::split_words(engines)) {
    if (!is_engine(word)) {
      return base::fail(base::verbatim("no such engine: " + std::string(word)));
    }
    const bridge::EngineId engine = engine_id(word);
    happenings.emplace_back(bridge::Event{bridge::EngineStarted{engine, 4711}});
    for (const char* line : {engine.seat == 1 ? "id name Second 1.0" : "id name Third 1.0", "usiok", "readyok"}) {
      happenings.emplace_back(bridge::Event{bridge::EngineLine{engine, line}});
    }
  }
  return happenings;
}

/// What many scripts begin with, and others are about.
base::Result<Happenings> read_usual(std::string_view rest) {
  const std::string name = take_word(rest);
  if (name == "ready") {
    return read_ready(rest);
  }
  if (name != "game") {
    return read_beginning(name);
  }
  auto happenings = read_line_input("<", "server &summary " + std::string(rest));
  if (happenings) {
    happenings->emplace_back(bridge::Event{bridge::ServerLine{"START:test+1", false}});
  }
  return happenings;
}

base::Result<Happenings> read_input(const std::string& marker, std::string_view rest) {
  if (marker == "!") {
    return read_fact(rest);
  }
  if (marker == "&") {
    return read_usual(rest);
  }
  return read_line_input(marker, rest);
}

}  // namespace

std::string format_instant(Millis at) {
  std::string text = "@" + std::to_string(at.count() / 1000);
  if (const auto millis = at.count() % 1000; millis != 0) {
    std::string decimals = std::to_string(1000 + millis).substr(1);
    decimals.erase(decimals.find_last_not_of('0') + 1);
    text += "." + decimals;
  }
  return text + "s";
}

base::Result<Script> read_script(std::string name, std::string_view text) {
  Script script;
  script.name = std::move(name);
  script.config = stage_config();
  std::vector<std::string> pending;
  bool in_header = true;
  std::size_t number = 0;
  const auto fail_here = [&](const std::string& what) {
    return base::fail(base::verbatim(script.name + ", line " + std::to_string(number) + ": " + what));
  };
  if (text.ends_with('\n')) {
    text.remove_suffix(1);
  }
  for (const std::string_view line : base::split(text, '\n')) {
    ++number;
    std::string_view rest = line;
    if (!line.starts_with('@')) {
      (in_header ? script.header : pending).emplace_back(line);
      const std::string word = take_word(rest);
      if (word == "config") {
        const std::size_t sign = std::min(rest.find('='), rest.size() - 1);
        if (const auto problem =
                configure(script.config, std::string(trim(rest.substr(0, sign))),
                          std::string(trim(rest.substr(sign + 1))))) {
          return fail_here(*problem);
        }
      } else if (word == "show" && rest == "records") {
        script.shows_records = true;
      } else if (!word.empty() && !word.starts_with('#')) {
        return fail_here("a line begins with @, #, config or show");
      }
      continue;
    }
    in_header = false;
    const auto at = parse_instant(take_word(rest));
    if (!at) {
      return fail_here("the instant cannot be read");
    }
    const std::string marker = take_word(rest);
    if (marker == ">" || marker == "*" || marker == "=") {
      continue;  // what is expected; it is compared as a whole
    }
    if (marker != "<" && marker != "<+" && marker != "!" && marker != "&") {
      return fail_here("no such marker: " + marker);
    }
    auto happenings = read_input(marker, rest);
    if (!happenings) {
      return fail_here(happenings.error().what.english());
    }
    for (const Happening& happening : *happenings) {
      const auto* event = std::get_if<bridge::Event>(&happening);
      script.tells_clocks = script.tells_clocks ||
                            (event != nullptr && std::holds_alternative<bridge::ClockRecalled>(*event));
    }
    script.inputs.push_back({std::exchange(pending, {}), *at, marker + " " + std::string(rest),
                             std::move(*happenings), marker == "&"});
  }
  script.after = std::move(pending);
  return script;
}

}  // namespace kakehashi::support
