#include "shogi/record/file_name.hpp"

#include <optional>

namespace kakehashi::shogi::record {

namespace {

constexpr std::size_t name_bytes_max = 200;

bool is_safe(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '+' || c == '@' || c == '-' || byte >= 0x80;
}

void append_safe(std::string_view part, std::string& name) {
  for (const char c : part) {
    name += is_safe(c) ? c : '_';
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
  if (name.front() == '.') {
    name.front() = '_';
  }
  return name;
}

}  // namespace kakehashi::shogi::record
