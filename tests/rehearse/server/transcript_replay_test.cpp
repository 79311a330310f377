// The real server as the judge of ours: what clients once sent to shogi-server is sent to Server
// at the recorded times, and Server must answer every connection with the recorded lines, in
// their order, at about their times, and close what was closed.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <regex>
#include <set>
#include <string_view>
#include <variant>

#include "base/overload.hpp"
#include "base/text.hpp"
#include "rehearse/server/server.hpp"
#include "tests/rehearse/server/transcript.hpp"

namespace kakehashi::rehearse::server {
namespace {

/// What the recorded server could not be copied in, and why. Kept as short as possible.
struct Deviation {
  const char* transcript;
  const char* why;
  std::string_view unread_line = {};  ///< a line that the real server never read
  double stall_from_s = 0;            ///< the real server did nothing from here ...
  double stall_to_s = 0;              ///< ... to here
  std::string_view open_connection = {};  ///< how its connection ends is not compared
};

constexpr Deviation deviations[] = {
    {"probes/two_commands_one_packet",
     "shogi-server loses the second line of one segment; ours reads every line", "+7776FU"},
    {"probes/out_of_turn",
     "the recorded server stood still for two seconds, and measured T4 where 3 s were over",
     {}, 5.0, 6.9},
    {"probes/speed_default", "its 254 moves were not written down: B's last line is unknown",
     {}, 0, 0, "B"},
    {"probes/speed_quickack", "its 254 moves were not written down: B's last line is unknown",
     {}, 0, 0, "B"},
    {"probes/reject", "A's AGREE was read after B's REJECT, and closed it; ours reads in order", {}, 0,
     0, "A"},
    {"probes/bad_login", "the server was stopped at the end", {}, 0, 0, "A"},
    {"probes/buoy", "the server was stopped at the end", {}, 0, 0, "W"},
    {"probes/duplicate_login", "the server was stopped at the end", {}, 0, 0, "C"},
    {"probes/game_names", "the server was stopped at the end", {}, 0, 0, "W"},
    {"probes/x1_player", "the server was stopped at the end", {}, 0, 0, "W"},
};

/// Our server answers in no time; the recorded one was up to two seconds late, with the lines
/// and T values of the earlier moment.
constexpr double earliest_s = 2.0;
constexpr double latest_s = 0.1;
/// A close could be seen later still: the reading side was busy.
constexpr double earliest_close_s = 5.0;
/// What a client that closes has not read any more.
constexpr double unread_before_close_s = 0.1;
constexpr std::uint64_t seeds_max = 64;

const Deviation* deviation_of(const std::string& name) {
  const auto found = std::find_if(std::begin(deviations), std::end(deviations),
                                  [&name](const Deviation& each) { return name == each.transcript; });
  return found == std::end(deviations) ? nullptr : &*found;
}

struct Line {
  double at_s;
  std::string text;
};

struct Heard {
  std::vector<Line> lines;
  std::optional<double> closed_by_server_s;
  std::optional<double> closed_by_client_s;
};
using HeardByConnection = std::map<std::string, Heard>;

/// Of who looks on, and of who prepares games for others: ours has no words for them. What is prepared is arranged here.
constexpr std::array<std::string_view, 8> words_left_out{"WHO", "LIST", "VERSION", "HELP", "SHOW", "MONITOR2", "SETBUOY",
                                                         "GETBUOYCOUNT"};

bool is_left_out(std::string_view line, std::string_view before_word) {
  return std::any_of(words_left_out.begin(), words_left_out.end(), [&](std::string_view word) {
    return line.starts_with(std::string(before_word) + std::string(word));
  });
}

HeardByConnection recorded(const Transcript& transcript) {
  HeardByConnection heard;
  for (const auto& event : transcript.events) {
    auto& connection = heard[event.connection];
    switch (event.what) {
      case What::receives:
        if (!is_left_out(event.text, "##[")) {
          connection.lines.push_back({event.at_s, event.text});
        }
        break;
      case What::is_closed:
        connection.closed_by_server_s = event.at_s;
        break;
      case What::closes:
        connection.closed_by_client_s = event.at_s;
        break;
      case What::connects:
      case What::sends:
        break;
    }
  }
  return heard;
}

/// Feeds one transcript to a Server under virtual time.
class Replay {
 public:
  Replay(const Transcript& transcript, std::uint64_t seed)
      : transcript_(transcript),
        deviation_(deviation_of(transcript.name)),
        server_(settings(transcript), seed) {}

