// `kakehashi init`: from a few answers to a configuration that plays, tried before it is written.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/exit_status.hpp"
#include "base/secret.hpp"
#include "base/text.hpp"
#include "cli/command_line.hpp"
#include "cli/engine_probe.hpp"
#include "cli/init/init_answers.hpp"
#include "cli/load_config.hpp"
#include "cli/login_probe.hpp"
#include "cli/option.hpp"
#include "cli/terminal.hpp"
#include "config/bot_config.hpp"
#include "config/io/read_secret.hpp"
#include "config/schema/text.hpp"
#include "config/secrets.hpp"
#include "words/words.hpp"

namespace kakehashi::cli {
namespace {

using base::Message;
using base::say;
using base::say_as;

// --- questions and answers on a terminal: how a line and a secret are typed

constexpr std::size_t answer_bytes_max = 4096;
constexpr char end_of_text = 3;           // Ctrl-C, where the terminal makes no signal of it
constexpr char end_of_transmission = 4;   // Ctrl-D
constexpr char backspace = 8;
constexpr char delete_key = 127;

/// Byte by byte: what belongs to the next question stays with the system. Nothing: the end.
std::optional<char> read_byte() {
  char byte = 0;
  for (;;) {
    const auto count = ::read(STDIN_FILENO, &byte, 1);
    if (count == 1) {
      return byte;
    }
    if (count == 0 || errno != EINTR) {
      return std::nullopt;
    }
  }
}

/// Standard input and standard error are a person's, so that there is somebody to ask.
bool is_dialogue_possible() {
  return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1;
}

/// One line from standard input without its end; nothing at the end of input or beyond answer_bytes_max. `is_silent`: from a
/// terminal that hands on each key by itself.
std::optional<std::string> read_answer(bool is_silent = false) {
  std::string line;
  while (line.size() <= answer_bytes_max) {
    const auto byte = read_byte();
    if (!byte || (is_silent && (*byte == end_of_text || *byte == end_of_transmission))) {
      return line.empty() || is_silent ? std::nullopt : std::optional(line);
    }
    if (*byte == '\n' || (is_silent && *byte == '\r')) {
      return line;
    }
    if (!is_silent || (*byte != backspace && *byte != delete_key)) {
      line += *byte;
    } else if (!line.empty()) {
      line.pop_back();
    }
  }
  return std::nullopt;
}

/// "question [proposal]: " and the answer, trimmed; an empty one takes the proposal. Nothing: the
/// person left.
std::optional<std::string> ask(const Lines& errors, const Message& question, const std::string& proposal) {
  errors.stream() << errors.said(question) << (proposal.empty() ? "" : " [" + proposal + "]") << ": " << std::flush;
  const auto line = read_answer();
  if (!line) {
    return std::nullopt;
  }
  const auto answer = base::trim(*line);
  return answer.empty() ? proposal : std::string(answer);
}

/// As ask(), but what is typed is not shown. Ctrl-C and Ctrl-D leave.
std::optional<std::string> ask_secret(const Lines& errors, const Message& question) {
  const SingleKeys silent;  // before the question: who sees it may type at once
  errors.stream() << errors.said(question) << ": " << std::flush;
  auto answer = read_answer(true);
  errors.blank();
  return answer;
}

/// "question [y/N]: ". Nothing: the person left.
std::optional<bool> ask_yes(const Lines& errors, const Message& question, bool proposal) {
  for (;;) {
    const auto answer = ask(errors, question, proposal ? "Y/n" : "y/N");
    if (!answer) {
      return std::nullopt;
    }
    if (*answer == "Y/n" || *answer == "y" || *answer == "Y" || *answer == "yes") {
      return true;
    }
    if (*answer == "y/N" || *answer == "n" || *answer == "N" || *answer == "no") {
      return false;
    }
    errors.line(say("Please answer y or n."));
  }
}

// --- the session

struct InitOptions {
  InitAnswers answers;
  std::vector<std::string> arguments;  ///< of the engine, behind those in `answers`
  std::string output;
  bool yes = false;
  bool untested = false;
  bool login = false;
  bool all = false;      ///< every setting is in the file, those that were not asked for as comments
  bool service = false;  ///< it is run by systemd from now on
};

/// Where the units look for configurations and their passwords.
constexpr const char* service_directory = "/etc/kakehashi";

constexpr const char* proposed_server = "wdoor.c.u-tokyo.ac.jp";

/// ProtectHome= of the unit.
bool is_below_home(const std::string& program) {
  std::error_code failed;
  const std::string path = std::filesystem::weakly_canonical(program, failed).string();
  return path.starts_with("/home/") || path.starts_with("/root/") || path.starts_with("/run/user/");
}

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

/// One run: settles each answer, from the command line or by asking, tries what can be tried, and writes. What an answer
/// must be like is init_answers.hpp's business.
class InitSession {
 public:
  InitSession(InitOptions options, const Terminal& terminal)
      : errors_(terminal.errors),
        terminal_(terminal),
        options_(std::move(options)),
        talks_(!options_.yes && is_dialogue_possible()) {
    auto& command = options_.answers.engine;
    command.insert(command.end(), options_.arguments.begin(), options_.arguments.end());
  }

