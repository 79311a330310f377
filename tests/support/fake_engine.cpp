#include "support/fake_engine.hpp"

#include <utility>
#include <vector>

#include "base/overload.hpp"
#include "base/text.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::support {

namespace {

/// A position that foul play led to, and that the reader of positions refuses.
bool is_impossible(const std::string& line) {
  constexpr std::string_view begin = "position sfen ";
  return line.starts_with(begin) &&
         !shogi::usi::parse_sfen(line.substr(begin.size(), line.find(" moves ") - begin.size()));
}

}  // namespace

shogi::Position read_position(const std::string& line) {
  const std::size_t moves = line.find(" moves ");
  const std::string start = line.substr(9, moves == std::string::npos ? moves : moves - 9);
  shogi::Position position = start == "startpos"
                                 ? shogi::Position::startpos()
                                 : shogi::usi::parse_sfen(start.substr(5)).value();
  if (moves != std::string::npos) {
    const std::string_view words = std::string_view(line).substr(moves + 7);
    for (const std::string_view word : base::split_words(words)) {
      position.play(shogi::usi::parse_move(word).value());
    }
  }
  return position;
}

void FakeEngine::see(const bridge::Event& event) {
  if (const auto* started = std::get_if<bridge::EngineStarted>(&event)) {
    if (started->engine == id_) {
      is_alive_ = std::exchange(is_asked_for_, false);
    }
  } else if (const auto* line = std::get_if<bridge::EngineLine>(&event)) {
    if (line->engine != id_) {
      return;
    }
    if (line->text == "usiok") {
      owes_usiok_ = false;
    } else if (line->text == "readyok") {
      owes_readyok_ = false;
    } else if (line->text.starts_with("bestmove")) {
      owes_move_ = is_pondering_ = false;
    }
  } else if (const auto* exited = std::get_if<bridge::EngineExited>(&event)) {
    if (exited->engine == id_) {
      *this = FakeEngine(seat_);
    }
  } else if (const auto* failed = std::get_if<bridge::EngineFailedToStart>(&event)) {
    if (failed->engine == id_) {
      *this = FakeEngine(seat_);
    }
  }
}

void FakeEngine::see(const bridge::Actions& actions) {
  for (const bridge::Action& action : actions) {
    if (const auto* start = std::get_if<bridge::StartEngine>(&action)) {
      if (start->engine.seat != seat_) {
        continue;
      }
      *this = FakeEngine(seat_);
      id_ = start->engine;
      choices_ = id_.launch;
      is_asked_for_ = true;
    } else if (const auto* kill = std::get_if<bridge::KillEngine>(&action)) {
      if (kill->engine == id_) {
        *this = FakeEngine(seat_);
      }
    } else if (const auto* write = std::get_if<bridge::WriteEngine>(&action);
               write != nullptr && write->engine == id_) {
      const std::string& line = write->line;
      if (line == "usi") {
        owes_usiok_ = true;
      } else if (line == "isready") {
        owes_readyok_ = true;
      } else if (line.starts_with("position ")) {
        position_ = line;
      } else if (line.starts_with("go ponder")) {
        is_pondering_ = true;
      } else if (line.starts_with("go ") || line.starts_with("ponderhit") || line == "stop") {
        owes_move_ = true;
      } else if (line == "quit") {
        is_quitting_ = true;
      }
    }
  }
}

bridge::Event FakeEngine::say(std::string line) const {
  return bridge::EngineLine{id_, std::move(line)};
}

std::string FakeEngine::choose() {
  if (is_impossible(position_)) {
    return "bestmove resign";
  }
  const shogi::Position position = read_position(position_);
  const std::vector<shogi::Move> moves = shogi::legal_moves(position);
  if (moves.empty()) {
    return "bestmove resign";
  }
  choices_ = choices_ * 6364136223846793005U + 1442695040888963407U;
  const shogi::Move move = moves[(choices_ >> 33) % moves.size()];
  shogi::Position reached = position;
  reached.play(move);
  std::string line = "bestmove " + shogi::usi::format_move(move);
  const std::vector<shogi::Move> replies = shogi::legal_moves(reached);
  if (!replies.empty()) {
    line += " ponder " + shogi::usi::format_move(replies[replies.size() / 2]);
  }
  return line;
}

std::optional<bridge::Event> FakeEngine::act() {
  const bridge::EngineId id = id_;
  if (is_asked_for_) {
    return bridge::EngineStarted{id, 4711};
  }
  if (!is_alive_) {
    return std::nullopt;
  }
  if (is_quitting_) {
    return bridge::EngineExited{id, base::verbatim("exit status 0")};
  }
  if (owes_usiok_) {
    return say("usiok");
  }
  if (owes_readyok_) {
    return say("readyok");
  }
  if (owes_move_) {
    return say(choose());
  }
  return std::nullopt;
}

std::optional<bridge::Event> FakeEngine::die() const {
  const bridge::EngineId id = id_;
  if (is_asked_for_) {
    return bridge::EngineFailedToStart{id, base::verbatim("Resource temporarily unavailable")};
  }
  if (is_alive_) {
    return bridge::EngineExited{id, base::verbatim("signal 9 (Killed)")};
  }
  return std::nullopt;
}

}  // namespace kakehashi::support
