// The house rules that a program can check: who may include what, what the pure core must not
// touch, files nobody uses, codes nobody documented, words that promise later work.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/places.hpp"

namespace kakehashi::tidy {
namespace {

namespace fs = std::filesystem;

struct SourceFile {
  std::string path;  ///< from the top of the project
  std::string text;
  std::vector<std::string> lines;
};

const fs::path& top() {
  static const fs::path path = test::source_dir();
  return path;
}

const std::vector<std::string> code_folders{"base",  "shogi",   "csa",   "usi",   "keeper", "config",   "words", "bridge",
                                            "journal", "games", "watch", "holder", "daemon", "rehearse", "cli", "tests", "bench"};

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

const std::vector<SourceFile>& sources() {
  static const std::vector<SourceFile> files = [] {
    std::vector<SourceFile> found;
    for (const std::string& folder : code_folders) {
      if (!fs::exists(top() / folder)) {
        continue;
      }
      for (fs::recursive_directory_iterator it(top() / folder), end; it != end; ++it) {
        if (it->path().filename() == "node_modules") {
          it.disable_recursion_pending();
          continue;
        }
        const std::string extension = it->path().extension().string();
        if (!it->is_regular_file() || (extension != ".cpp" && extension != ".hpp")) {
          continue;
        }
        SourceFile file{fs::relative(it->path(), top()).generic_string(), read(it->path()), {}};
        std::istringstream in(file.text);
        for (std::string line; std::getline(in, line);) {
          file.lines.push_back(line);
        }
        found.push_back(std::move(file));
      }
    }
    return found;
  }();
  return files;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool is_shell(const std::string& path) {
  return contains(path, "/io/") || path.starts_with("daemon/") || path.starts_with("holder/") || path.starts_with("cli/") || path == "keeper/main.cpp";
}

bool is_test(const std::string& path) {
  return path.starts_with("tests/") || path.starts_with("bench/");
}

/// "#include" targets of a file, with their brackets.
std::vector<std::string> includes(const SourceFile& file) {
  static const std::regex pattern(R"(^\s*#\s*include\s*([<"][^>"]+[>"]))");
  std::vector<std::string> found;
  for (const std::string& line : file.lines) {
    std::smatch match;
    if (std::regex_search(line, match, pattern)) {
      found.push_back(match[1]);
    }
  }
  return found;
}

/// The room a project file stands in: its folder. The rooms of shogi are one, and so are those of the commands; and a
/// setting belongs to its declaration.
std::string room(const std::string& path) {
  if (path.starts_with("config/schema/")) {
    return "config";
  }
  if (path.starts_with("shogi/")) {
    return "shogi";
  }
  if (path.starts_with("cli/")) {
    return "cli";
  }
  return path == "keeper/main.cpp" ? "keeper/io" : path.substr(0, path.rfind('/'));
}

TEST(Tidy, the_tree_is_found) { EXPECT_GT(sources().size(), 50U); }

TEST(Tidy, arrows_between_rooms_point_down_only) {
  // Each room, and what it may include besides itself. The line on which a room stands comes behind those of all
  // that it may include: no arrow can point up.
  const std::vector<std::pair<std::string, std::set<std::string>>> allowed{
      {"base", {}},
      {"base/io", {"base"}},
      {"shogi", {"base"}},
      {"csa", {"base", "shogi"}},
      {"csa/io", {"base", "base/io", "csa"}},
      {"usi", {"base"}},
      {"usi/io", {"base", "base/io", "usi"}},
      {"keeper", {"base"}},
      {"keeper/io", {"base", "base/io", "keeper"}},
      {"words", {"base"}},
      {"config", {"base", "shogi", "csa", "usi"}},
      {"config/yaml", {"base", "shogi", "csa", "usi", "words", "config"}},
      {"config/reference", {"base", "words", "config"}},
      {"config/import", {"base", "shogi", "csa", "usi", "config", "config/yaml"}},
      {"config/io", {"base", "base/io", "config", "config/yaml", "config/import"}},
      {"bridge", {"base", "shogi", "csa", "usi", "config"}},
      {"bridge/engine", {"base", "csa", "usi", "config", "bridge"}},
      {"bridge/game", {"base", "shogi", "csa", "usi", "config", "bridge", "bridge/engine"}},
      {"bridge/bot", {"base", "shogi", "csa", "usi", "config", "bridge", "bridge/engine", "bridge/game"}},
      {"journal", {"base", "shogi", "csa", "usi", "config", "bridge", "bridge/bot"}},
      {"journal/io", {"base", "base/io", "shogi", "config", "bridge", "bridge/bot", "journal"}},
      {"games", {"base", "shogi", "csa", "config", "words", "bridge"}},
      {"games/io", {"base", "base/io", "config", "bridge", "journal/io", "games"}},
      {"watch", {"base", "shogi", "csa", "config", "words", "bridge", "games"}},
      {"watch/io",
       {"base", "base/io", "csa/io", "usi/io", "config", "config/io", "words", "bridge", "games", "games/io", "watch"}},
      {"holder", {"base"}},
      {"daemon",
       {"base", "base/io", "holder", "shogi", "csa", "csa/io", "usi", "usi/io", "keeper", "config", "config/yaml", "config/io",
        "words", "bridge", "bridge/bot", "journal", "journal/io", "games/io", "watch", "watch/io"}},
      {"rehearse/server", {"base", "shogi", "csa"}},
      {"rehearse/server/io", {"base", "base/io", "shogi", "csa", "rehearse/server"}},
      {"rehearse", {"base", "shogi", "csa", "bridge"}},
      {"rehearse/io",
       {"base", "base/io", "csa", "usi/io", "config", "bridge", "journal/io", "games/io", "daemon", "rehearse",
        "rehearse/server", "rehearse/server/io"}},
  };
  std::map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    for (const std::string& below : allowed[i].second) {
      EXPECT_TRUE(place.contains(below)) << allowed[i].first << " stands before " << below;
    }
    place[allowed[i].first] = i;
  }
  for (const SourceFile& file : sources()) {
    if (is_test(file.path) || room(file.path) == "cli") {
      continue;
    }
    const auto found = place.find(room(file.path));
    ASSERT_NE(found, place.end()) << file.path << " stands in a room without a rule";
    const auto& [name, below] = allowed[found->second];
    for (const std::string& include : includes(file)) {
      if (include.front() != '"') {
        continue;
      }
      const std::string target = room(include.substr(1, include.size() - 2));
      EXPECT_TRUE(target == name || below.contains(target)) << file.path << " must not include " << include;
    }
  }
}

