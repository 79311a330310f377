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

  /// Of lines that were not acknowledged yet: then the oldest info is given up, and an engine that says too much
  /// else is killed.
  static constexpr std::size_t kept_bytes_max = std::size_t{8} * 1024 * 1024;
  static constexpr std::size_t kept_lines_max = 65'536;
  /// Of lines that wait for a search of an earlier session to end.
  static constexpr std::size_t waiting_bytes_max = std::size_t{1} * 1024 * 1024;

 private:
  struct Kept {
    std::uint64_t number;
    std::string text;  ///< "out 7 bestmove 7g7f"
    bool is_info;
  };
  /// A line for an engine that is still in a search of an earlier session.
  struct Waiting {
    std::variant<Input, Until> word;
    base::SteadyTime arrived_at;
  };
  struct Client {
    base::SteadyTime heard_at;
    bool has_said_hello = false;
    std::uint64_t sent = 0;        ///< the last numbered line that was
    std::uint64_t told = 0;        ///< the last acknowledgement that was
    std::string greeting{};
    std::string pong{};            ///< the latest only
    std::string refusal{};
    bool has_heard_refusal = false;

    [[nodiscard]] bool is_served() const { return has_said_hello && refusal.empty(); }
  };

  void hear(int client, Client& from, const Hello& hello);
  void hear(int client, Client& from, std::variant<Input, Until> word, base::SteadyTime now);
  void begin_session(const std::string& session);
  void obey(std::variant<Input, Until> word, base::SteadyTime arrived_at);
  void write(Input input);
  void keep(std::string word, std::string_view text, bool is_info);
  void make_room();
  void hear(int client, Client& from, Acknowledged seen);
  void acknowledge(std::uint64_t number);
  void refuse(int client, Client& from, const std::string& code, const std::string& why);
  void leave();

  Rules rules_;
  std::map<int, Client> clients_;
  std::string session_;
  std::deque<Kept> kept_;
  std::size_t kept_bytes_ = 0;
  std::uint64_t said_ = 0;      ///< the number of the last line kept
  std::uint64_t lost_ = 0;      ///< info lines given up since the last word on it
  std::uint64_t accepted_ = 0;  ///< the number of the last line for the engine that arrived
  std::uint64_t written_ = 0;
  std::deque<Waiting> waiting_;  ///< while settling
  std::size_t waiting_bytes_ = 0;
  int owed_ = 0;                ///< answers to "go"
  bool has_said_stop_ = false;  ///< to the search that runs
  bool is_settling_ = false;
  bool has_exited_ = false;
  bool has_left_ = false;
  std::uint64_t exit_number_ = 0;
  Thinner thinner_;
  std::optional<base::SteadyTime> stop_at_;
  std::uint64_t stop_for_ = 0;
  std::optional<base::SteadyTime> unattended_at_;
  std::optional<base::SteadyTime> kill_at_;  ///< "quit" was said
  std::vector<Action> actions_;
};

}  // namespace kakehashi::keeper
