// Many bots in one process: pairs of them play each other on the embedded server, each with an
// engine that answers after half a second, so that each bot makes a move a second. The opponent of an
// odd one plays in a process of its own. Each plays one game; then its process ends by itself.
//
//   many --bridge PROGRAM --engine E --bots N [--moves N]
//
// The latency of a move is the time between two moves at the server without the time that the engine
// had it: both ways through the bridge, the embedded server's own work included. Told for the moves that
// were made while all games were under way, and beside it with those of the starts and the ends, when all
// engines begin, and all records are finished, at once.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/child.hpp"
#include "bench/games.hpp"
#include "bench/server_end.hpp"
#include "rehearse/server/io/server_shell.hpp"

namespace kakehashi::bench {
namespace {

namespace fs = std::filesystem;

struct Settings {
  std::string bridge;
  std::string engine;
  int bots = 1;
  int moves = 20;  ///< plies of a game
};

/// When the server saw the plies of one game.
using Times = std::vector<std::uint64_t>;

class Tournament {
 public:
  explicit Tournament(Settings settings)
      : settings_(std::move(settings)),
        folder_(fs::temp_directory_path() / ("kakehashi-many-" + std::to_string(::getpid()))),
        server_(context_, {}, {[this](const rehearse::server::GameReport& report) { hear(report); }, {}}) {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "bots");
    fs::create_directories(folder_ / "opponents");
    write_moves();
  }
  ~Tournament() { fs::remove_all(folder_); }
  Tournament(const Tournament&) = delete;
  Tournament& operator=(const Tournament&) = delete;

  void play() {
    const auto port = server_.start();
    if (!port) {
      throw std::runtime_error(port.error().english());
    }
    for (int bot = 0; bot < settings_.bots; ++bot) {
      write_bot("bots", bot, *port);
    }
    std::optional<Child> opponent;
    if (settings_.bots % 2 != 0) {
      write_bot("opponents", settings_.bots, *port);
      opponent.emplace(command("opponents"));
      opponent->end_with(SIGKILL);
    }
    Child child(command("bots"));
    child.end_with(SIGKILL);
    run_until("all games have begun", child,
              [&] { return games_.size() == pairs() && has_all_at(2); });
    const double cpu_before = child.cpu_ms();
    const std::uint64_t from_ns = now_ns();
    run_until("all games are played", child,
              [&] { return has_all_at(static_cast<std::size_t>(settings_.moves) - 1); });
    all_under_way_ns_ = from_ns;
    const double seconds = static_cast<double>(now_ns() - from_ns) / 1e9;
    const double cpu_ms = child.cpu_ms() - cpu_before;
    const double resident = child.resident_mib();
    const long descriptors = child.descriptors();
    run_until("the bridge has ended", child, [&] { return child.has_ended(); });
    if (child.status() != 0 || ended_ != pairs()) {
      throw std::runtime_error("the bridge ended with status " + std::to_string(child.status()) +
                               " behind " + std::to_string(ended_) + " games");
    }
    print(cpu_ms / seconds, resident, descriptors);
  }

 private:
  /// For each of the steps of play(), besides the time that the moves take.
  static constexpr std::chrono::seconds patience{60};

  [[nodiscard]] std::size_t pairs() const {
    return static_cast<std::size_t>(settings_.bots + 1) / 2;
  }
  [[nodiscard]] std::vector<std::string> command(const char* configs) const {
    return {settings_.bridge, "run", (folder_ / configs).string()};
  }
  [[nodiscard]] fs::path stamps_path(int pair) const {
    return folder_ / ("stamps" + std::to_string(pair));
  }

  template <class Condition>
  void run_until(const char* what, Child& child, Condition is_so) {
    const auto deadline = std::chrono::steady_clock::now() + patience +
                          std::chrono::milliseconds(500) * settings_.moves;
    auto look_at = std::chrono::steady_clock::now();
    while (!is_so()) {
      if (context_.stopped()) {
        context_.restart();
      }
      context_.run_one_for(std::chrono::milliseconds(100));
      const auto now = std::chrono::steady_clock::now();
      if (now < look_at) {
        continue;
      }
      look_at = now + std::chrono::milliseconds(100);
      const bool has_ended = child.has_ended();
      if ((has_ended && !is_so()) || now >= deadline) {
        throw std::runtime_error(std::string(has_ended ? "the bridge ended" : "the time is over") +
                                 " before " + what + ": " + std::to_string(games_.size()) + " of " +
                                 std::to_string(pairs()) + " games began, " +
                                 std::to_string(ended_) + " ended");
      }
    }
  }

  [[nodiscard]] bool has_all_at(std::size_t plies) const {
    return std::all_of(games_.begin(), games_.end(),
                       [&](const auto& game) { return game.second.size() >= plies; });
  }

  void hear(const rehearse::server::GameReport& report) {
    if (const auto* started = std::get_if<rehearse::server::GameStarted>(&report)) {
      games_[started->game_id].reserve(static_cast<std::size_t>(settings_.moves));
    } else if (const auto* played = std::get_if<rehearse::server::MovePlayed>(&report)) {
      Times& times = games_[played->game_id];
      times.push_back(now_ns());
      if (times.size() + 2 == static_cast<std::size_t>(settings_.moves) && first_near_end_ns_ == 0) {
        first_near_end_ns_ = times.back();
      }
    } else if (std::holds_alternative<rehearse::server::GameEnded>(report)) {
      ++ended_;
    }
  }

