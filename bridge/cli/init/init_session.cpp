#include "bridge/cli/init/init_session.hpp"

#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <system_error>
#include <utility>

#include "base/text.hpp"
#include "bridge/cli/create_file.hpp"
#include "bridge/cli/engine_probe.hpp"
#include "bridge/cli/init/dialogue.hpp"
#include "bridge/fleet/io/exit_status.hpp"

namespace kakehashi::bridge::cli {
namespace {

constexpr const char* proposed_server = "wdoor.c.u-tokyo.ac.jp";

/// ProtectHome= of the unit.
bool is_below_home(const std::string& program) {
  std::error_code failed;
  const std::string path = std::filesystem::weakly_canonical(program, failed).string();
  return path.starts_with("/home/") || path.starts_with("/root/") || path.starts_with("/run/user/");
}

}  // namespace

InitSession::InitSession(InitOptions options)
    : options_(std::move(options)), talks_(!options_.yes && is_dialogue_possible()) {
  auto& command = options_.answers.engine;
  command.insert(command.end(), options_.arguments.begin(), options_.arguments.end());
}

int InitSession::run() {
  try {
    settle("--server", "Server (HOST or HOST:PORT)", proposed_server, options_.answers.server,
           judge_server);
    settle("--name", "Name of the bot, as others see it", "", options_.answers.name, judge_name);
    settle_game();
    settle_service();
    settle_output();
    settle_trip();
    settle_engine();
    config::BotConfig config = config_of(options_.answers);
    config.account.password = trip_;
    if (options_.service) {
      // The unit hands it on, from a file that the bot's own user cannot read.
      config.account.password_file.clear();
      config.account.password_credential = trip_.empty() ? "" : "password";
    }
    if (!options_.untested) {
      try_server(config);
    }
    write(config);
    if (options_.service) {
      start_service();
    }
    return exit_ok;
  } catch (const Left& left) {
    return left.status;
  }
}

void InitSession::refuse(int status, const std::string& text) {
  std::cerr << "kakehashi: " << text << "; nothing was written\n";
  throw Left{status};
}

std::string InitSession::heard(std::optional<std::string> answer) {
  if (!answer) {
    std::cerr << '\n';
    refuse(exit_usage, "the questions were not all answered");
  }
  return std::move(*answer);
}

bool InitSession::heard(std::optional<bool> answer) {
  if (!answer) {
    std::cerr << '\n';
    refuse(exit_usage, "the questions were not all answered");
  }
  return *answer;
}

/// An answer from the command line must be right; one that is asked for is asked until it is.
void InitSession::settle(const char* flag, const char* question, const std::string& proposal,
            std::string& answer, const Judge& judge) const {
  const bool is_given = !answer.empty();
  if (!is_given && !talks_) {
    if (proposal.empty()) {
      refuse(exit_usage, std::string(flag) + " is needed where nobody can be asked");
    }
    answer = proposal;
  }
  for (;;) {
    if (answer.empty() && talks_) {
      answer = heard(ask(question, proposal));
    }
    const auto complaint = judge(answer);
    if (!complaint) {
      return;
    }
    if (is_given || !talks_) {
      refuse(exit_usage, std::string(flag) + ": " + *complaint);
    }
    std::cerr << "  " << *complaint << '\n';
    answer.clear();
  }
}

void InitSession::settle_game() {
  auto& game = options_.answers.game;
  const auto proposal = proposed_game(options_.answers.server);
  if (game && *game == "none") {
    game = "";
  }
  if (!game && !talks_) {
    game = proposal;
  }
  const bool is_given = game.has_value();
  for (;;) {
    if (!game) {
      const auto typed = heard(
          ask("Game, such as floodgate-300-10F (none: the organisers pair)",
              proposal.empty() ? "none" : proposal));
      game = typed == "none" ? "" : typed;
    }
    const auto complaint = judge_game(*game);
    if (!complaint) {
      return;
    }
    if (is_given) {
      refuse(exit_usage, "--game: " + *complaint);
    }
    std::cerr << "  " << *complaint << '\n';
    game.reset();
  }
}

void InitSession::settle_service() {
  const bool is_possible = ::access("/run/systemd/system", F_OK) == 0 && ::geteuid() == 0;
  if (!options_.service && talks_ && is_possible && options_.output.empty()) {
    options_.service = heard(ask_yes("Have systemd run it, now and whenever this machine starts?", false));
  } else if (options_.service && !is_possible) {
    refuse(exit_usage, ::geteuid() == 0 ? "--service needs systemd, which does not run here" : "--service needs root (sudo)");
  } else if (options_.service && !options_.output.empty()) {
    refuse(exit_usage, "--service has its own place for the configuration, below /etc/kakehashi: leave --output away");
  }
  if (options_.service) {
    options_.output = std::string(service_directory) + "/" + options_.answers.name + ".yaml";
  }
}

void InitSession::settle_output() {
  const bool is_given = !options_.output.empty();
  settle("--output", "Configuration file to create", options_.answers.name + ".yaml",
         options_.output, [&](const std::string& path) -> std::optional<std::string> {
           const auto complaint = judge_new_file(path);
           if (complaint && (is_given || !talks_)) {
             refuse(exit_cannot_create, *complaint);
           }
           return complaint;
         });
}

void InitSession::settle_engine() {
  auto& command = options_.answers.engine;
  const bool is_given = !command.empty();
  if (!is_given && !talks_) {
    refuse(exit_usage, "the engine's command is needed where nobody can be asked: give --engine "
                       "COMMAND, with its arguments last");
  }
  for (;;) {
    while (command.empty()) {
      command = words_of_command(heard(ask("Engine (its program, and arguments if any)", "")));
    }
    command = with_whole_path(std::move(command));
    if (options_.service && is_below_home(command.front())) {
      const std::string why = base::quote_for_log(command.front(), 400) +
                              " lies in a home directory, which a service does not see; move it, to /opt for example";
      if (!talks_ || is_given) {
        refuse(exit_unavailable, why);
      }
      std::cerr << "problem   " << why << '\n';
      command.clear();
      continue;
    }
    if (options_.untested || try_engine()) {
      return;
    }
    if (!talks_ || is_given) {
      refuse(exit_unavailable, "the engine is not available");
    }
    command.clear();
  }
}

bool InitSession::try_engine() {
  config::Engine engine;
  engine.command = options_.answers.engine;
  std::cerr << "engine    starting " << base::quote_for_log(engine.command.front(), 400)
            << " ..." << std::endl;
  auto probe = probe_engine(engine, false);
  if (probe.is_ready) {
    engine.options = proposed_options(probe.declared, this_machine());
    if (!engine.options.empty()) {
      probe = probe_engine(engine, false);
    }
  }
  if (!probe.is_ready) {
    std::cerr << "problem   " << probe.why << '\n';
    return false;
  }
  std::cerr << "engine    " << base::quote_for_log(probe.name) << ", ready after "
            << base::format_millis(probe.until_ready.count()) << '\n';
  for (const auto& [name, value] : engine.options) {
    std::cerr << "option    " << name << " = " << value.value_or("") << '\n';
  }
  options_.answers.options = std::move(engine.options);
  return true;
}

}  // namespace kakehashi::bridge::cli
