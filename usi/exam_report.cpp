#include "usi/exam_report.hpp"

#include <algorithm>
#include <boost/json.hpp>

#include "base/check.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

namespace kakehashi::usi {
namespace {

constexpr std::size_t listed_each_max = 8;

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
  return text;
}

boost::json::value json_text(std::string_view text) { return boost::json::string(base::utf8_for_json(text)); }

boost::json::value text_or_null(std::string_view text) {
  return text.empty() ? boost::json::value(nullptr) : json_text(text);
}

boost::json::array findings_of(const ExamReport& report) {
  boost::json::array all;
  for (const Finding& finding : report.findings) {
    all.push_back({{"code", finding.code},
                   {"severity", describe(finding.severity)},
                   {"text", json_text(finding.text)},
                   {"paragraph", text_or_null(finding.paragraph)},
                   {"times", finding.times}});
  }
  return all;
}

boost::json::array measurements_of(const ExamReport& report) {
  boost::json::array all;
  for (const Measurement& measured : report.measurements) {
    const auto allowed_ms = measured.allowed.count();
    all.push_back({{"what", json_text(measured.what)},
                   {"taken_ms", measured.taken.count()},
                   {"allowed_ms", allowed_ms > 0 ? boost::json::value(allowed_ms) : boost::json::value(nullptr)}});
  }
  return all;
}

std::string verdict(const ExamReport& report) {
  if (!report.cannot_start.empty()) {
    return "cannot be started";
  }
  return report.is_fit() ? "fit to play" : "not fit to play";
}

std::string counted(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

constexpr Severity quirk = Severity::quirk;
constexpr Severity fault = Severity::fault;

std::vector<ExamRule> make_rules() {
  return {
      // --- the handshake
      {"no_handshake", fault, "Shogidokoro, usiok", "UCI, uciok", "TEI, teiok", "UCGI, ucgiok"},
      {"slow_handshake", quirk, "Shogidokoro, usiok: within 5 s",
       "UCI, uci: within a certain time period", "TEI, general: excessively late replies",
       "UCGI, ucgi: within a certain time period"},
      {"no_name", quirk, "Shogidokoro, id: must be sent", "UCI, id name: must be sent",
       "TEI, id name: must be sent", "UCGI, id name: must be sent"},
      {"no_sizes", quirk, "", "", "TEI, size: must be sent", ""},
      {"malformed_option", quirk, "Shogidokoro, option", "UCI, option", "TEI, option", "UCGI, option"},
      {"odd_option", quirk, "Shogidokoro, option", "UCI, option", "TEI, option", "UCGI, option"},
      {"option_name_with_space", quirk, "USI draft 1, 5.3 option name: no white space", "", "", ""},
      {"repeated_option", quirk, "USI draft 1, 5.3 option: one string for each parameter",
       "UCI, option: one string for each parameter", "TEI, option: one for each parameter",
       "UCGI, option: one string for each parameter"},
      {"unfit_setting", quirk, "", "", "", ""},
      {"copy_protected", fault, "USI draft 1, 5.3 copyprotection", "UCI, copyprotection", "",
       "UCGI, copyprotection"},
      {"unregistered", quirk, "USI draft 1, 5.3 registration", "", "", ""},
      {"no_readyok", fault, "Shogidokoro, isready", "UCI, isready", "TEI, isready", "UCGI, isready"},
      {"slow_readyok", quirk, "", "", "", ""},
      // --- answers
      {"no_answer", fault, "USI draft 1, 5.3 bestmove: for every go",
       "UCI, bestmove: for every go", "TEI, bestmove: for every go", "UCGI, bestmove: for every go"},
      {"illegal_answer", fault, "Shogidokoro, bestmove", "UCI, bestmove", "TEI, bestmove",
       "UCGI, bestmove"},
      {"unasked_resignation", fault, "Shogidokoro, bestmove: resignation", "UCI, bestmove",
       "TEI, bestmove", "UCGI, bestmove"},
      {"stray_answer", fault, "USI draft 1, 5.1: never start without go",
       "UCI, general: never start without go", "TEI, general: nothing it isn't told to do",
       "UCGI, general: never start without go"},
      {"no_increments", quirk, "Shogidokoro, go binc", "UCI, go winc", "", ""},
      {"over_clock", quirk, "Shogidokoro, go btime, byoyomi", "UCI, go wtime, movetime",
       "TEI, go wtime, movetime", "UCGI, go 1time, movetime"},
      {"lost_on_time", fault, "Shogidokoro, go btime, byoyomi", "UCI, go wtime, movetime",
       "TEI, go wtime, movetime", "UCGI, go 1time, movetime"},
      {"slow_stop", quirk, "Shogidokoro, stop: as soon as possible", "UCI, stop: as soon as possible",
       "TEI, stop: as soon as possible", "UCGI, stop: as soon as possible"},
      {"deaf_to_stop", fault, "Shogidokoro, stop", "UCI, stop", "TEI, stop", "UCGI, stop"},
      {"answer_before_ponderhit", fault, "Shogidokoro, go ponder: not before stop or ponderhit",
       "UCI, go ponder: do not exit the search", "", ""},
      // --- what is said, and where
      {"no_info", quirk, "USI draft 1, 5.3 bestmove: a final info directly before",
       "UCI, bestmove: a final info directly before", "TEI, bestmove: a final info directly before",
       "UCGI, bestmove: a final info directly before"},
      {"unread_words", quirk, "Shogidokoro, info", "UCI, info", "TEI, info", "UCGI, info"},
      {"malformed_line", quirk, "USI draft 1, 5.3 Engine to GUI", "UCI, Engine to GUI",
       "TEI, Engine to UI", "UCGI, Engine to GUI"},
      {"line_outside_search", quirk, "Shogidokoro, info: between go and bestmove",
       "UCI, info", "TEI, info", "UCGI, info"},
      {"chatter", quirk, "USI draft 1, 5.3 Engine to GUI", "UCI, Engine to GUI",
       "TEI, Engine to UI", "UCGI, Engine to GUI"},
      {"flood", quirk, "Shogidokoro, info: at least a second between regular ones",
       "UCI, info: avoid traffic", "TEI, info: at regular intervals", "UCGI, info: avoid traffic"},
      {"line_too_long", quirk, "", "", "", ""},
      {"stderr_flood", quirk, "USI draft 1, 5.1: standard input and output",
       "UCI, general: standard input and output", "TEI, general: standard input and output",
       "UCGI, general: standard input and output"},
      // --- the process
      {"unfinished_line", fault, "Shogidokoro, general: a line ends with \\n",
       "UCI, general: commands end with \\n", "TEI, general: commands end with \\n",
       "UCGI, general: commands end with \\n"},
      {"died", fault, "Shogidokoro, quit: only then", "UCI, quit: only then", "", "UCGI, quit: only then"},
      {"output_closed", fault, "USI draft 1, 5.1: standard input and output",
       "UCI, general: standard input and output", "TEI, general: standard input and output",
       "UCGI, general: standard input and output"},
      {"slow_quit", quirk, "Shogidokoro, quit: at once", "UCI, quit: as soon as possible", "",
       "UCGI, quit: as soon as possible"},
      {"deaf_to_quit", quirk, "Shogidokoro, quit: at once", "UCI, quit: as soon as possible", "",
       "UCGI, quit: as soon as possible"},
      {"children_left", quirk, "", "", "", ""},
      {"not_examined", Severity::note, "", "", "", ""},
  };
}

}  // namespace

void ExamReport::add(std::string_view code, std::string text) {
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

std::string format_for_people(const ExamReport& report) {
  std::string text;
  const auto tell = [&](const std::string& word, const std::string& what) {
    text += padded(word, 10) + what + "\n";
  };
  if (!report.cannot_start.empty()) {
    tell("result", "the engine cannot be started: " + report.cannot_start);
    return text;
  }
  const std::string name = report.name.empty() ? "without a name" : base::quote_for_log(report.name);
  tell("engine", name + (report.author.empty() ? "" : " by " + base::quote_for_log(report.author)) +
                     (report.version.empty() ? "" : ", version " + base::quote_for_log(report.version)) +
                     ", " + counted(report.options, "option"));
  for (const Measurement& measured : report.measurements) {
    tell("measured", padded(measured.what, 22) + base::format_millis(measured.taken.count()) +
                         (measured.allowed.count() > 0
                              ? " of " + base::format_millis(measured.allowed.count())
                              : ""));
  }
  if (report.clocks) {
    tell("clock", describe(*report.clocks));
  }
  for (const Severity severity : {Severity::fault, Severity::quirk, Severity::note}) {
    for (const Finding& finding : report.findings) {
      if (finding.severity == severity) {
        tell(describe(severity),
             finding.code + ": " + finding.text +
                 (finding.times > 1 ? " (" + std::to_string(finding.times) + " times)" : "") +
                 (finding.paragraph.empty() ? "" : " [" + finding.paragraph + "]"));
      }
    }
  }
  tell("result", verdict(report) + ": " + counted(report.count(Severity::fault), "fault") + ", " +
                     counted(report.count(Severity::quirk), "quirk"));
  return text;
}

std::string format_json(const ExamReport& report) {
  const boost::json::object json{
      {"protocol", dialect_of(report.protocol).name},
      {"verdict", verdict(report)},
      {"fit", report.is_fit()},
      {"cannot_start", text_or_null(report.cannot_start)},
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

const char* describe(Severity severity) {
  switch (severity) {
    case Severity::note: return "note";
    case Severity::quirk: return "quirk";
    case Severity::fault: return "fault";
  }
  return "note";
}

const char* ExamRule::paragraph(Protocol protocol) const {
  switch (protocol) {
    case Protocol::usi: return usi;
    case Protocol::uci: return uci;
    case Protocol::tei: return tei;
    case Protocol::ucgi: return ucgi;
  }
  return usi;
}

const std::vector<ExamRule>& exam_rules() {
  static const std::vector<ExamRule> rules = make_rules();
  return rules;
}

const ExamRule& exam_rule(std::string_view code) {
  const auto found = std::find_if(exam_rules().begin(), exam_rules().end(),
                                  [&](const ExamRule& rule) { return rule.code == code; });
  KAKEHASHI_CHECK(found != exam_rules().end(), "a finding has a rule");
  return *found;
}

}  // namespace kakehashi::usi
