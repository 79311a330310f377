#include "journal/journal.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <utility>

#include "base/checksum.hpp"
#include "base/overload.hpp"
#include "base/text.hpp"
#include "journal/journal_fields.hpp"

namespace kakehashi::journal {

// Which fields each event, action and entry of our own has in a journal, and what it is called there: one row for each. A row that is
// missing does not compile.

/// `kind` and `fields(value)`, which gives references to all members; for const values too.
template <class T>
struct Form;

#define KAKEHASHI_JOURNAL_FORM(type, name, ...)                                       \
  template <>                                                                         \
  struct Form<type> {                                                                 \
    static constexpr const char* kind = name;                                         \
    static auto fields([[maybe_unused]] auto& value) { return std::tie(__VA_ARGS__); } \
  }

KAKEHASHI_JOURNAL_FORM(Opened, "#journal", value.format, value.program, value.bot, value.run, value.part, value.is_condensed);
KAKEHASHI_JOURNAL_FORM(Started, "#start", value.seed, value.now.steady, value.now.wall);
KAKEHASHI_JOURNAL_FORM(Broken, "#broken", value.why);
KAKEHASHI_JOURNAL_FORM(Closed, "#closed", value.why);
KAKEHASHI_JOURNAL_FORM(Full, "#full");

KAKEHASHI_JOURNAL_FORM(bridge::ServerConnected, "server_connected", value.peer);
KAKEHASHI_JOURNAL_FORM(bridge::ServerLine, "server_line", value.text, value.more);
KAKEHASHI_JOURNAL_FORM(bridge::ServerClosed, "server_closed", value.how, value.why);
KAKEHASHI_JOURNAL_FORM(bridge::EngineStarted, "engine_started", value.engine, value.process, value.withheld, value.directory);
KAKEHASHI_JOURNAL_FORM(bridge::EngineFailedToStart, "engine_failed_to_start", value.engine, value.why);
KAKEHASHI_JOURNAL_FORM(bridge::EngineLine, "engine_line", value.engine, value.text);
KAKEHASHI_JOURNAL_FORM(bridge::EngineStderr, "engine_stderr", value.engine, value.text);
KAKEHASHI_JOURNAL_FORM(bridge::EngineExited, "engine_exited", value.engine, value.status);
KAKEHASHI_JOURNAL_FORM(bridge::EngineLink, "engine_link", value.engine, value.way, value.is_up, value.is_out, value.why,
                       value.round_trip, value.deviation);
KAKEHASHI_JOURNAL_FORM(bridge::TimerFired, "timer_fired");
KAKEHASHI_JOURNAL_FORM(bridge::StopRequested, "stop_requested", value.urgency);
KAKEHASHI_JOURNAL_FORM(bridge::RecordWritten, "record_written", value.path, value.why);
KAKEHASHI_JOURNAL_FORM(bridge::LinkMeasured, "link_measured", value.rtt, value.variance);
KAKEHASHI_JOURNAL_FORM(bridge::BookAnswered, "book_answered", value.number, value.lines);
KAKEHASHI_JOURNAL_FORM(bridge::ClockRecalled, "clock_recalled", value.engine, value.clocks.reading,
                       value.clocks.swaps_sides);

KAKEHASHI_JOURNAL_FORM(bridge::ConnectServer, "connect_server");
/// What may be shown stands for the line itself.
KAKEHASHI_JOURNAL_FORM(bridge::WriteServer, "write_server", value.log_as);
KAKEHASHI_JOURNAL_FORM(bridge::CloseServer, "close_server");
KAKEHASHI_JOURNAL_FORM(bridge::HoldLine, "hold_line", value.patience);
KAKEHASHI_JOURNAL_FORM(bridge::StartEngine, "start_engine", value.engine);
KAKEHASHI_JOURNAL_FORM(bridge::WriteEngine, "write_engine", value.engine, value.line);
KAKEHASHI_JOURNAL_FORM(bridge::StopEngineAt, "stop_engine_at", value.engine, value.at);
KAKEHASHI_JOURNAL_FORM(bridge::KillEngine, "kill_engine", value.engine, value.grace);
KAKEHASHI_JOURNAL_FORM(bridge::ArmTimer, "arm_timer", value.deadline);
KAKEHASHI_JOURNAL_FORM(bridge::BeginRecord, "begin_record", value.stem, value.extensions, value.text,
                       value.source);
KAKEHASHI_JOURNAL_FORM(bridge::AppendRecord, "append_record", value.text, value.source);
KAKEHASHI_JOURNAL_FORM(bridge::FinishRecord, "finish_record", value.files, value.stem);
KAKEHASHI_JOURNAL_FORM(bridge::LookUpBook, "look_up_book", value.number, value.position);
KAKEHASHI_JOURNAL_FORM(bridge::RecallClock, "recall_clock", value.engine, value.facts);
KAKEHASHI_JOURNAL_FORM(bridge::KeepClock, "keep_clock", value.engine, value.facts, value.clocks.reading,
                       value.clocks.swaps_sides);
KAKEHASHI_JOURNAL_FORM(bridge::Note, "note", value.level, value.code, value.text, value.fields);
KAKEHASHI_JOURNAL_FORM(bridge::Paired, "paired", value.opponent, value.us, value.game_id);
KAKEHASHI_JOURNAL_FORM(bridge::GameStarted, "game_started", value.game_id);
KAKEHASHI_JOURNAL_FORM(bridge::GameEnded, "game_ended", value.outcome, value.reason, value.is_lost_sight, value.opponent,
                       value.game_id, value.moves);
KAKEHASHI_JOURNAL_FORM(bridge::RescuePlayed, "rescue_played", value.cause, value.how);
KAKEHASHI_JOURNAL_FORM(bridge::Occurred, "occurred", value.what, value.trouble);
KAKEHASHI_JOURNAL_FORM(bridge::ReportReady, "report_ready");
KAKEHASHI_JOURNAL_FORM(bridge::PhaseChanged, "report_status", value.phase);
KAKEHASHI_JOURNAL_FORM(bridge::Exit, "exit", value.status);

#undef KAKEHASHI_JOURNAL_FORM
namespace {

constexpr std::size_t sum_digits = 8;

using base::fail;
using base::say;
using Texts = std::span<const std::string_view>;

/// By hand: it is on the way of each move.
std::array<char, sum_digits> hexadecimal(std::uint32_t sum) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::array<char, sum_digits> spelled;
  for (auto digit = spelled.rbegin(); digit != spelled.rend(); ++digit, sum >>= 4U) {
    *digit = digits[sum & 15U];
  }
  return spelled;
}

// --- writing

template <class... Fields>
void put_fields(std::string& text, const Fields&... fields) {
  ((text += '\t', spell(text, fields)), ...);
}

template <class T>
void put_all(std::string& text, const T& value) {
  std::apply([&](const auto&... fields) { put_fields(text, fields...); }, Form<T>::fields(value));
}

void put(std::string& text, base::Now now, const bridge::Event& event) {
  std::visit(
      [&]<class E>(const E& one) {
        (text += '<') += Form<E>::kind;
        put_fields(text, now.steady, now.wall);
        put_all(text, one);
      },
      event);
}

void put(std::string& text, const bridge::Action& action) {
  std::visit(
      [&]<class A>(const A& one) {
        (text += '>') += Form<A>::kind;
        put_all(text, one);
      },
      action);
}

void put(std::string& text, const Entry& entry) {
  std::visit(base::Overload{
                 [&](const config::PlainSetting& setting) {
                   text += "#setting";
                   put_fields(text, setting.key);
                   for (const std::string& value : setting.values) {
                     put_fields(text, value);
                   }
                 },
                 [&](const Happened& happened) { put(text, happened.now, happened.event); },
                 [&](const bridge::Action& action) { put(text, action); },
                 [&]<class Own>(const Own& own) {
                   text += Form<Own>::kind;
                   put_all(text, own);
                 },
             },
             entry);
}

template <class... Row>
void put_line(std::string& text, std::uint64_t number, const Row&... row) {
  const std::size_t begin = text.size();
  text.append(sum_digits, '0') += '\t';
  spell(text, number);
  text += '\t';
  put(text, row...);
  const auto sum = hexadecimal(base::crc32c(std::string_view(text).substr(begin + sum_digits + 1)));
  std::copy(sum.begin(), sum.end(), text.begin() + static_cast<std::ptrdiff_t>(begin));
  text += '\n';
}

// --- reading

template <class... Fields>
bool parse_all(Texts texts, Fields&... fields) {
  std::size_t i = 0;
  return texts.size() == sizeof...(fields) && (parse(texts[i++], fields) && ...);
}

template <class T>
bool parse_form(Texts texts, T& value) {
  return std::apply([&](auto&... fields) { return parse_all(texts, fields...); }, Form<T>::fields(value));
}

/// The alternative of a variant that has this kind. Nothing when none has, or when its fields
/// cannot be read.
template <class Variant, class Alternatives = typename Variant::variant, std::size_t index = 0>
std::optional<Variant> parse_kind(std::string_view kind, Texts texts) {
  if constexpr (index == std::variant_size_v<Alternatives>) {
    return std::nullopt;
  } else {
    using T = std::variant_alternative_t<index, Alternatives>;
    if (kind != Form<T>::kind) {
      return parse_kind<Variant, Alternatives, index + 1>(kind, texts);
    }
    T value{};
    return parse_form(texts, value) ? std::optional<Variant>(std::move(value)) : std::nullopt;
  }
}

std::optional<Entry> parse_event(std::string_view kind, Texts texts) {
  Happened happened;
  if (texts.size() < 2 || !parse(texts[0], happened.now.steady) ||
      !parse(texts[1], happened.now.wall)) {
    return std::nullopt;
  }
  auto event = parse_kind<bridge::Event>(kind, texts.subspan(2));
  if (!event) {
    return std::nullopt;
  }
  happened.event = std::move(*event);
  return happened;
}

std::optional<Entry> parse_action(std::string_view kind, Texts texts) {
  auto action = parse_kind<bridge::Action>(kind, texts);
  if (!action) {
    return std::nullopt;
  }
  if (auto* write = std::get_if<bridge::WriteServer>(&*action)) {
    write->line = write->log_as;
  }
  return Entry(std::move(*action));
}

std::optional<Entry> parse_setting(Texts texts) {
  config::PlainSetting setting;
  if (texts.empty() || !parse(texts[0], setting.key)) {
    return std::nullopt;
  }
  for (const std::string_view text : texts.subspan(1)) {
    setting.values.emplace_back();
    if (!parse(text, setting.values.back())) {
      return std::nullopt;
    }
  }
  return setting;
}

std::optional<Entry> parse_row(std::string_view kind, Texts texts) {
  if (kind.starts_with('<')) {
    return parse_event(kind.substr(1), texts);
  }
  if (kind.starts_with('>')) {
    return parse_action(kind.substr(1), texts);
  }
  if (kind == "#setting") {
    return parse_setting(texts);
  }
  return parse_kind<Entry, std::variant<Opened, Started, Broken, Closed, Full>>(kind, texts);
}

/// What an engine says while it thinks changes nothing in a later game, but that it lives; unless a team divides its
/// work by the lines of one, or chooses among its members by their scores.
bool is_chatter(const bridge::Event& event, const std::string& matters) {
  const auto* line = std::get_if<bridge::EngineLine>(&event);
  return std::holds_alternative<bridge::EngineStderr>(event) ||
         (line != nullptr && line->text.starts_with("info ") && (matters.empty() || line->text.find(matters) == std::string::npos));
}

}  // namespace

