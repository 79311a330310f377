#include "words/words.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace kakehashi::words {
namespace {

constexpr std::size_t sentence_bytes_max = 8192;  ///< what is longer is no sentence of ours
/// Of parts, and parts of parts, which are looked up for a sentence: a text made to have many stays as it is.
constexpr int lookups_max = 400;
/// A pattern of less than this, such as "{} of {}", fits nearly everything: its parts must be known.
constexpr std::size_t light_bytes = 5;

bool is_of_number(char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == ','; }

/// An English sentence, cut at its parts: `literals` has one more than there are parts.
struct Pattern {
  std::vector<std::string_view> literals;
  std::string kinds;  ///< of the parts: n, k, q, or } for one that is said in Japanese
  bool takes_rest = false;  ///< the last part is the last in Japanese too, and behind a colon
  std::string_view japanese;
  std::size_t weight = 0;  ///< bytes that are not of parts: of several that fit, the heaviest says most
};

Pattern pattern_of(const Pair& pair) {
  Pattern pattern;
  pattern.japanese = pair.japanese;
  std::string_view rest = pair.english;
  for (std::size_t at = find_part(rest, 0); at != std::string_view::npos; at = find_part(rest, 0)) {
    pattern.literals.push_back(rest.substr(0, at));
    pattern.kinds.push_back(rest[at + 1]);
    rest.remove_prefix(rest.find('}', at) + 1);
  }
  pattern.literals.push_back(rest);
  pattern.takes_rest = pair.english.ends_with(": {}") && pair.japanese.ends_with(": {}");
  for (const auto literal : pattern.literals) {
    pattern.weight += literal.size();
  }
  return pattern;
}

/// The word that every sentence of the pattern begins with; empty: a part comes first, or ends that word.
std::string_view first_word(const Pattern& pattern) {
  const auto begin = pattern.literals.front();
  return begin.substr(0, begin.find(' ') == std::string_view::npos ? 0 : begin.find(' '));
}

class Catalogue {
 public:
  Catalogue() {
    for (const Pair& pair : catalogue()) {
      if (parts_of(pair.english) == 0) {
        whole_.emplace(pair.english, pair.japanese);
      } else {
        const Pattern pattern = pattern_of(pair);
        patterns_[first_word(pattern)].push_back(pattern);
      }
    }
    for (auto& [word, patterns] : patterns_) {
      std::stable_sort(patterns.begin(), patterns.end(),
                       [](const Pattern& a, const Pattern& b) { return a.weight > b.weight; });
    }
  }

  const std::string_view* whole(std::string_view sentence) const {
    const auto found = whole_.find(sentence);
    return found == whole_.end() ? nullptr : &found->second;
  }
  const std::vector<Pattern>* beginning_with(std::string_view word) const {
    const auto found = patterns_.find(word);
    return found == patterns_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::string_view, std::string_view> whole_;
  std::map<std::string_view, std::vector<Pattern>> patterns_;  ///< by their first words
};

const Catalogue& sorted() {
  static const Catalogue all;
  return all;
}

/// A sentence, and which of its bytes are in double quotes, the quotes with them.
class Sentence {
 public:
  explicit Sentence(std::string_view text) : text_(text), is_quoted_(text.size(), false) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '"') {
        continue;
      }
      std::size_t end = i + 1;
      while (end < text.size() && text[end] != '"') {
        end += text[end] == '\\' ? 2U : 1U;
      }
      if (end >= text.size()) {
        return;  // no quote that ends
      }
      std::fill(is_quoted_.begin() + static_cast<std::ptrdiff_t>(i),
                is_quoted_.begin() + static_cast<std::ptrdiff_t>(end) + 1, true);
      i = end;
    }
  }

  std::string_view text() const { return text_; }
  /// Outside of quotes, and not across one.
  std::size_t find(std::string_view what, std::size_t from) const {
    for (std::size_t at = text_.find(what, from); at != std::string_view::npos; at = text_.find(what, at + 1)) {
      if (!is_quoted_[at] && !is_quoted_[at + what.size() - 1]) {
        return at;
      }
    }
    return std::string_view::npos;
  }
  /// Outside of parentheses, too.
  std::size_t find_joint(std::string_view what) const {
    std::size_t from = 0;
    int depth = 0;
    for (std::size_t at = find(what, 0); at != std::string_view::npos; at = find(what, at + 1)) {
      for (; from < at; ++from) {
        if (!is_quoted_[from] && (text_[from] == '(' || text_[from] == ')')) {
          depth = std::max(0, depth + (text_[from] == '(' ? 1 : -1));
        }
      }
      if (depth == 0) {
        return at;
      }
    }
    return std::string_view::npos;
  }

 private:
  std::string_view text_;
  std::vector<bool> is_quoted_;
};

