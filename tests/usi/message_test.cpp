#include "usi/message.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace kakehashi::usi {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

template <class T>
T read(std::string_view line) {
  EngineMessage message = parse_line(line);
  EXPECT_TRUE(std::holds_alternative<T>(message)) << line;
  return std::holds_alternative<T>(message) ? std::get<T>(std::move(message)) : T{};
}

Info info(std::string_view line) { return read<InfoLine>(line).info; }

TEST(Message, white_space_between_words_is_free) {
  EXPECT_EQ(read<BestMove>(" \tbestmove \t 7g7f  ponder   3c3d \r").move, "7g7f");
  EXPECT_EQ(read<BestMove>("bestmove 7g7f  ponder   3c3d\r").ponder, "3c3d");
}

TEST(Message, a_bestmove_may_be_a_word_or_nothing) {
  EXPECT_EQ(read<BestMove>("bestmove resign").move, "resign");
  EXPECT_EQ(read<BestMove>("bestmove win").move, "win");
  EXPECT_EQ(read<BestMove>("bestmove (none)").move, "(none)");
  EXPECT_EQ(read<BestMove>("bestmove").move, "");
  EXPECT_EQ(read<BestMove>("bestmove 7g7f ponder").ponder, "");
}

TEST(Message, names_keep_their_inner_spaces) {
  EXPECT_EQ(read<IdName>("id name Fairy-Stockfish 11.1  LB 64").name, "Fairy-Stockfish 11.1  LB 64");
  EXPECT_EQ(read<IdAuthor>("id author a, b").author, "a, b");
}

TEST(Message, banners_and_blank_lines_are_other) {
  EXPECT_EQ(read<Other>("").text, "");
  EXPECT_EQ(read<Other>("No such option: USI_Hash").text, "No such option: USI_Hash");
  EXPECT_EQ(read<Other>("id").text, "id");
}

TEST(Message, an_option_that_cannot_be_used_says_why) {
  EXPECT_EQ(read<Malformed>("option name X type nonsense").why, "unknown option type \"nonsense\"");
  EXPECT_EQ(read<Malformed>("option").why, "an option begins with the word name");
}

TEST(Message, the_rest_of_the_protocol_is_known) {
  static_cast<void>(read<UsiOk>("usiok"));
  static_cast<void>(read<ReadyOk>("readyok"));
  static_cast<void>(read<Checkmate>("checkmate nomate"));
  static_cast<void>(read<Checkmate>("checkmate  G*8f 9f9g"));
  EXPECT_EQ(read<IdVersion>("id version 1.0.0").version, "1.0.0");
  EXPECT_EQ(read<CopyProtection>("copyprotection error").state, "error");
  EXPECT_EQ(read<Registration>("registration checking").state, "checking");
}

TEST(Info, a_line_of_the_standard_is_read_whole) {
  const Info read = info(
      "info depth 8 seldepth 10 multipv 1 score cp -52 nodes 12345 nps 678 hashfull 12 time 1500 "
      "currmove 7g7f pv 7g7f 3c3d 2g2f");
  EXPECT_EQ(read.depth, 8);
  EXPECT_EQ(read.seldepth, 10);
  EXPECT_EQ(read.multipv, 1);
  EXPECT_EQ(read.score, (Score{.value = -52}));
  EXPECT_EQ(read.nodes, 12345);
  EXPECT_EQ(read.nps, 678);
  EXPECT_EQ(read.hashfull, 12);
  EXPECT_THAT(read.skipped, IsEmpty());
  EXPECT_THAT(read.pv, ElementsAre("7g7f", "3c3d", "2g2f"));
}

TEST(Info, the_word_multipv_is_not_taken_for_pv) {
  const Info read = info("info multipv 2 depth 3");
  EXPECT_EQ(read.multipv, 2);
  EXPECT_THAT(read.pv, IsEmpty());
}

TEST(Info, mates_come_with_a_number_or_a_sign) {
  EXPECT_EQ(info("info score mate 5").score, (Score{.is_mate = true, .value = 5}));
  EXPECT_EQ(info("info score mate -8").score,
            (Score{.is_mate = true, .value = -8, .mate_is_lost = true}));
  EXPECT_EQ(info("info score mate +").score, (Score{.is_mate = true}));
  EXPECT_EQ(info("info score mate -").score, (Score{.is_mate = true, .mate_is_lost = true}));
}

TEST(Info, bounds_are_told_apart_from_exact_scores) {
  EXPECT_EQ(info("info score cp 30 lowerbound pv 7g7f").score->bound, Score::Bound::lower);
  EXPECT_EQ(info("info score mate 3 upperbound").score->bound, Score::Bound::upper);
  EXPECT_EQ(info("info score cp 30").score->bound, Score::Bound::exact);
}

TEST(Info, a_string_runs_to_the_end_of_the_line) {
  const Info read = info("info depth 3 string score cp 99  pv 7g7f");
  EXPECT_EQ(read.string, "score cp 99  pv 7g7f");
  EXPECT_EQ(read.score, std::nullopt);
  EXPECT_EQ(info("info string").string, "");
}

