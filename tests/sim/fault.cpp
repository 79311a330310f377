#include "sim/fault.hpp"

namespace kakehashi::sim {

namespace {

constexpr std::array<FaultEntry, fault_kind_count> entries{{
    {"connection refused", Occasion::connect, 3, 3},
    {"connection hangs", Occasion::connect, 3, 2},
    {"login refused", Occasion::login, 3, 3},
    {"login ignored", Occasion::login, 3, 2},
    {"line cut", Occasion::line, 90, 5},
    {"cut in mid-summary", Occasion::summary_line, 50, 3},
    {"half-open line", Occasion::line, 90, 4},
    {"unknown line", Occasion::line, 120, 4},
    {"long chat of a stranger", Occasion::line, 120, 2},
    {"segment held up", Occasion::line, 90, 3},
    {"move held up", Occasion::move, 30, 3},
    {"outage", Occasion::line, 90, 4},
    {"outage, server closes", Occasion::line, 90, 2},
    {"server restarts", Occasion::line, 90, 2},
    {"notice", Occasion::line, 90, 5},
    {"echo lost", Occasion::echo, 25, 3},
    {"echo repeated", Occasion::echo, 25, 3},
    {"second login", Occasion::minute, 6, 2},
    {"engine does not start", Occasion::boot, 3, 3},
    {"engine hangs in its boot", Occasion::boot, 3, 3},
    {"engine exits in its boot", Occasion::boot, 3, 3},
    {"engine exits in a search", Occasion::search, 40, 5},
    {"engine exits idle", Occasion::search, 40, 4},
    {"engine hangs", Occasion::search, 40, 5},
    {"engine freezes for good", Occasion::search, 40, 3},
    {"engine is late", Occasion::search, 40, 5},
    {"illegal move", Occasion::search, 40, 5},
    {"unreadable move", Occasion::search, 40, 3},
    {"empty bestmove", Occasion::search, 40, 3},
    {"double bestmove", Occasion::search, 40, 5},
    {"stray bestmove", Occasion::search, 40, 4},
    {"bestmove before ponderhit", Occasion::ponder, 20, 6},
    {"info flood", Occasion::search, 40, 2},
    {"odd words", Occasion::search, 40, 3},
    {"engine resigns", Occasion::search, 60, 2},
    {"false declaration", Occasion::search, 40, 3},
    {"quit ignored", Occasion::boot, 2, 2},
    {"engine deaf in ponder", Occasion::ponder, 10, 3},
    {"long lines are cut", Occasion::boot, 2, 2},
    {"spurious timer", Occasion::line, 90, 4},
    {"late timer", Occasion::timer, 20, 4},
    {"stalled process", Occasion::timer, 20, 2},
    {"wall clock jumps", Occasion::line, 90, 3},
    {"record fails", Occasion::record, 40, 3},
    {"record late", Occasion::record, 40, 3},
    {"book late", Occasion::book, 20, 3},
    {"book silent", Occasion::book, 20, 2},
    {"player dies behind a step", Occasion::step, 500, 0},
    {"player dies before a step", Occasion::step, 500, 0},
    {"player dies before writing", Occasion::step, 500, 0},
    {"stop: drain", Occasion::minute, 6, 2},
    {"stop: resign", Occasion::minute, 6, 2},
    {"stop: at once", Occasion::minute, 6, 1},
}};

}  // namespace

const FaultEntry& entry_of(FaultKind kind) { return entries[static_cast<std::size_t>(kind)]; }

std::vector<FaultKind> FaultPlan::count(Occasion occasion) {
  std::vector<FaultKind> kinds;
  const int number = ++counts_[static_cast<std::size_t>(occasion)];
  if (is_over_) {
    return kinds;
  }
  for (const Fault& fault : faults_) {
    if (fault.occasion == number && entry_of(fault.kind).occasion == occasion) {
      kinds.push_back(fault.kind);
      ++done_[static_cast<std::size_t>(fault.kind)];
      faults_done_ += is_death(fault.kind) ? 0 : 1;
    }
  }
  return kinds;
}

}  // namespace kakehashi::sim
