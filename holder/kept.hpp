// The room holder: the process that outlives the one that plays. It owns how that one is begun, watched and followed by
// another, and what is kept for it meanwhile: descriptors, by names. It knows no protocol and no game.
//
// What a player says to its holder: which descriptors are to be kept, by what names. One that follows another finds them
// here. Without a holder nothing is kept, and nothing is found.
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

/// One word to the holder, with a descriptor beside it where it is to be kept.
struct Word {
  enum class Kind : unsigned char { keep = 1, drop = 2, look = 3 };  ///< look: at the pulse
  Kind kind = Kind::keep;
  std::array<char, name_bytes_max + 1> name{};
};

/// Memory that player and holder share: a player says there that it lives, without a system call.
struct Pulse {
  std::atomic<std::uint64_t> beats{0};
  /// Something is due: who does not beat is lost. The holder looks at it after each word.
  std::atomic<bool> is_due{false};
};

class Kept {
 public:
  struct One {
    std::string name;
    int descriptor = -1;
  };

  Kept() = default;
  /// `way` leads to the holder; `left` is what earlier players have left; so often they were asked to stop, and so many of them
  /// died one soon after the other.
  Kept(int way, std::vector<One> left, int stops, int deaths, Pulse* pulse)
      : way_(way), left_(std::move(left)), stops_(stops), deaths_(deaths), pulse_(pulse) {}
  ~Kept();
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

  /// Whether there is a holder: what is kept outlives this process.
  [[nodiscard]] bool is_held() const { return way_ >= 0; }

  /// How often the program was asked to stop (SIGTERM, SIGINT) before this player began.
  [[nodiscard]] int stops() const { return stops_; }

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

 private:
  bool say(Word::Kind kind, std::string_view name, int descriptor);

  int way_ = -1;
  std::vector<One> left_;
  int stops_ = 0;
  int deaths_ = 0;
  Pulse* pulse_ = nullptr;
};

/// A player that is silent for `silent_looks_max` looks of the holder is killed, and followed by another.
inline constexpr std::chrono::milliseconds beat_interval{200};
inline constexpr std::chrono::milliseconds look_interval{250};
inline constexpr int silent_looks_max = 4;

}  // namespace kakehashi::holder
