// The description of the addresses for programs (OpenAPI 3.0). The build makes its text from
// status/web/openapi.json; a test holds it against what is really answered.
#pragma once

#include <string_view>

namespace kakehashi::status {

[[nodiscard]] std::string_view openapi_document();

}  // namespace kakehashi::status
