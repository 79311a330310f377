// The room keeper: an engine that outlives the link to it. It owns the words between a bridge and the keeper, and
// both ends of that talk; it knows no game and no setting, and touches no socket, process or clock.
//
// The keeper of one engine: what is said to the engine and by it outlives whoever listens. Lines in both
// directions are numbered and acknowledged (words.hpp), so that a client that comes back, or a second one beside
// it, misses nothing and repeats nothing. Pure: it knows no socket, process or clock.
//
//   state      | entered by                             | left by
//   -----------+----------------------------------------+--------------------------------------------------
//   serving    | construction                           | end, kill, nobody for long, leave taken -> leaving;
//              |                                        | exit -> ended
//   settling   | a new session finds a search running:  | the answers that are owed, which nobody hears
//              | "stop"; its lines wait                 | -> serving
//   leaving    | "quit"                                 | exit, or the time to quit is over -> gone
//   ended      | the engine's exit                      | acknowledged, or nobody for long -> gone
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/time.hpp"
#include "keeper/words.hpp"

namespace kakehashi::keeper {

/// Thins the engine's `info` for a thin link: of each kind the last one, ten times a second at most. Whatever else
/// the engine says goes through at once, behind the info that was said before it.
class Thinner {
 public:
  /// What may be passed on now, in order.
  [[nodiscard]] std::vector<std::string> take(std::string line, base::SteadyTime now);
  /// What has waited long enough.
  [[nodiscard]] std::vector<std::string> due(base::SteadyTime now);
  [[nodiscard]] std::optional<base::SteadyTime> deadline() const;

  static constexpr base::Millis pause{100};
  /// Of kinds told apart; further ones count as one.
  static constexpr std::size_t kinds_max = 64;

 private:
  struct Kind {
    base::SteadyTime free_at;
    std::string waiting{};  ///< the last one that found no room yet; empty: none
    std::size_t order = 0;  ///< among those that wait
  };

  [[nodiscard]] std::vector<std::string> flush(base::SteadyTime now, bool all);

  std::map<std::string, Kind, std::less<>> kinds_;
  std::size_t waited_ = 0;
};

/// "1 pv" for a line of the first variation, "string", "currmove": what an info line replaces an earlier one of.
[[nodiscard]] std::string kind_of_info(std::string_view line);

/// What is said to the clients of one session: numbered, and kept until it is acknowledged.
class Backlog {
 public:
  struct Line {
    std::uint64_t number;
    std::string text;  ///< "out 7 bestmove 7g7f"
    bool is_info;
  };

  /// False: too much was kept that is no info, and all of it is given up.
  [[nodiscard]] bool add(std::string word, std::string_view text, bool is_info);
  void acknowledge(std::uint64_t number);
  /// The number of the last line.
  [[nodiscard]] std::uint64_t last() const { return last_; }
  /// The first line behind that one; null: there is none.
  [[nodiscard]] const Line* behind(std::uint64_t number) const;

  /// Of lines that were not acknowledged yet: then the oldest info is given up.
  static constexpr std::size_t bytes_max = std::size_t{8} * 1024 * 1024;
  static constexpr std::size_t lines_max = 65'536;

 private:
  std::deque<Line> lines_;
  std::size_t bytes_ = 0;
  std::uint64_t last_ = 0;
};

/// What one session has for the engine: numbered lines, taken in order and each once, over whichever way it comes.
/// They wait while the engine is still in a search of an earlier session.
class Inbox {
 public:
  using Word = std::variant<Input, Until>;
  enum class Arrival {
    next,
    repeated,  ///< it came by the other way already
    gap,       ///< the line before it is missing
  };
  struct Waiting {
    Word word;
    base::SteadyTime arrived_at;
  };

  [[nodiscard]] Arrival arrive(std::uint64_t number);
  /// False: too much waits already.
  [[nodiscard]] bool wait(Word word, base::SteadyTime now);
  [[nodiscard]] std::deque<Waiting> take_waiting();

  /// The number of the last line that arrived.
  [[nodiscard]] std::uint64_t accepted() const { return accepted_; }

  static constexpr std::size_t waiting_bytes_max = std::size_t{1} * 1024 * 1024;

