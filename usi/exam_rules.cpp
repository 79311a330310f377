#include "usi/exam_rules.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace kakehashi::usi {

namespace {

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
