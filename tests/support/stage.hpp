// The stage on which a Bot plays under a virtual clock: it starts the bot, gives it events at
// given instants, rings the timer that the bot armed whenever it is due, answers record actions
// as the driver does, and lets the referee look at every step. It renders nothing and knows no
// script; the sink sees each batch of actions with its instant. The process that plays may die on it, and another follows.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "bridge/bot/bot.hpp"
#include "support/played_run.hpp"
#include "support/referee.hpp"

namespace kakehashi::support {

class Stage {
 public:
  /// Sees what each step did. `event` is null for start().
  using Sink = std::function<void(base::Millis at, const bridge::Event* event,
                                  const bridge::Actions& actions)>;

  Stage(config::BotConfig config, std::uint64_t seed, Sink sink);

  /// Bot::start() at the present instant, once.
  void start();
  [[nodiscard]] bool has_started() const { return has_started_; }
  /// Moves the clock to `at` (from the scene's beginning), ringing the timer whenever it is due,
  /// the last time at `at` itself. Going back is a mistake of the script and is ignored.
  void pass_to(base::Millis at);
  /// The next instant at which the armed timer rings, if one is armed.
  [[nodiscard]] std::optional<base::Millis> next_ring() const;
  /// One event at the present instant, and the record outcomes that follow from it.
  void happen(const bridge::Event& event);

  /// From now on the opening book answers each question at once, that it does not know the position.
  void close_book() { is_book_closed_ = true; }
  /// Nothing: the script says itself what is remembered of an engine's clock.
  void remember_clocks(std::optional<usi::EngineClocks> clocks) { remembered_clocks_ = clocks; }

  /// From now on no record can be written.
  void fill_disk() { is_disk_full_ = true; }
  /// The bot's clock stands still, and its timer with it, while the stage goes on.
  void stop_clock() { clock_stopped_at_ = at_; }
  void start_clock() { clock_stopped_at_.reset(); }

  /// How the playing process dies in the course of that step, if it does; the start is number 0.
  using Deaths = std::function<std::optional<Death>(std::uint64_t step)>;
  /// Before the start.
  void let_die(PlayedRun run, Deaths deaths, std::uint64_t chance);
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

  [[nodiscard]] base::Millis at() const { return at_; }
  /// The same instant as the bot sees it.
  [[nodiscard]] base::Now now() const;
  [[nodiscard]] bool is_over() const { return is_over_; }
  [[nodiscard]] bridge::View view() const { return bot_.view(); }
  [[nodiscard]] const Referee& referee() const { return referee_; }

  /// A timer that rings more often than this at one instant is a loop.
  static constexpr int rings_at_once_max = 8;

 private:
  void step(const bridge::Event* event);
  [[nodiscard]] bridge::Actions play(const bridge::Event* event, std::optional<Death> death);
  [[nodiscard]] bridge::Actions follow();

  bridge::Bot bot_;
  Referee referee_;
  Sink sink_;
  base::Millis at_{0};
  bool has_started_ = false;
  bool is_over_ = false;
  bool is_book_closed_ = false;
  std::optional<usi::EngineClocks> remembered_clocks_ = usi::EngineClocks{usi::ClockReading::adds, false};
  bool is_disk_full_ = false;
  std::optional<base::Millis> clock_stopped_at_;
  std::optional<base::SteadyTime> armed_;
  int rings_at_once_ = 0;
  std::uint64_t steps_ = 0;
  std::optional<PlayedRun> run_;
  Deaths deaths_ = [](std::uint64_t) { return std::nullopt; };
  std::mt19937_64 chance_;
};

/// The configuration that scripts begin with: an account "mybot" with the password
/// "s3cret-tr1p", the game "floodgate-300-10F" and the engine command "engine".
[[nodiscard]] config::BotConfig stage_config();
inline constexpr const char* stage_password = "s3cret-tr1p";

}  // namespace kakehashi::support
