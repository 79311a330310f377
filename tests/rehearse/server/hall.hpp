// A server with clients under virtual time: what each client says, hears, and whether it was
// closed. Time passes only when told to, and wakes the server exactly at its deadlines.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "rehearse/server/server.hpp"

namespace kakehashi::rehearse::server {

using Lines = std::vector<std::string>;

/// Settings that tests change one by one: polls and floodgate like the real server.
[[nodiscard]] Settings like_the_real_server();

class Hall {
 public:
  explicit Hall(Settings settings = {}, std::uint64_t seed = 1);

  void connect(const std::string& client);
  void say(const std::string& client, std::string_view line);
  void vanish(const std::string& client);
  void pass(base::Millis time);
  void arrange(Arrangement next) { server_.arrange(std::move(next)); }
  /// The server is woken although nothing is due.
  void wake();

  /// What that client has heard since it was last asked.
  [[nodiscard]] Lines hear(const std::string& client);
  [[nodiscard]] bool is_open(const std::string& client) const;
  [[nodiscard]] const std::vector<GameReport>& reports() const { return reports_; }
  [[nodiscard]] std::string game_id() const { return game_id_; }

  /// Connects and logs in, CSA form; forgets what was heard so far.
  void log_in(const std::string& client, const std::string& password);
  /// "black" and "white" play: both have agreed and heard START, which is forgotten.
  void start_game(const std::string& game_name = "test-60-10");

 private:
  [[nodiscard]] base::Now now() const;
  void perform(Output output);

  Server server_;
  base::Millis time_{0};
  std::map<std::string, ConnectionId> ids_;
  std::map<ConnectionId, Lines> heard_;
  std::map<ConnectionId, bool> open_;
  std::vector<GameReport> reports_;
  std::string game_id_;  ///< of the last summary
  std::uint64_t connections_ = 0;
};

}  // namespace kakehashi::rehearse::server
