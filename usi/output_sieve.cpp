#include "usi/output_sieve.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "base/text.hpp"

namespace kakehashi::usi {

namespace {

/// Kinds are thinned apart: a hundred "currmove" must not push out the principal variation.
enum Kind : std::size_t { without_moves, with_moves, words, move, readiness, option, other };

constexpr bool is_info(Kind kind) { return kind < move; }

/// Looks for the rarest letter of " pv ": of a flood that is the greater part of the work.
bool has_pv(std::string_view info) {
  for (std::size_t at = info.find('v', 2); at != std::string_view::npos; at = info.find('v', at + 1)) {
    if (info.substr(at - 2, 4) == " pv ") {
      return true;
    }
  }
  return false;
}

/// Of any dialect: "usiok", "uciok" and their like end so, as "readyok" does.
Kind kind_of_other(std::string_view text) {
  constexpr std::size_t longest = 16;
  const std::string_view beginning = text.substr(0, longest);
  const std::string_view word = beginning.substr(0, beginning.find_first_of(" \t"));
  if (word == "bestmove" || word == "checkmate") {
    return move;
  }
  if (word == "option" || word == "id") {
    return option;
  }
  return word.ends_with("ok") && word.size() < longest ? readiness : other;
}

Kind kind_of(std::string_view line) {
  const std::string_view text = base::trim(line);
  if (!text.starts_with("info ")) {
    return kind_of_other(text);
  }
  if (text.starts_with("info string") || text.starts_with("info error")) {
    return words;
  }
  return has_pv(text) ? with_moves : without_moves;
}

std::size_t cost_of(std::string_view line) { return 1 + line.size() / OutputSieve::line_bytes; }

}  // namespace

void OutputSieve::Allowance::add(double lines) { left = std::min(static_cast<double>(bound.at_once), left + lines); }

void OutputSieve::asked(std::size_t lines) {
  others_.front().add(static_cast<double>(lines));
  others_[readiness - move].add(static_cast<double>(lines));
}

void OutputSieve::refill(base::SteadyTime now) {
  if (refilled_at_) {
    const std::chrono::duration<double> since = now - *refilled_at_;
    const auto pass = [&](Allowance& allowance) { allowance.add(since.count() * allowance.bound.a_second); };
    pass(infos_);
    std::for_each(others_.begin(), others_.end(), pass);
  }
  refilled_at_ = now;
}

void OutputSieve::release(Sifted& sifted, std::size_t taken) {
  for (auto& line : held_) {
    if (line) {
      sifted.lines.push_back(*std::exchange(line, std::nullopt));
      sifted.taken.push_back(taken);
    }
  }
}

OutputSieve::Sifted OutputSieve::sift(const std::vector<std::string_view>& lines, base::SteadyTime now) {
  refill(now);
  std::vector<Kind> sorts(lines.size());
  std::transform(lines.begin(), lines.end(), sorts.begin(), kind_of);
  std::size_t infos_to_come = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    infos_to_come += is_info(sorts[i]) ? cost_of(lines[i]) : 0;
  }

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
  std::vector<std::size_t> latest_left_out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto cost = static_cast<double>(cost_of(lines[i]));
    if (!is_info(sorts[i])) {
      Allowance& allowance = others_[sorts[i] - move];
      if (allowance.left < 1) {
        ++sifted.left_out;
        latest_left_out.push_back(i);
        continue;
      }
      allowance.left -= cost;
      keep_held();
      release(sifted, i);
      sifted.lines.emplace_back(lines[i]);
      sifted.taken.push_back(i + 1);
      left_out_.clear();  // no last words any more
      latest_left_out.clear();
      continue;
    }
    const bool passes = static_cast<double>(infos_to_come) <= infos_.left;
    infos_to_come -= cost_of(lines[i]);
    if (passes) {
      infos_.left -= cost;
      if (latest[sorts[i]] != lines.size() || held_[sorts[i]]) {
        hold(sorts[i], lines.size());  // a later one of its kind follows here
      }
      sifted.lines.emplace_back(lines[i]);
      sifted.taken.push_back(i + 1);
    } else {
      hold(sorts[i], i);
    }
  }
  keep_held();
  for (std::size_t i = latest_left_out.size() - std::min(latest_left_out.size(), last_words_max); i < latest_left_out.size(); ++i) {
    left_out_.emplace_back(lines[latest_left_out[i]]);
    if (left_out_.size() > last_words_max) {
      left_out_.pop_front();
    }
  }
  return sifted;
}

std::vector<std::string> OutputSieve::take_last_words() {
  Sifted last;
  release(last, 0);
  std::move(left_out_.begin(), left_out_.end(), std::back_inserter(last.lines));
  left_out_.clear();
  return std::move(last.lines);
}

}  // namespace kakehashi::usi
