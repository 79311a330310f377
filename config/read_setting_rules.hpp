// The key `rules`: settings for single games. What a rule sets is read by the table of keys, as it
// would be at the top of the file.
#pragma once

#include <vector>

#include "config/read_key.hpp"
#include "config/setting_rule.hpp"

namespace kakehashi::config {

void read_setting_rules(const KeyValue& value, std::vector<SettingRule>& rules, Report& report);

}  // namespace kakehashi::config
