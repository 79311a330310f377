// Walks the table of bridge/phase.hpp: every phase meets every kind of event, and what becomes of
// the bot is compared with what the table says.
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "bridge/phase.hpp"
#include "support/stage.hpp"
#include "support/summary_block.hpp"

namespace kakehashi::bridge {
namespace {

using base::Millis;
using support::Stage;

// A new phase or kind of event has no row below: write it.
static_assert(static_cast<int>(Phase::gone) + 1 == 10);
static_assert(std::variant_size_v<Event::variant> == 15);

/// A bot on its stage, with what it did last.
class Scene {
 public:
  enum class Hours { all, some };
  explicit Scene(Hours hours)
      : stage_(config(hours), 1,
               [this](Millis, const Event*, const Actions& actions) {
                 for (const Action& action : actions) {
                   take(action);
                 }
               }) {
    stage_.start();
  }

  [[nodiscard]] View view() const { return stage_.view(); }
  void happen(const Event& event) {
    done_.clear();
    stage_.happen(event);
  }
  void engine_says(const char* text, std::uint32_t engine = 1) {
    happen(EngineLine{EngineId{0, engine}, text});
  }
  void server_says(const char* text) { happen(ServerLine{text, false}); }
  /// Until the phase changes or `most` has passed.
  void wait(Millis most) {
    done_.clear();
    const std::string before = phase();
    const Millis end = stage_.at() + most;
    while (!stage_.is_over() && phase() == before && stage_.next_ring().value_or(end) < end) {
      stage_.pass_to(*stage_.next_ring());
    }
  }

  [[nodiscard]] std::string phase() const { return name_of(stage_.view().phase).english(); }
  /// What was done since the last event, in a few words, separated by blanks.
  [[nodiscard]] const std::string& done() const { return done_; }
  [[nodiscard]] const std::vector<std::string>& complaints() const {
    return stage_.referee().complaints();
  }

