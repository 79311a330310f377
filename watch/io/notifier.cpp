#include "watch/io/notifier.hpp"

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <iterator>
#include <utility>

#include "base/io/clocks.hpp"
#include "base/io/threads.hpp"
#include "config/io/read_secret.hpp"
#include "watch/io/hooks.hpp"

namespace kakehashi::watch::io {
namespace {

namespace asio = boost::asio;

bridge::Note failed_note(base::Message text) {
  bridge::Note note;
  note.level = bridge::Level::warn;
  note.code = "notify_failed";
  note.text = std::move(text);
  return note;
}

/// Carries one notice to one receiver.
class Carrier {
 public:
  using Done = std::function<void(Deliveries::Outcome outcome, const base::Message& answer)>;

  Carrier(asio::io_context& context, const config::Notify& settings)
      : context_(context), settings_(settings), webhook_(context), hook_(context) {}

  void send(const Notice& notice, Done done) {
    if (settings_.command.empty()) {
      post(notice, std::move(done));
      return;
    }
    hook_.run(settings_.command, payload(notice, config::NotifyTemplate::json).body + "\n",
              [done = std::move(done)](const base::Message& why) {
                done(why.empty() ? Deliveries::Outcome::delivered : Deliveries::Outcome::later, why);
              });
  }

  void drop() {
    reading_.reset();
    webhook_.drop();
    hook_.drop();
  }

 private:
  /// The file is read anew each time: a new address needs no restart. By a thread: its disk may stand still.
  void post(const Notice& notice, Done done) {
    reading_ = std::make_shared<char>();
    const auto failure = base::io::Errands::of(context_).send(
        [file = settings_.url_file] { return config::io::read_address_secret(file); },
        [this, message = payload(notice, settings_.as), done,
         reading = std::weak_ptr(reading_)](const config::io::SecretRead& read) {
          if (!reading.expired()) {
            post_to(read, message, done);
          }
        });
    if (failure) {
      asio::post(context_, [done = std::move(done), reading = std::weak_ptr(reading_), why = failure.message()] {
        if (!reading.expired()) {
          done(Deliveries::Outcome::later, base::say("no thread to read its address: {}", why));
        }
      });
    }
  }

  void post_to(const config::io::SecretRead& read, Payload message, Done done) {
    if (!read.problem.empty()) {
      done(Deliveries::Outcome::later, read.problem);
      return;
    }
    const auto address = parse_web_address(read.secret.reveal());
    if (!address) {
      done(Deliveries::Outcome::refused, address.error());
      return;
    }
    webhook_.post(*address, message.content_type, std::move(message.body),
                  [done = std::move(done)](int status, const base::Message& why) {
                    done(status == 0 ? Deliveries::Outcome::later : Deliveries::outcome_of(status), why);
                  });
  }

  asio::io_context& context_;
  const config::Notify& settings_;
  std::shared_ptr<char> reading_;  ///< gone when nobody waits for the address any more
  Webhook webhook_;
  CommandHook hook_;
};

}  // namespace

base::Message name_of(const config::Notify& receiver) {
  return receiver.command.empty() ? base::say("the webhook of {}", base::quoted(receiver.url_file))
                                  : base::say("the command {}", base::quoted(receiver.command.front()));
}

Delivery deliver(const config::Notify& receiver, const Notice& notice) {
  asio::io_context context;
  Carrier carrier(context, receiver);
  Delivery delivery;
  auto waiting = asio::make_work_guard(context);
  carrier.send(notice, [&](Deliveries::Outcome outcome, const base::Message& answer) {
    waiting.reset();
    delivery.is_delivered = outcome == Deliveries::Outcome::delivered;
    delivery.answer = answer.empty() ? base::say("it ended with status 0") : answer;
  });
  context.run();
  return delivery;
}

/// One item of `notify`, its queue and what carries it.
class Notifier::Receiver {
 public:
  Receiver(asio::io_context& context, config::Notify settings, Tell tell)
      : settings_(std::move(settings)), tell_(std::move(tell)), carrier_(context, settings_),
        retry_(context), leaving_(context) {}

  [[nodiscard]] bool wants(config::NotifyEvent event) const {
    return std::find(settings_.events.begin(), settings_.events.end(), event) != settings_.events.end();
  }

  void add(const Notice& notice) {
    if (!queue_.add(notice)) {
      tell_(failed_note(base::say("{}: more than {} messages wait; the oldest one is left out", name(),
                                  Deliveries::waiting_max)));
    }
    pump();
  }

  [[nodiscard]] std::size_t waiting() const { return queue_.waiting(); }

  [[nodiscard]] const config::Notify& settings() const { return settings_; }

