// A bot of which both processes are killed at any instant loses no more than what it had heard last: records, journals and
// archives are whole, the next start completes what was cut off, and the journal can be repeated.
// KAKEHASHI_KILLS sets how often it is killed; the ordinary run does some, a nightly one hundreds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "games/io/archive.hpp"
#include "games/io/database.hpp"
#include "journal/io/journal_files.hpp"
#include "journal/journal.hpp"
#include "journal/replay.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/record/format.hpp"
#include "shogi/record/json.hpp"
#include "tests/system/loop.hpp"
#include "tests/system/scratch.hpp"
#include "tests/system/two_bots.hpp"

namespace kakehashi {
namespace {

using test::read_text;
using test::run_until;
using shogi::record::Format;
using testing::IsEmpty;

constexpr int kills_default = 12;
/// Some games' worth of lines, summaries included.
constexpr int lines_before_kill_max = 400;

class KillTest : public test::TwoBots {
 protected:
  KillTest() {
    // One with a record that grows and one without.
    const std::map<std::string, std::string> formats{{"alice", "[csa, jkf]"}, {"bob", "[jsonl, kifu]"}};
    for (const auto& [bot, kinds] : formats) {
      configure(bot, {.engine = ", --score, '12'",
                      .records = ", formats: " + kinds,
                      .journal = ", keep: 10000",
                      .lines = "archive: {file: " + scratch.path(bot + ".db") + "}\n"});
    }
  }

  void play_until_killed(int lines_before_kill) {
    start();
    ASSERT_TRUE(plays_on(lines_before_kill)) << log();
    program->send_signal(SIGKILL);
    ASSERT_TRUE(run_until(context, [&] { return program->status.has_value(); }));
    context.poll();  // its last words
    judge_log();
  }

  void start_and_leave_in_order() {
    start();
    ASSERT_TRUE(plays_on(1)) << log();
    ASSERT_NO_FATAL_FAILURE(leave());
    judge_log();
  }

  void judge_log() {
    caught_up += logged("archive_completed") > 0 ? 1 : 0;
    EXPECT_EQ(logged("_failed: "), 0U) << log();
  }

  /// The one game of a record file.
  shogi::record::Record record_in(const std::string& name, shogi::record::Format format) {
    const std::string text = read_text(scratch.path(name));
    const auto records = shogi::record::read_records(text, format, std::chrono::minutes{0});
    EXPECT_TRUE(records) << name << ": " << (records ? "" : records.error().what.english()) << "\n" << text;
    EXPECT_TRUE(!records || records->size() == 1) << name;
    completed += text.find("completed from the journal") != std::string::npos ? 1 : 0;
    return records && !records->empty() ? records->front() : shogi::record::Record{};
  }

  /// The games of a bot's records, each a prefix of what was played; the other file of each game tells the same.
  void judge_records(const std::string& bot, shogi::record::Format first,
                     shogi::record::Format second) {
    std::map<std::string, std::size_t> recorded;
    if (!std::filesystem::exists(scratch.path(bot))) {
      return;
    }
    for (const std::string& name : scratch.names(bot)) {
      const std::string extension = facts_of(first).extension;
      if (!name.ends_with(extension)) {
        ASSERT_TRUE(name.ends_with(facts_of(second).extension)) << name << " was left over";
        continue;
      }
      const auto record = record_in(bot + "/" + name, first);
      const auto other = record_in(bot + "/" + name.substr(0, name.size() - extension.size()) +
                                       facts_of(second).extension,
                                   second);
      ASSERT_TRUE(record.ending && other.ending) << name;
      EXPECT_EQ(record.ending->kind, other.ending->kind) << name;
      EXPECT_TRUE(std::equal(record.moves.begin(), record.moves.end(), other.moves.begin(),
                             other.moves.end(), [](const auto& one, const auto& another) {
                               return one.move == another.move &&
                                      one.consumed == another.consumed;
                             }))
          << name;
      const std::vector<std::string>& played = witness.moves[record.event];
      ASSERT_LE(record.moves.size(), played.size()) << name;
      shogi::Position position = record.start;
      for (std::size_t i = 0; i < record.moves.size(); ++i) {
        EXPECT_EQ(shogi::csa::format_move(position, record.moves[i].move), played[i]) << name;
        position.play(record.moves[i].move);
      }
      EXPECT_TRUE(recorded.emplace(record.event, record.moves.size()).second)
          << record.event << " has two records";
    }
    judge_archive(bot, recorded);
    for (const auto& [whose, count] : witness.heard) {
      if (whose.first == bot) {
        heard += count;
        kept += std::min(count, recorded[whose.second]);
      }
    }
  }

