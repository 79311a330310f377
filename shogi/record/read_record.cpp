#include "shogi/record/read_record.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "shogi/notation/kif_words.hpp"
#include "shogi/record/csa_reader.hpp"
#include "shogi/record/jkf.hpp"
#include "shogi/record/jsonl.hpp"
#include "shogi/record/kif.hpp"
#include "shogi/record/usi_line.hpp"

namespace kakehashi::shogi::record {

namespace {

using base::fail;

constexpr int lines_judged_max = 400;

bool is_csa_line(std::string_view line) {
  if (line.size() < 2) {
    return line == "+" || line == "-";
  }
  const char second = line[1];
  switch (line.front()) {
    case 'V': return second >= '1' && second <= '3';
    case 'N': return second == '+' || second == '-';
    case 'P': return second == 'I' || second == '+' || second == '-' || (second >= '1' && second <= '9');
    case '$': return line.find(':') != std::string_view::npos;
    case '%': return true;
    case '+':
    case '-': return line.size() >= 7 && second >= '0' && second <= '9';
    case '\'': return line.starts_with("'CSA encoding=");
    default: return false;
  }
}

bool has_triangle(std::string_view line) {
  kif::skip_blanks(line);
  for (const std::string_view mark : {"▲", "△", "▼", "▽", "☗", "☖"}) {
    if (line.starts_with(mark)) {
      return true;
    }
  }
  return false;
}

/// "   1 ７六歩(77)", "手数----指手---------消費時間--", "#KIF version=2.0"
bool is_kif_line(std::string_view line) {
  if (line.starts_with("手数--") || line.starts_with("#KIF") || line.starts_with("# KIF")) {
    return true;
  }
  kif::skip_blanks(line);
  std::size_t digits = 0;
  while (digits < line.size() && line[digits] >= '0' && line[digits] <= '9') {
    ++digits;
  }
  if (digits == 0 || digits > 6) {
    return false;
  }
  line.remove_prefix(digits);
  return line.starts_with(" ") && line.size() > 4 && static_cast<unsigned char>(line.back()) != ' ';
}

/// By the last dot; .sfen is a position line too, .json may be JKF.
std::optional<Format> format_of_name(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  const std::string_view extension = dot == std::string_view::npos ? "" : name.substr(dot);
  if (extension == ".sfen") {
    return Format::usi;
  }
  if (extension == ".json") {
    return Format::jkf;
  }
  for (const FormatFacts& facts : formats) {
    if (extension == facts.extension) {
      return facts.format;
    }
  }
  return std::nullopt;
}

std::optional<std::string> size_complaint(std::string_view text, bool is_of_lines) {
  if (text.size() > record_bytes_max) {
    return "line 1: the text has more than " + std::to_string(record_bytes_max) + " bytes";
  }
  std::size_t number = 0;
  for (const std::string_view line : base::split(text, '\n')) {
    ++number;
    if (is_of_lines && line.size() > record_line_bytes_max) {
      return "line " + std::to_string(number) + ": it has more than " +
             std::to_string(record_line_bytes_max) + " bytes";
    }
    if (line.find('\0') != std::string_view::npos) {
      return "line " + std::to_string(number) + ": a zero byte; this is no text";
    }
  }
  return std::nullopt;
}

base::Result<std::vector<Record>> one(base::Result<Record> record) {
  if (!record) {
    return fail(record.error().what);
  }
  return std::vector<Record>{std::move(*record)};
}

base::Result<std::vector<Record>> read_as(std::string_view text, Format format,
                                          std::chrono::minutes utc_offset) {
  switch (format) {
    case Format::csa:
    case Format::csa3: return read_csa(text, utc_offset);
    case Format::kif:
    case Format::kifu: return one(read_kif(text, utc_offset));
    case Format::ki2:
    case Format::ki2u: return one(read_ki2(text, utc_offset));
    case Format::jkf: return one(read_jkf(text, utc_offset));
    case Format::usi: return read_usi_lines(text);
    case Format::jsonl: return read_jsonl(text);
  }
  return fail("unknown format");
}

/// Lines that end with CR alone, as on old Macintoshes, end with LF then; nothing when there are none.
std::optional<std::string> with_line_feeds(std::string_view text) {
  if (text.find('\n') != std::string_view::npos || text.find('\r') == std::string_view::npos) {
    return std::nullopt;
  }
  std::string lines(text);
  std::replace(lines.begin(), lines.end(), '\r', '\n');
  return lines;
}

}  // namespace

std::optional<Format> detect_format(std::string_view text, std::string_view name) {
  if (const auto lines = with_line_feeds(text)) {
    return detect_format(*lines, name);
  }
  (void)kif::take_word(text, "\xEF\xBB\xBF");
  const std::string_view begin = base::trim(text.substr(0, text.find_first_of('\n')));
  if (text.find_first_not_of(" \t\r\n") != std::string_view::npos &&
      text[text.find_first_not_of(" \t\r\n")] == '{') {
    return begin.find("\"head\"") != std::string_view::npos ? Format::jsonl : Format::jkf;
  }
  int number = 0;
  std::optional<Format> found;
  while (!text.empty() && ++number <= lines_judged_max) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = base::trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with("position ") || line.starts_with("startpos") || line.starts_with("sfen ")) {
      return Format::usi;
    }
    if (is_csa_line(line)) {
      return Format::csa;
    }
    if (is_kif_line(line)) {
      return Format::kifu;
    }
    if (has_triangle(line)) {
      return Format::ki2u;
    }
    if (line.starts_with("手合割")) {
      found = Format::kifu;  // of KIF or KI2: the moves, if there are any, tell
    }
  }
  const auto named = format_of_name(name);
  return named ? named : found;
}

base::Result<std::vector<Record>> read_records(std::string_view text, Format format,
                                               std::chrono::minutes utc_offset) {
  if (const auto lines = with_line_feeds(text)) {
    return read_records(*lines, format, utc_offset);
  }
  if (auto why = size_complaint(text, format != Format::jkf)) {
    return fail(std::move(*why));
  }
  auto records = read_as(text, format, utc_offset);
  if (records && records->empty()) {
    return fail("line 1: there is no game in it");
  }
  return records;
}

}  // namespace kakehashi::shogi::record
