// In which order the lines of one step leave, and what they wait for.
#include "bridge/io/send_lines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kakehashi::bridge::io {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr EngineId engine{0, 1};
constexpr EngineId standby{1, 1};

class SendLines : public testing::Test {
 protected:
  SentLines send(const Actions& actions) {
    return send_lines(actions, {[this](std::string_view line) {
                                  written.push_back("server: " + std::string(line));
                                },
                                [this](EngineId id, std::string_view lines) {
                                  written.push_back(engine_word(id) + ": " + std::string(lines));
                                }});
  }

  std::vector<std::string> written;
};

TEST_F(SendLines, our_move_leaves_before_the_engine_is_told_to_ponder) {
  send({Note{Level::info, "a_note", "", {}}, WriteEngine{engine, "position startpos moves 7g7f"},
        WriteServer{"+7776FU", "+7776FU"}});
  EXPECT_THAT(written, ElementsAre("server: +7776FU", "engine: position startpos moves 7g7f"));
}

TEST_F(SendLines, position_and_go_leave_together) {
  send({WriteEngine{engine, "position startpos"}, AppendRecord{"+7776FU\n"},
        WriteEngine{engine, "go btime 1000"}, ArmTimer{}});
  EXPECT_THAT(written, ElementsAre("engine: position startpos\ngo btime 1000"));
}

TEST_F(SendLines, each_line_of_the_server_leaves_alone) {
  send({WriteServer{"%TORYO", "%TORYO"}, WriteServer{"LOGOUT", "LOGOUT"}});
  EXPECT_THAT(written, ElementsAre("server: %TORYO", "server: LOGOUT"));
}

TEST_F(SendLines, two_engines_do_not_hear_each_others_lines) {
  send({WriteEngine{engine, "position startpos"}, WriteEngine{standby, "isready"},
        WriteEngine{engine, "go"}});
  EXPECT_THAT(written, ElementsAre("engine: position startpos\ngo", "standby: isready"));
}

TEST_F(SendLines, a_line_stays_behind_what_opens_or_closes_its_way) {
  const auto sent = send({WriteServer{"LOGOUT", "LOGOUT"}, CloseServer{}, WriteServer{"late", "late"},
                          WriteEngine{engine, "quit"}, KillEngine{engine}, WriteEngine{engine, "usi"}});
  EXPECT_THAT(written, ElementsAre("server: LOGOUT", "engine: quit"));
  EXPECT_EQ(sent.server_until, 1U);
  EXPECT_EQ(sent.engine_until, 4U);
}

TEST_F(SendLines, a_rescue_does_not_wait_for_the_end_of_the_engine) {
  send({KillEngine{engine}, StartEngine{EngineId{0, 2}}, WriteEngine{EngineId{0, 2}, "usi"},
        WriteServer{"+7776FU", "+7776FU"}});
  EXPECT_THAT(written, ElementsAre("server: +7776FU"));
}

TEST_F(SendLines, nothing_leaves_behind_the_exit) {
  const auto sent = send({Exit{0}, WriteServer{"LOGOUT", "LOGOUT"}, WriteEngine{engine, "quit"}});
  EXPECT_THAT(written, IsEmpty());
  EXPECT_EQ(sent.server_until, 0U);
  EXPECT_EQ(sent.engine_until, 0U);
}

TEST_F(SendLines, a_step_without_lines_writes_nothing) {
  const auto sent = send({ArmTimer{}, AppendRecord{"T1\n"}});
  EXPECT_THAT(written, IsEmpty());
  EXPECT_EQ(sent.server_until, 2U);
}

}  // namespace
}  // namespace kakehashi::bridge::io
