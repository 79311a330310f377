// What the next start finds of games that an earlier process had no time to store.
#include "journal/io/earlier_runs.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <set>

#include "journal/io/journal_writer.hpp"
#include "tests/system/bots.hpp"

namespace kakehashi::journal::io {
namespace {

constexpr const char* head = "V2.2\nN+me\nN-you\nPI\n+\n";

base::Now at(int seconds) { return {{}, base::WallTime(base::Millis{seconds * 1'000})}; }

/// A process that writes a journal; what is left for its disk's thread is done when it ends.
struct Writing {
  explicit Writing(const config::BotConfig& config) : writer(config, context, [](const bridge::Note&, auto) {}) {}
  /// Until all is in the file.
  void settle() {
    context.restart();
    context.run();
  }
  boost::asio::io_context context;
  JournalWriter writer;
};

class EarlierGames : public testing::Test {
 protected:
  EarlierGames() {
    config = test::bot(scratch, "mybot", {});
    config.journal.directory = scratch.path("journal");
  }

  /// The steps of a game of one move; the file stays open.
  void play(JournalWriter& writer, const std::string& id, int second) const {
    for (const std::string& line : {std::string("BEGIN Game_Summary"), "Game_ID:" + id,
                                    std::string("Name+:me"), std::string("Name-:you"),
                                    std::string("Your_Turn:+")}) {
      writer.step(bridge::ServerLine{line}, at(second), {});
    }
    writer.step(bridge::ServerLine{"START:" + id}, at(second), {bridge::BeginRecord{id, {".csa"}, head}, bridge::GameStarted{id}});
    writer.step(bridge::RecordWritten{scratch.path(id + ".csa"), {}}, at(second), {});
    writer.step(bridge::ServerLine{"+7776FU,T1"}, at(second), {bridge::AppendRecord{"+7776FU\nT1\n"}});
  }
  static void finish(JournalWriter& writer, int second) {
    writer.step(bridge::ServerLine{"#WIN"}, at(second),
                {bridge::FinishRecord{{{".csa", std::string(head) + "+7776FU\nT1\n%TORYO\n"}}}});
  }

  std::set<std::string> found(const std::set<std::string>& known = {}) const {
    std::set<std::string> ids;
    const auto games = earlier_games(
        ended_journals(config), config,
        [&](const GameMark& mark) { return known.contains(mark.game_id); });
    for (const EarlierGame& earlier : games) {
      ids.insert(earlier.record_path.substr(earlier.record_path.rfind('/') + 1));
    }
    return ids;
  }

  test::Scratch scratch;
  config::BotConfig config;
};

using Ids = std::set<std::string>;

TEST_F(EarlierGames, every_part_of_every_run_counts_and_not_only_the_last) {
  for (int run = 0; run < 2; ++run) {
    Writing process(config);
    JournalWriter& writer = process.writer;
    writer.start(1, at(run * 1'000), {});
    play(writer, std::to_string(run) + "a", run * 1'000 + 1);
    finish(writer, run * 1'000 + 2);
    play(writer, std::to_string(run) + "b", run * 1'000 + 3);
  }
  EXPECT_EQ(found(), (Ids{"0a.csa", "0b.csa", "1a.csa", "1b.csa"}));
  EXPECT_EQ(found({"1b", "0a"}), (Ids{"0b.csa", "1a.csa"}));
}

TEST_F(EarlierGames, a_journal_that_is_being_written_is_left_alone) {
  {
    Writing process(config);
    JournalWriter& writer = process.writer;
    writer.start(1, at(0), {});
    play(writer, "a", 1);
    process.settle();
    EXPECT_EQ(found(), Ids());
  }
  EXPECT_EQ(found(), (Ids{"a.csa"}));
}

TEST_F(EarlierGames, a_child_that_outlives_a_killed_bot_by_a_moment_hides_no_game) {
  {
    Writing process(config);
    process.writer.start(1, at(0), {});
    play(process.writer, "a", 1);
  }
  const auto journals = ended_journals(config);
  ASSERT_EQ(journals.size(), 1U);
  // The bot takes the lock, forks, and is gone; its child holds the lock for a moment.
  const pid_t bot = ::fork();
  if (bot == 0) {
    const int file = ::open(journals[0].c_str(), O_RDONLY | O_CLOEXEC);
    const bool is_locked = ::flock(file, LOCK_EX) == 0;
    if (::fork() == 0) {
      ::usleep(100'000);
    }
    ::_exit(is_locked ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(bot, &status, 0), bot);
  ASSERT_EQ(status, 0);
  EXPECT_EQ(found(), (Ids{"a.csa"}));
}

TEST_F(EarlierGames, a_record_that_knows_more_than_a_full_journal_is_believed) {
  test::write_text(scratch.path("a.csa"), std::string(head) + "+7776FU\nT1\n-3334FU\nT1\n%TORYO\n");
  {
    Writing process(config);
    JournalWriter& writer = process.writer;
    writer.start(1, at(0), {});
    play(writer, "a", 1);
  }
  const auto games = earlier_games(ended_journals(config), config,
                                   [](const GameMark&) { return false; });
  ASSERT_EQ(games.size(), 1U);
  EXPECT_EQ(games[0].game.record.moves.size(), 2U);
  EXPECT_EQ(games[0].game.record.ending->kind, shogi::record::EndingKind::toryo);
  EXPECT_EQ(games[0].record_path, scratch.path("a.csa"));
}

TEST_F(EarlierGames, journals_without_a_game_and_other_files_are_passed_over) {
  Writing(config).writer.start(1, at(0), {});
  test::write_text(scratch.path("journal/mybot_20200101T000000_0001.journal"), "no journal\n");
  EXPECT_EQ(found(), Ids());
}

}  // namespace
}  // namespace kakehashi::journal::io
