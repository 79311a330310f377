#include "config/yaml/read_key.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/overload.hpp"
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
constexpr int resign_score_max = 100'000;
constexpr int resign_moves_max = 100;

base::Quoted quoted(const std::string& text) { return base::quoted(text, 80); }

// --- a list of texts of one kind

/// Each text is judged by itself; one that breaks its rule leaves the whole list as it was.
void read_texts(const KeyValue& value, const TextsKey& shape, BotConfig& bot, Report& report) {
  std::vector<const YamlNode*> nodes;
  if (value.node.kind == Kind::scalar) {
    nodes.push_back(&value.node);
  }
  for (const std::size_t item : value.node.items) {
    nodes.push_back(&value.tree.at(item));
  }
  if (value.node.kind == Kind::map || nodes.size() > texts_max) {
    report.problem(value.node.place, value.key.path,
                   say("must be a text or a list of at most {} texts (accepted: {})", texts_max,
                       describe_accepted(value.key)));
    return;
  }
  std::vector<std::string> texts;
  bool is_good = true;
  for (const YamlNode* node : nodes) {
    auto complaint = node->kind == Kind::scalar ? shape.judge(node->text)
                                                : say("must hold texts, not {}", seen(*node));
    if (!complaint && std::find(texts.begin(), texts.end(), node->text) != texts.end()) {
      complaint = say("names {} twice", quoted(node->text));
    }
    if (complaint) {
      report.problem(node->place, value.key.path, std::move(*complaint));
      is_good = false;
    }
    texts.push_back(node->text);
  }
  if (is_good) {
    shape.at(bot) = std::move(texts);
  }
}

// --- command, environment and options of an engine

std::string path_of(const KeyValue& value, const YamlEntry& entry) {
  return show_key(value.key.path + "." + entry.key);
}

/// The program and its arguments as texts; nothing after a report.
std::optional<std::vector<std::string>> read_words(const KeyValue& value, Report& report) {
  if (value.node.kind == Kind::scalar) {
    return std::vector{value.node.text};
  }
  if (value.node.kind != Kind::list) {
    report.problem(value.node.place, value.key.path, say("must be a list, [program, argument, …], not a map"));
    return std::nullopt;
  }
  std::vector<std::string> texts;
  for (const std::size_t index : value.node.items) {
    const YamlNode& item = value.tree.at(index);
    if (item.kind != Kind::scalar) {
      report.problem(item.place, value.key.path, say("each argument must be a text, not {}", seen(item)));
      return std::nullopt;
    }
    texts.push_back(item.text);
  }
  return texts;
}

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

void doubt_arguments(const KeyValue& value, const std::vector<std::string>& texts, Report& report) {
  const bool is_for_shell = std::any_of(texts.begin(), texts.end(), has_shell);
  for (const std::string& text : texts) {
    if (const auto doubt = is_for_shell ? std::nullopt : doubt_literal(text)) {
      report.warning(value.node.place, value.key.path, say("the argument {} {}", quoted(text), *doubt));
    }
  }
}

void read_option(const KeyValue& value_of_key, const YamlEntry& entry, usi::WantedOptions& options,
                 Places& places, Report& report) {
  const YamlNode& value = value_of_key.tree.at(entry.value);
  const std::string path = path_of(value_of_key, entry);
  places.emplace(value_of_key.key.path + "." + entry.key, entry.place);
  if (const auto complaint = judge_option_name(entry.key)) {
    report.problem(entry.place, path, *complaint);
  } else if (value.kind == Kind::list || value.kind == Kind::map) {
    report.problem(value.place, path, say("must be one text or number, not {}", seen(value)));
  } else if (value.kind == Kind::nothing && !entry.is_quoted && entry.key.find(':') != std::string::npos) {
    // {Threads:4} is YAML for a key "Threads:4" without a value. Who quotes a name means it.
    report.problem(entry.place, path, say("needs a space after its colon"));
  } else if (value.kind == Kind::nothing) {
    options.emplace_back(entry.key, std::nullopt);
  } else if (const auto wrong = judge_line(value.text)) {
    report.problem(value.place, path, *wrong);
  } else {
    if (const auto doubt = doubt_literal(value.text)) {
      report.warning(value.place, path, *doubt);
    }
    options.emplace_back(entry.key, value.text);
  }
}

