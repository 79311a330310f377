// Seeded disorder: many clients say anything at any time and vanish, timers come late or for
// nothing. Whatever happens, the server keeps its promises to the shell.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "base/overload.hpp"
#include "rehearse/server/server.hpp"

namespace kakehashi::rehearse::server {
namespace {

using base::Millis;

const std::vector<std::string> words = {
    "LOGIN a test-2-1F,x", "LOGIN b test-2-1F,x", "LOGIN c test-2-1F-B,x", "LOGIN d test-2-1F-W,x",
    "LOGIN a test-2-1F,y", "LOGIN e floodgate-2-1F,x", "LOGIN f floodgate-2-1F,x",
    "LOGIN g pw x1", "LOGIN h pw x1", "AGREE", "AGREE", "AGREE", "AGREE", "REJECT", "LOGOUT", "",
    " ", "+7776FU", "-3334FU", "+2726FU", "-8384FU", "+2838HI", "-8272HI", "+3828HI", "-7282HI",
    "+9999XX", "%TORYO", "%KACHI", "%CHUDAN", "%%GAME test-2-1F *", "%%GAME test-2-1F +",
    "%%GAME", "%%CHAT hello", "\xff\xfe",
    "%%GAME buoy_x-2-1F *",
};

class Chaos {
 public:
  explicit Chaos(std::uint64_t seed) : random_(seed), server_(settings(seed), seed) {}

  void step() {
    switch (below(12)) {
      case 0:
        open_.insert(ConnectionId{++connections_});
        perform(server_.connected(ConnectionId{connections_}, now()));
        return;
      case 1:
        if (below(8) == 0 && !open_.empty()) {
          const auto id = any();
          open_.erase(id);
          perform(server_.on_closed(id, now()));
        }
        return;
      case 2:
        time_ += Millis(below(4) == 0 ? below(130'000) : below(3'000));
        perform(server_.on_timer(now()));
        // What is due has been done: a deadline in the past would spin the shell's timer.
        EXPECT_TRUE(!server_.next_deadline() || *server_.next_deadline() > now().steady);
        return;
      default:
        if (!open_.empty()) {
          const auto& word = words[below(words.size())];
          perform(server_.on_line(any(), word, now()));
        }
    }
  }

  [[nodiscard]] int started() const { return started_; }
  [[nodiscard]] int ended() const { return ended_; }

 private:
  static Settings settings(std::uint64_t seed) {
    Settings settings;
    settings.max_moves = 16;
    settings.late_time_up = seed % 2 == 0;
    if (seed % 3 == 0) {
      settings.floodgate_interval = Millis(60'000);
    }
    return settings;
  }

  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }

  ConnectionId any() {
    auto found = open_.begin();
    std::advance(found, static_cast<std::ptrdiff_t>(below(open_.size())));
    return *found;
  }

  [[nodiscard]] base::Now now() const {
    return {base::SteadyTime(time_), base::WallTime(time_)};
  }

  void perform(const Output& output) {
    for (const auto& order : output.orders) {
      std::visit(base::Overload{[this](const SendLine& send) {
                                  EXPECT_TRUE(open_.contains(send.to)) << send.line;
                                  EXPECT_EQ(send.line.find('\n'), std::string::npos);
                                },
                                [this](const CloseConnection& close) {
                                  EXPECT_EQ(open_.erase(close.connection), 1U);
                                }},
                 order);
    }
    for (const auto& report : output.reports) {
      std::visit(base::Overload{[this](const GameStarted& game) {
                                  ++started_;
                                  EXPECT_TRUE(running_.insert(game.game_id).second);
                                },
                                [this](const MovePlayed& played) {
                                  EXPECT_TRUE(running_.contains(played.game_id));
                                },
                                [this](const GameEnded& game) {
                                  ++ended_;
                                  EXPECT_EQ(running_.erase(game.game_id), 1U);
                                },
                                [](const GameRejected&) {}},
                 report);
    }
  }

  std::mt19937_64 random_;
  Server server_;
  Millis time_{0};
  std::uint64_t connections_ = 0;
  std::set<ConnectionId> open_;
  std::set<std::string> running_;
  int started_ = 0;
  int ended_ = 0;
};

TEST(ServerChaos, promises_to_the_shell_hold_in_any_disorder) {
  int started = 0;
  int ended = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Chaos chaos(seed);
    for (int i = 0; i < 2'000; ++i) {
      chaos.step();
    }
    started += chaos.started();
    ended += chaos.ended();
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(started, 40) << "the disorder must reach the games";
  EXPECT_GT(ended, 40);
}

}  // namespace
}  // namespace kakehashi::rehearse::server
