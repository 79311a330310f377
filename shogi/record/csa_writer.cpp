#include "shogi/record/csa_writer.hpp"

#include <string_view>

#include "base/utf8.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/record/csa_values.hpp"

namespace kakehashi::shogi::record {

namespace {

using base::Millis;

std::string clean(std::string_view text, CsaVersion version) {
  return base::one_line(text, version == CsaVersion::v3_0 ? base::OtherBytes::replace : base::OtherBytes::keep);
}

std::string comment_lines(const std::vector<std::string>& comments, CsaVersion version) {
  std::string lines;
  for (const std::string& comment : comments) {
    lines += "'" + clean(comment, version) + "\n";
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

CommentStyle style_of(CommentStyle style, CsaVersion version) {
  if (style != CommentStyle::automatic) {
    return style;
  }
  return version == CsaVersion::v3_0 ? CommentStyle::csa3 : CommentStyle::floodgate;
}

/// Two kinds of foul have one special move, and so has what no special move tells: the server's word tells
/// them apart.
bool needs_reason(const Ending& ending) {
  const std::string_view reason = ending.reason;
  return !reason.empty() && (ending.kind == EndingKind::illegal_action_by_black ||
                             ending.kind == EndingKind::illegal_action_by_white ||
                             (ending.kind == EndingKind::chudan && reason.starts_with('#') && reason != "#CHUDAN"));
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
  text += "N+" + clean(record.black_name, version_) + "\n";
  text += "N-" + clean(record.white_name, version_) + "\n";
  if (!record.event.empty()) {
    text += "$EVENT:" + clean(record.event, version_) + "\n";
  }
  if (!record.site.empty()) {
    text += "$SITE:" + clean(record.site, version_) + "\n";
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
    text += "$JISHOGI:" + clean(record.jishogi_rule, version_) + "\n";
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
  position_.play(move.move);
  if (move.evaluation) {
    const CommentStyle style = style_of(comments_, version_);
    for (const std::string& line :
         search_comment(style, *move.evaluation, position_, move.move.to())) {
      text += "'*" + clean(line, version_) + "\n";
    }
  }
  return text + comment_lines(move.comments, version_);
}

std::string CsaWriter::end(const Ending& ending) const {
  return std::string(csa_word(ending.kind, version_)) + "\n" +
         consumed_line(ending.consumed, version_) +
         (needs_reason(ending) ? "'" + clean(ending.reason, version_) + "\n" : "") +
         comment_lines(ending.comments, version_);
}

std::string CsaWriter::whole(const Record& record, CsaVersion version, CommentStyle comments) {
  CsaWriter writer(version, comments);
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