void read_option_map(const KeyValue& value, usi::WantedOptions& options, Places& places,
                     Report& report) {
  std::map<std::string, int> first_lines;
  for (const YamlEntry& entry : value.node.entries) {
    const auto [first, is_first] = first_lines.emplace(entry.key, entry.place.line);
    if (is_first) {
      read_option(value, entry, options, places, report);
    } else {
      report.problem(entry.place, path_of(value, entry),
                     say("is given twice, first in line {}; to set an option repeatedly write the options as a list, - "
                         "Name: value",
                         first->second));
    }
  }
}

void read_command(const KeyValue& value, const CommandKey& shape, BotConfig& bot, Report& report) {
  auto texts = read_words(value, report);
  if (!texts) {
    return;
  }
  if (const auto complaint = judge_command(*texts, shape.texts_max)) {
    report.problem(value.node.place, value.key.path, *complaint);
    return;
  }
  doubt_arguments(value, *texts, report);
  shape.at(bot) = std::move(*texts);
}

void read_environment(const KeyValue& value, base::Environment& environment, Report& report) {
  if (value.node.kind != Kind::map) {
    report.problem(value.node.place, value.key.path, say("must be a map, NAME: value, not {}", seen(value.node)));
    return;
  }
  if (value.node.entries.size() > environment_names_max) {
    report.problem(value.node.place, value.key.path, say("must have at most {} names", environment_names_max));
    return;
  }
  std::map<std::string, int> first_lines;
  for (const YamlEntry& entry : value.node.entries) {
    const YamlNode& text = value.tree.at(entry.value);
    const std::string path = path_of(value, entry);
    const auto [first, is_first] = first_lines.emplace(entry.key, entry.place.line);
    if (!is_first) {
      report.problem(entry.place, path, say("is given twice, first in line {}", first->second));
    } else if (const auto complaint = judge_variable(entry.key)) {
      report.problem(entry.place, path, *complaint);
    } else if (text.kind != Kind::scalar) {
      report.problem(entry.place, path, say("must be a text, not {}; the empty text is \"\"", seen(text)));
    } else if (const auto wrong = judge_variable_value(text.text)) {
      report.problem(text.place, path, *wrong);
    } else {
      environment.emplace_back(entry.key, text.text);
    }
  }
}

/// Adds the place of each option to `places`.
void read_options(const KeyValue& value, usi::WantedOptions& options, Places& places, Report& report) {
  if (value.node.kind == Kind::map) {
    read_option_map(value, options, places, report);
  } else if (value.node.kind == Kind::list) {
    for (const std::size_t index : value.node.items) {
      const YamlNode& item = value.tree.at(index);
      if (item.kind == Kind::map && item.entries.size() == 1) {
        read_option(value, item.entries.front(), options, places, report);
      } else {
        report.problem(item.place, value.key.path, say("each item of the list must be one Name: value"));
      }
    }
  } else {
    report.problem(value.node.place, value.key.path, say("must be a map, Name: value, not {}", seen(value.node)));
  }
  if (options.size() > options_max) {
    report.problem(value.node.place, value.key.path, say("must have at most {} options", options_max));
    options.clear();
  }
}

// --- game.resign

