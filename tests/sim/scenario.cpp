#include "sim/scenario.hpp"

#include <algorithm>
#include <array>

#include "rehearse/server/game_name.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"
#include "sim/dice.hpp"
#include "support/stage.hpp"

namespace kakehashi::sim {

using base::Millis;

namespace {

/// Byoyomi, Fischer, sudden death, stop-watch, untimed; short and long; with handicaps.
constexpr std::array game_names{
    "test-60-10",   "test-0-1",   "test-0-3",  "test-5-2",           "test-30-0",
    "test-2-1F",    "test-10-5F", "test-0-4F", "floodgate-300-10F",  "floodgate-60-0",
    "test-60-010",  "test-40-020", "test-0-0", "hc2p_test-30-5",     "hcrook_test-20-3F",
};

/// What the shortest turn of that clock may take.
Millis shortest_budget(const rehearse::server::ClockRules& clock) {
  if (clock.is_untimed()) {
    return Millis{10'000};
  }
  const auto each_turn = clock.is_stop_watch ? clock.byoyomi_s : clock.byoyomi_s + clock.increment_s;
  return Millis{1000 * std::max<std::int64_t>(1, each_turn)};
}

/// The bridge keeps a quarter of the margin for the way of its last resort, and never more than half
/// of the turn as margin.
Delays draw_delays(Dice& dice, Millis margin, Millis budget) {
  const auto spare = std::min(margin, budget / 2).count() / 4 - 2;
  Delays delays;
  delays.timer_late_max = dice.millis(0, spare / 4);
  const auto one_way = (spare - delays.timer_late_max.count()) / 2;
  delays.jitter_max = dice.one_in(2) ? Millis{0} : dice.millis(0, one_way / 2);
  delays.latency = dice.one_in(3) ? Millis{0} : dice.millis(0, one_way - delays.jitter_max.count());
  return delays;
}

/// With a measured margin the way may be long, up to three turns there and back, and the processor busy.
void widen(Dice& dice, BotPart& part, Millis budget) {
  if (!dice.one_in(4)) {
    return;
  }
  constexpr Millis round_trip_max{2'000};
  constexpr Millis login_tells_max{900};
  constexpr std::array turns_in_quarters{1, 2, 3, 4, 6, 8, 12};
  const Millis round_trip = std::min(round_trip_max, budget * dice.pick(turns_in_quarters) / 4);
  Delays& delays = part.delays;
  delays.latency = dice.one_in(3) ? dice.millis(0, 150) : dice.millis(0, round_trip.count() / 2);
  delays.jitter_max =
      dice.one_in(2) ? Millis{0} : dice.millis(0, std::min<std::int64_t>(100, delays.latency.count() / 4));
  delays.is_measured = 2 * delays.latency > login_tells_max || !dice.one_in(3);
  if (dice.one_in(2)) {
    delays.process_late_max = dice.millis(0, 200);
  }
  part.config.time.margin.reset();
  part.config.server.login_timeout = part.config.server.connect_timeout = Millis{40'000};
}

ClockReading draw_reading(Dice& dice, const rehearse::server::ClockRules& clock) {
  constexpr std::array readings{ClockReading::adds, ClockReading::excludes, ClockReading::swaps,
                                ClockReading::zero_is_no_limit, ClockReading::dies_of_increments};
  return clock.increment_s > 0 && dice.one_in(3) ? dice.pick(readings) : ClockReading::whole;
}

const char* name_of(ClockReading reading) {
  switch (reading) {
    case ClockReading::whole: return "";
    case ClockReading::adds: return ", adds increments";
    case ClockReading::excludes: return ", excludes increments";
    case ClockReading::swaps: return ", swaps clocks";
    case ClockReading::zero_is_no_limit: return ", takes zero for no limit";
    case ClockReading::dies_of_increments: return ", dies of increments";
  }
  return "";
}

config::BotConfig draw_config(Dice& dice, const Scenario& scenario, bool has_handicap) {
  config::BotConfig config = support::stage_config();
  config.game.name = scenario.game_name;
  constexpr std::array ponder{config::Ponder::off, config::Ponder::on, config::Ponder::early};
  config.ponder = dice.pick(ponder);
  config.server.keepalive = std::chrono::seconds(dice.one_in(2) ? 30 : 50);
  config.server.retry_max = std::chrono::seconds(dice.one_in(2) ? 8 : 60);
  config.server.connect_timeout = Millis{dice.one_in(2) ? 3'000 : 15'000};
  config.server.login_timeout = Millis{dice.one_in(2) ? 3'000 : 30'000};
  constexpr std::array after{config::AfterGame::automatic, config::AfterGame::automatic,
                             config::AfterGame::reconnect, config::AfterGame::stay};
  constexpr std::array logout{config::Logout::automatic, config::Logout::automatic,
                              config::Logout::always, config::Logout::never};
  config.server.after_game = dice.pick(after);
  config.server.logout = dice.pick(logout);
  if (dice.one_in(5)) {
    config.server.mode = config::LoginMode::x1;
    config.server.after_game = config::AfterGame::automatic;
  } else {
    config.server.challenge = dice.one_in(6);
  }
  if (!dice.one_in(3)) {
    config.game.comments = dice.one_in(2);
  }
  if (dice.one_in(3)) {
    config.game.count = dice.between(1, 3);
  }
  constexpr std::array margins{1'000, 1'000, 500, 2'000, 300};
  config.time.margin = Millis{dice.pick(margins)};
  config.time.untimed_move = Millis{dice.one_in(2) ? 2'000 : 10'000};
  config.engine.start_timeout = Millis{dice.one_in(2) ? 2'000 : 30'000};
  config.engine.ready_timeout = Millis{dice.one_in(2) ? 3'000 : 120'000};
  config.engine.quit_timeout = Millis{dice.one_in(2) ? 500 : 5'000};
  if (dice.one_in(8)) {
    config.engine.on_failure = config::OnFailure::resign;
  }
  config.records.enabled = !dice.one_in(8);
  if (dice.one_in(2)) {
    config.records.formats = {shogi::record::Format::csa3};
  }
  if (has_handicap) {
    config.game.name += "-B";
  }
  return config;
}

/// The engine on another machine, the margin measured: what is kept back has to hold for this way too.
void put_far_away(Dice& dice, BotPart& part, Millis budget) {
  KeptEngine kept;
  kept.ways = dice.one_in(3) ? 2 : 1;
  const std::int64_t most = std::min<std::int64_t>(150, budget.count() / 16);
  kept.latency = dice.one_in(3) ? Millis{0} : dice.millis(0, most);
  kept.jitter_max = dice.one_in(2) ? Millis{0} : dice.millis(0, kept.latency.count() / 4);
  kept.calm = dice.one_in(5);
  part.kept = kept;
  part.config.time.margin.reset();
  part.config.engine.host = {"far"};
  if (kept.ways == 2) {
    part.config.engine.host.emplace_back("far-too");
  }
}

std::vector<Fault> draw_faults(Dice& dice) {
  std::vector<Fault> faults;
  if (dice.one_in(8)) {
    return faults;
  }
  int total = 0;
  for (std::size_t i = 0; i < fault_kind_count; ++i) {
    total += entry_of(static_cast<FaultKind>(i)).weight;
  }
  for (int left = dice.between(1, 8); left > 0; --left) {
    int drawn = dice.between(0, total - 1);
    std::size_t kind = 0;
    while (drawn >= entry_of(static_cast<FaultKind>(kind)).weight) {
      drawn -= entry_of(static_cast<FaultKind>(kind++)).weight;
    }
    const auto chosen = static_cast<FaultKind>(kind);
    faults.push_back({chosen, dice.between(1, entry_of(chosen).latest)});
  }
  return faults;
}

/// One bot in so many has them.
constexpr std::size_t deaths_one_in = 16;
std::vector<Fault> draw_deaths(Dice& dice) {
  constexpr std::array kinds{FaultKind::player_dies_behind_step, FaultKind::player_dies_before_step,
                             FaultKind::player_dies_before_writing};
  std::vector<Fault> faults;
  if (!dice.one_in(deaths_one_in)) {
    return faults;
  }
  for (int left = dice.between(1, 4); left > 0; --left) {
    const FaultKind kind = dice.pick(kinds);
    faults.push_back({kind, dice.between(1, entry_of(kind).latest)});
  }
  return faults;
}

/// One in three standbys has troubles of its own.
std::vector<Fault> draw_standby_faults(Dice& dice) {
  constexpr std::array kinds{FaultKind::engine_does_not_start, FaultKind::engine_hangs_in_boot,
                             FaultKind::engine_exits_in_boot,  FaultKind::engine_exits_in_search,
                             FaultKind::engine_exits_idle,     FaultKind::engine_hangs,
                             FaultKind::engine_is_late,        FaultKind::illegal_move,
                             FaultKind::double_bestmove,       FaultKind::bestmove_before_ponderhit};
  std::vector<Fault> faults;
  if (!dice.one_in(3)) {
    return faults;
  }
  for (int left = dice.between(1, 3); left > 0; --left) {
    faults.push_back({dice.pick(kinds), dice.between(1, 4)});
  }
  return faults;
}

/// A team of one to five, in place of a standby.
void draw_team(Dice& dice, BotPart& part, bool is_wanted) {
  if (!dice.one_in(5) && !is_wanted) {
    return;
  }
  constexpr int further_max = 4;
  config::Engine& engine = part.config.engine;
  engine.standby.enabled = false;
  part.further_faults.clear();
  if (dice.one_in(4) && !is_wanted) {
    engine.team_play = config::TeamPlay::standby;
  } else {
    engine.team_play = config::TeamPlay::multi_ponder;
    if (part.config.ponder == config::Ponder::off && (is_wanted || !dice.one_in(4))) {
      part.config.ponder = dice.one_in(2) ? config::Ponder::on : config::Ponder::early;
    }
  }
  for (int left = dice.between(is_wanted ? 1 : 0, further_max); left > 0; --left) {
    config::FurtherEngine member;
    member.weight = dice.one_in(2) ? 100 : dice.between(50, 200);
    engine.team.push_back(std::move(member));
    part.further_faults.push_back(draw_standby_faults(dice));
  }
}

/// Half of the teams that think together consult on their own turn, with faults of their own.
void draw_consultation(Dice& dice, BotPart& part) {
  constexpr std::array plays{config::TeamPlay::majority, config::TeamPlay::optimist, config::TeamPlay::first_with_advice};
  constexpr std::array kinds{FaultKind::engine_exits_in_search, FaultKind::engine_hangs,      FaultKind::engine_freezes,
                             FaultKind::engine_is_late,         FaultKind::illegal_move,      FaultKind::unreadable_move,
                             FaultKind::empty_bestmove,         FaultKind::engine_resigns,    FaultKind::false_declaration,
                             FaultKind::double_bestmove,        FaultKind::stray_bestmove,    FaultKind::info_flood,
                             FaultKind::odd_words,              FaultKind::engine_exits_idle, FaultKind::bestmove_before_ponderhit};
  config::Engine& engine = part.config.engine;
  if (engine.team_play != config::TeamPlay::multi_ponder || engine.team.empty() || dice.one_in(2)) {
    return;
  }
  engine.team_play = dice.pick(plays);
  part.engine.tells_scores = true;
  if (dice.one_in(3)) {
    part.config.ponder = config::Ponder::off;
  }
  for (std::vector<Fault>& faults : part.further_faults) {
    for (int left = dice.one_in(2) ? 0 : dice.between(1, 3); left > 0; --left) {
      faults.push_back({dice.pick(kinds), dice.between(1, 8)});
    }
  }
}

const char* name_of(config::TeamPlay play) {
  switch (play) {
    case config::TeamPlay::standby: return "";
    case config::TeamPlay::multi_ponder: return " that thinks together";
    case config::TeamPlay::majority: return " that plays by majority";
    case config::TeamPlay::optimist: return " that plays by the best score";
    case config::TeamPlay::first_with_advice: return " that plays with advice";
  }
  return "";
}

/// Glued legal moves with the times that the summary will list: "+7776FU-3334FU,T5".
std::string draw_prepared_moves(Dice& dice) {
  constexpr std::int64_t seconds_max = 20;
  std::string text;
  shogi::Position position = shogi::Position::startpos();
  for (int left = dice.between(1, 8); left > 0; --left) {
    const std::vector<shogi::Move> moves = shogi::legal_moves(position);
    if (moves.empty()) {
      break;
    }
    const shogi::Move move = dice.pick(moves);
    text += shogi::csa::format_move(position, move);
    if (dice.one_in(2)) {
      text += ",T" + std::to_string(dice.millis(0, seconds_max).count());
    }
    position.play(move);
  }
  return text;
}

}  // namespace

Scenario draw_scenario(std::uint64_t seed, bool with_teams) {
  Dice dice(seed, 1);
  Scenario scenario;
  scenario.seed = seed;
  scenario.game_name = dice.pick(game_names);
  Dice start_dice(seed, 70);
  if (start_dice.one_in(5) && scenario.game_name.starts_with("test-")) {
    scenario.game_name = "buoy_" + scenario.game_name;
    scenario.prepared_moves = draw_prepared_moves(start_dice);
  }
  const auto name = rehearse::server::parse_game_name(scenario.game_name).value();
  const bool is_other_server = Dice(seed, 90).one_in(6) && !name.clock.is_stop_watch && !name.handicap &&
                               !name.is_floodgate && scenario.prepared_moves.empty();
  scenario.server.max_moves = dice.between(12, 60);
  scenario.server.late_time_up = dice.one_in(3);
  if (name.clock.byoyomi_s + name.clock.increment_s >= 3 && !name.clock.is_stop_watch &&
      dice.one_in(4)) {
    scenario.server.least_time_per_move_s = 1;
  }
  if (name.is_floodgate && dice.one_in(4)) {
    scenario.server.floodgate_interval = Millis{60'000};
  }
  scenario.games = dice.between(1, 4);
  scenario.is_other_server = is_other_server;

  const Millis budget = shortest_budget(name.clock);
  const bool has_handicap = name.handicap.has_value();
  const int bots = !has_handicap && dice.one_in(4) ? 2 : 1;
  for (int i = 0; i < bots; ++i) {
    BotPart part;
    part.config = draw_config(dice, scenario, has_handicap);
    if (i == 1) {
      part.config.name = part.config.account.name = "otherbot";
    }
    part.delays = draw_delays(dice, *part.config.time.margin, budget);
    Dice wide_dice(seed, 80 + static_cast<std::uint64_t>(i));
    widen(wide_dice, part, budget);
    part.engine.greed = dice.between(0, 2);
    part.engine.repeats = dice.one_in(6);
    part.engine.declares_ponder = !dice.one_in(8);
    Dice manners_dice(seed, 100 + static_cast<std::uint64_t>(i));
    part.engine.reading = draw_reading(manners_dice, name.clock);
    if (name.clock.increment_s == 0 && !name.clock.is_stop_watch &&
        Dice(seed, 110 + static_cast<std::uint64_t>(i)).one_in(3)) {
      part.engine.reading = ClockReading::zero_is_no_limit;  // as is told it where the way leaves nothing
    }
    if (!part.config.time.margin && part.delays.process_late_max.count() == 0 && budget >= Millis{2'000} &&
        manners_dice.one_in(2)) {
      part.engine.reading = ClockReading::whole;  // it looks at no clock
      part.engine.stops_after = manners_dice.millis(100, std::min<std::int64_t>(600, budget.count() / 5));
    }
    if (manners_dice.one_in(6)) {
      part.config.book.file = "book.db";
    }
    Dice kept_dice(seed, 120 + static_cast<std::uint64_t>(i));
    if (kept_dice.one_in(4)) {
      put_far_away(kept_dice, part, budget);
    }
    Dice fault_dice(seed, 10 + static_cast<std::uint64_t>(i));
    part.faults = draw_faults(fault_dice);
    Dice death_dice(seed, 160 + static_cast<std::uint64_t>(i));
    if (!part.kept) {  // the links to its keeper would be made anew
      const std::vector<Fault> deaths = draw_deaths(death_dice);
      part.faults.insert(part.faults.end(), deaths.begin(), deaths.end());
    }
    part.config.engine.standby.enabled = Dice(seed, 50 + static_cast<std::uint64_t>(i)).one_in(3);
    if (part.config.engine.standby.enabled) {
      Dice standby_dice(seed, 60 + static_cast<std::uint64_t>(i));
      part.further_faults.push_back(draw_standby_faults(standby_dice));
    }
    Dice team_dice(seed, 140 + static_cast<std::uint64_t>(i));
    draw_team(team_dice, part, with_teams);
    part.engine.declares_lines = !team_dice.one_in(4);
    Dice panel_dice(seed, 150 + static_cast<std::uint64_t>(i));
    draw_consultation(panel_dice, part);
    scenario.bots.push_back(std::move(part));
  }
  scenario.opponent.thinking_max = dice.one_in(3) ? Millis{0} : dice.millis(0, 1'500);
  scenario.opponent.repeats = dice.one_in(4);
  scenario.opponent.is_rude = dice.one_in(3);
  if (is_other_server) {
    for (BotPart& part : scenario.bots) {
      part.config.server.mode = config::LoginMode::csa;
    }
    scenario.opponent.breaks_rules = Dice(seed, 91).one_in(2);
  }
  return scenario;
}

std::string describe(const Scenario& scenario) {
  std::string text = "seed " + std::to_string(scenario.seed) + ": " + scenario.game_name +
                     ", max_moves " + std::to_string(scenario.server.max_moves) +
                     (scenario.prepared_moves.empty() ? "" : ", from " + scenario.prepared_moves) +
                     (scenario.is_other_server ? ", a server of another make" : "") +
                     (scenario.opponent.breaks_rules ? ", an opponent who breaks rules" : "") +
                     (scenario.server.late_time_up ? ", late #TIME_UP" : "") +
                     (scenario.opponent.is_rude ? ", a rude opponent" : "") + "\n";
  for (std::size_t i = 0; i < scenario.bots.size(); ++i) {
    const BotPart& part = scenario.bots[i];
    text += "  bot " + std::to_string(i) + ": margin " +
            (part.config.time.margin ? std::to_string(part.config.time.margin->count()) + " ms"
                                     : std::string("measured")) +
            ", latency " +
            std::to_string(part.delays.latency.count()) + "+" +
            std::to_string(part.delays.jitter_max.count()) + " ms, timer late " +
            std::to_string(part.delays.timer_late_max.count()) + " ms, process late " +
            std::to_string(part.delays.process_late_max.count()) + " ms, greed " +
            std::to_string(part.engine.greed) + name_of(part.engine.reading) +
            (part.engine.stops_after
                 ? ", stops after " + std::to_string(part.engine.stops_after->count()) + " ms"
                 : "") +
            (part.config.book.file.empty() ? "" : ", book") +
            (part.config.ponder == config::Ponder::off ? "" : ", ponder") +
            (part.config.server.mode == config::LoginMode::x1 ? ", x1" : "") +
            (part.config.engine.standby.enabled ? ", standby" : "") +
            (part.config.engine.team.empty() ? "" : ", a team of " + std::to_string(part.config.engine.team.size() + 1)) +
            name_of(part.config.engine.team_play) +
            (part.kept ? ", far away by " + std::to_string(part.kept->latency.count()) + "+" +
                             std::to_string(part.kept->jitter_max.count()) + " ms" +
                             (part.kept->ways > 1 ? " and two ways" : "") + (part.kept->calm ? "" : ", with cuts")
                       : "") +
            "\n";
    for (std::size_t k = 0; k < part.faults.size(); ++k) {
      text += "    fault " + std::to_string(i) + "." + std::to_string(k) + ": " +
              entry_of(part.faults[k].kind).name + ", occasion " +
              std::to_string(part.faults[k].occasion) + "\n";
    }
    for (std::size_t seat = 0; seat < part.further_faults.size(); ++seat) {
      for (const Fault& fault : part.further_faults[seat]) {
        text += "    of seat " + std::to_string(seat + 1) + ": " + std::string(entry_of(fault.kind).name) +
                ", occasion " + std::to_string(fault.occasion) + "\n";
      }
    }
  }
  return text;
}

}  // namespace kakehashi::sim
