#include "usi/message.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace kakehashi::usi {

namespace {

using Words = std::vector<std::string_view>;

/// What follows the first `count` words of a line, as it was written.
std::string_view rest_after(std::string_view line, const Words& words, std::size_t count) {
  if (words.size() <= count) {
    return {};
  }
  return base::trim(line.substr(static_cast<std::size_t>(words[count].data() - line.data())));
}

EngineMessage parse_bestmove(const Words& words) {
  BestMove best;
  if (words.size() > 1) {
    best.move = words[1];
  }
  if (words.size() > 3 && words[2] == "ponder") {
    best.ponder = words[3];
  }
  return best;
}

EngineMessage parse_id(std::string_view line, const Words& words) {
  const std::string text(rest_after(line, words, 2));
  if (words.size() > 2 && words[1] == "name") {
    return IdName{text};
  }
  // "authoer" stands in Shogidokoro's own example.
  if (words.size() > 2 && (words[1] == "author" || words[1] == "authoer")) {
    return IdAuthor{text};
  }
  if (words.size() > 2 && words[1] == "version") {
    return IdVersion{text};
  }
  return Other{std::string(line)};
}

/// The command that begins with the line's first word.
EngineMessage parse_from_first(std::string_view line, const Words& words, const Dialect& dialect) {
  const std::string_view first = words.front();
  if (first == "info") {
    return InfoLine{parse_info(rest_after(line, words, 1))};
  }
  if (first == "bestmove") {
    return parse_bestmove(words);
  }
  if (first == "id") {
    return parse_id(line, words);
  }
  if (first == "option") {
    const base::Result<Option> option = parse_option(rest_after(line, words, 1));
    if (!option) {
      return Malformed{option.error().what};
    }
    return OptionDeclared{*option};
  }
  if (first == dialect.hello_answer) {
    return UsiOk{};
  }
  if (first == "readyok") {
    return ReadyOk{};
  }
  if (first == "checkmate") {
    return Checkmate{};
  }
  if (first == "copyprotection") {
    return CopyProtection{std::string(rest_after(line, words, 1))};
  }
  if (first == "registration") {
    return Registration{std::string(rest_after(line, words, 1))};
  }
  if (first == "size" && dialect.protocol == Protocol::tei) {
    return SizesDeclared{std::string(rest_after(line, words, 1))};
  }
  return Other{std::string(line)};
}

/// Words [at, end) are a command and nothing else: what may stand behind unknown words. Never a
/// bestmove: gpsusi says "sent: bestmove 7g7f" behind each of its own, and an answer that is heard
/// twice would answer the next search.
bool is_command_to_the_letter(const Words& words, std::size_t at, const Dialect& dialect) {
  const std::size_t count = words.size() - at;
  const std::string_view first = words[at];
  if (first == "readyok" || first == dialect.hello_answer) {
    return count == 1;
  }
  if (first == "option" || first == "id") {
    return count > 2 && words[at + 1] == "name";
  }
  static constexpr std::array<std::string_view, 4> fields{"depth", "score", "string", "nodes"};
  return first == "info" && count > 2 &&
         std::find(fields.begin(), fields.end(), words[at + 1]) != fields.end();
}

}  // namespace

EngineMessage parse_line(std::string_view line, const Dialect& dialect) {
  line = base::trim(line);
  constexpr std::string_view info = "info ";  // nearly all that an engine says
  if (line.starts_with(info)) {
    return InfoLine{parse_info(line.substr(info.size()))};
  }
  const Words words = base::split_words(line);
  if (words.empty()) {
    return Other{};
  }
  EngineMessage message = parse_from_first(line, words, dialect);
  if (!std::holds_alternative<Other>(message)) {
    return message;
  }
  for (std::size_t at = 1; at < words.size(); ++at) {
    if (is_command_to_the_letter(words, at, dialect)) {
      const std::string_view rest = rest_after(line, words, at);
      return parse_from_first(rest, Words(words.begin() + static_cast<std::ptrdiff_t>(at), words.end()),
                              dialect);
    }
  }
  return message;
}

}  // namespace kakehashi::usi
