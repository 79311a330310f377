#include "config/secrets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "config/io/load_files.hpp"
#include "config/io/read_secret.hpp"
#include "tests/config/settings.hpp"

namespace kakehashi::config {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Password, one_newline_at_the_end_is_dropped) {
  for (const char* text : {"hunter2", "hunter2\n", "hunter2\r\n"}) {
    EXPECT_EQ(read_password(text)->reveal(), "hunter2");
  }
  EXPECT_EQ(read_password("trip,with~!commas")->reveal(), "trip,with~!commas");
  EXPECT_EQ(read_password(std::string(1024, 'x') + "\n")->reveal().size(), 1024U);
}

TEST(Password, what_no_login_line_can_carry_is_refused_without_repeating_it) {
  EXPECT_EQ(read_password("").error().what, "is empty; it must hold the password (the trip), one line");
  EXPECT_EQ(read_password("\n").error().what, "is empty; it must hold the password (the trip), one line");
  EXPECT_EQ(read_password("a\nb\n").error().what,
            "has more than one line; it must hold the trip or password and nothing else");
  EXPECT_EQ(read_password("a\n\n").error().what,
            "has more than one line; it must hold the trip or password and nothing else");
  EXPECT_EQ(read_password("a b").error().what, "holds a space, where servers end a password");
  EXPECT_EQ(read_password("a\tb").error().what, "holds a control character");
  EXPECT_EQ(read_password("秘密").error().what,
            "holds a character outside ASCII, which servers do not take");
  EXPECT_EQ(read_password(std::string(1025, 'x')).error().what, "has more than 1024 bytes");
}

TEST(Password, a_game_name_in_front_of_the_trip_is_noticed) {
  const std::string complaint =
      "begins with the game's name and a comma, which are sent anyway (game.name); it must hold the "
      "trip alone";
  EXPECT_EQ(judge_password_with_game(base::Secret("floodgate-300-10F,x"), "floodgate-300-10F"),
            complaint);
  EXPECT_EQ(judge_password_with_game(base::Secret("floodgate-300-10F,x"), ""), std::nullopt);
  EXPECT_EQ(judge_password_with_game(base::Secret("x"), "floodgate-300-10F"), std::nullopt);
}

TEST(Password, a_trip_that_ends_like_a_game_name_would_become_one) {
  const auto judged = [](const char* trip) {
    return judge_password_with_game(base::Secret(trip), "floodgate-300-10F").has_value();
  };
  for (const char* trip : {"secret-2024-11", "-1-2", "a,b-300-10F", "x-60-0-B"}) {
    EXPECT_TRUE(judged(trip)) << trip;
    EXPECT_EQ(judge_password_with_game(base::Secret(trip), ""), std::nullopt);
  }
  for (const char* trip : {"secret-2024", "1-2", "secret-2024-11x", "a,b,c", "2024-11-"}) {
    EXPECT_FALSE(judged(trip)) << trip;
  }
}

TEST(FirstLine, is_the_secret_without_the_spaces_around_it) {
  for (const char* text : {"open sesame", "open sesame\n", " open sesame \r\nmade in May\n\x01"}) {
    EXPECT_EQ(read_first_line(text)->reveal(), "open sesame");
  }
  EXPECT_EQ(read_first_line(std::string(4096, 'x') + "\nmore")->reveal().size(), 4096U);
}

TEST(FirstLine, without_a_word_is_refused) {
  for (const char* text : {"", "\n", " \r\nopen-sesame\n"}) {
    EXPECT_EQ(read_first_line(text).error().what, "has nothing in its first line");
  }
  EXPECT_EQ(read_first_line("open\x01sesame\n").error().what, "holds a control character in its first line");
  EXPECT_EQ(read_first_line(std::string(4097, 'x')).error().what, "has more than 4096 bytes in its first line");
}

