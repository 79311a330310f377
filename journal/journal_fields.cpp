#include "journal/journal_fields.hpp"

#include <charconv>

namespace kakehashi::journal {
namespace {

constexpr std::string_view digits = "0123456789ABCDEF";
/// Before the extension of a file that is to be stored so.
const std::string shift_jis_mark = "sjis:";

}  // namespace

std::string escape(std::string_view text, std::string_view also) {
  std::string escaped;
  escaped.reserve(text.size());
  std::size_t written = 0;  // what needs no escape goes in whole pieces: it is nearly everything
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || c == '%' ||
        (!also.empty() && also.find(c) != std::string_view::npos)) {
      escaped += text.substr(written, i - written);
      escaped += {'%', digits[byte >> 4U], digits[byte & 15U]};
      written = i + 1;
    }
  }
  escaped += text.substr(written);
  return escaped;
}

std::string spell(const NamedTexts& texts) {
  std::string spelled;
  for (const auto& [name, text] : texts) {
    spelled += (spelled.empty() ? "" : ";") + escape(name, "=;") + "=" + escape(text, "=;");
  }
  return spelled;
}

std::string spell(const PlainTexts& texts) {
  std::string spelled;
  for (const std::string& text : texts) {
    spelled += escape(text, ";") + ";";
  }
  return spelled;
}

std::string spell(const RecordFiles& files) {
  NamedTexts texts;
  for (const bridge::RecordFile& file : files) {
    texts.emplace_back((file.is_shift_jis ? shift_jis_mark : "") + file.extension, file.text);
  }
  return spell(texts);
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
    if (text == bridge::code_of(value) || text == bridge::name_of(value)) {
      return true;
    }
  }
  return false;
}

bool parse(std::string_view text, bridge::EngineId& value) {
  constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
  /// In journals of versions before 0.2 the standby's launches were counted from here.
  constexpr std::int64_t old_standby = 1'000'000;
  const std::size_t colon = text.find(':');
  const auto seat = colon == std::string_view::npos ? std::optional<std::int64_t>(0) : base::parse_int(text.substr(0, colon));
  const auto launch = base::parse_int(colon == std::string_view::npos ? text : text.substr(colon + 1));
  if (!seat || !launch || *seat < 0 || *launch < 0 || *seat > most || *launch > most) {
    return false;
  }
  const bool is_old = colon == std::string_view::npos && *launch > old_standby;
  value = {static_cast<std::uint32_t>(is_old ? 1 : *seat), static_cast<std::uint32_t>(is_old ? *launch - old_standby : *launch)};
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

// A number beyond the enumerators may stand in a file that another program wrote, or a later version. A new
// enumerator that is missing here does not compile.

bool is_enumerator(shogi::Color value) {
  switch (value) {
    case shogi::Color::black:
    case shogi::Color::white:
      return true;
  }
  return false;
}

bool is_enumerator(csa::HowClosed value) {
  switch (value) {
    case csa::HowClosed::refused:
    case csa::HowClosed::eof:
    case csa::HowClosed::broken:
      return true;
  }
  return false;
}

bool is_enumerator(csa::Outcome value) {
  switch (value) {
    case csa::Outcome::win:
    case csa::Outcome::lose:
    case csa::Outcome::draw:
    case csa::Outcome::none:
      return true;
  }
  return false;
}

bool is_enumerator(usi::ClockReading value) {
  switch (value) {
    case usi::ClockReading::unknown:
    case usi::ClockReading::adds:
    case usi::ClockReading::keeps_to_btime:
    case usi::ClockReading::no_increments:
      return true;
  }
  return false;
}

bool is_enumerator(bridge::Urgency value) {
  switch (value) {
    case bridge::Urgency::drain:
    case bridge::Urgency::resign:
    case bridge::Urgency::at_once:
    case bridge::Urgency::renew:
      return true;
  }
  return false;
}

bool is_enumerator(bridge::Level value) {
  switch (value) {
    case bridge::Level::debug:
    case bridge::Level::info:
    case bridge::Level::warn:
    case bridge::Level::error:
      return true;
  }
  return false;
}

bool is_enumerator(bridge::RescueCause value) {
  switch (value) {
    case bridge::RescueCause::gone:
    case bridge::RescueCause::silent:
    case bridge::RescueCause::unusable:
    case bridge::RescueCause::declaration:
      return true;
  }
  return false;
}

bool is_enumerator(bridge::Incident value) {
  switch (value) {
    case bridge::Incident::connected:
    case bridge::Incident::logged_in:
    case bridge::Incident::login_refused:
    case bridge::Incident::retrying:
    case bridge::Incident::game_rejected:
    case bridge::Incident::agree_too_late:
    case bridge::Incident::game_started:
    case bridge::Incident::game_resumed:
    case bridge::Incident::game_ended:
    case bridge::Incident::game_lost_sight:
    case bridge::Incident::engine_ready:
    case bridge::Incident::engine_lost:
    case bridge::Incident::engine_lost_on_turn:
    case bridge::Incident::engine_given_up:
    case bridge::Incident::engine_hurried:
    case bridge::Incident::engine_option_skipped:
    case bridge::Incident::search_repeated:
    case bridge::Incident::unusable_bestmove:
    case bridge::Incident::rescue_played:
    case bridge::Incident::lost_by_fault:
    case bridge::Incident::record_failed:
    case bridge::Incident::journal_failed:
    case bridge::Incident::bot_failed:
    case bridge::Incident::line_dropped:
      return true;
  }
  return false;
}

}  // namespace kakehashi::journal
