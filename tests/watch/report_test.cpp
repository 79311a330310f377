// The report in its forms.
#include "watch/http_answer.hpp"
#include "watch/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "shogi/notation/usi.hpp"
#include "shogi/position.hpp"

namespace kakehashi::watch {
namespace {

using testing::HasSubstr;
using testing::Not;

bridge::View playing() {
  bridge::View view;
  view.phase = bridge::Phase::playing;
  view.engine_name = "engine \xFF";
  bridge::GameView game;
  game.game_id = "id\"\n";
  game.black_name = "mybot";
  game.white_name = "foe";
  game.position = shogi::Position::startpos();
  game.moves = {{"+7776FU", base::Millis{1000}, 12}, {"-3334FU", base::Millis{2000}}};
  game.black_main_time = base::Millis{60'000};
  game.score = bridge::ViewedScore{false, 123, 9, "2g2f"};
  view.game = game;
  return view;
}

Report report_of(const BotState& state, bridge::View view) {
  Report report;
  report.version = "1.2.3";
  report.bots.push_back({&state, std::move(view)});
  return report;
}

TEST(Report, one_line_says_phase_move_and_evaluation) {
  const BotState state("mybot");
  EXPECT_EQ(line(report_of(state, playing())), "mybot: playing, move 2, +123");
}

TEST(Report, what_a_signal_asks_for_is_the_state_in_one_line_whatever_the_peers_wrote) {
  bridge::View view = playing();
  bridge::GameView& game = *view.game;
  const base::SteadyTime now = game.turn_started + base::Millis{1'500};
  const std::string ours = describe_state(view, now).english();
  for (const char* fact : {"playing", "black against \"foe\"", "2 moves", "our turn for 1.5 s", "1 min", "123", "depth 9"}) {
    EXPECT_THAT(ours, HasSubstr(fact));
  }
  EXPECT_THAT(ours, Not(HasSubstr("\n")));
  EXPECT_THAT(ours, Not(HasSubstr("\xFF")));

  game.our_color = shogi::Color::white;
  game.score = bridge::ViewedScore{true, -5, 9, ""};
  view.standby_plays = true;
  const std::string theirs = describe_state(view, now).english();
  for (const char* fact : {"white against \"mybot\"", "their turn", "mate in 5 for white", "standby"}) {
    EXPECT_THAT(theirs, HasSubstr(fact));
  }

  game.end.emplace();
  EXPECT_THAT(describe_state(view, now).english(), HasSubstr("over"));
  EXPECT_THAT(describe_state(view, now).english(), Not(HasSubstr("turn")));
}

TEST(Report, a_bot_that_connects_is_not_ready_and_says_why) {
  BotState state("mybot");
  state.take(bridge::Occurred{bridge::Incident::retrying, base::verbatim("no connection")});
  bridge::View view;
  view.phase = bridge::Phase::connecting;
  EXPECT_THAT(not_ready(report_of(state, view)), testing::ElementsAre("mybot: connecting; no connection"));
  EXPECT_THAT(json(report_of(state, view)), HasSubstr(R"("trouble":"no connection","trouble_code":"retrying")"));
  view.phase = bridge::Phase::waiting;
  EXPECT_THAT(not_ready(report_of(state, view)), testing::IsEmpty());
}

TEST(Report, a_bot_that_waits_for_its_window_tells_when_it_opens_and_how_long_that_is) {
  const BotState state("mybot");
  bridge::View view;
  view.phase = bridge::Phase::resting;
  const base::WallTime now = std::chrono::sys_days{std::chrono::year{2026} / 1 / 5} + std::chrono::hours{16};
  view.window = bridge::ViewedWindow{"Mon 20:00", now + base::Millis{11'520'900}};
  Report report = report_of(state, view);
  report.now.wall = now;
  EXPECT_EQ(line(report), "mybot: waiting for its window until Mon 20:00, in 3 h 12 min");
  const auto window = boost::json::parse(json(report)).at("bots").at(0).at("window");
  EXPECT_EQ(window.at("opens").as_string(), "Mon 20:00");
  EXPECT_EQ(window.at("opens_in_ms").as_int64(), 11'520'900);
  EXPECT_EQ(window.at("opens_ms").as_int64(), (now + base::Millis{11'520'900}).time_since_epoch().count());
  EXPECT_EQ(window.at("text").as_string(), "until Mon 20:00, in 3 h 12 min");

  report.now.wall = view.window->at + base::Millis{5};  // the clock was set while it waited
  EXPECT_EQ(line(report), "mybot: waiting for its window until Mon 20:00");
  report.bots[0].is_done = true;
  EXPECT_EQ(line(report), "mybot: left");
  EXPECT_FALSE(boost::json::parse(json(report)).at("bots").at(0).as_object().contains("window"));
}

TEST(Report, a_state_between_games_names_the_window_and_the_games) {
  bridge::View view;
  view.phase = bridge::Phase::resting;
  view.window.emplace().opens = "Mon 09:00";
  view.games_finished = 3;
  const std::string state = describe_state(view, base::SteadyTime{}).english();
  EXPECT_THAT(state, HasSubstr("Mon 09:00"));
  EXPECT_THAT(state, HasSubstr("games finished: 3"));
}

TEST(Report, the_engine_that_plays_is_named_by_its_role) {
  const BotState state("mybot");
  bridge::View view = playing();
  EXPECT_THAT(json(report_of(state, view)), HasSubstr(R"("role":"main")"));
  EXPECT_THAT(metrics(report_of(state, view)), HasSubstr("kakehashi_standby_plays{bot=\"mybot\"} 0\n"));
  view.standby_plays = true;
  EXPECT_THAT(json(report_of(state, view)), HasSubstr(R"("role":"standby")"));
  EXPECT_THAT(metrics(report_of(state, view)), HasSubstr("kakehashi_standby_plays{bot=\"mybot\"} 1\n"));
}

TEST(Report, each_engine_of_a_team_is_told_with_what_it_did) {
  const BotState state("mybot");
  bridge::View view = playing();
  EXPECT_FALSE(boost::json::parse(json(report_of(state, view))).at("bots").at(0).at("game").as_object().contains("members"));
  view.game->members = {{.name = "engine", .engine = "First 1.0", .is_ready = true, .ponder = {}},
                        {.name = "gpu2", .engine = "Second 2.0", .plays = true, .moves = 7,
                         .ponder = {9, 4, base::Millis{12'500}}}};
  EXPECT_THAT(json(report_of(state, view)),
              HasSubstr(R"({"name":"gpu2","engine":"Second 2.0","ready":false,"plays":true,"out":false,"moves":7,)"
                        R"("searches":9,"hits":4,"gained_ms":12500})"));
  view.game->members[0].is_out = true;
  EXPECT_THAT(json(report_of(state, view)), HasSubstr(R"("ready":true,"plays":false,"out":true,)"));
  view.game->members[0].said = bridge::ViewedOpinion{.move = "+7776FU", .score = -52, .depth = 12};
  view.game->members[1].said = bridge::ViewedOpinion{.move = "%TORYO"};
  EXPECT_THAT(json(report_of(state, view)), HasSubstr(R"("said":{"move":"+7776FU","score":-52,"depth":12}})"));
  EXPECT_THAT(json(report_of(state, view)), HasSubstr(R"("said":{"move":"%TORYO"}})"));
  EXPECT_THAT(metrics(report_of(state, view)),
              HasSubstr("kakehashi_member_ponder_hits{bot=\"mybot\",member=\"gpu2\"} 4\n"));
}

TEST(Report, the_way_to_an_engine_behind_a_keeper_is_told_with_its_cuts) {
  const BotState state("mybot");
  bridge::View view = playing();
  EXPECT_FALSE(boost::json::parse(json(report_of(state, view))).at("bots").at(0).at("engine").as_object().contains("link"));
  EXPECT_THAT(metrics(report_of(state, view)), Not(HasSubstr("kakehashi_engine_link_up{")));

  using std::chrono::microseconds;
  view.engine_link = bridge::ViewedEngineLink{.ways = 2, .ways_lost = 1, .is_out = false, .round_trip = microseconds{12'345},
                                              .jitter = microseconds{678}, .cuts = 3, .out = base::Millis{4'500}};
  const auto told = boost::json::parse(json(report_of(state, view)));
  const auto& link = told.at("bots").at(0).at("engine").at("link");
  EXPECT_EQ(link.at("state").as_string(), "reduced");
  EXPECT_EQ(link.at("round_trip_us").as_int64(), 12'345);
  EXPECT_EQ(link.at("cuts").as_int64(), 3);
  EXPECT_EQ(link.at("out_ms").as_int64(), 4'500);
  const std::string page = metrics(report_of(state, view));
  for (const char* sample : {"kakehashi_engine_link_up{bot=\"mybot\"} 1\n", "kakehashi_engine_link_ways_lost{bot=\"mybot\"} 1\n",
                             "kakehashi_engine_link_delay_seconds{bot=\"mybot\"} 0.012345\n",
                             "kakehashi_engine_link_cuts_total{bot=\"mybot\"} 3\n",
                             "kakehashi_engine_link_out_seconds_total{bot=\"mybot\"} 4.500\n"}) {
    EXPECT_THAT(page, HasSubstr(sample));
  }

  view.engine_link->is_out = true;
  EXPECT_THAT(json(report_of(state, view)), HasSubstr(R"("state":"out")"));
  EXPECT_THAT(metrics(report_of(state, view)), HasSubstr("kakehashi_engine_link_up{bot=\"mybot\"} 0\n"));
}

TEST(Report, json_is_json_whatever_the_peers_wrote) {
  const BotState state("mybot");
  boost::system::error_code failed;
  const auto parsed = boost::json::parse(json(report_of(state, playing())), failed);
  ASSERT_FALSE(failed);
  const auto& bot = parsed.at("bots").at(0);
  EXPECT_EQ(bot.at("engine").at("name").as_string(), "engine \xEF\xBF\xBD");
  EXPECT_EQ(bot.at("game").at("id").as_string(), "id\"\n");
  EXPECT_EQ(bot.at("game").at("moves").at(0).at("score").as_int64(), 12);
  EXPECT_FALSE(bot.at("game").at("moves").at(1).as_object().contains("score"));
  EXPECT_EQ(bot.at("game").at("clocks").at("black").at("main_time_ms").as_int64(), 60'000);
  EXPECT_TRUE(bot.at("game").at("clocks").at("white").at("untimed").as_bool());
}

TEST(Report, json_holds_nothing_that_commands_a_terminal) {
  const BotState state("mybot");
  bridge::View view = playing();
  view.engine_name = "a\xC2\x9B" "2J";
  const std::string text = json(report_of(state, view));
  EXPECT_NE(text.find("a\xEF\xBF\xBD" "2J"), std::string::npos);
}

TEST(Report, games_are_counted_on_when_a_bot_begins_anew) {
  BotState state("mybot");
  state.take(bridge::GameEnded{csa::Outcome::lose, "#RESIGN", false, "foe", "g1", 9});
  bridge::View view = playing();
  view.games_finished = 0;
  const auto bot = boost::json::parse(json(report_of(state, view))).at("bots").at(0);
  EXPECT_EQ(bot.at("games_finished").as_int64(), 1);
  EXPECT_EQ(bot.at("results").at("lose").as_int64(), 1);
}

TEST(Report, an_expected_line_is_written_as_players_write_it) {
  const BotState state("mybot");
  bridge::View view = playing();
  view.game->position = *shogi::usi::parse_sfen("4k4/9/9/9/9/9/9/3G1G3/4K4 b Gg 1");
  view.game->score->pv = "G*5e 5a5b 4h5h G*5d 5h6g 5e5e";
  const auto bot = boost::json::parse(json(report_of(state, view))).at("bots").at(0);
  std::string line;
  for (const auto& move : bot.at("game").at("score").at("japanese").as_array()) {
    line += std::string(move.as_string()) + " ";
  }
  EXPECT_EQ(line, "▲５五金 △５二玉 ▲５八金右 △５四金 ▲６七金右 ");
}

TEST(Report, moves_are_written_as_players_write_them_with_what_was_thought) {
  const BotState state("mybot");
  bridge::View view = playing();
  view.game->moves = {{"+7776FU", base::Millis{1000}, 12, std::nullopt, 9}, {"-3334FU", base::Millis{2000}, -30'000, -7},
                      {"+8822UM", base::Millis{0}}, {"-3122GI", base::Millis{0}}};
  const auto moves = boost::json::parse(json(report_of(state, view))).at("bots").at(0).at("game").at("moves");
  EXPECT_EQ(moves.at(0).at("japanese").as_string(), "▲７六歩");
  EXPECT_EQ(moves.at(0).at("depth").as_int64(), 9);
  EXPECT_EQ(moves.at(1).at("mate").as_int64(), -7);
  EXPECT_EQ(moves.at(2).at("japanese").as_string(), "▲２二角成");
  EXPECT_EQ(moves.at(3).at("japanese").as_string(), "△同　銀");
}

TEST(Report, behind_a_move_that_no_board_holds_moves_have_no_words) {
  const BotState state("mybot");
  bridge::View view = playing();
  view.game->moves = {{"+7776FU"}, {"-9999XX"}, {"+0076FU"}, {"-3334FU"}};
  const auto moves = boost::json::parse(json(report_of(state, view))).at("bots").at(0).at("game").at("moves");
  ASSERT_EQ(moves.as_array().size(), 4);
  EXPECT_TRUE(moves.at(0).as_object().contains("japanese"));
  for (const std::size_t i : {1U, 2U, 3U}) {
    EXPECT_FALSE(moves.at(i).as_object().contains("japanese")) << i;
  }
}

TEST(Report, an_expected_line_takes_back_what_the_last_move_brought) {
  const BotState state("mybot");
  bridge::View view = playing();
  view.game->moves = {{"+7776FU"}, {"-3334FU"}, {"+8822UM"}};
  view.game->position = *shogi::usi::parse_sfen("lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 1");
  view.game->score->pv = "3a2b";
  const auto game = boost::json::parse(json(report_of(state, view))).at("bots").at(0).at("game");
  EXPECT_EQ(game.at("score").at("japanese").at(0).as_string(), "△同　銀");
}

TEST(Report, each_clock_tells_its_time_control) {
  const BotState state("mybot");
  bridge::View view = playing();
  view.game->times.black = {base::Millis{300'000}, base::Millis{0}, base::Millis{10'000}};
  const auto game = boost::json::parse(json(report_of(state, view))).at("bots").at(0).at("game");
  EXPECT_EQ(game.at("clocks").at("black").at("total_ms").as_int64(), 300'000);
  EXPECT_EQ(game.at("clocks").at("black").at("increment_ms").as_int64(), 10'000);
  EXPECT_EQ(game.at("start_sfen").as_string(), shogi::usi::startpos_sfen);
}

TEST(Report, metrics_name_no_game_and_no_opponent) {
  const BotState state("my\"bot");
  const std::string text = metrics(report_of(state, playing()));
  EXPECT_THAT(text, HasSubstr("kakehashi_build_info{version=\"1.2.3\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("kakehashi_bot_ready{bot=\"my\\\"bot\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("kakehashi_bot_phase{bot=\"my\\\"bot\",phase=\"playing\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("kakehashi_game_moves{bot=\"my\\\"bot\"} 2\n"));
  EXPECT_THAT(text, Not(HasSubstr("foe")));
  EXPECT_THAT(text, Not(HasSubstr("id\"")));
}

TEST(LivePage, is_small_and_makes_no_mark_up_of_texts) {
  const std::string page(live_page());
  EXPECT_LT(page.size(), 150'000);
  for (const char* way : {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("}) {
    EXPECT_THAT(page, Not(HasSubstr(way)));
  }
}

TEST(LivePage, needs_nothing_from_elsewhere) {
  const std::string page(live_page());
  EXPECT_THAT(page, Not(HasSubstr("@page_")));
  EXPECT_THAT(page, HasSubstr("<title>Kakehashi</title>"));
  EXPECT_THAT(page, HasSubstr("</html>"));
  for (const char* foreign : {"src=\"http", "href=\"http", "@import", "url(http"}) {
    EXPECT_THAT(page, Not(HasSubstr(foreign)));
  }
}

TEST(LivePage, tells_in_japanese_what_the_codes_of_the_log_mean) {
  const std::string page(live_page());
  EXPECT_THAT(page, HasSubstr("\n  game_ended: \"サーバーが対局を終えた\",\n"));
  // Two codes in one row of the table; quotes and brackets of the page's own language are gone.
  EXPECT_THAT(page, HasSubstr("\n  unexpected_start: \"サーバーから、順序に合わないものが届いた\",\n"));
  EXPECT_THAT(page, HasSubstr("\n  line_lost: \"対局中に接続が切れた\",\n"));
  EXPECT_THAT(page, Not(HasSubstr("@japanese")));
}

TEST(LivePage, has_the_japanese_of_what_it_says_and_of_the_phases) {
  const std::string page(live_page());
  for (const char* entry : {R"("Board after {}": "{}の局面")", R"("page\u0004{} s": "{}秒")", R"("Finished games": "終わった対局")",
                            R"("waiting for a game": "対局待ち")"}) {
    EXPECT_THAT(page, HasSubstr(std::string("\n  ") + entry + ",\n"));
  }
  EXPECT_THAT(page, Not(HasSubstr("kakehashi-keep is not there"))) << "the page says no such thing";
}

}  // namespace
}  // namespace kakehashi::watch
