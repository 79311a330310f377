// Real games, replayed through the core: what a real shogi-server and real engines said, at the
// times they said it, must make the bot send the same moves to the server and the same positions
// to the engine as the bridges of those games did. Where the comments differ, ours are meant to.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "shogi/legality.hpp"
#include "support/fake_engine.hpp"
#include "support/stage.hpp"
#include "tests/places.hpp"

namespace kakehashi::bridge {
namespace {

using base::Millis;
using Lines = std::vector<std::string>;

struct Said {
  std::int64_t micros;
  char way;  ///< '<' heard by the bridge, '>' said by it
  bool is_server;
  std::string text;
};

std::vector<Said> read_log(const std::string& path, bool is_server) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::vector<Said> log;
  for (std::string line; std::getline(file, line);) {
    // "1795223091.810080 < LOGIN:bridge_b OK"
    const std::size_t dot = line.find('.');
    const std::size_t blank = line.find(' ');
    if (dot == std::string::npos || blank == std::string::npos || blank + 2 > line.size()) {
      continue;
    }
    log.push_back({base::parse_int(line.substr(0, dot)).value() * 1'000'000 +
                       base::parse_int("1" + line.substr(dot + 1, 6)).value() - 1'000'000,
                   line[blank + 1], is_server,
                   blank + 3 <= line.size() ? line.substr(blank + 3) : ""});
  }
  return log;
}

/// Both peers of one bridge, in the order of time.
std::vector<Said> read_side(const std::string& game, char side) {
  const std::string path =
      test::tests_dir() + "/transcripts/games/" + game + "/" + side;
  std::vector<Said> all = read_log(path + ".csa.log", true);
  const std::vector<Said> engine = read_log(path + ".usi.log", false);
  all.insert(all.end(), engine.begin(), engine.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const Said& a, const Said& b) { return a.micros < b.micros; });
  return all;
}

/// Moves, resignations and declarations to the server; positions to the engine.
struct Course {
  Lines moves;      ///< whole lines, comments included
  Lines positions;
  int agrees = 0;
};

void add_server_line(Course& course, const std::string& line) {
  if (line.starts_with("AGREE")) {
    ++course.agrees;
  } else if (!line.empty() && std::string("+-%").find(line.front()) != std::string::npos) {
    course.moves.push_back(line);
  }
}

void add_engine_line(Course& course, const std::string& line) {
  if (line.starts_with("position ")) {
    course.positions.push_back(std::string(base::trim(line)));
  }
}

Course recorded_course(const std::vector<Said>& log) {
  Course course;
  for (const Said& said : log) {
    if (said.way == '>') {
      said.is_server ? add_server_line(course, said.text) : add_engine_line(course, said.text);
    }
  }
  return course;
}

struct Replay {
  Course course;
  Lines complaints;
  int games_finished = 0;
};

Replay replay(const std::vector<Said>& log, bool ponder, const std::string& game_name) {
  config::BotConfig config = support::stage_config();
  config.ponder = ponder ? config::Ponder::on : config::Ponder::off;
  config.game.name = game_name;
  config.game.comments = true;
  // Those bridges kept nothing back; with our margin some moves would be hurried.
  config.time.margin = Millis{20};
  Replay result;
  support::Stage stage(config, 1, [&](Millis, const Event*, const Actions& actions) {
    for (const Action& action : actions) {
      if (const auto* write = std::get_if<WriteServer>(&action)) {
        add_server_line(result.course, write->line);
      } else if (const auto* to_engine = std::get_if<WriteEngine>(&action)) {
        add_engine_line(result.course, to_engine->line);
      }
    }
  });
  stage.start();
  stage.happen(EngineStarted{EngineId{0, 1}, 1});
  stage.happen(EngineLine{EngineId{0, 1}, "usiok"});
  stage.happen(EngineLine{EngineId{0, 1}, "readyok"});
  stage.happen(ServerConnected{base::verbatim("127.0.0.1:4081")});
  bool is_logged_in = false;
  for (const Said& said : log) {
    if (said.way != '<' || stage.view().games_finished > 0) {
      continue;
    }
    is_logged_in = is_logged_in || (said.is_server && said.text.starts_with("LOGIN:"));
    if (!is_logged_in) {
      continue;  // the handshake of that bridge; ours is done
    }
    stage.pass_to(Millis{(said.micros - log.front().micros) / 1000});
    if (said.is_server) {
      stage.happen(ServerLine{said.text, false});
    } else {
      stage.happen(EngineLine{EngineId{0, 1}, said.text});
    }
  }
  result.complaints = stage.referee().complaints();
  result.games_finished = stage.view().games_finished;
  return result;
}

std::string move_of(const std::string& line) { return line.substr(0, line.find(',')); }
std::string comment_of(const std::string& line) {
  const std::size_t comma = line.find(',');
  return comma == std::string::npos ? "" : line.substr(comma + 1);
}

