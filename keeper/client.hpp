// The side of an engine's keeper on which the bridge stands: what is said to the engine and by it, over links that come
// and go. It numbers lines and keeps them until they are acknowledged, says them again behind a cut, drops what it has
// heard already, notices a link that is silent, and opens another beside it at once. There may be several ways to the
// keeper (two networks): each has its links, every line goes over all of them, and the first copy counts. Pure: a link
// is a number, time an argument.
//
//   a link    | entered by                           | left by
//   ----------+--------------------------------------+-------------------------------------------------------
//   opening   | the beginning, a close, a doubt      | "keeper …" -> up; its close, attach_max -> gone
//   up        | its greeting; anything heard         | silence -> doubted; its close -> gone
//   doubted   | doubt_after without a word           | anything heard -> up; a newer one is up, its close,
//             |                                      | drop_after -> gone
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/message.hpp"
#include "base/time.hpp"
#include "keeper/words.hpp"

namespace kakehashi::keeper {

/// A new connection over that way, which leads to the keeper's standard input and output.
struct OpenLink { int link = 0; std::size_t way = 0; };
struct CloseLink { int link = 0; };
/// Whole lines.
struct SendLink { int link = 0; std::string text; };
struct HearLine { std::string text; };
struct HearError { std::string text; };
/// The engine is there, for the first time. `version` is its keeper's.
struct EngineFound { std::string version; };
struct WayUp { std::size_t way = 0; };
struct WayDown { std::size_t way = 0; base::Message why; };
/// The engine could not be reached at all, or not be started.
struct NotFound { base::Message why; };
/// It has ended, or is another one. Nothing follows.
struct EngineGone { base::Message why; };
using ClientAction =
    std::variant<OpenLink, CloseLink, SendLink, HearLine, HearError, EngineFound, WayUp, WayDown, NotFound, EngineGone>;

/// What is said to the engine: numbered, and kept until the keeper has acknowledged it.
class Spoken {
 public:
  /// A line, or with nothing in it the time at which the keeper says stop.
  struct Word {
    std::optional<std::string> text{};
    base::SteadyTime stop_at{};
  };

  /// The line that says it; nothing: too much waits already.
  [[nodiscard]] std::optional<std::string> add(Word word, base::SteadyTime now);
  void acknowledge(std::uint64_t number);
  /// All that waits, as it is said now: of a time what is left of it.
  [[nodiscard]] std::string lines(base::SteadyTime now) const;

  /// The numbers of the last line, and of the last one that the keeper has acknowledged.
  [[nodiscard]] std::uint64_t last() const { return last_; }
  [[nodiscard]] std::uint64_t acknowledged() const { return acknowledged_; }

  /// Of lines that wait to be acknowledged.
  static constexpr std::size_t waiting_bytes_max = std::size_t{1024} * 1024;

 private:
  struct Waiting {
    std::uint64_t number;
    Word word;

    [[nodiscard]] std::size_t bytes() const { return sizeof(Waiting) + word.text.value_or("").size(); }
  };

  static std::string spell(const Waiting& waiting, base::SteadyTime now);

  std::deque<Waiting> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::uint64_t last_ = 0;
  std::uint64_t acknowledged_ = 0;
};

/// The pings of one link, and how long their answers took.
class Pings {
 public:
  Pings() = default;
  explicit Pings(base::SteadyTime due) : due_(due) {}

  void ask(std::uint64_t token, base::SteadyTime now, base::Millis every);
  /// How long it took, if that was asked.
  [[nodiscard]] std::optional<std::chrono::microseconds> on_pong(std::uint64_t token, base::SteadyTime now);
  [[nodiscard]] base::SteadyTime due() const { return due_; }

  static constexpr std::size_t asked_max = 16;

 private:
  struct Asked {
    std::uint64_t token;
    base::SteadyTime at;
  };

