// Answers questions about the archives of the bots of one process, on a thread of its own: a long question
// delays neither a game nor the storing of one.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/io/threads.hpp"
#include "bridge/note.hpp"
#include "config/bot_config.hpp"
#include "watch/http_answer.hpp"

namespace boost::asio {
class io_context;
}

namespace kakehashi::watch::io {

class ArchiveReader {
 public:
  /// The answer of an archive's file, on the thread. A test may replace it.
  using Answer = std::function<HttpAnswer(const std::string& file, const GamesRequest& request)>;
  /// What went wrong on the thread, for the log; called from the loop.
  using Tell = std::function<void(const bridge::Note& note)>;

  ArchiveReader(boost::asio::io_context& context, Tell tell);
  ArchiveReader(boost::asio::io_context& context, Tell tell, Answer answer);

  using Reply = std::function<void(HttpAnswer)>;
  /// Answers an address below /api/v1/games from the archive of the bot that it names, else of the
  /// first that keeps one. `reply` is called from the loop.
  void ask(const std::string& target, const std::vector<config::BotConfig>& bots, Reply reply);

 private:
  boost::asio::io_context& context_;
  Tell tell_;
  Answer answer_;
  base::io::Background thread_;
};

}  // namespace kakehashi::watch::io
