// The program is killed in a game that its server gives back: the next process goes on in it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <boost/asio/io_context.hpp>
#include <csignal>
#include <filesystem>
#include <string>

#include "journal/journal.hpp"
#include "journal/replay.hpp"
#include "tests/places.hpp"
#include "tests/system/look_until.hpp"
#include "tests/system/loop.hpp"
#include "tests/system/peer.hpp"
#include "tests/system/program.hpp"
#include "tests/system/scratch.hpp"

namespace kakehashi {
namespace {

using test::Program;
using test::look_until;
using test::read_text;
using test::run_until;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char* first_token = "0123456789abcdef0123456789abcdef";
constexpr const char* second_token = "fedcba9876543210fedcba9876543210";

class CutOffGame : public testing::Test {
 protected:
  CutOffGame() {
    test::write_text(scratch.path("alice.yaml"),
                     "server: {host: 127.0.0.1, port: " + std::to_string(peer.port()) + "}\n" +
                         "account: {name: alice, password_env: PW}\n" + "game: {count: 1}\n" +
                         "engine: {command: [" + test::fake_engine_binary() + "]}\n" +
                         "records: {directory: " + scratch.path("records") + ", name: game}\n" +
                         "archive: {file: " + scratch.path("games.db") + "}\n" +
                         "log: {level: debug}\n");
  }

  Program start(const std::string& log) {
    return {context, {"run", scratch.path("alice.yaml")}, "", scratch.path(log), {"PW=do-not-tell"}};
  }

  static std::string summary(const std::string& moves, char to_move, const std::string& token) {
    return std::string("BEGIN Game_Summary\nProtocol_Version:1.2\nFormat:Shogi 1.0\nGame_ID:g1\nName+:alice\n") +
           "Name-:foe\nYour_Turn:+\nTo_Move:" + to_move +
           "\nBEGIN Time\nTotal_Time:600\nByoyomi:10\nEND Time\nBEGIN Position\nPI\n+\n" + moves +
           "END Position\nReconnect_Token:" + token + "\nEND Game_Summary\n";
  }

  /// The next line of ours that begins so.
  std::string hear(const std::string& beginning) {
    std::string line;
    EXPECT_TRUE(run_until(context, [&] {
      for (std::size_t end; line.empty() && (end = peer.received().find('\n', taken)) != std::string::npos;) {
        std::string one = peer.received().substr(taken, end - taken);
        taken = end + 1;
        if (one.starts_with(beginning)) {
          line = std::move(one);
        }
      }
      return !line.empty();
    })) << beginning << " was not said";
    return line;
  }

  bool end(Program& program, int signal) {
    program.send_signal(signal);
    return run_until(context, [&] { return program.status.has_value(); });
  }

