#include "status/bot_state.hpp"

#include <algorithm>
#include <array>

namespace kakehashi::status {

namespace {

/// A server may say anything; a metric's label may not take every value.
constexpr std::array known_reasons{
    "#RESIGN",   "#TIME_UP",   "#ILLEGAL_MOVE", "#ILLEGAL_ACTION", "#SENNICHITE", "#OUTE_SENNICHITE",
    "#JISHOGI",  "#MAX_MOVES", "#CENSORED",     "#CHUDAN",         "#ABNORMAL"};

std::string field(const bridge::Note& note, std::string_view name) {
  for (const auto& [key, value] : note.fields) {
    if (key == name) {
      return value;
    }
  }
  return {};
}

std::string reason_label(const std::string& reason) {
  const bool is_known =
      std::find(known_reasons.begin(), known_reasons.end(), reason) != known_reasons.end();
  return is_known ? reason.substr(1) : "other";
}

}  // namespace

void BotState::take(const bridge::Note& note, base::WallTime at) {
  if (note.level == bridge::Level::debug) {
    return;
  }
  ++counts_[note.code];
  if (note.code == "game_ended" || note.code == "game_lost_sight") {
    const std::string outcome = field(note, "outcome");
    ++games_[{outcome.empty() || outcome == "no result" ? "none" : outcome,
              reason_label(field(note, "reason"))}];
  } else if (note.code == "rescue_move") {
    ++rescues_[field(note, "cause")];
  } else if (note.code == "logged_in" || note.code == "engine_ready") {
    trouble_.clear();
  } else if (note.code == "retrying" || note.code == "login_refused" ||
             note.code == "engine_lost" || note.code == "engine_given_up") {
    trouble_ = note.text;
  }
  if (lines_.size() == lines_kept) {
    lines_.pop_front();
  }
  lines_.push_back({at, note.level, note.code, note.text});
}

std::uint64_t BotState::count(std::string_view code) const {
  const auto found = counts_.find(code);
  return found == counts_.end() ? 0 : found->second;
}

std::uint64_t BotState::rescues(std::string_view cause) const {
  const auto found = rescues_.find(cause);
  return found == rescues_.end() ? 0 : found->second;
}

}  // namespace kakehashi::status
