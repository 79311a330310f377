#include "bridge/engine_seats.hpp"

#include <algorithm>
#include <cstdint>

#include "base/text.hpp"
#include "usi/process.hpp"

namespace kakehashi::bridge {

std::vector<EngineSeat> seats_of(const config::Engine& first) {
  std::vector<EngineSeat> seats{{.engine = first, .name = config::name_of_main_engine, .who = base::say("engine")}};
  if (first.standby.enabled) {
    seats.push_back(
        {.engine = further_engine(first, first.standby), .name = "standby", .who = base::say("standby engine")});
  }
  for (std::size_t item = 0; item < first.team.size(); ++item) {
    const config::FurtherEngine& own = first.team[item];
    const std::string name = config::name_of_member(own, item);
    seats.push_back({.engine = further_engine(first, own),
                     .name = name,
                     .who = base::say("engine {}", name),
                     .weight = own.weight,
                     .has_own_cpus = !own.cpus.empty()});
  }
  return seats;
}

bool is_thread_option(std::string_view name) {
  return name == "Threads" || name == "USI_Threads" || name == "UCT_Threads";
}

int threads_of(const config::Engine& engine) {
  for (const auto& [name, value] : engine.options) {
    if (is_thread_option(name)) {
      return static_cast<int>(std::clamp<std::int64_t>(base::parse_int(value.value_or("1")).value_or(1), 1, 1'024));
    }
  }
  return 1;
}

std::vector<std::string> shares_of_cpus(const config::Engine& first, const std::vector<int>& available) {
  const std::vector<EngineSeat> seats = seats_of(first);
  std::vector<std::string> shares(seats.size());
  if (!thinks_together(first)) {
    return shares;
  }
  std::vector<int> pool = available;
  if (const auto wanted = usi::parse_cpu_list(first.limits.cpus)) {
    std::erase_if(pool, [&](int cpu) { return std::find(wanted->begin(), wanted->end(), cpu) == wanted->end(); });
  }
  std::vector<std::size_t> sharing;
  std::size_t threads = 0;
  for (std::size_t seat = 0; seat < seats.size(); ++seat) {
    const config::Engine& engine = seats[seat].engine;
    if (!engine.host.empty()) {
      continue;
    }
    if (seats[seat].has_own_cpus) {
      const auto own = usi::parse_cpu_list(engine.limits.cpus).value_or(std::vector<int>{});
      std::erase_if(pool, [&](int cpu) { return std::find(own.begin(), own.end(), cpu) != own.end(); });
    } else {
      sharing.push_back(seat);
      threads += static_cast<std::size_t>(threads_of(engine));
    }
  }
  if (sharing.size() < 2 || pool.size() < sharing.size()) {
    return shares;
  }
  // Each gets one; the rest is dealt out by threads, in the order of the seats, so that neighbours stay together.
  const std::size_t rest = pool.size() - sharing.size();
  std::size_t threads_before = 0;
  std::size_t next = 0;
  for (std::size_t i = 0; i < sharing.size(); ++i) {
    const auto own = static_cast<std::size_t>(threads_of(seats[sharing[i]].engine));
    const std::size_t end = i + 1 + rest * (threads_before + own) / threads;
    threads_before += own;
    for (; next < end; ++next) {
      std::string& share = shares[sharing[i]];
      share += (share.empty() ? "" : ",") + std::to_string(pool[next]);
    }
  }
  return shares;
}

}  // namespace kakehashi::bridge
