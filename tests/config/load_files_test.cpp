// Which files are read when a directory is named.
#include "config/io/load_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace kakehashi::config {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class Directory {
 public:
  Directory() {
    std::string name = (fs::temp_directory_path() / "kakehashi-config-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Directory() { fs::remove_all(path_); }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  void write(const std::string& name, const std::string& account) const {
    std::ofstream(path_ / name) << "server: {host: localhost}\naccount: {name: " << account
                                << "}\ngame: {name: test-60-10}\nengine: {command: [/bin/true]}\n";
  }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

TEST(LoadFiles, a_directory_stands_for_the_configurations_in_it_by_name) {
  const Directory directory;
  directory.write("b.yaml", "second");
  directory.write("a.yaml", "first");
  directory.write("floodgate.example.yaml", "example");
  directory.write(".hidden.yaml", "hidden");
  directory.write("notes.txt", "notes");
  const Loaded loaded = config::io::load_files({directory.path()}, config::io::Passwords::leave);
  EXPECT_TRUE(loaded.problems.empty());
  std::vector<std::string> names;
  for (const BotConfig& bot : loaded.bots) {
    names.push_back(bot.account.name);
  }
  EXPECT_THAT(names, ElementsAre("first", "second"));
}

TEST(LoadFiles, a_directory_without_a_configuration_is_a_problem) {
  const Directory directory;
  const Loaded loaded = config::io::load_files({directory.path()}, config::io::Passwords::leave);
  ASSERT_EQ(loaded.problems.size(), 1U);
  EXPECT_THAT(loaded.problems.front().text, HasSubstr(".yaml"));
}

TEST(LoadFiles, a_private_key_that_others_can_read_is_warned_of) {
  const Directory directory;
  const std::string key = directory.path() + "/bot.key";
  std::ofstream(key) << "key";
  std::ofstream(directory.path() + "/a.yaml")
      << "server: {host: localhost, tls: {certificate_file: c, key_file: " << key
      << "}}\naccount: {name: a, password_env: HOME}\nengine: {command: [/bin/true]}\n";
  const auto warnings = [&](fs::perms mode) {
    fs::permissions(key, mode);
    std::vector<std::string> texts;
    for (const auto& warning : config::io::load_files({directory.path()}, config::io::Passwords::read).warnings) {
      texts.push_back(warning.key + ": " + warning.text.english());
    }
    return texts;
  };
  using fs::perms;
  EXPECT_THAT(warnings(perms::owner_read | perms::group_read),
              ElementsAre("server.tls.key_file: other users can read this key; make it private with "
                          "chmod 600"));
  EXPECT_THAT(warnings(perms::owner_read), ElementsAre());
}

}  // namespace
}  // namespace kakehashi::config