  /// The exit status. Everything was told on standard error, and nothing was written unless it is 0.
  [[nodiscard]] int run() {
    try {
      settle("--server", say("Server (HOST or HOST:PORT)"), proposed_server, options_.answers.server, judge_server);
      settle("--name", say("Name of the bot, as others see it"), "", options_.answers.name, config::judge_account_name);
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
      return base::exit_ok;
    } catch (const Left& left) {
      return left.status;
    }
  }

 private:
  using Judge = std::function<std::optional<Message>(const std::string&)>;

  /// The run ends early: with an exit status, everything else having been told.
  struct Left {
    int status;
  };

  /// Ends the run with this exit status.
  [[noreturn]] void refuse(int status, const Message& text) const {
    terminal_.fault(say("{}; nothing was written", text));
    throw Left{status};
  }

  template <class Answer>
  Answer heard(std::optional<Answer> answer) const {
    if (!answer) {
      errors_.blank();
      refuse(base::exit_usage, say("the questions were not all answered"));
    }
    return std::move(*answer);
  }

  /// An answer from the command line must be right; one that is asked for is asked until it is.
  void settle(const std::string& flag, const Message& question, const std::string& proposal,
                           std::string& answer, const Judge& judge) const {
    const bool is_given = !answer.empty();
    if (!is_given && !talks_) {
      if (proposal.empty()) {
        refuse(base::exit_usage, say("{} is needed where nobody can be asked", flag));
      }
      answer = proposal;
    }
    for (;;) {
      if (answer.empty() && talks_) {
        answer = heard(ask(errors_, question, proposal));
      }
      const auto complaint = judge(answer);
      if (!complaint) {
        return;
      }
      if (is_given || !talks_) {
        refuse(base::exit_usage, say("{}: {}", flag, *complaint));
      }
      errors_.indented(*complaint);
      answer.clear();
    }
  }

  void settle_game() {
    auto& game = options_.answers.game;
    const auto proposal = proposed_game(options_.answers.server);
    const std::string none = "none";
    std::string answer = !game ? "" : game->empty() ? none : *game;
    settle("--game", say("Game, such as floodgate-300-10F (none: the organisers pair)"), proposal.empty() ? none : proposal, answer,
           [&](const std::string& text) { return text == none ? std::nullopt : config::judge_game_name(text); });
    game = answer == none ? "" : answer;
  }

  void settle_service() {
    const bool is_possible = ::access("/run/systemd/system", F_OK) == 0 && ::geteuid() == 0;
    if (!options_.service && talks_ && is_possible && options_.output.empty()) {
      options_.service = heard(ask_yes(errors_, say("Have systemd run it, now and whenever this machine starts?"), false));
    } else if (options_.service && !is_possible) {
      refuse(base::exit_usage, ::geteuid() == 0 ? say("--service needs systemd, which does not run here")
                                                : say("--service needs root (sudo)"));
    } else if (options_.service && !options_.output.empty()) {
      refuse(base::exit_usage,
             say("--service has its own place for the configuration, below /etc/kakehashi: leave --output away"));
    }
    if (options_.service) {
      options_.output = std::string(service_directory) + "/" + options_.answers.name + ".yaml";
    }
  }

