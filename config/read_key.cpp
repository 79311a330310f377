#include "config/read_key.hpp"

#include <algorithm>
#include <utility>

#include "base/overload.hpp"
#include "base/text.hpp"
#include "config/read_value.hpp"
#include "config/rules.hpp"

namespace kakehashi::config {
namespace {

using Kind = YamlNode::Kind;

std::string quoted(const std::string& text) { return base::quote_for_log(text, 80); }

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += (i == 0 ? "" : i + 1 < words.size() ? ", " : " or ") + words[i];
  }
  return text;
}

/// What a person would say who expected something else.
std::string seen(const YamlNode& node) {
  switch (node.kind) {
    case Kind::nothing: return "nothing";
    case Kind::scalar: return quoted(node.text);
    case Kind::list: return "a list";
    case Kind::map: return "a map";
  }
  return "";
}

class KeyReader {
 public:
  KeyReader(const Key& key, const YamlTree& tree, const YamlNode& node, Place key_place,
            BotConfig& bot, Places& places, Report& report)
      : key_(key), tree_(tree), node_(node), key_place_(key_place), bot_(bot), places_(places),
        report_(report) {}

  void read() {
    if (node_.kind == Kind::nothing) {
      report_.problem(key_place_, key_.path,
                      "has no value; write one (accepted: " + describe_accepted(key_) + ")" +
                          (key_.is_required ? "" : " or remove the line"));
      return;
    }
    std::visit(base::Overload{
                   [this](const TextKey& shape) { read_text(shape); },
                   [this](const WholeKey& shape) { read_whole(shape); },
                   [this](const DurationKey& shape) { read_duration_value(shape); },
                   [this](const SizeKey& shape) { read_size_value(shape); },
                   [this](const FlagKey& shape) { read_flag(shape); },
                   [this](const ChoiceKey& shape) { read_choice(shape); },
                   [this](const CommandKey&) { read_command(); },
                   [this](const EnvironmentKey&) { read_environment(); },
                   [this](const OptionsKey&) { read_options(); },
               },
               key_.shape);
  }

 private:
  void fault(std::string text) { report_.problem(node_.place, key_.path, std::move(text)); }

  bool is_scalar(const char* wanted) {
    if (node_.kind == Kind::scalar) {
      return true;
    }
    fault(std::string("must be ") + wanted + ", not " + seen(node_));
    return false;
  }

  void read_text(const TextKey& shape) {
    if (!is_scalar("a text")) {
      return;
    }
    if (auto complaint = shape.judge(node_.text)) {
      fault(std::move(*complaint));
      return;
    }
    shape.at(bot_) = node_.text;
  }

  void read_whole(const WholeKey& shape) {
    const std::string rule = "must be a whole number from " + std::to_string(shape.min) + " to " +
                             std::to_string(shape.max);
    const auto value = node_.kind == Kind::scalar ? base::parse_int(node_.text) : std::nullopt;
    if (!value || *value < shape.min || *value > shape.max) {
      fault(rule + ", not " + seen(node_));
    } else if (node_.is_quoted) {
      fault(rule + "; write it without quotes");
    } else {
      shape.set(bot_, *value);
    }
  }

  void read_duration_value(const DurationKey& shape) {
    const std::string accepted = " (accepted: " + describe_accepted(key_) + ")";
    if (node_.kind != Kind::scalar) {
      fault("must be a duration such as 500ms, 1.5s, 2min or 1h, not " + seen(node_) + accepted);
      return;
    }
    const auto value = read_duration(node_.text);
    if (!value) {
      fault(quoted(node_.text) + " " + value.error().what + accepted);
    } else if (*value < shape.min || *value > shape.max) {
      fault("must be from " + describe_accepted(key_) + ", not " + quoted(node_.text));
    } else if (*value % shape.step != Millis{0}) {
      fault("must be in whole seconds, not " + quoted(node_.text) + accepted);
    } else {
      shape.set(bot_, *value);
    }
  }

