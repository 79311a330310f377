#include "journal/journal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <set>
#include <utility>

#include "base/checksum.hpp"
#include "journal/journal_fields.hpp"

namespace kakehashi::journal {
namespace {

using base::Millis;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr base::Now noon{base::SteadyTime(std::chrono::nanoseconds(1'234'567'890'123)),
                         base::WallTime(Millis{1'767'323'045'678})};

/// Every byte, in every place where a peer may put it.
std::string nasty() {
  std::string text = "%41 ÿ 架け橋;=\t";
  for (int byte = 0; byte < 256; ++byte) {
    text += static_cast<char>(byte);
  }
  return text;
}

std::vector<bridge::Event> all_events() {
  const bridge::EngineId engine{1, 7};
  return {bridge::ServerConnected{base::verbatim(nasty())},
          bridge::ServerLine{nasty(), true},
          bridge::ServerClosed{bridge::ServerClosed::How::broken, base::verbatim(nasty())},
          bridge::EngineStarted{engine, -1},
          bridge::EngineFailedToStart{engine, base::verbatim(nasty())},
          bridge::EngineLine{bridge::EngineId{0xFFFFFFFFU, 0xFFFFFFFFU}, nasty()},
          bridge::EngineStderr{engine, ""},
          bridge::EngineExited{engine, base::verbatim(nasty())},
          bridge::EngineLink{engine, nasty(), true, true, base::verbatim(nasty()), std::chrono::microseconds{30'123}, std::chrono::microseconds{7}},
          bridge::TimerFired{},
          bridge::StopRequested{bridge::Urgency::at_once},
          bridge::RecordWritten{nasty(), base::verbatim(nasty())},
          bridge::LinkMeasured{std::chrono::microseconds{30'123}, std::chrono::microseconds{5'001}},
          bridge::BookAnswered{7, nasty()},
          bridge::ClockRecalled{engine, {usi::ClockReading::keeps_to_btime, true}}};
}

std::vector<bridge::Action> all_actions() {
  const bridge::EngineId engine{1, 7};
  return {bridge::ConnectServer{},
          bridge::WriteServer{nasty(), nasty()},
          bridge::CloseServer{},
          bridge::HoldLine{base::Millis{641'000}},
          bridge::StartEngine{engine},
          bridge::WriteEngine{engine, nasty()},
          bridge::StopEngineAt{engine, noon.steady},
          bridge::KillEngine{engine, Millis{5000}},
          bridge::ArmTimer{noon.steady},
          bridge::BeginRecord{nasty(), {nasty(), ""}, nasty()},
          bridge::AppendRecord{nasty()},
          bridge::FinishRecord{{{".csa", nasty(), false}, {".kif", nasty(), true}}},
          bridge::Note{bridge::Level::warn, "code", base::verbatim(nasty()), {{"a=b;c", nasty()}, {"", ""}}},
          bridge::LookUpBook{7, nasty()},
          bridge::RecallClock{engine, nasty()},
          bridge::KeepClock{engine, nasty(), {usi::ClockReading::adds, false}},
          bridge::Paired{nasty(), shogi::Color::white, nasty()},
          bridge::GameStarted{nasty()},
          bridge::GameEnded{csa::Outcome::draw, nasty(), true, nasty(), nasty(), 256},
          bridge::RescuePlayed{bridge::RescueCause::declaration, base::verbatim(nasty())},
          bridge::Occurred{bridge::Incident::bot_failed, base::verbatim(nasty())},
          bridge::ReportReady{},
          bridge::PhaseChanged{bridge::Phase::resting},
          bridge::Exit{-75}};
}

std::vector<Entry> all_entries() {
  std::vector<Entry> entries{Opened{format_version, nasty(), nasty(), "run", 12, false},
                             config::PlainSetting{"engine.command", {nasty(), "", "b"}},
                             config::PlainSetting{"game.count", {}},
                             Started{0xFFFFFFFFFFFFFFFFULL, noon}};
  for (const bridge::Event& event : all_events()) {
    entries.emplace_back(Happened{noon, event});
  }
  for (const bridge::Action& action : all_actions()) {
    entries.emplace_back(action);
  }
  entries.emplace_back(Broken{nasty()});
  entries.emplace_back(Closed{nasty()});
  entries.emplace_back(Full{});
  return entries;
}

std::string all_text() {
  std::string text;
  std::uint64_t number = 0;
  for (const Entry& entry : all_entries()) {
    text += encode(entry, ++number);
  }
  return text;
}

TEST(Journal, its_test_knows_every_event_and_every_action) {
  std::set<std::size_t> events;
  for (const bridge::Event& event : all_events()) {
    events.insert(event.index());
  }
  std::set<std::size_t> actions;
  for (const bridge::Action& action : all_actions()) {
    actions.insert(action.index());
  }
  EXPECT_EQ(events.size(), std::variant_size_v<bridge::Event::variant>);
  EXPECT_EQ(actions.size(), std::variant_size_v<bridge::Action::variant>);
}

TEST(Journal, every_entry_comes_back_as_it_was) {
  for (const Entry& entry : all_entries()) {
    const std::string line = encode(entry, 42);
    ASSERT_EQ(line.find('\n'), line.size() - 1) << line;
    const auto back = decode(std::string_view(line).substr(0, line.size() - 1));
    ASSERT_TRUE(back) << back.error().what << ": " << line;
    EXPECT_EQ(back->number, 42U);
    EXPECT_EQ(back->entry.index(), entry.index());
    EXPECT_EQ(encode(back->entry, 42), line);
  }
  const std::string line = encode(Happened{noon, bridge::ServerLine{nasty(), true}}, 1);
  const auto back = decode(std::string_view(line).substr(0, line.size() - 1));
  const auto& happened = std::get<Happened>(back->entry);
  EXPECT_EQ(happened.now.steady, noon.steady);
  EXPECT_EQ(happened.now.wall, noon.wall);
  EXPECT_EQ(std::get<bridge::ServerLine>(happened.event).text, nasty());
}

TEST(Journal, a_line_to_the_server_is_written_as_it_may_be_shown) {
  const std::string line = encode(bridge::Action(bridge::WriteServer{"LOGIN a game,s3cret", "LOGIN a game,****"}), 1);
  EXPECT_THAT(line, HasSubstr("LOGIN a game,****"));
  EXPECT_THAT(line, Not(HasSubstr("s3cret")));
}

TEST(Journal, a_line_reads_like_this) {
  EXPECT_EQ(encode(Happened{noon, bridge::ServerLine{"+7776FU,T3", false}}, 9).substr(8),
            "\t9\t<server_line\t1234567890123\t1767323045678\t+7776FU,T3\t0\n");
  EXPECT_EQ(encode(bridge::Action(bridge::ConnectServer{}), 10).substr(8), "\t10\t>connect_server\n");
}

TEST(Journal, a_text_that_ends_in_a_line_is_cut_at_any_byte_and_all_before_it_is_read) {
  const std::string text = all_text();
  const std::size_t entries = all_entries().size();
  const std::size_t last = text.rfind('\n', text.size() - 2) + 1;
  for (std::size_t size = last; size < text.size(); ++size) {
    const Contents contents = read(std::string_view(text).substr(0, size));
    EXPECT_THAT(contents.entries, SizeIs(entries - 1)) << size;
    EXPECT_THAT(contents.faults, IsEmpty()) << size;
    EXPECT_EQ(contents.is_torn, size > last) << size;
  }
  EXPECT_THAT(read(text).entries, SizeIs(entries));
}

TEST(Journal, any_changed_byte_of_any_line_is_noticed) {
  for (const Entry& entry : all_entries()) {
    const std::string line = encode(entry, 3);
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
      for (const char c : {'\0', 'x', '\t', static_cast<char>(line[i] ^ 1)}) {
        std::string changed = line.substr(0, line.size() - 1);
        if (changed[i] == c) {
          continue;
        }
        changed[i] = c;
        EXPECT_FALSE(decode(changed)) << changed;
      }
    }
  }
}

TEST(Journal, any_shortened_line_is_noticed) {
  for (const Entry& entry : all_entries()) {
    const std::string line = encode(entry, 3);
    for (std::size_t size = 0; size + 1 < line.size(); ++size) {
      EXPECT_FALSE(decode(std::string_view(line).substr(0, size)));
    }
  }
}

TEST(Journal, a_line_that_is_gone_shows_by_its_number) {
  const std::string text = encode(bridge::Action(bridge::ConnectServer{}), 1) + encode(bridge::Action(bridge::CloseServer{}), 3);
  const Contents contents = read(text);
  ASSERT_THAT(contents.faults, SizeIs(1));
  EXPECT_EQ(contents.faults[0].line, 2U);
  EXPECT_EQ(contents.faults[0].what, "number 3 follows 1");
  EXPECT_THAT(contents.entries, SizeIs(2));
}

TEST(Journal, a_bad_line_in_the_middle_costs_that_line_only) {
  const std::string text =
      encode(bridge::Action(bridge::ConnectServer{}), 1) + "rubbish\n\n" + encode(bridge::Action(bridge::CloseServer{}), 2);
  const Contents contents = read(text);
  EXPECT_THAT(contents.faults, SizeIs(2));
  EXPECT_THAT(contents.entries, SizeIs(2));
  EXPECT_FALSE(contents.is_torn);
}

TEST(Journal, an_entry_of_another_version_is_told_from_a_broken_one) {
  const std::string rest = "1\t<never_heard\t1\t2";
  char sum[16];
  std::snprintf(sum, sizeof sum, "%08x\t", base::crc32c(rest));
  const auto unknown = decode(sum + rest);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().what, "this version does not know \"<never_heard\" with such fields");
}

TEST(Journal, a_condensed_one_keeps_what_a_repetition_needs) {
  const bridge::EngineId engine{0, 1};
  std::string text;
  std::uint64_t number = 0;
  for (const Entry& entry : std::vector<Entry>{
           Opened{}, Started{1, noon}, bridge::Action(bridge::StartEngine{engine}),
           Happened{noon, bridge::EngineLine{engine, "info depth 1"}},
           Happened{noon, bridge::EngineLine{engine, "bestmove 7g7f"}}, bridge::Action(bridge::WriteServer{"a", "a"}),
           Happened{noon, bridge::EngineStderr{engine, "noise"}}, Happened{noon, bridge::TimerFired{}}}) {
    text += encode(entry, ++number);
  }
  const Contents condensed = read(condense(text));
  EXPECT_THAT(condensed.faults, IsEmpty());
  ASSERT_THAT(condensed.entries, SizeIs(5));
  EXPECT_TRUE(std::get<Opened>(condensed.entries[0].entry).is_condensed);
  EXPECT_EQ(condensed.entries[2].number, 4U);
  EXPECT_EQ(std::get<bridge::EngineLine>(std::get<Happened>(condensed.entries[2].entry).event).text, "info");
  EXPECT_EQ(condensed.entries[3].number, 5U);
  EXPECT_EQ(condensed.entries[4].number, 8U);
  EXPECT_EQ(condense(condense(text)), condense(text));
}

TEST(Journal, one_whose_setting_lacks_its_value_is_condensed_like_any_other) {
  const std::string text = encode(Opened{}, 1) + encode(config::PlainSetting{"engine.team_play", {}}, 2);
  EXPECT_THAT(read(condense(text)).entries, SizeIs(2));
}

TEST(Journal, a_condensed_one_keeps_one_sign_of_life_of_each_engine_and_slice_of_time) {
  std::string text;
  std::uint64_t number = 0;
  for (int i = 0; i < 40; ++i) {
    base::Now now = noon;
    now.steady += base::Millis{100 * i};
    for (const bridge::EngineId engine : {bridge::EngineId{0, 1}, bridge::EngineId{1, 1}}) {
      text += encode(Happened{now, bridge::EngineLine{engine, "info depth 1 pv 7g7f"}}, ++number);
    }
  }
  std::set<std::pair<bridge::EngineId, base::SteadyTime>> slices;
  std::size_t kept = 0;
  for (const Numbered& numbered : read(condense(text)).entries) {
    const auto& happened = std::get<Happened>(numbered.entry);
    const auto engine = std::get<bridge::EngineLine>(happened.event).engine;
    slices.emplace(engine, bridge::end_of_life_slice(happened.now.steady));
    ++kept;
  }
  EXPECT_EQ(slices.size(), kept);
  EXPECT_GE(kept, 4U);
  EXPECT_LE(kept, 6U);
}

/// Of all numbers around those of the enumerators, the one that is taken last.
template <class Enum>
Enum last_taken() {
  Enum last{};
  Enum read{};
  for (int number = -3; number < 300; ++number) {
    last = parse(std::to_string(number), read) ? static_cast<Enum>(number) : last;
  }
  return last;
}

TEST(JournalFields, only_enumerators_are_taken) {
  EXPECT_EQ(last_taken<shogi::Color>(), shogi::Color::white);
  EXPECT_EQ(last_taken<csa::HowClosed>(), csa::HowClosed::broken);
  EXPECT_EQ(last_taken<csa::Outcome>(), csa::Outcome::none);
  EXPECT_EQ(last_taken<usi::ClockReading>(), usi::ClockReading::no_increments);
  EXPECT_EQ(last_taken<bridge::Urgency>(), bridge::Urgency::renew);
  EXPECT_EQ(last_taken<bridge::Level>(), bridge::Level::error);
  EXPECT_EQ(last_taken<bridge::RescueCause>(), bridge::RescueCause::declaration);
  EXPECT_EQ(last_taken<bridge::Incident>(), bridge::Incident::line_dropped);
  constexpr auto behind = static_cast<bridge::Incident>(static_cast<int>(bridge::Incident::line_dropped) + 1);
  EXPECT_STREQ(bridge::code_of(behind), "") << "a journal must read the new one too";
}

TEST(JournalFields, a_field_that_is_no_such_value_is_refused) {
  bool flag = false;
  EXPECT_FALSE(parse("2", flag));
  int number = 0;
  EXPECT_FALSE(parse("99999999999", number));
  bridge::Urgency urgency{};
  EXPECT_FALSE(parse("-1", urgency));
  EXPECT_FALSE(parse("4", urgency));
  std::string text;
  EXPECT_FALSE(parse("%4", text));
  EXPECT_FALSE(parse("%zz", text));
  NamedTexts texts;
  EXPECT_FALSE(parse("a", texts));
  base::SteadyTime time;
  EXPECT_FALSE(parse("soon", time));
}

}  // namespace
}  // namespace kakehashi::journal
