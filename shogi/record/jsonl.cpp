#include "shogi/record/jsonl.hpp"

#include <boost/json.hpp>

#include <utility>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/usi.hpp"
#include "shogi/record/csa_writer.hpp"
#include "shogi/record/ending.hpp"
#include "shogi/record/game_builder.hpp"
#include "shogi/record/json_text.hpp"
#include "shogi/record/search_comment.hpp"

namespace kakehashi::shogi::record {

// --- reading

namespace {

namespace json = boost::json;
using base::fail;
using base::Millis;
using Trouble = GameBuilder::Trouble;

constexpr std::int64_t millis_max = 1'000'000'000'000'000;

std::optional<std::int64_t> bounded(const json::value* object, std::string_view name) {
  const auto value = whole_member(object, name);
  return value && *value <= millis_max && *value >= -millis_max ? value : std::nullopt;
}

std::optional<Millis> millis(const json::value* object, std::string_view name) {
  const auto value = bounded(object, name);
  return value && *value >= 0 ? std::optional(Millis{*value}) : std::nullopt;
}

std::optional<base::WallTime> instant(const json::value* object, std::string_view name) {
  const auto value = bounded(object, name);
  return value ? std::optional(base::WallTime(Millis{*value})) : std::nullopt;
}

std::optional<Clock> clock_of(const json::value* object) {
  if (object == nullptr) {
    return std::nullopt;
  }
  return Clock{millis(object, "total_ms"), millis(object, "byoyomi_ms").value_or(Millis{0}),
               millis(object, "increment_ms").value_or(Millis{0})};
}

std::vector<std::string> comments_of(const json::value& object) {
  std::vector<std::string> lines;
  const json::value* comments = member(&object, "comments");
  if (comments != nullptr && comments->is_array()) {
    for (const json::value& line : comments->get_array()) {
      if (line.is_string()) {
        lines.emplace_back(line.get_string().data(), line.get_string().size());
      }
    }
  }
  return lines;
}

std::optional<Evaluation> evaluation_of(const json::value& object, Position position) {
  const auto score = whole_member(&object, "score");
  if (!score) {
    return std::nullopt;
  }
  Evaluation evaluation;
  evaluation.score = *score;
  const auto bound = text_member(&object, "bound").value_or("exact");
  evaluation.bound =
      bound == "lower" ? Bound::lower : bound == "upper" ? Bound::upper : Bound::exact;
  evaluation.mate = whole_member(&object, "mate");
  evaluation.depth = whole_member(&object, "depth");
  evaluation.seldepth = whole_member(&object, "seldepth");
  evaluation.nodes = whole_member(&object, "nodes");
  evaluation.nps = whole_member(&object, "nps");
  evaluation.hashfull = whole_member(&object, "hashfull");
  const json::value* pv = member(&object, "pv");
  if (pv == nullptr || !pv->is_array()) {
    return evaluation;
  }
  for (const json::value& word : pv->get_array()) {
    const auto move = word.is_string()
                          ? usi::parse_move({word.get_string().data(), word.get_string().size()})
                          : base::Result<Move>(fail("no text"));
    if (!move || !is_legal(position, *move)) {
      break;
    }
    evaluation.pv.push_back(csa::format_move(position, *move));
    position.play(*move);
  }
  return evaluation;
}

class Reader {
 public:
  [[nodiscard]] Trouble take_line(std::string_view line, std::size_t number) {
    const std::string place = "line " + std::to_string(number);
    const auto parsed = parse_json(line, number);
    if (!parsed) {
      return parsed.error().what;
    }
    const json::value& object = *parsed;
    const auto type = text_member(&object, "type").value_or("");
    if (type == "head") {
      if (auto trouble = finish_game()) {
        return trouble;
      }
      game_.emplace(std::chrono::minutes{bounded(&object, "utc_offset_min").value_or(0) % 1440});
      game_->set_place(place);
      return take_head(object);
    }
    if (!game_) {
      return place + ": the first line of a game is its head, with \"type\":\"head\"";
    }
    game_->set_place(place);
    if (type == "move") {
      return take_move(object);
    }
    if (type == "end") {
      return take_end(object);
    }
    return place + ": the type is head, move or end, not " + base::quote_for_log(type, 40);
  }

