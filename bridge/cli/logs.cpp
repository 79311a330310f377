#include "bridge/cli/logs.hpp"

#include <utility>

#include "bridge/io/driver.hpp"

namespace kakehashi::bridge::cli {
namespace {

Note make_note(Level level, std::string code, std::string text) {
  Note note;
  note.level = level;
  note.code = std::move(code);
  note.text = std::move(text);
  return note;
}

}  // namespace

/// Two that wrote to one file would each rotate the other's lines away.
io::LogSink& Logs::of(const config::Log& settings) {
  auto& log = logs_[settings.file];
  if (!log) {
    log = std::make_unique<io::LogSink>(settings);
    if (!log->trouble().empty()) {
      log->note(io::read_clocks().wall, "", make_note(Level::error, "log_file_failed", log->trouble()));
    }
  }
  return *log;
}

void Logs::say(Level level, std::string code, std::string text) {
  const Note note = make_note(level, std::move(code), std::move(text));
  for (const auto& log : logs_) {
    log.second->note(io::read_clocks().wall, "", note);
  }
}

}  // namespace kakehashi::bridge::cli