  /// What waits may still arrive, for a moment; what does not is told.
  void stop(base::Millis within) {
    is_stopped_ = true;
    leave_until_ = base::io::read_clocks().steady + within;
    retry_.cancel();
    leaving_.expires_at(leave_until_);
    leaving_.async_wait([this](boost::system::error_code failed) {
      if (!failed) {
        leave();
      }
    });
    pump();
  }

 private:
  [[nodiscard]] base::Message name() const { return name_of(settings_); }

  void pump() {
    if (auto notice = queue_.begin(base::io::read_clocks().steady)) {
      carrier_.send(*notice, [this](Deliveries::Outcome outcome, const base::Message& why) { ended(outcome, why); });
    } else if (const auto due = queue_.due(); due && (!is_stopped_ || *due < leave_until_)) {
      retry_.expires_at(*due);
      retry_.async_wait([this](boost::system::error_code failed) {
        if (!failed) {
          pump();
        }
      });
    } else if (is_stopped_ && (due || queue_.waiting() == 0)) {
      leave();
    }
  }

  void leave() {
    carrier_.drop();
    retry_.cancel();
    leaving_.cancel();
    if (const auto count = queue_.waiting(); count > 0) {
      const auto left_out =
          count == 1 ? base::say("{} message is left out: there was no time left to send more", count)
                     : base::say("{} messages are left out: there was no time left to send more", count);
      tell_(failed_note(why_.empty() ? base::say("{}: {}", name(), left_out)
                                     : base::say("{}: {}; {}", name(), why_, left_out)));
    }
    queue_ = {};
  }

  void ended(Deliveries::Outcome outcome, const base::Message& why) {
    why_ = outcome == Deliveries::Outcome::later ? why : base::Message();
    if (queue_.ended(outcome, base::io::read_clocks().steady) == Deliveries::Verdict::gives_up) {
      tell_(failed_note(base::say("{}: {}; the message is left out", name(), why)));
    }
    pump();
  }

  config::Notify settings_;
  Tell tell_;
  Deliveries queue_;
  Carrier carrier_;
  asio::steady_timer retry_;
  asio::steady_timer leaving_;
  base::Message why_;  ///< the last try was none
  base::SteadyTime leave_until_{};
  bool is_stopped_ = false;
};

Notifier::Notifier(asio::io_context& context, std::string bot, std::vector<config::Notify> receivers,
                   words::Language language, Tell tell, AskPhase phase, base::Millis leave_within)
    : context_(context), notices_(std::move(bot)), tell_(std::move(tell)), phase_(std::move(phase)),
      leave_within_(leave_within), timer_(context) {
  renew(std::move(receivers), language);
  look();
}

void Notifier::renew(std::vector<config::Notify> receivers, words::Language language) {
  language_ = language;
  const auto done = std::partition(leaving_.begin(), leaving_.end(),
                                   [](const auto& receiver) { return receiver->waiting() > 0; });
  Receivers gone(std::make_move_iterator(done), std::make_move_iterator(leaving_.end()));
  leaving_.erase(done, leaving_.end());
  asio::post(context_, [gone = std::move(gone)] {});  // behind their own handlers
  auto former = std::exchange(receivers_, {});
  for (config::Notify& settings : receivers) {
    const auto same = std::find_if(former.begin(), former.end(), [&](const auto& receiver) {
      return receiver->settings() == settings;
    });
    if (same == former.end()) {
      receivers_.push_back(std::make_unique<Receiver>(context_, std::move(settings), tell_));
    } else {
      receivers_.push_back(std::move(*same));
      former.erase(same);
    }
  }
  for (auto& receiver : former) {
    receiver->stop(leave_within_);
    leaving_.push_back(std::move(receiver));
  }
}

Notifier::~Notifier() = default;

void Notifier::take(const bridge::Fact& fact) {
  if (const auto notice = notices_.take(fact, base::io::read_clocks())) {
    add(*notice);
  }
}

void Notifier::stop() {
  is_stopped_ = true;
  timer_.cancel();
  for (const auto& receiver : receivers_) {
    receiver->stop(leave_within_);
  }
}

void Notifier::add(Notice notice) {
  notice.language = language_;
  for (const auto& receiver : receivers_) {
    if (!is_stopped_ && receiver->wants(notice.event)) {
      receiver->add(notice);
    }
  }
}

void Notifier::look() {
  timer_.expires_after(look_pause);
  timer_.async_wait([this](boost::system::error_code failed) {
    if (failed || is_stopped_) {
      return;
    }
    for (const Notice& notice : notices_.look(phase_(), base::io::read_clocks())) {
      add(notice);
    }
    look();
  });
}

std::size_t Notifier::waiting() const {
  std::size_t waiting = 0;
  for (const auto* receivers : {&receivers_, &leaving_}) {
    for (const auto& receiver : *receivers) {
      waiting += receiver->waiting();
    }
  }
  return waiting;
}

}  // namespace kakehashi::watch::io
