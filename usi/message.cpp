#include "usi/message.hpp"

#include "base/text.hpp"

namespace kakehashi::usi {

namespace {

/// What follows the first `count` words of a line, as it was written.
std::string_view rest_after(std::string_view line, const std::vector<std::string_view>& words,
                            std::size_t count) {
  if (words.size() <= count) {
    return {};
  }
  return base::trim(line.substr(static_cast<std::size_t>(words[count].data() - line.data())));
}

EngineMessage parse_bestmove(const std::vector<std::string_view>& words) {
  BestMove best;
  if (words.size() > 1) {
    best.move = words[1];
  }
  if (words.size() > 3 && words[2] == "ponder") {
    best.ponder = words[3];
  }
  return best;
}

}  // namespace

EngineMessage parse_line(std::string_view line) {
  const std::vector<std::string_view> words = base::split_words(line);
  if (words.empty()) {
    return Other{};
  }
  const std::string_view first = words.front();
  if (first == "info") {
    return InfoLine{parse_info(rest_after(line, words, 1))};
  }
  if (first == "bestmove") {
    return parse_bestmove(words);
  }
  if (first == "id" && words.size() > 2 && words[1] == "name") {
    return IdName{std::string(rest_after(line, words, 2))};
  }
  if (first == "id" && words.size() > 2 && words[1] == "author") {
    return IdAuthor{std::string(rest_after(line, words, 2))};
  }
  if (first == "option") {
    const base::Result<Option> option = parse_option(rest_after(line, words, 1));
    if (!option) {
      return Malformed{option.error().what};
    }
    return OptionDeclared{*option};
  }
  if (first == "usiok") {
    return UsiOk{};
  }
  if (first == "readyok") {
    return ReadyOk{};
  }
  if (first == "checkmate") {
    return Checkmate{std::string(rest_after(line, words, 1))};
  }
  if (first == "copyprotection") {
    return CopyProtection{std::string(rest_after(line, words, 1))};
  }
  if (first == "registration") {
    return Registration{std::string(rest_after(line, words, 1))};
  }
  return Other{std::string(line)};
}

}  // namespace kakehashi::usi
