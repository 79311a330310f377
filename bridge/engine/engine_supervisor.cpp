#include "bridge/engine/engine_supervisor.hpp"

#include "base/overload.hpp"
#include "bridge/event.hpp"
#include "base/pass_environment.hpp"

namespace kakehashi::bridge {

using base::duration;
using base::Millis;
using base::Now;
using base::say;
using usi::ClockReading;
using News = EngineSupervisor::News;
using Outcome = EngineRun::Outcome;

namespace {

constexpr std::size_t withheld_shown_max = 2'000;

void show_last_words(const EngineRun& run, const base::Message& who, Outbox& out) {
  for (const std::string& line : run.last_words()) {
    out.warn("engine_stderr", say("the {}'s last words: {}", who, base::quoted(line)));
  }
}

/// What was found by asking the process.
void note_clock(EngineId id, const EngineKnowledge& known, Outbox& out) {
  const ClockKnowledge& clocks = known.clocks;
  const auto reading = usi::describe(clocks.reading());
  out.info("engine_clock", clocks.is_found() ? say("{}: {} (found by asking it)", known.who, reading)
                                             : say("{}: {} (by its name; asking it told nothing)", known.who, reading));
  if (clocks.is_found()) {
    out.add(KeepClock{id, clocks.facts(), clocks.found()});
  }
}

}  // namespace

EngineNews::EngineNews(const EngineNews& other) = default;
EngineNews::EngineNews(EngineNews&& other) noexcept = default;
EngineNews& EngineNews::operator=(const EngineNews& other) = default;
EngineNews& EngineNews::operator=(EngineNews&& other) noexcept = default;
EngineNews::~EngineNews() = default;

EngineRun::EngineRun(EngineId id, const config::Engine& config, base::Now now)
    : id_(id), stage_(Starting{now.steady + config.start_timeout}), searches_(id, config.protocol) {}

EngineState EngineRun::state() const {
  return std::visit(base::Overload{
                        [](const Starting&) { return EngineState::starting; },
                        [](const Greeting&) { return EngineState::greeting; },
                        [](const Preparing&) { return EngineState::preparing; },
                        [](const Learning&) { return EngineState::learning; },
                        [](const Ready&) { return EngineState::ready; },
                        [](const Proving&) { return EngineState::proving; },
                        [](const Quitting&) { return EngineState::quitting; },
                    },
                    stage_);
}

bool EngineRun::has_been_ready() const { return is_in<Ready>() || is_in<Proving>() || is_in<Learning>(); }

bool EngineRun::is_being_asked_of_its_clock() const {
  const auto* learning = std::get_if<Learning>(&stage_);
  return learning != nullptr && learning->probe;
}

bool EngineRun::is_renewing() const {
  const auto* quitting = std::get_if<Quitting>(&stage_);
  return quitting != nullptr && quitting->is_renewing;
}

template <class Which>
void EngineRun::ask_ready(Millis patience, const std::vector<usi::OptionSetting>& settings, const Inputs& in) {
  stage_ = Which{Asked{in.now.steady, patience, progress_first}};
  searches_.write(searches_.session().prepare(settings).lines, in.out);
}

// --- a run: past facts

Outcome EngineRun::on(const EngineStarted& event, const Inputs& in) {
  if (!is_in<Starting>()) {
    return {};
  }
  withheld_ = event.withheld;
  directory_ = event.directory;
  stage_ = Greeting{in.now.steady + in.known.config.start_timeout};
  return perform(searches_.session().begin(), in);
}

Outcome EngineRun::on(const EngineFailedToStart& event, const Inputs& in) {
  if (is_quitting()) {
    return {.has_left = true};
  }
  return {.failure = say("{} could not be started: {}", in.known.who, event.why)};
}

Outcome EngineRun::on(const EngineExited& event, const Inputs& in) {
  if (is_quitting()) {
    return {.has_left = true};
  }
  if (const auto* greeting = std::get_if<Greeting>(&stage_); greeting != nullptr && greeting->is_told_to_quit) {
    return sent_no_greeting(in);
  }
  auto* learning = std::get_if<Learning>(&stage_);
  if (learning != nullptr && learning->probe) {
    learning->probe->on_death();
    if (learning->probe->found().reading == ClockReading::no_increments) {
      in.known.clocks.find(learning->probe->found());
      learning->probe.reset();
      note_clock(id_, in.known, in.out);
    }
  } else if (std::exchange(is_trying_increments_, false) && in.known.clocks.on_death_of_increment()) {
    in.out.warn("engine_clock",
                say("{} ended when it was first given an increment (binc): from here on it gets increments as "
                    "byoyomi; engine.clock: byoyomi does so from the start",
                    in.known.who));
  }
  return {.failure = say("{} ended: {}", in.known.who, event.status)};
}

Outcome EngineRun::on(const EngineLine& event, const Inputs& in) {
  if (is_quitting()) {
    return {};
  }
  hear(in);
  return perform(searches_.session().on_line(event.text), in);
}

Outcome EngineRun::on(const EngineStderr& event, const Inputs& in) {
  if (asked() != nullptr) {
    hear(in);
  }
  remember(event.text);
  return {};
}

void EngineRun::remember(const std::string& line) {
  if (last_words_.size() == last_words_kept) {
    last_words_.erase(last_words_.begin());
  }
  last_words_.push_back(line);
}

Outcome EngineRun::on(const EngineLink& event, const Inputs& in) {
  if (event.is_out || link_.out_since()) {
    searches_.on_out_of_reach();
  }
  // Of two ways the one that is left may have been silent as long.
  if (!event.way.empty() && is_being_asked_of_its_clock()) {
    std::get<Learning>(stage_).probe->on_interruption();
  }
  in.known.cuts.take(event.is_out, in.now.steady);
  if (const auto gone = link_.take(event, in.known.who, in.now, in.out)) {
    grant(*gone, in.now);
    settle(in);
  }
  return {};
}

void EngineRun::hear(const Inputs& in) {
  EngineHabits& habits = in.known.habits;
  if (const auto since = searches_.silent_since(habits)) {
    habits.longest_silence = std::max(habits.longest_silence, base::millis_between(*since, in.now.steady));
  }
  habits.heard = end_of_life_slice(in.now.steady);
}

// --- deadlines

bool EngineRun::is_excused() const { return link_.out_since() && !is_in<Starting>() && !is_quitting(); }

void EngineRun::grant(Millis gone, base::Now now) {
  std::visit(base::Overload{
                 [](Starting&) {},
                 [&](Greeting& greeting) { greeting.by += gone; },
                 [&](Preparing& preparing) { preparing.asked.at += gone; },
                 [&](Learning& learning) {
                   if (learning.by) {
                     *learning.by += gone;
                   }
                 },
                 [](Ready&) {},
                 [&](Proving& proving) { proving.asked.at += gone; },
                 [](Quitting&) {},
             },
             stage_);
  searches_.on_in_reach(gone, now);
}

base::SteadyTime EngineRun::Asked::limit(const EngineKnowledge& known) const {
  return std::min(std::max(at, known.habits.heard) + patience, at + std::max(config::Engine::ready_max, patience));
}

base::SteadyTime EngineRun::Asked::next_look(const EngineKnowledge& known) const {
  return std::min(limit(known), at + progress_after);
}

std::optional<base::SteadyTime> EngineRun::deadline(const EngineKnowledge& known) const {
  using Deadline = std::optional<base::SteadyTime>;
  if (is_excused()) {
    return *link_.out_since() + link_out_max;
  }
  return std::visit(base::Overload{
                        [](const Starting& starting) { return Deadline(starting.by); },
                        [](const Greeting& greeting) { return Deadline(greeting.by); },
                        [&](const Preparing& preparing) { return Deadline(preparing.asked.next_look(known)); },
                        [](const Learning& learning) { return learning.by; },
                        [&](const Ready&) { return searches_.answer_by(); },
                        [&](const Proving& proving) { return Deadline(proving.asked.next_look(known)); },
                        [](const Quitting& quitting) { return Deadline(quitting.by); },
                    },
                    stage_);
}

Outcome EngineRun::on_time(const Inputs& in) {
  if (const auto due = deadline(in.known); !due || in.now.steady < *due) {
    return {};
  }
  const base::Message& who = in.known.who;
  if (is_excused()) {
    return {.failure = say("no link led to the {} for {}", who, duration(link_out_max.count()))};
  }
  return std::visit(base::Overload{
                        [&](const Starting&) { return sent_no_greeting(in); },
                        [&](const Greeting&) { return on_greeting_deadline(in); },
                        [&](const Preparing&) { return on_ready_deadline(in); },
                        [&](const Learning&) { return on_learning_deadline(in); },
                        [&](const Ready&) {
                          return Outcome{.failure = say("{} sent no bestmove within {} after stop", who,
                                                        duration(EngineSearches::stop_timeout.count()))};
                        },
                        [&](const Proving&) { return on_ready_deadline(in); },
                        [&](const Quitting&) {
                          in.out.add(KillEngine{id_, Millis{0}});
                          return Outcome{.has_left = true};
                        },
                    },
                    stage_);
}

/// An engine that writes into a buffer has its answer there until it ends.
Outcome EngineRun::on_greeting_deadline(const Inputs& in) {
  auto& greeting = std::get<Greeting>(stage_);
  if (std::exchange(greeting.is_told_to_quit, true)) {
    return sent_no_greeting(in);
  }
  greeting.by = in.now.steady + answer_at_quit_max;
  searches_.write({"quit"}, in.out);
  return {};
}

Outcome EngineRun::sent_no_greeting(const Inputs& in) const {
  return {.failure = say("{} sent no {} within {} (engine.start_timeout)", in.known.who,
                         std::string(searches_.session().dialect().hello_answer),
                         duration(in.known.config.start_timeout.count()))};
}

Outcome EngineRun::on_ready_deadline(const Inputs& in) {
  Asked& question = *asked();
  const Millis waited = base::millis_between(question.at, in.now.steady);
  constexpr Millis ready_max = config::Engine::ready_max;
  if (in.now.steady < question.limit(in.known)) {
    question.progress_after *= 2;
    in.out.info("engine_getting_ready",
                say("{} is still getting ready: {} so far", in.known.who, duration(waited.count())));
    return {};
  }
  const base::Message& who = in.known.who;
  const auto time = duration(waited.count());
  if (is_in<Proving>()) {
    return {.failure = say("{} sent no readyok within {}, asked whether it is alive", who, time)};
  }
  if (waited >= std::max(ready_max, question.patience) && ready_max > question.patience) {
    return {.failure = say("{} sent no readyok within {}, whatever else it said", who, time)};
  }
  return {.failure = say("{} sent no readyok within {}, and has said nothing for {} (engine.ready_timeout)", who, time,
                         duration(question.patience.count()))};
}

// --- what it says

Outcome EngineRun::perform(usi::Reaction reaction, const Inputs& in) {
  searches_.write(std::move(reaction.lines), in.out);
  const bool is_probing = is_being_asked_of_its_clock();
  Outcome outcome;
  base::Message refusal;
  bool became_ready = false;
  bool is_prepared = false;
  bool has_answered_probe = false;
  const auto note_answer = [&] {
    is_trying_increments_ = false;
    alive_at_ = in.now.steady;
    StopDelays& stops = in.known.habits.stops;
    const EngineSearches::Obedience obedience = searches_.on_answered(in.now);
    if (obedience.delay) {
      stops.take(*obedience.delay);
      outcome.news.emplace_back(StopObeyed{});
    }
    if (obedience.delay || !obedience.was_told) {
      stops.end_move();
    }
    if (obedience.given_up_after) {
      in.known.habits.given_up.take(*obedience.given_up_after);
      in.known.habits.given_up.end_move();
    }
  };
  for (usi::EngineEvent& event : reaction.events) {
    std::visit(base::Overload{
                   [&](usi::Identified& identified) {
                     const auto* greeting = std::get_if<Greeting>(&stage_);
                     if (greeting != nullptr && greeting->is_told_to_quit) {
                       refusal = say(
                           "{} answered {} only when it was told to quit: its output waits in a buffer. Let it write "
                           "each line at once: start it by stdbuf -oL, python3 -u, or flush its output",
                           in.known.who, std::string(searches_.session().dialect().name));
                       return;
                     }
                     on_identified(identified, in);
                   },
                   [&](usi::BecameReady&) {
                     is_prepared = is_in<Preparing>();
                     on_ready_word(in);
                     became_ready = true;
                   },
                   [&](usi::SearchInfo& info) {
                     is_trying_increments_ = false;
                     if (!is_probing) {
                       outcome.news.emplace_back(std::move(info));
                     }
                   },
                   [&](usi::SearchAnswered& answered) {
                     if (is_probing) {
                       is_trying_increments_ = false;
                       has_answered_probe = true;
                       return;
                     }
                     in.known.failures.on_answer();
                     searches_.end_watch();
                     note_answer();
                     outcome.news.emplace_back(std::move(answered));
                   },
                   [&](usi::Refused& refused) { refusal = refused.why; },
                   [&](usi::AnswerSwallowed& swallowed) {
                     note_answer();
                     in.out.note(Level::debug, "bestmove_swallowed",
                                 say("{} was swallowed: {}", base::quoted(swallowed.line), swallowed.why));
                   },
                   [&](usi::AnswerParked&) {
                     is_trying_increments_ = false;
                     in.out.note(Level::debug, "bestmove_parked",
                                 say("the engine answered before ponderhit; the answer is kept"));
                   },
                   [&](usi::Complaint& complaint) { in.out.warn("engine_odd_line", complaint.text); },
                   [&](usi::Said& said) { remember(said.text); }},
               event);
  }
  if (!refusal.empty()) {
    return {.failure = std::move(refusal)};
  }
  if (has_answered_probe) {
    return perform(std::get<Learning>(stage_).probe->on_answer(in.now.steady), in);
  }
  if (is_prepared) {
    return learn_or_be_ready(in);
  }
  if (is_ready()) {
    searches_.watch_stop(in.now);
  }
  settle(in);
  if (became_ready && is_ready()) {
    outcome.news.emplace_back(EngineReady{});
  }
  return outcome;
}

void EngineRun::on_identified(const usi::Identified& identified, const Inputs& in) {
  in.known.name = identified.name;
  std::vector<usi::OptionSetting> all = in.known.options.on_declared(searches_.session().options(), in.out);
  if (auto facts = in.known.clocks.on_identified(identified.name, all)) {
    in.out.add(RecallClock{id_, std::move(*facts)});
  }
  for (usi::OptionSetting& rule : in.known.options.changed_rules(in.out)) {
    all.push_back(std::move(rule));
  }
  wishes_.rules = false;
  ask_ready<Preparing>(in.known.config.ready_timeout, all, in);
}

void EngineRun::on_ready_word(const Inputs& in) {
  if (const Asked* question = asked()) {
    Millis& slowest = in.known.habits.slowest_ready;
    slowest = std::max(slowest, base::millis_between(question->at, in.now.steady));
  }
  stage_ = Ready{};
  alive_at_ = in.now.steady;
  in.known.failures.on_ready();
}

Outcome EngineRun::be_ready(const Inputs& in) {
  stage_ = Ready{};
  in.out.info("engine_ready", say("{} {} is ready", in.known.who, base::quoted(in.known.name)));
  in.out.count(Incident::engine_ready);
  settle(in);
  return is_ready() ? Outcome{.news = {EngineReady{}}} : Outcome{};
}

// --- what it is asked for

usi::SearchId EngineRun::search(usi::SearchRequest request, Outbox& out) {
  // The game goes first, and the answer proves as much.
  wishes_.proof = false;
  wishes_.renewal = false;
  is_trying_increments_ = request.go.find(" binc ") != std::string::npos;
  return searches_.search(std::move(request), out);
}

EngineRun::Asked* EngineRun::asked() {
  if (auto* preparing = std::get_if<Preparing>(&stage_)) {
    return &preparing->asked;
  }
  auto* proving = std::get_if<Proving>(&stage_);
  return proving != nullptr ? &proving->asked : nullptr;
}

void EngineRun::settle(const Inputs& in) {
  if (!is_idle() || searches_.session().parked()) {
    return;
  }
  if (wishes_.renewal) {
    static_cast<void>(quit(in));
    std::get<Quitting>(stage_).is_renewing = true;
    return;
  }
  if (std::exchange(wishes_.quit, false)) {
    static_cast<void>(quit(in));
    return;
  }
  if (std::exchange(wishes_.rules, false)) {
    if (const auto changed = in.known.options.changes(in.out); !changed.empty()) {
      ask_ready<Preparing>(in.known.config.ready_timeout, changed, in);
    }
  }
  // Rules that were told are answered by the same readyok.
  if (std::exchange(wishes_.proof, false) && is_idle()) {
    const Millis patience = proof_timeout_min + 3 * in.known.habits.slowest_ready;
    ask_ready<Proving>(std::min<Millis>(in.known.config.ready_timeout, patience), {}, in);
  }
}

void EngineRun::prepare_game(const Inputs& in) {
  // An engine that has yet to greet is told with its options.
  wishes_.rules = asked() != nullptr || is_in<Learning>() || is_ready();
  settle(in);
}

void EngineRun::prove(const Inputs& in) {
  if (is_ready()) {
    wishes_.proof = true;
    settle(in);
  }
}

void EngineRun::prove_if_stale(const Inputs& in, Millis within) {
  const bool is_stale = base::millis_between(alive_at_, in.now.steady) >= proof_age_max;
  const Millis slowest = in.known.habits.slowest_ready;
  if (is_idle() && is_stale && slowest + slowest / 4 < within) {
    prove(in);
  }
}

void EngineRun::renew(const Inputs& in) {
  if (is_ready()) {
    wishes_.renewal = true;
    settle(in);
  }
}

void EngineRun::expect_no_successor() {
  wishes_.renewal = false;
  wishes_.proof = false;
  if (auto* quitting = std::get_if<Quitting>(&stage_)) {
    quitting->is_renewing = false;
  }
}

Outcome EngineRun::quit(const Inputs& in) {
  wishes_.renewal = false;
  if (auto* quitting = std::get_if<Quitting>(&stage_)) {
    quitting->is_renewing = false;
    return {};
  }
  if (is_in<Starting>()) {
    in.out.add(KillEngine{id_, Millis{0}});  // it cannot read a "quit" before it runs
    return {.has_left = true};
  }
  if (is_ready() && !searches_.owes_nothing()) {
    // It is told that the game is over behind its bestmove, and to quit behind that.
    wishes_.quit = true;
    searches_.abandon(in.now, in.out);
    return {};
  }
  const auto* greeting = std::get_if<Greeting>(&stage_);
  const bool is_told = greeting != nullptr && greeting->is_told_to_quit;
  stage_ = Quitting{in.now.steady + in.known.config.quit_timeout};
  if (!is_told) {
    searches_.write(searches_.session().quit().lines, in.out);
  }
  return {};
}

// --- how it reads its clock: nothing of that is heard outside, and it is not ready before it is through

Outcome EngineRun::on(const ClockRecalled& event, const Inputs& in) {
  if (!in.known.clocks.on_recalled(event.clocks)) {
    return {};
  }
  if (event.clocks.reading != ClockReading::unknown) {
    in.out.note(Level::debug, "engine_clock",
                say("{}: {} (remembered from an earlier start)", in.known.who, usi::describe(event.clocks)));
  }
  return is_in<Learning>() ? learn_or_be_ready(in) : Outcome{};
}

Outcome EngineRun::learn_or_be_ready(const Inputs& in) {
  if (!in.known.clocks.must_learn()) {
    return be_ready(in);
  }
  Learning& learning = stage_.emplace<Learning>();
  if (in.known.clocks.is_recalling()) {
    learning.by = in.now.steady + recall_timeout;
    return {};
  }
  in.known.clocks.ask();
  Millis kept{0};
  for (const EngineDelay& delay : in.known.options.delays()) {
    kept += delay.time;
  }
  learning.probe.emplace(kept);
  return perform(learning.probe->start(in.now.steady), in);
}

Outcome EngineRun::on_learning_deadline(const Inputs& in) {
  auto& learning = std::get<Learning>(stage_);
  learning.by.reset();
  if (learning.probe) {
    return perform(learning.probe->on_time(in.now.steady), in);
  }
  in.known.clocks.stop_recalling();
  return learn_or_be_ready(in);
}

Outcome EngineRun::perform(const usi::ClockProbe::Deed& deed, const Inputs& in) {
  usi::Session& session = searches_.session();
  if (!deed.go.empty()) {
    searches_.write(session.search({deed.position, deed.go, false}).reaction.lines, in.out);
  } else if (deed.stop) {
    searches_.write(session.hurry().lines, in.out);
  }
  auto& learning = std::get<Learning>(stage_);
  if (link_.out_since()) {
    learning.probe->on_interruption();
  }
  if (learning.probe->is_deaf()) {
    return {.failure = say("{} sent no bestmove after stop", in.known.who)};
  }
  learning.by = learning.probe->deadline();
  if (!learning.probe->is_finished()) {
    return {};
  }
  in.known.clocks.find(learning.probe->found());
  note_clock(id_, in.known, in.out);
  // What it was asked is none of the game's business: it begins with an empty table.
  searches_.write(session.new_game().lines, in.out);
  ask_ready<Preparing>(in.known.config.ready_timeout, {}, in);
  return {};
}

// --- the seat: one run after another

base::Message EngineFailures::next_step() const {
  const auto in = duration(pause().count());
  const bool is_now = pause().count() == 0;
  const int attempt = boots_ + 1;
  if (boots_ == 0) {
    return is_now ? say("restarting now") : say("restarting in {}", in);
  }
  if (has_been_ready_) {
    const auto most = duration(missing_max.count());
    return is_now ? say("restarting now, attempt {} (for up to {})", attempt, most)
                  : say("restarting in {}, attempt {} (for up to {})", in, attempt, most);
  }
  return is_now ? say("restarting now, attempt {} of {}", attempt, attempts_max)
                : say("restarting in {}, attempt {} of {}", in, attempt, attempts_max);
}

void EngineKnowledge::adopt(const config::Engine& settings, bool ponder) {
  options.adopt(settings, ponder);
  clocks.adopt(settings.clock);
}

EngineSupervisor::EngineSupervisor(const config::Engine& config, bool ponder, std::uint32_t seat, base::Message who,
                                   std::string name_in_team)
    : id_{seat, 0},
      known_{.config = config,
             .who = std::move(who),
             .name_in_team = std::move(name_in_team),
             .options = EngineOptions(config, ponder),
             .clocks = ClockKnowledge(config)},
      life_(Empty{}) {}

EngineState EngineSupervisor::state() const {
  return std::visit(base::Overload{
                        [](const Empty&) { return EngineState::empty; },
                        [](const EngineRun& run) { return run.state(); },
                        [](const GivenUp&) { return EngineState::given_up; },
                    },
                    life_);
}

void EngineSupervisor::launch(Now now, Outbox& out) {
  ++id_.launch;
  known_.cuts.take(false, now.steady);
  life_.emplace<EngineRun>(id_, known_.config, now);
  out.add(StartEngine{id_});
}

News EngineSupervisor::empty() {
  life_ = Empty{};
  return {EngineLeft{}};
}

News EngineSupervisor::conclude(Outcome outcome, Now now, Outbox& out) {
  if (outcome.failure) {
    return fail(*outcome.failure, now, out);
  }
  if (!outcome.has_left) {
    return std::move(outcome.news);
  }
  if (!run()->is_renewing()) {
    return empty();
  }
  launch(now, out);
  return {};
}

News EngineSupervisor::fail(const base::Message& why, Now now, Outbox& out) {
  out.add(KillEngine{id_, Millis{0}});
  if (run()->is_being_asked_of_its_clock()) {
    known_.clocks.doubt();
    out.warn("engine_clock",
             say("{} failed while it was asked how it reads its clock: until the bridge is started again it "
                 "gets increments as byoyomi, and its own clock for both sides",
                 known_.who));
  }
  // What was known of the process is gone with it.
  EngineRun lost = std::move(*run());
  life_ = Empty{};
  if (lost.is_leaving()) {
    show_last_words(lost, known_.who, out);
    out.warn("engine_lost_at_last", say("{}; {}", why, say("it is not needed any more")));
    return empty();
  }
  const auto answer_by = lost.searches().answer_by();
  const bool is_deaf = lost.is_ready() && answer_by && now.steady >= *answer_by && lost.searches().note_deaf();
  EngineFailures& failures = known_.failures;
  failures.on_failure(lost.has_been_ready(), now.steady);
  const bool is_old_news = failures.is_old_news();
  if (!is_old_news) {
    show_last_words(lost, known_.who, out);
  }
  // What it may have missed where it has never come to play.
  if (failures.boots() == 1 && !lost.has_been_ready()) {
    if (!lost.directory().empty()) {
      out.warn("engine_environment", say("the {} ran in the directory {}", known_.who, base::quoted(lost.directory())));
    }
    if (base::may_miss(lost.withheld(), lost.last_words())) {
      out.warn("engine_environment",
               say("the {} did not get these of the bridge's environment variables: {}; if it needs one, name "
                   "it in engine.pass_environment",
                   known_.who, lost.withheld().substr(0, withheld_shown_max)));
    }
  }
  const std::optional<usi::SearchAnswered> parked = lost.searches().session().parked();
  if (failures.is_hopeless(now.steady)) {
    life_ = GivenUp{};
    const auto next =
        id_.seat == 0 ? say("giving up after {} attempts: check engine.command and the lines above", failures.boots())
                      : say("giving up after {} attempts: check the command of the {} and the lines above",
                            failures.boots(), known_.who);
    const auto trouble = say("{}; {}", why, next);
    out.error("engine_given_up", trouble);
    out.count(Incident::engine_given_up, trouble);
    return {EngineGivenUp{why}};
  }
  if (starts_no_more_) {
    out.warn("engine_lost_at_last", say("{}; {}", why, say("it is not needed any more")));
    return {EngineLost{.why = why, .parked = parked, .is_deaf = is_deaf}};
  }
  const auto trouble = say("{}; {}", why, failures.next_step());
  out.note(is_old_news ? Level::debug : Level::error, "engine_lost", trouble);
  if (!is_old_news) {
    out.count(Incident::engine_lost, trouble);
  }
  if (const Millis pause = failures.pause(); pause.count() == 0) {
    launch(now, out);
  } else {
    life_ = Empty{now.steady + pause};
  }
  return {EngineLost{.why = why, .is_missing = failures.is_missing(), .parked = parked, .is_deaf = is_deaf}};
}

News EngineSupervisor::replace(const base::Message& why, Now now, Outbox& out) {
  return run() == nullptr || run()->is_quitting() ? News{} : fail(why, now, out);
}

void EngineSupervisor::renew(Now now, Outbox& out) {
  if (run() != nullptr && !starts_no_more_) {
    run()->renew({known_, now, out});
  }
}

void EngineSupervisor::start_no_more() {
  starts_no_more_ = true;
  if (run() != nullptr) {
    run()->expect_no_successor();
  }
}

void EngineSupervisor::kill(Outbox& out) {
  if (run() != nullptr) {
    out.add(KillEngine{id_, Millis{0}});
  }
  life_ = Empty{};
}

News EngineSupervisor::quit(Now now, Outbox& out) {
  return run() == nullptr ? empty() : conclude(run()->quit({known_, now, out}), now, out);
}

// --- deadlines

std::optional<base::SteadyTime> EngineSupervisor::deadline() const {
  return std::visit(base::Overload{
                        [](const Empty& empty) { return empty.launch_at; },
                        [&](const EngineRun& run) { return run.deadline(known_); },
                        [](const GivenUp&) { return std::optional<base::SteadyTime>(); },
                    },
                    life_);
}

bool EngineSupervisor::may_be_ready_by(base::SteadyTime at) const {
  const auto* empty = std::get_if<Empty>(&life_);
  return run() != nullptr || (empty != nullptr && empty->launch_at && *empty->launch_at < at);
}

News EngineSupervisor::on_time(Now now, Outbox& out) {
  if (run() != nullptr) {
    return conclude(run()->on_time({known_, now, out}), now, out);
  }
  if (const auto due = deadline(); due && now.steady >= *due) {
    launch(now, out);
  }
  return {};
}

// --- games and searches: dropped without a process that is ready

const KeeperLink& EngineSupervisor::link() const {
  static const KeeperLink none;
  return run() != nullptr ? run()->link() : none;
}

ViewedEngineLink EngineSupervisor::view_link(base::SteadyTime now) const {
  const KeeperLinkCuts& cuts = known_.cuts;
  return {.ways = std::max(1, static_cast<int>(known_.config.host.size())),
          .ways_lost = static_cast<int>(link().ways_lost()),
          .is_out = link().out_since().has_value(),
          .round_trip = link().round_trip(),
          .jitter = link().deviation(),
          .cuts = cuts.count,
          .out = cuts.out + (cuts.out_since ? base::millis_between(*cuts.out_since, now) : Millis{0})};
}

std::optional<usi::SearchId> EngineSupervisor::current_search() const {
  return is_ready() ? run()->searches().current() : std::nullopt;
}

bool EngineSupervisor::has_lines() const {
  return is_ready() && usi::find_option(run()->searches().session().options(), "MultiPV") != nullptr;
}

std::optional<base::SteadyTime> EngineSupervisor::silent_since() const {
  return run() != nullptr ? run()->searches().silent_since(known_.habits) : std::nullopt;
}

void EngineSupervisor::prepare_game(const GameRules& rules, Now now, Outbox& out) {
  known_.options.adopt(rules);
  if (run() != nullptr) {
    run()->prepare_game({known_, now, out});
  }
}

void EngineSupervisor::forbid_declaration(Outbox& out) {
  if (!is_idle()) {
    return;
  }
  // Engines that have such an option look at it with each `go`: no `isready`, which costs some of them seconds.
  if (const auto setting = known_.options.forbid_declaration(out)) {
    run()->searches().write({usi::format_setoption(*setting)}, out);
  }
}

void EngineSupervisor::prove(Now now, Outbox& out) {
  if (run() != nullptr && !starts_no_more_) {
    run()->prove({known_, now, out});
  }
}

void EngineSupervisor::prove_if_stale(Now now, Outbox& out, Millis within) {
  if (run() != nullptr && !starts_no_more_) {
    run()->prove_if_stale({known_, now, out}, within);
  }
}

void EngineSupervisor::new_game(Outbox& out) {
  if (EngineRun* ready = ready_run()) {
    ready->searches().new_game(out);
  }
}

void EngineSupervisor::join_game(Outbox& out) {
  if (EngineRun* ready = ready_run()) {
    ready->searches().join_game(out);
  }
}

std::optional<usi::SearchId> EngineSupervisor::search(usi::SearchRequest request, Outbox& out) {
  join_game(out);
  EngineRun* ready = ready_run();
  known_.lines.on_asked(request.position.size());
  return ready != nullptr ? std::optional(ready->search(std::move(request), out)) : std::nullopt;
}

News EngineSupervisor::ponderhit(std::string_view times, Outbox& out) {
  EngineRun* ready = ready_run();
  auto parked = ready != nullptr ? ready->searches().ponderhit(times, out) : std::nullopt;
  if (!parked) {
    return {};
  }
  known_.failures.on_answer();
  return {std::move(*parked)};
}

void EngineSupervisor::hurry(Now now, Outbox& out, bool is_due) {
  if (EngineRun* ready = ready_run()) {
    ready->searches().hurry(now, out, is_due);
  }
}

void EngineSupervisor::abandon(Now now, Outbox& out) {
  if (EngineRun* ready = ready_run()) {
    ready->searches().abandon(now, out);
  }
}

void EngineSupervisor::game_over(usi::GameOver result, Now now, Outbox& out) {
  if (EngineRun* ready = ready_run()) {
    ready->searches().game_over(result, now, out);
  }
}

void EngineSupervisor::watch_silence(Now now) {
  if (run() != nullptr) {
    run()->searches().watch_silence(now);
  }
}

}  // namespace kakehashi::bridge
