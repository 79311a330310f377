#include "shogi/attack.hpp"

namespace kakehashi::shogi {

namespace {

using DirectionSet = std::uint16_t;

constexpr DirectionSet set_of(Direction direction) {
  return static_cast<DirectionSet>(1U << static_cast<unsigned>(direction));
}

template <class... Directions>
constexpr DirectionSet set_of(Direction first, Directions... rest) {
  return static_cast<DirectionSet>(set_of(first) | set_of(rest...));
}

struct Movement {
  DirectionSet steps;
  DirectionSet slides;
};

constexpr DirectionSet straight =
    set_of(Direction::up, Direction::right, Direction::down, Direction::left);
constexpr DirectionSet diagonal = set_of(Direction::up_right, Direction::down_right,
                                         Direction::down_left, Direction::up_left);
constexpr DirectionSet all_neighbours = straight | diagonal;
constexpr DirectionSet gold_steps =
    straight | set_of(Direction::up_right, Direction::up_left);

constexpr Movement black_movement(PieceKind kind) {
  switch (kind) {
    case PieceKind::pawn: return {set_of(Direction::up), 0};
    case PieceKind::lance: return {set_of(Direction::up), set_of(Direction::up)};
    case PieceKind::knight: return {set_of(Direction::jump_up_right, Direction::jump_up_left), 0};
    case PieceKind::silver: return {diagonal | set_of(Direction::up), 0};
    case PieceKind::gold:
    case PieceKind::promoted_pawn:
    case PieceKind::promoted_lance:
    case PieceKind::promoted_knight:
    case PieceKind::promoted_silver: return {gold_steps, 0};
    case PieceKind::bishop: return {diagonal, diagonal};
    case PieceKind::rook: return {straight, straight};
    case PieceKind::king: return {all_neighbours, 0};
    case PieceKind::horse: return {all_neighbours, diagonal};
    case PieceKind::dragon: return {all_neighbours, straight};
  }
  return {0, 0};
}

constexpr DirectionSet reversed_set(DirectionSet set) {
  DirectionSet turned = 0;
  for (int i = 0; i < direction_count; ++i) {
    if ((set >> i & 1) != 0) {
      turned = static_cast<DirectionSet>(turned | set_of(reversed(direction_of(i))));
    }
  }
  return turned;
}

// Plain arrays in the tables below: every move generated reads them many times, and a build without optimisation
// pays a call for each std::array access.
struct MovementTable {
  Movement of[2][piece_kind_count];
};

constexpr MovementTable movement_table() {
  MovementTable table{};
  for (int kind = 0; kind < piece_kind_count; ++kind) {
    const Movement movement = black_movement(static_cast<PieceKind>(kind));
    table.of[0][kind] = movement;
    table.of[1][kind] = {reversed_set(movement.steps), reversed_set(movement.slides)};
  }
  return table;
}

constexpr MovementTable movements = movement_table();

const Movement& movement_of(Piece piece) {
  return movements.of[static_cast<int>(piece.color)][static_cast<int>(piece.kind)];
}

struct Offset {
  int file;
  int rank;
};

// Files count from black's right: one to the right is one file less.
constexpr Offset offsets[direction_count] = {{0, -1}, {-1, -1}, {-1, 0},  {-1, 1}, {0, 1}, {1, 1},
                                             {1, 0},  {1, -1},  {-1, -2}, {1, -2}, {1, 2}, {-1, 2}};

struct NeighbourTable {
  std::int8_t of[Square::count][direction_count];
};

constexpr NeighbourTable neighbour_table() {
  NeighbourTable table{};
  for (int index = 0; index < Square::count; ++index) {
    const Square square = Square::from_index(index);
    for (int d = 0; d < direction_count; ++d) {
      const int file = square.file() + offsets[d].file;
      const int rank = square.rank() + offsets[d].rank;
      const int next = Square::is_on_board(file, rank) ? Square(file, rank).index() : off_board;
      table.of[index][d] = static_cast<std::int8_t>(next);
    }
  }
  return table;
}

constexpr NeighbourTable neighbours = neighbour_table();

}  // namespace

int neighbour(int square_index, Direction direction) {
  return neighbours.of[square_index][static_cast<int>(direction)];
}

std::uint16_t step_directions(Piece piece) { return movement_of(piece).steps; }

bool steps(Piece piece, Direction direction) {
  return (movement_of(piece).steps & set_of(direction)) != 0;
}

bool slides(Piece piece, Direction direction) {
  return (movement_of(piece).slides & set_of(direction)) != 0;
}

bool reaches(const Position& position, Piece piece, Square from, Square to) {
  for (int i = 0; i < direction_count; ++i) {
    const Direction direction = direction_of(i);
    if (!steps(piece, direction)) {
      continue;
    }
    int index = neighbour(from.index(), direction);
    while (index != off_board && index != to.index() && slides(piece, direction) &&
           !position.at(Square::from_index(index))) {
      index = neighbour(index, direction);
    }
    if (index == to.index()) {
      return true;
    }
  }
  return false;
}

bool is_attacked(const Position& position, Square target, Color attacker, int vacated) {
  for (int i = 0; i < direction_count; ++i) {
    const Direction outward = direction_of(i);
    const Direction inward = reversed(outward);
    bool is_adjacent = true;
    for (int index = neighbour(target.index(), outward); index != off_board;
         index = neighbour(index, outward)) {
      const std::optional<Piece> piece =
          index == vacated ? std::nullopt : position.at(Square::from_index(index));
      if (piece) {
        if (piece->color == attacker &&
            (is_adjacent ? steps(*piece, inward) : slides(*piece, inward))) {
          return true;
        }
        break;
      }
      if (i >= neighbour_count) {
        break;  // a knight's jump is not repeated
      }
      is_adjacent = false;
    }
  }
  return false;
}

}  // namespace kakehashi::shogi
