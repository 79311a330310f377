// What a bridge adds to each move, measured from outside. This program is the server; it starts the
// client under test, which starts the engine; all three read one clock.
//
//   t1  the server begins to write the opponent's move  ->  the engine has read its request
//   t2  the engine begins to write its answer           ->  the server has read the move
//
//   latency --client floor|floor-quick|bridge=PROGRAM --floor F --engine E [--games N] [--moves N]
//           [--infos N] [--flood] [--nagle] [--runs N]
//
// Several --client options are played in turn, run by run, so that a slow minute of the machine
// meets all of them alike. The table gives the median of the runs' medians, 99th percentiles and
// maxima.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bench/games.hpp"

namespace kakehashi::bench {
namespace {

namespace fs = std::filesystem;

struct Settings {
  std::vector<std::string> clients;
  std::string floor;
  std::string engine;
  int games = 18;
  int moves = 127;
  int infos = 0;
  int runs = 5;
  bool has_flood = false;
  bool has_nagle = false;
};

std::uint64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(now.tv_nsec);
}

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

/// The server's end of the connection: blocking, line by line.
class Line {
 public:
  explicit Line(int socket) : socket_(socket) {}
  ~Line() { ::close(socket_); }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  void put(const std::string& text) {
    if (::send(socket_, text.data(), text.size(), MSG_NOSIGNAL) !=
        static_cast<ssize_t>(text.size())) {
      fail("the client is gone");
    }
  }
  /// The next line that means something; `read_at` is the time at which its last part came.
  std::string take(std::uint64_t& read_at) {
    for (;;) {
      const std::size_t end = text_.find('\n');
      if (end != std::string::npos) {
        std::string line = text_.substr(0, end);
        text_.erase(0, end + 1);
        if (!line.empty() && !line.starts_with("info ")) {  // the floor passes on all it reads
          return line;
        }
        continue;
      }
      char buffer[4096];
      const ssize_t got = ::recv(socket_, buffer, sizeof buffer, 0);
      read_at = now_ns();
      if (got <= 0) {
        fail("the client closed");
      }
      text_.append(buffer, static_cast<std::size_t>(got));
    }
  }
  void expect(const std::string& beginning) {
    std::uint64_t at = 0;
    const std::string line = take(at);
    if (!line.starts_with(beginning)) {
      throw std::runtime_error("expected " + beginning + ", got " + line);
    }
  }

 private:
  int socket_;
  std::string text_;
};

class Listener {
 public:
  Listener() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(socket_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::listen(socket_, 1) != 0 ||
        ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
      fail("no port");
    }
    port_ = ntohs(address.sin_port);
  }
  ~Listener() { ::close(socket_); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] int accept(bool has_nagle) const {
    const int socket = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    const int no_delay = has_nagle ? 0 : 1;
    if (socket < 0 ||
        ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &no_delay, sizeof no_delay) != 0) {
      fail("no connection");
    }
    return socket;
  }

 private:
  int socket_;
  int port_ = 0;
};

std::string summary(const std::string& id) {
  return "BEGIN Game_Summary\nProtocol_Version:1.2\nProtocol_Mode:Server\nFormat:Shogi 1.0\n"
         "Declaration:Jishogi 1.1\nGame_ID:" + id + "\nName+:server\nName-:bench\nYour_Turn:-\n"
         "Rematch_On_Draw:NO\nTo_Move:+\nBEGIN Time\nTime_Unit:1sec\nTotal_Time:900\n"
         "Byoyomi:0\nIncrement:5\nLeast_Time_Per_Move:0\nEND Time\nBEGIN Position\nPI\n+\n"
         "END Position\nEND Game_Summary\n";
}

struct Result {
  std::vector<double> t1_ms;
  std::vector<double> t2_ms;
  double cpu_ms_per_move = 0;
  double resident_mib = 0;
};

