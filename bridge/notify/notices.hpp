// The room notify: what people are told, in which words, and when it is tried again. It knows no socket, and no bot
// but by its facts and its phase.
//
// What people are told of a bot, and when: from facts as they pass, and from what has not happened
// for too long. How it reaches them is the shell's business. Pure; time is an argument.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.hpp"
#include "bridge/fact.hpp"
#include "bridge/view.hpp"
#include "config/service_config.hpp"

namespace kakehashi::bridge::notify {

[[nodiscard]] const char* describe(config::NotifyEvent event);

struct Notice {
  config::NotifyEvent event = config::NotifyEvent::paired;
  std::string bot;
  base::WallTime at{};
  std::string text;  ///< one sentence
  std::vector<std::pair<std::string, std::string>> fields;  ///< of the note that tells it in the log
};

class Notices {
 public:
  static constexpr std::chrono::minutes no_game_after{60};
  static constexpr std::chrono::minutes disconnected_after{10};

  explicit Notices(std::string bot) : bot_(std::move(bot)) {}

  [[nodiscard]] std::optional<Notice> take(const bridge::Fact& fact, base::Now now);
  /// Now and then. What lasts is told once, until it has passed.
  [[nodiscard]] std::vector<Notice> look(bridge::Phase phase, base::Now now);

 private:
  std::string bot_;
  std::optional<base::SteadyTime> in_game_;    ///< for the last time; at first: since the start
  std::optional<base::SteadyTime> connected_;
  bool has_told_no_game_ = false;
  bool has_told_disconnected_ = false;
};

struct Payload {
  std::string content_type;
  std::string body;
};
/// No name that a server shows can call a whole channel or forge a link.
[[nodiscard]] Payload payload(const Notice& notice, config::NotifyTemplate as);

}  // namespace kakehashi::bridge::notify
