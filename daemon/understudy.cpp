#include "daemon/understudy.hpp"

#include <malloc.h>
#include <unistd.h>

#include <string>

#include "base/io/legacy.hpp"

namespace kakehashi::daemon {

std::vector<std::shared_ptr<journal::io::RunAhead>> get_ready(holder::Kept& kept,
                                                                      const std::vector<config::BotConfig>& bots) {
  std::vector<std::shared_ptr<journal::io::RunAhead>> runs;
  std::vector<int> legacies;
  for (const config::BotConfig& bot : bots) {
    runs.push_back(std::make_shared<journal::io::RunAhead>(bot));
    legacies.push_back(kept.take(bot.name + std::string(holder::seen_by_understudy)));
  }
  std::size_t next = 0;  // each a part in its turn
  kept.wait_for_turn([&] {
    for (std::size_t tried = 0; tried < runs.size(); ++tried) {
      const std::size_t index = next++ % runs.size();
      const auto seen = legacies[index] < 0 ? std::nullopt : base::io::Legacy::look(legacies[index]);
      if (seen && runs[index]->take_part(*seen)) {
        return true;
      }
    }
    ::malloc_trim(0);  // it waits for a long time
    return false;
  });
  for (const int legacy : legacies) {
    if (legacy >= 0) {
      ::close(legacy);
    }
  }
  return runs;
}

}  // namespace kakehashi::daemon