  HeardByConnection run() {
    for (const auto& event : transcript_.events) {
      const auto at_s = delayed(event.at_s);
      run_timers(at_s);
      perform(at_s, take(event, at_s));
    }
    run_timers(transcript_.events.back().at_s);
    return std::move(heard_);
  }

 private:
  static Settings settings(const Transcript& transcript) {
    Settings settings;
    settings.max_moves = std::stoi("0" + transcript.first_received("Max_Moves:"));
    settings.floodgate_interval = base::Seconds(60);
    settings.late_time_up = true;
    return settings;
  }

  double delayed(double at_s) const {
    const bool is_stalled = deviation_ != nullptr && at_s >= deviation_->stall_from_s &&
                            at_s < deviation_->stall_to_s;
    return is_stalled ? deviation_->stall_to_s : at_s;
  }

  base::Now now(double at_s) const {
    // Probes count from their start, which was about this moment (UTC); logs show the time itself.
    constexpr double probes_began_s = 1795222138;
    const auto wall_s = transcript_.name.starts_with("probes/") ? probes_began_s + at_s : at_s;
    // To the microsecond: one move of a recorded game took 1.9995 s.
    const std::chrono::microseconds steady(std::llround(at_s * 1'000'000));
    return {base::SteadyTime(steady), base::WallTime(base::Millis(std::llround(wall_s * 1000)))};
  }

  void run_timers(double until_s) {
    for (auto next = server_.next_deadline(); next; next = server_.next_deadline()) {
      const std::chrono::duration<double> since_start = *next - base::SteadyTime();
      const auto at_s = delayed(since_start.count());
      if (at_s > until_s) {
        return;
      }
      perform(at_s, server_.on_timer(now(at_s)));
    }
  }

  Output take(const TranscriptEvent& event, double at_s) {
    switch (event.what) {
      case What::connects:
        ids_[event.connection] = ConnectionId{ids_.size() + 1};
        return server_.connected(ids_[event.connection], now(at_s));
      case What::sends:
        if (deviation_ != nullptr && !event.text.empty() &&
            deviation_->unread_line == event.text) {
          return {};
        }
        if (is_left_out(event.text, "%%")) {
          prepare(event.text);
          return {};
        }
        return server_.on_line(ids_[event.connection], with_our_games(event.text), now(at_s));
      case What::closes:
        return server_.on_closed(ids_[event.connection], now(at_s));
      case What::receives:
        remember_game(event.text, recorded_games_);
        return {};
      case What::is_closed:
        return {};
    }
    return {};
  }

  /// "%%SETBUOY GAME +7776FU-3334FU 2".
  void prepare(const std::string& line) {
    constexpr std::size_t move_bytes = 7;
    const auto words = base::split_words(line);
    if (words[0] != "%%SETBUOY") {
      return;
    }
    Arrangement next;
    next.start = shogi::Position::startpos();
    for (std::size_t at = 0; at < words[2].size(); at += move_bytes) {
      next.moves.push_back({std::string(words[2].substr(at, move_bytes))});
    }
    server_.arrange(std::move(next));
  }

  static void remember_game(const std::string& line, std::vector<std::string>& games) {
    constexpr std::string_view key = "Game_ID:";
    const auto id = line.starts_with(key) ? line.substr(key.size()) : "";
    if (!id.empty() && std::find(games.begin(), games.end(), id) == games.end()) {
      games.push_back(id);
    }
  }

  /// Clients named games as the real server had; ours has other time stamps.
  std::string with_our_games(std::string line) const {
    for (std::size_t i = 0; i < recorded_games_.size() && i < our_games_.size(); ++i) {
      const auto at = line.find(recorded_games_[i]);
      if (at != std::string::npos) {
        line.replace(at, recorded_games_[i].size(), our_games_[i]);
      }
    }
    return line;
  }

  void perform(double at_s, const Output& output) {
    for (const auto& order : output.orders) {
      std::visit(base::Overload{[&](const SendLine& send) {
                                  remember_game(send.line, our_games_);
                                  heard_[name_of(send.to)].lines.push_back({at_s, send.line});
                                },
                                [&](const CloseConnection& close) {
                                  heard_[name_of(close.connection)].closed_by_server_s = at_s;
                                }},
                 order);
    }
  }

