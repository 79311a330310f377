#include "shogi/record/jkf_presets.hpp"

#include <array>

#include "shogi/notation/kif.hpp"

namespace kakehashi::shogi::record {

namespace {

struct Preset {
  std::string_view name;
  std::string_view handicap;
  bool is_written;
};

constexpr std::array presets{
    Preset{"HIRATE", "平手", true},       Preset{"KY", "香落ち", true},
    Preset{"KY_R", "右香落ち", true},     Preset{"KA", "角落ち", true},
    Preset{"HI", "飛車落ち", true},       Preset{"HIKY", "飛香落ち", true},
    Preset{"2", "二枚落ち", true},        Preset{"3", "三枚落ち", false},
    Preset{"4", "四枚落ち", true},        Preset{"5", "五枚落ち", false},
    Preset{"5_L", "左五枚落ち", false},   Preset{"6", "六枚落ち", true},
    Preset{"7_L", "左七枚落ち", false},   Preset{"7_R", "右七枚落ち", false},
    Preset{"8", "八枚落ち", true},        Preset{"10", "十枚落ち", true}};

}  // namespace

std::optional<std::string_view> jkf_preset(const Position& position) {
  const auto handicap = kif::handicap_name(position);
  for (const Preset& preset : presets) {
    if (preset.is_written && handicap == preset.handicap) {
      return preset.name;
    }
  }
  return std::nullopt;
}

std::optional<Position> jkf_preset_position(std::string_view name) {
  for (const Preset& preset : presets) {
    if (preset.name == name) {
      return kif::handicap_position(preset.handicap);
    }
  }
  return std::nullopt;
}

}  // namespace kakehashi::shogi::record
