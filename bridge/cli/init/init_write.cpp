// The end of `kakehashi init`: the server is called, then the files are written.
#include <unistd.h>

#include <iostream>

#include "bridge/cli/create_file.hpp"
#include "bridge/cli/init/dialogue.hpp"
#include "bridge/cli/init/init_session.hpp"
#include "bridge/cli/load_config.hpp"
#include "bridge/cli/login_probe.hpp"
#include "bridge/fleet/io/exit_status.hpp"

namespace kakehashi::bridge::cli {

void InitSession::try_server(const config::BotConfig& config) const {
  bool logs_in = options_.login;
  if (!logs_in && talks_) {
    logs_in = heard(ask_yes("Log in at the server, and out again at once?", false));
  }
  const auto probe = logs_in ? probe_login(config) : probe_connection(config);
  switch (probe.outcome) {
    case LoginProbe::Outcome::logged_in:
      std::cerr << "login     accepted by " << probe.peer << "; logged out again\n";
      return;
    case LoginProbe::Outcome::connected:
      std::cerr << "server    " << probe.peer << " answers\n";
      return;
    case LoginProbe::Outcome::in_use:
      std::cerr << "login     not tried: " << probe.why << " plays there with this account already\n";
      return;
    case LoginProbe::Outcome::refused:
      std::cerr << "problem   " << probe.why << '\n';
      go_on_or_leave(exit_refused);
      return;
    case LoginProbe::Outcome::unavailable:
      std::cerr << "problem   the server is not available: " << probe.why << '\n';
      go_on_or_leave(exit_unavailable);
      return;
  }
}

/// A server may be down tonight and there tomorrow; a person decides that.
void InitSession::go_on_or_leave(int status) const {
  if (!talks_ || !heard(ask_yes("Write the configuration nevertheless?", false))) {
    refuse(status, "the server could not be tried (--no-test goes without)");
  }
}

void InitSession::write(const config::BotConfig& config) const {
  const auto text = file_of(config);
  // The secret first: without it the configuration would be of no use.
  if (is_trip_new_) {
    const auto why =
        create_file(config.account.password_file, std::string(trip_.reveal()) + "\n", 0600);
    if (!why.empty()) {
      refuse(exit_cannot_create, why);
    }
  }
  if (const auto why = create_file(options_.output, text, 0644); !why.empty()) {
    forget_trip(config);
    refuse(exit_cannot_create, why);
  }
  if (!load_config(options_.output, config::io::Passwords::read)) {
    ::unlink(options_.output.c_str());
    forget_trip(config);
    refuse(exit_config, "these answers make no good configuration");
  }
  std::cerr << "written   " << options_.output << '\n';
  if (is_trip_new_) {
    std::cerr << "written   " << config.account.password_file << ", which only you can read\n";
  }
  std::cerr << "\nNext:\n  kakehashi check " << options_.output << "\n  kakehashi run "
            << options_.output << '\n';
}

void InitSession::forget_trip(const config::BotConfig& config) const {
  if (is_trip_new_) {
    ::unlink(config.account.password_file.c_str());
  }
}

}  // namespace kakehashi::bridge::cli
