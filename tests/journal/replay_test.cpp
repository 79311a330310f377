// Every golden script is a run that can be journalled: it must come back the same.
#include "journal/replay.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "base/overload.hpp"
#include "bridge/mask.hpp"
#include "journal/journal_text.hpp"
#include "support/performance.hpp"
#include "support/script.hpp"
#include "support/stage.hpp"
#include "tests/places.hpp"

namespace kakehashi::bridge {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

std::filesystem::path script_path(const std::string& name) {
  return std::filesystem::path(test::tests_dir()) / "golden/scripts" / (name + ".script");
}

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

support::Script script_named(const std::string& name) {
  auto script = support::read_script(name, read_text(script_path(name)));
  EXPECT_TRUE(script) << name;
  return *script;
}

/// The journal that the run of a script leaves.
std::string journal_of(const support::Script& script) {
  std::string text;
  std::uint64_t number = 0;
  const auto add = [&](const journal::Entry& entry) { text += journal::encode(entry, ++number); };
  add(journal::Opened{journal::format_version, "kakehashi test", "mybot", "run", 1, false});
  for (const config::PlainSetting& setting : config::plain_settings(script.config)) {
    add(setting);
  }
  const support::Stage* seen = nullptr;
  support::Stage stage(script.config, 1,
                       [&](base::Millis, const Event* event, const Actions& actions) {
                         if (event == nullptr) {
                           add(journal::Started{1, seen->now()});
                         } else {
                           add(journal::Happened{seen->now(), *event});
                         }
                         for (const Action& action : actions) {
                           add(action);
                         }
                       });
  seen = &stage;
  for (const support::ScriptInput& input : script.inputs) {
    stage.pass_to(input.at);
    for (const support::Happening& happening : input.happenings) {
      std::visit(base::Overload{[&](const support::BotStarts&) { stage.start(); },
                                [](const support::TimePasses&) {},
                                [&](const Event& event) { stage.happen(event); }},
                 happening);
    }
  }
  return text;
}

std::string game_journal() { return journal_of(script_named("record_of_a_game")); }

/// The text without its entries behind `marker`, which must be in it.
std::string until(const std::string& text, const std::string& marker) {
  const std::size_t at = text.find(marker);
  EXPECT_NE(at, std::string::npos) << marker;
  return text.substr(0, text.find('\n', at) + 1);
}

/// The journal with one entry changed, as if an earlier program had done something else.
std::string with_changed(const std::string& text, const std::string& from, const std::string& to) {
  std::string changed;
  std::string rest = text;
  bool is_done = false;
  for (const journal::Numbered& numbered : journal::read(text).entries) {
    journal::Entry entry = numbered.entry;
    auto* action = std::get_if<Action>(&entry);
    auto* write = action == nullptr ? nullptr : std::get_if<WriteServer>(action);
    if (write != nullptr && write->log_as.starts_with(from)) {
      write->log_as = to;
      is_done = true;
    }
    changed += journal::encode(entry, numbered.number);
  }
  EXPECT_TRUE(is_done);
  return changed;
}

TEST(ReplayTest, every_golden_script_is_repeated_from_its_journal_as_it_was) {
  int scripts = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(script_path("x").parent_path())) {
    const std::string name = entry.path().stem().string();
    const journal::Replay outcome = journal::replay(journal::read(journal_of(script_named(name))));
    EXPECT_EQ(outcome.obstacle, "") << name;
    EXPECT_THAT(outcome.remarks, IsEmpty()) << name;
    EXPECT_EQ(outcome.differences_count, 0U)
        << name << ": " << outcome.differences.at(0).after << "\nrecorded "
        << outcome.differences.at(0).recorded << "\nrepeated "
        << outcome.differences.at(0).repeated;
    EXPECT_GT(outcome.steps, 2U) << name;
    ++scripts;
  }
  EXPECT_GT(scripts, 100);
}

TEST(ReplayTest, another_move_than_was_recorded_is_a_difference) {
  const journal::Replay outcome =
      journal::replay(journal::read(with_changed(game_journal(), "+7776FU", "+2726FU")));
  EXPECT_EQ(outcome.differences_count, 1U);
  ASSERT_THAT(outcome.differences, SizeIs(1));
  const journal::Difference& difference = outcome.differences[0];
  EXPECT_THAT(difference.after, HasSubstr("< engine  bestmove 7g7f"));
  EXPECT_EQ(difference.recorded, "> server  +2726FU");
  EXPECT_EQ(difference.repeated.substr(0, 17), "> server  +7776FU");
}

