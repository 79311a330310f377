// The archive as a file: what goes in comes out, in order, once, whoever else writes.
#include "games/io/archive.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "system/scratch.hpp"

namespace kakehashi::games::io {
namespace {

using test::Scratch;
using testing::ElementsAre;
using testing::HasSubstr;

ArchivedRecord game(std::int64_t number, const std::string& opponent = "foe",
                    const std::string& outcome = "win") {
  ArchivedRecord archived;
  ArchivedGame& row = archived.game;
  row.bot = "mybot";
  row.server = "server.example:4081";
  row.game_name = "floodgate-300-10F";
  row.game_id = "game-" + std::to_string(number);
  row.us = "us";
  row.opponent = opponent;
  row.engine = "engine";
  row.is_black = number % 2 == 0;
  row.clock = "300+10F";
  row.started_ms = number * 1'000'000;
  row.ended_ms = row.started_ms + 500'000;
  row.outcome = outcome;
  row.reason = "#RESIGN";
  row.plies = 100 + number;
  row.our_time_ms = 1;
  row.their_time_ms = 2;
  row.rescues = 3;
  row.rescue_causes = "move 4: a";
  row.ponder_searches = 5;
  row.ponder_hits = 6;
  row.ponder_gained_ms = 7;
  row.members = {{"main", 1, 2, 3, 4}, {"gpu \"2\"", 5, 6, 7, 8}};
  row.record_path = "records/a.csa";
  row.time = TimeUse{8, 9, 10, 11, 12};
  archived.jsonl = "{\"n\":" + std::to_string(number) + "}\n";
  return archived;
}

Archive writable(const std::string& path) {
  auto archive = Archive::open(path, Archive::Access::write);
  EXPECT_TRUE(archive) << archive.error();
  return std::move(*archive);
}

std::vector<std::int64_t> ids(Archive& archive, const GameFilter& filter) {
  const auto games = archive.list(filter);
  EXPECT_TRUE(games) << games.error();
  std::vector<std::int64_t> found;
  for (const ArchivedGame& one : *games) {
    found.push_back(one.id);
  }
  return found;
}

TEST(Archive, a_game_comes_out_as_it_went_in) {
  const Scratch scratch;
  Archive archive = writable(scratch.path("below/games.db"));
  ASSERT_EQ(*archive.add({game(1)}), 1);
  auto expected = game(1);
  expected.game.id = 1;
  const auto found = archive.find(1);
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->game, expected.game);
  EXPECT_EQ((*found)->jsonl, expected.jsonl);
  EXPECT_FALSE(*archive.find(2));
  auto untimed = game(2);
  untimed.game.time.reset();
  ASSERT_EQ(*archive.add({untimed}), 1);
  EXPECT_FALSE((**archive.find(2)).game.time);
}

TEST(Archive, a_game_goes_in_once) {
  const Scratch scratch;
  Archive archive = writable(scratch.path("games.db"));
  EXPECT_EQ(*archive.add({game(1), game(2), game(1)}), 2);
  EXPECT_EQ(*archive.add({game(2), game(3)}), 1);
  EXPECT_THAT(ids(archive, {}), ElementsAre(3, 2, 1));
}

TEST(Archive, lists_hold_what_is_wanted_the_latest_first) {
  const Scratch scratch;
  Archive archive = writable(scratch.path("games.db"));
  ASSERT_EQ(*archive.add({game(1, "a"), game(2, "b", "lose"), game(3, "a*"), game(4, "ab", "draw")}), 4);
  GameFilter filter;
  filter.limit = 2;
  EXPECT_THAT(ids(archive, filter), ElementsAre(4, 3));
  filter.before_id = 3;
  EXPECT_THAT(ids(archive, filter), ElementsAre(2, 1));
  filter = {};
  filter.opponent = "a";
  EXPECT_THAT(ids(archive, filter), ElementsAre(1));
  filter.opponent = "a*";
  EXPECT_THAT(ids(archive, filter), ElementsAre(4, 3, 1));
  filter.opponent = "[ab]*";
  EXPECT_THAT(ids(archive, filter), ElementsAre());
  filter = {};
  filter.outcome = "lose";
  EXPECT_THAT(ids(archive, filter), ElementsAre(2));
  filter = {};
  filter.is_black = false;
  filter.since_ms = 2'000'000;
  filter.until_ms = 4'000'000;
  EXPECT_THAT(ids(archive, filter), ElementsAre(3));
  filter = {};
  filter.bot = "' OR 1 --";
  EXPECT_THAT(ids(archive, filter), ElementsAre());
}

TEST(Archive, a_reader_sees_what_another_connection_wrote) {
  const Scratch scratch;
  Archive writer = writable(scratch.path("games.db"));
  ASSERT_EQ(*writer.add({game(1)}), 1);
  auto reader = Archive::open(scratch.path("games.db"), Archive::Access::read);
  ASSERT_TRUE(reader) << reader.error();
  ASSERT_EQ(*writer.add({game(2)}), 1);
  std::vector<std::int64_t> seen;
  EXPECT_FALSE(reader->each({}, Archive::Order::latest_first, [&](const ArchivedGame& one) {
    seen.push_back(one.id);
    return seen.size() < 1;
  }));
  EXPECT_THAT(seen, ElementsAre(2));
  EXPECT_FALSE(reader->add({game(3)})) << "a reader writes nothing";
}

TEST(Archive, several_writers_take_turns) {
  const Scratch scratch;
  const std::string path = scratch.path("games.db");
  constexpr int each = 10;
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 4; ++writer) {
    writers.emplace_back([&path, writer] {
      for (int i = 0; i < each; ++i) {
        Archive archive = writable(path);
        const auto added = archive.add({game(writer * each + i)});
        EXPECT_TRUE(added) << added.error();
      }
    });
  }
  for (std::thread& writer : writers) {
    writer.join();
  }
  Archive archive = writable(path);
  EXPECT_EQ(ids(archive, {}).size(), 40U);
}

