// The table of faults: what an engine does wrong, when, and whether another one can be had. In each
// cell whole games are played against a server that judges moves and clocks; none may be lost by the
// bridge. The outcome stands in docs/internals/reliability.md: KAKEHASHI_REFRESH=1 writes it anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

#include "shogi/legality.hpp"
#include "shogi/notation/usi.hpp"
#include "support/fake_engine.hpp"
#include "support/fake_server.hpp"
#include "support/stage.hpp"
#include "tests/places.hpp"

namespace kakehashi::bridge {
namespace {

using base::Millis;
using support::FakeEngine;
using support::FakeServer;
using support::Stage;

enum class Fault {
  exits, hangs, illegal, unreadable, declares_wrongly, late, twice, early, floods, noisy, slow, odd,
  stays
};
enum class Moment { boot, between_games, their_turn, pondering, our_turn };
/// restart: the next process behaves; standby: none can be started any more, but one stands by;
/// none: no other engine can be had.
enum class Recovery { restart, standby, none };

const char* describe(Fault fault) {
  switch (fault) {
    case Fault::exits: return "dies";
    case Fault::hangs: return "hangs (stopped, output closed, no line end)";
    case Fault::illegal: return "plays an illegal move";
    case Fault::unreadable: return "answers nonsense";
    case Fault::declares_wrongly: return "declares a win that does not hold";
    case Fault::late: return "answers only to stop";
    case Fault::twice: return "answers twice, or unasked";
    case Fault::early: return "answers before ponderhit";
    case Fault::floods: return "floods with info";
    case Fault::noisy: return "fills standard error";
    case Fault::slow: return "takes 40 s for readyok";
    case Fault::odd: return "declares options wrongly";
    case Fault::stays: return "refuses to quit";
  }
  return "";
}

const char* describe(Moment moment) {
  switch (moment) {
    case Moment::boot: return "boot";
    case Moment::between_games: return "between games";
    case Moment::their_turn: return "opponent's turn";
    case Moment::pondering: return "pondering";
    case Moment::our_turn: return "our turn";
  }
  return "";
}

const char* describe(Recovery recovery) {
  switch (recovery) {
    case Recovery::restart: return "restart";
    case Recovery::standby: return "standby";
    case Recovery::none: return "none";
  }
  return "";
}

/// Some faults have their one place.
bool can_happen(Fault fault, Moment moment) {
  switch (fault) {
    case Fault::early: return moment == Moment::pondering;
    case Fault::slow:
      return moment == Moment::boot || moment == Moment::between_games;
    case Fault::odd: return moment == Moment::boot;
    case Fault::stays: return moment == Moment::between_games;
    default: return true;
  }
}

/// Between games only a fresh process greets, gets ready and quits.
bool needs_fresh_process(Fault fault, Moment moment) {
  return moment == Moment::between_games && (fault == Fault::slow || fault == Fault::stays);
}

bool is_answer(Fault fault) {
  return fault == Fault::illegal || fault == Fault::unreadable ||
         fault == Fault::declares_wrongly;
}

/// An engine that behaves until its moment has come.
class FaultyEngine {
 public:
  FaultyEngine(Fault fault, Moment moment, Recovery recovery)
      : fault_(fault), moment_(moment), recovery_(recovery) {}

  void see(const Event& event) { good_.see(event); }

  void see(const Actions& actions) {
    good_.see(actions);
    for (const Action& action : actions) {
      if (const auto* start = std::get_if<StartEngine>(&action);
          start != nullptr && start->engine.seat == 0) {
        id_ = start->engine;
        ++engines_;
        has_search_ = is_pondering_ = is_mute_ = was_stopped_ = is_readying_ = is_greeting_ = false;
      } else if (const auto* write = std::get_if<WriteEngine>(&action);
                 write != nullptr && write->engine == id_) {
        follow(write->line);
      } else if (const auto* kill = std::get_if<KillEngine>(&action);
                 kill != nullptr && kill->engine == id_) {
        is_mute_ = false;
      }
    }
  }

  /// What the engine does next, by turns of a good one and its fault.
  std::vector<Event> act(int games_finished) {
    const bool is_the_last = recovery_ != Recovery::restart && !needs_fresh_process(fault_, moment_);
    if (engines_ > 1 && is_the_last) {
      return std::exchange(has_refused_[engines_], true) ? std::vector<Event>{} : refuse();
    }
    if (waits_ > 0) {
      --waits_;
      return {};
    }
    if (!is_done_ && is_moment(games_finished)) {
      // Between games nothing is asked for: an answer there is a word too many, said once.
      is_done_ = !(is_answer(fault_) && recovery_ == Recovery::none) ||
                 moment_ == Moment::between_games;
      return misbehave();
    }
    const bool is_only_late = fault_ == Fault::late && (was_stopped_ || !has_search_);
    if (is_mute_ && !is_only_late) {
      return {};
    }
    is_mute_ = is_mute_ && !has_search_;
    const auto event = good_.act();
    if (!event) {
      return {};
    }
    if (const auto* line = std::get_if<EngineLine>(&*event);
        line != nullptr && line->text.starts_with("bestmove")) {
      has_search_ = is_pondering_ = was_stopped_ = false;
      ++answers_;
    }
    return {*event};
  }

