// In which order the actions of one step are performed.
#include "bridge/outbox.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kakehashi::bridge {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr EngineId the_engine{0, 1};
constexpr EngineId standby{1, 1};

std::string word_of(const Action& action) {
  if (const auto* server = std::get_if<WriteServer>(&action)) {
    return "server: " + server->line;
  }
  if (const auto* write = std::get_if<WriteEngine>(&action)) {
    return engine_word(write->engine) + ": " + write->line;
  }
  return std::holds_alternative<KillEngine>(action)    ? "kill"
         : std::holds_alternative<StartEngine>(action) ? "start"
         : std::holds_alternative<CloseServer>(action) ? "close"
         : std::holds_alternative<Exit>(action)        ? "exit"
                                                       : "-";
}

std::vector<std::string> order_of(const Actions& actions) {
  Outbox out;
  for (const Action& action : actions) {
    out.add(action);
  }
  std::vector<std::string> words;
  for (const Action& action : out.take()) {
    words.push_back(word_of(action));
  }
  EXPECT_THAT(out.take(), IsEmpty()) << "a step is taken once";
  return words;
}

TEST(Outbox, our_move_leaves_before_the_engine_is_told_to_ponder) {
  EXPECT_THAT(order_of({Note{Level::info, "a_note", {}, {}}, WriteEngine{the_engine, "position startpos moves 7g7f"},
                        WriteServer{"+7776FU", "+7776FU"}}),
              ElementsAre("server: +7776FU", "engine: position startpos moves 7g7f", "-"));
}

TEST(Outbox, position_and_go_stand_together) {
  EXPECT_THAT(order_of({WriteEngine{the_engine, "position startpos"}, AppendRecord{"+7776FU\n"},
                        WriteEngine{the_engine, "go btime 1000"}, ArmTimer{}}),
              ElementsAre("engine: position startpos", "engine: go btime 1000", "-", "-"));
}

TEST(Outbox, the_lines_of_each_engine_stand_together_in_their_order) {
  EXPECT_THAT(order_of({WriteEngine{the_engine, "position startpos"}, WriteEngine{standby, "isready"},
                        WriteEngine{the_engine, "go"}}),
              ElementsAre("engine: position startpos", "engine: go", "standby: isready"));
}

TEST(Outbox, a_line_stays_behind_what_opens_or_closes_its_way) {
  EXPECT_THAT(order_of({WriteServer{"LOGOUT", "LOGOUT"}, CloseServer{}, WriteServer{"late", "late"},
                        WriteEngine{the_engine, "quit"}, KillEngine{the_engine}, WriteEngine{the_engine, "usi"}}),
              ElementsAre("server: LOGOUT", "engine: quit", "close", "server: late", "kill", "engine: usi"));
}

TEST(Outbox, a_rescue_does_not_wait_for_the_end_of_the_engine) {
  EXPECT_THAT(order_of({KillEngine{the_engine}, StartEngine{EngineId{0, 2}}, WriteEngine{EngineId{0, 2}, "usi"},
                        WriteServer{"+7776FU", "+7776FU"}}),
              ElementsAre("server: +7776FU", "kill", "start", "engine#2: usi"));
}

TEST(Outbox, nothing_passes_the_exit) {
  EXPECT_THAT(order_of({Exit{0}, WriteServer{"LOGOUT", "LOGOUT"}, WriteEngine{the_engine, "quit"}}),
              ElementsAre("exit", "server: LOGOUT", "engine: quit"));
}

TEST(Outbox, a_step_without_lines_keeps_its_order) {
  EXPECT_THAT(order_of({ArmTimer{}, KillEngine{the_engine}, AppendRecord{"T1\n"}}), ElementsAre("-", "kill", "-"));
}

}  // namespace
}  // namespace kakehashi::bridge
