#include "config/yaml/load_yaml.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

#include "base/text.hpp"
#include "config/schema/keys.hpp"
#include "config/schema/validate.hpp"
#include "config/yaml/read_key.hpp"
#include "config/yaml/yaml_tree.hpp"

namespace kakehashi::config {
namespace {

using base::Message;
using base::say;
using Kind = YamlNode::Kind;

/// Keys that people expect, from other programs or by a slip, and what to do instead. A word alone: in any section.
struct Expected {
  std::string_view path;
  Message advice;
};

std::vector<Expected> expected_keys() {
  const Message no_secret_here =
      say("must not stand in a configuration file, which is copied and shown around: put it into a file of its own "
          "(account.password_file), an environment variable (account.password_env) or a systemd credential "
          "(account.password_credential)");
  const Message arguments =
      say("is no setting; arguments follow the program in engine.command: [program, argument]");
  const auto other = [](std::string_view key) { return say("is no setting; did you mean {}?", key); };
  return {
      {"password", no_secret_here},
      {"pass", no_secret_here},
      {"trip", no_secret_here},
      {"server.url", say("is no setting; wss://host:port/path is written as host: host, port: port, tls: true and "
                         "websocket: {path: /path}")},
      {"server.path", other("server.websocket: {path: …}")},
      {"server.ssl", other("server.tls")},
      {"server.socks5", other("server.proxy: socks5://host:port")},
      {"account.id", other("account.name")},
      {"account.user", other("account.name")},
      {"account.username", other("account.name")},
      {"engine.path", other("engine.command")},
      {"engine.program", other("engine.command")},
      {"engine.args", arguments},
      {"engine.arguments", arguments},
      {"engine.env", other("engine.environment")},
      {"records.format", say("is no setting; the formats are a list, records.formats: [csa] or [csa3]")},
      {"engine.ponder", say("is no setting; did you mean ponder, at the top level?")},
      {"time.byoyomi", say("is no setting; the game's name and the server decide on the clock")},
      {"<<", say("is YAML's merge key, which is not supported; write the keys out")},
  };
}

std::vector<std::string> names_in(const std::string& section) {
  std::vector<std::string> names;
  for (const Key& key : keys()) {
    if (key.section() == section) {
      names.push_back(key.leaf());
    }
  }
  if (section.empty()) {
    for (const Section& known : sections()) {
      if (known.name.find('.') == std::string::npos) {
        names.push_back(known.name);
      }
    }
  }
  return names;
}

bool is_engine_section(const std::string& section) {
  return section == "engine" || section == "engine.standby";
}

Message advice_for_unknown(const std::string& section, const std::string& name) {
  const std::string path = section.empty() ? name : section + "." + name;
  for (const Expected& expected : expected_keys()) {
    if (expected.path == path || expected.path == name) {
      return expected.advice;
    }
  }
  if (name.find(':') != std::string::npos) {
    return say("is no setting; a space must follow the colon after a key");
  }
  if (const Key* key = find_key(path)) {
    return say("is no setting here; write {} indented below {}:", key->leaf(), key->section());
  }
  const auto siblings = names_in(section);
  if (const auto near = base::nearest(name, siblings)) {
    return say("is no setting; did you mean {}?", (section.empty() ? "" : section + ".") + *near);
  }
  for (const Key& key : keys()) {
    if (key.leaf() == name) {
      return say("is no setting here; did you mean {}?", key.path);
    }
  }
  const Message there = base::listed(siblings);
  return section.empty() ? say("is no setting; at the top level there are {}", there)
         : is_engine_section(section)
             ? say("is no setting; in {} there are {}; options of the engine's own stand below {}.options", section, there,
                   section)
             : say("is no setting; in {} there are {}", section, there);
}

class BotReader {
 public:
  /// A key that the file gives wrongly has a place and keeps its default.
  BotReader(const YamlTree& tree, BotConfig& bot, Places& places, Report& report)
      : tree_(tree), bot_(bot), places_(places), report_(report) {}

  void read() {
    read_map(tree_.root(), "");
    complain_about_missing();
    if (bot_.name.empty()) {
      bot_.name = bot_.account.name;
    }
  }

 private:
  void read_map(const YamlNode& map, const std::string& section) {
    for (const YamlEntry& entry : map.entries) {
      const std::string path = section.empty() ? entry.key : section + "." + entry.key;
      const YamlNode& value = tree_.at(entry.value);
      const bool starts_section = is_section(path) && entry.key.find('.') == std::string::npos;
      const Key* key = find_in(section, entry.key);
      if (const LeftSetting* left = find_left(path)) {
        report_.warning(entry.place, path, say("is no setting any more, and is ignored: {}", left->advice));
        continue;
      }
      if (!starts_section && key == nullptr) {
        report_.problem(entry.place, show_key(path), advice_for_unknown(section, entry.key));
        continue;
      }
      if (!is_first(entry, path, places_, report_)) {
        continue;
      }
      if (starts_section && key == nullptr) {
        read_section(value, path);
      } else if (starts_section && value.kind == Kind::map) {
        // The settings of a thing that is a switch too switch it on.
        std::get<FlagKey>(key->shape).set(bot_, true);
        read_map(value, path);
      } else {
        read_key({*key, tree_, value, entry.place}, bot_, places_, report_);
      }
    }
  }

  /// An empty section is one whose keys are all commented out.
  void read_section(const YamlNode& value, const std::string& path) {
    if (value.kind == Kind::map) {
      read_map(value, path);
    } else if (value.kind != Kind::nothing) {
      broken_sections_.insert(path);
      report_.problem(value.place, path,
                      say("must hold keys, each indented on its own line below it, such as {}: …",
                          names_in(path).front()));
    }
  }

  void complain_about_missing() {
    for (const Key& key : keys()) {
      if (!key.is_required || places_.contains(key.path) ||
          broken_sections_.contains(key.section())) {
        continue;
      }
      const auto section = places_.find(key.section());
      report_.problem(section == places_.end() ? Place{1, 1} : section->second, key.path,
                      say("must be given ({})", describe_accepted(key)));
    }
  }

  /// A dot in a key would otherwise reach into another section.
  static const Key* find_in(const std::string& section, const std::string& name) {
    const Key* key = find_key(section.empty() ? name : section + "." + name);
    return key != nullptr && key->section() == section ? key : nullptr;
  }

  const YamlTree& tree_;
  BotConfig& bot_;
  Places& places_;
  Report& report_;
  std::set<std::string> broken_sections_;
};

}  // namespace

Loaded load_yaml(const std::vector<Source>& sources) {
  Loaded loaded;
  std::vector<Report> reports;
  for (const Source& source : sources) {
    Report report(source.file);
    BotConfig& bot = loaded.bots.emplace_back();
    Places& places = loaded.places.emplace_back();
    if (const auto tree =
            parse_yaml(source.text, say("server.host, account.name and engine.command"), report)) {
      BotReader(*tree, bot, places, report).read();
      validate(bot, places, report);
    }
    loaded.files.push_back(report.file());
    reports.push_back(std::move(report));
  }
  finish(loaded, reports);
  return loaded;
}

void finish(Loaded& loaded, std::vector<Report>& reports) {
  validate_together(loaded.bots, loaded.places, reports);
  introduce_to_each_other(loaded.bots);
  for (Report& report : reports) {
    sort_by_place(report.problems);
    sort_by_place(report.warnings);
    std::move(report.problems.begin(), report.problems.end(), std::back_inserter(loaded.problems));
    std::move(report.warnings.begin(), report.warnings.end(), std::back_inserter(loaded.warnings));
  }
}

}  // namespace kakehashi::config
