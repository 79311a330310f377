// The live page: one HTML text without anything from elsewhere. It stands in web/page.html and is
// compiled in.
#pragma once

#include <string_view>

namespace kakehashi::status {

[[nodiscard]] std::string_view live_page();

}  // namespace kakehashi::status