TEST(Info, unknown_words_and_numbers_out_of_range_are_skipped) {
  const Info read = info("info flavour sweet nodes 99999999999999999999999 depth 4 score what 3");
  EXPECT_EQ(read.nodes, std::nullopt);
  EXPECT_EQ(read.depth, 4);
  EXPECT_EQ(read.score, std::nullopt);
}

TEST(Option, the_types_of_the_standard_are_read) {
  const Option spin = *parse_option("name USI_Hash type spin default 16 min 1 max 1024");
  EXPECT_EQ(spin, (Option{"USI_Hash", OptionType::spin, "16", 1, 1024, {}}));
  const Option check = *parse_option("name USI_Ponder type check default false");
  EXPECT_EQ(check.default_value, "false");
  EXPECT_EQ(parse_option("name Clear Hash type button")->type, OptionType::button);
  EXPECT_EQ(parse_option("name Book File type filename default public.bin")->default_value,
            "public.bin");
}

TEST(Option, names_and_choices_may_hold_spaces) {
  const Option combo =
      *parse_option("name Style Of Play type combo default Very Calm var Very Calm var Wild");
  EXPECT_EQ(combo.name, "Style Of Play");
  EXPECT_EQ(combo.default_value, "Very Calm");
  EXPECT_THAT(combo.choices, ElementsAre("Very Calm", "Wild"));
}

TEST(Option, an_empty_default_is_written_in_two_ways) {
  EXPECT_EQ(parse_option("name Log type string default <empty>")->default_value, "");
  EXPECT_EQ(parse_option("name Log type string default ")->default_value, "");
}

TEST(Option, a_text_default_may_hold_any_word) {
  EXPECT_EQ(parse_option("name Note type string default min 3 max 5 var x")->default_value,
            "min 3 max 5 var x");
}

TEST(Option, what_is_no_option_is_an_error) {
  for (const char* bad : {"", "name", "name X", "name X type", "name type spin", "X type spin",
                          "name X type slider"}) {
    EXPECT_FALSE(parse_option(bad)) << bad;
  }
}

class Setting : public ::testing::Test {
 protected:
  const std::vector<Option> declared{
      {"Threads", OptionType::spin, "1", 1, 512, {}},
      {"Style", OptionType::combo, "calm", {}, {}, {"calm", "wild"}},
      {"Book", OptionType::check, "true", {}, {}, {}},
      {"Clear Hash", OptionType::button, "", {}, {}, {}},
      {"EvalDir", OptionType::string, "eval", {}, {}, {}},
  };
  std::string problem(const std::string& name, std::optional<std::string> value) {
    const auto wrong = check_setting(declared, {name, std::move(value)});
    return wrong ? wrong->english() : "fine";
  }
};

TEST_F(Setting, one_that_fits_is_fine) {
  EXPECT_EQ(problem("Threads", "8"), "fine");
  EXPECT_EQ(problem("Style", "wild"), "fine");
  EXPECT_EQ(problem("Book", "false"), "fine");
  EXPECT_EQ(problem("Clear Hash", std::nullopt), "fine");
  EXPECT_EQ(problem("EvalDir", "anything at all"), "fine");
}

TEST_F(Setting, the_two_options_of_the_standard_need_no_declaration) {
  EXPECT_EQ(problem("USI_Hash", "1024"), "fine");
  EXPECT_EQ(problem("USI_Ponder", "true"), "fine");
}

TEST_F(Setting, the_two_options_of_the_standard_keep_their_types_when_undeclared) {
  EXPECT_EQ(problem("USI_Hash", "much"), "option \"USI_Hash\" takes a whole number, not \"much\"");
  EXPECT_EQ(problem("USI_Hash", "0"), "option \"USI_Hash\" takes 1 or more, not \"0\"");
  EXPECT_EQ(problem("USI_Ponder", "1"), "option \"USI_Ponder\" takes true or false, not \"1\"");
}

TEST_F(Setting, a_spin_without_limits_takes_any_whole_number) {
  const std::vector<Option> free{{"Contempt", OptionType::spin, "0", {}, {}, {}}};
  EXPECT_EQ(check_setting(free, {"Contempt", "-99999"}), std::nullopt);
  EXPECT_NE(check_setting(free, {"Contempt", "0.5"}), std::nullopt);
}

TEST_F(Setting, choices_are_compared_as_declared_and_names_in_any_case) {
  EXPECT_THAT(problem("Style", "Wild"), HasSubstr("did you mean \"wild\"?"));
  EXPECT_EQ(problem("threads", "8"), "fine");
}

TEST_F(Setting, nothing_smuggles_a_second_command_in) {
  EXPECT_THAT(problem("EvalDir", "eval\nquit"), HasSubstr("line break"));
  EXPECT_THAT(problem("EvalDir\ngo", "eval"), HasSubstr("line break"));
  EXPECT_THAT(problem("EvalDir", std::string("a\0b", 3)), HasSubstr("line break"));
}

TEST_F(Setting, a_misspelt_name_gets_the_nearest_one) {
  EXPECT_THAT(problem("Thread", "8"), HasSubstr("did you mean \"Threads\"?"));
}

