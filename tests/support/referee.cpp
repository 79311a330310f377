#include "support/referee.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/overload.hpp"
#include "bridge/mask.hpp"
#include "journal/journal.hpp"
#include "usi/message.hpp"

namespace kakehashi::support {

using base::Millis;
using base::Overload;

namespace {

bool begins_with_sign(std::string_view line) {
  return !line.empty() && (line.front() == '+' || line.front() == '-');
}

/// Seven bytes, with or without fields behind them; a sign alone is no move.
bool is_move_line(std::string_view line) {
  return begins_with_sign(line) && std::min(line.find(','), line.size()) == 7;
}

bool is_game_line(std::string_view line) {
  return begins_with_sign(line) || (line.starts_with('%') && !line.starts_with("%%"));
}

bool is_result(std::string_view line) {
  return line == "#WIN" || line == "#LOSE" || line == "#DRAW" || line == "#CHUDAN";
}

bool is_reason(std::string_view line) {
  static constexpr std::array<std::string_view, 9> reasons{
      "#RESIGN",          "#TIME_UP", "#ILLEGAL_MOVE", "#ILLEGAL_ACTION", "#SENNICHITE",
      "#OUTE_SENNICHITE", "#JISHOGI", "#MAX_MOVES",    "#ABNORMAL"};
  return line == "#CENSORED" || std::find(reasons.begin(), reasons.end(), line) != reasons.end();
}

char other(char sign) { return sign == '+' ? '-' : '+'; }

/// Of the notes beside which a fact stands.
const std::set<std::string>& codes_of_facts() {
  static const std::set<std::string> codes = [] {
    std::set<std::string> all{"paired"};
    for (int i = 0; i <= static_cast<int>(bridge::Incident::bot_failed); ++i) {
      all.insert(bridge::code_of(static_cast<bridge::Incident>(i)));
    }
    return all;
  }();
  return codes;
}

}  // namespace

void Referee::complain(std::string what) {
  const auto millis = at_.count() % 1000;
  complaints_.push_back("@" + std::to_string(at_.count() / 1000) + "." +
                        (millis < 100 ? "0" : "") + (millis < 10 ? "0" : "") +
                        std::to_string(millis) + "s: " + std::move(what));
}

void Referee::see(const bridge::Event& event, Millis at) {
  at_ = at;
  const auto* line = std::get_if<bridge::ServerLine>(&event);
  step_has_more_lines_ = line != nullptr && line->more;
  std::visit(Overload{
                 [&](const bridge::ServerConnected&) {
                   is_connecting_ = false;
                   is_connected_ = true;
                   last_sent_.reset();
                 },
                 [&](const bridge::ServerLine& e) { see_server(e.text, e.more); },
                 [&](const bridge::ServerClosed&) {
                   is_connecting_ = false;
                   is_connected_ = false;
                   more_lines_wait_ = false;
                   in_summary_ = in_position_ = false;
                   game_.reset();
                 },
                 [&](const bridge::EngineStarted& e) {
                   if (Engine& started = engine(e.engine);
                       e.engine == started.id && started.life == Life::asked_for) {
                     started.life = Life::alive;
                   }
                 },
                 [&](const bridge::EngineFailedToStart& e) {
                   lose_engine(e.engine);
                 },
                 [&](const bridge::EngineLine& e) {
                   if (Engine& speaker = engine(e.engine); e.engine == speaker.id) {
                     see_engine(speaker, e.text);
                   }
                 },
                 [](const bridge::EngineStderr&) {},
                 [&](const bridge::EngineExited& e) {
                   lose_engine(e.engine);
                 },
                 [](const bridge::EngineLink&) {},
                 [](const bridge::TimerFired&) {},
                 [](const bridge::StopRequested&) {},
                 [](const bridge::RecordWritten&) {},
                 [](const bridge::LinkMeasured&) {},
                 [](const bridge::ClockRecalled&) {},
                 [&](const bridge::BookAnswered& e) {
                   if (lookup_ && lookup_->number == e.number) {
                     lookup_.reset();
                   }
                 },
             },
             event);
}

void Referee::lose_engine(bridge::EngineId id) {
  if (Engine& lost = engine(id); id == lost.id) {
    lost = Engine{.id = id, .life = Life::over};
  }
}

void Referee::start_engine(bridge::EngineId id) {
  Engine& before = engine(id);
  if (before.life == Life::asked_for || before.life == Life::alive) {
    complain("another engine is started while its predecessor is alive");
  }
  if (id.launch != before.id.launch + 1) {
    complain("engine numbers do not count up");
  }
  before = Engine{.id = id, .life = Life::asked_for};
}

void Referee::see_server(const std::string& raw, bool more) {
  more_lines_wait_ = more;
  server_knows_password_ = server_knows_password_ || raw.find(password_) != std::string::npos;
  if (!is_password_public_) {
    config::BotConfig config;
    config.account.password = base::Secret(password_);
    is_password_public_ = bridge::Mask(config).heard(raw).find(password_) != std::string::npos;
  }
  if (!is_connected_) {
    return;
  }
  const std::string line = raw.ends_with('\r') ? raw.substr(0, raw.size() - 1) : raw;
  if (line == "BEGIN Game_Summary") {
    in_summary_ = true;
    in_position_ = false;
    if (!game_ || !game_->is_running) {
      game_ = Game{};
    }
    return;
  }
  if (in_summary_ && game_ && game_->is_running) {
    in_summary_ = line != "END Game_Summary";  // a block in mid-game says nothing about it
    return;
  }
  if (in_summary_ && line.starts_with("REJECT:")) {
    in_summary_ = in_position_ = false;  // broken off
  }
  if (in_summary_) {
    read_summary_line(line);
    return;
  }
  if (!game_) {
    return;
  }
  const bool goes_on = line == "END Reconnect_State" &&
                       login_.find(" reconnect:" + game_->id + "+") != std::string::npos;
  if (line.starts_with("START:") || goes_on) {
    game_->is_running = true;
  } else if (is_result(line) || (line.starts_with("REJECT:") && !game_->is_running)) {
    game_.reset();
  } else if (is_reason(line)) {
    // A result ought to follow; without one the game may go on.
    game_->is_doubted = game_->is_doubted || game_->is_running;
    game_->is_running = false;
  } else if ((game_->is_running || game_->is_doubted) && is_move_line(line)) {
    see_move(line);
  }
}

void Referee::see_move(const std::string& line) {
  game_->is_running = true;
  game_->is_doubted = false;
  const std::string move = line.substr(0, 7);
  const bool has_wrong_sign = game_->turn == game_->us && move.front() != game_->us &&
                              game_->sent.substr(0, 7) == game_->us + move.substr(1);
  const char mover = has_wrong_sign ? game_->us : move.front();
  if (mover != game_->us && begins_with_sign(game_->sent)) {
    game_->last[game_->us == '+' ? 0 : 1] = game_->sent.substr(0, 7);  // the reply confirms it
  }
  std::string& last = game_->last[mover == '+' ? 0 : 1];
  if (move == last) {
    return;  // it came twice
  }
  last = mover + move.substr(1);
  game_->turn = other(mover);
  game_->has_sent = false;
  game_->sent.clear();
}

void Referee::read_summary_line(const std::string& line) {
  if (line == "END Game_Summary") {
    in_summary_ = false;
  } else if (line.starts_with("Game_ID:")) {
    game_->id = line.substr(8);
  } else if (line.starts_with("Your_Turn:") && line.size() > 10) {
    game_->us = line[10];
  } else if (line.starts_with("BEGIN Position")) {
    in_position_ = true;
  } else if (line.starts_with("END Position")) {
    in_position_ = false;
  } else if (in_position_ && begins_with_sign(line)) {
    game_->turn = line.size() == 1 ? line.front() : other(line.front());
  }
}

void Referee::see_engine(Engine& engine, const std::string& line) {
  const usi::EngineMessage message = usi::parse_line(line);
  if (std::holds_alternative<usi::UsiOk>(message) && engine.usi_sent) {
    engine.is_identified = true;
  } else if (std::holds_alternative<usi::ReadyOk>(message) && engine.is_readying) {
    engine.is_readying = false;
    engine.is_ready = true;
  } else if (std::holds_alternative<usi::BestMove>(message) && engine.owed > 0) {
    --engine.owed;
    engine.is_pondering = false;
    engine.stop_sent = false;
  }
}

void Referee::judge(const bridge::Actions& actions, Millis at, std::optional<Millis> rings_at) {
  at_ = at;
  // Behind the exit's step the shell waits for records: only that one failed is told then.
  const bool had_exited = has_exited_;
  const auto is_told = [](const bridge::Action& action) {
    const auto* note = std::get_if<bridge::Note>(&action);
    const auto* counted = std::get_if<bridge::Occurred>(&action);
    return (note != nullptr && note->code == std::string_view("record_failed")) ||
           (counted != nullptr && counted->what == bridge::Incident::record_failed);
  };
  if (actions.size() > actions_a_step_max) {
    complain("a single step gave " + std::to_string(actions.size()) + " actions");
  }
  int armed = 0;
  for (const bridge::Action& action : actions) {
    if (has_exited_ && !(had_exited && is_told(action))) {
      complain("an action follows the exit");
    }
    std::visit(
        Overload{
            [&](const bridge::ConnectServer&) {
              if (is_connected_ || is_connecting_) {
                complain("a second connection is asked for");
              }
              is_connecting_ = true;
            },
            [&](const bridge::WriteServer& write) {
              judge_secrecy(write.log_as, "what is shown of a line");
              if (!write.line.starts_with("LOGIN ") && !server_knows_password_) {
                judge_secrecy(write.line, "a line that is no LOGIN");
              }
              judge_server(write.line);
            },
            [&](const bridge::CloseServer&) {
              is_connected_ = false;
              is_connecting_ = false;
              more_lines_wait_ = false;
              in_summary_ = false;
              in_position_ = false;
              game_.reset();
            },
            [&](const bridge::HoldLine&) {
              if (!is_connected_) {
                complain("a line is held that is not there");
              }
            },
            [&](const bridge::StartEngine& start) { start_engine(start.engine); },
            [&](const bridge::WriteEngine& write) {
              judge_secrecy(write.line, "a line to the engine");
              judge_engine(engine(write.engine), write);
            },
            [](const bridge::StopEngineAt&) {},
            [&](const bridge::KillEngine& kill) {
              lose_engine(kill.engine);
            },
            [&](const bridge::ArmTimer&) { ++armed; },
            [&](const bridge::BeginRecord& begin) {
              judge_secrecy(begin.stem + begin.text, "a record");
              if (record_is_open_) {
                complain("a record begins while another is open");
              }
              record_is_open_ = true;
            },
            [&](const bridge::AppendRecord& append) {
              judge_secrecy(append.text, "a record");
              if (!record_is_open_) {
                complain("something is added to no record");
              }
            },
            [&](const bridge::FinishRecord& finish) {
              for (const bridge::RecordFile& file : finish.files) {
                judge_secrecy(file.text, "a record");
              }
              if (!record_is_open_) {
                complain("a record is finished that was not begun");
              }
              record_is_open_ = false;
            },
            [&](const bridge::LookUpBook& look_up) {
              const bool is_on = game_ && (game_->is_running || game_->is_doubted);
              const bool is_our_turn = is_on && game_->turn == game_->us && !game_->has_sent;
              // A team asks it for the opponent's replies, too.
              const bool is_team = engines_[1].id.launch > 0;
              if (is_our_turn) {
                lookup_ = Lookup{look_up.number, at_};
              } else if (!is_on || !is_team) {
                complain("the book is asked when it is not our turn");
              }
            },
            [&](const bridge::RecallClock& recall) { judge_secrecy(recall.facts, "the facts of a clock"); },
            [&](const bridge::KeepClock& keep) { judge_secrecy(keep.facts, "the facts of a clock"); },
            [&](const bridge::Note& note) { judge_note(note); },
            [&](const bridge::IsFact auto& fact) { judge_fact(fact); },
            [](const bridge::ReportReady&) {},
            [](const bridge::PhaseChanged&) {},
            [&](const bridge::Exit&) {
              has_exited_ = true;
              if (record_is_open_) {
                complain("the exit leaves a record unfinished");
              }
              for (const Engine& left : engines_) {
                if (left.life == Life::asked_for || left.life == Life::alive) {
                  complain("the exit leaves an engine alive");
                }
              }
              if (is_connected_) {
                complain("the exit leaves the connection open");
              }
            },
        },
        action);
  }
  judge_told();
  if (armed > 1) {
    complain("the timer is armed twice in one step");
  }
  if (!has_exited_) {
    if (!rings_at) {
      complain("no timer is armed: nothing would wake the bot");
    }
    judge_turn(rings_at);
  }
}

void Referee::judge_server(const std::string& line) {
  if (!is_connected_) {
    complain("a line is written without a connection: " + line);
    return;
  }
  if (line.find('\n') != std::string::npos || line.find('\r') != std::string::npos) {
    complain("a line to the server holds a line end: " + line);
  }
  const bool is_blank = line.find_first_not_of(' ') == std::string::npos;
  if (is_blank && last_sent_ && at_ - *last_sent_ < keepalive_pause_min) {
    complain("a keepalive is sent within 30 s of the last line");
  }
  last_sent_ = at_;
  if (line.starts_with("LOGIN ")) {
    login_ = line;
  }
  if (line.starts_with("AGREE")) {
    if (!game_ || game_->is_agreed) {
      complain("AGREE without a summary, or twice");
    } else {
      game_->is_agreed = true;
    }
    if (std::none_of(engines_.begin(), engines_.end(), [](const Engine& engine) {
          return engine.is_ready && engine.owed == 0;
        })) {
      complain("AGREE while no engine is ready and idle");
    }
  }
  if (line == "LOGOUT" && game_ && game_->is_running) {
    complain("LOGOUT in mid-game, which shogi-server takes for a resignation");
  }
  if (!is_game_line(line)) {
    return;
  }
  if (line.front() == '%' && line != "%TORYO" && line != "%KACHI") {
    complain("a word that loses or means nothing: " + line);
  }
  if (!game_ || (!game_->is_running && !game_->is_doubted)) {
    complain("a game line outside of a game: " + line);
  } else if (game_->turn != game_->us) {
    complain("a game line out of turn: " + line);
  } else if (game_->has_sent) {
    complain("a second game line on one turn: " + line);
  } else {
    game_->has_sent = true;
    game_->sent = line;
  }
  if (begins_with_sign(line) && game_ && line.front() != game_->us) {
    complain("a move with the other side's sign: " + line);
  }
}

void Referee::judge_engine(Engine& engine, const bridge::WriteEngine& write) {
  const std::string& line = write.line;
  const auto is = [&](std::string_view word) {
    return line == word || line.starts_with(std::string(word) + " ");
  };
  if (write.engine != engine.id || engine.life != Life::alive) {
    complain("a line to an engine that is not there: " + line);
    return;
  }
  if (engine.quit_sent) {
    complain("a line behind quit: " + line);
  }
  const bool had_position = std::exchange(engine.position_sent, false);
  if (is("usi")) {
    if (engine.usi_sent) {
      complain("usi twice");
    }
    engine.usi_sent = true;
  } else if (is("quit")) {
    engine.quit_sent = true;
  } else if (is("setoption") || is("isready")) {
    if (!engine.is_identified || engine.owed > 0) {
      complain("out of place: " + line);
    }
    if (is("isready")) {
      engine.is_readying = true;
      engine.is_ready = false;
    }
  } else if (is("usinewgame") || is("position") || is("gameover")) {
    if (!engine.is_ready || engine.owed > 0) {
      complain("the engine is not ready, or owes a bestmove: " + line);
    }
    if (is("gameover") && !engine.in_game) {
      complain("a gameover without a game, or a second one");
    }
    engine.in_game = !is("gameover");
    engine.position_sent = is("position");
  } else if (is("go")) {
    if (!had_position) {
      complain("a go that does not follow its position");
    }
    if (!engine.is_ready || engine.owed > 0) {
      complain("the engine is not ready, or owes a bestmove: " + line);
    }
    if (step_has_more_lines_) {
      complain("a search begins while lines wait that may end the game");
    }
    ++engine.owed;
    engine.is_pondering = is("go ponder");
    engine.stop_sent = false;
  } else if (is("stop")) {
    if (engine.owed == 0 || engine.stop_sent) {
      complain("a stop without a search, or a second one");
    }
    engine.stop_sent = true;
  } else if (is("ponderhit")) {
    if (engine.owed == 0 || !engine.is_pondering || engine.stop_sent) {
      complain("a ponderhit without a running go ponder");
    }
    engine.is_pondering = false;
  } else {
    complain("an unknown word to the engine: " + line);
  }
}

void Referee::judge_note(const bridge::Note& note) {
  judge_told();
  if (note.level != bridge::Level::debug && codes_of_facts().contains(note.code)) {
    untold_ = note.code;
  }
  judge_secrecy(note.text.english(), "a note");
  judge_secrecy(note.code, "a note");
  for (const auto& [key, value] : note.fields) {
    judge_secrecy(key + value, "a note");
  }
}

/// Whoever acts upon a fact knows what people are told, and the other way round.
void Referee::judge_fact(const bridge::Fact& fact) {
  const auto incident = bridge::incident_of(fact);
  if (const std::string code = incident ? bridge::code_of(*incident) : "paired"; code != untold_) {
    complain("a fact is not beside its note: " + code);
  }
  untold_.clear();
  std::visit([&](const auto& one) { judge_secrecy(journal::encode(bridge::Action(one), 0), "a fact"); }, fact);
}

void Referee::judge_told() {
  if (!untold_.empty()) {
    complain("a note has no fact beside it: " + std::exchange(untold_, {}));
  }
}

void Referee::judge_secrecy(const std::string& text, const char* where) {
  if (!is_password_public_ && text.find(password_) != std::string::npos) {
    complain(std::string("the password stands in ") + where);
  }
}

void Referee::judge_turn(std::optional<Millis> rings_at) {
  if (!game_ || !game_->is_running || game_->has_sent ||
      game_->turn != game_->us || more_lines_wait_) {
    return;
  }
  // A go ponder that was told to stop has another search waiting behind it.
  const bool is_searching =
      std::any_of(engines_.begin(), engines_.end(), [](const Engine& engine) {
        return engine.owed > 0 && (!engine.is_pondering || engine.stop_sent);
      });
  const bool is_on_its_way = std::all_of(engines_.begin(), engines_.end(), [](const Engine& engine) {
    return engine.life != Life::alive || !engine.is_ready;
  });
  const bool is_looking_up = lookup_ && at_ - lookup_->asked_at < lookup_max;
  const bool is_left_pondering = std::any_of(engines_.begin(), engines_.end(), [](const Engine& engine) {
    return engine.life == Life::alive && engine.owed > 0 && engine.is_pondering && !engine.stop_sent;
  });
  if (is_left_pondering && !is_looking_up) {
    complain("our turn, and an engine still thinks ahead");
  }
  const bool is_rescued_soon = rings_at && *rings_at - at_ <= rescue_is_close;
  if (!is_searching && !is_on_its_way && !is_looking_up && !is_rescued_soon) {
    complain("our turn, an engine is ready, and nothing is searched");
  }
}

}  // namespace kakehashi::support
