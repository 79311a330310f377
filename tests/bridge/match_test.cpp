// One game by itself, from its offer to its result: the words of a server, one engine or two, and a clock that is
// moved by hand. No connection, no login, no bot.
#include "bridge/game/match.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/overload.hpp"
#include "bridge/event.hpp"
#include "bridge/game/offer.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::bridge {
namespace {

using base::Millis;
using Lines = std::vector<std::string>;

config::BotConfig bot(bool has_standby = false) {
  config::BotConfig config;
  config.account.name = "us";
  config.ponder = config::Ponder::off;
  config.engine.standby.enabled = has_standby;
  return config;
}

/// What a server says, up to the offer: shogi-server's words, main time of a minute and byoyomi of ten seconds.
Lines offer_lines(char our_turn, bool may_come_back = false) {
  Lines lines{"BEGIN Game_Summary",  "Protocol_Version:1.2", "Game_ID:g",      "Name+:first", "Name-:second",
              std::string("Your_Turn:") + our_turn, "To_Move:+", "BEGIN Time", "Total_Time:60", "Byoyomi:10",
              "END Time",            "BEGIN Position",       "PI",             "+",           "END Position"};
  if (may_come_back) {
    lines.emplace_back("Reconnect_Token:token");
  }
  lines.emplace_back("END Game_Summary");
  return lines;
}

/// A bot's game without a bot: lines of the server and of the engines reach it as they would there.
class Board {
 public:
  explicit Board(char our_turn = '+', config::BotConfig given = bot(), bool may_come_back = false)
      : config(std::move(given)), team(config.engine, false) {
    team.engines().start(now, out);
    static_cast<void>(session.login("us", "pw", now.steady));
    static_cast<void>(session.on_line("LOGIN:us OK", now.steady));
    for (const std::string& line : offer_lines(our_turn, may_come_back)) {
      for (csa::SessionEvent& event : session.on_line(line, now.steady)) {
        if (auto* received = std::get_if<csa::SummaryReceived>(&event)) {
          offer.emplace(std::move(received->summary), now.steady);
        }
      }
    }
  }
  [[nodiscard]] GameContext in() {
    return {{now, config, team, link, book, out, news, lines_wait}, session, false};
  }
  void ready(std::uint32_t seat = 0) {
    engine({seat, 1}, "", true);
    for (const char* line : {"id name Fake", "usiok", "readyok"}) {
      engine({seat, 1}, line);
    }
  }
  /// From the offer to START.
  void begin() {
    ready();
    offer->agree_when_idle(in());
    server("START:g");
  }
  void engine(EngineId id, const std::string& line, bool is_start = false) {
    for (const EngineNews& item : is_start ? team.on(EngineStarted{id, 1}, now, out) : team.on(EngineLine{id, line}, now, out)) {
      if (!match) {
        continue;
      }
      if (const auto* answer = std::get_if<usi::SearchAnswered>(&item)) {
        static_cast<void>(match->on_answer(in(), *answer));
      } else if (std::holds_alternative<EngineReady>(item)) {
        match->on_ready(in());
      }
    }
  }
  void server(std::string_view line) {
    for (csa::SessionEvent& event : session.on_line(line, now.steady)) {
      std::visit(base::Overload{
                     [&](csa::GameStarted&) {
                       GameRecord record(offer->game().summary(), config, now.wall);
                       const auto agreed = offer->agreed_at().value_or(now.steady);
                       match.emplace(offer->take_game(), std::move(record), now.steady, agreed);
                       match->begin(in());
                     },
                     [&](csa::MovePlayed& e) { match->on_move(in(), e); },
                     [&](csa::SpecialPlayed& e) { match->on_special(e); },
                     [&](csa::GameEnding& e) { match->on_ending(in(), e); },
                     [&](csa::GameGoesOn& e) { match->on_goes_on(in(), e); },
                     [&](csa::GameEnded& e) {
                       match->drop_search(in());
                       finished = match->finish(in(), e.end, statistics);
                     },
                     [](auto&) {},
                 },
                 event);
    }
    if (match && !finished) {
      match->begin_due(in());
    }
  }
  /// The line is lost, and another login gets the game back, at that position.
  [[nodiscard]] bool come_back(const shogi::Position& position) {
    match->suspend(in(), base::verbatim("reset"));
    static_cast<void>(done());
    session = csa::ClientSession();
    static_cast<void>(session.login_again("us", "pw", "g", "token", now.steady));
    static_cast<void>(session.on_line("LOGIN:us OK", now.steady));
    for (const std::string& line : offer_lines('+', true)) {
      static_cast<void>(session.on_line(line, now.steady));
    }
    for (const char* line : {"BEGIN Reconnect_State", "END Reconnect_State"}) {
      static_cast<void>(session.on_line(line, now.steady));
    }
    if (!match->catch_up(in(), position, {})) {
      return false;
    }
    match->go_on(in(), {}, "token2");
    match->begin_due(in());
    return true;
  }
  void pass(Millis time) {
    now.steady += time;
    match->on_time(in());
  }
  /// Lines to the server, and those to engines that begin a search or end one; codes of notes with '!' before them.
  [[nodiscard]] Lines done() {
    Lines lines;
    for (const Action& action : out.take()) {
      if (const auto* write = std::get_if<WriteServer>(&action)) {
        lines.push_back(write->line);
      } else if (const auto* to_engine = std::get_if<WriteEngine>(&action)) {
        if (to_engine->line.starts_with("go") || to_engine->line == "stop") {
          lines.push_back(to_engine->line.substr(0, to_engine->line.find(' ')));
        }
      } else if (const auto* note = std::get_if<Note>(&action); note != nullptr && note->level >= Level::warn) {
        lines.push_back(std::string("!") + note->code);
      }
    }
    out = Outbox();
    return lines;
  }

