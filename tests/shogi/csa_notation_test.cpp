#include "shogi/notation/csa.hpp"

#include <gtest/gtest.h>

#include "base/text.hpp"
#include "tests/shogi/boards.hpp"
#include "tests/support/random_games.hpp"

namespace kakehashi::shogi::csa {

namespace {

// The position that lines separated by LF describe.
base::Result<Position> read(std::string_view lines) {
  BoardReader reader;
  for (const std::string_view line : base::split(lines, '\n')) {
    if (line.empty()) {
      continue;
    }
    if (const auto error = reader.feed(line)) {
      return base::Failure<base::ParseError>{*error};
    }
  }
  return reader.finish();
}

std::string sfen_of(std::string_view lines) {
  const auto position = read(lines);
  return position ? shogi::usi::format_sfen(*position) : "refused: " + position.error().what.english();
}

constexpr const char* start_lines =
    "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\n"
    "P2 * -HI *  *  *  *  * -KA * \n"
    "P3-FU-FU-FU-FU-FU-FU-FU-FU-FU\n"
    "P4 *  *  *  *  *  *  *  *  * \n"
    "P5 *  *  *  *  *  *  *  *  * \n"
    "P6 *  *  *  *  *  *  *  *  * \n"
    "P7+FU+FU+FU+FU+FU+FU+FU+FU+FU\n"
    "P8 * +KA *  *  *  *  * +HI * \n"
    "P9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n";

TEST(CsaMove, names_the_piece_after_the_move) {
  const Position start = Position::startpos();
  EXPECT_EQ(*parse_move(start, "+7776FU"), move("7g7f"));
  const Position open = after(start, "7g7f", "3c3d");
  EXPECT_EQ(*parse_move(open, "+8822UM"), move("8h2b+"));
  EXPECT_EQ(*parse_move(open, "+8822KA"), move("8h2b"));
  const Position promoted_already = after(open, "8h2b+", "8c8d");
  EXPECT_EQ(*parse_move(promoted_already, "+2233UM"), move("2b3c"));
  EXPECT_EQ(*parse_move(board("4k4/9/9/9/9/9/9/9/4K4 w g 1"), "-0055KI"), move("G*5e"));
}

TEST(CsaMove, is_written_as_it_is_read) {
  const Position open = after(Position::startpos(), "7g7f", "3c3d");
  for (const char* text : {"+8822UM", "+8822KA", "+7675FU", "+5948OU"}) {
    EXPECT_EQ(format_move(open, *parse_move(open, text)), text);
  }
  EXPECT_EQ(format_move(board("4k4/9/9/9/9/9/9/9/4K4 w g 1"), move("G*5e")), "-0055KI");
}

TEST(CsaMove, that_the_position_does_not_hold_is_refused_with_the_column) {
  struct Case {
    const char* text;
    std::size_t column;
  };
  for (const Case& c :
       {Case{"", 0}, Case{"+7776F", 0}, Case{"+7776FU,", 0}, Case{"7776FU+", 0},
        Case{"-3334FU", 0}, Case{"+7706FU", 3}, Case{"+7770FU", 3}, Case{"+7776XX", 5},
        Case{"+7776fu", 5}, Case{"+0776FU", 1}, Case{"+7076FU", 1}, Case{"+5554FU", 1},
        Case{"+3334FU", 1}, Case{"+7776KY", 5}, Case{"+7776NY", 5}, Case{"+0055OU", 5},
        Case{"+0055TO", 5}, Case{"+5958UM", 5}}) {
    const auto result = parse_move(Position::startpos(), c.text);
    ASSERT_FALSE(result) << c.text;
    EXPECT_EQ(result.error().column, c.column) << c.text;
  }
}

TEST(CsaBoard, and_moves_of_random_games_come_back) {
  std::mt19937_64 random(13);
  for (int game = 0; game < 20; ++game) {
    support::play_random_game(
        Position::startpos(), 100, random,
        [](const Position& position, const std::vector<Move>& moves) {
          Position black_to_move = position;
          black_to_move.set_side_to_move(Color::black);
          EXPECT_EQ(*read(format_board(position)), black_to_move);
          for (const Move& one : moves) {
            EXPECT_EQ(*parse_move(position, format_move(position, one)), one);
          }
        });
  }
}

TEST(CsaBoard, is_written_as_shogi_server_writes_it) {
  EXPECT_EQ(format_board(Position::startpos()), start_lines);
  const std::string with_hands =
      format_board(board("4k4/9/9/9/9/9/9/9/4K4 b 2PBNGr4p2g 1"));
  EXPECT_TRUE(with_hands.ends_with("\nP+00FU00FU00KA00KE00KI\nP-00FU00FU00FU00FU00HI00KI00KI\n"))
      << with_hands;
}

TEST(CsaBoard, of_nine_ranks_is_read) { EXPECT_EQ(sfen_of(start_lines), shogi::usi::startpos_sfen); }

TEST(CsaBoard, may_have_lost_the_blanks_at_the_ends_of_its_lines_or_have_gained_some) {
  std::string stripped;
  std::string padded;
  for (const std::string_view line : base::split(start_lines, '\n')) {
    stripped += std::string(line.substr(0, line.find_last_not_of(' ') + 1)) + '\n';
    padded += line.empty() ? "" : std::string(line) + "  \r\n";
  }
  EXPECT_NE(stripped, start_lines);
  EXPECT_EQ(sfen_of(stripped), shogi::usi::startpos_sfen);
  EXPECT_EQ(sfen_of(padded), shogi::usi::startpos_sfen);
}

TEST(CsaBoard, PI_is_the_start_less_the_pieces_it_names) {
  EXPECT_EQ(sfen_of("PI"), shogi::usi::startpos_sfen);
  EXPECT_EQ(sfen_of("PI82HI22KA"),
            "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
}

TEST(CsaBoard, pieces_may_be_listed_one_by_one_with_00_for_the_hand) {
  EXPECT_EQ(sfen_of("P-51OU\nP+59OU55TO\nP+00KI00FU00FU"),
            "4k4/9/9/9/4+P4/9/9/9/4K4 b G2P 1");
  EXPECT_EQ(sfen_of("PI82HI22KA\nP+00HI\nP-\nP+"),
            "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b R 1");
}

TEST(CsaBoard, 00AL_is_all_that_remains_without_the_kings) {
  EXPECT_EQ(sfen_of("P-11OU\nP+21FU12KI\nP-00AL").substr(0, 8), "refused:")
      << "a pawn on the last rank";
  EXPECT_EQ(sfen_of("P-11OU\nP+13FU12KI\nP-00AL"),
            "8k/8G/8P/9/9/9/9/9/9 b 2r2b3g4s4n4l17p 1");
  EXPECT_EQ(sfen_of("PI82HI22KA\nP+00AL"),
            "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b RB 1");
}

TEST(CsaBoard, that_cannot_be_is_refused) {
  for (const char* lines : {
           "",                                          // nothing
           "P+\nP-",                                    // nothing but empty hands
           "P1 *  *  *  *  *  *  *  *  * ",             // one rank of nine
           "P",                                         //
           "Q1",                                        //
           "P0 *  *  *  *  *  *  *  *  * ",             //
           "P* ",                                       //
           "PI8",                                       // half a group
           "PI82KA",                                    // no bishop there
           "PI55FU",                                    // nothing there
           "PI82HI82HI",                                // removed twice
           "PI02HI",                                    // no square
           "PI\nPI",                                    // twice
           "PI\nP1-KY-KE-GI-KI-OU-KI-GI-KE-KY",         // two boards
           "PI\nP5 *  *  *  *  *  *  *  *  * ",          //
           "P+55KI\nPI",                                //
           "PI\nP+55FU",                                // a tenth pawn on a file, and a nineteenth
           "P+55",                                      // half a group
           "P+55F",                                     //
           "P+55XX",                                    // unknown piece
           "P+05FU",                                    // no square
           "P+50FU",                                    //
           "P+55FU55FU",                                // doubled square
           "P+55FU\nP-55FU",                            //
           "P+00OU",                                    // a king in hand
           "P+00TO",                                    // a promoted piece in hand
           "P+00HI00HI00HI",                            // three rooks
           "P+55RY56HI00HI",                            //
           "P+00AL\nP-00FU",                            // a nineteenth pawn
           "P+55OU56OU",                                // two kings of a side
           "P+55OU56OU57OU",                            // three kings
           "P+55FU56FU",                                // two pawns on a file
           "P+51FU",                                    // pawn, lance, knight without a move
           "P+51KY",                                    //
           "P+52KE",                                    //
           "P-58KE",                                    //
       }) {
    EXPECT_FALSE(read(lines)) << lines;
  }
  const std::string start = start_lines;
  EXPECT_FALSE(read(start + "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\n")) << "a rank given twice";
  std::string nothing_after_start = "PI\n";
  for (int rank = 1; rank <= 9; ++rank) {
    nothing_after_start += "P" + std::to_string(rank) + " *  *  *  *  *  *  *  *  * \n";
  }
  EXPECT_FALSE(read(nothing_after_start)) << "two boards";
  for (const auto& [wrong, right] :
       {std::pair{"-KY-KE-GI", "-KY-KE-G"}, std::pair{"P4 * ", "P4"}, std::pair{"P5 * ", "P5 x "},
        std::pair{"P9+KY", "P9*KY"}, std::pair{"P9+KY", "P9+XX"}, std::pair{"P6 * ", "P6 *  * "}}) {
    std::string changed = start;
    changed.replace(changed.find(wrong), std::string_view(wrong).size(), right);
    EXPECT_FALSE(read(changed)) << changed;
  }
}

TEST(CsaBoard, an_error_names_the_column) {
  BoardReader reader;
  const auto error = reader.feed("P+55FU56XX");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->column, 8U);
}

}  // namespace

}  // namespace kakehashi::shogi::csa

