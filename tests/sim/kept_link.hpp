// What stands between a bot and an engine that a keeper holds: the real client of the keeper here, the real keeper
// there, and ways between them that have delays, are reset, fall silent and are out for a while. It watches that what
// the one side says reaches the other once, whole and in order.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "bridge/action.hpp"
#include "bridge/event.hpp"
#include "keeper/client.hpp"
#include "keeper/keeper.hpp"
#include "sim/agenda.hpp"
#include "sim/dice.hpp"
#include "sim/scenario.hpp"
#include "sim/sim_engine.hpp"

namespace kakehashi::sim {

class KeptLink {
 public:
  using EventSink = std::function<void(const bridge::Event&)>;
  using ComplaintSink = std::function<void(const std::string&)>;

  KeptLink(Agenda& agenda, const KeptEngine& ways, Dice dice, SimEngine& engine, EventSink events,
           ComplaintSink complaints);

  // --- of the bot
  void perform(const bridge::StartEngine& start);
  /// `plies`: on the server's board, to go with the line.
  void perform(const bridge::WriteEngine& write, int plies);
  void perform(const bridge::StopEngineAt& stop);
  void perform(const bridge::KillEngine& kill);
  // --- of the engine
  void on_engine(const bridge::Event& event);

  /// No further cuts.
  void be_spared();
  /// When that was said which the engine is told now, and on which ply.
  [[nodiscard]] base::Millis said_at() const { return said_at_; }
  [[nodiscard]] int said_on() const { return said_on_; }
  [[nodiscard]] int cuts() const { return cuts_; }
  /// There and back, when nothing holds it up.
  [[nodiscard]] base::Millis ordinary_max() const { return 2 * (ways_.latency + ways_.jitter_max); }
  /// What a bridge may keep back of a move for such a way: its first sample counts for three round trips.
  [[nodiscard]] base::Millis kept_back_max() const { return 8 * (ways_.latency + ways_.jitter_max); }

 private:
  struct Connection {
    std::size_t way;
    std::uint64_t keeper = 0;       ///< which it has reached; 0: none yet
    bool is_silent = false;         ///< nothing arrives any more, and nobody is told
    base::Millis up_at{0};          ///< the last that leaves for the engine arrives then
    base::Millis down_at{0};
    std::deque<std::string> early{};  ///< what came before the keeper was there
  };
  struct Written {
    std::string line;
    base::Millis at;
    int plies;
  };

  void perform_client();
  void perform_keeper();
  void open(int link, std::size_t way);
  void arrive(int link);
  void attach(int link);
  void hear(int link, const std::string& text);
  void send(int link, std::string text);
  void reset(int link, const std::string& why, bool is_final = false);
  void plan_cut(int link);
  void cut(int link);
  void wake_client();
  void wake_keeper();
  void tell(bridge::Event event);
  void tell_link(std::size_t way, bool is_up);
  void write(const std::string& line);
  void judge_heard(const std::string& line);
  void judge_loss(const std::string& why);
  [[nodiscard]] base::Millis delay();
  [[nodiscard]] base::SteadyTime now() const;

  Agenda& agenda_;
  KeptEngine ways_;
  Dice dice_;
  SimEngine& engine_;
  EventSink events_;
  ComplaintSink complaints_;

  bridge::EngineId id_{};
  std::optional<keeper::Client> client_;
  std::optional<keeper::Keeper> keeper_;
  std::uint64_t wanted_ = 0;  ///< the number of the engine that the bot has asked for
  std::uint64_t held_ = 0;    ///< of the one that the keeper holds
  bool is_starting_ = false;
  bool has_died_ = false;  ///< the engine, or it is killed
  std::map<int, Connection> connections_;
  base::Millis out_until_{0};  ///< no connection comes about before
  std::set<base::Millis> wakes_;
  bool is_spared_ = false;
  base::Millis said_at_{0};
  int said_on_ = 0;
  int cuts_ = 0;
  std::optional<keeper::Client::RoundTrip> told_;

  std::deque<Written> written_;     ///< by the bot, and not heard by the engine
  std::deque<std::string> said_;    ///< by the engine, and not heard by the bot
};

}  // namespace kakehashi::sim
