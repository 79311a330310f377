// Writes a Game_Summary block as shogi-server does, from a few words, so that scripts stay short.
//
//   your_turn=+  foe=foe  id=test+1  total=300 byoyomi=0 increment=10 unit=1sec least=0
//   max_moves=256  declaration=none  board=PI82HI22KA | board=sfen:<sfen, spaces as _>
//   turn=-  to_move=-  moves=+7776FU,T5/-3334FU,T6  time=none  time+=total:60,byoyomi:10
//   time-=…  extra=Key:Value  drop=Game_ID  blank_lines=yes
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace kakehashi::support {

[[nodiscard]] base::Result<std::vector<std::string>> write_summary_block(std::string_view words);

}  // namespace kakehashi::support
