#include "shogi/record/csa_writer.hpp"

#include <algorithm>
#include <cstdio>

#include "shogi/notation/csa.hpp"

namespace kakehashi::shogi::record {

namespace {

using base::Millis;

/// One line of foreign text: control bytes become spaces, and it has a bound.
std::string one_line(std::string_view text, std::size_t bytes_max = 1024) {
  std::string line(text.substr(0, bytes_max));
  std::replace_if(
      line.begin(), line.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
  return line;
}

std::string format_time(base::WallTime time, std::chrono::minutes utc_offset) {
  const auto local = std::chrono::floor<std::chrono::seconds>(time + utc_offset);
  const auto day = std::chrono::floor<std::chrono::days>(local);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(local - day);
  char text[40];
  std::snprintf(text, sizeof text, "%04d/%02u/%02u %02d:%02d:%02d", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text;
}

/// Seconds with up to three decimals, none when they are zero.
std::string format_seconds(Millis time) {
  std::string text = std::to_string(time.count() / 1000);
  if (const auto rest = time.count() % 1000; rest != 0) {
    text += "." + std::to_string(1000 + rest).substr(1);
    text.erase(text.find_last_not_of('0') + 1);
  }
  return text;
}

std::string format_consumed(Millis time, CsaVersion version) {
  return "T" + (version == CsaVersion::v3_0 ? format_seconds(time)
                                            : std::to_string(time.count() / 1000));
}

std::string format_clock_v3(const Clock& clock) {
  return format_seconds(clock.total.value_or(Millis{0})) + "+" + format_seconds(clock.byoyomi) +
         "+" + format_seconds(clock.increment);
}

/// "$TIME_LIMIT:HH:MM+SS": cannot say increments, which go into a comment.
std::string format_limit_v2(const Clock& clock) {
  const auto total_s = clock.total.value_or(Millis{0}).count() / 1000;
  const auto byoyomi_s = clock.byoyomi.count() / 1000;
  char text[64];
  std::snprintf(text, sizeof text, "%02lld:%02lld+%02lld",
                static_cast<long long>(total_s / 3600), static_cast<long long>(total_s / 60 % 60),
                static_cast<long long>(byoyomi_s));
  return text;
}

void add_clocks(const Record& record, CsaVersion version, std::string& text) {
  if (!record.black_clock || !record.white_clock) {
    return;
  }
  if (version == CsaVersion::v3_0) {
    if (record.black_clock == record.white_clock) {
      text += "$TIME:" + format_clock_v3(*record.black_clock) + "\n";
    } else {
      text += "$TIME+:" + format_clock_v3(*record.black_clock) + "\n";
      text += "$TIME-:" + format_clock_v3(*record.white_clock) + "\n";
    }
    return;
  }
  if (record.black_clock == record.white_clock &&
      record.black_clock->total.value_or(Millis{0}).count() % 60'000 == 0) {
    text += "$TIME_LIMIT:" + format_limit_v2(*record.black_clock) + "\n";
  }
}

/// What V2.2 has no field for, in the words that shogi-server uses.
void add_v2_comments(const Record& record, std::string& text) {
  if (record.max_moves) {
    text += "'Max_Moves:" + std::to_string(*record.max_moves) + "\n";
  }
  if (record.black_clock && record.black_clock->increment.count() > 0) {
    text += "'Increment:" + format_seconds(record.black_clock->increment) + "\n";
  }
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
  text += "N+" + one_line(record.black_name) + "\n";
  text += "N-" + one_line(record.white_name) + "\n";
  if (!record.event.empty()) {
    text += "$EVENT:" + one_line(record.event) + "\n";
  }
  if (!record.site.empty()) {
    text += "$SITE:" + one_line(record.site) + "\n";
  }
  if (record.started) {
    text += "$START_TIME:" + format_time(*record.started, record.utc_offset) + "\n";
  }
  if (record.ended) {
    text += "$END_TIME:" + format_time(*record.ended, record.utc_offset) + "\n";
  }
  add_clocks(record, version_, text);
  if (is_v3 && record.max_moves) {
    text += "$MAX_MOVES:" + std::to_string(*record.max_moves) + "\n";
  }
  if (is_v3 && !record.jishogi_rule.empty()) {
    text += "$JISHOGI:" + one_line(record.jishogi_rule) + "\n";
  }
  if (!is_v3) {
    add_v2_comments(record, text);
  }
  for (const std::string& comment : record.comments) {
    text += "'" + one_line(comment) + "\n";
  }
  text += csa::format_board(record.start);
  text += csa::sign(record.start.side_to_move());
  return text + "\n";
}

std::string CsaWriter::add(const RecordedMove& move) {
  std::string text = csa::format_move(position_, move.move) + "\n";
  if (move.consumed) {
    text += format_consumed(*move.consumed, version_) + "\n";
  }
  if (move.evaluation) {
    const Evaluation& evaluation = *move.evaluation;
    text += "'** " + std::to_string(evaluation.score);
    for (const std::string& pv : evaluation.pv) {
      text += " " + pv;
    }
    if (version_ == CsaVersion::v3_0 && evaluation.nodes) {
      text += " #" + std::to_string(*evaluation.nodes);
    }
    text += "\n";
  }
  for (const std::string& comment : move.comments) {
    text += "'" + one_line(comment) + "\n";
  }
  position_.play(move.move);
  return text;
}

std::string CsaWriter::end(const Ending& ending) const {
  std::string text = std::string(csa_word(ending.kind, version_)) + "\n";
  if (ending.consumed) {
    text += format_consumed(*ending.consumed, version_) + "\n";
  }
  return text;
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
