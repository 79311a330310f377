// Whole series: several pairs of bots at a time with engine processes, and what is left when they are killed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "bridge/engine_seats.hpp"
#include "cli/rehearsal_show.hpp"
#include "games/io/archive.hpp"
#include "rehearse/io/rehearsal_pair.hpp"
#include "tests/places.hpp"
#include "tests/system/bots.hpp"
#include "tests/system/look_until.hpp"
#include "tests/system/scratch.hpp"
#include "usi/io/spawn.hpp"
#include "usi/process.hpp"

namespace kakehashi::rehearse {
namespace {

using test::bot;
using test::fake_engine;
using test::read_text;
using test::Scratch;
using test::write_text;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

std::string resignations(int number) {
  std::string moves = "resign";
  for (int i = 1; i < number; ++i) {
    moves += " resign";
  }
  return moves;
}

class WholeSeries : public testing::Test {
 protected:
  void play(SeriesRules rules) {
    plan.configs = {bot(scratch, "alice", alice), bot(scratch, "bob", bob)};
    plan.game_name = "test-600-10";
    plan.is_series = true;
    plan.is_judged = false;
    plan.directory = scratch.path("out");
    std::filesystem::create_directories(plan.directory);
    rules.starts = std::max<std::size_t>(1, plan.starts.size());
    Series series(rules);
    std::ostringstream out;
    const cli::Lines lines(out, words::Language::english);
    cli::SeriesShow show(lines, series, {"alice", "bob"}, false);
    RehearsalReport report;
    status = rehearse::io::play_rehearsal(plan, series, show, report, [this](const SeriesResult& result) {
      kept.push_back(result);
      return base::verbatim(refusal);
    });
    for (const auto& line : cli::summary_lines(series, {"alice", "bob"})) {
      summary += line.text.english() + "\n";
    }
    shown = out.str();
  }

  std::vector<games::ArchivedGame> archived() {
    auto archive = games::io::Archive::open(scratch.path("out/games.db"), games::io::Archive::Access::read);
    return archive ? *archive->list({}) : std::vector<games::ArchivedGame>{};
  }