  base::SteadyTime due_{};
  std::deque<Asked> asked_;  ///< without an answer
};

class Client {
 public:
  struct Rules {
    std::size_t ways = 1;
    std::string session{};              ///< nobody else's, and no earlier engine's
    base::Millis ping_every{1'000};
    base::Millis doubt_after{3'000};
    base::Millis drop_after{12'000};    ///< of doubt
    base::Millis attach_max{10'000};    ///< from a link's opening to its greeting
    base::Millis pause_max{1'000};      ///< between attempts; the first follows at once: what it adds to a cut is lost
    base::Millis give_up_after{600'000};  ///< as long as the keeper waits for anybody
  };
  struct RoundTrip {
    std::chrono::microseconds mean{0};
    std::chrono::microseconds deviation{0};
  };

  Client(Rules rules, base::SteadyTime now);

  void write(std::string line, base::SteadyTime now);
  /// When the keeper tells the engine to stop by itself, should no answer and no other word come before.
  void stop_at(base::SteadyTime at, base::SteadyTime now);
  /// The engine and its keeper end, where they can be reached; nothing is heard of them any more.
  void kill();

  // --- past facts of a link; those of one that is closed are ignored
  void on_line(int link, std::string_view line, base::SteadyTime now);
  /// `is_final`: the other machine has answered that there will be no keeper.
  void on_closed(int link, const base::Message& why, bool is_final, base::SteadyTime now);
  void on_time(base::SteadyTime now);

  [[nodiscard]] std::optional<base::SteadyTime> deadline() const;
  [[nodiscard]] std::vector<ClientAction> take_actions();
  [[nodiscard]] bool is_out() const;
  /// Of the fastest way that is up.
  [[nodiscard]] std::optional<RoundTrip> round_trip() const;

  /// Lines heard; fewer are acknowledged with the next words, a ping at the latest.
  static constexpr std::uint64_t unacknowledged_max = 256;
  /// What a login shell may print before the keeper speaks.
  static constexpr int noise_lines_max = 200;

 private:
  struct Opening {
    base::SteadyTime since;
    std::uint64_t acknowledged;  ///< then: on a slow way the greeting may lie behind what the others brought since
    int noise_lines = 0;
  };
  struct Up { base::SteadyTime heard_at; };
  struct Doubted { base::SteadyTime since; };
  struct Link {
    std::size_t way;
    std::variant<Opening, Up, Doubted> state;
    Pings pings{};  ///< behind the greeting
    std::string outgoing{};
    std::uint64_t acks_owed = 0;

    [[nodiscard]] bool is_up() const { return std::holds_alternative<Up>(state); }
  };
  struct Way {
    int failures = 0;  ///< in a row
    std::optional<base::SteadyTime> open_at{};
    std::optional<RoundTrip> round_trip{};
    bool is_up = false;
  };
  struct Seeking {};
  /// The engine was reached.
  struct Found {
    std::optional<base::SteadyTime> out_since{};
  };
  struct Ended {
    std::optional<ClientAction> last_word;  ///< behind all others
  };

  void open(std::size_t way, base::SteadyTime now);
  /// Those links of which `is(number, link)` holds.
  template <class Is>
  void close_each(Is is);
  void queue(Spoken::Word word, base::SteadyTime now);
  void on_greeting(int link, std::string_view line, base::SteadyTime now);
  void on_refusal(int link, std::string_view refusal, base::SteadyTime now);
  void on_pong(Link& link, std::string_view token, base::SteadyTime now);
  void on_numbered(int link, std::string_view word, std::string_view text);
  void drop(int link, const base::Message& why, base::SteadyTime now);
  void look_at(int link, base::SteadyTime now);
  void watch_way(std::size_t way, const base::Message& why, base::SteadyTime now);
  void end(const base::Message& why);
  [[nodiscard]] std::optional<base::SteadyTime> gives_up_at() const;
  [[nodiscard]] bool has_ended() const { return std::holds_alternative<Ended>(phase_); }

  Rules rules_;
  std::vector<Way> ways_;
  std::map<int, Link> links_;
  int links_so_far_ = 0;
  Spoken spoken_;
  std::uint64_t seen_ = 0;  ///< the number of the last line of the keeper
  std::uint64_t pings_ = 0;
  std::variant<Seeking, Found, Ended> phase_;
  std::vector<ClientAction> actions_;
};

// --- the command that attaches to a keeper: on this machine, or on another through ssh, whose shell gets nothing that was
// not quoted here. It starts nothing.

struct Attachment {
  std::string name;                  ///< of the keeper (is_name in main.cpp)
  std::vector<std::string> command;  ///< the engine's
  std::string directory{};           ///< empty: its program's
  std::string mark{};                ///< of what else the engine depends on; another one is another engine
  std::string keep_in{};             ///< where keepers are found; empty: the usual place
  bool ends_with_client = false;     ///< a client that ends, and is not cut off, takes the engine along
  std::vector<std::string> pass{};   ///< variables and patterns of the environment there; empty: the usual ones
  bool core_dumps = false;           ///< the engine may write some
  std::string fresh{};               ///< an engine that was not started with this word is killed first
};

/// Letters and digits stay; what a keeper's name may not hold becomes "_" and, so that two names stay two, a number.
[[nodiscard]] std::string keeper_name(std::string_view text);

/// "attach NAME …", for kakehashi-keep.
[[nodiscard]] std::vector<std::string> attach_words(const Attachment& attachment);

/// `host` is a name for ssh, or with a space in it a whole command line, cut at its spaces.
[[nodiscard]] std::vector<std::string> ssh_command(std::string_view host);
/// What ssh is to run there, as one argument: kakehashi-keep from the user's own place or from PATH, with these words.
[[nodiscard]] std::string remote_command(const std::vector<std::string>& words);

/// One word for any shell of the family of sh; csh and fish take it likewise as long as it is one line.
[[nodiscard]] std::string quote_for_shell(std::string_view text);

/// Where `kakehashi engine install` puts the keeper, from the home directory on.
inline constexpr std::string_view installed_in = ".kakehashi/bin";

}  // namespace kakehashi::keeper