  config::BotConfig config;
  base::Now now{base::SteadyTime{std::chrono::hours(1)}, {}};
  Outbox out;
  EngineTeam team;
  LinkMargin link;
  BookState book;
  std::vector<EngineNews> news;
  csa::ClientSession session;
  std::optional<Offer> offer;
  std::optional<Match> match;
  Statistics statistics;
  std::optional<FinishedGame> finished;
  bool lines_wait = false;
};

constexpr EngineId first{0, 1};

/// From the usual start (USI).
shogi::Position position_behind(std::initializer_list<const char*> moves) {
  shogi::Position position = shogi::Position::startpos();
  for (const char* move : moves) {
    position.play(*shogi::usi::parse_move(move));
  }
  return position;
}

// --- the offer

TEST(Offer, is_agreed_to_once_and_only_when_an_engine_is_ready) {
  Board board;
  static_cast<void>(board.done());
  board.offer->agree_when_idle(board.in());
  EXPECT_EQ(board.done(), Lines{});
  board.ready();
  board.offer->agree_when_idle(board.in());
  board.offer->agree_when_idle(board.in());
  EXPECT_EQ(board.done(), (Lines{"AGREE g"}));
  EXPECT_EQ(board.offer->deadline(), std::nullopt) << "nothing is waited for any more";
}

TEST(Offer, is_rejected_before_the_server_closes_its_window) {
  Board board;
  static_cast<void>(board.done());
  ASSERT_TRUE(board.offer->deadline());
  board.now.steady = *board.offer->deadline();
  EXPECT_TRUE(board.offer->on_time(board.in()));
  EXPECT_EQ(board.done(), (Lines{"REJECT g", "!agree_too_late"}));
}

TEST(Offer, is_agreed_to_by_a_standby_when_the_first_engine_is_late) {
  Board board('+', bot(true));
  board.ready(1);
  static_cast<void>(board.done());
  board.now.steady = *board.offer->deadline();
  EXPECT_FALSE(board.offer->on_time(board.in()));
  EXPECT_EQ(board.team.player_seat(), 1U);
  EXPECT_EQ(board.done().front(), "AGREE g");
}

// --- turns

TEST(Match, an_answer_leaves_as_a_move_and_the_next_turn_begins_with_the_reply) {
  Board board;
  board.begin();
  EXPECT_EQ(board.done(), (Lines{"AGREE g", "go"}));
  board.engine(first, "bestmove 7g7f");
  EXPECT_EQ(board.done(), (Lines{"+7776FU"}));
  board.server("+7776FU,T1");
  EXPECT_EQ(board.done(), Lines{});
  EXPECT_FALSE(board.match->is_on_turn());
  board.server("-3334FU,T2");
  EXPECT_EQ(board.done(), (Lines{"go"}));
  EXPECT_EQ(board.match->game().ply(), 2);
}

TEST(Match, nothing_begins_while_further_lines_wait) {
  Board board('-');
  board.begin();
  static_cast<void>(board.done());
  board.lines_wait = true;
  board.server("+7776FU,T1");
  EXPECT_EQ(board.done(), Lines{}) << "the next line may end the game";
  board.lines_wait = false;
  board.match->begin_due(board.in());
  EXPECT_EQ(board.done(), (Lines{"go"}));
}

TEST(Match, a_move_that_the_server_plays_for_us_ends_our_search) {
  Board board;
  board.begin();
  static_cast<void>(board.done());
  board.server("+2726FU,T10");
  EXPECT_EQ(board.done(), (Lines{"stop"}));
  EXPECT_FALSE(board.match->is_on_turn());
  board.engine(first, "bestmove 7g7f");
  EXPECT_EQ(board.done(), Lines{}) << "nobody waits for it";
}

TEST(Match, another_move_than_ours_is_followed_and_told) {
  Board board;
  board.begin();
  board.engine(first, "bestmove 7g7f");
  static_cast<void>(board.done());
  board.server("+2726FU,T1");
  EXPECT_EQ(board.done(), (Lines{"!echo_differs"}));
  ASSERT_EQ(board.match->game().moves().size(), 1U);
  EXPECT_EQ(board.match->game().moves().front().text, "+2726FU");
}

TEST(Match, an_engine_that_says_nothing_is_told_to_stop_and_then_a_legal_move_leaves) {
  Board board;
  board.begin();
  static_cast<void>(board.done());
  const base::SteadyTime began = board.now.steady;
  Lines said;
  while (board.match->is_on_turn()) {
    ASSERT_TRUE(board.match->deadline());
    board.now.steady = std::max(board.now.steady, *board.match->deadline());
    ASSERT_LT(board.now.steady - began, Millis{70'000}) << "the flag falls";
    board.match->on_time(board.in());
    const Lines more = board.done();
    said.insert(said.end(), more.begin(), more.end());
  }
  const auto stop = std::find(said.begin(), said.end(), "stop");
  const auto move = std::find_if(said.begin(), said.end(), [](const std::string& line) { return line[0] == '+'; });
  ASSERT_NE(move, said.end());
  EXPECT_LT(stop, move);
  const auto played = shogi::csa::parse_move(shogi::Position::startpos(), *move);
  ASSERT_TRUE(played);
  EXPECT_TRUE(shogi::is_legal(shogi::Position::startpos(), *played));
}

// --- ends

TEST(Match, an_end_that_is_announced_and_not_decided_on_our_turn_is_played_on_from) {
  Board board('-');
  board.begin();
  board.server("+7776FU,T1");
  static_cast<void>(board.done());
  board.server("#SENNICHITE");
  EXPECT_EQ(board.done(), (Lines{"stop"}));
  board.engine(first, "bestmove 3c3d");
  EXPECT_EQ(board.done(), Lines{});
  const auto doubt_at = board.match->deadline();
  ASSERT_TRUE(doubt_at);
  board.pass(base::millis_between(board.now.steady, *doubt_at));
  EXPECT_EQ(board.done(), (Lines{"go", "!end_doubted"})) << "our clock may be running";
}

TEST(Match, a_move_behind_an_announced_end_goes_on_with_the_game) {
  Board board('-');
  board.begin();
  board.server("+7776FU,T1");
  board.engine(first, "bestmove 3c3d");
  board.server("-3334FU,T1");
  board.server("#SENNICHITE");
  static_cast<void>(board.done());
  board.server("+2726FU,T1");
  EXPECT_EQ(board.done(), (Lines{"go", "!end_doubted"}));
}

TEST(Match, a_resignation_is_said_once_and_its_end_is_told_with_the_game) {
  Board board;
  board.begin();
  static_cast<void>(board.done());
  board.engine(first, "bestmove resign");
  EXPECT_EQ(board.done(), (Lines{"%TORYO"}));
  board.match->resign(board.in(), base::verbatim("the operator asked for it"));
  EXPECT_EQ(board.done(), Lines{});
  board.server("%TORYO,T1");
  board.server("#RESIGN");
  board.server("#LOSE");
  ASSERT_TRUE(board.finished);
  EXPECT_EQ(board.finished->end.outcome, csa::Outcome::lose);
  EXPECT_EQ(board.finished->end.reason, "#RESIGN");
  EXPECT_EQ(board.statistics.games_finished, 1);
}

TEST(Match, a_game_without_a_result_does_not_count) {
  Board board;
  board.begin();
  const FinishedGame game = board.match->finish(board.in(), csa::GameEnd{}, board.statistics);
  EXPECT_EQ(game.end.outcome, csa::Outcome::none);
  EXPECT_EQ(board.statistics.games_finished, 0);
}

// --- a line that is lost

TEST(Match, only_a_game_with_a_token_may_be_had_again) {
  EXPECT_FALSE([] {
    Board board;
    board.begin();
    return board.match->may_rejoin();
  }());
  Board board('+', bot(), true);
  board.begin();
  EXPECT_TRUE(board.match->may_rejoin());
  board.server("#SENNICHITE");
  EXPECT_FALSE(board.match->may_rejoin()) << "its end is announced";
}

TEST(Match, nothing_is_waited_for_without_a_line) {
  Board board('+', bot(), true);
  board.begin();
  board.match->suspend(board.in(), base::verbatim("reset"));
  EXPECT_TRUE(board.match->is_suspended());
  EXPECT_EQ(board.match->deadline(), std::nullopt);
}

TEST(Match, a_move_that_was_lost_with_the_line_is_sent_again) {
  Board board('+', bot(), true);
  board.begin();
  board.engine(first, "bestmove 7g7f");
  ASSERT_TRUE(board.come_back(shogi::Position::startpos()));
  EXPECT_EQ(board.done(), (Lines{"+7776FU"}));
  EXPECT_EQ(board.match->game().summary().reconnect_token, "token2");
}

TEST(Match, a_move_that_had_arrived_is_not_sent_again) {
  Board board('+', bot(), true);
  board.begin();
  board.engine(first, "bestmove 7g7f");
  ASSERT_TRUE(board.come_back(position_behind({"7g7f"})));
  EXPECT_EQ(board.done(), Lines{});
  EXPECT_EQ(board.match->game().ply(), 1);
}

TEST(Match, a_reply_that_was_missed_begins_our_turn) {
  Board board('+', bot(), true);
  board.begin();
  board.engine(first, "bestmove 7g7f");
  ASSERT_TRUE(board.come_back(position_behind({"7g7f", "3c3d"})));
  EXPECT_EQ(board.done(), (Lines{"go"}));
  EXPECT_EQ(board.match->game().ply(), 2);
}

TEST(Match, a_position_that_no_moves_lead_to_is_not_caught_up_with) {
  Board board('+', bot(), true);
  board.begin();
  const auto elsewhere = shogi::usi::parse_sfen("4k4/9/9/9/9/9/9/9/4K4 b - 1");
  ASSERT_TRUE(elsewhere);
  EXPECT_FALSE(board.come_back(*elsewhere));
}

}  // namespace
}  // namespace kakehashi::bridge
