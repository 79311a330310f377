// Tells people what happens to one bot: puts the notices (watch/notices.hpp) into the queues of its
// receivers and sends them, webhooks and commands alike. It is never in the way of a game: what cannot
// be told is noted and left out.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/message.hpp"
#include "base/time.hpp"
#include "bridge/fact.hpp"
#include "bridge/note.hpp"
#include "bridge/view.hpp"
#include "config/service_config.hpp"
#include "watch/notices.hpp"
#include "words/words.hpp"

namespace kakehashi::watch::io {

/// "the webhook of "/etc/kakehashi/discord.url"", "the command "/usr/local/bin/tell-me"": neither the
/// address nor what else stands in its file.
[[nodiscard]] base::Message name_of(const config::Notify& receiver);

/// What became of a notice that was sent once.
struct Delivery {
  bool is_delivered = false;
  base::Message answer;  ///< "HTTP status 204", or why there was none
};
/// Sends it now, and waits for what comes of it; whatever events the receiver wants.
[[nodiscard]] Delivery deliver(const config::Notify& receiver, const Notice& notice);

class Notifier {
 public:
  using Tell = std::function<void(const bridge::Note& note)>;
  using AskPhase = std::function<bridge::Phase()>;
  static constexpr base::Millis look_pause{10'000};
  /// What waits when the bot leaves, or when its receiver is taken away, gets that long in all.
  static constexpr base::Millis leave_max{5'000};

  /// What is told is in that language. `tell` takes what a person should know of failures; `phase` is asked now and then.
  Notifier(boost::asio::io_context& context, std::string bot, std::vector<config::Notify> receivers,
           words::Language language, Tell tell, AskPhase phase, base::Millis leave_within = leave_max);
  ~Notifier();
  Notifier(const Notifier&) = delete;
  Notifier& operator=(const Notifier&) = delete;

  void take(const bridge::Fact& fact);
  /// Notices that are not delivered yet, of all receivers.
  [[nodiscard]] std::size_t waiting() const;
  /// Others are told from here on, or in another language. A receiver whose settings stay keeps what waits for it.
  void renew(std::vector<config::Notify> receivers, words::Language language);
  /// Nothing new is taken from here on. What waits is sent as far as the time allows; what is left out
  /// is told.
  void stop();

 private:
  class Receiver;
  using Receivers = std::vector<std::unique_ptr<Receiver>>;

  void add(Notice notice);
  void look();

  boost::asio::io_context& context_;
  Notices notices_;
  Receivers receivers_;
  Receivers leaving_;  ///< taken away, with something still to send
  words::Language language_ = words::Language::english;
  Tell tell_;
  AskPhase phase_;
  base::Millis leave_within_;
  boost::asio::steady_timer timer_;
  bool is_stopped_ = false;
};

}  // namespace kakehashi::watch::io
