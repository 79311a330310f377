// The room watch: what people see of running bots, and what they are told. It owns counters, metrics, JSON, the live page
// and its pictures, which address gives which, and notices; it knows no socket and changes no bot.
//
// All bots of this process as a report: for Prometheus, as JSON, as one line, as a verdict; and one bot in its log.
// Pure text from values; http_answer.hpp says which of them belongs to which address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/message.hpp"
#include "base/time.hpp"
#include "bridge/fact.hpp"
#include "bridge/note.hpp"
#include "bridge/view.hpp"

namespace kakehashi::watch {

// --- what a person wants to know of one bot and its view does not hold: how often things happened, and the last lines of
// its log. Counted from facts as they pass.

struct LoggedLine {
  base::WallTime at{};
  bridge::Level level = bridge::Level::info;
  std::string code;
  base::Message text;
};

class BotState {
 public:
  explicit BotState(std::string name) : name_(std::move(name)) {}

  void take(const bridge::Fact& fact);
  /// For its lines alone. Traffic (debug) is not kept.
  void take(const bridge::Note& note, base::WallTime at);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::uint64_t count(bridge::Incident incident) const;
  /// Finished games by outcome ("win") and reason ("#RESIGN"), both of a bounded set of words.
  using Games = std::map<std::pair<std::string, std::string>, std::uint64_t>;
  [[nodiscard]] const Games& games() const { return games_; }
  /// Moves that the bridge played without an engine.
  [[nodiscard]] std::uint64_t rescues(bridge::RescueCause cause) const;
  [[nodiscard]] const std::deque<LoggedLine>& lines() const { return lines_; }
  /// The text of the last trouble since the last login; empty: all is well.
  [[nodiscard]] const base::Message& trouble() const { return trouble_.trouble; }
  /// Of the note that told it; empty: all is well.
  [[nodiscard]] const char* trouble_code() const { return trouble().empty() ? "" : bridge::code_of(trouble_.what); }

  static constexpr std::size_t lines_kept = 50;

 private:
  std::string name_;
  std::map<bridge::Incident, std::uint64_t> counts_;
  Games games_;
  std::map<bridge::RescueCause, std::uint64_t> rescues_;
  std::deque<LoggedLine> lines_;
  bridge::Occurred trouble_;
};

struct Report {
  struct Bot {
    const BotState* state = nullptr;  ///< never null
    bridge::View view;
    bool is_done = false;  ///< left, as asked or as configured
    std::uint64_t engine_bytes = 0;    ///< resident, of its engines; 0: none runs, or unknown
    std::size_t notices_waiting = 0;   ///< for those who are to be told
  };

  std::string version;
  base::Now now;
  base::Now started;
  std::uint64_t resident_bytes = 0;  ///< of this process; 0: unknown
  std::size_t games_waiting = 0;     ///< to be stored in the archive
  std::vector<Bot> bots;
};

/// "waiting for its window until Mon 20:00, in 3 h 12 min".
[[nodiscard]] base::Message until_window(const base::Message& phase, const std::string& opens, base::Millis left);

/// "up", "reduced" while one of several ways is lost, or "out".
[[nodiscard]] const char* state_of(const bridge::ViewedEngineLink& link);

/// Logged in, or in a game.
[[nodiscard]] bool is_ready(const Report::Bot& bot);

/// One bot in a line for a person: "playing, engine "x", games finished: 2; black against "foe", game …, 34 moves, …".
[[nodiscard]] base::Message describe_state(const bridge::View& view, base::SteadyTime now);

/// Prometheus' text exposition, version 0.0.4. No label holds an opponent, a game or a move.
[[nodiscard]] std::string metrics(const Report& report);
/// {"version":…,"uptime_seconds":…,"bots":[…]}; docs/watching.md describes it.
[[nodiscard]] std::string json(const Report& report);
/// One line for a status bar: "mybot: playing, move 37, +123 | other: waiting for a game".
[[nodiscard]] base::Message line(const Report& report);
/// What is not ready, a line a bot; none: all is.
[[nodiscard]] std::vector<base::Message> not_ready(const Report& report);

}  // namespace kakehashi::watch
