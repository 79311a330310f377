// What one bot leaves to the process that follows this one, should it be killed: with the holder the descriptors of its line
// and its engines, and memory that tells how far everything had come (base/io/legacy). Without a holder nothing.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/io/legacy.hpp"
#include "base/message.hpp"
#include "base/result.hpp"
#include "bridge/engine_id.hpp"
#include "config/bot_config.hpp"
#include "holder/kept.hpp"
#include "journal/io/earlier_runs.hpp"
#include "usi/io/engine_process.hpp"
#include "usi/io/spawn.hpp"

namespace kakehashi::daemon {

class Estate {
 public:
  /// Whether this program could go on with the run of the bot that another one plays meanwhile. The error says why not.
  [[nodiscard]] static base::Result<bool, base::Message> could_be_followed(holder::Kept& kept, const config::BotConfig& bot);

  /// By what the bot plays the run that an earlier process has left, where its files say something else by now: with the secrets
  /// of now. Nothing: by the same, or there is no such run.
  [[nodiscard]] static std::optional<config::BotConfig> config_of_run(const holder::Kept& kept, const config::BotConfig& bot);

  /// Those of all runs that an earlier process has left, without their secrets: for a process that cannot read its files just
  /// now, so that the games are played to their ends.
  [[nodiscard]] static std::vector<config::BotConfig> configs_of_runs(const holder::Kept& kept);

  /// `kept` must outlive this object; null: there is no holder.
  Estate(holder::Kept* kept, std::string bot);

  /// Null: nothing is left behind.
  [[nodiscard]] base::io::Legacy* legacy() const { return legacy_.get(); }
  /// An earlier process has left a run to go on with.
  [[nodiscard]] bool has_run() const { return has_run_; }
  /// It has left a line or engines, and no run: there was no whole journal of that.
  [[nodiscard]] bool has_lost_run() const { return kept_ != nullptr && !has_run_ && !kept_->names(bot_ + "/").empty(); }
  /// That process was ended because another program was to go on.
  [[nodiscard]] bool is_successors() const { return kept_ != nullptr && kept_->start().is_successor; }

  // --- the line

  [[nodiscard]] base::io::Legacy::Stream* keep_line(int socket);
  void drop_line(const base::io::Legacy::Stream* stream);
  struct Line {
    int socket = -1;
    base::io::Legacy::Stream* stream = nullptr;
    std::uint64_t bytes = 0;  ///< that the kernel has taken of it
    /// One process after the other died of the first line of what is left: that, as plain as can be. If the game needs nothing
    /// of it, it is left out.
    bool is_plain = false;
    std::optional<std::string> first;
  };
  /// That of the earlier process.
  [[nodiscard]] std::optional<Line> take_line();

  // --- the engines

  [[nodiscard]] usi::io::EngineProcess::Kept keep_engine(bridge::EngineId engine, const usi::io::Spawned& spawned);
  void drop_engine(bridge::EngineId engine);
  struct Engine {
    usi::io::Spawned spawned;
    usi::io::EngineProcess::Kept kept;
    bool lacks_a_line = false;  ///< of which one process after the other had died: it is left out
  };
  /// That of the earlier process, as long as it is known what was written to it, and no process has died of its words
  /// again and again.
  [[nodiscard]] std::optional<Engine> take_engine(bridge::EngineId engine, int process);

  /// Whatever the earlier process has left and nobody has taken: it is closed, and engines are killed.
  void drop_rest();
  /// The bot is done, with that exit status: nothing of it is to be gone on with, and it is not to begin anew while others play.
  void end(int status);
  /// An earlier process had come so far.
  [[nodiscard]] std::optional<int> ended_with() const { return ended_with_; }

 private:
  static constexpr int line_is_left_out_from = 3;
  static constexpr int engine_is_replaced_from = 4;

  [[nodiscard]] std::string name_of(std::string_view what) const { return bot_ + "/" + std::string(what); }

  holder::Kept* kept_;
  std::string bot_;
  std::unique_ptr<base::io::Legacy> legacy_;
  bool has_run_ = false;
  std::optional<int> ended_with_;
  int deaths_ = 0;  ///< of processes that stood where this one begins
  std::uint64_t lines_ = 0;  ///< numbers them: one may linger while the next is there already
  std::map<const base::io::Legacy::Stream*, std::string> line_names_;
  std::map<bridge::EngineId, std::string> engines_;  ///< by what names they are kept
};

// --- the understudy: a process that gets ready to follow the one that plays (holder/kept.hpp). It repeats what is complete of
// the bots' runs, so that however long they are, the rest is done in an instant when its turn comes.

/// Returns when this process plays: how far the run of each bot was repeated, in their order.
[[nodiscard]] std::vector<std::shared_ptr<journal::io::RunAhead>> get_ready(holder::Kept& kept, const std::vector<config::BotConfig>& bots);

/// So many steps of all runs are repeated in an instant.
inline constexpr std::size_t steps_to_get_ready_for = 3000;

}  // namespace kakehashi::daemon
