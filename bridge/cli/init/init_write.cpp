// The end of `kakehashi init`: the server is called, then the files are written.
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string_view>
#include <system_error>

#include "bridge/cli/create_file.hpp"
#include "bridge/cli/init/dialogue.hpp"
#include "bridge/cli/init/init_session.hpp"
#include "bridge/cli/load_config.hpp"
#include "bridge/cli/login_probe.hpp"
#include "bridge/cli/run_command.hpp"
#include "bridge/fleet/io/exit_status.hpp"

namespace kakehashi::bridge::cli {
namespace {

constexpr const char* unit_file = "kakehashi@.service";

/// The first that nobody listens on: several services on one machine each have their page.
std::string free_status_port() {
  constexpr int first = 9980;
  constexpr int last = 9999;
  boost::asio::io_context context;
  for (int port = first; port < last; ++port) {
    boost::system::error_code taken;
    boost::asio::ip::tcp::acceptor acceptor(context);
    acceptor.open(boost::asio::ip::tcp::v4(), taken);
    acceptor.set_option(boost::asio::socket_base::reuse_address(true), taken);
    acceptor.bind({boost::asio::ip::address_v4::loopback(), static_cast<std::uint16_t>(port)}, taken);
    if (!taken) {
      return std::to_string(port);
    }
  }
  return std::to_string(last);
}

}  // namespace

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
  const auto text = file_of(config, options_.all, options_.language);
  if (options_.service) {
    std::error_code failed;
    std::filesystem::create_directories(service_directory, failed);
  }
  // The secret first: without it the configuration would be of no use.
  if (is_trip_new_) {
    const auto why = create_file(trip_is_in_, std::string(trip_.reveal()) + "\n", 0600);
    if (!why.empty()) {
      refuse(exit_cannot_create, why);
    }
  }
  if (const auto why = create_file(options_.output, text, 0644); !why.empty()) {
    forget_trip();
    refuse(exit_cannot_create, why);
  }
  if (!load_config(options_.output, options_.service ? config::io::Passwords::leave : config::io::Passwords::read)) {
    ::unlink(options_.output.c_str());
    forget_trip();
    refuse(exit_config, "these answers make no good configuration");
  }
  std::cerr << "written   " << options_.output << '\n';
  if (is_trip_new_) {
    std::cerr << "written   " << trip_is_in_ << ", which only you can read\n";
  }
  if (!options_.service) {
    std::cerr << "\nNext:\n  kakehashi check " << options_.output << "\n  kakehashi run " << options_.output << '\n';
  }
}

void InitSession::forget_trip() const {
  if (is_trip_new_) {
    ::unlink(trip_is_in_.c_str());
  }
}

void InitSession::install_unit() const {
  for (const char* place : {"/etc", "/usr/lib", "/lib"}) {
    if (::access((std::string(place) + "/systemd/system/" + unit_file).c_str(), F_OK) == 0) {
      return;
    }
  }
  std::error_code failed;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  std::ifstream file(program.parent_path() / ".." / "lib/systemd/system" / unit_file);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (text.empty()) {
    leave_service("the unit " + std::string(unit_file) + " is neither installed nor beside this program");
  }
  constexpr std::string_view packaged = "/usr/bin/kakehashi ";
  if (const auto at = text.find(packaged); at != std::string::npos) {
    text.replace(at, packaged.size(), program.string() + " ");
  }
  const std::string place = std::string("/etc/systemd/system/") + unit_file;
  if (const auto why = create_file(place, text, 0644); !why.empty()) {
    leave_service(why);
  }
  std::cerr << "written   " << place << '\n';
}

void InitSession::start_service() const {
  install_unit();
  const std::string unit = "kakehashi@" + options_.answers.name + ".service";
  const std::string port = free_status_port();
  const std::string drop_in = "/etc/systemd/system/" + unit + ".d";
  std::error_code failed;
  std::filesystem::create_directories(drop_in, failed);
  if (const auto why = create_file(drop_in + "/status.conf", "[Service]\nEnvironment=\"STATUS=--status " + port + "\"\n", 0644);
      !why.empty()) {
    leave_service(why);
  }
  std::cerr << "written   " << drop_in << "/status.conf\nservice   starting " << unit << " ..." << std::endl;
  if (run_command({"systemctl", "daemon-reload"}) != 0 || run_command({"systemctl", "enable", "--now", unit}) != 0) {
    run_command({"journalctl", "--no-pager", "--lines=20", "--output=cat", "--unit=" + unit});
    leave_service(unit + " does not start");
  }
  run_command({"systemctl", "status", "--no-pager", "--lines=5", unit});
  const std::string place = port == "9980" ? "" : " --status " + port;
  std::cerr << "\nWatch it at " << "http://127.0.0.1:" << port << ", or with:\n  kakehashi status" << place
            << "\n  kakehashi logs " << options_.answers.name << "\n  kakehashi stop" << place << '\n';
}

/// What was written stays: a person mends it and starts the service by hand.
void InitSession::leave_service(const std::string& why) {
  std::cerr << "kakehashi: " << why << "; the configuration was written, and no service runs\n";
  throw Left{exit_unavailable};
}

}  // namespace kakehashi::bridge::cli
