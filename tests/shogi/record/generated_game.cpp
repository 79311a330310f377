#include "shogi/record/generated_game.hpp"

#include <array>
#include <random>

#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"

namespace kakehashi::shogi::record {

namespace {

using base::Millis;

/// A position of a game that went on for a while: hands, promoted pieces, either side to move.
Position resumed_start(std::mt19937& random) {
  Position position = Position::startpos();
  for (std::size_t plies = 31 + random() % 40; plies > 0; --plies) {
    const auto moves = legal_moves(position);
    if (moves.empty()) {
      return Position::startpos();
    }
    position.play(moves[random() % moves.size()]);
  }
  return position;
}

Position start_of(std::uint32_t seed, std::mt19937& random) {
  constexpr std::array<const char*, 9> handicaps{
      "hclance", "hcbishop", "hcrook", "hcrooklance", "hc2p", "hc4p", "hc6p", "hc8p", "hc10p"};
  switch (seed % 5) {
    case 3: return resumed_start(random);
    case 4: return *shogi::csa::handicap_start(handicaps[seed / 5 % handicaps.size()]);
  }
  return Position::startpos();
}

/// None, an ordinary one, one with an increment, one of each side, one that V2.2 has no field for.
void set_clocks(std::uint32_t seed, Record& record) {
  using std::chrono::minutes;
  using std::chrono::seconds;
  switch (seed % 6) {
    case 1: record.black_clock = Clock{minutes{15}, seconds{10}, Millis{0}}; break;
    case 2: record.black_clock = Clock{seconds{300}, Millis{0}, seconds{10}}; break;
    case 3: record.black_clock = Clock{minutes{10}, Millis{0}, seconds{5}}; break;
    case 4: record.black_clock = Clock{seconds{90}, Millis{1'500}, Millis{0}}; break;
    case 5: record.black_clock = Clock{minutes{150}, seconds{60}, Millis{0}}; break;
  }
  record.white_clock = record.black_clock;
  if (seed % 6 == 3) {
    record.white_clock = Clock{seconds{60}, seconds{3}, Millis{0}};
  }
}

EndingKind ending_for(std::uint32_t seed, CsaVersion version) {
  const auto kind = static_cast<EndingKind>(seed % (static_cast<unsigned>(EndingKind::error) + 1));
  return kind == EndingKind::max_moves && version == CsaVersion::v2_2 ? EndingKind::hikiwake : kind;
}

Evaluation evaluation_of(const Position& position, CsaVersion version, std::mt19937& random) {
  Evaluation evaluation;
  evaluation.score = static_cast<std::int64_t>(random() % 4'000) - 2'000;
  Position reached = position;
  for (std::size_t plies = random() % 6; plies > 0; --plies) {
    const auto moves = legal_moves(reached);
    if (moves.empty()) {
      break;
    }
    const Move move = moves[random() % moves.size()];
    evaluation.pv.push_back(shogi::csa::format_move(reached, move));
    reached.play(move);
  }
  if (version == CsaVersion::v3_0) {
    evaluation.nodes = random();
  }
  return evaluation;
}

/// Plays on from the start, which is `from` or, without it, one of the seed's choice.
Record generate(std::uint32_t seed, CsaVersion version, const std::optional<Position>& from) {
  std::mt19937 random(seed);
  Record record;
  record.event = "test+corpus-300-10F+black+white+" + std::to_string(20260101000000ULL + seed);
  record.site = "loopback";
  record.black_name = "black" + std::to_string(seed);
  record.white_name = seed % 4 == 0 ? "後手, 白番" : "white@example.org";
  record.utc_offset = std::chrono::minutes{seed % 2 == 0 ? 540 : -210};
  record.started = std::chrono::sys_days{std::chrono::year{2026} / 11 / 21} +
                   std::chrono::seconds{random() % 80'000};
  record.ended = *record.started + std::chrono::seconds{600};
  record.max_moves = seed % 3 == 0 ? std::optional(256) : std::nullopt;
  record.jishogi_rule = version == CsaVersion::v3_0 ? "27" : "";
  record.comments = {"generated from seed " + std::to_string(seed)};
  set_clocks(seed, record);
  record.start = from ? *from : start_of(seed, random);

  const auto time = [&] {
    return Millis{version == CsaVersion::v2_2 ? 1000 * static_cast<int>(random() % 90)
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
      move.evaluation = evaluation_of(position, version, random);
    }
    if (random() % 7 == 0) {
      move.comments = {"a comment, with a comma", "", "二行目"};
    }
    record.moves.push_back(std::move(move));
  }
  record.ending = Ending{ending_for(seed, version), {}, {}};
  if (record.ending->kind == EndingKind::toryo || record.ending->kind == EndingKind::kachi) {
    record.ending->consumed = time();
    record.ending->comments = {"after the end"};
  }
  return record;
}

}  // namespace

Record generate_game(std::uint32_t seed, CsaVersion version) {
  return generate(seed, version, std::nullopt);
}

Record generate_game_from(const Position& start, std::uint32_t seed, CsaVersion version) {
  return generate(seed, version, start);
}

}  // namespace kakehashi::shogi::record
