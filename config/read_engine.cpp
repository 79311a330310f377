#include "config/read_engine.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "config/rules.hpp"

namespace kakehashi::config {
namespace {

using Kind = YamlNode::Kind;

std::string path_of(const KeyValue& value, const YamlEntry& entry) {
  return show_key(value.key.path + "." + entry.key);
}

/// The program and its arguments as texts; nothing after a report.
std::optional<std::vector<std::string>> read_texts(const KeyValue& value, Report& report) {
  if (value.node.kind == Kind::scalar) {
    return std::vector{value.node.text};
  }
  if (value.node.kind != Kind::list) {
    report.problem(value.node.place, value.key.path,
                   "must be a list, [program, argument, …], not a map");
    return std::nullopt;
  }
  std::vector<std::string> texts;
  for (const std::size_t index : value.node.items) {
    const YamlNode& item = value.tree.at(index);
    if (item.kind != Kind::scalar) {
      report.problem(item.place, value.key.path,
                     "each argument must be a text, not " + seen(item));
      return std::nullopt;
    }
    texts.push_back(item.text);
  }
  return texts;
}

Complaint judge_command(const std::vector<std::string>& texts) {
  if (texts.empty()) {
    return "must name the engine's program";
  }
  if (texts.size() > command_texts_max) {
    return "must have at most " + std::to_string(command_texts_max) + " texts";
  }
  if (const auto complaint = judge_path(texts.front())) {
    return "the program " + *complaint;
  }
  for (const std::string& text : texts) {
    if (const auto complaint = judge_argument(text)) {
      return "an argument " + *complaint;
    }
  }
  return std::nullopt;
}

/// A shell, here or behind ssh, replaces what it is handed.
bool has_shell(const std::string& program) {
  constexpr std::array shells{"sh", "bash", "dash", "zsh", "fish", "ssh"};
  const std::string name = program.substr(program.rfind('/') + 1);
  return std::find(shells.begin(), shells.end(), name) != shells.end();
}

void doubt_arguments(const KeyValue& value, const std::vector<std::string>& texts, Report& report) {
  const bool is_for_shell = std::any_of(texts.begin(), texts.end(), has_shell);
  for (const std::string& text : texts) {
    if (const auto doubt = is_for_shell ? std::nullopt : doubt_literal(text)) {
      report.warning(value.node.place, value.key.path, "the argument " + base::quote_for_log(text, 80) + " " + *doubt);
    }
  }
}

void read_option(const KeyValue& value_of_key, const YamlEntry& entry, EngineOptions& options,
                 Places& places, Report& report) {
  const YamlNode& value = value_of_key.tree.at(entry.value);
  const std::string path = path_of(value_of_key, entry);
  places.emplace(value_of_key.key.path + "." + entry.key, entry.place);
  if (const auto complaint = judge_option_name(entry.key)) {
    report.problem(entry.place, path, *complaint);
  } else if (value.kind == Kind::list || value.kind == Kind::map) {
    report.problem(value.place, path, "must be one text or number, not " + seen(value));
  } else if (value.kind == Kind::nothing && !entry.is_quoted && entry.key.find(':') != std::string::npos) {
    // {Threads:4} is YAML for a key "Threads:4" without a value. Who quotes a name means it.
    report.problem(entry.place, path, "needs a space after its colon");
  } else if (value.kind == Kind::nothing) {
    options.emplace_back(entry.key, std::nullopt);
  } else if (const auto wrong = judge_option_value(value.text)) {
    report.problem(value.place, path, *wrong);
  } else {
    if (const auto doubt = doubt_literal(value.text)) {
      report.warning(value.place, path, *doubt);
    }
    options.emplace_back(entry.key, value.text);
  }
}

void read_option_map(const KeyValue& value, EngineOptions& options, Places& places,
                     Report& report) {
  std::map<std::string, int> first_lines;
  for (const YamlEntry& entry : value.node.entries) {
    const auto [first, is_first] = first_lines.emplace(entry.key, entry.place.line);
    if (is_first) {
      read_option(value, entry, options, places, report);
    } else {
      report.problem(entry.place, path_of(value, entry),
                     "is given twice, first in line " + std::to_string(first->second) +
                         "; to set an option repeatedly write the options as a list, - Name: value");
    }
  }
}

}  // namespace

void read_command(const KeyValue& value, std::vector<std::string>& command, Report& report) {
  auto texts = read_texts(value, report);
  if (!texts) {
    return;
  }
  if (const auto complaint = judge_command(*texts)) {
    report.problem(value.node.place, value.key.path, *complaint);
    return;
  }
  doubt_arguments(value, *texts, report);
  command = std::move(*texts);
}

void read_environment(const KeyValue& value, Environment& environment, Report& report) {
  if (value.node.kind != Kind::map) {
    report.problem(value.node.place, value.key.path,
                   "must be a map, NAME: value, not " + seen(value.node));
    return;
  }
  if (value.node.entries.size() > environment_names_max) {
    report.problem(value.node.place, value.key.path,
                   "must have at most " + std::to_string(environment_names_max) + " names");
    return;
  }
  std::map<std::string, int> first_lines;
  for (const YamlEntry& entry : value.node.entries) {
    const YamlNode& text = value.tree.at(entry.value);
    const std::string path = path_of(value, entry);
    const auto [first, is_first] = first_lines.emplace(entry.key, entry.place.line);
    if (!is_first) {
      report.problem(entry.place, path,
                     "is given twice, first in line " + std::to_string(first->second));
    } else if (const auto complaint = judge_variable(entry.key)) {
      report.problem(entry.place, path, *complaint);
    } else if (text.kind != Kind::scalar) {
      report.problem(entry.place, path,
                     "must be a text, not " + seen(text) + "; the empty text is \"\"");
    } else if (const auto wrong = judge_variable_value(text.text)) {
      report.problem(text.place, path, *wrong);
    } else {
      environment.emplace_back(entry.key, text.text);
    }
  }
}

void read_options(const KeyValue& value, EngineOptions& options, Places& places, Report& report) {
  if (value.node.kind == Kind::map) {
    read_option_map(value, options, places, report);
  } else if (value.node.kind == Kind::list) {
    for (const std::size_t index : value.node.items) {
      const YamlNode& item = value.tree.at(index);
      if (item.kind == Kind::map && item.entries.size() == 1) {
        read_option(value, item.entries.front(), options, places, report);
      } else {
        report.problem(item.place, value.key.path, "each item of the list must be one Name: value");
      }
    }
  } else {
    report.problem(value.node.place, value.key.path,
                   "must be a map, Name: value, not " + seen(value.node));
  }
  if (options.size() > options_max) {
    report.problem(value.node.place, value.key.path,
                   "must have at most " + std::to_string(options_max) + " options");
    options.clear();
  }
}

}  // namespace kakehashi::config
