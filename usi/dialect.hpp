// The family of engine protocols: one table of what differs, and the way from USI to the words of another protocol and
// back. USI is the tongue of the house: the rest of the bridge speaks and hears USI words only, and a Session respells them
// for its engine. Sources: USI draft 1 and Shogidokoro's definition; UCI (2000, and as engines speak it); TEI; UCGI.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kakehashi::usi {

struct BestMove;
struct Info;

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
  Notation notation;
  const char* ponder_option;  ///< empty where the protocol has no pondering
  /// Who moves first has his clock in the first word.
  const char* first_time;
  const char* second_time;
  const char* first_increment;
  const char* second_increment;

  /// A shogi game can be played with such an engine.
  [[nodiscard]] bool plays_shogi() const { return notation != Notation::foreign; }
  /// Whether "isready" follows the new game's word (TEI and UCGI: "always"; in Shogidokoro's
  /// definition it comes before; UCI knows no such word in its first text).
  [[nodiscard]] bool is_ready_after_new_game() const { return notation == Notation::foreign; }
  [[nodiscard]] bool has_ponder() const { return *ponder_option != '\0'; }
  /// Words that USI alone has: byoyomi, gameover.
  [[nodiscard]] bool is_usi() const { return protocol == Protocol::usi; }
};

[[nodiscard]] const Dialect& dialect_of(Protocol protocol);
/// By its name in lower case: "usi", "uci", "tei", "ucgi".
[[nodiscard]] std::optional<Protocol> protocol_named(std::string_view name);

// --- from USI to the words of the engine and back: letters only. It knows no rules of shogi, and passes on unchanged what it
// cannot read, for the guard to judge. UCI engines that play shogi give files a-i from the left and ranks 1-9 from below as
// the first mover sees them (7g7f is c3c4), a drop has "@" (P*5e is P@e5), and the first mover is "w".

[[nodiscard]] std::string uci_move(std::string_view usi_move);
[[nodiscard]] std::string usi_move(std::string_view uci_move);

/// A USI "position …" line in the engine's notation.
[[nodiscard]] std::string respell_position(const Dialect& dialect, std::string line);
/// A USI "go …" line in the engine's words.
[[nodiscard]] std::string respell_go(const Dialect& dialect, std::string line);

/// An engine's answer and its information in USI words: moves, "resign" where there is no move,
/// mates in plies.
void respell_answer(const Dialect& dialect, BestMove& best);
void respell_info(const Dialect& dialect, Info& info);

}  // namespace kakehashi::usi
