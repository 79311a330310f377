#include "games/archived_game.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "shogi/record/csa.hpp"
#include "shogi/record/json.hpp"

namespace kakehashi::games {

namespace {

using shogi::Color;
using shogi::record::Clock;
using shogi::record::EndingKind;
using shogi::record::format_seconds;
using shogi::record::Record;

std::string clean(std::string_view text) {
  return base::one_line(text, base::OtherBytes::replace);
}

/// The end of the year 9999, which is as far as dates go.
constexpr std::int64_t instant_max_ms = 253'402'300'799'999;
/// Thirty years in milliseconds: of moves and searches there are fewer.
constexpr std::int64_t amount_max = 1'000'000'000'000;

std::string clock_text(const std::optional<Clock>& clock) {
  if (!clock) {
    return "untimed";
  }
  const std::string total = format_seconds(clock->total.value_or(base::Millis{0}));
  if (clock->increment.count() > 0) {
    return total + "+" + format_seconds(clock->increment) + "F";
  }
  return total + "-" + format_seconds(clock->byoyomi);
}

std::int64_t since_epoch(const std::optional<base::WallTime>& at) {
  return at ? at->time_since_epoch().count() : 0;
}

/// What a record itself tells, from the side of `us`.
ArchivedRecord read_off(const Record& record, Color us) {
  ArchivedRecord archived;
  ArchivedGame& game = archived.game;
  const bool is_black = us == Color::black;
  game.game_id = clean(record.event);
  game.us = clean(is_black ? record.black_name : record.white_name);
  game.opponent = clean(is_black ? record.white_name : record.black_name);
  game.is_black = is_black;
  game.clock = clock_text(is_black ? record.black_clock : record.white_clock);
  game.started_ms = since_epoch(record.started);
  game.ended_ms = record.ended ? since_epoch(record.ended) : game.started_ms;
  game.plies = static_cast<std::int64_t>(record.moves.size());
  Color mover = record.start.side_to_move();
  for (const shogi::record::RecordedMove& move : record.moves) {
    (mover == us ? game.our_time_ms : game.their_time_ms) +=
        move.consumed.value_or(base::Millis{0}).count();
    mover = shogi::opposite(mover);
  }
  archived.jsonl = shogi::record::write_jsonl(record);
  return archived;
}

/// Who lost by an ending that stands behind the last move; `mover` was to move then.
struct Verdict {
  std::optional<Color> winner;
  const char* reason;
  bool is_decided;
};

Verdict verdict_of(EndingKind kind, Color mover) {
  const Color other = shogi::opposite(mover);
  switch (kind) {
    case EndingKind::toryo: return {other, "#RESIGN", true};
    case EndingKind::time_up: return {other, "#TIME_UP", true};
    case EndingKind::tsumi: return {other, "#TSUMI", true};
    case EndingKind::illegal_move: return {other, "#ILLEGAL_MOVE", true};
    case EndingKind::kachi: return {mover, "#JISHOGI", true};
    case EndingKind::illegal_action_by_black: return {Color::white, "#ILLEGAL_ACTION", true};
    case EndingKind::illegal_action_by_white: return {Color::black, "#ILLEGAL_ACTION", true};
    case EndingKind::sennichite: return {std::nullopt, "#SENNICHITE", true};
    case EndingKind::jishogi: return {std::nullopt, "#JISHOGI", true};
    case EndingKind::max_moves: return {std::nullopt, "#MAX_MOVES", true};
    case EndingKind::hikiwake: return {std::nullopt, "#MAX_MOVES", true};
    case EndingKind::chudan: return {std::nullopt, "#CHUDAN", false};
    case EndingKind::fuzumi: return {std::nullopt, "", false};
    case EndingKind::error: return {std::nullopt, "#ABNORMAL", false};
  }
  return {std::nullopt, "", false};
}

std::string outcome_word(csa::Outcome outcome) {
  return outcome == csa::Outcome::none ? "none" : csa::describe(outcome);
}

/// "wdoor+floodgate-300-10F+a+b+20260102030405": the game name, and the date of the directory.
struct IdParts {
  std::string game_name;
  std::string date;  ///< eight digits; empty: the id is no shogi-server's
};

IdParts parts_of(const std::string& game_id) {
  const auto parts = base::split(game_id, '+');
  if (parts.size() < 5) {
    return {};
  }
  const std::string_view stamp = parts.back();
  const bool is_stamp = stamp.size() == 14 && std::all_of(stamp.begin(), stamp.end(), [](char c) {
                          return c >= '0' && c <= '9';
                        });
  return {std::string(parts[1]), is_stamp ? std::string(stamp.substr(0, 8)) : ""};
}

/// All that a URL's path takes as it stands, shogi-server's own spelling of ids included.
std::string percent_encoded(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                          (c >= 'a' && c <= 'z') || c == '-' || c == '_' || c == '.';
    encoded += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

}  // namespace

ArchivedGame as_we_write(ArchivedGame stored) {
  for (std::string* text : {&stored.bot, &stored.server, &stored.game_name, &stored.game_id, &stored.us, &stored.opponent,
                            &stored.engine, &stored.clock, &stored.outcome, &stored.reason, &stored.record_path}) {
    *text = clean(*text);
  }
  std::string causes;
  for (const std::string_view cause : base::split(stored.rescue_causes, '\n')) {
    causes += (causes.empty() ? "" : "\n") + clean(cause);
  }
  stored.rescue_causes = std::move(causes);
  for (std::int64_t* instant : {&stored.started_ms, &stored.ended_ms}) {
    *instant = std::clamp<std::int64_t>(*instant, 0, instant_max_ms);
  }
  const auto bound = [](std::int64_t& amount) { amount = std::clamp(amount, -amount_max, amount_max); };
  for (std::int64_t* amount : {&stored.plies, &stored.our_time_ms, &stored.their_time_ms, &stored.rescues,
                               &stored.ponder_searches, &stored.ponder_hits, &stored.ponder_gained_ms}) {
    bound(*amount);
  }
  if (stored.time) {
    TimeUse& time = *stored.time;
    for (std::int64_t* amount : {&time.granted_ms, &time.had_ms, &time.used_ms, &time.charged_ms, &time.lost_ms}) {
      bound(*amount);
    }
  }
  for (MemberUse& member : stored.members) {
    member.name = clean(member.name);
    for (std::int64_t* amount : {&member.moves, &member.ponder_searches, &member.ponder_hits, &member.ponder_gained_ms}) {
      bound(*amount);
    }
  }
  return stored;
}

base::Result<Record> record_in(const ArchivedRecord& archived) {
  auto records = shogi::record::read_jsonl(archived.jsonl);
  if (!records) {
    return base::fail(records.error().what);
  }
  return records->empty() ? base::Result<Record>(base::fail(base::say("it is empty"))) : std::move(records->front());
}

ArchivedRecord archived(const bridge::FinishedGame& finished, const std::string& record_path) {
  ArchivedRecord archived = read_off(finished.record, finished.our_color);
  ArchivedGame& game = archived.game;
  game.bot = clean(finished.bot);
  game.server = clean(finished.server);
  game.game_name = clean(finished.game_name);
  game.engine = clean(finished.engine);
  game.outcome = outcome_word(finished.end.outcome);
  game.reason = clean(finished.end.reason.empty() ? finished.end.result : finished.end.reason);
  game.ponder_searches = finished.ponder.searches;
  game.ponder_hits = finished.ponder.hits;
  game.ponder_gained_ms = finished.ponder.gained.count();
  for (const bridge::ViewedMember& member : finished.members) {
    game.members.push_back({clean(member.name), member.moves, member.ponder.searches, member.ponder.hits,
                            member.ponder.gained.count()});
  }
  game.rescues = static_cast<std::int64_t>(finished.rescues.size());
  for (const bridge::RescueMove& rescue : finished.rescues) {
    game.rescue_causes += (game.rescue_causes.empty() ? "" : "\n") + std::string("move ") +
                          std::to_string(rescue.ply) + ": " + clean(rescue.why.english());
  }
  game.record_path = clean(record_path);
  if (const bridge::TimeStatistics& time = finished.time; time.moves > 0) {
    game.time = TimeUse{time.granted.count(), time.had().count(), time.used.count(),
                        time.charged.count(), time.lost.count()};
  }
  return archived;
}

std::optional<ArchivedRecord> imported(const Record& record, const std::string& us,
                                       const std::string& path) {
  if (record.black_name != us && record.white_name != us) {
    return std::nullopt;
  }
  const Color side = record.black_name == us ? Color::black : Color::white;
  ArchivedRecord archived = read_off(record, side);
  ArchivedGame& game = archived.game;
  game.bot = clean(us);
  if (!record.black_clock && !record.white_clock) {
    game.clock = "unknown";  // a record need not tell
  }
  game.game_name = clean(parts_of(game.game_id).game_name);
  game.record_path = clean(path);
  const shogi::record::Ending ending = record.ending.value_or(shogi::record::Ending{});
  const bool is_even = record.moves.size() % 2 == 0;
  const Color start = record.start.side_to_move();
  const Verdict verdict = verdict_of(ending.kind, is_even ? start : shogi::opposite(start));
  game.outcome = !verdict.is_decided   ? "none"
                 : !verdict.winner     ? "draw"
                 : verdict.winner == side ? "win"
                                       : "lose";
  game.reason = ending.reason.empty() ? verdict.reason : clean(ending.reason);
  return archived;
}

std::string floodgate_link(const ArchivedGame& game) {
  const IdParts parts = parts_of(game.game_id);
  const bool is_floodgate = game.server.starts_with("wdoor.c.u-tokyo.ac.jp:") ||
                            (game.server.empty() && game.game_id.starts_with("wdoor+floodgate-"));
  if (!is_floodgate || parts.date.empty()) {
    return "";
  }
  return "http://wdoor.c.u-tokyo.ac.jp/shogi/view/" + parts.date.substr(0, 4) + "/" +
         parts.date.substr(4, 2) + "/" + parts.date.substr(6, 2) + "/" +
         percent_encoded(game.game_id) + ".csa";
}

}  // namespace kakehashi::games
