#include "bridge/game/translate.hpp"

#include <algorithm>

#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::bridge {

namespace {

bool is_word(std::string_view text, std::string_view word) {
  return std::equal(text.begin(), text.end(), word.begin(), word.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

}  // namespace

PositionCommand::PositionCommand(const shogi::Position& start) {
  const std::string sfen = shogi::usi::format_sfen(start);
  text_ = sfen == shogi::usi::startpos_sfen ? "position startpos" : "position sfen " + sfen;
}

void PositionCommand::append(const shogi::Move& move) {
  text_ += has_moves_ ? " " : " moves ";
  text_ += shogi::usi::format_move(move);
  has_moves_ = true;
}

std::string PositionCommand::with(const shogi::Move& move) const {
  PositionCommand longer = *this;
  longer.append(move);
  return std::move(longer.text_);
}

EngineChoice read_choice(const shogi::Position& position, std::string_view word) {
  EngineChoice choice;
  if (is_word(word, "resign")) {
    choice.kind = EngineChoice::Kind::resign;
    return choice;
  }
  if (is_word(word, "win")) {
    choice.kind = EngineChoice::Kind::declare;
    return choice;
  }
  const base::Result<shogi::Move> move = shogi::usi::parse_move(word);
  if (!move) {
    choice.why = base::say("bestmove {} cannot be read: {}", base::quoted(word), move.error().what);
    return choice;
  }
  const shogi::Verdict verdict = shogi::judge(position, *move);
  if (verdict != shogi::Verdict::legal) {
    choice.why = base::say("bestmove {} is not legal: {}", base::quoted(word), shogi::describe(verdict));
    return choice;
  }
  choice.kind = EngineChoice::Kind::move;
  choice.move = *move;
  return choice;
}

std::string translate_pv(const shogi::Position& position, const std::vector<std::string>& pv,
                         std::size_t moves_max) {
  std::string text;
  shogi::Position reached = position;
  for (std::size_t i = 0; i < pv.size() && i < moves_max; ++i) {
    const base::Result<shogi::Move> move = shogi::usi::parse_move(pv[i]);
    // The first word that is no legal move ends the line: what follows would be misread.
    if (!move || !shogi::is_legal(reached, *move)) {
      break;
    }
    text += text.empty() ? "" : " ";
    text += shogi::csa::format_move(reached, *move);
    reached.play(*move);
  }
  return text;
}

}  // namespace kakehashi::bridge
