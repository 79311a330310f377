#include "sim/sim_bot.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/check.hpp"
#include "base/overload.hpp"
#include "base/text.hpp"
#include "bridge/engine_seats.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/usi.hpp"
#include "support/stage.hpp"

namespace kakehashi::sim {

using base::Millis;
using How = bridge::ServerClosed::How;

namespace {

constexpr int rings_at_once_max = 8;
/// Of the standby; those of further members follow at this distance.
constexpr std::uint64_t standby_dice = 40;
constexpr std::uint64_t member_dice = 200;

/// What a server of some other make might say in between; none of it means anything here.
constexpr std::array odd_lines{"##[CHAT][somebody] hello", "##[ERROR] unknown command: %%%",
                               "",  "XYZZY", "\xff\xfe\x01", "+", "'comment", "%%GAME x", "T5",
                               "LOGIN:mybot OK", "BEGIN Nonsense",
                               "##[ERROR] s3cret-tr1p is your password"};

/// What strangers can make a server send to whoever is logged in: what they are called and what they say, as it came;
/// names of games and players, offers, the moves of other games.
constexpr std::array strangers_heads{"##[CHAT][x] ", "##[CHAT][#WIN] ", "##[CHAT][+7776FU] ", "##[CHAT][\xe2\x80\xae] ", "##[CHAT][",
                                     "##[LIST] ", "##[WHO] ", "##[GAME] ", "##[MONITOR2][other] ", "##[CHALLENGE] ", "##[ERROR] "};
constexpr std::array<std::string_view, 18> strangers_words{
    "", "hello", "+7776FU", "-3334FU,T1", "%TORYO", "#WIN", "#LOSE", "#TIME_UP", "START:test+1", "REJECT:test+1 by foe",
    "BEGIN Game_Summary", "Game_ID:test+1", "LOGOUT:completed", "hello\r#LOSE", "\x1b[2J\x07\xff\xfe",
    // A bridge leaves these lines out, up to their ends.
    std::string_view("\0", 1), std::string_view("+7776FU\0#LOSE", 13), std::string_view("\0\r", 2)};
constexpr std::array strangers_chat_bytes{60'000, 65'535, 65'536, 65'537, 70'000, 200'000};

/// What begins like a word on the game and is none.
constexpr std::array notices{"#NOTICE the server is restarted at midnight", "#", "# thank you for playing",
                             "#SPECTATORS 12", "#WIN?", "#TIME 12", "#HELLO"};

/// So long a known word stands; then a bridge may doubt it.
constexpr Millis end_stands{1'000};

/// One login is thrown out by the next, and so on; a bot that goes on like this without a pause helps
/// nobody.
constexpr std::size_t fruitless_logins_max = 12;
constexpr Millis fruitless_while{60'000};

/// A real timer never rings early.
Millis ring_of(base::SteadyTime deadline) {
  return std::chrono::ceil<Millis>(deadline - now_at(Millis{0}).steady);
}

/// Of the protocol's words, those that a game does not go on behind.
bool is_end_of_game(const std::string& line) {
  constexpr std::array words{"#RESIGN",     "#TIME_UP",         "#ILLEGAL_MOVE", "#ILLEGAL_ACTION",
                             "#SENNICHITE", "#OUTE_SENNICHITE", "#JISHOGI",      "#MAX_MOVES",
                             "#CENSORED",   "#CHUDAN",          "#ABNORMAL",     "#WIN",
                             "#LOSE",       "#DRAW"};
  return std::find(words.begin(), words.end(), line) != words.end();
}

bool nothing_goes_wrong(const Scenario& scenario) {
  bool is_planned = scenario.opponent.is_rude || scenario.opponent.breaks_rules;
  for (const BotPart& part : scenario.bots) {
    is_planned = is_planned || !std::all_of(part.faults.begin(), part.faults.end(), [](const Fault& fault) { return is_death(fault.kind); }) || std::any_of(part.further_faults.begin(), part.further_faults.end(), [](const auto& faults) { return !faults.empty(); }) ||
                 (part.kept && !part.kept->calm) ||
                 part.engine.reading == ClockReading::dies_of_increments || !part.config.time.margin;
  }
  return !is_planned;
}

}  // namespace

SimBot::SimBot(Agenda& agenda, Network& network, Boards& boards, const Scenario& scenario,
               std::size_t index, Listener listener)
    : agenda_(agenda),
      network_(network),
      boards_(boards),
      config_(scenario.bots[index].config),
      delays_(scenario.bots[index].delays),
      way_(scenario.bots[index].delays),
      dice_(scenario.seed, 30 + index),
      manners_(scenario.bots[index].engine),
      is_blameless_(nothing_goes_wrong(scenario)),
      plan_(scenario.bots[index].faults),
      engine_(
          agenda, scenario, index, plan_,
          [this](const bridge::Event& event) { kept_ ? kept_->on_engine(event) : happen(event); },
          [this](const Search& search) { judge_search(search, kept_.has_value()); }),
      bot_(config_, scenario.seed),
      remembered_clocks_{manners_.reading == ClockReading::whole ? usi::ClockReading::adds
                                                                : usi::ClockReading::unknown,
                         false},
      referee_(support::stage_password),
      death_dice_(scenario.seed, 170 + index),
      listener_(std::move(listener)),
      twin_(agenda, network, scenario.seed + index) {
  for (std::size_t i = 0; i < bridge::seats_of(config_.engine).size() - 1; ++i) {
    const auto& faults = scenario.bots[index].further_faults;
    further_plans_.emplace_back(i < faults.size() ? faults[i] : std::vector<Fault>{});
    further_.emplace_back(
        agenda, scenario, index, further_plans_.back(), [this](const bridge::Event& event) { happen(event); },
        [this](const Search& search) { judge_search(search, false); }, i == 0 ? standby_dice : member_dice + 10 * i);
  }
  if (bridge::consults(config_.engine)) {
    panel_.emplace(config_.engine);
  }
  const auto& faults = scenario.bots[index].faults;
  if (std::any_of(faults.begin(), faults.end(), [](const Fault& fault) { return is_death(fault.kind); })) {
    run_.emplace(config_, scenario.seed);
  }
  if (const auto& ways = scenario.bots[index].kept) {
    kept_.emplace(
        agenda, *ways, Dice(scenario.seed, 130 + index), engine_, [this](const bridge::Event& event) { happen(event); },
        [this](const std::string& what) { complain(what); });
  }
}

void SimBot::complain(const std::string& what) { referee_.complain(what); }

void SimBot::start() { step(nullptr); }

void SimBot::stop(bridge::Urgency urgency) {
  happen_late([this, urgency] {  // in the game of what it has read by then
    if (is_over_) {
      return;
    }
    if (urgency != bridge::Urgency::drain) {
      is_asked_to_resign_ = true;
      lose_to_the_world();
    }
    const bridge::Event asked = bridge::StopRequested{urgency};
    step(&asked);
  });
}

void SimBot::happen(const bridge::Event& event) {
  happen_late([this, event] {
    const bool is_of_a_lost_engine = std::visit(
        [this](const auto& one) {
          if constexpr (requires { one.engine; }) {
            return lost_engines_.contains(one.engine);
          }
          return false;
        },
        event);
    if (!is_over_ && !is_of_a_lost_engine) {
      step(&event);
    }
  });
}

Millis SimBot::lateness() {
  const auto most = delays_.process_late_max.count();
  return most == 0 ? Millis{0} : dice_.millis(0, most);
}

/// A process that has no processor does everything later, and in its order.
void SimBot::happen_late(std::function<void()> what, bool is_at_hand) {
  const Millis late = is_at_hand ? Millis{0} : lateness();
  const Millis still_until = stalls_.empty() ? Millis{0} : stalls_.back().until;
  const Millis due = std::max({agenda_.at() + late, last_due_, still_until});
  if (due == agenda_.at() && pending_ == 0) {
    what();
    return;
  }
  last_due_ = due;
  ++pending_;
  agenda_.put(due, [this, what = std::move(what)] {
    --pending_;
    what();
  });
}

void SimBot::step(const bridge::Event* event) {
  const std::optional<support::Death> death = draw_death();
  if (death == support::Death::before_step && event != nullptr) {
    die(event);
    if (is_over_ || !comes_again(*event)) {
      return;
    }
  }
  ++steps_;
  const Millis at = agenda_.at();
  if (event != nullptr) {
    referee_.see(*event, at);
  }
  bridge::Actions actions;
  const base::Now now = now_at(at, wall_shift_);
  try {
    actions = event == nullptr ? bot_.start(now) : bot_.step(*event, now);
  } catch (const base::CheckFailure& failure) {
    complain(std::string("a check failed: ") + failure.what());
    is_over_ = true;
    return;
  }
  for (const bridge::Action& action : actions) {
    if (const auto* arm = std::get_if<bridge::ArmTimer>(&action)) {
      armed_ = arm->deadline;
    } else if (const auto* note = std::get_if<bridge::Note>(&action); note != nullptr && note->code == "end_doubted") {
      ended_at_ = -end_stands;  // before the lines of the same step, which leave first
    }
  }
  referee_.judge(actions, at, armed_ ? std::optional(ring_of(*armed_)) : std::nullopt);
  if (listener_) {
    listener_(at, event, actions);
  }
  judge_panel(event, actions);
  if (run_) {
    run_->take(event, now, actions);
  }
  if (death == support::Death::before_writing) {
    write_some(actions);
    die(nullptr);
    return;
  }
  const Answers answers = perform(actions);
  if (run_) {
    run_->carried_out(bot_);
  }
  if (death == support::Death::behind_step && !is_over_) {
    die(nullptr);
    return;
  }
  answer(answers);
}

SimBot::Answers SimBot::perform(const bridge::Actions& actions) {
  Answers answers;
  for (const bridge::Action& action : actions) {
    std::visit(
        base::Overload{
            [&](const bridge::ConnectServer&) { perform_connect(); },
            [&](const bridge::WriteServer& write) { perform_write(write); },
            [&](const bridge::CloseServer&) { perform_close(); },
            [&](const bridge::HoldLine& hold) {
              if (line_) {
                network_.set_patience(*line_, hold.patience);
              }
            },
            [&](const bridge::StartEngine& start) {
              engine_bytes_[start.engine] = 0;
              perform_engine(start.engine, start);
            },
            [&](const bridge::WriteEngine& write) {
              engine_bytes_[write.engine] += write.line.size() + 1;
              perform_engine(write.engine, write);
            },
            [&](const bridge::StopEngineAt& stop) {
              if (kept_ && stop.engine.seat == 0) {
                kept_->perform(stop);
              }
            },
            [&](const bridge::KillEngine& kill) { perform_engine(kill.engine, kill); },
            [&](const bridge::ArmTimer& arm) { perform_arm(arm); },
            [&](const bridge::BeginRecord& begin) {
              ++answers.records;
              record_ = begin.text;
            },
            [&](const bridge::AppendRecord& append) {
              ++answers.records;
              record_ += append.text;
            },
            [&](const bridge::FinishRecord& finish) {
              ++answers.records;
              judge_record(finish.files.front().text);
            },
            [&](const bridge::Note& note) { tell(note); },
            [&](const bridge::RescuePlayed& rescue) { judge_rescue(rescue.cause); },
            [&](const bridge::LookUpBook& look_up) { perform_look_up(look_up); },
            [&](const bridge::RecallClock& recall) { answers.recalled = recall.engine; },
            [&](const bridge::KeepClock& keep) { remembered_clocks_ = keep.clocks; },
            [](const bridge::IsFact auto&) {},
            [](const bridge::ReportReady&) {},
            [](const bridge::PhaseChanged&) {},
            [&](const bridge::Exit&) { is_over_ = true; },
        },
        action);
  }
  return answers;
}

void SimBot::tell(const bridge::Note& note) {
  if (note.level == bridge::Level::error && is_blameless_) {
    complain("an error although nothing went wrong: " + note.code + ": " + note.text.english());
  }
}

void SimBot::perform_close() {
  if (line_) {
    network_.close(*std::exchange(line_, std::nullopt));
    left_at_ = agenda_.at();
  }
  in_game_ = in_summary_ = false;
}

/// As the driver does: outcomes come before anything else happens.
void SimBot::answer(const Answers& answers) {
  const int life = lives_;
  if (answers.recalled && !is_over_) {
    const bridge::Event clock = bridge::ClockRecalled{*answers.recalled, remembered_clocks_};
    step(&clock);
  }
  for (int left = answers.records; left > 0 && !is_over_ && life == lives_; --left) {
    const std::vector<FaultKind> faults = plan_.count(Occasion::record);
    const bool fails = std::count(faults.begin(), faults.end(), FaultKind::record_fails) > 0;
    const bool is_late = std::count(faults.begin(), faults.end(), FaultKind::record_late) > 0;
    const bridge::Event written =
        bridge::RecordWritten{"records/game.csa", base::verbatim(fails ? "No space left on device" : "")};
    if (is_late) {
      agenda_.put_after(dice_.millis(1, 60'000), [this, written, life] {
        if (life == lives_) {
          happen(written);
        }
      });
    } else {
      step(&written);
    }
  }
}

void SimBot::perform_connect() {
  for (const FaultKind kind : plan_.count(Occasion::connect)) {
    if (kind == FaultKind::connection_refused) {
      agenda_.put_after(Millis{2}, [this, life = lives_] {
        if (life == lives_) {
          happen(bridge::ServerClosed{How::refused, base::verbatim("Connection refused")});
        }
      });
    }
    return;  // or it hangs
  }
  is_raw_summary_ = false;
  line_ = network_.connect(*this, way_);
}

void SimBot::perform_write(const bridge::WriteServer& write) {
  line_bytes_ += write.line.size() + 1;
  if (write.line.starts_with("LOGIN ")) {
    login_ = write.line;
    count_login();
    for (const FaultKind kind : plan_.count(Occasion::login)) {
      if (kind == FaultKind::login_refused && line_) {
        network_.inject(*line_, "LOGIN:incorrect");
      }
      return;  // or it is ignored
    }
  }
  judge_move(write.line);
  const bool is_game_line = !write.line.empty() && std::string_view("+-%").find(write.line.front()) !=
                                                       std::string_view::npos;
  if (is_game_line && !in_game_ && !write.line.starts_with("%%") && agenda_.at() < ended_at_ + end_stands) {
    complain("a game line behind the word of its end: " + write.line);
  }
  if (is_game_line && in_game_) {
    resigned_game_ = write.line == "%TORYO" ? game_id_ : "";
    answered_at_ = agenda_.at();
    judge_engines();
    for (const FaultKind kind : plan_.count(Occasion::move)) {
      suffer(kind);
    }
  }
  if (line_) {
    network_.write(*line_, write.line);
  }
}

/// A book that knows every second position, and now and then a move that nobody can make.
void SimBot::perform_look_up(const bridge::LookUpBook& look_up) {
  Millis late = dice_.millis(0, 3);
  for (const FaultKind kind : plan_.count(Occasion::book)) {
    if (kind == FaultKind::book_silent) {
      return;
    }
    late = dice_.millis(100, 60'000);
  }
  std::string lines;
  if (const Board* board = boards_.find(game_id_); board != nullptr && dice_.one_in(2)) {
    const std::vector<shogi::Move> moves = shogi::legal_moves(board->position);
    lines = dice_.one_in(8) || moves.empty() ? "1a1a none 0 0 1"
                                             : shogi::usi::format_move(dice_.pick(moves)) + " none 0 0 1";
  }
  agenda_.put_after(late, [this, answer = bridge::BookAnswered{look_up.number, lines}, life = lives_] {
    if (life == lives_) {
      happen(answer);
    }
  });
}

void SimBot::count_login() {
  fruitless_logins_.push_back(agenda_.at());
  while (fruitless_logins_.front() + fruitless_while < agenda_.at()) {
    fruitless_logins_.pop_front();
  }
  if (fruitless_logins_.size() > fruitless_logins_max) {
    complain(std::to_string(fruitless_logins_.size()) + " logins within a minute, and no game");
    fruitless_logins_.clear();
  }
}

void SimBot::perform_arm(const bridge::ArmTimer& arm) {
  Millis late = delays_.timer_late_max.count() == 0
                    ? Millis{0}
                    : dice_.millis(0, delays_.timer_late_max.count());
  bool stands_still = false;
  for (const FaultKind kind : plan_.count(Occasion::timer)) {
    stands_still = kind == FaultKind::stalled_process;
    late = delays_.timer_late_max;
  }
  const Millis rings = std::max(ring_of(arm.deadline), agenda_.at());
  agenda_.put(rings + late + lateness(), [this, stands_still, deadline = arm.deadline] {
    if (stands_still && armed_ == deadline && !is_over_) {
      Millis until = agenda_.at() + dice_.millis(300, 8'000);
      if (!stalls_.empty()) {
        until = std::max(until, stalls_.back().until);
      }
      stalls_.push_back({agenda_.at(), until});
      trouble_until_ = std::max(trouble_until_, until);
      disturb();
      agenda_.put(until, [this, deadline] { ring(deadline); });
    } else {
      ring(deadline);
    }
  });
}

void SimBot::arm_again(std::optional<base::SteadyTime> deadline) {
  armed_ = deadline;
  if (deadline) {
    agenda_.put(std::max(ring_of(*deadline), agenda_.at()), [this, deadline = *deadline] { ring(deadline); });
  }
}

void SimBot::ring(base::SteadyTime deadline) {
  if (armed_ != deadline || is_over_) {
    return;
  }
  rings_at_once_ = rung_at_ == agenda_.at() ? rings_at_once_ + 1 : 0;
  rung_at_ = agenda_.at();
  if (rings_at_once_ > rings_at_once_max) {
    complain("the timer rings again and again at one instant");
    is_over_ = true;
    return;
  }
  armed_.reset();
  const bridge::Event rung = bridge::TimerFired{};
  step(&rung);
}

void SimBot::on_connected() {
  happen_late([this, line = line_] {
    if (line_ != line || is_over_) {
      return;
    }
    line_bytes_ = 0;
    const bridge::Event connected = bridge::ServerConnected{base::verbatim("192.0.2.1:4081")};
    step(&connected);
    if (delays_.is_measured && line_ == line && !is_over_) {
      const std::chrono::microseconds round_trip = 2 * delays_.latency + delays_.jitter_max;
      const bridge::Event measured = bridge::LinkMeasured{round_trip, round_trip / 2};
      step(&measured);
    }
  });
}

void SimBot::on_closed(How how, const std::string& why) {
  happen_late([this, how, why, line = line_] {
    if (line_ != line || is_over_) {
      return;  // the bot has closed it meanwhile
    }
    line_.reset();
    left_at_ = agenda_.at();
    in_game_ = in_summary_ = false;
    const bridge::Event closed = bridge::ServerClosed{how, base::verbatim(why)};
    step(&closed);
  });
}

void SimBot::on_line(const std::string& line, bool more) {
  bool is_repeated = false;
  if (is_own_echo(line)) {
    for (const FaultKind kind : plan_.count(Occasion::echo)) {
      patchy_.insert(raw_game_);
      if (kind == FaultKind::echo_lost) {
        moves_.push_back(line.substr(0, 7));
        return;
      }
      is_repeated = true;
    }
  }
  note_turn(line);
  happen_late([this, line, more, is_repeated, from = line_] {
    if (line_ == from && !is_over_) {
      take_line(line, more);
    }
    if (is_repeated && line_ == from && !is_over_) {
      const bridge::Event again = bridge::ServerLine{line, false};
      step(&again);
    }
  }, std::exchange(raw_more_, more));
}

bool SimBot::is_own_echo(const std::string& line) const {
  return !is_raw_summary_ && line.size() >= 7 && line.front() == raw_sign_;
}

/// With the network's eyes, before the process has read anything.
void SimBot::note_turn(const std::string& line) {
  if (line == "BEGIN Game_Summary" || line == "END Game_Summary") {
    is_raw_summary_ = line.starts_with("BEGIN");
  } else if (line.starts_with("Game_ID:")) {
    raw_game_ = line.substr(8);
    is_raw_start_ = false;  // nothing is heard of it yet
    raw_move_.clear();
  } else if (line.starts_with("Your_Turn:") && line.size() > 10) {
    raw_sign_ = line[10];
  } else if (line.starts_with("START:") ||
             (line.size() >= 7 && (line.starts_with('+') || line.starts_with('-')))) {
    is_raw_start_ = line.starts_with("START:");
    raw_move_ = is_raw_start_ ? "" : line.substr(0, 7);
    raw_at_ = agenda_.at();
    answered_at_.reset();
  }
}

void SimBot::take_line(const std::string& line, bool more) {
  follow(line);
  std::vector<FaultKind> faults = plan_.count(Occasion::line);
  if (in_summary_) {
    const auto cuts = plan_.count(Occasion::summary_line);
    faults.insert(faults.end(), cuts.begin(), cuts.end());
  }
  // What strikes here ends the segment here.
  const bridge::Event arrived = bridge::ServerLine{line, more && faults.empty()};
  step(&arrived);
  for (const FaultKind kind : faults) {
    if (!is_over_) {
      suffer(kind);
    }
  }
}

void SimBot::follow(const std::string& line) {
  if (line == "BEGIN Game_Summary") {
    in_summary_ = true;
    listed_ = {};
  } else if (line == "END Game_Summary") {
    in_summary_ = false;
  } else if (line.starts_with("Game_ID:")) {
    game_id_ = line.substr(8);
  } else if (line.starts_with("START:")) {
    in_game_ = true;
    engine_.forget_resignation();
    for (SimEngine& engine : further_) {
      engine.forget_resignation();
    }
    fruitless_logins_.clear();
    moves_ = listed_.moves;
    if (agenda_.at() <= trouble_until_ + delays_.process_late_max) {
      disturb();
    }
  } else if (in_summary_ && line.size() >= 7 && (line.starts_with('+') || line.starts_with('-'))) {
    listed_.moves.push_back(line.substr(0, 7));
    const std::size_t time = line.find(",T");
    listed_.seconds[line.front() == '+' ? 0 : 1] +=
        time == std::string::npos ? 0 : base::parse_int(line.substr(time + 2)).value_or(0);
  } else if (in_game_ && (line.starts_with('+') || line.starts_with('-')) &&
             std::min(line.find(','), line.size()) == 7) {
    moves_.push_back(line.substr(0, 7));
  } else if (is_end_of_game(line)) {
    in_game_ = false;
    ended_at_ = agenda_.at();
  }
}

void SimBot::pass_a_while() {
  for (const FaultKind kind : plan_.count(Occasion::minute)) {
    if (kind == FaultKind::second_login) {
      if (!login_.empty()) {
        twin_.log_in(login_);
      }
      continue;
    }
    stop(kind == FaultKind::stop_drain    ? bridge::Urgency::drain
         : kind == FaultKind::stop_resign ? bridge::Urgency::resign
                                          : bridge::Urgency::at_once);
  }
}

void SimBot::suffer(FaultKind kind) {
  switch (kind) {
    case FaultKind::line_cut:
    case FaultKind::summary_cut:
      lose_to_the_world();
      if (line_) {
        const LineId line = *line_;
        network_.cut(line, "Connection reset by peer",
                     dice_.one_in(2) ? Millis{0} : dice_.millis(0, 40'000));
      }
      return;
    case FaultKind::long_chat:
      if (line_) {
        std::string chat = "##[CHAT][x] ";
        chat.resize(static_cast<std::size_t>(dice_.pick(strangers_chat_bytes)), dice_.one_in(4) ? '\0' : '#');
        network_.inject(*line_, chat);
      }
      return;
    case FaultKind::half_open:
      lose_to_the_world();
      if (line_) {
        network_.go_dead(*line_, dice_.millis(5'000, 60'000), dice_.millis(0, 120'000));
      }
      return;
    case FaultKind::unknown_line:
      if (line_) {
        network_.inject(*line_, dice_.one_in(3) ? dice_.pick(odd_lines)
                                                : dice_.pick(strangers_heads) + std::string(dice_.pick(strangers_words)));
      }
      return;
    case FaultKind::segment_held:
    case FaultKind::move_held: {
      const Millis until = agenda_.at() + dice_.millis(100, 4'000);
      way_.hold(kind == FaultKind::move_held ? Way::Direction::up : Way::Direction::down, agenda_.at(), until);
      trouble_until_ = std::max(trouble_until_, until);
      disturb();
      return;
    }
    case FaultKind::outage:
    case FaultKind::outage_to_the_end:
      if (line_) {
        constexpr std::array longest{20'000, 60'000, 200'000, 400'000};
        const Millis lasts = dice_.millis(1'000, dice_.pick(longest));
        trouble_until_ = std::max(trouble_until_, agenda_.at() + 2 * lasts);
        disturb();
        std::optional<Millis> server_closes;
        if (kind == FaultKind::outage_to_the_end) {
          server_closes = dice_.millis(0, lasts.count() - 1);
          lose_to_the_world();
        }
        network_.cut_out(*line_, lasts, server_closes);
      }
      return;
    case FaultKind::notice:
      if (line_) {
        network_.inject(*line_, dice_.pick(notices));
      }
      return;
    case FaultKind::server_restarts:
      boards_.forget_all();
      network_.restart_server();
      return;
    case FaultKind::spurious_timer: happen(bridge::TimerFired{}); return;
    case FaultKind::wall_clock_jumps:
      wall_shift_ += std::chrono::hours(dice_.between(-100'000, 100'000));
      return;
    default: return;
  }
}

}  // namespace kakehashi::sim
