// The room holder: the process that outlives the one that plays. It owns how that one is begun, watched and followed by
// another, and what is kept for it meanwhile: descriptors, by names. It knows no protocol and no game.
//
// What a player says to its holder: which descriptors are to be kept, by what names. One that follows another finds them
// here. Without a holder nothing is kept, and nothing is found. It also says when another program is to go on, and asks
// whether that could.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi::holder {

inline constexpr std::size_t name_bytes_max = 119;
/// 500 bots with three engines each, and room.
inline constexpr std::size_t kept_max = 16384;

/// One word to the holder, with a descriptor beside it where it is to be kept, or to be told to.
struct Word {
  enum class Kind : unsigned char { keep = 1, drop, look, try_successor, succeed, succeed_at_end, stay };  ///< look: at the pulse
  Kind kind = Kind::keep;
  std::array<char, name_bytes_max + 1> name{};
};

/// Memory that player and holder share: a player says there that it lives, without a system call.
struct Pulse {
  std::atomic<std::uint64_t> beats{0};
  /// Something is due: who does not beat is lost. The holder looks at it after each word.
  std::atomic<bool> is_due{false};
};

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
  };

  struct One {
    std::string name;
    int descriptor = -1;
  };

  Kept() = default;
  /// `way` leads to the holder; `left` is what earlier players have left, of which so many died one soon after the other.
  Kept(int way, std::vector<One> left, Start start, int deaths = 0, Pulse* pulse = nullptr)
      : way_(way), left_(std::move(left)), start_(start), deaths_(deaths), pulse_(pulse) {}
  ~Kept();
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

  /// Whether there is a holder: what is kept outlives this process.
  [[nodiscard]] bool is_held() const { return way_ >= 0; }

  [[nodiscard]] const Start& start() const { return start_; }

  /// How many players before this one died, one soon after the other.
  [[nodiscard]] int deaths() const { return deaths_; }

  /// From now on beat() is expected at least every beat_interval, or not any more.
  void expect_beats(bool is_due);
  void beat();

  /// The descriptor becomes the caller's, as another one of the same; the holder goes on keeping it. -1: none is kept.
  [[nodiscard]] int take(std::string_view name);
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

  static constexpr int succession_ms_max = 5'000;

 private:
  bool say(Word::Kind kind, std::string_view name, int descriptor);

  int way_ = -1;
  std::vector<One> left_;
  Start start_;
  int deaths_ = 0;
  Pulse* pulse_ = nullptr;
};

/// A player that is silent for `silent_looks_max` looks of the holder is killed, and followed by another.
inline constexpr std::chrono::milliseconds beat_interval{200};
inline constexpr std::chrono::milliseconds look_interval{250};
inline constexpr int silent_looks_max = 4;

}  // namespace kakehashi::holder
