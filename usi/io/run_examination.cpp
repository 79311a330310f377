#include "usi/io/run_examination.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "usi/examination.hpp"
#include "usi/io/engine_process.hpp"

namespace kakehashi::usi::io {

namespace {

namespace asio = boost::asio;

base::SteadyTime now() { return std::chrono::steady_clock::now(); }

class Runner {
 public:
  Runner(ExamSetup setup, const SpawnRequest& engine)
      : examination_(std::move(setup)), request_(engine), timer_(context_) {}

  ExamReport run() {
    perform(examination_.start(now()));
    context_.run();
    return examination_.report();
  }

 private:
  void perform(const ExamActions& actions) {
    if (actions.kill_engine) {
      bury();
    }
    if (actions.start_engine && !start()) {
      return;
    }
    for (const std::string& line : actions.lines) {
      if (engine_) {
        engine_->write(line);
      }
    }
    wait();
  }

  bool start() {
    ++launches_;
    engine_ = std::make_unique<EngineProcess>(context_, callbacks(launches_));
    const std::string why = engine_->start(request_);
    if (!why.empty()) {
      perform(examination_.on_failed_to_start(why));
    }
    return why.empty();
  }

  /// What an engine that was buried still says is heard by nobody.
  EngineProcess::Callbacks callbacks(int launch) {
    return {
        .failed =
            [this, launch](const std::string& why) {
              if (launch == launches_) {
                perform(examination_.on_failed_to_start(why));
              }
            },
        .line =
            [this, launch](const std::string& line, bool) {
              if (launch == launches_) {
                perform(examination_.on_line(line, now()));
              }
            },
        .stderr_line =
            [this, launch](const std::string& line, bool) {
              if (launch == launches_) {
                perform(examination_.on_stderr(line, now()));
              }
            },
        .exited =
            [this, launch](const std::string& status) {
              if (launch == launches_) {
                perform(examination_.on_exited(status, now()));
              }
            },
        .odd =
            [this, launch](Oddity oddity) {
              if (launch == launches_) {
                examination_.on_odd(oddity);
              }
            },
    };
  }

  /// An engine must not be destroyed while it is telling something: the loop does it.
  void bury() {
    ++launches_;
    if (engine_) {
      asio::post(context_, [dead = std::shared_ptr<EngineProcess>(std::move(engine_))] {});
    }
  }

  void wait() {
    if (examination_.is_finished()) {
      timer_.cancel();
      return;
    }
    timer_.expires_at(examination_.deadline());
    timer_.async_wait([this](boost::system::error_code failed) {
      if (!failed) {
        perform(examination_.on_time(now()));
      }
    });
  }

  Examination examination_;
  const SpawnRequest& request_;
  asio::io_context context_{1};
  asio::steady_timer timer_;
  std::unique_ptr<EngineProcess> engine_;
  int launches_ = 0;
};

}  // namespace

ExamReport run_examination(ExamSetup setup, const SpawnRequest& engine) {
  return Runner(std::move(setup), engine).run();
}

}  // namespace kakehashi::usi::io
