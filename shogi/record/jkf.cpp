#include "shogi/record/jkf.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/ki2.hpp"
#include "shogi/notation/kif.hpp"
#include "shogi/possible.hpp"
#include "shogi/record/csa_writer.hpp"
#include "shogi/record/ending.hpp"
#include "shogi/record/game_builder.hpp"
#include "shogi/record/json_text.hpp"
#include "shogi/record/kif_fields.hpp"

namespace kakehashi::shogi::record {

namespace {

namespace json = boost::json;

// --- names of customary starts

struct Preset {
  std::string_view name;
  std::string_view handicap;
  bool is_written;
};

constexpr std::array presets{
    Preset{"HIRATE", "平手", true},       Preset{"KY", "香落ち", true},
    Preset{"KY_R", "右香落ち", true},     Preset{"KA", "角落ち", true},
    Preset{"HI", "飛車落ち", true},       Preset{"HIKY", "飛香落ち", true},
    Preset{"2", "二枚落ち", true},        Preset{"3", "三枚落ち", false},
    Preset{"4", "四枚落ち", true},        Preset{"5", "五枚落ち", false},
    Preset{"5_L", "左五枚落ち", false},   Preset{"6", "六枚落ち", true},
    Preset{"7_L", "左七枚落ち", false},   Preset{"7_R", "右七枚落ち", false},
    Preset{"8", "八枚落ち", true},        Preset{"10", "十枚落ち", true}};

/// Nothing for other positions, and for names that tsshogi does not read (three, five and seven pieces).
std::optional<std::string_view> jkf_preset(const Position& position) {
  const auto handicap = kif::handicap_name(position);
  for (const Preset& preset : presets) {
    if (preset.is_written && handicap == preset.handicap) {
      return preset.name;
    }
  }
  return std::nullopt;
}

/// All names of the schema but "OTHER".
std::optional<Position> jkf_preset_position(std::string_view name) {
  for (const Preset& preset : presets) {
    if (preset.name == name) {
      return kif::handicap_position(preset.handicap);
    }
  }
  return std::nullopt;
}

// --- reading
using base::fail;
using base::Result;

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
  return code ? csa::piece_from_code(*code) : std::nullopt;
}

Color color_of(const json::value* object) {
  return whole_member(object, "color") == 1 ? Color::white : Color::black;
}

std::optional<std::string> put_board(const json::value* board, Position& position) {
  if (board == nullptr || !board->is_array() || board->get_array().size() != 9) {
    return "initial: the board has nine files";
  }
  int file = 0;
  for (const json::value& column : board->get_array()) {
    ++file;
    if (!column.is_array() || column.get_array().size() != 9) {
      return "initial: each file of the board has nine squares";
    }
    int rank = 0;
    for (const json::value& square : column.get_array()) {
      ++rank;
      if (member(&square, "kind") == nullptr) {
        continue;
      }
      const auto kind = kind_of(&square, "kind");
      if (!kind) {
        return "initial: unknown piece on the board";
      }
      position.put(Square(file, rank), {color_of(&square), *kind});
    }
  }
  return std::nullopt;
}

std::optional<std::string> put_hand(const json::value& hand, Color color, Position& position) {
  if (!hand.is_object()) {
    return "initial: a hand is an object";
  }
  for (const auto& [code, count] : hand.get_object()) {
    if (!count.is_int64() || count.get_int64() == 0) {
      continue;
    }
    const auto kind = csa::piece_from_code({code.data(), code.size()});
    if (!kind || !can_be_in_hand(*kind) || count.get_int64() < 0 ||
        count.get_int64() > pieces_in_set(*kind)) {
      return "initial: impossible hand";
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
    const auto position = jkf_preset_position(preset);
    return position ? Result<Position>(*position)
                    : fail("initial: unknown preset " + base::quote_for_log(preset, 40));
  }
  const json::value* data = member(initial, "data");
  Position position;
  if (auto why = put_board(member(data, "board"), position)) {
    return fail(std::move(*why));
  }
  const json::value* hands = member(data, "hands");
  if (hands == nullptr || !hands->is_array() || hands->get_array().size() != 2) {
    return fail("initial: there are two hands");
  }
  for (const Color color : {Color::black, Color::white}) {
    const auto& hand = hands->get_array()[color == Color::black ? 0 : 1];
    if (auto why = put_hand(hand, color, position)) {
      return fail(std::move(*why));
    }
  }
  position.set_side_to_move(color_of(data));
  if (auto why = impossible_because(position)) {
    return fail("initial: " + *why);
  }
  return position;
}

/// What the object says, in KI2's words: its reader knows how to tell pieces apart.
Result<Move> move_from_words(const json::value* move, Square to, const Position& position) {
  static constexpr std::pair<char, std::string_view> words[]{{'L', "左"}, {'C', "直"}, {'R', "右"},
                                                             {'U', "上"}, {'M', "寄"}, {'D', "引"},
                                                             {'H', "打"}};
  static constexpr std::string_view pieces[]{"歩", "香", "桂", "銀",   "金",   "角",   "飛",
                                             "玉", "と", "成香", "成桂", "成銀", "馬", "龍"};
  const auto kind = kind_of(move, "piece");
  if (!kind) {
    return fail("unknown piece");
  }
  std::string text = "同" + std::string(pieces[static_cast<std::size_t>(*kind)]);
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
    return fail("the target is no square");
  }
  if (const json::value* from = member(move, "from")) {
    const auto source = square_of(from);
    const auto piece = source ? position.at(*source) : std::nullopt;
    if (!piece) {
      return fail("no piece stands on the source");
    }
    const auto kind = kind_of(move, "piece");
    if (kind && *kind != piece->kind) {
      return fail("another piece stands on the source");
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

class Reader {
 public:
  explicit Reader(std::chrono::minutes utc_offset) : game_(utc_offset) {}

  Result<Record> read(const json::value& root) {
    const json::value* moves = member(&root, "moves");
    if (moves == nullptr || !moves->is_array()) {
      return fail("line 1: this JSON has no list of moves, so it is no JKF");
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
    game_.set_place("line 1");
    if (auto trouble = game_.start(initial_position(member(&root, "initial")))) {
      return fail(std::move(*trouble));
    }
    std::size_t index = 0;
    for (const json::value& entry : moves->get_array()) {
      game_.set_place("moves[" + std::to_string(index++) + "]");
      if (auto trouble = take(entry)) {
        return fail(std::move(*trouble));
      }
    }
    return game_.finish();
  }

 private:
  GameBuilder::Trouble take(const json::value& entry) {
    if (!entry.is_object()) {
      return game_.at_place("this is no object");
    }
    if (const json::value* move = member(&entry, "move")) {
      const auto trouble =
          game_.play(move_of(move, game_.reached(), game_.last()), json::serialize(*move));
      if (trouble) {
        return trouble;
      }
    }
    if (const auto special = text_member(&entry, "special")) {
      const auto kind = ending_of_special(*special, game_.turn_at_end());
      if (!kind) {
        return game_.at_place(base::quote_for_log(*special, 40) + " is no known ending");
      }
      if (auto trouble = game_.end(*kind)) {
        return trouble;
      }
    }
    // An ending that its writer had no word for leaves an entry with a time alone: it is no move's.
    const bool is_of_something = member(&entry, "move") || member(&entry, "special");
    if (const auto time = time_of(&entry); time && is_of_something) {
      game_.set_consumed(*time);
    }
    if (const json::value* comments = member(&entry, "comments"); comments && comments->is_array()) {
      for (const json::value& comment : comments->get_array()) {
        if (comment.is_string()) {
          add_comment({comment.get_string().data(), comment.get_string().size()});
        }
      }
    }
    return std::nullopt;
  }

  /// One comment may hold several lines.
  void add_comment(std::string_view text) {
    for (const std::string_view line : base::split(text, '\n')) {
      game_.add_comment(line);
    }
  }

  GameBuilder game_;
};

}  // namespace

Result<Record> read_jkf(std::string_view text, std::chrono::minutes utc_offset) {
  const auto root = parse_json(text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text);
  if (!root) {
    return fail(root.error().what, root.error().column);
  }
  return Reader(utc_offset).read(*root);
}

// --- writing

namespace {
using base::Millis;

constexpr std::array hand_kinds{PieceKind::pawn,   PieceKind::lance, PieceKind::knight,
                                PieceKind::silver, PieceKind::gold,  PieceKind::bishop,
                                PieceKind::rook};

std::string text_of(std::string_view text) { return base::one_line(text, base::OtherBytes::replace); }

int number(Color color) { return color == Color::black ? 0 : 1; }

json::object place(Square square) { return {{"x", square.file()}, {"y", square.rank()}}; }

json::object board_data(const Position& position) {
  json::array board;
  for (int file = 1; file <= 9; ++file) {
    json::array column;
    for (int rank = 1; rank <= 9; ++rank) {
      json::object square;
      if (const auto piece = position.at(Square(file, rank))) {
        square = {{"color", number(piece->color)}, {"kind", csa::piece_code(piece->kind)}};
      }
      column.push_back(std::move(square));
    }
    board.push_back(std::move(column));
  }
  json::array hands;
  for (const Color color : {Color::black, Color::white}) {
    json::object hand;
    for (const PieceKind kind : hand_kinds) {
      hand[csa::piece_code(kind)] = position.hand(color, kind);
    }
    hands.push_back(std::move(hand));
  }
  return {{"color", number(position.side_to_move())},
          {"board", std::move(board)},
          {"hands", std::move(hands)}};
}

json::object initial(const Position& start) {
  if (const auto preset = jkf_preset(start)) {
    return {{"preset", *preset}};
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
  object["piece"] = csa::piece_code(kind);
  if (last == move.to()) {
    object["same"] = true;
  }
  if (!move.is_drop() && promoted(kind) &&
      (relative_rank(move.from(), color) <= 3 || relative_rank(move.to(), color) <= 3)) {
    object["promote"] = move.promotes();
  }
  if (const auto taken = position.at(move.to())) {
    object["capture"] = csa::piece_code(taken->kind);
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

void add_comments(json::object& entry, const std::vector<std::string>& comments) {
  if (comments.empty()) {
    return;
  }
  json::array lines;
  for (const std::string& comment : comments) {
    lines.push_back(json::string(text_of(comment)));
  }
  entry["comments"] = std::move(lines);
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

  Position position = record.start;
  std::optional<Square> last;
  Millis spent[2] = {Millis{0}, Millis{0}};
  const auto add_time = [&](json::object& entry, std::optional<Millis> consumed) {
    if (consumed) {
      Millis& total = spent[number(position.side_to_move())];
      total += *consumed;
      entry["time"] = time_object(*consumed, total);
    }
  };
  for (const RecordedMove& move : record.moves) {
    json::object entry{{"move", move_object(position, move.move, last)}};
    add_time(entry, move.consumed);
    position.play(move.move);
    last = move.move.to();
    std::vector<std::string> lines =
        move.evaluation ? search_comment(comments, *move.evaluation, position, last)
                        : std::vector<std::string>{};
    lines.insert(lines.end(), move.comments.begin(), move.comments.end());
    add_comments(entry, lines);
    moves.push_back(std::move(entry));
  }
  if (record.ending) {
    // CSA's word without its "%".
    json::object entry{{"special", csa_word(record.ending->kind, CsaVersion::v3_0) + 1}};
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

}  // namespace kakehashi::shogi::record
