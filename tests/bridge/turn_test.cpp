// Our turn and the opponent's by themselves: an engine, a board and a clock, and no connection.
#include "bridge/game/turn.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bridge/event.hpp"
#include "bridge/game/silence_watch.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::bridge {
namespace {

using base::Millis;

csa::GameSummary summary(Millis total, Millis byoyomi) {
  csa::GameSummary result;
  result.start = shogi::Position::startpos();
  csa::TimeControl clock;
  clock.total = total;
  clock.byoyomi = byoyomi;
  result.times = {clock, clock};
  return result;
}

/// A board, an engine that has said readyok, and a clock that is moved by hand.
class Table {
 public:
  explicit Table(config::BotConfig given = {}, csa::GameSummary of = summary(Millis{60'000}, Millis{10'000}))
      : config(std::move(given)), team(config.engine, config.ponder != config::Ponder::off), game(std::move(of)) {
    team.engines().start(now, out);
    static_cast<void>(team.on(EngineStarted{engine, 1}, now, out));
    for (const char* line : {"id name Fake", "usiok", "readyok"}) {
      static_cast<void>(says(line));
    }
    static_cast<void>(written());
  }

  [[nodiscard]] Turn::Inputs in() {
    return {{{now, config, team, link, book, out, news, lines_wait}, game, thinking}, ahead, trouble};
  }
  void begin(bool must_resign = false) {
    turn.emplace(in(), now.steady);
    turn->begin(in(), must_resign);
  }
  /// What the engine says reaches the turn as the match would pass it on.
  std::vector<EngineNews> says(const char* line) {
    std::vector<EngineNews> said = team.on(EngineLine{engine, line}, now, out);
    for (const EngineNews& item : said) {
      if (const auto* answer = std::get_if<usi::SearchAnswered>(&item); answer != nullptr && turn) {
        turn->on_answer(in(), *answer);
      } else if (const auto* info = std::get_if<usi::SearchInfo>(&item)) {
        thinking.take(info->info);
      }
    }
    return said;
  }
  void dies() {
    for (const EngineNews& item : team.on(EngineExited{engine, base::verbatim("signal 9 (Killed)")}, now, out)) {
      if (const auto* lost = std::get_if<EngineLost>(&item)) {
        ahead.on_lost(*lost, turn.has_value(), team.thinks_together());
        turn->on_lost(in(), *lost);
      }
    }
  }
  /// Lets time pass, and the turn look at its deadlines.
  void pass(Millis time) {
    now.steady += time;
    turn->on_time(in());
  }
  /// Plays a move that the server has echoed (CSA).
  void echo(const char* move) {
    const csa::MovePlayed played{game.position().side_to_move(), move, Millis{1'000}};
    static_cast<void>(game.play(played));
  }
  /// The answer's move (USI), "resign: …", "declare", or nothing yet.
  [[nodiscard]] std::string answer() {
    const auto answer = turn->take_answer();
    if (!answer) {
      return "";
    }
    if (const auto* play = std::get_if<Turn::Play>(&*answer)) {
      return shogi::usi::format_move(play->move);
    }
    return std::holds_alternative<Turn::Declare>(*answer) ? "declare" : "resign";
  }
  /// The lines that the engine was given since the last call.
  [[nodiscard]] std::vector<std::string> written() {
    std::vector<std::string> lines;
    for (const Action& action : out.take()) {
      if (const auto* write = std::get_if<WriteEngine>(&action)) {
        lines.push_back(write->line);
      }
    }
    out = Outbox();
    return lines;
  }

  static constexpr EngineId engine{0, 1};
  config::BotConfig config;
  base::Now now{base::SteadyTime{std::chrono::hours(1)}, {}};
  Outbox out;
  EngineTeam team;
  LinkMargin link;
  BookState book;
  std::vector<EngineNews> news;
  Game game;
  Thinking thinking;
  Ahead ahead;
  Trouble trouble;
  bool lines_wait = false;
  std::optional<Turn> turn;
};

TEST(Turn, the_engine_searches_and_its_move_is_the_answer) {
  Table table;
  table.begin();
  EXPECT_EQ(table.answer(), "");
  const auto lines = table.written();
  ASSERT_GE(lines.size(), 2U);
  EXPECT_EQ(lines[lines.size() - 2], "position startpos");
  EXPECT_TRUE(lines.back().starts_with("go btime "));

  static_cast<void>(table.says("bestmove 7g7f ponder 3c3d"));
  EXPECT_EQ(table.answer(), "7g7f");
  EXPECT_EQ(table.answer(), "") << "a turn has one answer";
}

TEST(Turn, the_engine_is_told_to_stop_and_then_its_line_is_played) {
  Table table({}, summary(Millis{0}, Millis{10'000}));
  table.begin();
  static_cast<void>(table.written());
  static_cast<void>(table.says("info depth 3 score cp 10 pv 2g2f 8c8d"));
  ASSERT_TRUE(table.turn->deadline());
  table.now.steady = *table.turn->deadline() - Millis{1};
  table.pass(Millis{1});
  EXPECT_EQ(table.written(), std::vector<std::string>{"stop"});
  EXPECT_EQ(table.answer(), "");

  table.now.steady = *table.turn->deadline();
  EXPECT_LT(table.now.steady, table.turn->clock().started() + Millis{10'000}) << "before the flag falls";
  table.pass(Millis{0});
  EXPECT_EQ(table.answer(), "2g2f");
  EXPECT_TRUE(table.turn->changes_engine());
}

// The line that ends the game may be among them.
TEST(Turn, a_silent_engine_is_not_judged_while_lines_of_the_server_wait) {
  Table table;
  table.begin();
  static_cast<void>(table.written());
  std::vector<std::string> lines;
  while (lines.empty()) {
    ASSERT_TRUE(table.turn->deadline());
    table.now.steady = *table.turn->deadline();
    ASSERT_LT(table.now.steady, table.turn->clock().hurry_at());
    table.lines_wait = true;
    table.pass(Millis{0});
    EXPECT_TRUE(table.written().empty());
    table.lines_wait = false;
    table.pass(Millis{0});
    lines = table.written();
  }
  EXPECT_EQ(lines, std::vector<std::string>{"stop"});
}

TEST(Turn, an_engine_that_dies_is_waited_for_and_its_last_line_played_at_the_deadline) {
  Table table;
  table.begin();
  static_cast<void>(table.says("info depth 3 score cp 10 pv 2g2f 8c8d"));
  table.pass(Millis{1'000});
  table.dies();
  EXPECT_EQ(table.answer(), "") << "another engine is on its way";
  EXPECT_FALSE(table.turn->search());
  while (table.answer().empty()) {
    ASSERT_TRUE(table.turn->deadline());
    table.now.steady = *table.turn->deadline();
    ASSERT_LT(table.now.steady, table.turn->clock().started() + Millis{70'000});
    table.turn->on_time(table.in());
    if (!table.trouble.rescues.empty()) {
      break;
    }
  }
  ASSERT_EQ(table.trouble.rescues.size(), 1U);
  EXPECT_EQ(table.trouble.rescues.front().ply, 1);
}

TEST(Turn, an_engine_that_cannot_be_had_any_more_is_replaced_by_a_legal_move_at_once) {
  Table table;
  table.begin();
  table.turn->on_lost(table.in(), {.why = base::verbatim("no such file"), .is_missing = true});
  EXPECT_NE(table.answer(), "");
  EXPECT_EQ(table.trouble.rescues.size(), 1U);
}

TEST(Turn, resigns_instead_where_that_is_asked_for) {
  config::BotConfig config;
  config.engine.on_failure = config::OnFailure::resign;
  Table table(config);
  table.begin();
  table.turn->on_lost(table.in(), {.why = base::verbatim("no such file"), .is_missing = true});
  EXPECT_EQ(table.answer(), "resign");
  EXPECT_TRUE(table.trouble.rescues.empty());
}

TEST(Turn, the_operator_ends_it_without_a_search) {
  Table table;
  table.begin(true);
  EXPECT_EQ(table.answer(), "resign");
  EXPECT_TRUE(table.written().empty());
}

TEST(Turn, an_illegal_answer_replaces_the_engine_and_a_second_one_is_not_asked_for) {
  Table table;
  table.begin();
  static_cast<void>(table.says("bestmove 1a1b"));
  EXPECT_EQ(table.answer(), "");
  EXPECT_FALSE(table.news.empty()) << "the engine that was replaced is told of";
  const auto search = table.turn->search();
  table.turn->on_answer(table.in(), {search.value_or(usi::SearchId{}), "1a1b", ""});
  EXPECT_NE(table.answer(), "");
}

TEST(Turn, a_book_that_is_silent_gives_way_to_the_engine) {
  config::BotConfig config;
  config.book.file = "book.db";
  Table table(config);
  table.begin();
  EXPECT_TRUE(table.written().empty()) << "the book is asked first";
  ASSERT_TRUE(table.turn->deadline());
  table.now.steady = *table.turn->deadline();
  table.pass(Millis{0});
  EXPECT_TRUE(table.turn->search());
  table.turn->on_book_answered(table.in(), {table.book.lookups, "2g2f none 0 0 1\n"});
  EXPECT_EQ(table.answer(), "") << "it has come too late";
}

TEST(Turn, what_passes_without_an_engine_is_not_its_time) {
  Table table;
  table.begin();
  table.turn->end_step(table.in());
  table.pass(Millis{1'000});
  const Millis whole = table.turn->clock().time_of_engine();
  table.dies();
  table.turn->end_step(table.in());
  EXPECT_EQ(table.turn->clock().time_of_engine(), Millis{1'000});
  EXPECT_GT(whole, Millis{1'000});
}

TEST(BookQuestion, hears_the_answer_to_itself_and_that_once) {
  config::BotConfig config;
  config.book.file = "book.db";
  Table table(config);
  const TurnClock clock(table.now.steady, table.in().limits(0, Millis{0}));
  BookQuestion question;
  EXPECT_FALSE(question.hear({0, ""}));
  question.ask(table.in(), clock);
  EXPECT_TRUE(question.is_open());
  EXPECT_EQ(question.deadline(), table.now.steady + Millis{500});
  EXPECT_FALSE(question.hear({table.book.lookups - 1, ""})) << "that of the turn before";
  EXPECT_TRUE(question.hear({table.book.lookups, ""}));
  EXPECT_FALSE(question.is_open());
  EXPECT_FALSE(question.hear({table.book.lookups, ""}));
}

// --- an engine that says nothing

config::BotConfig with_standby(bool is_far = false) {
  config::BotConfig config;
  config.engine.standby.enabled = true;
  if (is_far) {
    config.engine.host = {"far"};
  }
  return config;
}

/// The first engine searches; the standby, if there is one, is ready.
class Silence : public Table {
 public:
  explicit Silence(config::BotConfig given) : Table(std::move(given)) {
    if (team.size() > 1) {
      static_cast<void>(team.on(EngineStarted{standby, 1}, now, out));
      for (const char* line : {"id name Other", "usiok", "readyok"}) {
        static_cast<void>(team.on(EngineLine{standby, line}, now, out));
      }
    }
    now.steady += Millis{10'000};  // its last word is of long ago
    static_cast<void>(team.player().search({"position startpos", "go btime 60000 wtime 60000 byoyomi 10000", false}, out));
    watch.begin(in());
    static_cast<void>(written());
  }
  void link_goes(bool is_up) {
    static_cast<void>(team.on(EngineLink{.engine = engine, .way = "far", .is_up = is_up, .is_out = !is_up}, now, out));
    watch.on_link(in());
  }
  /// What comes of it when its deadline has come.
  bool look(bool may_doubt = true) {
    now.steady = *watch.deadline();
    return watch.look(in(), may_doubt);
  }

  static constexpr EngineId standby{1, 1};
  SilenceWatch watch;
};

TEST(SilenceWatch, who_says_nothing_for_too_long_gets_another_one_beside_it) {
  Silence silence(with_standby());
  EXPECT_EQ(silence.watch.deadline(), silence.now.steady + shortest_patience(silence.game));
  EXPECT_TRUE(silence.look());
  EXPECT_TRUE(silence.watch.has_doubted());
  EXPECT_EQ(silence.team.player_seat(), 1U);
  EXPECT_FALSE(silence.watch.deadline());
}

TEST(SilenceWatch, is_put_off_by_any_word) {
  Silence silence(with_standby());
  silence.now.steady += Millis{10'000};
  static_cast<void>(silence.says("info depth 3 score cp 10 pv 2g2f"));
  const auto heard = silence.team.player().silent_since();
  ASSERT_TRUE(heard && *heard >= silence.now.steady);
  EXPECT_FALSE(silence.look());
  EXPECT_EQ(silence.watch.deadline(), *heard + patience(silence.in()));
  EXPECT_FALSE(silence.watch.has_doubted());
}

TEST(SilenceWatch, without_another_one_or_where_all_search_already_it_is_told_to_stop) {
  Silence lonely({});
  EXPECT_FALSE(lonely.look());
  EXPECT_EQ(lonely.written(), std::vector<std::string>{"stop"});
  Silence shared(with_standby());
  EXPECT_FALSE(shared.look(false));
  EXPECT_EQ(shared.written(), std::vector<std::string>{"stop"});
  EXPECT_EQ(shared.team.player_seat(), 0U);
}

TEST(SilenceWatch, a_link_that_is_out_is_waited_for_and_then_another_one_asked) {
  Silence silence(with_standby(true));
  silence.link_goes(false);
  EXPECT_EQ(silence.watch.deadline(), silence.now.steady + SilenceWatch::out_max);
  silence.link_goes(true);
  EXPECT_FALSE(silence.look()) << "it is back";
  silence.link_goes(false);
  EXPECT_TRUE(silence.look());
  EXPECT_EQ(silence.team.player_seat(), 1U);
}

TEST(SilenceWatch, without_a_link_or_another_one_it_looks_again) {
  Silence silence(with_standby(true));
  silence.link_goes(false);
  EXPECT_FALSE(silence.look(false));
  EXPECT_EQ(silence.watch.deadline(), silence.now.steady + SilenceWatch::out_max);
  EXPECT_TRUE(silence.written().empty()) << "it searches on there";
}

TEST(SilenceWatch, is_as_patient_as_the_settings_say) {
  config::BotConfig config;
  config.engine.silence_max = Millis{1'234};
  Silence silence(config);
  EXPECT_EQ(silence.watch.deadline(), silence.now.steady + Millis{1'234});
  silence.watch.end();
  EXPECT_FALSE(silence.watch.deadline());
  silence.watch.wait_for_engine(silence.in());
  EXPECT_EQ(silence.watch.deadline(), silence.now.steady + Millis{1'234});
}

// --- the opponent's turn

config::BotConfig with_ponder() {
  config::BotConfig config;
  config.ponder = config::Ponder::on;
  return config;
}

TEST(Ahead, the_expected_reply_goes_on_as_our_search) {
  Table table(with_ponder());
  table.echo("+7776FU");
  table.ahead.expect("3c3d");
  table.ahead.begin(table.in(), table.game, table.thinking, true, std::nullopt);
  auto lines = table.written();
  ASSERT_GE(lines.size(), 2U);
  EXPECT_EQ(lines[lines.size() - 2], "position startpos moves 7g7f 3c3d");
  EXPECT_TRUE(lines.back().starts_with("go ponder "));
  EXPECT_TRUE(table.ahead.is_searching());

  table.now.steady += Millis{3'000};
  table.echo("-3334FU");
  table.begin();
  EXPECT_EQ(table.written(), std::vector<std::string>{"ponderhit"});
  EXPECT_EQ(table.turn->ponder_hit(), true);
  EXPECT_EQ(table.ahead.statistics().hits, 1);
  EXPECT_EQ(table.ahead.statistics().gained, Millis{3'000});
}

TEST(Ahead, another_reply_stops_it_and_the_turn_searches_anew) {
  Table table(with_ponder());
  table.echo("+7776FU");
  table.ahead.expect("3c3d");
  table.ahead.begin(table.in(), table.game, table.thinking, true, std::nullopt);
  static_cast<void>(table.written());
  table.echo("-8384FU");
  table.begin();
  EXPECT_EQ(table.written().front(), "stop");
  EXPECT_EQ(table.turn->ponder_hit(), false);
  static_cast<void>(table.says("bestmove 2g2f"));
  EXPECT_EQ(table.answer(), "") << "the answer to the reply that did not come";
  const auto lines = table.written();
  ASSERT_GE(lines.size(), 2U);
  EXPECT_EQ(lines[lines.size() - 2], "position startpos moves 7g7f 8c8d");
}

TEST(Ahead, an_illegal_or_absent_prediction_begins_nothing) {
  for (const char* reply : {"", "7g7f", "resign", "win"}) {
    Table table(with_ponder());
    table.echo("+7776FU");
    table.ahead.expect(reply);
    table.ahead.begin(table.in(), table.game, table.thinking, true, std::nullopt);
    EXPECT_TRUE(table.written().empty()) << reply;
    EXPECT_FALSE(table.ahead.is_searching()) << reply;
  }
}

// The member whose answer was against the rules is told of as lost behind this.
TEST(Turn, of_a_team_the_last_one_that_could_say_something_dies_before_it_is_known_of_the_others) {
  config::BotConfig config;
  config.engine.team_play = config::TeamPlay::majority;
  config.engine.team.resize(1);
  Table table(config);
  const EngineId second{1, 1};
  static_cast<void>(table.team.on(EngineStarted{second, 1}, table.now, table.out));
  for (const char* line : {"usiok", "readyok"}) {
    static_cast<void>(table.team.on(EngineLine{second, line}, table.now, table.out));
  }
  table.begin();
  const std::vector<EngineNews> said = table.team.on(EngineLine{second, "bestmove 1a1b"}, table.now, table.out);
  const auto* answered = std::get_if<MemberAnswered>(&said.front());
  ASSERT_NE(answered, nullptr);
  table.turn->on_member_answer(table.in(), answered->seat, answered->said);
  EXPECT_FALSE(table.news.empty());

  table.dies();
  EXPECT_EQ(table.answer(), "") << "there is time for another one";
  EXPECT_EQ(table.trouble.searches_lost, 1);
  EXPECT_FALSE(table.turn->search());
}

// Nothing is begun while lines of the server wait, so that a member may have died and be ready again in between.
TEST(Ahead, a_member_that_has_been_started_again_unseen_thinks_ahead_anew) {
  config::BotConfig config = with_ponder();
  config.engine.team_play = config::TeamPlay::multi_ponder;
  config.engine.team.resize(1);
  Table table(config);
  const auto boot = [&](EngineId id) {
    static_cast<void>(table.team.on(EngineStarted{id, 1}, table.now, table.out));
    for (const char* line : {"usiok", "readyok"}) {
      static_cast<void>(table.team.on(EngineLine{id, line}, table.now, table.out));
    }
  };
  boot({1, 1});
  table.echo("+7776FU");
  table.ahead.expect("3c3d");
  table.ahead.begin(table.in(), table.game, table.thinking, true, std::nullopt);
  ASSERT_NE(table.team.member(1).current_search(), std::nullopt);

  static_cast<void>(table.team.on(EngineExited{{1, 1}, base::verbatim("signal 9 (Killed)")}, table.now, table.out));
  boot({1, 2});
  static_cast<void>(table.written());
  ASSERT_TRUE(table.team.engines().may_think(1));
  table.ahead.follow(table.in(), table.thinking);
  const std::vector<std::string> lines = table.written();
  ASSERT_FALSE(lines.empty());
  EXPECT_TRUE(lines.back().starts_with("go ponder")) << lines.back();
}

TEST(Turn, a_search_is_repeated_by_an_engine_that_is_ready_again_and_not_too_late_for_one) {
  for (const bool is_late : {false, true}) {
    Table table({}, summary(Millis{0}, Millis{10'000}));
    table.begin();
    table.dies();
    const EngineId next{0, 2};
    static_cast<void>(table.team.on(EngineStarted{next, 1}, table.now, table.out));
    for (const char* line : {"usiok", "readyok"}) {
      static_cast<void>(table.team.on(EngineLine{next, line}, table.now, table.out));
    }
    table.now.steady += is_late ? table.turn->clock().limits().rescue_after - Millis{100} : Millis{1'000};
    static_cast<void>(table.out.take());
    table.turn->on_ready(table.in());
    std::size_t told = 0;
    std::size_t searches = 0;
    for (const Action& action : table.out.take()) {
      const auto* occurred = std::get_if<Occurred>(&action);
      const auto* write = std::get_if<WriteEngine>(&action);
      told += occurred != nullptr && occurred->what == Incident::search_repeated ? 1 : 0;
      searches += write != nullptr && write->line.starts_with("go ") ? 1 : 0;
    }
    EXPECT_EQ(told, is_late ? 0U : 1U);
    EXPECT_EQ(searches, is_late ? 0U : 1U);
  }
}

TEST(Turn, an_engine_that_is_started_again_too_late_is_not_waited_for) {
  Table table({}, summary(Millis{0}, Millis{900}));
  table.begin();
  table.dies();
  EXPECT_EQ(table.answer(), "") << "another one is started at once";
  for (const EngineNews& item : table.team.on(EngineExited{EngineId{0, 2}, base::verbatim("signal 9 (Killed)")}, table.now, table.out)) {
    table.turn->on_lost(table.in(), std::get<EngineLost>(item));
  }
  EXPECT_NE(table.answer(), "") << "the next one comes in a second";

  table.begin();
  EXPECT_NE(table.answer(), "") << "and none is there on this turn";
}

TEST(Turn, a_book_is_not_asked_that_could_only_be_heard_too_late) {
  config::BotConfig config;
  config.time.margin.reset();
  config.book.file = "book.db";
  Table table(config, summary(Millis{0}, Millis{1'000}));
  table.link.take_login(Millis{20});
  for (int i = 0; i < 10; ++i) {
    table.link.take_lateness(Millis{140});
  }
  table.begin();
  const auto lines = table.written();
  ASSERT_FALSE(lines.empty());
  EXPECT_TRUE(lines.back().starts_with("go "));
}

TEST(Turn, a_book_is_not_asked_when_the_turn_is_nearly_over) {
  config::BotConfig config;
  config.book.file = "book.db";
  Table table(config, summary(Millis{0}, Millis{10'000}));
  table.turn.emplace(table.in(), table.now.steady - Millis{9'900});
  table.turn->begin(table.in(), false);
  EXPECT_EQ(table.book.lookups, 0U);
}

TEST(Turn, an_engine_that_is_lost_while_the_book_is_asked_leaves_the_turn_to_the_book) {
  config::BotConfig config;
  config.book.file = "book.db";
  Table table(config, summary(Millis{0}, Millis{900}));
  const auto lose = [&](std::uint32_t launch) {
    for (const EngineNews& item : table.team.on(EngineExited{EngineId{0, launch}, base::verbatim("signal 9")}, table.now, table.out)) {
      table.turn->on_lost(table.in(), std::get<EngineLost>(item));
    }
  };
  table.begin();
  lose(1);
  lose(2);  // the next one comes in a second
  EXPECT_EQ(table.answer(), "");
  table.turn->on_book_answered(table.in(), {table.book.lookups, "2g2f none 0 0 1\n"});
  EXPECT_EQ(table.answer(), "2g2f");

  table.begin();
  table.turn->on_lost(table.in(), {.why = base::verbatim("it cannot be started")});
  EXPECT_EQ(table.answer(), "");
  table.turn->on_book_answered(table.in(), {table.book.lookups, ""});
  EXPECT_NE(table.answer(), "") << "the book knows nothing, and no engine is there";
}

// A resignation that is late loses no more than one in time.
TEST(Turn, who_would_resign_without_a_move_waits_for_it_as_long_as_it_could_arrive) {
  config::BotConfig config;
  config.time.margin.reset();
  config.engine.on_failure = config::OnFailure::resign;
  Table table(config, summary(Millis{0}, Millis{1'000}));
  table.link.take_login(Millis{64});
  for (int i = 0; i < 10; ++i) {
    table.link.take_lateness(Millis{i % 2 == 0 ? 180 : 40});
    table.link.take_echo(Millis{i % 3 == 0 ? 250 : 70});
    table.link.end_move();
  }
  table.begin();
  table.pass(Millis{800});
  EXPECT_EQ(table.answer(), "");
  static_cast<void>(table.says("bestmove 7g7f"));
  EXPECT_EQ(table.answer(), "7g7f");
}

TEST(Turn, lateness_that_shows_in_the_turn_brings_its_rescue_forward) {
  config::BotConfig config;
  config.time.margin.reset();
  Table table(config, summary(Millis{0}, Millis{4'000}));
  table.link.take_login(Millis{40});
  table.begin();
  for (int i = 0; i < 10; ++i) {
    table.link.take_lateness(Millis{200});
  }
  table.now.steady = *table.turn->deadline();
  table.pass(Millis{0});
  ASSERT_TRUE(table.turn->deadline());
  table.now.steady = *table.turn->deadline();
  table.pass(Millis{0});
  EXPECT_NE(table.answer(), "");
  EXPECT_LE(table.now.steady, table.turn->clock().started() + Millis{4'000 - 40 - 200});
}

TEST(Turn, a_stop_that_leaves_late_still_leaves_the_engine_its_time_to_answer) {
  config::BotConfig config;
  config.time.margin.reset();
  Table table(config, summary(Millis{0}, Millis{1'000}));
  table.link.take_login(Millis{150});
  for (int i = 0; i < 10; ++i) {
    table.link.take_lateness(Millis{98});
  }
  static_cast<void>(table.team.player().search({"position startpos", "go btime 0 wtime 0 byoyomi 1000", false}, table.out));
  table.team.hurry(table.now, table.out);
  table.now.steady += Millis{184};
  static_cast<void>(table.says("bestmove 7g7f"));
  table.begin();
  const base::SteadyTime hurry = *table.turn->deadline();
  table.now.steady = hurry;
  table.pass(Millis{0});
  EXPECT_GE(*table.turn->deadline() - hurry, Millis{184 + 98});
}

}  // namespace
}  // namespace kakehashi::bridge
