#include "usi/examination.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <cctype>

#include "base/check.hpp"
#include "base/overload.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "usi/command.hpp"

namespace kakehashi::usi {

using base::duration;
using base::Millis;
using base::quoted;
using base::say;
using base::SteadyTime;

// --- the report

namespace {

constexpr std::size_t listed_each_max = 8;

boost::json::value json_text(std::string_view text) { return boost::json::string(base::utf8_for_json(text)); }

boost::json::value text_or_null(std::string_view text) {
  return text.empty() ? boost::json::value(nullptr) : json_text(text);
}

boost::json::array findings_of(const ExamReport& report) {
  boost::json::array all;
  for (const Finding& finding : report.findings) {
    all.push_back({{"code", finding.code},
                   {"severity", describe(finding.severity).english()},
                   {"text", json_text(finding.text.english())},
                   {"paragraph", text_or_null(finding.paragraph)},
                   {"times", finding.times}});
  }
  return all;
}

boost::json::array measurements_of(const ExamReport& report) {
  boost::json::array all;
  for (const Measurement& measured : report.measurements) {
    const auto allowed_ms = measured.allowed.count();
    all.push_back({{"what", json_text(measured.what.english())},
                   {"taken_ms", measured.taken.count()},
                   {"allowed_ms", allowed_ms > 0 ? boost::json::value(allowed_ms) : boost::json::value(nullptr)}});
  }
  return all;
}

base::Message verdict(const ExamReport& report) {
  if (!report.cannot_start.empty()) {
    return say("cannot be started");
  }
  return report.is_fit() ? say("fit to play") : say("not fit to play");
}

/// Who it is, and how many options it has.
base::Message introduction(const ExamReport& report) {
  auto text = report.name.empty() ? say("without a name") : say("{}", quoted(report.name));
  if (!report.author.empty()) {
    text = say("{} by {}", std::move(text), quoted(report.author));
  }
  if (!report.version.empty()) {
    text = say("{}, version {}", std::move(text), quoted(report.version));
  }
  return report.options == 1 ? say("{}, {} option", std::move(text), report.options)
                             : say("{}, {} options", std::move(text), report.options);
}

base::Message in_words(const Finding& finding) {
  auto text = say("{}: {}", finding.code, finding.text);
  if (finding.times > 1) {
    text = say("{} ({} times)", std::move(text), finding.times);
  }
  return finding.paragraph.empty() ? text : say("{} [{}]", std::move(text), finding.paragraph);
}

}  // namespace

void ExamReport::add(std::string_view code, base::Message text) {
  // Options and words differ from each other; of all else the first example tells enough.
  const bool is_listed_each = code == "odd_option" || code == "malformed_option" || code == "chatter";
  std::size_t listed = 0;
  Finding* known = nullptr;
  for (Finding& finding : findings) {
    listed += finding.code == code ? 1 : 0;
    if (finding.code == code && (!is_listed_each || known == nullptr || finding.text == text)) {
      known = &finding;
    }
  }
  if (known != nullptr && (!is_listed_each || known->text == text || listed >= listed_each_max)) {
    ++known->times;
    return;
  }
  const ExamRule& rule = exam_rule(code);
  findings.push_back({std::string(code), rule.severity, std::move(text), rule.paragraph(protocol)});
}

bool ExamReport::has(std::string_view code) const {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& finding) { return finding.code == code; });
}

std::size_t ExamReport::count(Severity severity) const {
  return static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(),
                    [&](const Finding& finding) { return finding.severity == severity; }));
}

std::vector<ExamLine> lines_for_people(const ExamReport& report) {
  using base::say_as;
  if (!report.cannot_start.empty()) {
    return {{say_as("column", "result"), say("the engine cannot be started: {}", report.cannot_start)}};
  }
  std::vector<ExamLine> lines{{say_as("column", "engine"), introduction(report)}};
  for (const Measurement& measured : report.measurements) {
    const auto taken = duration(measured.taken.count());
    const auto allowed = measured.allowed.count();
    lines.push_back(
        {say_as("column", "measured"), measured.what, allowed > 0 ? say("{} of {}", taken, duration(allowed)) : taken});
  }
  if (report.clocks) {
    lines.push_back({say_as("column", "clock"), describe(*report.clocks)});
  }
  for (const Severity severity : {Severity::fault, Severity::quirk, Severity::note}) {
    for (const Finding& finding : report.findings) {
      if (finding.severity == severity) {
        lines.push_back({describe(severity), in_words(finding)});
      }
    }
  }
  const auto faults = report.count(Severity::fault);
  const auto quirks = report.count(Severity::quirk);
  lines.push_back({say_as("column", "result"),
                   say("{}: {}, {}", verdict(report), faults == 1 ? say("{} fault", faults) : say("{} faults", faults),
                       quirks == 1 ? say("{} quirk", quirks) : say("{} quirks", quirks))});
  return lines;
}

