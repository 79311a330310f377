// One run of `kakehashi init`: settles each answer, from the command line or by asking, tries what
// can be tried, and writes. What an answer must be like is init_answers.hpp's business.
// Only the command init uses this room.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/secret.hpp"
#include "bridge/cli/init/init_answers.hpp"
#include "bridge/words/words.hpp"
#include "config/bot_config.hpp"

namespace kakehashi::bridge::cli {

struct InitOptions {
  InitAnswers answers;
  std::vector<std::string> arguments;  ///< of the engine, behind those in `answers`
  std::string output;
  bool yes = false;
  bool untested = false;
  bool login = false;
  bool all = false;      ///< every setting is in the file, those that were not asked for as comments
  bool service = false;  ///< it is run by systemd from now on
  words::Language language = words::Language::english;  ///< of the file's comments
};

/// Where the units look for configurations and their passwords.
inline constexpr const char* service_directory = "/etc/kakehashi";

class InitSession {
 public:
  explicit InitSession(InitOptions options);

  /// The exit status. Everything was told on standard error, and nothing was written unless it is 0.
  [[nodiscard]] int run();

 private:
  using Judge = std::function<std::optional<std::string>(const std::string&)>;

  void settle(const char* flag, const char* question, const std::string& proposal,
              std::string& answer, const Judge& judge) const;
  void settle_game();
  void settle_service();
  void settle_output();
  void settle_engine();
  [[nodiscard]] bool try_engine();

  void settle_trip();
  void read_trip_file();
  void ask_trip(const std::string& made);
  [[nodiscard]] std::optional<std::string> judge_trip(const std::string& text);

  void try_server(const config::BotConfig& config) const;
  void go_on_or_leave(int status) const;
  void write(const config::BotConfig& config) const;
  void forget_trip() const;
  void install_unit() const;
  void start_service() const;

  [[noreturn]] static void leave_service(const std::string& why);
  /// The run ends early: with an exit status, everything else having been told.
  struct Left {
    int status;
  };
  /// Ends the run with this exit status.
  [[noreturn]] static void refuse(int status, const std::string& text);
  [[nodiscard]] static std::string heard(std::optional<std::string> answer);
  [[nodiscard]] static bool heard(std::optional<bool> answer);

  InitOptions options_;
  bool talks_;
  base::Secret trip_;
  bool is_trip_new_ = false;
  std::string trip_is_in_;  ///< the file that is to hold it
};

}  // namespace kakehashi::bridge::cli
