// The list below `notify`: who is told what.
#pragma once

#include <string>
#include <vector>

#include "config/notify_config.hpp"
#include "config/read_key.hpp"

namespace kakehashi::config {

/// In the order of NotifyEvent and NotifyTemplate.
[[nodiscard]] const std::vector<std::string>& notify_event_words();
[[nodiscard]] const std::vector<std::string>& notify_template_words();

void read_notify(const KeyValue& value, std::vector<Notify>& receivers, Report& report);

}  // namespace kakehashi::config
