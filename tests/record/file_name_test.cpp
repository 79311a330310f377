#include "shogi/record/file_name.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/utf8.hpp"
#include "config/schema/judge_text.hpp"

namespace kakehashi::shogi::record {
namespace {

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

TEST(FileName, the_configuration_knows_the_same_placeholders) {
  EXPECT_EQ(file_name_placeholders, config::record_placeholders);
}

TEST(FileName, braces_that_are_no_placeholder_are_made_safe) {
  EXPECT_EQ(file_name("{nope}-{", parts), "_nope_-_");
}

}  // namespace
}  // namespace kakehashi::shogi::record
