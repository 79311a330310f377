#include "record/generated_game.hpp"

#include <array>
#include <random>

#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/handicap.hpp"

namespace kakehashi::shogi::record {

namespace {

using base::Millis;

Position start_of(std::uint32_t seed) {
  constexpr std::array<const char*, 4> handicaps{"hclance", "hcbishop", "hcrook", "hc2p"};
  if (seed % 5 == 4) {
    return *handicap_start(handicaps[seed / 5 % handicaps.size()]);
  }
  return Position::startpos();
}

EndingKind ending_for(std::uint32_t seed, const Position& position) {
  constexpr std::array kinds{
      EndingKind::toryo,      EndingKind::chudan,   EndingKind::sennichite,
      EndingKind::time_up,    EndingKind::kachi,    EndingKind::hikiwake,
      EndingKind::illegal_action_by_black,          EndingKind::illegal_action_by_white,
      EndingKind::jishogi,    EndingKind::illegal_move};
  if (is_mated(position)) {
    return EndingKind::toryo;
  }
  return kinds[seed % kinds.size()];
}

std::vector<std::string> random_line(Position position, std::mt19937& random) {
  std::vector<std::string> line;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto moves = legal_moves(position);
    if (moves.empty()) {
      break;
    }
    const Move move = moves[random() % moves.size()];
    line.push_back(csa::format_move(position, move));
    position.play(move);
  }
  return line;
}

}  // namespace

Record generate_game(std::uint32_t seed, bool whole_seconds) {
  std::mt19937 random(seed);
  Record record;
  record.event = "test+corpus-300-10F+black+white+" + std::to_string(20260101000000ULL + seed);
  record.site = "loopback";
  record.black_name = "black" + std::to_string(seed);
  record.white_name = "white@example.org";
  record.started = std::chrono::sys_days{std::chrono::year{2026} / 11 / 21} +
                   std::chrono::seconds{random() % 80'000};
  record.ended = *record.started + std::chrono::seconds{600};
  if (seed % 3 == 0) {
    record.black_clock = record.white_clock =
        Clock{std::chrono::minutes{15}, std::chrono::seconds{10}, Millis{0}};
  }
  record.start = start_of(seed);

  const auto time = [&] {
    return Millis{whole_seconds ? 1000 * static_cast<int>(random() % 90)
                                : static_cast<int>(random() % 90'000)};
  };
  Position position = record.start;
  const std::size_t plies = 20 + random() % 120;
  for (std::size_t ply = 0; ply < plies; ++ply) {
    const auto moves = legal_moves(position);
    if (moves.empty()) {
      break;
    }
    RecordedMove move{moves[random() % moves.size()], time(), {}, {}};
    position.play(move.move);
    if (random() % 3 == 0) {
      move.evaluation =
          Evaluation{static_cast<std::int64_t>(random() % 4'000) - 2'000, random_line(position, random),
                     {}, {}};
    }
    if (random() % 7 == 0) {
      move.comments.push_back("a comment, with a comma");
    }
    record.moves.push_back(std::move(move));
  }
  record.ending = Ending{ending_for(seed, position), {}};
  if (record.ending->kind == EndingKind::toryo || record.ending->kind == EndingKind::kachi) {
    record.ending->consumed = time();
  }
  return record;
}

}  // namespace kakehashi::shogi::record
