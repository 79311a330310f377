#include "shogi/record/format.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "shogi/notation/kif.hpp"
#include "shogi/notation/usi.hpp"
#include "shogi/record/csa.hpp"
#include "shogi/record/game_builder.hpp"
#include "shogi/record/json.hpp"
#include "shogi/record/kif.hpp"

namespace kakehashi::shogi::record {

// --- lines of USI

namespace {

using base::fail;
using base::say;
using Words = std::vector<std::string_view>;

/// The start that the words name, which are then gone.
base::Result<Position> take_start(Words& words) {
  if (words.front() == "position") {
    words.erase(words.begin());
  }
  if (!words.empty() && words.front() == "startpos") {
    words.erase(words.begin());
    return Position::startpos();
  }
  if (!words.empty() && words.front() == "sfen") {
    words.erase(words.begin());
  }
  std::string sfen;
  std::size_t taken = 0;
  while (taken < words.size() && taken < 4 && words[taken] != "moves") {
    sfen += (taken == 0 ? "" : " ") + std::string(words[taken]);
    ++taken;
  }
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(taken));
  return shogi::usi::parse_sfen(sfen);
}

}  // namespace

base::Result<Record> read_usi_line(std::string_view line, base::Message place) {
  GameBuilder game(std::chrono::minutes{0});
  game.set_place(std::move(place));
  Words words = base::split_words(line);
  if (auto trouble = game.start(take_start(words))) {
    return fail(std::move(*trouble));
  }
  if (!words.empty() && words.front() != "moves") {
    return fail(game.at_place(say("{} stands where moves is due", base::quoted(words.front(), 80))));
  }
  for (std::size_t i = 1; i < words.size(); ++i) {
    const bool is_last = i + 1 == words.size();
    const auto trouble = is_last && words[i] == "resign" ? game.end(EndingKind::toryo)
                         : is_last && words[i] == "win"  ? game.end(EndingKind::kachi)
                                                         : game.play(shogi::usi::parse_move(words[i]),
                                                                     words[i]);
    if (trouble) {
      return fail(*trouble);
    }
  }
  return game.finish();
}

namespace {

/// Ends with LF.
std::string write_usi_line(const Record& record) {
  std::string line = record.start == Position::startpos()
                         ? "position startpos"
                         : "position sfen " + shogi::usi::format_sfen(record.start);
  line += record.moves.empty() ? "" : " moves";
  for (const RecordedMove& move : record.moves) {
    line += " " + shogi::usi::format_move(move.move);
  }
  return line + "\n";
}

/// Empty lines and lines that begin with "#" are left out.
base::Result<std::vector<Record>> read_usi_lines(std::string_view text) {
  std::vector<Record> records;
  std::size_t number = 0;
  for (const std::string_view whole : base::split(text, '\n')) {
    ++number;
    const std::string_view line = base::trim(whole);
    if (line.empty() || line.starts_with('#')) {
      continue;
    }
    auto record = read_usi_line(line, say("line {}", number));
    if (!record) {
      return fail(record.error().what);
    }
    records.push_back(std::move(*record));
  }
  return records;
}

}  // namespace

// --- the formats

std::optional<Format> format_of_word(std::string_view word) {
  const auto found = std::ranges::find(formats, word, &FormatFacts::word);
  return found == formats.end() ? std::nullopt : std::optional(found->format);
}

std::string write_record(const Record& record, Format format, CommentStyle comments) {
  switch (format) {
    case Format::csa: return CsaWriter::whole(record, CsaVersion::v2_2, comments);
    case Format::csa3: return CsaWriter::whole(record, CsaVersion::v3_0, comments);
    case Format::kif: return write_kif(record, KifEncoding::shift_jis, comments);
    case Format::kifu: return write_kif(record, KifEncoding::utf8, comments);
    case Format::ki2:
    case Format::ki2u: return write_ki2(record, comments);
    case Format::jkf: return write_jkf(record, comments);
    case Format::usi: return write_usi_line(record);
    case Format::jsonl: return write_jsonl(record);
  }
  return "";
}

// --- reading