class Run {
 public:
  Run(const Settings& settings, const std::vector<GameLines>& games, const std::string& client,
      const fs::path& folder)
      : settings_(settings), games_(games), folder_(folder),
        is_bridge_(client.starts_with("bridge=")),
        client_(is_bridge_ ? client.substr(7) : client) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    write_moves();
  }

  Result play() {
    const std::size_t stamps = moves() * 2 * sizeof(std::uint64_t);
    const fs::path path = folder_ / "stamps";
    std::ofstream(path).close();
    fs::resize_file(path, stamps);
    const pid_t child = start();
    Line line(listener_.accept(settings_.has_nagle));
    if (is_bridge_) {
      line.expect("LOGIN ");
      line.put("LOGIN:bench OK\n");
    }
    const double cpu_before = cpu_ms(child);
    play_games(line);
    Result result = judge(path, stamps);
    result.cpu_ms_per_move = (cpu_ms(child) - cpu_before) / static_cast<double>(moves());
    result.resident_mib = resident_mib(child);
    ::kill(child, is_bridge_ ? SIGTERM : SIGKILL);
    ::waitpid(child, nullptr, 0);
    return result;
  }

 private:
  [[nodiscard]] std::size_t moves() const {
    return static_cast<std::size_t>(settings_.games) * static_cast<std::size_t>(settings_.moves);
  }

  void write_moves() const {
    std::ofstream file(folder_ / "moves");
    for (const GameLines& game : games_) {
      for (std::size_t i = 0; i < game.white_usi.size(); ++i) {
        file << (is_bridge_ ? "bestmove " + game.white_usi[i] : game.white_csa[i]) << '\n';
      }
    }
  }

  [[nodiscard]] std::vector<std::string> engine() const {
    std::vector<std::string> words{settings_.engine, (folder_ / "moves").string(),
                                   (folder_ / "stamps").string(), std::to_string(settings_.infos)};
    if (settings_.has_flood) {
      words.emplace_back("flood");
    }
    return words;
  }

  pid_t start() const {
    std::vector<std::string> words;
    if (is_bridge_) {
      std::string command;
      for (const std::string& word : engine()) {
        command += (command.empty() ? "" : ", ") + word;
      }
      std::ofstream(folder_ / "password") << "bench\n";
      fs::permissions(folder_ / "password", fs::perms::owner_read | fs::perms::owner_write);
      std::ofstream(folder_ / "bot.yaml")
          << "server: {host: 127.0.0.1, port: " << listener_.port() << ", after_game: stay}\n"
          << "account: {name: bench, password_file: " << (folder_ / "password").string() << "}\n"
          << "game: {comments: true}\nengine: {command: [" << command << "]}\n"
          << "records: {directory: " << (folder_ / "records").string() << "}\n"
          << "log: {file: " << (folder_ / "log").string() << "}\n";
      words = {client_, "run", (folder_ / "bot.yaml").string()};
    } else {
      words = {settings_.floor};
      if (client_ == "floor-quick") {
        words.emplace_back("-q");
      }
      words.push_back(std::to_string(listener_.port()));
      for (std::string& word : engine()) {
        words.push_back(std::move(word));
      }
    }
    const pid_t child = ::fork();
    if (child == 0) {
      std::vector<char*> arguments;
      for (std::string& word : words) {
        arguments.push_back(word.data());
      }
      arguments.push_back(nullptr);
      ::execv(arguments.front(), arguments.data());
      ::_exit(127);
    }
    return child;
  }

  void play_games(Line& line) {
    for (std::size_t g = 0; g < games_.size(); ++g) {
      const GameLines& game = games_[g];
      if (is_bridge_) {
        const std::string id = "bench+" + std::to_string(g + 1);
        line.put(summary(id));
        line.expect("AGREE");
        line.put("START:" + id + "\n");
      }
      for (std::size_t i = 0; i < game.black.size(); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        // The engine of the floor answers to what begins with a minus, as in its own game.
        const std::string sign = is_bridge_ ? game.black[i].substr(0, 1) : "-";
        sent_.push_back(now_ns());
        line.put(sign + game.black[i].substr(1) + ",T1\n");
        std::uint64_t read_at = 0;
        const std::string answer = line.take(read_at);
        received_.push_back(read_at);
        if (!answer.starts_with(game.white_csa[i])) {
          throw std::runtime_error("move " + game.white_csa[i] + " came as " + answer);
        }
        // Own writes apart from the next move, as shogi-server does it: Nagle's algorithm then
        // holds the move back until the echo is acknowledged.
        line.put((is_bridge_ ? "" : "+") + game.white_csa[i].substr(is_bridge_ ? 0 : 1) + ",T1\n");
      }
      if (is_bridge_) {
        line.put("%TORYO\n#RESIGN\n#WIN\n");
      }
    }
  }

  Result judge(const fs::path& path, std::size_t bytes) const {
    std::vector<std::uint64_t> stamps(bytes / sizeof(std::uint64_t));
    std::ifstream(path, std::ios::binary)
        .read(reinterpret_cast<char*>(stamps.data()), static_cast<std::streamsize>(bytes));
    Result result;
    for (std::size_t i = 0; i < sent_.size(); ++i) {
      result.t1_ms.push_back(static_cast<double>(stamps[2 * i] - sent_[i]) / 1e6);
      result.t2_ms.push_back(static_cast<double>(received_[i] - stamps[2 * i + 1]) / 1e6);
    }
    return result;
  }

  /// Of all its threads, without its children.
  static double cpu_ms(pid_t child) {
    double sum = 0;
    for (const auto& task : fs::directory_iterator("/proc/" + std::to_string(child) + "/task")) {
      double ns = 0;
      std::ifstream(task.path() / "schedstat") >> ns;
      sum += ns / 1e6;
    }
    return sum;
  }

  static double resident_mib(pid_t child) {
    std::ifstream status("/proc/" + std::to_string(child) + "/status");
    for (std::string word; status >> word;) {
      if (word == "VmRSS:") {
        double kib = 0;
        status >> kib;
        return kib / 1024;
      }
    }
    return 0;
  }

  const Settings& settings_;
  const std::vector<GameLines>& games_;
  fs::path folder_;
  bool is_bridge_;
  std::string client_;
  Listener listener_;
  std::vector<std::uint64_t> sent_;
  std::vector<std::uint64_t> received_;
};

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
}