  void settle_output() {
    const bool is_given = !options_.output.empty();
    settle("--output", say("Configuration file to create"), options_.answers.name + ".yaml",
           options_.output, [&](const std::string& path) -> std::optional<Message> {
             const auto complaint = judge_new_file(path);
             if (complaint && (is_given || !talks_)) {
               refuse(base::exit_cannot_create, *complaint);
             }
             return complaint;
           });
  }

  void settle_engine() {
    auto& command = options_.answers.engine;
    const bool is_given = !command.empty();
    if (!is_given && !talks_) {
      refuse(base::exit_usage, say("the engine's command is needed where nobody can be asked: give --engine COMMAND, with "
                                   "its arguments last"));
    }
    for (;;) {
      while (command.empty()) {
        command = words_of_command(heard(ask(errors_, say("Engine (its program, and arguments if any)"), "")));
      }
      command = with_whole_path(std::move(command));
      if (options_.service && is_below_home(command.front())) {
        const auto why = say("{} lies in a home directory, which a service does not see; move it, to /opt for example",
                             base::quoted(command.front(), 400));
        if (!talks_ || is_given) {
          refuse(base::exit_unavailable, why);
        }
        errors_.labelled(say_as("column", "problem"), why);
        command.clear();
        continue;
      }
      if (options_.untested || try_engine()) {
        return;
      }
      if (!talks_ || is_given) {
        refuse(base::exit_unavailable, say("the engine is not available"));
      }
      command.clear();
    }
  }

  bool try_engine() {
    config::Engine engine;
    engine.command = options_.answers.engine;
    errors_.labelled(say_as("column", "engine"), say("starting {} ...", base::quoted(engine.command.front(), 400)));
    auto probe = probe_engine(engine, false);
    if (probe.is_ready) {
      engine.options = proposed_options(probe.declared, this_machine());
      if (!engine.options.empty()) {
        probe = probe_engine(engine, false);
      }
    }
    if (!probe.is_ready) {
      errors_.labelled(say_as("column", "problem"), probe.why);
      return false;
    }
    errors_.labelled(say_as("column", "engine"),
                     say("{}, ready after {}", base::quoted(probe.name), base::duration(probe.until_ready.count())));
    for (const auto& [name, value] : engine.options) {
      errors_.labelled(say_as("column", "option"), base::verbatim(name + " = " + value.value_or("")));
    }
    options_.answers.options = std::move(engine.options);
    return true;
  }

  // --- where the trip of a new configuration comes from: standard input, a file, or the keyboard

  void settle_trip() {
    auto& file = options_.answers.trip_file;
    const auto& game = *options_.answers.game;
    const auto made = std::filesystem::path(options_.output).replace_extension(".password").string();
    if (file == "-") {
      const base::Secret line(read_answer().value_or(""));
      const auto complaint = judge_trip(std::string(line.reveal()));
      if (complaint) {
        refuse(base::exit_config, say("the trip on standard input {}", *complaint));
      }
      file = made;
      is_trip_new_ = true;
    } else if (!file.empty() && (::access(file.c_str(), F_OK) == 0 || !talks_)) {
      read_trip_file();
    } else if (talks_) {
      ask_trip(made);
    } else if (needs_trip(game)) {
      refuse(base::exit_usage,
             say("floodgate pairs only players with a trip, a secret word of your own choice: give --trip-file FILE, or - for "
                 "standard input"));
    } else if (game.empty()) {
      refuse(base::exit_usage, say("without a game name the server needs a password: give --trip-file FILE, or - for standard "
                                   "input"));
    }
    if (options_.service) {
      is_trip_new_ = true;
      file = made;
    }
    trip_is_in_ = file;
    if (is_trip_new_ && judge_new_file(file)) {
      refuse(base::exit_cannot_create,
             say("{} exists, and nothing is overwritten: give it as --trip-file", base::quoted(file, 400)));
    }
  }

  void read_trip_file() {
    config::Account account;
    account.password_file = options_.answers.trip_file;
    auto read = config::io::read_secret(account);
    if (!read.problem.empty()) {
      refuse(base::exit_config, say("{}: {}", std::string("--trip-file"), read.problem));
    }
    if (!read.warning.empty()) {
      errors_.line(say("warning: {}", read.warning));
    }
    if (const auto complaint =
            config::judge_password_with_game(read.secret, *options_.answers.game)) {
      refuse(base::exit_config, say("{}: {}", std::string("--trip-file"), *complaint));
    }
    trip_ = read.secret;
  }

