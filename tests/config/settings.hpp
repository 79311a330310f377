// Configurations for tests, written as "server.port: 0": the least that a bot needs, with single
// settings put on top, turned into YAML and loaded.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "config/yaml/load_yaml.hpp"

namespace kakehashi::config {

/// A whole file: the least that is accepted, changed by `settings`, each "path: value"; a value "-"
/// takes the key away.
inline std::string yaml_of(const std::vector<std::string>& settings) {
  std::map<std::string, std::string> values{{"server.host", "csa.example"},
                                            {"account.name", "mybot"},
                                            {"account.password_env", "TRIP"},
                                            {"engine.command", "[/opt/engine]"}};
  for (const std::string& setting : settings) {
    const std::size_t colon = setting.find(": ");
    values[setting.substr(0, colon)] = setting.substr(colon + 2);
  }
  std::map<std::string, std::string> sections;
  std::map<std::string, std::string> maps;  // "server.tls" and what it holds, within braces
  std::string text;
  for (const auto& [path, value] : values) {
    const std::size_t dot = path.find('.');
    if (value == "-") {
      continue;
    }
    if (dot == std::string::npos) {
      text += path + ": " + value + "\n";
    } else if (const std::size_t last = path.rfind('.'); last != dot) {
      std::string& held = maps[path.substr(0, last)];
      held += (held.empty() ? "" : ", ") + path.substr(last + 1) + ": " + value;
    } else {
      sections[path.substr(0, dot)] += "  " + path.substr(dot + 1) + ": " + value + "\n";
    }
  }
  for (const auto& [path, held] : maps) {
    const std::size_t dot = path.find('.');
    sections[path.substr(0, dot)] += "  " + path.substr(dot + 1) + ": {" + held + "}\n";
  }
  for (const auto& [section, lines] : sections) {
    text += section + ":\n" + lines;
  }
  return text;
}

inline Loaded load_text(const std::string& yaml) { return load_yaml({{"bot.yaml", yaml}}); }

inline Loaded load(const std::vector<std::string>& settings) {
  return load_text(yaml_of(settings));
}

/// "key: text" of each, without the place.
inline std::vector<std::string> texts(const std::vector<Problem>& problems) {
  std::vector<std::string> all;
  for (const Problem& problem : problems) {
    all.push_back((problem.key.empty() ? "" : problem.key + ": ") + problem.text.english());
  }
  return all;
}

/// What is wrong with these settings.
inline std::vector<std::string> faults(const std::vector<std::string>& settings) {
  return texts(load(settings).problems);
}

inline std::vector<std::string> warnings(const std::vector<std::string>& settings) {
  return texts(load(settings).warnings);
}

inline std::vector<std::string> described(const std::vector<Problem>& problems) {
  std::vector<std::string> all;
  for (const Problem& problem : problems) {
    all.push_back(describe(problem).english());
  }
  return all;
}

using Lines = std::vector<std::string>;

}  // namespace kakehashi::config
