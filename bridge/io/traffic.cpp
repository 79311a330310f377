#include "bridge/io/traffic.hpp"

#include <utility>
#include <variant>

#include "base/text.hpp"

namespace kakehashi::bridge::io {

ServerClosed::How translate(csa::io::HowClosed how) {
  switch (how) {
    case csa::io::HowClosed::refused: return ServerClosed::How::refused;
    case csa::io::HowClosed::eof: return ServerClosed::How::eof;
    case csa::io::HowClosed::broken: return ServerClosed::How::broken;
  }
  return ServerClosed::How::broken;
}

csa::io::ServerLink::Callbacks callbacks_telling(std::function<void(Event event, bool more)> tell) {
  csa::io::ServerLink::Callbacks callbacks;
  callbacks.connected = [tell](std::string peer) {
    tell(ServerConnected{std::move(peer)}, false);
  };
  callbacks.line = [tell](std::string line, bool more) {
    tell(ServerLine{std::move(line), more}, more);
  };
  callbacks.closed = [tell](csa::io::HowClosed how, std::string why) {
    tell(ServerClosed{translate(how), std::move(why)}, false);
  };
  return callbacks;
}

Note collapse_note(const char* why, std::optional<base::Millis> starts_anew_in,
                   const std::string& journal) {
  Note note;
  note.level = Level::error;
  note.code = "bot_failed";
  note.text = "the bot broke a promise to itself: " + std::string(why) +
              "; its connection and engine were dropped; " +
              (starts_anew_in
                   ? "it starts anew in " + base::format_millis(starts_anew_in->count())
                   : "it stops");
  note.text += journal.empty() ? "" : "; its journal is " + journal;
  return note;
}

void trace(LogSink& log, std::string_view bot, base::WallTime time, const Event& event,
           const Mask& mask) {
  if (!log.shows(Level::debug)) {
    return;
  }
  if (const auto* server = std::get_if<ServerLine>(&event)) {
    const auto masked = mask.hide(event);
    log.traffic(time, bot, "server <", masked ? std::get<ServerLine>(*masked).text : server->text);
  } else if (const auto* engine = std::get_if<EngineLine>(&event)) {
    log.traffic(time, bot, is_standby(engine->engine) ? "standby <" : "engine <", engine->text);
  } else if (const auto* stderr_line = std::get_if<EngineStderr>(&event)) {
    log.traffic(time, bot, is_standby(stderr_line->engine) ? "standby !" : "engine !",
                stderr_line->text);
  }
}

}  // namespace kakehashi::bridge::io
