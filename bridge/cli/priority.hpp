// Who plays must not wait for who thinks: the engines of this machine use every processor.
#pragma once

namespace kakehashi::bridge::cli {

/// The calling thread runs before all ordinary ones from now on, where the system allows it (root,
/// CAP_SYS_NICE, RLIMIT_RTPRIO); its threads and processes begun later are ordinary. A program that was
/// started with a nice value above 0 is meant to stand back, and does.
void ask_for_priority() noexcept;

}  // namespace kakehashi::bridge::cli
