// What the head of a KIF, KI2 or JKF record says of a game as a whole: pairs of a Japanese key and
// a text. KIF and KI2 write them as "key：text" lines, JKF as its header object.
// Source: Kakinoki's description of the KIF format; the keys of tsshogi for what only CSA V3.0 has.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shogi/record/ending_words.hpp"
#include "shogi/record/model.hpp"

namespace kakehashi::shogi::record {

/// 開始日時, 終了日時, 棋戦, 場所, 持ち時間, 先手持ち時間 (exact, as V3.0's $TIME), 最大手数, 持将棋,
/// and the names. Texts are UTF-8 within one line. The start position is not among them.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> kif_fields(const Record& record);

/// One field of those; dates are local to record.utc_offset. False for keys it does not know,
/// among them all of the start position.
bool read_kif_field(std::string_view key, std::string_view value, Record& record);

/// 下手 and 上手 in customary handicap games, else 先手 and 後手.
[[nodiscard]] SideNames side_names(const Record& record);

}  // namespace kakehashi::shogi::record
