// Examinations under virtual time: what each bad habit of an engine is found to be.
#include "usi/examination.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "tests/engines/clock_models.hpp"
#include "tests/places.hpp"
#include "tests/usi/examinee.hpp"

namespace kakehashi::usi {
namespace {

using namespace std::chrono_literals;
using usi::test::examined;
using usi::test::exits;
using usi::test::format_for_people;
using usi::test::Habit;
using usi::test::lines;
using usi::test::Replies;
using usi::test::Reply;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> codes(const ExamReport& report) {
  std::vector<std::string> found;
  for (const Finding& finding : report.findings) {
    found.push_back(finding.code);
  }
  return found;
}

ExamStep step_of(std::string section, ExamStep::Await await = ExamStep::Await::answer) {
  return {.section = base::verbatim(std::move(section)), .lines = {}, .await = await};
}

std::string next_section(ExamAgenda& agenda) {
  const auto step = agenda.next();
  return step ? step->section.english() : "none";
}

TEST(ExamAgenda, what_was_answered_early_is_not_asked_for_again_in_that_section) {
  ExamAgenda agenda({step_of("ponder hit", ExamStep::Await::pondering), step_of("ponder hit"), step_of("quit")});
  EXPECT_EQ(next_section(agenda), "ponder hit");
  agenda.note_early_answer();
  EXPECT_EQ(next_section(agenda), "quit");
  EXPECT_EQ(next_section(agenda), "none");
}

TEST(ExamAgenda, a_section_that_fails_is_left_and_the_engine_is_brought_to_a_game_first) {
  ExamAgenda agenda({step_of("stop"), step_of("stop"), step_of("next game"), step_of("next game"), step_of("quit")});
  EXPECT_EQ(next_section(agenda), "stop");
  agenda.leave_section();
  EXPECT_EQ(agenda.sections(), "next game, quit");
  agenda.begin_anew({step_of("handshake")});
  EXPECT_EQ(next_section(agenda), "handshake");
  EXPECT_EQ(next_section(agenda), "next game");
  EXPECT_FALSE(agenda.is_empty());
}

TEST(Examine, a_healthy_engine_of_any_protocol_is_fit_and_without_findings) {
  for (const Protocol protocol :
       {Protocol::usi, Protocol::uci, Protocol::tei, Protocol::ucgi}) {
    const ExamReport report = examined({}, protocol);
    EXPECT_THAT(codes(report), IsEmpty()) << dialect_of(protocol).name;
    EXPECT_TRUE(report.is_fit());
    EXPECT_EQ(report.name, "Healthy");
    EXPECT_EQ(report.options, 1U);
    EXPECT_GT(report.measurements.size(), 5U);
  }
}

/// On the n-th go, and what is said then.
Habit on_go(int n, Replies replies) {
  return [n, replies](const std::string& line, int go) -> std::optional<Replies> {
    return line.starts_with("go") && go == n ? std::optional(replies) : std::nullopt;
  };
}

/// Whenever a line begins so.
Habit on_line(const std::string& start, Replies replies) {
  return [start, replies](const std::string& line, int) -> std::optional<Replies> {
    return line.starts_with(start) ? std::optional(replies) : std::nullopt;
  };
}

Replies hello(std::vector<std::string> more, base::Millis after = 0ms) {
  Replies replies = lines(std::move(more));
  replies.push_back({after, "usiok"});
  return replies;
}

struct Case {
  std::string code;
  Habit habit;
};

Replies odd(Oddity oddity) { return {{0ms, "", Reply::Kind::odd, oddity}, {20ms, "bestmove a"}}; }

std::vector<Case> cases() {
  const std::string name = "id name X";
  return {
      {"no_handshake", on_line("usi", {})},
      {"slow_handshake", on_line("usi", {{6s, name}, {6s, "usiok"}})},
      {"no_name", on_line("usi", hello({}))},
      {"malformed_option", on_line("usi", hello({name, "option name A type slider"}))},
      {"odd_option", on_line("usi", hello({name, "option name A type check default yes"}))},
      {"option_name_with_space", on_line("usi", hello({name, "option name A B type button"}))},
      {"repeated_option",
       on_line("usi", hello({name, "option name A type button", "option name A type button"}))},
      {"copy_protected", on_line("usi", hello({name, "copyprotection error"}))},
      {"unregistered", on_line("usi", hello({name, "registration error"}))},
      {"no_readyok", on_line("isready", {})},
      {"slow_readyok", on_line("isready", {{11s, "readyok"}})},
      {"no_answer", on_go(2, {})},
      {"illegal_answer", on_go(8, lines({"bestmove b"}))},
      {"illegal_answer", on_go(8, lines({"bestmove"}))},
      {"unasked_resignation", on_go(1, lines({"bestmove resign"}))},
      {"stray_answer", on_go(1, lines({"bestmove a", "bestmove a"}))},
      {"stray_answer", on_line("gameover", lines({"bestmove a"}))},
      {"over_clock", on_go(1, {{1'200ms, "bestmove a"}})},
      {"lost_on_time", on_go(1, {{2'100ms, "bestmove a"}})},
      {"slow_stop", on_line("stop", {{600ms, "bestmove a"}})},
      {"deaf_to_stop", on_line("stop", {})},
      {"answer_before_ponderhit", on_line("go ponder", {{100ms, "bestmove a"}})},
      {"no_info",
       [waits = false](const std::string& line, int) mutable -> std::optional<Replies> {
         const bool is_endless = line.starts_with("go ponder");
         const bool is_end = line == "stop" || line == "ponderhit";
         if (is_endless || (is_end && !waits)) {
           waits = is_endless;
           return Replies{};
         }
         waits = waits && !is_end;
         return is_end || line.starts_with("go ") ? std::optional(lines({"bestmove a"})) : std::nullopt;
       }},
      {"unread_words", on_go(1, lines({"info depth 1 joho", "bestmove a"}))},
      {"malformed_line", on_go(1, lines({"readyok", "bestmove a"}))},
      {"line_outside_search", on_go(1, lines({"bestmove a", "info depth 3"}))},
      {"chatter", on_go(1, lines({"I think", "bestmove a"}))},
      {"flood", on_go(1, odd(Oddity::flood))},
      {"line_too_long", on_go(1, odd(Oddity::line_too_long))},
      {"stderr_flood", on_go(1,
                             [] {
                               Replies noise(300, Reply{0ms, "noise", Reply::Kind::stderr_line});
                               noise.push_back({1ms, "bestmove a"});
                               return noise;
                             }())},
      {"unfinished_line", on_go(1, odd(Oddity::unfinished_line))},
      {"died", on_go(2, {exits(10ms, {ProcessEnd::How::killed, 11})})},
      {"no_increments",
       [](const std::string& line, int) -> std::optional<Replies> {
         return line.find(" binc ") == std::string::npos
                    ? std::nullopt
                    : std::optional(Replies{exits(1ms, {ProcessEnd::How::killed, 6})});
       }},
      {"output_closed", on_go(2, {{10ms, "", Reply::Kind::odd, Oddity::output_closed}})},
      {"slow_quit", on_line("quit", {exits(2s)})},
      {"deaf_to_quit", on_line("quit", {})},
      {"children_left", on_line("quit", {{5ms, "", Reply::Kind::odd, Oddity::children_left},
                                         exits(6ms)})},
  };
}

TEST(Examine, every_bad_habit_is_found_and_weighed) {
  std::set<std::string> met{"no_sizes", "unfit_setting", "not_examined", "long_line_cut"};  // below
  for (const Case& tried : cases()) {
    const ExamReport report = examined(tried.habit);
    EXPECT_TRUE(report.has(tried.code)) << tried.code << " in " << format_for_people(report);
    if (exam_rule(tried.code).severity == Severity::fault) {
      EXPECT_FALSE(report.is_fit()) << tried.code;
    } else {
      EXPECT_TRUE(report.is_fit()) << format_for_people(report);
    }
    met.insert(tried.code);
  }
  for (const ExamRule& rule : exam_rules()) {
    EXPECT_TRUE(met.contains(rule.code)) << rule.code << " is tried by no case";
  }
}

TEST(Examine, one_fault_does_not_hide_the_next_nor_is_an_engine_restarted_for_ever) {
  int starts = 0;
  const ExamReport report =
      examined([&](const std::string& line, int) -> std::optional<Replies> {
        starts += line == "usi" ? 1 : 0;
        if (line.starts_with("go btime 600000")) {
          return Replies{exits(10ms, {ProcessEnd::How::killed, 11})};
        }
        return line.starts_with("gameover") ? std::optional(lines({"bestmove a"})) : std::nullopt;
      });
  EXPECT_TRUE(report.has("died"));
  EXPECT_TRUE(report.has("stray_answer"));
  EXPECT_EQ(starts, 2);
  starts = 0;
  const ExamReport hopeless = examined([&](const std::string& line, int) -> std::optional<Replies> {
    starts += line == "usi" ? 1 : 0;
    return line.starts_with("go") ? std::optional(Replies{}) : std::nullopt;
  });
  EXPECT_EQ(starts, 1 + Examination::restarts_max);
  EXPECT_TRUE(hopeless.has("not_examined"));
}

/// Thinks as the model does, until stop.
Habit thinks_as(std::string_view model) {
  return [model, position = std::string(), waits = false](const std::string& line,
                                                          int) mutable -> std::optional<Replies> {
    if (line.starts_with("position ")) {
      position = line;
    }
    if (line == "stop" && std::exchange(waits, false)) {
      return Replies{{10ms, "bestmove a"}};
    }
    if (!line.starts_with("go btime") || position.find(" b ") == std::string::npos) {
      return std::nullopt;  // elsewhere it is healthy
    }
    const auto thinks = kakehashi::test::thinking_time(model, kakehashi::test::told_clock(line, true));
    waits = thinks.ms.value_or(1'000'000) > 900;
    return waits ? Replies{} : Replies{{base::Millis{*thinks.ms}, "bestmove a"}};
  };
}

TEST(Examine, tells_how_the_engine_reads_its_clock_and_what_it_is_sent) {
  EXPECT_THAT(format_for_people(examined(thinks_as("yaneuraou-9.40"))),
              HasSubstr("clock     it adds the increment to btime by itself; it is sent btime without this move's "
                        "increment, and binc\n"));
  EXPECT_THAT(format_for_people(examined(thinks_as("yaneuraou-9.70"))), HasSubstr("it never goes beyond btime; "));
  const ExamReport swapped = examined(thinks_as("fairy-11.1"));
  EXPECT_THAT(format_for_people(swapped), HasSubstr("is sent its own for both\n"));
  EXPECT_THAT(format_json(swapped), HasSubstr("\"clock\":\"keeps_to_btime\",\"clock_swaps_sides\":true"));
  EXPECT_THAT(format_for_people(examined({})), HasSubstr("it is sent the increment as byoyomi, and no binc\n"));
}

/// What a bridge sends between usi and quit: nothing else is asked, so nothing else can be held against it.
TEST(Examine, asks_nothing_that_a_bridge_never_asks) {
  bool is_searching = false;
  static_cast<void>(examined([&](const std::string& line, int) -> std::optional<Replies> {
    EXPECT_FALSE(is_searching && line != "stop" && line != "ponderhit") << line << " in mid-search";
    EXPECT_FALSE(line.empty());
    EXPECT_TRUE(line.starts_with("usi") || line.starts_with("setoption ") || line == "isready" ||
                line.starts_with("position ") || line.starts_with("go btime ") ||
                line.starts_with("go ponder btime ") || line == "stop" || line == "ponderhit" ||
                line.starts_with("gameover ") || line == "quit")
        << line;
    const bool waits = line.starts_with("go ponder") || line.starts_with("go btime 600000");
    is_searching = waits || (is_searching && line != "stop" && line != "ponderhit");
    return std::nullopt;
  }));
}

TEST(Examine, an_engine_that_gets_ready_for_minutes_and_says_so_is_waited_for) {
  Replies building;
  for (int i = 1; i <= 8; ++i) {
    building.push_back({i * 15s, "", i % 2 == 0 ? Reply::Kind::line : Reply::Kind::stderr_line});
  }
  building.push_back({135s, "readyok"});
  EXPECT_THAT(codes(examined(on_line("isready", building))), ElementsAre("slow_readyok"));
  ExamSetup setup = usi::test::setup_for(Protocol::usi);
  setup.ready_max = 60s;
  EXPECT_TRUE(examined(on_line("isready", building), setup).has("no_readyok")) << "not for ever";
}

TEST(Examine, where_the_machine_is_slow_more_time_can_be_granted) {
  const Habit late = on_go(1, {{20'000ms, "bestmove a"}});
  EXPECT_TRUE(examined(late).has("no_answer"));
  ExamSetup setup = usi::test::setup_for(Protocol::usi);
  setup.grace = 60s;
  EXPECT_TRUE(examined(late, setup).has("lost_on_time")) << "heard, and judged as ever";
  setup.margin = 60s;
  EXPECT_THAT(codes(examined(late, setup)), ElementsAre("over_clock"));
  EXPECT_TRUE(examined(on_go(1, {}), setup).has("no_answer")) << "silence is found, only later";
}

TEST(Examine, an_answer_to_an_older_position_of_a_long_game_means_a_cut_line) {
  ExamSetup setup = usi::test::setup_for(Protocol::usi);
  setup.long_game = {"position a very long game", {"z"}};
  const auto answering = [](const std::string& move) {
    return [move, is_asked = false](const std::string& line, int) mutable -> std::optional<Replies> {
      if (line.starts_with("position ")) {
        is_asked = line == "position a very long game";
      }
      return is_asked && line.starts_with("go ") ? std::optional(lines({"bestmove " + move})) : std::nullopt;
    };
  };
  EXPECT_TRUE(examined(answering("z"), setup).is_fit());
  const ExamReport cut = examined(answering("a"), setup);
  EXPECT_THAT(codes(cut), ElementsAre("long_line_cut"));
  EXPECT_FALSE(cut.is_fit());
  EXPECT_THAT(codes(examined(answering("resign"), setup)), ElementsAre("long_line_cut"));
}

TEST(Examine, an_engine_that_does_not_start_has_no_findings) {
  Examination examination(usi::test::setup_for(Protocol::usi));
  static_cast<void>(examination.start({}));
  static_cast<void>(examination.on_failed_to_start(base::verbatim("cannot run x")));
  EXPECT_TRUE(examination.is_finished());
  EXPECT_FALSE(examination.report().is_fit());
  EXPECT_EQ(format_for_people(examination.report()),
            "result    the engine cannot be started: cannot run x\n");
}

TEST(Examine, a_tak_engine_must_tell_its_board_sizes) {
  EXPECT_TRUE(examined(on_line("tei", lines({"id name X", "teiok"})), Protocol::tei).has("no_sizes"));
}

TEST(Examine, settings_are_checked_against_what_is_declared_and_sent_before_isready) {
  ExamSetup setup = usi::test::setup_for(Protocol::usi);
  setup.options = {{"threads", "4"}, {"Thread", "9"}};
  Examination examination(setup);
  static_cast<void>(examination.start({}));
  static_cast<void>(examination.on_line("id name X", {}));
  static_cast<void>(
      examination.on_line("option name Threads type spin default 1 min 1 max 8", {}));
  const ExamActions actions = examination.on_line("usiok", {});
  EXPECT_THAT(actions.lines,
              testing::ElementsAre("setoption name Threads value 4",
                                   "setoption name USI_Ponder value true", "isready"));
  EXPECT_TRUE(examination.report().has("unfit_setting"));
}

TEST(Examine, each_finding_points_to_its_paragraph) {
  const ExamReport report = examined(on_line("go ponder", {{100ms, "bestmove a"}}));
  EXPECT_THAT(format_for_people(report),
              HasSubstr("[Shogidokoro, go ponder: not before stop or ponderhit]"));
}

TEST(Examine, the_json_report_survives_hostile_bytes) {
  const ExamReport report = examined(on_go(1, lines({"\x01\"\\ \xFFhello", "bestmove a"})));
  const std::string json = format_json(report);
  EXPECT_THAT(json, HasSubstr("\"verdict\":\"fit to play\""));
  EXPECT_THAT(json, HasSubstr("\"code\":\"chatter\""));
  boost::system::error_code fault;
  boost::json::parse(json, fault);
  EXPECT_FALSE(fault) << json;
  EXPECT_THAT(json, Not(HasSubstr("\x01")));
}

TEST(Examine, every_finding_is_explained_in_the_manual) {
  std::ifstream in(kakehashi::test::source_dir() + "/docs/engines.md");
  const std::string manual{std::istreambuf_iterator<char>(in), {}};
  for (const ExamRule& rule : exam_rules()) {
    EXPECT_THAT(manual, HasSubstr("| `" + std::string(rule.code) + "` | " +
                                  describe(rule.severity).english() + " |"));
  }
}

}  // namespace
}  // namespace kakehashi::usi
