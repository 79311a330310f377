// What a person wants to know of one bot and its view does not hold: how often things happened, and
// the last lines of its log. Counted from notes as they pass. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/time.hpp"
#include "bridge/note.hpp"

namespace kakehashi::status {

struct LoggedLine {
  base::WallTime at{};
  bridge::Level level = bridge::Level::info;
  std::string code;
  std::string text;
};

class BotState {
 public:
  explicit BotState(std::string name) : name_(std::move(name)) {}

  /// Traffic (debug) is not kept.
  void take(const bridge::Note& note, base::WallTime at);

  [[nodiscard]] const std::string& name() const { return name_; }
  /// How many notes of that code there were.
  [[nodiscard]] std::uint64_t count(std::string_view code) const;
  /// Finished games by outcome ("win") and reason ("#RESIGN"), both of a bounded set of words.
  using Games = std::map<std::pair<std::string, std::string>, std::uint64_t>;
  [[nodiscard]] const Games& games() const { return games_; }
  /// Moves that the bridge played without an engine, by the cause that the note names.
  [[nodiscard]] std::uint64_t rescues(std::string_view cause) const;
  static constexpr std::array rescue_causes{"gone", "silent", "unusable", "declaration"};
  [[nodiscard]] const std::deque<LoggedLine>& lines() const { return lines_; }
  /// The text of the last trouble since the last login; empty: all is well.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

  static constexpr std::size_t lines_kept = 50;

 private:
  std::string name_;
  std::map<std::string, std::uint64_t, std::less<>> counts_;
  Games games_;
  std::map<std::string, std::uint64_t, std::less<>> rescues_;
  std::deque<LoggedLine> lines_;
  std::string trouble_;
};

}  // namespace kakehashi::status
