// What an engine is told anew between games: options that a rule of the configuration changes, buttons,
// pondering, and the rules of the game where the user has set them already.
#include <gtest/gtest.h>

#include "bridge/engine/engine_supervisor.hpp"
#include "bridge/event.hpp"
#include "tests/bridge/supervisor_on_stage.hpp"

namespace kakehashi::bridge {
namespace {

using Options = std::vector<std::pair<std::string, std::optional<std::string>>>;

/// A ready engine that declares `options`, and was told those of the configuration.
struct Declared {
  Declared(Options own, const std::vector<const char*>& options, bool ponder = false)
      : s(ponder, with(own)) {
    s.start();
    static_cast<void>(s.seat.on(EngineStarted{EngineId{0, 1}, 1}, s.now, s.out));
    for (const char* option : options) {
      static_cast<void>(s.line(option));
    }
    static_cast<void>(s.line("usiok"));
    static_cast<void>(s.line("readyok"));
    static_cast<void>(s.said());
  }
  static config::Engine with(Options own) {
    config::Engine config;
    config.options = std::move(own);
    return config;
  }
  /// What the next game's preparation writes.
  Words prepared(Options own, bool ponder = false, const GameRules& rules = {}) {
    s.seat.known().adopt(with(std::move(own)), ponder);
    s.seat.prepare_game(rules, s.now, s.out);
    return s.said();
  }
  Seat s;
};

const char* const hash = "option name Hash type spin default 16 min 1 max 1024";
const char* const clear = "option name Clear type button";
const char* const ponders = "option name USI_Ponder type check default false";
const char* const limit_option = "option name MaxMovesToDraw type spin default 0 min 0 max 1000";

TEST(EngineSupervisorOptions, pondering_alone_may_change) {
  Declared engine({}, {ponders});
  EXPECT_EQ(engine.prepared({}, true), (Words{"setoption name USI_Ponder value true", "isready"}));
  EXPECT_EQ(engine.s.line("readyok").size(), 1U);
  EXPECT_EQ(engine.prepared({}, true), Words{"info engine_ready"}) << "nothing to tell";
}

TEST(EngineSupervisorOptions, what_is_not_wished_any_more_goes_back_to_its_default_once) {
  Declared engine({{"Hash", "32"}, {"Hash", "64"}}, {hash});
  EXPECT_EQ(engine.prepared({}), (Words{"setoption name Hash value 16", "isready"}));
}

TEST(EngineSupervisorOptions, a_button_cannot_be_let_go) {
  Declared engine({{"Clear", std::nullopt}, {"Hash", "32"}}, {clear, hash});
  EXPECT_EQ(engine.prepared({}), (Words{"setoption name Hash value 16", "isready"}));
}

TEST(EngineSupervisorOptions, a_rule_that_the_user_has_set_as_it_is_needs_no_word) {
  GameRules rules;
  rules.max_moves = 300;
  const Options own{{"MaxMovesToDraw", "300"}};
  Declared engine(own, {limit_option});
  EXPECT_EQ(engine.prepared(own, false, rules), Words{});

  Declared other({{"MaxMovesToDraw", "200"}}, {limit_option});
  EXPECT_EQ(other.prepared({{"MaxMovesToDraw", "200"}}, false, rules),
            Words{"warn engine_rule_contradicted"});
}

TEST(EngineSupervisorOptions, a_button_of_that_name_is_the_users_as_well) {
  // NetworkDelay2 is a number in every engine that has it; this one makes a button of it.
  Declared engine({{"NetworkDelay2", std::nullopt}}, {"option name NetworkDelay2 type button"});
  EXPECT_TRUE(engine.s.seat.known().options.delays().empty());
}

TEST(EngineSupervisorOptions, rules_that_wait_for_an_answer_stand_in_for_the_proof) {
  Declared engine({}, {limit_option});
  Seat& s = engine.s;
  static_cast<void>(s.seat.search(request, s.out));
  s.seat.game_over(usi::GameOver::win, s.now, s.out);
  s.seat.prove(s.now, s.out);
  GameRules rules;
  rules.max_moves = 300;
  s.seat.prepare_game(rules, s.now, s.out);
  static_cast<void>(s.said());

  static_cast<void>(s.line("bestmove 7g7f"));

  EXPECT_EQ(s.said(), (Words{"gameover win", "setoption name MaxMovesToDraw value 300", "isready",
                             "debug bestmove_swallowed", "info engine_rule_set"}));
  EXPECT_TRUE(has<EngineReady>(s.line("readyok")));
  EXPECT_TRUE(s.seat.is_idle()) << "one readyok answers both";
}

}  // namespace
}  // namespace kakehashi::bridge
