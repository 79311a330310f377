// `kakehashi engine examine` on real processes: Debian's fairy-stockfish, and the fake engine with
// each of its faults.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/engine_probe.hpp"
#include "tests/places.hpp"
#include "tests/usi/examinee.hpp"

namespace kakehashi::cli {
namespace {

using testing::HasSubstr;

constexpr const char* fairy_stockfish = "/usr/games/fairy-stockfish";

/// A busy machine may be this slow, and no engine is to be found late or silent for it.
constexpr base::Millis generous{60'000};

usi::ExamSetup generous_setup() {
  usi::ExamSetup setup;
  setup.ready_timeout = setup.margin = setup.grace = generous;
  return setup;
}

usi::ExamReport examine(std::vector<std::string> command, usi::Protocol protocol = usi::Protocol::usi,
                        usi::ExamSetup setup = generous_setup()) {
  setup.protocol = protocol;
  return examine_engine(std::move(setup), {.command = std::move(command), .directory = "", .environment = {}});
}

usi::ExamReport examine_fake(std::vector<std::string> switches,
                             usi::Protocol protocol = usi::Protocol::usi,
                             usi::ExamSetup setup = generous_setup()) {
  switches.insert(switches.begin(), {test::fake_engine_binary(), "--score", "10"});
  return examine(std::move(switches), protocol, std::move(setup));
}

/// How an engine shows its fault: by what it says or does, or by an answer that does not come (in time).
enum class Shown { by_deed, by_delay, by_silence, by_no_readyok };

struct Case {
  std::string name;
  std::vector<std::string> switches;
  std::vector<std::string> codes;
  Shown shown = Shown::by_deed;
};

/// Only what the fault itself needs has the limits of an ordinary examination.
usi::ExamSetup setup_for(Shown shown) {
  usi::ExamSetup setup = generous_setup();
  const usi::ExamSetup ordinary;
  switch (shown) {
    case Shown::by_deed: break;
    case Shown::by_delay: setup.margin = ordinary.margin; break;
    case Shown::by_silence: setup.grace = ordinary.grace; break;
    case Shown::by_no_readyok: setup.ready_timeout = base::Millis{1'000}; setup.grace = ordinary.grace; break;
  }
  return setup;
}

class FakeFaults : public testing::TestWithParam<Case> {};

TEST_P(FakeFaults, are_found_on_a_real_process) {
  const usi::ExamReport report =
      examine_fake(GetParam().switches, usi::Protocol::usi, setup_for(GetParam().shown));
  bool is_fit = true;
  for (const std::string& code : GetParam().codes) {
    EXPECT_TRUE(report.has(code)) << code << " in\n" << usi::test::format_for_people(report);
    is_fit = is_fit && usi::exam_rule(code).severity != usi::Severity::fault;
  }
  // With ordinary limits a busy machine may add a fault.
  if (!is_fit || GetParam().shown == Shown::by_deed) {
    EXPECT_EQ(report.is_fit(), is_fit) << usi::test::format_for_people(report);
  }
}

INSTANTIATE_TEST_SUITE_P(
    EngineExamine, FakeFaults,
    testing::Values(
        Case{"of_words",
             {"--wrong-options", "--no-name", "--unregistered", "--chatter", "--stray-info",
              "--odd-info"},
             {"malformed_option", "odd_option", "repeated_option", "no_name", "unregistered",
              "chatter", "line_outside_search", "unread_words"}},
        Case{"without_increments", {"--clock", "gpsshogi"}, {"no_increments"}},
        Case{"of_quantity",
             {"--flood", "200000", "--huge-line", "--stderr-flood", "--fork-child", "--late-ms", "600"},
             {"flood", "line_too_long", "stderr_flood", "children_left", "slow_stop"}},
        Case{"of_moves",
             {"--resign-on-go", "1", "--illegal-on-go", "8", "--bestmove-before-ponderhit",
              "--copy-protected"},
             {"unasked_resignation", "illegal_answer", "answer_before_ponderhit", "copy_protected"}},
        Case{"unreadable", {"--unreadable-on-go", "1"}, {"illegal_answer"}},
        Case{"answers_twice", {"--bestmove-twice"}, {"stray_answer"}},
        Case{"dies", {"--die-on-go", "8"}, {"died"}},
        Case{"hangs", {"--hang-on-go", "9"}, {"no_answer"}, Shown::by_silence},
        Case{"closes_stdout", {"--close-stdout-on-go", "9"}, {"output_closed", "no_answer"},
             Shown::by_silence},
        Case{"no_newline", {"--no-newline-on-go", "1"}, {"unfinished_line"}},
        Case{"late", {"--late-on-go", "1"}, {"lost_on_time"}, Shown::by_delay},
        Case{"deaf_to_stop", {"--deaf-to-stop"}, {"deaf_to_stop"}, Shown::by_silence},
        Case{"cuts_long_lines", {"--cut-lines", "1023"}, {"long_line_cut"}},
        Case{"deaf_while_it_ponders", {"--deaf-to-stop-in-ponder"}, {"deaf_to_stop"}, Shown::by_silence},
        Case{"refuses_quit", {"--refuse-quit"}, {"deaf_to_quit"}, Shown::by_silence},
        Case{"slow_usiok", {"--slow-usiok-ms", "5100"}, {"slow_handshake"}},
        Case{"no_readyok", {"--no-readyok"}, {"no_readyok"}, Shown::by_no_readyok}),
    [](const auto& tried) { return tried.param.name; });

/// Findings but those of slowness, which a busy machine brings about.
std::ptrdiff_t findings_of(const usi::ExamReport& report) {
  return std::count_if(report.findings.begin(), report.findings.end(), [](const usi::Finding& finding) {
    return !finding.code.starts_with("slow_") && finding.code != "over_clock";
  });
}

TEST(EngineExamine, an_engine_without_faults_is_fit_in_every_protocol) {
  for (const usi::Protocol protocol :
       {usi::Protocol::usi, usi::Protocol::uci, usi::Protocol::tei, usi::Protocol::ucgi}) {
    const std::string name = usi::dialect_of(protocol).name;
    const usi::ExamReport report = examine_fake({"--protocol", name}, protocol);
    EXPECT_TRUE(report.is_fit()) << usi::test::format_for_people(report);
    // Its one option with a space in its name is declared in USI, where no name has one.
    EXPECT_EQ(findings_of(report), protocol == usi::Protocol::usi ? 1 : 0)
        << usi::test::format_for_people(report);
  }
}

TEST(EngineExamine, fairy_stockfish_is_fit_in_usi_and_in_uci) {
  const usi::ExamReport in_usi = examine({fairy_stockfish});
  EXPECT_TRUE(in_usi.is_fit()) << usi::test::format_for_people(in_usi);
  for (const char* code : {"chatter", "option_name_with_space"}) {
    EXPECT_TRUE(in_usi.has(code)) << code;
  }
  EXPECT_EQ(in_usi.clocks, (usi::EngineClocks{usi::ClockReading::keeps_to_btime, true}));
  const usi::ExamReport in_uci = examine({fairy_stockfish}, usi::Protocol::uci);
  EXPECT_TRUE(in_uci.is_fit()) << usi::test::format_for_people(in_uci);
  EXPECT_EQ(in_uci.name, "Fairy-Stockfish 11.1 LB 64");
}

struct Outcome {
  int status = 0;
  std::string out;
};

Outcome run(std::vector<std::string> arguments) {
  testing::internal::CaptureStdout();
  const int status = run_command_line(std::move(arguments));
  return {status, testing::internal::GetCapturedStdout()};
}

TEST(EngineExamine, the_exit_status_tells_the_verdict) {
  const std::string fake = test::fake_engine_binary();
  EXPECT_EQ(run({"engine", "examine", "--option", "usi_hash=64", fake}).status, 0);
  EXPECT_EQ(run({"engine", "examine", "--", fake, "--resign-on-go", "1"}).status, 1);
  EXPECT_EQ(run({"engine", "examine", "--ready-timeout", "1", "--", fake, "--no-readyok"}).status, 69);
  const Outcome none = run({"engine", "examine", "/no-such-engine"});
  EXPECT_EQ(none.status, 69);
  EXPECT_THAT(none.out, HasSubstr("cannot run /no-such-engine"));
}

TEST(EngineExamine, the_report_comes_as_json) {
  const Outcome outcome =
      run({"engine", "examine", "--json", "--", test::fake_engine_binary(), "--illegal-on-go", "1"});
  const auto report = boost::json::parse(outcome.out).as_object();
  EXPECT_FALSE(report.at("fit").as_bool());
  EXPECT_EQ(report.at("protocol").as_string(), "usi");
  bool is_told = false;
  for (const auto& finding : report.at("findings").as_array()) {
    is_told = is_told || (finding.at("code").as_string() == "illegal_answer" &&
                          finding.at("severity").as_string() == "fault" &&
                          finding.at("paragraph").as_string() == "Shogidokoro, bestmove");
  }
  EXPECT_TRUE(is_told) << outcome.out;
}

}  // namespace
}  // namespace kakehashi::cli
