// Which setoption lines an engine gets before `isready`: the user's, in their order, and those that
// the bridge sets by itself. Source: Shogidokoro's definition, "setoption", "option".
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "usi/dialect.hpp"
#include "usi/option.hpp"

namespace kakehashi::usi {

struct Settings {
  std::vector<OptionSetting> lines;
  std::vector<std::string> problems;  ///< one sentence for each setting that was left out
};

/// `wanted`: the user's settings; no value presses a button. A name is sent as the engine spells it.
/// Pondering is switched as configured: Shogidokoro sends USI_Ponder undeclared, so `ponder` on is
/// always said, and off is said where the engine declares it. A UCI engine of many games is set to
/// shogi by UCI_Variant.
[[nodiscard]] Settings plan_settings(
    const Dialect& dialect, const std::vector<Option>& declared,
    const WantedOptions& wanted, bool ponder);

}  // namespace kakehashi::usi
