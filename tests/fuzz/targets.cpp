#include "fuzz/targets.hpp"

#include <array>
#include <stdexcept>
#include <string>

namespace kakehashi::fuzz {

std::span<const Target> targets() {
  static constexpr std::array all{
      Target{"csa_line", csa_line},     Target{"game_summary", game_summary},
      Target{"csa_session", csa_session}, Target{"usi_line", usi_line},
      Target{"usi_session", usi_session}, Target{"bot", bot},
      Target{"sfen", sfen},             Target{"record", record},
      Target{"yaml", yaml},             Target{"shogihome", shogihome},
      Target{"journal", journal},       Target{"book", book},
      Target{"rehearsal", rehearsal},   Target{"http", http},
      Target{"keeper", keeper},         Target{"keeper_client", keeper_client}};
  return all;
}

void require(bool holds, const char* promise) {
  if (!holds) {
    throw std::logic_error(std::string("this does not hold: ") + promise);
  }
}

}  // namespace kakehashi::fuzz