namespace kakehashi::shogi {

namespace {

TEST(Handicap, is_given_by_black_who_moves_first) {
  struct Case {
    const char* name;
    const char* back_ranks;
  };
  for (const Case& c :
       {Case{"hclance", "1B5R1/1NSGKGSNL"}, Case{"hcbishop", "7R1/LNSGKGSNL"},
        Case{"hcrook", "1B7/LNSGKGSNL"}, Case{"hcrooklance", "1B7/1NSGKGSNL"},
        Case{"hc2p", "9/LNSGKGSNL"}, Case{"hc4p", "9/1NSGKGSN1"}, Case{"hc6p", "9/2SGKGS2"},
        Case{"hc8p", "9/3GKG3"}, Case{"hc10p", "9/4K4"}}) {
    const auto position = shogi::csa::handicap_start(c.name);
    ASSERT_TRUE(position) << c.name;
    EXPECT_EQ(shogi::usi::format_sfen(*position),
              "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/" + std::string(c.back_ranks) + " b - 1");
  }
}

TEST(Handicap, of_another_name_is_unknown) {
  for (const char* name : {"", "hc", "hc3p", "HC2P", "hc2p_game", "floodgate"}) {
    EXPECT_FALSE(shogi::csa::handicap_start(name)) << name;
  }
}

}  // namespace

}  // namespace kakehashi::shogi
