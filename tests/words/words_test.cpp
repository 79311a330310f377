// What people read, in both languages: no sentence of the sources lacks its twin, and each becomes the Japanese one.
// KAKEHASHI_REFRESH=1 bridge_test --gtest_filter='Words.*' drops from no_sentences.txt what no source needs any more.
#include "words/words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace kakehashi::words {
namespace {

namespace fs = std::filesystem;

// --- The sources, and what they say.

/// Files and folders whose sentences stay English, and why.
const std::map<std::string, std::string> english{
    {"games/site.cpp", "pages in both languages"},
    {"journal/journal.cpp", "for those who look for a fault of the program"},
    {"journal/journal_text.cpp", "a journal as it is written, and the language of golden scripts"},
    {"watch/http_answer.cpp", "answers to programs"},
    {"watch/metrics.cpp", "read by Prometheus"},
    {"rehearse/server", "what a server says"},
    {"usi/command.cpp", "what an engine is told"},
};

bool stays_english(std::string path) {
  while (!english.contains(path) && path.find('/') != std::string::npos) {
    path.resize(path.rfind('/'));
  }
  return english.contains(path);
}

/// The string literals of a source, those that stand side by side as one; escapes as they are written.
std::vector<std::string> literals_of(const std::string& source) {
  std::vector<std::string> literals;
  bool goes_on = false;  // the last token was a literal, too
  for (std::size_t i = 0; i < source.size(); ++i) {
    const auto rest = std::string_view(source).substr(i);
    if (rest.starts_with("//") || (rest.starts_with("#") && (i == 0 || source[i - 1] == '\n'))) {
      i = std::min(source.find('\n', i), source.size());
    } else if (rest.starts_with("/*")) {
      i = source.find("*/", i) + 1;
    } else if (rest.starts_with("say(\"") || rest.starts_with("say_as(\"")) {
      i = source.find('"', i);  // in po/ja.po, as scripts/words.sh checks
      do {
        while (source[++i] != '"') {
          i += source[i] == '\\' ? 1U : 0U;
        }
        i = std::min(source.find_first_not_of(" \n", i + 1), source.size() - 1);
      } while (source[i] == '"');
      --i;
      goes_on = false;
    } else if (rest.starts_with("KAKEHASHI_CHECK(")) {
      i = source.find(");", i);  // what the program promises to itself
    } else if (rest.starts_with("R\"")) {
      const std::string end = ")" + source.substr(i + 2, source.find('(', i) - i - 2) + "\"";
      i = source.find(end, i) + end.size() - 1;
      goes_on = false;
    } else if (source[i] == '"' || (source[i] == '\'' && (i == 0 || std::isalnum(static_cast<unsigned char>(source[i - 1])) == 0))) {
      const char quote = source[i];
      std::string text;
      for (++i; source[i] != quote; ++i) {
        text += source[i];
        if (source[i] == '\\') {
          text += source[++i];
        }
      }
      if (quote == '"' && goes_on) {
        literals.back() += text;
      } else if (quote == '"') {
        literals.push_back(text);
      }
      goes_on = quote == '"';
    } else if (std::isspace(static_cast<unsigned char>(source[i])) == 0) {
      goes_on = false;
    }
  }
  return literals;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

/// What people read of a literal: its lines and columns, without what joins them to their neighbours.
std::vector<std::string> texts_of(std::string literal) {
  replace_all(literal, "\\n", "  ");
  replace_all(literal, "\\\"", "\"");
  const std::string joints = " ;:,.()";
  std::vector<std::string> texts;
  while (!literal.empty()) {
    const auto end = std::min(literal.find("  "), literal.size());
    std::string text = literal.substr(0, end);
    literal.erase(0, end + 2);
    text.erase(0, std::min(text.find_first_not_of(joints), text.size()));
    text.erase(text.find_last_not_of(joints) + 1);
    texts.push_back(text);
  }
  return texts;
}

bool is_japanese(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0xe3; });
}

bool is_word(std::string_view word) {
  return !word.empty() && std::all_of(word.begin() + 1, word.end(), [](unsigned char c) { return std::islower(c) != 0; }) &&
         std::isalpha(static_cast<unsigned char>(word.front())) != 0;
}

/// Two words side by side, or with a part between them: what peers and files are told has other signs, or fewer words.
bool is_sentence(const std::string& text) {
  std::size_t from = 0;
  bool before = false;
  while (from <= text.size()) {
    const auto end = std::min(text.find(' ', from), text.size());
    std::string word = text.substr(from, end - from);
    replace_all(word, "{}", "");
    const bool is = is_word(word);
    if (is && before) {
      return true;
    }
    before = is || (before && word.empty());
    from = end + 1;
  }
  return false;
}