namespace {

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
  shogi::kif::skip_blanks(line);
  for (const std::string_view mark : shogi::kif::triangles) {
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
  shogi::kif::skip_blanks(line);
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
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
  const auto found = std::ranges::find(formats, extension, &FormatFacts::extension);
  return found == formats.end() ? std::nullopt : std::optional(found->format);
}

std::optional<base::Message> size_complaint(std::string_view text, bool is_of_lines) {
  if (text.size() > record_bytes_max) {
    return say("line {}: the text has more than {} bytes", 1, record_bytes_max);
  }
  std::size_t number = 0;
  for (const std::string_view line : base::split(text, '\n')) {
    ++number;
    if (is_of_lines && line.size() > record_line_bytes_max) {
      return say("line {}: it has more than {} bytes", number, record_line_bytes_max);
    }
    if (line.find('\0') != std::string_view::npos) {
      return say("line {}: a zero byte; this is no text", number);
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
  return fail({});
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
  text = base::without_byte_order_mark(text);
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
    return fail(say("line {}: there is no game in it", 1));
  }
  return records;
}

// --- file names

namespace {

constexpr std::size_t name_bytes_max = 200;

bool is_safe(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '+' || c == '@' || c == '-';
}

/// Of a template, which its user wrote: what no system forbids in a name and no shell replaces.
bool is_allowed(char c) {
  return c >= 0x20 && c < 0x7F &&
         std::string_view("<>:\"/\\|?*{}'$`&;").find(c) == std::string_view::npos;
}

/// ".." never comes about, whatever stood before.
void append(std::string_view part, bool (*may_stay)(char), std::string& name) {
  for (std::size_t at = 0; at < part.size();) {
    const auto character = base::utf8_at(part, at);
    const std::size_t length = character ? character->length_bytes : 1;
    const bool is_kept =
        length > 1 ? base::is_visible(character->code)
                   : may_stay(part[at]) && !(part[at] == '.' && name.ends_with('.'));
    name += is_kept ? part.substr(at, length) : "_";
    at += length;
  }
}

std::optional<std::string> value_of(std::string_view placeholder, const FileNameParts& parts) {
  const std::array<std::string, 12> values{
      parts.date,      parts.time,
      parts.game_id,   parts.black,
      parts.white,     parts.game_name,
      parts.date + "_" + parts.time, parts.game_id,
      parts.black,     parts.white,
      parts.hex5,      parts.ply};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (placeholder == file_name_placeholders[i]) {
      return values[i];
    }
  }
  return std::nullopt;
}

/// Also {_x} and {x_}: the separator goes with the value.
std::optional<std::string> filled_in(std::string_view placeholder, const FileNameParts& parts) {
  if (auto value = value_of(placeholder, parts)) {
    return value;
  }
  const bool is_before = placeholder.starts_with('_');
  if (!is_before && !placeholder.ends_with('_')) {
    return std::nullopt;
  }
  auto value = value_of(is_before ? placeholder.substr(1) : placeholder.substr(0, placeholder.size() - 1),
                        parts);
  if (value && !value->empty()) {
    value = is_before ? "_" + *value : *value + "_";
  }
  return value;
}

}  // namespace

std::string file_name(std::string_view name_template, const FileNameParts& parts) {
  std::string name;
  while (!name_template.empty()) {
    const std::size_t open = name_template.find('{');
    append(name_template.substr(0, open), is_allowed, name);
    if (open == std::string_view::npos) {
      break;
    }
    const std::size_t close = name_template.find('}', open);
    if (close == std::string_view::npos) {
      append(name_template.substr(open), is_allowed, name);
      break;
    }
    if (const auto value = filled_in(name_template.substr(open + 1, close - open - 1), parts)) {
      append(*value, is_safe, name);
    } else {
      append(name_template.substr(open, close - open + 1), is_allowed, name);
    }
    name_template.remove_prefix(close + 1);
  }
  name.resize(base::utf8_bytes(std::string_view(name).substr(0, name_bytes_max)));  // at a character's border
  name.erase(0, std::min(name.find_first_not_of(' '), name.size()));
  name.erase(name.find_last_not_of(' ') + 1);
  if (name.empty()) {
    name = "game";
  }
  // Hidden by a dot, taken for an option by a dash, or ".." before the extension.
  if (name.front() == '.' || name.front() == '-') {
    name.front() = '_';
  }
  if (name.back() == '.') {
    name.back() = '_';
  }
  return name;
}

}  // namespace kakehashi::shogi::record
