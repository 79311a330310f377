#include "support/fake_server.hpp"

#include <utility>

#include "csa/message.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/usi.hpp"
#include "support/script.hpp"
#include "support/summary_block.hpp"

namespace kakehashi::support {

using base::Millis;

namespace {

constexpr Millis pause_before_a_game{2'000};
constexpr Millis thinking{700};

bool is_move(const std::string& line) {
  return (line.starts_with('+') || line.starts_with('-')) &&
         line.substr(0, line.find(',')).size() == 7;
}

}  // namespace

void FakeServer::complain(Millis at, const std::string& what) {
  complaints_.push_back(format_instant(at) + ": " + what);
}

void FakeServer::see(const bridge::Event& event, Millis at) {
  if (std::holds_alternative<bridge::ServerConnected>(event)) {
    is_connecting_ = false;
    is_connected_ = true;
  } else if (const auto* line = std::get_if<bridge::ServerLine>(&event)) {
    hear(line->text, at);
  } else if (std::holds_alternative<bridge::ServerClosed>(event)) {
    const std::vector<std::string> complaints = std::move(complaints_);
    const int refusals_left = refusals_left_;
    const int games = games_;
    *this = FakeServer();
    complaints_ = complaints;
    refusals_left_ = refusals_left;
    games_ = games;
  }
}

bool FakeServer::was_asked_back() const {
  return login_.find(" reconnect:" + table_->summary.game_id + "+") != std::string::npos;
}

/// What the server said, by itself or by the script.
void FakeServer::hear(const std::string& text, Millis at) {
  if (!is_connected_) {
    return;
  }
  quiet_since_ = at;
  const std::string line = text.ends_with('\r') ? text.substr(0, text.size() - 1) : text;
  if (line == "BEGIN Game_Summary") {
    reader_.emplace();
    is_waiting_ = false;
  }
  if (reader_ && line.starts_with("REJECT:")) {
    reader_.reset();  // broken off
  }
  if (reader_) {
    if (reader_->feed(line)) {
      const auto summary = reader_->finish();
      const bool is_running = table_ && table_->is_running;
      if (summary && !is_running) {
        table_ = Table{*summary, summary->position(), csa::GameClock(summary->times)};
        for (const csa::ListedMove& move : summary->moves) {
          table_->game_clock.charge(move.mover, move.consumed.value_or(Millis{0}));
        }
      }
      reader_.reset();
    }
    return;
  }
  if (line.starts_with("LOGIN:")) {
    owes_login_ = false;
    is_waiting_ = line.ends_with(" OK");
  } else if (line.starts_with("REJECT:") && !(table_ && table_->is_running)) {
    table_.reset();
    owes_reject_ = owes_start_ = false;
    is_waiting_ = true;
  } else if (line.starts_with("LOGOUT:")) {
    owes_logout_ = false;
    owes_close_ = true;
  } else if (table_ && (line.starts_with("START:") || (line == "END Reconnect_State" && was_asked_back()))) {
    table_->is_running = true;
    is_waiting_ = false;
    table_->turn_started = at;
    owes_start_ = false;
  } else if (table_ && (line == "#WIN" || line == "#LOSE" || line == "#DRAW")) {
    table_.reset();
    is_waiting_ = true;  // a bot that stays connected gets its next game here
  } else if (table_ && line.starts_with("#") && !line.starts_with("##")) {
    table_->is_ending = true;
  } else if (table_ && table_->is_running && is_move(line)) {
    const std::size_t comma = line.find(',');
    play(line.substr(0, comma),
         comma == std::string::npos ? std::nullopt : csa::parse_consumed(line.substr(comma + 1)),
         at);
  }
}

void FakeServer::play(const std::string& text, std::optional<Millis> consumed, Millis at) {
  const auto sign = [&] { return shogi::csa::sign(table_->position.side_to_move()); };
  if (text.front() != sign() && table_->sent.starts_with(sign())) {
    play(table_->sent.substr(0, 7), std::nullopt, at);  // the reply stands for its echo
  }
  if (text.front() != sign()) {
    return;  // it came twice
  }
  table_->sent.clear();
  const auto move = shogi::csa::parse_move(table_->position, text);
  if (!move || !table_->position.can_play(*move)) {
    table_->is_followed = false;
    return;
  }
  table_->game_clock.charge(table_->position.side_to_move(), consumed.value_or(Millis{0}));
  table_->position.play(*move);
  table_->turn_started = at;
}

void FakeServer::see(const bridge::Actions& actions, Millis at) {
  for (const bridge::Action& action : actions) {
    if (std::holds_alternative<bridge::ConnectServer>(action)) {
      is_connecting_ = true;
    } else if (std::holds_alternative<bridge::CloseServer>(action)) {
      see(bridge::Event{bridge::ServerClosed{}}, at);
    } else if (const auto* write = std::get_if<bridge::WriteServer>(&action)) {
      take(write->line, at);
    }
  }
}

/// What the bot said.
void FakeServer::take(const std::string& line, Millis at) {
  if (line.starts_with("LOGIN ")) {
    login_ = line;
    owes_login_ = true;
  } else if (line.starts_with("AGREE")) {
    owes_start_ = true;
  } else if (line.starts_with("REJECT")) {
    owes_reject_ = true;
  } else if (line == "LOGOUT") {
    owes_logout_ = true;
  } else if (table_ && !line.empty()) {
    table_->sent = line;
    table_->sent_at = at;
  }
}

std::optional<bridge::Event> FakeServer::die() const {
  using How = bridge::ServerClosed::How;
  if (is_connected_) {
    return bridge::ServerClosed{How::broken, base::verbatim("Connection reset by peer")};
  }
  if (is_connecting_) {
    return bridge::ServerClosed{How::refused, base::verbatim("Connection refused")};
  }
  return std::nullopt;
}

std::optional<bridge::Event> FakeServer::act(Millis at) {
  using How = bridge::ServerClosed::How;
  if (is_connecting_) {
    if (refusals_left_ == 2) {
      --refusals_left_;
      return bridge::ServerClosed{How::refused, base::verbatim("Connection refused")};
    }
    return bridge::ServerConnected{base::verbatim("192.0.2.1:4081")};
  }
  if (!is_connected_) {
    return std::nullopt;
  }
  if (owed_.empty()) {
    owe_game(at);
  }
  if (!owed_.empty()) {
    bridge::ServerLine line = std::move(owed_.front());
    owed_.pop_front();
    return line;
  }
  if (std::exchange(owes_close_, false)) {
    return bridge::ServerClosed{How::eof, base::verbatim("end of file")};
  }
  return std::nullopt;
}

void FakeServer::owe_game(Millis at) {
  if (reader_ && at - quiet_since_ >= pause_before_a_game) {
    reader_.reset();  // half a summary: a whole one follows
    is_waiting_ = true;
  }
  if (owes_login_) {
    const bool refuses = refusals_left_ == 1;
    refusals_left_ = 0;
    owe(refuses ? "LOGIN:incorrect" : "LOGIN:mybot OK");
  } else if (owes_logout_) {
    owe("LOGOUT:completed");
  } else if (owes_reject_) {
    owe("REJECT:any by mybot");
  } else if (owes_start_ && table_ && !table_->is_running) {
    owe("START:" + table_->summary.game_id);
  } else if (is_waiting_ && at - quiet_since_ >= pause_before_a_game) {
    ++games_;
    const auto block = write_summary_block(
        "id=twin+" + std::to_string(games_) + " total=20 increment=3 your_turn=" +
        (games_ % 2 == 1 ? "-" : "+"));
    for (const std::string& line : block.value()) {
      owe(line, line != block->back());
    }
  } else if (table_ && table_->is_running) {
    answer_move(at);
  }
}

void FakeServer::end_game(const char* reason, const char* result) {
  owe(reason, true);
  owe(result);
}

void FakeServer::answer_move(Millis at) {
  Table& table = *table_;
  const shogi::Color us = table.summary.our_color;
  const shogi::Color mover = table.position.side_to_move();
  if (table.is_ending || !table.is_followed) {
    if (at - quiet_since_ > Millis{10'000}) {
      owe("#CHUDAN");  // whatever it was, it ends here
    }
    return;
  }
  if (mover != us) {
    const std::vector<shogi::Move> moves = shogi::legal_moves(table.position);
    if (moves.empty()) {
      end_game("#RESIGN", "#WIN");
    } else if (at - table.turn_started >= thinking) {
      ++table.plies;
      owe(shogi::csa::format_move(table.position, moves[moves.size() / 2]) + ",T1");
    }
    return;
  }
  const auto budget = table.game_clock.budget(us);
  const Millis until = table.sent.empty() ? at : table.sent_at;
  if (budget && until - table.turn_started >= *budget) {
    complain(at, "our flag fell: " + std::to_string((until - table.turn_started).count()) +
                     " ms of " + std::to_string(budget->count()) + " ms");
    end_game("#TIME_UP", "#LOSE");
    return;
  }
  if (table.sent.empty()) {
    return;
  }
  if (table.sent == "%TORYO") {
    owe("%TORYO", true);
    end_game("#RESIGN", "#LOSE");
    return;
  }
  if (table.sent == "%KACHI") {
    end_game("#JISHOGI", "#WIN");
    return;
  }
  const std::string text = table.sent.substr(0, 7);
  const auto move = shogi::csa::parse_move(table.position, text);
  if (!move || !shogi::is_legal(table.position, *move)) {
    complain(at, "an illegal move was sent: " + table.sent + " on " +
                     shogi::usi::format_sfen(table.position));
    end_game("#ILLEGAL_MOVE", "#LOSE");
    return;
  }
  ++table.plies;
  const bool is_last = table.plies >= plies_max;
  const auto seconds = (table.sent_at - table.turn_started).count() / 1000;
  owe(text + ",T" + std::to_string(seconds), is_last);
  if (is_last) {
    end_game("#MAX_MOVES", "#CENSORED");
  }
}

}  // namespace kakehashi::support