  // --- the ways into each phase
  void boot(std::uint32_t engine = 1) {
    happen(EngineStarted{EngineId{0, engine}, 1});
    engine_says("usiok", engine);
    engine_says("readyok", engine);
  }
  void connect() {
    boot();
    happen(ServerConnected{base::verbatim("192.0.2.1:4081")});
  }
  void log_in() {
    connect();
    server_says("LOGIN:mybot OK");
  }
  void pair(const char* words = "your_turn=-") {
    const auto block = support::write_summary_block(words);
    for (const std::string& line : block.value()) {
      server_says(line.c_str());
    }
  }
  void lose_engine_and_pair() {
    log_in();
    happen(EngineExited{EngineId{0, 1}, base::verbatim("signal 9 (Killed)")});
    pair();
  }
  void agree() {
    log_in();
    pair();
  }
  void play(const char* words = "your_turn=-") {
    log_in();
    pair(words);
    server_says("START:test+1");
  }
  void back_off() {
    boot();
    happen(ServerClosed{ServerClosed::How::refused, base::verbatim("Connection refused")});
  }
  /// Until its window is over, a minute after the beginning.
  void rest() {
    log_in();
    wait(Millis{60'000});
  }
  void leave() {
    log_in();
    happen(StopRequested{Urgency::drain});
  }
  void quit() {
    leave();
    server_says("LOGOUT:completed");
  }
  void be_gone() {
    quit();
    happen(EngineExited{EngineId{0, 1}, base::verbatim("exit status 0")});
  }

 private:
  /// The scene begins at 03:04:05.
  static config::BotConfig config(Hours hours) {
    config::BotConfig config = support::stage_config();
    if (hours == Hours::some) {
      config.schedule.windows = {"03:00-03:05", "03:10-04:00"};
      config.schedule.time_zone = "UTC";
    }
    return config;
  }
  void take(const Action& action) {
    const auto add = [this](const std::string& word) {
      done_ += (done_.empty() ? "" : " ") + word;
    };
    if (const auto* note = std::get_if<Note>(&action)) {
      if (note->level == Level::warn || note->level == Level::error) {
        add(note->code);
      }
    } else if (const auto* write = std::get_if<WriteServer>(&action)) {
      add("server:" + (write->log_as.substr(0, write->log_as.find_first_of(" ,"))));
    } else if (const auto* to_engine = std::get_if<WriteEngine>(&action)) {
      add("engine:" + to_engine->line.substr(0, to_engine->line.find(' ')));
    } else if (std::holds_alternative<ConnectServer>(action)) {
      add("connect");
    } else if (std::holds_alternative<CloseServer>(action)) {
      add("close");
    } else if (std::holds_alternative<StartEngine>(action)) {
      add("start");
    } else if (std::holds_alternative<KillEngine>(action)) {
      add("kill");
    } else if (std::holds_alternative<Exit>(action)) {
      add("exit");
    }
  }

  std::string done_;
  Stage stage_;
};

using Way = std::function<void(Scene&)>;

const std::map<std::string, Way> ways{
    {"Preparing", [](Scene&) {}},
    {"Connecting", [](Scene& s) { s.boot(); }},
    {"LoggingIn", [](Scene& s) { s.connect(); }},
    {"Waiting", [](Scene& s) { s.log_in(); }},
    {"Agreeing", [](Scene& s) { s.lose_engine_and_pair(); }},
    {"Agreed", [](Scene& s) { s.agree(); }},
    {"Playing", [](Scene& s) { s.play(); }},
    {"OurTurn", [](Scene& s) { s.play("your_turn=+"); }},
    {"Backoff", [](Scene& s) { s.back_off(); }},
    {"Resting", [](Scene& s) { s.rest(); }},
    {"Leaving", [](Scene& s) { s.leave(); }},
    {"Quitting", [](Scene& s) { s.quit(); }},
    {"Gone", [](Scene& s) { s.be_gone(); }},
};

const std::map<std::string, Way> happenings{
    {"ServerConnected", [](Scene& s) { s.happen(ServerConnected{base::verbatim("192.0.2.9:4081")}); }},
    {"chatter", [](Scene& s) { s.server_says("##[CHAT][someone] hello"); }},
    {"LOGIN OK", [](Scene& s) { s.server_says("LOGIN:mybot OK"); }},
    {"LOGIN refused", [](Scene& s) { s.server_says("LOGIN:incorrect"); }},
    {"summary", [](Scene& s) { s.pair(); }},
    {"START", [](Scene& s) { s.server_says("START:test+1"); }},
    {"REJECT", [](Scene& s) { s.server_says("REJECT:test+1 by foe"); }},
    {"move", [](Scene& s) { s.server_says("+7776FU,T1"); }},
    {"end", [](Scene& s) { s.server_says("#CHUDAN"); }},
    {"LOGOUT", [](Scene& s) { s.server_says("LOGOUT:completed"); }},
    {"ServerClosed", [](Scene& s) { s.happen(ServerClosed{ServerClosed::How::eof, base::verbatim("eof")}); }},
    {"EngineStarted", [](Scene& s) { s.happen(EngineStarted{EngineId{0, 1}, 1}); }},
    {"engine ready", [](Scene& s) { s.boot(); }},
    {"engine2 ready", [](Scene& s) { s.boot(2); }},
    {"bestmove", [](Scene& s) { s.engine_says("bestmove 7g7f"); }},
    {"EngineStderr", [](Scene& s) { s.happen(EngineStderr{EngineId{0, 1}, "words"}); }},
    {"EngineExited", [](Scene& s) { s.happen(EngineExited{EngineId{0, 1}, base::verbatim("signal 11")}); }},
    {"Engine2Exited", [](Scene& s) { s.happen(EngineExited{EngineId{0, 2}, base::verbatim("signal 11")}); }},
    {"EngineFailed", [](Scene& s) { s.happen(EngineFailedToStart{EngineId{0, 1}, base::verbatim("no such")}); }},
    {"engine link measured",
     [](Scene& s) { s.happen(EngineLink{.engine = {0, 1}, .is_up = true, .round_trip = std::chrono::microseconds{30}}); }},
    {"early timer", [](Scene& s) { s.happen(TimerFired{}); }},
    {"deadline", [](Scene& s) { s.wait(Millis{400'000}); }},
    {"drain", [](Scene& s) { s.happen(StopRequested{Urgency::drain}); }},
    {"resign", [](Scene& s) { s.happen(StopRequested{Urgency::resign}); }},
    {"at_once", [](Scene& s) { s.happen(StopRequested{Urgency::at_once}); }},
    {"record written", [](Scene& s) { s.happen(RecordWritten{"game.csa", {}}); }},
    {"book answer to nobody",
     [](Scene& s) { s.happen(BookAnswered{99, "7g7f none 0 0 1"}); }},
    {"clock of nobody who asked",
     [](Scene& s) { s.happen(ClockRecalled{EngineId{0, 1}, {usi::ClockReading::adds, false}}); }},
    {"record failed", [](Scene& s) { s.happen(RecordWritten{"game.csa", base::verbatim("disk full")}); }},
    {"link measured", [](Scene& s) { s.happen(LinkMeasured{std::chrono::microseconds{30}, std::chrono::microseconds{3}}); }},
};

const char* const preparing = "preparing the engine";
const char* const connecting = "connecting";
const char* const logging_in = "logging in";
const char* const waiting = "waiting for a game";
const char* const agreeing = "agreeing";
const char* const playing = "playing";
const char* const backoff = "pausing before the next attempt";
const char* const resting = "waiting for its window";
const char* const leaving = "leaving";
const char* const gone = "gone";

/// What becomes of it: the phase, and what was done in the (last) step.
struct Cell {
  const char* happening;
  const char* phase;
  const char* done;
};

/// The phase itself, and the cells in which something is done. In all other cells the phase stays
/// and nothing is done.
struct Row {
  const char* phase;
  std::vector<Cell> cells;
};

const std::map<std::string, Row> table{
    {"Preparing",
     {preparing,
      {{"ServerConnected", preparing, "unexpected_connection close"},
       {"EngineStarted", preparing, "engine:usi"},
       {"engine ready", connecting, "connect"},
       {"EngineExited", preparing, "kill engine_lost start"},
       {"EngineFailed", preparing, "kill engine_lost start"},
       {"deadline", gone, "*"},  // four more engines that do not start
       {"drain", gone, "close kill exit"},
       {"resign", gone, "close kill exit"},
       {"at_once", gone, "close kill exit"}}}},
    {"Connecting",
     {connecting,
      {{"ServerConnected", logging_in, "server:LOGIN"},
       {"ServerClosed", backoff, "retrying"},
       {"engine ready", connecting, "engine_odd_line"},
       {"EngineFailed", connecting, "kill engine_lost start"},
       {"EngineExited", connecting, "kill engine_lost start"},
       {"deadline", backoff, "close retrying"},
       {"drain", leaving, "engine:quit close"},
       {"resign", leaving, "engine:quit close"},
       {"at_once", gone, "close kill exit"}}}},
    {"LoggingIn",
     {logging_in,
      {{"START", logging_in, "server_remark"},
       {"ServerConnected", logging_in, "unexpected_connection"},
       {"LOGIN OK", waiting, ""},
       {"LOGIN refused", backoff, "login_refused close retrying"},
       {"ServerClosed", backoff, "retrying"},
       {"engine ready", logging_in, "engine_odd_line"},
       {"EngineFailed", logging_in, "kill engine_lost start"},
       {"EngineExited", logging_in, "kill engine_lost start"},
       {"deadline", backoff, "close retrying"},
       {"drain", leaving, "engine:quit close"},
       {"resign", leaving, "engine:quit close"},
       {"at_once", gone, "close kill exit"}}}},
    {"Waiting",
     {waiting,
      {{"START", waiting, "server_remark"},
       {"ServerConnected", waiting, "unexpected_connection"},
       {"summary", agreeing, "server:AGREE engine:usinewgame"},
       {"ServerClosed", backoff, "retrying"},
       {"engine ready", waiting, "engine_odd_line"},
       {"EngineFailed", waiting, "kill engine_lost start"},
       {"EngineExited", waiting, "kill engine_lost start"},
       {"deadline", waiting, "*"},  // keepalives
       {"drain", leaving, "server:LOGOUT"},
       {"resign", leaving, "server:LOGOUT"},
       {"at_once", gone, "close kill exit"}}}},
    {"Agreeing",
     {agreeing,
      {{"ServerConnected", agreeing, "unexpected_connection"},
       {"START", playing, ""},
       {"REJECT", preparing, "game_rejected close"},
       {"ServerClosed", backoff, "retrying"},
       {"engine2 ready", agreeing, "server:AGREE engine:usinewgame"},
       {"Engine2Exited", agreeing, "kill engine_lost"},
       {"deadline", waiting, "*"},  // REJECT, before the server's window closes
       {"drain", leaving, "server:REJECT server:LOGOUT"},
       {"resign", leaving, "server:REJECT server:LOGOUT"},
       {"at_once", gone, "close kill exit"}}}},
    {"Agreed",
     {agreeing,
      {{"ServerConnected", agreeing, "unexpected_connection"},
       {"START", playing, ""},
       {"REJECT", connecting, "game_rejected close connect"},
       {"summary", agreeing, "server:AGREE engine:usinewgame"},  // in place of the one before
       {"ServerClosed", backoff, "retrying"},
       {"engine ready", agreeing, "engine_odd_line"},
       {"EngineFailed", agreeing, "kill engine_lost start"},
       {"EngineExited", agreeing, "kill engine_lost start"},
       {"deadline", agreeing, "*"},  // keepalives
       {"resign", agreeing, "resigning"},
       {"at_once", gone, "game_left close kill exit"}}}},
    {"Playing",
     {playing,
      {{"START", playing, "server_remark"},
       {"ServerConnected", playing, "unexpected_connection"},
       {"move", playing, "engine:position engine:go"},
       {"end", preparing, "engine:gameover engine:isready close"},
       {"ServerClosed", backoff, "engine:gameover engine:isready game_lost_sight retrying"},
       {"engine ready", playing, "engine_odd_line"},
       {"EngineFailed", playing, "kill engine_lost start"},
       {"EngineExited", playing, "kill engine_lost start"},
       {"deadline", playing, "*"},  // keepalives
       {"resign", playing, "resigning"},
       {"at_once", gone, "engine:gameover game_left game_lost_sight close kill exit"}}}},
    {"OurTurn",
     {playing,
      {{"START", playing, "server_remark"},
       {"ServerConnected", playing, "unexpected_connection"},
       {"move", playing, "engine:stop"},  // the server moves for us
       {"end", preparing, "engine:stop close"},
       {"ServerClosed", backoff, "engine:stop game_lost_sight retrying"},
       {"bestmove", playing, "server:+7776FU"},
       {"engine ready", playing, "engine_odd_line"},
       {"EngineFailed", playing, "kill engine_lost start engine_lost_on_turn"},
       {"EngineExited", playing, "kill engine_lost start engine_lost_on_turn"},
       {"deadline", playing, "*"},  // stop, then the rescue
       {"resign", playing, "server:%TORYO engine:stop resigning"},
       {"at_once", gone, "engine:stop game_left game_lost_sight close kill exit"}}}},
    {"Backoff",
     {backoff,
      {{"ServerConnected", backoff, "unexpected_connection close"},
       {"engine ready", backoff, "engine_odd_line"},
       {"EngineFailed", backoff, "kill engine_lost start"},
       {"EngineExited", backoff, "kill engine_lost start"},
       {"deadline", connecting, "connect"},
       {"drain", leaving, "engine:quit close"},
       {"resign", leaving, "engine:quit close"},
       {"at_once", gone, "close kill exit"}}}},
    {"Resting",
     {resting,
      {{"ServerConnected", resting, "unexpected_connection close"},
       {"engine ready", resting, "engine_odd_line"},
       {"EngineFailed", resting, "kill engine_lost start"},
       {"EngineExited", resting, "kill engine_lost start"},
       {"deadline", connecting, "connect"},
       {"drain", leaving, "engine:quit close"},
       {"resign", leaving, "engine:quit close"},
       {"at_once", gone, "close kill exit"}}}},
    {"Leaving",
     {leaving,
      {{"START", leaving, "server_remark"},
       {"summary", leaving, "unexpected_summary"},
       {"ServerConnected", leaving, "unexpected_connection"},
       {"LOGOUT", leaving, "engine:quit close"},
       {"ServerClosed", leaving, "engine:quit close"},
       {"engine ready", leaving, "engine_odd_line"},
       {"EngineFailed", leaving, "kill engine_lost_at_last"},
       {"EngineExited", leaving, "kill engine_lost_at_last"},
       {"deadline", gone, "*"},
       {"resign", gone, "close kill exit"},
       {"at_once", gone, "close kill exit"}}}},
    {"Quitting",
     {leaving,
      {{"ServerConnected", leaving, "unexpected_connection close"},
       {"EngineFailed", gone, "exit"},
       {"EngineExited", gone, "exit"},
       {"deadline", gone, "kill exit"},
       {"resign", gone, "close kill exit"},
       {"at_once", gone, "close kill exit"}}}},
    {"Gone", {gone, {}}},
};

class PhaseTable : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(PhaseTable, says_what_happens) {
  const auto& [phase, happening] = GetParam();
  const Row& row = table.at(phase);
  Scene scene(phase == "Resting" ? Scene::Hours::some : Scene::Hours::all);
  ways.at(phase)(scene);
  ASSERT_EQ(scene.phase(), row.phase) << "the way into the phase";

  happenings.at(happening)(scene);

  Cell expected{happening.c_str(), row.phase, ""};
  for (const Cell& cell : row.cells) {
    if (cell.happening == happening) {
      expected = cell;
    }
  }
  if (happening == "record failed") {
    expected.done = "record_failed";
  }
  EXPECT_EQ(scene.phase(), expected.phase);
  if (std::string(expected.done) != "*") {
    EXPECT_EQ(scene.done(), expected.done);
  }
  EXPECT_TRUE(scene.complaints().empty()) << scene.complaints().front();
}

TEST(RestingView, tells_when_the_window_opens_and_nothing_once_it_is_open) {
  Scene scene(Scene::Hours::some);
  EXPECT_FALSE(scene.view().window);
  scene.rest();
  ASSERT_TRUE(scene.view().window);
  EXPECT_EQ(scene.view().window->opens.substr(4), "03:09");  // a minute early, to be there in time
  EXPECT_EQ(std::chrono::floor<std::chrono::minutes>(scene.view().window->at) -
                std::chrono::floor<std::chrono::days>(scene.view().window->at),
            std::chrono::minutes{3 * 60 + 9});
  scene.wait(Millis{900'000});
  EXPECT_EQ(scene.phase(), connecting);
  EXPECT_FALSE(scene.view().window);
}

template <class Map>
std::vector<std::string> keys(const Map& map) {
  std::vector<std::string> result;
  for (const auto& [key, value] : map) {
    result.push_back(key);
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(
    Every, PhaseTable,
    testing::Combine(testing::ValuesIn(keys(table)), testing::ValuesIn(keys(happenings))),
    [](const testing::TestParamInfo<PhaseTable::ParamType>& param) {
      std::string name = std::get<0>(param.param) + "_meets_" + std::get<1>(param.param);
      for (char& c : name) {
        c = c == ' ' ? '_' : c;
      }
      return name;
    });

}  // namespace
}  // namespace kakehashi::bridge
