#include "sim/opponent.hpp"

#include <utility>
#include <vector>

#include "rehearse/server/game_name.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"

namespace kakehashi::sim {

using base::Millis;

namespace {

constexpr const char* opponent_name = "opponent";

}  // namespace

Opponent::Opponent(Agenda& agenda, Network& network, Boards& boards, const Scenario& scenario)
    : agenda_(agenda),
      network_(network),
      boards_(boards),
      dice_(scenario.seed, 3),
      manners_(scenario.opponent),
      way_({.latency = dice_.millis(0, 20)}),
      login_("LOGIN opponent " + scenario.game_name),
      taste_(scenario.seed) {
  const bool has_handicap = rehearse::server::parse_game_name(scenario.game_name)->handicap.has_value();
  login_ += has_handicap ? "-W,pw" : ",pw";
}

void Opponent::start() {
  has_started_ = true;
  come_back(dice_.millis(0, 500));
}

void Opponent::come_back(Millis delay) {
  agenda_.put_after(delay, [this] {
    if (!line_) {
      line_ = network_.connect(*this, way_);
    }
  });
}

void Opponent::leave() {
  if (line_) {
    network_.close(*std::exchange(line_, std::nullopt));
  }
  come_back(dice_.one_in(4) ? dice_.millis(0, 20'000) : dice_.millis(0, 300));
}

void Opponent::say(const std::string& line) {
  if (line_) {
    network_.write(*line_, line);
  }
}

void Opponent::on_connected() { say(login_); }

void Opponent::on_closed(bridge::ServerClosed::How, const std::string&) {
  line_.reset();
  come_back(Millis{500});
}

void Opponent::on_line(const std::string& line, bool) {
  if (line == "LOGIN:incorrect" || line.starts_with("REJECT:")) {
    leave();
  } else if (line.starts_with("Game_ID:")) {
    game_id_ = line.substr(8);
    said_on_.reset();
  } else if (line == "END Game_Summary") {
    answer_summary();
  } else if (line.starts_with("START:")) {
    last_own_.reset();
    if (const Board* board = boards_.find(game_id_)) {
      think(*board);
    }
  } else if (line.starts_with('+') || line.starts_with('-')) {
    if (const Board* board = boards_.find(game_id_)) {
      think(*board);
    }
  } else if (line == "#WIN" || line == "#LOSE" || line == "#DRAW" || line == "#CENSORED") {
    leave();
  }
}

void Opponent::answer_summary() {
  const std::size_t mood = manners_.is_rude ? dice_.below(8) : 7;
  if (mood == 0) {
    say("REJECT");
  } else if (mood != 1) {
    agenda_.put_after(dice_.one_in(4) ? dice_.millis(0, 3'000) : Millis{0},
                      [this, line = line_] {
                        if (line_ == line) {
                          say("AGREE");
                        }
                      });
  }
}

void Opponent::think(const Board& board) {
  if (board.is_over || board.color_of(opponent_name) != board.position.side_to_move()) {
    return;
  }
  Millis thinking =
      manners_.thinking_max.count() == 0 || dice_.one_in(3)
          ? Millis{0}
          : dice_.millis(0, manners_.thinking_max.count());
  if (const auto left = board.time_left(agenda_.at())) {
    thinking = std::min(thinking, std::max(Millis{0}, *left / 3));
  }
  agenda_.put_after(thinking, [this, plies = board.plies] { play(plies); });
}

void Opponent::play(int plies) {
  const Board* board = boards_.find(game_id_);
  // What it has said may still be on its way when the next line makes it think again.
  if (board == nullptr || board->is_over || board->plies != plies || !line_ || said_on_ == plies) {
    return;
  }
  said_on_ = plies;
  if (manners_.is_rude && dice_.one_in(40)) {
    if (const auto line = be_rude(*board)) {
      say(*line);
    }
    return;
  }
  say(choose(*board));
}

/// A line to send; nothing when it says nothing more in this game.
std::optional<std::string> Opponent::be_rude(const Board& board) {
  switch (dice_.below(5)) {
    case 0: return "%TORYO";
    case 1: return "%KACHI";
    case 2: return board.position.side_to_move() == shogi::Color::black ? "+5555OU" : "-5555OU";
    case 3: leave(); return std::nullopt;
    default:
      if (board.clock.is_untimed()) {
        return "%TORYO";
      }
      return std::nullopt;
  }
}

/// Against the rules of shogi, and yet a move that pieces can make.
std::optional<shogi::Move> Opponent::choose_foul(const shogi::Position& position) {
  std::vector<shogi::Move> fouls;
  const auto consider = [&](const shogi::Move& move) {
    const shogi::Verdict verdict = shogi::judge(position, move);
    if (verdict != shogi::Verdict::legal && is_taken_by_the_lenient(verdict)) {
      fouls.push_back(move);
    }
  };
  for (int to = 0; to < shogi::Square::count; ++to) {
    const auto target = shogi::Square::from_index(to);
    if (position.hand(position.side_to_move(), shogi::PieceKind::pawn) > 0) {
      consider(shogi::Move::drop(shogi::PieceKind::pawn, target));
    }
    for (int from = 0; from < shogi::Square::count; ++from) {
      if (const auto piece = position.at(shogi::Square::from_index(from));
          piece && piece->color == position.side_to_move()) {
        consider(shogi::Move::board(shogi::Square::from_index(from), target, false));
      }
    }
  }
  return fouls.empty() ? std::nullopt : std::optional(dice_.pick(fouls));
}

std::string Opponent::choose(const Board& board) {
  const shogi::Position& position = board.position;
  const std::vector<shogi::Move> moves = shogi::legal_moves(position);
  if (moves.empty()) {
    return "%TORYO";
  }
  if (manners_.breaks_rules && dice_.one_in(12)) {
    if (const auto foul = choose_foul(position)) {
      return shogi::csa::format_move(position, *foul);
    }
  }
  const std::uint64_t number =
      dice_.one_in(4) ? dice_.roll() : Dice::mix(position.key() ^ taste_);
  shogi::Move move = moves[number % moves.size()];
  if (manners_.repeats && last_own_ && !last_own_->is_drop() && !last_own_->promotes()) {
    const shogi::Move back = shogi::Move::board(last_own_->to(), last_own_->from(), false);
    if (shogi::is_legal(position, back)) {
      move = back;
    }
  }
  last_own_ = move;
  return shogi::csa::format_move(position, move);
}

}  // namespace kakehashi::sim