/// A directory of files, gone with the test; and a variable of the environment, put back.
class SecretSources : public ::testing::Test {
 protected:
  SecretSources() {
    std::string name = (std::filesystem::temp_directory_path() / "kakehashi-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  ~SecretSources() override {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
    ::unsetenv("KAKEHASHI_TEST_TRIP");
    ::unsetenv("CREDENTIALS_DIRECTORY");
  }

  std::string file(const std::string& name, const std::string& text, mode_t mode = 0600) {
    const std::string path = (directory_ / name).string();
    std::ofstream(path, std::ios::binary) << text;
    ::chmod(path.c_str(), mode);
    return path;
  }

  std::filesystem::path directory_;
};

TEST_F(SecretSources, a_private_file_is_read) {
  Account account;
  account.password_file = file("trip", "hunter2\n");

  const auto read = config::io::read_secret(account);

  EXPECT_EQ(read.problem, "");
  EXPECT_EQ(read.warning, "");
  EXPECT_EQ(read.secret.reveal(), "hunter2");
}

TEST_F(SecretSources, a_file_that_its_group_can_read_is_used_with_a_warning) {
  Account account;
  account.password_file = file("trip", "hunter2\n", 0640);

  const auto read = config::io::read_secret(account);

  EXPECT_EQ(read.secret.reveal(), "hunter2");
  EXPECT_EQ(read.warning,
            "\"" + account.password_file + "\" can be read by its group; make it private with chmod 600");
}

TEST_F(SecretSources, a_file_that_everyone_can_read_is_refused) {
  for (const mode_t mode : {mode_t{0604}, mode_t{0644}, mode_t{0666}}) {
    Account account;
    account.password_file = file("trip", "hunter2\n", mode);

    const auto read = config::io::read_secret(account);

    EXPECT_TRUE(read.secret.empty());
    EXPECT_EQ(read.problem, "\"" + account.password_file +
                                "\" can be read by everyone on this machine, so it is no secret; make "
                                "it private with chmod 600");
  }
}

TEST_F(SecretSources, a_file_that_cannot_be_used_is_explained) {
  const auto problem_of = [](const std::string& path) {
    Account account;
    account.password_file = path;
    const auto read = config::io::read_secret(account);
    EXPECT_TRUE(read.secret.empty());
    EXPECT_EQ(read.key, "account.password_file");
    return read.problem;
  };
  const std::string absent = (directory_ / "absent").string();
  EXPECT_EQ(problem_of(absent), "\"" + absent + "\" cannot be opened: No such file or directory; write the password (the trip) into it, "
                                "one line, and chmod 600");
  EXPECT_EQ(problem_of(directory_.string()),
            "\"" + directory_.string() + "\" is a directory, not a file");
  const std::string empty = file("empty", "");
  EXPECT_EQ(problem_of(empty), "\"" + empty + "\" is empty; it must hold the password (the trip), one line");
  const std::string large = file("large", std::string(5000, 'x'));
  EXPECT_EQ(problem_of(large), "\"" + large + "\" has more than 1024 bytes");
  const std::string pipe = (directory_ / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(problem_of(pipe), "\"" + pipe + "\" is not a regular file");
}

TEST_F(SecretSources, a_token_is_judged_as_passwords_are_but_shared_with_its_group) {
  for (const mode_t mode : {mode_t{0600}, mode_t{0640}}) {
    const auto read = config::io::read_token_secret(file("token", "open-sesame\nmade in May\n", mode));
    EXPECT_EQ(read.secret.reveal(), "open-sesame");
    EXPECT_EQ(read.warning, "");
  }
  const std::string open = file("token", "open-sesame\n", 0644);
  EXPECT_EQ(config::io::read_token_secret(open).problem,
            "\"" + open + "\" can be read by everyone on this machine, so it is no secret; make it "
                         "private with chmod 600");
  EXPECT_TRUE(config::io::read_token_secret(open).secret.empty());
  const std::string empty = file("empty", "\n");
  EXPECT_EQ(config::io::read_token_secret(empty).problem,
            "\"" + empty + "\" has nothing in its first line; write a word of your own there");
  const std::string absent = (directory_ / "absent").string();
  EXPECT_EQ(config::io::read_token_secret(absent).problem,
            "\"" + absent + "\" cannot be opened: No such file or directory; write a word of your own "
                           "into it, one line, and chmod 600");
}

TEST_F(SecretSources, a_webhook_whose_address_everyone_can_read_is_told_at_the_start) {
  const std::string url = file("hook.url", "https://example.org/s3cret\n", 0644);
  const std::string path = file("bot.yaml", yaml_of({"notify: [{url_file: " + url + "}]"}));

  EXPECT_THAT(described(config::io::load_files({path}, config::io::Passwords::read).warnings),
              ElementsAre(path + ":1:11: notify[1].url_file: \"" + url +
                          "\" can be read by everyone on this machine, so it is no secret; make it "
                          "private with chmod 600"));
  file("hook.url", "https://example.org/s3cret\n");
  EXPECT_THAT(described(config::io::load_files({path}, config::io::Passwords::read).warnings), IsEmpty());
}

TEST_F(SecretSources, an_environment_variable_is_read) {
  Account account;
  account.password_env = "KAKEHASHI_TEST_TRIP";
  EXPECT_EQ(config::io::read_secret(account).problem,
            "the environment variable KAKEHASHI_TEST_TRIP is not set");

  ::setenv("KAKEHASHI_TEST_TRIP", "", 1);
  EXPECT_EQ(config::io::read_secret(account).problem,
            "the environment variable KAKEHASHI_TEST_TRIP is empty; it must hold the password (the trip), one line");

  ::setenv("KAKEHASHI_TEST_TRIP", "hunter2", 1);
  EXPECT_EQ(config::io::read_secret(account).problem, "");
  EXPECT_EQ(config::io::read_secret(account).secret.reveal(), "hunter2");
}

TEST_F(SecretSources, a_systemd_credential_is_read) {
  Account account;
  account.password_credential = "password";
  ::unsetenv("CREDENTIALS_DIRECTORY");
  EXPECT_EQ(config::io::read_secret(account).problem,
            "there are no credentials here: systemd hands them to a service whose unit says "
            "LoadCredential=password:/path/to/file; elsewhere use account.password_file");

  ::setenv("CREDENTIALS_DIRECTORY", directory_.c_str(), 1);
  EXPECT_EQ(config::io::read_secret(account).problem,
            "the credential \"password\" (LoadCredential=) cannot be opened: No such file or "
            "directory");

  file("password", "hunter2\n", 0644);
  EXPECT_EQ(config::io::read_secret(account).secret.reveal(), "hunter2");
  EXPECT_EQ(config::io::read_secret(account).warning, "") << "systemd alone decides who can read it";
}

TEST_F(SecretSources, an_account_without_a_source_has_no_password) {
  const auto read = config::io::read_secret(Account());
  EXPECT_TRUE(read.secret.empty());
  EXPECT_EQ(read.problem, "");
}

TEST_F(SecretSources, files_are_loaded_with_their_passwords) {
  ::setenv("KAKEHASHI_TEST_TRIP", "hunter2", 1);
  const std::string path =
      file("bot.yaml", yaml_of({"account.password_env: KAKEHASHI_TEST_TRIP"}), 0644);

  const Loaded with = config::io::load_files({path}, config::io::Passwords::read);
  EXPECT_THAT(described(with.problems), IsEmpty());
  EXPECT_EQ(with.bots.at(0).account.password.reveal(), "hunter2");

  const Loaded without = config::io::load_files({path}, config::io::Passwords::leave);
  EXPECT_TRUE(without.bots.at(0).account.password.empty());
}

TEST_F(SecretSources, a_missing_password_is_a_problem_at_its_key) {
  const std::string path =
      file("bot.yaml", yaml_of({"account.password_env: KAKEHASHI_TEST_TRIP", "ponder: 1"}));

  EXPECT_THAT(described(config::io::load_files({path}, config::io::Passwords::read).problems),
              ElementsAre(path + ":1:9: ponder: must be off, on or early, not \"1\"",
                          path + ":4:3: account.password_env: the environment variable "
                                 "KAKEHASHI_TEST_TRIP is not set"));
  EXPECT_THAT(described(config::io::load_files({path}, config::io::Passwords::leave).problems).size(), 1U);
}

TEST_F(SecretSources, a_configuration_that_cannot_be_read_is_told_beside_the_others) {
  const std::string path = file("bot.yaml", "ponder: [\n");
  const std::string absent = (directory_ / "absent.yaml").string();

  EXPECT_THAT(described(config::io::load_files({absent, path}, config::io::Passwords::leave).problems),
              ElementsAre(absent + ": cannot be opened: No such file or directory; 'kakehashi init' makes a configuration",
                          path + ":2:1: not valid YAML: end of sequence flow not found"));
}

TEST_F(SecretSources, arguments_in_one_text_are_noticed) {
  const std::string path = file("bot.yaml", yaml_of({"engine.command: /opt/engine --threads 4"}));

  EXPECT_THAT(described(config::io::load_files({path}, config::io::Passwords::leave).warnings),
              ElementsAre(path + ":5:3: engine.command: there is no program \"/opt/engine --threads "
                                 "4\"; one text is one path, spaces included: write [program, "
                                 "argument, …] to give arguments"));
}

}  // namespace
}  // namespace kakehashi::config