  [[nodiscard]] int engines() const { return engines_; }

 private:
  void follow(const std::string& line) {
    if (line == "usi") {
      is_greeting_ = true;
    } else if (line == "isready") {
      is_readying_ = true;
    } else if (line.starts_with("position ")) {
      position_ = line;
    } else if (line == "quit" && fault_ == Fault::stays) {
      is_mute_ = true;
    } else if (line.starts_with("go ponder")) {
      is_pondering_ = has_search_ = true;
    } else if (line.starts_with("go ")) {
      has_search_ = true;
    } else if (line.starts_with("ponderhit")) {
      is_pondering_ = false;
    } else if (line == "stop") {
      was_stopped_ = true;
      is_pondering_ = false;
    }
  }

  [[nodiscard]] bool is_moment(int games_finished) const {
    if (fault_ == Fault::stays) {
      return false;  // its moment is the word quit
    }
    if (fault_ == Fault::odd) {
      return is_greeting_;
    }
    if (fault_ == Fault::slow) {
      return is_readying_ && (moment_ == Moment::boot || engines_ == 2);
    }
    switch (moment_) {
      case Moment::boot: return is_readying_;
      case Moment::between_games: return games_finished == 1 && !has_search_;
      case Moment::their_turn: return answers_ == 1 && !has_search_;
      case Moment::pondering: return is_pondering_ && answers_ >= 1;
      case Moment::our_turn: return has_search_ && !is_pondering_ && answers_ >= 1;
    }
    return false;
  }

  [[nodiscard]] std::vector<Event> refuse() const {
    return {EngineFailedToStart{id_, base::verbatim("Cannot allocate memory")}};
  }

  std::vector<Event> misbehave() {
    const auto say = [&](const char* text) { return Event{EngineLine{id_, text}}; };
    const auto answer = [&](const char* text) {
      has_search_ = is_pondering_ = false;
      const Event event = say(text);
      return std::vector<Event>{event};
    };
    switch (fault_) {
      case Fault::exits: return {EngineExited{id_, base::verbatim("signal 11 (Segmentation fault)")}};
      case Fault::hangs:
      case Fault::late: is_mute_ = true; return {};
      case Fault::illegal: return answer("bestmove 5i5a");
      case Fault::unreadable: return answer("bestmove (none)");
      case Fault::declares_wrongly: return answer("bestmove win");
      case Fault::twice: {
        std::vector<Event> events;
        if (const auto move = has_search_ && !is_pondering_ ? good_.act() : std::nullopt) {
          has_search_ = false;
          ++answers_;
          events.push_back(*move);
        }
        events.push_back(say("bestmove 7g7f"));
        return events;
      }
      case Fault::early: {
        const auto moves = shogi::legal_moves(support::read_position(position_));
        return {say(("bestmove " + shogi::usi::format_move(moves.front())).c_str())};
      }
      case Fault::noisy: {
        std::vector<Event> events;
        for (int i = 0; i < 500; ++i) {
          events.emplace_back(EngineStderr{id_, "a line of noise, as some engines write them"});
        }
        return events;
      }
      case Fault::slow: waits_ = slow_acts; return {};
      case Fault::odd:
        return {say("option name Level type slider default 3"),
                say("option name Depth type spin default 30 min 1 max 20"),
                say("option type check default true")};
      case Fault::stays: return {};
      case Fault::floods: {
        std::vector<Event> events;
        for (int i = 0; i < 500; ++i) {
          events.push_back(say("info depth 5 score cp 30 pv 7g7f 3c3d 2g2f 8c8d"));
        }
        return events;
      }
    }
    return {};
  }

  /// One act is a tenth of a second.
  static constexpr int slow_acts = 400;

