// Where the trip of a new configuration comes from: standard input, a file, or the keyboard.
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <utility>

#include "base/text.hpp"
#include "bridge/cli/create_file.hpp"
#include "bridge/cli/init/dialogue.hpp"
#include "bridge/cli/init/init_session.hpp"
#include "bridge/fleet/io/exit_status.hpp"
#include "config/io/read_secret.hpp"
#include "config/secrets.hpp"

namespace kakehashi::bridge::cli {

void InitSession::settle_trip() {
  auto& file = options_.answers.trip_file;
  const auto& game = *options_.answers.game;
  const auto made = std::filesystem::path(options_.output).replace_extension(".password").string();
  if (file == "-") {
    const base::Secret line(read_answer().value_or(""));
    const auto complaint = judge_trip(std::string(line.reveal()));
    if (complaint) {
      refuse(exit_config, "the trip on standard input " + *complaint);
    }
    file = made;
    is_trip_new_ = true;
  } else if (!file.empty() && (::access(file.c_str(), F_OK) == 0 || !talks_)) {
    read_trip_file();
  } else if (talks_) {
    ask_trip(made);
  } else if (needs_trip(game)) {
    refuse(exit_usage,
           "floodgate pairs only players with a trip, a secret word of your own choice: give "
           "--trip-file FILE, or - for standard input");
  } else if (game.empty()) {
    refuse(exit_usage, "without a game name the server needs a password: give --trip-file FILE, or "
                       "- for standard input");
  }
  if (options_.service) {
    is_trip_new_ = true;
    file = made;
  }
  trip_is_in_ = file;
  if (is_trip_new_ && judge_new_file(file)) {
    refuse(exit_cannot_create, base::quote_for_log(file, 400) +
                                   " exists, and nothing is overwritten: give it as --trip-file");
  }
}

void InitSession::read_trip_file() {
  config::Account account;
  account.password_file = options_.answers.trip_file;
  auto read = config::io::read_secret(account);
  if (!read.problem.empty()) {
    refuse(exit_config, "--trip-file: " + read.problem);
  }
  if (!read.warning.empty()) {
    std::cerr << "warning: " << read.warning << '\n';
  }
  if (const auto complaint =
          config::judge_password_with_game(read.secret, *options_.answers.game)) {
    refuse(exit_config, "--trip-file: " + *complaint);
  }
  trip_ = read.secret;
}

void InitSession::ask_trip(const std::string& made) {
  auto& file = options_.answers.trip_file;
  const bool may_be_empty = !needs_trip(*options_.answers.game) && !options_.answers.game->empty();
  for (;;) {
    const base::Secret typed(heard(ask_secret(
        needs_trip(*options_.answers.game)
            ? "Trip: a secret word of your own, always the same (it is not shown)"
            : may_be_empty ? "Password (it is not shown; empty: none)"
                           : "Password (it is not shown)")));
    if (typed.empty() && may_be_empty) {
      file.clear();
      return;
    }
    if (const auto complaint = judge_trip(std::string(typed.reveal()))) {
      std::cerr << "  It " << *complaint << ".\n";
      continue;
    }
    break;
  }
  if (file.empty()) {
    file = made;
  }
  is_trip_new_ = true;
}

/// Takes the trip when nothing is wrong with it.
std::optional<std::string> InitSession::judge_trip(const std::string& text) {
  auto password = config::read_password(text);
  if (!password) {
    return password.error().what;
  }
  const auto complaint =
      config::judge_password_with_game(*password, *options_.answers.game);
  if (!complaint) {
    trip_ = std::move(password).value();
  }
  return complaint;
}

}  // namespace kakehashi::bridge::cli