 private:
  std::uint64_t accepted_ = 0;
  std::deque<Waiting> waiting_;
  std::size_t waiting_bytes_ = 0;
};

/// What the engine was asked to search, in whichever session, and has not answered. It is told to stop once, and never
/// when it has answered: the word would meet the next search.
class Searches {
 public:
  /// A line for the engine; false: it is not told, being a "stop" that would be in vain.
  [[nodiscard]] bool admit(std::string_view line);
  /// It is told by then, unless it has answered or was told before.
  void stop_at(base::SteadyTime at);
  void forget_time() { timed_.reset(); }
  /// Nobody hears what is still searched. True: the engine is to be told now.
  [[nodiscard]] bool abandon();
  void on_answer();
  void on_exit();
  /// Its time is over: the engine is to be told now.
  [[nodiscard]] bool take_due(base::SteadyTime now);

  /// Answers to what was abandoned are owed.
  [[nodiscard]] bool is_settling() const { return is_settling_; }
  [[nodiscard]] std::optional<base::SteadyTime> deadline() const { return timed_; }

 private:
  int owed_ = 0;                ///< answers to "go"
  bool has_said_stop_ = false;  ///< to the search that runs
  bool is_settling_ = false;
  std::optional<base::SteadyTime> timed_;
};

struct WriteEngine { std::string line; };
/// The engine's process group, at once.
struct KillEngine {};
/// Behind what take_text() still gives.
struct CloseClient { int client = 0; };
/// Nothing is left to keep.
struct Leave {};
using Action = std::variant<WriteEngine, KillEngine, CloseClient, Leave>;

class Keeper {
 public:
  struct Rules {
    base::Millis unattended{600'000};  ///< without a client for so long, the engine is told to quit
    base::Millis quit_grace{5'000};    ///< from "quit" to SIGKILL
    base::Millis silence{30'000};      ///< a client that says nothing for so long, no ping either, is gone
    std::string version;               ///< for people
  };

  Keeper(Rules rules, base::SteadyTime now);

  // --- past facts; a client is a number of the caller's
  void on_client(int client, base::SteadyTime now);
  void on_client_line(int client, std::string_view line, base::SteadyTime now);
  void on_client_gone(int client, base::SteadyTime now);
  /// It has ended, and was not cut off: nobody else being attached, it was the engine's last one.
  void on_leave_taken(int client, base::SteadyTime now);
  void on_engine_line(std::string line, base::SteadyTime now);
  void on_engine_error_line(std::string line);
  void on_engine_exit(std::string status, base::SteadyTime now);
  /// As "end" does.
  void quit(base::SteadyTime now);
  /// As "kill" does.
  void kill();
  /// Looks at the deadlines.
  void on_time(base::SteadyTime now);

  [[nodiscard]] std::vector<Action> take_actions();
  [[nodiscard]] std::optional<base::SteadyTime> deadline() const;
  /// What is to be sent to a client next, whole lines, so many bytes or one line more; empty: nothing now.
  [[nodiscard]] std::string take_text(int client, std::size_t bytes_max);

 private:
  /// It has not said hello.
  struct Stranger {};
  struct Served {
    std::uint64_t sent;  ///< the last numbered line that was
    std::uint64_t told;  ///< the last acknowledgement that was
  };
  struct Refused {
    std::string why;
    bool has_heard = false;
  };
  struct Client {
    base::SteadyTime heard_at;
    std::variant<Stranger, Served, Refused> state{};
    std::string greeting{};
    std::string pong{};  ///< the latest only

    [[nodiscard]] bool is_served() const { return std::holds_alternative<Served>(state); }
    [[nodiscard]] bool is_refused() const { return std::holds_alternative<Refused>(state); }
  };
  /// Whose engine it is, and what was said in both directions since.
  struct Session {
    std::string name{};
    Backlog said{};
    Inbox inbox{};
    Thinner thinner{};
  };
  /// Somebody is there, or the engine is gone.
  struct Attended {};
  struct Unattended { base::SteadyTime quit_at; };
  /// "quit" was said.
  struct Quitting { base::SteadyTime kill_at; };

  void hear(int client, Client& from, const Hello& hello);
  void hear(int client, Client& from, Inbox::Word word, base::SteadyTime now);
  void begin_session(const std::string& name);
  void obey(Inbox::Word word, base::SteadyTime arrived_at);
  void keep(std::string word, std::string_view text, bool is_info);
  void acknowledge(std::uint64_t number);
  void refuse(int client, Client& from, const std::string& code, const std::string& why);
  void leave();
  [[nodiscard]] bool is_quitting() const { return std::holds_alternative<Quitting>(attendance_); }

  Rules rules_;
  std::map<int, Client> clients_;
  Session session_;
  Searches searches_;
  std::optional<std::uint64_t> exit_number_;  ///< of the session's line that says that the engine has ended
  std::variant<Attended, Unattended, Quitting> attendance_;
  bool has_left_ = false;
  std::vector<Action> actions_;
};

}  // namespace kakehashi::keeper
