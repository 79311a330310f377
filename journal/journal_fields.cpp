#include "journal/journal_fields.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace kakehashi::journal {
namespace {

constexpr std::string_view digits = "0123456789ABCDEF";
/// Before the extension of a file that is to be stored so.
const std::string shift_jis_mark = "sjis:";

/// By byte. A position is long, and is spelt at each move.
constexpr std::array<bool, 256> is_escaped = [] {
  std::array<bool, 256> escaped{};
  std::fill_n(escaped.begin(), 0x20, true);
  escaped[0x7f] = escaped['%'] = true;
  return escaped;
}();

}  // namespace

void escape(std::string& to, std::string_view text, std::string_view also) {
  const bool has_more = !also.empty();
  std::size_t written = 0;  // what needs no escape goes in whole pieces: it is nearly everything
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (is_escaped[byte] || (has_more && also.find(text[at]) != std::string_view::npos)) {
      to.append(text, written, at - written) += {'%', digits[byte >> 4U], digits[byte & 15U]};
      written = at + 1;
    }
  }
  to.append(text, written);
}

void spell(std::string& to, const NamedTexts& texts) {
  for (const auto& named : texts) {
    to += &named == &texts.front() ? "" : ";";
    escape(to, named.first, "=;");
    to += '=';
    escape(to, named.second, "=;");
  }
}

void spell(std::string& to, const PlainTexts& texts) {
  for (const std::string& text : texts) {
    escape(to, text, ";");
    to += ';';
  }
}

void spell(std::string& to, bridge::EngineId engine) {
  if (engine.seat != 0) {
    spell(to, engine.seat);
    to += ':';
  }
  spell(to, engine.launch);
}

void spell(std::string& to, const RecordFiles& files) {
  NamedTexts texts;
  for (const bridge::RecordFile& file : files) {
    texts.emplace_back((file.is_shift_jis ? shift_jis_mark : "") + file.extension, file.text);
  }
  spell(to, texts);
}

bool parse(std::string_view text, std::string& value) {
  auto plain = base::percent_decoded(text);
  if (plain) {
    value = std::move(*plain);
  }
  return plain.has_value();
}

bool parse(std::string_view text, base::Message& value) {
  auto plain = base::percent_decoded(text);
  if (plain) {
    value = base::verbatim(std::move(*plain));
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
    auto name = base::percent_decoded(item.substr(0, sign));
    auto named = base::percent_decoded(item.substr(sign + 1));
    if (!name || !named) {
      return false;
    }
    value.emplace_back(std::move(*name), std::move(*named));
  }
  return true;
}

bool parse(std::string_view text, PlainTexts& value) {
  value.clear();
  while (!text.empty()) {
    const std::size_t end = text.find(';');
    auto plain = base::percent_decoded(text.substr(0, end));
    if (end == std::string_view::npos || !plain) {
      return false;
    }
    value.push_back(std::move(*plain));
    text.remove_prefix(end + 1);
  }
  return true;
}

bool parse(std::string_view text, RecordFiles& value) {
  NamedTexts texts;
  if (!parse(text, texts)) {
    return false;
  }
  value.clear();
  for (auto& [name, content] : texts) {
    const bool is_shift_jis = name.starts_with(shift_jis_mark);
    value.push_back({is_shift_jis ? name.substr(shift_jis_mark.size()) : name, std::move(content),
                     is_shift_jis});
  }
  return true;
}

bool parse(std::string_view text, bridge::Phase& value) {
  for (int i = 0; i <= static_cast<int>(bridge::Phase::failed); ++i) {
    value = static_cast<bridge::Phase>(i);
    if (text == bridge::code_of(value)) {
      return true;
    }
  }
  return false;
}

bool parse(std::string_view text, bridge::EngineId& value) {
  constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
  const std::size_t colon = text.find(':');
  const auto seat = colon == std::string_view::npos ? std::optional<std::int64_t>(0) : base::parse_int(text.substr(0, colon));
  const auto launch = base::parse_int(colon == std::string_view::npos ? text : text.substr(colon + 1));
  if (!seat || !launch || *seat < 0 || *launch < 0 || *seat > most || *launch > most) {
    return false;
  }
  value = {static_cast<std::uint32_t>(*seat), static_cast<std::uint32_t>(*launch)};
  return true;
}

}  // namespace kakehashi::journal
