// What comes from the shells of server and engine, in the core's words and in the log's.
#pragma once

#include <string_view>

#include "base/time.hpp"
#include "bridge/event.hpp"
#include "bridge/io/log_sink.hpp"
#include "bridge/mask.hpp"
#include "csa/io/server_link.hpp"

namespace kakehashi::bridge::io {

[[nodiscard]] ServerClosed::How translate(csa::io::HowClosed how);

/// Shows the line that an event brought, at debug, without what `mask` hides.
void trace(LogSink& log, std::string_view bot, base::WallTime time, const Event& event,
           const Mask& mask);

}  // namespace kakehashi::bridge::io