  void read_size_value(const SizeKey& shape) {
    const std::string accepted = " (accepted: " + describe_accepted(key_) + ")";
    if (node_.kind != Kind::scalar) {
      fault("must be a size such as 500kB or 10MB, not " + seen(node_) + accepted);
      return;
    }
    const auto value = read_size(node_.text);
    if (!value) {
      fault(quoted(node_.text) + " " + value.error().what + accepted);
    } else if (*value != 0 && (*value < shape.min || *value > shape.max)) {
      fault("must be " + describe_accepted(key_) + ", not " + quoted(node_.text));
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
    fault(is_quoted_word ? "must be true or false; write it without quotes"
                         : "must be true or false, not " + seen(node_));
  }

  void read_choice(const ChoiceKey& shape) {
    const auto word = node_.kind == Kind::scalar
                          ? std::find(shape.words.begin(), shape.words.end(), node_.text)
                          : shape.words.end();
    if (word != shape.words.end()) {
      shape.set(bot_, static_cast<std::size_t>(word - shape.words.begin()));
      return;
    }
    const auto near =
        node_.kind == Kind::scalar ? base::nearest(node_.text, shape.words) : std::nullopt;
    fault("must be " + joined(shape.words) + ", not " + seen(node_) +
          (near ? "; did you mean " + *near + "?" : ""));
  }

  void read_command() {
    std::vector<std::string> texts;
    if (node_.kind == Kind::scalar) {
      texts.push_back(node_.text);
    } else if (node_.kind == Kind::list) {
      for (const std::size_t index : node_.items) {
        const YamlNode& item = tree_.at(index);
        if (item.kind != Kind::scalar) {
          report_.problem(item.place, key_.path, "each argument must be a text, not " + seen(item));
          return;
        }
        texts.push_back(item.text);
      }
    } else {
      fault("must be a list, [program, argument, …], not a map");
      return;
    }
    if (texts.size() > command_texts_max) {
      fault("must have at most " + std::to_string(command_texts_max) + " texts");
      return;
    }
    if (texts.empty()) {
      fault("must name the engine's program");
      return;
    }
    if (auto complaint = judge_path(texts.front())) {
      fault("the program " + *complaint);
      return;
    }
    for (const std::string& text : texts) {
      if (auto complaint = judge_argument(text)) {
        fault("an argument " + *complaint);
        return;
      }
    }
    bot_.engine.command = std::move(texts);
  }

  void read_environment() {
    if (node_.kind != Kind::map) {
      fault("must be a map, NAME: value, not " + seen(node_));
      return;
    }
    if (node_.entries.size() > environment_names_max) {
      fault("must have at most " + std::to_string(environment_names_max) + " names");
      return;
    }
    std::map<std::string, int> first_lines;
    for (const YamlEntry& entry : node_.entries) {
      const YamlNode& value = tree_.at(entry.value);
      const std::string path = show_key(key_.path + "." + entry.key);
      const auto [first, is_first] = first_lines.emplace(entry.key, entry.place.line);
      if (!is_first) {
        report_.problem(entry.place, path,
                        "is given twice, first in line " + std::to_string(first->second));
      } else if (const auto complaint = judge_variable(entry.key)) {
        report_.problem(entry.place, path, *complaint);
      } else if (value.kind != Kind::scalar) {
        report_.problem(entry.place, path, "must be a text, not " + seen(value) +
                                               "; the empty text is \"\"");
      } else if (const auto wrong = judge_argument(value.text)) {
        report_.problem(value.place, path, *wrong);
      } else {
        bot_.engine.environment.emplace_back(entry.key, value.text);
      }
    }
  }

  void read_options() {
    if (node_.kind == Kind::map) {
      read_option_map();
    } else if (node_.kind == Kind::list) {
      for (const std::size_t index : node_.items) {
        const YamlNode& item = tree_.at(index);
        if (item.kind != Kind::map || item.entries.size() != 1) {
          report_.problem(item.place, key_.path, "each item of the list must be one Name: value");
        } else {
          read_option(item.entries.front());
        }
      }
    } else {
      fault("must be a map, Name: value, not " + seen(node_));
    }
    if (bot_.engine.options.size() > options_max) {
      fault("must have at most " + std::to_string(options_max) + " options");
      bot_.engine.options.clear();
    }
  }

  void read_option_map() {
    std::map<std::string, int> first_lines;
    for (const YamlEntry& entry : node_.entries) {
      const auto [first, is_first] = first_lines.emplace(entry.key, entry.place.line);
      if (is_first) {
        read_option(entry);
      } else {
        report_.problem(entry.place, show_key(key_.path + "." + entry.key),
                        "is given twice, first in line " + std::to_string(first->second) +
                            "; to set an option repeatedly write the options as a list, "
                            "- Name: value");
      }
    }
  }

  void read_option(const YamlEntry& entry) {
    const YamlNode& value = tree_.at(entry.value);
    const std::string path = show_key(key_.path + "." + entry.key);
    places_.emplace(key_.path + "." + entry.key, entry.place);
    if (const auto complaint = judge_option_name(entry.key)) {
      report_.problem(entry.place, path, *complaint);
    } else if (value.kind == Kind::list || value.kind == Kind::map) {
      report_.problem(value.place, path, "must be one text or number, not " + seen(value));
    } else if (value.kind == Kind::nothing) {
      // {Threads:4} is YAML for a key "Threads:4" without a value.
      if (entry.key.find(':') != std::string::npos) {
        report_.problem(entry.place, path, "needs a space after its colon");
        return;
      }
      bot_.engine.options.emplace_back(entry.key, std::nullopt);
    } else if (const auto wrong = judge_option_value(value.text)) {
      report_.problem(value.place, path, *wrong);
    } else {
      bot_.engine.options.emplace_back(entry.key, value.text);
    }
  }

  const Key& key_;
  const YamlTree& tree_;
  const YamlNode& node_;
  Place key_place_;
  BotConfig& bot_;
  Places& places_;
  Report& report_;
};

}  // namespace

std::string show_key(const std::string& path) {
  const bool is_plain = path.size() <= 80 && std::all_of(path.begin(), path.end(), [](char c) {
    return c > 0x20 && c < 0x7F && c != '"' && c != '\\';
  });
  return is_plain ? path : base::quote_for_log(path, 80);
}

void read_key(const Key& key, const YamlTree& tree, const YamlNode& node, Place key_place,
              BotConfig& bot, Places& places, Report& report) {
  KeyReader(key, tree, node, key_place, bot, places, report).read();
}

}  // namespace kakehashi::config
