// The settings of a server as the link takes them: the one place where config's words become csa's.
#pragma once

#include "config/bot_config.hpp"
#include "csa/io/server_address.hpp"

namespace kakehashi::bridge::io {

[[nodiscard]] csa::io::ServerAddress address_of(const config::Server& server);

}  // namespace kakehashi::bridge::io