  Fault fault_;
  Moment moment_;
  Recovery recovery_;
  FakeEngine good_;
  EngineId id_{0};
  int engines_ = 0;
  int answers_ = 0;
  int waits_ = 0;
  std::string position_;
  bool is_greeting_ = false;
  bool is_readying_ = false;
  bool has_search_ = false;
  bool is_pondering_ = false;
  bool was_stopped_ = false;
  bool is_mute_ = false;
  bool is_done_ = false;
  std::map<int, bool> has_refused_;
};

struct Outcome {
  int games = 0;
  int lost_by_bridge = 0;
  int rescue_moves = 0;
  int engines = 0;
  bool is_over = false;
  std::vector<std::string> complaints;
};

Outcome play(Fault fault, Moment moment, Recovery recovery) {
  config::BotConfig config = support::stage_config();
  config.ponder = moment == Moment::pondering ? config::Ponder::on : config::Ponder::off;
  config.game.count = 2;
  config.engine.standby.enabled = recovery == Recovery::standby;
  config.engine.restart_each_game = needs_fresh_process(fault, moment);
  config.server.after_game = config::AfterGame::reconnect;
  FaultyEngine engine(fault, moment, recovery);
  FakeEngine standby(1);
  FakeServer server;
  Outcome outcome;
  Stage stage(config, 1, [&](Millis at, const Event* event, const Actions& actions) {
    if (event != nullptr) {
      engine.see(*event);
      standby.see(*event);
      server.see(*event, at);
    }
    engine.see(actions);
    standby.see(actions);
    server.see(actions, at);
    for (const Action& action : actions) {
      if (const auto* note = std::get_if<Note>(&action)) {
        outcome.rescue_moves += note->code == "rescue_move";
        outcome.lost_by_bridge += note->code == "lost_by_fault";
      }
    }
  });
  stage.start();
  const Millis end{7'200'000};
  while (!stage.is_over() && stage.at() < end) {
    stage.pass_to(stage.at() + Millis{100});
    if (stage.is_over()) {
      break;
    }
    for (const Event& event : engine.act(stage.view().games_finished)) {
      if (!stage.is_over()) {
        stage.happen(event);
      }
    }
    if (const auto event = standby.act(); event && !stage.is_over()) {
      stage.happen(*event);
    }
    for (bool more = true; more && !stage.is_over();) {
      const auto event = server.act(stage.at());
      if (event) {
        stage.happen(*event);
      }
      const auto* line = event ? std::get_if<ServerLine>(&*event) : nullptr;
      more = line != nullptr && line->more;
    }
  }
  outcome.games = stage.view().games_finished;
  outcome.engines = engine.engines();
  outcome.is_over = stage.is_over();
  outcome.complaints = server.complaints();
  const auto& breaches = stage.referee().complaints();
  outcome.complaints.insert(outcome.complaints.end(), breaches.begin(), breaches.end());
  return outcome;
}

std::string read_page(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

constexpr const char* beginning = "<!-- written by tests/bridge/fault_table_test.cpp -->\n";
constexpr const char* ending = "<!-- end -->\n";

TEST(FaultTable, no_game_is_lost_by_the_bridge_and_the_page_says_so) {
  std::string table =
      "| the engine … | when | another engine | games | rescue moves | engines started | lost by the "
      "bridge |\n| --- | --- | --- | --- | --- | --- | --- |\n";
  int lost = 0;
  for (const Fault fault :
       {Fault::exits, Fault::hangs, Fault::illegal, Fault::unreadable, Fault::declares_wrongly,
        Fault::late, Fault::twice, Fault::early, Fault::floods, Fault::noisy, Fault::slow,
        Fault::odd, Fault::stays}) {
    for (const Moment moment : {Moment::boot, Moment::between_games, Moment::their_turn,
                                Moment::pondering, Moment::our_turn}) {
      for (const Recovery recovery : {Recovery::restart, Recovery::standby, Recovery::none}) {
        if (!can_happen(fault, moment)) {
          continue;
        }
        const Outcome outcome = play(fault, moment, recovery);
        const std::string cell = std::string(describe(fault)) + " | " + describe(moment) + " | " +
                                 describe(recovery);
        EXPECT_TRUE(outcome.is_over) << cell;
        EXPECT_TRUE(recovery == Recovery::none || outcome.games == 2) << cell;
        EXPECT_EQ(outcome.complaints, std::vector<std::string>{}) << cell;
        EXPECT_EQ(outcome.lost_by_bridge, 0) << cell;
        lost += outcome.lost_by_bridge;
        table += "| " + cell + " | " + std::to_string(outcome.games) + " | " +
                 std::to_string(outcome.rescue_moves) + " | " + std::to_string(outcome.engines) +
                 " | " + std::to_string(outcome.lost_by_bridge) + " |\n";
      }
    }
  }
  EXPECT_EQ(lost, 0);

  const std::string path = test::source_dir() + "/docs/internals/reliability.md";
  std::string page = read_page(path);
  const std::size_t begin = page.find(beginning);
  const std::size_t end = page.find(ending);
  ASSERT_TRUE(begin != std::string::npos && end != std::string::npos) << path;
  const std::size_t from = begin + std::string(beginning).size();
  if (std::getenv("KAKEHASHI_REFRESH") != nullptr) {
    page.replace(from, end - from, table);
    std::ofstream(path, std::ios::binary) << page;
    return;
  }
  EXPECT_EQ(page.substr(from, end - from), table);
}

}  // namespace
}  // namespace kakehashi::bridge
