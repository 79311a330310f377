#include "usi/command.hpp"

#include <algorithm>
#include <charconv>

#include "base/text.hpp"

namespace kakehashi::usi {

namespace {

using base::Millis;

std::string number(Millis time) { return std::to_string(std::max<Millis::rep>(0, time.count())); }

std::string field(const char* word, Millis time) { return std::string(" ") + word + " " + number(time); }

/// The clocks of a protocol that counts increments only.
std::string foreign_times(const Dialect& dialect, const GoTimes& times, bool is_ponder) {
  const Millis byoyomi = times.byoyomi.value_or(Millis{0});
  const bool is_byoyomi_alone =
      byoyomi.count() > 0 && times.btime.count() <= 0 && times.wtime.count() <= 0;
  if (is_byoyomi_alone && !is_ponder) {
    return field("movetime", byoyomi);
  }
  std::string text = field(dialect.first_time, times.btime + byoyomi) +
                     field(dialect.second_time, times.wtime + byoyomi);
  const Millis first = times.binc.value_or(Millis{0}) + byoyomi;
  const Millis second = times.winc.value_or(Millis{0}) + byoyomi;
  if (first.count() > 0 || second.count() > 0) {
    text += field(dialect.first_increment, first) + field(dialect.second_increment, second);
  }
  return text;
}

/// Takes the number behind a word; words without one count for nothing.
std::optional<std::int64_t> take_number(const std::vector<std::string_view>& words, std::size_t& at) {
  if (at + 1 >= words.size()) {
    return std::nullopt;
  }
  const auto value = base::parse_int(words[at + 1]);
  at += value ? 1 : 0;
  return value;
}

void add_times(const GoTimes& times, std::string& text) {
  constexpr std::size_t room = 80;  // for two clocks of days
  text.reserve(text.size() + room);
  const auto add = [&text](std::string_view word, Millis time) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, std::max<Millis::rep>(0, time.count()));
    text.append(word).append(digits, end.ptr);
  };
  add("btime ", times.btime);
  add(" wtime ", times.wtime);
  if (times.byoyomi) {
    add(" byoyomi ", *times.byoyomi);
  } else if (times.binc || times.winc) {
    add(" binc ", times.binc.value_or(Millis{0}));
    add(" winc ", times.winc.value_or(Millis{0}));
  }
}

}  // namespace

std::string format_times(const GoTimes& times) {
  std::string text;
  add_times(times, text);
  return text;
}

std::string format_go(const GoTimes& times, bool ponder) {
  std::string text = ponder ? "go ponder " : "go ";
  add_times(times, text);
  return text;
}

std::string format_go(const Dialect& dialect, const GoLimits& limits) {
  std::string text = "go";
  // Shogidokoro: "ponder" stands right behind "go".
  if (limits.is_ponder && dialect.has_ponder()) {
    text += " ponder";
  }
  if (limits.times) {
    text += dialect.is_usi() ? " " + format_times(*limits.times)
                                : foreign_times(dialect, *limits.times, limits.is_ponder);
  }
  return limits.is_infinite ? text + " infinite" : text;
}

GoLimits parse_go(std::string_view line) {
  GoLimits limits;
  const std::vector<std::string_view> words = base::split_words(line);
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::string_view word = words[at];
    const auto clock = [&](auto set) {
      if (const auto value = take_number(words, at)) {
        if (!limits.times) {
          limits.times.emplace();
        }
        set(*limits.times, Millis{*value});
      }
    };
    if (word == "ponder") {
      limits.is_ponder = true;
    } else if (word == "infinite") {
      limits.is_infinite = true;
    } else if (word == "btime") {
      clock([](GoTimes& times, Millis value) { times.btime = value; });
    } else if (word == "wtime") {
      clock([](GoTimes& times, Millis value) { times.wtime = value; });
    } else if (word == "byoyomi") {
      clock([](GoTimes& times, Millis value) { times.byoyomi = value; });
    } else if (word == "binc") {
      clock([](GoTimes& times, Millis value) { times.binc = value; });
    } else if (word == "winc") {
      clock([](GoTimes& times, Millis value) { times.winc = value; });
    }
  }
  return limits;
}

std::string format_setoption(const OptionSetting& setting) {
  std::string line = "setoption name " + setting.name;
  if (setting.value) {
    line += " value " + *setting.value;
  }
  return line;
}

std::string format_gameover(GameOver result) {
  switch (result) {
    case GameOver::win: return "gameover win";
    case GameOver::lose: return "gameover lose";
    case GameOver::draw: return "gameover draw";
  }
  return "gameover draw";
}

}  // namespace kakehashi::usi
