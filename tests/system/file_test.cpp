// Files of ours: a draft, and what may lie where a draft will be.
#include "base/io/file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "tests/system/scratch.hpp"

namespace kakehashi::base::io {
namespace {

using test::read_text;
using test::Scratch;
using test::write_text;

TEST(ReplaceWhole, a_fifo_in_the_place_of_its_draft_holds_nobody_up) {
  const Scratch scratch;
  write_text(scratch.path("file"), "old");
  ASSERT_EQ(::mkfifo((scratch.path("file") + draft_extension).c_str(), 0600), 0);
  EXPECT_EQ(replace_whole(scratch.path("file"), "new"), "");
  EXPECT_EQ(read_text(scratch.path("file")), "new");
}

TEST(ReplaceWhole, a_link_in_the_place_of_its_draft_is_not_followed) {
  const Scratch scratch;
  write_text(scratch.path("precious"), "keep");
  std::filesystem::create_symlink(scratch.path("precious"), scratch.path("file") + draft_extension);
  EXPECT_EQ(replace_whole(scratch.path("file"), "new"), "");
  EXPECT_EQ(read_text(scratch.path("precious")), "keep");
  EXPECT_EQ(read_text(scratch.path("file")), "new");
}

TEST(ReplaceWhole, the_mode_of_what_a_link_leads_to_is_not_taken_over) {
  const Scratch scratch;
  write_text(scratch.path("program"), "x");
  ASSERT_EQ(::chmod(scratch.path("program").c_str(), 04755), 0);
  std::filesystem::create_symlink(scratch.path("program"), scratch.path("file"));
  EXPECT_EQ(replace_whole(scratch.path("file"), "new"), "");
  struct stat state {};
  ASSERT_EQ(::lstat(scratch.path("file").c_str(), &state), 0);
  EXPECT_TRUE(S_ISREG(state.st_mode));
  EXPECT_EQ(state.st_mode & 07777U, 0600U);
}

TEST(ReplaceWhole, its_own_mode_is_kept) {
  const Scratch scratch;
  write_text(scratch.path("file"), "old");
  ASSERT_EQ(::chmod(scratch.path("file").c_str(), 0640), 0);
  EXPECT_EQ(replace_whole(scratch.path("file"), "new"), "");
  struct stat state {};
  ASSERT_EQ(::lstat(scratch.path("file").c_str(), &state), 0);
  EXPECT_EQ(state.st_mode & 07777U, 0640U);
}

}  // namespace
}  // namespace kakehashi::base::io
