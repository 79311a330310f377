// What will happen when: the virtual clock of a story. Things due at one instant happen in the order
// in which they were put down.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "base/time.hpp"

namespace kakehashi::sim {

class Agenda {
 public:
  using Task = std::function<void()>;

  [[nodiscard]] base::Millis at() const { return at_; }

  void put(base::Millis at, Task task) {
    entries_.push_back({std::max(at, at_), ++count_, std::move(task)});
    std::push_heap(entries_.begin(), entries_.end(), is_later);
  }
  void put_after(base::Millis delay, Task task) { put(at_ + delay, std::move(task)); }

  /// Lets the next thing happen, if one is due by `until`; otherwise moves the clock there.
  bool advance(base::Millis until) {
    if (entries_.empty() || entries_.front().at > until) {
      at_ = std::max(at_, until);
      return false;
    }
    std::pop_heap(entries_.begin(), entries_.end(), is_later);
    Entry entry = std::move(entries_.back());
    entries_.pop_back();
    at_ = entry.at;
    entry.task();
    return true;
  }

  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    base::Millis at;
    std::uint64_t number;
    Task task;
  };
  static bool is_later(const Entry& a, const Entry& b) {
    return a.at != b.at ? a.at > b.at : a.number > b.number;
  }

  base::Millis at_{0};
  std::uint64_t count_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace kakehashi::sim
