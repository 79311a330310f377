// What real engines said (tests/transcripts): nothing of it is lost or misread.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "tests/places.hpp"
#include "usi/message.hpp"

namespace kakehashi::usi {
namespace {

namespace fs = std::filesystem;

struct Counts {
  int lines = 0;
  int options = 0;
  int infos = 0;
  int bestmoves = 0;
  int usiok = 0;
  int readyok = 0;
};

/// Reads a transcript's engine lines (" < ") and checks each by its first word.
Counts read_transcript(const fs::path& path) {
  Counts counts;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const std::size_t mark = line.find(" < ");
    if (mark == std::string::npos || mark > 20) {
      continue;
    }
    const std::string said = line.substr(mark + 3);
    const EngineMessage message = parse_line(said);
    ++counts.lines;
    if (said.starts_with("option ")) {
      ++counts.options;
      EXPECT_TRUE(std::holds_alternative<OptionDeclared>(message)) << said;
    } else if (said.starts_with("bestmove ")) {
      ++counts.bestmoves;
      const auto* best = std::get_if<BestMove>(&message);
      EXPECT_TRUE(best != nullptr && !best->move.empty()) << said;
      const bool predicts = said.find(" ponder ") != std::string::npos;
      EXPECT_EQ(predicts, best != nullptr && !best->ponder.empty()) << said;
    } else if (said.starts_with("info ")) {
      ++counts.infos;
      const auto* info = std::get_if<InfoLine>(&message);
      const bool has_score = said.find(" score ") != std::string::npos &&
                             said.find(" string ") == std::string::npos;
      EXPECT_TRUE(info != nullptr && info->info.score.has_value() == has_score) << said;
      const bool has_pv = said.find(" pv ") != std::string::npos &&
                          said.find(" string ") == std::string::npos;
      EXPECT_TRUE(info != nullptr && info->info.pv.empty() != has_pv) << said;
    } else if (said == "usiok") {
      ++counts.usiok;
      EXPECT_TRUE(std::holds_alternative<UsiOk>(message));
    } else if (said == "readyok") {
      ++counts.readyok;
      EXPECT_TRUE(std::holds_alternative<ReadyOk>(message));
    }
  }
  return counts;
}

TEST(EngineTranscripts, every_line_of_every_real_engine_is_understood) {
  Counts all;
  int files = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(kakehashi::test::tests_dir()) / "transcripts")) {
    const std::string path = entry.path().string();
    if (!path.ends_with(".usi.log") && path.find("handshakes") == std::string::npos) {
      continue;
    }
    if (!entry.is_regular_file()) {
      continue;
    }
    ++files;
    const Counts counts = read_transcript(entry.path());
    EXPECT_GT(counts.lines, 5) << path;
    all.options += counts.options;
    all.infos += counts.infos;
    all.bestmoves += counts.bestmoves;
    all.usiok += counts.usiok;
    all.readyok += counts.readyok;
  }
  EXPECT_GE(files, 25);
  EXPECT_GT(all.options, 300);
  EXPECT_GT(all.infos, 1'000);
  EXPECT_GT(all.bestmoves, 500);
  EXPECT_GE(all.usiok, 25);
  EXPECT_GE(all.readyok, 25);
}

}  // namespace
}  // namespace kakehashi::usi
