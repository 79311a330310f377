#include "config/schema/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "shogi/record/format.hpp"
#include "usi/process.hpp"

namespace kakehashi::config {

using base::quoted;
using base::say;

// --- game names

namespace {

std::optional<base::Seconds> parse_seconds(std::string_view digits) {
  constexpr std::size_t digits_max = 9;
  if (digits.empty() || digits.size() > digits_max ||
      digits.find_first_not_of("0123456789") != std::string_view::npos) {
    return std::nullopt;
  }
  return base::Seconds{*base::parse_int(digits)};
}

/// The piece after the last '-', which is cut off with it; nothing when there is no '-'.
std::optional<std::string_view> take_last_piece(std::string_view& text) {
  const std::size_t at = text.rfind('-');
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view piece = text.substr(at + 1);
  text = text.substr(0, at);
  return piece;
}

constexpr std::string_view letters_and_digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

bool is_label(std::string_view text) {
  return !text.empty() && text.find_first_not_of(std::string(letters_and_digits) + "_@.-") == std::string_view::npos;
}

}  // namespace

std::optional<GameName> parse_game_name(std::string_view text) {
  GameName name;
  for (const std::string_view side : {"-B", "-b", "-W", "-w"}) {
    if (text.ends_with(side)) {
      name.has_side = true;
      text.remove_suffix(side.size());
      break;
    }
  }
  if (text.ends_with('F')) {
    name.is_fischer = true;
    text.remove_suffix(1);
  }
  const auto per_move_digits = take_last_piece(text);
  const auto total_digits = take_last_piece(text);
  if (!per_move_digits || !total_digits || !is_label(text)) {
    return std::nullopt;
  }
  const auto per_move = parse_seconds(*per_move_digits);
  const auto total = parse_seconds(*total_digits);
  if (!per_move || !total) {
    return std::nullopt;
  }
  name.label = std::string(text);
  name.per_move = *per_move;
  name.total = *total;
  name.is_stop_watch = !name.is_fischer && per_move_digits->size() > 1 && per_move_digits->front() == '0';
  return name;
}

// --- what is wrong with a text

namespace {

/// The first whole character that is not of `allowed`, for a message.
std::optional<base::Message::Part> first_stranger(std::string_view text, std::string_view allowed) {
  const std::size_t at = text.find_first_not_of(allowed);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  if (text[at] == ' ') {
    return say("a space");
  }
  const auto character = base::utf8_at(text, at);
  return quoted(text.substr(at, character ? character->length_bytes : 1));
}

Complaint longer_than(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) {
    return std::nullopt;
  }
  return say("must have at most {} bytes, not {}", bytes_max, text.size());
}

bool is_placeholder(std::string_view name) {
  const auto is_known = [](std::string_view word) {
    return std::ranges::find(shogi::record::file_name_placeholders, word) != shogi::record::file_name_placeholders.end();
  };
  return is_known(name) || (name.starts_with('_') && is_known(name.substr(1))) ||
         (name.ends_with('_') && is_known(name.substr(0, name.size() - 1)));
}

/// A variable that a text names, as a shell would take it.
struct Variable {
  std::string_view spelling;  ///< "$HOME" or "${HOME}"
  std::string_view name;
  std::size_t end = 0;  ///< behind it
};

/// The first one from `at` on.
std::optional<Variable> variable_in(std::string_view text, std::size_t at = 0) {
  const std::string names = std::string(letters_and_digits) + "_";
  for (at = text.find('$', at); at != std::string_view::npos; at = text.find('$', at + 1)) {
    const bool has_brace = text.substr(at + 1).starts_with('{');
    const std::size_t begin = at + (has_brace ? 2 : 1);
    const std::size_t end = std::min(text.find_first_not_of(names, begin), text.size());
    const bool is_closed = !has_brace || text.substr(end).starts_with('}');
    if (end > begin && (text[begin] < '0' || text[begin] > '9') && is_closed) {
      return Variable{text.substr(at, end - at + (has_brace ? 1 : 0)), text.substr(begin, end - begin), end};
    }
  }
  return std::nullopt;
}

/// Letters, digits and those signs; no digit first.
bool is_variable_of(std::string_view text, const char* signs) {
  return !text.empty() && (text[0] < '0' || text[0] > '9') &&
         text.find_first_not_of(std::string(letters_and_digits) + signs) == std::string_view::npos;
}

Complaint judge_name_line(std::string_view text, base::Message when_empty) {
  if (text.empty()) {
    return when_empty;
  }
  if (base::has_control_byte(text)) {
    return say("must not hold a line end or another control character");
  }
  return longer_than(text, 64);
}

}  // namespace

