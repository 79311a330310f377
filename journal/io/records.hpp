// The records of one bot while its games are played, written by the disk's thread: the loop never waits for
// a disk, it serves games meanwhile. What becomes of each step of a game is told in the order of the steps.
// A record that could not be finished, on a disk that was full, is tried again until it is.
// It knows no format and no game: texts come whole from the core.
#pragma once

#include <atomic>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/io/threads.hpp"
#include "base/time.hpp"
#include "bridge/action.hpp"
#include "bridge/event.hpp"
#include "journal/io/record_writer.hpp"

namespace boost::asio {
class io_context;
}

namespace kakehashi::journal::io {

class Records {
 public:
  using Pace = base::io::Background::Pace;

  /// Called from the io_context, or from inside the call when the system gives no thread.
  struct Callbacks {
    /// What begins and ends the record of the present game, and whatever fails, of earlier games too. That a record has
    /// grown as it should is no news.
    std::function<void(bridge::RecordWritten)> written = [](const bridge::RecordWritten&) {};
    /// Behind close(): nothing is waiting for the disk any more.
    std::function<void()> idle = [] {};
    /// A record that was told as failed when its game ended is whole now.
    std::function<void(const std::string& path)> made_up = [](const std::string&) {};
    /// Does the work, on whatever thread, when the journal has what it was handed before: whatever a killed
    /// process has not written, the next start makes up for. False: it will not.
    std::function<bool(std::function<void()> work, Pace pace)> behind_journal =
        [](const std::function<void()>& work, Pace) {
          work();
          return true;
        };
  };

  static constexpr base::Millis pause_default{5'000};
  /// Games whose records are tried again; of more the oldest are left to the next start.
  static constexpr std::size_t unfinished_max = 64;

  /// `pause` lies between two tries to finish a record.
  Records(boost::asio::io_context& context, RecordWriter writer, Callbacks callbacks,
          base::Millis pause = pause_default);
  /// What waits for the disk is still done; nothing is told any more.
  ~Records();
  Records(const Records&) = delete;
  Records& operator=(const Records&) = delete;

  /// As RecordWriter.
  void begin(const bridge::BeginRecord& record);
  void append(const bridge::AppendRecord& record);
  void go_on(const bridge::BeginRecord& record, const std::string& path);
  /// `finished` is given the path of the first file, which is empty when there is none, at the first try.
  /// When the disk is so far behind that no more may wait, the record stays as it is, which is told as a
  /// failure.
  void finish(const bridge::FinishRecord& record, std::function<void(const std::string& path)> finished);
  /// Behind all steps so far, and before any later one: `work` by the disk's thread, which must own all
  /// that it uses; `done` when it is done.
  void work_behind(std::function<void()> work, std::function<void()> done);
  /// For the games from the next one on.
  void renew(RecordWriter writer);
  /// Records that could not be finished are somebody else's business now: the journal's completion.
  void leave_unfinished();
  /// They are tried once more, and no more before another game begins.
  void close();

  [[nodiscard]] bool is_busy() const { return waiting_->steps > 0; }

 private:
  struct Game;
  using Work = std::function<bridge::RecordWritten(RecordWriter&)>;
  using Then = std::function<void(const bridge::RecordWritten&)>;

  struct Unfinished { std::shared_ptr<Game> game; bridge::FinishRecord record; int epoch = 0; };

  enum class Step { opens, grows, synchronises };

  /// Steps of all games: the threads count them down where nothing is told.
  struct Waiting { std::atomic<std::size_t> steps{0}; std::atomic<bool> is_watched{false}; };

  /// Of a step that lets the record grow only a failure is told.
  void ask(const std::shared_ptr<Game>& game, Step step, Work work, Then then);
  void tell_idle();
  [[nodiscard]] Then telling();
  void keep(Unfinished unfinished);
  void try_again();

  boost::asio::io_context& context_;
  RecordWriter next_;  ///< of the next game
  Callbacks callbacks_;
  std::shared_ptr<Game> game_;  ///< shared with the disk's thread
  std::shared_ptr<Waiting> waiting_ = std::make_shared<Waiting>();  ///< shared with the threads
  std::vector<Unfinished> unfinished_;
  base::Millis pause_;
  boost::asio::steady_timer again_;
  bool is_closed_ = false;
  int epoch_ = 0;  ///< counts leave_unfinished()
  std::shared_ptr<Records*> self_ = std::make_shared<Records*>(this);  ///< watched by its news
};

}  // namespace kakehashi::journal::io
