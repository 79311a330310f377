#include "config/import/shogihome.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "tests/config/settings.hpp"
#include "tests/places.hpp"

namespace kakehashi::config {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

std::string example(const std::string& name) {
  std::ifstream file(test::tests_dir() + "/config/shogihome/" + name,
                     std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

ShogiHomeImport imported(const std::string& text,
                         const std::vector<ShogiHomeOverride>& overrides = {}) {
  return import_shogihome({"sh.yaml", text}, overrides);
}

/// The least that their bridge takes, with lines of "server" and of the top level behind it.
std::string with(const std::string& server_lines, const std::string& lines = "") {
  return example("least.yaml") + server_lines + lines;
}

std::string with_password(const std::string& password) {
  std::string text = example("least.yaml");
  text.replace(text.find("himitsu"), 7, password);
  return text;
}

TEST(ImportShogiHome, every_key_of_an_export_finds_its_counterpart) {
  const auto made = imported(example("full.yaml"));
  EXPECT_THAT(described(made.problems), IsEmpty());
  EXPECT_THAT(described(made.warnings), IsEmpty());
  const BotConfig& bot = made.bot;
  EXPECT_EQ(bot.name, "mybot");
  EXPECT_THAT(bot.engine.command, ElementsAre("engines/engine"));
  EXPECT_THAT(bot.engine.directory, IsEmpty());
  EXPECT_THAT(bot.engine.options,
              ElementsAre(Pair("USI_Hash", "1024"), Pair("BookFile", "no_book"),
                          Pair("EvalDir", "eval/nn"), Pair("BookPath", ""),
                          Pair("OwnBook", "false"), Pair("Contempt", "-30"),
                          Pair("Clear Hash", std::nullopt)));
  EXPECT_EQ(bot.ponder, Ponder::on);
  EXPECT_FALSE(bot.engine.restart_each_game);
  EXPECT_EQ(bot.engine.start_timeout, Millis{180'000});
  EXPECT_TRUE(base::passes(bot.engine.pass_environment, "ANYTHING"));
  EXPECT_FALSE(base::passes(bot.engine.pass_environment, "MY_TOKEN"));
  EXPECT_EQ(bot.server.host, "wdoor.c.u-tokyo.ac.jp");
  EXPECT_EQ(bot.server.port, 4081);
  EXPECT_EQ(bot.server.keepalive, Seconds{40});
  EXPECT_EQ(bot.server.after_game, AfterGame::reconnect);
  EXPECT_EQ(bot.server.logout, Logout::never);
  EXPECT_TRUE(bot.server.relogin);
  EXPECT_EQ(bot.account.name, "mybot");
  EXPECT_EQ(bot.account.password.reveal(), "himitsu");
  EXPECT_EQ(bot.game.name, "floodgate-300-10F");
  EXPECT_EQ(bot.game.count, 12);
  EXPECT_EQ(bot.game.comments, true);
  EXPECT_TRUE(bot.records.enabled);
  EXPECT_EQ(bot.records.name, "floodgate_{datetime}{_title}{_sente}{_gote}");
}

TEST(ImportShogiHome, what_is_absent_is_what_it_is_to_their_bridge) {
  const auto made = imported(example("least.yaml"));
  EXPECT_THAT(described(made.problems), IsEmpty());
  EXPECT_EQ(made.bot.ponder, Ponder::off);
  EXPECT_FALSE(made.bot.records.enabled);
  EXPECT_FALSE(made.bot.server.relogin);
  EXPECT_EQ(made.bot.game.count, 1);
  EXPECT_EQ(made.bot.game.comments, false);
  EXPECT_EQ(made.bot.server.logout, Logout::always);
  EXPECT_EQ(made.bot.records.name, "{datetime}{_title}{_sente}{_gote}");
}

TEST(ImportShogiHome, json_is_read_by_its_content) {
  const auto made = imported(example("compact.json"));
  EXPECT_THAT(described(made.problems), IsEmpty());
  EXPECT_THAT(made.bot.engine.command, ElementsAre("C:/engines/engine"));
  EXPECT_THAT(made.bot.engine.options, ElementsAre(Pair("USI_Hash", "256")));
  EXPECT_EQ(made.bot.account.password.reveal(), "him\"itsu");
  EXPECT_EQ(made.bot.game.name, "");
}

TEST(ImportShogiHome, a_wrong_value_is_told_with_its_key_and_place) {
  EXPECT_THAT(
      described(imported(example("wrong.yaml")).problems),
      ElementsAre(
          "sh.yaml:2:9: usi.path: begins with ~, which only a shell replaces; write the whole path",
          "sh.yaml:4:35: usi.options.USI_Hash.value: must be a whole number from "
          "-9007199254740991 to 9007199254740991, not \"many\"",
          "sh.yaml:5:35: usi.options.OwnBook.value: must be true or false; write it without quotes",
          "sh.yaml:6:22: usi.options.BookFile.type: must be check, spin, combo, string, filename or "
          "button, not \"list\"",
          "sh.yaml:7:5: usi.options.EvalDir.value: must be given (what the engine's option is set "
          "to)",
          "sh.yaml:8:14: usi.options.Threads: must hold type: and value:, not \"4\"",
          "sh.yaml:9:5: usi.options.Threads: is given twice, first in line 8; keep one",
          "sh.yaml:11:20: server.protocolVersion: must be v121, v121_floodgate or v121_x1, not "
          "\"v122\"; did you mean v121?",
          "sh.yaml:12:9: server.host: must be a name or an address alone; the port goes to "
          "server.port",
          "sh.yaml:13:9: server.port: must be a whole number from 1 to 65535, not \"0\"",
          "sh.yaml:14:7: server.id: must be of letters, digits and _ @ - . only; a space is not "
          "allowed",
          "sh.yaml:15:13: server.password: begins with a game name that must not ask for a side (-B) "
          "on floodgate: the server would never pair the bot",
          "sh.yaml:16:17: server.tcpKeepalive: must hold keys, not \"10\"",
          "sh.yaml:18:15: server.blankLinePing.interval: must be a whole number from 30 to 3600, not "
          "\"5\"",
          "sh.yaml:19:9: repeat: must be a whole number from 1 to 1000000, not \"forever\"",
          "sh.yaml:20:14: autoRelogin: must be true or false, not \"yes\"",
          "sh.yaml:21:19: recordFileFormat: must be .kif, .kifu, .ki2, .ki2u, .csa or .jkf, not "
          "\".png\"",
          HasSubstr("sh.yaml:22:25: recordFileNameTemplate: has the unknown placeholder "
                    "\"{opponent}\"")));
}

TEST(ImportShogiHome, what_must_be_given_is_told_where_it_is_missing) {
  EXPECT_THAT(described(imported("usi: {}\nserver:\n  host: x\nrepeat: 1\n").problems),
              ElementsAre("sh.yaml:1:1: usi.path: must be given (the engine's program)",
                          "sh.yaml:2:1: server.protocolVersion: must be given (v121 or "
                          "v121_floodgate)",
                          "sh.yaml:2:1: server.port: must be given (1 to 65535)",
                          "sh.yaml:2:1: server.id: must be given (the name to log in with)",
                          "sh.yaml:2:1: server.password: must be given (the password, or game name, "
                          "comma and trip)"));
}

TEST(ImportShogiHome, an_unknown_key_is_a_warning_with_the_nearest_known) {
  const auto made = imported(with("", "repaet: 3\nautoFlip: true\nautoRelogin: true\n"));
  EXPECT_THAT(described(made.problems), IsEmpty());
  EXPECT_THAT(described(made.warnings),
              ElementsAre("sh.yaml:9:1: repaet: is no setting of usi-csa-bridge that is known here; "
                          "it is ignored; did you mean repeat?",
                          "sh.yaml:10:1: autoFlip: is no setting of usi-csa-bridge that is known "
                          "here; it is ignored"));
}

TEST(ImportShogiHome, a_key_given_twice_is_refused) {
  EXPECT_THAT(described(imported(with("  port: 4082\n")).problems),
              ElementsAre("sh.yaml:9:3: server.port: is given twice, first in line 6; keep one"));
}

TEST(ImportShogiHome, null_is_as_absent) {
  const auto made = imported(with("  blankLinePing: null\n", "recordFileFormat: ~\n"));
  EXPECT_THAT(described(made.problems), IsEmpty());
  EXPECT_EQ(made.bot.server.keepalive, Server{}.keepalive);
}

TEST(ImportShogiHome, the_login_line_stays_the_same) {
  // A game name in front of a comma goes to game.name, from which it is sent again; anything else
  // stays in the password.
  struct Case {
    const char* theirs;
    const char* game;
    const char* password;
  };
  for (const Case& one : {Case{"floodgate-300-10F,himitsu", "floodgate-300-10F", "himitsu"},
                          Case{"mytest-0-10-B,a,b", "mytest-0-10-B", "a,b"},
                          Case{"himitsu", "", "himitsu"},
                          Case{"no game,x", "", "no game,x"},
                          Case{"plain,himitsu", "", "plain,himitsu"}}) {
    const std::string theirs = one.theirs;
    const auto made = imported(with_password("\"" + theirs + "\""));
    if (theirs.find(' ') != std::string::npos) {
      EXPECT_THAT(texts(made.problems),
                  ElementsAre("server.password: holds a space, where servers end a password"));
      continue;
    }
    EXPECT_THAT(described(made.problems), IsEmpty()) << theirs;
    EXPECT_EQ(made.bot.game.name, one.game);
    EXPECT_EQ(made.bot.account.password.reveal(), one.password);
  }
}

TEST(ImportShogiHome, no_message_holds_the_password) {
  for (const char* password :
       {"[himitsu]", "{himitsu: 1}", "\"him itsu\"", "\"himitsu\\n\\n\"", "himitsü",
        "\"floodgate-300-10F,him itsu\"", "\"floodgate-300-10F-W,himitsu\"", "\"him\\titsu\""}) {
    const auto made = imported(with_password(password));
    EXPECT_FALSE(made.problems.empty()) << password;
    for (const auto& problem : made.problems) {
      EXPECT_EQ(problem.key, "server.password");
      EXPECT_THAT(describe(problem), Not(HasSubstr("him"))) << password;
      EXPECT_THAT(describe(problem), Not(HasSubstr("itsu"))) << password;
    }
  }
}

TEST(ImportShogiHome, a_trip_is_needed_on_floodgate) {
  EXPECT_THAT(texts(imported(with_password("\"floodgate-300-10F,\"")).problems),
              ElementsAre("server.password: the part behind the comma is empty; it must hold the password (the trip), one line"));
  EXPECT_THAT(texts(imported(with_password("\"\"")).problems),
              ElementsAre("server.password: is empty; it must hold the password (the trip), one line"));
}

TEST(ImportShogiHome, extended_mode_which_their_window_knows_plays_here) {
  std::string text = with_password("floodgate-300-10F,himitsu");
  text.replace(text.find("v121"), 4, "v121_x1");
  const auto made = imported(text);
  EXPECT_THAT(described(made.problems), IsEmpty());
  EXPECT_EQ(made.bot.server.mode, LoginMode::x1);
  EXPECT_EQ(made.bot.server.after_game, AfterGame::automatic);
  std::string nameless = example("least.yaml");
  nameless.replace(nameless.find("v121"), 4, "v121_x1");
  EXPECT_THAT(described(imported(nameless).problems),
              ElementsAre("sh.yaml:4:3: server.protocolVersion: in x1 mode the bot asks for its game "
                          "by name: give game.name"));
}

TEST(ImportShogiHome, the_command_line_goes_before_the_file) {
  const auto made = imported(example("least.yaml"), {{"server.host", "--host", "localhost"},
                                                     {"server.port", "--port", "4082"},
                                                     {"repeat", "--repeat", "7"},
                                                     {"saveRecordFile", "--save-record", "true"}});
  EXPECT_THAT(described(made.problems), IsEmpty());
  EXPECT_EQ(made.bot.server.host, "localhost");
  EXPECT_EQ(made.bot.server.port, 4082);
  EXPECT_EQ(made.bot.game.count, 7);
  EXPECT_TRUE(made.bot.records.enabled);
  EXPECT_THAT(described(imported(example("least.yaml"), {{"server.port", "--port", "x"}}).problems),
              ElementsAre("--port: server.port: must be a whole number from 1 to 65535, not \"x\""));
}

TEST(ImportShogiHome, early_pondering_needs_the_ponder_option_as_there) {
  std::string text = example("full.yaml");
  text.replace(text.find("enableEarlyPonder: false"), 24, "enableEarlyPonder: true");
  EXPECT_EQ(imported(text).bot.ponder, Ponder::early);
  text.replace(text.find("value: true"), 11, "value: false");
  EXPECT_EQ(imported(text).bot.ponder, Ponder::off);
}

TEST(ImportShogiHome, an_engine_can_be_fresh_for_each_game) {
  EXPECT_TRUE(imported(with("", "restartPlayerEveryGame: true\n")).bot.engine.restart_each_game);
}

TEST(ImportShogiHome, their_book_is_asked_before_the_engine) {
  const std::string book =
      "  extraBook:\n    enabled: true\n    filePath: book/opening.db\n    onTheFly: true\n"
      "    moveSelectionRule: weightedByScore\n    scoreTemperature: 50\n";
  std::string text = example("least.yaml");
  text.insert(text.find("server:"), book);
  const auto made = imported(text);
  EXPECT_THAT(described(made.problems), IsEmpty());
  EXPECT_EQ(made.bot.book.file, "book/opening.db");
  EXPECT_TRUE(made.bot.book.on_the_fly);
  EXPECT_EQ(made.bot.book.rule, shogi::book::Rule::by_score);
  EXPECT_EQ(made.bot.book.temperature, 50);
  text.replace(text.find("enabled: true"), 13, "enabled: false");
  EXPECT_EQ(imported(text).bot.book.file, "");
  text.replace(text.find("enabled: false"), 14, "enabled: true");
  text.replace(text.find("opening.db"), 10, "book.bin");
  EXPECT_EQ(imported(text).bot.book.file, "");
  EXPECT_THAT(texts(imported(text).warnings),
              Contains(HasSubstr("usi.extraBook.filePath: only books in YaneuraOu's text format")));
}

TEST(ImportShogiHome, each_key_that_is_given_is_accounted_for) {
  const auto made = imported(example("full.yaml"));
  std::vector<std::string> theirs;
  for (const Carried& one : made.carried) {
    theirs.push_back(one.theirs + (one.ours.empty() ? "" : " -> " + one.ours));
  }
  EXPECT_THAT(theirs, Contains("usi.path -> engine.command"));
  EXPECT_THAT(theirs, Contains("usi.options.USI_Ponder -> ponder"));
  EXPECT_THAT(theirs, Contains("server.password -> game.name, account.password_file"));
  EXPECT_THAT(theirs, Contains("usi.name"));
  EXPECT_EQ(theirs.size(), 21U);
}

TEST(ImportShogiHome, other_texts_are_refused_as_a_whole) {
  for (const char* text : {"", "- 1\n", "[1, 2]", "hello", "{\"usi\": ", "\x1F\x8B", "a: \x04"}) {
    EXPECT_EQ(imported(text).problems.size(), 1U) << text;
  }
}

}  // namespace
}  // namespace kakehashi::config
