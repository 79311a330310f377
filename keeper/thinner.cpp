#include "keeper/thinner.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"

namespace kakehashi::keeper {

std::string kind_of_info(std::string_view line) {
  const auto words = base::split_words(line.substr(0, 512));
  std::string variation = "1";
  std::string kind = "other";
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "string" || words[i] == "currmove") {
      return std::string(words[i]);
    }
    if (words[i] == "multipv" && i + 1 < words.size()) {
      variation = words[i + 1].substr(0, 8);
    } else if (words[i] == "lowerbound" || words[i] == "upperbound") {
      kind = words[i];
    } else if (words[i] == "pv") {
      return variation + (kind == "other" ? " pv" : " " + kind);
    }
  }
  return kind;
}

std::vector<std::string> Thinner::take(std::string line, base::SteadyTime now) {
  const bool is_info = line.starts_with("info ") || line == "info";
  if (!is_info) {
    auto lines = flush(now, true);
    lines.push_back(std::move(line));
    return lines;
  }
  auto lines = flush(now, false);
  std::string name = kind_of_info(line);
  auto found = kinds_.find(name);
  if (found == kinds_.end()) {
    if (kinds_.size() >= kinds_max) {
      std::erase_if(kinds_, [&](const auto& entry) { return entry.second.waiting.empty() && now >= entry.second.free_at; });
    }
    if (kinds_.size() >= kinds_max) {
      name.clear();
    }
    found = kinds_.try_emplace(std::move(name), Kind{now}).first;
  }
  Kind& kind = found->second;
  if (now >= kind.free_at && kind.waiting.empty()) {
    kind.free_at = now + pause;
    lines.push_back(std::move(line));
  } else {
    if (kind.waiting.empty()) {
      kind.order = ++waited_;
    }
    kind.waiting = std::move(line);
  }
  return lines;
}

std::vector<std::string> Thinner::due(base::SteadyTime now) { return flush(now, false); }

std::vector<std::string> Thinner::flush(base::SteadyTime now, bool all) {
  std::vector<Kind*> ready;
  for (auto& [name, kind] : kinds_) {
    if (!kind.waiting.empty() && (all || now >= kind.free_at)) {
      ready.push_back(&kind);
    }
  }
  std::sort(ready.begin(), ready.end(), [](const Kind* a, const Kind* b) { return a->order < b->order; });
  std::vector<std::string> lines;
  for (Kind* kind : ready) {
    kind->free_at = now + pause;
    lines.push_back(std::exchange(kind->waiting, {}));
  }
  return lines;
}

std::optional<base::SteadyTime> Thinner::deadline() const {
  std::optional<base::SteadyTime> earliest;
  for (const auto& [name, kind] : kinds_) {
    if (!kind.waiting.empty() && (!earliest || kind.free_at < *earliest)) {
      earliest = kind.free_at;
    }
  }
  return earliest;
}

}  // namespace kakehashi::keeper
