#include "usi/clock_probe.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.hpp"

namespace kakehashi::usi {

namespace {

using base::Millis;
using base::say;
using base::SteadyTime;

/// Middle games that stand in no book, with many moves and no mate, and it is black's turn.
constexpr std::array positions{
    "position sfen l6nl/2s2bks1/1p1g1gp2/prp1pp1pp/6P2/P2PPPGSP/1PnS1B1P1/1GP6/L3R1KNL b np 71",
    "position sfen ln3ks1l/3gg1p2/3s1p+Pp1/ppr1p3p/3P5/P2BPP2P/1P2S2P1/3S2G2/LN1G2KNL b N2Pprb 53",
};

/// By their numbers.
constexpr std::array<std::string_view, 4> reading_words{"unknown", "adds", "keeps_to_btime", "no_increments"};

/// "9.40git" is 940; nothing when it does not begin with a number.
std::optional<int> version_of(std::string_view word) {
  const std::size_t dot = word.find('.');
  const auto major = base::parse_int(word.substr(0, dot));
  if (!major || *major < 0 || *major > 1'000) {  // a date is no version
    return std::nullopt;
  }
  int minor = 0;
  int scale = 10;
  for (std::size_t i = dot + 1; dot != std::string_view::npos && i < word.size() && scale > 0; ++i) {
    if (word[i] < '0' || word[i] > '9') {
      break;
    }
    minor += (word[i] - '0') * scale;
    scale /= 10;
  }
  return static_cast<int>(*major) * 100 + minor;
}

/// The first word that is a version and has a dot: "YaneuraOu MaterialLv1 9.70git 64AVX2" has it third.
std::optional<int> dotted_version_in(const std::vector<std::string_view>& words) {
  for (const std::string_view word : words) {
    const auto version = word.find('.') == std::string_view::npos ? std::nullopt : version_of(word);
    if (version) {
      return version;
    }
  }
  return std::nullopt;
}

}  // namespace

EngineClocks clocks_by_name(std::string_view name) {
  const auto words = base::split_words(name);
  if (name.starts_with("YaneuraOu") || name.starts_with("FukauraOu")) {
    // The increment came into a move's limit in December 2020, within 5.40, and went in July 2026, within 9.60.
    const int version = dotted_version_in(words).value_or(540);
    if (version < 540 || version >= 970) {
      return {ClockReading::keeps_to_btime, false};
    }
    return {version >= 600 && version < 960 ? ClockReading::adds : ClockReading::unknown, false};
  }
  if (name.starts_with("Fairy-Stockfish ") && words.size() > 1) {
    const auto version = version_of(words[1]);
    return {ClockReading::keeps_to_btime, version && *version <= 1120};
  }
  return {};
}

std::string_view word_of(ClockReading reading) { return reading_words[static_cast<std::size_t>(reading)]; }

std::optional<ClockReading> clock_reading_named(std::string_view word) {
  const auto found = std::find(reading_words.begin(), reading_words.end(), word);
  return found == reading_words.end() ? std::nullopt
                                      : std::optional(static_cast<ClockReading>(found - reading_words.begin()));
}

base::Message describe(ClockReading reading) {
  switch (reading) {
    case ClockReading::unknown: return say("does not show how it reads increments");
    case ClockReading::adds: return say("adds the increment to btime by itself");
    case ClockReading::keeps_to_btime: return say("never goes beyond btime");
    case ClockReading::no_increments: return say("knows no increments (it ends when it hears of binc)");
  }
  return {};
}

base::Message describe_form(ClockReading reading) {
  switch (reading) {
    case ClockReading::adds: return say("btime without this move's increment, and binc");
    case ClockReading::keeps_to_btime: return say("btime with this move's increment in it, and binc");
    case ClockReading::unknown:
    case ClockReading::no_increments: return say("the increment as byoyomi, and no binc");
  }
  return {};
}

base::Message describe(const EngineClocks& clocks) {
  auto text = say("it {}; it is sent {}", describe(clocks.reading), describe_form(clocks.reading));
  return clocks.swaps_sides
             ? say("{}; it takes the other side's clock for its own, and is sent its own for both", std::move(text))
             : text;
}

ClockProbe::ClockProbe(Millis delays) : increment_(std::max(increment_min, 2 * delays)) {}

ClockProbe::Deed ClockProbe::start(SteadyTime now) { return ask(Question::alone, now); }

ClockProbe::Deed ClockProbe::ask(Question question, SteadyTime now) {
  GoTimes times{main_time, main_time};
  Millis limit = early_;
  switch (question) {
    case Question::alone:
      times.byoyomi = Millis{0};
      limit = alone_limit;
      break;
    case Question::behind: times.binc = times.winc = increment_; break;
    case Question::within:
      times = {main_time + increment_, main_time + increment_, std::nullopt, increment_, increment_};
      break;
    case Question::sides:
      times.wtime = 60 * increment_;  // an engine that takes it for its own plans seconds, not tenths of one
      times.byoyomi = Millis{0};
      break;
  }
  phase_ = Asked{.question = question, .at = now, .deadline = now + limit};
  return {positions[position_], format_go(times, false), false};
}

ClockProbe::Deed ClockProbe::ask_elsewhere(SteadyTime now) {
  if (position_ + 1 < positions.size()) {
    ++position_;
    return ask(Question::alone, now);
  }
  phase_ = Done{};
  return {};
}

ClockProbe::Deed ClockProbe::ask_again(Question question, SteadyTime now) {
  if (repeats_++ < repeats_max) {
    return ask(question, now);
  }
  found_ = {};
  phase_ = Done{};
  return {};
}

void ClockProbe::on_interruption() {
  if (auto* asked = std::get_if<Asked>(&phase_)) {
    asked->is_void = true;
  }
}

ClockProbe::Deed ClockProbe::on_time(SteadyTime now) {
  auto* asked = std::get_if<Asked>(&phase_);
  if (asked == nullptr || now < asked->deadline) {
    return {};
  }
  if (base::millis_between(asked->deadline, now) > late_max) {
    asked->is_void = true;
  }
  if (asked->is_stopped) {
    found_ = {};
    phase_ = Done{.is_deaf = true};
    return {};
  }
  asked->is_stopped = true;
  asked->deadline = now + stop_limit;
  return {"", "", true};
}

ClockProbe::Deed ClockProbe::on_answer(SteadyTime now) {
  const auto* present = std::get_if<Asked>(&phase_);
  if (present == nullptr) {
    return {};
  }
  const Asked asked = *present;
  return asked.is_void ? ask_again(asked.question, now) : judge(asked, now);
}

ClockProbe::Deed ClockProbe::judge(const Asked& asked, SteadyTime now) {
  switch (asked.question) {
    case Question::alone: {
      const Millis taken = base::millis_between(asked.at, now);
      if (asked.is_stopped || taken > alone_max) {
        return ask_elsewhere(now);
      }
      early_ = std::max(early_min, 2 * taken);
      return ask(Question::behind, now);
    }
    case Question::behind:
      if (!asked.is_stopped) {
        return ask(Question::within, now);
      }
      found_.reading = ClockReading::adds;
      return ask(Question::sides, now);
    case Question::within:
      if (!asked.is_stopped) {
        return ask_elsewhere(now);
      }
      found_.reading = ClockReading::keeps_to_btime;
      return ask(Question::sides, now);
    case Question::sides:
      found_.swaps_sides = asked.is_stopped;
      phase_ = Done{};
      return {};
  }
  return {};
}

void ClockProbe::on_death() {
  const auto* asked = std::get_if<Asked>(&phase_);
  const bool is_of_increment = asked != nullptr && asked->question == Question::behind && !asked->is_void;
  found_ = {is_of_increment ? ClockReading::no_increments : ClockReading::unknown, false};
  phase_ = Done{is_deaf()};
}

SteadyTime ClockProbe::deadline() const {
  const auto* asked = std::get_if<Asked>(&phase_);
  return asked != nullptr ? asked->deadline : SteadyTime{};
}

bool ClockProbe::is_deaf() const {
  const auto* done = std::get_if<Done>(&phase_);
  return done != nullptr && done->is_deaf;
}

}  // namespace kakehashi::usi