TEST(ReplayTest, a_journal_that_ends_anywhere_is_repeated_as_far_as_it_goes) {
  const std::string text = journal_of(script_named("drain_in_a_game"));
  for (std::size_t end = text.find("#start"); (end = text.find('\n', end)) != std::string::npos;
       ++end) {
    const journal::Replay outcome = journal::replay(journal::read(std::string_view(text).substr(0, end + 1)));
    ASSERT_EQ(outcome.obstacle, "");
    ASSERT_EQ(outcome.differences_count, 0U) << text.substr(end > 200 ? end - 200 : 0, 200);
  }
}

TEST(ReplayTest, a_wall_clock_that_is_set_back_changes_dates_and_nothing_else) {
  journal::Contents contents = journal::read(game_journal());
  std::size_t event = 0;
  for (journal::Numbered& numbered : contents.entries) {
    if (auto* happened = std::get_if<journal::Happened>(&numbered.entry); happened && ++event > 20) {
      happened->now.wall -= std::chrono::hours(5);
    }
  }
  ASSERT_GT(event, 20U);
  const journal::Replay outcome = journal::replay(contents);
  EXPECT_GT(outcome.differences_count, 0U);
  for (const journal::Difference& difference : outcome.differences) {
    EXPECT_THAT(difference.repeated, StartsWith("= record "));
    EXPECT_THAT(difference.recorded, StartsWith("= record "));
  }
}

TEST(ReplayTest, a_condensed_journal_is_repeated_and_not_compared) {
  const journal::Replay outcome = journal::replay(journal::read(journal::condense(game_journal())));
  EXPECT_EQ(outcome.obstacle, "");
  EXPECT_EQ(outcome.steps, 0U);
}

TEST(ReplayTest, what_cannot_be_repeated_is_said) {
  const std::string text = game_journal();
  EXPECT_EQ(journal::replay(journal::read("")).obstacle, "the beginning of the run is missing");
  EXPECT_EQ(journal::replay(journal::read(text.substr(text.find('\n', text.find("<server_connected")) + 1)))
                .obstacle,
            "the beginning of the run is missing");
  EXPECT_EQ(journal::replay(journal::read(text.substr(text.find('\n') + 1))).obstacle, "the beginning of the run is missing")
      << "without its first line, the settings may be incomplete";
  EXPECT_THAT(journal::replay(journal::read(until(text, "#start") + "rubbish\n")).obstacle,
              HasSubstr("is bad (no checksum)"));
  EXPECT_THAT(journal::replay(journal::read(journal::encode(journal::Opened{99, "", "", "", 1, false}, 1)))
                  .obstacle,
              HasSubstr("its format is number 99"));
  const std::string setting = journal::encode(config::PlainSetting{"server.fax", {"1"}}, 1);
  EXPECT_THAT(journal::replay(journal::read(setting)).remarks, SizeIs(1));
}

TEST(ReplayTest, the_timeline_reads_like_a_script) {
  journal::Timeline timeline;
  std::string shown;
  for (const journal::Numbered& numbered : journal::read(game_journal()).entries) {
    const auto line = timeline.line(numbered.entry);
    shown += line ? *line + "\n" : "";
  }
  EXPECT_THAT(shown, HasSubstr("# mybot, run run, part 1, written by kakehashi test\n"));
  EXPECT_THAT(shown, HasSubstr("# started 2026-01-02 03:04:05 UTC, seed 1\n"));
  EXPECT_THAT(shown, HasSubstr("< engine  bestmove 7g7f"));
  EXPECT_THAT(shown, HasSubstr("> server  LOGIN mybot floodgate-300-10F,****\n"));
  EXPECT_THAT(shown, Not(HasSubstr("s3cret")));
}

TEST(ReplayTest, a_journal_becomes_a_golden_script_that_does_the_same) {
  for (const auto& entry : std::filesystem::directory_iterator(script_path("x").parent_path())) {
    const std::string name = entry.path().stem().string();
    const support::Script before = script_named(name);
    const std::string text = journal::write_script(journal::read(journal_of(before)));
    const auto after = support::read_script(name, text);
    ASSERT_TRUE(after) << name << ": " << after.error().what << "\n" << text;

    const support::Performance performance = support::perform(*after);

    EXPECT_THAT(performance.complaints, IsEmpty()) << name;
    const std::string again = journal_of(*after);
    EXPECT_EQ(journal::replay(journal::read(again)).differences_count, 0U) << name;
    // What left for the server, line by line, is the same.
    const auto sent = [](const std::string& journal) {
      std::string lines;
      for (const journal::Numbered& numbered : journal::read(journal).entries) {
        const auto* action = std::get_if<Action>(&numbered.entry);
        const auto* write = action == nullptr ? nullptr : std::get_if<WriteServer>(action);
        lines += write == nullptr ? "" : write->log_as + "\n";
      }
      return lines;
    };
    EXPECT_EQ(sent(again), sent(journal_of(before))) << name;
  }
}

