#include "bridge/io/records.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <utility>

#include "bridge/io/disk_thread.hpp"

namespace kakehashi::bridge::io {
namespace {

RecordWritten attempt(const std::function<RecordWritten(RecordWriter&)>& step, RecordWriter& writer) {
  try {
    return step(writer);
  } catch (const std::exception& failure) {  // no memory: it costs this record, not the process
    return {writer.path(), failure.what()};
  }
}

}  // namespace

/// The thread has the writer while a step waits.
struct Records::Game {
  RecordWriter writer;
  std::string stem;  ///< empty: it is over, or none has begun
  std::size_t waiting = 0;
  bool is_left_out = false;  ///< the disk was too far behind
};

Records::Records(boost::asio::io_context& context, RecordWriter writer, Callbacks callbacks)
    : context_(context),
      next_(std::move(writer)),
      callbacks_(std::move(callbacks)),
      game_(std::make_shared<Game>(Game{next_, "", 0, false})) {}

Records::~Records() = default;

void Records::begin(const BeginRecord& record) {
  if (game_->stem != record.stem) {
    game_ = std::make_shared<Game>(Game{next_, record.stem, 0, false});
    callbacks_.written(game_->writer.begin(record));
    return;
  }
  // What is there is replaced, which waits for the disk.
  ask([record](RecordWriter& writer) { return writer.begin(record); }, telling());
}

void Records::go_on(const BeginRecord& record, const std::string& path) {
  game_ = std::make_shared<Game>(Game{next_, record.stem, 0, false});
  ask([record, path](RecordWriter& writer) { return writer.go_on(record, path); }, telling());
}

void Records::append(const AppendRecord& record) {
  if (game_->waiting == 0 && !game_->is_left_out) {
    callbacks_.written(game_->writer.append(record));
    return;
  }
  ask([record](RecordWriter& writer) { return writer.append(record); }, telling());
}

void Records::finish(const FinishRecord& record, std::function<void(const std::string&)> finished) {
  game_->stem.clear();
  ask([record](RecordWriter& writer) { return writer.finish(record); },
      [tell = telling(), finished = std::move(finished)](const RecordWritten& written) {
        tell(written);
        finished(written.path);
      });
}

void Records::work_behind(std::function<std::vector<Note>()> work,
                          std::function<void(const Note&)> tell) {
  const auto notes = std::make_shared<std::vector<Note>>();  // the thread's, and then the loop's
  ask(
      [work = std::move(work), notes](RecordWriter&) {
        *notes = work();
        return RecordWritten{};
      },
      [tell = std::move(tell), notes](const RecordWritten&) {
        for (const Note& note : *notes) {
          tell(note);
        }
      });
}

void Records::renew(RecordWriter writer) { next_ = std::move(writer); }

void Records::ask(Step step, Then then) {
  auto& disk = DiskThread::of(context_);
  const auto done = [game = game_, then, watched = std::weak_ptr<Records*>(self_)](
                        const RecordWritten& written) {
    const auto self = watched.lock();
    if (!self) {
      return;
    }
    --game->waiting;
    --(*self)->waiting_;
    then(written);
    if ((*self)->waiting_ == 0) {
      (*self)->callbacks_.idle();
    }
  };
  const auto work = [game = game_, step, done, guard = boost::asio::make_work_guard(context_)] {
    boost::asio::post(guard.get_executor(),
                      [done, written = attempt(step, game->writer)] { done(written); });
  };
  if (!game_->is_left_out && disk.post(work)) {
    ++game_->waiting;
    ++waiting_;
  } else if (!game_->is_left_out && !disk.has_thread()) {
    then(attempt(step, game_->writer));  // nothing waits where no thread has begun
  } else {
    game_->is_left_out = true;  // what follows would leave a gap
    then({"", "the disk is too far behind; the journal knows the rest of the game"});
  }
}

Records::Then Records::telling() {
  return [this, game = game_.get()](const RecordWritten& written) {
    if (game == game_.get() || !written.why.empty()) {
      callbacks_.written(written);
    }
  };
}

}  // namespace kakehashi::bridge::io