/// The number of one entry; nothing after a report.
std::optional<int> read_number(const KeyValue& value, const YamlEntry& entry, int max,
                               Report& report) {
  const YamlNode& node = value.tree.at(entry.value);
  const auto number = node.kind == Kind::scalar && !node.is_quoted ? base::parse_int(node.text)
                                                                   : std::nullopt;
  if (!number || *number < 1 || *number > max) {
    report.problem(node.place, show_key(value.key.path + "." + entry.key),
                   say("must be a whole number from {} to {}, not {}", 1, max, seen(node)));
    return std::nullopt;
  }
  return static_cast<int>(*number);
}

void read_threshold(const KeyValue& value, Resign& resign, Report& report) {
  Resign read{Resign::By::score, 0, 0};
  for (const YamlEntry& entry : value.node.entries) {
    const bool is_score = entry.key == "score";
    if (!is_score && entry.key != "moves") {
      report.problem(entry.place, show_key(value.key.path + "." + entry.key),
                     say("is no setting; in game.resign there are score, moves"));
      return;
    }
    const auto number =
        read_number(value, entry, is_score ? resign_score_max : resign_moves_max, report);
    if (!number) {
      return;
    }
    (is_score ? read.score : read.moves) = *number;
  }
  if (read.score == 0 || read.moves == 0) {
    report.problem(value.node.place, value.key.path, say("needs both score and moves"));
    return;
  }
  resign = read;
}

void read_resign(const KeyValue& value, Resign& resign, Report& report) {
  const YamlNode& node = value.node;
  if (node.kind == Kind::map) {
    read_threshold(value, resign, report);
  } else if (node.kind == Kind::scalar && node.text == "engine") {
    resign = Resign{};
  } else if (node.kind == Kind::scalar && node.text == "never") {
    resign = Resign{Resign::By::never, 0, 0};
  } else {
    report.problem(node.place, value.key.path,
                   say("must be engine, never or {score: 3000, moves: 5}, not {}", seen(node)));
  }
}

// --- engine.team

void read_team(const KeyValue& value, std::vector<FurtherEngine>& team, Places& places, Report& report) {
  if (value.node.kind != Kind::list || value.node.items.size() > team_members_max) {
    report.problem(value.node.place, value.key.path,
                   say("must be a list of at most {} engines beside the main one, each - {name: …, …}, not {}",
                       team_members_max,
                       value.node.kind == Kind::list ? Message::Part(value.node.items.size()) : seen(value.node)));
    places.emplace(value.key.path + "[1]", value.node.place);
    return;
  }
  each_map(value, places, report,
           [](const YamlNode& item) { return say("must be a map, such as {name: second}, not {}", seen(item)); },
           [&](const YamlNode& map, const std::string& path) {
             BotConfig place;
             read_item(value, map, path, member_keys(), say("a member"), place, places, report);
             team.push_back(std::move(place.engine.standby));
           });
}

// --- notify: what holds for a recipient as a whole; each of its settings is read by their table

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
  each_map(value, places, report,
           [](const YamlNode& item) { return say("each item must be a map, url_file: … or command: …, not {}", seen(item)); },
           [&](const YamlNode& map, const std::string& path) {
             recipients.push_back(read_recipient(value, map, path, places, report));
           });
}

// --- all others

class KeyReader {
 public:
  KeyReader(const KeyValue& value, BotConfig& bot, Places& places, Report& report)
      : value_(value), key_(value.key), node_(value.node), bot_(bot), places_(places),
        report_(report) {}

