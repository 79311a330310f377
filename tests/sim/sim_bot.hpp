// A bot of a story: the real core between its timer, its records, its engine and its line, with what
// can go wrong in each. The referee watches every step; what only the server's board can tell is
// judged here.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "bridge/bot/bot.hpp"
#include "sim/boards.hpp"
#include "sim/kept_link.hpp"
#include "sim/network.hpp"
#include "sim/panel_judge.hpp"
#include "sim/plain_client.hpp"
#include "sim/sim_engine.hpp"
#include "sim/twin.hpp"
#include "support/played_run.hpp"
#include "support/referee.hpp"

namespace kakehashi::sim {

/// One step of a bot as it happened; no event: its start.
struct Witnessed {
  base::Millis at;
  std::optional<bridge::Event> event;
};

class SimBot : public Client {
 public:
  /// Sees each step with its actions, for a person who reads along; may be empty.
  using Listener = std::function<void(base::Millis at, const bridge::Event* event,
                                      const bridge::Actions& actions)>;

  SimBot(Agenda& agenda, Network& network, Boards& boards, const Scenario& scenario,
         std::size_t index, Listener listener);

  void start();
  void stop(bridge::Urgency urgency);
  /// No further faults.
  void be_spared() {
    plan_.end();
    run_.reset();
    engine_.thaw();
    for (FaultPlan& plan : further_plans_) {
      plan.end();
    }
    for (SimEngine& engine : further_) {
      engine.thaw();
    }
    twin_.leave();
    if (kept_) {
      kept_->be_spared();
    }
  }
  void on_report(const rehearse::server::GameReport& report, const Board* board);

  [[nodiscard]] bool is_over() const { return is_over_; }
  [[nodiscard]] const std::string& name() const { return config_.account.name; }
  [[nodiscard]] int games_finished() const { return games_finished_; }
  [[nodiscard]] std::string phase() const { return name_of(bot_.view().phase).english(); }
  [[nodiscard]] const FaultPlan& plan() const { return plan_; }
  /// Of the standby, or of the further members of the team.
  [[nodiscard]] const std::deque<FaultPlan>& further_plans() const { return further_plans_; }
  [[nodiscard]] const std::vector<std::string>& complaints() const {
    return referee_.complaints();
  }
  [[nodiscard]] std::uint64_t steps() const { return steps_; }
  /// A fault strikes on the way, at the next occasion of time.
  void pass_a_while();

  void on_connected() override;
  void on_line(const std::string& line, bool more) override;
  void on_closed(bridge::ServerClosed::How how, const std::string& why) override;

 private:
  void step(const bridge::Event* event);
  /// As soon as the process gets round to it.
  void happen(const bridge::Event& event);
  void happen_late(std::function<void()> what, bool is_at_hand = false);
  [[nodiscard]] base::Millis lateness();
  void take_line(const std::string& line, bool more);
  [[nodiscard]] bool is_own_echo(const std::string& line) const;
  void count_login();
  void judge_engines();
  [[nodiscard]] bool is_way_long(const Board& board) const;
  void judge_resignation(const rehearse::server::GameEnded& ended, const Board& board);
  void blame(const rehearse::server::GameEnded& ended, const Board& board, const std::string& what);
  void judge_rescue(bridge::RescueCause cause);
  /// What the process itself has to hear of, once a step is carried out.
  struct Answers {
    int records = 0;
    std::optional<bridge::EngineId> recalled;
  };
  [[nodiscard]] Answers perform(const bridge::Actions& actions);
  void answer(const Answers& answers);

  // Its deaths (sim_bot_death.cpp). `event` was read and not stepped yet; null: none was.
  [[nodiscard]] std::optional<support::Death> draw_death();
  void die(const bridge::Event* event);
  /// Of the process that follows: the present step's event is there still.
  [[nodiscard]] bool comes_again(const bridge::Event& event) const;
  void write_some(const bridge::Actions& actions);
  void take_line(const journal::FollowedRun& run, const bridge::Event* event, std::vector<bridge::Event>& losses);
  void take_engines(const journal::FollowedRun& run, const bridge::Event* event, std::vector<bridge::Event>& losses);
  void make_up(const bridge::Actions& undone);
  void tell(const bridge::Note& note);

