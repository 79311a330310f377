#include "shogi/record/file_name.hpp"

#include <optional>

#include "shogi/record/utf8.hpp"

namespace kakehashi::shogi::record {

namespace {

constexpr std::size_t name_bytes_max = 200;

bool is_safe(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '+' || c == '@' || c == '-';
}

/// ".." never comes about, whatever stood before.
void append_safe(std::string_view part, std::string& name) {
  for (std::size_t at = 0; at < part.size();) {
    const auto character = utf8_at(part, at);
    const std::size_t length = character ? character->length_bytes : 1;
    const bool is_kept =
        length > 1 ? is_visible(character->code)
                   : is_safe(part[at]) && !(part[at] == '.' && name.ends_with('.'));
    name += is_kept ? part.substr(at, length) : "_";
    at += length;
  }
}

std::optional<std::string_view> value_of(std::string_view placeholder, const FileNameParts& parts) {
  const std::array<std::string_view, 6> values{parts.date,  parts.time,  parts.game_id,
                                               parts.black, parts.white, parts.game_name};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (placeholder == file_name_placeholders[i]) {
      return values[i];
    }
  }
  return std::nullopt;
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
    append_safe(name_template.substr(0, open), name);
    if (open == std::string_view::npos) {
      break;
    }
    const std::size_t close = name_template.find('}', open);
    if (close == std::string_view::npos) {
      append_safe(name_template.substr(open), name);
      break;
    }
    const auto value = value_of(name_template.substr(open + 1, close - open - 1), parts);
    append_safe(value ? *value : name_template.substr(open, close - open + 1), name);
    name_template.remove_prefix(close + 1);
  }
  cut(name);
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
