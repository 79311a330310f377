#include "shogi/record/kif_fields.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "shogi/notation/kif.hpp"
#include "shogi/record/csa_values.hpp"

namespace kakehashi::shogi::record {

namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

/// "15分", "2時間30分", "1分30秒"; "0秒" for none.
std::string duration_words(base::Millis time) {
  const auto seconds = time.count() / 1000;
  std::string text;
  text += seconds >= 3600 ? std::to_string(seconds / 3600) + "時間" : "";
  text += seconds / 60 % 60 != 0 ? std::to_string(seconds / 60 % 60) + "分" : "";
  const bool has_rest = seconds % 60 != 0 || time.count() % 1000 != 0 || text.empty();
  return text + (has_rest ? format_seconds(time - std::chrono::minutes{seconds / 60}) + "秒" : "");
}

/// For people: "15分、秒読み10秒", "5分、1手ごとに10秒加算".
std::string clock_words(const Clock& clock) {
  std::string text = duration_words(clock.total.value_or(base::Millis{0}));
  if (clock.byoyomi.count() > 0) {
    text += "、秒読み" + duration_words(clock.byoyomi);
  }
  if (clock.increment.count() > 0) {
    text += "、1手ごとに" + duration_words(clock.increment) + "加算";
  }
  return text;
}

void add(Fields& fields, const char* key, const std::string& value) {
  if (!value.empty()) {
    fields.emplace_back(key, base::one_line(value, base::OtherBytes::replace));
  }
}

void add_clocks(Fields& fields, const Record& record) {
  const auto& [black, white] = std::pair(record.black_clock, record.white_clock);
  if (black && black == white) {
    add(fields, "持ち時間", clock_words(*black));
  }
  if (black) {
    add(fields, "先手持ち時間", format_clock(*black));
  }
  if (white) {
    add(fields, "後手持ち時間", format_clock(*white));
  }
}

/// What another program wrote as 持ち時間: V3.0's "900+10+0", V2.2's "00:15+10". Words stay untold.
void read_time_limit(std::string_view value, Record& record) {
  auto clock = parse_clock(value);
  clock = clock ? clock : parse_limit(value);
  if (clock && !record.black_clock && !record.white_clock) {
    record.black_clock = record.white_clock = clock;
  }
}

}  // namespace

SideNames side_names(const Record& record) {
  const auto handicap = kif::handicap_name(record.start);
  return handicap && record.start.side_to_move() == Color::white ? SideNames{"下手", "上手"}
                                                                : SideNames{};
}

Fields kif_fields(const Record& record) {
  Fields fields;
  if (record.started) {
    add(fields, "開始日時", format_date(*record.started, record.utc_offset));
  }
  if (record.ended) {
    add(fields, "終了日時", format_date(*record.ended, record.utc_offset));
  }
  add(fields, "棋戦", record.event);
  add(fields, "場所", record.site);
  add_clocks(fields, record);
  if (record.max_moves) {
    add(fields, "最大手数", std::to_string(*record.max_moves));
  }
  add(fields, "持将棋", record.jishogi_rule);
  const SideNames names = side_names(record);
  add(fields, names.black, record.black_name);
  add(fields, names.white, record.white_name);
  return fields;
}

bool read_kif_field(std::string_view key, std::string_view value, Record& record) {
  if (key == "先手" || key == "下手") {
    record.black_name = value;
  } else if (key == "後手" || key == "上手") {
    record.white_name = value;
  } else if (key == "棋戦" || (key == "表題" && record.event.empty())) {
    record.event = value;
  } else if (key == "場所") {
    record.site = value;
  } else if (key == "開始日時" || (key == "対局日" && !record.started)) {
    record.started = parse_date(value, record.utc_offset);
  } else if (key == "終了日時") {
    record.ended = parse_date(value, record.utc_offset);
  } else if (key == "持ち時間") {
    read_time_limit(value, record);
  } else if (key == "先手持ち時間") {
    record.black_clock = parse_clock(value);
  } else if (key == "後手持ち時間") {
    record.white_clock = parse_clock(value);
  } else if (key == "最大手数") {
    read_field("MAX_MOVES:" + std::string(value), record);
  } else if (key == "持将棋") {
    record.jishogi_rule = value;
  } else {
    return false;
  }
  return true;
}

}  // namespace kakehashi::shogi::record
