// A server that repeats our password: in chat, in names, in an error, in a game's id. It must be
// seen in nothing that anybody reads.
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
    const auto masked = mask.hide(Event(ServerLine{line, true}));
    return masked ? std::get<ServerLine>(*masked).text : "as it was";
  };
  EXPECT_EQ(text_of("Reconnect_Token:0123456789abcdef"), "Reconnect_Token:****");
  EXPECT_EQ(text_of("##[LOGIN] s3cret-tr1p? s3cret-tr1p!"), "##[LOGIN] ****? ****!");
  EXPECT_EQ(text_of("+7776FU,T1"), "as it was");
  EXPECT_FALSE(mask.hide(Event(EngineLine{EngineId{0, 1}, "info string x"})));
}

TEST(Mask, a_short_password_stands_in_any_line_by_chance) {
  EXPECT_FALSE(Mask(with_password("a")).hide(Event(ServerLine{"a line", false})));
}

TEST(Mask, a_password_that_is_part_of_our_own_name_is_no_secret) {
  EXPECT_EQ(Mask(with_password("mybot")).hide("logged in as mybot"), "logged in as mybot");
}

TEST(Mask, a_password_is_found_as_messages_quote_it) {
  EXPECT_EQ(Mask(with_password("tr\\1\"p")).hide("the server says \"tr\\\\1\\\"p\""),
            "the server says \"****\"");
}

TEST(Mask, a_line_that_the_game_hangs_on_reaches_the_core_as_it_came) {
  const Mask mask(with_password("7776FU"));
  EXPECT_EQ(mask.hide_in_line("+7776FU,T1"), "+7776FU,T1");
  EXPECT_EQ(mask.hide_in_line("Name+:7776FU"), "Name+:****");
  EXPECT_EQ(mask.hide_in_line("##[CHAT][x] 7776FU"), "##[CHAT][x] ****");
}

/// The referee complains about the password in a note, a record, a status or a line that is shown.
void play(const std::vector<std::string>& lines) {
  std::string notes;
  support::Stage stage(support::stage_config(), 1,
                       [&](base::Millis, const Event*, const Actions& actions) {
                         for (const Action& action : actions) {
                           if (const auto* note = std::get_if<Note>(&action)) {
                             notes += note->text + "\n";
                           }
                         }
                       });
  stage.start();
  stage.happen(EngineStarted{EngineId{0, 1}, 1});
  stage.happen(EngineLine{EngineId{0, 1}, "usiok"});
  stage.happen(EngineLine{EngineId{0, 1}, "readyok"});
  stage.happen(ServerConnected{"192.0.2.1:4081"});
  for (const std::string& line : lines) {
    stage.happen(ServerLine{line, false});
  }
  EXPECT_THAT(stage.referee().complaints(), testing::IsEmpty());
  EXPECT_NE(notes.find("****"), std::string::npos) << notes;
}

TEST(Mask, a_refused_login_that_names_the_password_is_told_without_it) {
  play({"LOGIN:incorrect s3cret-tr1p is not your password"});
}

TEST(Mask, chat_and_errors_are_told_without_the_password) {
  play({"LOGIN:mybot OK", "##[ERROR] s3cret-tr1p", "what is s3cret-tr1p?"});
}

TEST(Mask, a_game_named_after_the_password_is_recorded_without_it) {
  play({"LOGIN:mybot OK", "BEGIN Game_Summary", "Protocol_Version:1.2", "Format:Shogi 1.0",
        "Game_ID:s3cret-tr1p", "Name+:mybot", "Name-:s3cret-tr1p", "Your_Turn:+", "To_Move:+",
        "BEGIN Time", "Total_Time:300", "END Time", "BEGIN Position", "PI", "+", "END Position",
        "END Game_Summary", "START:s3cret-tr1p", "#s3cret-tr1p", "#LOSE"});
}

}  // namespace
}  // namespace kakehashi::bridge