  void read() {
    if (node_.kind == Kind::nothing) {
      const Message accepted = describe_accepted(key_);
      report_.problem(value_.key_place, key_.path,
                      key_.is_required ? say("has no value; write one (accepted: {})", accepted)
                                       : say("has no value; write one (accepted: {}) or remove the line", accepted));
      return;
    }
    std::visit(base::Overload{
                   [this](const TextKey& shape) { read_text(shape); },
                   [this](const WholeKey& shape) { read_whole(shape); },
                   [this](const DurationKey& shape) { read_duration_value(shape); },
                   [this](const SizeKey& shape) { read_size_value(shape); },
                   [this](const FlagKey& shape) { read_flag(shape); },
                   [this](const ChoiceKey& shape) { read_choice(shape); },
                   [this](const ProxyKey&) { read_proxy(); },
                   [this](const ChoicesKey& shape) { read_choices(shape); },
                   [this](const TextsKey& shape) { read_texts(value_, shape, bot_, report_); },
                   [this](const CommandKey& shape) { read_command(value_, shape, bot_, report_); },
                   [this](const EnvironmentKey& shape) {
                     read_environment(value_, shape.at(bot_), report_);
                   },
                   [this](const OptionsKey& shape) {
                     read_options(value_, shape.at(bot_), places_, report_);
                   },
                   [this](const NotifyKey&) { read_notify(value_, bot_.notify, places_, report_); },
                   [this](const ResignKey&) { read_resign(value_, bot_.game.resign, report_); },
                   [this](const RulesKey&) { read_setting_rules(value_, bot_.rules, report_); },
                   [this](const TeamKey&) { read_team(value_, bot_.engine.team, places_, report_); },
               },
               key_.shape);
  }

 private:
  void fault(Message text) { report_.problem(node_.place, key_.path, std::move(text)); }

  void read_text(const TextKey& shape) {
    if (node_.kind != Kind::scalar) {
      fault(say("must be a text, not {}", seen(node_)));
    } else if (auto complaint = shape.judge(node_.text)) {
      fault(std::move(*complaint));
    } else {
      shape.at(bot_) = node_.text;
    }
  }

  void read_whole(const WholeKey& shape) {
    const auto value = node_.kind == Kind::scalar ? base::parse_int(node_.text) : std::nullopt;
    if (!value || *value < shape.min || *value > shape.max) {
      fault(say("must be a whole number from {} to {}, not {}", shape.min, shape.max, seen(node_)));
    } else if (node_.is_quoted) {
      fault(say("must be a whole number from {} to {}; write it without quotes", shape.min, shape.max));
    } else {
      shape.set(bot_, *value);
    }
  }

  void read_duration_value(const DurationKey& shape) {
    const Message accepted = describe_accepted(key_);
    if (node_.kind != Kind::scalar) {
      fault(shape.may_be_auto
                ? say("must be auto or a duration such as 500ms, 1.5s, 2min or 1h, not {} (accepted: {})", seen(node_), accepted)
                : say("must be a duration such as 500ms, 1.5s, 2min or 1h, not {} (accepted: {})", seen(node_), accepted));
      return;
    }
    if (shape.may_be_auto && node_.text == "auto") {
      shape.set(bot_, std::nullopt);
      return;
    }
    const auto value = read_duration(node_.text);
    if (!value) {
      fault(say("{} {} (accepted: {})", quoted(node_.text), value.error().what, accepted));
    } else if (*value < shape.min || *value > shape.max) {
      fault(shape.may_be_auto ? say("must be {}, not {}", accepted, quoted(node_.text))
                              : say("must be from {}, not {}", accepted, quoted(node_.text)));
    } else if (*value % shape.step != Millis{0}) {
      fault(say("must be in whole seconds, not {} (accepted: {})", quoted(node_.text), accepted));
    } else {
      shape.set(bot_, *value);
    }
  }

  void read_size_value(const SizeKey& shape) {
    const Message accepted = describe_accepted(key_);
    if (node_.kind != Kind::scalar) {
      fault(say("must be a size such as 500kB or 10MB, not {} (accepted: {})", seen(node_), accepted));
      return;
    }
    const auto value = read_size(node_.text);
    if (!value) {
      fault(say("{} {} (accepted: {})", quoted(node_.text), value.error().what, accepted));
    } else if (*value != 0 && (*value < shape.min || *value > shape.max)) {
      fault(say("must be {}, not {}", accepted, quoted(node_.text)));
    } else {
      shape.at(bot_) = *value;
    }
  }

