// Every format: what is written is read back as the same game, as far as the format can say it; and
// no bytes, broken or hostile, do more than give an error that names its place.
#include "shogi/record/format.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/utf8.hpp"
#include "shogi/notation/kif.hpp"
#include "shogi/record/csa.hpp"
#include "shogi/record/generated_game.hpp"
#include "shogi/record/model.hpp"

namespace kakehashi::shogi::record {

namespace {

using testing::HasSubstr;

constexpr std::uint32_t games = 42;  // three of each ending

std::string written(const Record& game, Format format) {
  return write_record(game, format, CommentStyle::automatic);
}

base::Result<std::vector<Record>> read(const std::string& text, Format format) {
  return read_records(text, format, std::chrono::minutes{540});
}

bool has_times(Format format) {
  return format != Format::ki2 && format != Format::ki2u && format != Format::usi;
}

TEST(Formats, each_game_that_is_written_is_read_back) {
  for (const FormatFacts& facts : formats) {
    for (std::uint32_t seed = 0; seed < games; ++seed) {
      const auto version = facts.format == Format::csa ? CsaVersion::v2_2 : CsaVersion::v3_0;
      const Record game = generate_game(seed, version);
      const auto read_back = read(written(game, facts.format), facts.format);
      ASSERT_TRUE(read_back) << facts.word << " " << seed << ": " << read_back.error().what;
      const Record& again = read_back->front();
      EXPECT_EQ(again.start, game.start) << facts.word << " " << seed;
      ASSERT_EQ(again.moves.size(), game.moves.size()) << facts.word << " " << seed;
      for (std::size_t i = 0; i < game.moves.size(); ++i) {
        ASSERT_EQ(again.moves[i].move, game.moves[i].move) << facts.word << " " << seed << " " << i;
        if (has_times(facts.format)) {
          EXPECT_EQ(std::chrono::floor<base::Seconds>(*again.moves[i].consumed),
                    std::chrono::floor<base::Seconds>(*game.moves[i].consumed));
        }
      }
      if (facts.format == Format::usi) {
        continue;
      }
      EXPECT_EQ(again.black_name, game.black_name) << facts.word;
      EXPECT_EQ(again.white_name, game.white_name) << facts.word;
      EXPECT_EQ(again.event, game.event) << facts.word;
      EXPECT_EQ(again.black_clock, game.black_clock) << facts.word << " " << seed;
      EXPECT_EQ(again.max_moves, game.max_moves) << facts.word;
      ASSERT_TRUE(again.ending) << facts.word << " " << seed;
      EXPECT_EQ(again.ending->kind, game.ending->kind) << facts.word << " " << seed;
    }
  }
}

TEST(Formats, evaluations_and_comments_survive_in_every_style_that_has_them) {
  for (const Format format : {Format::csa3, Format::kifu, Format::ki2u, Format::jkf}) {
    for (const CommentStyle style : {CommentStyle::floodgate, CommentStyle::csa3,
                                     CommentStyle::shogihome, CommentStyle::shogigui}) {
      const Record game = generate_game(5, CsaVersion::v3_0);
      const std::string text = write_record(game, format, style);
      const auto read_back = read(text, format);
      ASSERT_TRUE(read_back) << read_back.error().what;
      int seen = 0;
      for (std::size_t i = 0; i < game.moves.size(); ++i) {
        const auto& told = read_back->front().moves[i].evaluation;
        const auto& thought = game.moves[i].evaluation;
        ASSERT_EQ(told.has_value(), thought.has_value()) << facts_of(format).word << " move " << i;
        if (told) {
          ++seen;
          EXPECT_EQ(told->score, thought->score);
          EXPECT_EQ(told->pv, thought->pv) << facts_of(format).word;
        }
        EXPECT_EQ(read_back->front().moves[i].comments, game.moves[i].comments)
            << facts_of(format).word;
      }
      EXPECT_GT(seen, 5);
      // What was read is written as the same text again.
      if (style != CommentStyle::csa3 && format != Format::csa3) {
        EXPECT_EQ(write_record(read_back->front(), format, style).size(), text.size());
      }
    }
  }
}

TEST(Formats, without_a_style_nothing_is_told) {
  const Record game = generate_game(5, CsaVersion::v3_0);
  for (const FormatFacts& facts : formats) {
    if (facts.format != Format::jsonl) {
      const auto text = write_record(game, facts.format, CommentStyle::none);
      EXPECT_THAT(text, testing::Not(HasSubstr("評価値"))) << facts.word;
      EXPECT_THAT(text, testing::Not(HasSubstr("'** "))) << facts.word;
    }
  }
}

TEST(Formats, json_lines_keep_everything) {
  Record game = generate_game(5, CsaVersion::v3_0);
  RecordedMove& move = game.moves.front();
  move.evaluation = Evaluation{};
  move.evaluation->score = 100'000;
  move.evaluation->mate = 7;
  move.evaluation->bound = Bound::lower;
  move.evaluation->depth = 12;
  move.evaluation->seldepth = 20;
  move.evaluation->nodes = 123'456'789'012;
  move.evaluation->nps = 1'000'000;
  move.evaluation->hashfull = 321;
  move.elapsed = base::Millis{1'234};
  move.link_delay = base::Millis{23};
  move.ponder_hit = true;
  game.ending->reason = "#RESIGN";
  const auto read_back = read(written(game, Format::jsonl), Format::jsonl);
  ASSERT_TRUE(read_back) << read_back.error().what;
  const Record& again = read_back->front();
  EXPECT_EQ(again.moves, game.moves);
  EXPECT_EQ(again.ending, game.ending);
  EXPECT_EQ(again.started, game.started);
  EXPECT_EQ(again.ended, game.ended);
  EXPECT_EQ(again.utc_offset, game.utc_offset);
  EXPECT_EQ(again.white_clock, game.white_clock);
  EXPECT_EQ(again.comments, game.comments);
}

TEST(Formats, the_format_is_found_from_the_content) {
  const Record game = generate_game(5, CsaVersion::v3_0);
  for (const FormatFacts& facts : formats) {
    Format expected = facts.format;
    expected = expected == Format::csa3  ? Format::csa
               : expected == Format::kif ? Format::kifu
               : expected == Format::ki2 ? Format::ki2u
                                         : expected;
    EXPECT_EQ(detect_format(written(game, facts.format), ""), expected) << facts.word;
    EXPECT_EQ(detect_format(written(game, facts.format), "odd.txt"), expected) << facts.word;
    EXPECT_EQ(facts_of(facts.format).format, facts.format);
    EXPECT_EQ(format_of_word(facts.word), facts.format);
  }
  EXPECT_EQ(detect_format("", "game.ki2"), Format::ki2);
  EXPECT_EQ(detect_format("hello\n", ""), std::nullopt);
}

TEST(Formats, an_illegal_last_move_is_kept_as_a_comment_of_the_foul) {
  const std::string head = "手合割：平手\n手数----指手---------消費時間--\n";
  const auto foul = read(head + "   1 ７六歩(77) ( 0:01/00:00:01)\n   2 ５五角(22)\n   3 反則負け\n",
                         Format::kifu);
  ASSERT_TRUE(foul) << foul.error().what;
  EXPECT_EQ(foul->front().moves.size(), 1U);
  EXPECT_EQ(foul->front().ending->kind, EndingKind::illegal_move);
  EXPECT_THAT(foul->front().ending->comments,
              testing::ElementsAre("ILLEGAL_MOVE(５五角(22))"));
  const auto none = read(head + "   1 ７六歩(77)\n   2 ５五角(22)\n   3 投了\n", Format::kifu);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().what, HasSubstr("line 4: "));
  EXPECT_THAT(none.error().what, HasSubstr("is not legal"));
}

/// White leaves its king in check, and the server lets it stand.
constexpr const char* let_stand = "PI\n+\n+7776FU\nT1\n-3334FU\nT1\n+8833UM\nT1\n-1314FU\nT2\n";

TEST(Formats, a_move_that_a_lenient_server_let_stand_is_read_from_every_format) {
  const auto game = read(let_stand + std::string("'check? what check?\n+9796FU\nT1\n%TORYO\n"), Format::csa);
  ASSERT_TRUE(game) << game.error().what;
  ASSERT_EQ(game->front().moves.size(), 5U);
  EXPECT_EQ(game->front().moves[3].consumed, base::Millis{2'000});
  EXPECT_THAT(inconsistencies(game->front()), testing::ElementsAre(HasSubstr("move 4: white's move is not legal")));
  for (const FormatFacts& facts : formats) {
    const auto again = read(written(game->front(), facts.format), facts.format);
    ASSERT_TRUE(again) << facts.word << ": " << again.error().what;
    EXPECT_EQ(again->front().moves.size(), 5U) << facts.word;
    const auto& ending = again->front().ending;
    ASSERT_EQ(ending.has_value(), facts.format != Format::usi) << facts.word;
    EXPECT_TRUE(!ending || ending->kind == EndingKind::toryo) << facts.word;
  }
}

TEST(Formats, a_move_that_only_the_rules_forbid_is_the_foul_that_ends_the_game) {
  const auto game = read(let_stand + std::string("'oh\n%ILLEGAL_MOVE\n"), Format::csa);
  ASSERT_TRUE(game) << game.error().what;
  EXPECT_EQ(game->front().moves.size(), 3U);
  EXPECT_EQ(game->front().ending,
            (Ending{EndingKind::illegal_move, base::Millis{2'000}, {"ILLEGAL_MOVE(-1314FU)", "oh"}}));
  EXPECT_FALSE(read(let_stand, Format::csa)) << "nothing says what became of it";
}

TEST(Formats, a_diagram_names_the_move_that_led_to_it) {
  Record start;
  start.start.clear(Square(7, 7));
  start.start.put(Square(7, 6), {Color::black, PieceKind::pawn});
  start.start.set_side_to_move(Color::white);
  std::string head = written(start, Format::kifu);
  head.resize(head.find("手数---"));
  for (const char* number : {"1", "2"}) {
    const std::string text = head + "手数＝1 ▲７六歩(77) まで\n手数----指手---------消費時間--\n   " + number +
                             " ３四歩(33) ( 0:01/00:00:01)\nまで" + number + "手で中断\n";
    const auto game = read(text, Format::kifu);
    ASSERT_TRUE(game) << game.error().what;
    EXPECT_EQ(game->front().start, start.start);
    EXPECT_EQ(game->front().moves.size(), 1U) << text;
  }
}

TEST(Formats, lines_may_end_with_cr_alone) {
  const Record game = generate_game(5, CsaVersion::v3_0);
  for (const FormatFacts& facts : formats) {
    std::string text = written(game, facts.format);
    std::replace(text.begin(), text.end(), '\n', '\r');
    ASSERT_TRUE(detect_format(text, "")) << facts.word;
    const auto again = read(text, facts.format);
    ASSERT_TRUE(again) << facts.word << ": " << again.error().what;
    EXPECT_EQ(again->front().moves.size(), game.moves.size()) << facts.word;
  }
}

TEST(Formats, a_file_without_a_game_is_an_error) {
  for (const FormatFacts& facts : formats) {
    for (const char* text : {"", "\n", "# a remark\n", "#KIF version=2.0 encoding=UTF-8\n手数----指手----\n"}) {
      EXPECT_FALSE(read(text, facts.format)) << facts.word << ": " << text;
    }
  }
}

TEST(Formats, controls_beyond_ascii_do_not_reach_a_record) {
  Record game = generate_game(5, CsaVersion::v3_0);
  game.black_name = "a\xC2\x9B" "2Jb";
  for (const FormatFacts& facts : formats) {
    EXPECT_EQ(written(game, facts.format).find("\xC2\x9B"), std::string::npos) << facts.word;
  }
  EXPECT_THAT(written(game, Format::csa), HasSubstr("N+a 2Jb\n"));
}

TEST(Formats, perpetual_check_is_told_from_other_fouls) {
  Record game = generate_game(5, CsaVersion::v3_0);
  for (const EndingKind kind :
       {EndingKind::illegal_action_by_black, EndingKind::illegal_action_by_white}) {
    game.ending = Ending{kind, {}, {}, "#OUTE_SENNICHITE"};
    for (const Format format :
         {Format::csa, Format::csa3, Format::kifu, Format::ki2u, Format::jkf, Format::jsonl}) {
      const auto again = read(written(game, format), format);
      ASSERT_TRUE(again) << again.error().what;
      EXPECT_EQ(again->front().ending->kind, kind) << facts_of(format).word;
      EXPECT_EQ(again->front().ending->reason, "#OUTE_SENNICHITE") << facts_of(format).word;
      EXPECT_TRUE(again->front().ending->comments.empty()) << facts_of(format).word;
    }
  }
}

TEST(Formats, a_drop_may_name_the_square_00_from_which_it_came) {
  const std::string kif =
      "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n   4 同　銀(31)\n";
  const std::string ki2 = "▲７六歩 △３四歩 ▲２二角成 △同　銀 ";
  for (const char* drop : {"５五角打(00)", "５五角(00)", "５五角打"}) {
    const auto game = read(kif + "   5 " + drop + "   ( 0:01/00:00:03)\n", Format::kifu);
    ASSERT_TRUE(game) << drop << game.error().what;
    EXPECT_EQ(game->front().moves.back().move, Move::drop(PieceKind::bishop, Square(5, 5))) << drop;
    const auto told = read(ki2 + "▲" + drop + "\n", Format::ki2u);
    ASSERT_TRUE(told) << drop << told.error().what;
    EXPECT_EQ(told->front().moves.back().move, Move::drop(PieceKind::bishop, Square(5, 5))) << drop;
  }
  EXPECT_FALSE(read("手合割：平手\n   1 ７六歩成(00)\n", Format::kifu));
}

TEST(Formats, a_move_from_which_variations_branch_off_is_read_with_and_without_a_time) {
  const auto game = read("手合割：平手\n   1 ７六歩(77)+\n   2 ３四歩(33) +\n   3 ２二角成(88)   ( 0:07/00:00:07)+\n"
                         "   4 同　銀(31)+\n   5 ４五角打+\n   6 投了+\n変化：1手\n   1 ２六歩(27)\n",
                         Format::kifu);
  ASSERT_TRUE(game) << game.error().what;
  EXPECT_EQ(game->front().moves.size(), 5U);
  EXPECT_EQ(game->front().moves[2].consumed, base::Millis{7'000});
  EXPECT_EQ(game->front().ending->kind, EndingKind::toryo);
}

TEST(Formats, the_last_words_of_other_programs_are_read) {
  struct Case {
    const char* word;
    EndingKind kind;
    std::vector<std::string> comments;
  };
  const std::vector<Case> cases{{"時間切れ", EndingKind::time_up, {}},   {"宣言勝ち", EndingKind::kachi, {}},
                                {"入玉宣言", EndingKind::kachi, {}},     {"反則手", EndingKind::illegal_move, {}},
                                {"不戦勝", EndingKind::chudan, {"不戦勝"}}, {"不戦敗", EndingKind::chudan, {"不戦敗"}},
                                {"封じ手", EndingKind::chudan, {"封じ手"}}, {"中断", EndingKind::chudan, {}}};
  for (const Case& each : cases) {
    for (const std::string& text :
         {std::string("手合割：平手\n   1 ７六歩(77)\n   2 ") + each.word + "   ( 0:03/00:00:03)\n",
          std::string("手合割：平手\n▲７六歩\nまで1手で") + each.word + "\n"}) {
      const auto game = read(text, text.find('(') == std::string::npos ? Format::ki2u : Format::kifu);
      ASSERT_TRUE(game) << text << game.error().what;
      EXPECT_EQ(game->front().ending->kind, each.kind) << text;
      EXPECT_EQ(game->front().ending->comments, each.comments) << text;
      EXPECT_TRUE(game->front().doubts.empty()) << text;
    }
  }
  const auto told = [](const std::string& sentence) {
    const auto game = read("手合割：平手\n▲７六歩\nまで1手で" + sentence + "\n", Format::ki2u);
    return game ? std::optional(game->front().ending->kind) : std::nullopt;
  };
  EXPECT_EQ(told("後手の宣言勝ち"), EndingKind::kachi);
  EXPECT_EQ(told("後手の入玉勝ち"), EndingKind::kachi);
  EXPECT_EQ(told("後手の不戦敗"), EndingKind::chudan);
  EXPECT_EQ(told("入玉宣言により後手の勝ち"), EndingKind::kachi);
  EXPECT_EQ(told("時間切れにより先手の勝ち"), EndingKind::time_up);
  EXPECT_EQ(told("反則により先手の勝ち"), EndingKind::illegal_move);
  EXPECT_EQ(told("反則により後手の勝ち"), EndingKind::illegal_action_by_black);
}

TEST(Formats, an_unknown_last_word_ends_the_game_as_interrupted_and_leaves_a_doubt) {
  const std::vector<std::pair<Format, std::string>> texts{
      {Format::kifu, "手合割：平手\n   1 ７六歩(77)\n   2 踊り\n"},
      {Format::ki2u, "手合割：平手\n▲７六歩\nまで1手で踊り\n"},
      {Format::csa, "PI\n+\n+7776FU\n%踊り\n"},
      {Format::jkf, R"({"header":{},"moves":[{},{"move":{"to":{"x":7,"y":6},"from":{"x":7,"y":7},"piece":"FU"}},{"special":"踊り"}]})"},
      {Format::jsonl, "{\"type\":\"head\"}\n{\"type\":\"move\",\"ply\":1,\"usi\":\"7g7f\"}\n"
                      "{\"type\":\"end\",\"plies\":1,\"ending\":\"%踊り\"}\n"}};
  for (const auto& [format, text] : texts) {
    const auto game = read(text, format);
    ASSERT_TRUE(game) << facts_of(format).word << game.error().what;
    EXPECT_EQ(game->front().moves.size(), 1U) << facts_of(format).word;
    EXPECT_EQ(game->front().ending->kind, EndingKind::chudan) << facts_of(format).word;
    EXPECT_THAT(game->front().ending->comments, testing::ElementsAre(HasSubstr("踊り"))) << facts_of(format).word;
    EXPECT_THAT(game->front().doubts, testing::ElementsAre(HasSubstr("踊り"))) << facts_of(format).word;
    EXPECT_THAT(inconsistencies(game->front()), testing::Contains(game->front().doubts.front()));
  }
  EXPECT_FALSE(read("手合割：平手\n   1 踊り\n", Format::kifu)) << "a text that only looks like a record";
  EXPECT_FALSE(read("手合割：平手\n   1 ７六歩(77)\n   2 踊り\n   3 ２六歩(27)\n", Format::kifu))
      << "a word in mid-game is no end";
}

TEST(Formats, errors_name_the_line_and_the_reason) {
  const auto error = [](const char* text, Format format) {
    const auto result = read(text, format);
    return result ? std::string("none") : result.error().what.english();
  };
  EXPECT_THAT(error("手合割：平手\n   1 ７六猫(77)\n", Format::kifu),
              HasSubstr("line 2: \"７六猫(77)\" cannot be read: unknown piece"));
  EXPECT_THAT(error("   2 ７六歩(77)\n", Format::kifu),
              HasSubstr("line 1: move 2 stands where move 1 is due"));
  EXPECT_THAT(error("   1 同　歩(77)\n", Format::kifu), HasSubstr("同 repeats a target"));
  EXPECT_THAT(error("後手の持駒：王\n", Format::kifu), HasSubstr("no piece in hand is written"));
  EXPECT_THAT(error("|v香|一\n", Format::kifu), HasSubstr("line 1: "));
  EXPECT_THAT(error("▲７六歩 △５五金\n", Format::ki2u), HasSubstr("no such piece"));
  EXPECT_THAT(error("まで3手で先手の勝ち\n", Format::ki2u),
              HasSubstr("line 1: the end comes after 3 moves, but there are 0"));
  EXPECT_THAT(error("{\"moves\":[{},\n{\"move\"", Format::jkf), HasSubstr("line 2: "));
  EXPECT_THAT(error("{}", Format::jkf), HasSubstr("no list of moves"));
  EXPECT_THAT(error("{\"moves\":[{\"move\":{\"piece\":\"XX\"}}]}", Format::jkf),
              HasSubstr("moves[0]: "));
  EXPECT_THAT(error("position startpos moves 7g7f 7g7f\n", Format::usi),
              HasSubstr("line 1: \"7g7f\" is not legal"));
  EXPECT_THAT(error("{\"type\":\"move\"}\n", Format::jsonl), HasSubstr("line 1: "));
  EXPECT_THAT(error("{\"type\":\"head\"}\n{\"type\":\"cow\"}\n", Format::jsonl),
              HasSubstr("line 2: the type is head, move or end"));
  EXPECT_THAT(error("V2.2\nPI\n+\n\n", Format::kifu), HasSubstr("line 1: "));
  EXPECT_THAT(error("", Format::csa), HasSubstr("line 1: there is no game in it"));
  EXPECT_THAT(read(std::string("V2.2\nPI\n+\n'\0", 12), Format::csa).error().what,
              HasSubstr("line 4: a zero byte"));
  EXPECT_THAT(read("V2.2\n'" + std::string(10'000'000, 'x'), Format::csa).error().what,
              HasSubstr("line 2: it has more than"));
}

TEST(Formats, a_good_file_cut_anywhere_is_read_or_refused) {
  for (const FormatFacts& facts : formats) {
    const std::string text = written(generate_game(8, CsaVersion::v3_0), facts.format);
    for (std::size_t length = 0; length < text.size(); length += 1 + text.size() / 300) {
      const auto result = read(text.substr(0, length), facts.format);
      EXPECT_TRUE(result || !result.error().what.empty());
    }
  }
}

TEST(Formats, damaged_bytes_are_read_or_refused) {
  std::mt19937 random(7);
  for (const FormatFacts& facts : formats) {
    const std::string text = written(generate_game(9, CsaVersion::v3_0), facts.format);
    for (int round = 0; round < 150; ++round) {
      std::string damaged = text;
      for (int hit = 0; hit < 1 + round % 4; ++hit) {
        damaged[random() % damaged.size()] = static_cast<char>(random());
      }
      const auto result = read(damaged, facts.format);
      EXPECT_TRUE(result || !result.error().what.empty());
    }
    for (int round = 0; round < 100; ++round) {
      std::string noise(random() % 2'000, '\0');
      for (char& c : noise) {
        c = static_cast<char>(random());
      }
      const auto format = detect_format(noise, "");
      EXPECT_FALSE(read(noise, format.value_or(facts.format)) && format == Format::jkf);
    }
  }
}

const FileNameParts parts{.date = "20261121",
                          .time = "030405",
                          .game_id = "wdoor+floodgate-300-10F+a+b+20261121030405",
                          .black = "a",
                          .white = "b",
                          .game_name = "floodgate-300-10F",
                          .hex5 = "0A3F7",
                          .ply = ""};

TEST(FileName, placeholders_are_filled_in) {
  EXPECT_EQ(file_name("{date}-{time}_{black}_{white}", parts), "20261121-030405_a_b");
  EXPECT_EQ(file_name("{game_id}", parts), "wdoor+floodgate-300-10F+a+b+20261121030405");
  EXPECT_EQ(file_name("{game_name}", parts), "floodgate-300-10F");
}

TEST(FileName, the_words_of_shogihome_mean_the_same) {
  EXPECT_EQ(file_name("{datetime}{_title}{_sente}{_gote}", parts),
            "20261121_030405_wdoor+floodgate-300-10F+a+b+20261121030405_a_b");
  EXPECT_EQ(file_name("{sente_}{gote_}{hex5}", parts), "a_b_0A3F7");
  EXPECT_EQ(file_name("{_game_id}", parts), "_wdoor+floodgate-300-10F+a+b+20261121030405");
}

TEST(FileName, a_separator_goes_with_its_value) {
  FileNameParts nameless = parts;
  nameless.black.clear();
  nameless.game_name.clear();
  EXPECT_EQ(file_name("x{_sente}{_white}", nameless), "x_b");
  EXPECT_EQ(file_name("{game_name_}{black_}{gote_}x", nameless), "b_x");
}

TEST(FileName, a_template_keeps_what_every_system_takes_in_a_name) {
  EXPECT_EQ(file_name("棋譜 (test) - {sente}, {gote}!", parts), "棋譜 (test) - a, b!");
  EXPECT_EQ(file_name("a<b>c:d\"e/f\\g|h?i*j\tk", parts), "a_b_c_d_e_f_g_h_i_j_k");
  EXPECT_EQ(file_name("  {black}  ", parts), "a");
  EXPECT_EQ(file_name("   ", parts), "game");
}

TEST(FileName, a_hostile_game_id_stays_inside_the_directory) {
  FileNameParts hostile = parts;
  hostile.game_id = "../../etc/passwd";
  EXPECT_EQ(file_name("{game_id}", hostile), "___.__etc_passwd");
  hostile.game_id = std::string("a\0b/c\\d\ne", 9);
  EXPECT_EQ(file_name("{game_id}", hostile), "a_b_c_d_e");
  hostile.game_id = "..";
  EXPECT_EQ(file_name("{game_id}", hostile), "__");
  hostile.game_id = "-rf";
  EXPECT_EQ(file_name("{game_id}", hostile), "_rf");
  hostile.game_id = "a.";
  EXPECT_EQ(file_name("{game_id}.{game_id}", hostile), "a._a_");
}

TEST(FileName, it_is_never_empty_and_never_too_long) {
  FileNameParts odd = parts;
  odd.game_id.clear();
  EXPECT_EQ(file_name("{game_id}", odd), "game");
  for (int i = 0; i < 100; ++i) {
    odd.game_id += "将棋";
  }
  const std::string name = file_name("{game_id}", odd);
  EXPECT_LE(name.size(), 200U);
  EXPECT_EQ(name.size() % 3, 0U) << "cut between characters";
}

TEST(FileName, visible_utf8_stays_and_other_bytes_go) {
  FileNameParts foreign = parts;
  foreign.black = "将棋é😀";
  EXPECT_EQ(file_name("{black}", foreign), "将棋é😀");
  foreign.black = "a\u202Eb\u200Bc\u00A0d\u3000e\uFEFFf\u0085g";
  EXPECT_EQ(file_name("{black}", foreign), "a_b_c_d_e_f_g");
  foreign.black = "a\xCC\xF9z\xC0\xAF\xED\xA0\x80\xF4\x90\x80\x80\xE5\xB0";
  EXPECT_EQ(file_name("{black}", foreign), "a__z___________");
  foreign.black = "\xE0\x80\xAFx\xF0\x80\x80\xAF";  // overlong slashes
  EXPECT_EQ(file_name("{black}", foreign), "___x____");
}

TEST(FileName, any_bytes_make_a_safe_name) {
  std::mt19937 random(7);
  for (int i = 0; i < 5'000; ++i) {
    FileNameParts odd = parts;
    odd.game_id.resize(random() % 300);
    for (char& c : odd.game_id) {
      c = random() % 3 == 0 ? "./-{}\\ \n"[random() % 8] : static_cast<char>(random() % 256);
    }
    const std::string name = file_name(odd.game_id + "{game_id}", odd);
    ASSERT_FALSE(name.empty());
    ASSERT_LE(name.size(), 200U);
    ASSERT_NE(name.front(), '.');
    ASSERT_NE(name.front(), '-');
    ASSERT_NE(name.front(), ' ');
    ASSERT_NE(name.back(), ' ');
    ASSERT_EQ(name.find(".."), std::string::npos);
    ASSERT_EQ((name + ".csa").find(".."), std::string::npos);
    for (std::size_t at = 0; at < name.size();) {
      const auto character = base::utf8_at(name, at);
      ASSERT_TRUE(character);
      ASSERT_TRUE(base::is_visible(character->code) || character->code == ' ');
      ASSERT_EQ(std::string_view("/\\{}'\"*?$").find(name[at]), std::string_view::npos);
      at += character->length_bytes;
    }
  }
}

TEST(FileName, the_number_of_moves_is_there_when_it_is_known) {
  FileNameParts ended = parts;
  ended.ply = "75";
  EXPECT_EQ(file_name("{black}{_ply}", parts), "a");
  EXPECT_EQ(file_name("{black}{_ply}", ended), "a_75");
}

TEST(FileName, braces_that_are_no_placeholder_are_made_safe) {
  EXPECT_EQ(file_name("{nope}-{", parts), "_nope_-_");
}

}  // namespace

}  // namespace kakehashi::shogi::record
