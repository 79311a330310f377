// What a flood of lines of an engine costs: a bound for each kind of line, on either of its streams. Must not know
// processes, nor read a clock.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"

namespace kakehashi::usi {

/// So many lines of a kind pass at once after a pause, and so many of each second. A line counts once, and once more for
/// each `line_bytes` that it has. Owns what it holds back: at most a line of each kind of `info`, and its last words.
class OutputSieve {
 public:
  struct Sifted {
    std::vector<std::string> lines;  ///< what passes, in its order
    std::vector<std::size_t> taken;  ///< for each, how many lines of the read are behind us with it
    std::size_t dropped = 0;         ///< of `info`: a later one of their kind stands for them
    std::size_t left_out = 0;        ///< of others
  };

  /// So many lines were written to the engine: each may be a question, and no answer that is owed is ever dropped.
  void asked(std::size_t lines);

  /// Takes the lines of one read. Moves (`bestmove`), words of readiness (`readyok`, `usiok`), options and words that no
  /// protocol knows are counted apart, and of each the first ones pass. Of `info` the last ones pass, as many as the
  /// time allows, and the last of each kind (with a pv, without one, words for people) before the next line that is not
  /// `info`: the last evaluation stands before `bestmove`.
  [[nodiscard]] Sifted sift(const std::vector<std::string_view>& lines, base::SteadyTime now);

  /// Of an engine that has ended: what is held back, and the latest of what was left out behind all that passed but
  /// `info`, which may say why.
  [[nodiscard]] std::vector<std::string> take_last_words();

  struct Bound {
    std::size_t at_once;
    double a_second;
  };
  /// What an engine prints for a deep MultiPV search fits.
  static constexpr Bound infos{512, 2'000};
  /// The longest known list fits many times over.
  static constexpr Bound options{4'096, 50};
  /// An engine that says so much for long is left in its debugging.
  static constexpr Bound others{4'096, 50};
  /// Of moves and of words of readiness; more where more was asked.
  static constexpr Bound answers{64, 1};
  static constexpr std::size_t line_bytes = 1'024;
  static constexpr std::size_t last_words_max = 16;

 private:
  /// In lines; less than none behind one that counts for several.
  struct Allowance {
    Bound bound;
    double left = static_cast<double>(bound.at_once);

    void add(double lines);
  };

  void refill(base::SteadyTime now);
  void release(Sifted& sifted, std::size_t taken);

  static constexpr std::size_t kinds = 3;
  std::array<std::optional<std::string>, kinds> held_;
  std::deque<std::string> left_out_;
  Allowance infos_{infos};
  /// Of what is no `info`, by its kind.
  std::array<Allowance, 4> others_{Allowance{answers}, {answers}, {options}, {others}};
  std::optional<base::SteadyTime> refilled_at_;
};

}  // namespace kakehashi::usi
