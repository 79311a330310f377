#include "journal/io/records.hpp"

#include <boost/asio/execution_context.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <utility>

#include "journal/io/thread_of.hpp"

namespace kakehashi::journal::io {
namespace {

bridge::RecordWritten attempt(const std::function<bridge::RecordWritten(RecordWriter&)>& work, RecordWriter& writer) {
  try {
    return work(writer);
  } catch (const std::exception& failure) {  // no memory: it costs this record, not the process
    return {writer.path(), base::verbatim(failure.what())};
  }
}

/// For steps that only open and write: what synchronises (the end of a game, the completion of records at
/// the start) may take long, and no record is to be missing meanwhile when the process is killed.
class PromptThread : public ThreadOf<PromptThread, 100'000> {
 public:
  using ThreadOf::ThreadOf;
};

bridge::RecordWritten not_taken() {
  return {"", base::say("too much waits to be written, or the system gives no thread")};
}

}  // namespace

/// A thread has the writer while a step waits: the prompt one, or the disk's while that has steps of the game.
struct Records::Game {
  RecordWriter writer;
  std::atomic<int> at_disk{0};
  std::string stem;  ///< empty: it is over, or none has begun

  Game(RecordWriter its, std::string its_stem) : writer(std::move(its)), stem(std::move(its_stem)) {}
};

Records::Records(boost::asio::io_context& context, RecordWriter writer, Callbacks callbacks, base::Millis pause)
    : context_(context),
      next_(std::move(writer)),
      callbacks_(std::move(callbacks)),
      game_(std::make_shared<Game>(next_, "")),
      pause_(pause),
      again_(context) {
  static_cast<void>(boost::asio::use_service<PromptThread>(context));  // outlives the journal's, which hands on to it
}

Records::~Records() = default;

void Records::begin(const bridge::BeginRecord& record) {
  is_closed_ = false;
  const bool is_new = game_->stem != record.stem;
  if (is_new) {
    game_ = std::make_shared<Game>(next_, record.stem);
  }
  // What is there is replaced, which waits for the disk.
  ask(game_, is_new ? Step::opens : Step::synchronises, [record](RecordWriter& writer) { return writer.begin(record); },
      telling());
}

void Records::go_on(const bridge::BeginRecord& record, const std::string& path) {
  game_ = std::make_shared<Game>(next_, record.stem);
  is_closed_ = false;
  // Behind the completion of earlier records, and it replaces what is there.
  ask(game_, Step::synchronises, [record, path](RecordWriter& writer) { return writer.go_on(record, path); }, telling());
}

void Records::append(const bridge::AppendRecord& record) {
  ask(game_, Step::grows, [record](RecordWriter& writer) { return writer.append(record); }, telling());
}

void Records::finish(const bridge::FinishRecord& record, std::function<void(const std::string&)> finished) {
  game_->stem.clear();
  ask(game_, Step::synchronises, [record](RecordWriter& writer) { return writer.finish(record); },
      [this, tell = telling(), finished, game = game_, record](const bridge::RecordWritten& written) {
        tell(written);
        finished(written.path);
        if (!written.why.empty()) {
          keep({game, record, epoch_});
        }
      });
}

void Records::work_behind(std::function<void()> work, std::function<void()> done) {
  ask(
      game_, Step::synchronises,
      [work = std::move(work)](RecordWriter&) {
        work();
        return bridge::RecordWritten{};
      },
      [done = std::move(done)](const bridge::RecordWritten&) { done(); });
}

void Records::renew(RecordWriter writer) { next_ = std::move(writer); }

void Records::leave_unfinished() {
  ++epoch_;
  unfinished_.clear();
  again_.cancel();
}

void Records::close() {
  waiting_->is_watched = true;
  if (!std::exchange(is_closed_, true)) {
    again_.cancel();
    try_again();
  }
}

void Records::tell_idle() {
  if (!is_busy()) {
    callbacks_.idle();
  }
}

void Records::ask(const std::shared_ptr<Game>& game, Step step, Work work, Then then) {
  const auto in_loop = [watched = std::weak_ptr<Records*>(self_), guard = boost::asio::make_work_guard(context_)](
                           const std::function<void(Records&)>& tell) {
    boost::asio::post(guard.get_executor(), [watched, tell] {
      if (const auto self = watched.lock()) {
        tell(**self);
      }
    });
  };
  const auto end = [in_loop, step, then, waiting = waiting_](const bridge::RecordWritten& written) {
    if (step != Step::grows || !written.why.empty()) {
      in_loop([then, written](Records& self) {
        --self.waiting_->steps;
        then(written);
        self.tell_idle();
      });
    } else if (--waiting->steps == 0 && waiting->is_watched) {
      in_loop([](Records& self) { self.tell_idle(); });
    }
  };
  const auto attempted = [&disk = base::io::DiskThread::of(context_), game, step, work, end] {
    if (step != Step::synchronises && game->at_disk == 0) {
      end(attempt(work, game->writer));
      return;
    }
    ++game->at_disk;
    const bool is_taken = disk.post([game, work, end] {
      const auto written = attempt(work, game->writer);
      --game->at_disk;
      end(written);
    });
    if (!is_taken) {
      --game->at_disk;
      end({"", base::say("the disk is too far behind; the journal knows the rest of the game")});
    }
  };
  const Pace pace = step == Step::grows ? Pace::soon : Pace::at_once;
  const auto hand_on = [&prompt = boost::asio::use_service<PromptThread>(context_), pace, attempted, end] {
    if (!prompt.post(attempted, pace)) {
      end(not_taken());
    }
  };
  ++waiting_->steps;
  if (!callbacks_.behind_journal(hand_on, pace)) {
    end(not_taken());
  }
}

Records::Then Records::telling() {
  return [this, game = game_](const bridge::RecordWritten& written) {
    if (game == game_ || !written.why.empty()) {
      callbacks_.written(written);
    }
  };
}

/// Nothing of its game waits any more: its writer is not the thread's just now.
void Records::keep(Unfinished unfinished) {
  if (unfinished.epoch != epoch_ || !unfinished.game->writer.is_unfinished()) {
    return;
  }
  if (unfinished_.size() >= unfinished_max) {
    unfinished_.erase(unfinished_.begin());
  }
  unfinished_.push_back(std::move(unfinished));
  if (is_closed_ || unfinished_.size() > 1) {
    return;
  }
  again_.expires_after(pause_);
  again_.async_wait([this](boost::system::error_code cancelled) {
    if (!cancelled) {
      try_again();
    }
  });
}

void Records::try_again() {
  for (Unfinished& one : std::exchange(unfinished_, {})) {
    const auto again = [this, one](const bridge::RecordWritten& written) {
      if (one.game->writer.is_unfinished()) {
        keep(one);
      } else {
        callbacks_.made_up(written.path);
      }
    };
    const auto finish = [record = one.record](RecordWriter& writer) { return writer.finish(record); };
    ask(one.game, Step::synchronises, finish, again);
  }
}

}  // namespace kakehashi::journal::io
