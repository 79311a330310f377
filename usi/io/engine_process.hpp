// The room usi/io: processes of engines. It owns how one is started, limited, written to, read and ended; it knows
// no game, and decides neither what is said nor when.
//
// One engine process: whole lines in, whole lines out, its standard error drained, its end told
// once, its whole process group gone with it. It adds no rule of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/io/legacy.hpp"
#include "base/time.hpp"
#include "usi/io/spawn.hpp"
#include "usi/process.hpp"

namespace boost::asio {
class io_context;
}

namespace kakehashi::usi::io {

class EngineProcess {
 public:
  struct Kept {
    base::io::Legacy::Stream* output = nullptr;  ///< and what was written to its input
    base::io::Legacy::Stream* errors = nullptr;
  };

  /// Called from the io_context, never from inside a call of this class. None is called after the
  /// object is gone, and none but `exited` after the process's end was told.
  struct Callbacks {
    /// `more`: further lines of the same read follow at once.
    /// Before anything else: the program runs. May be empty.
    std::function<void()> started{};
    /// In its place: why it does not, as start() tells; nothing else follows. May be empty.
    std::function<void(base::Message why)> failed{};
    std::function<void(std::string line, bool more)> line;
    std::function<void(std::string line, bool more)> stderr_line;
    /// What was in its pipe has been delivered before.
    std::function<void(ProcessEnd end)> exited;
    /// May be empty.
    std::function<void(Oddity oddity)> odd{};
    /// It was begun: who keeps it for a process that follows this one says where its streams are to be read into. May be
    /// empty, and what it returns may be null.
    std::function<Kept(const Spawned& engine)> opened{};
    /// Of an engine that was kept: its descriptors are closed.
    std::function<void()> closed{};
    /// It is no engine but the way to one: each of its lines counts, and every byte. None is sifted (OutputSieve) or made
    /// readable (EngineEncoding).
    bool keeps_all = false;
  };

  EngineProcess(boost::asio::io_context& context, Callbacks callbacks);
  /// Kills the process group, and waits for nothing.
  ~EngineProcess();
  EngineProcess(const EngineProcess&) = delete;
  EngineProcess& operator=(const EngineProcess&) = delete;

  /// Once. Empty when it is on its way, else what failed.
  [[nodiscard]] base::Message start(const SpawnRequest& request);
  /// In its place: goes on with an engine that an earlier process had begun and that runs. What was read of it and not worked
  /// off is told first. How it ends, nobody can say then.
  void adopt(const Spawned& engine, const Kept& kept);
  [[nodiscard]] int process() const;

  /// Inside `line` and `stderr_line`: up to where its stream is worked off with that line; null: nobody keeps it.
  using Told = base::io::Legacy::Place;
  [[nodiscard]] Told told() const;

  /// Sends a line, or several with LF between them, and LF, at once. An engine that reads nothing
  /// until queue_bytes_max are waiting is killed; one that has closed its end loses the lines.
  void write(std::string lines);

  /// SIGTERM to the group, and SIGKILL after `grace` (at once when it is zero).
  void kill(base::Millis grace);

  static constexpr std::size_t line_bytes_max = std::size_t{64} * 1024;
  static constexpr std::size_t queue_bytes_max = std::size_t{1024} * 1024;
  /// How long a pipe that a grandchild holds open may delay the news of the process's end.
  static constexpr base::Millis drain_max{1'000};

 private:
  class Run;
  std::shared_ptr<Run> run_;  ///< shared with its pending Asio handlers only
};

}  // namespace kakehashi::usi::io
