#include "config/import/foreign_keys.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "config/yaml/read_key.hpp"

namespace kakehashi::config {
namespace {

using Kind = YamlNode::Kind;

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += (i == 0 ? "" : i + 1 < words.size() ? ", " : " or ") + words[i];
  }
  return text;
}

}  // namespace

ForeignKeys::ForeignKeys(const YamlTree& tree, const std::set<std::string>& sections,
                         Report& report)
    : report_(report) {
  flatten(tree, tree.root(), "", sections);
}

ForeignKeys::ForeignKeys(const YamlTree& tree, const YamlNode& map, const std::string& path,
                         Place place, Report& report)
    : report_(report) {
  sections_.emplace(path, place);
  flatten(tree, map, path, {});
}

void ForeignKeys::flatten(const YamlTree& tree, const YamlNode& map, const std::string& section,
                          const std::set<std::string>& sections) {
  for (const YamlEntry& entry : map.entries) {
    const std::string key = section.empty() ? entry.key : section + "." + entry.key;
    const YamlNode& node = tree.at(entry.value);
    const bool is_section = sections.contains(key);
    const bool is_first = is_section ? sections_.emplace(key, entry.place).second
                                     : values_.emplace(key, Value{node, entry.place, ""}).second;
    if (!is_first) {
      report_.problem(entry.place, show_key(key), "is given twice; keep one");
    } else if (!is_section) {
      order_.push_back(key);
    } else if (node.kind == Kind::map) {
      flatten(tree, node, key, sections);
    } else if (node.kind != Kind::nothing) {
      report_.problem(node.place, key, "must hold keys, not " + seen(node));
    }
  }
}

void ForeignKeys::replace(const std::string& key, std::string origin, std::string text) {
  Value value;
  value.node.kind = Kind::scalar;
  value.node.text = std::move(text);
  value.origin = std::move(origin);
  values_[key] = std::move(value);
}

const ForeignKeys::Value* ForeignKeys::take(const std::string& key) {
  asked_.insert(key);
  const auto found = values_.find(key);
  return found == values_.end() || found->second.node.kind == Kind::nothing ? nullptr
                                                                            : &found->second;
}

void ForeignKeys::fault(const std::string& key, const Value& value, std::string text) {
  if (value.origin.empty()) {
    report_.problem(value.node.place, show_key(key), std::move(text));
  } else {
    report_.problems.push_back({value.origin, {}, key, std::move(text)});
  }
}

std::optional<std::string> ForeignKeys::text(const std::string& key,
                                             Complaint (*judge)(std::string_view)) {
  const Value* value = take(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  if (value->node.kind != Kind::scalar) {
    fault(key, *value, "must be a text, not " + seen(value->node));
    return std::nullopt;
  }
  if (judge != nullptr) {
    if (auto complaint = judge(value->node.text)) {
      fault(key, *value, std::move(*complaint));
      return std::nullopt;
    }
  }
  return value->node.text;
}

std::optional<std::int64_t> ForeignKeys::whole(const std::string& key, std::int64_t min,
                                               std::int64_t max) {
  const Value* value = take(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  const auto number =
      value->node.kind == Kind::scalar ? base::parse_int(value->node.text) : std::nullopt;
  if (!number || *number < min || *number > max) {
    fault(key, *value,
          "must be a whole number from " + std::to_string(min) + " to " + std::to_string(max) +
              ", not " + seen(value->node));
    return std::nullopt;
  }
  return number;
}

std::optional<bool> ForeignKeys::flag(const std::string& key) {
  const Value* value = take(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  const std::string& text = value->node.text;
  if (value->node.kind == Kind::scalar && (text == "true" || text == "false")) {
    // To JavaScript the text "false" is as good as true: who wrote it must say what was meant.
    if (!value->node.is_quoted) {
      return text == "true";
    }
    fault(key, *value, "must be true or false; write it without quotes");
    return std::nullopt;
  }
  fault(key, *value, "must be true or false, not " + seen(value->node));
  return std::nullopt;
}

std::optional<std::size_t> ForeignKeys::word(const std::string& key,
                                             const std::vector<std::string>& words) {
  const Value* value = take(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  const auto found = value->node.kind == Kind::scalar
                         ? std::find(words.begin(), words.end(), value->node.text)
                         : words.end();
  if (found != words.end()) {
    return static_cast<std::size_t>(found - words.begin());
  }
  const auto near =
      value->node.kind == Kind::scalar ? base::nearest(value->node.text, words) : std::nullopt;
  fault(key, *value,
        "must be " + joined(words) + ", not " + seen(value->node) +
            (near ? "; did you mean " + *near + "?" : ""));
  return std::nullopt;
}

const YamlNode* ForeignKeys::map(const std::string& key) {
  const Value* value = take(key);
  if (value == nullptr) {
    return nullptr;
  }
  if (value->node.kind != Kind::map) {
    fault(key, *value, "must be a map, not " + seen(value->node));
    return nullptr;
  }
  return &value->node;
}

bool ForeignKeys::has(const std::string& key) const {
  const auto found = values_.find(key);
  return found != values_.end() && found->second.node.kind != Kind::nothing;
}

Place ForeignKeys::place(const std::string& key) const {
  if (const auto found = values_.find(key); found != values_.end()) {
    return found->second.key_place;
  }
  const auto section = sections_.find(key.substr(0, key.rfind('.')));
  return section == sections_.end() ? Place{1, 1} : section->second;
}

void ForeignKeys::problem(const std::string& key, std::string text) {
  const auto found = values_.find(key);
  if (found == values_.end()) {
    report_.problem(place(key), show_key(key), std::move(text));
  } else {
    fault(key, found->second, std::move(text));
  }
}

void ForeignKeys::must_have(const std::string& key, const std::string& accepted) {
  if (!has(key)) {
    report_.problem(place(key), show_key(key), "must be given (" + accepted + ")");
  }
}

void ForeignKeys::warn_of_the_rest(const std::string& program) {
  const std::vector<std::string> known(asked_.begin(), asked_.end());
  for (const std::string& key : order_) {
    if (asked_.contains(key)) {
      continue;
    }
    const auto near = base::nearest(key, known);
    report_.warning(values_.at(key).key_place, show_key(key),
                    "is no setting of " + program + " that is known here; it is ignored" +
                        (near ? "; did you mean " + *near + "?" : ""));
  }
}

}  // namespace kakehashi::config
