// What people are told of a bot, and when: from facts as they pass, and from what has not happened for too long. What
// waits to be told to one receiver, and when it is tried again. How it reaches them is the shell's business. Pure; time is
// an argument.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/message.hpp"
#include "base/result.hpp"
#include "base/secret.hpp"
#include "base/time.hpp"
#include "bridge/fact.hpp"
#include "bridge/view.hpp"
#include "config/service_config.hpp"
#include "words/words.hpp"

namespace kakehashi::watch {

struct Notice {
  config::NotifyEvent event = config::NotifyEvent::paired;
  std::string bot;
  base::WallTime at{};
  base::Message text;  ///< one sentence
  std::vector<std::pair<std::string, std::string>> fields;  ///< of the note that tells it in the log
  words::Language language = words::Language::english;
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

/// What waits to be told to one receiver: in order, one at a time, tried again with growing pauses, never more than a few.
class Deliveries {
 public:
  static constexpr std::size_t waiting_max = 32;
  static constexpr int attempts_max = 7;  ///< over about ten minutes
  static constexpr base::Millis first_pause{5'000};
  static constexpr base::Millis pause_max{300'000};

  /// When too many wait already, the oldest one that is not being sent is left out; false then.
  bool add(Notice notice);

  /// What to send now; nothing while something is being sent, or before its time.
  [[nodiscard]] std::optional<Notice> begin(base::SteadyTime now);
  [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }
  /// The instant at which begin() has something; nothing when it waits for an event.
  [[nodiscard]] std::optional<base::SteadyTime> due() const;

  /// `later`: no answer, or one that asks for another try.
  enum class Outcome { delivered, later, refused };
  enum class Verdict { done, tries_again, gives_up };
  /// Of what begin() gave.
  Verdict ended(Outcome outcome, base::SteadyTime now);

  /// What a status of HTTP means here: 2xx is delivered; 408, 425, 429 and 5xx ask for another try.
  [[nodiscard]] static Outcome outcome_of(int http_status);

 private:
  std::deque<Notice> waiting_;
  bool is_sending_ = false;
  int attempts_ = 0;  ///< of the first one
  base::SteadyTime due_{};
};

// --- the address of a webhook. Its path is a secret: whoever knows it can write there.

struct WebAddress {
  bool is_tls = true;
  std::string host;  ///< an IPv6 address without brackets
  std::uint16_t port = 443;
  base::Secret target;  ///< path and query
};

/// "https://host/path" or "http://host:port/path". The error says what is wrong, and never shows the
/// text.
[[nodiscard]] base::Result<WebAddress, base::Message> parse_web_address(std::string_view text);

}  // namespace kakehashi::watch
