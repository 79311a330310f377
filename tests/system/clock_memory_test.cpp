// What is remembered of engines' clocks, on a real file.
#include "daemon/clock_memory.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/system/scratch.hpp"

namespace kakehashi::daemon {
namespace {

using test::read_text;
using test::write_text;
using usi::ClockReading;
using usi::EngineClocks;

constexpr EngineClocks adds{ClockReading::adds, false};
constexpr EngineClocks swapped{ClockReading::keeps_to_btime, true};

struct ClockMemoryTest : testing::Test {
  ClockMemoryTest() {
    engine.command = {scratch.path("engine"), "--quiet"};
    write_text(engine.command.front(), "a program");
  }

  test::Scratch scratch;
  std::string file = scratch.path("engine-clocks");
  config::Engine engine;
};

TEST_F(ClockMemoryTest, remembers_for_that_program_and_these_facts_alone) {
  EXPECT_EQ(recall_clocks(file, engine, "Fake"), EngineClocks{});
  keep_clocks(file, engine, "Fake", adds);
  keep_clocks(file, engine, "Fake; Threads 2", swapped);
  EXPECT_EQ(recall_clocks(file, engine, "Fake"), adds);
  EXPECT_EQ(recall_clocks(file, engine, "Fake; Threads 2"), swapped);
  EXPECT_EQ(recall_clocks(file, engine, "Other"), EngineClocks{});

  config::Engine loud = engine;
  loud.command.pop_back();
  EXPECT_EQ(recall_clocks(file, loud, "Fake"), EngineClocks{});
  write_text(engine.command.front(), "another program");
  EXPECT_EQ(recall_clocks(file, engine, "Fake"), EngineClocks{}) << "it was replaced";
}

TEST_F(ClockMemoryTest, ignores_what_is_damaged_and_writes_it_anew) {
  keep_clocks(file, engine, "Fake", adds);
  std::string text = read_text(file);
  text.replace(text.find(" adds "), 6, " unknown ");
  write_text(file, text + std::string("\xff\0 garbage\n", 11) + "torn");
  EXPECT_EQ(recall_clocks(file, engine, "Fake"), EngineClocks{});
  keep_clocks(file, engine, "Fake", swapped);
  EXPECT_EQ(recall_clocks(file, engine, "Fake"), swapped);
  EXPECT_EQ(read_text(file).find("torn"), std::string::npos);

  write_text(file, std::string(200'000, 'x'));
  EXPECT_EQ(recall_clocks(file, engine, "Fake"), EngineClocks{});
  ASSERT_EQ(std::remove(file.c_str()), 0);
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  EXPECT_EQ(recall_clocks(file, engine, "Fake"), EngineClocks{}) << "nobody waits for a pipe";
}

TEST_F(ClockMemoryTest, is_bounded_and_the_oldest_make_room) {
  for (std::size_t i = 0; i <= clocks_kept_max; ++i) {
    keep_clocks(file, engine, std::to_string(i), adds);
  }
  EXPECT_EQ(recall_clocks(file, engine, "0"), EngineClocks{});
  EXPECT_EQ(recall_clocks(file, engine, "1"), adds);
  EXPECT_EQ(recall_clocks(file, engine, std::to_string(clocks_kept_max)), adds);
}

TEST_F(ClockMemoryTest, a_place_that_cannot_be_written_costs_nothing_else) {
  keep_clocks(scratch.path("none/engine-clocks"), engine, "Fake", adds);
  EXPECT_EQ(recall_clocks(scratch.path("none/engine-clocks"), engine, "Fake"), EngineClocks{});
  config::Engine gone;
  gone.command = {scratch.path("nothing")};
  keep_clocks(file, gone, "Fake", adds);
  EXPECT_EQ(recall_clocks(file, gone, "Fake"), EngineClocks{});
}

}  // namespace
}  // namespace kakehashi::daemon