  Scratch scratch;
  std::vector<std::string> alice = fake_engine();
  /// Gives up at its first move of each game.
  std::vector<std::string> bob = fake_engine({"--moves", resignations(100)});
  rehearse::io::RehearsalPlan plan;
  std::vector<SeriesResult> kept;
  std::string refusal;
  std::string summary;
  std::string shown;
  int status = -1;
};

SeriesRules games(int number) {
  SeriesRules rules;
  rules.games = number;
  return rules;
}

TEST_F(WholeSeries, each_start_is_played_with_both_colors_by_pairs_that_play_at_a_time) {
  plan.starts = *read_start_positions("startpos moves 7g7f 3c3d\nlnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w -");
  plan.concurrency = 2;
  play(games(8));
  EXPECT_EQ(status, 0) << shown;
  ASSERT_THAT(kept, SizeIs(8)) << shown;
  std::set<int> numbers;
  for (const auto& result : kept) {
    numbers.insert(result.number);
    EXPECT_EQ(result.outcome, csa::Outcome::win);
    EXPECT_EQ(result.reason, "toryo");
  }
  EXPECT_EQ(numbers, (std::set<int>{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_THAT(summary, HasSubstr("0, 0, 0, 0, 4"));
  EXPECT_THAT(scratch.names("out/records"), SizeIs(16));
  const auto found = archived();
  ASSERT_THAT(found, SizeIs(8)) << "of the first one's games alone";
  for (const auto& game : found) {
    const int number = std::stoi(game.game_id.substr(4));
    EXPECT_EQ(game.us, "alice");
    EXPECT_EQ(game.outcome, "win");
    EXPECT_EQ(game.is_black, number % 2 == 1) << game.game_id;
    const bool has_moves = (number - 1) / 2 % 2 == 0;
    const std::string text = read_text(game.record_path);
    EXPECT_EQ(text.find("+7776FU") != std::string::npos && text.find("-3334FU") != std::string::npos, has_moves) << text;
  }
}

TEST_F(WholeSeries, engines_stay_loaded_from_game_to_game) {
  bob = fake_engine();
  plan.max_moves = 4;
  play(games(3));
  EXPECT_EQ(status, 0) << shown;
  EXPECT_THAT(kept, SizeIs(3));
  const std::string log = read_text(scratch.path("kakehashi.log"));
  std::size_t handshakes = 0;
  for (auto at = log.find("engine > \"usi\""); at != std::string::npos; at = log.find("engine > \"usi\"", at + 1)) {
    ++handshakes;
  }
  EXPECT_EQ(handshakes, 2U) << log;
}

TEST_F(WholeSeries, the_test_ends_it_and_what_still_runs_does_not_count) {
  SeriesRules rules = games(1000);
  rules.sprt = SprtRules{0, 300};
  plan.concurrency = 3;
  play(rules);
  EXPECT_EQ(status, 0) << shown;
  EXPECT_THAT(summary, HasSubstr("H1 accepted"));
  EXPECT_LT(kept.size(), 40U);
}

TEST_F(WholeSeries, results_that_cannot_be_kept_end_it) {
  refusal = "the disk is full";
  plan.concurrency = 2;
  play(games(100));
  EXPECT_EQ(status, 73);
  EXPECT_THAT(kept, SizeIs(1));
  EXPECT_THAT(shown, HasSubstr("the disk is full; stopping"));
}

TEST_F(WholeSeries, an_engine_that_is_not_there_ends_it) {
  bob = {scratch.path("no-such-engine")};
  plan.concurrency = 2;
  play(games(4));
  EXPECT_EQ(status, 69);
  EXPECT_THAT(kept, SizeIs(0));
}

TEST(Processors, are_not_divided_among_the_members_of_teams_that_play_at_the_same_time) {
  rehearse::io::RehearsalPlan plan;
  config::Engine& engine = plan.configs[0].engine;
  engine.team_play = config::TeamPlay::majority;
  engine.team.resize(3);
  engine.team[1].cpus = "5";
  engine.team[2].host = {"gpu"};
  const std::vector<int> available = {0, 1, 2, 3, 4, 5};
  const auto cpus_of = [&](int seat) {
    const config::Engine prepared = rehearse::io::prepare_configs(plan, 4081)[0].engine;
    const std::string share = bridge::shares_of_cpus(prepared, available).at(static_cast<std::size_t>(seat));
    return share.empty() ? bridge::seats_of(prepared).at(static_cast<std::size_t>(seat)).engine.limits.cpus : share;
  };
  EXPECT_EQ(cpus_of(0), "0,1");
  EXPECT_EQ(cpus_of(1), "2,3,4");
  plan.concurrency = 2;
  EXPECT_EQ(cpus_of(0), "");
  std::set<int> all;
  for (const int cpu : usi::io::processors()) {
    all.insert(cpu);
  }
  const auto member = usi::parse_cpu_list(cpus_of(1));
  EXPECT_EQ(std::set<int>(member->begin(), member->end()), all);
  EXPECT_EQ(cpus_of(2), "5");
  EXPECT_EQ(cpus_of(3), "") << "of another machine nothing is said";
  engine.limits.cpus = "2-4";
  EXPECT_EQ(cpus_of(0), "2-4");
  EXPECT_EQ(cpus_of(1), "2-4");
  EXPECT_EQ(cpus_of(2), "5");
}

TEST(Warnings, name_the_engine_that_was_given_up_rather_than_those_that_were_lost) {
  RehearsalReport report;
  report.take(0, bridge::Occurred{bridge::Incident::engine_lost, base::verbatim("engine second ended; restarting now")});
  report.take(0, bridge::Occurred{bridge::Incident::engine_lost, base::verbatim("engine third ended; restarting now")});
  EXPECT_THAT(report.warnings({"alice", "bob"}),
              testing::ElementsAre(testing::Field(&RehearsalReport::Line::text, "alice lost engines: 2; the last one: engine third ended; restarting now")));
  for (int pair = 0; pair < 3; ++pair) {
    report.take(0, bridge::Occurred{bridge::Incident::engine_given_up, base::verbatim("engine third ended; giving up after 5 attempts")});
  }
  EXPECT_THAT(report.warnings({"alice", "bob"}),
              testing::ElementsAre(testing::Field(&RehearsalReport::Line::text, "alice had to do without an engine: engine third ended; giving up after 5 attempts")));
}

/// The program itself, killed whenever it comes, until the series is whole.
class KilledSeries : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"alice", "bob"}) {
      write_text(scratch.path(std::string(name) + ".yaml"),
                 "server: {host: 127.0.0.1}\naccount: {name: " + std::string(name) + ", password_env: NONE}\n" +
                     "engine: {command: [" + test::fake_engine_binary() + ", --think-ms, \"5\"], clock: separate}\n" +
                     "log: {file: " + scratch.path("log") + "}\n");
    }
    write_text(scratch.path("starts"), "startpos\nstartpos moves 7g7f\nstartpos moves 2g2f 8c8d\n");
  }

