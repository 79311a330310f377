// What can go wrong in a story, and the plan of what does: each fault waits for its occasion (the
// third search, the twentieth line, ...), so that one can be left out without moving the others.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kakehashi::sim {

/// What a fault waits for; occasions of each kind are counted from 1 for each bot.
enum class Occasion { connect, login, line, summary_line, echo, move, boot, search, ponder, timer, record, book, minute, step };
inline constexpr std::size_t occasion_count = 14;

enum class FaultKind {
  // the way to the server
  connection_refused, connection_hangs, login_refused, login_ignored, line_cut, summary_cut,
  half_open, unknown_line, long_chat, segment_held, move_held, outage, outage_to_the_end, server_restarts,
  notice, echo_lost, echo_repeated, second_login,
  // the engine
  engine_does_not_start, engine_hangs_in_boot, engine_exits_in_boot, engine_exits_in_search,
  engine_exits_idle, engine_hangs, engine_freezes, engine_is_late, illegal_move, unreadable_move, empty_bestmove,
  double_bestmove, stray_bestmove, bestmove_before_ponderhit, info_flood, odd_words,
  engine_resigns, false_declaration, quit_ignored, engine_deaf_in_ponder, long_lines_cut,
  // the bot's own house
  spurious_timer, late_timer, stalled_process, wall_clock_jumps, record_fails,
  record_late, book_late, book_silent, player_dies_behind_step, player_dies_before_step, player_dies_before_writing,
  stop_drain, stop_resign, stop_at_once,
};
inline constexpr std::size_t fault_kind_count = static_cast<std::size_t>(FaultKind::stop_at_once) + 1;

struct FaultEntry {
  const char* name;
  Occasion occasion;
  int latest;  ///< occasions are drawn from 1 .. latest
  int weight;  ///< how often it is drawn, against the others; 0: apart from them
};
[[nodiscard]] const FaultEntry& entry_of(FaultKind kind);
/// Of the process that plays: another follows, and by itself it costs nothing.
[[nodiscard]] inline bool is_death(FaultKind kind) { return entry_of(kind).occasion == Occasion::step; }

struct Fault {
  FaultKind kind;
  int occasion = 1;
};

/// The faults of one bot, and which of them came to pass.
class FaultPlan {
 public:
  explicit FaultPlan(std::vector<Fault> faults) : faults_(std::move(faults)) {}

  /// Counts an occasion; the faults that wait for it come to pass, unless all was ended.
  std::vector<FaultKind> count(Occasion occasion);
  void end() { is_over_ = true; }
  [[nodiscard]] bool is_over() const { return is_over_; }

  [[nodiscard]] const std::array<int, fault_kind_count>& done() const { return done_; }
  [[nodiscard]] bool has_done(FaultKind kind) const {
    return done_[static_cast<std::size_t>(kind)] > 0;
  }
  /// But for deaths.
  [[nodiscard]] int faults_done() const { return faults_done_; }

 private:
  std::vector<Fault> faults_;
  std::array<int, occasion_count> counts_{};
  std::array<int, fault_kind_count> done_{};
  int faults_done_ = 0;
  bool is_over_ = false;
};

}  // namespace kakehashi::sim
