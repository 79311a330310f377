#include "base/text.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <numeric>

#include "base/message.hpp"
#include "base/utf8.hpp"

namespace kakehashi::base {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// How many bytes from `text[at]` form one character beyond ASCII that a person may be shown; 0 when none do.
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto character = utf8_at(text, at);
  return character && character->length_bytes > 1 && is_shown(character->code) ? character->length_bytes : 0;
}

/// Two neighbours that changed places count as one slip, like a wrong, missing or extra letter.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto equal = [&](std::size_t i, std::size_t j) { return lower(a[i]) == lower(b[j]); };
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = last[j - 1] + (equal(i - 1, j - 1) ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, substituted});
      if (i > 1 && j > 1 && equal(i - 1, j - 2) && equal(i - 2, j - 1)) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row.back();
}

}  // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_blank(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

std::vector<std::string_view> split_words(std::string_view line) {
  std::vector<std::string_view> words;
  words.reserve(line.size() / 4 + 1);  // most words are longer, and so it hardly ever grows
  std::size_t at = 0;
  while (at < line.size()) {
    while (at < line.size() && is_blank(line[at])) {
      ++at;
    }
    const std::size_t begin = at;
    while (at < line.size() && !is_blank(line[at])) {
      ++at;
    }
    if (at > begin) {
      words.push_back(line.substr(begin, at - begin));
    }
  }
  return words;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (;;) {
    const std::size_t at = text.find(separator);
    pieces.push_back(text.substr(0, at));
    if (at == std::string_view::npos) {
      return pieces;
    }
    text.remove_prefix(at + 1);
  }
}

std::optional<std::int64_t> parse_int(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) {
      return std::nullopt;
    }
  }
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stopped != end) {
    return std::nullopt;
  }
  return value;
}

bool has_control_byte(std::string_view text) {
  return std::ranges::any_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
  });
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      plain += text[i];
      continue;
    }
    std::uint8_t byte = 0;
    const char* digits = text.data() + i + 1;
    if (text.size() - i < 3 || std::from_chars(digits, digits + 2, byte, 16).ptr != digits + 2) {
      return std::nullopt;
    }
    plain += static_cast<char>(byte);
    i += 2;
  }
  return plain;
}

std::string quote_for_log(std::string_view text, std::size_t bytes_max) {
  std::string quoted = "\"";
  std::size_t at = 0;
  while (at < text.size()) {
    if (quoted.size() >= bytes_max) {
      return quoted + "…\"";
    }
    const auto byte = static_cast<unsigned char>(text[at]);
    if (const std::size_t length = utf8_length(text, at); length > 0) {
      quoted.append(text.substr(at, length));
      at += length;
      continue;
    }
    if (byte == '"' || byte == '\\') {
      quoted += '\\';
      quoted += text[at];
    } else if (byte < 0x20 || byte >= 0x7F) {
      char escaped[5];
      std::snprintf(escaped, sizeof escaped, "\\x%02X", byte);
      quoted += escaped;
    } else {
      quoted += text[at];
    }
    ++at;
  }
  return quoted + '"';
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
  std::optional<std::string> best;
  // A third of the word may be wrong: further away, a suggestion confuses more than it helps.
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string format_millis(std::int64_t millis) { return duration(millis).english(); }

}  // namespace kakehashi::base
