// The text exposition of Prometheus, by hand: a fixed set of metrics, checked by promtool in a test.
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <concepts>
#include <functional>
#include <optional>
#include <utility>

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

std::string text_of(std::integral auto number) { return std::to_string(number); }
std::string text_of(base::Millis time) { return fmt::format("{}.{:03}", time.count() / 1000, time.count() % 1000); }
std::string text_of(std::chrono::microseconds time) {
  return fmt::format("{}.{:06}", time.count() / 1'000'000, time.count() % 1'000'000);
}

std::string label_of(const char* name, const std::string& value) { return std::string(name) + "=\"" + escaped(value) + "\""; }

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
  /// `add` of each bot adds the samples with its label.
  template <class Add>
  void of_bots(const char* name, const char* type, const char* help, Add add) {
    family(name, type, help);
    for (const Report::Bot& bot : report_.bots) {
      add(bot, label_of("bot", bot.state->name()));
    }
  }
  /// One sample a bot; those without a value are left out.
  template <class Value>
  void per_bot(const char* name, const char* type, const char* help, Value value) {
    of_bots(name, type, help, [&](const Report::Bot& bot, const std::string& label) {
      if (const auto found = std::optional(std::invoke(value, bot))) {
        sample(label, text_of(*found));
      }
    });
  }
  std::string take() { return std::move(text_); }

 private:
  const Report& report_;
  std::string name_;
  std::string text_;
};

/// A part of what a bot's view holds; nothing while it holds none.
template <class Whole, class Part>
auto of(std::optional<Whole> bridge::View::*whole, Part part) {
  return [whole, part](const Report::Bot& bot) {
    const auto& found = bot.view.*whole;
    return found ? std::optional(std::invoke(part, *found)) : std::nullopt;
  };
}

void add_process(Page& page, const Report& report) {
  page.family("kakehashi_build_info", "gauge", "The version of the program, as a label.");
  page.sample(label_of("version", report.version), "1");
  page.family("kakehashi_uptime_seconds", "gauge", "Time since the program started.");
  page.sample("", text_of(base::millis_between(report.started.steady, report.now.steady)));
  if (report.resident_bytes > 0) {
    page.family("process_resident_memory_bytes", "gauge", "Resident memory of the bridge itself.");
    page.sample("", std::to_string(report.resident_bytes));
  }
  page.family("kakehashi_archive_waiting_games", "gauge", "Finished games that wait to be stored.");
  page.sample("", std::to_string(report.games_waiting));
}

/// With more labels than the bot's.
void add_phases_and_games(Page& page) {
  page.of_bots("kakehashi_bot_phase", "gauge", "1 for the phase that the bot is in.",
               [&](const Report::Bot& bot, const std::string& label) {
                 for (const bridge::Phase phase : phases) {
                   page.sample(label + "," + label_of("phase", bridge::name_of(phase).english()),
                               bot.view.phase == phase ? "1" : "0");
                 }
               });
  page.of_bots("kakehashi_games_total", "counter", "Finished games by outcome and reason.",
               [&](const Report::Bot& bot, const std::string& label) {
                 for (const auto& [key, count] : bot.state->games()) {
                   page.sample(label + "," + label_of("outcome", key.first) + "," + label_of("reason", key.second),
                               std::to_string(count));
                 }
               });
}

void add_rescues(Page& page) {
  page.of_bots("kakehashi_rescues_total", "counter",
               "Moves played by the bridge, by why the engine played none: gone, silent, unusable, declaration.",
               [&](const Report::Bot& bot, const std::string& label) {
                 for (const bridge::RescueCause cause : rescue_causes) {
                   page.sample(label + "," + label_of("cause", bridge::describe(cause)), std::to_string(bot.state->rescues(cause)));
                 }
               });
}

/// A Prometheus alert divides these: the share that the engine got, the delay of a move.
void add_time(Page& page) {
  using Game = bridge::GameView;
  page.per_bot("kakehashi_game_time_granted_seconds", "gauge",
               "Time that the server granted for our moves of the present game, or of the last one.",
               of(&bridge::View::game, [](const Game& game) { return game.time.granted; }));
  page.per_bot("kakehashi_game_time_offered_seconds", "gauge", "What the engine could use of it.",
               of(&bridge::View::game, [](const Game& game) { return game.time.had(); }));
  page.per_bot("kakehashi_game_time_used_seconds", "gauge", "What our moves took, by our clock.",
               of(&bridge::View::game, [](const Game& game) { return game.time.used; }));
  page.per_bot("kakehashi_game_time_lost_seconds", "gauge", "What was charged beyond that: lost on the link.",
               of(&bridge::View::game, [](const Game& game) { return game.time.lost; }));
}

