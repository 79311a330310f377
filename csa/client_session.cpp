#include "csa/client_session.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"
#include "base/overload.hpp"
#include "base/text.hpp"

namespace kakehashi::csa {

using base::quoted;
using base::say;
using base::SteadyTime;
using Events = std::vector<SessionEvent>;

const char* describe(Outcome outcome) {
  switch (outcome) {
    case Outcome::win: return "win";
    case Outcome::lose: return "lose";
    case Outcome::draw: return "draw";
    case Outcome::none: return "no result";
  }
  return "no result";
}

namespace {

Remark remark(Remark::Weight weight, base::Message text) {
  return {weight, std::move(text)};
}

/// The words that always decide a game.
std::optional<Outcome> outcome_of(std::string_view word) {
  if (word == "#WIN") {
    return Outcome::win;
  }
  if (word == "#LOSE") {
    return Outcome::lose;
  }
  return word == "#DRAW" ? std::optional(Outcome::draw) : std::nullopt;
}

/// The words by which servers announce an end, the results included. Any other line with a number
/// sign may say anything ("#NOTICE …"), and ends nothing.
bool announces_end(std::string_view word) {
  static constexpr std::array<std::string_view, 14> words{
      "#WIN",         "#LOSE",           "#DRAW",           "#RESIGN",     "#TIME_UP",
      "#ILLEGAL_MOVE", "#ILLEGAL_ACTION", "#SENNICHITE",     "#OUTE_SENNICHITE", "#JISHOGI",
      "#MAX_MOVES",   "#CENSORED",       "#ABNORMAL",       "#CHUDAN"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// No summary holds such a line: the server has broken off the one before.
bool is_never_in_summary(std::string_view line) {
  line = base::trim(line);
  return line == "BEGIN Game_Summary" || announces_end(line) || line.starts_with("START:") ||
         line.starts_with("REJECT:") || line.starts_with("LOGOUT:");
}

std::string with_game_id(std::string_view answer, const std::string& game_id) {
  // The id is the server's own text: a carriage return in it would end our line.
  const bool is_sendable = !game_id.empty() && !base::has_control_byte(game_id);
  return is_sendable ? std::string(answer) + " " + game_id : std::string(answer);
}

}  // namespace

// --- one game

void PlayedGame::on_move(MoveConfirmed confirmed, Events& events) {
  // No side makes the same move twice running: the piece is gone from there.
  if (confirmed.move == last_move_of(confirmed.mover)) {
    events.emplace_back(
        remark(Remark::Weight::warn, say("a move came twice and is played once: {}", quoted(confirmed.move))));
    return;
  }
  if (std::exchange(is_ending_, false)) {
    events.emplace_back(GameGoesOn{reason_});
  }
  reason_.clear();
  unknown_word_.clear();
  silence_.reset();
  settle_missing_echo(confirmed, events);
  last_move_of(confirmed.mover) = confirmed.move;
  MovePlayed played{confirmed.mover, std::move(confirmed.move),
                    confirmed.consumed.value_or(base::Millis{0})};
  played.is_ours = confirmed.mover == our_color_;
  played.comment = std::move(confirmed.comment);
  played.differs_from_sent = played.is_ours && !sent_.empty() && sent_ != played.move;
  sent_.clear();  // whatever was sent, another turn begins
  turn_ = shogi::opposite(confirmed.mover);
  events.emplace_back(std::move(played));
}

/// A move was sent, and the next one that the server tells is not of our color.
void PlayedGame::settle_missing_echo(MoveConfirmed& confirmed, Events& events) {
  if (turn_ != our_color_ || confirmed.mover == our_color_ || sent_.empty() || sent_.starts_with('%')) {
    return;
  }
  // Nobody can move from the square that a move has just left, or drop where one stands: it is ours.
  if (std::string_view(confirmed.move).substr(1) == std::string_view(sent_).substr(1)) {
    events.emplace_back(
        remark(Remark::Weight::warn, say("our move came back as the opponent's: {}", quoted(confirmed.move))));
    confirmed.mover = our_color_;
    confirmed.move = sent_;
    return;
  }
  events.emplace_back(
      remark(Remark::Weight::warn, say("our move {} was not confirmed; the reply shows that it stands", sent_)));
  MovePlayed ours{our_color_, sent_};
  ours.is_ours = true;
  ours.is_unechoed = true;
  ours.reply_took = confirmed.consumed;
  events.emplace_back(std::move(ours));
  last_move_of(our_color_) = std::exchange(sent_, {});
}

std::optional<GameEnd> PlayedGame::on_result(std::string word, SteadyTime now, Events& events) {
  if (!announces_end(word)) {
    events.emplace_back(remark(Remark::Weight::info, say("a word that ends no game: {}", quoted(word))));
    unknown_word_ = std::move(word);
    return std::nullopt;
  }
  const bool may_stand_alone = word == "#CENSORED" || word == "#ABNORMAL";
  if (!std::exchange(is_ending_, true)) {
    events.emplace_back(GameEnding{word, may_stand_alone});
  }
  silence_.reset();
  if (const auto outcome = outcome_of(word)) {
    return GameEnd{*outcome, reason_.empty() ? unknown_word_ : reason_, std::move(word)};
  }
  if (word == "#CENSORED" && !reason_.empty()) {
    // shogi-server's second line after #MAX_MOVES: a draw for both.
    return GameEnd{Outcome::draw, reason_, std::move(word)};
  }
  if (word == "#CHUDAN") {
    return GameEnd{Outcome::none, std::move(word), {}};
  }
  // Tabia sends #CENSORED as a reason before #WIN; #ABNORMAL may stand alone or not. Silence
  // decides. Other reasons are followed by a result; a server that forgets it has ended the game
  // all the same.
  reason_ = std::move(word);
  silence_ = now + (may_stand_alone ? silence_grace : result_patience);
  return std::nullopt;
}

std::optional<GameEnd> PlayedGame::on_silence(SteadyTime now) {
  return silence_ && now >= *silence_ ? std::optional(decide_by_silence()) : std::nullopt;
}

void PlayedGame::doubt_end() {
  is_ending_ = false;
  silence_.reset();
}

GameEnd PlayedGame::decide_by_silence() const {
  // A lone #CENSORED is a draw or no result; a lone #ABNORMAL is no result.
  return {reason_ == "#CENSORED" ? Outcome::draw : Outcome::none, reason_, {}};
}

GameEnd PlayedGame::on_closed(Events& events) {
  if (!std::exchange(is_ending_, true)) {
    events.emplace_back(GameEnding{});
  }
  return decide_by_silence();
}

void PlayedGame::note_sent(std::string_view word, SteadyTime now) {
  sent_ = word;
  if (!reason_.empty()) {
    silence_ = now + result_patience;  // the end was doubted: now the server has the word
  }
}

// --- the session

ClientSession::State ClientSession::state() const {
  return std::visit(base::Overload{[](const Connected&) { return State::connected; },
                                   [](const LoggingIn&) { return State::logging_in; },
                                   [](const Refused&) { return State::refused; },
                                   [](const Waiting&) { return State::waiting; },
                                   [](const Offered& game) { return game.is_agreed ? State::agreed : State::summary; },
                                   [](const PlayedGame&) { return State::playing; },
                                   [](const Ended&) { return State::ended; }},
                    phase_);
}

Events ClientSession::on_line(std::string_view line, SteadyTime now) {
  last_heard_ = now;
  if (reader_) {
    return on_summary_line(line, now);
  }
  if (resume_) {
    return on_resume_line(line);
  }
  const auto* offered = std::get_if<Offered>(&phase_);
  const bool may_resume =
      offered != nullptr && !offered->is_agreed && !asked_back_.empty() && offered->game_id == asked_back_;
  if (may_resume && line.starts_with(ResumeReader::begin)) {
    resume_ = Resuming{ResumeReader(), *offered};
    return {};
  }
  Events events;
  ServerMessage message = parse_line(line);
  std::visit(
      base::Overload{
          [](Blank&) {},
          [&](LoginAccepted& accepted) { on_login_accepted(std::move(accepted), events); },
          [&](LoginRefused& refused) { on_login_refused(std::move(refused), events); },
          [&](LogoutCompleted&) { events.emplace_back(LoggedOut{}); },
          [&](ChallengeAccepted&) {
            events.emplace_back(remark(Remark::Weight::debug, say("the server accepts the challenge")));
          },
          [&](SummaryBegins&) { on_summary_begins(line, events); },
          [&](GameStarts& start) { on_start(std::move(start), events); },
          [&](GameRejected& rejected) { on_rejected(std::move(rejected), events); },
          [&](MoveConfirmed& confirmed) { on_move(std::move(confirmed), events); },
          [&](SpecialMove& special) {
            if (game() != nullptr) {
              events.emplace_back(SpecialPlayed{std::move(special.word), special.consumed});
            }
          },
          [&](ResultWord& result) { on_result(std::move(result.word), now, events); },
          [&](Extended& extended) {
            events.emplace_back(remark(extended.is_error ? Remark::Weight::warn : Remark::Weight::debug,
                                       say("the server says {}", quoted(line))));
          },
          [&](Unknown&) {
            events.emplace_back(remark(Remark::Weight::info, say("a line that means nothing here: {}", quoted(line))));
          },
      },
      message);
  return events;
}

void ClientSession::on_login_accepted(LoginAccepted accepted, Events& events) {
  if (!std::holds_alternative<LoggingIn>(phase_)) {
    events.emplace_back(remark(Remark::Weight::info, say("a second answer to LOGIN")));
    return;
  }
  phase_ = Waiting{};
  events.emplace_back(LoggedIn{std::move(accepted.name)});
}

void ClientSession::on_login_refused(LoginRefused refused, Events& events) {
  if (!std::holds_alternative<LoggingIn>(phase_)) {
    events.emplace_back(remark(Remark::Weight::info, say("LOGIN:incorrect without a LOGIN")));
    return;
  }
  phase_ = Refused{};
  events.emplace_back(LoginFailed{std::move(refused.detail), refused.retry_after});
}

void ClientSession::on_summary_begins(std::string_view line, Events& events) {
  if (std::holds_alternative<Offered>(phase_)) {
    events.emplace_back(remark(Remark::Weight::warn, say("another game summary comes before the last one is settled")));
  } else if (!may_take_summary()) {
    events.emplace_back(remark(Remark::Weight::warn, say("a game summary came out of place")));
  }
  reader_.emplace();
  static_cast<void>(reader_->feed(line));
}

bool ClientSession::may_take_summary() const {
  // A server that offers another game has forgotten the one that nobody answered.
  return std::holds_alternative<Waiting>(phase_) || std::holds_alternative<Ended>(phase_) ||
         std::holds_alternative<Offered>(phase_);
}

Events ClientSession::on_summary_line(std::string_view line, SteadyTime now) {
  // Chatter may come at any moment, between the lines of a summary too.
  if (line.starts_with('#') && !is_never_in_summary(line)) {
    return {remark(Remark::Weight::debug, say("the server says {}", quoted(line)))};
  }
  if (is_never_in_summary(line)) {
    reader_.reset();
    Events events{remark(Remark::Weight::warn, say("a game summary is broken off by {}", quoted(line)))};
    for (SessionEvent& event : on_line(line, now)) {
      events.push_back(std::move(event));
    }
    return events;
  }
  if (!reader_->feed(line)) {
    return {};
  }
  const SummaryReader reader = *std::exchange(reader_, std::nullopt);
  if (!may_take_summary()) {
    return {};
  }
  auto& offered = phase_.emplace<Offered>();
  base::Result<GameSummary> summary = reader.finish();
  offered.game_id = reader.game_id();
  if (!summary) {
    return {SummaryUnusable{offered.game_id, summary.error().what}};
  }
  offered.our_color = summary->our_color;
  offered.turn = summary->position().side_to_move();
  return {SummaryReceived{std::move(*summary)}};
}

Events ClientSession::on_resume_line(std::string_view line) {
  if (!resume_->reader.feed(line)) {
    return {};
  }
  const Resuming resumed = *std::exchange(resume_, std::nullopt);
  ResumeState state = resumed.reader.state();
  asked_back_.clear();
  // Moves are made on a position: who is to move there moves, whatever else was said.
  const shogi::Color turn = resumed.game.turn;
  phase_ = PlayedGame(resumed.game.our_color, turn);
  Events events;
  if (state.turn.value_or(turn) != turn) {
    events.emplace_back(
        remark(Remark::Weight::warn, say("Current_Turn contradicts the position of the summary, which is followed")));
  }
  events.emplace_back(GameResumed{state});
  return events;
}

void ClientSession::on_start(GameStarts start, Events& events) {
  const auto* offered = std::get_if<Offered>(&phase_);
  if (offered == nullptr) {
    events.emplace_back(remark(Remark::Weight::warn, say("START came without a game summary")));
    return;
  }
  if (!offered->game_id.empty() && start.game_id != offered->game_id) {
    events.emplace_back(remark(Remark::Weight::info, say("START names another game, {}", quoted(start.game_id))));
  }
  phase_ = PlayedGame(offered->our_color, offered->turn);
  events.emplace_back(GameStarted{std::move(start.game_id)});
}

void ClientSession::on_rejected(GameRejected rejected, Events& events) {
  if (!std::holds_alternative<Offered>(phase_) && !std::holds_alternative<Waiting>(phase_)) {
    events.emplace_back(remark(Remark::Weight::info, say("REJECT came out of place")));
    return;
  }
  phase_ = Waiting{};
  events.emplace_back(AgreementRejected{std::move(rejected.game_id), std::move(rejected.by)});
}

void ClientSession::on_move(MoveConfirmed confirmed, Events& events) {
  if (auto* played = game(); played != nullptr) {
    played->on_move(std::move(confirmed), events);
  } else {
    events.emplace_back(remark(Remark::Weight::info, say("a move came when no game is played")));
  }
}

void ClientSession::on_result(std::string word, SteadyTime now, Events& events) {
  if (auto* played = game(); played != nullptr) {
    end(played->on_result(std::move(word), now, events), events);
  } else {
    events.emplace_back(remark(Remark::Weight::debug, say("a result after the game: {}", quoted(word))));
  }
}

void ClientSession::end(std::optional<GameEnd> how, Events& events) {
  if (how) {
    phase_ = Ended{};
    events.emplace_back(GameEnded{std::move(*how)});
  }
}

std::optional<SteadyTime> ClientSession::silence_deadline() const {
  return game() != nullptr ? game()->silence_deadline() : std::nullopt;
}

Events ClientSession::on_silence(SteadyTime now) {
  Events events;
  if (auto* played = game(); played != nullptr) {
    end(played->on_silence(now), events);
  }
  return events;
}

void ClientSession::doubt_end() {
  if (auto* played = game(); played != nullptr) {
    played->doubt_end();
  }
}

void ClientSession::follow_turn(shogi::Color turn) {
  if (auto* played = game(); played != nullptr) {
    played->follow_turn(turn);
  }
}

Events ClientSession::on_closed() {
  Events events;
  reader_.reset();
  if (auto* played = game(); played != nullptr) {
    end(played->on_closed(events), events);
  }
  return events;
}

// What the session sends, and when it may.

std::string ClientSession::sent(std::string line, SteadyTime now) {
  last_sent_ = now;
  return line;
}

/// `word` alone, which is sent on our turn.
std::string ClientSession::sent_on_turn(std::string_view word, SteadyTime now) {
  KAKEHASHI_CHECK(may_send_move(), "a move, %TORYO or %KACHI is sent on our turn, once");
  game()->note_sent(word, now);
  return sent(std::string(word), now);
}

std::string ClientSession::login(std::string_view name, std::string_view password, SteadyTime now,
                                 std::string_view mode) {
  KAKEHASHI_CHECK(state() == State::connected, "LOGIN is the first line and is sent once");
  phase_ = LoggingIn{};
  // Room for all of it: growing would leave copies of the password behind in freed memory.
  std::string line;
  line.reserve(std::string_view("LOGIN   ").size() + name.size() + password.size() + mode.size() + 1);
  line.append("LOGIN ").append(name).append(" ").append(password).append(mode.empty() ? "" : " ").append(mode);
  return sent(std::move(line), now);
}

std::string ClientSession::login_again(std::string_view name, std::string_view password,
                                       std::string_view game_id, std::string_view token,
                                       SteadyTime now) {
  asked_back_ = game_id;
  return login(name, password, now, "reconnect:" + std::string(game_id) + "+" + std::string(token));
}

std::string ClientSession::ask(std::string_view request, SteadyTime now) {
  KAKEHASHI_CHECK(state() == State::waiting || state() == State::ended,
                  "a game is asked for while there is none");
  return sent(std::string(request), now);
}

std::string ClientSession::agree(SteadyTime now) {
  KAKEHASHI_CHECK(state() == State::summary, "AGREE answers a game summary");
  auto& offered = std::get<Offered>(phase_);
  offered.is_agreed = true;
  return sent(with_game_id("AGREE", offered.game_id), now);
}

std::string ClientSession::reject(SteadyTime now) {
  KAKEHASHI_CHECK(state() == State::summary, "REJECT answers a game summary");
  const auto offered = std::get<Offered>(std::exchange(phase_, Waiting{}));
  return sent(with_game_id("REJECT", offered.game_id), now);
}

std::string ClientSession::logout(SteadyTime now) {
  KAKEHASHI_CHECK(state() == State::waiting || state() == State::ended,
                  "LOGOUT is sent while waiting for a game");
  return sent("LOGOUT", now);
}

std::string ClientSession::move(std::string_view move, std::string_view comment, SteadyTime now) {
  std::string line = sent_on_turn(move, now);
  if (!comment.empty()) {
    line += ',';
    for (const char c : comment) {
      // A comma would end the comment, and a control byte might end the line.
      if (c >= 0x20 && c < 0x7F && c != ',') {
        line += c;
      }
    }
    if (line.size() > line_bytes_max) {
      line.resize(line_bytes_max);
      line.resize(std::min(line.size(), line.find_last_of(' ')));
    }
  }
  return line;
}

std::string ClientSession::resign(SteadyTime now) { return sent_on_turn("%TORYO", now); }

std::string ClientSession::declare(SteadyTime now) { return sent_on_turn("%KACHI", now); }

bool ClientSession::may_send_move() const { return game() != nullptr && game()->may_send(); }

bool ClientSession::is_echo_owed() const { return game() != nullptr && game()->is_echo_owed(); }

std::optional<shogi::Color> ClientSession::turn() const {
  return game() != nullptr ? std::optional(game()->turn()) : std::nullopt;
}

std::optional<SteadyTime> ClientSession::keepalive_due(base::Seconds interval) const {
  const bool is_logged_in =
      state() != State::connected && state() != State::logging_in && state() != State::refused;
  if (!is_logged_in || !last_sent_) {
    return std::nullopt;
  }
  const SteadyTime last = std::max(*last_sent_, last_heard_.value_or(*last_sent_));
  return last + std::max(interval, keepalive_interval_min);
}

std::string ClientSession::keepalive(SteadyTime now) { return sent("", now); }

}  // namespace kakehashi::csa
