#include "shogi/record/json.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/kif.hpp"
#include "shogi/notation/usi.hpp"
#include "shogi/record/ending.hpp"
#include "shogi/record/game_builder.hpp"
#include "shogi/record/kif.hpp"
#include "shogi/record/search_comment.hpp"

namespace kakehashi::shogi::record {

namespace {

namespace json = boost::json;
using base::fail;
using base::Millis;
using base::Result;
using base::say;
using Trouble = GameBuilder::Trouble;

// --- foreign JSON, taken apart: members that are there or not

/// At most 32 levels deep. `first_line` is the number of the text's first line.
Result<json::value> parse_json(std::string_view text, std::size_t first_line = 1) {
  json::parse_options options;
  options.max_depth = 32;
  json::stream_parser parser({}, options);
  boost::system::error_code error;
  const std::size_t taken = parser.write_some(text.data(), text.size(), error);
  const std::string_view rest = text.substr(std::min(taken, text.size()));
  const bool has_more = rest.find_first_not_of(" \t\r\n") != std::string_view::npos;
  if (!error) {
    parser.finish(error);
  }
  if (!error && !has_more) {
    return parser.release();
  }
  const auto lines = std::count(text.begin(), text.end() - static_cast<long>(rest.size()), '\n');
  return fail(say("line {}: this is no JSON: {}", first_line + static_cast<std::size_t>(lines),
                  error ? base::verbatim(error.message()) : say("something follows the first value")),
              taken);
}

/// The member of that name; nullptr when there is none, it is null, or this is no object.
const json::value* member(const json::value* object, std::string_view name) {
  if (object == nullptr || !object->is_object()) {
    return nullptr;
  }
  const json::value* found = object->get_object().if_contains({name.data(), name.size()});
  return found != nullptr && found->is_null() ? nullptr : found;
}

/// Nothing when it is absent or of another kind.
std::optional<std::string> text_member(const json::value* object, std::string_view name) {
  const json::value* found = member(object, name);
  if (found == nullptr || !found->is_string()) {
    return std::nullopt;
  }
  const json::string& text = found->get_string();
  return std::string(text.data(), text.size());
}

std::optional<std::int64_t> whole_member(const json::value* object, std::string_view name) {
  const json::value* found = member(object, name);
  return found != nullptr && found->is_int64() ? std::optional(found->get_int64()) : std::nullopt;
}

bool is_true(const json::value* object, std::string_view name) {
  const json::value* found = member(object, name);
  return found != nullptr && found->is_bool() && found->get_bool();
}

// --- what both formats have

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

std::string clean(std::string_view text) { return base::one_line(text, base::OtherBytes::replace); }

void add_comments(json::object& object, const std::vector<std::string>& comments) {
  if (!comments.empty()) {
    json::array lines;
    for (const std::string& comment : comments) {
      lines.push_back(json::string(clean(comment)));
    }
    object["comments"] = std::move(lines);
  }
}

// --- JKF: reading

std::optional<Square> square_of(const json::value* place) {
  const auto file = whole_member(place, "x");
  const auto rank = whole_member(place, "y");
  if (!file || !rank || *file < 1 || *file > 9 || *rank < 1 || *rank > 9) {
    return std::nullopt;
  }
  return Square(static_cast<int>(*file), static_cast<int>(*rank));
}

std::optional<PieceKind> kind_of(const json::value* object, std::string_view name) {
  const auto code = text_member(object, name);
  return code ? shogi::csa::piece_from_code(*code) : std::nullopt;
}

Color color_of(const json::value* object) {
  return whole_member(object, "color") == 1 ? Color::white : Color::black;
}

std::optional<base::Message> put_board(const json::value* board, Position& position) {
  if (board == nullptr || !board->is_array() || board->get_array().size() != 9) {
    return say("initial: the board has nine files");
  }
  int file = 0;
  for (const json::value& column : board->get_array()) {
    ++file;
    if (!column.is_array() || column.get_array().size() != 9) {
      return say("initial: each file of the board has nine squares");
    }
    int rank = 0;
    for (const json::value& square : column.get_array()) {
      ++rank;
      if (member(&square, "kind") == nullptr) {
        continue;
      }
      const auto kind = kind_of(&square, "kind");
      if (!kind) {
        return say("initial: unknown piece on the board");
      }
      position.put(Square(file, rank), {color_of(&square), *kind});
    }
  }
  return std::nullopt;
}

std::optional<base::Message> put_hand(const json::value& hand, Color color, Position& position) {
  if (!hand.is_object()) {
    return say("initial: a hand is an object");
  }
  for (const auto& [code, count] : hand.get_object()) {
    if (!count.is_int64() || count.get_int64() == 0) {
      continue;
    }
    const auto kind = shogi::csa::piece_from_code({code.data(), code.size()});
    if (!kind || !can_be_in_hand(*kind) || count.get_int64() < 0 ||
        count.get_int64() > pieces_in_set(*kind)) {
      return say("initial: impossible hand");
    }
    position.set_hand(color, *kind, static_cast<int>(count.get_int64()));
  }
  return std::nullopt;
}

Result<Position> initial_position(const json::value* initial) {
  if (initial == nullptr) {
    return Position::startpos();
  }
  const auto preset = text_member(initial, "preset").value_or("OTHER");
  if (preset != "OTHER") {
    const auto found = std::ranges::find(shogi::kif::handicaps, preset, &shogi::kif::Handicap::jkf);
    return found != shogi::kif::handicaps.end() ? Result<Position>(shogi::kif::start_of(*found))
                                                : fail(say("initial: unknown preset {}", base::quoted(preset, 40)));
  }
  const json::value* data = member(initial, "data");
  Position position;
  if (auto why = put_board(member(data, "board"), position)) {
    return fail(std::move(*why));
  }
  const json::value* hands = member(data, "hands");
  if (hands == nullptr || !hands->is_array() || hands->get_array().size() != 2) {
    return fail(say("initial: there are two hands"));
  }
  for (const Color color : {Color::black, Color::white}) {
    const auto& hand = hands->get_array()[color == Color::black ? 0 : 1];
    if (auto why = put_hand(hand, color, position)) {
      return fail(std::move(*why));
    }
  }
  position.set_side_to_move(color_of(data));
  if (auto why = impossible_because(position)) {
    return fail(say("initial: {}", std::move(*why)));
  }
  return position;
}

/// What the object says, in KI2's words: its reader knows how to tell pieces apart.
Result<Move> move_from_words(const json::value* move, Square to, const Position& position) {
  static constexpr std::pair<char, std::string_view> words[]{{'L', "左"}, {'C', "直"}, {'R', "右"},
                                                             {'U', "上"}, {'M', "寄"}, {'D', "引"},
                                                             {'H', "打"}};
  const auto kind = kind_of(move, "piece");
  if (!kind) {
    return fail(say("unknown piece"));
  }
  std::string text = std::string("同") + shogi::kif::piece_name(*kind);
  for (const char letter : text_member(move, "relative").value_or("")) {
    for (const auto& [known, word] : words) {
      text += known == letter ? word : "";
    }
  }
  text += is_true(move, "promote") ? "成" : "";
  return ki2::parse_move(position, text, to);
}

Result<Move> move_of(const json::value* move, const Position& position,
                     std::optional<Square> last) {
  const auto told = square_of(member(move, "to"));
  const auto to = told ? told : is_true(move, "same") ? last : std::nullopt;
  if (!to) {
    return fail(say("the target is no square"));
  }
  if (const json::value* from = member(move, "from")) {
    const auto source = square_of(from);
    const auto piece = source ? position.at(*source) : std::nullopt;
    if (!piece) {
      return fail(say("no piece stands on the source"));
    }
    const auto kind = kind_of(move, "piece");
    if (kind && *kind != piece->kind) {
      return fail(say("another piece stands on the source"));
    }
    return Move::board(*source, *to, is_true(move, "promote"));
  }
  if (member(move, "relative") == nullptr) {
    // Normalised: without a source it is a drop. Otherwise words may still find the piece.
    const auto kind = kind_of(move, "piece");
    if (kind && can_be_in_hand(*kind) && position.hand(position.side_to_move(), *kind) > 0 &&
        !position.at(*to)) {
      return Move::drop(*kind, *to);
    }
  }
  return move_from_words(move, *to, position);
}

std::optional<base::Millis> time_of(const json::value* entry) {
  const json::value* now = member(member(entry, "time"), "now");
  const auto minutes = whole_member(now, "m");
  const auto seconds = whole_member(now, "s");
  const auto hours = whole_member(now, "h").value_or(0);
  const auto is_fine = [](std::int64_t value) { return value >= 0 && value < 100'000; };
  if (!minutes || !seconds || !is_fine(*minutes) || !is_fine(*seconds) || !is_fine(hours)) {
    return std::nullopt;
  }
  return base::Millis{((hours * 60 + *minutes) * 60 + *seconds) * 1000};
}

/// "TORYO", "+ILLEGAL_ACTION": CSA's words without their "%".
std::optional<EndingKind> ending_of_special(const std::string& special, Color mover) {
  if (special == "ILLEGAL_ACTION") {  // not normalised: by the side that moved last
    return mover == Color::black ? EndingKind::illegal_action_by_white
                                 : EndingKind::illegal_action_by_black;
  }
  return ending_of_special_move("%" + special);
}

class JkfReader {
 public:
  explicit JkfReader(std::chrono::minutes utc_offset) : game_(utc_offset) {}

  Result<Record> read(const json::value& root) {
    const json::value* moves = member(&root, "moves");
    if (moves == nullptr || !moves->is_array()) {
      return fail(say("line {}: this JSON has no list of moves, so it is no JKF", 1));
    }
    if (const json::value* header = member(&root, "header"); header && header->is_object()) {
      for (const auto& [key, value] : header->get_object()) {
        if (value.is_string()) {
          const json::string& text = value.get_string();
          read_kif_field({key.data(), key.size()}, base::trim({text.data(), text.size()}),
                         game_.record());
        }
      }
    }
    game_.set_place(say("line {}", 1));
    if (auto trouble = game_.start(initial_position(member(&root, "initial")))) {
      return fail(std::move(*trouble));
    }
    std::size_t index = 0;
    for (const json::value& entry : moves->get_array()) {
      game_.set_place(base::verbatim("moves[" + std::to_string(index++) + "]"));
      if (auto trouble = take(entry)) {
        return fail(std::move(*trouble));
      }
    }
    return game_.finish();
  }

 private:
  Trouble take(const json::value& entry) {
    if (!entry.is_object()) {
      return game_.at_place(say("this is no object"));
    }
    if (const json::value* move = member(&entry, "move")) {
      const auto trouble =
          game_.play(move_of(move, game_.reached(), game_.last()), json::serialize(*move));
      if (trouble) {
        return trouble;
      }
    }
    if (const auto special = text_member(&entry, "special")) {
      if (auto trouble = game_.end_by(ending_of_special(*special, game_.turn_at_end()), *special)) {
        return trouble;
      }
    }
    // An ending that its writer had no word for leaves an entry with a time alone: it is no move's.
    const bool is_of_something = member(&entry, "move") || member(&entry, "special");
    if (const auto time = time_of(&entry); time && is_of_something) {
      game_.set_consumed(*time);
    }
    for (const std::string& comment : comments_of(entry)) {
      for (const std::string_view line : base::split(comment, '\n')) {  // one may hold several
        game_.add_comment(line);
      }
    }
    return std::nullopt;
  }

  GameBuilder game_;
};

}  // namespace

Result<Record> read_jkf(std::string_view text, std::chrono::minutes utc_offset) {
  const auto root = parse_json(base::without_byte_order_mark(text));
  if (!root) {
    return fail(root.error().what, root.error().column);
  }
  return JkfReader(utc_offset).read(*root);
}

// --- JKF: writing

namespace {

int number(Color color) { return color == Color::black ? 0 : 1; }

json::object place(Square square) { return {{"x", square.file()}, {"y", square.rank()}}; }

json::object board_data(const Position& position) {
  json::array board;
  for (int file = 1; file <= 9; ++file) {
    json::array column;
    for (int rank = 1; rank <= 9; ++rank) {
      json::object square;
      if (const auto piece = position.at(Square(file, rank))) {
        square = {{"color", number(piece->color)}, {"kind", shogi::csa::piece_code(piece->kind)}};
      }
      column.push_back(std::move(square));
    }
    board.push_back(std::move(column));
  }
  json::array hands;
  for (const Color color : {Color::black, Color::white}) {
    json::object hand;
    for (int i = 0; i < hand_kind_count; ++i) {
      const auto kind = static_cast<PieceKind>(i);
      hand[shogi::csa::piece_code(kind)] = position.hand(color, kind);
    }
    hands.push_back(std::move(hand));
  }
  return {{"color", number(position.side_to_move())},
          {"board", std::move(board)},
          {"hands", std::move(hands)}};
}

json::object initial(const Position& start) {
  if (const auto* const preset = known_handicap(start)) {
    return {{"preset", preset->jkf}};
  }
  return {{"preset", "OTHER"}, {"data", board_data(start)}};
}

json::object move_object(const Position& position, const Move& move, std::optional<Square> last) {
  const Color color = position.side_to_move();
  json::object object{{"color", number(color)}};
  PieceKind kind = PieceKind::pawn;
  if (move.is_drop()) {
    kind = move.dropped();
  } else {
    kind = position.at(move.from())->kind;
    object["from"] = place(move.from());
  }
  object["to"] = place(move.to());
  object["piece"] = shogi::csa::piece_code(kind);
  if (last == move.to()) {
    object["same"] = true;
  }
  if (!move.is_drop() && promoted(kind) &&
      (relative_rank(move.from(), color) <= 3 || relative_rank(move.to(), color) <= 3)) {
    object["promote"] = move.promotes();
  }
  if (const auto taken = position.at(move.to())) {
    object["capture"] = shogi::csa::piece_code(taken->kind);
  }
  if (const std::string relative = ki2::relative(position, move); !relative.empty()) {
    object["relative"] = relative;
  }
  return object;
}

json::object time_object(Millis now, Millis total) {
  const auto now_s = std::max<std::int64_t>(now.count(), 0) / 1000;
  const auto total_s = std::max<std::int64_t>(total.count(), 0) / 1000;
  return {{"now", {{"m", now_s / 60}, {"s", now_s % 60}}},
          {"total", {{"h", total_s / 3600}, {"m", total_s / 60 % 60}, {"s", total_s % 60}}}};
}

}  // namespace

std::string write_jkf(const Record& record, CommentStyle comments) {
  json::object header;
  for (const auto& [key, value] : kif_fields(record)) {
    header[key] = value;
  }
  json::array moves;
  json::object first;
  add_comments(first, record.comments);
  moves.push_back(std::move(first));

  Walk walk{record.start};
  const auto add_time = [&](json::object& entry, std::optional<Millis> consumed) {
    if (consumed) {
      entry["time"] = time_object(*consumed, walk.spend(*consumed));
    }
  };
  for (const RecordedMove& move : record.moves) {
    json::object entry{{"move", move_object(walk.position, move.move, walk.last)}};
    add_time(entry, move.consumed);
    walk.play(move.move);
    add_comments(entry, walk.comments_of(move, comments));
    moves.push_back(std::move(entry));
  }
  if (record.ending) {
    // CSA's word without its "%".
    json::object entry{{"special", csa_word(record.ending->kind) + 1}};
    add_time(entry, record.ending->consumed);
    std::vector<std::string> lines;
    if (const auto remark = ending_remark(*record.ending);
        remark == perpetual_check_remark) {
      lines.emplace_back(remark);
    }
    lines.insert(lines.end(), record.ending->comments.begin(), record.ending->comments.end());
    add_comments(entry, lines);
    moves.push_back(std::move(entry));
  }
  const json::object whole{
      {"header", std::move(header)}, {"initial", initial(record.start)}, {"moves", std::move(moves)}};
  return json::serialize(whole) + "\n";
}

// --- JSON Lines: reading

namespace {

constexpr std::int64_t millis_max = 1'000'000'000'000'000;

/// Of an evaluation, read as they are written.
struct NumberMember {
  const char* name;
  std::optional<std::int64_t> Evaluation::*number;
};
constexpr std::array evaluation_numbers{
    NumberMember{"mate", &Evaluation::mate},   NumberMember{"depth", &Evaluation::depth},
    NumberMember{"seldepth", &Evaluation::seldepth}, NumberMember{"nodes", &Evaluation::nodes},
    NumberMember{"nps", &Evaluation::nps},     NumberMember{"hashfull", &Evaluation::hashfull}};

constexpr std::array<std::string_view, 3> bound_words{"exact", "lower", "upper"};

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

std::optional<Evaluation> evaluation_of(const json::value& object, Position position) {
  const auto score = whole_member(&object, "score");
  if (!score) {
    return std::nullopt;
  }
  Evaluation evaluation;
  evaluation.score = *score;
  const auto bound = std::ranges::find(bound_words, text_member(&object, "bound").value_or(""));
  evaluation.bound = bound == bound_words.end() ? Bound::exact : static_cast<Bound>(bound - bound_words.begin());
  for (const auto& [name, number] : evaluation_numbers) {
    evaluation.*number = whole_member(&object, name);
  }
  const json::value* pv = member(&object, "pv");
  if (pv == nullptr || !pv->is_array()) {
    return evaluation;
  }
  for (const json::value& word : pv->get_array()) {
    const auto move = word.is_string()
                          ? shogi::usi::parse_move({word.get_string().data(), word.get_string().size()})
                          : base::Result<Move>(fail({}));
    if (!move || !is_legal(position, *move)) {
      break;
    }
    evaluation.pv.push_back(shogi::csa::format_move(position, *move));
    position.play(*move);
  }
  return evaluation;
}

class JsonlReader {
 public:
  [[nodiscard]] Trouble take_line(std::string_view line, std::size_t number) {
    const base::Message place = say("line {}", number);
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
      return say("{}: the first line of a game is its head, with \"type\":\"head\"", place);
    }
    game_->set_place(place);
    if (type == "move") {
      return take_move(object);
    }
    if (type == "end") {
      return take_end(object);
    }
    return say("{}: the type is head, move or end, not {}", place, base::quoted(type, 40));
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
    return game_->start(sfen ? shogi::usi::parse_sfen(*sfen) : Position::startpos());
  }

