// What a person wants to know of one bot and its view does not hold: how often things happened, and
// the last lines of its log. Counted from facts as they pass. Pure.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>

#include "base/time.hpp"
#include "bridge/fact.hpp"
#include "bridge/note.hpp"

namespace kakehashi::watch {

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

}  // namespace kakehashi::watch
