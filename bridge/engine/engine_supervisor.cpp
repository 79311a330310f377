#include "bridge/engine/engine_supervisor.hpp"

#include <algorithm>
#include <utility>

#include "base/overload.hpp"
#include "base/text.hpp"

namespace kakehashi::bridge {

using base::format_millis;
using base::Millis;
using base::Now;
using base::quote_for_log;
using News = EngineSupervisor::News;

namespace {

constexpr std::size_t withheld_shown_max = 2'000;

}  // namespace

EngineSupervisor::EngineSupervisor(const config::Engine& config, bool ponder, std::uint32_t seat)
    : config_(config), ponder_(ponder), id_{seat, 0}, life_(Empty{}) {}

std::string EngineSupervisor::who() const { return id_.seat == 0 ? "engine" : "standby engine"; }

EngineSupervisor::State EngineSupervisor::state() const {
  if (process() == nullptr) {
    return std::holds_alternative<GivenUp>(life_) ? State::given_up : State::empty;
  }
  return std::visit(base::Overload{
                        [](const Starting&) { return State::starting; },
                        [](const Greeting&) { return State::greeting; },
                        [](const Preparing&) { return State::preparing; },
                        [](const Learning&) { return State::learning; },
                        [](const Ready&) { return State::ready; },
                        [](const Proving&) { return State::proving; },
                        [](const Quitting&) { return State::quitting; },
                    },
                    process()->stage);
}

void EngineSupervisor::write(std::vector<std::string> lines, Outbox& out) const {
  for (std::string& line : lines) {
    out.add(WriteEngine{id_, std::move(line)});
  }
}

// --- its life

void EngineSupervisor::launch(Now now, Outbox& out) {
  ++id_.launch;
  link_ = {};
  life_ = Process{.session = usi::Session(usi::dialect_of(config_.protocol)),
                  .stage = Starting{now.steady + config_.start_timeout}};
  out.add(StartEngine{id_});
}

News EngineSupervisor::on_started(const EngineStarted& event, Now now, Outbox& out) {
  Process* process = process_of(event.engine);
  if (process == nullptr || !is_in<Starting>()) {
    return {};
  }
  process->withheld = event.withheld;
  process->stage = Greeting{now.steady + config_.start_timeout};
  return perform(process->session.begin(), now, out);
}

News EngineSupervisor::on_failed(const EngineFailedToStart& event, Now now, Outbox& out) {
  if (process_of(event.engine) == nullptr) {
    return {};
  }
  if (is_in<Quitting>()) {
    return finish_quitting(now, out);
  }
  return fail(who() + " could not be started: " + event.why, now, out);
}

News EngineSupervisor::on_exited(const EngineExited& event, Now now, Outbox& out) {
  if (process_of(event.engine) == nullptr) {
    return {};
  }
  if (is_in<Quitting>()) {
    return finish_quitting(now, out);
  }
  note_death(out);
  return fail(who() + " ended with " + event.status, now, out);
}

// --- its link, where a keeper holds it: the search goes on there, whoever listens

News EngineSupervisor::on_link(const EngineLink& event, Now now, Outbox& out) {
  Process* present = process_of(event.engine);
  if (present == nullptr) {
    return {};
  }
  if (!event.way.empty()) {
    note_link(event, now, out);
  }
  link_.round_trip = event.round_trip;
  link_.deviation = event.deviation;
  if (event.is_out || link_.out_since) {
    present->hurried_at.reset();  // how long the link was out tells nothing of how soon the engine obeys
  }
  if (event.is_out && !link_.out_since) {
    link_.out_since = now.steady;
  } else if (!event.is_out && link_.out_since) {
    grant(base::millis_between(*link_.out_since, now.steady));
    link_.out_since.reset();
    if (present->waiting_since) {
      present->waiting_since = now.steady;
    }
    settle(now, out);
  }
  return {};
}

void EngineSupervisor::note_link(const EngineLink& event, Now now, Outbox& out) {
  const auto lost = std::find(link_.lost.begin(), link_.lost.end(), event.way);
  if (!event.is_up) {
    if (lost == link_.lost.end()) {
      link_.lost.push_back(event.way);
    }
    const std::string what = " to the " + who() + " is lost: " + event.way + ", " + event.why;
    if (event.is_out) {
      out.warn("engine_link_lost", "the link" + what + "; its search goes on there, and the link is tried again");
    } else {
      out.warn("engine_way_lost", "a way" + what + "; the other one carries on");
    }
    return;
  }
  if (!event.why.empty()) {
    out.warn("engine_keeper_differs", "the keeper of the " + who() + ", " + event.way + ": " + event.why);
  }
  if (lost == link_.lost.end()) {
    return;  // it came up for the first time
  }
  link_.lost.erase(lost);
  if (link_.out_since) {
    out.info("engine_link_back", "the link to the " + who() + " is back after " +
                                     format_millis(base::millis_between(*link_.out_since, now.steady).count()) + ": " +
                                     event.way);
  } else {
    out.info("engine_way_back", "a way to the " + who() + " is back: " + event.way);
  }
}

bool EngineSupervisor::is_excused() const {
  return link_.out_since && process() != nullptr && !is_in<Starting>() && !is_in<Quitting>();
}

void EngineSupervisor::grant(Millis gone) {
  std::visit(base::Overload{
                 [](Starting&) {},
                 [&](Greeting& greeting) { greeting.by += gone; },
                 [&](Preparing& preparing) { preparing.asked.at += gone; },
                 [&](Learning& learning) {
                   if (learning.by) {
                     *learning.by += gone;
                   }
                 },
                 [&](Ready& ready) {
                   if (ready.answer_by) {
                     *ready.answer_by += gone;
                   }
                 },
                 [&](Proving& proving) { proving.asked.at += gone; },
                 [](Quitting&) {},
             },
             process()->stage);
}

News EngineSupervisor::fail(const std::string& why, Now now, Outbox& out) {
  out.add(KillEngine{id_, Millis{0}});
  if (const auto* learning = std::get_if<Learning>(&process()->stage); learning != nullptr && learning->probe) {
    doubt_clock(out);
  }
  // What was known of the process is gone with it.
  Process lost = std::move(*process());
  life_ = Empty{};
  if (lost.wishes.quit) {
    show_stderr(lost, who(), out);
    out.warn("engine_lost_at_last", why + "; it is not needed any more");
    return empty();
  }
  const bool was_ready = std::holds_alternative<Ready>(lost.stage) || std::holds_alternative<Proving>(lost.stage) ||
                         std::holds_alternative<Learning>(lost.stage);
  failures_.boots = was_ready ? 0 : failures_.boots + 1;
  if (failures_.boots == 1) {
    failures_.missing_since = now.steady;
  }
  // An engine that stays missing is told of ever more rarely.
  const bool is_old_news = failures_.boots > attempts_max && (failures_.boots & (failures_.boots - 1)) != 0;
  if (!is_old_news) {
    show_stderr(lost, who(), out);
  }
  if (!was_ready && failures_.boots == 1 && !lost.withheld.empty()) {
    out.warn("engine_environment", "the " + who() + " did not get these of the bridge's environment "
                                   "variables: " + lost.withheld.substr(0, withheld_shown_max) +
                                   "; if it needs one, name it in engine.pass_environment");
  }
  failures_.is_last_word = true;
  ++failures_.losses;
  const std::optional<usi::SearchAnswered> parked = lost.session.parked();
  const bool is_hopeless = !has_been_ready_ || now.steady - failures_.missing_since >= missing_max;
  if (is_missing() && is_hopeless) {
    life_ = GivenUp{};
    const std::string trouble = why + "; giving up after " + std::to_string(failures_.boots) +
                                " attempts: check engine.command and the lines above";
    out.error("engine_given_up", trouble);
    out.count(Incident::engine_given_up, trouble);
    return {EngineGivenUp{why}};
  }
  if (starts_no_more_) {
    out.warn("engine_lost_at_last", why + "; it is not needed any more");
    return {EngineLost{.why = why, .parked = parked}};
  }
  const Millis pause = pause_before_restart();
  std::string next = pause.count() == 0 ? "; restarting now"
                                        : "; restarting in " + format_millis(pause.count());
  if (!was_ready) {
    next += ", attempt " + std::to_string(failures_.boots + 1) +
            (has_been_ready_ ? " (for up to " + format_millis(missing_max.count()) + ")"
                             : " of " + std::to_string(attempts_max));
  }
  out.note(is_old_news ? Level::debug : Level::error, "engine_lost", why + next);
  if (!is_old_news) {
    out.count(Incident::engine_lost, why + next);
  }
  if (pause.count() == 0) {
    launch(now, out);
  } else {
    life_ = Empty{now.steady + pause};
  }
  return {EngineLost{.why = why, .is_missing = is_missing(), .parked = parked}};
}

void EngineSupervisor::show_stderr(const Process& process, const std::string& who, Outbox& out) {
  for (const std::string& line : process.stderr_lines) {
    out.warn("engine_stderr", "the " + who + "'s last words: " + quote_for_log(line));
  }
}

/// The first restart is immediate: a game may be waiting. Later ones come slower, up to 8 s, and slower still
/// where the engine goes on failing to get ready.
Millis EngineSupervisor::pause_before_restart() const {
  if (failures_.losses <= 1) {
    return Millis{0};
  }
  constexpr Millis in_a_game_max{8'000};
  return std::min(is_missing() ? pause_max : in_a_game_max,
                  Millis{1'000} * (1 << std::min(failures_.losses - 2, 6)));
}

News EngineSupervisor::replace(const std::string& why, Now now, Outbox& out) {
  return process() == nullptr || is_in<Quitting>() ? News{} : fail(why, now, out);
}

void EngineSupervisor::renew(Now now, Outbox& out) {
  if (is_ready() && !starts_no_more_) {
    process()->wishes.renewal = true;
    settle(now, out);
  }
}

void EngineSupervisor::start_no_more() {
  starts_no_more_ = true;
  if (Process* present = process()) {
    present->wishes.renewal = false;
    present->wishes.proof = false;
    if (auto* quitting = std::get_if<Quitting>(&present->stage)) {
      quitting->is_renewing = false;
    }
  }
}

News EngineSupervisor::empty() {
  life_ = Empty{};
  return {EngineLeft{}};
}

void EngineSupervisor::kill(Outbox& out) {
  if (process() != nullptr) {
    out.add(KillEngine{id_, Millis{0}});
  }
  life_ = Empty{};
}

News EngineSupervisor::quit(Now now, Outbox& out) {
  Process* present = process();
  if (present == nullptr) {
    return empty();
  }
  present->wishes.renewal = false;
  if (auto* quitting = std::get_if<Quitting>(&present->stage)) {
    quitting->is_renewing = false;
    return {};
  }
  if (is_in<Starting>()) {
    kill(out);  // it cannot read a "quit" before it runs
    return empty();
  }
  if (is_ready() && present->session.owed() > 0) {
    // It is told that the game is over behind its bestmove, and to quit behind that.
    present->wishes.quit = true;
    abandon(now, out);
    return {};
  }
  present->stage = Quitting{now.steady + config_.quit_timeout};
  write(present->session.quit().lines, out);
  return {};
}

News EngineSupervisor::finish_quitting(Now now, Outbox& out) {
  if (std::get<Quitting>(process()->stage).is_renewing) {
    launch(now, out);
    return {};
  }
  return empty();
}

// --- deadlines

std::optional<base::SteadyTime> EngineSupervisor::deadline() const {
  using Deadline = std::optional<base::SteadyTime>;
  if (is_excused()) {
    return *link_.out_since + link_out_max;
  }
  const auto next_look = [this](const Asked& asked) {
    return Deadline(std::min(ready_limit(asked), asked.at + asked.progress_after));
  };
  return std::visit(
      base::Overload{
          [](const Empty& empty) { return empty.launch_at; },
          [](const GivenUp&) { return Deadline(); },
          [&](const Process& process) {
            return std::visit(base::Overload{
                                  [](const Starting& starting) { return Deadline(starting.by); },
                                  [](const Greeting& greeting) { return Deadline(greeting.by); },
                                  [&](const Preparing& preparing) { return next_look(preparing.asked); },
                                  [](const Learning& learning) { return learning.by; },
                                  [](const Ready& ready) { return ready.answer_by; },
                                  [&](const Proving& proving) { return next_look(proving.asked); },
                                  [](const Quitting& quitting) { return Deadline(quitting.by); },
                              },
                              process.stage);
          }},
      life_);
}

bool EngineSupervisor::may_be_ready_by(base::SteadyTime at) const {
  const auto* empty = std::get_if<Empty>(&life_);
  return process() != nullptr || (empty != nullptr && empty->launch_at && *empty->launch_at < at);
}

News EngineSupervisor::on_time(Now now, Outbox& out) {
  if (const auto due = deadline(); !due || now.steady < *due) {
    return {};
  }
  if (is_excused()) {
    return fail("no link led to the " + who() + " for " + format_millis(link_out_max.count()), now, out);
  }
  switch (state()) {
    case State::empty:
      launch(now, out);
      return {};
    case State::starting:
    case State::greeting:
      return fail(who() + " sent no " + process()->session.dialect().hello_answer + " within " +
                      format_millis(config_.start_timeout.count()) + " (engine.start_timeout)",
                  now, out);
    case State::preparing:
    case State::proving: return on_ready_deadline(now, out);
    case State::learning: return on_learning_deadline(now, out);
    case State::ready:
      return fail(who() + " sent no bestmove within " + format_millis(stop_timeout.count()) + " after stop", now, out);
    case State::quitting:
      out.add(KillEngine{id_, Millis{0}});
      return finish_quitting(now, out);
    case State::given_up: return {};
  }
  return {};
}

// --- what it says

News EngineSupervisor::on_line(const EngineLine& event, Now now, Outbox& out) {
  Process* process = process_of(event.engine);
  if (process == nullptr || is_in<Quitting>()) {
    return {};
  }
  hear(now);
  return perform(process->session.on_line(event.text), now, out);
}

News EngineSupervisor::on_stderr(const EngineStderr& event, Now now) {
  if (Process* process = process_of(event.engine)) {
    if (asked() != nullptr) {
      hear(now);
    }
    if (process->stderr_lines.size() == stderr_lines_kept) {
      process->stderr_lines.erase(process->stderr_lines.begin());
    }
    process->stderr_lines.push_back(event.text);
  }
  return {};
}

void EngineSupervisor::hear(Now now) {
  if (const auto since = silent_since()) {
    habits_.longest_silence = std::max(habits_.longest_silence, base::millis_between(*since, now.steady));
  }
  habits_.heard = end_of_life_slice(now.steady);
}

void EngineSupervisor::watch_silence(Now now) {
  if (Process* present = process()) {
    present->waiting_since = now.steady;
  }
}

std::optional<base::SteadyTime> EngineSupervisor::silent_since() const {
  const bool is_watched = process() != nullptr && process()->waiting_since;
  return is_watched ? std::optional(std::max(*process()->waiting_since, habits_.heard)) : std::nullopt;
}

News EngineSupervisor::perform(usi::Reaction reaction, Now now, Outbox& out) {
  write(std::move(reaction.lines), out);
  Process& present = *process();
  auto* learning = std::get_if<Learning>(&present.stage);
  const bool is_probing = learning != nullptr && learning->probe;
  News news;
  std::string refusal;
  bool became_ready = false;
  bool is_prepared = false;
  bool has_answered_probe = false;
  const auto lives = [&] {
    present.is_trying_increments = false;
    present.alive_at = now.steady;
  };
  for (usi::EngineEvent& event : reaction.events) {
    std::visit(base::Overload{
                   [&](usi::Identified& identified) { on_identified(present, identified, now, out); },
                   [&](usi::BecameReady&) {
                     is_prepared = is_in<Preparing>();
                     on_ready_word(present, now);
                     became_ready = true;
                   },
                   [&](usi::SearchInfo& info) {
                     present.is_trying_increments = false;
                     if (!is_probing) {
                       news.emplace_back(std::move(info));
                     }
                   },
                   [&](usi::SearchAnswered& answered) {
                     if (is_probing) {
                       present.is_trying_increments = false;
                       has_answered_probe = true;
                       return;
                     }
                     lives();
                     failures_.losses = 0;
                     present.waiting_since.reset();
                     on_stop_answered(present, now, news);
                     news.emplace_back(std::move(answered));
                   },
                   [](usi::MateAnswered&) {},  // nothing here asks for mates
                   [&](usi::Refused& refused) { refusal = refused.why; },
                   [&](usi::AnswerSwallowed& swallowed) {
                     lives();
                     on_stop_answered(present, now, news);
                     out.note(Level::debug, "bestmove_swallowed",
                              quote_for_log(swallowed.line) + " was swallowed: " + swallowed.why);
                   },
                   [&](usi::AnswerParked&) {
                     present.is_trying_increments = false;
                     out.note(Level::debug, "bestmove_parked",
                              "the engine answered before ponderhit; the answer is kept");
                   },
                   [&](usi::Complaint& complaint) { out.warn("engine_odd_line", complaint.text); },
                   [&](usi::Said&) {}},
               event);
  }
  if (!refusal.empty()) {
    return fail(refusal, now, out);
  }
  if (has_answered_probe) {
    return perform(learning->probe->on_answer(now.steady), now, out);
  }
  if (is_prepared) {
    return learn_or_be_ready(now, out);
  }
  watch_stop(now);
  settle(now, out);
  if (became_ready && is_ready()) {
    news.emplace_back(EngineReady{});
  }
  return news;
}

void EngineSupervisor::on_identified(Process& process, const usi::Identified& identified, Now now, Outbox& out) {
  name_ = identified.name;
  declared_ = process.session.options();
  std::vector<usi::OptionSetting> all = settings(out);
  recall_clock(process, all, out);
  process.told.options = config_.options;
  process.told.ponder = ponder_;
  for (usi::OptionSetting& rule : changed_rules(process, out)) {
    all.push_back(std::move(rule));
  }
  process.wishes.rules = false;
  ask_ready<Preparing>(config_.ready_timeout, all, now, out);
}

void EngineSupervisor::on_ready_word(Process& process, Now now) {
  if (const Asked* question = asked()) {
    habits_.slowest_ready = std::max(habits_.slowest_ready, base::millis_between(question->at, now.steady));
  }
  process.stage = Ready{};
  process.alive_at = now.steady;
  failures_.boots = 0;
  failures_.is_last_word = false;
  has_been_ready_ = true;
}

News EngineSupervisor::be_ready(Now now, Outbox& out) {
  process()->stage = Ready{};
  out.info("engine_ready", who() + " " + quote_for_log(name_) + " is ready");
  out.count(Incident::engine_ready);
  settle(now, out);
  return is_ready() ? News{EngineReady{}} : News{};
}

void EngineSupervisor::on_stop_answered(Process& process, Now now, News& news) {
  // A search that was queued behind the answered one has its own time to stop. An engine that
  // answers while it should get ready has not answered what it was asked.
  if (auto* ready = std::get_if<Ready>(&process.stage)) {
    ready->answer_by.reset();
  }
  if (const auto at = std::exchange(process.hurried_at, std::nullopt)) {
    news.emplace_back(StopObeyed{base::millis_between(*at, now.steady)});
  }
}

void EngineSupervisor::watch_stop(Now now) {
  Process* present = process();
  auto* ready = present == nullptr ? nullptr : std::get_if<Ready>(&present->stage);
  if (ready == nullptr) {
    return;
  }
  if (present->session.phase() != usi::Session::Phase::stopping) {
    ready->answer_by.reset();
  } else if (!ready->answer_by) {
    ready->answer_by = now.steady + stop_timeout;
  }
}

// --- games and searches: dropped without an engine that is ready

void EngineSupervisor::new_game(Outbox& out) {
  if (is_quiet()) {
    process()->is_in_game = true;
    write(process()->session.new_game().lines, out);
  }
}

void EngineSupervisor::join_game(Outbox& out) {
  if (process() != nullptr && !process()->is_in_game) {
    new_game(out);
  }
}

std::optional<usi::SearchId> EngineSupervisor::search(usi::SearchRequest request, Outbox& out) {
  if (!is_ready()) {
    return std::nullopt;
  }
  Process& present = *process();
  present.is_in_game = true;
  present.has_searched = true;
  // The game goes first, and the answer proves as much.
  present.wishes.proof = false;
  present.wishes.renewal = false;
  present.is_trying_increments = request.go.find(" binc ") != std::string::npos;
  usi::Session::Started started = present.session.search(std::move(request));
  write(std::move(started.reaction.lines), out);
  return started.search;
}

News EngineSupervisor::ponderhit(std::string_view times, Outbox& out) {
  News news;
  if (!is_ready()) {
    return news;
  }
  usi::Reaction reaction = process()->session.ponderhit(times);
  write(std::move(reaction.lines), out);
  for (usi::EngineEvent& event : reaction.events) {
    if (auto* answered = std::get_if<usi::SearchAnswered>(&event)) {
      failures_.losses = 0;
      process()->waiting_since.reset();
      news.emplace_back(std::move(*answered));
    }
  }
  return news;
}

void EngineSupervisor::hurry(Now now, Outbox& out) {
  if (is_ready()) {
    std::vector<std::string> lines = process()->session.hurry().lines;
    if (!lines.empty()) {
      process()->hurried_at = now.steady;
    }
    write(std::move(lines), out);
    watch_stop(now);
  }
}

void EngineSupervisor::abandon(Now now, Outbox& out) {
  if (is_ready()) {
    process()->waiting_since.reset();
    write(process()->session.abandon().lines, out);
    watch_stop(now);
  }
}

void EngineSupervisor::game_over(usi::GameOver result, Now now, Outbox& out) {
  // An engine that came too late for a game is not told of its end.
  if (is_ready() && std::exchange(process()->is_in_game, false)) {
    process()->waiting_since.reset();
    write(process()->session.game_over(result).lines, out);
    watch_stop(now);
  }
}

std::optional<usi::SearchId> EngineSupervisor::current_search() const {
  return is_ready() ? process()->session.current_search() : std::nullopt;
}

// --- between games

template <class Which>
void EngineSupervisor::ask_ready(Millis patience, const std::vector<usi::OptionSetting>& settings, Now now,
                                 Outbox& out) {
  process()->stage = Which{Asked{now.steady, patience, progress_first}};
  write(process()->session.prepare(settings).lines, out);
}

void EngineSupervisor::prepare(const std::vector<usi::OptionSetting>& settings, Now now, Outbox& out) {
  ask_ready<Preparing>(config_.ready_timeout, settings, now, out);
}

EngineSupervisor::Asked* EngineSupervisor::asked() {
  Process* present = process();
  if (present == nullptr) {
    return nullptr;
  }
  if (auto* preparing = std::get_if<Preparing>(&present->stage)) {
    return &preparing->asked;
  }
  auto* proving = std::get_if<Proving>(&present->stage);
  return proving != nullptr ? &proving->asked : nullptr;
}

Millis EngineSupervisor::proof_timeout() const {
  return std::min<Millis>(config_.ready_timeout, proof_timeout_min + 3 * habits_.slowest_ready);
}

base::SteadyTime EngineSupervisor::ready_limit(const Asked& asked) const {
  return std::min(std::max(asked.at, habits_.heard) + asked.patience,
                  asked.at + std::max(config_.ready_max, asked.patience));
}

News EngineSupervisor::on_ready_deadline(Now now, Outbox& out) {
  Asked& question = *asked();
  const Millis waited = base::millis_between(question.at, now.steady);
  if (now.steady < ready_limit(question)) {
    question.progress_after *= 2;
    out.info("engine_getting_ready", who() + " is still getting ready: " + format_millis(waited.count()) + " so far");
    return {};
  }
  std::string why = who() + " sent no readyok within " + format_millis(waited.count());
  if (is_in<Proving>()) {
    why += ", asked whether it is alive";
  } else if (waited >= std::max(config_.ready_max, question.patience) && config_.ready_max > question.patience) {
    why += " (engine.ready_max)";
  } else {
    why += ", and has said nothing for " + format_millis(question.patience.count()) + " (engine.ready_timeout)";
  }
  return fail(why, now, out);
}

void EngineSupervisor::settle(Now now, Outbox& out) {
  if (!is_idle() || process()->session.parked()) {
    return;
  }
  Wishes& wishes = process()->wishes;
  if (wishes.renewal) {
    static_cast<void>(quit(now, out));
    std::get<Quitting>(process()->stage).is_renewing = true;
    return;
  }
  if (std::exchange(wishes.quit, false)) {
    static_cast<void>(quit(now, out));
    return;
  }
  if (std::exchange(wishes.rules, false)) {
    tell_rules(now, out);
  }
  // Rules that were told are answered by the same readyok.
  if (std::exchange(wishes.proof, false) && is_idle()) {
    ask_ready<Proving>(proof_timeout(), {}, now, out);
  }
}

void EngineSupervisor::prepare_game(const GameRules& rules, Now now, Outbox& out) {
  rules_ = rules;
  // An engine that has yet to greet is told them with its options.
  if (Process* present = process()) {
    present->wishes.rules = asked() != nullptr || is_in<Learning>() || is_ready();
    settle(now, out);
  }
}

void EngineSupervisor::prove(Now now, Outbox& out) {
  if (is_ready() && !starts_no_more_) {
    process()->wishes.proof = true;
    settle(now, out);
  }
}

void EngineSupervisor::prove_if_stale(Now now, Outbox& out, Millis within) {
  const bool is_stale = process() != nullptr && base::millis_between(process()->alive_at, now.steady) >= proof_age_max;
  if (is_idle() && is_stale && habits_.slowest_ready + habits_.slowest_ready / 4 < within) {
    prove(now, out);
  }
}

}  // namespace kakehashi::bridge
