// The exit statuses of the program, after sysexits(3). Scripts and service units rely on them.
#pragma once

namespace kakehashi::base {

inline constexpr int exit_ok = 0;
inline constexpr int exit_differs = 1;       ///< what was compared is not the same
inline constexpr int exit_usage = 64;        ///< EX_USAGE
inline constexpr int exit_data = 65;         ///< EX_DATAERR: a journal or record that is broken
inline constexpr int exit_no_input = 66;     ///< EX_NOINPUT
inline constexpr int exit_unavailable = 69;  ///< EX_UNAVAILABLE: engine or server
inline constexpr int exit_internal = 70;     ///< EX_SOFTWARE
inline constexpr int exit_cannot_create = 73;  ///< EX_CANTCREAT
inline constexpr int exit_left = 75;         ///< EX_TEMPFAIL: a running game was left
inline constexpr int exit_refused = 77;      ///< EX_NOPERM: the login was refused for good
inline constexpr int exit_config = 78;       ///< EX_CONFIG

}  // namespace kakehashi::base
