#include "sim/sim_engine.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::sim {

using base::Millis;

namespace {

/// The number behind that word.
std::optional<Millis> time_behind(const std::vector<std::string_view>& words, std::string_view word) {
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    if (words[i] == word) {
      return Millis{base::parse_int(words[i + 1]).value_or(0)};
    }
  }
  return std::nullopt;
}

/// As an engine reads it: what is there is there, whatever the rules say.
shogi::Position read_sfen(std::string_view text) {
  constexpr std::string_view letters = "plnsgbrk";
  const std::vector<std::string_view> words = base::split_words(text);
  shogi::Position position;
  int file = 9;
  int rank = 1;
  bool promotes = false;
  const auto piece_of = [&](char letter) {
    const bool is_black = letter < 'a';
    const auto kind = static_cast<shogi::PieceKind>(
        letters.find(is_black ? static_cast<char>(letter + ('a' - 'A')) : letter));
    return shogi::Piece{is_black ? shogi::Color::black : shogi::Color::white, kind};
  };
  for (const char letter : words[0]) {
    if (letter == '/') {
      file = 9;
      ++rank;
    } else if (letter == '+') {
      promotes = true;
    } else if (letter >= '1' && letter <= '9') {
      file -= letter - '0';
    } else {
      shogi::Piece piece = piece_of(letter);
      if (std::exchange(promotes, false)) {
        piece.kind = shogi::promoted(piece.kind).value();
      }
      position.put(shogi::Square(file--, rank), piece);
    }
  }
  int count = 0;
  for (const char letter : words[2]) {
    if (letter >= '0' && letter <= '9') {
      count = 10 * count + (letter - '0');
    } else if (letter != '-') {
      const shogi::Piece piece = piece_of(letter);
      position.set_hand(piece.color, piece.kind, std::max(1, std::exchange(count, 0)));
    }
  }
  position.set_side_to_move(words[1] == "b" ? shogi::Color::black : shogi::Color::white);
  return position;
}

}  // namespace

SimEngine::SimEngine(Agenda& agenda, const Scenario& scenario, std::size_t bot, FaultPlan& plan,
                     EventSink events, SearchSink searches, std::uint64_t dice)
    : agenda_(agenda),
      dice_(scenario.seed, dice + bot),
      manners_(scenario.bots[bot].engine),
      taste_(scenario.seed),
      plan_(plan),
      events_(std::move(events)),
      searches_(std::move(searches)) {}

void SimEngine::say_after(Millis delay, std::string line) {
  last_word_at_ = std::max(last_word_at_, agenda_.at() + delay);
  agenda_.put(last_word_at_, [this, id = id_, line = std::move(line)] {
    // The words of a killed process may still come; the core must know them as such.
    if (is_alive_ || id != id_) {
      has_resigned_ = has_resigned_ || (id == id_ && line == "bestmove resign");
      events_(bridge::EngineLine{id, line});
    }
  });
}

void SimEngine::exit_after(Millis delay, const char* status) {
  agenda_.put_after(delay, [this, id = id_, status] {
    if (id == id_ && !is_alive_) {
      return;
    }
    if (id == id_) {
      is_alive_ = false;
    }
    events_(bridge::EngineExited{id, base::verbatim(status)});
  });
}

void SimEngine::perform(const bridge::StartEngine& start) {
  id_ = start.engine;
  is_alive_ = true;
  ignores_quit_ = false;
  owes_ = is_pondering_ = is_in_game_ = false;
  ++search_;
  mood_ = Mood::well;
  position_line_.clear();
  last_word_at_ = agenda_.at();
  for (const FaultKind kind : plan_.count(Occasion::boot)) {
    if (kind == FaultKind::engine_does_not_start) {
      is_alive_ = false;
      agenda_.put_after(Millis{5}, [this, id = id_] {
        events_(bridge::EngineFailedToStart{id, base::verbatim("Resource temporarily unavailable")});
      });
      return;
    }
    if (kind == FaultKind::quit_ignored) {
      ignores_quit_ = true;
    } else if (kind == FaultKind::long_lines_cut) {
      cuts_at_ = static_cast<std::size_t>(dice_.between(256, 500));
    } else {
      mood_ = kind == FaultKind::engine_hangs_in_boot ? Mood::hangs : Mood::exits;
    }
  }
  agenda_.put_after(dice_.millis(0, 20), [this, id = id_] {
    if (id == id_ && is_alive_) {
      events_(bridge::EngineStarted{id, 4711});
    }
  });
}

