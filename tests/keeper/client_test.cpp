#include "keeper/client.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/overload.hpp"
#include "keeper/keeper.hpp"

namespace kakehashi::keeper {
namespace {

using base::Millis;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Spoken, waits_to_be_acknowledged_and_of_a_time_what_is_left_is_said) {
  const base::SteadyTime now{std::chrono::hours{1}};
  Spoken spoken;
  EXPECT_EQ(spoken.add({.text = "go infinite"}, now), "in 1 go infinite\n");
  EXPECT_EQ(spoken.add({.stop_at = now + Millis{500}}, now), "until 2 500\n");
  EXPECT_EQ(spoken.lines(now + Millis{100}), "in 1 go infinite\nuntil 2 400\n");
  spoken.acknowledge(1);
  EXPECT_EQ(spoken.lines(now + Millis{700}), "until 2 0\n");
  spoken.acknowledge(2);
  spoken.acknowledge(1);  // by the slower way
  EXPECT_EQ(spoken.acknowledged(), 2U);
  EXPECT_EQ(spoken.lines(now), "");
  EXPECT_EQ(spoken.last(), 2U);
}

TEST(Spoken, what_waits_is_bounded) {
  const base::SteadyTime now{std::chrono::hours{1}};
  Spoken spoken;
  EXPECT_TRUE(spoken.add({.text = std::string(Spoken::waiting_bytes_max / 2, 'x')}, now));
  spoken.acknowledge(1);
  EXPECT_TRUE(spoken.add({.text = std::string(Spoken::waiting_bytes_max / 2, 'x')}, now));
  EXPECT_FALSE(spoken.add({.text = std::string(Spoken::waiting_bytes_max / 2, 'x')}, now));
}

TEST(Pings, an_answer_tells_how_long_it_took_once_and_older_ones_are_given_up) {
  const base::SteadyTime now{std::chrono::hours{1}};
  Pings pings(now);
  EXPECT_EQ(pings.due(), now);
  pings.ask(1, now, Millis{1'000});
  EXPECT_EQ(pings.due(), now + Millis{1'000});
  pings.ask(4, now + Millis{1'000}, Millis{1'000});
  EXPECT_EQ(pings.on_pong(4, now + Millis{1'030}), std::chrono::microseconds{30'000});
  EXPECT_EQ(pings.on_pong(4, now + Millis{1'040}), std::nullopt) << "it was answered";
  EXPECT_EQ(pings.on_pong(1, now + Millis{1'040}), std::nullopt) << "a keeper answers the last of several only";
}

TEST(Pings, of_many_without_an_answer_the_oldest_are_forgotten) {
  const base::SteadyTime now{std::chrono::hours{1}};
  Pings pings(now);
  for (std::uint64_t token = 1; token <= Pings::asked_max + 1; ++token) {
    pings.ask(token, now, Millis{1'000});
  }
  EXPECT_EQ(pings.on_pong(1, now), std::nullopt);
  EXPECT_TRUE(pings.on_pong(2, now));
}

/// A client with a virtual clock; what it does is kept as text.
class ClientTest : public testing::Test {
 protected:
  void begin(std::size_t ways) {
    client_.emplace(Client::Rules{.ways = ways, .session = "s"}, now_);
    look();
  }
  void write(const std::string& line) {
    client_->write(line, now_);
    look();
  }
  void say(int link, const std::string& line) {
    client_->on_line(link, line, now_);
    look();
  }
  void close(int link, const std::string& why, bool is_final = false) {
    client_->on_closed(link, base::verbatim(why), is_final, now_);
    look();
  }
  void pass(Millis time) {
    const auto end = now_ + time;
    for (auto due = client_->deadline(); due && *due <= end; due = client_->deadline()) {
      now_ = std::max(now_, *due);
      client_->on_time(now_);
      look();
    }
    now_ = end;
  }
  std::vector<std::string> done() { return std::exchange(done_, {}); }

  base::SteadyTime now_{std::chrono::hours{1}};
  std::optional<Client> client_;

 private:
  void look() {
    for (const ClientAction& action : client_->take_actions()) {
      std::visit(base::Overload{
                     [&](const OpenLink& open) { add("open", open.link, std::to_string(open.way)); },
                     [&](const CloseLink& close) { add("close", close.link, ""); },
                     [&](const SendLink& send) {
                       for (std::size_t at = 0; at < send.text.size();) {
                         const std::size_t end = send.text.find('\n', at);
                         add("send", send.link, send.text.substr(at, end - at));
                         at = end + 1;
                       }
                     },
                     [&](const HearLine& hear) { done_.push_back("hear " + hear.text); },
                     [&](const HearError& hear) { done_.push_back("error " + hear.text); },
                     [&](const EngineFound& found) { done_.push_back("found " + found.version); },
                     [&](const WayUp& up) { add("up", static_cast<int>(up.way), ""); },
                     [&](const WayDown& down) { add("down", static_cast<int>(down.way), down.why.english()); },
                     [&](const NotFound& not_found) { done_.push_back("not found " + not_found.why.english()); },
                     [&](const EngineGone& gone) { done_.push_back("gone " + gone.why.english()); },
                 },
                 action);
    }
  }
  void add(const std::string& word, int number, const std::string& rest) {
    done_.push_back(word + " " + std::to_string(number) + (rest.empty() ? "" : " " + rest));
  }

  std::vector<std::string> done_;
};

TEST_F(ClientTest, lines_are_numbered_and_said_before_the_greeting_has_come) {
  begin(1);
  write("usi");
  EXPECT_THAT(done(), ElementsAre("open 1 0", "send 1 hello 1 s 0", "send 1 in 1 usi"));
  say(1, "Welcome to this machine");
  say(1, "keeper 1 v 1");
  say(1, "out 1 usiok");
  EXPECT_THAT(done(), ElementsAre("found v", "up 0", "hear usiok"));
}

TEST_F(ClientTest, behind_a_cut_what_was_not_acknowledged_is_said_again_and_the_time_is_what_is_left) {
  begin(1);
  say(1, "keeper 1 v 0");
  write("usi");
  say(1, "ack 1");
  write("go infinite");
  client_->stop_at(now_ + Millis{5'000}, now_);
  done();
  pass(Millis{900});
  close(1, "reset");
  EXPECT_THAT(done(), ElementsAre("send 1 until 3 5000", "send 1 ping 1", "down 0 reset", "open 2 0",
                                  "send 2 hello 1 s 0", "send 2 in 2 go infinite", "send 2 until 3 4100"));
  EXPECT_TRUE(client_->is_out());
  say(2, "keeper 1 v 3");
  EXPECT_THAT(done(), ElementsAre("up 0"));
  EXPECT_FALSE(client_->is_out());
}

TEST_F(ClientTest, of_two_ways_the_first_copy_counts_and_one_may_go) {
  begin(2);
  say(1, "keeper 1 v 0");
  say(2, "keeper 1 v 0");
  done();
  say(2, "out 1 usiok");
  say(1, "out 1 usiok");
  write("isready");
  EXPECT_THAT(done(), ElementsAre("hear usiok", "send 1 in 1 isready", "send 2 in 1 isready", "send 2 ack 1"));
  close(1, "reset");
  EXPECT_FALSE(client_->is_out());
  EXPECT_THAT(done(), ElementsAre("down 0 reset", "open 3 0", "send 3 hello 1 s 1", "send 3 in 1 isready"));
}

TEST_F(ClientTest, a_silent_link_is_doubted_within_seconds_and_another_opened_beside_it) {
  begin(1);
  say(1, "keeper 1 v 0");
  done();
  pass(Millis{2'999});
  EXPECT_THAT(done(), ElementsAre("send 1 ping 1", "send 1 ping 2", "send 1 ping 3"));
  pass(Millis{1});
  EXPECT_THAT(done(), testing::Contains("open 2 0"));
  EXPECT_TRUE(client_->is_out());
  say(1, "pong 3");
  EXPECT_THAT(done(), testing::Contains("up 0"));
  say(2, "keeper 1 v 0");
  EXPECT_THAT(done(), ElementsAre("close 1"));
  pass(Millis{3'000});
  EXPECT_THAT(done(), testing::Contains("down 0 nothing was heard for 3 s"));
}

TEST_F(ClientTest, a_link_that_never_becomes_one_is_tried_again_ever_more_rarely) {
  begin(1);
  say(1, "keeper 1 v 0");
  close(1, "reset");
  for (int link = 2; link < 12; ++link) {
    close(link, "no route");
    pass(Millis{3'000});
  }
  std::vector<std::string> opened;
  for (const std::string& line : done()) {
    if (line.starts_with("open")) {
      opened.push_back(line);
    }
  }
  EXPECT_EQ(opened.size(), 12U);
  pass(Millis{10'000});
  EXPECT_THAT(done(), testing::Contains("close 12"));
}

TEST_F(ClientTest, an_engine_that_cannot_be_reached_at_all_is_not_found) {
  begin(2);
  close(1, "ssh: no route to host");
  done();
  close(3, "ssh: no route to host");
  EXPECT_THAT(done(), IsEmpty());
  close(2, "ssh: connection refused");
  EXPECT_THAT(done(), ElementsAre("not found ssh: connection refused"));
}

TEST_F(ClientTest, the_other_machine_s_refusal_to_start_it_is_final) {
  begin(1);
  done();
  close(1, "the engine cannot be started", true);
  EXPECT_THAT(done(), ElementsAre("not found the engine cannot be started"));
  write("usi");
  EXPECT_THAT(done(), IsEmpty());
  EXPECT_EQ(client_->deadline(), std::nullopt);
}

TEST_F(ClientTest, another_engine_in_its_place_is_noticed) {
  for (const std::string greeting : {"keeper 1 v 0", "refused other line 2 is missing", "refused taken by another"}) {
    begin(1);
    say(1, "keeper 1 v 0");
    write("usi");
    say(1, "ack 1");
    close(1, "reset");
    done();
    say(2, greeting);
    EXPECT_THAT(done(), ElementsAre("close 2", testing::StartsWith("gone "))) << greeting;
  }
}

TEST_F(ClientTest, a_greeting_that_was_long_on_a_slow_way_is_no_other_engine_s) {
  begin(2);
  say(1, "keeper 1 v 0");
  write("usi");
  say(1, "ack 1");
  done();
  say(2, "keeper 1 v 0");
  EXPECT_THAT(done(), ElementsAre("up 1"));
}

TEST_F(ClientTest, its_end_is_acknowledged_and_told) {
  begin(1);
  say(1, "keeper 1 v 0");
  done();
  say(1, "exit 1 status 3");
  EXPECT_THAT(done(), ElementsAre("send 1 ack 1", "gone status 3"));
}

TEST_F(ClientTest, a_link_that_is_on_its_way_asks_for_nothing_once_the_engine_was_given_up) {
  begin(2);
  say(1, "keeper 1 v 0");
  done();
  client_->kill();
  close(2, "reset");
  EXPECT_THAT(done(), ElementsAre("close 2", "send 1 kill", "gone killed"));
}

TEST_F(ClientTest, long_out_of_reach_it_is_gone) {
  begin(1);
  say(1, "keeper 1 v 0");
  pass(Millis{600'000});
  EXPECT_FALSE(client_->deadline() == std::nullopt);
  pass(Millis{4'000});
  EXPECT_THAT(done(), testing::Contains("gone its machine could not be reached for 10 min"));
}

TEST_F(ClientTest, nonsense_costs_the_link_and_no_more) {
  begin(1);
  say(1, "keeper 1 v 0");
  for (const std::string line : {"", "hello", "out", "out x y", "out 0 usiok", "ack 9", "ack x"}) {
    done();
    say(1, line);
    EXPECT_THAT(done(), testing::Contains("close 1")) << line;
    begin(1);
    say(1, "keeper 1 v 0");
  }
}

TEST_F(ClientTest, the_round_trip_of_the_fastest_way_counts) {
  begin(2);
  say(1, "keeper 1 v 0");
  say(2, "keeper 1 v 0");
  for (int i = 1; i < 40; i += 2) {
    client_->on_time(now_);
    now_ += Millis{10};
    client_->on_line(1, "pong " + std::to_string(i), now_);
    now_ += Millis{50};
    client_->on_line(2, "pong " + std::to_string(i + 1), now_);
    now_ += Millis{940};
  }
  ASSERT_TRUE(client_->round_trip());
  EXPECT_NEAR(static_cast<double>(client_->round_trip()->mean.count()), 10'000, 10);
  EXPECT_LT(client_->round_trip()->deviation.count(), 100);
}

/// A client and a keeper, and between them ways that delay, cut at any byte, and fall silent; the engine answers each
/// line by two.
class BadWays {
 public:
  BadWays(unsigned seed, std::size_t ways) : dice_(seed) {
    client_.emplace(Client::Rules{.ways = ways, .session = "s"}, now_);
  }

  void run(std::uint64_t lines) {
    for (int step = 0; heard_.size() < 2 * lines; ++step) {
      ASSERT_LT(step, 200'000) << "it never ends";
      if (said_ < lines && dice_() % 4 == 0) {
        client_->write("line " + std::to_string(++said_), now_);
      }
      now_ += Millis{dice_() % 40};
      client_->on_time(now_);
      keeper_.on_time(now_);
      carry();
      if (is_found_ && dice_() % 40 == 0 && !wires_.empty()) {
        fault(std::next(wires_.begin(), static_cast<std::ptrdiff_t>(dice_() % wires_.size()))->first);
      }
    }
    ASSERT_EQ(engine_heard_.size(), lines);
    for (std::uint64_t i = 0; i < lines; ++i) {
      const std::string number = std::to_string(i + 1);
      ASSERT_EQ(engine_heard_[i], "line " + number);
      ASSERT_EQ(heard_[2 * i], "first " + number);
      ASSERT_EQ(heard_[2 * i + 1], "second " + number);
    }
  }

 private:
  struct Wire {
    std::string there;
    std::string back;
    std::string there_rest{};  ///< a line whose end has not arrived
    std::string back_rest{};
    bool is_silent = false;  ///< what is sent is lost, and nobody is told
  };

  void carry() {
    perform();
    for (auto& [number, wire] : wires_) {
      if (wire.is_silent) {
        wire.there.clear();
        static_cast<void>(keeper_.take_text(number, 1 << 16));
        continue;
      }
      for (const std::string& line : arrive(wire.there, wire.there_rest)) {
        keeper_.on_client_line(number, line, now_);
      }
      wire.back += keeper_.take_text(number, 1 + dice_() % 500);
    }
    perform();
    std::vector<std::pair<int, std::string>> lines;
    for (auto& [number, wire] : wires_) {
      if (!wire.is_silent) {
        for (std::string& line : arrive(wire.back, wire.back_rest)) {
          lines.emplace_back(number, std::move(line));
        }
      }
    }
    for (const auto& [number, line] : lines) {
      client_->on_line(number, line, now_);
    }
    perform();
  }

  /// As many bytes as it happens to be.
  std::vector<std::string> arrive(std::string& wire, std::string& rest) {
    const std::size_t count = dice_() % 3 == 0 ? 0 : std::min<std::size_t>(wire.size(), dice_() % 200);
    rest += wire.substr(0, count);
    wire.erase(0, count);
    std::vector<std::string> lines;
    for (std::size_t at = 0; (at = rest.find('\n')) != std::string::npos; rest.erase(0, at + 1)) {
      lines.push_back(rest.substr(0, at));
    }
    return lines;
  }

  void fault(int link) {
    if (dice_() % 2 == 0) {
      wires_.at(link).is_silent = true;
      return;
    }
    wires_.erase(link);
    keeper_.on_client_gone(link, now_);
    client_->on_closed(link, base::verbatim("reset"), false, now_);
  }

  void perform() {
    for (const Action& action : keeper_.take_actions()) {
      if (const auto* write = std::get_if<WriteEngine>(&action)) {
        engine_heard_.push_back(write->line);
        const std::string number = write->line.substr(write->line.find(' ') + 1);
        keeper_.on_engine_line("first " + number, now_);
        keeper_.on_engine_line("second " + number, now_);
      } else if (const auto* close = std::get_if<CloseClient>(&action)) {
        keeper_.on_client_gone(close->client, now_);
        if (wires_.erase(close->client) > 0) {
          client_->on_closed(close->client, base::verbatim("closed"), false, now_);
        }
      }
    }
    for (const ClientAction& action : client_->take_actions()) {
      if (const auto* open = std::get_if<OpenLink>(&action)) {
        wires_.emplace(open->link, Wire{});
        keeper_.on_client(open->link, now_);
      } else if (const auto* close = std::get_if<CloseLink>(&action)) {
        if (wires_.erase(close->link) > 0 && dice_() % 2 == 0) {
          keeper_.on_client_gone(close->link, now_);
        }
      } else if (const auto* send = std::get_if<SendLink>(&action)) {
        if (const auto wire = wires_.find(send->link); wire != wires_.end()) {
          wire->second.there += send->text;
        }
      } else if (const auto* hear = std::get_if<HearLine>(&action)) {
        heard_.push_back(hear->text);
      } else {
        is_found_ = is_found_ || std::holds_alternative<EngineFound>(action);
        ASSERT_FALSE(std::holds_alternative<EngineGone>(action)) << std::get<EngineGone>(action).why;
        ASSERT_FALSE(std::holds_alternative<NotFound>(action));
      }
    }
  }

  std::mt19937 dice_;
  base::SteadyTime now_{std::chrono::hours{1}};
  Keeper keeper_{{.version = "v"}, now_};
  std::optional<Client> client_;
  std::map<int, Wire> wires_;
  bool is_found_ = false;  ///< before that a cut means that there is none
  std::uint64_t said_ = 0;
  std::vector<std::string> engine_heard_;
  std::vector<std::string> heard_;
};

TEST(ClientAndKeeper, cuts_and_silence_at_any_moment_lose_no_line_and_repeat_none) {
  for (unsigned seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    BadWays(seed, 1 + seed % 3).run(100);
    if (testing::Test::HasFatalFailure()) {
      return;
    }
  }
}

}  // namespace
}  // namespace kakehashi::keeper
