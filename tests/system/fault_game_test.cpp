// The faults of the guard's table by real processes, in whole games on the embedded server under the
// real clock: each row two games (one where no other engine can be had), all rows of a test side by
// side. No game may be lost by the bridge. Where nothing has to be waited out the clock is so wide that
// no load of the machine can decide a game; where an engine hangs on our turn, two and a half seconds lie
// between the bridge's last resort and the flag.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daemon/driver.hpp"
#include "rehearse/server/io/server_shell.hpp"
#include "tests/places.hpp"
#include "tests/system/bots.hpp"
#include "tests/system/loop.hpp"
#include "tests/system/scratch.hpp"

namespace kakehashi::daemon {
namespace {

using base::Millis;
using test::fake_engine;

constexpr const char* wide_clock = "-600-20";
constexpr const char* clock_to_be_waited_out = "-0-20";
constexpr std::chrono::seconds watchdog{150};

enum class Recovery { restart, standby, none };

struct Row {
  const char* name;
  std::vector<std::string> faults;
  const char* clock = wide_clock;
  bool ponders = false;
  bool is_of_one_moment = true;
};

/// Each happens once, in the first game unless it says otherwise.
std::vector<Row> rows() {
  return {
      {"dies_on_our_turn", {"--die-on-go", "2"}},
      {"dies_on_their_turn", {"--die-after-go", "2"}},
      {"dies_pondering", {"--die-on-ponder", "2"}, wide_clock, true},
      {"dies_behind_an_early_answer", {"--bestmove-before-ponderhit", "--die-after-go", "2"}, wide_clock,
       true},
      {"dies_between_games", {"--die-on-gameover", "1"}},
      {"dies_at_boot", {"--die-on-usi", "1"}},
      {"hangs_on_our_turn", {"--hang-on-go", "2"}, clock_to_be_waited_out},
      {"hangs_on_their_turn", {"--hang-after-go", "2"}, clock_to_be_waited_out},
      {"hangs_pondering", {"--hang-on-ponder", "2"}, clock_to_be_waited_out, true},
      {"hangs_between_games", {"--hang-on-gameover", "1"}},
      {"hangs_at_boot", {"--hang-on-isready", "1"}},
      {"plays_an_illegal_move", {"--illegal-on-go", "2"}},
      {"answers_nonsense", {"--unreadable-on-go", "2"}},
      {"declares_wrongly", {"--win-on-go", "2"}},
      {"closes_its_output", {"--close-stdout-on-go", "2"}, clock_to_be_waited_out},
      {"ends_without_a_line_end", {"--no-newline-on-go", "2"}},
      {"floods_and_answers_twice", {"--flood", "2000", "--bestmove-twice", "--stray-info"}, wide_clock, false, false},
      {"writes_huge_lines_and_noise", {"--huge-line", "--stderr-flood"}, wide_clock, false, false},
      {"is_wrapped_and_refuses_to_quit", {"--refuse-quit", "--fork-child"}, wide_clock, false, false},
  };
}

std::vector<Row> rows_named(const std::vector<std::string>& names) {
  std::vector<Row> chosen;
  for (Row& row : rows()) {
    if (std::find(names.begin(), names.end(), row.name) != names.end()) {
      chosen.push_back(std::move(row));
    }
  }
  return chosen;
}

/// One bot of a row: the faulty one or its opponent.
struct Player {
  Player(boost::asio::io_context& context, config::BotConfig config, std::function<void(const bridge::Note&)> noted)
      : log(config.log) {
    Driver::Hooks hooks;
    hooks.noted = std::move(noted);
    hooks.exited = [this](int exit_status) { status = exit_status; };
    driver.emplace(context, std::move(config), 1, log, std::move(hooks));
  }
  LogSink log;
  std::optional<int> status;
  std::optional<Driver> driver;
};

class FaultGame : public testing::Test {
 protected:
  FaultGame() : server(context, rehearse::server::io::ShellOptions{}, callbacks()) {}

  rehearse::server::io::ShellCallbacks callbacks() {
    rehearse::server::io::ShellCallbacks made;
    made.report = [this](const rehearse::server::GameReport& report) {
      if (const auto* over = std::get_if<rehearse::server::GameEnded>(&report)) {
        ended.push_back(*over);
      }
    };
    return made;
  }

