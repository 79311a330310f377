#include "config/read_resign.hpp"

#include <optional>

#include "base/text.hpp"

namespace kakehashi::config {
namespace {

using Kind = YamlNode::Kind;

/// The number of one entry; nothing after a report.
std::optional<int> read_number(const KeyValue& value, const YamlEntry& entry, int max,
                               Report& report) {
  const YamlNode& node = value.tree.at(entry.value);
  const auto number = node.kind == Kind::scalar && !node.is_quoted ? base::parse_int(node.text)
                                                                   : std::nullopt;
  if (!number || *number < 1 || *number > max) {
    report.problem(node.place, show_key(value.key.path + "." + entry.key),
                   "must be a whole number from 1 to " + std::to_string(max) + ", not " + seen(node));
    return std::nullopt;
  }
  return static_cast<int>(*number);
}

void read_threshold(const KeyValue& value, Resign& resign, Report& report) {
  Resign read{Resign::By::score, 0, 0};
  for (const YamlEntry& entry : value.node.entries) {
    const bool is_score = entry.key == "score";
    if (!is_score && entry.key != "moves") {
      report.problem(entry.place, show_key(value.key.path + "." + entry.key),
                     "is no setting; in game.resign there are score, moves");
      return;
    }
    const auto number =
        read_number(value, entry, is_score ? resign_score_max : resign_moves_max, report);
    if (!number) {
      return;
    }
    (is_score ? read.score : read.moves) = *number;
  }
  if (read.score == 0 || read.moves == 0) {
    report.problem(value.node.place, value.key.path, "needs both score and moves");
    return;
  }
  resign = read;
}

}  // namespace

void read_resign(const KeyValue& value, Resign& resign, Report& report) {
  const YamlNode& node = value.node;
  if (node.kind == Kind::map) {
    read_threshold(value, resign, report);
  } else if (node.kind == Kind::scalar && node.text == "engine") {
    resign = Resign{};
  } else if (node.kind == Kind::scalar && node.text == "never") {
    resign = Resign{Resign::By::never, 0, 0};
  } else {
    report.problem(node.place, value.key.path,
                   "must be engine, never or {score: 3000, moves: 5}, not " + seen(node));
  }
}

}  // namespace kakehashi::config
