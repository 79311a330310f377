// The key `rules`: settings for single games.
#include "config/yaml/read_key.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/text.hpp"
#include "config/game_settings.hpp"
#include "config/schema/plain_settings.hpp"

namespace kakehashi::config {
namespace {

using base::say;
using Kind = YamlNode::Kind;

/// Reads one rule; `name_` is "rules[2]", the second one.
class RuleReader {
 public:
  RuleReader(const YamlTree& tree, std::string name, Report& report)
      : tree_(tree), name_(std::move(name)), report_(report) {}

  SettingRule read(const YamlNode& node) {
    rule_.line = node.place.line;
    for (const YamlEntry& entry : node.entries) {
      const YamlNode& value = tree_.at(entry.value);
      const bool is_when = entry.key == "when";
      if (!is_when && entry.key != "set") {
        fault(entry.place, entry.key, say("is no part of a rule; a rule has when and set"));
      } else if (!once(entry, entry.key)) {
        continue;
      } else if (value.kind != Kind::map) {
        fault(value.place, entry.key,
              is_when ? say("must be a map, {game_name: floodgate-*}, not {}", seen(value))
                      : say("must be a map, {ponder: off}, not {}", seen(value)));
      } else if (is_when) {
        read_when(value, "");
      } else {
        read_set(value, "");
      }
    }
    if (!given_.contains(name_ + ".set")) {
      fault(node.place, "set", say("must be given: what the rule sets, as in {ponder: off}"));
    }
    return rule_;
  }

 private:
  void fault(Place place, const std::string& path, base::Message text) {
    report_.problem(place, show_key(name_ + "." + path), std::move(text));
  }

  bool once(const YamlEntry& entry, const std::string& path) { return is_first(entry, name_ + "." + path, given_, report_); }

  // --- when

  void read_when(const YamlNode& map, const std::string& section) {
    for (const YamlEntry& entry : map.entries) {
      const YamlNode& value = tree_.at(entry.value);
      const std::string word = entry.key == "colour" ? "color" : entry.key;
      const std::string path = section + word;
      if (section.empty() && word == "clock" && value.kind == Kind::map) {
        read_when(value, "clock.");
        continue;
      }
      const auto aspect = aspect_at(path);
      if (!aspect) {
        complain_about_condition(entry, path);
      } else if (once(entry, "when." + path)) {
        read_condition(*aspect, value, "when." + path);
      }
    }
  }

  void complain_about_condition(const YamlEntry& entry, const std::string& path) {
    std::vector<std::string> words;
    for (const AspectText& text : aspect_texts()) {
      words.emplace_back(text.path);
    }
    const auto near = base::nearest(path, words);
    fault(entry.place, "when." + path,
          near ? say("is nothing that a rule can look at; did you mean {}?", *near)
               : say("is nothing that a rule can look at; there are {}", base::listed(words)));
  }

  void read_condition(Aspect aspect, const YamlNode& value, const std::string& path) {
    Condition condition{aspect, {}};
    const std::vector<const YamlNode*> nodes = items_of(tree_, value);
    if (nodes.empty() || nodes.size() > condition_texts_max) {
      fault(value.place, path, say("must be one text, or a list of 1 to {}", condition_texts_max));
      return;
    }
    for (const YamlNode* node : nodes) {
      if (node->kind != Kind::scalar) {
        fault(node->place, path, say("must be a text, not {}", seen(*node)));
      } else if (const auto complaint = judge_condition(aspect, node->text)) {
        fault(node->place, path, *complaint);
      } else {
        condition.texts.push_back(node->text);
      }
    }
    rule_.when.push_back(std::move(condition));
  }

  // --- set

  void read_set(const YamlNode& map, const std::string& section) {
    for (const YamlEntry& entry : map.entries) {
      const YamlNode& value = tree_.at(entry.value);
      const std::string path = section + entry.key;
      const auto& keys = settable_keys();
      if (std::find(keys.begin(), keys.end(), path) != keys.end()) {
        if (once(entry, "set." + path)) {
          read_setting(*find_key(path), entry, value);
        }
      } else if (const LeftSetting* left = find_left(path)) {
        report_.warning(entry.place, "set." + path, say("is no setting any more, and is ignored: {}", left->advice));
      } else if (section.empty() && value.kind == Kind::map && is_section(path)) {
        read_set(value, path + ".");
      } else {
        const auto near = base::nearest(path, keys);
        fault(entry.place, "set." + path,
              near ? say("is nothing that a rule can set; did you mean {}?", *near)
                   : say("is nothing that a rule can set; there are {}", base::listed(keys)));
      }
    }
  }

  void read_setting(const Key& key, const YamlEntry& entry, const YamlNode& value) {
    BotConfig scratch;
    Places places;
    read_key({key, tree_, value, entry.place}, scratch, places, report_);
    for (PlainSetting& setting : plain_settings(key, scratch)) {
      if (setting.key == "engine.options" &&
          (setting.values.front() == "USI_Ponder" || setting.values.front() == "Ponder")) {
        fault(entry.place, "set.engine.options." + setting.values.front(),
              say("is set from ponder; write ponder: on or off in its place"));
      }
      rule_.set.push_back(std::move(setting));
    }
  }

  const YamlTree& tree_;
  std::string name_;
  Report& report_;
  SettingRule rule_;
  Places given_;
};

}  // namespace

void read_setting_rules(const KeyValue& value, std::vector<SettingRule>& rules, Report& report) {
  Places places;
  each_map(value, setting_rules_max, places, report, [&](const YamlNode& map, const std::string& name) {
    rules.push_back(RuleReader(value.tree, name, report).read(map));
  });
}

}  // namespace kakehashi::config
