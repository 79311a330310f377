// The example sessions of the protocol texts (tests/usi/sessions), replayed through a session of
// their dialect: each line that the text's GUI sends is what the session writes, letter for letter,
// and nothing that the engine says is lost or misread.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "tests/places.hpp"
#include "tests/usi/words.hpp"
#include "usi/dialect.hpp"
#include "usi/session.hpp"

namespace kakehashi::usi {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// The text's line in the house tongue, in which a session is called.
std::string in_usi(const Dialect& dialect, const std::string& line) {
  if (dialect.notation != Notation::uci) {
    return line;
  }
  std::string text;
  for (const std::string_view word : base::split_words(line)) {
    text += (text.empty() ? "" : " ") + usi_move(word);
  }
  return text;
}

class Example {
 public:
  explicit Example(const Dialect& dialect) : session_(dialect) {}

  void sent(const std::string& line) {
    const Dialect& dialect = session_.dialect();
    if (line == dialect.name) {
      EXPECT_EQ(session_.begin().lines, Words{line});
    } else if (line.starts_with("setoption name ")) {
      set_option(line);
    } else if (line == "isready") {
      get_ready();
    } else if (line.starts_with(std::string(dialect.name) + "newgame")) {
      const Reaction reaction = session_.new_game();
      EXPECT_TRUE(line.starts_with(reaction.lines.front())) << reaction.lines.front();
    } else if (line.starts_with("position ")) {
      position_ = line;
    } else if (line.starts_with("go")) {
      go(line);
    } else if (line == "stop") {
      // A ponder search that is stopped was a miss: its answer is not wanted.
      EXPECT_EQ(session_.is_pondering() ? session_.abandon().lines : session_.hurry().lines,
                Words{line});
    } else if (line == "ponderhit") {
      EXPECT_EQ(session_.ponderhit("").lines, Words{line});
    } else if (line.starts_with("gameover ")) {
      EXPECT_EQ(session_.game_over(GameOver::lose).lines, Words{line});
    } else {
      ADD_FAILURE() << "no call says " << line;
    }
  }

  void said(const std::string& line) {
    const bool was_pondering_in_vain = session_.owed() > 0 && !session_.current_search();
    const Reaction reaction = session_.on_line(line);
    EXPECT_TRUE(reaction.lines.empty()) << line;
    const Words words = usi::test::words(reaction);
    if (line.starts_with("bestmove ")) {
      ++answers;
      ASSERT_EQ(words.size(), 1U) << line;
      EXPECT_EQ(words.front().starts_with("swallowed"), was_pondering_in_vain) << words.front();
    } else if (line.starts_with("info ")) {
      ++infos;
      ASSERT_EQ(reaction.events.size(), 1U) << line;
      const auto* info = std::get_if<SearchInfo>(&reaction.events.front());
      ASSERT_NE(info, nullptr) << line;
      EXPECT_EQ(info->info.skipped, Words{}) << line;
    } else if (line.starts_with("option ")) {
      EXPECT_EQ(session_.options().size(), ++options) << line;
    } else if (line == session_.dialect().hello_answer) {
      EXPECT_EQ(words, Words{"identified " + session_.name()});
    } else if (line == "readyok") {
      EXPECT_EQ(words, Words{"ready"});
    } else if (line.starts_with(".")) {
      EXPECT_EQ(words, Words{"said " + line});
    } else {
      EXPECT_EQ(words, Words{}) << line;
    }
  }

  [[nodiscard]] const Session& session() const { return session_; }

  std::size_t options = 0;
  std::size_t infos = 0;
  std::size_t answers = 0;

 private:
  void set_option(const std::string& line) {
    const std::size_t value = line.find(" value ");
    const OptionSetting setting{line.substr(15, value - 15), line.substr(value + 7)};
    EXPECT_EQ(format_setoption(setting), line);
    // Options of this kind need no declaration in the texts.
    const bool is_fixed = setting.name.find("AnalyseMode") != std::string::npos;
    if (!is_fixed) {
      EXPECT_EQ(check_setting(session_.options(), setting), std::nullopt) << line;
      settings_.push_back(setting);
    }
  }

