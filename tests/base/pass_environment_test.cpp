// Which of the bridge's environment variables an engine gets.
#include "base/pass_environment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kakehashi::base {
namespace {

using testing::ElementsAre;
using testing::Pair;

using Patterns = std::vector<std::string>;

const Patterns as_usual{"usual"};

TEST(PassEnvironment, what_every_program_needs_is_always_passed) {
  for (const char* name : {"PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR"}) {
    EXPECT_TRUE(passes({}, name)) << name;
  }
  EXPECT_FALSE(passes({}, "LD_LIBRARY_PATH"));
}

TEST(PassEnvironment, the_usual_are_those_of_libraries_gpus_and_ssh) {
  for (const char* name : {"LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "SSH_AUTH_SOCK", "OMP_NUM_THREADS",
                           "ROCR_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES"}) {
    EXPECT_TRUE(passes(as_usual, name)) << name;
  }
  for (const char* name : {"LD_PRELOAD", "MY_VARIABLE", "KAKEHASHI_PASSWORD", "NVIDIA_API_KEY", "CUDA_SECRET"}) {
    EXPECT_FALSE(passes(as_usual, name)) << name;
  }
}

TEST(PassEnvironment, a_pattern_passes_no_secret_and_a_full_name_does) {
  const Patterns all{"*"};
  for (const char* name : {"AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "db_password", "CREDENTIALS_DIRECTORY",
                           "XAUTHORITY", "KAKEHASHI_TRIP"}) {
    EXPECT_FALSE(passes(all, name)) << name;
    EXPECT_TRUE(passes({name}, name)) << name;
  }
  EXPECT_TRUE(passes(all, "EDITOR"));
  EXPECT_TRUE(passes(all, "SSH_AUTH_SOCK"));
}

TEST(PassEnvironment, a_star_stands_for_any_text_wherever_it_is) {
  for (const char* pattern : {"FOO_*", "*_BAR", "F*R", "*OO_B*", "FOO_BAR", "FOO_BAR*"}) {
    EXPECT_TRUE(passes({pattern}, "FOO_BAR")) << pattern;
  }
  for (const char* pattern : {"FOO", "OO_*", "*_BA", "F*Z", "foo_*"}) {
    EXPECT_FALSE(passes({pattern}, "FOO_BAR")) << pattern;
  }
}

TEST(PassEnvironment, what_is_withheld_is_told_by_name_and_in_order) {
  const PassedEnvironment told = pass_environment(
      as_usual, {{"ZOO", "1"}, {"PATH", "/bin"}, {"MY_TOKEN", "s3cret"}, {"PWD", "/"}, {"CUDA_HOME", "/cuda"}});
  EXPECT_THAT(told.passed, ElementsAre(Pair("PATH", "/bin"), Pair("CUDA_HOME", "/cuda")));
  EXPECT_THAT(told.withheld, ElementsAre("MY_TOKEN", "ZOO"));
}

TEST(PassEnvironment, what_is_withheld_is_worth_a_word_where_the_engine_has_not_said_what_it_misses) {
  EXPECT_TRUE(may_miss("CUDA_HOME, FOO", {}));
  EXPECT_FALSE(may_miss("", {}));
  EXPECT_FALSE(may_miss("CUDA_HOME, FOO", {"Error! cannot open eval/nn.bin"}));
  EXPECT_TRUE(may_miss("CUDA_HOME, FOO", {"loading", "libcudart.so.12: cannot open shared object file"}));
  EXPECT_TRUE(may_miss("CUDA_HOME, FOO", {"FOO is not set"}));
}

}  // namespace
}  // namespace kakehashi::base