  test::Scratch scratch;
  boost::asio::io_context context;
  test::Peer peer{context};
  std::size_t taken = 0;
};

TEST_F(CutOffGame, is_asked_for_by_the_next_process_and_played_on) {
  std::string first;
  std::string second;
  {
    Program killed = start("killed.log");
    hear("LOGIN alice");
    peer.say("LOGIN:alice OK\n" + summary("", '+', first_token));
    hear("AGREE");
    peer.say("START:g1\n");
    first = hear("+");
    peer.say(first + ",T1\n-3334FU,T2\n");
    second = hear("+");
    const std::string token_file = scratch.path("journal/alice.rejoin");
    struct stat seen {};
    ASSERT_TRUE(look_until(context, [&] { return ::stat(token_file.c_str(), &seen) == 0 && seen.st_size > 0; }));
    EXPECT_EQ(seen.st_mode & 07777U, 0600U);
    ASSERT_TRUE(look_until(context, [&] {
      return read_text(scratch.path("journal/" + scratch.names("journal").back())).find(second) != std::string::npos;
    })) << "what is gathered before it is written is lost with both processes";
    ASSERT_TRUE(end(killed, SIGKILL));
  }

  Program next = start("next.log");
  EXPECT_EQ(hear("LOGIN alice"), std::string("LOGIN alice do-not-tell reconnect:g1+") + first_token);
  peer.say("LOGIN:alice OK\n" + summary(first + ",T1\n-3334FU,T2\n" + second + ",T1\n", '-', second_token) +
           "BEGIN Reconnect_State\nCurrent_Turn:-\nBlack_Time_Remaining_Ms:598000\n" +
           "White_Time_Remaining_Ms:598000\nEND Reconnect_State\n");
  peer.say("-8384FU,T3\n");
  const std::string third = hear("+");
  peer.say(third + ",T1\n%TORYO,T1\n#RESIGN\n#WIN\n");
  hear("LOGOUT");
  peer.say("LOGOUT:completed\n");
  ASSERT_TRUE(run_until(context, [&] { return next.status.has_value(); }));
  const std::string log = read_text(scratch.path("next.log"));
  EXPECT_EQ(next.status, 0) << log;

  EXPECT_THAT(scratch.names("records"), ElementsAre("game.csa"));
  const std::string record = read_text(scratch.path("records/game.csa"));
  for (const std::string& move : {first, std::string("-3334FU"), second, std::string("-8384FU"), third}) {
    EXPECT_THAT(record, HasSubstr("\n" + move + "\n"));
  }
  EXPECT_THAT(record, HasSubstr("%TORYO"));
  EXPECT_THAT(record, Not(HasSubstr("cut off")));

  const auto journals = scratch.names("journal");
  ASSERT_EQ(journals.size(), 1U) << "one run, and the token is gone";
  const std::string journal = read_text(scratch.path("journal/" + journals[0]));
  const auto replay = journal::replay(journal::read(journal));
  EXPECT_EQ(replay.obstacle, "");
  EXPECT_EQ(replay.differences_count, 0U);
  for (const std::string& text : {journal, record, log, read_text(scratch.path("killed.log"))}) {
    EXPECT_THAT(text, Not(HasSubstr(first_token)));
    EXPECT_THAT(text, Not(HasSubstr(second_token)));
  }
}

TEST_F(CutOffGame, that_was_left_on_purpose_is_not_asked_for) {
  {
    Program left = start("left.log");
    hear("LOGIN alice");
    peer.say("LOGIN:alice OK\n" + summary("", '+', first_token));
    hear("AGREE");
    peer.say("START:g1\n");
    hear("+");
    for (const char* answer : {"draining: ", "resigning: ", ""}) {
      left.send_signal(SIGTERM);
      ASSERT_TRUE(look_until(context, [&] {
        return left.status || (*answer != '\0' && read_text(scratch.path("left.log")).find(answer) != std::string::npos);
      })) << answer;
    }
  }
  Program next = start("next.log");
  EXPECT_THAT(hear("LOGIN alice"), Not(HasSubstr("reconnect")));
}

TEST_F(CutOffGame, is_not_asked_for_with_another_configuration) {
  {
    Program killed = start("killed.log");
    hear("LOGIN alice");
    peer.say("LOGIN:alice OK\n" + summary("", '+', first_token));
    hear("AGREE");
    peer.say("START:g1\n");
    hear("+");
    ASSERT_TRUE(look_until(context, [&] { return !read_text(scratch.path("journal/alice.rejoin")).empty(); }));
    ASSERT_TRUE(end(killed, SIGKILL));
  }
  test::write_text(scratch.path("alice.yaml"), read_text(scratch.path("alice.yaml")) + "time: {margin: 2s}\n");
  Program next = start("next.log");
  EXPECT_THAT(hear("LOGIN alice"), Not(HasSubstr("reconnect")));
  EXPECT_TRUE(look_until(context, [&] { return read_text(scratch.path("next.log")).find("the configuration has changed") != std::string::npos; }));
  EXPECT_TRUE(look_until(context, [&] {
    const auto names = scratch.names("journal");
    return names.size() == 2 && names[0].ends_with(".journal") && names[1].ends_with(".journal");
  })) << "its own journal; the token is gone";
}

}  // namespace
}  // namespace kakehashi
