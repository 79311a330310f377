// The table of keys, the page and the examples that are made from it.
// KAKEHASHI_REFRESH=1 writes the tables in docs/configuration.md, and config/floodgate.example.yaml, anew; read the change
// before it is committed.
#include "config/schema/keys.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "config/game_settings.hpp"
#include "config/io/load_files.hpp"
#include "config/reference/reference.hpp"
#include "config/yaml/write_yaml.hpp"
#include "tests/config/settings.hpp"
#include "tests/places.hpp"

namespace kakehashi::config {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using words::in;
using words::Language;

const std::filesystem::path top = test::source_dir();

std::string file_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void expect_up_to_date(const std::filesystem::path& path, const std::string& generated) {
  if (std::getenv("KAKEHASHI_REFRESH") != nullptr) {
    std::ofstream(path, std::ios::binary) << generated;
  }
  EXPECT_EQ(file_text(path), generated) << "run this test with KAKEHASHI_REFRESH=1";
}

/// The tables end the page; what stands before them is written by hand.
void expect_tables_up_to_date(const std::filesystem::path& path, const std::string& tables) {
  const std::string page = file_text(path);
  const std::size_t begin = page.find(tables.substr(0, tables.find('\n') + 1));
  ASSERT_NE(begin, std::string::npos);
  expect_up_to_date(path, page.substr(0, begin) + tables);
}

/// The settings that play on floodgate, and every other one as a comment with its default.
std::string floodgate_example() {
  BotConfig bot;
  bot.server.host = "wdoor.c.u-tokyo.ac.jp";
  bot.account.name = "mybot";
  bot.account.password_file = "/etc/kakehashi/mybot.password";
  bot.game.name = "floodgate-300-10F";
  bot.engine.command = {"/opt/engine/YaneuraOu"};
  bot.engine.options = {{"USI_Hash", "1024"}, {"Threads", "8"}, {"NetworkDelay2", "0"}};
  return write_yaml(bot,
                    "The six settings that do not stand behind a # are enough. The password file holds your trip: one line "
                    "with a secret word of your own choice, always the same, since name and trip together are the player "
                    "that floodgate rates. Make it private: chmod 600. `kakehashi check FILE` says whether all is well.\n"
                    "All other settings stand here as comments, each with its default. To change one, take its # away.\n"
                    "Durations carry a unit (500ms, 1.5s, 2min, 1h), sizes may (10MB, 10MiB), and yes and no are spelled "
                    "true and false. docs/configuration.md says what each setting accepts.",
                    Extent::all);
}

std::size_t keys_in(const std::string& section) {
  std::size_t count = 0;
  for (const Key& key : keys()) {
    count += key.section() == section ? 1U : 0U;
  }
  return count;
}

TEST(Keys, each_is_explained_in_whole_sentences) {
  std::set<std::string> paths;
  for (const Key& key : keys()) {
    EXPECT_TRUE(paths.insert(key.path).second) << key.path << " stands twice in the table";
    EXPECT_GT(key.meaning.english().size(), 10U) << key.path;
    EXPECT_THAT(key.meaning.english(), testing::EndsWith(".")) << key.path;
    EXPECT_FALSE(describe_default(key).empty()) << key.path;
    EXPECT_FALSE(describe_accepted(key).empty()) << key.path;
    EXPECT_EQ(find_key(key.path), &key);
  }
  EXPECT_EQ(find_key("server.prot"), nullptr);
}

TEST(Keys, each_stands_in_a_section_that_is_described) {
  std::set<std::string> known{""};
  for (const Section& section : sections()) {
    EXPECT_FALSE(section.meaning.empty());
    EXPECT_GT(keys_in(section.name), 0U) << section.name;
    known.insert(section.name);
  }
  for (const Key& key : keys()) {
    EXPECT_TRUE(known.contains(key.section())) << key.path;
  }
}

/// A struct that gains a member no longer fits its list of names here, and this does not compile:
/// the new member then needs a key, or a reason.
TEST(Keys, each_member_of_the_structs_has_one) {
  const BotConfig bot;
  [[maybe_unused]] const auto& [name, server, account, game, schedule, engine, ponder, time, records, book, archive, journal, stop, notify, log, rules] = bot;
  const auto is_below = [](const Section& section) { return section.name.find('.') != std::string::npos; };
  const auto below = std::count_if(sections().begin(), sections().end(), is_below);
  EXPECT_EQ(keys_in("") + sections().size(), 16U + static_cast<std::size_t>(below));
  [[maybe_unused]] const auto& [host, port, tls, websocket, proxy, proxy_password_file, connect_timeout, login_timeout, keepalive, tcp_keepalive, retry_max, relogin, after_game, logout, mode, challenge] = server;
  EXPECT_EQ(keys_in("server"), 16U);
  [[maybe_unused]] const auto& [ca_file, certificate_file, key_file, fingerprint, server_name] = static_cast<const csa::TlsSettings&>(tls);
  EXPECT_EQ(keys_in("server.tls"), 5U) << "all but the switch, which is server.tls";
  [[maybe_unused]] const auto& [path, origin] = static_cast<const csa::WebSocketSettings&>(websocket);
  EXPECT_EQ(keys_in("server.websocket"), 2U) << "all but the switch, which is server.websocket";
  [[maybe_unused]] const auto& [account_name, password, file, env, credential] = account;
  EXPECT_EQ(keys_in("account"), 4U) << "all but the password itself";
  [[maybe_unused]] const auto& [game_name, count, comments, declare, resign, own_accounts, meet_own] = game;
  EXPECT_EQ(keys_in("game"), 7U);
  [[maybe_unused]] const auto& [windows, time_zone, early, offsets] = schedule;
  EXPECT_EQ(keys_in("schedule"), 3U) << "all but the offsets, which are the machine's";
  [[maybe_unused]] const auto& [command, engine_host, engine_keep, protocol, directory, environment, pass_environment, options, start, ready, silence_max, quit, restart_each_game, clock, on_failure, standby, team, team_play, limits] = engine;
  [[maybe_unused]] const auto& [memory, address_space, open_files, core_dumps, nice, cpus] = limits;
  EXPECT_EQ(keys_in("engine.limits"), 6U);
  EXPECT_EQ(keys_in("engine"), 18U);
  [[maybe_unused]] const auto& [has_standby, member_name, standby_command, member_host, standby_protocol, standby_directory, standby_environment, standby_options, member_cpus, member_weight] = standby;
  EXPECT_EQ(keys_in("engine.standby"), 5U) << "all but the switch, which is engine.standby, and what is a member's alone";
  EXPECT_EQ(item_keys(*find_key("engine.team")).size(), 9U) << "all but the switch";
  const Notify recipient;
  [[maybe_unused]] const auto& [url_file, recipient_command, as, events] = recipient;
  EXPECT_EQ(item_keys(*find_key("notify")).size(), 4U);
  [[maybe_unused]] const auto& [margin, margin_min, margin_max, round_up, untimed_move] = time;
  EXPECT_EQ(keys_in("time"), 5U);
  [[maybe_unused]] const auto& [book_file, on_the_fly, rule, temperature] = book;
  EXPECT_EQ(keys_in("book"), 4U);
  [[maybe_unused]] const auto& [enabled, record_directory, record_name, formats, record_comments, newline, times, utc_offset] = records;
  EXPECT_EQ(keys_in("records"), 7U) << "all but the zone, which is the machine's";
  [[maybe_unused]] const auto& [is_archived, archive_file] = archive;
  EXPECT_EQ(keys_in("archive"), 2U);
  [[maybe_unused]] const auto& [keeps_journal, journal_directory, keep, bytes_max] = journal;
  EXPECT_EQ(keys_in("journal"), 4U);
  [[maybe_unused]] const auto& [drain_limit] = stop;
  EXPECT_EQ(keys_in("stop"), 1U);
  [[maybe_unused]] const auto& [level, log_format, language, log_file, rotate_bytes, rotate_keep] = log;
  EXPECT_EQ(keys_in("log"), 6U);
}

TEST(Keys, each_default_that_is_shown_is_accepted_and_changes_nothing) {
  for (const Key& key : keys()) {
    const auto fallback = default_of(key);
    if (!fallback) {
      continue;
    }
    const Loaded loaded = load(Lines{"server.port: 4081", key.path + ": " + *fallback});
    EXPECT_THAT(described(loaded.problems), IsEmpty()) << key.path;
    for (const Key& other : keys()) {
      if (const auto* number = std::get_if<NumberKey>(&other.shape)) {
        EXPECT_EQ(number->get(loaded.bots[0]), number->get(BotConfig())) << other.path;
      }
    }
  }
}

TEST(Keys, defaults_lie_within_their_ranges) {
  BotConfig bot;
  for (const Key& key : keys()) {
    if (const auto* number = std::get_if<NumberKey>(&key.shape)) {
      const auto value = number->get(bot);
      const bool is_no_limit = value == 0 && number->unit == NumberKey::Unit::bytes;
      EXPECT_TRUE(!value || is_no_limit || (*value >= number->min && *value <= number->max)) << key.path;
    }
  }
}

TEST(Reference, names_every_key) {
  const std::string page = reference(Language::english);
  const std::string example = floodgate_example();
  for (const Key& key : keys()) {
    EXPECT_THAT(page, HasSubstr("| `" + key.path + "` |"));
    EXPECT_THAT(example, HasSubstr(key.leaf())) << key.path;
  }
}

TEST(Reference, the_page_in_docs_is_up_to_date) {
  expect_tables_up_to_date(top / "docs" / "configuration.md", reference(Language::english));
}

TEST(JapaneseReference, the_page_in_docs_is_up_to_date) {
  expect_tables_up_to_date(top / "docs" / "configuration.ja.md", reference(Language::japanese));
}

TEST(JapaneseReference, says_what_is_accepted_without_english_words_between) {
  for (const Key& key : keys()) {
    const std::string accepted = in(Language::japanese, describe_accepted(key));
    for (const char* word : {" to ", " or ", " of ", " in ", "at most", "texts"}) {
      EXPECT_EQ(accepted.find(word), std::string::npos) << key.path << ": " << accepted;
    }
  }
}

TEST(JapaneseReference, has_a_text_for_every_key_section_and_condition) {
  constexpr Language japanese = Language::japanese;
  for (const Key& key : keys()) {
    EXPECT_THAT(in(japanese, key.meaning), testing::EndsWith("。")) << key.path;
    EXPECT_NE(in(japanese, describe_level(key)), describe_level(key).english()) << key.path;
    if (key.is_required || !key.when_absent.empty()) {
      const std::string fallback = describe_default(key).english();
      const bool is_name = fallback.find_first_of(" ") == std::string::npos && fallback.find('.') != std::string::npos;
      EXPECT_TRUE(is_name || in(japanese, describe_default(key)) != fallback) << key.path << ": " << fallback;
    }
  }
  for (const Section& section : sections()) {
    EXPECT_NE(in(japanese, section.meaning), section.meaning.english()) << section.name;
  }
  for (const AspectText& aspect : aspect_texts()) {
    EXPECT_NE(in(japanese, aspect.meaning), aspect.meaning.english()) << aspect.path;
  }
}

TEST(Levels, the_basic_settings_are_few_and_hold_all_that_a_first_game_needs) {
  const auto basic = std::count_if(keys().begin(), keys().end(),
                                   [](const Key& key) { return key.level == Level::basic; });
  EXPECT_GE(basic, 10);
  EXPECT_LE(basic, 15);
  for (const char* path : {"server.host", "account.name", "account.password_file", "game.name", "engine.command"}) {
    EXPECT_EQ(find_key(path)->level, Level::basic) << path;
  }
}

TEST(Examples, the_floodgate_example_is_up_to_date) {
  expect_up_to_date(top / "config" / "floodgate.example.yaml", floodgate_example());
}

TEST(Examples, every_one_is_accepted_without_a_warning) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(top / "config")) {
    const std::string path = entry.path().string();
    if (!path.ends_with(".example.yaml")) {
      continue;
    }
    ++count;
    const Loaded loaded = config::io::load_files({path}, config::io::Passwords::leave);
    EXPECT_THAT(described(loaded.problems), IsEmpty());
    EXPECT_THAT(described(loaded.warnings), IsEmpty());
  }
  EXPECT_EQ(count, 3);
}

TEST(Examples, yaml_in_the_reference_is_accepted) {
  const std::string page = file_text(top / "docs" / "configuration.md");
  const std::string fence = "```yaml\n";
  const std::size_t begin = page.find(fence) + fence.size();
  const Loaded loaded = load_text(page.substr(begin, page.find("```", begin) - begin));
  EXPECT_THAT(described(loaded.problems), IsEmpty());
}

}  // namespace
}  // namespace kakehashi::config
