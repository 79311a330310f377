#include "daemon/signals.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <utility>

namespace kakehashi::daemon {

bridge::Urgency urgency_of(int requests) {
  return requests <= 1 ? bridge::Urgency::drain : requests == 2 ? bridge::Urgency::resign : bridge::Urgency::at_once;
}

class Signals::Listener : public std::enable_shared_from_this<Listener> {
 public:
  Listener(boost::asio::io_context& context, Callbacks callbacks, int requests)
      : callbacks_(std::move(callbacks)), signals_(context, SIGTERM, SIGINT, SIGHUP), requests_(requests) {
    signals_.add(SIGUSR1);
    signals_.add(SIGUSR2);
    sigset_t heard;
    ::sigemptyset(&heard);
    for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2, SIGQUIT, SIGCHLD}) {
      ::sigaddset(&heard, number);
    }
    ::pthread_sigmask(SIG_UNBLOCK, &heard, nullptr);  // a holder may have kept them back until now
  }

  void wait() {
    signals_.async_wait([self = shared_from_this()](boost::system::error_code failed, int number) {
      if (failed || self->is_stopped_) {
        return;
      }
      self->wait();
      if (number == SIGHUP || number == SIGUSR1 || number == SIGUSR2) {
        const auto& callback = number == SIGHUP    ? self->callbacks_.hangup
                               : number == SIGUSR1 ? self->callbacks_.state_wanted
                                                   : self->callbacks_.successor_wanted;
        if (callback) {
          callback();
        }
        return;
      }
      ++self->requests_;
      self->callbacks_.stop_requested(urgency_of(self->requests_),
                                      number == SIGTERM ? "SIGTERM" : "SIGINT");
    });
  }

  void stop() {
    is_stopped_ = true;
    signals_.cancel();
  }

 private:
  Callbacks callbacks_;
  boost::asio::signal_set signals_;
  int requests_;
  bool is_stopped_ = false;
};

Signals::Signals(boost::asio::io_context& context, Callbacks callbacks, int requests)
    : listener_(std::make_shared<Listener>(context, std::move(callbacks), requests)) {
  // A write to an engine that has just died is an error of that write, not the end of the process.
  std::signal(SIGPIPE, SIG_IGN);
  // So is a write beyond the size that a file may have (RLIMIT_FSIZE).
  std::signal(SIGXFSZ, SIG_IGN);
  listener_->wait();
}

Signals::~Signals() { stop(); }

void Signals::stop() { listener_->stop(); }

}  // namespace kakehashi::daemon
