#include "fuzz/targets.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "base/checksum.hpp"
#include "base/text.hpp"

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
      Target{"keeper", keeper},         Target{"keeper_client", keeper_client},
      Target{"archive", archive},       Target{"game_query", game_query},
      Target{"earlier_runs", earlier_runs}, Target{"holder_words", holder_words},
      Target{"holder_turn", holder_turn}};
  return all;
}

std::string sealed(std::string_view bytes) {
  constexpr std::size_t sum_bytes = 8;
  std::string text;
  for (const std::string_view line : base::split(bytes, '\n')) {
    const std::string_view rest = line.substr(std::min(line.find('\t'), line.size() - 1) + 1);
    std::string sum(sum_bytes, '0');
    std::uint32_t left = base::crc32c(rest);
    for (std::size_t i = sum_bytes; i-- > 0; left >>= 4U) {
      sum[i] = "0123456789abcdef"[left & 15U];
    }
    text += line.empty() ? "\n" : sum + "\t" + std::string(rest) + "\n";
  }
  return text;
}

void require(bool holds, const char* promise) {
  if (!holds) {
    throw std::logic_error(std::string("this does not hold: ") + promise);
  }
}

}  // namespace kakehashi::fuzz