/// With one spelling for all parts: in the catalogue {n}, {k} and {q}, in a source {:02}, and {}.{} for a number.
std::string with_plain_parts(std::string text) {
  for (std::size_t at = text.find('{'); at != std::string::npos; at = text.find('{', at + 1)) {
    const auto end = text.find('}', at);
    if (end != std::string::npos && (text[at + 1] == ':' || end == at + 2)) {
      text.erase(at + 1, end - at - 1);
    }
  }
  replace_all(text, "{}.{}", "{}");
  return text;
}

/// Whether it is the whole of the pattern, where its parts may stand for anything in the pattern, and for nothing.
bool fits(std::string_view text, std::string_view pattern) {
  const auto part = text.find("{}");
  if (part == std::string_view::npos) {
    return text == pattern;
  }
  if (!pattern.starts_with(text.substr(0, part))) {
    return false;
  }
  for (pattern.remove_prefix(part), text.remove_prefix(part + 2);; pattern.remove_prefix(1)) {
    if (fits(text, pattern)) {
      return true;
    }
    if (pattern.empty()) {
      return false;
    }
  }
}

class Twins {
 public:
  Twins() {
    for (const auto pairs : {catalogue(), labels()}) {
      for (const Pair& pair : pairs) {
        (all_ += "\x01") += pair.english;
        patterns_.push_back(texts_of(with_plain_parts(std::string(pair.english))).front());
      }
    }
  }
  /// Whether the catalogue has it, whole or in the parts that "; " and the like join. A text with {} is a whole sentence
  /// up to a "; ", one without may be a piece of one.
  bool have(const std::string& text) const {
    const std::string said = in_japanese(text);
    const bool has_parts = text.find("{}") != std::string::npos;
    if (!is_sentence(text) || (is_japanese(said) && !is_sentence(said)) ||
        (has_parts ? std::any_of(patterns_.begin(), patterns_.end(), [&](const auto& pattern) { return fits(text, pattern); })
                   : all_.find(text) != std::string::npos)) {
      return true;
    }
    for (const char* joint : {"; ", ": ", ", "}) {
      if (const auto at = text.find(joint); at != std::string::npos && (!has_parts || joint == std::string_view("; "))) {
        const std::string behind = text.substr(at + std::string_view(joint).size());
        return have(text.substr(0, at)) && have(behind);
      }
    }
    return false;
  }

 private:
  std::string all_;
  std::vector<std::string> patterns_;
};

const fs::path no_sentences_path = fs::path(KAKEHASHI_TESTS_DIR) / "words" / "no_sentences.txt";

std::set<std::string> no_sentences() {
  std::set<std::string> lines;
  std::ifstream file(no_sentences_path);
  for (std::string line; std::getline(file, line);) {
    lines.insert(line);
  }
  return lines;
}

