#include "shogi/record/file_name.hpp"

#include <algorithm>
#include <optional>

#include "base/utf8.hpp"

namespace kakehashi::shogi::record {

namespace {

constexpr std::size_t name_bytes_max = 200;

bool is_safe(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '+' || c == '@' || c == '-';
}

/// Of a template, which its user wrote: what no system forbids in a name and no shell replaces.
bool is_allowed(char c) {
  return c >= 0x20 && c < 0x7F &&
         std::string_view("<>:\"/\\|?*{}'$`&;").find(c) == std::string_view::npos;
}

/// ".." never comes about, whatever stood before.
void append(std::string_view part, bool (*may_stay)(char), std::string& name) {
  for (std::size_t at = 0; at < part.size();) {
    const auto character = base::utf8_at(part, at);
    const std::size_t length = character ? character->length_bytes : 1;
    const bool is_kept =
        length > 1 ? base::is_visible(character->code)
                   : may_stay(part[at]) && !(part[at] == '.' && name.ends_with('.'));
    name += is_kept ? part.substr(at, length) : "_";
    at += length;
  }
}

std::optional<std::string> value_of(std::string_view placeholder, const FileNameParts& parts) {
  const std::array<std::string, 12> values{
      parts.date,      parts.time,
      parts.game_id,   parts.black,
      parts.white,     parts.game_name,
      parts.date + "_" + parts.time, parts.game_id,
      parts.black,     parts.white,
      parts.hex5,      parts.ply};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (placeholder == file_name_placeholders[i]) {
      return values[i];
    }
  }
  return std::nullopt;
}

/// Also {_x} and {x_}: the separator goes with the value.
std::optional<std::string> filled_in(std::string_view placeholder, const FileNameParts& parts) {
  if (auto value = value_of(placeholder, parts)) {
    return value;
  }
  const bool is_before = placeholder.starts_with('_');
  if (!is_before && !placeholder.ends_with('_')) {
    return std::nullopt;
  }
  auto value = value_of(is_before ? placeholder.substr(1) : placeholder.substr(0, placeholder.size() - 1),
                        parts);
  if (value && !value->empty()) {
    value = is_before ? "_" + *value : *value + "_";
  }
  return value;
}

/// Cuts at a character's border, so that what is left is still UTF-8.
void cut(std::string& name) {
  if (name.size() <= name_bytes_max) {
    return;
  }
  std::size_t end = name_bytes_max;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) {
    --end;
  }
  name.resize(end);
}

}  // namespace

std::string file_name(std::string_view name_template, const FileNameParts& parts) {
  std::string name;
  while (!name_template.empty()) {
    const std::size_t open = name_template.find('{');
    append(name_template.substr(0, open), is_allowed, name);
    if (open == std::string_view::npos) {
      break;
    }
    const std::size_t close = name_template.find('}', open);
    if (close == std::string_view::npos) {
      append(name_template.substr(open), is_allowed, name);
      break;
    }
    if (const auto value = filled_in(name_template.substr(open + 1, close - open - 1), parts)) {
      append(*value, is_safe, name);
    } else {
      append(name_template.substr(open, close - open + 1), is_allowed, name);
    }
    name_template.remove_prefix(close + 1);
  }
  cut(name);
  name.erase(0, std::min(name.find_first_not_of(' '), name.size()));
  name.erase(name.find_last_not_of(' ') + 1);
  if (name.empty()) {
    name = "game";
  }
  // Hidden by a dot, taken for an option by a dash, or ".." before the extension.
  if (name.front() == '.' || name.front() == '-') {
    name.front() = '_';
  }
  if (name.back() == '.') {
    name.back() = '_';
  }
  return name;
}

}  // namespace kakehashi::shogi::record
