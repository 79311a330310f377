#include "bridge/cli/exam_positions.hpp"

#include <string>
#include <string_view>

#include "base/text.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::bridge {

namespace {

/// "startpos moves …" or "sfen …"; all of them stand below, so they can be read.
usi::ExamPosition shogi_position(std::string_view text) {
  const std::size_t moves_at = text.find(" moves ");
  const std::string_view start = text.substr(0, moves_at);
  shogi::Position position =
      shogi::usi::parse_sfen(start == "startpos" ? shogi::usi::startpos_sfen : start.substr(5)).value();
  if (moves_at != std::string_view::npos) {
    for (const std::string_view word : base::split_words(text.substr(moves_at + 7))) {
      position.play(shogi::usi::parse_move(word).value());
    }
  }
  usi::ExamPosition question{"position " + std::string(text), {}};
  for (const shogi::Move& move : shogi::legal_moves(position)) {
    question.legal.push_back(shogi::usi::format_move(move));
  }
  return question;
}

}  // namespace

void add_exam_positions(usi::ExamSetup& setup) {
  switch (setup.protocol) {
    case usi::Protocol::usi:
    case usi::Protocol::uci:
      for (const char* text :
           {"startpos", "startpos moves 7g7f",
            // Pieces in hand, a promotion in the history, both sides to move.
            "startpos moves 7g7f 3c3d 8h2b+ 3a2b",
            "sfen lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
            "sfen lnsgkgsnl/1r5b1/p1pppp1pp/6p2/1p7/2P6/PP1PPPP1P/1B5R1/LNSGKGSNL b P 9",
            "sfen ln1gkgsnl/1r1s3b1/p1pppp1pp/6p2/1p7/2P6/PP1PPPP1P/1BG4R1/LNS1KGSNL w p 12"}) {
        setup.positions.push_back(shogi_position(text));
      }
      return;
    case usi::Protocol::tei:
      setup.positions = {{"position startpos", {}}, {"position startpos moves a1 f6", {}}};
      return;
    case usi::Protocol::ucgi:
      // The example of the text: a board of its own notation cannot be made up here.
      setup.positions = {{"position startpos moves h4.HADJI rack.AEIRSTX", {}}};
      return;
  }
}

}  // namespace kakehashi::bridge