  template <class Action>
  void perform_engine(bridge::EngineId id, const Action& action) {
    if (id.seat != 0) {
      further_.at(id.seat - 1).perform(action);
    } else if (!kept_) {
      engine_.perform(action);
    } else if constexpr (std::is_same_v<Action, bridge::WriteEngine>) {
      const Board* board = boards_.find(game_id_);
      kept_->perform(action, board == nullptr ? 0 : board->plies);
    } else {
      kept_->perform(action);
    }
  }
  /// The engine could not be heard for a while.
  [[nodiscard]] bool was_cut_off() const { return kept_ && kept_->cuts() > 0; }
  void perform_connect();
  void perform_close();
  void perform_write(const bridge::WriteServer& write);
  void perform_look_up(const bridge::LookUpBook& look_up);
  void perform_arm(const bridge::ArmTimer& arm);
  void arm_again(std::optional<base::SteadyTime> deadline);
  void ring(base::SteadyTime deadline);
  void follow(const std::string& line);
  void suffer(FaultKind kind);
  /// From here on the engine of the present game may believe in more time than there is.
  void disturb();
  /// The line of the present game is lost for anybody at our place.
  void lose_to_the_world();
  void note_turn(const std::string& line);
  void judge_search(const Search& search, bool is_far);
  void judge_panel(const bridge::Event* event, const bridge::Actions& actions);
  void judge_move(const std::string& line);
  void judge_end(const rehearse::server::GameEnded& ended, const Board& board);
  /// Of all its engines.
  [[nodiscard]] int faults_done() const;
  [[nodiscard]] base::Millis stood_still(base::Millis from, base::Millis until) const;
  [[nodiscard]] Turn last_turn(const Board& board);
  [[nodiscard]] bool is_engine_waited_for(const Board& board);
  [[nodiscard]] bool is_own_loss(const Board& board);
  void judge_record(const std::string& text);
  void complain(const std::string& what);

  Agenda& agenda_;
  Network& network_;
  Boards& boards_;
  config::BotConfig config_;
  Delays delays_;
  Way way_;
  Dice dice_;
  EngineManners manners_;
  bool is_blameless_;  ///< nothing is planned to go wrong, for anybody, nor was anything lost with a process
  FaultPlan plan_;
  std::deque<FaultPlan> further_plans_;  ///< of the other engines, by seat
  SimEngine engine_;
  std::deque<SimEngine> further_;
  std::optional<KeptLink> kept_;  ///< to the first of them
  bridge::Bot bot_;
  usi::EngineClocks remembered_clocks_;  ///< of the program that both engines are
  support::Referee referee_;
  std::optional<PanelJudge> panel_;  ///< of a team that consults
  std::optional<support::PlayedRun> run_;  ///< of one whose process is to die
  Dice death_dice_;
  int lives_ = 0;                           ///< of processes: what one waits for of its own house no other gets
  int losses_ = 0;                          ///< with processes
  std::uint64_t line_bytes_ = 0;            ///< written to the present line
  std::map<bridge::EngineId, std::uint64_t> engine_bytes_;
  std::set<bridge::EngineId> lost_engines_; ///< with a process
  Listener listener_;

  bool is_over_ = false;
  std::uint64_t steps_ = 0;
  int games_finished_ = 0;
  std::optional<LineId> line_;
  std::optional<base::SteadyTime> armed_;
  base::Millis wall_shift_{0};
  base::Millis rung_at_{-1};
  int rings_at_once_ = 0;
  bool is_asked_to_resign_ = false;
  base::Millis ended_at_{-10'000};  ///< the word of a game's end was read, and is not doubted
  std::string resigned_game_;  ///< by its last line
  std::string answered_turn_;  ///< the last one that a team that consults has answered
  Twin twin_;
  std::string login_;
  int rescues_from_slow_stops_ = 0;
  bool has_blamed_form_ = false;
  std::deque<base::Millis> fruitless_logins_;  ///< since the last game began

  // As the lines say that have arrived.
  bool in_summary_ = false;
  bool in_game_ = false;
  std::string game_id_;
  /// The moves of a prepared start, as the summary lists them.
  struct Listed {
    std::vector<std::string> moves;
    std::array<std::int64_t, 2> seconds{};  ///< by color
  };
  Listed listed_;
  std::vector<std::string> moves_;
  std::set<std::string> disturbed_;  ///< games in whose turns something was late beyond the ordinary
  base::Millis trouble_until_{0};    ///< and so is a game that begins before that
  std::set<std::string> patchy_;     ///< games of which not every echo came
  std::set<std::string> lost_to_the_world_;  ///< games that nobody at our place could have kept

  // The process, and when it does nothing.
  base::Millis last_due_{0};
  int pending_ = 0;  ///< that it has not got round to
  struct Stall {
    base::Millis from;
    base::Millis until;
  };
  std::vector<Stall> stalls_;
  base::Millis left_at_{0};  ///< our end of the last line ended

  // What came to our end of the way, and what left it.
  std::string raw_game_;
  bool is_raw_summary_ = false;
  char raw_sign_ = ' ';                ///< ours
  bool raw_more_ = false;              ///< the next line is in the same segment
  bool is_raw_start_ = false;          ///< START is the last of them
  std::string raw_move_;               ///< else this
  base::Millis raw_at_{0};
  std::optional<base::Millis> answered_at_;
  std::string record_;             ///< what a crash would leave on disk
};

}  // namespace kakehashi::sim