using Parts = std::vector<std::string_view>;

/// Whether a sentence can have that part. What stands before a colon is none of the sentence behind it, and no name has
/// one in it.
bool fits(std::string_view part, char kind, bool begins, bool takes_rest) {
  if (kind == 'n') {
    return std::all_of(part.begin(), part.end(), is_of_number);
  }
  const Sentence inside(part);
  return (kind != 'q' || (part.front() == '"' && part.back() == '"')) &&
         (takes_rest || inside.find_joint("; ") == std::string_view::npos) &&
         ((!begins && kind != 'k') || inside.find_joint(": ") == std::string_view::npos);
}

/// The parts of a sentence that fits the pattern.
std::optional<Parts> parts_in(const Sentence& sentence, const Pattern& pattern) {
  const std::string_view text = sentence.text();
  const std::string_view last = pattern.literals.back();
  if (!text.starts_with(pattern.literals.front()) || !text.ends_with(last) || text.size() <= pattern.weight) {
    return std::nullopt;
  }
  Parts parts;
  std::size_t at = pattern.literals.front().size();
  for (std::size_t i = 0; i < pattern.kinds.size(); ++i) {
    const bool is_last = i + 1 == pattern.kinds.size();
    std::size_t end = text.size() - last.size();
    if (!is_last) {
      end = sentence.find(pattern.literals[i + 1], at + 1);
    }
    if (end == std::string_view::npos || end <= at) {
      return std::nullopt;
    }
    const auto part = text.substr(at, end - at);
    if (!fits(part, pattern.kinds[i], at == 0, is_last && pattern.takes_rest)) {
      return std::nullopt;
    }
    parts.push_back(part);
    at = end + pattern.literals[i + 1].size();
  }
  return parts;
}

std::string said(std::string_view sentence, int& lookups_left);

/// Whether the part of a sentence is ours, or of somebody who is quoted.
bool is_known(std::string_view part, int& lookups_left) {
  return part.front() == '"' || is_of_number(part.front()) || said(part, lookups_left) != part;
}

std::string filled(const Pattern& pattern, const Parts& parts, int& lookups_left) {
  const std::string_view japanese = pattern.japanese;
  std::string out;
  std::size_t next = 0;
  std::size_t from = 0;
  for (std::size_t at = find_part(japanese, 0); at != std::string_view::npos; at = find_part(japanese, from)) {
    const char name = japanese[at + 1];
    const std::size_t part = name >= '0' && name <= '9' ? static_cast<std::size_t>(name - '0') : next++;
    out += japanese.substr(from, at - from);
    out += pattern.kinds[part] == 'k' ? std::string(parts[part]) : said(parts[part], lookups_left);
    from = japanese.find('}', at) + 1;
  }
  return out += japanese.substr(from);
}

std::optional<std::string> paired(const Sentence& sentence, int& lookups_left);

