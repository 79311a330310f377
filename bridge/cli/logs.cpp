#include "bridge/cli/logs.hpp"

#include <filesystem>
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
  const std::string name = settings.file.empty()
                               ? ""
                               : std::filesystem::absolute(settings.file).lexically_normal().string();
  auto& log = logs_[name];
  if (!log) {
    log = std::make_unique<io::LogSink>(settings);
  }
  return *log;
}

void Logs::reopen() {
  for (const auto& log : logs_) {
    log.second->reopen();
  }
}

void Logs::flush() {
  for (const auto& log : logs_) {
    log.second->flush();
  }
}

void Logs::say(Level level, std::string code, std::string text) {
  const Note note = make_note(level, std::move(code), std::move(text));
  for (const auto& log : logs_) {
    log.second->note(io::read_clocks().wall, "", note);
  }
}

}  // namespace kakehashi::bridge::cli
