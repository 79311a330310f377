#include "usi/option.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace kakehashi::usi {

using base::quoted;
using base::say;

namespace {

/// By their numbers.
constexpr std::array<const char*, 6> type_names{"check", "spin", "combo", "button", "string", "filename"};

std::optional<OptionType> type_from(std::string_view word) {
  const auto found = std::find(type_names.begin(), type_names.end(), word);
  return found == type_names.end() ? std::nullopt : std::optional(static_cast<OptionType>(found - type_names.begin()));
}

bool is_keyword(std::string_view word) {
  return word == "default" || word == "min" || word == "max" || word == "var";
}

/// The words from `at` up to the next keyword, joined as they were spaced in the line.
std::string_view value_at(const std::vector<std::string_view>& words, std::size_t& at) {
  if (at >= words.size() || is_keyword(words[at])) {
    return {};
  }
  const char* begin = words[at].data();
  const char* end = begin;
  for (; at < words.size() && !is_keyword(words[at]); ++at) {
    end = words[at].data() + words[at].size();
  }
  return {begin, static_cast<std::size_t>(end - begin)};
}

/// The options that may be set without being declared; their types come from USI draft 1.
std::optional<Option> undeclared_option(std::string_view name) {
  if (name == "USI_Hash") {
    return Option{"USI_Hash", OptionType::spin, "", 1, std::nullopt, {}};
  }
  if (name == "USI_Ponder") {
    return Option{"USI_Ponder", OptionType::check, "", std::nullopt, std::nullopt, {}};
  }
  return std::nullopt;
}

bool has_line_break(std::string_view text) {
  return text.find_first_of(std::string_view("\n\r\0", 3)) != std::string_view::npos;
}

base::Message describe_range(const Option& spin) {
  if (!spin.max) {
    return say("{} or more", spin.min.value_or(0));
  }
  if (!spin.min) {
    return say("{} or less", *spin.max);
  }
  return say("{} to {}", *spin.min, *spin.max);
}

base::Message with_suggestion(base::Message wrong, const std::optional<std::string>& suggestion) {
  return suggestion ? say("{}; {}", std::move(wrong), say("did you mean {}?", quoted(*suggestion))) : wrong;
}

/// The rule of the option's type that a value breaks.
std::optional<base::Message> check_value(const Option& option, const std::string& text) {
  const auto name = quoted(option.name);
  const auto value = quoted(text);
  switch (option.type) {
    case OptionType::check:
      if (text != "true" && text != "false") {
        return say("option {} takes true or false, not {}", name, value);
      }
      return std::nullopt;
    case OptionType::spin: {
      const auto number = base::parse_int(text);
      if (!number) {
        return say("option {} takes a whole number, not {}", name, value);
      }
      if ((option.min && *number < *option.min) || (option.max && *number > *option.max)) {
        return say("option {} takes {}, not {}", name, describe_range(option), value);
      }
      return std::nullopt;
    }
    case OptionType::combo: {
      if (std::find(option.choices.begin(), option.choices.end(), text) != option.choices.end()) {
        return std::nullopt;
      }
      return with_suggestion(say("option {} has no choice {}", name, value), base::nearest(text, option.choices));
    }
    case OptionType::button: return say("option {} is a button and takes no value", name);
    case OptionType::string:
    case OptionType::filename:
      return std::nullopt;
  }
  return std::nullopt;
}

bool is_same_but_for_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

/// USI draft 1, 4: options with fixed semantics have UCI's names behind the prefix USI_.
std::string other_fixed_name(std::string_view name) {
  static constexpr std::array<std::string_view, 4> fixed{"Hash", "Ponder", "OwnBook", "MultiPV"};
  for (const std::string_view plain : fixed) {
    const std::string prefixed = "USI_" + std::string(plain);
    if (name == plain) {
      return prefixed;
    }
    if (name == prefixed) {
      return std::string(plain);
    }
  }
  return {};
}

template <class IsMeant>
const Option* first_of(const std::vector<Option>& declared, IsMeant is_meant) {
  const auto found = std::find_if(declared.begin(), declared.end(), is_meant);
  return found == declared.end() ? nullptr : &*found;
}

}  // namespace

const char* describe(OptionType type) { return type_names.at(static_cast<std::size_t>(type)); }

const Option* find_option(const std::vector<Option>& declared, std::string_view name) {
  const Option* meant = first_of(declared, [&](const Option& option) { return option.name == name; });
  if (meant == nullptr) {
    meant = first_of(declared, [&](const Option& option) {
      return is_same_but_for_case(option.name, name);
    });
  }
  if (meant == nullptr) {
    const std::string other = other_fixed_name(name);
    meant = first_of(declared, [&](const Option& option) {
      return !other.empty() && option.name == other;
    });
  }
  return meant;
}

std::vector<base::Message> oddities(const Option& option) {
  std::vector<base::Message> odd;
  const auto name = quoted(option.name);
  if (!option.unread.empty()) {
    odd.push_back(say("option {} has words behind its type that mean nothing there: {}", name, quoted(option.unread)));
  }
  if (option.min && option.max && *option.min > *option.max) {
    odd.push_back(say("option {} has a min above its max", name));
  } else if (option.type == OptionType::spin && (!option.min || !option.max)) {
    odd.push_back(say("option {} is a spin without min and max", name));
  }
  if (option.type == OptionType::combo && option.choices.empty()) {
    odd.push_back(say("option {} is a combo without choices", name));
  } else if (option.type == OptionType::check || option.type == OptionType::spin ||
             option.type == OptionType::combo) {
    if (const auto wrong = check_value(option, option.default_value)) {
      odd.push_back(say("the default does not fit: {}", *wrong));
    }
  }
  return odd;
}

