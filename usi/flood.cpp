#include "usi/flood.hpp"

#include <algorithm>
#include <string_view>

#include "base/text.hpp"

namespace kakehashi::usi {

namespace {

/// Lines with a line of play and lines without are thinned apart: a hundred "currmove" must not
/// push out the principal variation.
enum class Kind { other, with_moves, without_moves };

Kind kind_of(std::string_view line) {
  const std::string_view text = base::trim(line);
  if (!text.starts_with("info ") || text.starts_with("info string") ||
      text.starts_with("info error")) {
    return Kind::other;
  }
  return text.find(" pv ") == std::string_view::npos ? Kind::without_moves : Kind::with_moves;
}

std::size_t thin_out_kind(std::vector<std::string>& lines, Kind kind, std::size_t infos_max) {
  const auto is_kind = [kind](const std::string& line) { return kind_of(line) == kind; };
  const auto infos = static_cast<std::size_t>(std::count_if(lines.begin(), lines.end(), is_kind));
  std::size_t surplus = infos > infos_max ? infos - infos_max : 0;
  const std::size_t dropped = surplus;
  lines.erase(std::remove_if(lines.begin(), lines.end(),
                             [&](const std::string& line) {
                               if (surplus == 0 || !is_kind(line)) {
                                 return false;
                               }
                               --surplus;
                               return true;
                             }),
              lines.end());
  return dropped;
}

}  // namespace

std::size_t thin_out(std::vector<std::string>& lines, std::size_t infos_max) {
  if (lines.size() <= infos_max) {
    return 0;
  }
  return thin_out_kind(lines, Kind::without_moves, infos_max) +
         thin_out_kind(lines, Kind::with_moves, infos_max);
}

}  // namespace kakehashi::usi
