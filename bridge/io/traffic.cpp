#include "bridge/io/traffic.hpp"

#include <variant>

namespace kakehashi::bridge::io {

ServerClosed::How translate(csa::io::HowClosed how) {
  switch (how) {
    case csa::io::HowClosed::refused: return ServerClosed::How::refused;
    case csa::io::HowClosed::eof: return ServerClosed::How::eof;
    case csa::io::HowClosed::broken: return ServerClosed::How::broken;
  }
  return ServerClosed::How::broken;
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