// --- the way back into a run that was cut off

/// As the file holds it: without the token.
journal::Contents masked(journal::Contents contents, const config::BotConfig& config) {
  const Mask mask(config);
  for (journal::Numbered& numbered : contents.entries) {
    if (auto* happened = std::get_if<journal::Happened>(&numbered.entry)) {
      happened->event = mask.kept(happened->event).value_or(happened->event);
    }
  }
  return contents;
}

struct Step {
  journal::Happened happened;
  std::vector<std::string> actions;  ///< as a journal has them
};

/// What a run did with each event.
std::vector<Step> steps_of(const journal::Contents& contents) {
  std::vector<Step> steps;
  for (const journal::Numbered& numbered : contents.entries) {
    if (const auto* happened = std::get_if<journal::Happened>(&numbered.entry)) {
      steps.push_back({*happened, {}});
    } else if (const auto* action = std::get_if<Action>(&numbered.entry); action != nullptr && !steps.empty()) {
      steps.back().actions.push_back(journal::encode(*action, 0));
    }
  }
  return steps;
}

/// The journal as it was when that many events had happened.
journal::Contents cut_off_behind(const journal::Contents& contents, std::size_t events) {
  journal::Contents cut;
  for (const journal::Numbered& numbered : contents.entries) {
    if (std::holds_alternative<journal::Happened>(numbered.entry) && events-- == 0) {
      break;
    }
    cut.entries.push_back(numbered);
  }
  return cut;
}

class WayBack : public testing::Test {
 protected:
  WayBack() : script(script_named("rejoins_on_our_turn")), contents(journal::read(journal_of(script))) {
    for (const Step& step : steps_of(contents)) {
      token = token_in(step.happened.event).value_or(token);
    }
  }
  [[nodiscard]] base::Result<journal::FollowedRun, base::Message> followed(
      const journal::Contents& of, const config::BotConfig& config, const std::string& program = "kakehashi test",
      journal::Comparing comparing = journal::Comparing::with_other_versions) const {
    journal::Follower follower(config, program, comparing);
    if (auto why = follower.take(masked(of, config), 0, token); !why.empty()) {
      return base::Failure<base::Message>{std::move(why)};
    }
    return follower.finish("", 0, token);
  }
  [[nodiscard]] base::Result<journal::FollowedRun, base::Message> followed(const journal::Contents& of) const {
    return followed(of, script.config);
  }

  support::Script script;
  journal::Contents contents;
  std::string token;
};

TEST_F(WayBack, another_version_goes_on_if_server_and_engines_would_have_seen_the_same) {
  const auto way_of = [&](const journal::Contents& of, const std::string& program,
                          journal::Comparing comparing = journal::Comparing::with_other_versions) {
    return followed(of, script.config, program, comparing);
  };
  ASSERT_TRUE(way_of(contents, "kakehashi next")) << way_of(contents, "kakehashi next").error();

  const auto changed = [&](const auto& change) {
    auto other = contents;
    for (journal::Numbered& numbered : other.entries) {
      if (auto* action = std::get_if<Action>(&numbered.entry)) {
        change(*action);
      }
    }
    return other;
  };
  const auto other_words = changed([](Action& action) {
    if (auto* note = std::get_if<Note>(&action)) {
      note->text = base::verbatim("said otherwise");
    }
  });
  EXPECT_TRUE(way_of(other_words, "kakehashi next"));
  const auto other_lines = changed([](Action& action) {
    if (auto* write = std::get_if<WriteEngine>(&action); write != nullptr && write->line.starts_with("go ")) {
      write->line += " nodes 1";
    }
  });
  EXPECT_THAT(way_of(other_lines, "kakehashi next").error(), HasSubstr("would have acted differently at step "));
  EXPECT_TRUE(way_of(other_lines, "kakehashi test"));
  EXPECT_FALSE(way_of(other_lines, "kakehashi test", journal::Comparing::always));
}

