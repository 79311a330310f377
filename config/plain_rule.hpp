// A rule as one list of texts, and back: how a journal holds it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/setting_rule.hpp"

namespace kakehashi::config {

/// The line; the number of conditions and each one's aspect, number of texts and texts; the same of
/// what is set.
[[nodiscard]] std::vector<std::string> plain_rule(const SettingRule& rule);
/// Nothing when the texts are no rule that this version knows.
[[nodiscard]] std::optional<SettingRule> rule_of_plain(const std::vector<std::string>& texts);

}  // namespace kakehashi::config