Complaint judge_line(std::string_view text) {
  if (base::has_control_byte(text)) {
    return say("must not hold a line end or another control character");
  }
  return longer_than(text, text_bytes_max);
}

Complaint doubt_literal(std::string_view text) {
  if (text.starts_with("~/") || text == "~") {
    return say("begins with ~, which only a shell replaces; write the whole path");
  }
  if (const auto variable = variable_in(text)) {
    return say("holds {}, and variables are not replaced; write the whole path", variable->spelling);
  }
  return std::nullopt;
}

Complaint judge_bot_name(std::string_view text) {
  return judge_name_line(text, say("must not be empty; without the key the account's name is used"));
}

Complaint judge_member_name(std::string_view text) {
  return judge_name_line(text, say("must not be empty; without the key its number in the team is used"));
}

Complaint judge_host(std::string_view text) {
  if (text.empty()) {
    return say("must be the server's name or address, such as wdoor.c.u-tokyo.ac.jp");
  }
  if (text.find("://") != std::string_view::npos) {
    return say("must be a name or an address alone, without the part up to ://");
  }
  if (text.front() == '[' || text.back() == ']') {
    return say("must be an IPv6 address without its brackets");
  }
  // One colon is a port; an IPv6 address has two or more.
  if (std::count(text.begin(), text.end(), ':') == 1) {
    return say("must be a name or an address alone; the port goes to server.port");
  }
  if (const auto stranger = first_stranger(text, std::string(letters_and_digits) + ".-_:%")) {
    return say("must be a name or an address; {} is not allowed in one", *stranger);
  }
  return longer_than(text, 253);
}

Complaint judge_fingerprint(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdefABCDEF";
  const bool has_colons = text.find(':') != std::string_view::npos;
  const std::size_t size = has_colons ? 95 : 64;
  bool is_good = text.size() == size;
  for (std::size_t i = 0; i < text.size() && is_good; ++i) {
    const bool is_gap = has_colons && i % 3 == 2;
    is_good = is_gap ? text[i] == ':' : digits.find(text[i]) != std::string_view::npos;
  }
  if (is_good) {
    return std::nullopt;
  }
  return say("must be the SHA-256 fingerprint of a certificate: 64 hexadecimal digits, with or without colons "
             "between the bytes");
}

Complaint judge_url_path(std::string_view text) {
  if (!text.starts_with('/')) {
    return say("must be the path behind the server's name, beginning with /");
  }
  const bool is_plain = std::all_of(text.begin(), text.end(), [](char c) {
    return c > 0x20 && c < 0x7F && c != '#';
  });
  if (!is_plain) {
    return say("must be of ASCII letters, digits and signs, without a space or #; write others as %XX");
  }
  return longer_than(text, 2000);
}

Complaint judge_origin(std::string_view text) {
  const bool is_plain =
      std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7F; });
  if (!is_plain || text.find("://") == std::string_view::npos) {
    return say("must be a scheme and a host, such as https://example.org");
  }
  return longer_than(text, 300);
}

Complaint judge_account_name(std::string_view text) {
  if (text.empty()) {
    return say("must not be empty; servers take 1 to 32 letters, digits and _ @ - .");
  }
  if (const auto stranger = first_stranger(text, std::string(letters_and_digits) + "_@-.")) {
    return say("must be of letters, digits and _ @ - . only; {} is not allowed", *stranger);
  }
  return longer_than(text, 32);
}

Complaint judge_game_name(std::string_view text) {
  if (text.empty()) {
    return std::nullopt;
  }
  // What follows the comma is the trip: it is not shown.
  if (text.find(',') != std::string_view::npos) {
    return say("must not hold a comma: the game name stands here alone, the trip comes from account.password_file");
  }
  const auto name = parse_game_name(text);
  if (!name) {
    return say("{} is no game name: write <label>-<seconds>-<seconds per move>, with F after it when those are added "
               "(Fischer), such as floodgate-300-10F; servers silently put any other name into a game called "
               "default-1500-0",
               quoted(text, 80));
  }
  if (name->has_side && name->is_floodgate()) {
    return say("must not ask for a side ({}) on floodgate: the server would never pair the bot",
               text.substr(text.size() - 2));
  }
  return longer_than(text, 128);
}

