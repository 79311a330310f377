// The list below `notify`: what holds for a recipient as a whole. Each of its settings is read by their table.
#include "config/yaml/read_key.hpp"

#include <string>
#include <utility>

namespace kakehashi::config {
namespace {

using base::say;
using Kind = YamlNode::Kind;

Notify read_recipient(const KeyValue& value, const YamlNode& map, const std::string& path, Places& places,
                      Report& report) {
  YamlNode known = map;
  const auto addresses = std::erase_if(known.entries, [&](const YamlEntry& entry) {
    if (entry.key != "url") {
      return false;
    }
    report.problem(entry.place, path + ".url",
                   say("must not stand in a configuration file, since whoever knows a webhook's address can write "
                       "to it: put it into a file of its own (url_file)"));
    return true;
  });
  BotConfig place = place_for_recipient();
  read_item(value, known, path, recipient_keys(), say("a recipient"), place, places, report);
  const auto is_given = [&](const char* name) { return places.contains(path + "." + name); };
  if (is_given("url_file") == is_given("command") && addresses == 0) {
    report.problem(map.place, path, say("each item needs either url_file or command"));
  } else if (!is_given("url_file") && is_given("template")) {
    report.problem(map.place, path, say("template goes with url_file; a command gets JSON"));
  }
  return std::move(place.notify.front());
}

}  // namespace

void read_notify(const KeyValue& value, std::vector<Notify>& recipients, Places& places, Report& report) {
  if (value.node.kind != Kind::list) {
    report.problem(value.node.place, value.key.path,
                   say("must be a list, - url_file: … or - command: …, not {}", seen(value.node)));
    return;
  }
  if (value.node.items.size() > recipients_max) {
    report.problem(value.node.place, value.key.path,
                   say("must have at most {} items", recipients_max));
    return;
  }
  for (std::size_t i = 0; i < value.node.items.size(); ++i) {
    const YamlNode& item = value.tree.at(value.node.items[i]);
    const std::string path = value.key.path + "[" + std::to_string(i + 1) + "]";
    places.emplace(path, item.place);
    if (item.kind == Kind::map) {
      recipients.push_back(read_recipient(value, item, path, places, report));
    } else {
      report.problem(item.place, path,
                     say("each item must be a map, url_file: … or command: …, not {}", seen(item)));
    }
  }
}

}  // namespace kakehashi::config