/// What no pair of the catalogue is, but several with something between them.
std::string joined(const Sentence& sentence, int& lookups_left) {
  const std::string_view text = sentence.text();
  const auto stop = sentence.find_joint("; ");
  // What stands before a sentence, a file for example, may stand before one with a stop in it.
  for (auto at = sentence.find(": ", 0); stop != std::string_view::npos && at < stop; at = sentence.find(": ", at + 1)) {
    if (const auto behind = paired(Sentence(text.substr(at + 2)), lookups_left)) {
      return said(text.substr(0, at), lookups_left) + ": " + *behind;
    }
  }
  const auto split = [&](std::string_view joint) -> std::optional<std::string> {
    const auto at = sentence.find_joint(joint);
    if (at == std::string_view::npos) {
      return std::nullopt;
    }
    const auto before = text.substr(0, at);
    const std::string begin = said(before, lookups_left);
    const auto behind = text.substr(at + joint.size());
    const std::string end = said(behind, lookups_left);
    const bool is_ours = begin != before || end != behind;
    return begin + (joint == "; " && is_ours ? "。" : std::string(joint)) + end;
  };
  for (const std::string_view joint : {" | ", "; ", ": "}) {
    if (auto both = split(joint)) {
      return std::move(*both);
    }
  }
  if (const auto open = sentence.find(" (", 0); open != std::string_view::npos && text.ends_with(')')) {
    const auto before = text.substr(0, open);
    const std::string begin = said(before, lookups_left);
    return begin + (begin == before ? " (" : "(") + said(text.substr(open + 2, text.size() - open - 3), lookups_left) +
           ")";
  }
  if (auto both = split(", ")) {
    return std::move(*both);
  }
  return std::string(text);
}

/// By one pair of the catalogue.
std::optional<std::string> paired(const Sentence& sentence, int& lookups_left) {
  const std::string_view text = sentence.text();
  if (const auto* whole = sorted().whole(text)) {
    return std::string(*whole);
  }
  std::optional<Parts> best;
  const Pattern* heaviest = nullptr;
  for (const std::string_view word : {text.substr(0, text.find(' ')), std::string_view()}) {
    const auto* candidates = sorted().beginning_with(word);
    if (candidates == nullptr) {
      continue;
    }
    for (const Pattern& pattern : *candidates) {
      if (heaviest != nullptr && pattern.weight <= heaviest->weight) {
        break;
      }
      auto parts = parts_in(sentence, pattern);
      const bool is_light = pattern.weight < light_bytes;
      if (parts && (!is_light || std::all_of(parts->begin(), parts->end(), [&lookups_left](std::string_view part) {
                      return is_known(part, lookups_left);
                    }))) {
        best = std::move(parts);
        heaviest = &pattern;
        break;
      }
    }
  }
  return best ? std::optional(filled(*heaviest, *best, lookups_left)) : std::nullopt;
}

std::string said(std::string_view text, int& lookups_left) {
  if (text.empty() || --lookups_left < 0) {
    return std::string(text);
  }
  const Sentence sentence(text);
  auto one = paired(sentence, lookups_left);
  return one ? std::move(*one) : joined(sentence, lookups_left);
}

/// In a terminal: what is not ASCII and begins with U+1100 or later takes two columns, as Japanese does.
std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    columns += byte < 0x80 ? 1 : byte >= 0xe1 ? 2 : byte >= 0xc0 ? 1 : 0;
  }
  return columns;
}

}  // namespace

Language language_of_locale(const char* lc_all, const char* lc_messages, const char* lang) {
  for (const char* name : {lc_all, lc_messages, lang}) {
    if (name != nullptr && *name != '\0') {
      const std::string_view locale(name);
      return locale == "ja" || locale.starts_with("ja_") || locale.starts_with("ja.") ? Language::japanese
                                                                                       : Language::english;
    }
  }
  return Language::english;
}

std::string in_japanese(std::string_view sentence) {
  int lookups_left = lookups_max;
  return sentence.size() > sentence_bytes_max ? std::string(sentence) : said(sentence, lookups_left);
}

std::string line_in_japanese(std::string_view line) {
  std::string out;
  std::size_t columns = 0;  // of `out`, and where the next one begins
  std::size_t column = 0;
  while (!line.empty()) {
    const auto begin = std::min(line.find_first_not_of(' '), line.size());
    column += begin;
    line.remove_prefix(begin);
    const std::size_t gap = columns >= column && columns > 0 ? 1 : column - columns;
    if (!line.empty() || columns == 0) {
      out.append(gap, ' ');
      columns += gap;
    }
    const auto end = std::min(line.find("  "), line.size());
    const auto part = line.substr(0, end);
    const auto label = std::find_if(labels().begin(), labels().end(), [part](const Pair& pair) { return pair.english == part; });
    const auto words = label != labels().end() ? std::string(label->japanese) : in_japanese(part);
    out += words;
    columns += columns_of(words);
    column += columns_of(part);
    line.remove_prefix(end);
  }
  return out;
}

}  // namespace kakehashi::words
