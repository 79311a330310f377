// What goes into the archives of the bots of one process: every finished game, on a thread of its own, so
// that no game ever waits for a disk or for another process that writes; and what earlier processes had no
// time to store. What cannot be stored is told, kept, and tried again after growing pauses; after that the
// next start takes it from the journal, and the record on disk has it still (kakehashi games import).
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/io/threads.hpp"
#include "base/time.hpp"
#include "bridge/finished_game.hpp"
#include "bridge/note.hpp"
#include "config/bot_config.hpp"

namespace boost::asio {
class io_context;
}

namespace kakehashi::games::io {

/// The file of a bot's archive; empty: it keeps none.
[[nodiscard]] std::string archive_file(const config::BotConfig& bot);

class ArchiveWriter {
 public:
  /// `bot` is the name of the one that the note is about. Called on the loop of `context`.
  using Tell = std::function<void(const std::string& bot, const bridge::Note& note)>;

  ArchiveWriter(boost::asio::io_context& context, Tell tell);

  /// Returns at once. The loop goes on until the game is stored or could not be.
  void take(const config::BotConfig& bot, std::shared_ptr<const bridge::FinishedGame> game,
            std::string record_path);

  /// What earlier processes had no time to store: games that the bot's journals know of and its archive
  /// does not, behind the games that wait. However often it is asked for meanwhile, it is done once.
  void catch_up(const config::BotConfig& bot);
  /// All bots are gone: what waits is tried for the last time, with more patience.
  void close();
  /// Nothing is being stored, and nothing will be before another game ends or a pause is over.
  [[nodiscard]] bool is_idle() const { return !games_at_work_ && requested_.empty(); }

  /// Finished games that wait to be stored.
  [[nodiscard]] std::size_t waiting() const;

  /// Of one bot, that could not be stored; of more the oldest are left to the next start.
  static constexpr std::size_t games_max = 64;
  /// With another program that holds the file: a person hears of it within a second.
  static constexpr base::Millis patience_in_play{500};
  static constexpr base::Millis pause_min{1'000};
  static constexpr base::Millis pause_max{60'000};

 private:
  struct Game {
    std::shared_ptr<const bridge::FinishedGame> game;
    std::string record_path;
    std::string file;  ///< the archive of the configuration that it was played with
  };
  /// What is to be done for one bot.
  struct Batch {
    config::BotConfig bot;
    std::vector<Game> games;
    bool is_to_catch_up = false;

    [[nodiscard]] bool is_empty() const { return games.empty() && !is_to_catch_up; }
  };
  struct Outcome {
    Batch left;  ///< what could not be done
    /// Of a hindrance, why, and what will be tried again.
    std::vector<bridge::Note> news;
  };

  /// What a bot's archive lacks, as far as it is known, and which hindrance a person knows of.
  class Backlog {
   public:
    void add(const config::BotConfig& bot, Game game);
    void catch_up(const config::BotConfig& bot);
    [[nodiscard]] bool is_empty() const { return lacking_.is_empty(); }
    [[nodiscard]] std::size_t games() const { return lacking_.games.size(); }

    /// To be worked at: all of it.
    [[nodiscard]] Batch take();
    /// What has come of it. What of that is to be told: each further try is not another event.
    [[nodiscard]] std::vector<bridge::Note> take_back(Outcome outcome);

   private:
    Batch lacking_;
    base::Message told_;  ///< of the last one; empty: none since all was well
  };

  void request(const std::string& bot);
  void request_all();
  /// Before what could not be stored is tried again: each is twice as long as the one before, until all is well. Nothing
  /// where one is under way.
  void pause();
  void work_off();
  void take_back(Outcome outcome, bool was_last);
  [[nodiscard]] static Outcome work(const Batch& batch, base::Millis patience);
  [[nodiscard]] static Outcome attempt(const Batch& batch, base::Millis patience);
  [[nodiscard]] static Outcome failed(const Batch& batch, base::Message why);

  boost::asio::io_context& context_;
  Tell tell_;
  std::map<std::string, Backlog> backlogs_;  ///< by bot
  std::deque<std::string> requested_;        ///< bots, each once
  std::optional<std::size_t> games_at_work_;  ///< nothing while nothing is being stored
  bool is_closing_ = false;
  boost::asio::steady_timer pause_;
  bool is_pausing_ = false;
  base::Millis next_pause_ = pause_min;
  base::io::Background thread_;  ///< has at most one piece of work
};

}  // namespace kakehashi::games::io
