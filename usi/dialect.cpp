#include "usi/dialect.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "usi/command.hpp"
#include "usi/info.hpp"
#include "usi/message.hpp"

namespace kakehashi::usi {

// --- the table

namespace {

constexpr std::array<Dialect, 4> dialects{{
    {.protocol = Protocol::usi,
     .name = "usi",
     .hello_answer = "usiok",
     .new_game = "usinewgame",
     .notation = Notation::usi,
     .ponder_option = "USI_Ponder",
     .first_time = "btime",
     .second_time = "wtime",
     .first_increment = "binc",
     .second_increment = "winc"},
    {.protocol = Protocol::uci,
     .name = "uci",
     .hello_answer = "uciok",
     .new_game = "ucinewgame",
     .notation = Notation::uci,
     .ponder_option = "Ponder",
     // White moves first where UCI engines play shogi.
     .first_time = "wtime",
     .second_time = "btime",
     .first_increment = "winc",
     .second_increment = "binc"},
    {.protocol = Protocol::tei,
     .name = "tei",
     .hello_answer = "teiok",
     .new_game = "teinewgame size 6",
     .notation = Notation::foreign,
     .ponder_option = "",
     .first_time = "wtime",
     .second_time = "btime",
     .first_increment = "winc",
     .second_increment = "binc"},
    {.protocol = Protocol::ucgi,
     .name = "ucgi",
     .hello_answer = "ucgiok",
     .new_game = "ucginewgame",
     .notation = Notation::foreign,
     .ponder_option = "",
     .first_time = "1time",
     .second_time = "2time",
     .first_increment = "1inc",
     .second_increment = "2inc"},
}};

}  // namespace

const Dialect& dialect_of(Protocol protocol) {
  return dialects[static_cast<std::size_t>(protocol)];
}

std::optional<Protocol> protocol_named(std::string_view name) {
  const auto found = std::find_if(dialects.begin(), dialects.end(),
                                  [&](const Dialect& dialect) { return dialect.name == name; });
  return found == dialects.end() ? std::nullopt : std::optional(found->protocol);
}

// --- from one to the other

namespace {

bool is_between(char c, char first, char last) { return c >= first && c <= last; }
bool is_usi_square(std::string_view text) {
  return text.size() == 2 && is_between(text[0], '1', '9') && is_between(text[1], 'a', 'i');
}
bool is_uci_square(std::string_view text) {
  return text.size() == 2 && is_between(text[0], 'a', 'i') && is_between(text[1], '1', '9');
}

/// Both ways the file and the rank are mirrored.
std::string uci_square(std::string_view square) {
  return {static_cast<char>('a' + ('9' - square[0])), static_cast<char>('1' + ('i' - square[1]))};
}
std::string usi_square(std::string_view square) {
  return {static_cast<char>('9' - (square[0] - 'a')), static_cast<char>('i' - (square[1] - '1'))};
}

template <class IsSquare, class Square>
std::string mirrored(std::string_view move, char drop_from, char drop_to, IsSquare is_square,
                     Square square) {
  const bool promotes = move.size() == 5 && move.back() == '+';
  if (move.size() != 4 && !promotes) {
    return std::string(move);
  }
  const std::string_view first = move.substr(0, 2);
  const std::string_view second = move.substr(2, 2);
  if (!is_square(second)) {
    return std::string(move);
  }
  if (!promotes && is_between(first[0], 'A', 'Z') && first[1] == drop_from) {
    return std::string{first[0], drop_to} + square(second);
  }
  return is_square(first) ? square(first) + square(second) + (promotes ? "+" : "")
                          : std::string(move);
}

/// "2Pb" as "PPb": FEN repeats the letter.
std::string spelled_out(std::string_view hand) {
  std::string text;
  std::size_t count = 0;
  for (const char c : hand) {
    if (is_between(c, '0', '9')) {
      count = std::min<std::size_t>(count * 10 + static_cast<std::size_t>(c - '0'), 18);
    } else if (c != '-') {
      text.append(std::max<std::size_t>(count, 1), c);
      count = 0;
    }
  }
  return text;
}

/// "<board> b RG2p 7" as a FEN with the pieces in hand in brackets.
std::string fen_from_sfen(std::string_view sfen) {
  const std::vector<std::string_view> words = base::split_words(sfen);
  if (words.size() < 3) {
    return std::string(sfen);
  }
  const auto ply = words.size() > 3 ? base::parse_int(words[3]) : std::nullopt;
  const std::int64_t move_number = (std::max<std::int64_t>(ply.value_or(1), 1) + 1) / 2;
  return std::string(words[0]) + "[" + spelled_out(words[2]) + "] " +
         (words[1] == "b" ? "w" : "b") + " - - 0 " + std::to_string(move_number);
}

bool is_no_move(std::string_view word) {
  return word == "(none)" || word == "none" || word == "0000" || word == "--" || word == "NULL";
}

}  // namespace

std::string uci_move(std::string_view move) {
  return mirrored(move, '*', '@', is_usi_square, uci_square);
}

std::string usi_move(std::string_view move) {
  return mirrored(move, '@', '*', is_uci_square, usi_square);
}

std::string respell_position(const Dialect& dialect, std::string line) {
  if (dialect.notation != Notation::uci) {
    return line;
  }
  const std::vector<std::string_view> words = base::split_words(line);
  std::string text = "position";
  std::size_t at = 1;
  if (at < words.size() && words[at] == "sfen") {
    std::string sfen;
    for (++at; at < words.size() && words[at] != "moves"; ++at) {
      sfen += std::string(sfen.empty() ? "" : " ") + std::string(words[at]);
    }
    text += " fen " + fen_from_sfen(sfen);
  }
  for (; at < words.size(); ++at) {
    text += " " + uci_move(words[at]);  // "startpos" and "moves" are no moves and stay
  }
  return text;
}

std::string respell_go(const Dialect& dialect, std::string line) {
  if (dialect.protocol == Protocol::usi) {
    return line;
  }
  return format_go(dialect, parse_go(line));
}

void respell_answer(const Dialect& dialect, BestMove& best) {
  if (dialect.protocol == Protocol::usi) {
    return;
  }
  if (is_no_move(best.move)) {
    best.move = "resign";
  }
  if (is_no_move(best.ponder)) {
    best.ponder.clear();
  }
  if (dialect.notation == Notation::uci) {
    best.move = usi_move(best.move);
    best.ponder = usi_move(best.ponder);
  }
}

void respell_info(const Dialect& dialect, Info& info) {
  if (dialect.notation == Notation::uci && info.score && info.score->is_mate) {
    // "mate 3" is three own moves there. The mating side moves last: three of its moves are five plies, three of the mated side's six.
    std::int64_t& mate = info.score->value;
    constexpr std::int64_t mate_max = 1'000'000;
    mate = std::clamp(mate, -mate_max, mate_max);
    mate = mate > 0 ? 2 * mate - 1 : 2 * mate;
    info.score->mate_is_lost = mate <= 0;
  }
  if (dialect.notation != Notation::uci) {
    return;
  }
  std::for_each(info.pv.begin(), info.pv.end(), [](std::string& move) { move = usi_move(move); });
}

}  // namespace kakehashi::usi
