#include "cli/engine_probe.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/io/clocks.hpp"
#include "base/text.hpp"
#include "bridge/engine/engine_clocks.hpp"
#include "bridge/engine/engine_options.hpp"
#include "bridge/engine/engine_supervisor.hpp"
#include "bridge/game/translate.hpp"
#include "base/pass_environment.hpp"
#include "daemon/engines.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/usi.hpp"
#include "usi/io/engine_process.hpp"
#include "usi/option.hpp"
#include "usi/session.hpp"

namespace kakehashi::cli {
namespace {

namespace asio = boost::asio;

using base::Message;
using base::say;

constexpr std::size_t last_words_max = 5;

/// What the questions behind the first move take, of an engine that answers them.
constexpr base::Millis long_game_byoyomi{100};
constexpr base::Millis until_stop{100};
constexpr base::Millis stop_patience{2'000};

/// "startpos moves …" or "sfen …"; all of them stand in this file, so they can be read.
usi::ExamPosition shogi_position(std::string_view text) {
  const std::size_t moves_at = text.find(" moves ");
  const std::string_view start = text.substr(0, moves_at);
  shogi::Position position =
      shogi::usi::parse_sfen(start == "startpos" ? shogi::usi::startpos_sfen : start.substr(5)).value();
  if (moves_at != std::string_view::npos) {
    for (const std::string_view word : base::split_words(text.substr(moves_at + 7))) {
      position.play(shogi::usi::parse_move(word).value());
    }
  }
  usi::ExamPosition question{"position " + std::string(text), {}};
  for (const shogi::Move& move : shogi::legal_moves(position)) {
    question.legal.push_back(shogi::usi::format_move(move));
  }
  return question;
}

/// 511 plies, as many as any event plays but the last. Black's rook walks along the second rank, and a gold around the
/// board, by 23 squares, so that no position comes up four times. Then the rook gives check beside the king, which has to
/// take it: as long as the rook guarded that square from afar, the king could not go there.
usi::ExamPosition long_game() {
  constexpr int shuffles = 510;
  constexpr int rook_first = 3;
  constexpr int rook_last = 8;
  constexpr int rook_cycle = 2 * (rook_last - rook_first);
  constexpr std::array gold_squares{"1c", "2c", "3c", "4c", "5c", "6c", "7c", "8c", "9d", "9e", "9f", "9g",
                                    "8g", "7g", "6g", "5g", "4g", "3g", "2g", "1g", "1f", "1e", "1d"};
  const auto rook_at = [](int step) {
    const int at = step % rook_cycle;
    return std::to_string(rook_first + std::min(at, rook_cycle - at)) + "b";
  };
  const auto gold_at = [&](int step) {
    return std::string(gold_squares.at(static_cast<std::size_t>(step) % gold_squares.size()));
  };
  std::string text = "sfen 7nk/6R2/8g/9/9/9/9/9/4K4 b - 1 moves";
  for (int ply = 0; ply < shuffles; ++ply) {
    const int step = ply / 2;
    text += ' ';
    text += ply % 2 == 0 ? rook_at(step) + rook_at(step + 1) : gold_at(step) + gold_at(step + 1);
  }
  return shogi_position(text + ' ' + rook_at(shuffles / 2) + "1b");
}

class Probe {
 public:
  Probe(config::Engine settings, bool wants_ponder, ProbeMove move)
      : settings_(std::move(settings)),
        wants_ponder_(wants_ponder),
        move_(move),
        timer_(context_),
        engines_(context_, "check", settings_, [this](const bridge::Event& event, bool) { hear(event); },
                 [](const bridge::Note&) {}) {}

  EngineProbe run() {
    expect_greeting();
    engines_.start(engine_);
    context_.run();
    return std::move(found_);
  }

 private:
  void hear(bridge::Event event) {
    if (const auto* started = std::get_if<bridge::EngineStarted>(&event)) {
      withheld_ = started->withheld;
      directory_ = started->directory;
      began_ = base::io::read_clocks().steady;
      perform(session_.begin());
    } else if (const auto* failed = std::get_if<bridge::EngineFailedToStart>(&event)) {
      fail(failed->why);
    } else if (const auto* link = std::get_if<bridge::EngineLink>(&event)) {
      if (link->round_trip.count() > 0) {
        found_.round_trip = link->round_trip;
      }
      if (link->is_up && !link->why.empty()) {
        found_.keeper_problem = link->why;
      }
    } else if (const auto* line = std::get_if<bridge::EngineLine>(&event)) {
      if (line->engine == engine_) {
        hear_sign_of_life();
        perform(session_.on_line(line->text));
      }
    } else if (const auto* words = std::get_if<bridge::EngineStderr>(&event)) {
      hear_sign_of_life();
      remember(words->text);
    } else if (const auto* exited = std::get_if<bridge::EngineExited>(&event)) {
      if (exited->engine != engine_ || is_begun_anew_without_increments()) {
        return;
      }
      if (is_told_to_quit_) {
        fail(no_greeting());
        return;
      }
      const bool is_stranger = session_.phase() == usi::Session::Phase::handshake;
      fail(is_stranger                    ? say("it ended with {} before it introduced itself; is it an engine?", exited->status)
           : clock_probe_                 ? say("it ended with {}, asked how it reads its clock", exited->status)
           : is_thinking_ && times_.binc ? say("it ended with {}, at its first increment: set engine.clock to byoyomi, or to auto",
                                               exited->status)
                                          : say("it ended with {}", exited->status));
      end();
    }
  }

  void perform(usi::Reaction reaction) {
    for (const auto& line : reaction.lines) {
      engines_.write(engine_, line);
    }
    for (auto& event : reaction.events) {
      if (auto* identified = std::get_if<usi::Identified>(&event)) {
        if (is_told_to_quit_) {
          fail(say("it answered {} only when it was told to quit: its output waits in a buffer. Let it write each line at "
                   "once: start it by stdbuf -oL, python3 -u, or flush its output",
                   std::string(session_.dialect().name)));
          return;
        }
        prepare(std::move(*identified));
      } else if (const auto* said = std::get_if<usi::Said>(&event)) {
        remember(said->text);
      } else if (std::holds_alternative<usi::BecameReady>(event)) {
        found_.until_ready = base::millis_between(began_, base::io::read_clocks().steady);
        found_.is_ready = true;
        if (asks_clock()) {
          clock_probe_.emplace(kept_back());
          pursue(clock_probe_->start(base::io::read_clocks().steady));
        } else {
          ask_for_move();
        }
      } else if (auto* answered = std::get_if<usi::SearchAnswered>(&event)) {
        if (clock_probe_) {
          pursue(clock_probe_->on_answer(base::io::read_clocks().steady));
        } else {
          answer(answered->move);
        }
      } else if (std::holds_alternative<usi::AnswerSwallowed>(event) && is_told_to_stop_) {
        found_.until_stopped = std::max(found_.until_stopped.value_or(base::Millis{0}),
                                        base::millis_between(began_, base::io::read_clocks().steady));
        answer("");
      } else if (const auto* refused = std::get_if<usi::Refused>(&event)) {
        fail(refused->why);
      }
    }
  }

  void prepare(usi::Identified identified) {
    const auto now = base::io::read_clocks().steady;
    found_.until_identified = base::millis_between(std::exchange(began_, now), now);
    found_.name = std::move(identified.name);
    found_.author = std::move(identified.author);
    found_.declared = std::move(identified.options);
    usi::Settings plan = usi::plan_settings(session_.dialect(), found_.declared,
                                            settings_.options, wants_ponder_);
    found_.bad_settings = std::move(plan.problems);
    found_.clock_facts = bridge::clock_facts(found_.name, plan.lines);
    expect_ready();
    perform(session_.prepare(plan.lines));
  }

  /// As in a game: the time for readyok counts from there on, up to Engine::ready_max in all.
  void hear_sign_of_life() {
    if (session_.phase() != usi::Session::Phase::preparing) {
      return;
    }
    const base::Millis left = std::max(config::Engine::ready_max, settings_.ready_timeout) -
                              base::millis_between(began_, base::io::read_clocks().steady);
    if (left > settings_.ready_timeout) {
      expect_ready();
    } else {
      wait(left, say("it sent no readyok within {}, whatever else it said", base::duration(config::Engine::ready_max.count())));
    }
  }

  [[nodiscard]] bool asks_clock() const {
    const bool counts = move_ == ProbeMove::asked_with_main_time || move_ == ProbeMove::asked_with_increments;
    return counts && settings_.clock == config::EngineClock::automatic &&
           !has_asked_clock_ && session_.dialect().plays_shogi();
  }

  [[nodiscard]] base::Millis kept_back() const {
    base::Millis kept{0};
    for (const bridge::EngineDelay& delay : bridge::engine_delays(found_.declared, [this](const std::string& name) {
           const auto set = std::find_if(settings_.options.begin(), settings_.options.end(),
                                         [&](const auto& option) { return option.first == name && option.second; });
           return set == settings_.options.end() ? nullptr : &*set->second;
         })) {
      kept += delay.time;
    }
    return kept;
  }

  void pursue(const usi::ClockProbe::Deed& deed) {
    has_asked_clock_ = true;
    if (!deed.go.empty()) {
      perform(session_.search({deed.position, deed.go, false}).reaction);
    } else if (deed.stop) {
      perform(session_.hurry());
    }
    if (clock_probe_->is_deaf()) {
      is_thinking_ = true;  // readyok has come: what is wrong is how it plays
      fail(say("it gave no bestmove within {} of stop", base::duration(usi::ClockProbe::stop_limit.count())));
      return;
    }
    if (!clock_probe_->is_finished()) {
      const auto number = ++wait_;
      timer_.expires_at(clock_probe_->deadline());
      timer_.async_wait([this, number](boost::system::error_code) {
        if (number == wait_) {
          pursue(clock_probe_->on_time(base::io::read_clocks().steady));
        }
      });
      return;
    }
    learn(clock_probe_->found());
    perform(session_.new_game());
    began_ = base::io::read_clocks().steady;
    expect_ready();
    perform(session_.prepare({}));
  }

  void learn(const usi::EngineClocks& clocks) {
    clock_probe_.reset();
    found_.clocks = clocks;
    found_.is_clock_asked = clocks.reading != usi::ClockReading::unknown;
  }

  /// An engine that ended when it heard of binc is started again, as the bot would do it.
  bool is_begun_anew_without_increments() {
    if (!clock_probe_) {
      return false;
    }
    clock_probe_->on_death();
    if (clock_probe_->found().reading != usi::ClockReading::no_increments) {
      is_thinking_ = true;
      return false;
    }
    learn(clock_probe_->found());
    ++engine_.launch;
    session_ = usi::Session(usi::dialect_of(settings_.protocol));
    found_.is_ready = false;
    expect_greeting();
    engines_.start(engine_);
    return true;
  }

  /// As the bot would send them: a second, and another one with each move.
  [[nodiscard]] usi::GoTimes first_times() {
    usi::GoTimes times;
    const usi::EngineClocks named = usi::clocks_by_name(found_.name);
    if (found_.clocks.reading == usi::ClockReading::unknown) {
      found_.clocks.reading = named.reading;
    }
    found_.clocks.swaps_sides = found_.clocks.swaps_sides ||
                                (named.swaps_sides && settings_.protocol == usi::Protocol::usi);
    if (move_ != ProbeMove::asked_with_increments) {
      times.byoyomi = probe_byoyomi;
      return times;
    }
    const config::EngineClock form = settings_.clock == config::EngineClock::automatic
                                         ? bridge::clock_for(found_.clocks.reading)
                                         : settings_.clock;
    times.btime = times.wtime = form == config::EngineClock::included ? 2 * probe_byoyomi : probe_byoyomi;
    if (form == config::EngineClock::byoyomi) {
      times.byoyomi = probe_byoyomi;
    } else {
      times.binc = times.winc = probe_byoyomi;
    }
    return times;
  }

  void ask_for_move() {
    if (move_ == ProbeMove::not_asked || !session_.dialect().plays_shogi()) {
      quit();
      return;
    }
    began_ = base::io::read_clocks().steady;
    is_thinking_ = true;
    perform(session_.new_game());
    times_ = first_times();
    const std::string go = usi::format_go(times_, false);
    on_answer_ = [this](const std::string& move) { take_move(move); };
    perform(session_.search({"position startpos", go, false}).reaction);
    wait(probe_move_timeout,
         say("it gave no bestmove within {} of {}", base::duration(probe_move_timeout.count()), go));
  }

  void take_move(const std::string& move) {
    is_thinking_ = false;
    found_.until_move = base::millis_between(began_, base::io::read_clocks().steady);
    const bridge::EngineChoice choice = bridge::read_choice(shogi::Position::startpos(), move);
    switch (choice.kind) {
      case bridge::EngineChoice::Kind::move: break;
      case bridge::EngineChoice::Kind::resign: found_.move_problem = say("it resigns in the initial position"); break;
      case bridge::EngineChoice::Kind::declare:
        found_.move_problem = say("it declares a win in the initial position");
        break;
      case bridge::EngineChoice::Kind::unusable:
        found_.move_problem = choice.why;
        break;
    }
    found_.move = move;
    if (found_.move_problem.empty()) {
      ask_long_game();
    } else {
      quit();
    }
  }

  // --- what decides a game's time and costs no second

  void answer(const std::string& move) {
    is_told_to_stop_ = false;
    const auto take = on_answer_;  // which may put the next question
    take(move);
  }

  void ask_long_game() {
    question_ = say("given a position line of {} bytes, as a game of 512 moves makes it", long_game_.line.size());
    on_answer_ = [this](const std::string& move) {
      if (std::find(long_game_.legal.begin(), long_game_.legal.end(), move) == long_game_.legal.end()) {
        found_.troubles.push_back(
            say("long lines are cut: given a position line of {} bytes, as a game of 512 moves makes it, it answers an "
                "older position ({}). Start it without what may cut lines (a terminal, a wrapper, an old ssh), or take a "
                "newer version; in a game the bridge asks it by the position alone where that shows, and it knows no "
                "repetition then",
                long_game_.line.size(), base::quoted(move)));
      }
      ask_to_stop(false);
    };
    usi::GoTimes times;
    times.byoyomi = long_game_byoyomi;
    perform(session_.search({long_game_.line, usi::format_go(times, false), false}).reaction);
    wait(probe_move_timeout, say("it gave no bestmove within {}", base::duration(probe_move_timeout.count())));
  }

  void ask_to_stop(bool is_ponder) {
    question_ = say("told to search on");
    // What comes before the stop is an answer too.
    on_answer_ = [this, is_ponder](const std::string&) {
      if (!is_ponder && wants_ponder_ && session_.dialect().has_ponder()) {
        ask_to_stop(true);
      } else {
        quit();
      }
    };
    usi::GoTimes times;
    times.btime = times.wtime = base::Millis{600'000};
    times.byoyomi = base::Millis{10'000};
    perform(session_.search({"position startpos", usi::format_go(times, is_ponder), is_ponder}).reaction);
    after(until_stop, [this, is_ponder] {
      began_ = base::io::read_clocks().steady;
      is_told_to_stop_ = true;
      perform(session_.abandon());
      if (session_.owed() == 0) {
        answer("");  // it had answered already
        return;
      }
      after(stop_patience, [this, is_ponder] {
        const auto waited = base::duration(stop_patience.count());
        found_.troubles.push_back(
            is_ponder
                ? say("stop is not obeyed within {} while it ponders, which costs time at each reply that it did not expect. Take "
                      "a newer version, or set ponder: off; in a game the bridge replaces it, and behind the second time lets it "
                      "ponder no more",
                      waited)
                : say("stop is not obeyed within {} while it searches: when its time is up, the bridge plays another move. Take a "
                      "newer version, or give it a larger reserve by its own option",
                      waited));
        end();
      });
    });
  }

  void remember(const std::string& line) {
    last_words_.push_back(line);
    if (last_words_.size() > last_words_max) {
      last_words_.erase(last_words_.begin());
    }
  }

  /// As in a game: an answer that waits in a buffer comes when the engine ends.
  void expect_greeting() {
    after(settings_.start_timeout, [this] {
      is_told_to_quit_ = true;
      engines_.write(engine_, "quit");
      wait(bridge::EngineRun::answer_at_quit_max, no_greeting());
    });
  }

  [[nodiscard]] Message no_greeting() const {
    return say("it sent no {} within {} (engine.start_timeout)", std::string(session_.dialect().hello_answer),
               base::duration(settings_.start_timeout.count()));
  }

  void expect_ready() {
    wait(settings_.ready_timeout,
         say("it sent no readyok within {} (engine.ready_timeout)", base::duration(settings_.ready_timeout.count())));
  }

  void quit() {
    is_quitting_ = true;
    perform(session_.quit());
    wait(settings_.quit_timeout, {});
  }

  /// When the time is over, so is the probe.
  void wait(base::Millis limit, Message why) {
    after(limit, [this, why = std::move(why)] {
      fail(why);
      end();
    });
  }

  template <class Then>
  void after(base::Millis limit, Then then) {
    const auto number = ++wait_;
    timer_.expires_after(limit);
    timer_.async_wait([this, number, then = std::move(then)](boost::system::error_code) {
      if (number == wait_) {
        then();
      }
    });
  }

  /// The first reason is the one that counts; after readyok only a missing move is one.
  void fail(const Message& why) {
    if (!question_.empty() && !is_quitting_) {
      found_.troubles.push_back(say("{}, {}", question_, why));
      end();
      return;
    }
    if (std::exchange(is_thinking_, false)) {
      found_.move_problem = why;
      end();
      return;
    }
    if (found_.is_ready || !found_.why.empty()) {
      return;
    }
    found_.why = why;
    if (!directory_.empty()) {
      add_to_why(say("it ran in the directory {}", base::quoted(directory_)));
    }
    if (base::may_miss(withheld_, last_words_)) {
      add_to_why(say("these variables were withheld from its environment (engine.pass_environment): {}", withheld_));
    }
    for (const auto& words : last_words_) {
      add_to_why(say("it said: {}", base::quoted(words)));
    }
    end();
  }

  void add_to_why(const Message& more) { found_.why = say("{}; {}", found_.why, more); }

  void end() {
    ++wait_;
    timer_.cancel();
    engines_.drop_all();
  }

  const config::Engine settings_;
  bool wants_ponder_;
  ProbeMove move_;
  bool is_thinking_ = false;
  std::function<void(const std::string& move)> on_answer_;  ///< to what was asked behind readyok and the clock
  Message question_;  ///< behind the first move
  bool is_told_to_stop_ = false;
  bool is_told_to_quit_ = false;  ///< it has not greeted in time
  bool is_quitting_ = false;
  const usi::ExamPosition long_game_ = long_game();
  bridge::EngineId engine_{0, 1};
  usi::GoTimes times_;
  std::optional<usi::ClockProbe> clock_probe_;
  bool has_asked_clock_ = false;
  asio::io_context context_{1};
  asio::steady_timer timer_;
  std::uint64_t wait_ = 0;
  usi::Session session_{usi::dialect_of(settings_.protocol)};
  base::SteadyTime began_{};
  std::vector<std::string> last_words_;
  std::string withheld_;
  std::string directory_;
  EngineProbe found_;
  daemon::Engines engines_;
};

}  // namespace

EngineProbe probe_engine(const config::Engine& engine, bool wants_ponder, ProbeMove move) {
  config::Engine once = engine;
  once.keep = false;  // nothing of it stays behind
  return Probe(std::move(once), wants_ponder, move).run();
}

// --- an examination

namespace {

using usi::ExamSetup;
using usi::io::EngineProcess;

/// Those of the protocol.
void add_positions(ExamSetup& setup) {
  if (usi::dialect_of(setup.protocol).plays_shogi()) {
    setup.long_game = long_game();
  }
  switch (setup.protocol) {
    case usi::Protocol::usi:
    case usi::Protocol::uci:
      for (const char* text :
           {"startpos", "startpos moves 7g7f",
            // Pieces in hand, a promotion in the history, both sides to move.
            "startpos moves 7g7f 3c3d 8h2b+ 3a2b",
            "sfen lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
            "sfen lnsgkgsnl/1r5b1/p1pppp1pp/6p2/1p7/2P6/PP1PPPP1P/1B5R1/LNSGKGSNL b P 9",
            "sfen ln1gkgsnl/1r1s3b1/p1pppp1pp/6p2/1p7/2P6/PP1PPPP1P/1BG4R1/LNS1KGSNL w p 12"}) {
        setup.positions.push_back(shogi_position(text));
      }
      return;
    case usi::Protocol::tei:
      setup.positions = {{"position startpos", {}}, {"position startpos moves a1 f6", {}}};
      return;
    case usi::Protocol::ucgi:
      // The example of the text: a board of its own notation cannot be made up here.
      setup.positions = {{"position startpos moves h4.HADJI rack.AEIRSTX", {}}};
      return;
  }
}

base::SteadyTime now() { return std::chrono::steady_clock::now(); }

class Runner {
 public:
  Runner(ExamSetup setup, const usi::io::SpawnRequest& engine)
      : examination_(std::move(setup)), request_(engine), timer_(context_) {}

  usi::ExamReport run() {
    perform(examination_.start(now()));
    context_.run();
    return examination_.report();
  }

 private:
  void perform(const usi::ExamActions& actions) {
    if (actions.kill_engine) {
      bury();
    }
    if (actions.start_engine && !start()) {
      return;
    }
    for (const std::string& line : actions.lines) {
      if (engine_) {
        engine_->write(line);
      }
    }
    wait();
  }

  bool start() {
    ++launches_;
    engine_ = std::make_unique<EngineProcess>(context_, callbacks(launches_));
    const auto why = engine_->start(request_);
    if (!why.empty()) {
      perform(examination_.on_failed_to_start(why));
    }
    return why.empty();
  }

  EngineProcess::Callbacks callbacks(int launch) {
    // What an engine that was buried still says is heard by nobody.
    const auto while_alive = [this, launch](auto hear) {
      return [this, launch, hear](const auto&... told) {
        if (launch == launches_) {
          hear(told...);
        }
      };
    };
    return {
        .failed = while_alive([this](const Message& why) { perform(examination_.on_failed_to_start(why)); }),
        .line = while_alive([this](const std::string& line, bool) { perform(examination_.on_line(line, now())); }),
        .stderr_line = while_alive([this](const std::string& line, bool) { examination_.on_stderr(line, now()); }),
        .exited = while_alive([this](usi::ProcessEnd end) { perform(examination_.on_exited(end, now())); }),
        .odd = while_alive([this](usi::Oddity oddity) { examination_.on_odd(oddity); }),
    };
  }

  /// An engine must not be destroyed while it is telling something: the loop does it.
  void bury() {
    ++launches_;
    if (engine_) {
      asio::post(context_, [dead = std::shared_ptr<EngineProcess>(std::move(engine_))] {});
    }
  }

  void wait() {
    if (examination_.is_finished()) {
      timer_.cancel();
      return;
    }
    timer_.expires_at(examination_.deadline());
    timer_.async_wait([this](boost::system::error_code failed) {
      if (!failed) {
        perform(examination_.on_time(now()));
      }
    });
  }

  usi::Examination examination_;
  const usi::io::SpawnRequest& request_;
  asio::io_context context_{1};
  asio::steady_timer timer_;
  std::unique_ptr<EngineProcess> engine_;
  int launches_ = 0;
};

}  // namespace

usi::ExamReport examine_engine(ExamSetup setup, const usi::io::SpawnRequest& engine) {
  add_positions(setup);
  return Runner(std::move(setup), engine).run();
}

}  // namespace kakehashi::cli