Complaint judge_path(std::string_view text) {
  if (text.empty()) {
    return say("must not be empty; remove the line when it is not needed");
  }
  return judge_directory(text);
}

Complaint judge_ssh_host(std::string_view text) {
  if (auto complaint = judge_line(text)) {
    return complaint;
  }
  if (text.empty() || text.front() == '-' || text.front() == ' ') {
    return say("must begin with a host's name, or with the program of a command line");  // "-o…" is no name, but an order
  }
  return std::nullopt;
}

Complaint judge_directory(std::string_view text) {
  if (auto complaint = judge_line(text)) {
    return complaint;
  }
  return doubt_literal(text);
}

Complaint judge_variable(std::string_view text) {
  if (!is_variable_of(text, "_")) {
    return say("must be the name of an environment variable: letters, digits and _, without a $");
  }
  return longer_than(text, 128);
}

Complaint judge_pass_environment(std::string_view text) {
  if (!is_variable_of(text, "_*")) {
    return say("must be the name of an environment variable, without a $, or a pattern such as FOO_*");
  }
  if (std::count(text.begin(), text.end(), '*') > 2) {
    return say("must hold * twice at most");
  }
  return longer_than(text, 128);
}

Complaint judge_variable_value(std::string_view text) {
  if (auto complaint = judge_line(text)) {
    return complaint;
  }
  // ld.so expands these three in LD_LIBRARY_PATH.
  constexpr std::array<std::string_view, 3> of_the_loader{"ORIGIN", "LIB", "PLATFORM"};
  for (auto variable = variable_in(text); variable; variable = variable_in(text, variable->end)) {
    if (std::find(of_the_loader.begin(), of_the_loader.end(), variable->name) == of_the_loader.end()) {
      return say("is given to the engine as it stands, and ${} is not expanded; to hand down a variable of the bridge's "
                 "own, name it in engine.pass_environment",
                 variable->name.substr(0, 40));
    }
  }
  return std::nullopt;
}

Complaint judge_credential(std::string_view text) {
  if (text.empty() || text == "." || text == ".." || text.find('/') != std::string_view::npos ||
      base::has_control_byte(text)) {
    return say("must be the name of a credential as in LoadCredential=NAME:PATH, without a /");
  }
  return longer_than(text, 255);
}

Complaint judge_record_name(std::string_view text) {
  if (text.empty()) {
    return say("must not be empty");
  }
  if (base::has_control_byte(text) || text.find_first_of("/\\") != std::string_view::npos) {
    return say("must be a file name without / and \\; the directory goes to records.directory");
  }
  const std::vector<std::string> known(shogi::record::file_name_placeholders.begin(),
                                       shogi::record::file_name_placeholders.end());
  std::string_view rest = text;
  for (;;) {
    const std::size_t open = rest.find_first_of("{}");
    if (open == std::string_view::npos) {
      return longer_than(text, 150);
    }
    const std::size_t close = rest.find_first_of("{}", open + 1);
    if (rest[open] == '}' || close == std::string_view::npos || rest[close] == '{') {
      return say("has a brace without its partner; placeholders look like {date}");
    }
    const std::string_view name = rest.substr(open + 1, close - open - 1);
    if (!is_placeholder(name)) {
      const auto near = base::nearest(name, known);
      const base::Quoted unknown = quoted("{" + std::string(name) + "}", 60);
      return near ? say("has the unknown placeholder {}; did you mean {}?", unknown, "{" + *near + "}")
                  : say("has the unknown placeholder {}; there are {date} {time} {game_id} {black} {white} {game_name} "
                        "{datetime} {title} {sente} {gote} {hex5}",
                        unknown);
    }
    rest.remove_prefix(close + 1);
  }
}

Complaint judge_cpus(std::string_view text) {
  if (!usi::parse_cpu_list(text)) {
    return say("must list processors from 0 to {}, such as 0-3,8", usi::cpu_max);
  }
  return std::nullopt;
}

