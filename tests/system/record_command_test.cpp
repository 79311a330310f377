// `kakehashi record` with real files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>
#include <vector>

#include "base/text.hpp"
#include "cli/command_line.hpp"
#include "tests/places.hpp"
#include "tests/system/scratch.hpp"

namespace kakehashi::cli {
namespace {

using test::read_text;
using test::Scratch;
using test::write_text;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* game =
    "V2.2\nN+one\nN-二\n$EVENT:a\nPI\n+\n+7776FU\nT12\n-3334FU\nT3\n%TORYO\nT5\n";

struct Ran {
  int status = 0;
  std::string out;
  std::string err;
};

Ran run_any(std::vector<std::string> arguments) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Ran ran;
  ran.status = run_command_line(std::move(arguments));
  ran.out = testing::internal::GetCapturedStdout();
  ran.err = testing::internal::GetCapturedStderr();
  return ran;
}

Ran run(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "record");
  return run_any(std::move(arguments));
}

TEST(RecordCommand, converts_there_and_back_through_shift_jis) {
  const Scratch scratch;
  write_text(scratch.path("a.csa"), game);
  EXPECT_EQ(run({"convert", scratch.path("a.csa"), "-o", scratch.path("a.kif")}).status, 0);
  EXPECT_THAT(read_text(scratch.path("a.kif")), HasSubstr("\x93\x8a\x97\xb9")) << "投了";
  const auto back = run({"convert", scratch.path("a.kif"), "--to", "csa"});
  EXPECT_EQ(back.status, 0) << back.err;
  EXPECT_THAT(back.out, HasSubstr("N-二\n"));
  EXPECT_THAT(back.out, HasSubstr("+7776FU\nT12\n-3334FU\nT3\n%TORYO\nT5\n"));
}

TEST(RecordCommand, what_has_no_end_is_no_file_to_any_command) {
  const Scratch scratch;
  const std::string pipe = scratch.path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& file : {std::string("/dev/zero"), pipe}) {
    EXPECT_NE(run({"show", file}).status, 0);
    EXPECT_NE(run_any({"replay", file}).status, 0);
    EXPECT_NE(run_any({"check", file}).status, 0);
    EXPECT_NE(run_any({"games", "import", "--archive", scratch.path("games.db"), "--name", "me", file}).status, 0);
  }
}

TEST(RecordCommand, an_existing_file_is_replaced_only_by_force) {
  const Scratch scratch;
  write_text(scratch.path("a.csa"), game);
  write_text(scratch.path("a.usi"), "keep\n");
  const auto refused = run({"convert", scratch.path("a.csa"), "-o", scratch.path("a.usi")});
  EXPECT_EQ(refused.status, 73);
  EXPECT_THAT(refused.err, HasSubstr("exists; --force replaces it"));
  EXPECT_EQ(read_text(scratch.path("a.usi")), "keep\n");
  EXPECT_EQ(
      run({"convert", scratch.path("a.csa"), "-o", scratch.path("a.usi"), "--force"}).status, 0);
  EXPECT_EQ(read_text(scratch.path("a.usi")), "position startpos moves 7g7f 3c3d\n");
}

TEST(RecordCommand, bad_input_is_refused_with_its_line_and_leaves_no_file) {
  const Scratch scratch;
  const auto refusal = [&](const std::string& bytes) {
    write_text(scratch.path("bad"), bytes);
    const auto ran = run({"convert", scratch.path("bad"), "-o", scratch.path("out.jkf")});
    EXPECT_EQ(ran.status, 65) << ran.err;
    return ran.err;
  };
  EXPECT_THAT(refusal("V2.2\nPI\n+\n+77"), HasSubstr("line 4: "));
  EXPECT_THAT(refusal("V2.2\nPI\n+\n+7776XX\n"), HasSubstr("line 4: \"+7776XX\" cannot be read"));
  EXPECT_THAT(refusal("V2.2\n\xff\xfe\xfd\n"), HasSubstr("line 2: "));
  EXPECT_THAT(refusal("V2.2\n'" + std::string(10'000'000, 'x')), HasSubstr("line 2: "));
  EXPECT_THAT(refusal("hello\n"), HasSubstr("no record in a known format"));
  EXPECT_THAT(scratch.names(), ElementsAre("bad"));
  EXPECT_EQ(run({"verify", scratch.path("none")}).status, 66);
}