  void write_moves() const {
    const GameLines game = make_games(1, settings_.moves / 2, 1).front();
    std::ofstream file(folder_ / "moves");
    for (std::size_t i = 0; i < game.white_usi.size(); ++i) {
      file << "bestmove " << game.black_usi[i] << "\nbestmove " << game.white_usi[i] << '\n';
    }
  }

  void write_bot(const char* configs, int bot, int port) const {
    const int pair = bot / 2;
    const fs::path stamps = stamps_path(pair);
    std::ofstream(stamps).close();
    fs::resize_file(stamps, static_cast<std::size_t>(settings_.moves) * 2 * sizeof(std::uint64_t));
    const std::string name = "b" + std::to_string(bot);
    std::ofstream(folder_ / configs / (name + ".yaml"))
        << "server: {host: 127.0.0.1, port: " << port << "}\naccount: {name: " << name << "}\n"
        << "game: {name: p" << pair << "-3600-10, count: 1, meet_own: true}\nengine: {command: ["
        << settings_.engine << ", " << (folder_ / "moves").string() << ", " << stamps.string()
        << ", by_ply, think_us=500000]}\n"
        << "records: {directory: " << (folder_ / "records").string() << "}\n"
        << "log: {file: " << (folder_ / (name + ".log")).string() << "}\n";
  }

  /// Games are told apart by their names, whose beginning is the game name: "p12-3600-10".
  [[nodiscard]] static int pair_of(const std::string& game_id) {
    const std::size_t at = game_id.find("p");
    const std::size_t plus = game_id.find("+p");
    return std::stoi(game_id.substr((plus == std::string::npos ? at : plus + 1) + 1));
  }

  struct Latencies {
    std::vector<double> all_ms;
    std::vector<double> under_way_ms;  ///< begun and ended while all games were under way
  };

  [[nodiscard]] Latencies latencies() const {
    Latencies found;
    for (const auto& [id, times] : games_) {
      std::vector<std::uint64_t> stamps(2 * static_cast<std::size_t>(settings_.moves));
      std::ifstream(stamps_path(pair_of(id)), std::ios::binary)
          .read(reinterpret_cast<char*>(stamps.data()),
                static_cast<std::streamsize>(stamps.size() * sizeof(std::uint64_t)));
      for (std::size_t ply = 1; ply < times.size(); ++ply) {
        const std::uint64_t thought = stamps[2 * ply + 1] - stamps[2 * ply];
        // Signed: a server that is kept waiting may note a move later than the engine it went to.
        const auto way = static_cast<std::int64_t>(times[ply] - times[ply - 1] - thought);
        found.all_ms.push_back(static_cast<double>(way) / 1e6);
        if (times[ply - 1] >= all_under_way_ns_ && times[ply] <= first_near_end_ns_) {
          found.under_way_ms.push_back(found.all_ms.back());
        }
      }
    }
    std::sort(found.all_ms.begin(), found.all_ms.end());
    std::sort(found.under_way_ms.begin(), found.under_way_ms.end());
    return found;
  }

  void print(double cpu_ms_a_second, double resident_mib, long descriptors) const {
    const Latencies found = latencies();
    const auto quantile = [](const std::vector<double>& sorted, double q) {
      return sorted.empty() ? 0 : sorted[static_cast<std::size_t>(q * static_cast<double>(sorted.size() - 1))];
    };
    const double bots = settings_.bots;
    std::printf("%5d bots: %6zu moves, median %6.3f ms, p99 %6.3f ms, max %6.3f ms; with starts and ends "
                "%zu moves, p99 %6.3f ms; CPU %6.3f ms a bot and second; resident %6.1f MiB, %5.2f MiB a "
                "bot; %ld descriptors\n",
                settings_.bots, found.under_way_ms.size(), quantile(found.under_way_ms, 0.5),
                quantile(found.under_way_ms, 0.99), quantile(found.under_way_ms, 1),
                found.all_ms.size(), quantile(found.all_ms, 0.99), cpu_ms_a_second / bots, resident_mib,
                resident_mib / bots, descriptors);
  }

  Settings settings_;
  fs::path folder_;
  boost::asio::io_context context_;
  rehearse::server::io::ServerShell server_;
  std::map<std::string, Times> games_;
  std::size_t ended_ = 0;
  std::uint64_t all_under_way_ns_ = 0;   ///< all games have begun
  std::uint64_t first_near_end_ns_ = 0;  ///< the first of them has two plies left
};

Settings read_settings(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string word = argv[i];
    const std::string value = argv[i + 1];
    if (word == "--bridge") {
      settings.bridge = value;
    } else if (word == "--engine") {
      settings.engine = value;
    } else if (word == "--bots") {
      settings.bots = std::stoi(value);
    } else if (word == "--moves") {
      settings.moves = std::stoi(value);
    } else {
      throw std::runtime_error("unknown option " + word);
    }
  }
  if (settings.bots < 1 || settings.moves < 4 || settings.moves % 2 != 0) {
    throw std::runtime_error("wanted: at least one bot, and an even number of moves from 4 on");
  }
  return settings;
}

}  // namespace
}  // namespace kakehashi::bench

int main(int argc, char** argv) {
  try {
    kakehashi::bench::Tournament(kakehashi::bench::read_settings(argc, argv)).play();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "many: %s\n", error.what());
    return 70;
  }
}
