#include "bridge/game/think_time.hpp"

namespace kakehashi::bridge {

namespace {

using base::Millis;

/// No flag falls: an engine that does not stop is replaced before any other move is played.
constexpr Millis untimed_grace{60'000};

/// What a server with Time_Roundup:YES may add to a move: 9.1 s of 10 are charged as 10, and
/// reaching the limit loses.
constexpr Millis rounding_up{1'000};

/// Where the way leaves nothing: an engine that is told to stop at once gives its first move within this. One that
/// was seen to need longer is not waited for.
constexpr Millis first_word{30};

/// It is waited for that long where the way mostly leaves so many times as much; else the turn is lost with it.
constexpr int first_words_left = 8;

/// Within less than this none comes.
constexpr Millis first_word_min{10};

/// Takes `amount` off `first`, and what `first` cannot give off `second`; neither goes below zero.
void take_off(Millis amount, Millis& first, Millis& second) {
  const Millis from_first = std::min(amount, first);
  first -= from_first;
  second = std::max(Millis{0}, second - (amount - from_first));
}

}  // namespace

ThinkTime think_time(const csa::GameClock& game_clock, shogi::Color color, Millis spent,
                     const ThinkTimeRules& rules) {
  const csa::TimeControl& own = game_clock.control(color);
  const csa::TimeControl& other = game_clock.control(shogi::opposite(color));
  Millis own_main = game_clock.main_time(color);
  Millis other_main = game_clock.main_time(shogi::opposite(color));
  Millis own_increment = own.increment;
  Millis own_byoyomi = own.byoyomi;
  // A stop-watch clock charges whole slices of its byoyomi: time below one costs nothing. But it is no extra
  // time, the flag falls at the end of the main time.
  if (own.is_stop_watch) {
    own_byoyomi = std::min(own.byoyomi, own_main);
    own_main -= own_byoyomi;
  }
  if (other.is_stop_watch) {
    other_main -= std::min(other.byoyomi, other_main);
  }

  ThinkTime result;
  result.entitled = game_clock.budget(color);
  const Millis rounding =
      own.rounds_up && result.entitled ? std::min(rounding_up, *result.entitled / 2) : Millis{0};
  // An untimed side has no flag to fall: it gets the configured time for each move.
  const Millis budget = result.entitled.value_or(rules.untimed_move + rules.margin) - rounding;
  // What the way takes is out of reach whatever the turn's length and the margin's. Of the rest a reserve is
  // kept, a quarter of the margin at least. On a short turn both are no more than half of it together, but
  // a quarter of the rest and the engine's stop are kept nevertheless. A quarter of the reserve stays
  // untouched, or up to half where the way varies, and a quarter or more is the engine's to answer "stop".
  const Millis rest = std::max(Millis{0}, budget - rules.way);
  const Millis reserve_max = std::max(rules.margin - rules.way, rules.margin / 4);
  const Millis reserve = std::min(
      reserve_max, std::max({budget / 2 - rules.way, rest / 4, std::min(rest, rules.stop * 4 / 3)}));
  const Millis quarter = reserve / 4;
  const Millis end = rest - std::clamp(2 * rules.unsure - quarter, Millis{0}, quarter);
  result.given = std::max(end - reserve, std::min(Millis{1}, budget));
  // What is left may be less than the way varies by: then nothing is waited for.
  const bool may_answer = (!rules.needs_stop || rules.stop_seen < end - quarter) &&
                          (!rules.is_out_of_reach || rules.way <= budget / 2);
  const Millis waits = may_answer && end - quarter > 3 * rules.unsure ? end - quarter + rules.engine_way : Millis{0};
  const Millis mostly_left = std::max(Millis{0}, budget - rules.mean_way);
  const Millis word = std::min(first_word, std::max(Millis{0}, mostly_left - rules.engine_way) / first_words_left);
  const bool has_word = word >= first_word_min && rules.stop_seen <= first_word;
  result.rescue_after = std::max(waits, has_word ? word : Millis{0});
  if (rules.resigns) {
    result.rescue_after = std::max(result.rescue_after, mostly_left);
  }
  result.hurry_after = end - reserve / 2;
  if (rules.stop > quarter) {
    result.hurry_after = end - quarter - std::min(rules.stop, 3 * quarter);
  }
  if (rules.needs_stop) {
    result.hurry_after = end - reserve;
  }
  result.hurry_after = std::clamp(result.hurry_after, Millis{0}, result.rescue_after);
  // What the engine keeps back itself need not be kept back a second time.
  const Millis kept = std::max(Millis{0}, budget - result.given + rounding - rules.engine_keeps);

  if (!result.entitled) {
    // Nothing of it is out of reach, however long the way is.
    result.given = rules.untimed_move;
    result.hurry_after = rules.untimed_move + (rules.needs_stop ? Millis{0} : rules.margin / 2);
    result.rescue_after = result.hurry_after + untimed_grace;
    own_byoyomi = rules.untimed_move;
    take_off(spent, own_byoyomi, own_main);
  }
  const bool is_increment_game =
      result.entitled && own_byoyomi.count() == 0 &&
      (own_increment.count() > 0 || other.increment.count() > 0);
  const bool is_included = is_increment_game && rules.clock == config::EngineClock::included;
  if (is_included) {
    own_main += own_increment;
    other_main += other.increment;
    Millis nothing{0};
    take_off(kept + spent, own_main, nothing);
  } else if (is_increment_game) {
    take_off(kept + spent, own_main, own_increment);
  } else if (result.entitled) {
    // A server that grants both: the increment is there from the turn's start, so it is main time.
    own_main += own_increment;
    // The margin comes off the byoyomi, which the engine may use up to its last millisecond; the
    // time already spent comes off the main time first, as on the server.
    take_off(spent, own_main, own_byoyomi);
    take_off(kept, own_byoyomi, own_main);
  }

  std::optional<Millis> byoyomi = own_byoyomi;
  if (is_increment_game) {
    const bool is_byoyomi = rules.clock == config::EngineClock::byoyomi;
    byoyomi = is_byoyomi ? std::optional(own_increment) : std::nullopt;
  }
  if (rules.swaps_sides) {
    other_main = own_main;
  }
  // fairy-stockfish from 11.2 on takes two empty clocks for no limit, whatever binc says.
  if (byoyomi.value_or(Millis{0}).count() <= 0 && own_main.count() <= 0 && other_main.count() <= 0) {
    own_main = Millis{1};
    other_main = rules.swaps_sides ? own_main : other_main;
  }
  const bool is_black = color == shogi::Color::black;
  result.go.btime = is_black ? own_main : other_main;
  result.go.wtime = is_black ? other_main : own_main;
  result.go.byoyomi = byoyomi;
  if (!byoyomi) {
    const Millis other_increment = rules.swaps_sides ? own_increment : other.increment;
    result.go.binc = is_black ? own_increment : other_increment;
    result.go.winc = is_black ? other_increment : own_increment;
  }
  return result;
}

ThinkTimeRules think_time_rules(const config::BotConfig& config, const LinkMargin& link, const EngineSupervisor& engine) {
  const config::Time& time = config.time;
  const bool resigns = config.engine.on_failure == config::OnFailure::resign;
  // What a person has fixed is not exceeded, whatever is measured.
  const Millis way_max = time.margin ? *time.margin * 3 / 4 : Millis::max();
  Millis kept{0};
  for (const EngineDelay& delay : engine.known().options.delays()) {
    kept = delay.is_of_each_move ? std::max(kept, delay.time) : kept;
  }
  // A late machine is late with the "stop" as well.
  const LinkMargin::Estimate known = link.estimate();
  const StopDelays& stops = engine.known().habits.stops;
  const Millis stop = time.margin ? stops.expected()
                                  : std::max({LinkMargin::stop_min, stops.expected() + known.lateness, 3 * known.lateness / 2});
  // The way to an engine on another machine comes on top of the server's: the clock runs on both.
  const Millis to_engine = std::chrono::ceil<Millis>(engine.link().round_trip());
  const Millis varies = std::chrono::ceil<Millis>(engine.link().deviation());
  const Millis engine_way = to_engine + 3 * varies;
  const Millis server_way = std::min(known.way + known.lateness, way_max);
  const Millis way = std::min(server_way + engine_way, way_max);
  return {.margin = time.margin.value_or(link.margin({time.margin_min, time.margin_max}, stops) + engine_way),
          .untimed_move = time.untimed_move,
          .way = way,
          .is_out_of_reach = engine.link().out_since().has_value(),
          .engine_way = way - server_way,
          .mean_way = known.mean_way + (resigns ? Millis{0} : 2 * known.lateness),
          .resigns = resigns,
          .unsure = time.margin ? Millis{0} : known.unsure + varies,
          .stop = stop,
          .stop_seen = stops.expected(),
          .engine_keeps = kept,
          .clock = engine.known().clocks.form(),
          .swaps_sides = engine.known().clocks.gets_own_clock_twice(),
          .needs_stop = stops.are_usual()};
}

// --- the turn that runs

void TurnClock::watch_idleness(bool thinks, base::SteadyTime now) {
  if (!thinks && !idle_since_) {
    idle_since_ = now;
  } else if (thinks && idle_since_) {
    idle_before_ += base::millis_between(*idle_since_, now);
    idle_since_.reset();
  }
}

void TurnClock::end_thinking(base::SteadyTime now) {
  if (!idle_since_) {
    idle_since_ = now;
  }
}

Millis TurnClock::time_of_engine() const {
  Millis idle = idle_before_;
  if (idle_since_) {
    idle += std::max(Millis{0}, base::millis_between(*idle_since_, started_ + given_));
  }
  return std::max(Millis{0}, given_ - idle);
}

}  // namespace kakehashi::bridge
