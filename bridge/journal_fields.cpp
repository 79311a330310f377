#include "bridge/journal_fields.hpp"

#include <charconv>

namespace kakehashi::bridge::journal {
namespace {

constexpr std::string_view digits = "0123456789ABCDEF";

}  // namespace

std::string escape(std::string_view text, std::string_view also) {
  std::string escaped;
  escaped.reserve(text.size());
  std::size_t written = 0;  // what needs no escape goes in whole pieces: it is nearly everything
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || c == '%' || also.find(c) != std::string_view::npos) {
      escaped += text.substr(written, i - written);
      escaped += {'%', digits[byte >> 4U], digits[byte & 15U]};
      written = i + 1;
    }
  }
  escaped += text.substr(written);
  return escaped;
}

std::optional<std::string> unescape(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      plain += text[i];
      continue;
    }
    if (text.size() - i < 3) {
      return std::nullopt;
    }
    const std::size_t high = digits.find(text[i + 1]);
    const std::size_t low = digits.find(text[i + 2]);
    if (high == std::string_view::npos || low == std::string_view::npos) {
      return std::nullopt;
    }
    plain += static_cast<char>(high << 4U | low);
    i += 2;
  }
  return plain;
}

std::string spell(const NamedTexts& texts) {
  std::string spelled;
  for (const auto& [name, text] : texts) {
    spelled += (spelled.empty() ? "" : ";") + escape(name, "=;") + "=" + escape(text, "=;");
  }
  return spelled;
}

bool parse(std::string_view text, std::string& value) {
  auto plain = unescape(text);
  if (plain) {
    value = std::move(*plain);
  }
  return plain.has_value();
}

bool parse(std::string_view text, bool& value) {
  value = text == "1";
  return text == "1" || text == "0";
}

bool parse(std::string_view text, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool parse(std::string_view text, NamedTexts& value) {
  value.clear();
  if (text.empty()) {
    return true;
  }
  for (const std::string_view item : base::split(text, ';')) {
    const std::size_t sign = item.find('=');
    if (sign == std::string_view::npos) {
      return false;
    }
    auto name = unescape(item.substr(0, sign));
    auto named = unescape(item.substr(sign + 1));
    if (!name || !named) {
      return false;
    }
    value.emplace_back(std::move(*name), std::move(*named));
  }
  return true;
}

bool parse(std::string_view text, base::Millis& value) {
  const auto count = base::parse_int(text);
  value = base::Millis{count.value_or(0)};
  return count.has_value();
}

bool parse(std::string_view text, std::chrono::microseconds& value) {
  const auto count = base::parse_int(text);
  value = std::chrono::microseconds{count.value_or(0)};
  return count.has_value();
}

bool parse(std::string_view text, base::SteadyTime& value) {
  const auto count = base::parse_int(text);
  value = base::SteadyTime(std::chrono::nanoseconds(count.value_or(0)));
  return count.has_value();
}

bool parse(std::string_view text, base::WallTime& value) {
  const auto count = base::parse_int(text);
  value = base::WallTime(base::Millis{count.value_or(0)});
  return count.has_value();
}

}  // namespace kakehashi::bridge::journal