std::string format_json(const ExamReport& report) {
  const boost::json::object json{
      {"protocol", dialect_of(report.protocol).name},
      {"verdict", verdict(report).english()},
      {"fit", report.is_fit()},
      {"cannot_start", text_or_null(report.cannot_start.english())},
      {"name", json_text(report.name)},
      {"author", json_text(report.author)},
      {"version", json_text(report.version)},
      {"options", report.options},
      {"stderr_lines", report.stderr_lines},
      {"clock", report.clocks ? json_text(word_of(report.clocks->reading)) : boost::json::value(nullptr)},
      {"clock_swaps_sides", report.clocks && report.clocks->swaps_sides},
      {"measurements", measurements_of(report)},
      {"findings", findings_of(report)}};
  return boost::json::serialize(json) + "\n";
}

// --- the rules

base::Message describe(Severity severity) {
  switch (severity) {
    case Severity::note: return base::say_as("column", "note");
    case Severity::quirk: return base::say_as("column", "quirk");
    case Severity::fault: return base::say_as("column", "fault");
  }
  return {};
}

std::string ExamRule::paragraph(Protocol protocol) const {
  if (protocol == Protocol::usi || *family == '\0') {
    return protocol == Protocol::usi ? usi : "";
  }
  std::string name = dialect_of(protocol).name;
  std::string text = family;
  if (text.front() == '~') {
    text.replace(0, 1, name);
  }
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  const bool is_of_one = text.starts_with("UCI, ") || text.starts_with("TEI, ");
  return !is_of_one ? name + ", " + text : text.starts_with(name + ", ") ? text : "";
}

const std::vector<ExamRule>& exam_rules() {
  constexpr Severity quirk = Severity::quirk;
  constexpr Severity fault = Severity::fault;
  static const std::vector<ExamRule> rules{
      // --- the handshake
      {"no_handshake", fault, "Shogidokoro, usiok", "~ok"},
      {"slow_handshake", quirk, "Shogidokoro, usiok: within 5 s", "~"},
      {"no_name", quirk, "Shogidokoro, id: must be sent", "id name: must be sent"},
      {"no_sizes", quirk, "", "TEI, size: must be sent"},
      {"malformed_option", quirk, "Shogidokoro, option", "option"},
      {"odd_option", quirk, "Shogidokoro, option", "option"},
      {"option_name_with_space", quirk, "USI draft 1, 5.3 option name: no white space", ""},
      {"repeated_option", quirk, "USI draft 1, 5.3 option: one string for each parameter", "option: one string for each parameter"},
      {"unfit_setting", quirk, "", ""},
      {"copy_protected", fault, "USI draft 1, 5.3 copyprotection", "UCI, copyprotection"},
      {"unregistered", quirk, "USI draft 1, 5.3 registration", ""},
      {"no_readyok", fault, "Shogidokoro, isready", "isready"},
      {"slow_readyok", quirk, "", ""},
      // --- answers
      {"no_answer", fault, "USI draft 1, 5.3 bestmove: for every go", "bestmove: for every go"},
      {"illegal_answer", fault, "Shogidokoro, bestmove", "bestmove"},
      {"long_line_cut", fault, "", ""},
      {"unasked_resignation", fault, "Shogidokoro, bestmove: resignation", "bestmove"},
      {"stray_answer", fault, "USI draft 1, 5.1: never start without go", "general: nothing that it is not told to do"},
      {"no_increments", quirk, "Shogidokoro, go binc", "UCI, go winc"},
      {"over_clock", quirk, "Shogidokoro, go btime, byoyomi", "go, its times"},
      {"lost_on_time", fault, "Shogidokoro, go btime, byoyomi", "go, its times"},
      {"slow_stop", quirk, "Shogidokoro, stop: as soon as possible", "stop: as soon as possible"},
      {"deaf_to_stop", fault, "Shogidokoro, stop", "stop"},
      {"answer_before_ponderhit", fault, "Shogidokoro, go ponder: not before stop or ponderhit",
       "UCI, go ponder: do not exit the search"},
      // --- what is said, and where
      {"no_info", quirk, "USI draft 1, 5.3 bestmove: a final info directly before", "bestmove: a final info directly before"},
      {"unread_words", quirk, "Shogidokoro, info", "info"},
      {"malformed_line", quirk, "USI draft 1, 5.3 Engine to GUI", "what an engine says"},
      {"line_outside_search", quirk, "Shogidokoro, info: between go and bestmove", "info"},
      {"chatter", quirk, "USI draft 1, 5.3 Engine to GUI", "what an engine says"},
      {"flood", quirk, "Shogidokoro, info: at least a second between regular ones", "info"},
      {"line_too_long", quirk, "", ""},
      {"stderr_flood", quirk, "USI draft 1, 5.1: standard input and output", "general: standard input and output"},
      // --- the process
      {"unfinished_line", fault, "Shogidokoro, general: a line ends with \\n", "general: commands end with \\n"},
      {"died", fault, "Shogidokoro, quit: only then", "UCI, quit: only then"},
      {"output_closed", fault, "USI draft 1, 5.1: standard input and output", "general: standard input and output"},
      {"slow_quit", quirk, "Shogidokoro, quit: at once", "UCI, quit: as soon as possible"},
      {"deaf_to_quit", quirk, "Shogidokoro, quit: at once", "UCI, quit: as soon as possible"},
      {"children_left", quirk, "", ""},
      {"not_examined", Severity::note, "", ""},
  };
  return rules;
}

