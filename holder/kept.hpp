// The room holder: the process that outlives the one that plays. It owns how that one is begun, watched and followed by
// another, and what is kept for it meanwhile: descriptors, by names. It knows no protocol and no game.
//
// What a player says to its holder: which descriptors are to be kept, by what names. One that follows another finds them
// here. Without a holder nothing is kept, and nothing is found.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi::holder {

inline constexpr std::size_t name_bytes_max = 119;
/// 500 bots with three engines each, and room.
inline constexpr std::size_t kept_max = 16384;

/// One word to the holder, with a descriptor beside it where it is to be kept.
struct Word {
  enum class Kind : unsigned char { keep = 1, drop = 2 };
  Kind kind = Kind::keep;
  std::array<char, name_bytes_max + 1> name{};
};

class Kept {
 public:
  struct One {
    std::string name;
    int descriptor = -1;
  };

  Kept() = default;
  /// `way` leads to the holder; `left` is what earlier players have left; so often they were asked to stop.
  Kept(int way, std::vector<One> left, int stops) : way_(way), left_(std::move(left)), stops_(stops) {}
  ~Kept();
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

  /// Whether there is a holder: what is kept outlives this process.
  [[nodiscard]] bool is_held() const { return way_ >= 0; }

  /// How often the program was asked to stop (SIGTERM, SIGINT) before this player began.
  [[nodiscard]] int stops() const { return stops_; }

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
};

}  // namespace kakehashi::holder
