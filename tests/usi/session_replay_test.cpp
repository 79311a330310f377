// Whole dialogues of real engines, replayed through a session: what the other bridge did becomes a
// call, what the engine said a line, and each answer must belong to the search it was given for.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/overload.hpp"
#include "tests/places.hpp"
#include "usi/session.hpp"

namespace kakehashi::usi {
namespace {

namespace fs = std::filesystem;

class Replay {
 public:
  /// What the other bridge sent.
  void sent(const std::string& line) {
    if (line == "usi") {
      take(session_.begin());
    } else if (line == "isready") {
      take(session_.prepare({}));
    } else if (line == "usinewgame") {
      take(session_.new_game());
    } else if (line.starts_with("position ")) {
      position_ = line;
    } else if (line.starts_with("go")) {
      auto started =
          session_.search({position_, line, line.starts_with("go ponder")});
      last_go_ = started.search;
      ++searches;
      take(std::move(started.reaction));
    } else if (line.starts_with("ponderhit")) {
      ++hits;
      take(session_.ponderhit(""));
    } else if (line == "stop") {
      ++stops;
      take(session_.abandon());
    } else if (line.starts_with("gameover")) {
      take(session_.game_over(GameOver::draw));
    }
  }

  /// What the engine said.
  void said(const std::string& line) {
    const std::size_t before = answered + swallowed;
    take(session_.on_line(line));
    if (line.starts_with("bestmove ")) {
      ++bestmoves;
      EXPECT_EQ(answered + swallowed, before + 1) << line;
      if (session_.current_search()) {
        EXPECT_EQ(session_.phase(), Session::Phase::searching) << "a queued search starts";
      } else {
        EXPECT_EQ(session_.owed(), 0U) << line;
      }
    }
    if (line.starts_with("option ")) {
      ++options;
    }
  }

  [[nodiscard]] const Session& session() const { return session_; }

  std::size_t searches = 0;
  std::size_t hits = 0;
  std::size_t stops = 0;
  std::size_t bestmoves = 0;
  std::size_t answered = 0;
  std::size_t swallowed = 0;
  std::size_t infos = 0;
  std::size_t options = 0;
  std::vector<std::string> complaints;

 private:
  void take(Reaction reaction) {
    for (const EngineEvent& event : reaction.events) {
      std::visit(base::Overload{
                     [](const Identified&) {},
                     [](const BecameReady&) {},
                     [&](const SearchInfo& info) {
                       ++infos;
                       EXPECT_EQ(info.search, last_go_);
                     },
                     [&](const SearchAnswered& answer) {
                       ++answered;
                       EXPECT_EQ(answer.search, last_go_);
                       EXPECT_FALSE(answer.move.empty());
                     },
                     [](const Refused&) { FAIL() << "no real engine was copy protected"; },
                     [&](const AnswerSwallowed&) { ++swallowed; },
                     [](const AnswerParked&) { FAIL() << "no real engine answered too early"; },
                     [&](const Complaint& complaint) { complaints.push_back(complaint.text.english()); },
                     [](const Said&) {},
                 },
                 event);
    }
  }

  Session session_;
  std::string position_;
  SearchId last_go_{};
};

/// Lines stand as "<time> > text" (sent), "<time> < text" (said) or "<time> ! event".
void perform(const fs::path& path, Replay& replay) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const std::size_t mark = line.find_first_of("<>!");
    if (mark == std::string::npos || mark > 20 || line.size() < mark + 2) {
      continue;
    }
    const std::string text = line.substr(mark + 2);
    if (text.find("stdout") != std::string::npos && line[mark] == '!') {
      return;  // the engine is gone; what was written afterwards reached nobody
    }
    if (line[mark] == '>') {
      replay.sent(text);
    } else if (line[mark] == '<') {
      replay.said(text);
    }
  }
}

TEST(EngineReplay, every_answer_of_every_real_engine_goes_to_its_search) {
  Replay all;
  int files = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(kakehashi::test::tests_dir()) / "transcripts")) {
    const std::string path = entry.path().string();
    if (!entry.is_regular_file() ||
        (!path.ends_with(".usi.log") && path.find("handshakes") == std::string::npos)) {
      continue;
    }
    SCOPED_TRACE(path);
    ++files;
    Replay replay;
    ASSERT_NO_THROW(perform(entry.path(), replay));
    EXPECT_EQ(replay.session().options().size(), replay.options);
    EXPECT_FALSE(replay.session().name().empty());
    EXPECT_EQ(replay.complaints, std::vector<std::string>{});
    EXPECT_EQ(replay.answered + replay.swallowed, replay.bestmoves);
    EXPECT_LE(replay.swallowed, replay.stops + 1) << "only stopped searches are given up";
    EXPECT_LE(replay.session().owed(), 1U) << "at most the search that a death cut off";
    all.searches += replay.searches;
    all.answered += replay.answered;
    all.swallowed += replay.swallowed;
    all.infos += replay.infos;
    all.hits += replay.hits;
  }
  EXPECT_GE(files, 25);
  EXPECT_GT(all.searches, 500U);
  EXPECT_GT(all.answered, 500U);
  EXPECT_GT(all.swallowed, 15U);
  EXPECT_GT(all.infos, 3'000U);
  EXPECT_GT(all.hits, 5U);
}

}  // namespace
}  // namespace kakehashi::usi