TEST(Archive, a_writer_that_finds_the_file_taken_gives_up_and_says_so) {
  const Scratch scratch;
  const std::string path = scratch.path("games.db");
  Archive waiting = writable(path);
  auto impatient = Archive::open(path, Archive::Access::write, base::Millis{1});
  ASSERT_TRUE(impatient);
  auto other = Database::open(path, Database::Access::write, base::Millis{1});
  ASSERT_TRUE(other);
  ASSERT_FALSE(other->run("BEGIN IMMEDIATE"));
  const auto added = impatient->add({game(1)});
  ASSERT_FALSE(added);
  EXPECT_THAT(added.error(), HasSubstr("locked"));
  ASSERT_FALSE(other->run("ROLLBACK"));
  EXPECT_EQ(*impatient->add({game(1)}), 1);
}

TEST(Archive, a_file_that_another_program_keeps_for_itself_is_waited_for_no_longer_than_was_said) {
  const Scratch scratch;
  const std::string path = scratch.path("games.db");
  auto other = Database::open(path, Database::Access::write, base::Millis{1});
  ASSERT_TRUE(other);
  ASSERT_FALSE(other->run("CREATE TABLE t(a); BEGIN EXCLUSIVE"));
  const auto began = std::chrono::steady_clock::now();
  const auto archive = Archive::open(path, Archive::Access::write, base::Millis{500});
  ASSERT_FALSE(archive);
  EXPECT_THAT(archive.error(), HasSubstr("locked"));
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds{20}) << "forty times as long";
}

/// An archive of one game, in tables as an earlier version made them.
void make_old(const std::string& path, const std::string& sql) {
  EXPECT_EQ(*writable(path).add({game(1)}), 1);
  auto database = Database::open(path, Database::Access::write, base::Millis{1000});
  ASSERT_TRUE(database);
  ASSERT_FALSE(database->run(sql));
}

// Version 1 knew sums over the turns, in which main time counted with each of them.
TEST(Archive, the_file_of_an_earlier_version_is_read_as_it_is_and_brought_up_to_date_when_written) {
  const Scratch scratch;
  const std::string path = scratch.path("games.db");
  make_old(path, "ALTER TABLE games DROP COLUMN granted_ms; ALTER TABLE games DROP COLUMN had_ms;"
                 "ALTER TABLE games DROP COLUMN members;"
                 "UPDATE games SET entitled_ms = 8, given_ms = 9; PRAGMA user_version = 1;");
  ArchivedGame expected = game(1).game;
  expected.id = 1;
  expected.time = TimeUse{0, 0, 10, 11, 12};
  expected.members.clear();

  auto reader = Archive::open(path, Archive::Access::read);
  ASSERT_TRUE(reader) << reader.error();
  EXPECT_THAT(*reader->list({}), ElementsAre(expected));
  EXPECT_EQ((*reader->find(1))->jsonl, game(1).jsonl);

  Archive archive = writable(path);
  EXPECT_EQ(*archive.add({game(2)}), 1);
  ArchivedGame added = game(2).game;
  added.id = 2;
  EXPECT_THAT(*archive.list({}), ElementsAre(added, expected));
}

