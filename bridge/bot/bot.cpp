#include "bridge/bot/bot.hpp"

#include <utility>

#include "base/overload.hpp"
#include "base/text.hpp"
#include "bridge/bot/bot_core.hpp"
#include "bridge/engine/engine_delays.hpp"

namespace kakehashi::bridge {

namespace {

/// So often the timer rings for nothing while it is not known how late it rings.
constexpr base::Millis pulse{50};

}  // namespace

Bot::Bot(config::BotConfig config, std::uint64_t seed)
    : core_(std::make_unique<Core>(std::move(config), seed)) {}
Bot::~Bot() = default;
Bot::Bot(Bot&&) noexcept = default;
Bot& Bot::operator=(Bot&&) noexcept = default;

Actions Bot::start(base::Now now) { return core_->start(now); }
Actions Bot::step(const Event& event, base::Now now) { return core_->step(event, now); }
View Bot::view() const { return core_->view(); }
std::shared_ptr<const FinishedGame> Bot::finished_game() const { return core_->finished_game(); }

Bot::Core::Core(config::BotConfig config, std::uint64_t seed)
    : standing_config_(std::move(config)),
      config_(standing_config_),
      mask_(config_),
      team_(config_.engine, config_.ponder != config::Ponder::off),
      connection_(config_, seed),
      book_{.random = seed} {}

Actions Bot::Core::start(base::Now now) {
  now_ = now;
  if (may_have_main_time(config_.game)) {
    team_.learn_clock();
  }
  team_.start(now_, out_);
  arm_timer(false);
  return take_actions();
}

Actions Bot::Core::take_actions() {
  Actions actions = out_.take();
  mask_.hide(actions);
  return actions;
}

Actions Bot::Core::step(const Event& event, base::Now now) {
  now_ = now;
  if (std::holds_alternative<Gone>(life_)) {
    return {};
  }
  dispatch(event);
  if (std::holds_alternative<Gone>(life_)) {
    return take_actions();  // a deadline that has passed as well must not leave a second time
  }
  note_waiting_lines(event);
  put_first_engine_back();
  tell_match([](Match& match, const GameContext& in) { match.begin_due(in); });
  look_at_deadlines();
  hold_line();
  if (Match* playing = match()) {
    playing->watch_idleness(context());
    playing->tell_deadline(context());
  }
  arm_timer(std::holds_alternative<TimerFired>(event));
  return take_actions();
}

void Bot::Core::dispatch(const Event& event) {
  std::visit(base::Overload{
                 [&](const ServerConnected& e) {
                   connection_.on_connected(e, team_.is_idle() || lost_match() != nullptr, now_, out_);
                 },
                 [&](const ServerLine& e) {
                   on_session_events(connection_.on_line(mask_.hide_in_line(e.text), now_));
                 },
                 [&](const ServerClosed& e) { on_server_closed(e); },
                 [&](const EngineStarted& e) { on_news(team_.on_started(e, now_, out_)); },
                 [&](const EngineFailedToStart& e) { on_news(team_.on_failed(e, now_, out_)); },
                 [&](const EngineLine& e) { on_engine_line(e); },
                 [&](const EngineStderr& e) { on_news(team_.on_stderr(e, now_)); },
                 [&](const EngineExited& e) { on_news(team_.on_exited(e, now_, out_)); },
                 [&](const EngineLink& e) {
                   on_news(team_.on_link(e, now_, out_));
                   tell_match([](Match& match, const GameContext& in) { match.on_engine_link(in); });
                 },
                 [](const TimerFired&) {},
                 [&](const StopRequested& e) { on_stop(e); },
                 [&](const RecordWritten& e) { on_record_written(e); },
                 [&](const LinkMeasured& e) { link_.take_round_trip(e.rtt, e.variance); },
                 [&](const BookAnswered& e) {
                   tell_match([&](Match& match, const GameContext& in) { match.on_book_answered(in, e); });
                 },
                 [&](const ClockRecalled& e) { on_news(team_.on_clock_recalled(e, now_, out_)); },
             },
             event);
}

void Bot::Core::note_waiting_lines(const Event& event) {
  if (const auto* line = std::get_if<ServerLine>(&event)) {
    lines_wait_ = line->more && connection_.is_up();
  } else if (!std::holds_alternative<RecordWritten>(event) &&
             !std::holds_alternative<LinkMeasured>(event) &&
             !std::holds_alternative<EngineLink>(event) &&
             !std::holds_alternative<BookAnswered>(event) &&
             !std::holds_alternative<ClockRecalled>(event)) {
    // The outcome of an action comes between two lines of one segment; whatever else
    // happens, the lines that were in the buffer are through.
    lines_wait_ = false;
  }
}

void Bot::Core::on_engine_line(const EngineLine& event) {
  if (!event.text.starts_with("info")) {
    tell_match([](Match& match, const GameContext& in) { match.on_engine_line(in); });
  }
  on_news(team_.on_line(event, now_, out_));
}

void Bot::Core::on_record_written(const RecordWritten& event) {
  if (event.why.empty()) {
    last_.record_path = event.path;
  } else {
    out_.error("record_failed",
               "the record " + event.path + " could not be written: " + event.why + "; the game goes on");
    out_.count(Incident::record_failed);
  }
}

// --- the machines, and what they say

GameContext Bot::Core::context() {
  return {{now_, config_, team_, link_, book_, out_, news_, lines_wait_}, connection_.session(),
          stopping_.is_resigning};
}

void Bot::Core::deal_with_news() {
  if (!news_.empty()) {
    on_news(std::exchange(news_, {}));
  }
}

Match* Bot::Core::match() {
  auto* match = std::get_if<Match>(&game_);
  return match != nullptr && !match->is_suspended() ? match : nullptr;
}

const Match* Bot::Core::match() const {
  const auto* match = std::get_if<Match>(&game_);
  return match != nullptr && !match->is_suspended() ? match : nullptr;
}

Match* Bot::Core::lost_match() {
  auto* match = std::get_if<Match>(&game_);
  return match != nullptr && match->is_suspended() ? match : nullptr;
}

const Match* Bot::Core::lost_match() const {
  const auto* match = std::get_if<Match>(&game_);
  return match != nullptr && match->is_suspended() ? match : nullptr;
}

Phase Bot::Core::phase() const {
  return std::visit(base::Overload{
                        [&](const Living&) {
                          return match() != nullptr                       ? Phase::playing
                                 : std::holds_alternative<Offer>(game_) ? Phase::agreeing
                                                                          : connection_.phase();
                        },
                        [](const Leaving&) { return Phase::leaving; },
                        [](const Gone&) { return Phase::gone; },
                    },
                    life_);
}

void Bot::Core::on_news(std::vector<EngineNews> news) {
  for (EngineNews& item : news) {
    std::visit(base::Overload{
                   [&](const EngineReady&) {
                     note_engine_times();
                     tell_match([](Match& match, const GameContext& in) { match.on_ready(in); });
                   },
                   [&](const EngineLost& lost) {
                     tell_match([&](Match& match, const GameContext& in) { match.on_lost(in, lost); });
                   },
                   [&](const EngineGivenUp& gave_up) { on_team_given_up(gave_up); },
                   [&](const EngineLeft&) { finish_leaving(); },
                   [&](const StopObeyed& stop) {
                     link_.take_stop(stop.delay);
                     tell_match([](Match& match, const GameContext& in) { match.on_stop_obeyed(in); });
                   },
                   [&](const usi::SearchInfo& info) {
                     if (Match* playing = match()) {
                       playing->on_info(info);
                     }
                   },
                   [&](const usi::SearchAnswered& answer) {
                     bool is_wanted = false;
                     tell_match([&](Match& match, const GameContext& in) { is_wanted = match.on_answer(in, answer); });
                     if (!is_wanted) {
                       out_.note(Level::debug, "bestmove_swallowed",
                                 "an answer that no turn is waiting for was swallowed: " + answer.move);
                     }
                   },
               },
               item);
  }
  put_first_engine_back();
  // The last owed bestmove of a finished game frees the engine for the next one.
  if (phase() == Phase::preparing) {
    connect_when_idle();
  }
  agree_when_idle();
}

void Bot::Core::on_team_given_up(const EngineGivenUp& gave_up) {
  constexpr int exit_unavailable = 69;  // sysexits: a service that is needed is unavailable
  tell_match([&](Match& match, const GameContext& in) { match.on_given_up(in, gave_up.why); });
  if (std::holds_alternative<Match>(game_)) {
    // The game is finished without it; then there is nothing left to play with.
    take_no_more_games();
    stopping_.exit_status = exit_unavailable;
  } else {
    leave(exit_unavailable, "there is no engine to play with");
  }
}

/// The least risky moment: nothing is searched, so that nothing is lost but the standby's hash.
void Bot::Core::put_first_engine_back() {
  if (const Match* playing = match(); playing == nullptr || !playing->is_thinking()) {
    team_.put_first_back(out_);
  }
}

void Bot::Core::note_engine_times() {
  if (std::exchange(has_told_engine_times_, true)) {
    return;
  }
  if (team_.player().clocks().swaps_sides) {
    out_.warn("engine_swaps_clocks",
              "the engine takes the other side's clock for its own, as fairy-stockfish up to 11.2 does in "
              "shogi: it is given its own clock for both sides; a newer version needs no such help");
  }
  for (const EngineDelay& delay : team_.player().delays()) {
    if (delay.is_of_each_move) {
      out_.info("engine_keeps_time",
                "the engine keeps back " + base::format_millis(delay.time.count()) + " of each move by its option " +
                    delay.option + "; time.margin counts within that, not on top of it: the larger of the two is kept "
                    "back. engine.options " + delay.option + ": 0 leaves it to time.margin");
      continue;
    }
    out_.warn("time_kept_back_twice",
              "the engine keeps back " + base::format_millis(delay.time.count()) + " of each move by its option " +
                  delay.option + ", and the bridge " +
                  base::format_millis(context().rules().margin.count()) +
                  " (time.margin): the same time twice; set engine.options " + delay.option + ": 0");
  }
}

// --- deadlines: what is next, and what has passed

std::optional<base::SteadyTime> Bot::Core::life_deadline() const {
  const auto* leaving = std::get_if<Leaving>(&life_);
  return leaving != nullptr && !leaving->engine_is_quitting ? std::optional(leaving->give_up) : std::nullopt;
}

std::optional<base::SteadyTime> Bot::Core::deadline() const {
  std::optional<base::SteadyTime> next = team_.deadline();
  const auto take = [&](const std::optional<base::SteadyTime>& one) { next = base::earlier(next, one); };
  take(stopping_.drain_until);
  take(stopping_.leave_by);
  take(life_deadline());
  take(connection_.deadline(is_free(), now_));
  if (connection_.way_back()) {
    take(connection_.way_back()->give_up);
  }
  std::visit(base::Overload{[](std::monostate) {}, [&](const auto& game) { take(game.deadline()); }}, game_);
  return next;
}

void Bot::Core::look_at_deadlines() {
  if (team_.deadline()) {
    on_news(team_.on_time(now_, out_));
  }
  on_session_events(connection_.on_silence(now_));
  connection_.keep_alive(now_, out_);
  if (connection_.way_back() && expired(connection_.way_back()->give_up)) {
    give_up_lost_game("the server did not give it back in time");
    // A game that was offered back and does not go on must not go on later without us.
    if (phase() == Phase::waiting && connection_.session().state() != csa::ClientSession::State::waiting) {
      connection_.close(out_);
      connection_.back_off("the lost game was offered back, and how it goes on was never said", now_, out_);
    }
  }
  if (expired(stopping_.drain_until)) {
    give_up_game("the time to finish it (stop.drain_limit) is over");
  }
  if (expired(stopping_.leave_by)) {
    leave(exit_game_left, "the server did not end the game that was given up");
  }
  if (expired(life_deadline())) {
    quit_engine();
  }
  if (is_over()) {
    return;
  }
  if (Offer* offered = offer()) {
    if (offered->on_time(context())) {
      game_ = std::monostate{};
      connection_.wait(out_);
    }
  } else if (match() != nullptr) {
    tell_match([](Match& match, const GameContext& in) { match.on_time(in); });
  } else if (connection_.on_time(true, now_, out_)) {
    if (lost_match() != nullptr) {
      connection_.connect(now_, out_);
    } else {
      connect_when_idle();
    }
  }
}

/// How late this process is shows by its timer alone, and most turns end before any rings.
bool Bot::Core::wants_pulse() const {
  return link_.wants_lateness() && (match() == nullptr || match()->is_on_turn()) && !is_over();
}

void Bot::Core::arm_timer(bool has_rung) {
  if (armed_ && expired(armed_)) {
    // What happens before it rings tells no more than that it is as late at least.
    const base::Millis late = base::millis_between(*armed_, now_.steady);
    if (has_rung || late > link_.lateness()) {
      link_.take_lateness(late);
    }
    armed_.reset();
  }
  auto earliest = deadline();
  if (wants_pulse() && (!earliest || *earliest > now_.steady + pulse)) {
    earliest = now_.steady + pulse;
  }
  // A timer that rings too early only makes the core look again, so it is moved only forward:
  // most lines change a deadline to a later one, and re-arming for each would cost more.
  if (earliest && (!armed_ || *earliest < *armed_)) {
    armed_ = earliest;
    out_.add(ArmTimer{*earliest});
  }
}

// --- the connection

void Bot::Core::connect_when_idle() {
  team_.prove_if_stale(now_, out_);
  if (team_.is_idle()) {
    connection_.connect(now_, out_);
  }
}

/// What can be had again is given up soon, to be had again sooner; else the game hangs on this line.
void Bot::Core::hold_line() {
  base::Millis patience{0};
  if (const Match* playing = match()) {
    patience = playing->line_patience();
  } else if (const Offer* offered = offer(); offered != nullptr && !offered->game().summary().reconnect_token) {
    patience = line_patience(offered->game(), false);
  }
  connection_.hold(is_over() ? base::Millis{0} : patience, out_);
}

void Bot::Core::on_server_closed(const ServerClosed& event) {
  const Phase before = connection_.phase();
  const bool was_connecting = before == Phase::connecting;
  if (!connection_.is_up() && !was_connecting) {
    return;
  }
  Match* playing = match();
  const bool was_playing = playing != nullptr;
  connection_.on_closed(event.why, !was_playing, now_, out_);
  if (is_over()) {
    quit_engine();  // not yet quitting: that closes the connection first
    return;
  }
  if (was_playing && !stopping_.is_resigning && playing->may_rejoin()) {
    playing->suspend(context(), event.why);
    connection_.seek_back(playing->game().summary(), now_);
    connection_.connect(now_, out_);
    return;
  }
  on_session_events(connection_.session().on_closed());
  if (is_over()) {
    return;
  }
  if (offer() != nullptr) {
    game_ = std::monostate{};
  }
  if (stopping_.is_asked && lost_match() == nullptr) {
    leave(0, "the connection ended before the game began");
    return;
  }
  const std::string server = connection_.server_name();
  const bool was_logging_in = before == Phase::logging_in;
  if (!was_connecting && !was_logging_in && !config_.server.relogin && lost_match() == nullptr) {
    leave(exit_line_lost, "the line to " + server + " was closed (" + event.why +
                              "), and server.relogin says not to come back");
    return;
  }
  if (was_connecting) {
    connection_.back_off("no connection to " + server + ": " + event.why, now_, out_);
  } else if (was_playing) {
    connection_.lose_game();
    connection_.back_off("the line to " + server + " was lost in mid-game: " + event.why, now_, out_);
  } else {
    connection_.back_off("the line to " + server + " was closed: " + event.why, now_, out_);
  }
}

void Bot::Core::on_session_events(std::vector<csa::SessionEvent> events) {
  for (csa::SessionEvent& event : events) {
    std::visit([this](auto& e) { on_session(e); }, event);
  }
}

void Bot::Core::on_session(csa::LoggedIn& event) {
  if (const auto delay = connection_.on_logged_in(event, now_, out_)) {
    link_.take_login(*delay);
  }
}

void Bot::Core::on_session(csa::LoginFailed& event) {
  if (!connection_.on_login_failed(event, out_)) {
    return;
  }
  if (lost_match() != nullptr && event.detail.starts_with("reconnect_rejected")) {
    give_up_lost_game("the server refuses to give it back");
    if (is_over()) {
      return;
    }
  }
  connection_.back_off_refused(event, now_, out_);
}

void Bot::Core::on_session(csa::LoggedOut&) {
  if (std::holds_alternative<Leaving>(life_)) {
    quit_engine();
  }
}

void Bot::Core::on_session(csa::Remark& event) { connection_.on_remark(event, out_); }

// --- for people

View Bot::Core::view() const {
  View view;
  view.phase = phase();
  view.engine_name = team_.player().engine_name();
  view.standby_plays = team_.standby_plays();
  view.games_finished = statistics_.games_finished;
  if (const auto trip = link_.round_trip()) {
    view.link = ViewedLink{trip->first, trip->second};
  }
  view.margin = think_time_rules(config_, link_, team_.player()).margin;
  view.ponder = statistics_.ponder.sum.view();
  view.window = connection_.window(now_);
  if (const auto* running = std::get_if<Match>(&game_)) {
    view.game = running->view(mask_);
  } else {
    view.game = last_.view;
  }
  if (view.game) {
    view.game->record_path = last_.record_path;
  }
  return view;
}

}  // namespace kakehashi::bridge
