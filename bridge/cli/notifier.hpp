// Tells people what happens to one bot: puts the notices (status/notices.hpp) into the queues of its
// receivers and sends them, webhooks and commands alike. It is never in the way of a game: what cannot
// be told is noted and left out.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "bridge/note.hpp"
#include "config/notify_config.hpp"
#include "status/notices.hpp"

namespace kakehashi::bridge::cli {

class Notifier {
 public:
  using Tell = std::function<void(const Note& note)>;
  using Phase = std::function<std::string()>;
  static constexpr base::Millis look_pause{10'000};
  /// What is being sent when the bot leaves gets that long.
  static constexpr base::Millis leave_max{5'000};

  /// `tell` takes what a person should know of failures; `phase` is asked now and then.
  Notifier(boost::asio::io_context& context, std::string bot, std::vector<config::Notify> receivers,
           Tell tell, Phase phase);
  ~Notifier();
  Notifier(const Notifier&) = delete;
  Notifier& operator=(const Notifier&) = delete;

  void take(const Note& note);
  /// Notices that are not delivered yet, of all receivers.
  [[nodiscard]] std::size_t waiting() const;
  /// Nothing new is sent from here on.
  void stop();

 private:
  class Receiver;

  void add(const status::Notice& notice);
  void look();

  status::Notices notices_;
  std::vector<std::unique_ptr<Receiver>> receivers_;
  Phase phase_;
  boost::asio::steady_timer timer_;
  bool is_stopped_ = false;
};

}  // namespace kakehashi::bridge::cli
