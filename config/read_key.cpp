#include "config/read_key.hpp"

#include <algorithm>
#include <utility>

#include "base/overload.hpp"
#include "base/text.hpp"
#include "config/proxy.hpp"
#include "config/read_engine.hpp"
#include "config/read_notify.hpp"
#include "config/read_resign.hpp"
#include "config/read_setting_rules.hpp"
#include "config/read_texts.hpp"
#include "config/read_value.hpp"

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

class KeyReader {
 public:
  KeyReader(const KeyValue& value, BotConfig& bot, Places& places, Report& report)
      : value_(value), key_(value.key), node_(value.node), bot_(bot), places_(places),
        report_(report) {}

  void read() {
    if (node_.kind == Kind::nothing) {
      report_.problem(value_.key_place, key_.path,
                      "has no value; write one (accepted: " + describe_accepted(key_) + ")" +
                          (key_.is_required ? "" : " or remove the line"));
      return;
    }
    std::visit(base::Overload{
                   [this](const TextKey& shape) { read_text(shape); },
                   [this](const WholeKey& shape) { read_whole(shape); },
                   [this](const DurationKey& shape) { read_duration_value(shape); },
                   [this](const AutoDurationKey& shape) { read_auto_duration(shape); },
                   [this](const SizeKey& shape) { read_size_value(shape); },
                   [this](const FlagKey& shape) { read_flag(shape); },
                   [this](const ChoiceKey& shape) { read_choice(shape); },
                   [this](const ProxyKey&) { read_proxy(); },
                   [this](const ChoicesKey& shape) { read_choices(shape); },
                   [this](const TextsKey& shape) { read_texts(value_, shape, bot_, report_); },
                   [this](const CommandKey& shape) { read_command(value_, shape.at(bot_), report_); },
                   [this](const EnvironmentKey& shape) {
                     read_environment(value_, shape.at(bot_), report_);
                   },
                   [this](const OptionsKey& shape) {
                     read_options(value_, shape.at(bot_), places_, report_);
                   },
                   [this](const NotifyKey&) { read_notify(value_, bot_.notify, report_); },
                   [this](const ResignKey&) { read_resign(value_, bot_.game.resign, report_); },
                   [this](const RulesKey&) { read_setting_rules(value_, bot_.rules, report_); },
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

  void read_auto_duration(const AutoDurationKey& shape) {
    const std::string accepted = " (accepted: " + describe_accepted(key_) + ")";
    if (node_.kind != Kind::scalar) {
      fault("must be auto or a duration such as 500ms, 1.5s, 2min or 1h, not " + seen(node_) +
            accepted);
      return;
    }
    if (node_.text == "auto") {
      shape.set(bot_, std::nullopt);
      return;
    }
    const auto value = read_duration(node_.text);
    if (!value) {
      fault(quoted(node_.text) + " " + value.error().what + accepted);
    } else if (*value < shape.min || *value > shape.max) {
      fault("must be " + describe_accepted(key_) + ", not " + quoted(node_.text));
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
                    "must be " + joined(words) + ", not " + seen(node) +
                        (near ? "; did you mean " + *near + "?" : ""));
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
      fault("must be a list of " + joined(shape.words) + ", not " +
            (node_.kind == Kind::map ? "a map" : "an empty list"));
      return;
    }
    std::vector<std::size_t> chosen;
    const auto take = [&](const YamlNode& node) {
      const auto index = word_index(node, shape.words);
      if (index && std::find(chosen.begin(), chosen.end(), *index) != chosen.end()) {
        report_.problem(node.place, key_.path, "names " + node.text + " twice");
        return false;
      }
      if (index) {
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
      fault("must be a text such as socks5://host:port");
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

std::string seen(const YamlNode& node) {
  switch (node.kind) {
    case Kind::nothing: return "nothing";
    case Kind::scalar: return quoted(node.text);
    case Kind::list: return "a list";
    case Kind::map: return "a map";
  }
  return "";
}

std::string show_key(const std::string& path) {
  const bool is_plain = path.size() <= 80 && std::all_of(path.begin(), path.end(), [](char c) {
    return c > 0x20 && c < 0x7F && c != '"' && c != '\\';
  });
  return is_plain ? path : base::quote_for_log(path, 80);
}

void read_key(const KeyValue& value, BotConfig& bot, Places& places, Report& report) {
  KeyReader(value, bot, places, report).read();
}

}  // namespace kakehashi::config