  /// Its exit status, or -1 after kill -9 behind `until`; output goes to "said".
  int run(const std::string& more, const std::function<void()>& until = {}) {
    const std::string command = "exec " + test::binary() + " rehearse " + scratch.path("alice.yaml") + " " +
                                scratch.path("bob.yaml") + " --game-name test-600-10 --openings " +
                                scratch.path("starts") + " --games 30 --concurrency 2 --no-watch --out " +
                                scratch.path("out") + " " + more + " >" + scratch.path("said") + " 2>&1";
    const pid_t child = ::fork();
    if (child == 0) {
      ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      ::_exit(127);
    }
    if (until) {
      until();
      ::kill(child, SIGKILL);
    }
    int raw = 0;
    ::waitpid(child, &raw, 0);
    return WIFEXITED(raw) ? WEXITSTATUS(raw) : -1;
  }

  Scratch scratch;
};

TEST_F(KilledSeries, nothing_is_lost_or_played_twice_however_often_it_is_killed) {
  constexpr int kills = 6;
  for (int i = 0; i < kills; ++i) {
    (void)run("", [i] { std::this_thread::sleep_for(std::chrono::milliseconds(300 + 150 * i)); });
  }
  ASSERT_EQ(run(""), 0) << read_text(scratch.path("said"));
  EXPECT_THAT(read_text(scratch.path("said")),
              AllOf(HasSubstr("30 of 30: "), ContainsRegex("pairs    0 to 2 points for alice: 0, 0, 15, 0, 0")));
  std::map<std::string, int> times;
  std::istringstream lines(read_text(scratch.path("out/results.jsonl")));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    ++times[line.substr(0, line.find(','))];
  }
  EXPECT_THAT(times, SizeIs(30));
  for (const auto& [game, count] : times) {
    EXPECT_EQ(count, 1) << game;
  }
  auto archive = games::io::Archive::open(scratch.path("out/games.db"), games::io::Archive::Access::read);
  ASSERT_TRUE(archive) << archive.error();
  games::GameFilter with_result;
  with_result.outcome = "draw";
  with_result.limit = 1000;
  std::map<std::string, int> archived;
  const auto games_of_all = *archive->list(with_result);
  for (const auto& game : games_of_all) {
    ++archived[game.game_id.substr(0, game.game_id.find('+'))];
  }
  for (const auto& [game, count] : archived) {
    EXPECT_EQ(count, 1) << game;
  }
  // The archive and the journal, from which it is completed, are written behind the game: each kill may come between.
  EXPECT_GE(archived.size(), 30U - 2 * kills);
  // It is over: nothing is played any more, and it is told again.
  ASSERT_EQ(run(""), 0);
  EXPECT_THAT(read_text(scratch.path("said")), AllOf(HasSubstr("30 games in"), HasSubstr("; nothing is left"), Not(HasSubstr("game 1:"))));
}

TEST_F(KilledSeries, other_settings_are_refused) {
  const auto has_begun = [this] { return test::look_standing_still([&] { return !read_text(scratch.path("out/results.jsonl")).empty(); }); };
  ASSERT_EQ(run("", [&] { EXPECT_TRUE(has_begun()); }), -1) << read_text(scratch.path("said"));
  EXPECT_EQ(run("--max-moves 20"), 73);
  EXPECT_THAT(read_text(scratch.path("said")), HasSubstr("--max-moves was \"256\" and is \"20\""));
}

/// The program itself and what it says, with a team of alice's against bob, who gives up at once.
class MeasuredTeam : public testing::Test {
 protected:
  void SetUp() override { write_bot("bob", "", ", --moves, resign"); }

  void write_bot(const std::string& name, const std::string& engine, const std::string& switches = "") {
    write_text(scratch.path(name + ".yaml"),
               "server: {host: 127.0.0.1}\naccount: {name: " + name + ", password_env: NONE}\nponder: off\n" +
                   "records: {directory: " + scratch.path("records") + "}\n" +
                   "journal: {directory: " + scratch.path("journal") + "}\n" + "log: {file: " + scratch.path("log") +
                   "}\nengine:\n  command: [" + test::fake_engine_binary() + switches + "]\n  clock: separate\n" + engine);
  }