/// Why our comment on a move is another one than the recorded one. Three habits of those bridges
/// account for all of it: usiToCsa reads no negative score, so it sends none or an older positive
/// one, and turns the line around after a drop; ShogiHome sends none for a mate, or the last
/// centipawns before it; both take bounds for scores, with the short lines that come with them.
/// Ours are cut after twenty moves.
enum class Difference { none, cut_at_twenty, only_ours, only_theirs, score, line };

Difference compare_comments(const std::string& theirs, const std::string& ours) {
  if (theirs == ours) {
    return Difference::none;
  }
  if (theirs.empty()) {
    return Difference::only_ours;
  }
  if (ours.empty()) {
    return Difference::only_theirs;
  }
  const auto a = base::split_words(theirs);
  const auto b = base::split_words(ours);
  if (a[1] != b[1]) {
    return Difference::score;
  }
  return theirs.starts_with(ours) && b.size() == 22 ? Difference::cut_at_twenty : Difference::line;
}

/// How many comments differ in which way; the moves that agree come first.
using Differences = std::array<int, 6>;

struct SaidGame {
  const char* name;
  const char* folder;
  char side;
  bool ponder;
  const char* game_name;
  Differences differences;
};

void PrintTo(const SaidGame& game, std::ostream* out) { *out << game.name; }

class TranscriptReplay : public testing::TestWithParam<SaidGame> {};

TEST_P(TranscriptReplay, sends_what_was_sent) {
  const SaidGame& game = GetParam();
  const std::vector<Said> log = read_side(game.folder, game.side);
  Course recorded = recorded_course(log);
  ASSERT_GT(recorded.moves.size(), 20U);
  if (recorded.moves.back() == "%TORYO" &&
      shogi::legal_moves(support::read_position(recorded.positions.back())).empty()) {
    recorded.positions.pop_back();  // we resign a lost side without asking the engine
  }

  const Replay replayed = replay(log, game.ponder, game.game_name);

  EXPECT_EQ(replayed.games_finished, 1);
  EXPECT_EQ(replayed.course.agrees, 1);
  EXPECT_EQ(replayed.complaints, Lines{});
  EXPECT_EQ(replayed.course.positions, recorded.positions);
  Lines ours;
  Lines theirs;
  for (const std::string& line : replayed.course.moves) {
    ours.push_back(move_of(line));
  }
  for (const std::string& line : recorded.moves) {
    theirs.push_back(move_of(line));
  }
  EXPECT_EQ(ours, theirs);
  Differences differences{};
  for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
    const Difference difference = compare_comments(comment_of(recorded.moves[i]),
                                                   comment_of(replayed.course.moves[i]));
    ++differences[static_cast<std::size_t>(difference)];
  }
  EXPECT_EQ(differences, game.differences);
}

const char* const resignation = "usitocsa-fairy_vs_usitocsa-yaneuraou_resign/game1";
const char* const floodgate = "floodgate_2games_comments/game1";
const char* const floodgate_second = "floodgate_2games_comments/game2";
const char* const handicap = "handicap_hc2p_shogihome_both/game1";
const char* const pondering = "ponder_shogihome_yaneuraou/game1";

INSTANTIATE_TEST_SUITE_P(
    Real, TranscriptReplay,
    testing::Values(
        SaidGame{"resignation_black", resignation, 'a', false,
             "test-10-1F", {11, 0, 22, 0, 6, 0}},
        SaidGame{"resignation_white", resignation, 'b', false,
             "test-10-1F", {20, 0, 5, 0, 7, 6}},
        SaidGame{"floodgate_white", floodgate, 'a', false, "floodgate-20-2F", {22, 2, 10, 0, 0, 0}},
        SaidGame{"floodgate_black", floodgate, 'b', false, "floodgate-20-2F", {7, 0, 22, 0, 5, 1}},
        SaidGame{"floodgate_second_white", floodgate_second, 'a', false,
             "floodgate-20-2F", {19, 1, 3, 0, 1, 0}},
        SaidGame{"floodgate_second_black", floodgate_second, 'b', false,
             "floodgate-20-2F", {6, 0, 14, 0, 4, 1}},
        SaidGame{"handicap_black", handicap, 'a', false, "hc2p_test-5-1F", {43, 6, 4, 0, 0, 0}},
        SaidGame{"handicap_white", handicap, 'b', false, "hc2p_test-5-1F", {48, 0, 3, 0, 1, 0}},
        SaidGame{"ponder_black", pondering, 'a', true, "test-5-1F", {17, 2, 6, 0, 3, 1}},
        SaidGame{"ponder_white", pondering, 'b', false, "test-5-1F", {3, 0, 23, 0, 3, 0}}),
    [](const testing::TestParamInfo<SaidGame>& param) { return param.param.name; });

}  // namespace
}  // namespace kakehashi::bridge