struct Row {
  std::vector<double> median, p99, max, t1, t2, cpu, resident;

  void add(const Result& result) {
    std::vector<double> sums;
    for (std::size_t i = 0; i < result.t1_ms.size(); ++i) {
      sums.push_back(result.t1_ms[i] + result.t2_ms[i]);
    }
    median.push_back(quantile(sums, 0.5));
    p99.push_back(quantile(sums, 0.99));
    max.push_back(quantile(sums, 1));
    t1.push_back(quantile(result.t1_ms, 0.5));
    t2.push_back(quantile(result.t2_ms, 0.5));
    cpu.push_back(result.cpu_ms_per_move);
    resident.push_back(result.resident_mib);
  }
};

Settings read_settings(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&]() -> std::string {
      if (++i >= argc) {
        throw std::runtime_error(word + " needs a value");
      }
      return argv[i];
    };
    if (word == "--client") {
      settings.clients.push_back(value());
    } else if (word == "--floor") {
      settings.floor = value();
    } else if (word == "--engine") {
      settings.engine = value();
    } else if (word == "--games") {
      settings.games = std::stoi(value());
    } else if (word == "--moves") {
      settings.moves = std::stoi(value());
    } else if (word == "--infos") {
      settings.infos = std::stoi(value());
    } else if (word == "--runs") {
      settings.runs = std::stoi(value());
    } else if (word == "--flood") {
      settings.has_flood = true;
    } else if (word == "--nagle") {
      settings.has_nagle = true;
    } else {
      throw std::runtime_error("unknown option " + word);
    }
  }
  return settings;
}

int run(const Settings& settings) {
  const std::vector<GameLines> games = make_games(settings.games, settings.moves, 1);
  const fs::path folder =
      fs::temp_directory_path() / ("kakehashi-bench-" + std::to_string(::getpid()));
  std::vector<Row> rows(settings.clients.size());
  for (int r = 0; r < settings.runs; ++r) {
    for (std::size_t c = 0; c < settings.clients.size(); ++c) {
      rows[c].add(Run(settings, games, settings.clients[c], folder).play());
    }
  }
  fs::remove_all(folder);
  std::printf("%-12s %9s %9s %9s %9s %9s %9s %9s\n", "client", "median", "p99", "max", "t1", "t2",
              "cpu/move", "resident");
  for (std::size_t c = 0; c < rows.size(); ++c) {
    const std::string name = settings.clients[c].substr(0, settings.clients[c].find('='));
    const auto middle = [](const std::vector<double>& values) { return quantile(values, 0.5); };
    std::printf("%-12s %6.3f ms %6.3f ms %6.3f ms %6.3f ms %6.3f ms %6.3f ms %5.1f MiB",
                name.c_str(), middle(rows[c].median), middle(rows[c].p99), middle(rows[c].max),
                middle(rows[c].t1), middle(rows[c].t2), middle(rows[c].cpu),
                middle(rows[c].resident));
    if (c > 0) {
      std::printf("   %.2f x, p99 %.2f x", middle(rows[c].median) / middle(rows[0].median),
                  middle(rows[c].p99) / middle(rows[0].p99));
    }
    std::printf("\n");
  }
  return 0;
}

}  // namespace
}  // namespace kakehashi::bench

int main(int argc, char** argv) {
  try {
    return kakehashi::bench::run(kakehashi::bench::read_settings(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "latency: %s\n", error.what());
    return 70;
  }
}
