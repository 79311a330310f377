// The family of engine protocols, as one table of what differs. USI is the tongue of the house: the
// rest of the bridge speaks and hears USI words only, and a Session respells them for its engine.
// Sources: USI draft 1 and Shogidokoro's definition; UCI (2000, and as engines speak it); TEI; UCGI.
#pragma once

#include <optional>
#include <string_view>

namespace kakehashi::usi {

enum class Protocol { usi, uci, tei, ucgi };

/// How moves and positions are written.
enum class Notation {
  usi,      ///< 7g7f, P*5e; sfen
  uci,      ///< c3c4, P@e5; fen, as UCI engines write shogi
  foreign,  ///< of another game: never translated
};

struct Dialect {
  Protocol protocol;
  const char* name;           ///< "usi": the handshake word, and the configuration's
  const char* hello_answer;   ///< "usiok"
  const char* new_game;       ///< "usinewgame"
  /// Whether "isready" follows the new game's word (TEI and UCGI: "always"; in Shogidokoro's
  /// definition it comes before; UCI knows no such word in its first text).
  bool is_ready_after_new_game;
  Notation notation;
  const char* ponder_option;  ///< empty where the protocol has no pondering
  const char* hash_option;
  /// Who moves first has his clock in the first word.
  const char* first_time;
  const char* second_time;
  const char* first_increment;
  const char* second_increment;
  bool has_byoyomi;
  bool has_ponder;
  bool has_gameover;
  bool has_checkmate;         ///< `go mate` is answered by "checkmate"
  bool mate_counts_moves;     ///< "mate 3" is three own moves, not plies
  const char* no_move;        ///< what `bestmove` says where there is none
  /// A shogi game can be played with such an engine.
  bool plays_shogi;
};

[[nodiscard]] const Dialect& dialect_of(Protocol protocol);
/// By its name in lower case: "usi", "uci", "tei", "ucgi".
[[nodiscard]] std::optional<Protocol> protocol_named(std::string_view name);

}  // namespace kakehashi::usi