TEST(Tidy, the_pure_core_touches_nothing_of_the_world) {
  const std::regex headers(
      R"(<(boost/|openssl/|sqlite3|zlib|sys/|arpa/|netinet/|unistd|fcntl|poll|signal|csignal|netdb|pthread|thread|mutex|atomic|future|condition_variable|iostream|fstream|filesystem))");
  const std::regex words(
      R"(::now\(|random_device|getenv|std::rand\b|this_thread|std::c(out|err|in)\b|localtime|gmtime)");
  for (const SourceFile& file : sources()) {
    if (is_test(file.path) || is_shell(file.path)) {
      continue;
    }
    for (const std::string& include : includes(file)) {
      // Boost.JSON is as pure as the formats that are made of it, and a digest as the text that it is of; a bounded
      // vector is as pure as std::array.
      if ((include == "<boost/json.hpp>" &&
           (file.path.starts_with("shogi/record/") || file.path.starts_with("games/") ||
            file.path.starts_with("watch/") || file.path == "usi/examination.cpp")) ||
          (include == "<openssl/evp.h>" && file.path == "rehearse/server/session.cpp") ||
          (include == "<boost/container/static_vector.hpp>" && file.path == "bridge/engine/last_moves.hpp")) {
        continue;
      }
      EXPECT_FALSE(std::regex_search(include, headers)) << file.path << " includes " << include;
      if (contains(include, "yaml-cpp")) {
        EXPECT_TRUE(file.path.starts_with("config/")) << file.path << " includes " << include;
      }
    }
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      EXPECT_FALSE(std::regex_search(file.lines[i], words))
          << file.path << ":" << i + 1 << ": " << file.lines[i];
    }
  }
}

TEST(Tidy, every_header_says_what_it_owns_before_anything_else) {
  for (const SourceFile& file : sources()) {
    if (!file.path.ends_with(".hpp")) {
      continue;
    }
    ASSERT_FALSE(file.lines.empty()) << file.path;
    EXPECT_TRUE(file.lines.front().starts_with("// ")) << file.path;
    EXPECT_TRUE(contains(file.text, "#pragma once")) << file.path;
  }
}

