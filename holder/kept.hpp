// The room holder: the process that outlives the one that plays. It owns how that one is begun, watched and followed by
// another, and what is kept for it meanwhile: descriptors, by names. It knows no protocol and no game.
//
// What a player says to its holder: which descriptors are to be kept, by what names. One that follows another finds them
// here. Without a holder nothing is kept, and nothing is found. It also says when another program is to go on, and asks
// whether that could.
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi::holder {

inline constexpr std::size_t name_bytes_max = 119;
/// What has a name that ends so is memory, at which an understudy looks.
inline constexpr std::string_view seen_by_understudy = "/legacy";
/// 500 bots with three engines each, and room.
inline constexpr std::size_t kept_max = 16384;

/// One word to the holder, with a descriptor beside it where it is to be kept, or to be told to.
struct Word {
  enum class Kind : unsigned char {
    keep = 1,
    drop,
    look,  ///< at the pulse
    try_successor,
    succeed,
    succeed_at_end,
    stay,
    understudy,
    no_understudy,
  };
  using Name = std::array<char, name_bytes_max + 1>;  ///< with a zero byte behind it

  Kind kind = Kind::keep;
  Name name{};
};
/// Nothing: that is none.
[[nodiscard]] std::optional<Word> word_of(std::string_view message);

/// Memory that player and holder share: a player says there that it lives, without a system call.
struct Pulse {
  std::atomic<std::uint64_t> beats{0};
  /// Something is due: who does not beat is lost. The holder looks at it after each word.
  std::atomic<bool> is_due{false};
};

/// Says one word, with a descriptor or -1. False: it could not be said.
bool send(int way, const Word& word, int descriptor);
/// One message, as it came.
struct Heard {
  std::array<char, sizeof(Word) + 1> bytes;  ///< one more: what is too long is not taken for a word
  ssize_t size = -1;    ///< as of recv(2): 0 is the end
  int descriptor = -1;  ///< the caller's; -1: none. More than one cannot come

  [[nodiscard]] std::string_view text() const { return {bytes.data(), static_cast<std::size_t>(size < 0 ? 0 : size)}; }
};
[[nodiscard]] Heard receive(int way, int flags);

/// What came of a successor's trial. The program says `can_follow` or `can_begin` by its exit status: which other programs
/// have no reason to end with.
enum class Verdict : char { can_follow = 'f', can_begin = 'b', fails = 'x', is_silent = 's' };
inline constexpr int exit_can_follow = 40;
inline constexpr int exit_can_begin = 41;

class Kept {
 public:
  /// How a player begins.
  struct Start {
    int stops = 0;  ///< so often the program was asked to stop (SIGTERM, SIGINT) before
    bool is_successor = false;         ///< another program played until now
    bool is_to_be_succeeded = false;   ///< succeed_at_end() was said
    bool is_trial = false;             ///< another program plays: look whether this one could go on with what it has left
    bool is_understudy = false;        ///< another process plays: get ready to follow it, until wait_for_turn() returns
    int deaths = 0;  ///< of players before this one, one soon after the other
  };

  struct One {
    std::string name;
    int descriptor = -1;
  };

  Kept() = default;
  /// `way` leads to the holder; `left` is what earlier players have left.
  Kept(int way, std::vector<One> left, Start start, Pulse* pulse = nullptr)
      : way_(way), left_(std::move(left)), start_(start), pulse_(pulse) {}
  ~Kept();
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

  /// Whether there is a holder: what is kept outlives this process.
  [[nodiscard]] bool is_held() const { return way_ >= 0; }

  [[nodiscard]] const Start& start() const { return start_; }

  /// From now on beat() is expected at least every beat_interval, or not any more.
  void expect_beats(bool is_due);
  void beat();

  /// The descriptor becomes the caller's, as another one of the same; the holder goes on keeping it. -1: none is kept.
  [[nodiscard]] int take(std::string_view name);
  /// The same, to look at only: it stays where it is.
  [[nodiscard]] int look_at(std::string_view name) const;
  /// Of what earlier players have left, and nobody has taken, those that begin so.
  [[nodiscard]] std::vector<std::string> names(std::string_view beginning) const;
  /// In place of an earlier one of that name. False: it is not kept, and nothing else is lost for it.
  bool keep(std::string_view name, int descriptor);
  /// No more. Ignored where nothing is kept.
  void drop(std::string_view name);

  /// Has the program's file of now tried. From the descriptor comes what that says, then the Verdict and a zero byte; an end
  /// without them: it could not be tried. -1: nobody can be asked.
  [[nodiscard]] int try_successor();
  /// The program's file of now goes on, and this process is killed. Returns when it could not be executed.
  void succeed();
  /// It begins anew when this process has exited with 0; or not any more.
  void succeed_at_end(bool is_wanted);

  /// There is to be an understudy from now on, if it can be; or none, since what it knows has changed.
  void want_understudy(bool is_wanted);
  /// In an understudy, which holds nothing until then but a copy of what is `seen_by_understudy`: returns when the player is
  /// dead and this process plays, with all that is kept. Meanwhile does `work` piece by piece; false: there is none just now.
  void wait_for_turn(const std::function<bool()>& work);

  static constexpr int succession_ms_max = 5'000;
  static constexpr int between_pieces_ms = 20;
  static constexpr int between_looks_ms = 30'000;

 private:
  bool say(Word::Kind kind, std::string_view name, int descriptor);

  int way_ = -1;
  std::vector<One> left_;
  Start start_;
  Pulse* pulse_ = nullptr;
};

/// What a holder says to an understudy whose turn has come: what is kept, and then how it begins.
class Turn {
 public:
  /// False: that is nothing that it says, or not all of it has come; the descriptor is the caller's still.
  [[nodiscard]] bool take(std::string_view message, int descriptor);
  /// The last message.
  [[nodiscard]] static bool send(int way, const Kept::Start& start);

  std::vector<Kept::One> left;
  std::optional<Kept::Start> start;

 private:
  using Said = std::array<int, 4>;
};

/// A player that is silent for `silent_looks_max` looks of the holder is killed, and followed by another.
inline constexpr std::chrono::milliseconds beat_interval{200};
inline constexpr std::chrono::milliseconds look_interval{250};
inline constexpr int silent_looks_max = 4;
/// One that follows another, until it is to beat: a disk may stand still as it begins.
inline constexpr int beginning_looks_max = 120;

}  // namespace kakehashi::holder
