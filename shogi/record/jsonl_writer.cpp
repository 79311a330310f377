// The writing side of jsonl.hpp.
#include <boost/json.hpp>

#include "base/utf8.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/usi.hpp"
#include "shogi/record/csa_writer.hpp"
#include "shogi/record/jsonl.hpp"
#include "shogi/record/search_comment.hpp"

namespace kakehashi::shogi::record {

namespace {

namespace json = boost::json;

std::string clean(std::string_view text) { return base::one_line(text, base::OtherBytes::replace); }

void add_text(json::object& object, const char* name, std::string_view text) {
  if (!text.empty()) {
    object[name] = clean(text);
  }
}

void add_number(json::object& object, const char* name, std::optional<std::int64_t> value) {
  if (value) {
    object[name] = *value;
  }
}

void add_millis(json::object& object, const char* name, std::optional<base::Millis> time) {
  if (time) {
    object[name] = time->count();
  }
}

void add_time(json::object& object, const char* name, std::optional<base::WallTime> time) {
  if (time) {
    object[name] = time->time_since_epoch().count();
  }
}

void add_clock(json::object& object, const char* name, const std::optional<Clock>& clock) {
  if (clock) {
    json::object value;
    add_millis(value, "total_ms", clock->total);
    value["byoyomi_ms"] = clock->byoyomi.count();
    value["increment_ms"] = clock->increment.count();
    object[name] = std::move(value);
  }
}

void add_comments(json::object& object, const std::vector<std::string>& comments) {
  if (!comments.empty()) {
    json::array lines;
    for (const std::string& comment : comments) {
      lines.push_back(json::string(clean(comment)));
    }
    object["comments"] = std::move(lines);
  }
}

json::object head(const Record& record) {
  json::object object{{"type", "head"}, {"version", 1}};
  add_text(object, "game_id", record.event);
  add_text(object, "site", record.site);
  add_text(object, "black", record.black_name);
  add_text(object, "white", record.white_name);
  add_time(object, "started_ms", record.started);
  object["utc_offset_min"] = record.utc_offset.count();
  add_clock(object, "black_clock", record.black_clock);
  add_clock(object, "white_clock", record.white_clock);
  add_number(object, "max_moves", record.max_moves);
  add_text(object, "declaration", record.jishogi_rule);
  object["sfen"] = usi::format_sfen(record.start);
  add_comments(object, record.comments);
  return object;
}

const char* bound_word(Bound bound) {
  switch (bound) {
    case Bound::exact: return "exact";
    case Bound::lower: return "lower";
    case Bound::upper: return "upper";
  }
  return "exact";
}

void add_evaluation(json::object& object, const Evaluation& evaluation, const Position& reached) {
  object["score"] = evaluation.score;
  object["bound"] = bound_word(evaluation.bound);
  add_number(object, "mate", evaluation.mate);
  add_number(object, "depth", evaluation.depth);
  add_number(object, "seldepth", evaluation.seldepth);
  add_number(object, "nodes", evaluation.nodes);
  add_number(object, "nps", evaluation.nps);
  add_number(object, "hashfull", evaluation.hashfull);
  json::array pv;
  for (const Move& move : playable(evaluation.pv, reached)) {
    pv.push_back(json::string(usi::format_move(move)));
  }
  if (!pv.empty()) {
    object["pv"] = std::move(pv);
  }
}

}  // namespace

std::string JsonlWriter::begin(const Record& record) {
  position_ = record.start;
  ply_ = 0;
  std::string text = json::serialize(head(record)) + "\n";
  for (const RecordedMove& move : record.moves) {
    text += add(move);
  }
  return text;
}

std::string JsonlWriter::add(const RecordedMove& move) {
  json::object object{{"type", "move"},
                      {"ply", ++ply_},
                      {"usi", usi::format_move(move.move)},
                      {"csa", csa::format_move(position_, move.move)}};
  position_.play(move.move);
  add_millis(object, "t_ms", move.consumed);
  add_millis(object, "elapsed_ms", move.elapsed);
  add_millis(object, "link_ms", move.link_delay);
  if (move.ponder_hit) {
    object["ponder"] = *move.ponder_hit ? "hit" : "miss";
  }
  if (move.evaluation) {
    add_evaluation(object, *move.evaluation, position_);
  }
  add_comments(object, move.comments);
  return json::serialize(object) + "\n";
}

std::string JsonlWriter::end(const Record& record) const {
  if (!record.ending) {
    return "";
  }
  json::object object{{"type", "end"},
                      {"plies", ply_},
                      {"ending", csa_word(record.ending->kind, CsaVersion::v3_0)}};
  add_text(object, "reason", record.ending->reason);
  add_millis(object, "t_ms", record.ending->consumed);
  add_time(object, "ended_ms", record.ended);
  add_comments(object, record.ending->comments);
  return json::serialize(object) + "\n";
}

std::string write_jsonl(const Record& record) {
  JsonlWriter writer;
  const std::string moves = writer.begin(record);
  return moves + writer.end(record);
}

}  // namespace kakehashi::shogi::record
