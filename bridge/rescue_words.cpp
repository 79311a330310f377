#include "bridge/rescue_words.hpp"

#include <string>
#include <vector>

namespace kakehashi::bridge {

using base::Message;
using base::say;

namespace {

/// Three are the usual end of it; more are lost where each turn loses one at once.
constexpr int lost_in_a_row_max = 9;

std::vector<Message> whys() {
  std::vector<Message> all{say("no move came in time"),
                           say("the engine gave no usable move"),
                           say("there is no engine"),
                           say("no engine is started again in time"),
                           say("no engine has answered for a long time"),
                           say("the engine cannot be started"),
                           say("the declaration does not hold"),
                           say("behind a move against the rules a king is missing or can be taken")};
  for (int searches = 1; searches <= lost_in_a_row_max; ++searches) {
    all.push_back(say("the engine was lost in {} searches in a row", searches));
  }
  return all;
}

std::vector<Message> sources() {
  return {say("the move that takes the king, which a move against the rules left in check"),
          say("the first move of the engine's last line"), say("what the standby engine advises"),
          say("what the engine planned on an earlier turn"), say("a legal move")};
}

}  // namespace

Message rescue_words(const Message& why, const Message& source) { return say("{}; {}", why, say("playing {}", source)); }

Message archived_rescue(std::string_view english) {
  for (const Message& why : whys()) {
    for (const Message& source : sources()) {
      if (Message known = rescue_words(why, source); known == english) {
        return known;
      }
    }
  }
  return base::verbatim(std::string(english));
}

}  // namespace kakehashi::bridge