  /// YAML 1.1 has many words for true and false, and "no" is a country too: only two are taken.
  void read_flag(const FlagKey& shape) {
    const bool is_true = node_.text == "true";
    if (node_.kind == Kind::scalar && !node_.is_quoted && (is_true || node_.text == "false")) {
      shape.set(bot_, is_true);
      return;
    }
    const bool is_quoted_word = node_.is_quoted && (is_true || node_.text == "false");
    fault(is_quoted_word ? say("must be true or false; write it without quotes")
                         : say("must be true or false, not {}", seen(node_)));
  }

  /// The index of the word that a node is; nothing after a report.
  std::optional<std::size_t> word_index(const YamlNode& node,
                                        const std::vector<std::string>& words) {
    const bool is_scalar = node.kind == Kind::scalar;
    const auto word =
        is_scalar ? std::find(words.begin(), words.end(), node.text) : words.end();
    if (word != words.end()) {
      return static_cast<std::size_t>(word - words.begin());
    }
    const auto near = is_scalar ? base::nearest(node.text, words) : std::nullopt;
    report_.problem(node.place, key_.path,
                    near ? say("must be {}, not {}; did you mean {}?", base::choices(words), seen(node), *near)
                         : say("must be {}, not {}", base::choices(words), seen(node)));
    return std::nullopt;
  }

  void read_choice(const ChoiceKey& shape) {
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

  void read_choices(const ChoicesKey& shape) {
    if (node_.kind == Kind::map || (node_.kind == Kind::list && node_.items.empty())) {
      fault(say("must be a list of {}, not {}", base::choices(shape.words),
                node_.kind == Kind::map ? say("a map") : say("an empty list")));
      return;
    }
    std::vector<std::size_t> chosen;
    const auto take = [&](const YamlNode& node) {
      const auto index = word_index(node, shape.words);
      const bool is_repeated = index && std::find(chosen.begin(), chosen.end(), *index) != chosen.end();
      if (is_repeated && !shape.takes_repeated) {
        report_.problem(node.place, key_.path, say("names {} twice", node.text));
        return false;
      }
      if (index && !is_repeated) {
        chosen.push_back(*index);
      }
      return index.has_value();
    };
    bool is_good = node_.kind != Kind::scalar || take(node_);
    for (const std::size_t item : node_.items) {
      is_good = take(value_.tree.at(item)) && is_good;
    }
    if (is_good) {
      shape.set(bot_, chosen);
    }
  }

  /// The text may hold a password: what is wrong is told without it.
  void read_proxy() {
    if (node_.kind != Kind::scalar) {
      fault(say("must be a text such as socks5://host:port"));
      return;
    }
    auto proxy = parse_proxy(node_.text);
    if (proxy) {
      bot_.server.proxy = std::move(proxy).value();
    } else {
      fault(proxy.error().what);
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

void each_map(const KeyValue& value, Places& places, Report& report, Message (*not_a_map)(const YamlNode& item),
              const std::function<void(const YamlNode& map, const std::string& path)>& read) {
  std::size_t number = 0;
  for (const std::size_t index : value.node.items) {
    const YamlNode& item = value.tree.at(index);
    const std::string path = value.key.path + "[" + std::to_string(++number) + "]";
    places.emplace(path, item.place);
    if (item.kind == Kind::map) {
      read(item, path);
    } else {
      report.problem(item.place, path, not_a_map(item));
    }
  }
}

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
    const auto [first, is_first] = places.emplace(key.path, entry.place);
    if (!is_first) {
      report.problem(entry.place, key.path,
                     say("is given twice, first in line {}; keep one", first->second.line));
    } else {
      read_key({key, value.tree, value.tree.at(entry.value), entry.place}, place, places, report);
    }
  }
}

void read_key(const KeyValue& value, BotConfig& bot, Places& places, Report& report) {
  KeyReader(value, bot, places, report).read();
}

}  // namespace kakehashi::config
