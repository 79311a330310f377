// The commented example for floodgate: the few lines that play, then every other setting with its
// default, made from describe's table. It is config/floodgate.example.yaml.
#pragma once

#include <string>

namespace kakehashi::config {

/// The whole file, ending with a newline.
[[nodiscard]] std::string floodgate_example();

}  // namespace kakehashi::config