  std::string name_of(ConnectionId id) const {
    const auto found = std::find_if(ids_.begin(), ids_.end(),
                                    [id](const auto& each) { return each.second == id; });
    return found == ids_.end() ? "nobody" : found->first;
  }

  const Transcript& transcript_;
  const Deviation* deviation_;
  Server server_;
  std::map<std::string, ConnectionId> ids_;
  std::vector<std::string> recorded_games_;
  std::vector<std::string> our_games_;
  HeardByConnection heard_;
};

/// The time stamps of game ids by their order: "local+...+#1".
void number_games(HeardByConnection& heard) {
  static const std::regex stamp(R"(local\+[^ \]]*\+(\d{14}))");
  std::set<std::string> stamps;
  for (const auto& [name, connection] : heard) {
    for (const auto& line : connection.lines) {
      if (std::smatch match; std::regex_search(line.text, match, stamp)) {
        stamps.insert(match[1]);
      }
    }
  }
  for (auto& [name, connection] : heard) {
    for (auto& line : connection.lines) {
      int number = 0;
      for (const auto& each : stamps) {
        ++number;
        for (auto at = line.text.find(each); at != std::string::npos; at = line.text.find(each)) {
          line.text.replace(at, each.size(), "#" + std::to_string(number));
        }
      }
    }
  }
}

std::vector<std::string> blacks(const HeardByConnection& heard) {
  std::vector<std::string> names;
  for (const auto& [name, connection] : heard) {
    for (const auto& line : connection.lines) {
      if (line.text.starts_with("Name+:")) {
        names.push_back(line.text);
      }
    }
  }
  return names;
}

/// Colors are drawn by lot: with the seed that draws them as the real server did.
HeardByConnection replay(const Transcript& transcript, const HeardByConnection& expected) {
  for (std::uint64_t seed = 0; seed < seeds_max; ++seed) {
    auto heard = Replay(transcript, seed).run();
    if (blacks(heard) == blacks(expected)) {
      return heard;
    }
  }
  return Replay(transcript, 0).run();
}

void expect_same_lines(const Heard& heard, const Heard& expected) {
  std::size_t at = 0;
  for (; at < expected.lines.size() && at < heard.lines.size(); ++at) {
    ASSERT_EQ(heard.lines[at].text, expected.lines[at].text) << "line " << at + 1;
    EXPECT_LE(heard.lines[at].at_s, expected.lines[at].at_s + latest_s) << expected.lines[at].text;
    EXPECT_GE(heard.lines[at].at_s, expected.lines[at].at_s - earliest_s)
        << expected.lines[at].text;
  }
  if (at < expected.lines.size()) {
    FAIL() << "missing from here: " << expected.lines[at].text;
  }
  for (; at < heard.lines.size(); ++at) {
    EXPECT_TRUE(expected.closed_by_client_s &&
                heard.lines[at].at_s >= *expected.closed_by_client_s - unread_before_close_s)
        << "too much: " << heard.lines[at].text;
  }
}

void expect_same_close(const Heard& heard, const Heard& expected) {
  if (!expected.closed_by_server_s) {
    return;  // the client closed first, or nobody did
  }
  ASSERT_TRUE(heard.closed_by_server_s) << "still open";
  EXPECT_LE(*heard.closed_by_server_s, *expected.closed_by_server_s + latest_s);
  EXPECT_GE(*heard.closed_by_server_s, *expected.closed_by_server_s - earliest_close_s);
}

class TranscriptReplay : public testing::TestWithParam<std::string> {};

TEST_P(TranscriptReplay, our_server_says_what_the_real_one_said) {
  const auto transcript = read_transcript(GetParam());
  ASSERT_FALSE(transcript.events.empty());
  auto expected = recorded(transcript);
  auto heard = replay(transcript, expected);
  number_games(expected);
  number_games(heard);

  const auto* deviation = deviation_of(transcript.name);
  for (const auto& [name, connection] : expected) {
    SCOPED_TRACE("connection " + name);
    expect_same_lines(heard[name], connection);
    const bool is_left_open = deviation != nullptr && deviation->open_connection == name;
    if (!is_left_open) {
      expect_same_close(heard[name], connection);
    }
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  auto name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Recorded, TranscriptReplay, testing::ValuesIn(transcript_names()),
                         test_name);

TEST(Transcripts, all_transcripts_are_there) {
  EXPECT_EQ(transcript_names().size(), 37U);
}

}  // namespace
}  // namespace kakehashi::rehearse::server
