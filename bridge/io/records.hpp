// The records of one bot while its games are played: begun and continued at once, finished by the disk's
// thread. Finishing waits for the disk several times, and the loop serves other games meanwhile. What
// becomes of each step is told in the order of the steps.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "bridge/action.hpp"
#include "bridge/event.hpp"
#include "bridge/io/disk_thread.hpp"
#include "bridge/io/record_writer.hpp"
#include "config/record_config.hpp"

namespace boost::asio {
class io_context;
}

namespace kakehashi::bridge::io {

class Records {
 public:
  /// `tell` is called from inside begin(), append() and finish(), or from the io_context.
  Records(boost::asio::io_context& context, RecordWriter writer,
          std::function<void(RecordWritten)> tell);
  /// A record that is being finished is still finished; nothing is told any more.
  ~Records();
  Records(const Records&) = delete;
  Records& operator=(const Records&) = delete;

  /// As RecordWriter. A record that is still being finished is waited for: the same disk is asked.
  void begin(const BeginRecord& record);
  void append(const AppendRecord& record);
  void finish(const FinishRecord& record);

  /// Waits for the record that is being finished, if any, and tells what became of it.
  void settle();
  [[nodiscard]] bool is_finishing() const { return finishing_ != nullptr; }
  /// For the games from the next one on.
  void renew(RecordWriter writer);

 private:
  struct Finishing;

  boost::asio::io_context& context_;
  RecordWriter writer_;
  std::function<void(RecordWritten)> tell_;
  std::shared_ptr<Finishing> finishing_;  ///< shared with the disk's thread
  std::shared_ptr<Records*> self_ = std::make_shared<Records*>(this);  ///< watched by its news
};

}  // namespace kakehashi::bridge::io
