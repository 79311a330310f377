// The room config/yaml: configuration files into BotConfigs and back. It owns the reading of YAML by the table of
// schema/keys, and the writing; it knows no setting by name, but those that people mistake, and touches no file.
//
// Here: files' texts into BotConfigs, strictly, and with every problem of every file at once: unknown and repeated keys,
// types, ranges, required keys, and how all fit together (validate). io/load_files reads the files and the secrets.
#pragma once

#include <string>
#include <vector>

#include "config/bot_config.hpp"
#include "config/schema/problem.hpp"

namespace kakehashi::config {

/// A file's name, for messages, and what it holds.
struct Source {
  std::string file;
  std::string text;
};

struct Loaded {
  std::vector<Problem> problems;  ///< by file and place; the bots may be used when there are none
  std::vector<BotConfig> bots;    ///< one for each source, in their order; no password is filled in
  std::vector<Problem> warnings;  ///< what is allowed and most likely not meant
  std::vector<Places> places;     ///< of each bot's keys in its file
  std::vector<std::string> files; ///< the name of each bot's file
};

/// Judges the bots of `loaded` together, and gathers what was found in each one's file.
void finish(Loaded& loaded, std::vector<Report>& reports);

/// One source is one bot. Judges each file by itself, then all together: two bots with one account
/// on one server would throw each other out (shogi-server, duplicate login).
[[nodiscard]] Loaded load_yaml(const std::vector<Source>& sources);

}  // namespace kakehashi::config
