// The names of customary starts: what the stronger side, white, leaves out.
#include <array>
#include <string>

#include "base/text.hpp"
#include "shogi/notation/kif.hpp"
#include "shogi/notation/kif_words.hpp"

namespace kakehashi::shogi::kif {

namespace {

struct Handicap {
  std::string_view name;
  std::string_view without;  ///< squares of white's camp, two digits each
};

constexpr std::array handicaps{
    Handicap{"平手", ""},
    Handicap{"香落ち", "11"},
    Handicap{"右香落ち", "91"},
    Handicap{"角落ち", "22"},
    Handicap{"飛車落ち", "82"},
    Handicap{"飛香落ち", "1182"},
    Handicap{"二枚落ち", "2282"},
    Handicap{"三枚落ち", "228291"},
    Handicap{"四枚落ち", "11228291"},
    Handicap{"五枚落ち", "1122818291"},
    Handicap{"左五枚落ち", "1121228291"},
    Handicap{"六枚落ち", "112122818291"},
    Handicap{"左七枚落ち", "11212231818291"},
    Handicap{"右七枚落ち", "11212271818291"},
    Handicap{"八枚落ち", "1121223171818291"},
    Handicap{"十枚落ち", "11212231416171818291"}};

Position start_of(const Handicap& handicap) {
  Position position = Position::startpos();
  for (std::size_t i = 0; i < handicap.without.size(); i += 2) {
    position.clear(Square(handicap.without[i] - '0', handicap.without[i + 1] - '0'));
  }
  position.set_side_to_move(handicap.without.empty() ? Color::black : Color::white);
  return position;
}

}  // namespace

std::optional<std::string_view> handicap_name(const Position& position) {
  for (const Handicap& handicap : handicaps) {
    if (start_of(handicap) == position) {
      return handicap.name;
    }
  }
  return std::nullopt;
}

std::optional<Position> handicap_position(std::string_view name) {
  std::string plain;
  for (skip_blanks(name); !name.empty(); skip_blanks(name)) {
    plain += name.front();
    name.remove_prefix(1);
  }
  for (const Handicap& handicap : handicaps) {
    if (handicap.name == plain) {
      return start_of(handicap);
    }
  }
  return std::nullopt;
}

}  // namespace kakehashi::shogi::kif