void SimEngine::perform(const bridge::KillEngine& kill) {
  if (kill.engine == id_ && is_alive_) {
    is_alive_ = false;
    if (dice_.one_in(3)) {
      agenda_.put_after(Millis{3}, [this, id = id_] {
        events_(bridge::EngineLine{id, "bestmove resign"});
        events_(bridge::EngineExited{id, base::verbatim("signal 15 (Terminated)")});
      });
    }
  }
}

void SimEngine::perform(const bridge::WriteEngine& write) {
  const std::string& line = write.line;
  if (write.engine != id_ || !is_alive_) {
    return;
  }
  if (line == "usi" || line == "isready") {
    // Faults of the boot strike at one or the other of its steps.
    const bool strikes = mood_ != Mood::well && (line == "isready" || dice_.one_in(2));
    if (strikes && mood_ == Mood::exits) {
      exit_after(Millis{10}, "exit status 1");
    } else if (!strikes && line == "usi") {
      boot();
    } else if (!strikes) {
      say_after(dice_.one_in(6) ? dice_.millis(500, 1'500) : dice_.millis(0, 30), "readyok");
    }
  } else if (line.starts_with("position ")) {
    read_position(line);
  } else if (line.starts_with("go")) {
    go(line);
  } else if (line == "ponderhit" || line.starts_with("ponderhit ")) {
    if (std::exchange(is_pondering_, false) && owes_) {
      if (!is_misled_) {
        searches_(Search{position_, false, is_in_game_, std::nullopt, false});
      }
      think();
    }
  } else if (line == "stop") {
    on_stop();
  } else if (line == "quit" && !ignores_quit_ && !(is_frozen_ && owes_)) {
    exit_after(dice_.millis(0, 100), "exit status 0");
  } else if (line == "usinewgame") {
    is_in_game_ = true;
    last_own_.reset();
  } else if (line.starts_with("gameover")) {
    is_in_game_ = false;
  }
}

void SimEngine::boot() {
  say_after(dice_.millis(0, 30), "id name Simulated 1.0");
  say_after(Millis{0}, "option name USI_Hash type spin default 16 min 1 max 1024");
  if (manners_.declares_ponder) {
    say_after(Millis{0}, "option name USI_Ponder type check default false");
  }
  if (manners_.declares_lines) {
    say_after(Millis{0}, "option name MultiPV type spin default 1 min 1 max 8");
  }
  say_after(Millis{0}, "usiok");
}

Search SimEngine::read_go(const std::string& line) const {
  const std::vector<std::string_view> words = base::split_words(line);
  const bool is_black = position_.side_to_move() == shogi::Color::black;
  const auto own = time_behind(words, is_black ? "btime" : "wtime");
  const auto other = time_behind(words, is_black ? "wtime" : "btime");
  const auto increment = time_behind(words, is_black ? "binc" : "winc");
  const auto byoyomi = time_behind(words, "byoyomi");
  const bool is_infinite = line == "go infinite";  // of a position that is not ours to move in
  Search search{position_, line.starts_with("go ponder") || is_infinite, is_in_game_, std::nullopt, false};
  if (!own && !increment && !byoyomi) {
    return search;
  }
  const Millis none{0};
  search.allowance = own.value_or(none) + byoyomi.value_or(none);
  switch (manners_.reading) {
    case ClockReading::whole:
    case ClockReading::adds:
    case ClockReading::dies_of_increments:
      *search.allowance += increment.value_or(none);
      break;
    case ClockReading::excludes: break;
    case ClockReading::swaps:
      search.allowance = other.value_or(none) + byoyomi.value_or(none);
      break;
    case ClockReading::zero_is_no_limit:
      search.has_no_limit = *search.allowance == none && other.value_or(none) == none;
      break;
  }
  return search;
}

void SimEngine::go(const std::string& line) {
  ++search_;
  owes_ = true;
  is_pondering_ = line.starts_with("go ponder");
  mood_ = Mood::well;
  late_by_ = Millis{0};
  planned_.clear();
  doubles_ = false;
  has_resigned_ = false;
  const Search search = read_go(line);
  allowance_ = search.allowance;
  if (!is_misled_) {
    searches_(search);
  }
  if (manners_.reading == ClockReading::dies_of_increments && line.find(" binc ") != std::string::npos) {
    mood_ = Mood::exits;
    ++deaths_of_increments_;
    exit_after(Millis{3}, "signal 6 (Aborted)");
    return;
  }
  if (manners_.stops_after || search.has_no_limit) {
    mood_ = Mood::hangs_until_stop;
    late_by_ = manners_.stops_after.value_or(dice_.millis(0, 16));
  }
  if (is_frozen_) {
    mood_ = Mood::hangs;
  }
  for (const FaultKind kind : plan_.count(is_pondering_ ? Occasion::ponder : Occasion::search)) {
    act_up(kind);
  }
  if (line == "go infinite") {
    tell_lines();
  } else if (mood_ != Mood::exits && !is_pondering_) {
    think();
  }
}

/// What it would play, and three others.
void SimEngine::tell_lines() {
  constexpr int lines = 4;
  const std::vector<shogi::Move> moves = shogi::legal_moves(position_);
  for (int line = 1; line <= lines && !moves.empty() && mood_ != Mood::exits; ++line) {
    say_after(dice_.millis(0, 8), "info depth 3 multipv " + std::to_string(line) + " score cp 5 pv " +
                                      shogi::usi::format_move(choose_move(moves, position_)));
  }
}

void SimEngine::act_up(FaultKind kind) {
  switch (kind) {
    case FaultKind::engine_exits_in_search:
      mood_ = Mood::exits;
      exit_after(dice_.millis(0, 800), "signal 11 (Segmentation fault)");
      return;
    case FaultKind::engine_exits_idle:
      exit_after(dice_.millis(0, 20'000), "exit status 3");
      return;
    case FaultKind::engine_hangs: mood_ = Mood::hangs; return;
    case FaultKind::engine_freezes:
      is_frozen_ = true;
      mood_ = Mood::hangs;
      return;
    case FaultKind::engine_deaf_in_ponder: is_deaf_ahead_ = true; return;
    case FaultKind::engine_is_late:
      mood_ = Mood::hangs_until_stop;
      late_by_ = dice_.one_in(2) ? dice_.millis(0, 400) : dice_.millis(400, 8'000);
      return;
    case FaultKind::illegal_move: planned_ = dice_.one_in(2) ? "5e5d" : "P*5e"; return;
    case FaultKind::unreadable_move: planned_ = "7z7z+-"; return;
    case FaultKind::empty_bestmove: planned_ = " "; return;
    case FaultKind::engine_resigns: planned_ = "resign"; return;
    case FaultKind::false_declaration: planned_ = "win"; return;
    case FaultKind::double_bestmove: doubles_ = true; return;
    case FaultKind::stray_bestmove:
      agenda_.put_after(dice_.millis(0, 6'000), [this, id = id_] {
        if (id == id_ && is_alive_) {
          events_(bridge::EngineLine{id, "bestmove 7g7f ponder 3c3d"});
        }
      });
      return;
    case FaultKind::bestmove_before_ponderhit: answer_after(dice_.millis(0, 50)); return;
    case FaultKind::info_flood:
      for (int i = 0; i < 300; ++i) {
        say_after(Millis{0}, "info depth " + std::to_string(i) + " score cp 1 pv 7g7f 3c3d");
      }
      return;
    case FaultKind::odd_words:
      say_after(Millis{0}, "info score cp");
      say_after(Millis{0}, std::string("\xff\xfe bestmove"));
      say_after(Millis{0}, "readyok");
      say_after(Millis{0}, "usiok");
      say_after(Millis{0}, "info string " + std::string(8'000, 'x'));
      return;
    default: return;
  }
}

void SimEngine::think() {
  if (mood_ != Mood::well) {
    return;
  }
  const auto whole = allowance_.value_or(Millis{0}).count();
  const std::size_t haste = dice_.below(10);
  Millis delay{0};
  if (manners_.reading != ClockReading::whole) {
    // As engines do: most of it, and now and then all.
    delay = haste < 3 ? Millis{whole} : Millis{whole / 2} + dice_.millis(0, whole / 4);
  } else if (manners_.greed == 2 && haste < 3) {
    delay = Millis{whole};  // all that it was given, to the last millisecond
  } else if (manners_.greed >= 1 && haste < 6) {
    delay = dice_.millis(0, std::min<std::int64_t>(whole, 3'000));
  } else {
    delay = dice_.millis(0, std::min<std::int64_t>(whole, 40));
  }
  answer_after(delay);
}

void SimEngine::answer_after(Millis delay) {
  agenda_.put_after(delay, [this, id = id_, search = search_] {
    if (id != id_ || !is_alive_ || search != search_ || !owes_) {
      return;
    }
    owes_ = is_pondering_ = false;
    answered_at_ = agenda_.at();
    const std::string line = choose();
    const bool doubles = doubles_;
    if (manners_.tells_scores && !dice_.one_in(6)) {
      constexpr std::array scores{"cp 0", "cp 0", "cp 7", "cp -30", "cp 2500", "mate 3", "mate 11", "mate -4", "mate -12"};
      events_(bridge::EngineLine{id, std::string("info depth 5 score ") + dice_.pick(scores) +
                                         (dice_.one_in(5) ? " upperbound" : "") + " pv " + line.substr(9, 4)});
    } else if (dice_.one_in(4)) {
      events_(bridge::EngineLine{id, "info depth 3 score cp 52 pv " + line.substr(9, 4)});
    }
    events_(bridge::EngineLine{id, line});
    if (doubles) {
      say_after(dice_.millis(0, 3), line);
    }
  });
}

void SimEngine::on_stop() {
  if (!owes_ || (is_pondering_ && is_deaf_ahead_) || mood_ == Mood::hangs || mood_ == Mood::exits) {
    return;
  }
  answer_after(mood_ == Mood::hangs_until_stop ? late_by_ : dice_.millis(0, word_max.count()));
}

shogi::Move SimEngine::choose_move(const std::vector<shogi::Move>& moves,
                                   const shogi::Position& position) {
  // Three times in four what anybody of this story would play here.
  const std::uint64_t number =
      dice_.one_in(4) ? dice_.roll() : Dice::mix(position.key() ^ taste_);
  return moves[number % moves.size()];
}

std::string SimEngine::choose() {
  if (!planned_.empty()) {
    has_resigned_ = planned_ == "resign";
    return "bestmove " + planned_;
  }
  const std::vector<shogi::Move> moves = shogi::legal_moves(position_);
  if (moves.empty()) {
    has_resigned_ = true;
    return "bestmove resign";
  }
  shogi::Move move = choose_move(moves, position_);
  // A king that a lenient server has left in check is no engine's to take.
  const auto king = position_.king(shogi::opposite(position_.side_to_move()));
  for (const shogi::Move& other : moves) {
    move = king && move.to() == *king ? other : move;
  }
  if (manners_.repeats && last_own_ && !last_own_->is_drop() && !last_own_->promotes()) {
    const shogi::Move back = shogi::Move::board(last_own_->to(), last_own_->from(), false);
    if (shogi::is_legal(position_, back)) {
      move = back;
    }
  }
  last_own_ = move;
  std::string line = "bestmove " + shogi::usi::format_move(move);
  if (dice_.one_in(8)) {
    return line;
  }
  shogi::Position reached = position_;
  reached.play(move);
  const std::vector<shogi::Move> replies = shogi::legal_moves(reached);
  if (!replies.empty()) {
    line += " ponder " + shogi::usi::format_move(choose_move(replies, reached));
  }
  return line;
}

/// Most lines are the last one and two moves.
void SimEngine::read_position(const std::string& whole) {
  is_misled_ = cuts_at_ && whole.size() > *cuts_at_;
  // What is left of a move that was cut in two is none.
  const std::string line = is_misled_ ? whole.substr(0, whole.rfind(' ', *cuts_at_)) : whole;
  std::string_view words;
  if (!position_line_.empty() && line.starts_with(position_line_) &&
      (line.size() == position_line_.size() || line[position_line_.size()] == ' ')) {
    words = std::string_view(line).substr(position_line_.size());
  } else {
    const std::size_t moves = std::min(line.find(" moves"), line.size());
    const std::string start = line.substr(9, moves - 9);
    position_ = start == "startpos" ? shogi::Position::startpos()
                                    : read_sfen(start.substr(5));
    words = std::string_view(line).substr(moves);
  }
  for (const std::string_view word : base::split_words(words)) {
    if (word != "moves") {
      position_.play(shogi::usi::parse_move(word).value());
    }
  }
  position_line_ = line;
}

}  // namespace kakehashi::sim