void encode_to(std::string& text, std::uint64_t number, const Entry& entry) { put_line(text, number, entry); }
void encode_to(std::string& text, std::uint64_t number, const bridge::Action& action) { put_line(text, number, action); }
void encode_to(std::string& text, std::uint64_t number, base::Now now, const bridge::Event& event) {
  put_line(text, number, now, event);
}

std::string encode(const Entry& entry, std::uint64_t number) {
  std::string line;
  encode_to(line, number, entry);
  return line;
}

base::Result<Numbered> decode(std::string_view line) {
  if (line.size() <= sum_digits || line[sum_digits] != '\t') {
    return fail(say("no checksum"));
  }
  const std::string_view rest = line.substr(sum_digits + 1);
  const auto sum = hexadecimal(base::crc32c(rest));
  if (line.substr(0, sum_digits) != std::string_view(sum.data(), sum.size())) {
    return fail(say("the checksum is wrong"));
  }
  const std::vector<std::string_view> texts = base::split(rest, '\t');
  Numbered numbered;
  if (texts.size() < 2 || !parse(texts[0], numbered.number)) {
    return fail(say("no number"), sum_digits + 1);
  }
  auto entry = parse_row(texts[1], Texts(texts).subspan(2));
  if (!entry) {
    return fail(say("this version does not know {} with such fields", base::quoted(texts[1], 40)));
  }
  numbered.entry = std::move(*entry);
  return numbered;
}

