// The text exposition of Prometheus, by hand: a fixed set of metrics, checked by promtool in a test.
#include <fmt/format.h>

#include <array>

#include "watch/report.hpp"

namespace kakehashi::watch {

namespace {

constexpr std::array phases{bridge::Phase::preparing, bridge::Phase::connecting, bridge::Phase::logging_in,
                            bridge::Phase::waiting,   bridge::Phase::agreeing,   bridge::Phase::playing,
                            bridge::Phase::backoff,   bridge::Phase::resting,    bridge::Phase::leaving,
                            bridge::Phase::gone};

constexpr std::array rescue_causes{bridge::RescueCause::gone, bridge::RescueCause::silent,
                                   bridge::RescueCause::unusable, bridge::RescueCause::declaration};

struct Counter {
  const char* metric;
  const char* help;
  bridge::Incident counted;
};

constexpr std::array counters{
    Counter{"kakehashi_connections_total", "Connections to the server that came about.", bridge::Incident::connected},
    Counter{"kakehashi_logins_total", "Logins that the server accepted.", bridge::Incident::logged_in},
    Counter{"kakehashi_login_refusals_total", "Logins that the server refused.", bridge::Incident::login_refused},
    Counter{"kakehashi_retries_total", "Pauses before another attempt to connect or log in.", bridge::Incident::retrying},
    Counter{"kakehashi_games_started_total", "Games that began.", bridge::Incident::game_started},
    Counter{"kakehashi_games_resumed_total", "Games taken up again after the loss of their line.", bridge::Incident::game_resumed},
    Counter{"kakehashi_games_rejected_total", "Games rejected before their start.", bridge::Incident::game_rejected},
    Counter{"kakehashi_engine_losses_total", "Engines that ended, hung or sent nonsense and were replaced.", bridge::Incident::engine_lost},
    Counter{"kakehashi_engine_hurries_total", "Searches that used all their time and were told to stop.", bridge::Incident::engine_hurried},
    Counter{"kakehashi_rescue_moves_total", "Moves played by the bridge without the engine.", bridge::Incident::rescue_played},
    Counter{"kakehashi_unusable_bestmoves_total", "Moves of the engine that were illegal or unreadable.", bridge::Incident::unusable_bestmove},
    Counter{"kakehashi_faults_total", "Games lost by an illegal move, a foul or the clock.", bridge::Incident::lost_by_fault},
    Counter{"kakehashi_record_failures_total", "Records that could not be written.", bridge::Incident::record_failed},
    Counter{"kakehashi_server_lines_dropped_total", "Lines of the server that were too long or held a NUL byte.", bridge::Incident::line_dropped},
};

std::string escaped(const std::string& value) {
  std::string text;
  for (const char c : value) {
    if (c == '\\' || c == '"') {
      text += '\\';
    }
    text += c == '\n' ? ' ' : c;
  }
  return text;
}

class Page {
 public:
  explicit Page(const Report& report) : report_(report) {}

  void family(const char* name, const char* type, const char* help) {
    text_ += std::string("# HELP ") + name + " " + help + "\n# TYPE " + name + " " + type + "\n";
    name_ = name;
  }
  void sample(const std::string& labels, const std::string& value) {
    text_ += name_ + (labels.empty() ? "" : "{" + labels + "}") + " " + value + "\n";
  }
  /// One sample a bot; those without a value are left out.
  template <class Value>
  void per_bot(const char* name, const char* type, const char* help, Value value) {
    family(name, type, help);
    for (const Report::Bot& bot : report_.bots) {
      if (const auto number = value(bot)) {
        sample(bot_label(bot), std::to_string(*number));
      }
    }
  }
  static std::string bot_label(const Report::Bot& bot) {
    return "bot=\"" + escaped(bot.state->name()) + "\"";
  }
  std::string take() { return std::move(text_); }