TEST(RecordCommand, an_unknown_last_word_is_told_and_the_game_is_read) {
  const Scratch scratch;
  write_text(scratch.path("a.csa"), "V2.2\nPI\n+\n+7776FU\n%DANCE\n");
  const auto converted = run({"convert", scratch.path("a.csa"), "--to", "kifu"});
  EXPECT_EQ(converted.status, 0);
  EXPECT_THAT(converted.out, HasSubstr("2 中断\n*%DANCE\n"));
  EXPECT_THAT(converted.err, HasSubstr(scratch.path("a.csa") + ": line 5: "));
  const auto verified = run({"verify", scratch.path("a.csa")});
  EXPECT_EQ(verified.status, 65);
  EXPECT_THAT(verified.err, HasSubstr(scratch.path("a.csa") + ": line 5: "));
}

TEST(GamesCommand, import_names_file_line_and_reason_of_what_it_cannot_read) {
  const Scratch scratch;
  std::filesystem::create_directories(scratch.path("in/below"));
  write_text(scratch.path("in/good.csa"), game);
  write_text(scratch.path("in/below/bad.csa"), "V2.2\nPI\n+\n+7775FU\n%TORYO\n");
  write_text(scratch.path("in/empty.kif"), "");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int status =
      run_command_line({"games", "import", scratch.path("in"), "--name", "one", "--archive", scratch.path("games.db")});
  const std::string out = testing::internal::GetCapturedStdout();
  const std::string err = testing::internal::GetCapturedStderr();
  EXPECT_EQ(status, 0);
  EXPECT_THAT(err, HasSubstr(scratch.path("in/below/bad.csa") + ": line 4: "));
  EXPECT_THAT(err, HasSubstr(scratch.path("in/empty.kif") + ": line 1: "));
  EXPECT_THAT(err, Not(HasSubstr("good.csa")));
  EXPECT_THAT(out, HasSubstr("1 games added"));
}

TEST(RecordCommand, shows_the_board_after_a_move) {
  const Scratch scratch;
  write_text(scratch.path("a.csa"), game);
  const auto all = run({"show", scratch.path("a.csa")});
  EXPECT_EQ(all.status, 0);
  EXPECT_THAT(all.out, HasSubstr("1  ▲７六歩  12 s (total 12 s)\n"));
  EXPECT_THAT(all.out, HasSubstr("まで2手で後手の勝ち (%TORYO)  5 s (total 17 s)\n"));
  const auto one = run({"show", scratch.path("a.csa"), "--ply", "2"});
  EXPECT_THAT(one.out, HasSubstr("2  △３四歩"));
  EXPECT_THAT(one.out, testing::Not(HasSubstr("▲７六歩")));
  EXPECT_EQ(run({"show", scratch.path("a.csa"), "--ply", "3"}).status, 64);
}

TEST(RecordCommand, the_demo_in_the_documentation_is_what_comes_out) {
  const std::string page = read_text(test::source_dir() + "/docs/records.md");
  const std::string fence = "```console\n";
  const auto begin = page.find(fence) + fence.size();
  const std::string demo = page.substr(begin, page.find("```\n", begin) - begin);
  std::string played;
  int commands = 0;
  for (const auto line : base::split(demo, '\n')) {
    constexpr std::string_view prompt = "$ kakehashi record ";
    if (!line.starts_with(prompt)) {
      continue;
    }
    std::vector<std::string> arguments;
    for (const auto word : base::split_words(line.substr(prompt.size()))) {
      const bool is_file = word.starts_with("tests/");
      arguments.push_back((is_file ? test::source_dir() + "/" : "") + std::string(word));
    }
    std::string out = run(arguments).out;
    // Where a file is depends on the machine.
    if (const auto at = out.find(test::source_dir() + "/"); at != std::string::npos) {
      out.erase(at, test::source_dir().size() + 1);
    }
    played += std::string(line) + "\n" + out;
    ++commands;
  }
  EXPECT_GE(commands, 3);
  EXPECT_EQ(played, demo);
}

TEST(RecordCommand, verify_finds_contradictions) {
  const Scratch scratch;
  write_text(scratch.path("good.csa"), game);
  EXPECT_EQ(run({"verify", scratch.path("good.csa")}).status, 0);
  write_text(scratch.path("bad.csa"),
             "V2.2\n$TIME_LIMIT:00:00+10\nPI\n+\n+7776FU\nT11\n-3334FU\nT3\n%SENNICHITE\n");
  const auto bad = run({"verify", scratch.path("good.csa"), scratch.path("bad.csa")});
  EXPECT_EQ(bad.status, 65);
  EXPECT_THAT(bad.out, HasSubstr("1 game, 2 moves, all well"));
  EXPECT_THAT(bad.err, HasSubstr("move 1: black used 11 s"));
  EXPECT_THAT(bad.err, HasSubstr("ending: repetition, but the last position came up 1 time only"));
  write_text(scratch.path("open.csa"), "V2.2\nPI\n+\n+7776FU\n");
  EXPECT_THAT(run({"verify", scratch.path("open.csa")}).err, HasSubstr("after 1 move"));
}

}  // namespace
}  // namespace kakehashi::cli
