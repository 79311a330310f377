// The MD5 digest, only because shogi-server shows a player's identity as one (`name+<md5 of the
// trip>`, in %%WHO). It protects nothing here: the server is for rehearsals.
#pragma once

#include <string>
#include <string_view>

namespace kakehashi::csa::server {

/// 32 lower-case hexadecimal digits. Source: RFC 1321.
[[nodiscard]] std::string md5_hex(std::string_view text);

}  // namespace kakehashi::csa::server
