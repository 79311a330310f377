// The room config/import: configurations of other bridges as ours. It owns the names of their keys, and reads them
// by the room yaml; it knows no file, and nobody but the commands knows it.
//
// Here: the settings of ShogiHome's usi-csa-bridge, which its window exports as YAML and JSON, as a
// BotConfig of ours that plays alike. Takes text: reading and unpacking are config/io/load_shogihome's
// business. Source of all keys: ShogiHome, src/common/settings/csa.ts and usi.ts (CSAGameSettingsForCLI).
#pragma once

#include <string>
#include <vector>

#include "config/bot_config.hpp"
#include "config/schema/problem.hpp"
#include "config/yaml/load_yaml.hpp"

namespace kakehashi::config {

/// A value from the command line in place of the file's.
struct ShogiHomeOverride {
  std::string key;   ///< theirs: "server.host"
  std::string flag;  ///< where it was given, for messages: "--host"
  std::string text;
};

/// What became of one of their keys.
struct Carried {
  std::string theirs;    ///< "server.id"
  std::string ours;      ///< "account.name"; several, or empty: it has no counterpart
  base::Message remark;  ///< what is different here; empty: nothing
};

struct ShogiHomeImport {
  BotConfig bot;       ///< with the password; usable when there are no problems
  Places places;       ///< of our keys, where their counterparts stand in the file
  std::vector<Problem> problems;
  std::vector<Problem> warnings;  ///< unknown keys, and what plays differently here
  std::vector<Carried> carried;   ///< in the order of their page
};

/// A key that is absent means what it means to their bridge: false, or their default. Their
/// password may begin with a game's name and a comma; it is taken apart, and the LOGIN line that
/// comes of it is the same. No message repeats any part of the password.
[[nodiscard]] ShogiHomeImport import_shogihome(const Source& source,
                                               const std::vector<ShogiHomeOverride>& overrides);

}  // namespace kakehashi::config
