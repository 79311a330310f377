#include "sim/statistics.hpp"

namespace kakehashi::sim {

namespace {

std::string row(const std::string& name, std::uint64_t count) {
  std::string text = "  " + name;
  text.resize(30, ' ');
  std::string number = std::to_string(count);
  return text + std::string(number.size() < 12 ? 12 - number.size() : 0, ' ') + number + "\n";
}

}  // namespace

void Statistics::add(const Outcome& outcome) {
  ++stories;
  games += static_cast<std::uint64_t>(outcome.games);
  steps += outcome.steps;
  violations += outcome.complaints.empty() ? 0 : 1;
  for (std::size_t i = 0; i < end_reason_count; ++i) {
    endings[i] += static_cast<std::uint64_t>(outcome.endings[i]);
  }
  for (std::size_t i = 0; i < fault_kind_count; ++i) {
    faults[i] += static_cast<std::uint64_t>(outcome.faults[i]);
  }
  virtual_time += outcome.lasted;
}

std::string describe(const Statistics& statistics) {
  std::string text = "stories " + std::to_string(statistics.stories) + ", games " +
                     std::to_string(statistics.games) + ", steps of the core " +
                     std::to_string(statistics.steps) + ", virtual days " +
                     std::to_string(statistics.virtual_time.count() / 86'400'000) + ", violations " +
                     std::to_string(statistics.violations) + "\nendings\n";
  for (std::size_t i = 0; i < end_reason_count; ++i) {
    text += row(rehearse::server::summary_word(static_cast<rehearse::server::EndReason>(i)), statistics.endings[i]);
  }
  text += "faults\n";
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < fault_kind_count; ++i) {
    text += row(entry_of(static_cast<FaultKind>(i)).name, statistics.faults[i]);
    all += statistics.faults[i];
  }
  return text + row("(all)", all);
}

}  // namespace kakehashi::sim