const ExamRule& exam_rule(std::string_view code) {
  const auto found = std::find_if(exam_rules().begin(), exam_rules().end(),
                                  [&](const ExamRule& rule) { return rule.code == code; });
  KAKEHASHI_CHECK(found != exam_rules().end(), "a finding has a rule");
  return *found;
}

// --- the questions

namespace {

using Await = ExamStep::Await;

/// Shogidokoro gives an engine five seconds for usiok.
constexpr Millis handshake_slow{5'000};
constexpr Millis handshake_max{15'000};
constexpr Millis readyok_slow{10'000};
/// The guard waits a quarter of its margin between "stop" and its own move.
constexpr Millis stop_slow{250};
constexpr Millis stop_max{2'500};
constexpr Millis quit_slow{1'000};
constexpr Millis quit_max{4'000};
/// Long enough for a second answer behind the first.
constexpr Millis settle{120};

class Plan {
 public:
  explicit Plan(const ExamSetup& setup) : setup_(setup), dialect_(dialect_of(setup.protocol)) {}

  std::vector<ExamStep> steps() {
    clock(say("byoyomi"), "btime 0 wtime 0 byoyomi 1000", Millis{1'000});
    if (dialect_.plays_shogi()) {
      add({say("clock"), {}, Await::clock});
    }
    // How the times are spelled is known only then: 1.7 s and an increment of 0.3 s.
    clock(say("fischer"), "", Millis{2'000});
    clock(say("sudden death"), "btime 1500 wtime 1500", Millis{1'500});
    clock(say("main time and byoyomi"), "btime 500 wtime 500 byoyomi 500", Millis{1'000});
    stopped_search();
    if (dialect_.has_ponder()) {
      ponder();
    }
    if (!setup_.long_game.line.empty()) {
      long_game();
    }
    add({say("stop without a search"), {"stop"}, Await::silence, Millis{200}});
    next_game();
    ExamStep quit{base::verbatim("quit"), {"quit"}, Await::exit, quit_max};
    quit.soft_limit = quit_slow;
    add(std::move(quit));
    return std::move(steps_);
  }

 private:
  void add(ExamStep step) { steps_.push_back(std::move(step)); }

  const ExamPosition& next_position() {
    KAKEHASHI_CHECK(!setup_.positions.empty(), "an examination has a position");
    return setup_.positions[position_++ % setup_.positions.size()];
  }

  /// And that nothing comes behind the answer.
  ExamStep& answer(const base::Message& section, std::vector<std::string> lines, Millis limit, std::vector<std::string> legal) {
    add({section, std::move(lines), Await::answer, limit});
    steps_.back().legal = std::move(legal);
    add({section, {}, Await::silence, settle});
    return steps_[steps_.size() - 2];
  }

  void clock(const base::Message& section, const std::string& times, Millis granted) {
    const ExamPosition& position = next_position();
    answer(section, {position.line, "go " + times}, granted, position.legal).is_clocked = true;
  }

  void stop(const base::Message& section, const std::vector<std::string>& legal) {
    answer(section, {"stop"}, stop_max, legal).soft_limit = stop_slow;
  }

  /// Told to stop in the middle of a long turn, as when the guard's patience ends.
  void stopped_search() {
    const ExamPosition& position = next_position();
    add({base::verbatim("stop"),
         {position.line, "go btime 600000 wtime 600000 byoyomi 10000"},
         Await::thinking,
         Millis{300}});
    steps_.back().legal = position.legal;
    stop(base::verbatim("stop"), position.legal);
  }

  void ponder() {
    const ExamPosition& hit = next_position();
    const std::string times = "btime 1000 wtime 1000 byoyomi 500";
    add({say("ponder hit"), {hit.line, "go ponder " + times}, Await::pondering, Millis{700}});
    answer(say("ponder hit"), {"ponderhit"}, Millis{1'500}, hit.legal).is_clocked = true;
    const ExamPosition& miss = next_position();
    add({say("ponder miss"), {miss.line, "go ponder " + times}, Await::pondering, Millis{200}});
    stop(say("ponder miss"), miss.legal);
    clock(say("ponder miss"), "btime 0 wtime 0 byoyomi 500", Millis{500});
  }

  /// Its one answer is found at once.
  void long_game() {
    ExamStep& step = answer(say("long game"), {setup_.long_game.line, "go btime 0 wtime 0 byoyomi 300"}, Millis{300},
                            setup_.long_game.legal);
    step.is_clocked = step.is_long_game = true;
  }

  void next_game() {
    if (dialect_.is_usi()) {
      add({say("next game"), {"gameover lose"}, Await::silence, settle});
    }
    ready(say("next game"), {"isready"});
    if (dialect_.is_ready_after_new_game()) {
      ready(say("next game"), {dialect_.new_game, "isready"});
    } else {
      add({say("next game"), {dialect_.new_game}, Await::silence, Millis{10}});
    }
    clock(say("next game"), "btime 0 wtime 0 byoyomi 300", Millis{300});
  }

  void ready(const base::Message& section, std::vector<std::string> lines) {
    add({section, std::move(lines), Await::readyok, setup_.ready_timeout});
  }

  const ExamSetup& setup_;
  const Dialect& dialect_;
  std::size_t position_ = 0;
  std::vector<ExamStep> steps_;
};

/// The steps that bring an engine to a game: handshake, settings, new game.
std::vector<ExamStep> boot_steps(const ExamSetup& setup) {
  const Dialect& dialect = dialect_of(setup.protocol);
  ExamStep hello{say("handshake"), {dialect.name}, Await::handshake, handshake_max};
  hello.soft_limit = handshake_slow;
  ExamStep settings{say("getting ready"), {}, Await::settings, setup.ready_timeout};
  settings.soft_limit = readyok_slow;
  ExamStep game{say("getting ready"), {dialect.new_game}, Await::silence, Millis{10}};
  if (dialect.is_ready_after_new_game()) {
    game.lines.emplace_back("isready");
    game.await = Await::readyok;
    game.limit = setup.ready_timeout;
  }
  hello.is_boot = settings.is_boot = game.is_boot = true;
  return {hello, settings, game};
}

/// All of them, `quit` included.
std::vector<ExamStep> exam_steps(const ExamSetup& setup) {
  std::vector<ExamStep> all = boot_steps(setup);
  const std::vector<ExamStep> more = Plan(setup).steps();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

// --- the examination

/// 2 s in all, 0.3 s of them an increment, spelled as the bridge would.
std::string fischer_go(const EngineClocks& clocks) {
  constexpr Millis increment{300};
  GoTimes times{Millis{1'700}, Millis{1'700}};
  switch (clocks.reading) {
    case ClockReading::keeps_to_btime:
      times.btime += increment;
      times.wtime += increment;
      [[fallthrough]];
    case ClockReading::adds: times.binc = times.winc = increment; break;
    case ClockReading::unknown:
    case ClockReading::no_increments: times.byoyomi = increment; break;
  }
  return format_go(times, false);
}

}  // namespace

std::optional<ExamStep> ExamAgenda::next() {
  while (!steps_.empty()) {
    ExamStep step = std::move(steps_.front());
    steps_.pop_front();
    is_answered_ = is_answered_ && step.section == section_;
    section_ = step.section;
    // The question has its answer already, and the rest of its section with it.
    const bool is_moot = is_answered_ && step.await == ExamStep::Await::answer;
    if (!is_moot) {
      return step;
    }
  }
  return std::nullopt;
}

void ExamAgenda::leave_section() {
  while (!steps_.empty() && steps_.front().section == section_) {
    steps_.pop_front();
  }
}

void ExamAgenda::begin_anew(const std::vector<ExamStep>& boot) {
  steps_.insert(steps_.begin(), boot.begin(), boot.end());
  section_ = {};
}

base::Message ExamAgenda::sections() const {
  std::vector<base::Message> names;
  for (const ExamStep& step : steps_) {
    if (std::find(names.begin(), names.end(), step.section) == names.end()) {
      names.push_back(step.section);
    }
  }
  return base::listed(names);
}

Examination::Examination(ExamSetup setup)
    : setup_(std::move(setup)), dialect_(&dialect_of(setup_.protocol)), agenda_(exam_steps(setup_)) {
  report_.protocol = setup_.protocol;
}

ExamActions Examination::start(SteadyTime now) {
  ExamActions actions;
  actions.start_engine = true;
  next_step(now, actions);
  return actions;
}

ExamActions Examination::on_failed_to_start(const base::Message& why) {
  ExamActions actions;
  report_.cannot_start = why;
  finish(actions);
  return actions;
}

void Examination::next_step(SteadyTime now, ExamActions& actions) {
  auto step = agenda_.next();
  if (!step) {
    finish(actions);
    return;
  }
  const SteadyTime deadline = now + step->limit + (step->is_clocked ? patience : Millis{0}) +
                              (step->waits_for_answer() ? setup_.grace : Millis{0});
  question_ = ExamQuestion{.step = std::move(*step), .began = now, .deadline = deadline};
  send(now, actions);
}

void Examination::send(SteadyTime now, ExamActions& actions) {
  if (question_.step.await == Await::settings) {
    Settings settings = plan_settings(*dialect_, process_.options, setup_.options, true);
    for (base::Message& problem : settings.problems) {
      add("unfit_setting", say("{}; {}", std::move(problem), say("it was not set")));
    }
    for (const OptionSetting& setting : settings.lines) {
      actions.lines.push_back(format_setoption(setting));
    }
    actions.lines.emplace_back("isready");
    return;
  }
  if (question_.step.await == Await::clock) {
    question_.probe.emplace();
    pursue(question_.probe->start(now), now, actions);
    return;
  }
  for (const std::string& line : question_.step.lines) {
    send_line(line == "go " ? fischer_go(report_.clocks.value_or(EngineClocks{})) : line, actions);
  }
}

void Examination::send_line(const std::string& line, ExamActions& actions) {
  if (line.starts_with("position ")) {
    actions.lines.push_back(respell_position(*dialect_, line));
  } else if (line.starts_with("go ")) {
    actions.lines.push_back(respell_go(*dialect_, line));
    process_.is_searching = true;
    infos_ = 0;
  } else {
    actions.lines.push_back(line);
  }
}

void Examination::pursue(const ClockProbe::Deed& deed, SteadyTime now, ExamActions& actions) {
  if (!deed.go.empty()) {
    send_line(deed.position, actions);
    send_line(deed.go, actions);
  } else if (deed.stop) {
    send_line("stop", actions);
  }
  if (question_.probe->is_deaf()) {
    add("deaf_to_stop", here(say("no bestmove within {} of stop", duration(ClockProbe::stop_limit.count()))));
    recover(now, actions);
  } else if (question_.probe->is_finished()) {
    learn_clocks(question_.probe->found());
    next_step(now, actions);
  } else {
    question_.deadline = question_.probe->deadline();
  }
}

void Examination::learn_clocks(const EngineClocks& found) {
  report_.clocks = found.reading == ClockReading::unknown ? clocks_by_name(report_.name) : found;
}

void Examination::recover(SteadyTime now, ExamActions& actions) {
  process_ = {};
  agenda_.leave_section();
  if (question_.step.is_boot || restarts_ == restarts_max || agenda_.is_empty()) {
    base::Message left_out = agenda_.sections();
    if (!left_out.empty()) {
      add("not_examined", std::move(left_out));
    }
    finish(actions);
    return;
  }
  ++restarts_;
  agenda_.begin_anew(boot_steps(setup_));
  actions.lines.clear();
  actions.kill_engine = true;
  actions.start_engine = true;
  next_step(now, actions);
}

void Examination::finish(ExamActions& actions) {
  if (is_finished_) {
    return;
  }
  is_finished_ = true;
  actions.kill_engine = true;
  actions.start_engine = false;
  actions.lines.clear();
  if (!report_.cannot_start.empty()) {
    return;
  }
  if (has_answered_ && !has_shown_pv_) {
    add("no_info", say("the engine shows no principal variation, so games have no evaluation comments"));
  }
  if (report_.stderr_lines > stderr_lines_usual) {
    add("stderr_flood", say("{} lines on standard error; the last: {}", report_.stderr_lines, quoted(last_stderr_)));
  }
}

void Examination::add(std::string_view code, base::Message text) {
  report_.add(code, std::move(text));
}

void Examination::measure(base::Message what, SteadyTime now, Millis allowed) {
  report_.measurements.push_back({std::move(what), question_.taken(now), allowed});
}

ExamActions Examination::on_time(SteadyTime now) {
  ExamActions actions;
  if (!is_finished_ && now >= question_.deadline) {
    on_silence(now, actions);
  }
  return actions;
}

void Examination::on_silence(SteadyTime now, ExamActions& actions) {
  const auto waited = duration(question_.taken(now).count());
  if (std::exchange(process_.has_closed_output, false)) {
    add("output_closed", here(say("standard output was closed, and the process lived on")));
  }
  switch (question_.step.await) {
    case Await::silence:
    case Await::pondering:
    case Await::thinking:
      next_step(now, actions);
      return;
    case Await::clock: pursue(question_.probe->on_time(now), now, actions); return;
    case Await::handshake:
      add("no_handshake", say("no {} within {}", std::string(dialect_->hello_answer), waited));
      break;
    case Await::settings:
    case Await::readyok: add("no_readyok", here(say("no readyok within {}", waited))); break;
    case Await::answer:
      if (question_.is_stop()) {
        add("deaf_to_stop", here(say("no bestmove within {} of stop", waited)));
      } else {
        add("no_answer",
            here(say("no bestmove within {}, on a clock of {}", waited, duration(question_.step.limit.count()))));
      }
      break;
    case Await::exit:
      add("deaf_to_quit", say("still running {} after quit; it was killed", waited));
      finish(actions);
      return;
  }
  recover(now, actions);
}

ExamActions Examination::on_exited(ProcessEnd end, SteadyTime now) {
  ExamActions actions;
  if (is_finished_) {
    return actions;
  }
  if (question_.step.await == Await::exit && end.how != ProcessEnd::How::killed) {
    measure(base::verbatim("quit"), now, question_.step.soft_limit);
    if (question_.taken(now) > question_.step.soft_limit) {
      add("slow_quit", say("it took {} to end after quit", duration(question_.taken(now).count())));
    }
    finish(actions);
    return actions;
  }
  if (question_.step.await == Await::clock) {
    question_.probe->on_death();
    if (question_.probe->found().reading == ClockReading::no_increments) {
      learn_clocks(question_.probe->found());
      add("no_increments", say("the engine ended with {} when it was given binc", in_words(end)));
      recover(now, actions);
      return actions;
    }
  }
  const auto died = say("the engine ended with {}", in_words(end));
  add("died", here(last_stderr_.empty() ? died : say("{}; standard error: {}", died, quoted(last_stderr_))));
  recover(now, actions);
  return actions;
}

void Examination::on_stderr(std::string_view line, SteadyTime now) {
  ++report_.stderr_lines;
  last_stderr_ = line.substr(0, 500);
  hear_sign_of_life(now);
}

/// As in a game: whoever gets ready for long, and says so, is waited for.
void Examination::hear_sign_of_life(SteadyTime now) {
  if (question_.is_ready_awaited()) {
    const Millis most = std::max(setup_.ready_max, setup_.ready_timeout);
    question_.deadline = std::min(now + setup_.ready_timeout, question_.began + most) + setup_.grace;
  }
}

void Examination::on_odd(Oddity oddity) {
  if (is_finished_) {
    return;
  }
  switch (oddity) {
    case Oddity::flood: add("flood", here(say("so many info lines at once that some were dropped unread"))); return;
    case Oddity::babble:
      add("flood", here(say("so many lines that were no info that some were left out unread")));
      return;
    case Oddity::line_too_long:
      add("line_too_long", here(say("a line of more than 64 KiB, or with a NUL byte; it was dropped")));
      return;
    case Oddity::unfinished_line: add("unfinished_line", here(say("the last line came without its line end"))); return;
    case Oddity::output_closed:
      process_.has_closed_output = true;  // an engine that ends closes it too
      return;
    case Oddity::children_left:
      add("children_left", here(say("the engine ended and left processes behind; they were killed")));
      return;
  }
}

// --- what the engine says, judged by what was asked

ExamActions Examination::on_line(std::string_view line, SteadyTime now) {
  ExamActions actions;
  if (!is_finished_) {
    hear_sign_of_life(now);
    EngineMessage message = parse_line(line, *dialect_);
    on_message(line, message, now, actions);
  }
  return actions;
}

void Examination::on_message(std::string_view line, EngineMessage& message, SteadyTime now,
                             ExamActions& actions) {
  std::visit(base::Overload{
                 [&](IdName& id) { report_.name = std::move(id.name); },
                 [&](IdAuthor& id) { report_.author = std::move(id.author); },
                 [&](IdVersion& id) { report_.version = std::move(id.version); },
                 [&](SizesDeclared&) { process_.has_sizes = true; },
                 [&](OptionDeclared& declared) { on_option(std::move(declared.option)); },
                 [&](UsiOk&) { on_handshake(now, actions); },
                 [&](ReadyOk&) { on_readyok(now, actions); },
                 [&](BestMove& best) { on_answer(line, std::move(best), now, actions); },
                 [&](Checkmate&) { add("stray_answer", here(say("{} answers no go mate", quoted(line, 100)))); },
                 [&](InfoLine& info) { on_info(line, info.info); },
                 [&](CopyProtection& copy) {
                   if (copy.state == "error") {
                     add("copy_protected", say("the engine reports a copy protection error: {}", quoted(line)));
                   }
                 },
                 [&](Registration& registration) {
                   if (registration.state == "error") {
                     add("unregistered", say("the engine asks to be registered; it was told: register later"));
                     actions.lines.emplace_back("register later");
                   }
                 },
                 [&](Malformed& malformed) {
                   add(base::trim(line).starts_with("option") ? "malformed_option" : "malformed_line",
                       here(say("{}: {}", quoted(line), malformed.why)));
                 },
                 [&](Other& other) {
                   if (!base::trim(other.text).empty()) {
                     add("chatter", here(say("words of no command: {}", quoted(other.text, 100))));
                   }
                 },
             },
             message);
}

void Examination::on_option(Option option) {
  if (question_.step.await != Await::handshake) {
    add("malformed_line", here(say("option {} was declared too late", quoted(option.name))));
    return;
  }
  if (process_.options.size() >= 1024) {
    return;
  }
  const bool is_known = std::any_of(process_.options.begin(), process_.options.end(), [&](const Option& known) {
    return known.name == option.name;
  });
  if (restarts_ == 0) {
    if (is_known) {
      add("repeated_option", say("option {} is declared twice", quoted(option.name)));
    }
    if (option.name.find(' ') != std::string::npos && setup_.protocol == Protocol::usi) {
      add("option_name_with_space", say("option {} has a space in its name", quoted(option.name)));
    }
    for (base::Message& odd : oddities(option)) {
      add("odd_option", std::move(odd));
    }
  }
  process_.options.push_back(std::move(option));
}

void Examination::on_handshake(SteadyTime now, ExamActions& actions) {
  if (question_.step.await != Await::handshake) {
    add("malformed_line", here(say("{} came unasked", std::string(dialect_->hello_answer))));
    return;
  }
  if (restarts_ == 0) {
    report_.options = process_.options.size();
    measure(base::verbatim(dialect_->hello_answer), now, question_.step.soft_limit);
    if (question_.taken(now) > question_.step.soft_limit) {
      add("slow_handshake",
          say("{} took {}", std::string(dialect_->hello_answer), duration(question_.taken(now).count())));
    }
    if (report_.name.empty()) {
      add("no_name", say("the engine gave no id name"));
    }
    if (setup_.protocol == Protocol::tei && !process_.has_sizes) {
      add("no_sizes", say("the engine told no board sizes"));
    }
  }
  next_step(now, actions);
}

void Examination::on_readyok(SteadyTime now, ExamActions& actions) {
  if (!question_.is_ready_awaited()) {
    add("malformed_line", here(say("{} came unasked", std::string("readyok"))));
    return;
  }
  if (question_.step.await == Await::settings && restarts_ == 0) {
    measure(base::verbatim("readyok"), now, question_.step.limit);
    if (question_.taken(now) > question_.step.soft_limit) {
      add("slow_readyok", say("{} took {}", std::string("readyok"), duration(question_.taken(now).count())));
    }
  }
  next_step(now, actions);
}

void Examination::on_info(std::string_view line, const Info& info) {
  has_shown_pv_ = has_shown_pv_ || !info.pv.empty();
  if (!info.skipped.empty()) {
    add("unread_words", say("{} belongs to no field in {}", quoted(info.skipped.front()), quoted(line, 120)));
  }
  if (!process_.is_searching && !info.string && !info.error) {
    add("line_outside_search", here(say("{} came while nothing was searched", quoted(line, 100))));
  }
  if (++infos_ == infos_usual) {
    add("flood", here(say("more than {} info lines in one search", infos_usual)));
  }
}

void Examination::on_answer(std::string_view line, BestMove best, SteadyTime now,
                            ExamActions& actions) {
  const auto answer = quoted(line, 100);
  if (!std::exchange(process_.is_searching, false)) {
    add("stray_answer", here(say("{} came while nothing was searched", answer)));
    return;
  }
  respell_answer(*dialect_, best);
  switch (question_.step.await) {
    case Await::answer:
      judge_time(now);
      judge_move(best);
      next_step(now, actions);
      return;
    case Await::clock: pursue(question_.probe->on_answer(now), now, actions); return;
    case Await::pondering:
      agenda_.note_early_answer();
      add("answer_before_ponderhit", here(say("{} came {} after go ponder, before ponderhit or stop", answer,
                                              duration(question_.taken(now).count()))));
      return;
    case Await::thinking:
      agenda_.note_early_answer();
      judge_move(best);
      return;
    case Await::readyok:
    case Await::handshake:
    case Await::settings:
    case Await::silence:
    case Await::exit: add("stray_answer", here(say("{} came too late", answer))); return;
  }
}

void Examination::judge_time(SteadyTime now) {
  measure(question_.is_stop() ? say("{}, stop", question_.step.section) : question_.step.section, now,
          question_.step.is_clocked ? question_.step.limit : question_.step.soft_limit);
  has_answered_ = true;
  const Millis time = question_.taken(now);
  if (!question_.step.is_clocked) {
    if (time > question_.step.soft_limit) {
      add("slow_stop", here(say("bestmove came {} after stop; the guard waits for a quarter of time.margin",
                                duration(time.count()))));
    }
    return;
  }
  const auto text = here(
      say("bestmove came after {} on a clock of {}", duration(time.count()), duration(question_.step.limit.count())));
  if (time > question_.step.limit + setup_.margin) {
    add("lost_on_time", text);
  } else if (time > question_.step.limit + tolerance) {
    add("over_clock", say("{}; {}", text, say("time.margin makes up for it")));
  }
}

void Examination::judge_move(const BestMove& best) {
  if (best.move.empty()) {
    add("illegal_answer", here(say("bestmove without a move")));
    return;
  }
  const bool is_legal = question_.step.legal.empty() ||
                        std::find(question_.step.legal.begin(), question_.step.legal.end(), best.move) !=
                            question_.step.legal.end();
  if (!is_legal && question_.step.is_long_game) {
    add("long_line_cut",
        here(say("{} answers an older position: the engine, or what lies between, cuts position lines of {} "
                 "bytes",
                 quoted(best.move), question_.step.lines.front().size())));
    return;
  }
  if (best.move == "resign") {
    add("unasked_resignation", here(say("the engine resigns where nothing is lost")));
    return;
  }
  if (!is_legal) {
    add("illegal_answer", here(say("{} is no legal move there", quoted(best.move))));
  }
}

}  // namespace kakehashi::usi