  config::BotConfig config_of(const Row& row, const std::string& name, const char* color, int games) {
    config::BotConfig made = test::bot(scratch, name, {});
    made.server.host = "127.0.0.1";
    made.server.port = server.port();
    made.game.name = std::string(row.name).substr(0, 20) + row.clock + color;
    made.game.count = games;
    made.engine.quit_timeout = Millis{1'000};
    made.time.margin = Millis{10'000};
    made.records.enabled = false;
    made.log.file = scratch.path(name + ".log");
    made.log.level = config::LogLevel::info;
    return made;
  }

  void seat(const Row& row, Recovery recovery) {
    const std::string number = std::to_string(players.size() / 2);
    const int games = recovery == Recovery::none ? 1 : 2;
    config::BotConfig faulty = config_of(row, "bot" + number, "-B", games);
    // A name of its own, so that it can be taken away.
    const std::string program = scratch.path("engine" + number);
    std::filesystem::create_symlink(test::fake_engine_binary(), program);
    faulty.engine.command = {program, "--ponder", "8b7b", "--once", scratch.path("once" + number)};
    faulty.engine.command.insert(faulty.engine.command.end(), row.faults.begin(), row.faults.end());
    faulty.ponder = row.ponders ? config::Ponder::on : config::Ponder::off;
    faulty.engine.standby.enabled = recovery == Recovery::standby;
    faulty.engine.standby.command = fake_engine();
    config::BotConfig other = config_of(row, "foe" + number, "-W", games);
    other.engine.command = fake_engine({"--think-ms", "50", "--resign-on-go", "5"});
    const auto take_away = [recovery, program](const bridge::Note& note) {
      if (recovery == Recovery::none && note.code == "engine_ready") {
        std::error_code failed;
        std::filesystem::remove(program, failed);
      }
    };
    players.push_back(std::make_unique<Player>(context, std::move(faulty), take_away));
    players.push_back(std::make_unique<Player>(context, std::move(other), [](const bridge::Note&) {}));
  }

  void play(const std::vector<Row>& chosen, Recovery recovery) {
    ASSERT_TRUE(server.start());
    for (const Row& row : chosen) {
      seat(row, recovery);
    }
    for (const auto& player : players) {
      player->driver->start();
    }
    const auto are_all_done = [this] {
      return std::all_of(players.begin(), players.end(),
                         [](const auto& player) { return player->status.has_value(); });
    };
    EXPECT_TRUE(test::run_until(context, are_all_done, watchdog)) << "somebody did not come to an end";
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      judge(chosen[i], i, recovery);
    }
  }

  void judge(const Row& row, std::size_t index, Recovery recovery) {
    const std::string bot = "bot" + std::to_string(index);
    players[2 * index]->log.flush();
    const std::string log = test::read_text(scratch.path(bot + ".log"));
    int games = 0;
    for (const rehearse::server::GameEnded& end : ended) {
      const std::size_t side = end.names[0] == bot ? 0 : 1;
      if (end.names[side] != bot) {
        continue;
      }
      ++games;
      const bool is_lost = end.winner && static_cast<std::size_t>(*end.winner) != side;
      EXPECT_FALSE(is_lost) << row.name << ": " << end.game_id << '\n' << log;
    }
    EXPECT_EQ(games, recovery == Recovery::none ? 1 : 2) << row.name << '\n' << log;
    EXPECT_EQ(players[2 * index]->status, 0) << row.name << '\n' << log;
    EXPECT_EQ(std::filesystem::exists(scratch.path("once" + std::to_string(index))), row.is_of_one_moment)
        << row.name << ": the fault came to pass";
    EXPECT_EQ(log.find("lost_by_fault"), std::string::npos) << row.name << '\n' << log;
  }

  test::Scratch scratch;
  boost::asio::io_context context{1};
  rehearse::server::io::ServerShell server;
  std::vector<rehearse::server::GameEnded> ended;
  std::vector<std::unique_ptr<Player>> players;
};

TEST_F(FaultGame, no_game_is_lost_where_the_engine_can_be_restarted) {
  play(rows(), Recovery::restart);
}

TEST_F(FaultGame, no_game_is_lost_where_a_standby_waits) { play(rows(), Recovery::standby); }

TEST_F(FaultGame, no_game_is_lost_where_no_engine_is_left) {
  play(rows_named({"dies_on_our_turn", "dies_on_their_turn", "dies_pondering",
                   "dies_behind_an_early_answer", "hangs_on_our_turn", "plays_an_illegal_move",
                   "answers_nonsense", "ends_without_a_line_end"}),
       Recovery::none);
}

}  // namespace
}  // namespace kakehashi::daemon
