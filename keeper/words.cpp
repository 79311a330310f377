#include "keeper/words.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace kakehashi::keeper {

std::string_view take_word(std::string_view& rest) {
  const std::string_view word = rest.substr(0, rest.find(' '));
  rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  return word;
}

std::optional<std::uint64_t> take_number(std::string_view& rest) {
  const std::string_view word = take_word(rest);
  const auto number = base::parse_int(word);
  const bool is_plain = !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
  return number && is_plain ? std::optional(static_cast<std::uint64_t>(*number)) : std::nullopt;
}

bool is_token(std::string_view word, std::size_t bytes_max) {
  const auto is_plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || c == '.';
  };
  return !word.empty() && word.size() <= bytes_max && std::all_of(word.begin(), word.end(), is_plain);
}

base::Result<ClientWord, std::string> read_client_line(std::string_view line) {
  std::string_view rest = line;
  const std::string_view word = take_word(rest);
  if (word == "hello") {
    const auto spoken = take_number(rest);
    const std::string_view session = take_word(rest);
    const auto seen = take_number(rest);
    if (!spoken || !is_token(session, session_bytes_max) || !seen || !rest.empty()) {
      return base::Failure<std::string>{"hello needs a protocol, a session and a number"};
    }
    return ClientWord(Hello{static_cast<std::int64_t>(*spoken), std::string(session), *seen});
  }
  if (word == "in") {
    const auto number = take_number(rest);
    if (!number || *number == 0 || base::has_control_byte(rest)) {
      return base::Failure<std::string>{"in needs a number and a line"};
    }
    return ClientWord(Input{*number, std::string(rest)});
  }
  if (word == "until") {
    const auto number = take_number(rest);
    const auto after = take_number(rest);
    const bool is_near = after && *after <= static_cast<std::uint64_t>(stop_after_max.count());
    if (!number || *number == 0 || !is_near || !rest.empty()) {
      return base::Failure<std::string>{"until needs a number and a time"};
    }
    return ClientWord(Until{*number, base::Millis{static_cast<std::int64_t>(*after)}});
  }
  if (word == "ack") {
    const auto number = take_number(rest);
    if (!number || !rest.empty()) {
      return base::Failure<std::string>{"ack needs a number"};
    }
    return ClientWord(Acknowledged{*number});
  }
  if (word == "ping") {
    if (!is_token(rest, token_bytes_max)) {
      return base::Failure<std::string>{"ping needs a short word"};
    }
    return ClientWord(Ping{std::string(rest)});
  }
  if (line == "end") {
    return ClientWord(End{});
  }
  if (line == "kill") {
    return ClientWord(Kill{});
  }
  return base::Failure<std::string>{"the words are hello, in, until, ack, ping, end and kill"};
}

}  // namespace kakehashi::keeper
