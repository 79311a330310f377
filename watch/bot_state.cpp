#include "watch/bot_state.hpp"

#include <algorithm>
#include <array>
#include <variant>

#include "base/overload.hpp"

namespace kakehashi::watch {

namespace {

/// A server may say anything; a metric's label may not take every value.
constexpr std::array known_reasons{
    "#RESIGN",   "#TIME_UP",   "#ILLEGAL_MOVE", "#ILLEGAL_ACTION", "#SENNICHITE", "#OUTE_SENNICHITE",
    "#JISHOGI",  "#MAX_MOVES", "#CENSORED",     "#CHUDAN",         "#ABNORMAL"};

std::string reason_label(const std::string& reason) {
  const bool is_known =
      std::find(known_reasons.begin(), known_reasons.end(), reason) != known_reasons.end();
  return is_known ? reason.substr(1) : "other";
}

}  // namespace

void BotState::take(const bridge::Fact& fact) {
  if (const auto incident = bridge::incident_of(fact)) {
    ++counts_[*incident];
  }
  std::visit(base::Overload{
                 [](const bridge::Paired&) {},
                 [](const bridge::GameStarted&) {},
                 [&](const bridge::GameEnded& ended) {
                   const bool is_open = ended.outcome == csa::Outcome::none;
                   ++games_[{is_open ? "none" : csa::describe(ended.outcome), reason_label(ended.reason)}];
                 },
                 [&](const bridge::RescuePlayed& rescue) { ++rescues_[rescue.cause]; },
                 [&](const bridge::Occurred& occurred) {
                   const bool is_over = occurred.what == bridge::Incident::logged_in ||
                                        occurred.what == bridge::Incident::engine_ready;
                   if (is_over || !occurred.trouble.empty()) {
                     trouble_ = occurred;
                   }
                 },
             },
             fact);
}

void BotState::take(const bridge::Note& note, base::WallTime at) {
  if (note.level == bridge::Level::debug) {
    return;
  }
  if (lines_.size() == lines_kept) {
    lines_.pop_front();
  }
  lines_.push_back({at, note.level, note.code, note.text});
}

std::uint64_t BotState::count(bridge::Incident incident) const {
  const auto found = counts_.find(incident);
  return found == counts_.end() ? 0 : found->second;
}

std::uint64_t BotState::rescues(bridge::RescueCause cause) const {
  const auto found = rescues_.find(cause);
  return found == rescues_.end() ? 0 : found->second;
}

}  // namespace kakehashi::watch
