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

inline constexpr const char* exit_status_help =
    "Exit status:\n"
    "  0   done: all games played, or stopped as asked\n"
    "  1   replay: the program now does something else than was recorded\n"
    "  64  the command line could not be understood\n"
    "  65  a journal or record is broken, or a record contradicts itself\n"
    "  66  a record file cannot be read\n"
    "  69  the engine or the server is not available\n"
    "  70  a fault of the program itself\n"
    "  73  an output file exists or cannot be written\n"
    "  75  stopped at once in mid-game\n"
    "  77  the server refused the login for good\n"
    "  78  the configuration is wrong; nothing was opened\n";

}  // namespace kakehashi::base
