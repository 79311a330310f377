// The list below `notify`.
#include "config/yaml/read_key.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "base/text.hpp"
#include "config/schema/text.hpp"

namespace kakehashi::config {
namespace {

using Kind = YamlNode::Kind;

constexpr std::size_t receivers_max = 16;
constexpr std::size_t command_texts_max = 64;

Complaint judge_command(const std::vector<std::string>& texts) {
  if (texts.empty() || texts.size() > command_texts_max) {
    return "must name a program, and at most " + std::to_string(command_texts_max) + " texts in all";
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

/// In the order of NotifyEvent.
const std::vector<std::string>& notify_event_words() {
  static const std::vector<std::string> words{"paired",  "started", "result",
                                              "rescue",  "no_game", "disconnected"};
  return words;
}

/// In the order of NotifyTemplate.
const std::vector<std::string>& notify_template_words() {
  static const std::vector<std::string> words{"discord", "slack", "json", "text"};
  return words;
}

class ReceiverReader {
 public:
  ReceiverReader(const KeyValue& value, const YamlNode& map, Report& report)
      : value_(value), map_(map), report_(report) {}

  Notify read() {
    std::set<std::string> seen_keys;
    for (const YamlEntry& entry : map_.entries) {
      const YamlNode& node = value_.tree.at(entry.value);
      if (!seen_keys.insert(entry.key).second) {
        fault(entry.place, entry.key, "is given twice; keep one");
      } else if (entry.key == "url_file") {
        read_url_file(entry, node);
      } else if (entry.key == "command") {
        read_command_of(entry, node);
      } else if (entry.key == "template") {
        if (const auto index = read_word(entry, node, notify_template_words())) {
          receiver_.as = static_cast<NotifyTemplate>(*index);
        }
      } else if (entry.key == "events") {
        read_events(entry, node);
      } else if (entry.key == "url") {
        fault(entry.place, entry.key,
              "must not stand in a configuration file, since whoever knows a webhook's address can write "
              "to it: put it into a file of its own (url_file)");
      } else {
        fault(entry.place, show_key(entry.key),
              "is no setting; there are url_file, command, template and events");
      }
    }
    const bool has_url = seen_keys.contains("url_file");
    if (has_url == seen_keys.contains("command") && !seen_keys.contains("url")) {
      report_.problem(map_.place, value_.key.path, "each item needs either url_file or command");
    } else if (!has_url && seen_keys.contains("template")) {
      report_.problem(map_.place, value_.key.path, "template goes with url_file; a command gets JSON");
    }
    if (!seen_keys.contains("events")) {
      receiver_.events = {NotifyEvent::result};
    }
    return receiver_;
  }

 private:
  void fault(Place place, const std::string& key, std::string text) {
    report_.problem(place, value_.key.path + "." + key, std::move(text));
  }

  void read_url_file(const YamlEntry& entry, const YamlNode& node) {
    if (node.kind != Kind::scalar) {
      fault(node.place, entry.key, "must be a text, not " + seen(node));
    } else if (auto complaint = judge_path(node.text)) {
      fault(node.place, entry.key, std::move(*complaint));
    } else {
      receiver_.url_file = node.text;
    }
  }

  void read_command_of(const YamlEntry& entry, const YamlNode& node) {
    std::vector<std::string> words;
    if (node.kind == Kind::scalar) {
      words.push_back(node.text);
    }
    for (const std::size_t index : node.items) {
      const YamlNode& item = value_.tree.at(index);
      if (item.kind != Kind::scalar) {
        fault(item.place, entry.key, "must be a list of texts, not of " + seen(item));
        return;
      }
      words.push_back(item.text);
    }
    if (auto complaint = judge_command(words)) {
      fault(node.place, entry.key, std::move(*complaint));
    } else {
      receiver_.command = std::move(words);
    }
  }

  std::optional<std::size_t> read_word(const YamlEntry& entry, const YamlNode& node,
                                       const std::vector<std::string>& words) {
    const auto found = node.kind == Kind::scalar ? std::find(words.begin(), words.end(), node.text)
                                                 : words.end();
    if (found != words.end()) {
      return static_cast<std::size_t>(found - words.begin());
    }
    fault(node.place, entry.key, "must be one of " + base::join(words, ", ") + ", not " + seen(node));
    return std::nullopt;
  }

  void read_events(const YamlEntry& entry, const YamlNode& node) {
    std::vector<const YamlNode*> items;
    if (node.kind == Kind::scalar) {
      items.push_back(&node);
    }
    for (const std::size_t index : node.items) {
      items.push_back(&value_.tree.at(index));
    }
    if (items.empty()) {
      fault(node.place, entry.key, "must name at least one event");
    }
    for (const YamlNode* item : items) {
      const auto index = read_word(entry, *item, notify_event_words());
      const auto event = static_cast<NotifyEvent>(index.value_or(0));
      if (index && std::count(receiver_.events.begin(), receiver_.events.end(), event) == 0) {
        receiver_.events.push_back(event);
      }
    }
  }

  const KeyValue& value_;
  const YamlNode& map_;
  Report& report_;
  Notify receiver_;
};

}  // namespace

void read_notify(const KeyValue& value, std::vector<Notify>& receivers, Report& report) {
  if (value.node.kind != Kind::list) {
    report.problem(value.node.place, value.key.path,
                   "must be a list, - url_file: … or - command: …, not " + seen(value.node));
    return;
  }
  for (const std::size_t index : value.node.items) {
    const YamlNode& item = value.tree.at(index);
    if (item.kind != Kind::map) {
      report.problem(item.place, value.key.path,
                     "each item must be a map, url_file: … or command: …, not " + seen(item));
    } else {
      receivers.push_back(ReceiverReader(value, item, report).read());
    }
  }
  if (receivers.size() > receivers_max) {
    report.problem(value.node.place, value.key.path,
                   "must have at most " + std::to_string(receivers_max) + " items");
    receivers.clear();
  }
}

}  // namespace kakehashi::config
