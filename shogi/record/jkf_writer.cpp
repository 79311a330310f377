#include "shogi/record/jkf.hpp"

#include <boost/json.hpp>

#include <algorithm>

#include "base/utf8.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/ki2.hpp"
#include "shogi/record/csa_writer.hpp"
#include "shogi/record/jkf_presets.hpp"
#include "shogi/record/kif_fields.hpp"

namespace kakehashi::shogi::record {

namespace {

namespace json = boost::json;
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
