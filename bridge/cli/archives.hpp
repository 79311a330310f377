// The archives of the bots of one process: every finished game goes there, on a thread of its own, so
// that no game ever waits for a disk or for another process that writes. What cannot be stored is told
// and left out; the next start takes it from the journal, and the record on disk has it still
// (kakehashi games import).
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bridge/finished_game.hpp"
#include "bridge/io/background.hpp"
#include "bridge/note.hpp"
#include "config/bot_config.hpp"
#include "status/http_answer.hpp"

namespace kakehashi::bridge::cli {

/// The file of a bot's archive; empty: it keeps none.
[[nodiscard]] std::string archive_file(const config::BotConfig& bot);

class Archives {
 public:
  /// `bot` is the name of the one that the note is about. Called on the loop of `context`.
  using Tell = std::function<void(const std::string& bot, const Note& note)>;

  Archives(boost::asio::io_context& context, Tell tell);

  /// Returns at once. The loop goes on until the game is stored or could not be.
  void take(const config::BotConfig& bot, std::shared_ptr<const FinishedGame> game,
            std::string record_path);

  /// What earlier processes had no time to store: games that the bot's journals know of and its archive
  /// does not. At once, before the bot's first game: the loop waits for the disk.
  void catch_up(const config::BotConfig& bot);
  /// The same behind what is waiting, on the thread that stores: the loop does not wait.
  void catch_up_later(const config::BotConfig& bot);

  using Reply = std::function<void(status::HttpAnswer)>;
  /// Answers an address below /api/v1/games from the archive of the bot that it names, else of the
  /// first that keeps one, on another thread than the one that stores: a long question delays no
  /// game. `reply` is called from the loop.
  void ask(const std::string& target, const std::vector<config::BotConfig>& bots, Reply reply);

  /// Finished games that wait to be stored.
  [[nodiscard]] std::size_t waiting() const { return writer_.waiting(); }

 private:
  using Work = std::function<std::optional<Note>()>;
  /// On the writer's thread; what it returns is told on the loop. False: it is not taken.
  bool post(const std::string& bot, Work work);

  boost::asio::io_context& context_;
  Tell tell_;
  io::Background writer_;
  io::Background reader_;
};

}  // namespace kakehashi::bridge::cli