TEST_F(WayBack, a_setting_that_only_another_version_has_keeps_it_from_nothing_while_it_is_not_set) {
  auto older = contents;
  std::erase_if(older.entries, [](const journal::Numbered& numbered) {
    const auto* setting = std::get_if<config::PlainSetting>(&numbered.entry);
    return setting != nullptr && setting->key == "journal.keep";
  });
  EXPECT_TRUE(followed(older, script.config, "kakehashi next"));
  auto config = script.config;
  config.journal.keep += 1;
  EXPECT_THAT(followed(older, config, "kakehashi next").error(), HasSubstr("the configuration has changed"));
}

TEST_F(WayBack, wherever_a_run_is_cut_off_its_bot_goes_on_as_it_would_have) {
  ASSERT_NE(token, "");
  const std::vector<Step> steps = steps_of(contents);
  for (std::size_t cut = 1; cut < steps.size(); ++cut) {
    auto run = followed(cut_off_behind(contents, cut));
    ASSERT_TRUE(run) << cut << ": " << run.error();
    for (std::size_t next = cut; next < steps.size(); ++next) {
      std::vector<std::string> actions;
      for (const Action& action : run->bot.step(steps[next].happened.event, steps[next].happened.now)) {
        actions.push_back(journal::encode(action, 0));
      }
      EXPECT_EQ(actions, steps[next].actions) << "cut behind " << cut << ", event " << next;
    }
  }
}

TEST_F(WayBack, what_the_bot_counts_on_is_known) {
  const auto before = followed(cut_off_behind(contents, 0));
  ASSERT_TRUE(before);
  EXPECT_FALSE(before->has_line);
  std::size_t token_comes = 0;
  while (!token_in(steps_of(contents).at(token_comes).happened.event)) {
    ++token_comes;
  }
  const auto in_the_game = followed(cut_off_behind(contents, token_comes + 1));
  ASSERT_TRUE(in_the_game);
  EXPECT_TRUE(in_the_game->has_line);
  ASSERT_THAT(in_the_game->engines, SizeIs(1));
  EXPECT_EQ(in_the_game->engines.begin()->first, (EngineId{0, 1}));
  EXPECT_TRUE(in_the_game->was_ready);
  EXPECT_TRUE(in_the_game->armed);
}

TEST_F(WayBack, there_is_none_behind_what_cannot_be_had_again) {
  const journal::Contents half = cut_off_behind(contents, steps_of(contents).size() / 2);
  const auto end_with = [&](const journal::Entry& end) {
    journal::Contents ended = half;
    ended.entries.push_back({ended.entries.back().number + 1, end});
    return followed(ended);
  };
  for (const journal::Entry& end : {journal::Entry(journal::Closed{"done"}), journal::Entry(journal::Full{}),
                                    journal::Entry(journal::Broken{"why"})}) {
    EXPECT_FALSE(end_with(end)) << journal::encode(end, 0);
  }

  const auto run = followed(half);
  ASSERT_TRUE(run);
  const auto why_not_so_long_behind = [&](base::Millis steady, base::Millis wall) {
    return journal::why_not_given_back(*run, {run->last.steady + steady, run->last.wall + wall});
  };
  using base::Millis;
  EXPECT_EQ(why_not_so_long_behind(Millis{0}, Millis{0}), "");
  EXPECT_EQ(why_not_so_long_behind(Millis{119'000}, Millis{119'000}), "");
  EXPECT_NE(why_not_so_long_behind(Millis{121'000}, Millis{121'000}), "") << "no server keeps a game for so long";
  EXPECT_NE(why_not_so_long_behind(Millis{1'000}, Millis{60'000}), "") << "the machine was started anew";
  const auto stopped = end_with(journal::Happened{run->last, StopRequested{Urgency::renew}});
  ASSERT_TRUE(stopped);
  EXPECT_NE(journal::why_not_given_back(*stopped, run->last), "");
  const auto foreign = followed(half, script.config, "kakehashi 0.9");
  ASSERT_TRUE(foreign);
  EXPECT_NE(journal::why_not_given_back(*foreign, run->last), "") << "another version may play otherwise";

  journal::Contents damaged = half;
  damaged.faults.push_back({3, base::verbatim("no checksum")});
  EXPECT_FALSE(followed(damaged));

  journal::Contents beheaded = half;
  beheaded.entries.erase(beheaded.entries.begin());
  EXPECT_FALSE(followed(beheaded)) << "which version wrote it is not known";
  beheaded = half;
  std::erase_if(beheaded.entries,
                [](const auto& entry) { return std::holds_alternative<journal::Started>(entry.entry); });
  EXPECT_FALSE(followed(beheaded));

  script.config.time.margin = base::Millis{2'000};
  EXPECT_FALSE(followed(half)) << "the configuration is another one now";
}

}  // namespace
}  // namespace kakehashi::bridge
