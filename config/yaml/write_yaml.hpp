// A BotConfig as a configuration file that says the same: what differs from the defaults, each key
// with its explanation from describe's table. The password never stands in it.
#pragma once

#include <string>

#include "config/bot_config.hpp"
#include "words/words.hpp"

namespace kakehashi::config {

enum class Extent {
  told,  ///< what differs from the defaults
  all,   ///< every other key besides, as a comment with its default
};

/// The whole file, beginning with `head` as a comment; what the keys mean is said in that language. Only keys that an import can set are written:
/// all but those whose shape is a map of its own.
[[nodiscard]] std::string write_yaml(const BotConfig& bot, const std::string& head, Extent extent = Extent::told,
                                     words::Language language = words::Language::english);

/// Text as comment lines behind that indent, broken where its language breaks lines; its own line ends stay.
[[nodiscard]] std::string comment_lines(const std::string& indent, const std::string& text);

}  // namespace kakehashi::config
