// How a connection to a server ended, for its shell and for the core.
#pragma once

namespace kakehashi::csa {

/// refused: no connection came about, all its layers included. eof: the server closed. broken: everything else, such as
/// a reset, a timeout, a line over the bound. Journals spell it by its number.
enum class HowClosed { refused, eof, broken };

}  // namespace kakehashi::csa
