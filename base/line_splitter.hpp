// Cuts a byte stream into lines, with a bound. Splitting never depends on how the bytes arrived:
// many lines in one segment and one line in many segments give the same lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi::base {

/// Lines end with LF; one CR before it is dropped. A line longer than the bound, or with a NUL
/// byte, is reported once as broken, and never kept in memory past the bound.
class LineSplitter {
 public:
  explicit LineSplitter(std::size_t line_bytes_max) : line_bytes_max_(line_bytes_max) {}

  enum class Trouble { none, line_too_long, nul_byte };

  /// The lines stand in the bytes given, or in the splitter: good until either goes or is fed.
  struct Fed {
    std::vector<std::string_view> lines;  ///< complete lines, in order, without their ends
    Trouble trouble = Trouble::none; ///< seen last in these bytes; the offending lines are left out
    std::size_t broken = 0;          ///< how many lines were found broken in these bytes
  };

  /// Takes the next bytes of the stream.
  [[nodiscard]] Fed feed(std::string_view bytes);

  /// Where in those bytes the end of a line stands that feed() gave: behind its LF.
  [[nodiscard]] static std::size_t end_of(std::string_view line, std::string_view bytes);

  /// At the end of the stream: the last line when it came without its end, or nothing.
  [[nodiscard]] std::string take_unfinished();

 private:
  std::size_t line_bytes_max_;
  std::string partial_;  ///< the beginning of a line whose end has not come
  std::string joined_;   ///< the line that began in earlier bytes
  bool discarding_ = false;
};

}  // namespace kakehashi::base
