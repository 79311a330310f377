// The options that an engine declares, the values a user wants set, and which setoption lines it gets before `isready`: the
// user's, in their order, and those that the bridge sets by itself.
// Source: USI draft 1 and the Shogidokoro definition, "option", "setoption"; UCI is the same grammar.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/message.hpp"
#include "base/result.hpp"
#include "usi/dialect.hpp"

namespace kakehashi::usi {

enum class OptionType { check, spin, combo, button, string, filename };
[[nodiscard]] const char* describe(OptionType type);

struct Option {
  std::string name;  ///< may contain spaces
  OptionType type = OptionType::string;
  std::string default_value;  ///< "<empty>" is read as the empty text
  std::optional<std::int64_t> min;
  std::optional<std::int64_t> max;
  std::vector<std::string> choices;  ///< of a combo
  std::string unread{};  ///< words behind the type that belong to none of the parameters

  friend bool operator==(const Option&, const Option&) = default;
};

/// The line after the word "option". Unknown types and missing names are errors.
[[nodiscard]] base::Result<Option> parse_option(std::string_view text);

/// One `setoption`, in the user's order. A button has no value.
struct OptionSetting {
  std::string name;
  std::optional<std::string> value;

  friend bool operator==(const OptionSetting&, const OptionSetting&) = default;
};

/// What a user wants set, in the written order; no value: a button.
using WantedOptions = std::vector<std::pair<std::string, std::optional<std::string>>>;

/// The declared option that a name means: letter for letter; else without regard to case, as all
/// protocols ask; else the same option under its other fixed name (USI_Hash is UCI's Hash).
/// Nothing when there is none.
[[nodiscard]] const Option* find_option(const std::vector<Option>& declared, std::string_view name);

/// What is wrong with a setting, compared with what the engine declared: nothing, or a sentence
/// that names the rule and, for an unknown name, the nearest declared one.
/// USI_Hash and USI_Ponder may be set without being declared (Shogidokoro's definition).
[[nodiscard]] std::optional<base::Message> check_setting(const std::vector<Option>& declared,
                                                         const OptionSetting& setting);

/// What is odd in a declaration itself: a default outside its range, a combo without choices. One
/// sentence each.
[[nodiscard]] std::vector<base::Message> oddities(const Option& option);

struct Settings {
  std::vector<OptionSetting> lines;
  std::vector<base::Message> problems;  ///< one sentence for each setting that was left out
};

/// `wanted`: the user's settings; no value presses a button. A name is sent as the engine spells it.
/// Pondering is switched as configured: Shogidokoro sends USI_Ponder undeclared, so `ponder` on is
/// always said, and off is said where the engine declares it. A UCI engine of many games is set to
/// shogi by UCI_Variant.
[[nodiscard]] Settings plan_settings(
    const Dialect& dialect, const std::vector<Option>& declared,
    const WantedOptions& wanted, bool ponder);

}  // namespace kakehashi::usi