  /// Its exit status; output goes to `said`.
  int run(const std::string& more) {
    const std::string command = test::binary() + " rehearse " + scratch.path("alice.yaml") + " " +
                                scratch.path("bob.yaml") + " --game-name test-600-10 --no-watch " + more + " >" +
                                scratch.path("said") + " 2>&1";
    const int raw = std::system(command.c_str());
    said = read_text(scratch.path("said"));
    return WIFEXITED(raw) ? WEXITSTATUS(raw) : -1;
  }
  [[nodiscard]] std::string out() const { return "--out " + scratch.path("out"); }

  Scratch scratch;
  std::string said;
};

TEST_F(MeasuredTeam, the_threads_of_all_who_think_at_the_same_time_are_counted) {
  const std::string team = "  options: {Threads: 100}\n  team:\n    - {name: a, options: {UCT_Threads: 1000}}\n"
                           "    - {name: far, host: /bin/false there, command: [engine], options: {Threads: 1000}}\n";
  write_bot("alice", team + "  team_play: majority\n");
  ASSERT_EQ(run("--games 1 --concurrency 2 --max-moves 2 " + out()), 0) << said;
  EXPECT_THAT(said, HasSubstr("the engines think with 2200 threads at a time (2 games)"));
}

TEST_F(MeasuredTeam, an_engine_that_waits_takes_no_thread) {
  write_bot("alice", "  options: {Threads: 1}\n  team:\n    - {name: a, options: {Threads: 1000}}\n");
  ASSERT_EQ(run("--games 1 " + out()), 0) << said;
  EXPECT_THAT(said, Not(HasSubstr("threads at a time")));
}

TEST_F(MeasuredTeam, an_engine_of_the_team_or_a_standby_that_was_built_anew_is_another_engine) {
  const std::string program = scratch.path("member");
  const std::string text = "#!/bin/sh\nexec " + test::fake_engine_binary() + "\n";
  for (const std::string& further : {"  team: [{name: second, command: [" + program + "]}]\n",
                                     "  standby: {command: [" + program + "]}\n"}) {
    write_text(program, text);
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    std::filesystem::remove_all(scratch.path("out"));
    write_bot("alice", further);
    ASSERT_EQ(run("--games 1 " + out()), 0) << said;
    ASSERT_EQ(run("--games 2 " + out()), 0) << said;
    write_text(program, text + "# newer\n");
    EXPECT_EQ(run("--games 3 " + out()), 73) << said;
    EXPECT_THAT(said, ContainsRegex("CONFIG (engine second|standby engine)'s file was"));
  }
}

TEST_F(MeasuredTeam, an_engine_that_never_starts_is_named_in_the_result) {
  write_bot("alice", "  team: [{name: second, command: [" + scratch.path("nowhere") + "]}]\n");
  ASSERT_EQ(run("--games 2 " + out()), 0) << said;
  EXPECT_THAT(said, ContainsRegex("\nwarning  alice lost engines: [0-9]+; the last one: engine second (ended|could not be started)"));
}

TEST_F(MeasuredTeam, a_directory_is_no_file_of_start_positions) {
  write_bot("alice", "");
  EXPECT_EQ(run("--openings " + scratch.path(".")), 66);
  EXPECT_THAT(said, AllOf(HasSubstr("cannot read"), HasSubstr("Is a directory")));
}

TEST_F(MeasuredTeam, the_archive_of_something_else_is_left_alone) {
  write_bot("alice", "");
  std::filesystem::create_directories(scratch.path("out"));
  write_text(scratch.path("out/games.db"), "");
  EXPECT_EQ(run("--games 1 " + out()), 73);
  EXPECT_THAT(said, HasSubstr("name another directory with --out"));
  EXPECT_THAT(scratch.names("out"), testing::ElementsAre("games.db"));
}

TEST_F(MeasuredTeam, a_detail_of_a_test_that_is_not_asked_for_is_refused) {
  write_bot("alice", "");
  for (const char* detail : {"--sprt-alpha 0.1", "--sprt-beta 0.1", "--sprt-model normalized"}) {
    EXPECT_EQ(run(detail), 64) << detail << ": " << said;
    EXPECT_THAT(said, HasSubstr("requires --sprt"));
  }
}

TEST_F(MeasuredTeam, fewer_games_than_have_been_played_are_done) {
  write_bot("alice", "");
  ASSERT_EQ(run("--games 3 " + out()), 0) << said;
  ASSERT_EQ(run("--games 2 " + out()), 0) << said;
  EXPECT_THAT(said, AllOf(HasSubstr("alice against bob: 3 games in"), HasSubstr("nothing is left to be played"),
                          HasSubstr("games    3, and 2 were asked for: ")));
}

}  // namespace
}  // namespace kakehashi::rehearse
