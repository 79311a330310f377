// The logs of the bots of one process: those that name the same file share it.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "bridge/io/log_sink.hpp"
#include "bridge/note.hpp"
#include "config/bot_config.hpp"

namespace kakehashi::bridge::cli {

class Logs {
 public:
  /// The first bot that names a file decides on its settings.
  io::LogSink& of(const config::Log& settings);
  /// Files that were moved away, or could not be used, are opened anew.
  void reopen();
  /// Waits until all lines are written, for a while.
  void flush();
  /// In every log, of no bot.
  void say(Level level, std::string code, std::string text);

 private:
  std::map<std::string, std::unique_ptr<io::LogSink>> logs_;
};

}  // namespace kakehashi::bridge::cli
