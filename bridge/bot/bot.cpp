#include "bridge/bot/bot.hpp"

#include <algorithm>
#include <utility>

#include "base/exit_status.hpp"
#include "base/overload.hpp"
#include "bridge/bot/bot_core.hpp"
#include "bridge/engine/engine_clocks.hpp"
#include "bridge/game/offer.hpp"
#include "config/game_settings.hpp"

namespace kakehashi::bridge {

using base::duration;
using base::quoted;
using base::say;

namespace {

/// So often the timer rings for nothing while it is not known how late it rings.
constexpr base::Millis pulse{50};

/// What is particular about how the engine reads and spends its clock.
void note_engine_times(const EngineKnowledge& engine, base::Millis margin, Outbox& out) {
  if (engine.clocks.reading().swaps_sides) {
    out.warn("engine_swaps_clocks",
             say("the engine takes the other side's clock for its own, as fairy-stockfish up to 11.2 does in "
                 "shogi: it is given its own clock for both sides; a newer version needs no such help"));
  }
  for (const EngineDelay& delay : engine.options.delays()) {
    const auto kept = duration(delay.time.count());
    if (delay.is_of_each_move) {
      out.info("engine_keeps_time",
               say("the engine keeps back {} of each move by its option {}; time.margin counts within that, not "
                   "on top of it: the larger of the two is kept back. engine.options {}: 0 leaves it to "
                   "time.margin",
                   kept, delay.option, delay.option));
      continue;
    }
    out.warn("time_kept_back_twice",
             say("the engine keeps back {} of each move by its option {}, and the bridge {} (time.margin): "
                 "the same time twice; set engine.options {}: 0",
                 kept, delay.option, duration(margin.count()), delay.option));
  }
}

void note_record_failed(const RecordWritten& record, Outbox& out) {
  out.error("record_failed", say("the record {} could not be written: {}; games are not affected", record.path, record.why));
  out.count(Incident::record_failed);
}

Level level_of(csa::Remark::Weight weight) {
  switch (weight) {
    case csa::Remark::Weight::debug: return Level::debug;
    case csa::Remark::Weight::info: return Level::info;
    case csa::Remark::Weight::warn: return Level::warn;
  }
  return Level::warn;
}

/// For two of our own bots that a server pairs again and again.
constexpr base::Millis own_game_pause{10'000};

/// For LOGOUT's answer.
constexpr base::Millis logout_timeout{5'000};
/// For our next turn to come and the server to end a game that is given up.
constexpr base::Millis resign_timeout{30'000};

}  // namespace

std::optional<base::SteadyTime> PresentGame::deadline() const {
  return std::visit(base::Overload{[](std::monostate) { return std::optional<base::SteadyTime>(); },
                                   [](const auto& game) { return game.deadline(); }},
                    game_);
}

void WakeTimer::arm(std::optional<base::SteadyTime> earliest, bool has_rung, bool may_pulse, base::Now now,
                    LinkMargin& link, Outbox& out) {
  if (armed_ && now.steady >= *armed_) {
    // What happens before it rings tells no more than that it is as late at least.
    const base::Millis late = base::millis_between(*armed_, now.steady);
    if (has_rung || late > link.lateness()) {
      link.take_lateness(late);
    }
    armed_.reset();
  }
  if (may_pulse && link.wants_lateness()) {
    earliest = base::earlier(earliest, now.steady + pulse);
  }
  // A timer that rings too early only makes the core look again, so it is moved only forward:
  // most lines change a deadline to a later one, and re-arming for each would cost more.
  if (earliest && (!armed_ || *earliest < *armed_)) {
    armed_ = earliest;
    out.add(ArmTimer{*earliest});
  }
}

Bot::Bot(config::BotConfig config, std::uint64_t seed)
    : core_(std::make_unique<Core>(std::move(config), seed)) {}
Bot::~Bot() = default;
Bot::Bot(Bot&&) noexcept = default;
Bot& Bot::operator=(Bot&&) noexcept = default;

Actions Bot::start(base::Now now) { return core_->start(now); }
Actions Bot::step(const Event& event, base::Now now) { return core_->step(event, now); }
bool Bot::is_playing() const { return core_->is_playing(); }
std::optional<base::SteadyTime> Bot::decides_at() const { return core_->decides_at(); }
View Bot::view() const { return core_->view(); }
std::shared_ptr<const FinishedGame> Bot::finished_game() const { return core_->finished_game(); }

Bot::Core::Core(config::BotConfig config, std::uint64_t seed)
    : standing_config_(std::move(config)),
      config_(standing_config_),
      mask_(config_),
      team_(config_.engine, config_.ponder != config::Ponder::off),
      connection_(config_, seed),
      kept_{.book = {.random = seed}} {}

Actions Bot::Core::start(base::Now now) {
  now_ = now;
  if (may_have_main_time(config_.game)) {
    team_.engines().learn_clock();
  }
  team_.engines().start(now_, out_);
  arm_timer(false);
  return take_actions();
}

Actions Bot::Core::take_actions() {
  return out_.take();
}

Actions Bot::Core::step(const Event& event, base::Now now) {
  now_ = now;
  if (way_out_.is_gone()) {
    if (const auto* record = std::get_if<RecordWritten>(&event)) {  // the shell waits for it
      on_record(*record);
    }
    return take_actions();
  }
  dispatch(event);
  if (way_out_.is_gone()) {
    return take_actions();  // a deadline that has passed as well must not leave a second time
  }
  note_waiting_lines(event);
  put_first_engine_back();
  tell_match([](Match& match, const GameContext& in) { match.begin_due(in); });
  look_at_deadlines();
  hold_line();
  if (Match* playing = game_.match()) {
    playing->end_step(context());
  }
  arm_timer(std::holds_alternative<TimerFired>(event));
  return take_actions();
}

void Bot::Core::dispatch(const Event& event) {
  std::visit(base::Overload{
                 [&](const ServerConnected& e) {
                   connection_.on_connected(e, team_.player().is_idle() || game_.lost() != nullptr, now_, out_);
                 },
                 [&](const ServerLine& e) {
                   on_session_events(connection_.on_line(mask_.heard(e.text), now_));
                 },
                 [&](const ServerClosed& e) { on_server_closed(e); },
                 [&](const EngineStarted& e) { on_news(team_.on(e, now_, out_)); },
                 [&](const EngineFailedToStart& e) { on_news(team_.on(e, now_, out_)); },
                 [&](const EngineLine& e) {
                   if (e.engine.seat < team_.size() && !e.text.starts_with("info")) {
                     tell_match([&](Match& match, const GameContext& in) { match.on_engine_line(in, e.engine.seat); });
                   }
                   on_news(team_.on(e, now_, out_));
                 },
                 [&](const EngineStderr& e) { on_news(team_.on(e, now_, out_)); },
                 [&](const EngineExited& e) { on_news(team_.on(e, now_, out_)); },
                 [&](const EngineLink& e) {
                   on_news(team_.on(e, now_, out_));
                   tell_match([](Match& match, const GameContext& in) { match.on_engine_link(in); });
                 },
                 [](const TimerFired&) {},
                 [&](const StopRequested& e) { on_stop(e); },
                 [&](const RecordWritten& e) { on_record(e); },
                 [&](const LinkMeasured& e) { kept_.link.take_round_trip(e.rtt, e.variance); },
                 [&](const BookAnswered& e) {
                   tell_match([&](Match& match, const GameContext& in) { match.on_book_answered(in, e); });
                 },
                 [&](const ClockRecalled& e) { on_news(team_.on(e, now_, out_)); },
             },
             event);
}

void Bot::Core::on_record(const RecordWritten& record) {
  if (record.why.empty()) {
    kept_.record_path = record.path;
  } else {
    note_record_failed(record, out_);
  }
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

// --- the machines, and what they say

GameContext Bot::Core::context() {
  return {{now_, config_, team_, kept_.link, kept_.book, out_, news_, lines_wait_}, connection_.session(),
          way_out_.is_resigning()};
}

Phase Bot::Core::phase() const {
  if (way_out_.is_over()) {
    return way_out_.is_gone() ? Phase::gone : Phase::leaving;
  }
  return game_.match() != nullptr ? Phase::playing : game_.offer() != nullptr ? Phase::agreeing : connection_.phase();
}

void Bot::Core::on_news(std::vector<EngineNews> news) {
  for (EngineNews& item : news) {
    std::visit(base::Overload{
                   [&](const EngineReady&) {
                     if (!std::exchange(kept_.has_told_engine_times, true)) {
                       note_engine_times(team_.player().known(), context().rules().margin, out_);
                     }
                     tell_match([](Match& match, const GameContext& in) { match.on_ready(in); });
                   },
                   [&](const EngineLost& lost) {
                     tell_match([&](Match& match, const GameContext& in) { match.on_lost(in, lost); });
                   },
                   [&](const EngineGivenUp&) { on_team_given_up(); },
                   [&](const EngineLeft&) {
                     if (const auto status = way_out_.waits_for_engines()) {
                       be_gone(*status);
                     }
                   },
                   [&](const StopObeyed&) {
                     tell_match([](Match& match, const GameContext& in) { match.on_stop_obeyed(in); });
                   },
                   [&](const usi::SearchInfo& info) { on_info(team_.player_seat(), info); },
                   [&](const MemberInfo& info) { on_info(info.seat, info.said); },
                   [&](const MemberAnswered& answer) {
                     tell_match([&](Match& match, const GameContext& in) { match.on_member_answer(in, answer); });
                   },
                   [&](const MemberLost& lost) {
                     tell_match([&](Match& match, const GameContext& in) { match.on_member_lost(in, lost); });
                   },
                   [&](const usi::SearchAnswered& answer) {
                     bool is_wanted = false;
                     tell_match([&](Match& match, const GameContext& in) { is_wanted = match.on_answer(in, answer); });
                     if (!is_wanted) {
                       out_.note(Level::debug, "bestmove_swallowed",
                                 say("an answer that no turn is waiting for was swallowed: {}", answer.move));
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

void Bot::Core::on_info(std::size_t seat, const usi::SearchInfo& info) {
  if (Match* playing = game_.match()) {
    playing->on_info(context(), seat, info);
  }
}

void Bot::Core::on_team_given_up() {
  if (game_.begun() != nullptr) {
    // The game is finished without it; then there is nothing left to play with.
    take_no_more_games();
    way_out_.set_status(base::exit_unavailable);
  } else {
    leave(base::exit_unavailable, say("there is no engine to play with"));
  }
}

/// The least risky moment: nothing is searched, so that nothing is lost but the standby's hash.
void Bot::Core::put_first_engine_back() {
  if (const Match* playing = game_.match(); playing == nullptr || !playing->is_thinking()) {
    team_.put_first_back(out_);
  }
}

// --- deadlines: what is next, and what has passed

std::optional<base::SteadyTime> Bot::Core::deadline_of(Due what) const {
  switch (what) {
    case Due::engines: return team_.engines().deadline();
    case Due::end_by_silence: return connection_.deadline_of(Connection::Due::end_by_silence, now_);
    case Due::keepalive: return connection_.deadline_of(Connection::Due::keepalive, now_);
    case Due::lost_game: return connection_.way_back() ? std::optional(connection_.way_back()->give_up) : std::nullopt;
    case Due::drain: return way_out_.drain_until();
    case Due::leave: return way_out_.leave_by();
    case Due::logout: return way_out_.logout_by();
    case Due::game: return game_.deadline();
    case Due::connection:
      return game_.is_free() ? connection_.deadline_of(Connection::Due::state, now_) : std::nullopt;
  }
  return std::nullopt;
}

void Bot::Core::look_at_deadlines() {
  for (const Due what : all_due) {
    if (const auto at = deadline_of(what); at && now_.steady >= *at) {
      see_to(what);
    }
  }
}

void Bot::Core::see_to(Due what) {
  switch (what) {
    case Due::engines: on_news(team_.on_time(now_, out_)); break;
    case Due::end_by_silence: on_session_events(connection_.end_by_silence(now_)); break;
    case Due::keepalive: connection_.keep_alive(now_, out_); break;
    case Due::lost_game:
      give_up_lost_game(say("the server did not give it back in time"));
      // A game that was offered back and does not go on must not go on later without us.
      if (phase() == Phase::waiting && connection_.session().state() != csa::ClientSession::State::waiting) {
        connection_.close(out_);
        connection_.back_off(say("the lost game was offered back, and how it goes on was never said"), now_, out_);
      }
      break;
    case Due::drain: give_up_game(say("the time to finish it (stop.drain_limit) is over")); break;
    case Due::leave: leave(base::exit_left, say("the server did not end the game that was given up")); break;
    case Due::logout: quit_engine(); break;
    case Due::game:
      if (Offer* offered = game_.offer(); offered != nullptr && offered->on_time(context())) {
        game_.clear();
        connection_.wait(out_);
      }
      tell_match([](Match& match, const GameContext& in) { match.on_time(in); });
      break;
    case Due::connection:
      if (!connection_.leave_state(now_, out_)) {
        break;
      }
      if (game_.lost() != nullptr) {
        connection_.connect(now_, out_);
      } else {
        connect_when_idle();
      }
      break;
  }
}

void Bot::Core::arm_timer(bool has_rung) {
  // How late this process is shows by its timer alone, and most turns end before any rings.
  const bool may_pulse = (game_.match() == nullptr || game_.match()->is_on_turn()) && !way_out_.is_over();
  std::optional<base::SteadyTime> next;
  for (const Due what : all_due) {
    next = base::earlier(next, deadline_of(what));
  }
  timer_.arm(next, has_rung, may_pulse, now_, kept_.link, out_);
}

// --- the connection

void Bot::Core::connect_when_idle() {
  team_.engines().prove_if_stale(now_, out_);
  if (team_.player().is_idle()) {
    connection_.connect(now_, out_);
  }
}

/// What can be had again is given up soon, to be had again sooner; else the game hangs on this line.
void Bot::Core::hold_line() {
  base::Millis patience{0};
  if (const Match* playing = game_.match()) {
    patience = playing->line_patience();
  } else if (const Offer* offered = game_.offer(); offered != nullptr && !offered->game().summary().reconnect_token) {
    patience = line_patience(offered->game(), false);
  }
  connection_.hold(way_out_.is_over() ? base::Millis{0} : patience, out_);
}

void Bot::Core::on_server_closed(const ServerClosed& event) {
  const Phase before = connection_.phase();
  const bool was_connecting = before == Phase::connecting;
  if (!connection_.is_up() && !was_connecting) {
    return;
  }
  Match* playing = game_.match();
  const bool was_playing = playing != nullptr;
  connection_.on_closed(event.why, !was_playing, now_, out_);
  if (way_out_.is_over()) {
    quit_engine();  // not yet quitting: that closes the connection first
    return;
  }
  if (was_playing && !way_out_.is_resigning() && playing->may_rejoin()) {
    playing->suspend(context(), event.why);
    connection_.seek_back(playing->game().summary(), now_);
    connection_.connect(now_, out_);
    return;
  }
  on_session_events(connection_.session().on_closed());
  if (way_out_.is_over()) {
    return;
  }
  if (game_.offer() != nullptr) {
    game_.clear();
  }
  if (way_out_.is_asked() && game_.lost() == nullptr) {
    leave(0, say("the connection ended before the game began"));
    return;
  }
  const std::string server = config_.server.place();
  const bool was_logging_in = before == Phase::logging_in;
  if (!was_connecting && !was_logging_in && !config_.server.relogin && game_.lost() == nullptr) {
    leave(base::exit_unavailable,
          say("the line to {} was closed ({}), and server.relogin says not to come back", server, event.why));
    return;
  }
  if (was_connecting) {
    connection_.back_off(say("no connection to {}: {}", server, event.why), now_, out_);
  } else if (was_playing) {
    connection_.lose_game();
    connection_.back_off(say("the line to {} was lost in mid-game: {}", server, event.why), now_, out_);
  } else {
    connection_.back_off(say("the line to {} was closed: {}", server, event.why), now_, out_);
  }
}

void Bot::Core::on_session_events(std::vector<csa::SessionEvent> events) {
  for (csa::SessionEvent& event : events) {
    std::visit(base::Overload{
                   [&](csa::MovePlayed& e) {
                     tell_match([&](Match& match, const GameContext& in) { match.on_move(in, e); });
                   },
                   [&](csa::SpecialPlayed& e) {
                     tell_match([&](Match& match, const GameContext&) { match.on_special(e); });
                     out_.note(Level::debug, "special_move", say("the server says {}", quoted(e.word)));
                   },
                   [&](csa::GameEnding& e) {
                     tell_match([&](Match& match, const GameContext& in) { match.on_ending(in, e); });
                   },
                   [&](csa::GameGoesOn& e) {
                     tell_match([&](Match& match, const GameContext& in) { match.on_goes_on(in, e); });
                   },
                   [&](csa::LoggedIn& e) {
                     if (const auto delay = connection_.on_logged_in(e, now_, out_)) {
                       kept_.link.take_login(*delay);
                     }
                   },
                   [&](csa::LoggedOut&) {
                     if (way_out_.is_leaving()) {
                       quit_engine();
                     }
                   },
                   [&](csa::Remark& e) { out_.note(level_of(e.weight), "server_remark", e.text); },
                   [&](auto& e) { on_session(e); },
               },
               event);
  }
}

void Bot::Core::on_session(csa::LoginFailed& event) {
  if (!connection_.on_login_failed(event, out_)) {
    return;
  }
  if (game_.lost() != nullptr && event.detail.starts_with("reconnect_rejected")) {
    give_up_lost_game(say("the server refuses to give it back"));
    if (way_out_.is_over()) {
      return;
    }
  }
  connection_.back_off_refused(event, now_, out_);
}

// --- for people

View Bot::Core::view() const {
  View view;
  view.phase = phase();
  view.engine_name = team_.player().known().name;
  view.standby_plays = team_.standby_plays();
  view.games_finished = kept_.statistics.games_finished;
  if (const auto trip = kept_.link.round_trip()) {
    view.link = ViewedLink{trip->first, trip->second};
  }
  view.engine_link = team_.engines().view_link(now_.steady);
  view.margin = think_time_rules(config_, kept_.link, team_.player()).margin;
  view.ponder = kept_.statistics.ponder.sum.view();
  view.window = connection_.window(now_);
  if (const auto* running = game_.begun()) {
    view.game = running->view(team_);
  } else {
    view.game = kept_.view;
  }
  if (view.game) {
    view.game->record_path = kept_.record_path;
  }
  return view;
}

// --- from one game to the next: offered, agreed, begun, lost and given back, ended


void Bot::Core::on_session(csa::SummaryReceived& event) {
  if (takes_back(event.summary)) {
    return;
  }
  if (phase() != Phase::waiting && phase() != Phase::agreeing) {
    out_.warn("unexpected_summary", say("a game summary came out of place; it is left alone"));
    return;
  }
  if (way_out_.is_asked()) {
    connection_.reject(now_, out_);
    leave(way_out_.exit_status(), say("the game that was agreed on is not offered any more"));
    return;
  }
  if (refuses_own_account(event.summary)) {
    return;
  }
  for (const base::Message& remark : event.summary.remarks) {
    out_.info("summary_remark", remark);
  }
  const std::string& opponent = event.summary.name(shogi::opposite(event.summary.our_color));
  out_.tell(Paired{opponent, event.summary.our_color, event.summary.game_id});
  choose_game_settings(event.summary);
  game_.put(Offer(std::move(event.summary), now_.steady));
  report(Phase::agreeing);
  agree_when_idle();
}

bool Bot::Core::refuses_own_account(const csa::GameSummary& summary) {
  const auto& own = config_.game.own_accounts;
  const std::string& opponent = summary.name(shogi::opposite(summary.our_color));
  if (config_.game.meet_own || std::find(own.begin(), own.end(), opponent) == own.end()) {
    return false;
  }
  out_.warn("own_bot_rejected", say("paired with {}, a bot of our own, in game {}: REJECT (game.meet_own: false)",
                                    quoted(opponent), quoted(summary.game_id)));
  connection_.reject(now_, out_);
  connection_.close(out_);
  game_.clear();
  connection_.back_off(say("paired with a bot of our own"), now_, out_, own_game_pause);
  return true;
}

void Bot::Core::choose_game_settings(const csa::GameSummary& summary) {
  config::GameSettings chosen =
      config::choose_settings(standing_config_, known_game(summary, standing_config_, now_.wall));
  config_ = std::move(chosen.bot);
  team_.engines().adopt(config_.engine, config_.ponder != config::Ponder::off);
  for (const std::size_t index : chosen.applied) {
    const config::SettingRule& rule = config_.rules[index];
    out_.info("rule_applied", say("rule {} (line {}: {}) sets {}", index + 1, rule.line, config::describe_when(rule),
                                  config::describe_set(rule)));
  }
}

void Bot::Core::on_session(csa::SummaryUnusable& event) {
  out_.error("summary_unusable", say("game {} cannot be played and is rejected: {}", quoted(event.game_id), event.why));
  connection_.reject(now_, out_);
  if (phase() != Phase::agreeing) {
    return;
  }
  // It took the place of the game that was offered before.
  if (way_out_.is_asked()) {
    leave(way_out_.exit_status(), say("the game that was agreed on is not offered any more"));
  } else {
    game_.clear();
    connection_.wait(out_);
  }
}

void Bot::Core::agree_when_idle() {
  if (Offer* offered = game_.offer()) {
    offered->agree_when_idle(context());
  }
}

void Bot::Core::on_session(csa::AgreementRejected& event) {
  if (phase() == Phase::waiting) {
    connection_.ask_for_game(now_, out_);  // our own REJECT comes back
    return;
  }
  const Offer* offered = game_.offer();
  if (offered == nullptr) {
    return;
  }
  const auto game = quoted(event.game_id);
  const auto by = quoted(event.by);
  const bool is_by_window = event.by.starts_with("the Server");
  if (is_by_window && !offered->agreed_at()) {
    out_.error("agree_too_late", say("game {} was rejected by {} before the engine was ready", game, by));
    out_.count(Incident::agree_too_late);
  } else {
    out_.warn("game_rejected", is_by_window ? say("game {} was rejected by {}: the opponent did not agree in time; "
                                                  "it does not count as a game",
                                                  game, by)
                                            : say("game {} was rejected by {}; it does not count as a game", game, by));
    out_.count(Incident::game_rejected);
  }
  if (way_out_.is_asked()) {
    leave(0, say("the game was rejected"));
    return;
  }
  game_.clear();
  if (connection_.end_pairing(now_, out_)) {
    connect_when_idle();
  }
}

// --- begun, and played

Match Bot::Core::new_match(Game game, base::SteadyTime started, base::SteadyTime agreed) {
  GameRecord record(game.summary(), config_, now_.wall);
  return {std::move(game), std::move(record), started, agreed};
}

void Bot::Core::on_session(csa::GameStarted&) {
  Offer* offered = game_.offer();
  if (offered == nullptr) {
    // For a lost game some server may say START where another tells its Reconnect_State.
    csa::GameResumed resumed;
    on_session(resumed);
    return;
  }
  if (!offered->agreed_at()) {
    team_.player().new_game(out_);
  }
  connection_.succeed();
  kept_.record_path.clear();
  const base::SteadyTime agreed = offered->agreed_at().value_or(now_.steady);
  Match begun = new_match(offered->take_game(), now_.steady, agreed);
  begun.begin(context());
  out_.tell(GameStarted{begun.game().summary().game_id});
  game_.put(std::move(begun));
  report(Phase::playing);
}

// --- ended

void Bot::Core::on_session(csa::GameEnded& event) {
  Match* playing = game_.match();
  if (playing == nullptr) {
    return;
  }
  playing->drop_search(context());
  finish_game(*playing, event.end);
  game_.clear();
  way_out_.end_game();
  const bool is_last = config_.game.count && kept_.statistics.games_finished >= *config_.game.count;
  if (way_out_.is_asked() || is_last) {
    leave(way_out_.exit_status(), is_last ? say("all games of game.count are played") : say("the last game is over"));
    return;
  }
  renew_engines();
  if (!connection_.is_up()) {
    return;  // on_server_closed() pauses before the next attempt
  }
  if (connection_.stays_connected()) {
    connection_.wait_behind_game(now_, out_);
    return;
  }
  // One connection a game: shogi-server gives no second game on this socket (CSA reference, after
  // the end), and a relogin at once is safe.
  connection_.end(now_, out_);
  connection_.prepare(out_);
  connect_when_idle();
}

void Bot::Core::finish_game(Match& match, const csa::GameEnd& end) {
  kept_.finished = std::make_shared<const FinishedGame>(match.finish(context(), end, kept_.statistics));
  kept_.view = match.view(team_);
  kept_.view->end = end;
}

void Bot::Core::renew_engines() {
  if (config_.engine.restart_each_game) {
    team_.renew(now_, out_);
  } else {
    team_.engines().prove(now_, out_);
  }
}

// --- lost with its line, and given back or not

bool Bot::Core::takes_back(csa::GameSummary& summary) {
  if (game_.lost() == nullptr) {
    return false;
  }
  if (summary.game_id != connection_.way_back()->game_id) {
    give_up_lost_game(say("the server offers another game"));
    return phase() != Phase::waiting;  // that was the last one, and the bot leaves
  }
  connection_.find_back(std::move(summary));
  return true;
}

void Bot::Core::on_session(csa::GameResumed& event) {
  if (game_.lost() == nullptr || !connection_.way_back()->summary) {
    out_.warn("unexpected_start", say("a game goes on that was not asked for; it is left alone"));
    return;
  }
  Match& lost = *game_.lost();
  Connection::WayBack way = *connection_.end_way_back();
  if (way.summary->reconnect_token) {
    way.token = *way.summary->reconnect_token;
  }
  if (!lost.catch_up(context(), way.summary->position(), event.state)) {
    // The server is the authority on where the game stands: its position begins a new record.
    out_.error("resumed_elsewhere",
               say("the game goes on at a position that no move leads to from the one before the loss; "
                   "a new record begins there"));
    finish_game(lost, csa::GameEnd{});
    lost = new_match(Game(std::move(*way.summary)), lost.lost_at(), lost.lost_at());
    lost.begin(context());
  }
  out_.info("game_resumed", say("game {} goes on after the loss of its line", quoted(lost.game().summary().game_id)));
  out_.count(Incident::game_resumed);
  report(Phase::playing);
  lost.go_on(context(), event.state, std::move(way.token));
}

void Bot::Core::give_up_lost_game(const base::Message& why) {
  out_.warn("game_not_given_back", say("the game whose line was lost does not go on: {}", why));
  connection_.end_way_back();
  finish_game(*game_.lost(), csa::GameEnd{});
  game_.clear();
  connection_.lose_game();
  if (way_out_.is_asked()) {
    leave(way_out_.exit_status(), say("the last game is over"));
    return;
  }
  renew_engines();
  if (phase() == Phase::waiting && connection_.session().state() == csa::ClientSession::State::waiting) {
    connection_.ask_for_game(now_, out_);
  }
}

// --- the way out: draining, resigning, leaving

void WayOut::resign(base::SteadyTime leave_by) {
  drain_until_.reset();
  is_resigning_ = true;
  leave_by_ = leave_by;
}

void WayOut::leave(base::SteadyTime give_up, int exit_status) {
  drain_until_.reset();
  leave_by_.reset();
  life_ = Leaving{give_up, exit_status};
}

std::optional<int> WayOut::waits_for_engines() const {
  const auto* leaving = std::get_if<Leaving>(&life_);
  return leaving != nullptr && leaving->engines_quit ? std::optional(leaving->exit_status) : std::nullopt;
}

std::optional<base::SteadyTime> WayOut::logout_by() const {
  const auto* leaving = std::get_if<Leaving>(&life_);
  return leaving != nullptr && !leaving->engines_quit ? std::optional(leaving->give_up) : std::nullopt;
}

void Bot::Core::on_stop(const StopRequested& event) {
  const bool is_patient = event.urgency == Urgency::drain || event.urgency == Urgency::renew;
  if (event.urgency == Urgency::at_once || way_out_.is_over()) {
    if (!is_patient) {
      exit_at_once();
    }
    return;
  }
  take_no_more_games();
  const Offer* offered = game_.offer();
  if (game_.begun() == nullptr && (offered == nullptr || !offered->agreed_at())) {
    if (offered != nullptr) {
      connection_.reject(now_, out_);
    }
    leave(0, event.urgency == Urgency::renew ? say("to begin anew") : say("asked to stop"));
    return;
  }
  if (event.urgency == Urgency::renew) {
    out_.info("renewing", say("to begin anew, the game is finished first"));
  } else if (event.urgency == Urgency::drain) {
    const base::Millis limit = config_.stop.drain_limit;
    if (limit.count() > 0) {
      way_out_.drain(now_.steady + limit);
    }
    out_.info("draining", limit.count() > 0
                              ? say("asked to stop: the game is finished first, for at most {}; ask again to resign it",
                                    duration(limit.count()))
                              : say("asked to stop: the game is finished first; ask again to resign it"));
  } else {
    give_up_game(say("asked again to stop"));
  }
}

void Bot::Core::take_no_more_games() {
  way_out_.take_no_more_games();
  connection_.take_no_more_games();
}

void Bot::Core::give_up_game(const base::Message& why) {
  way_out_.resign(now_.steady + resign_timeout);
  out_.warn("resigning", say("{}: the game is resigned on our turn", why));
  if (connection_.session().may_send_move()) {
    tell_match([](Match& match, const GameContext& in) { match.resign(in, say("the operator asked for it")); });
  }
}

void Bot::Core::leave(int exit_status, const base::Message& why) {
  team_.engines().start_no_more();
  out_.info("leaving", say("leaving: {}", why));
  // Behind a game this connection is often good for nothing more; "always" says it there as well.
  const bool may_log_out =
      connection_.may_log_out(connection_.stays_connected() || config_.server.logout == config::Logout::always);
  if (auto* running = game_.begun()) {
    if (!running->is_suspended()) {
      running->drop_search(context());
    }
    finish_game(*running, csa::GameEnd{});
  }
  game_.clear();
  connection_.end_way_back();
  connection_.retire();
  way_out_.leave(now_.steady + logout_timeout, exit_status);
  report(Phase::leaving);
  if (may_log_out) {
    connection_.log_out(now_, out_);
  } else {
    quit_engine();
  }
}

void Bot::Core::quit_engine() {
  way_out_.quit_engines();
  connection_.close(out_);
  on_news(team_.quit(now_, out_));
}

void Bot::Core::exit_at_once() {
  auto* running = game_.begun();
  const bool is_left = running != nullptr || (game_.offer() != nullptr && game_.offer()->agreed_at());
  if (running != nullptr) {
    out_.error("game_left", say("asked to stop at once: the running game is left"));
    finish_game(*running, csa::GameEnd{});
    game_.clear();
  } else if (is_left) {
    out_.error("game_left", say("asked to stop at once: the game that was agreed to is left"));
  }
  connection_.close(out_);
  team_.engines().kill(out_);
  be_gone(is_left ? base::exit_left : 0);
}

void Bot::Core::be_gone(int exit_status) {
  way_out_.be_gone();
  report(Phase::gone);
  out_.add(Exit{exit_status});
}

}  // namespace kakehashi::bridge
