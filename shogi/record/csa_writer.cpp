#include "shogi/record/csa_writer.hpp"

#include <string_view>

#include "shogi/notation/csa.hpp"
#include "shogi/record/csa_values.hpp"
#include "shogi/record/utf8.hpp"

namespace kakehashi::shogi::record {

namespace {

using base::Millis;

constexpr std::size_t text_bytes_max = 1024;

/// Foreign text within one line: control bytes become spaces, and it has a bound. Its bytes stay as
/// they are in V2.2, which names no encoding; V3.0 promises UTF-8, and other bytes become "?".
std::string one_line(std::string_view text, CsaVersion version) {
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    const auto character = utf8_at(text, at);
    const std::size_t length = character ? character->length_bytes : 1;
    if (line.size() + length > text_bytes_max) {
      break;
    }
    const auto byte = static_cast<unsigned char>(text[at]);
    if (length == 1 && (byte < 0x20 || byte == 0x7F)) {
      line += ' ';
    } else if (!character && version == CsaVersion::v3_0) {
      line += '?';
    } else {
      line += text.substr(at, length);
    }
    at += length;
  }
  return line;
}

std::string comment_lines(const std::vector<std::string>& comments, CsaVersion version) {
  std::string lines;
  for (const std::string& comment : comments) {
    lines += "'" + one_line(comment, version) + "\n";
  }
  return lines;
}

/// V2.2 has whole seconds only, rounded down as servers do.
std::string consumed_line(const std::optional<Millis>& time, CsaVersion version) {
  if (!time) {
    return "";
  }
  const bool is_v3 = version == CsaVersion::v3_0;
  return "T" + format_seconds(is_v3 ? *time : std::chrono::floor<base::Seconds>(*time)) + "\n";
}

/// A clock whose main time nobody told, of a record that says its increment only, stays untold.
bool is_known(const std::optional<Clock>& clock) {
  return clock && (clock->total || clock->byoyomi.count() > 0);
}

/// In V2.2 what $TIME_LIMIT cannot say stands in a comment, spelled as V3.0 would.
std::string clock_lines(const Record& record, CsaVersion version) {
  const bool is_v3 = version == CsaVersion::v3_0;
  const std::string field = is_v3 ? "$TIME" : "'$TIME";
  const auto& black = record.black_clock;
  const auto& white = record.white_clock;
  if (is_known(black) && black == white) {
    const auto limit = is_v3 ? std::nullopt : format_limit(*black);
    return limit ? "$TIME_LIMIT:" + *limit + "\n" : field + ":" + format_clock(*black) + "\n";
  }
  return (is_known(black) ? field + "+:" + format_clock(*black) + "\n" : "") +
         (is_known(white) ? field + "-:" + format_clock(*white) + "\n" : "");
}

/// What the version has no field for, in the words that shogi-server uses: in V3.0 only an increment
/// without its main time.
std::string shogi_server_comments(const Record& record, CsaVersion version) {
  std::string lines;
  const bool is_v3 = version == CsaVersion::v3_0;
  if (record.max_moves && !is_v3) {
    lines += "'Max_Moves:" + std::to_string(*record.max_moves) + "\n";
  }
  const auto& clock = record.black_clock;
  const bool is_told = is_v3 && is_known(clock);
  if (clock && clock == record.white_clock && clock->increment.count() > 0 && !is_told) {
    lines += "'Increment:" + format_seconds(clock->increment) + "\n";
  }
  return lines;
}

std::string evaluation_line(const Evaluation& evaluation, CsaVersion version) {
  std::string text = "** " + std::to_string(evaluation.score);
  for (const std::string& pv : evaluation.pv) {
    if (text.size() + 1 + pv.size() > text_bytes_max - 32) {
      break;
    }
    text += " " + pv;
  }
  if (version == CsaVersion::v3_0 && evaluation.nodes) {
    text += " #" + std::to_string(*evaluation.nodes);
  }
  return "'" + one_line(text, version) + "\n";
}

}  // namespace

const char* csa_word(EndingKind kind, CsaVersion version) {
  switch (kind) {
    case EndingKind::toryo: return "%TORYO";
    case EndingKind::chudan: return "%CHUDAN";
    case EndingKind::sennichite: return "%SENNICHITE";
    case EndingKind::time_up: return "%TIME_UP";
    case EndingKind::illegal_move: return "%ILLEGAL_MOVE";
    case EndingKind::illegal_action_by_black: return "%+ILLEGAL_ACTION";
    case EndingKind::illegal_action_by_white: return "%-ILLEGAL_ACTION";
    case EndingKind::jishogi: return "%JISHOGI";
    case EndingKind::kachi: return "%KACHI";
    case EndingKind::hikiwake: return "%HIKIWAKE";
    case EndingKind::max_moves: return version == CsaVersion::v3_0 ? "%MAX_MOVES" : "%HIKIWAKE";
    case EndingKind::tsumi: return "%TSUMI";
    case EndingKind::fuzumi: return "%FUZUMI";
    case EndingKind::error: return "%ERROR";
  }
  return "%ERROR";
}

std::string CsaWriter::begin(const Record& record) {
  position_ = record.start;
  const bool is_v3 = version_ == CsaVersion::v3_0;
  std::string text = is_v3 ? "'CSA encoding=UTF-8\nV3.0\n" : "V2.2\n";
  text += "N+" + one_line(record.black_name, version_) + "\n";
  text += "N-" + one_line(record.white_name, version_) + "\n";
  if (!record.event.empty()) {
    text += "$EVENT:" + one_line(record.event, version_) + "\n";
  }
  if (!record.site.empty()) {
    text += "$SITE:" + one_line(record.site, version_) + "\n";
  }
  if (record.started) {
    text += "$START_TIME:" + format_date(*record.started, record.utc_offset) + "\n";
  }
  if (record.ended) {
    text += "$END_TIME:" + format_date(*record.ended, record.utc_offset) + "\n";
  }
  text += clock_lines(record, version_);
  if (is_v3 && record.max_moves) {
    text += "$MAX_MOVES:" + std::to_string(*record.max_moves) + "\n";
  }
  if (is_v3 && !record.jishogi_rule.empty()) {
    text += "$JISHOGI:" + one_line(record.jishogi_rule, version_) + "\n";
  }
  text += shogi_server_comments(record, version_);
  text += comment_lines(record.comments, version_);
  text += csa::format_board(record.start);
  text += csa::sign(record.start.side_to_move());
  return text + "\n";
}

std::string CsaWriter::add(const RecordedMove& move) {
  std::string text = csa::format_move(position_, move.move) + "\n";
  text += consumed_line(move.consumed, version_);
  if (move.evaluation) {
    text += evaluation_line(*move.evaluation, version_);
  }
  text += comment_lines(move.comments, version_);
  position_.play(move.move);
  return text;
}

std::string CsaWriter::end(const Ending& ending) const {
  return std::string(csa_word(ending.kind, version_)) + "\n" +
         consumed_line(ending.consumed, version_) + comment_lines(ending.comments, version_);
}

std::string CsaWriter::whole(const Record& record, CsaVersion version) {
  CsaWriter writer(version);
  std::string text = writer.begin(record);
  for (const RecordedMove& move : record.moves) {
    text += writer.add(move);
  }
  if (record.ending) {
    text += writer.end(*record.ending);
  }
  return text;
}

}  // namespace kakehashi::shogi::record
