#include "bridge/io/records.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <future>
#include <utility>

namespace kakehashi::bridge::io {

/// One record on its way to the disk. The thread has the writer until the outcome is there.
struct Records::Finishing {
  RecordWriter writer;
  FinishRecord record;
  std::promise<RecordWritten> outcome;

  void work() {
    try {
      outcome.set_value(writer.finish(record));
    } catch (const std::exception& failure) {  // no memory: it costs this record, not the process
      outcome.set_value({writer.path(), failure.what()});
    }
  }
};

Records::Records(boost::asio::io_context& context, RecordWriter writer,
                 std::function<void(RecordWritten)> tell)
    : context_(context), writer_(std::move(writer)), tell_(std::move(tell)) {}

Records::~Records() = default;

void Records::begin(const BeginRecord& record) {
  settle();
  tell_(writer_.begin(record));
}

void Records::append(const AppendRecord& record) {
  settle();
  tell_(writer_.append(record));
}

void Records::finish(const FinishRecord& record) {
  settle();
  auto finishing = std::make_shared<Finishing>(Finishing{writer_, record, {}});
  const auto work = [finishing, watched = std::weak_ptr<Records*>(self_),
                     guard = boost::asio::make_work_guard(context_)] {
    finishing->work();
    boost::asio::post(guard.get_executor(), [finishing, watched] {
      if (const auto self = watched.lock(); self && (*self)->finishing_ == finishing) {
        (*self)->settle();
      }
    });
  };
  finishing_ = finishing;
  if (!DiskThread::of(context_).post(work)) {
    finishing->work();
    settle();
  }
}

void Records::settle() {
  if (const auto finishing = std::exchange(finishing_, nullptr)) {
    auto written = finishing->outcome.get_future().get();
    writer_ = std::move(finishing->writer);
    tell_(std::move(written));
  }
}

void Records::renew(RecordWriter writer) {
  settle();
  writer_ = std::move(writer);
}

}  // namespace kakehashi::bridge::io
