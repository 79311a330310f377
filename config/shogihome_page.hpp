// What the readers of ShogiHome's settings share: their keys, the bot that comes of them, and the list
// of what became of each. See import_shogihome.hpp.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "config/foreign_keys.hpp"
#include "config/import_shogihome.hpp"

namespace kakehashi::config {

struct ShogiHomePage {
  const YamlTree& tree;
  ForeignKeys keys;
  Report& report;
  ShogiHomeImport& made;

  /// Notes what became of a key, if the file gives it; `ours` are one or more keys, with commas.
  void carry(const std::string& theirs, const std::string& ours, std::string remark = "") {
    if (!keys.has(theirs)) {
      return;
    }
    for (const std::string_view key : base::split(ours, ',')) {
      made.places.emplace(base::trim(key), keys.place(theirs));
    }
    made.carried.push_back({theirs, ours, std::move(remark)});
  }

  /// Notes a key that does nothing here, and warns where that makes a difference.
  void drop(const std::string& theirs, const std::string& remark, bool matters) {
    carry(theirs, "", remark);
    if (matters) {
      report.warning(keys.place(theirs), theirs, remark);
    }
  }
};

inline constexpr const char* shogihome_bridge = "usi-csa-bridge";

/// All of "usi": the engine, its options, pondering, the book.
void read_shogihome_engine(ShogiHomePage& page);

}  // namespace kakehashi::config
