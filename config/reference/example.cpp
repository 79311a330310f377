#include "config/reference/example.hpp"

#include "base/text.hpp"
#include "config/schema/keys.hpp"

namespace kakehashi::config {
namespace {

constexpr std::size_t columns_max = 100;

constexpr const char* essence = R"(server: {host: wdoor.c.u-tokyo.ac.jp}
account: {name: mybot, password_file: /etc/kakehashi/mybot.password}
game: {name: floodgate-300-10F}
engine:
  command: [/opt/engine/YaneuraOu]
  options: {USI_Hash: 1024, Threads: 8, NetworkDelay2: 0}

# The six settings above are enough. The password file holds your trip: one line with a secret word
# of your own choice, always the same, since name and trip together are the player that floodgate
# rates. Make it private: chmod 600. `kakehashi check FILE` tells whether all is well.
#
# All other settings follow, each with its default. To change one, write it into its section above:
# "server.port: 4082" becomes
#
#   server: {host: wdoor.c.u-tokyo.ac.jp, port: 4082}
#
# Durations carry a unit (500ms, 1.5s, 2min, 1h), sizes may (10MB, 10MiB), and yes and no are
# spelled true and false.
)";

/// Text as comment lines, broken at spaces.
std::string comment(const std::string& indent, const std::string& text) {
  std::string lines;
  std::string line = "#" + indent;
  for (const std::string_view word : base::split_words(text)) {
    const bool is_first = line.size() == indent.size() + 1;
    if (!is_first && line.size() + 1 + word.size() > columns_max) {
      lines += line + "\n";
      line = "#" + indent;
    } else if (!is_first) {
      line += " ";
    }
    line += word;
  }
  return lines + line + "\n";
}

bool is_in_essence(const Key& key) {
  return key.is_required || key.path == "account.password_file" || key.path == "game.name" ||
         key.path == "engine.options";
}

std::string entry(const Key& key) {
  std::string text = "#\n# " + key.path +
                     (has_default(key) ? ": " + describe_default(key)
                                  : "  (default: " + describe_default(key) + ")") +
                     "\n";
  return text + comment("   ", key.meaning.english) + comment("   ", "Accepted: " + describe_accepted(key));
}

}  // namespace

std::string floodgate_example() {
  std::string text = essence;
  std::string section;
  for (const Key& key : keys()) {
    if (is_in_essence(key)) {
      continue;
    }
    if (key.section() != section) {
      section = key.section();
      text += "\n# --- " + section + " ---\n";
    }
    text += entry(key);
  }
  return text;
}

}  // namespace kakehashi::config
