// What stands in status/web and is compiled in.
#pragma once

#include <string_view>

namespace kakehashi::watch {

/// The live page: one HTML text without anything from elsewhere.
[[nodiscard]] std::string_view live_page();

/// The description of the addresses for programs (OpenAPI 3.0); a test holds it against what is really answered.
[[nodiscard]] std::string_view openapi_document();

}  // namespace kakehashi::watch