  /// The archive is whole, and holds each game once, with as many moves as its record.
  void judge_archive(const std::string& bot, const std::map<std::string, std::size_t>& recorded) {
    using games::io::Archive;
    using games::io::Database;
    const std::string path = scratch.path(bot + ".db");
    auto database = Database::open(path, Database::Access::read, Archive::default_patience);
    ASSERT_TRUE(database) << database.error();
    auto check = database->prepare("PRAGMA integrity_check");
    ASSERT_TRUE(check.step()) << check.trouble().value_or(games::io::Trouble{});
    EXPECT_EQ(check.text(0), "ok");
    auto archive = Archive::open(path, Archive::Access::read);
    ASSERT_TRUE(archive) << archive.error();
    std::map<std::string, std::size_t> archived;
    std::vector<std::int64_t> ids;
    const auto why = archive->each({}, Archive::Order::any, [&](const games::ArchivedGame& game) {
      EXPECT_TRUE(archived.emplace(game.game_id, static_cast<std::size_t>(game.plies)).second)
          << game.game_id << " is in the archive twice";
      ids.push_back(game.id);
      return true;
    });
    EXPECT_FALSE(why) << why->english();
    for (const auto& [game_id, moves] : recorded) {
      EXPECT_TRUE(archived.contains(game_id))
          << bot << "'s archive lacks " << game_id << "; the last start:\n" << read_text(scratch.path("stderr"));
      EXPECT_EQ(archived[game_id], moves) << bot << " in " << game_id;
    }
    for (const std::int64_t id : ids) {
      const auto game = archive->find(id);
      ASSERT_TRUE(game && *game);
      EXPECT_TRUE(shogi::record::read_jsonl((*game)->jsonl)) << (*game)->game.game_id;
    }
  }

  void judge_journals() {
    for (const std::string& name : scratch.names("journal")) {
      const auto last = journal::io::read_journal_name(name);
      ASSERT_TRUE(last) << name << " was left over";
      const auto contents = journal::read(read_text(scratch.path("journal/" + name)));
      EXPECT_THAT(contents.faults, IsEmpty()) << name;
      judge_repetition(name);
    }
    EXPECT_GT(repeated_steps, 0U);
  }

  void judge_repetition(const std::string& name) {
    std::string run;
    for (const std::string& part : journal::io::parts_until(scratch.path("journal/" + name))) {
      run += read_text(part);
    }
    if (run.empty()) {
      return;  // killed between the making of a run's first file and its first line
    }
    const journal::Replay replay = journal::replay(journal::read(run));
    EXPECT_EQ(replay.obstacle, "") << name;
    for (const journal::Difference& difference : replay.differences) {
      ADD_FAILURE() << name << ", entry " << difference.number << ", after " << difference.after
                    << ": recorded " << difference.recorded << ", repeated "
                    << difference.repeated;
    }
    repeated_steps += replay.steps;
  }

  std::size_t repeated_steps = 0;
  std::size_t heard = 0;  ///< moves, by both bots
  std::size_t kept = 0;   ///< of those
  int completed = 0;  ///< records
  int caught_up = 0;  ///< starts that found games for the archive
};

TEST_F(KillTest, no_more_than_what_was_heard_last_is_lost_and_no_file_is_broken) {
  const char* wanted = std::getenv("KAKEHASHI_KILLS");
  const int kills = wanted == nullptr ? kills_default : std::atoi(wanted);
  ASSERT_GT(kills, 0);
  std::mt19937 random(20261121);
  for (int i = 0; i < kills; ++i) {
    ASSERT_NO_FATAL_FAILURE(
        play_until_killed(1 + static_cast<int>(random() % lines_before_kill_max)));
  }
  ASSERT_NO_FATAL_FAILURE(start_and_leave_in_order());

  EXPECT_GT(witness.heard.size(), static_cast<std::size_t>(kills));
  judge_records("alice", Format::csa, Format::jkf);
  judge_records("bob", Format::jsonl, Format::kifu);
  judge_journals();
  EXPECT_GT(kept, heard / 2) << "of " << heard << ": what is gathered before it is written is some moves of each game";
  EXPECT_GT(completed, 0) << "no record was cut off, so nothing was proved";
  EXPECT_GT(caught_up, 0) << "no archive lacked a game, so nothing was proved";
  std::cout << kills << " kills, " << witness.moves.size() << " games, " << kept << " of " << heard << " moves kept, " << completed
            << " record files completed, " << caught_up << " starts that completed an archive, "
            << repeated_steps << " steps repeated" << std::endl;
}

}  // namespace
}  // namespace kakehashi
