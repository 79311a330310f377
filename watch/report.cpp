#include "watch/report.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <variant>

#include "base/overload.hpp"
#include "watch/live_view.hpp"

namespace kakehashi::watch {

namespace {

base::Message describe_phase(const Report::Bot& bot, const base::Now& now) {
  if (bot.is_done) {
    return base::say("left");
  }
  const base::Message phase = bridge::name_of(bot.view.phase);
  return bot.view.window ? until_window(phase, bot.view.window->opens, bot.view.window->at - now.wall) : phase;
}

base::Message describe_bot(const Report::Bot& bot, const base::Now& now) {
  const auto text = base::say("{}: {}", bot.state->name(), describe_phase(bot, now));
  if (bot.view.phase != bridge::Phase::playing || !bot.view.game) {
    return text;
  }
  const std::size_t moves = bot.view.game->moves.size();
  const auto& score = bot.view.game->score;
  return score ? base::say("{}, move {}, {}", text, moves, format_score(*score)) : base::say("{}, move {}", text, moves);
}

}  // namespace

base::Message until_window(const base::Message& phase, const std::string& opens, base::Millis left) {
  return left.count() < 1'000 ? base::say("{} until {}", phase, opens)
                              : base::say("{} until {}, in {}", phase, opens, base::duration(left.count() / 1'000 * 1'000));
}

const char* state_of(const bridge::ViewedEngineLink& link) {
  return link.is_out ? "out" : link.ways_lost > 0 ? "reduced" : "up";
}

bool is_ready(const Report::Bot& bot) {
  const bridge::Phase phase = bot.view.phase;
  return bridge::is_in_game(phase) || phase == bridge::Phase::waiting || phase == bridge::Phase::resting;
}

base::Message line(const Report& report) {
  base::Message text;
  for (const Report::Bot& bot : report.bots) {
    const auto one = describe_bot(bot, report.now);
    text = text.empty() ? one : base::say("{} | {}", text, one);
  }
  return text;
}

std::vector<base::Message> not_ready(const Report& report) {
  std::vector<base::Message> lines;
  for (const Report::Bot& bot : report.bots) {
    if (!bot.is_done && !is_ready(bot)) {
      const auto& trouble = bot.state->trouble();
      const auto phase = bridge::name_of(bot.view.phase);
      lines.push_back(trouble.empty() ? base::say("{}: {}", bot.state->name(), phase)
                                      : base::say("{}: {}; {}", bot.state->name(), phase, trouble));
    }
  }
  return lines;
}

// --- one bot for a person

namespace {

base::Message describe_clock(std::optional<base::Millis> left) {
  return left ? base::duration(left->count()) : base::say("untimed");
}

base::Message describe_game(const bridge::GameView& game, base::SteadyTime now) {
  const auto id = base::quoted(game.game_id);
  const auto text =
      game.our_color == shogi::Color::black
          ? base::say("black against {}, game {}, {} moves", base::quoted(game.white_name), id, game.moves.size())
          : base::say("white against {}, game {}, {} moves", base::quoted(game.black_name), id, game.moves.size());
  if (game.end) {
    return base::say("{}, over", text);
  }
  const auto turn = base::duration(base::millis_between(game.turn_started, now).count());
  const auto clocks =
      base::say("clocks {} and {}", describe_clock(game.black_main_time), describe_clock(game.white_main_time));
  const auto going_on = game.position.side_to_move() == game.our_color
                            ? base::say("{}, our turn for {}, {}", text, turn, clocks)
                            : base::say("{}, their turn for {}, {}", text, turn, clocks);
  return game.score ? base::say("{}, {}", going_on, base::say("{}, depth {}", format_score(*game.score), game.score->depth))
                    : going_on;
}

}  // namespace

base::Message describe_state(const bridge::View& view, base::SteadyTime now) {
  base::Message text = bridge::name_of(view.phase);
  if (view.window) {
    text = base::say("{} until {}", text, view.window->opens);
  }
  if (!view.engine_name.empty()) {
    text = view.standby_plays ? base::say("{}, standby engine {}", text, base::quoted(view.engine_name))
                              : base::say("{}, engine {}", text, base::quoted(view.engine_name));
  }
  text = base::say("{}, games finished: {}", text, view.games_finished);
  if (view.game) {
    const auto game = describe_game(*view.game, now);
    text = view.game->end ? base::say("{}; last game: {}", text, game) : base::say("{}; {}", text, game);
  }
  return text;
}

// --- what a person wants to know of one bot and its view does not hold: how often things happened, and the last lines of
// its log. Counted from facts as they pass.

namespace {

/// A server may say anything; a metric's label may not take every value.
constexpr std::array known_reasons{
    "#RESIGN",   "#TIME_UP",   "#ILLEGAL_MOVE", "#ILLEGAL_ACTION", "#SENNICHITE", "#OUTE_SENNICHITE",
    "#JISHOGI",  "#MAX_MOVES", "#CENSORED",     "#CHUDAN",         "#ABNORMAL"};

std::string reason_label(const std::string& reason) {
  const bool is_known =
      std::find(known_reasons.begin(), known_reasons.end(), reason) != known_reasons.end();
  return is_known ? reason.substr(1) : "other";
}

}  // namespace

void BotState::take(const bridge::Fact& fact) {
  if (const auto incident = bridge::incident_of(fact)) {
    ++counts_[*incident];
  }
  std::visit(base::Overload{
                 [](const bridge::Paired&) {},
                 [](const bridge::GameStarted&) {},
                 [&](const bridge::GameEnded& ended) {
                   const bool is_open = ended.outcome == csa::Outcome::none;
                   ++games_[{is_open ? "none" : csa::describe(ended.outcome), reason_label(ended.reason)}];
                 },
                 [&](const bridge::RescuePlayed& rescue) { ++rescues_[rescue.cause]; },
                 [&](const bridge::Occurred& occurred) {
                   const bool is_over = occurred.what == bridge::Incident::logged_in ||
                                        occurred.what == bridge::Incident::engine_ready;
                   if (is_over || !occurred.trouble.empty()) {
                     trouble_ = occurred;
                   }
                 },
             },
             fact);
}

void BotState::take(const bridge::Note& note, base::WallTime at) {
  if (note.level == bridge::Level::debug) {
    return;
  }
  if (lines_.size() == lines_kept) {
    lines_.pop_front();
  }
  lines_.push_back({at, note.level, note.code, note.text});
}

std::uint64_t BotState::count(bridge::Incident incident) const {
  const auto found = counts_.find(incident);
  return found == counts_.end() ? 0 : found->second;
}

std::uint64_t BotState::rescues(bridge::RescueCause cause) const {
  const auto found = rescues_.find(cause);
  return found == rescues_.end() ? 0 : found->second;
}

}  // namespace kakehashi::watch
