// Whom to tell what, as configured. It sends nothing.
#pragma once

#include <string>
#include <vector>

namespace kakehashi::config {

/// How a message is spelled for the one who takes it.
enum class NotifyTemplate { discord, slack, json, text };

/// What is told; the same, in the same order, as status::NoticeEvent.
enum class NotifyEvent { paired, started, result, rescue, no_game, disconnected };

/// One receiver: a webhook or a command.
struct Notify {
  std::string url_file;              ///< holds the webhook's address, which is a secret
  std::vector<std::string> command;  ///< program and arguments; no shell
  NotifyTemplate as = NotifyTemplate::json;
  std::vector<NotifyEvent> events;   ///< at least one

  friend bool operator==(const Notify&, const Notify&) = default;
};

}  // namespace kakehashi::config