Contents read(std::string_view text) {
  Contents contents;
  std::size_t line = 0;
  bool may_skip = false;
  while (!text.empty()) {
    ++line;
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) {
      contents.is_torn = true;
      break;
    }
    auto numbered = decode(text.substr(0, end));
    text.remove_prefix(end + 1);
    if (!numbered) {
      contents.faults.push_back({line, numbered.error().what});
      continue;
    }
    const auto* opened = std::get_if<Opened>(&numbered->entry);
    may_skip = may_skip || (opened != nullptr && opened->is_condensed);
    if (!contents.entries.empty() && !may_skip &&
        numbered->number != contents.entries.back().number + 1) {
      contents.faults.push_back(
          {line, say("number {} follows {}", numbered->number, contents.entries.back().number)});
    }
    contents.entries.push_back(std::move(*numbered));
  }
  return contents;
}

namespace {

/// Of the chatter of each slice of time, and engine, the first line is kept, without its words.
class SignsOfLife {
 public:
  bool takes(const base::Now& now, bridge::Event& event) {
    bridge::EngineId engine{};
    if (auto* line = std::get_if<bridge::EngineLine>(&event)) {
      engine = line->engine;
      line->text = "info";
    } else if (auto* words = std::get_if<bridge::EngineStderr>(&event)) {
      engine = words->engine;
      words->text.clear();
    } else {
      return true;
    }
    base::SteadyTime& heard = heard_.try_emplace(engine).first->second;
    const base::SteadyTime slice = bridge::end_of_life_slice(now.steady);
    return std::exchange(heard, slice) != slice;
  }

 private:
  std::map<bridge::EngineId, base::SteadyTime> heard_;
};

}  // namespace

std::string condense(std::string_view text) {
  std::string condensed;
  SignsOfLife life;
  std::string matters;  ///< of what engines say
  for (Numbered& numbered : read(text).entries) {
    if (auto* opened = std::get_if<Opened>(&numbered.entry)) {
      opened->is_condensed = true;
    }
    const auto* setting = std::get_if<config::PlainSetting>(&numbered.entry);
    if (setting != nullptr && setting->key == "engine.team_play" && !setting->values.empty()) {
      const std::string& play = setting->values.front();
      matters = play == "multi_ponder" ? " multipv " : play == "optimist" ? " score " : "";
    }
    auto* happened = std::get_if<Happened>(&numbered.entry);
    if (!std::holds_alternative<bridge::Action>(numbered.entry) &&
        (happened == nullptr || !is_chatter(happened->event, matters) || life.takes(happened->now, happened->event))) {
      encode_to(condensed, numbered.number, numbered.entry);
    }
  }
  return condensed;
}

}  // namespace kakehashi::journal