/// What a reader is told of a room, for each that is not told of exactly once: by the first words of one of its files.
std::vector<std::string> rooms_not_told_of_once(const std::vector<SourceFile>& files) {
  std::map<std::string, std::vector<std::string>> tellers;  // by folder
  std::vector<std::string> wrong;
  for (const SourceFile& file : files) {
    if (is_test(file.path)) {
      continue;
    }
    const std::string folder = file.path.substr(0, file.path.rfind('/'));
    const std::string name = folder.starts_with("bridge/") ? folder.substr(std::string_view("bridge/").size()) : folder;
    std::vector<std::string>& tell = tellers[folder];
    if (file.text.starts_with("// The room " + name + ": ")) {
      tell.push_back(file.path);
    } else if (file.text.starts_with("// The room ")) {
      wrong.push_back(file.path + " begins with another room's name than " + name);
    }
  }
  for (const auto& [folder, tell] : tellers) {
    if (tell.size() != 1) {
      wrong.push_back(folder + ": " + std::to_string(tell.size()) + " files say what the room owns, and one should");
    }
  }
  return wrong;
}

TEST(Tidy, one_file_of_each_room_says_what_the_room_owns) {
  for (const std::string& wrong : rooms_not_told_of_once(sources())) {
    ADD_FAILURE() << wrong << "\nits main header begins: // The room NAME: what it is. It owns …; it knows no …";
  }
}

TEST(Tidy, a_room_that_nobody_tells_of_is_noticed) {
  const SourceFile silent{"bridge/game/a.hpp", "// A thing.\n", {}};
  const SourceFile told{"bridge/game/b.hpp", "// The room game: one game. It owns its clocks.\n", {}};
  const SourceFile moved{"bridge/game/c.hpp", "// The room bot: a life.\n", {}};
  EXPECT_TRUE(rooms_not_told_of_once({silent, told}).empty());
  EXPECT_EQ(rooms_not_told_of_once({silent}).size(), 1U);
  EXPECT_EQ(rooms_not_told_of_once({told, told}).size(), 1U);
  EXPECT_EQ(rooms_not_told_of_once({told, moved}).size(), 1U);
}

TEST(Tidy, every_header_is_used) {
  std::set<std::string> used;
  for (const SourceFile& file : sources()) {
    for (const std::string& include : includes(file)) {
      const std::string target = include.substr(1, include.size() - 2);
      const std::string own = target.substr(0, target.rfind('.'));
      if (file.path != own + ".cpp" && file.path != "tests/" + own + ".cpp") {
        used.insert(target);
        used.insert("tests/" + target);  // tests include their own headers from tests/
      }
    }
  }
  for (const SourceFile& file : sources()) {
    if (file.path.ends_with(".hpp")) {
      EXPECT_TRUE(used.contains(file.path)) << file.path << " is included by nobody but its source";
    }
  }
}

/// So each build without a precompiled header shows that the header stands alone (CMakeLists.txt).
TEST(Tidy, every_source_reads_its_own_header_first) {
  for (const SourceFile& file : sources()) {
    const std::string own = file.path.substr(0, file.path.rfind('.')) + ".hpp";
    if (!file.path.ends_with(".cpp") || file.path.starts_with("tests/") || !fs::exists(top() / own)) {
      continue;
    }
    ASSERT_FALSE(includes(file).empty()) << file.path;
    EXPECT_EQ(includes(file).front(), '"' + own + '"') << file.path;
  }
}

TEST(Tidy, no_line_promises_later_work_and_no_test_is_switched_off) {
  // Spelled in pieces, or this file would find itself.
  const std::regex promise(std::string("TO") + "DO|FIX" + "ME|XX" + "X:|GTEST_" + "SKIP|DIS" +
                           "ABLED_");
  for (const SourceFile& file : sources()) {
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      EXPECT_FALSE(std::regex_search(file.lines[i], promise))
          << file.path << ":" << i + 1 << ": " << file.lines[i];
    }
  }
}

