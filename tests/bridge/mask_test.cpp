// A server that repeats our password. In chat and in an error nobody may see it; in names and in a game's id it is
// public, and spoils nothing.
#include "bridge/mask.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/stage.hpp"

namespace kakehashi::bridge {
namespace {

config::BotConfig with_password(const char* password) {
  config::BotConfig config = support::stage_config();
  config.account.password = base::Secret(password);
  return config;
}

TEST(Mask, hides_the_password_and_the_token_in_what_a_journal_holds) {
  const Mask mask(support::stage_config());
  const auto text_of = [&](const char* line) {
    const auto masked = mask.kept(Event(ServerLine{line, true}));
    return masked ? std::get<ServerLine>(*masked).text : "as it was";
  };
  EXPECT_EQ(text_of("Reconnect_Token:0123456789abcdef"), "Reconnect_Token:****************");
  EXPECT_EQ(text_of("##[LOGIN] s3cret-tr1p? s3cret-tr1p!"), "##[LOGIN] ****? ****!");
  EXPECT_EQ(text_of("unknown command LOGIN mybot s3cret-tr1p"), "unknown command LOGIN mybot ****");
  EXPECT_EQ(text_of("+7776FU,T1"), "as it was");
  EXPECT_FALSE(mask.kept(Event(EngineLine{EngineId{0, 1}, "info string x"})));
}

TEST(Mask, a_hidden_token_comes_back_where_it_was_and_one_of_a_game_that_is_over_stays_hidden) {
  const Mask mask(support::stage_config());
  const auto with = [&](const char* hidden, const char* token) {
    return std::get<ServerLine>(with_token(ServerLine{hidden, true}, token)).text;
  };
  EXPECT_EQ(with("Reconnect_Token:********", "01234567"), "Reconnect_Token:01234567");
  EXPECT_EQ(with("Reconnect_Token:********", ""), "Reconnect_Token:********") << "what is sent with it is as long";
  EXPECT_EQ(with("Reconnect_Token:******", "01234567"), "Reconnect_Token:******");
  EXPECT_EQ(with("Reconnect_Token:abcd", "01234567"), "Reconnect_Token:abcd");
}

TEST(Mask, what_the_server_shows_to_everybody_is_heard_as_it_came_and_only_the_log_hides_it) {
  const Mask mask(with_password("wcsc36"));
  for (const std::string line :
       {"Game_ID:wcsc36+final+a+b", "Name+:wcsc36", "Name-:not-wcsc36", "START:wcsc36+final+a+b",
        "REJECT:wcsc36+final+a+b by wcsc36", "+7776FU,T1,'* 30 wcsc36", "#wcsc36", "P1-KY-KE wcsc36", "Max_Moves:wcsc36",
        "LOGIN:wcsc36 OK"}) {
    EXPECT_EQ(mask.heard(line), line);
    EXPECT_FALSE(mask.kept(Event(ServerLine{line, false}))) << line;
    EXPECT_THAT(mask.hide(line), testing::Not(testing::HasSubstr("wcsc36")));
  }
  const Note shown = mask.hide(Note{Level::info, "paired", base::verbatim("game wcsc36+final"), {{"game_id", "wcsc36+final"}}});
  EXPECT_EQ(shown.text, "game ****+final");
  EXPECT_EQ(shown.fields.front().second, "****+final");
}

TEST(Mask, a_refusal_stays_one_whatever_the_password_is) {
  EXPECT_EQ(Mask(with_password("incorrect")).heard("LOGIN:incorrect because incorrect"), "LOGIN:incorrect because ****");
}

TEST(Mask, a_short_password_stands_in_any_line_by_chance) {
  EXPECT_FALSE(Mask(with_password("a")).kept(Event(ServerLine{"##[a] line", false})));
}

TEST(Mask, a_password_that_is_part_of_our_own_name_is_no_secret) {
  EXPECT_EQ(Mask(with_password("mybot")).hide("logged in as mybot"), "logged in as mybot");
}

TEST(Mask, a_password_is_found_as_messages_quote_it) {
  EXPECT_EQ(Mask(with_password("tr\\1\"p")).hide("the server says \"tr\\\\1\\\"p\""),
            "the server says \"****\"");
}

/// What people are told of a run in which the server says these lines, and what its records hold. The referee
/// complains about a password that was not public.
struct Told {
  std::string notes;
  std::string records;
  std::string facts;
};

Told play(const std::vector<std::string>& lines) {
  Told told;
  support::Stage stage(support::stage_config(), 1, [&](base::Millis, const Event*, const Actions& actions) {
    for (const Action& action : actions) {
      if (const auto* note = std::get_if<Note>(&action)) {
        told.notes += note->text.english() + "\n";
      } else if (const auto* begin = std::get_if<BeginRecord>(&action)) {
        told.records += begin->stem + "\n" + begin->text;
      } else if (const auto* ended = std::get_if<GameEnded>(&action)) {
        told.facts += ended->game_id + " " + ended->opponent + "\n";
      }
    }
  });
  stage.start();
  stage.happen(EngineStarted{EngineId{0, 1}, 1});
  stage.happen(EngineLine{EngineId{0, 1}, "usiok"});
  stage.happen(EngineLine{EngineId{0, 1}, "readyok"});
  stage.happen(ServerConnected{base::verbatim("192.0.2.1:4081")});
  for (const std::string& line : lines) {
    stage.happen(ServerLine{line, false});
  }
  EXPECT_THAT(stage.referee().complaints(), testing::IsEmpty());
  return told;
}

TEST(Mask, a_refused_login_that_names_the_password_is_told_without_it) {
  EXPECT_THAT(play({"LOGIN:incorrect s3cret-tr1p is not your password"}).notes, testing::HasSubstr("****"));
}

TEST(Mask, chat_and_errors_are_told_without_the_password) {
  EXPECT_THAT(play({"LOGIN:mybot OK", "##[ERROR] s3cret-tr1p", "what is s3cret-tr1p?"}).notes,
              testing::HasSubstr("****"));
}

TEST(Mask, a_game_that_has_the_password_in_its_name_is_recorded_as_the_server_names_it) {
  const Told told =
      play({"LOGIN:mybot OK", "BEGIN Game_Summary", "Protocol_Version:1.2", "Format:Shogi 1.0",
            "Game_ID:s3cret-tr1p+final", "Name+:mybot", "Name-:s3cret-tr1p", "Your_Turn:+", "To_Move:+",
            "BEGIN Time", "Total_Time:300", "END Time", "BEGIN Position", "PI", "+", "END Position",
            "END Game_Summary", "START:s3cret-tr1p+final", "#ILLEGAL_MOVE", "#LOSE"});
  EXPECT_THAT(told.records, testing::HasSubstr("$EVENT:s3cret-tr1p+final\n"));
  EXPECT_THAT(told.records, testing::HasSubstr("N-s3cret-tr1p\n"));
  EXPECT_EQ(told.facts, "s3cret-tr1p+final s3cret-tr1p\n");
  EXPECT_THAT(told.notes + told.records, testing::Not(testing::HasSubstr("****")));
}

}  // namespace
}  // namespace kakehashi::bridge