/// What has no Japanese, and the file in which it stands.
std::map<std::string, std::string> without_twins() {
  std::map<std::string, std::string> found;
  const Twins twins;
  const fs::path top(KAKEHASHI_SOURCE_DIR);
  for (const char* folder : {"base", "bridge", "cli", "config", "csa", "daemon", "games", "journal", "rehearse", "usi", "watch"}) {
    for (const auto& entry : fs::recursive_directory_iterator(top / folder)) {
      const auto path = entry.path().lexically_relative(top).generic_string();
      if ((entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") || stays_english(path)) {
        continue;
      }
      const auto literals = literals_of(text_of(entry.path()));
      for (std::size_t i = 0; i < literals.size(); ++i) {
        // The meaning of a setting has its twin beside it.
        if (i + 1 < literals.size() && is_japanese(literals[i + 1])) {
          continue;
        }
        for (const std::string& text : texts_of(with_plain_parts(literals[i]))) {
          if (!is_japanese(text) && !twins.have(text)) {
            found.emplace(text, path);
          }
        }
      }
    }
  }
  return found;
}

TEST(Words, no_sentence_of_the_sources_lacks_its_twin) {
  const auto others = no_sentences();
  ASSERT_FALSE(others.empty());
  for (const auto& [text, path] : without_twins()) {
    EXPECT_TRUE(others.contains(text))
        << path << ": \"" << text << "\" has no Japanese: add it to words/catalogue.cpp, or as a line to "
        << "tests/words/no_sentences.txt if nobody reads it";
  }
}

TEST(Words, no_line_is_kept_that_no_source_needs) {
  const auto found = without_twins();
  std::string kept;
  bool is_stale = false;
  for (const std::string& line : no_sentences()) {
    const bool is_needed = found.contains(line);
    is_stale = is_stale || !is_needed;
    kept += is_needed ? line + "\n" : "";
    EXPECT_TRUE(is_needed || std::getenv("KAKEHASHI_REFRESH") != nullptr)
        << "tests/words/no_sentences.txt: \"" << line << "\" stands in no source, or has its Japanese: "
        << "KAKEHASHI_REFRESH=1 build/dev/tests/bridge_test --gtest_filter='Words.*' drops it";
  }
  if (is_stale && std::getenv("KAKEHASHI_REFRESH") != nullptr) {
    std::ofstream(no_sentences_path) << kept;
  }
}

TEST(Words, no_sentence_is_there_twice) {
  std::set<std::string_view> seen;
  for (const Pair& pair : catalogue()) {
    EXPECT_TRUE(seen.insert(pair.english).second) << pair.english;
  }
}

/// The sentence with something in each of its parts.
std::string filled(std::string_view pattern) {
  std::string text(pattern);
  replace_all(text, "{n}", "3");
  replace_all(text, "{k}", "\"x y\"");
  replace_all(text, "{q}", "\"x y\"");
  replace_all(text, "{}", "\"x y\"");
  return text;
}

TEST(Words, each_sentence_is_understood_as_itself) {
  for (const Pair& pair : catalogue()) {
    std::string expected(pair.japanese);
    if (parts_of(pair.english) == 0) {
      EXPECT_EQ(in_japanese(pair.english), expected);
      continue;
    }
    std::vector<std::string> parts;
    for (std::size_t at = find_part(pair.english, 0); at != std::string_view::npos; at = find_part(pair.english, at + 1)) {
      parts.emplace_back(pair.english[at + 1] == 'n' ? "3" : "\"x y\"");
    }
    std::size_t next = 0;
    for (std::size_t at = find_part(expected, 0); at != std::string::npos; at = find_part(expected, at)) {
      const auto name = static_cast<unsigned char>(expected[at + 1]);
      const std::string& part = parts[std::isdigit(name) != 0 ? static_cast<std::size_t>(name - '0') : next++];
      expected.replace(at, expected.find('}', at) + 1 - at, part);
      at += part.size();
    }
    EXPECT_EQ(in_japanese(filled(pair.english)), expected) << pair.english;
  }
}

// --- How sentences are put in Japanese.

TEST(Words, a_sentence_keeps_what_peers_said) {
  EXPECT_EQ(in_japanese("paired with \"the engine; a game\", playing black, game \"one game\""),
            "対局が組まれました: 相手 \"the engine; a game\"、先手、対局 \"one game\"");
  EXPECT_EQ(in_japanese("\"the engine\""), "\"the engine\"");
}

TEST(Words, its_parts_are_put_in_japanese_too) {
  EXPECT_EQ(in_japanese("won (#RESIGN) against \"foe\" after 75 moves"), "\"foe\" との対局: 75 手で勝ち(#RESIGN)");
  EXPECT_EQ(in_japanese("engine second ended: signal 6 (Aborted); restarting in 1 s"),
            "エンジン secondが終了しました(シグナル 6(Aborted))。1 秒後に再起動します");
  EXPECT_EQ(in_japanese("engine second: it never goes beyond btime"), "エンジン second: btime を超えて考えません");
  EXPECT_EQ(in_japanese("engine ended: signal 9 (Killed); restarting in 1.5 s, attempt 2 of 5"),
            "エンジンが終了しました(シグナル 9(Killed))。1.5 秒後に再起動します(2/5 回目)");
}

TEST(Words, what_a_supervisor_is_told_is_put_in_japanese_too) {
  EXPECT_EQ(in_japanese("playing \"opponent\" as white, move 37, +123 at depth 18"),
            "対局中: 相手 \"opponent\"、後手、37 手目、評価値 +123(深さ 18)");
  EXPECT_EQ(in_japanese("waiting for a game since 14:03, 2 games finished"), "対局待ち(14:03 から)、終えた対局 2 局");
}

TEST(Words, a_file_may_stand_before_a_sentence_with_a_stop) {
  EXPECT_EQ(in_japanese("mybot.yaml:3:5: name: must not be empty; without the key the account's name is used"),
            "mybot.yaml:3:5: name: 空にはできません。キーを消せばアカウントの名前になります");
}

TEST(Words, what_stands_before_a_colon_is_no_part_of_what_stands_behind_it) {
  EXPECT_EQ(in_japanese("no connection to 127.0.0.1:4081: process 7 of this machine plays there as \"a\" already, and two "
                        "would put each other out for ever; next attempt in 2 s"),
            "127.0.0.1:4081 に接続できません: このマシンのプロセス 7が \"a\" としてすでに対局しています。"
            "2 つがログインすると、互いに締め出し続けます。2 秒後に再試行します");
}

TEST(Words, a_game_without_end_is_said_in_one_piece) {
  EXPECT_EQ(in_japanese("floodgate-300-10F, until stopped, with evaluation comments"),
            "floodgate-300-10F、止めるまで、評価値のコメントあり");
  EXPECT_EQ(in_japanese("the server's default game, until stopped, without evaluation comments"),
            in_japanese("the server's default game") + "、止めるまで、評価値のコメントなし");
  EXPECT_EQ(in_japanese("test-60-0, 12 games, with evaluation comments"), "test-60-0、12 局、評価値のコメントあり");
}

TEST(Words, bots_that_stand_side_by_side_are_said_each_by_itself) {
  const std::string one = in_japanese("alice: playing, move 7");
  EXPECT_EQ(in_japanese("alice: playing, move 7 | alice: playing, move 7"), one + " | " + one);
  EXPECT_EQ(line_in_japanese("▲ black  bob").find("black"), std::string::npos);
}

TEST(Words, nothing_english_is_left_of_what_check_and_games_say) {
  for (const char* text :
       {"127.0.0.1, port 4081, TLS trusting the pinned certificate, WebSocket at /, through the SOCKS5 proxy 127.0.0.1:1080 as \"me\"",
        "127.0.0.1, port 4081, through the HTTP proxy 127.0.0.1:8080", "line 5, applies (opponent Suisho*, time_of_day 20:00-22:00): sets ponder: on, time.margin: 1s",
        "option \"A b\" has a space in its name [USI draft 1, 5.3 option name: no white]",
        "the engine shows no principal variation, so games have no evaluation comments [UCI, bestmove: a final info]",
        "must be auto, separate, included or byoyomi, not \"x\"",
        "is no setting; in engine there are command, host; options of the engine's own stand below engine.options",
        "engine 0 of 6, 2 0 of 6, 3 1 of 6", "pondering 3 hits of 6, gained 0 ms",
        "it does not show how it reads increments; it is sent the increment as byoyomi, and no binc"}) {
    const std::string said = in_japanese(text);
    for (const char* word : {" proxy", "through", "applies", " sets", " of ", "hits", "gained", " or ", "there are", "has a", "the engine", "binc なし を", "sent"}) {
      EXPECT_EQ(said.find(word), std::string::npos) << said;
    }
  }
}

TEST(Words, what_nobody_knows_stays_as_it_is) {
  for (const char* text : {"", "x", "3", "a word of nobody: here; and there", "(", "\"", "a \"quote that never ends"}) {
    EXPECT_EQ(in_japanese(text), text);
  }
  EXPECT_EQ(in_japanese(std::string(100'000, ';')).size(), 100'000U);
  std::string nested;
  for (int i = 0; i < 300; ++i) {
    nested += "a of b by c to d: e; (";
  }
  EXPECT_FALSE(in_japanese(nested).empty());  // and soon
}

TEST(Words, the_columns_of_a_line_stay_where_they_were) {
  EXPECT_EQ(line_in_japanese("engine    starting now"), "エンジン  starting now");
  EXPECT_EQ(line_in_japanese("  engine  x"), "  エンジン x");
  EXPECT_EQ(line_in_japanese("x    engine  "), "x    エンジン");
}

TEST(Words, the_locale_says_the_language) {
  EXPECT_EQ(language_of_locale(nullptr, nullptr, nullptr), Language::english);
  EXPECT_EQ(language_of_locale(nullptr, nullptr, "ja_JP.UTF-8"), Language::japanese);
  EXPECT_EQ(language_of_locale(nullptr, "ja", "en_US.UTF-8"), Language::japanese);
  EXPECT_EQ(language_of_locale("C.UTF-8", "ja_JP.UTF-8", "ja_JP.UTF-8"), Language::english);
  EXPECT_EQ(language_of_locale("", "", "ja.UTF-8"), Language::japanese);
  EXPECT_EQ(language_of_locale(nullptr, nullptr, "jam"), Language::english);
}

}  // namespace
}  // namespace kakehashi::words
