// Every key that ShogiHome's usi-csa-bridge reads: what it becomes here, by a table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "config/import/shogihome.hpp"
#include "config/schema/plain_settings.hpp"
#include "tests/config/settings.hpp"

namespace kakehashi::config {
namespace {

using ::testing::IsEmpty;

constexpr const char* least =
    "usi: {path: /opt/engine, options: {USI_Ponder: {type: check, value: true}}}\n"
    "server: {protocolVersion: v121, host: 127.0.0.1, port: 4081, id: mybot, password: himitsu}\n"
    "enableComment: true\n";

struct Row {
  const char* theirs;
  const char* value;
  const char* ours;    ///< "key=value", several values with commas; empty: it has no counterpart
};

// Where several of their values mean different things, each has its row.
constexpr Row rows[] = {
    {"usi.name", "any", ""},  // a name for their windows
    {"usi.path", "/opt/other", "engine.command=/opt/other"},
    {"usi.enableEarlyPonder", "true", "ponder=early"},
    {"usi.enableEarlyPonder", "false", "ponder=on"},
    {"usi.extraBook.enabled", "false", ""},
    {"usi.extraBook.filePath", "book/o.db", "book.file="},  // none while it is not enabled
    {"usi.extraBook.onTheFly", "true", "book.on_the_fly=true"},
    {"usi.extraBook.moveSelectionRule", "best", "book.rule=best"},
    {"usi.extraBook.moveSelectionRule", "weightedByCount", "book.rule=by_count"},
    {"usi.extraBook.moveSelectionRule", "weightedByScore", "book.rule=by_score"},
    {"usi.extraBook.scoreTemperature", "50", "book.temperature=50"},
    {"server.protocolVersion", "v121", "server.logout=always"},
    {"server.protocolVersion", "v121_floodgate", "server.logout=never"},
    {"server.host", "csa.example", "server.host=csa.example"},
    {"server.port", "80", "server.port=80"},
    {"server.id", "other", "account.name=other"},
    {"server.password", "\"floodgate-300-10F,x\"", "game.name=floodgate-300-10F"},
    {"server.tcpKeepalive.initialDelay", "10", "server.tcp_keepalive=10000"},
    {"server.tcpKeepalive.initialDelay", "86400", "server.tcp_keepalive=3600000"},
    {"server.blankLinePing.initialDelay", "45", "server.keepalive=45000"},
    {"server.blankLinePing.interval", "35", "server.keepalive=35000"},
    {"repeat", "3", "game.count=3"},
    {"autoRelogin", "true", "server.relogin=true"},
    {"autoRelogin", "false", "server.relogin=false"},
    {"restartPlayerEveryGame", "true", "engine.restart_each_game=true"},
    {"saveRecordFile", "true", "records.enabled=true"},
    {"saveRecordFile", "false", "records.enabled=false"},
    {"enableComment", "true", "records.comments=shogihome"},
    {"enableComment", "false", "records.comments=none"},
    {"searchCommentFormat", "shogihome", "records.comments=shogihome"},
    {"searchCommentFormat", "floodgate", "records.comments=floodgate"},
    {"searchCommentFormat", "csa3", "records.comments=csa3"},
    {"searchCommentFormat", "shogigui", "records.comments=shogigui"},
    {"recordFileNameTemplate", "\"{datetime}{_title}{_sente}{_gote}{_ply}{_hex5}\"",
     "records.name={datetime}{_title}{_sente}{_gote}{_ply}{_hex5}"},
    {"recordFileNameTemplate", "\"{title_}{sente_}{gote_}{ply_}{datetime_}{hex5}\"",
     "records.name={title_}{sente_}{gote_}{ply_}{datetime_}{hex5}"},
    {"recordFileFormat", ".kif", "records.formats=kif"},
    {"recordFileFormat", ".kifu", "records.formats=kifu"},
    {"recordFileFormat", ".ki2", "records.formats=ki2"},
    {"recordFileFormat", ".ki2u", "records.formats=ki2u"},
    {"recordFileFormat", ".csa", "records.formats=csa"},
    {"recordFileFormat", ".jkf", "records.formats=jkf"},
};

/// The value of one of our keys, "a,b" of a list.
std::string value_of(const BotConfig& bot, const std::string& key) {
  std::string value;
  for (const PlainSetting& setting : plain_settings(bot)) {
    if (setting.key == key) {
      for (const std::string& one : setting.values) {
        value += (value.empty() ? "" : ",") + one;
      }
    }
  }
  return value;
}

class ShogiHomeKey : public testing::TestWithParam<Row> {};

TEST_P(ShogiHomeKey, becomes_a_setting_or_is_said_to_have_none) {
  const Row& row = GetParam();
  std::string value = row.value;
  value.erase(std::remove(value.begin(), value.end(), '"'), value.end());
  const auto made = import_shogihome({"sh.yaml", least}, {{row.theirs, row.theirs, value}});
  EXPECT_THAT(texts(made.problems), IsEmpty());
  EXPECT_THAT(texts(made.warnings), IsEmpty());

  const auto carried =
      std::find_if(made.carried.begin(), made.carried.end(),
                   [&](const Carried& one) { return one.theirs == row.theirs; });
  ASSERT_NE(carried, made.carried.end()) << "what became of it must be told";
  const std::string ours = row.ours;
  if (ours.empty()) {
    EXPECT_EQ(carried->ours, "");
    EXPECT_NE(carried->remark, "") << "a reason must be given";
    return;
  }
  const std::string key = ours.substr(0, ours.find('='));
  EXPECT_NE(carried->ours.find(key), std::string::npos) << carried->ours;
  EXPECT_EQ(value_of(made.bot, key), ours.substr(ours.find('=') + 1));
}

INSTANTIATE_TEST_SUITE_P(Table, ShogiHomeKey, testing::ValuesIn(rows));

TEST(ShogiHomeKeys, records_are_kif_with_no_comments_unless_they_say_otherwise) {
  const auto made = import_shogihome(
      {"sh.yaml", "usi: {path: /opt/engine}\n"
                  "server: {protocolVersion: v121, host: a, port: 1, id: b, password: c}\n"},
      {});
  EXPECT_EQ(value_of(made.bot, "records.formats"), "kif");
  EXPECT_EQ(value_of(made.bot, "records.comments"), "none");
}

}  // namespace
}  // namespace kakehashi::config
