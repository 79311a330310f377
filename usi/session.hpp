// The room usi: the engine's language. It owns the lines, options and dialects, what an engine owes, and its
// examination; it knows no board and no server, and touches no process.
//
// One engine process from the bridge's side. USI has no request ids, so each `go` gets a number
// here, and the answers that the engine still owes stand in a queue: a `bestmove` belongs to the
// oldest. Calls and events are in USI words; an engine of another protocol is spoken to in its own.
// Pure: no process, no clock; deadlines are the caller's. Moves are opaque words.
//
//   phase       | entered by                     | left by
//   ------------+--------------------------------+------------------------------------------
//   silent      | construction                   | begin() -> handshake
//   handshake   | "usi" or its sister word       | usiok -> identified
//   identified  | options are known              | prepare() -> preparing
//   preparing   | setoption…, "isready"          | readyok -> ready
//   ready       | readyok; or all answers given  | search() -> searching
//   searching   | "go" or "go ponder"            | bestmove; a "stop" -> stopping
//   stopping    | "stop", bestmove owed          | bestmove -> ready (a queued search starts then)
#pragma once

#include <variant>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "usi/command.hpp"
#include "usi/info.hpp"
#include "usi/message.hpp"
#include "usi/option.hpp"

namespace kakehashi::usi {

/// Numbers the searches of one session, from 1.
enum class SearchId : std::uint64_t {};

// --- what the engine's line turned out to mean ---
struct Identified { std::string name; std::string author; std::vector<Option> options; };
struct BecameReady {};
struct SearchInfo { SearchId search; Info info; };
/// The answer to a search that was not abandoned. "resign" and "win" included.
struct SearchAnswered { SearchId search; std::string move; std::string ponder; };
/// A bestmove of an abandoned search, or one nobody asked for: swallowed, for the log.
struct AnswerSwallowed {
  std::string line;
  base::Message why;
};
/// A bestmove during `go ponder` before ponderhit: kept until ponderhit() or abandon().
struct AnswerParked { SearchId search; };
/// The engine forbids its use ("copyprotection error"): it must not be sent into a game.
struct Refused {
  base::Message why;
};
/// Something out of place: for the log.
struct Complaint {
  base::Message text;
};
/// Free text: `info string …`, banners.
struct Said { std::string text; };

using EngineEvent = std::variant<Identified, BecameReady, SearchInfo, SearchAnswered, AnswerSwallowed, AnswerParked, Refused,
                                 Complaint, Said>;

/// What came of a call: lines to write to the engine, in order, and events.
struct Reaction {
  std::vector<std::string> lines;
  std::vector<EngineEvent> events;
};

struct SearchRequest {
  std::string position;  ///< "position startpos moves …", whole
  std::string go;        ///< "go btime …" or "go ponder btime …", whole
  bool is_ponder = false;
  /// So many lines at once, where the engine has MultiPV; 0: as its options say.
  int lines = 0;
};

class Session {
 public:
  explicit Session(const Dialect& dialect = dialect_of(Protocol::usi)) : dialect_(&dialect) {}

  [[nodiscard]] const Dialect& dialect() const { return *dialect_; }

  enum class Phase { silent, handshake, identified, preparing, ready, searching, stopping };

  [[nodiscard]] Phase phase() const { return phase_; }

  [[nodiscard]] Reaction on_line(std::string_view line);

  /// "usi".
  [[nodiscard]] Reaction begin();
  /// The setoption lines in the given order, then "isready". From identified, or from ready
  /// between games.
  [[nodiscard]] Reaction prepare(const std::vector<OptionSetting>& settings);
  /// "usinewgame"; only when ready. In TEI and UCGI "isready" follows, and the session prepares.
  [[nodiscard]] Reaction new_game();

  /// Starts a search, at once or, when answers are still owed, as soon as the last one is in.
  /// A second request before that replaces the first. A running search must be abandoned first.
  struct Started { SearchId search; Reaction reaction; };
  [[nodiscard]] Started search(SearchRequest request);
  /// The predicted move came: "ponderhit" (with `times` behind it when not empty). A parked
  /// answer is delivered at once instead, and nothing is sent. A queued search gets its ponderhit
  /// when it starts.
  [[nodiscard]] Reaction ponderhit(std::string_view times);
  /// Asks the running search for its move now: "stop", once; its answer counts.
  [[nodiscard]] Reaction hurry();
  /// The answer is no longer wanted: "stop" unless already sent; the bestmove will be swallowed.
  /// A queued request is dropped. Does nothing when nothing runs.
  [[nodiscard]] Reaction abandon();
  /// Abandons, and sends "gameover" once nothing is owed (now, or behind the last bestmove). An
  /// engine that is not ready yet is told nothing, nor is one whose protocol has no such word.
  [[nodiscard]] Reaction game_over(GameOver result);
  /// "quit".
  [[nodiscard]] Reaction quit();

  /// The search whose answer counts, running or queued.
  [[nodiscard]] std::optional<SearchId> current_search() const;
  [[nodiscard]] bool is_pondering() const;
  /// The answer that waits for its ponderhit.
  [[nodiscard]] const std::optional<SearchAnswered>& parked() const { return parked_; }
  /// A search waits for an abandoned one to be answered; another request replaces it.
  [[nodiscard]] bool is_queued() const { return queued_.has_value(); }
  /// The end of a game is to be told as soon as nothing is owed.
  [[nodiscard]] bool owes_game_over() const { return pending_game_over_.has_value(); }
  /// The answer that is owed is to a search that was given up while it thought ahead.
  [[nodiscard]] bool owes_old_thought() const {
    return !owed_.empty() && owed_.front().is_abandoned && owed_.front().is_ahead;
  }
  /// Bestmoves that the engine still owes, abandoned ones included.
  [[nodiscard]] std::size_t owed() const { return owed_.size(); }
  /// What the engine declared; empty before it is identified.
  [[nodiscard]] const std::vector<Option>& options() const { return options_; }
  [[nodiscard]] const std::string& name() const { return name_; }

  static constexpr std::size_t options_max = 1024;

 private:
  void set_lines(int wanted, Reaction& reaction);
  void start(SearchId id, SearchRequest request, Reaction& reaction);
  void on_option(Option option, Reaction& reaction);
  void on_usiok(Reaction& reaction);
  void on_readyok(Reaction& reaction);
  void on_info(Info info, Reaction& reaction);
  void on_bestmove(std::string_view line, BestMove best, Reaction& reaction);
  void on_nothing_owed(Reaction& reaction);

  struct Owed {
    SearchId search;
    bool is_ponder = false;   ///< no ponderhit yet
    bool is_ahead = false;    ///< on the opponent's time: until its ponderhit, or a look at several lines
    bool is_abandoned = false;
    bool stop_sent = false;
  };
  struct Queued {
    SearchId search;
    SearchRequest request;
    std::optional<std::string> ponderhit{};  ///< to be sent behind the go
    bool is_hurried = false;
  };

  const Dialect* dialect_;  ///< a row of the table, which lives as long as the program
  Phase phase_ = Phase::silent;
  std::string name_;
  std::string author_;
  std::vector<Option> options_;
  bool has_too_many_options_ = false;
  std::deque<Owed> owed_;
  std::optional<SearchAnswered> parked_;
  std::optional<Queued> queued_;
  std::optional<GameOver> pending_game_over_;
  std::string lines_usual_;  ///< MultiPV as the options say
  std::string lines_told_;   ///< as it is set now
  std::uint64_t last_id_ = 0;
};

}  // namespace kakehashi::usi
