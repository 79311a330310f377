// Questions about the archives of running bots: whatever an archive holds, the process that asks it plays on.
#include "watch/io/archive_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "games/io/archive.hpp"
#include "tests/system/bots.hpp"
#include "tests/system/loop.hpp"

namespace kakehashi::watch::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ArchiveReaderTest : public testing::Test {
 protected:
  ArchiveReaderTest() {
    config = test::bot(scratch, "mybot", {});
    config.archive.file = scratch.path("games.db");
  }

  HttpAnswer ask(ArchiveReader& reader, const std::string& target) {
    std::optional<HttpAnswer> answer;
    reader.ask(target, {config}, [&](HttpAnswer given) { answer = std::move(given); });
    EXPECT_TRUE(test::run_until(context, [&] { return answer.has_value(); }));
    return answer.value_or(HttpAnswer{});
  }

  ArchiveReader::Tell tell() {
    return [this](const bridge::Note& note) { told.push_back(note.code + ": " + note.text.english()); };
  }

  test::Scratch scratch;
  config::BotConfig config;
  boost::asio::io_context context;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> open{context.get_executor()};
  std::vector<std::string> told;
};

TEST_F(ArchiveReaderTest, a_game_whose_record_is_empty_is_told_as_unreadable) {
  auto archive = games::io::Archive::open(config.archive.file, games::io::Archive::Access::write);
  ASSERT_TRUE(archive) << archive.error();
  games::ArchivedRecord game;
  game.game.bot = "mybot";
  ASSERT_TRUE(archive->add({game}));
  ArchiveReader reader(context, tell());
  const auto answer = ask(reader, "/api/v1/games/1");
  EXPECT_EQ(answer.status, 500);
  EXPECT_THAT(answer.body, HasSubstr("the record of game 1 cannot be read: it is empty"));
  EXPECT_EQ(ask(reader, "/api/v1/games/2").status, 404);
  EXPECT_THAT(told, IsEmpty());
}

TEST_F(ArchiveReaderTest, what_is_thrown_while_an_archive_is_read_is_told_and_ends_nothing) {
  ArchiveReader reader(context, tell(), [](const std::string&, const GamesRequest&) -> HttpAnswer {
    throw std::runtime_error("out of memory");
  });
  const auto answer = ask(reader, "/api/v1/games");
  EXPECT_EQ(answer.status, 500);
  EXPECT_THAT(answer.body, HasSubstr("out of memory"));
  EXPECT_THAT(told, ElementsAre(HasSubstr("archive_unreadable: ")));
}

}  // namespace
}  // namespace kakehashi::watch::io