  void ask_trip(const std::string& made) {
    auto& file = options_.answers.trip_file;
    const bool may_be_empty = !needs_trip(*options_.answers.game) && !options_.answers.game->empty();
    for (;;) {
      const auto question = needs_trip(*options_.answers.game)
                                ? say("Trip: a secret word of your own, always the same (it is not shown)")
                            : may_be_empty ? say("Password (it is not shown; empty: none)")
                                           : say("Password (it is not shown)");
      const base::Secret typed(heard(ask_secret(errors_, question)));
      if (typed.empty() && may_be_empty) {
        file.clear();
        return;
      }
      if (const auto complaint = judge_trip(std::string(typed.reveal()))) {
        errors_.indented(say("It {}.", *complaint));
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
  std::optional<Message> judge_trip(const std::string& text) {
    auto password = config::read_password(text);
    if (!password) {
      return password.error().what;
    }
    std::optional<Message> complaint = config::judge_password_with_game(*password, *options_.answers.game);
    if (!complaint) {
      trip_ = std::move(password).value();
    }
    return complaint;
  }

  // --- the end: the server is called, then the files are written

  void try_server(const config::BotConfig& config) const {
    bool logs_in = options_.login;
    if (!logs_in && talks_) {
      logs_in = heard(ask_yes(errors_, say("Log in at the server, and out again at once?"), false));
    }
    const auto probe = logs_in ? probe_login(config) : probe_connection(config);
    switch (probe.outcome) {
      case LoginProbe::Outcome::logged_in:
        errors_.labelled(say_as("column", "login"), say("accepted by {}; logged out again", probe.peer));
        return;
      case LoginProbe::Outcome::connected:
        errors_.labelled(say_as("column", "server"), say("{} answers", probe.peer));
        return;
      case LoginProbe::Outcome::in_use:
        errors_.labelled(say_as("column", "login"), say("not tried: {} plays there with this account already", probe.why));
        return;
      case LoginProbe::Outcome::refused:
        errors_.labelled(say_as("column", "problem"), probe.why);
        go_on_or_leave();
        return;
      case LoginProbe::Outcome::unavailable:
        // Down tonight, or behind a network that this machine is not in today: that makes no answer wrong.
        errors_.labelled(say_as("column", "untried"), say("the server is not available: {}", probe.why));
        errors_.labelled(say_as("column", "untried"),
                         say("the configuration is written all the same; try the server with: kakehashi check --login {}",
                             options_.output));
        return;
    }
  }

  /// An account may be made tomorrow, or still be in a game; a person decides that.
  void go_on_or_leave() const {
    if (!talks_ || !heard(ask_yes(errors_, say("Write the configuration nevertheless?"), false))) {
      refuse(base::exit_refused, say("the login was not accepted (--no-test goes without)"));
    }
  }

  void write(const config::BotConfig& config) const {
    const auto text = file_of(config, options_.all, errors_.language());
    if (options_.service) {
      std::error_code failed;
      std::filesystem::create_directories(service_directory, failed);
    }
    // The secret first: without it the configuration would be of no use.
    if (is_trip_new_) {
      const auto why = create_file(trip_is_in_, std::string(trip_.reveal()) + "\n", 0600);
      if (!why.empty()) {
        refuse(base::exit_cannot_create, why);
      }
    }
    if (const auto why = create_file(options_.output, text, 0644); !why.empty()) {
      forget_trip();
      refuse(base::exit_cannot_create, why);
    }
    if (!load_config(options_.output, options_.service ? config::io::Passwords::leave : config::io::Passwords::read, terminal_)) {
      ::unlink(options_.output.c_str());
      forget_trip();
      refuse(base::exit_config, say("these answers make no good configuration"));
    }
    tell_written(base::verbatim(options_.output));
    if (is_trip_new_) {
      tell_written(say("{}, which only you can read", trip_is_in_));
    }
    if (!options_.service) {
      errors_.blank();
      errors_.line(say("Next:"));
      errors_.indented(base::verbatim("kakehashi check " + options_.output));
      errors_.indented(base::verbatim("kakehashi run " + options_.output));
    }
  }

  void tell_written(const Message& file) const { errors_.labelled(say_as("column", "written"), file); }

  void forget_trip() const {
    if (is_trip_new_) {
      ::unlink(trip_is_in_.c_str());
    }
  }

  void install_unit() const {
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
      leave_service(say("the unit {} is neither installed nor beside this program", std::string(unit_file)));
    }
    constexpr std::string_view packaged = "/usr/bin/kakehashi ";
    if (const auto at = text.find(packaged); at != std::string::npos) {
      text.replace(at, packaged.size(), program.string() + " ");
    }
    const std::string place = std::string("/etc/systemd/system/") + unit_file;
    if (const auto why = create_file(place, text, 0644); !why.empty()) {
      leave_service(why);
    }
    tell_written(base::verbatim(place));
  }

  void start_service() const {
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
    tell_written(base::verbatim(drop_in + "/status.conf"));
    errors_.labelled(say_as("column", "service"), say("starting {} ...", unit));
    if (run_command({"systemctl", "daemon-reload"}) != 0 || run_command({"systemctl", "enable", "--now", unit}) != 0) {
      run_command({"journalctl", "--no-pager", "--lines=20", "--output=cat", "--unit=" + unit});
      leave_service(say("{} does not start", unit));
    }
    run_command({"systemctl", "status", "--no-pager", "--lines=5", unit});
    const std::string place = port == "9980" ? "" : " --status " + port;
    errors_.blank();
    errors_.line(say("Watch it at {}, or with:", "http://127.0.0.1:" + port));
    errors_.indented(base::verbatim("kakehashi status" + place));
    errors_.indented(base::verbatim("kakehashi logs " + options_.answers.name));
    errors_.indented(base::verbatim("kakehashi stop" + place));
  }

  /// What was written stays: a person mends it and starts the service by hand.
  [[noreturn]] void leave_service(const Message& why) const {
    terminal_.fault(say("{}; the configuration was written, and no service runs", why));
    throw Left{base::exit_unavailable};
  }

  const Lines& errors_;
  const Terminal& terminal_;
  InitOptions options_;
  bool talks_;
  base::Secret trip_;
  bool is_trip_new_ = false;
  std::string trip_is_in_;  ///< the file that is to hold it
};

}  // namespace

void register_init(CLI::App& app, const Terminal& terminal, int& status) {
  auto* command = app.add_subcommand("init", say("Make a configuration: asks, tries, writes").english());
  const auto options = std::make_shared<InitOptions>();
  auto& answers = options->answers;
  option(*command, "--server", answers.server, say("The server; the default is floodgate's"), "HOST[:PORT]");
  flag(*command, "--tls", answers.tls, say("Speak TLS to it"));
  option(*command, "--name", answers.name, say("Name of the bot, as others see it"), "NAME");
  option(*command, "--game", answers.game, say("Game to ask for, such as floodgate-300-10F; none: the organisers pair"), "NAME");
  option(*command, "--trip-file", answers.trip_file, say("File with the trip or password, one line; - reads it from "
                                                         "standard input into a private file; without it the trip is "
                                                         "asked for and not shown"), "FILE");
  option(*command, "--engine", answers.engine, say("The engine's program and its arguments"), "COMMAND");
  option(*command, "COMMAND", options->arguments, say("The same, or more of it: behind -- for arguments that begin with -"));
  option(*command, "-o,--output", options->output, say("File to create; the default is NAME.yaml"), "FILE");
  flag(*command, "--login", options->login, say("Also log in at the server, and out again at once"));
  flag(*command, "--no-test", options->untested, say("Try neither engine nor server"));
  flag(*command, "--all", options->all, say("Write every other setting too, as a comment with its default"));
  flag(*command, "--service", options->service, say("Have systemd run it from now on: writes to /etc/kakehashi, installs "
                                                    "the unit, starts it, shows its state; wants root"));
  flag(*command, "--yes", options->yes, say("Ask nothing: take what is given and the defaults"));
  command->footer(
      say("On a terminal it asks for what is not given. The engine is started and the server called "
          "before anything is written, and no file is ever overwritten. A server that cannot be reached is told and "
          "keeps nothing from being written.")
          .english());
  command->callback([options, &terminal, &status] { status = InitSession(*options, terminal).run(); });
}

}  // namespace kakehashi::cli