  [[nodiscard]] Trouble finish_game() {
    if (!game_) {
      return std::nullopt;
    }
    auto record = game_->finish();
    game_.reset();
    if (!record) {
      return record.error().what;
    }
    records_.push_back(std::move(*record));
    return std::nullopt;
  }

  [[nodiscard]] std::vector<Record> take() { return std::move(records_); }

 private:
  Trouble take_head(const json::value& object) {
    Record& record = game_->record();
    record.event = text_member(&object, "game_id").value_or("");
    record.site = text_member(&object, "site").value_or("");
    record.black_name = text_member(&object, "black").value_or("");
    record.white_name = text_member(&object, "white").value_or("");
    record.started = instant(&object, "started_ms");
    record.black_clock = clock_of(member(&object, "black_clock"));
    record.white_clock = clock_of(member(&object, "white_clock"));
    if (const auto plies = whole_member(&object, "max_moves");
        plies && *plies > 0 && *plies < 1'000'000) {
      record.max_moves = static_cast<int>(*plies);
    }
    record.jishogi_rule = text_member(&object, "declaration").value_or("");
    record.comments = comments_of(object);
    const auto sfen = text_member(&object, "sfen");
    return game_->start(sfen ? usi::parse_sfen(*sfen) : Position::startpos());
  }

  Trouble take_move(const json::value& object) {
    const auto ply = whole_member(&object, "ply");
    if (ply && *ply != static_cast<std::int64_t>(game_->next_ply())) {
      return game_->at_place("ply " + std::to_string(*ply) + " stands where ply " +
                             std::to_string(game_->next_ply()) + " is due");
    }
    const auto text = text_member(&object, "usi");
    if (!text) {
      return game_->at_place("the move's usi is missing");
    }
    const std::size_t played = game_->record().moves.size();
    if (auto trouble = game_->play(usi::parse_move(*text), *text)) {
      return trouble;
    }
    if (const auto time = millis(&object, "t_ms")) {
      game_->set_consumed(*time);
    }
    if (game_->record().moves.size() == played) {
      return std::nullopt;  // refused: only a foul may follow
    }
    RecordedMove& move = game_->record().moves.back();
    move.elapsed = millis(&object, "elapsed_ms");
    move.link_delay = millis(&object, "link_ms");
    const auto ponder = text_member(&object, "ponder").value_or("");
    move.ponder_hit = ponder.empty() ? std::nullopt : std::optional(ponder == "hit");
    move.evaluation = evaluation_of(object, game_->reached());
    move.comments = comments_of(object);
    return std::nullopt;
  }

  Trouble take_end(const json::value& object) {
    const auto plies = whole_member(&object, "plies");
    if (plies && *plies + 1 != static_cast<std::int64_t>(game_->next_ply())) {
      return game_->at_place("the end comes after " + std::to_string(*plies) +
                             " moves, but there are " + std::to_string(game_->next_ply() - 1));
    }
    const auto word = text_member(&object, "ending").value_or("");
    const auto kind = ending_of_special_move(word);
    if (!kind) {
      return game_->at_place(base::quote_for_log(word, 40) + " is no known ending");
    }
    if (auto trouble = game_->end(*kind)) {
      return trouble;
    }
    Ending& ending = *game_->record().ending;
    ending.reason = text_member(&object, "reason").value_or("");
    if (const auto time = millis(&object, "t_ms")) {
      ending.consumed = time;
    }
    for (std::string& line : comments_of(object)) {
      ending.comments.push_back(std::move(line));
    }
    game_->record().ended = instant(&object, "ended_ms");
    return std::nullopt;
  }

  std::optional<GameBuilder> game_;
  std::vector<Record> records_;
};

}  // namespace

base::Result<std::vector<Record>> read_jsonl(std::string_view text) {
  Reader reader;
  std::size_t number = 0;
  for (const std::string_view line : base::split(text, '\n')) {
    ++number;
    if (base::trim(line).empty()) {
      continue;
    }
    if (auto trouble = reader.take_line(line, number)) {
      return fail(std::move(*trouble));
    }
  }
  if (auto trouble = reader.finish_game()) {
    return fail(std::move(*trouble));
  }
  return reader.take();
}

// --- writing

namespace {

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
