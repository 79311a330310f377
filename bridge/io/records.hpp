// The records of one bot while its games are played: begun and continued at once, finished by the disk's
// thread. The loop never waits for the disk: it serves other games meanwhile, and the next game of the same
// bot. What becomes of each step of a game is told in the order of the steps.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bridge/action.hpp"
#include "bridge/event.hpp"
#include "bridge/io/record_writer.hpp"
#include "bridge/note.hpp"

namespace boost::asio {
class io_context;
}

namespace kakehashi::bridge::io {

class Records {
 public:
  /// Called from the io_context, or from inside the call when nothing has to wait.
  struct Callbacks {
    /// Of the present game, and of earlier ones what failed: their paths are nobody's business any more.
    std::function<void(RecordWritten)> written = [](const RecordWritten&) {};
    std::function<void()> idle = [] {};  ///< nothing is waiting for the disk any more
  };

  Records(boost::asio::io_context& context, RecordWriter writer, Callbacks callbacks);
  /// What waits for the disk is still done; nothing is told any more.
  ~Records();
  Records(const Records&) = delete;
  Records& operator=(const Records&) = delete;

  /// As RecordWriter. What a game wants behind a step that waits for the disk waits too.
  void begin(const BeginRecord& record);
  void append(const AppendRecord& record);
  void go_on(const BeginRecord& record, const std::string& path);
  /// `finished` is given the path of the first file, which is empty when there is none. When the disk is
  /// so far behind that no more may wait, the record stays as it is, which is told as a failure.
  void finish(const FinishRecord& record, std::function<void(const std::string& path)> finished);
  /// Behind all steps so far, and before any later one: `work` by the disk's thread, which must own all
  /// that it uses; what it returns is told.
  void work_behind(std::function<std::vector<Note>()> work, std::function<void(const Note&)> tell);
  /// For the games from the next one on.
  void renew(RecordWriter writer);

  [[nodiscard]] bool is_busy() const { return waiting_ > 0; }

 private:
  struct Game;
  using Step = std::function<RecordWritten(RecordWriter&)>;
  using Then = std::function<void(const RecordWritten&)>;

  void ask(Step step, Then then);
  [[nodiscard]] Then telling();

  boost::asio::io_context& context_;
  RecordWriter next_;  ///< of the next game
  Callbacks callbacks_;
  std::shared_ptr<Game> game_;  ///< shared with the disk's thread
  std::size_t waiting_ = 0;  ///< steps, of all games
  std::shared_ptr<Records*> self_ = std::make_shared<Records*>(this);  ///< watched by its news
};

}  // namespace kakehashi::bridge::io
