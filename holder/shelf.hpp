// What is kept, by names. It decides, and closes nothing itself.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include "holder/kept.hpp"

namespace kakehashi::holder {

class Shelf {
 public:
  struct Place {
    Word::Name name;
    int descriptor;  ///< -1: it is free
  };

  /// In place of an earlier one of that name, which nobody needs any more even where the new one could not come (-1).
  /// Returns what is to be closed, -1: nothing. No name comes twice.
  [[nodiscard]] int keep(const Word::Name& name, int descriptor) {
    const int before = drop(name);
    Place* place = descriptor < 0 ? nullptr : free_place();
    if (place == nullptr) {
      return before < 0 ? descriptor : before;  // where there was one, a place is free now
    }
    *place = {name, descriptor};
    return before;
  }
  /// As keep().
  [[nodiscard]] int drop(const Word::Name& name) {
    for (Place& place : used()) {
      if (place.descriptor >= 0 && std::strcmp(place.name.data(), name.data()) == 0) {
        return std::exchange(place.descriptor, -1);
      }
    }
    return -1;
  }
  void clear() { used_ = 0; }

  [[nodiscard]] std::span<const Place> places() const { return {places_.get(), used_}; }
  [[nodiscard]] bool is_empty() const {
    return std::all_of(places().begin(), places().end(), [](const Place& place) { return place.descriptor < 0; });
  }

  /// To be filled with the places that another one had, so many as take_over() then says.
  [[nodiscard]] std::span<Place> room() { return {places_.get(), kept_max}; }
  void take_over(std::size_t places) { used_ = places; }

 private:
  [[nodiscard]] std::span<Place> used() { return {places_.get(), used_}; }

  Place* free_place() {
    const auto all = used();
    const auto found = std::find_if(all.begin(), all.end(), [](const Place& place) { return place.descriptor < 0; });
    if (found != all.end()) {
      return &*found;
    }
    return used_ < kept_max ? &places_[used_++] : nullptr;
  }

  /// Not cleared: what is never used takes no memory.
  std::unique_ptr<Place[]> places_ = std::make_unique_for_overwrite<Place[]>(kept_max);
  std::size_t used_ = 0;
};

}  // namespace kakehashi::holder
