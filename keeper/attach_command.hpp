// The command that attaches to a keeper: on this machine, or on another through ssh, whose shell gets nothing that was
// not quoted here. Pure: it starts nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"

namespace kakehashi::keeper {

struct Attachment {
  std::string name;                  ///< of the keeper (is_name in main.cpp)
  std::vector<std::string> command;  ///< the engine's
  std::string directory{};           ///< empty: its program's
  std::string mark{};                ///< of what else the engine depends on; another one is another engine
  std::string keep_in{};             ///< where keepers are found; empty: the usual place
  bool ends_with_client = false;     ///< a client that ends, and is not cut off, takes the engine along
  std::vector<std::string> pass{};   ///< variables and patterns of the environment there; empty: the usual ones
  bool core_dumps = false;           ///< the engine may write some
  std::string fresh{};               ///< an engine that was not started with this word is killed first
};

/// Letters and digits stay; what a keeper's name may not hold becomes "_" and, so that two names stay two, a number.
[[nodiscard]] std::string keeper_name(std::string_view text);

/// "attach NAME …", for kakehashi-keep.
[[nodiscard]] std::vector<std::string> attach_words(const Attachment& attachment);

/// `host` is a name for ssh, or with a space in it a whole command line, cut at its spaces.
[[nodiscard]] std::vector<std::string> ssh_command(std::string_view host);
/// What ssh is to run there, as one argument: kakehashi-keep from the user's own place or from PATH, with these words.
[[nodiscard]] std::string remote_command(const std::vector<std::string>& words);

/// One word for any shell of the family of sh; csh and fish take it likewise as long as it is one line.
[[nodiscard]] std::string quote_for_shell(std::string_view text);

/// Where `kakehashi engine install` puts the keeper, from the home directory on.
inline constexpr std::string_view installed_in = ".kakehashi/bin";

}  // namespace kakehashi::keeper
