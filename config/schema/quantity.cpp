#include "config/schema/quantity.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "base/text.hpp"

namespace kakehashi::config {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};

constexpr std::array<Unit, 4> duration_units{{{"ms", 1}, {"s", 1'000}, {"min", 60'000}, {"h", 3'600'000}}};

constexpr std::uint64_t kibi = 1024;
constexpr std::array<Unit, 8> size_units{{{"B", 1},
                                          {"kB", 1'000},
                                          {"KB", 1'000},
                                          {"KiB", kibi},
                                          {"MB", 1'000'000},
                                          {"MiB", kibi * kibi},
                                          {"GB", 1'000'000'000},
                                          {"GiB", kibi * kibi * kibi}}};

/// A decimal number cut from its unit; both may be empty.
struct Quantity {
  std::string_view whole;
  std::string_view decimals;
  std::string_view unit;
};

constexpr std::string_view digits = "0123456789";

Quantity cut(std::string_view text) {
  Quantity quantity;
  std::size_t at = std::min(text.find_first_not_of(digits), text.size());
  quantity.whole = text.substr(0, at);
  const std::size_t begin = at + 1;
  if (begin < text.size() && text[at] == '.' && digits.find(text[begin]) != std::string_view::npos) {
    at = std::min(text.find_first_not_of(digits, begin), text.size());
    quantity.decimals = text.substr(begin, at - begin);
  }
  quantity.unit = base::trim(text.substr(at));
  return quantity;
}

template <std::size_t count>
std::optional<std::uint64_t> factor_of(const std::array<Unit, count>& units, std::string_view name) {
  for (const Unit& unit : units) {
    if (unit.name == name) {
      return unit.factor;
    }
  }
  return std::nullopt;
}

/// The value in the smallest unit; nothing when it is no number, too large, or finer than that.
std::optional<std::uint64_t> scale(const Quantity& quantity, std::uint64_t factor) {
  constexpr std::size_t digits_max = 12;
  if (quantity.whole.empty() || quantity.whole.size() > digits_max || quantity.decimals.size() > 6) {
    return std::nullopt;
  }
  const auto whole = static_cast<std::uint64_t>(*base::parse_int(quantity.whole));
  if (whole > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / 2 / factor) {
    return std::nullopt;
  }
  std::uint64_t numerator = 0;
  std::uint64_t denominator = 1;
  for (const char digit : quantity.decimals) {
    numerator = numerator * 10 + static_cast<std::uint64_t>(digit - '0');
    denominator *= 10;
  }
  if (factor * numerator % denominator != 0) {
    return std::nullopt;
  }
  return whole * factor + factor * numerator / denominator;
}

}  // namespace

base::Result<base::Millis> read_duration(std::string_view text) {
  const Quantity quantity = cut(text);
  if (quantity.whole.empty()) {
    return base::fail("is no duration: write a number and its unit, such as 500ms, 1.5s, 2min or 1h");
  }
  const std::string number(text.substr(0, text.size() - quantity.unit.size()));
  if (quantity.unit.empty()) {
    return base::fail("has no unit; write " + number + "ms, " + number + "s, " + number +
                      "min or " + number + "h");
  }
  const auto factor = factor_of(duration_units, quantity.unit);
  if (!factor) {
    return base::fail("has the unknown unit " + base::quote_for_log(quantity.unit, 20) +
                      "; the units are ms, s, min and h");
  }
  const auto value = scale(quantity, *factor);
  if (!value) {
    return base::fail("is no duration that can be counted in milliseconds");
  }
  return base::Millis{static_cast<std::int64_t>(*value)};
}

std::string spell_duration(base::Millis duration) {
  const auto count = duration.count();
  if (count >= 3'600'000 && count % 3'600'000 == 0) {
    return std::to_string(count / 3'600'000) + "h";
  }
  if (count >= 60'000 && count % 60'000 == 0) {
    return std::to_string(count / 60'000) + "min";
  }
  if (count < 1'000) {
    return std::to_string(count) + "ms";
  }
  std::string text = std::to_string(count / 1'000);
  if (count % 1'000 != 0) {
    std::string decimals = std::to_string(1'000 + count % 1'000).substr(1);
    decimals.erase(decimals.find_last_not_of('0') + 1);
    text += "." + decimals;
  }
  return text + "s";
}

base::Result<std::uint64_t> read_size(std::string_view text) {
  const Quantity quantity = cut(text);
  if (quantity.whole.empty()) {
    return base::fail("is no size: write a number and its unit, such as 500kB, 10MB or 1GiB");
  }
  const auto factor =
      quantity.unit.empty() ? std::optional<std::uint64_t>{1} : factor_of(size_units, quantity.unit);
  if (!factor) {
    return base::fail("has the unknown unit " + base::quote_for_log(quantity.unit, 20) +
                      "; the units are B, kB, MB, GB, KiB, MiB and GiB");
  }
  const auto value = scale(quantity, *factor);
  if (!value) {
    return base::fail("is no size that can be counted in bytes");
  }
  return *value;
}

std::string spell_size(std::uint64_t bytes) {
  // Larger units first; the thousands are what people mean by MB.
  for (const std::string_view name : {"GB", "GiB", "MB", "MiB", "kB", "KiB"}) {
    const std::uint64_t factor = *factor_of(size_units, name);
    if (bytes >= factor && bytes % factor == 0) {
      return std::to_string(bytes / factor) + std::string(name);
    }
  }
  return std::to_string(bytes);
}

}  // namespace kakehashi::config
