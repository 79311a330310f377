#include "config/plain_rule.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/text.hpp"

namespace kakehashi::config {
namespace {

using Texts = std::vector<std::string>;

void add_group(const std::string& name, const Texts& values, Texts& out) {
  out.push_back(name);
  out.push_back(std::to_string(values.size()));
  out.insert(out.end(), values.begin(), values.end());
}

class Reader {
 public:
  explicit Reader(const Texts& texts) : texts_(texts) {}

  std::optional<std::string> text() {
    return at_ < texts_.size() ? std::optional(texts_[at_++]) : std::nullopt;
  }

  /// Not negative, and not more than there are texts.
  std::optional<std::size_t> count() {
    const auto word = text();
    const auto number = word ? base::parse_int(*word) : std::nullopt;
    if (!number || *number < 0 || static_cast<std::size_t>(*number) > texts_.size()) {
      return std::nullopt;
    }
    return static_cast<std::size_t>(*number);
  }

  std::optional<PlainSetting> group() {
    auto name = text();
    const auto size = count();
    if (!name || !size || texts_.size() - at_ < *size) {
      return std::nullopt;
    }
    const auto first = texts_.begin() + static_cast<std::ptrdiff_t>(at_);
    at_ += *size;
    return PlainSetting{std::move(*name), Texts(first, first + static_cast<std::ptrdiff_t>(*size))};
  }

  std::optional<std::vector<PlainSetting>> groups() {
    const auto size = count();
    if (!size) {
      return std::nullopt;
    }
    std::vector<PlainSetting> all;
    for (std::size_t i = 0; i < *size; ++i) {
      auto one = group();
      if (!one) {
        return std::nullopt;
      }
      all.push_back(std::move(*one));
    }
    return all;
  }

  [[nodiscard]] bool is_at_end() const { return at_ == texts_.size(); }

 private:
  const Texts& texts_;
  std::size_t at_ = 0;
};

std::optional<Aspect> aspect_of(const std::string& path) {
  const auto& all = aspect_texts();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const AspectText& text) { return path == text.path; });
  return found == all.end() ? std::nullopt : std::optional(found->aspect);
}

}  // namespace

std::vector<std::string> plain_rule(const SettingRule& rule) {
  Texts out{std::to_string(rule.line), std::to_string(rule.when.size())};
  for (const Condition& condition : rule.when) {
    add_group(path_of(condition.aspect), condition.texts, out);
  }
  out.push_back(std::to_string(rule.set.size()));
  for (const PlainSetting& setting : rule.set) {
    add_group(setting.key, setting.values, out);
  }
  return out;
}

std::optional<SettingRule> rule_of_plain(const std::vector<std::string>& texts) {
  Reader reader(texts);
  const auto line = reader.text();
  const auto conditions = reader.groups();
  auto set = reader.groups();
  if (!line || !conditions || !set || !reader.is_at_end()) {
    return std::nullopt;
  }
  SettingRule rule;
  rule.line = static_cast<int>(base::parse_int(*line).value_or(0));
  rule.set = std::move(*set);
  for (const PlainSetting& condition : *conditions) {
    const auto aspect = aspect_of(condition.key);
    if (!aspect) {
      return std::nullopt;
    }
    rule.when.push_back({*aspect, condition.values});
  }
  return rule;
}

}  // namespace kakehashi::config
