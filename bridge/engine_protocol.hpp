// The protocol that a configuration names, as the engine's side knows it.
#pragma once

#include "config/bot_config.hpp"
#include "usi/dialect.hpp"

namespace kakehashi::bridge {

[[nodiscard]] inline usi::Protocol protocol_of(const config::Engine& engine) {
  switch (engine.protocol) {
    case config::EngineProtocol::usi: return usi::Protocol::usi;
    case config::EngineProtocol::uci: return usi::Protocol::uci;
    case config::EngineProtocol::tei: return usi::Protocol::tei;
    case config::EngineProtocol::ucgi: return usi::Protocol::ucgi;
  }
  return usi::Protocol::usi;
}

}  // namespace kakehashi::bridge
