#include "usi/dialect.hpp"

#include <algorithm>
#include <array>

namespace kakehashi::usi {

namespace {

constexpr std::array<Dialect, 4> dialects{{
    {.protocol = Protocol::usi,
     .name = "usi",
     .hello_answer = "usiok",
     .new_game = "usinewgame",
     .is_ready_after_new_game = false,
     .notation = Notation::usi,
     .ponder_option = "USI_Ponder",
     .hash_option = "USI_Hash",
     .first_time = "btime",
     .second_time = "wtime",
     .first_increment = "binc",
     .second_increment = "winc",
     .has_byoyomi = true,
     .has_ponder = true,
     .has_gameover = true,
     .has_checkmate = true,
     .mate_counts_moves = false,
     .no_move = "resign",
     .plays_shogi = true},
    {.protocol = Protocol::uci,
     .name = "uci",
     .hello_answer = "uciok",
     .new_game = "ucinewgame",
     .is_ready_after_new_game = false,
     .notation = Notation::uci,
     .ponder_option = "Ponder",
     .hash_option = "Hash",
     // White moves first where UCI engines play shogi.
     .first_time = "wtime",
     .second_time = "btime",
     .first_increment = "winc",
     .second_increment = "binc",
     .has_byoyomi = false,
     .has_ponder = true,
     .has_gameover = false,
     .has_checkmate = false,
     .mate_counts_moves = true,
     .no_move = "(none)",
     .plays_shogi = true},
    {.protocol = Protocol::tei,
     .name = "tei",
     .hello_answer = "teiok",
     .new_game = "teinewgame size 6",
     .is_ready_after_new_game = true,
     .notation = Notation::foreign,
     .ponder_option = "",
     .hash_option = "",
     .first_time = "wtime",
     .second_time = "btime",
     .first_increment = "winc",
     .second_increment = "binc",
     .has_byoyomi = false,
     .has_ponder = false,
     .has_gameover = false,
     .has_checkmate = false,
     .mate_counts_moves = false,
     .no_move = "--",
     .plays_shogi = false},
    {.protocol = Protocol::ucgi,
     .name = "ucgi",
     .hello_answer = "ucgiok",
     .new_game = "ucginewgame",
     .is_ready_after_new_game = true,
     .notation = Notation::foreign,
     .ponder_option = "",
     .hash_option = "EndgameHash",
     .first_time = "1time",
     .second_time = "2time",
     .first_increment = "1inc",
     .second_increment = "2inc",
     .has_byoyomi = false,
     .has_ponder = false,
     .has_gameover = false,
     .has_checkmate = false,
     .mate_counts_moves = false,
     .no_move = "",
     .plays_shogi = false},
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

}  // namespace kakehashi::usi
