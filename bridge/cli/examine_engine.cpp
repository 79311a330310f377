#include "bridge/cli/examine_engine.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/usi.hpp"
#include "usi/io/engine_process.hpp"

namespace kakehashi::bridge::cli {
namespace {

namespace asio = boost::asio;
using usi::ExamSetup;
using usi::io::EngineProcess;

/// "startpos moves …" or "sfen …"; all of them stand below, so they can be read.
usi::ExamPosition shogi_position(std::string_view text) {
  const std::size_t moves_at = text.find(" moves ");
  const std::string_view start = text.substr(0, moves_at);
  shogi::Position position =
      shogi::usi::parse_sfen(start == "startpos" ? shogi::usi::startpos_sfen : start.substr(5)).value();
  if (moves_at != std::string_view::npos) {
    for (const std::string_view word : base::split_words(text.substr(moves_at + 7))) {
      position.play(shogi::usi::parse_move(word).value());
    }
  }
  usi::ExamPosition question{"position " + std::string(text), {}};
  for (const shogi::Move& move : shogi::legal_moves(position)) {
    question.legal.push_back(shogi::usi::format_move(move));
  }
  return question;
}

/// Those of the protocol.
void add_positions(ExamSetup& setup) {
  switch (setup.protocol) {
    case usi::Protocol::usi:
    case usi::Protocol::uci:
      for (const char* text :
           {"startpos", "startpos moves 7g7f",
            // Pieces in hand, a promotion in the history, both sides to move.
            "startpos moves 7g7f 3c3d 8h2b+ 3a2b",
            "sfen lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
            "sfen lnsgkgsnl/1r5b1/p1pppp1pp/6p2/1p7/2P6/PP1PPPP1P/1B5R1/LNSGKGSNL b P 9",
            "sfen ln1gkgsnl/1r1s3b1/p1pppp1pp/6p2/1p7/2P6/PP1PPPP1P/1BG4R1/LNS1KGSNL w p 12"}) {
        setup.positions.push_back(shogi_position(text));
      }
      return;
    case usi::Protocol::tei:
      setup.positions = {{"position startpos", {}}, {"position startpos moves a1 f6", {}}};
      return;
    case usi::Protocol::ucgi:
      // The example of the text: a board of its own notation cannot be made up here.
      setup.positions = {{"position startpos moves h4.HADJI rack.AEIRSTX", {}}};
      return;
  }
}

base::SteadyTime now() { return std::chrono::steady_clock::now(); }

class Runner {
 public:
  Runner(ExamSetup setup, const usi::io::SpawnRequest& engine)
      : examination_(std::move(setup)), request_(engine), timer_(context_) {}

  usi::ExamReport run() {
    perform(examination_.start(now()));
    context_.run();
    return examination_.report();
  }

 private:
  void perform(const usi::ExamActions& actions) {
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
            [this, launch](usi::Oddity oddity) {
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

  usi::Examination examination_;
  const usi::io::SpawnRequest& request_;
  asio::io_context context_{1};
  asio::steady_timer timer_;
  std::unique_ptr<EngineProcess> engine_;
  int launches_ = 0;
};

}  // namespace

usi::ExamReport examine_engine(ExamSetup setup, const usi::io::SpawnRequest& engine) {
  add_positions(setup);
  return Runner(std::move(setup), engine).run();
}

}  // namespace kakehashi::bridge::cli
