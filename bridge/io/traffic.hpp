// What comes from the shells of server and engine, in the core's words and in the log's.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.hpp"
#include "bridge/event.hpp"
#include "bridge/io/log_sink.hpp"
#include "bridge/mask.hpp"
#include "bridge/note.hpp"
#include "csa/io/server_link.hpp"

namespace kakehashi::bridge::io {

[[nodiscard]] ServerClosed::How translate(csa::io::HowClosed how);

/// What a connection to a server says, as events. `more`: another line of the same read follows at once.
[[nodiscard]] csa::io::ServerLink::Callbacks callbacks_telling(
    std::function<void(Event event, bool more)> tell);

/// The core is broken. `starts_anew_in`: nothing when it does not. `journal`: its path, or empty.
[[nodiscard]] Note collapse_note(const char* why, std::optional<base::Millis> starts_anew_in,
                                 const std::string& journal);

/// Shows the line that an event brought, at debug, without what `mask` hides.
void trace(LogSink& log, std::string_view bot, base::WallTime time, const Event& event,
           const Mask& mask);

}  // namespace kakehashi::bridge::io