/// The way to the server.
void add_link(Page& page) {
  using Link = bridge::ViewedLink;
  page.per_bot("kakehashi_link_delay_seconds", "gauge", "Round trip to the server, smoothed.",
               of(&bridge::View::link, &Link::round_trip));
  page.per_bot("kakehashi_link_jitter_seconds", "gauge", "Its mean deviation.", of(&bridge::View::link, &Link::jitter));
  page.per_bot("kakehashi_margin_seconds", "gauge", "What is kept back of each move's time now.",
               [](const Report::Bot& bot) { return bot.view.margin; });
}

/// The way to an engine that a keeper holds; bots without one have no sample.
void add_engine_link(Page& page) {
  using Link = bridge::ViewedEngineLink;
  constexpr auto whole = &bridge::View::engine_link;
  page.per_bot("kakehashi_engine_link_up", "gauge", "1 while the engine can be heard.",
               of(whole, [](const Link& link) { return link.is_out ? 0 : 1; }));
  page.per_bot("kakehashi_engine_link_ways_lost", "gauge", "Ways to the engine that were up before and are lost now.",
               of(whole, &Link::ways_lost));
  page.per_bot("kakehashi_engine_link_delay_seconds", "gauge", "Round trip to the engine's keeper, smoothed.",
               of(whole, &Link::round_trip));
  page.per_bot("kakehashi_engine_link_jitter_seconds", "gauge", "Its mean deviation.", of(whole, &Link::jitter));
  page.per_bot("kakehashi_engine_link_cuts_total", "counter", "Times that no way led to the engine.", of(whole, &Link::cuts));
  page.per_bot("kakehashi_engine_link_out_seconds_total", "counter", "How long that lasted in all.", of(whole, &Link::out));
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

void add_pondering(Page& page) {
  using Game = bridge::GameView;
  page.per_bot("kakehashi_ponder_searches", "gauge",
               "Searches on the opponent's time in the present game, or in the last one.",
               of(&bridge::View::game, [](const Game& game) { return game.ponder.searches; }));
  page.per_bot("kakehashi_ponder_hits", "gauge", "Those whose predicted move came.",
               of(&bridge::View::game, [](const Game& game) { return game.ponder.hits; }));
  page.per_bot("kakehashi_ponder_searches_total", "counter", "Searches on the opponent's time in all finished games.",
               [](const Report::Bot& bot) { return bot.view.ponder.searches; });
  page.per_bot("kakehashi_ponder_hits_total", "counter", "Those whose predicted move came.",
               [](const Report::Bot& bot) { return bot.view.ponder.hits; });
}

/// Of the present game, or of the last one: a series for each engine of a team that thinks together.
void add_members(Page& page) {
  using Member = bridge::ViewedMember;
  const auto figure = [&](const char* metric, const char* help, auto part) {
    page.of_bots(metric, "gauge", help, [&](const Report::Bot& bot, const std::string& label) {
      for (const Member& member : bot.view.game ? bot.view.game->members : std::vector<Member>{}) {
        page.sample(label + "," + label_of("member", member.name), text_of(std::invoke(part, member)));
      }
    });
  };
  figure("kakehashi_member_moves", "Moves of the game that the member chose.", &Member::moves);
  figure("kakehashi_member_ponder_searches", "Replies that it thought about on the opponent's time.",
         [](const Member& member) { return member.ponder.searches; });
  figure("kakehashi_member_ponder_hits", "Those that came.", [](const Member& member) { return member.ponder.hits; });
  figure("kakehashi_member_gained_seconds", "How long it had thought about those.",
         [](const Member& member) { return member.ponder.gained; });
}

}  // namespace

std::string metrics(const Report& report) {
  Page page(report);
  add_process(page, report);
  page.per_bot("kakehashi_bot_ready", "gauge", "1 when the bot is logged in or in a game.", is_ready);
  add_phases_and_games(page);
  for (const Counter& counter : counters) {
    page.per_bot(counter.metric, "counter", counter.help,
                 [&](const Report::Bot& bot) { return bot.state->count(counter.counted); });
  }
  page.per_bot("kakehashi_game_moves", "gauge", "Moves of the present game, or of the last one.",
               of(&bridge::View::game, [](const bridge::GameView& game) { return game.moves.size(); }));
  add_rescues(page);
  add_time(page);
  page.per_bot("kakehashi_standby_plays", "gauge", "1 while the standby engine plays.",
               [](const Report::Bot& bot) { return bot.view.standby_plays; });
  add_link(page);
  add_engine_link(page);
  add_engine(page);
  add_pondering(page);
  add_members(page);
  page.per_bot("kakehashi_notices_waiting", "gauge", "Notifications that wait to be delivered.",
               &Report::Bot::notices_waiting);
  return page.take();
}

}  // namespace kakehashi::watch