base::Result<Option> parse_option(std::string_view text) {
  const std::vector<std::string_view> words = base::split_words(text);
  if (words.empty() || words.front() != "name") {
    return base::fail(say("an option begins with the word name"));
  }
  std::size_t at = 1;
  while (at < words.size() && words[at] != "type") {
    ++at;
  }
  if (at == 1 || at + 1 >= words.size()) {
    return base::fail(say("an option has a name and a type"));
  }
  Option option;
  const char* begin = words[1].data();
  option.name.assign(begin, words[at - 1].data() + words[at - 1].size());
  const auto type = type_from(words[at + 1]);
  if (!type) {
    return base::fail(say("unknown option type {}", quoted(words[at + 1])));
  }
  option.type = *type;
  at += 2;
  const bool is_text = *type == OptionType::string || *type == OptionType::filename;
  while (at < words.size()) {
    const std::string_view keyword = words[at++];
    if (is_text && keyword == "default") {
      // A text may hold any word, "min" and "var" included: it runs to the end of the line.
      if (at < words.size()) {
        option.default_value.assign(words[at].data(), words.back().data() + words.back().size());
      }
      break;
    }
    if (!is_keyword(keyword)) {
      option.unread += (option.unread.empty() ? "" : " ") + std::string(keyword);
      continue;
    }
    const std::string_view value = value_at(words, at);
    if (keyword == "default") {
      option.default_value = value;
    } else if (keyword == "min") {
      option.min = base::parse_int(value);
    } else if (keyword == "max") {
      option.max = base::parse_int(value);
    } else if (keyword == "var") {
      option.choices.emplace_back(value);
    }
  }
  if (option.default_value == "<empty>") {
    option.default_value.clear();
  }
  return option;
}

std::optional<base::Message> check_setting(const std::vector<Option>& declared, const OptionSetting& setting) {
  const auto name = quoted(setting.name);
  // Whatever follows a line break would be a command of its own.
  if (has_line_break(setting.name) || (setting.value && has_line_break(*setting.value))) {
    return say("option {} or its value holds a line break or a NUL byte", name);
  }
  const Option* meant = find_option(declared, setting.name);
  const std::optional<Option> option = meant != nullptr ? *meant : undeclared_option(setting.name);
  if (!option) {
    std::vector<std::string> names;
    names.reserve(declared.size());
    for (const Option& candidate : declared) {
      names.push_back(candidate.name);
    }
    return with_suggestion(say("the engine declares no option {}", name), base::nearest(setting.name, names));
  }
  if (setting.value) {
    return check_value(*option, *setting.value);
  }
  if (option->type != OptionType::button) {
    return say("option {} is of type {} and needs a value", name, std::string(describe(option->type)));
  }
  return std::nullopt;
}

// --- the lines of a game

namespace {

constexpr const char* variant_option = "UCI_Variant";

/// The option's name on the wire.
std::string spelled(const std::vector<Option>& declared, const std::string& name) {
  const Option* option = find_option(declared, name);
  return option != nullptr ? option->name : name;
}

void set_shogi(const std::vector<Option>& declared, Settings& settings) {
  const Option* variant = find_option(declared, variant_option);
  if (variant == nullptr) {
    return;  // an engine of one game; its moves will show which
  }
  const bool has_shogi =
      std::find(variant->choices.begin(), variant->choices.end(), "shogi") != variant->choices.end();
  if (has_shogi) {
    settings.lines.push_back({variant->name, "shogi"});
  } else {
    settings.problems.push_back(say("the engine's UCI_Variant does not offer shogi"));
  }
}

}  // namespace

Settings plan_settings(
    const Dialect& dialect, const std::vector<Option>& declared,
    const WantedOptions& wanted, bool ponder) {
  Settings settings;
  const auto is_set_by_user = [&](std::string_view name) {
    return std::any_of(wanted.begin(), wanted.end(), [&](const auto& setting) {
      return setting.first == name || spelled(declared, setting.first) == name;
    });
  };
  // First of all: a change of the game puts other options back in some engines.
  if (dialect.notation == Notation::uci && !is_set_by_user(variant_option)) {
    set_shogi(declared, settings);
  }
  for (const auto& [name, value] : wanted) {
    const OptionSetting setting{name, value};
    if (auto problem = check_setting(declared, setting)) {
      settings.problems.push_back(std::move(*problem));
    } else {
      settings.lines.push_back({spelled(declared, name), value});
    }
  }
  if (!dialect.has_ponder()) {
    return settings;
  }
  const bool is_declared = find_option(declared, dialect.ponder_option) != nullptr;
  const std::string name = spelled(declared, dialect.ponder_option);
  // An engine that declares no such option is told only in USI, and only of a yes: some complain.
  const bool is_worth_saying = is_declared || (ponder && dialect.protocol == Protocol::usi);
  if (!is_set_by_user(name) && is_worth_saying) {
    settings.lines.push_back({name, ponder ? "true" : "false"});
  }
  return settings;
}

}  // namespace kakehashi::usi
