// The settings of a server as the link takes them.
#pragma once

#include "config/server_config.hpp"
#include "csa/server_address.hpp"

namespace kakehashi::daemon {

[[nodiscard]] csa::ServerAddress address_of(const config::Server& server);

}  // namespace kakehashi::daemon
