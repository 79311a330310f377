// Finished games as a site of plain files.
#include "games/site.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "shogi/notation/csa.hpp"

namespace kakehashi::games {
namespace {

using testing::HasSubstr;
using testing::Not;

ArchivedGame game(std::int64_t id, const std::string& opponent) {
  ArchivedGame game;
  game.id = id;
  game.bot = "mybot";
  game.server = "10.0.0.5:4081";
  game.game_id = "g" + std::to_string(id);
  game.us = "us";
  game.opponent = opponent;
  game.started_ms = 1'767'323'045'000;
  game.ended_ms = game.started_ms + 60'000;
  game.outcome = "win";
  game.reason = "#RESIGN";
  game.plies = 1;
  game.rescue_causes = "move 1: secret cause";
  game.record_path = "/home/me/records/1.csa";
  return game;
}

shogi::record::Record record() {
  shogi::record::Record record;
  record.black_name = "us";
  record.white_name = "foe";
  record.moves.push_back({*shogi::csa::parse_move(record.start, "+7776FU"), base::Millis{1'000}, {}, {}});
  return record;
}

const SiteOptions options{"My <games>", "https://example.org/shogi/"};
constexpr const char* page = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n</head>\n<body>\n</body></html>";

std::string file(const std::vector<SiteFile>& files, const std::string& path) {
  for (const SiteFile& one : files) {
    if (one.path == path) {
      return one.text;
    }
  }
  return "";
}

TEST(Site, a_game_is_there_for_the_viewer_and_as_records) {
  const auto files = site_game(game(1, "foe"), record());
  const std::string path = "games/" + site_name(game(1, "foe"));
  ASSERT_EQ(files.size(), 4U);
  EXPECT_EQ(boost::json::parse(file(files, path + ".json")).at("moves").at(0).at("japanese").as_string(), "▲７六歩");
  EXPECT_THAT(file(files, path + ".kifu"), HasSubstr("７六歩(77)"));
  EXPECT_THAT(file(files, path + ".ki2u"), HasSubstr("▲７六歩"));
  EXPECT_THAT(file(files, path + ".csa"), HasSubstr("+7776FU"));
}

TEST(Site, nothing_of_this_machine_is_published) {
  std::string all = file(site_game(game(1, "foe"), record()), "games/" + site_name(game(1, "foe")) + ".json");
  for (const SiteFile& one : site_index({game(1, "foe")}, options, page)) {
    all += one.text;
  }
  for (const char* own : {"10.0.0.5", "/home/me", "secret cause", "rescues"}) {
    EXPECT_THAT(all, Not(HasSubstr(own)));
  }
}

TEST(Site, names_of_opponents_are_texts_in_every_file) {
  const auto files = site_index({game(1, "<script>&\"\x01")}, options, page);
  EXPECT_THAT(file(files, "list.html"), HasSubstr("&lt;script&gt;&amp;&quot;\xEF\xBF\xBD"));
  EXPECT_THAT(file(files, "feed.xml"), HasSubstr("☖&lt;script&gt;&amp;&quot;\xEF\xBF\xBD"));
  EXPECT_THAT(file(files, "index.html"), HasSubstr("<html lang=\"en\" data-site=\"My &lt;games&gt;\">"));
  EXPECT_EQ(boost::json::parse(file(files, "games.json")).at("games").at(0).at("opponent").as_string(), "<script>&\"\x01");
}

TEST(Site, feeds_name_the_address_of_each_game) {
  const auto files = site_index({game(2, "foe"), game(1, "foe")}, options, page);
  const std::string link = "https://example.org/shogi/index.html#game=" + site_name(game(2, "foe"));
  EXPECT_THAT(file(files, "feed.xml"), HasSubstr("<link href=\"" + link + "\"/>"));
  EXPECT_THAT(file(files, "feed.xml"), HasSubstr("<updated>2026-01-02T03:05:05Z</updated>"));
}

TEST(Site, games_are_listed_by_date_and_by_opponent) {
  const std::string list = file(site_index({game(2, "zen"), game(1, "foe")}, options, page), "list.html");
  EXPECT_THAT(list, HasSubstr("<h3>2026-01-02</h3>"));
  EXPECT_LT(list.find("<h3>foe</h3>"), list.find("<h3>zen</h3>"));
}

TEST(Site, another_archive_that_counts_from_one_has_other_names) {
  ArchivedGame other = game(1, "foe");
  other.game_id = "another";
  EXPECT_NE(site_name(game(1, "foe")), site_name(other));
  EXPECT_EQ(site_name(game(1, "foe")), site_name(game(1, "foe")));
}

}  // namespace
}  // namespace kakehashi::games