  Trouble take_move(const json::value& object) {
    const auto ply = whole_member(&object, "ply");
    if (ply && *ply != static_cast<std::int64_t>(game_->next_ply())) {
      return game_->at_place(say("ply {} stands where ply {} is due", *ply, game_->next_ply()));
    }
    const auto text = text_member(&object, "usi");
    if (!text) {
      return game_->at_place(say("the move's usi is missing"));
    }
    const std::size_t played = game_->record().moves.size();
    if (auto trouble = game_->play(shogi::usi::parse_move(*text), *text)) {
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
      return game_->at_place(
          say("the end comes after {} moves, but there are {}", *plies, game_->next_ply() - 1));
    }
    const auto word = text_member(&object, "ending").value_or("");
    if (auto trouble = game_->end_by(ending_of_special_move(word), word)) {
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
  JsonlReader reader;
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

// --- JSON Lines: writing

namespace {

void add_text(json::object& object, const char* name, std::string_view text) {
  if (!text.empty()) {
    object[name] = clean(text);
  }
}

std::int64_t number_of(std::int64_t number) { return number; }
std::int64_t number_of(Millis time) { return time.count(); }
std::int64_t number_of(base::WallTime instant) { return instant.time_since_epoch().count(); }

template <class Value>
void add_number(json::object& object, const char* name, std::optional<Value> value) {
  if (value) {
    object[name] = number_of(*value);
  }
}

void add_clock(json::object& object, const char* name, const std::optional<Clock>& clock) {
  if (clock) {
    json::object value;
    add_number(value, "total_ms", clock->total);
    value["byoyomi_ms"] = clock->byoyomi.count();
    value["increment_ms"] = clock->increment.count();
    object[name] = std::move(value);
  }
}

json::object head(const Record& record) {
  json::object object{{"type", "head"}, {"version", 1}};
  add_text(object, "game_id", record.event);
  add_text(object, "site", record.site);
  add_text(object, "black", record.black_name);
  add_text(object, "white", record.white_name);
  add_number(object, "started_ms", record.started);
  object["utc_offset_min"] = record.utc_offset.count();
  add_clock(object, "black_clock", record.black_clock);
  add_clock(object, "white_clock", record.white_clock);
  add_number(object, "max_moves", record.max_moves);
  add_text(object, "declaration", record.jishogi_rule);
  object["sfen"] = shogi::usi::format_sfen(record.start);
  add_comments(object, record.comments);
  return object;
}

void add_evaluation(json::object& object, const Evaluation& evaluation, const Position& reached) {
  object["score"] = evaluation.score;
  object["bound"] = bound_words[static_cast<std::size_t>(evaluation.bound)];
  for (const auto& [name, number] : evaluation_numbers) {
    add_number(object, name, evaluation.*number);
  }
  json::array pv;
  for (const Move& move : playable(evaluation.pv, reached)) {
    pv.push_back(json::string(shogi::usi::format_move(move)));
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
                      {"usi", shogi::usi::format_move(move.move)},
                      {"csa", shogi::csa::format_move(position_, move.move)}};
  position_.play(move.move);
  add_number(object, "t_ms", move.consumed);
  add_number(object, "elapsed_ms", move.elapsed);
  add_number(object, "link_ms", move.link_delay);
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
                      {"ending", csa_word(record.ending->kind)}};
  add_text(object, "reason", record.ending->reason);
  add_number(object, "t_ms", record.ending->consumed);
  add_number(object, "ended_ms", record.ended);
  add_comments(object, record.ending->comments);
  return json::serialize(object) + "\n";
}

std::string write_jsonl(const Record& record) {
  JsonlWriter writer;
  const std::string moves = writer.begin(record);
  return moves + writer.end(record);
}

}  // namespace kakehashi::shogi::record
