// The words a client may say: those of the protocol and shogi-server's own "%%" commands.
#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "rehearsal/server.hpp"

namespace kakehashi::rehearsal {
namespace {

std::string not_in_status(const Session& session, const char* command, const char* valid) {
  return std::string("you are in ") + status_word(session.status) + " status. " + command +
         " is valid in " + valid + " status";
}

/// '+', '-': a colour; '*': either. Nothing on anything else.
std::optional<ColorWish> parse_turn(std::string_view text) {
  if (text == "*") {
    return ColorWish();
  }
  if (text == "+") {
    return ColorWish(shogi::Color::black);
  }
  if (text == "-") {
    return ColorWish(shogi::Color::white);
  }
  return std::nullopt;
}

/// A move, a declaration or a resignation by its looks: judged, or kept until the turn comes.
bool is_for_the_board(std::string_view line) {
  return line.size() >= 2 && line[1] != '%' &&
         (line[0] == '+' || line[0] == '-' || line[0] == '%');
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r\v\f") == std::string_view::npos;
}

}  // namespace

void Server::command(Session& session, const std::string& line) {
  if (line.empty()) {
    send(session.id, "");
    poll(session);
  } else if (line == " ") {
    poll(session);
  } else if (is_for_the_board(line)) {
    play(session, line);
  } else if (line.starts_with("AGREE") || line.starts_with("REJECT")) {
    if (session.status != Status::agree_waiting) {
      // The word is AGREE for a REJECT too.
      send_error(session, not_in_status(session, "AGREE", "agree_waiting"));
    } else if (line.starts_with("AGREE")) {
      agree(session);
    } else {
      reject(session);
    }
  } else if (line.starts_with("LOGOUT")) {
    log_out(session);
  } else if (line.starts_with("CHALLENGE")) {
    // Only for clients of the association's test server: it means nothing here.
    send(session.id, "CHALLENGE ACCEPTED");
  } else if (line.starts_with("%%") && !line.starts_with("%%%")) {
    extended_command(session, line);
  } else if (!is_blank(line) && !line.starts_with("%%%")) {
    send_error(session, "unknown command: " + line);
  }
}

void Server::log_out(Session& session) {
  const auto id = session.id;
  send(id, "LOGOUT:completed");
  close(id);
}

void Server::extended_command(Session& session, const std::string& line) {
  const auto words = base::split_words(line);
  const auto word = words[0];
  const bool has_argument = words.size() >= 2;
  if (word == "%%GAME" || word == "%%CHALLENGE") {
    game_command(session, words);
  } else if ((word == "%%SETBUOY" && words.size() >= 3) ||
             ((word == "%%DELETEBUOY" || word == "%%GETBUOYCOUNT") && has_argument)) {
    buoy_command(session, words);
  } else if (word == "%%CHAT" && has_argument) {
    chat(session, line.substr(static_cast<std::size_t>(words[1].data() - line.data())));
  } else if (word.starts_with("%%MONITOR") && has_argument) {
    watch_command(session, words[0], words[1]);
  } else if (word == "%%HELP") {
    send(session.id,
         "##[HELP] available commands \"%%WHO\", \"%%CHAT str\", \"%%GAME game_name +\", "
         "\"%%GAME game_name -\"");
  } else if (!look_command(session, words)) {
    send_error(session, "unknown command: " + line);
  }
}

/// CSA-mode clients are spared what they do not expect.
void Server::chat(const Session& session, const std::string& message) {
  for (const auto* player : players()) {
    if (player->form != LoginForm::csa) {
      send(player->id, "##[CHAT][" + session.name + "] " + message);
    }
  }
}

void Server::game_command(Session& session, const std::vector<std::string_view>& words) {
  const bool may_wait =
      session.status == Status::connected || session.status == Status::game_waiting;
  if (words.size() >= 2 && !parse_game_name(words[1])) {
    send_error(session, "bad game name");
  } else if (!may_wait) {
    send_error(session, not_in_status(session, "GAME", "connected or game_waiting"));
  } else if (words.size() == 1) {
    stop_waiting(session);
  } else if (const auto turn = words.size() == 3 ? parse_turn(words[2]) : std::nullopt; turn) {
    wait_for_game(session, {*parse_game_name(words[1]), *turn}, words[0] == "%%CHALLENGE");
  } else {
    send_error(session, "A turn identifier is required");
  }
}

void Server::buoy_command(Session& session, const std::vector<std::string_view>& words) {
  std::optional<std::string> problem;
  if (words[0] == "%%SETBUOY") {
    problem = buoys_.set(words[1], words[2], words.size() > 3 ? words[3] : "", session.name);
  } else if (words[0] == "%%DELETEBUOY") {
    problem = buoys_.remove(words[1], session.name);
  } else {
    send(session.id, "##[GETBUOYCOUNT] " + std::to_string(buoys_.count(words[1])));
  }
  if (problem) {
    send_error(session, *problem);
  } else {
    send(session.id, "##[" + std::string(words[0].substr(2)) + "] +OK");
  }
}

}  // namespace kakehashi::rehearsal
