// What only who examines an engine wants to know of its process and its pipes.
#pragma once

namespace kakehashi::usi {

enum class Oddity {
  flood,            ///< so many info lines at once that some were dropped
  line_too_long,    ///< or with a NUL byte: the line was left out
  unfinished_line,  ///< the last one came without its end; it is told as a line all the same
  output_closed,    ///< standard output was closed while the process lived on
  children_left,    ///< its process group was not empty when it ended; killed
};

}  // namespace kakehashi::usi
