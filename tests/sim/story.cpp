#include "sim/story.hpp"

#include <deque>
#include <utility>

#include "sim/opponent.hpp"

namespace kakehashi::sim {

using base::Millis;
using namespace std::chrono_literals;

namespace {

/// Safety ends here, whatever was played.
constexpr Millis safety_max = 3h;
/// Liveness: a lost name is free again when its game's clock has run out, retries pause for a minute,
/// floodgate pairs by the minute, and an untimed engine takes ten seconds a move.
constexpr Millis patience = 1h;
/// What two bots say in such a time is far below this; more is a loop.
constexpr std::uint64_t tasks_max = 400'000;
constexpr Millis while_lasts = 15s;

class Story {
 public:
  Story(const Scenario& scenario, const StoryListener& listener)
      : scenario_(scenario),
        network_(agenda_, scenario,
                 [this](const rehearse::server::GameReport& report) { on_report(report); }),
        opponent_(agenda_, network_, boards_, scenario) {
    for (std::size_t i = 0; i < scenario.bots.size(); ++i) {
      SimBot::Listener each;
      if (listener) {
        each = [&listener, i](Millis at, const bridge::Event* event,
                              const bridge::Actions& actions) { listener(i, at, event, actions); };
      }
      bots_.emplace_back(agenda_, network_, boards_, scenario, i, std::move(each));
    }
  }

  Outcome play() {
    Dice dice(scenario_.seed, 4);
    for (SimBot& bot : bots_) {
      agenda_.put(dice.millis(0, 3'000), [&bot] { bot.start(); });
    }
    pass_a_while();
    pass_until(safety_max, [this] { return outcome_.games >= scenario_.games; });
    for (SimBot& bot : bots_) {
      bot.be_spared();
    }
    opponent_.be_polite();
    require_games();
    require_departure();
    collect();
    return std::move(outcome_);
  }

 private:
  void on_report(const rehearse::server::GameReport& report) {
    const Board* board = boards_.follow(report, agenda_.at());
    if (const auto* ended = std::get_if<rehearse::server::GameEnded>(&report)) {
      ++outcome_.games;
      ++outcome_.endings[static_cast<std::size_t>(ended->reason)];
    }
    for (SimBot& bot : bots_) {
      bot.on_report(report, board);
    }
  }

  void pass_a_while() {
    agenda_.put_after(while_lasts, [this] {
      for (SimBot& bot : bots_) {
        if (!bot.is_over()) {
          bot.pass_a_while();
        }
      }
      pass_a_while();
    });
  }

  [[nodiscard]] bool is_over() const {
    bool all = true;
    for (const SimBot& bot : bots_) {
      all = all && bot.is_over();
    }
    return all;
  }
  [[nodiscard]] bool is_lone() const {
    int present = 0;
    for (const SimBot& bot : bots_) {
      present += bot.is_over() ? 0 : 1;
    }
    return present < 2;
  }

  /// Until `is_enough`, or all bots are gone, or it is that late.
  template <class Question>
  void pass_until(Millis latest, Question is_enough) {
    while (!is_over() && !is_enough() && agenda_.at() < latest) {
      if (is_lone() && !opponent_.has_started()) {
        opponent_.start();
      }
      agenda_.advance(latest);
      if (++tasks_ > tasks_max) {
        complain("the story does not come to an end");
        return;
      }
    }
  }

  void require_games() {
    std::vector<int> before;
    for (const SimBot& bot : bots_) {
      before.push_back(bot.games_finished());
    }
    const auto has_progressed = [&](std::size_t i) {
      return bots_[i].is_over() || bots_[i].games_finished() > before[i];
    };
    pass_until(agenda_.at() + patience, [&] {
      bool all = true;
      for (std::size_t i = 0; i < bots_.size(); ++i) {
        all = all && has_progressed(i);
      }
      return all;
    });
    for (std::size_t i = 0; i < bots_.size(); ++i) {
      if (!has_progressed(i)) {
        complain("bot " + std::to_string(i) + " finishes no game and does not go; its phase is " +
                 bots_[i].phase());
      }
    }
  }

  void require_departure() {
    for (SimBot& bot : bots_) {
      if (!bot.is_over()) {
        bot.stop(bridge::Urgency::drain);
      }
    }
    pass_until(agenda_.at() + patience, [] { return false; });
    for (std::size_t i = 0; i < bots_.size(); ++i) {
      if (!bots_[i].is_over()) {
        complain("bot " + std::to_string(i) + " does not go when asked to; its phase is " +
                 bots_[i].phase());
      }
    }
  }

  void complain(const std::string& what) { outcome_.complaints.push_back(what); }

  void collect() {
    for (std::size_t i = 0; i < bots_.size(); ++i) {
      for (const std::string& complaint : bots_[i].complaints()) {
        complain("bot " + std::to_string(i) + " " + complaint);
      }
      for (std::size_t k = 0; k < fault_kind_count; ++k) {
        outcome_.faults[k] += bots_[i].plan().done()[k];
        for (const FaultPlan& plan : bots_[i].further_plans()) {
          outcome_.faults[k] += plan.done()[k];
        }
      }
      outcome_.steps += bots_[i].steps();
    }
    outcome_.lasted = agenda_.at();
  }

  const Scenario& scenario_;
  Agenda agenda_;
  Boards boards_;
  Network network_;
  Opponent opponent_;
  std::deque<SimBot> bots_;
  Outcome outcome_;
  std::uint64_t tasks_ = 0;
};

}  // namespace

Outcome play_story(const Scenario& scenario, const StoryListener& listener) {
  return Story(scenario, listener).play();
}

}  // namespace kakehashi::sim