Complaint judge_option_name(std::string_view text) {
  if (base::trim(text).empty()) {
    return say("must have a name");
  }
  if (auto complaint = judge_line(text)) {
    return complaint;
  }
  const auto words = base::split_words(text);
  if (std::find(words.begin(), words.end(), "value") != words.end()) {
    return say("must not hold the word \"value\", where an engine reads the name's end");
  }
  return std::nullopt;
}

// --- durations and sizes

namespace {

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};

constexpr std::array<Unit, 4> duration_units{{{"ms", 1}, {"s", 1'000}, {"min", 60'000}, {"h", 3'600'000}}};

constexpr std::uint64_t kibi = 1024;
constexpr std::array<Unit, 9> size_units{{{"", 1},
                                          {"B", 1},
                                          {"kB", 1'000},
                                          {"KB", 1'000},
                                          {"KiB", kibi},
                                          {"MB", 1'000'000},
                                          {"MiB", kibi * kibi},
                                          {"GB", 1'000'000'000},
                                          {"GiB", kibi * kibi * kibi}}};

/// A decimal number cut from its unit, which may be empty.
struct Quantity {
  double number = 0;
  std::string_view digits;
  std::string_view unit;
};

std::optional<Quantity> cut(std::string_view text) {
  Quantity quantity;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), quantity.number, std::chars_format::fixed);
  if (wrong != std::errc() || text.front() < '0' || text.front() > '9') {
    return std::nullopt;
  }
  quantity.digits = text.substr(0, static_cast<std::size_t>(end - text.data()));
  if (quantity.digits.ends_with('.')) {
    quantity.digits.remove_suffix(1);
  }
  quantity.unit = base::trim(text.substr(quantity.digits.size()));
  return quantity;
}

/// In the smallest unit. The errors: no such unit, and a number that is too large for it, or finer.
base::Result<std::int64_t> scaled(const Quantity& quantity, std::span<const Unit> units, base::Message strange, base::Message fine) {
  constexpr double most = 4e15;  // what a double counts one by one
  const auto unit = std::ranges::find(units, quantity.unit, &Unit::name);
  if (unit == units.end()) {
    return base::fail(std::move(strange));
  }
  const double value = quantity.number * static_cast<double>(unit->factor);
  if (value > most || std::abs(value - std::round(value)) > 1e-6) {
    return base::fail(std::move(fine));
  }
  return static_cast<std::int64_t>(std::llround(value));
}

}  // namespace

base::Result<base::Millis> read_duration(std::string_view text) {
  const auto quantity = cut(text);
  if (!quantity) {
    return base::fail(say("is no duration: write a number and its unit, such as 500ms, 1.5s, 2min or 1h"));
  }
  if (quantity->unit.empty()) {
    const std::string_view number = quantity->digits;
    return base::fail(say("has no unit; write {}ms, {}s, {}min or {}h", number, number, number, number));
  }
  const auto value = scaled(*quantity, duration_units,
                            say("has the unknown unit {}; the units are ms, s, min and h", quoted(quantity->unit, 20)),
                            say("is no duration that can be counted in milliseconds"));
  return value ? base::Result<base::Millis>(base::Millis{*value}) : base::fail(value.error().what);
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
  const auto quantity = cut(text);
  if (!quantity) {
    return base::fail(say("is no size: write a number and its unit, such as 500kB, 10MB or 1GiB"));
  }
  const auto value = scaled(*quantity, size_units,
                            say("has the unknown unit {}; the units are B, kB, MB, GB, KiB, MiB and GiB", quoted(quantity->unit, 20)),
                            say("is no size that can be counted in bytes"));
  return value ? base::Result<std::uint64_t>(static_cast<std::uint64_t>(*value)) : base::fail(value.error().what);
}

std::string spell_size(std::uint64_t bytes) {
  // Larger units first; the thousands are what people mean by MB.
  for (const std::string_view name : {"GB", "GiB", "MB", "MiB", "kB", "KiB"}) {
    const std::uint64_t factor = std::ranges::find(size_units, name, &Unit::name)->factor;
    if (bytes >= factor && bytes % factor == 0) {
      return std::to_string(bytes / factor) + std::string(name);
    }
  }
  return std::to_string(bytes);
}

}  // namespace kakehashi::config
