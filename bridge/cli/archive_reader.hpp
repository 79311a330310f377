// Answers questions about the archives of the bots of one process, on a thread of its own: a long question
// delays neither a game nor the storing of one.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bridge/io/background.hpp"
#include "config/bot_config.hpp"
#include "status/http_answer.hpp"

namespace boost::asio {
class io_context;
}

namespace kakehashi::bridge::cli {

class ArchiveReader {
 public:
  explicit ArchiveReader(boost::asio::io_context& context) : context_(context) {}

  using Reply = std::function<void(status::HttpAnswer)>;
  /// Answers an address below /api/v1/games from the archive of the bot that it names, else of the
  /// first that keeps one. `reply` is called from the loop.
  void ask(const std::string& target, const std::vector<config::BotConfig>& bots, Reply reply);

 private:
  boost::asio::io_context& context_;
  io::Background thread_;
};

}  // namespace kakehashi::bridge::cli
