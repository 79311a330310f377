// The parts of an engine's seat, each by itself: no process, no session, and a clock that is moved by hand.
#include <gtest/gtest.h>

#include <chrono>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bridge/engine/engine_clocks.hpp"
#include "bridge/engine/engine_options.hpp"
#include "bridge/engine/engine_searches.hpp"
#include "bridge/engine/engine_team.hpp"
#include "bridge/engine/keeper_link.hpp"
#include "bridge/event.hpp"
#include "tests/bridge/noon.hpp"
#include "tests/bridge/supervisor_on_stage.hpp"

namespace kakehashi::bridge {
namespace {

using base::Millis;
using config::EngineClock;
using usi::ClockReading;

std::vector<std::string> lines_of(Outbox& out) {
  std::vector<std::string> lines;
  for (const Action& action : out.take()) {
    if (const auto* write = std::get_if<WriteEngine>(&action)) {
      lines.push_back(write->line);
    }
  }
  out = Outbox();
  return lines;
}

// --- failures

TEST(EngineFailures, the_first_restart_is_immediate_and_later_ones_come_slower) {
  EngineFailures failures;
  failures.on_ready();
  std::vector<Millis> pauses;
  for (int i = 0; i < 6; ++i) {
    failures.on_failure(true, noon);
    pauses.push_back(failures.pause());
  }
  EXPECT_EQ(pauses, (std::vector<Millis>{Millis{0}, Millis{1'000}, Millis{2'000}, Millis{4'000}, Millis{8'000},
                                         Millis{8'000}}));
  EXPECT_FALSE(failures.is_missing()) << "each time it had come to readyok";
}

TEST(EngineFailures, an_answer_makes_the_next_restart_immediate_again) {
  EngineFailures failures;
  failures.on_failure(true, noon);
  failures.on_failure(true, noon);
  EXPECT_GT(failures.pause(), Millis{0});
  failures.on_answer();
  failures.on_failure(true, noon);
  EXPECT_EQ(failures.pause(), Millis{0});
}

TEST(EngineFailures, an_engine_that_was_never_ready_is_given_up_and_one_that_was_is_tried_for_an_hour) {
  EngineFailures never;
  EngineFailures was;
  was.on_ready();
  for (int i = 0; i < EngineFailures::attempts_max; ++i) {
    EXPECT_FALSE(never.is_hopeless(noon));
    never.on_failure(false, noon);
    was.on_failure(false, noon);
  }
  EXPECT_TRUE(never.is_hopeless(noon));
  EXPECT_TRUE(was.is_missing());
  EXPECT_FALSE(was.is_hopeless(noon + EngineFailures::missing_max - Millis{1}));
  EXPECT_TRUE(was.is_hopeless(noon + EngineFailures::missing_max));
}

TEST(EngineFailures, an_engine_that_stays_missing_is_told_of_ever_more_rarely) {
  EngineFailures failures;
  std::vector<int> told;
  for (int boots = 1; boots <= 40; ++boots) {
    failures.on_failure(false, noon);
    if (!failures.is_old_news()) {
      told.push_back(boots);
    }
  }
  EXPECT_EQ(told, (std::vector<int>{1, 2, 3, 4, 5, 8, 16, 32}));
}

// --- the link

EngineLink way(const char* name, bool is_up, bool is_out) {
  return {.engine = {0, 1}, .way = name, .is_up = is_up, .is_out = is_out, .why = base::verbatim(is_up ? "" : "broken pipe")};
}

TEST(KeeperLink, is_out_from_the_loss_of_the_last_way_to_the_return_of_any) {
  KeeperLink link;
  Outbox out;
  EXPECT_FALSE(link.take(way("a", false, false), base::verbatim("engine"), {noon, {}}, out));
  EXPECT_FALSE(link.out_since()) << "the other way carries on";
  EXPECT_FALSE(link.take(way("b", false, true), base::verbatim("engine"), {noon + Millis{10}, {}}, out));
  EXPECT_EQ(link.out_since(), noon + Millis{10});

  const auto gone = link.take(way("a", true, false), base::verbatim("engine"), {noon + Millis{3'010}, {}}, out);

  EXPECT_EQ(gone, Millis{3'000});
  EXPECT_FALSE(link.out_since());
}

TEST(KeeperLink, a_way_that_comes_up_for_the_first_time_is_no_news) {
  KeeperLink link;
  Outbox out;
  EXPECT_FALSE(link.take(way("a", true, false), base::verbatim("engine"), {noon, {}}, out));
  EXPECT_TRUE(out.take().empty());
}

// --- how it reads its clock

config::Engine with_clock(EngineClock clock) {
  config::Engine config;
  config.clock = clock;
  return config;
}

TEST(ClockKnowledge, without_learning_the_name_is_believed) {
  ClockKnowledge clocks(with_clock(EngineClock::automatic));
  EXPECT_EQ(clocks.form(), EngineClock::byoyomi) << "the form that does no harm";
  EXPECT_FALSE(clocks.on_identified("YaneuraOu NNUE 7.63", {}));
  EXPECT_FALSE(clocks.is_found());
  EXPECT_EQ(clocks.reading().reading, usi::clocks_by_name("YaneuraOu NNUE 7.63").reading);
}

TEST(ClockKnowledge, what_is_remembered_is_asked_for_once_and_waited_for) {
  ClockKnowledge clocks(with_clock(EngineClock::automatic));
  clocks.learn(false);
  const auto facts = clocks.on_identified("Fake", {{"Hash", "256"}});
  ASSERT_TRUE(facts);
  EXPECT_NE(facts->find("Hash"), std::string::npos) << "another option is another answer";
  EXPECT_TRUE(clocks.must_learn());

  EXPECT_TRUE(clocks.on_recalled({ClockReading::adds, false}));

  EXPECT_FALSE(clocks.must_learn());
  EXPECT_EQ(clocks.form(), EngineClock::separate);
  EXPECT_FALSE(clocks.on_recalled({ClockReading::keeps_to_btime, false})) << "nobody waits for a second answer";
  EXPECT_FALSE(clocks.on_identified("Fake", {})) << "it is known";
}

TEST(ClockKnowledge, who_relies_on_another_process_that_has_told_nothing_gets_what_does_no_harm) {
  ClockKnowledge clocks(with_clock(EngineClock::automatic));
  clocks.learn(false);
  static_cast<void>(clocks.on_identified("Fake", {}));
  static_cast<void>(clocks.on_recalled({}));
  EXPECT_EQ(clocks.form(), EngineClock::byoyomi);
  EXPECT_TRUE(clocks.gets_own_clock_twice()) << "it may take the other side's";

  ClockKnowledge asked(with_clock(EngineClock::automatic));
  asked.find({ClockReading::adds, false});
  clocks.share(asked);
  EXPECT_FALSE(clocks.gets_own_clock_twice());

  ClockKnowledge set(with_clock(EngineClock::separate));
  set.learn(false);
  static_cast<void>(set.on_identified("Fake", {}));
  EXPECT_FALSE(set.gets_own_clock_twice()) << "a person knows";
}

TEST(ClockKnowledge, of_an_engine_that_was_doubted_counts_what_another_process_has_shown) {
  ClockKnowledge doubted(with_clock(EngineClock::automatic));
  doubted.doubt();
  EXPECT_TRUE(doubted.gets_own_clock_twice());
  ClockKnowledge asked(with_clock(EngineClock::automatic));
  asked.find({ClockReading::adds, false});
  doubted.share(asked);
  EXPECT_FALSE(doubted.gets_own_clock_twice());
  EXPECT_EQ(doubted.form(), EngineClock::separate);
}

TEST(ClockKnowledge, in_uci_nobody_takes_the_other_sides_clock_for_its_own) {
  config::Engine config = with_clock(EngineClock::automatic);
  for (const bool is_uci : {false, true}) {
    config.protocol = is_uci ? usi::Protocol::uci : usi::Protocol::usi;
    ClockKnowledge named(config);
    static_cast<void>(named.on_identified("Fairy-Stockfish 11.1", {}));
    EXPECT_EQ(named.reading().swaps_sides, !is_uci);
    EXPECT_EQ(named.gets_own_clock_twice(), !is_uci);
    ClockKnowledge doubted(config);
    doubted.doubt();
    EXPECT_EQ(doubted.gets_own_clock_twice(), !is_uci);
  }
}

TEST(ClockKnowledge, a_death_of_the_first_increment_counts_above_the_users_word) {
  ClockKnowledge clocks(with_clock(EngineClock::separate));
  EXPECT_EQ(clocks.form(), EngineClock::separate);
  EXPECT_TRUE(clocks.on_death_of_increment());
  EXPECT_EQ(clocks.form(), EngineClock::byoyomi);
  EXPECT_FALSE(clocks.on_death_of_increment()) << "it is known already";
}

TEST(ClockKnowledge, an_engine_that_is_doubted_gets_the_form_that_does_no_harm_and_so_do_its_like) {
  ClockKnowledge first(with_clock(EngineClock::automatic));
  ClockKnowledge second(with_clock(EngineClock::automatic));
  static_cast<void>(second.on_identified("YaneuraOu NNUE 7.63", {}));
  first.doubt();
  EXPECT_TRUE(first.is_telling());
  second.share(first);
  EXPECT_EQ(second.form(), EngineClock::byoyomi);
  EXPECT_TRUE(second.gets_own_clock_twice());
}

// --- options

usi::Option spin(const char* name, const char* value) {
  usi::Option option;
  option.name = name;
  option.type = usi::OptionType::spin;
  option.default_value = value;
  option.min = 0;
  option.max = 100'000;
  return option;
}

TEST(EngineDelays, are_what_the_engine_keeps_back_by_default_or_by_the_user) {
  const std::vector<usi::Option> declared{spin("NetworkDelay", "120"), spin("NetworkDelay2", "1120"),
                                          spin("Time_Margin", "1000"), spin("Threads", "4000")};
  std::map<std::string, std::string> own{{"Time_Margin", "0"}};
  const auto set = [&](const std::string& name) -> const std::string* {
    const auto found = own.find(name);
    return found == own.end() ? nullptr : &found->second;
  };

  const auto delays = engine_delays(declared, set);

  ASSERT_EQ(delays.size(), 1U) << "NetworkDelay only shifts the rounding, Time_Margin is switched off";
  EXPECT_EQ(delays[0].option, "NetworkDelay2");
  EXPECT_EQ(delays[0].time, Millis{1'120});
  EXPECT_TRUE(delays[0].is_of_each_move);

  own["Time_Margin"] = "500";
  const auto both = engine_delays(declared, set);
  ASSERT_EQ(both.size(), 2U);
  EXPECT_FALSE(both[1].is_of_each_move) << "dlshogi takes it off the main time alone";
}

TEST(EngineDelays, of_an_hour_and_more_are_no_delays) {
  const auto nothing = [](const std::string&) -> const std::string* { return nullptr; };
  EXPECT_EQ(engine_delays({spin("NetworkDelay2", "3599999")}, nothing).size(), 1U);
  EXPECT_TRUE(engine_delays({spin("NetworkDelay2", "3600000")}, nothing).empty());
}

TEST(EngineDelays, that_are_no_numbers_are_left_out) {
  const auto nothing = [](const std::string&) -> const std::string* { return nullptr; };
  EXPECT_TRUE(engine_delays({spin("NetworkDelay2", "fast"), spin("Move Overhead", "")}, nothing)
                  .empty());
}

TEST(EngineOptions, a_process_is_told_only_what_has_changed_since) {
  config::Engine config;
  config.options = {{"Hash", "256"}, {"Threads", "2"}};
  EngineOptions options(config, false);
  Outbox out;
  const auto all = options.on_declared({spin("Hash", "16"), spin("Threads", "1")}, out);
  EXPECT_EQ(all.size(), 2U);
  EXPECT_TRUE(options.changes(out).empty());

  config.options = {{"Hash", "512"}};
  options.adopt(config, false);

  EXPECT_EQ(options.changes(out), (std::vector<usi::OptionSetting>{{"Threads", "1"}, {"Hash", "512"}}))
      << "what is let go gets its default back";
  EXPECT_TRUE(options.changes(out).empty());
}

TEST(EngineOptions, a_new_process_is_told_everything_again) {
  config::Engine config;
  config.options = {{"Hash", "256"}};
  EngineOptions options(config, false);
  options.adopt(GameRules{.max_moves = 320, .entering_king = "CSARule27"});
  Outbox out;
  for (int process = 1; process <= 2; ++process) {
    EXPECT_EQ(options.on_declared({spin("Hash", "16"), spin("MaxMovesToDraw", "0")}, out).size(), 1U);
    EXPECT_EQ(options.changed_rules(out), (std::vector<usi::OptionSetting>{{"MaxMovesToDraw", "320"}}));
    EXPECT_TRUE(options.changed_rules(out).empty());
  }
}

// --- searches

class Searches {
 public:
  Searches() : searches({0, 1}, usi::Protocol::usi) {
    static_cast<void>(searches.session().begin());
    says("usiok");
    static_cast<void>(searches.session().prepare({}));
    says("readyok");
  }
  void says(const char* line) { static_cast<void>(searches.session().on_line(line)); }

  EngineSearches searches;
  base::Now now{noon, {}};
  Outbox out;
};

TEST(EngineSearches, an_answer_to_stop_is_waited_for_and_measured) {
  Searches s;
  static_cast<void>(s.searches.search({"position startpos", "go byoyomi 1000", false}, s.out));
  EXPECT_FALSE(s.searches.answer_by());
  s.searches.hurry(s.now, s.out, true);
  EXPECT_EQ(lines_of(s.out), (std::vector<std::string>{"position startpos", "go byoyomi 1000", "stop"}));
  EXPECT_EQ(s.searches.answer_by(), s.now.steady + EngineSearches::stop_timeout);

  s.now.steady += Millis{30};
  s.says("bestmove 7g7f");

  EXPECT_EQ(s.searches.on_answered(s.now).delay, Millis{30});
  EXPECT_FALSE(s.searches.answer_by());
  EXPECT_FALSE(s.searches.on_answered(s.now).delay) << "once";
}

TEST(EngineSearches, an_answer_across_a_link_that_was_out_is_not_measured) {
  Searches s;
  static_cast<void>(s.searches.search(request, s.out));
  s.searches.hurry(s.now, s.out, true);
  s.searches.on_out_of_reach();
  s.now.steady += Millis{4'000};
  s.searches.on_in_reach(Millis{4'000}, s.now);
  EXPECT_EQ(s.searches.answer_by(), s.now.steady + EngineSearches::stop_timeout) << "it is given that time again";
  EXPECT_FALSE(s.searches.on_answered(s.now).delay);
}

TEST(EngineSearches, silence_counts_from_the_last_word_and_only_on_our_clock) {
  Searches s;
  EngineHabits habits;
  static_cast<void>(s.searches.search(request, s.out));
  EXPECT_FALSE(s.searches.silent_since(habits));
  s.searches.watch_silence(s.now);
  EXPECT_EQ(s.searches.silent_since(habits), s.now.steady);
  habits.heard = s.now.steady + Millis{700};
  EXPECT_EQ(s.searches.silent_since(habits), habits.heard);
  s.searches.abandon(s.now, s.out);
  EXPECT_FALSE(s.searches.silent_since(habits));
}

TEST(EngineSearches, a_process_that_came_too_late_for_a_game_is_not_told_of_its_end) {
  Searches s;
  s.searches.game_over(usi::GameOver::win, s.now, s.out);
  EXPECT_TRUE(lines_of(s.out).empty());
  s.searches.join_game(s.out);
  s.searches.join_game(s.out);
  s.searches.game_over(usi::GameOver::win, s.now, s.out);
  EXPECT_EQ(lines_of(s.out), (std::vector<std::string>{"usinewgame", "gameover win"}));
}

TEST(EngineSearches, a_process_that_owed_an_answer_all_through_the_next_game_is_told_of_one_end) {
  Searches s;
  static_cast<void>(s.searches.search(request, s.out));
  s.searches.game_over(usi::GameOver::draw, s.now, s.out);
  static_cast<void>(s.searches.search(request, s.out));
  EXPECT_TRUE(s.searches.is_queued()) << "in the next game";
  s.searches.abandon(s.now, s.out);
  static_cast<void>(lines_of(s.out));
  s.searches.write(s.searches.session().on_line("bestmove 7g7f").lines, s.out);

  s.searches.game_over(usi::GameOver::win, s.now, s.out);

  EXPECT_EQ(lines_of(s.out), std::vector<std::string>{"gameover draw"});
}

// --- searches of those that do not play

usi::SearchAnswered answer(usi::SearchId search, const char* move) {
  usi::SearchAnswered answered{};
  answered.search = search;
  answered.move = move;
  return answered;
}

TEST(AsideSearches, advice_is_the_first_move_of_the_best_line_until_the_answer_comes) {
  AsideSearches aside;
  aside.consult({2, usi::SearchId{7}});
  usi::SearchInfo info{.search = usi::SearchId{7}, .info = {}};
  info.info.pv = {"7g7f", "3c3d"};
  EXPECT_FALSE(aside.listen(2, info));
  EXPECT_EQ(aside.advice(), "7g7f");
  info.info.multipv = 2;
  info.info.pv = {"2g2f"};
  EXPECT_FALSE(aside.listen(2, info));
  EXPECT_EQ(aside.advice(), "7g7f") << "a second line is none";
  info.search = usi::SearchId{6};
  info.info.multipv.reset();
  EXPECT_FALSE(aside.listen(2, info));
  EXPECT_FALSE(aside.listen(2, answer(usi::SearchId{6}, "2g2f")));
  EXPECT_EQ(aside.advice(), "7g7f") << "a search of before";
  EXPECT_FALSE(aside.listen(1, answer(usi::SearchId{7}, "9g9f")));
  EXPECT_EQ(aside.advice(), "7g7f") << "another engine's search of that number";
  EXPECT_FALSE(aside.listen(2, answer(usi::SearchId{7}, "2h6h")));
  EXPECT_EQ(aside.advice(), "2h6h");
  EXPECT_FALSE(aside.is_consulting());
}

TEST(AsideSearches, who_plays_from_here_on_goes_on_with_what_it_was_asked) {
  AsideSearches aside;
  aside.consult({1, usi::SearchId{3}});
  EXPECT_EQ(aside.take(0), std::nullopt);
  EXPECT_EQ(aside.take(1), usi::SearchId{3});
  EXPECT_TRUE(aside.end().empty());
}

TEST(AsideSearches, the_answer_of_a_doubted_engine_is_told_once_and_only_of_its_own_search) {
  AsideSearches aside;
  aside.doubt({0, usi::SearchId{5}});
  EXPECT_FALSE(aside.listen(0, answer(usi::SearchId{4}, "7g7f")));
  EXPECT_FALSE(aside.listen(1, answer(usi::SearchId{5}, "7g7f"))) << "another engine's search of that number";
  EXPECT_TRUE(aside.listen(0, answer(usi::SearchId{5}, "7g7f")));
  EXPECT_FALSE(aside.listen(0, answer(usi::SearchId{5}, "7g7f")));
}

TEST(AsideSearches, a_lost_engine_is_asked_no_more) {
  AsideSearches aside;
  aside.consult({1, usi::SearchId{3}});
  aside.doubt({0, usi::SearchId{5}});
  EXPECT_FALSE(aside.listen(1, EngineLost{.why = base::verbatim("it died")}));
  EXPECT_FALSE(aside.is_consulting());
  EXPECT_EQ(aside.end(), std::vector<AsideSearches::Seat>{0});
}

// --- several engines

/// What a standby of which nothing is remembered is sent behind its readyok.
std::vector<std::string> lines_to_a_standby(const std::string& program) {
  config::Engine config;
  config.command = {"engine"};
  config.standby.enabled = true;
  config.standby.command = {program};
  EngineTeam team(config, false);
  team.engines().learn_clock();
  Outbox out;
  const base::Now now{noon, {}};
  team.engines().start(now, out);
  const EngineId standby{1, 1};
  static_cast<void>(team.on(EngineStarted{standby, 1}, now, out));
  static_cast<void>(team.on(EngineLine{standby, "id name X"}, now, out));
  static_cast<void>(team.on(EngineLine{standby, "usiok"}, now, out));
  static_cast<void>(team.on(ClockRecalled{standby, {}}, now, out));
  static_cast<void>(lines_of(out));
  static_cast<void>(team.on(EngineLine{standby, "readyok"}, now, out));
  return lines_of(out);
}

TEST(EngineTeam, a_standby_of_another_program_is_asked_how_it_reads_its_clock) {
  const std::vector<std::string> lines = lines_to_a_standby("another");
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines.back(), "go btime 300 wtime 300 byoyomi 0");
  EXPECT_TRUE(lines_to_a_standby("engine").empty()) << "the first one is asked, for both";
}

// What it would be told of the clock then would be of another time.
TEST(EngineTeam, a_search_that_has_not_begun_is_no_second_opinion) {
  config::Engine config;
  config.command = {"engine"};
  config.standby.enabled = true;
  EngineTeam team(config, true);
  Outbox out;
  const base::Now now{noon, {}};
  team.engines().start(now, out);
  const EngineId first{0, 1};
  for (const EngineId id : {first, EngineId{1, 1}}) {
    static_cast<void>(team.on(EngineStarted{id, 1}, now, out));
    for (const char* line : {"usiok", "readyok"}) {
      static_cast<void>(team.on(EngineLine{id, line}, now, out));
    }
  }
  static_cast<void>(team.player().search({"position startpos", "go ponder byoyomi 1000", true}, out));
  team.player().abandon(now, out);
  static_cast<void>(team.player().search(request, out));
  ASSERT_TRUE(team.player().is_search_queued());

  team.doubt(base::verbatim("it is silent"), now, out);
  static_cast<void>(lines_of(out));
  static_cast<void>(team.on(EngineLine{first, "bestmove 7g7f"}, now, out));

  EXPECT_TRUE(lines_of(out).empty()) << "the first one is idle";
  EXPECT_TRUE(team.standby_plays());
  EXPECT_TRUE(team.may_doubt());
}

// Nobody would know otherwise why a member that is ready is asked nothing.
TEST(EngineTeam, a_member_that_fails_twice_in_a_game_is_out_of_it_and_a_person_is_told_once) {
  config::Engine config;
  config.command = {"engine"};
  config.team_play = config::TeamPlay::majority;
  config.team.emplace_back().name = "second";
  EngineTeam team(config, false);
  Outbox out;
  base::Now now{noon, {}};
  team.engines().start(now, out);
  const auto become_ready = [&](EngineId engine) {
    static_cast<void>(team.on(EngineStarted{engine, 1}, now, out));
    for (const char* line : {"usiok", "readyok"}) {
      static_cast<void>(team.on(EngineLine{engine, line}, now, out));
    }
  };
  become_ready(team.member(0).id());
  const auto fails = [&] {
    const EngineId second = team.member(1).id();
    become_ready(second);
    static_cast<void>(team.on(EngineExited{second, base::verbatim("signal 11")}, now, out));
    now.steady += Millis{60'000};
    static_cast<void>(team.on_time(now, out));
    int told = 0;
    for (const Action& action : out.take()) {
      const auto* note = std::get_if<Note>(&action);
      told += note != nullptr && note->code == "member_out" ? 1 : 0;
    }
    out = Outbox();
    return told;
  };
  EXPECT_EQ(fails() + fails(), 0) << "before any game";
  team.engines().prepare_game({}, now, out);
  EXPECT_EQ(fails(), 0);
  EXPECT_FALSE(team.is_out(1));
  EXPECT_EQ(fails(), 1);
  EXPECT_TRUE(team.is_out(1));
  EXPECT_EQ(fails(), 0);
  team.game_over(usi::GameOver::win, now, out);
  EXPECT_FALSE(team.is_out(1));
}

TEST(EngineTeam, who_is_given_up_is_named_with_what_is_to_be_checked) {
  config::Engine config;
  config.command = {"engine"};
  config.team.emplace_back().name = "second";
  EngineTeam team(config, false);
  Outbox out;
  base::Now now{noon, {}};
  team.engines().start(now, out);
  std::vector<std::string> told;
  for (int attempt = 0; attempt < 10; ++attempt) {
    for (std::size_t seat = 0; seat < team.size(); ++seat) {
      static_cast<void>(team.on(EngineFailedToStart{team.member(seat).id(), base::verbatim("no such file")}, now, out));
    }
    now.steady += Millis{120'000};
    static_cast<void>(team.on_time(now, out));
    for (const Action& action : out.take()) {
      if (const auto* note = std::get_if<Note>(&action); note != nullptr && note->code == "engine_given_up") {
        told.push_back(note->text.english().substr(note->text.english().find("check ")));
      }
    }
    out = Outbox();
  }
  EXPECT_EQ(told, (std::vector<std::string>{"check engine.command and the lines above",
                                            "check the command of the engine second and the lines above"}));
}

/// A team of three of one program, all ready.
class Three {
 public:
  explicit Three(std::vector<std::string> host = {}) : team(settings(std::move(host)), false) {
    team.engines().start(now, out);
    for (std::uint32_t seat = 0; seat < 3; ++seat) {
      boot({seat, 1});
    }
    static_cast<void>(out.take());
    out = Outbox();
  }

  static config::Engine settings(std::vector<std::string> host) {
    config::Engine config;
    config.command = {"engine"};
    config.host = std::move(host);
    config.team_play = config::TeamPlay::majority;
    config.team.resize(2);
    return config;
  }
  void boot(EngineId id) {
    static_cast<void>(team.on(EngineStarted{id, 1}, now, out));
    for (const char* line : {"usiok", "readyok"}) {
      static_cast<void>(team.on(EngineLine{id, line}, now, out));
    }
  }
  void link_of(std::uint32_t seat, bool is_up) {
    static_cast<void>(team.on(EngineLink{.engine = {seat, 1}, .way = "gpu1", .is_up = is_up, .is_out = !is_up}, now, out));
  }
  /// Its process cannot be started again, as often as it takes.
  std::vector<EngineNews> give_up(std::size_t seat) {
    std::vector<EngineNews> news;
    for (const base::SteadyTime began = now.steady; now.steady < began + std::chrono::minutes(65);) {
      std::vector<EngineNews> more = team.on(EngineFailedToStart{team.member(seat).id(), base::verbatim("no such file")}, now, out);
      std::move(more.begin(), more.end(), std::back_inserter(news));
      now.steady += Millis{60'000};
      static_cast<void>(team.on_time(now, out));
    }
    return news;
  }

  base::Now now{noon, {}};
  Outbox out;
  EngineTeam team;
};

TEST(EngineTeam, only_when_nobody_is_left_is_the_team_given_up) {
  Three three;
  EngineTeam& team = three.team;
  for (const std::size_t seat : {1U, 0U}) {
    static_cast<void>(team.on(EngineExited{team.member(seat).id(), base::verbatim("signal 9")}, three.now, three.out));
  }
  EXPECT_EQ(team.player_seat(), 2U) << "the one that is ready";
  EXPECT_FALSE(has<EngineGivenUp>(three.give_up(1)));
  EXPECT_FALSE(has<EngineGivenUp>(three.give_up(0)));
  static_cast<void>(team.on(EngineExited{team.member(2).id(), base::verbatim("signal 9")}, three.now, three.out));
  EXPECT_TRUE(has<EngineGivenUp>(three.give_up(2)));
}

TEST(EngineTeam, one_that_was_asked_and_came_to_play_and_fell_silent_is_heard_when_it_answers_after_all) {
  Three three;
  EngineTeam& team = three.team;
  static_cast<void>(team.player().search(request, three.out));
  static_cast<void>(team.ask(1, request, three.out));
  static_cast<void>(team.ask(2, request, three.out));
  static_cast<void>(team.on(EngineExited{{0, 1}, base::verbatim("signal 9")}, three.now, three.out));
  ASSERT_EQ(team.player_seat(), 1U);
  EXPECT_TRUE(has<MemberAnswered>(team.on(EngineLine{{2, 1}, "bestmove 2g2f"}, three.now, three.out)));

  ASSERT_TRUE(team.may_doubt());
  team.doubt(base::verbatim("it is silent"), three.now, three.out);
  ASSERT_EQ(team.player_seat(), 2U);
  static_cast<void>(team.player().search(request, three.out));
  const auto news = team.on(EngineLine{{1, 1}, "bestmove 7g7f"}, three.now, three.out);
  EXPECT_TRUE(has<usi::SearchAnswered>(news)) << "it plays again";
  EXPECT_EQ(team.player_seat(), 1U);
}

TEST(EngineTeam, where_no_link_leads_to_anybody_nobody_takes_the_place_of_who_plays) {
  Three three({"gpu1"});
  three.link_of(0, false);
  three.link_of(1, false);
  three.team.seek_player(three.now, three.out);
  EXPECT_EQ(three.team.player_seat(), 2U) << "it can be reached";
  three.link_of(2, false);
  three.team.seek_player(three.now, three.out);
  EXPECT_EQ(three.team.player_seat(), 2U);
}

}  // namespace
}  // namespace kakehashi::bridge
