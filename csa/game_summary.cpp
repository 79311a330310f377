#include "csa/game_summary.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>

#include "base/text.hpp"
#include "csa/message.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"

namespace kakehashi::csa {

namespace {

using base::Millis;
using base::quoted;
using base::say;

// --- the lines of one "BEGIN Time" block

/// "1sec", "200msec", "min": "msec" is tried before "sec", which it ends with.
std::optional<Millis> parse_unit(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto count = digits == 0 ? std::optional<std::int64_t>(1)
                                 : base::parse_int(text.substr(0, digits));
  const std::string_view unit = text.substr(digits);
  if (!count || *count < 1 || *count > 1'000'000) {
    return std::nullopt;
  }
  if (unit == "msec") {
    return Millis{*count};
  }
  if (unit == "sec") {
    return Millis{*count * 1'000};
  }
  if (unit == "min") {
    return Millis{*count * 60'000};
  }
  return std::nullopt;
}

/// "…-900-060+…": a byoyomi with a leading zero in the game name's tail, where both numbers are those of the
/// block itself. A date or a player's name may end like that too.
bool names_stop_watch(std::string_view game_id, std::int64_t total_time, std::int64_t byoyomi) {
  for (const std::string_view piece : base::split(game_id, '+')) {
    const auto fields = base::split(piece, '-');
    if (fields.size() < 3) {
      continue;
    }
    const std::string_view last = fields.back();
    const std::string_view total = fields[fields.size() - 2];
    if (last.size() > 1 && last.front() == '0' && base::parse_int(last) == byoyomi &&
        base::parse_int(total) == total_time) {
      return true;
    }
  }
  return false;
}

Millis times(Millis unit, std::int64_t count) {
  constexpr Millis day = std::chrono::hours{24};
  return std::clamp(count, std::int64_t{0}, day / unit + 1) * unit;
}

class TimeBlock {
 public:
  /// One "Key:value" line. Returns a remark when it was not understood; it is left out then.
  [[nodiscard]] std::optional<base::Message> feed(std::string_view key, std::string_view value) {
    const std::string line = std::string(key) + ":" + std::string(value);
    if (key == "Time_Unit") {
      const auto unit = parse_unit(value);
      if (!unit) {
        return say("unknown time unit in {}; seconds are assumed", quoted(line));
      }
      unit_ = *unit;
      unit_is_minute_ = unit_ == Millis{60'000};
      return std::nullopt;
    }
    if (key == "Time_Roundup") {
      rounds_up_ = value == "YES";
      return std::nullopt;
    }
    std::int64_t discarded = 0;
    std::int64_t* target = key == "Byoyomi"               ? &byoyomi_
                           : key == "Increment"           ? &increment_
                           : key == "Delay"               ? &delay_
                           : key == "Least_Time_Per_Move" ? &least_
                                                          : &discarded;
    const auto number = base::parse_int(value);
    const bool is_total = key == "Total_Time";
    if (!is_total && target == &discarded) {
      return say("unknown key in the time block: {}", quoted(line));
    }
    if (!number || *number < 0) {
      return say("not a time: {}", quoted(line));
    }
    if (is_total) {
      total_ = *number;
    } else {
      *target = *number;
    }
    return std::nullopt;
  }

  /// The clock. `game_id` tells a stop-watch game of shogi-server ("…-900-060+…"), whose unit of
  /// one minute is wrong: its numbers are seconds.
  [[nodiscard]] TimeControl finish(std::string_view game_id) const {
    TimeControl control;
    control.is_stop_watch = unit_is_minute_ && total_ && names_stop_watch(game_id, *total_, byoyomi_);
    const Millis unit = control.is_stop_watch ? Millis{1'000} : unit_;
    if (total_) {
      control.total = times(unit, *total_);
    }
    control.byoyomi = times(unit, byoyomi_);
    control.increment = times(unit, increment_);
    control.delay = times(unit, delay_);
    control.least_time_per_move = times(unit, least_);
    control.rounds_up = rounds_up_;
    control.unit = unit;
    return control;
  }

 private:
  base::Millis unit_{1'000};
  bool unit_is_minute_ = false;
  std::optional<std::int64_t> total_;
  std::int64_t byoyomi_ = 0;
  std::int64_t increment_ = 0;
  std::int64_t delay_ = 0;
  std::int64_t least_ = 0;
  bool rounds_up_ = false;
};

// ---

using shogi::Color;

constexpr std::size_t remarks_max = 32;
constexpr std::size_t field_bytes_max = 1024;

std::optional<Color> color_of(std::string_view text) {
  if (text == "+") {
    return Color::black;
  }
  return text == "-" ? std::optional(Color::white) : std::nullopt;
}

/// Walks through the lines once, block by block.
class Parser {
 public:
  explicit Parser(const std::vector<std::string>& lines) : lines_(lines) {}

  base::Result<GameSummary> run() {
    for (std::size_t i = 1; i + 1 < lines_.size() && !error_; ++i) {
      take(lines_[i]);
    }
    finish();
    if (error_) {
      return base::Failure<base::ParseError>{*error_};
    }
    return std::move(summary_);
  }

 private:
  void take(std::string_view line) {
    if (line.starts_with("BEGIN ")) {
      blocks_.emplace_back(line.substr(6));
      if (blocks_.size() == 1 && !is_known_block(blocks_.back())) {
        remark(say("unknown block {} was skipped", quoted(line)));
      }
    } else if (line.starts_with("END ")) {
      if (!blocks_.empty()) {
        blocks_.pop_back();
      }
    } else if (blocks_.empty()) {
      take_field(line);
    } else if (blocks_.size() == 1) {
      take_block_line(blocks_.front(), line);
    }
  }

  static bool is_known_block(std::string_view name) {
    return name == "Time" || name == "Time+" || name == "Time-" || name == "Position";
  }

  void take_block_line(std::string_view block, std::string_view line) {
    if (block == "Position") {
      take_position_line(line);
      return;
    }
    if (!is_known_block(block)) {
      return;
    }
    const std::size_t colon = line.find(':');
    const std::string_view key = line.substr(0, colon);
    const std::string_view value =
        colon == std::string_view::npos ? std::string_view{} : base::trim(line.substr(colon + 1));
    std::optional<TimeBlock>& clock = block == "Time"    ? both_
                                      : block == "Time+" ? black_
                                                         : white_;
    if (!clock) {
      clock.emplace();
    }
    if (auto trouble = clock->feed(key, value)) {
      remark(std::move(*trouble));
    }
  }

  void take_field(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
      remark(say("not a field: {}", quoted(line)));
      return;
    }
    const std::string_view key = line.substr(0, colon);
    const std::string value(base::trim(line.substr(colon + 1, field_bytes_max)));
    if (line.size() - colon - 1 > field_bytes_max) {
      remark(say("the field {} is longer than 1024 bytes and was cut", quoted(key)));
    }
    if (const auto [given, is_new] = given_.emplace(key, value); !is_new) {
      take_repeated(key, given->second, value);
      return;
    }
    static constexpr std::array<std::pair<std::string_view, std::string GameSummary::*>, 5> texts{
        {{"Declaration", &GameSummary::declaration}, {"Game_ID", &GameSummary::game_id}, {"Name+", &GameSummary::black_name},
         {"Name-", &GameSummary::white_name}, {"Entering_King_Rule", &GameSummary::entering_king_rule}}};
    const auto text = std::find_if(texts.begin(), texts.end(), [&](const auto& one) { return one.first == key; });
    if (text != texts.end()) {
      summary_.*text->second = value;
    } else if (key == "Protocol_Mode") {
      if (value != "Server") {
        fail(say("Protocol_Mode is {}: only a game with a server has a referee", quoted(value)));
      }
    } else if (key == "Format") {
      if (value != "Shogi 1.0") {
        fail(say("the format is {}, not Shogi 1.0", quoted(value)));
      }
    } else if (key == "Your_Turn") {
      your_turn_ = color_of(value);
    } else if (key == "To_Move") {
      to_move_ = color_of(value);
    } else if (key == "Max_Moves") {
      const auto plies = base::parse_int(value);
      if (!plies || *plies < 0 || *plies > 1'000'000) {
        remark(say("not a move limit: {}", quoted(line)));
      } else if (*plies > 0) {
        summary_.max_moves = static_cast<int>(*plies);
      }
    } else if (key == "Reconnect_Token") {
      summary_.reconnect_token = value;
    } else if (key != "Protocol_Version" && key != "Rematch_On_Draw") {
      remark(say("unknown key {} was left out", quoted(key)));
    }
  }

  void take_repeated(std::string_view key, const std::string& first, const std::string& again) {
    if (again == first) {
      return;
    }
    if (key == "Your_Turn") {
      // Whichever of the two is wrong, a move on the other side's turn would be a foul.
      fail(say("Your_Turn is given twice, as {} and as {}", quoted(first), quoted(again)));
    } else {
      remark(say("the field {} is given twice; the first counts", quoted(key)));
    }
  }

  void take_position_line(std::string_view line) {
    if (line.empty() || line.front() == '\'' || line.front() == 'N') {
      return;
    }
    if (line.front() == 'P') {
      if (auto trouble = board_.feed(line)) {
        fail(say("the position line {} cannot be used: {}", quoted(line), trouble->what));
      }
      return;
    }
    if (line == "+" || line == "-") {
      if (!finish_board(line == "+" ? Color::black : Color::white)) {
        return;
      }
    } else if (line.front() == '+' || line.front() == '-') {
      take_listed_move(line);
    } else if (const auto consumed = parse_consumed(line)) {
      // CSA files put the time on a line of its own.
      if (!summary_.moves.empty()) {
        summary_.moves.back().consumed = *consumed;
      }
    } else {
      remark(say("unknown line in the position: {}", quoted(line)));
    }
  }

  bool finish_board(Color mover) {
    if (reached_) {
      remark(say("a second turn line in the position was left out"));
      return true;
    }
    base::Result<shogi::Position> start = board_.finish();
    if (!start) {
      fail(say("the position cannot be used: {}", start.error().what));
      return false;
    }
    summary_.start = *start;
    summary_.start.set_side_to_move(mover);
    reached_ = summary_.start;
    return true;
  }

  void take_listed_move(std::string_view line) {
    if (!reached_) {
      // Without a turn line the first move's own sign tells who moves.
      if (!finish_board(line.front() == '+' ? Color::black : Color::white)) {
        return;
      }
    }
    const auto fields = base::split(line, ',');
    const base::Result<shogi::Move> move =
        shogi::csa::parse_move(*reached_, base::trim(fields.front()));
    if (!move) {
      fail(say("the listed move {} cannot be read: {}", quoted(line), move.error().what));
      return;
    }
    const shogi::Verdict verdict = shogi::judge(*reached_, *move);
    if (verdict != shogi::Verdict::legal) {
      fail(say("the listed move {} is not legal: {}", quoted(line), base::Message(shogi::describe(verdict))));
      return;
    }
    ListedMove listed{*move, reached_->side_to_move(), std::string(base::trim(fields.front())), {}};
    for (std::size_t i = 1; i < fields.size() && !listed.consumed; ++i) {
      listed.consumed = parse_consumed(fields[i]);
    }
    reached_->play(*move);
    summary_.moves.push_back(std::move(listed));
  }

  void finish() {
    if (error_) {
      return;
    }
    if (!your_turn_) {
      fail(say("Your_Turn is missing"));
      return;
    }
    summary_.our_color = *your_turn_;
    if (!reached_ && !finish_board(to_move_.value_or(Color::black))) {
      return;
    }
    for (const Color color : {Color::black, Color::white}) {
      if (!reached_->king(color)) {
        fail(say("a side has no king"));
        return;
      }
    }
    if (summary_.reconnect_token && (base::has_control_byte(summary_.game_id) ||
                                     base::has_control_byte(*summary_.reconnect_token))) {
      remark(say("no line can name this game and its token, so a lost line cannot be taken up again"));
      summary_.reconnect_token.reset();
    }
    if (to_move_ && *to_move_ != reached_->side_to_move()) {
      remark(say("To_Move contradicts the position; the position counts"));
    }
    const TimeBlock unlimited;
    const std::string& id = summary_.game_id;
    const TimeBlock& both = both_ ? *both_ : unlimited;
    summary_.times.black = (black_ ? *black_ : both).finish(id);
    summary_.times.white = (white_ ? *white_ : both).finish(id);
    if (summary_.times.black.is_stop_watch) {
      remark(say("a stop-watch clock: its times are seconds, whatever Time_Unit says"));
    }
  }

  void remark(base::Message text) {
    if (summary_.remarks.size() < remarks_max) {
      summary_.remarks.push_back(std::move(text));
    }
  }

  void fail(base::Message why) {
    if (!error_) {
      error_ = base::ParseError{std::move(why), 0};
    }
  }

  const std::vector<std::string>& lines_;
  GameSummary summary_;
  std::optional<base::ParseError> error_;
  std::vector<std::string> blocks_;
  std::map<std::string, std::string, std::less<>> given_;  ///< the fields so far
  shogi::csa::BoardReader board_;
  std::optional<shogi::Position> reached_;
  std::optional<Color> your_turn_;
  std::optional<Color> to_move_;
  std::optional<TimeBlock> both_;
  std::optional<TimeBlock> black_;
  std::optional<TimeBlock> white_;
};

}  // namespace

shogi::Position GameSummary::position() const {
  shogi::Position reached = start;
  for (const ListedMove& listed : moves) {
    reached.play(listed.move);
  }
  return reached;
}

bool SummaryReader::feed(std::string_view line) {
  line = base::trim(line);
  if (complete_ || line.empty()) {
    return complete_;
  }
  if (line.starts_with("BEGIN ")) {
    ++depth_;
  } else if (line.starts_with("END ")) {
    --depth_;
  }
  is_overlong_ = is_overlong_ || lines_.size() >= lines_max;
  if (!is_overlong_) {
    constexpr std::string_view key = "Game_ID:";
    if (depth_ == 1 && !game_id_ && line.starts_with(key)) {
      game_id_ = base::trim(line.substr(key.size(), field_bytes_max));
    }
    lines_.emplace_back(line);
  }
  complete_ = depth_ <= 0 || line == "END Game_Summary";
  return complete_;
}

base::Result<GameSummary> SummaryReader::finish() const {
  if (is_overlong_) {
    return base::fail(say("the summary has more than {} lines", lines_max));
  }
  return Parser(lines_).run();
}

// --- Reconnect_State

namespace {

constexpr base::Millis day = std::chrono::hours{24};

std::optional<base::Millis> read_clock(std::string_view value) {
  const auto millis = base::parse_int(value);
  return millis && *millis >= 0 ? std::optional(std::min(base::Millis{*millis}, day)) : std::nullopt;
}

}  // namespace

bool ResumeReader::feed(std::string_view line) {
  line = base::trim(line);
  if (line.starts_with("END ") || ++lines_ > lines_max) {
    return true;
  }
  const std::size_t colon = std::min(line.find(':'), line.size());
  const std::string_view key = line.substr(0, colon);
  const std::string_view value = base::trim(line.substr(std::min(colon + 1, line.size())));
  if (key == "Current_Turn" && (value == "+" || value == "-")) {
    state_.turn = value == "+" ? shogi::Color::black : shogi::Color::white;
  } else if (key == "Black_Time_Remaining_Ms") {
    state_.black = read_clock(value);
  } else if (key == "White_Time_Remaining_Ms") {
    state_.white = read_clock(value);
  }
  return false;
}

}  // namespace kakehashi::csa