/// Words of a peer are compared with literals, and with no text that we have made: that is for people.
bool compares_words_for_people(const std::string& line) {
  static const std::regex compared(
      R"re(note\w*(\.|->)code\s*(==|!=|\])|phase\s*(==|!=)\s*"|\b(note|line|told|bot|news)\w*(\.|->)text\s*[!=]==?\s*[^"=\s])re"
      R"re(|status\w*\s*[!=]==?\s*"|(==|!=)\s*"(exit status|signal) |starts_with\("(exit status|signal))re");
  return std::regex_search(line, compared);
}

TEST(Tidy, nothing_acts_upon_the_words_of_a_note_a_phase_or_a_status) {
  for (const SourceFile& file : sources()) {
    if (file.path.starts_with("tests/")) {
      continue;
    }
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      EXPECT_FALSE(compares_words_for_people(file.lines[i]))
          << file.path << ":" << i + 1 << ": " << file.lines[i] << "\nfacts have types: bridge/fact.hpp";
    }
  }
  int scripts = 0;
  for (const auto& script : fs::directory_iterator(top() / "watch/web")) {
    if (script.path().extension() == ".js") {
      ++scripts;
      std::istringstream in(read(script.path()));
      for (std::string line; std::getline(in, line);) {
        EXPECT_FALSE(compares_words_for_people(line)) << script.path() << ": " << line;
      }
    }
  }
  EXPECT_GT(scripts, 3);
}

TEST(Tidy, a_comparison_of_words_for_people_is_known_from_one_of_a_peers_words) {
  for (const char* line :
       {R"(if (note.code == "retrying") {)", R"(if (view.phase != "playing") {)",
        R"(const bool is_known = is_trouble && note.text == told_;)",
        R"(const told = bot.log.find(line => line.text === bot.trouble);)",
        R"(if (status == "exit status 127" && !settings_.host.empty()) {)",
        R"(if (question_.step.await == Await::exit && !status.starts_with("signal")) {)",
        R"(return why != "signal 9";)"}) {
    EXPECT_TRUE(compares_words_for_people(line)) << line;
  }
  for (const char* line : {R"(return line != nullptr && line->text == "BEGIN Game_Summary";)",
                           R"(return rival.game.text == wish.game.text;)", R"(if (answer.status == 401) {)",
                           R"(return end.how == ProcessEnd::How::exited;)"}) {
    EXPECT_FALSE(compares_words_for_people(line)) << line;
  }
}

/// The commands' std::cout and std::cerr lead through cli/terminal, and nothing else of the program leads to a
/// terminal but the log. kakehashi-keep is a program of its own, without streams: its own words pass base::shown().
TEST(Tidy, the_program_writes_only_where_nothing_hostile_passes) {
  const std::regex past(R"(\b(f?printf|f?puts|fwrite|fputc|putchar|vf?printf|perror|dprintf)\s*\(|)"
                        R"(\bstd::(clog|wcout|wcerr)\b|\b(fmt|std)::print(ln)?\b)");
  const std::regex streams(R"(\bstd::(cout|cerr)\b|<iostream>|::write\(STD)");
  const std::set<std::string> exempt{"keeper/main.cpp", "holder/holder.cpp"};
  for (const auto& file : sources()) {
    if (is_test(file.path) || file.path.starts_with("bench/") || exempt.contains(file.path)) {
      continue;
    }
    const bool is_command = file.path.starts_with("cli/");
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const auto& line = file.lines[i];
      EXPECT_FALSE(std::regex_search(line, past)) << file.path << ":" << i + 1;
      EXPECT_FALSE(!is_command && std::regex_search(line, streams)) << file.path << ":" << i + 1;
    }
  }
}

TEST(Tidy, names_say_what_is_inside) {
  const std::regex empty_word("(^|[/_])(util|utils|misc|helper|helpers|manager|common|stuff)([._/]|$)");
  for (const SourceFile& file : sources()) {
    EXPECT_FALSE(std::regex_search(file.path, empty_word)) << file.path;
  }
}

TEST(Tidy, every_code_of_a_note_is_documented) {
  const std::regex code(R"re((?:info|warn|error|note)\(\s*(?:Level::\w+,\s*)?"([a-z][a-z0-9_]+)",)re");
  const std::array documented{read(top() / "docs" / "messages.md"), read(top() / "docs" / "messages.ja.md")};
  int seen = 0;
  for (const SourceFile& file : sources()) {
    if (is_test(file.path)) {
      continue;
    }
    for (std::sregex_iterator it(file.text.begin(), file.text.end(), code), end; it != end; ++it) {
      ++seen;
      for (const std::string& page : documented) {
        EXPECT_TRUE(contains(page, "`" + (*it)[1].str() + "`"))
            << file.path << ": docs/messages.md or messages.ja.md has no entry for " << (*it)[1];
      }
    }
  }
  EXPECT_GT(seen, 20);
}

}  // namespace
}  // namespace kakehashi::tidy