TEST(Archive, a_file_that_knew_no_members_is_read_without_them) {
  const Scratch scratch;
  const std::string path = scratch.path("games.db");
  make_old(path, "ALTER TABLE games DROP COLUMN members; PRAGMA user_version = 2;");
  ArchivedGame expected = game(1).game;
  expected.id = 1;
  expected.members.clear();
  auto reader = Archive::open(path, Archive::Access::read);
  ASSERT_TRUE(reader) << reader.error();
  EXPECT_THAT(*reader->list({}), ElementsAre(expected));
  EXPECT_EQ((*reader->find(1))->jsonl, game(1).jsonl);
}

TEST(Archive, the_file_of_a_later_version_is_left_alone) {
  const Scratch scratch;
  const std::string path = scratch.path("games.db");
  static_cast<void>(writable(path));
  auto database = Database::open(path, Database::Access::write, base::Millis{1000});
  ASSERT_TRUE(database);
  ASSERT_FALSE(database->run("PRAGMA user_version = 99"));
  for (const auto access : {Archive::Access::write, Archive::Access::read}) {
    const auto archive = Archive::open(path, access);
    ASSERT_FALSE(archive);
    EXPECT_THAT(archive.error(), HasSubstr("later version"));
  }
}

TEST(Archive, what_is_no_archive_is_not_written_over) {
  const Scratch scratch;
  const std::string path = scratch.path("games.db");
  test::write_text(path, std::string(5000, 'x'));
  const auto archive = Archive::open(path, Archive::Access::write);
  ASSERT_FALSE(archive);
  EXPECT_THAT(archive.error(), HasSubstr(path));
  EXPECT_FALSE(Archive::open(scratch.path("none.db"), Archive::Access::read));
}

TEST(Archive, is_its_owners_only) {
  const Scratch scratch;
  const std::string path = scratch.path("games.db");
  const mode_t before = ::umask(0022);
  EXPECT_TRUE(writable(path).add({game(1)}));
  ::umask(before);
  namespace fs = std::filesystem;
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

// An archive is data: whoever had it in his hands.

TEST(Archive, what_somebody_wrote_into_its_tables_to_act_does_not) {
  const Scratch scratch;
  const std::string path = scratch.path("games.db");
  ASSERT_TRUE(writable(path).add({game(1)}));
  {
    auto database = Database::open(path, Database::Access::write, base::Millis{1'000});
    ASSERT_TRUE(database);
    ASSERT_EQ(database->run("CREATE TRIGGER falls AFTER INSERT ON games BEGIN DELETE FROM games; END;"), std::nullopt);
  }
  ASSERT_TRUE(writable(path).add({game(2)}));
  auto archive = writable(path);
  EXPECT_EQ(ids(archive, {}).size(), 2U);
}

TEST(Archive, others_lose_the_right_to_write_to_ours_and_anothers_is_refused) {
  const Scratch scratch;
  const std::string path = scratch.path("games.db");
  ASSERT_TRUE(writable(path).add({game(1)}));
  namespace fs = std::filesystem;
  fs::permissions(path, fs::perms::others_write, fs::perm_options::add);
  ASSERT_TRUE(Archive::open(path, Archive::Access::write));
  EXPECT_EQ(fs::status(path).permissions() & fs::perms::others_write, fs::perms::none);
  constexpr uid_t nobody = 65534;
  if (::lchown(path.c_str(), nobody, nobody) == 0) {
    EXPECT_FALSE(Archive::open(path, Archive::Access::write));
  } else {
    EXPECT_NE(::geteuid(), 0U) << "only root can give files away";
  }
}

}  // namespace
}  // namespace kakehashi::games::io