 private:
  const Report& report_;
  std::string name_;
  std::string text_;
};

std::string seconds(base::Millis millis) {
  return fmt::format("{}.{:03}", millis.count() / 1000, millis.count() % 1000);
}

std::string seconds_of(std::chrono::microseconds micros) {
  return fmt::format("{}.{:06}", micros.count() / 1'000'000, micros.count() % 1'000'000);
}

void add_process(Page& page, const Report& report) {
  page.family("kakehashi_build_info", "gauge", "The version of the program, as a label.");
  page.sample("version=\"" + escaped(report.version) + "\"", "1");
  page.family("kakehashi_uptime_seconds", "gauge", "Time since the program started.");
  page.sample("", seconds(base::millis_between(report.started.steady, report.now.steady)));
  if (report.resident_bytes > 0) {
    page.family("process_resident_memory_bytes", "gauge", "Resident memory of the bridge itself.");
    page.sample("", std::to_string(report.resident_bytes));
  }
  page.family("kakehashi_archive_waiting_games", "gauge", "Finished games that wait to be stored.");
  page.sample("", std::to_string(report.games_waiting));
}

void add_rescues(Page& page, const Report& report) {
  page.family("kakehashi_rescues_total", "counter",
              "Moves played by the bridge, by why the engine played none: gone, silent, unusable, declaration.");
  for (const Report::Bot& bot : report.bots) {
    for (const bridge::RescueCause cause : rescue_causes) {
      page.sample(Page::bot_label(bot) + ",cause=\"" + bridge::describe(cause) + "\"",
                  std::to_string(bot.state->rescues(cause)));
    }
  }
}

/// The way to the server, in seconds.
void add_link(Page& page, const Report& report) {
  struct Part {
    const char* metric;
    const char* help;
    std::chrono::microseconds (*of)(const bridge::ViewedLink& link);
  };
  constexpr std::array parts{
      Part{"kakehashi_link_delay_seconds", "Round trip to the server, smoothed.",
           [](const bridge::ViewedLink& link) { return link.round_trip; }},
      Part{"kakehashi_link_jitter_seconds", "Its mean deviation.",
           [](const bridge::ViewedLink& link) { return link.jitter; }},
  };
  for (const Part& part : parts) {
    page.family(part.metric, "gauge", part.help);
    for (const Report::Bot& bot : report.bots) {
      if (bot.view.link) {
        page.sample(Page::bot_label(bot), seconds_of(part.of(*bot.view.link)));
      }
    }
  }
  page.family("kakehashi_margin_seconds", "gauge", "What is kept back of each move's time now.");
  for (const Report::Bot& bot : report.bots) {
    page.sample(Page::bot_label(bot), seconds(bot.view.margin));
  }
}

/// The way to an engine that a keeper holds; bots without one have no sample.
void add_engine_link(Page& page, const Report& report) {
  const auto family = [&](const char* name, const char* type, const char* help, auto value) {
    page.family(name, type, help);
    for (const Report::Bot& bot : report.bots) {
      if (bot.view.engine_link) {
        page.sample(Page::bot_label(bot), value(*bot.view.engine_link));
      }
    }
  };
  using Link = bridge::ViewedEngineLink;
  family("kakehashi_engine_link_up", "gauge", "1 while the engine can be heard.",
         [](const Link& link) { return std::string(link.is_out ? "0" : "1"); });
  family("kakehashi_engine_link_ways_lost", "gauge", "Ways to the engine that were up before and are lost now.",
         [](const Link& link) { return std::to_string(link.ways_lost); });
  family("kakehashi_engine_link_delay_seconds", "gauge", "Round trip to the engine's keeper, smoothed.",
         [](const Link& link) { return seconds_of(link.round_trip); });
  family("kakehashi_engine_link_jitter_seconds", "gauge", "Its mean deviation.",
         [](const Link& link) { return seconds_of(link.jitter); });
  family("kakehashi_engine_link_cuts_total", "counter", "Times that no way led to the engine.",
         [](const Link& link) { return std::to_string(link.cuts); });
  family("kakehashi_engine_link_out_seconds_total", "counter", "How long that lasted in all.",
         [](const Link& link) { return seconds(link.out); });
}

/// Of the engine: what it says of itself, and what the system says of it.
void add_engine(Page& page) {
  using Score = bridge::ViewedScore;
  const auto of_score = [](std::int64_t Score::*part) {
    return [part](const Report::Bot& bot) {
      return bot.view.game && bot.view.game->score ? std::optional((*bot.view.game->score).*part)
                                                   : std::nullopt;
    };
  };
  page.per_bot("kakehashi_engine_depth", "gauge", "Depth that the engine reported last.",
               of_score(&Score::depth));
  page.per_bot("kakehashi_engine_nodes_per_second", "gauge", "Nodes a second that it reported last.",
               of_score(&Score::nps));
  page.per_bot("kakehashi_engine_hashfull_permille", "gauge", "How full it said that its table is.",
               of_score(&Score::hashfull));
  page.per_bot("kakehashi_engine_resident_bytes", "gauge",
               "Resident memory of the engine processes of the bot.", [](const Report::Bot& bot) {
                 return bot.engine_bytes > 0 ? std::optional(bot.engine_bytes) : std::nullopt;
               });
}

void add_phases(Page& page, const Report& report) {
  page.family("kakehashi_bot_phase", "gauge", "1 for the phase that the bot is in.");
  for (const Report::Bot& bot : report.bots) {
    for (const bridge::Phase phase : phases) {
      page.sample(Page::bot_label(bot) + ",phase=\"" + bridge::name_of(phase).english() + "\"",
                  bot.view.phase == phase ? "1" : "0");
    }
  }
}

void add_games(Page& page, const Report& report) {
  page.family("kakehashi_games_total", "counter", "Finished games by outcome and reason.");
  for (const Report::Bot& bot : report.bots) {
    for (const auto& [key, count] : bot.state->games()) {
      page.sample(Page::bot_label(bot) + ",outcome=\"" + escaped(key.first) + "\",reason=\"" +
                      escaped(key.second) + "\"",
                  std::to_string(count));
    }
  }
}

/// A Prometheus alert divides these: the share that the engine got, the delay of a move.
void add_time(Page& page, const Report& report) {
  struct Sum {
    const char* metric;
    const char* help;
    base::Millis (*of)(const bridge::TimeStatistics& time);
  };
  constexpr std::array sums{
      Sum{"kakehashi_game_time_granted_seconds",
          "Time that the server granted for our moves of the present game, or of the last one.",
          [](const bridge::TimeStatistics& time) { return time.granted; }},
      Sum{"kakehashi_game_time_offered_seconds", "What the engine could use of it.",
          [](const bridge::TimeStatistics& time) { return time.had(); }},
      Sum{"kakehashi_game_time_used_seconds", "What our moves took, by our clock.",
          [](const bridge::TimeStatistics& time) { return time.used; }},
      Sum{"kakehashi_game_time_lost_seconds", "What was charged beyond that: lost on the link.",
          [](const bridge::TimeStatistics& time) { return time.lost; }},
  };
  for (const Sum& sum : sums) {
    page.family(sum.metric, "gauge", sum.help);
    for (const Report::Bot& bot : report.bots) {
      if (bot.view.game) {
        page.sample(Page::bot_label(bot), seconds(sum.of(bot.view.game->time)));
      }
    }
  }
}

/// Of the present game, or of the last one: a series for each engine of a team that thinks together.
void add_members(Page& page, const Report& report) {
  struct Figure {
    const char* metric;
    const char* help;
    std::string (*of)(const bridge::ViewedMember&);
  };
  constexpr std::array figures{
      Figure{"kakehashi_member_moves", "Moves of the game that the member chose.",
             [](const bridge::ViewedMember& member) { return std::to_string(member.moves); }},
      Figure{"kakehashi_member_ponder_searches", "Replies that it thought about on the opponent's time.",
             [](const bridge::ViewedMember& member) { return std::to_string(member.ponder.searches); }},
      Figure{"kakehashi_member_ponder_hits", "Those that came.",
             [](const bridge::ViewedMember& member) { return std::to_string(member.ponder.hits); }},
      Figure{"kakehashi_member_gained_seconds", "How long it had thought about those.",
             [](const bridge::ViewedMember& member) { return seconds(member.ponder.gained); }},
  };
  for (const Figure& figure : figures) {
    page.family(figure.metric, "gauge", figure.help);
    for (const Report::Bot& bot : report.bots) {
      for (const bridge::ViewedMember& member : bot.view.game ? bot.view.game->members : std::vector<bridge::ViewedMember>{}) {
        page.sample(Page::bot_label(bot) + ",member=\"" + escaped(member.name) + "\"", figure.of(member));
      }
    }
  }
}

}  // namespace

std::string metrics(const Report& report) {
  Page page(report);
  add_process(page, report);
  page.per_bot("kakehashi_bot_ready", "gauge", "1 when the bot is logged in or in a game.",
               [](const Report::Bot& bot) { return std::optional(is_ready(bot) ? 1 : 0); });
  add_phases(page, report);
  add_games(page, report);
  for (const Counter& counter : counters) {
    page.per_bot(counter.metric, "counter", counter.help, [&](const Report::Bot& bot) {
      return std::optional(bot.state->count(counter.counted));
    });
  }
  page.per_bot("kakehashi_game_moves", "gauge", "Moves of the present game, or of the last one.",
               [](const Report::Bot& bot) {
                 return bot.view.game ? std::optional(bot.view.game->moves.size()) : std::nullopt;
               });
  add_rescues(page, report);
  add_time(page, report);
  page.per_bot("kakehashi_standby_plays", "gauge", "1 while the standby engine plays.",
               [](const Report::Bot& bot) { return std::optional(bot.view.standby_plays ? 1 : 0); });
  add_link(page, report);
  add_engine_link(page, report);
  add_engine(page);
  page.per_bot("kakehashi_ponder_searches", "gauge",
               "Searches on the opponent's time in the present game, or in the last one.",
               [](const Report::Bot& bot) {
                 return bot.view.game ? std::optional(bot.view.game->ponder.searches) : std::nullopt;
               });
  page.per_bot("kakehashi_ponder_hits", "gauge", "Those whose predicted move came.",
               [](const Report::Bot& bot) {
                 return bot.view.game ? std::optional(bot.view.game->ponder.hits) : std::nullopt;
               });
  page.per_bot("kakehashi_ponder_searches_total", "counter",
               "Searches on the opponent's time in all finished games.", [](const Report::Bot& bot) {
                 return std::optional(bot.view.ponder.searches);
               });
  page.per_bot("kakehashi_ponder_hits_total", "counter", "Those whose predicted move came.",
               [](const Report::Bot& bot) { return std::optional(bot.view.ponder.hits); });
  add_members(page, report);
  page.per_bot("kakehashi_notices_waiting", "gauge", "Notifications that wait to be delivered.",
               [](const Report::Bot& bot) { return std::optional(bot.notices_waiting); });
  return page.take();
}

}  // namespace kakehashi::watch
