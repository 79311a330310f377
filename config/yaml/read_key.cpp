#include "config/yaml/read_key.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "config/schema/text.hpp"
#include "config/secrets.hpp"

namespace kakehashi::config {
namespace {

using base::Message;
using base::say;
using Kind = YamlNode::Kind;

constexpr std::size_t environment_names_max = 256;
constexpr std::size_t texts_max = 100;

base::Quoted quoted(const std::string& text) { return base::quoted(text, 80); }

Complaint judge_command(const std::vector<std::string>& texts, std::size_t most) {
  if (texts.empty()) {
    return say("must name a program");
  }
  if (texts.size() > most) {
    return say("must have at most {} texts", most);
  }
  if (const auto complaint = judge_path(texts.front())) {
    return say("the program {}", *complaint);
  }
  for (const std::string& text : texts) {
    if (const auto complaint = judge_line(text)) {
      return say("an argument {}", *complaint);
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

/// One item of a list, or another map, by the table of its settings, into where these lead. `path` is the item's,
/// "engine.team[1]"; `what` it is: a member.
void read_item(const KeyValue& value, const YamlNode& map, const std::string& path, const std::vector<Key>& settings,
               const Message& what, BotConfig& place, Places& places, Report& report) {
  for (const YamlEntry& entry : map.entries) {
    const auto known = std::find_if(settings.begin(), settings.end(),
                                    [&](const Key& key) { return key.leaf() == entry.key; });
    if (known == settings.end()) {
      std::vector<std::string> names;
      names.reserve(settings.size());
      for (const Key& key : settings) {
        names.push_back(key.leaf());
      }
      const auto near = base::nearest(entry.key, names);
      report.problem(entry.place, show_key(path + "." + entry.key),
                     near ? say("is no setting of {}; did you mean {}?", what, *near)
                          : say("is no setting of {}; there are {}", what, base::join(names, ", ")));
      continue;
    }
    Key key = *known;
    key.path = path + "." + entry.key;
    if (is_first(entry, key.path, places, report)) {
      read_key({key, value.tree, value.tree.at(entry.value), entry.place}, place, places, report);
    }
  }
}

/// One function for each shape.
class KeyReader {
 public:
  KeyReader(const KeyValue& value, BotConfig& bot, Places& places, Report& report)
      : value_(value), key_(value.key), node_(value.node), bot_(bot), places_(places),
        report_(report) {}

  void operator()(const TextKey& shape) const {
    if (!is_scalar(node_)) {
      fault(say("must be a text, not {}", seen(node_)));
    } else if (auto complaint = shape.judge(node_.text)) {
      fault(std::move(*complaint));
    } else {
      shape.at(bot_) = node_.text;
    }
  }

  void operator()(const NumberKey& shape) const {
    if (shape.may_be_auto && node_.text == "auto") {
      shape.set(bot_, std::nullopt);
      return;
    }
    const auto number = read_number(shape.unit, node_.text);
    const bool is_good = number && ((*number >= shape.min && *number <= shape.max && *number % shape.step == 0) ||
                                    (*number == 0 && shape.unit == NumberKey::Unit::bytes));
    const Message accepted = describe_accepted(key_);
    if (shape.unit == NumberKey::Unit::none && (!is_good || node_.is_quoted)) {
      fault(is_good ? say("must be a whole number from {} to {}; write it without quotes", shape.min, shape.max)
                    : say("must be a whole number from {} to {}, not {}", shape.min, shape.max, seen(node_)));
    } else if (!number) {
      fault(say("{} {} (accepted: {})", seen(node_), number.error().what, accepted));
    } else if (!is_good) {
      fault(say("must be {}, not {}", accepted, seen(node_)));
    } else {
      shape.set(bot_, *number);
    }
  }

  /// YAML 1.1 has many words for true and false, and "no" is a country too: only two are taken.
  void operator()(const FlagKey& shape) const {
    const bool is_word = is_scalar(node_) && (node_.text == "true" || node_.text == "false");
    if (is_word && !node_.is_quoted) {
      shape.set(bot_, node_.text == "true");
    } else {
      fault(is_word ? say("must be true or false; write it without quotes")
                    : say("must be true or false, not {}", seen(node_)));
    }
  }

  void operator()(const ChoiceKey& shape) const {
    const auto alias =
        std::find_if(shape.aliases.begin(), shape.aliases.end(), [this](const auto& other) {
          return !node_.is_quoted && other.first == node_.text;
        });
    YamlNode node = node_;
    node.text = alias == shape.aliases.end() ? node_.text : alias->second;
    if (const auto index = word_index(node, shape.words)) {
      shape.set(bot_, *index);
    }
  }

  void operator()(const ChoicesKey& shape) const {
    if (node_.kind == Kind::map || nodes().empty()) {
      fault(say("must be a list of {}, not {}", base::choices(shape.words),
                node_.kind == Kind::map ? say("a map") : say("an empty list")));
      return;
    }
    std::vector<std::size_t> chosen;
    const std::size_t faults_before = report_.problems.size();
    for (const YamlNode* node : nodes()) {
      const auto index = word_index(*node, shape.words);
      const bool is_repeated = index && std::find(chosen.begin(), chosen.end(), *index) != chosen.end();
      if (is_repeated && !shape.takes_repeated) {
        fault_in(*node, say("names {} twice", node->text));
      } else if (index && !is_repeated) {
        chosen.push_back(*index);
      }
    }
    if (report_.problems.size() == faults_before) {
      shape.set(bot_, chosen);
    }
  }

  /// Each text is judged by itself; one that breaks its rule leaves the whole list as it was.
  void operator()(const TextsKey& shape) const {
    if (node_.kind == Kind::map || nodes().size() > texts_max) {
      fault(say("must be a text or a list of at most {} texts (accepted: {})", texts_max, describe_accepted(key_)));
      return;
    }
    std::vector<std::string> texts;
    const std::size_t faults_before = report_.problems.size();
    for (const YamlNode* node : nodes()) {
      auto complaint = is_scalar(*node) ? shape.judge(node->text) : say("must hold texts, not {}", seen(*node));
      if (!complaint && std::find(texts.begin(), texts.end(), node->text) != texts.end()) {
        complaint = say("names {} twice", quoted(node->text));
      }
      if (complaint) {
        fault_in(*node, std::move(*complaint));
      }
      texts.push_back(node->text);
    }
    if (report_.problems.size() == faults_before) {
      shape.at(bot_) = std::move(texts);
    }
  }

  /// The text may hold a password: what is wrong is told without it.
  void operator()(const ProxyKey&) const {
    auto proxy = parse_proxy(node_.text);
    if (proxy) {
      bot_.server.proxy = std::move(proxy).value();
    } else {
      fault(is_scalar(node_) ? proxy.error().what : say("must be a text such as socks5://host:port"));
    }
  }

  void operator()(const CommandKey& shape) const {
    if (node_.kind == Kind::map) {
      fault(say("must be a list, [program, argument, …], not a map"));
      return;
    }
    std::vector<std::string> texts;
    for (const YamlNode* item : nodes()) {
      if (!is_scalar(*item)) {
        fault_in(*item, say("each argument must be a text, not {}", seen(*item)));
        return;
      }
      texts.push_back(item->text);
    }
    if (auto complaint = judge_command(texts, shape.texts_max)) {
      fault(std::move(*complaint));
      return;
    }
    const bool is_for_shell = std::any_of(texts.begin(), texts.end(), has_shell);
    for (const std::string& text : texts) {
      if (const auto doubt = is_for_shell ? std::nullopt : doubt_literal(text)) {
        report_.warning(node_.place, key_.path, say("the argument {} {}", quoted(text), *doubt));
      }
    }
    shape.at(bot_) = std::move(texts);
  }

  void operator()(const EnvironmentKey& shape) const {
    if (node_.kind != Kind::map || node_.entries.size() > environment_names_max) {
      fault(say("must be a map, NAME: value, of at most {} names", environment_names_max));
      return;
    }
    for (const YamlEntry& entry : node_.entries) {
      const YamlNode& text = value_.tree.at(entry.value);
      const std::string path = show_key(path_of(entry));
      if (!is_first(entry, path_of(entry), places_, report_)) {
        continue;
      }
      if (auto complaint = judge_variable(entry.key)) {
        report_.problem(entry.place, path, std::move(*complaint));
      } else if (!is_scalar(text)) {
        report_.problem(entry.place, path, say("must be a text, not {}; the empty text is \"\"", seen(text)));
      } else if (auto wrong = judge_variable_value(text.text)) {
        report_.problem(text.place, path, std::move(*wrong));
      } else {
        shape.at(bot_).emplace_back(entry.key, text.text);
      }
    }
  }

  /// Adds the place of each option to the places.
  void operator()(const OptionsKey& shape) const {
    usi::WantedOptions& options = shape.at(bot_);
    for (const YamlEntry& entry : node_.entries) {
      if (is_first(entry, path_of(entry), places_, report_)) {
        read_option(entry, options);
      }
    }
    for (const std::size_t index : node_.items) {
      const YamlNode& item = value_.tree.at(index);
      if (item.kind == Kind::map && item.entries.size() == 1) {
        places_.emplace(path_of(item.entries.front()), item.entries.front().place);
        read_option(item.entries.front(), options);
      } else {
        fault_in(item, say("each item of the list must be one Name: value"));
      }
    }
    if (is_scalar(node_)) {
      fault(say("must be a map, Name: value, not {}", seen(node_)));
    } else if (options.size() > options_max) {
      fault(say("must have at most {} options", options_max));
      options.clear();
    }
  }

  void operator()(const ResignKey& shape) const {
    if (node_.kind == Kind::map) {
      BotConfig read;
      read.game.resign.by = Resign::By::score;
      const std::size_t faults_before = report_.problems.size();
      read_item(value_, node_, key_.path, shape.threshold, base::verbatim(key_.path), read, places_, report_);
      if (report_.problems.size() > faults_before) {
        return;
      }
      if (read.game.resign.score == 0 || read.game.resign.moves == 0) {
        fault(say("needs both score and moves"));
        return;
      }
      bot_.game.resign = read.game.resign;
    } else if (node_.text == "engine" || node_.text == "never") {
      bot_.game.resign = {node_.text == "engine" ? Resign::By::engine : Resign::By::never, 0, 0};
    } else {
      fault(say("must be engine, never or {score: 3000, moves: 5}, not {}", seen(node_)));
    }
  }

  void operator()(const RulesKey&) const { read_setting_rules(value_, bot_.rules, report_); }

  void operator()(const ItemsKey& shape) const {
    each_map(value_, shape.most, places_, report_, [&](const YamlNode& map, const std::string& path) {
      BotConfig alone = with_an_item_each();
      read_item(value_, map, path, shape.keys, shape.what, alone, places_, report_);
      shape.add(bot_, alone);
    });
  }

 private:
  static bool is_scalar(const YamlNode& node) { return node.kind == Kind::scalar; }

  void fault(Message text) const { fault_in(node_, std::move(text)); }
  void fault_in(const YamlNode& node, Message text) const { report_.problem(node.place, key_.path, std::move(text)); }

  [[nodiscard]] std::string path_of(const YamlEntry& entry) const { return key_.path + "." + entry.key; }

  /// Of a list, or of what stands in place of its only item.
  [[nodiscard]] std::vector<const YamlNode*> nodes() const { return items_of(value_.tree, node_); }

  /// The index of the word that a node is; nothing after a report.
  std::optional<std::size_t> word_index(const YamlNode& node, const std::vector<std::string>& words) const {
    const auto index = is_scalar(node) ? index_of(words, node.text) : std::nullopt;
    if (!index) {
      const auto near = is_scalar(node) ? base::nearest(node.text, words) : std::nullopt;
      fault_in(node, near ? say("must be {}, not {}; did you mean {}?", base::choices(words), seen(node), *near)
                          : say("must be {}, not {}", base::choices(words), seen(node)));
    }
    return index;
  }

  void read_option(const YamlEntry& entry, usi::WantedOptions& options) const {
    const YamlNode& value = value_.tree.at(entry.value);
    const std::string path = show_key(path_of(entry));
    if (auto complaint = judge_option_name(entry.key)) {
      report_.problem(entry.place, path, std::move(*complaint));
    } else if (value.kind == Kind::list || value.kind == Kind::map) {
      report_.problem(value.place, path, say("must be one text or number, not {}", seen(value)));
    } else if (value.kind == Kind::nothing && !entry.is_quoted && entry.key.find(':') != std::string::npos) {
      // {Threads:4} is YAML for a key "Threads:4" without a value. Who quotes a name means it.
      report_.problem(entry.place, path, say("needs a space after its colon"));
    } else if (value.kind == Kind::nothing) {
      options.emplace_back(entry.key, std::nullopt);
    } else if (auto wrong = judge_line(value.text)) {
      report_.problem(value.place, path, std::move(*wrong));
    } else {
      if (auto doubt = doubt_literal(value.text)) {
        report_.warning(value.place, path, std::move(*doubt));
      }
      options.emplace_back(entry.key, value.text);
    }
  }

  const KeyValue& value_;
  const Key& key_;
  const YamlNode& node_;
  BotConfig& bot_;
  Places& places_;
  Report& report_;
};

}  // namespace

Message::Part seen(const YamlNode& node) {
  switch (node.kind) {
    case Kind::nothing: return say("nothing");
    case Kind::scalar: return quoted(node.text);
    case Kind::list: return say("a list");
    case Kind::map: return say("a map");
  }
  return Message();
}

std::string show_key(const std::string& path) {
  const bool is_plain = path.size() <= 80 && std::all_of(path.begin(), path.end(), [](char c) {
    return c > 0x20 && c < 0x7F && c != '"' && c != '\\';
  });
  return is_plain ? path : base::quote_for_log(path, 80);
}

void each_map(const KeyValue& value, std::size_t most, Places& places, Report& report,
              const std::function<void(const YamlNode& map, const std::string& path)>& read) {
  const YamlNode& list = value.node;
  if (list.kind != Kind::list || list.items.size() > most) {
    report.problem(list.place, value.key.path,
                   say("must be a list of at most {} items, not {} (accepted: {})", most,
                       list.kind == Kind::list ? Message::Part(list.items.size()) : seen(list), describe_accepted(value.key)));
    places.emplace(value.key.path + "[1]", list.place);
    return;
  }
  std::size_t number = 0;
  for (const std::size_t index : list.items) {
    const YamlNode& item = value.tree.at(index);
    const std::string path = value.key.path + "[" + std::to_string(++number) + "]";
    places.emplace(path, item.place);
    if (item.kind == Kind::map) {
      read(item, path);
    } else {
      report.problem(item.place, path, say("must be a map, not {}", seen(item)));
    }
  }
}

std::vector<const YamlNode*> items_of(const YamlTree& tree, const YamlNode& node) {
  std::vector<const YamlNode*> nodes;
  for (const std::size_t index : node.items) {
    nodes.push_back(&tree.at(index));
  }
  if (node.kind != Kind::list) {
    nodes.push_back(&node);
  }
  return nodes;
}

bool is_first(const YamlEntry& entry, const std::string& path, Places& places, Report& report) {
  const auto [first, is_new] = places.emplace(path, entry.place);
  if (!is_new) {
    report.problem(entry.place, show_key(path), say("is given twice, first in line {}; keep one", first->second.line));
  }
  return is_new;
}

void read_key(const KeyValue& value, BotConfig& bot, Places& places, Report& report) {
  if (value.node.kind != Kind::nothing) {
    std::visit(KeyReader(value, bot, places, report), value.key.shape);
    return;
  }
  const Message accepted = describe_accepted(value.key);
  report.problem(value.key_place, value.key.path,
                 value.key.is_required ? say("has no value; write one (accepted: {})", accepted)
                                       : say("has no value; write one (accepted: {}) or remove the line", accepted));
}

}  // namespace kakehashi::config