  void get_ready() {
    if (session_.phase() == Session::Phase::preparing) {
      return;  // the session sent it behind the new game's word, as the text asks
    }
    Words expected;
    for (const OptionSetting& setting : settings_) {
      expected.push_back(format_setoption(setting));
    }
    expected.emplace_back("isready");
    EXPECT_EQ(session_.prepare(settings_).lines, expected);
  }

  void go(const std::string& line) {
    if (session_.phase() == Session::Phase::preparing) {
      static_cast<void>(session_.on_line("readyok"));  // which UCGI's example leaves out
    }
    const bool is_ponder = line.starts_with("go ponder");
    const std::string in_usi_words = line == "go movetime 1000" ? "go btime 0 wtime 0 byoyomi 1000" : line;
    EXPECT_EQ(session_.search({in_usi(session_.dialect(), position_), in_usi_words, is_ponder}).reaction.lines,
              (Words{position_, line}));
  }

  Session session_;
  std::vector<OptionSetting> settings_;
  std::string position_;
};

Example perform(const std::string& name, Protocol protocol) {
  Example example(dialect_of(protocol));
  std::ifstream in(fs::path(kakehashi::test::tests_dir()) / "usi/sessions" / name);
  EXPECT_TRUE(in.good()) << name;
  for (std::string line; std::getline(in, line);) {
    SCOPED_TRACE(name + ": " + line);
    if (line.starts_with("> ")) {
      example.sent(line.substr(2));
    } else if (line.starts_with("< ")) {
      example.said(line.substr(2));
    }
  }
  EXPECT_EQ(example.session().owed(), 0U) << name;
  return example;
}

TEST(ExampleSessions, usi_draft_1) {
  const Example example = perform("usi_draft1_5_4.txt", Protocol::usi);
  EXPECT_EQ(example.session().name(), "Glaurung Shogi 0.1");
  EXPECT_EQ(example.options, 3U);
  EXPECT_EQ(example.infos, 10U);
  EXPECT_EQ(example.answers, 1U);
}

TEST(ExampleSessions, shogidokoro_with_a_ponder_miss) {
  const Example example = perform("usi_shogidokoro_ponder_miss.txt", Protocol::usi);
  EXPECT_EQ(example.session().name(), "Lesserkai");
  EXPECT_EQ(example.answers, 4U);
}

TEST(ExampleSessions, shogidokoro_with_a_ponder_hit) {
  EXPECT_EQ(perform("usi_shogidokoro_ponder_hit.txt", Protocol::usi).answers, 3U);
}

TEST(ExampleSessions, uci) {
  const Example example = perform("uci_2000.txt", Protocol::uci);
  EXPECT_EQ(example.session().name(), "Shredder 5");
  ASSERT_EQ(example.options, 5U);
  // The text itself errs here: it says "name" for "default".
  EXPECT_EQ(example.session().options()[1].name, "NalimovPath");
  EXPECT_EQ(example.session().options()[1].unread, "name c:\\");
  EXPECT_EQ(example.infos, 10U);
}

TEST(ExampleSessions, tei) {
  const Example example = perform("tei.txt", Protocol::tei);
  ASSERT_EQ(example.options, 5U);
  EXPECT_EQ(example.session().options()[0].name, "Model Path");
  // The text itself errs here: it says "default default 10".
  EXPECT_EQ(example.session().options()[1].default_value, "10");
  EXPECT_EQ(example.session().options()[2].choices, (Words{"No Swap", "Swap"}));
  EXPECT_EQ(example.infos, 19U);
  EXPECT_EQ(example.answers, 2U);
}

TEST(ExampleSessions, ucgi) {
  const Example example = perform("ucgi_2023.txt", Protocol::ucgi);
  EXPECT_EQ(example.options, 3U);
  EXPECT_EQ(example.infos, 5U);
  EXPECT_EQ(example.answers, 1U);
}

}  // namespace
}  // namespace kakehashi::usi
