#include "usi/info_sieve.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/text.hpp"

namespace kakehashi::usi {

namespace {

/// Kinds are thinned apart: a hundred "currmove" must not push out the principal variation.
enum Kind : std::size_t { without_moves, with_moves, words, other };

/// Looks for the rarest letter of " pv ": of a flood that is the greater part of the work.
bool has_pv(std::string_view info) {
  for (std::size_t at = info.find('v', 2); at != std::string_view::npos; at = info.find('v', at + 1)) {
    if (info.substr(at - 2, 4) == " pv ") {
      return true;
    }
  }
  return false;
}

Kind kind_of(std::string_view line) {
  const std::string_view text = base::trim(line);
  if (!text.starts_with("info ")) {
    return other;
  }
  if (text.starts_with("info string") || text.starts_with("info error")) {
    return words;
  }
  return has_pv(text) ? with_moves : without_moves;
}

}  // namespace

void InfoSieve::refill(base::SteadyTime now) {
  if (refilled_at_) {
    const std::chrono::duration<double> since = now - *refilled_at_;
    allowed_ = std::min(infos_at_once_max, allowed_ + since.count() * infos_a_second_max);
  }
  refilled_at_ = now;
}

void InfoSieve::release(Sifted& sifted) {
  for (auto& line : held_) {
    if (line) {
      sifted.lines.push_back(*std::exchange(line, std::nullopt));
    }
  }
}

InfoSieve::Sifted InfoSieve::sift(const std::vector<std::string_view>& lines,
                                  base::SteadyTime now) {
  refill(now);
  std::vector<Kind> sorts(lines.size());
  std::transform(lines.begin(), lines.end(), sorts.begin(), kind_of);
  auto infos = static_cast<std::size_t>(
      std::count_if(sorts.begin(), sorts.end(), [](Kind kind) { return kind != other; }));

  Sifted sifted;
  std::array<std::size_t, kinds> latest{};  // what to hold back, by its place
  latest.fill(lines.size());
  const auto hold = [&](Kind kind, std::size_t at) {
    sifted.dropped += latest[kind] != lines.size() || held_[kind] ? 1 : 0;
    held_[kind].reset();
    latest[kind] = at;
  };
  const auto keep_held = [&] {
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      if (const std::size_t at = std::exchange(latest[kind], lines.size()); at != lines.size()) {
        held_[kind] = std::string(lines[at]);
      }
    }
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (sorts[i] == other) {
      keep_held();
      release(sifted);
      sifted.lines.emplace_back(lines[i]);
    } else if (static_cast<double>(infos--) <= allowed_) {
      if (latest[sorts[i]] != lines.size() || held_[sorts[i]]) {
        hold(sorts[i], lines.size());  // a later one of its kind follows here
      }
      allowed_ -= 1;
      sifted.lines.emplace_back(lines[i]);
    } else {
      hold(sorts[i], i);
    }
  }
  keep_held();
  return sifted;
}

}  // namespace kakehashi::usi