TEST_F(Setting, a_value_that_does_not_fit_is_told_with_the_rule) {
  EXPECT_EQ(problem("Threads", "0"), "option \"Threads\" takes 1 to 512, not \"0\"");
  EXPECT_EQ(problem("Threads", "many"), "option \"Threads\" takes a whole number, not \"many\"");
  EXPECT_EQ(problem("Book", "yes"), "option \"Book\" takes true or false, not \"yes\"");
  EXPECT_EQ(problem("Threads", "99999999999999999999"),
            "option \"Threads\" takes a whole number, not \"99999999999999999999\"");
  EXPECT_THAT(problem("Style", "wile"), HasSubstr("did you mean \"wild\"?"));
  EXPECT_THAT(problem("Clear Hash", "1"), HasSubstr("button"));
  EXPECT_THAT(problem("Threads", std::nullopt), HasSubstr("needs a value"));
}

TEST(Message, any_bytes_give_some_message) {
  std::mt19937 random(4);
  const std::vector<std::string> parts{"info", "score", "cp", "mate", "-", "pv", "option", "name",
                                       "type", "spin", "default", "var", "min", "bestmove",
                                       "string", "7g7f", "99999999999999999999", "\xFF", "\t", ""};
  int known = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string line;
    for (std::size_t k = random() % 8; k > 0; --k) {
      line += parts[random() % parts.size()] + (random() % 2 == 0 ? " " : "");
    }
    known += std::holds_alternative<Other>(parse_line(line)) ? 0 : 1;
  }
  EXPECT_GT(known, 100);
}

TEST(Message, unknown_words_in_front_of_a_command_are_skipped) {
  static_cast<void>(read<ReadyOk>("joho readyok"));
  static_cast<void>(read<ReadyOk>("loading network ... done  readyok"));
  EXPECT_EQ(read<IdName>("\xEF\xBB\xBF id name A B").name, "A B");
  EXPECT_EQ(read<InfoLine>("> info depth 3").info.depth, 3);
}

TEST(Message, a_sentence_about_a_command_is_none) {
  for (const char* line :
       {"the bestmove was found by search", "no option is set", "sent: bestmove 7g7f", "more info below",
        "the bestmove is", "waiting for readyok now", "bestmoves 7g7f"}) {
    EXPECT_EQ(read<Other>(line).text, line);
  }
}

TEST(Message, white_space_and_line_ends_are_no_text) {
  EXPECT_EQ(read<BestMove>("  bestmove\t 7g7f \r").move, "7g7f");
  EXPECT_EQ(read<InfoLine>("info string two  words \t\r").info.string, "two  words");
  EXPECT_EQ(read<Other>("  hello \r").text, "hello");
}

TEST(Message, what_nobody_asks_for_in_an_info_line_is_known_all_the_same) {
  for (const char* line : {"info currmove 2g2f currmovenumber 1 cpuload 998 tbhits 4 wdl 600 100 300 nodes 7",
                           "info refutation 8h2b+ 1c2b nodes 7", "info currline 2 7g7f 3c3d nodes 7",
                           "info peg 7g7f nodes 7", "info time 1500 nodes 7"}) {
    const Info info = read<InfoLine>(line).info;
    EXPECT_THAT(info.skipped, IsEmpty()) << line;
    EXPECT_EQ(info.nodes, 7) << line;
  }
  EXPECT_EQ(read<InfoLine>("info depth 3 joho 5 nodes 7").info.skipped,
            (std::vector<std::string>{"joho", "5"}));
  EXPECT_EQ(read<InfoLine>("info depth 3 joho 5 nodes 7").info.nodes, 7);
}

TEST(Message, the_scores_of_the_sister_protocols_are_read) {
  const Info percent = read<InfoLine>("info score wp 73.8 eq -100.25 currmove 8a.SEXTARII").info;
  EXPECT_THAT(percent.skipped, IsEmpty());
  EXPECT_FALSE(percent.score);
  EXPECT_EQ(read<InfoLine>("info score solved win 19 pv a1").info.score,
            (Score{.is_mate = true, .value = 19}));
  EXPECT_EQ(read<InfoLine>("info score loss 4").info.score,
            (Score{.is_mate = true, .value = -4, .mate_is_lost = true}));
  EXPECT_EQ(read<InfoLine>("info score solved draw 7").info.score, Score{});
  EXPECT_EQ(read<InfoLine>("info score lowerbound cp 30").info.score,
            (Score{.value = 30, .bound = Score::Bound::lower}));
  EXPECT_EQ(read<InfoLine>("info error bad  tps").info.error, "bad  tps");
  const Info lines = read<InfoLine>("info depth 2 multipv 1 a1 b1 multipv 2 c1 d1").info;
  EXPECT_EQ(lines.multipv, 1);
  EXPECT_EQ(lines.pv, (std::vector<std::string>{"a1", "b1"}));
  EXPECT_THAT(lines.skipped, IsEmpty());
}

}  // namespace
}  // namespace kakehashi::usi
