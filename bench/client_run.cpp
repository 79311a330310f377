#include "bench/client_run.hpp"

#include <signal.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "bench/child.hpp"
#include "bench/server_end.hpp"

namespace kakehashi::bench {

namespace fs = std::filesystem;

namespace {

std::string summary(const std::string& id) {
  return "BEGIN Game_Summary\nProtocol_Version:1.2\nProtocol_Mode:Server\nFormat:Shogi 1.0\n"
         "Declaration:Jishogi 1.1\nGame_ID:" + id + "\nName+:server\nName-:bench\nYour_Turn:-\n"
         "Rematch_On_Draw:NO\nTo_Move:+\nBEGIN Time\nTime_Unit:1sec\nTotal_Time:900\n"
         "Byoyomi:0\nIncrement:5\nLeast_Time_Per_Move:0\nEND Time\nBEGIN Position\nPI\n+\n"
         "END Position\nEND Game_Summary\n";
}

class Run {
 public:
  Run(const Client& client, const Course& course) : client_(client), course_(course) {
    fs::remove_all(course_.folder);
    fs::create_directories(course_.folder);
    write_moves();
    std::ofstream(stamps_path()).close();
    fs::resize_file(stamps_path(), (course_.moves() * 2 + 1) * sizeof(std::uint64_t));
  }

  Result play() {
    Child child(command());
    if (!client_.is_bridge) {
      child.end_with(SIGKILL);
    }
    Line line(listener_.accept(course_.has_nagle));
    if (client_.is_bridge) {
      line.expect("LOGIN ");
      line.put("LOGIN:bench OK\n");
    }
    const double cpu_before = child.cpu_ms();
    const std::uint64_t poured_before = poured();
    const std::uint64_t from_ns = now_ns();
    for (std::size_t i = 0; i < course_.games.size(); ++i) {
      play(course_.games[i], line, "bench+" + std::to_string(i + 1));
    }
    Result result = judge();
    result.cpu_ms_per_move =
        (child.cpu_ms() - cpu_before) / static_cast<double>(course_.moves());
    result.resident_mib = child.resident_mib();
    result.drained_per_second = static_cast<double>(poured() - poured_before) * 1e9 /
                                static_cast<double>(now_ns() - from_ns);
    if (client_.is_bridge) {
      result.late_ms = lateness();
    }
    return result;
  }

 private:
  [[nodiscard]] fs::path stamps_path() const { return course_.folder / "stamps"; }

  [[nodiscard]] std::uint64_t poured() const {
    std::uint64_t lines = 0;
    std::ifstream file(stamps_path(), std::ios::binary);
    file.seekg(static_cast<std::streamoff>(course_.moves() * 2 * sizeof lines));
    file.read(reinterpret_cast<char*>(&lines), sizeof lines);
    return lines;
  }

  /// For when each was set last, and when it rang.
  [[nodiscard]] std::vector<double> lateness() const {
    std::vector<double> late;
    for (const auto& entry : fs::directory_iterator(course_.folder / "journal")) {
      std::ifstream journal(entry.path());
      double due = 0;  // none is set
      for (std::string line; std::getline(journal, line);) {
        std::istringstream words(line);
        std::string sum, number, what;
        double at = 0;
        words >> sum >> number >> what >> at;
        if (what == ">arm_timer") {
          due = at;
        } else if (what == "<timer_fired" && due > 0) {
          late.push_back((at - due) / 1e6);
          due = 0;
        }
      }
    }
    return late;
  }

  void write_moves() const {
    std::ofstream file(course_.folder / "moves");
    for (const GameLines& game : course_.games) {
      for (std::size_t i = 0; i < game.white_usi.size(); ++i) {
        file << (client_.is_bridge ? "bestmove " + game.white_usi[i] : game.white_csa[i]) << '\n';
      }
    }
  }

  [[nodiscard]] std::vector<std::string> engine() const {
    std::vector<std::string> words{course_.engine, (course_.folder / "moves").string(),
                                   stamps_path().string()};
    words.insert(words.end(), course_.engine_words.begin(), course_.engine_words.end());
    words.insert(words.end(), client_.engine_words.begin(), client_.engine_words.end());
    return words;
  }

  [[nodiscard]] std::vector<std::string> command() const {
    if (client_.is_bridge) {
      write_config();
      return {client_.program, "run", (course_.folder / "bot.yaml").string()};
    }
    std::vector<std::string> words{client_.program};
    words.insert(words.end(), client_.options.begin(), client_.options.end());
    words.push_back(std::to_string(listener_.port()));
    const std::vector<std::string> engine_words = engine();
    words.insert(words.end(), engine_words.begin(), engine_words.end());
    return words;
  }

  void write_config() const {
    std::string command;
    const std::string ssh = client_.engine_is == Client::Engine::here ? "" : std::getenv("BENCH_SSH");
    if (client_.engine_is == Client::Engine::by_ssh) {
      std::istringstream words(ssh);
      for (std::string word; words >> word;) {
        command += (command.empty() ? "" : ", ") + word;
      }
    }
    for (const std::string& word : engine()) {
      command += (command.empty() ? "" : ", ") + word;
    }
    const std::string host = client_.engine_is == Client::Engine::by_keeper ? "host: \"" + ssh + "\", " : "";
    const fs::path password = course_.folder / "password";
    std::ofstream(password) << "bench\n";
    fs::permissions(password, fs::perms::owner_read | fs::perms::owner_write);
    std::ofstream(course_.folder / "bot.yaml")
        << "server: {host: 127.0.0.1, port: " << listener_.port() << ", after_game: stay}\n"
        << "account: {name: bench, password_file: " << password.string() << "}\n"
        << "game: {comments: true}\nengine: {" << host << "command: [" << command << "]}\n"
        << "records: {directory: " << (course_.folder / "records").string() << "}\n"
        << "log: {file: " << (course_.folder / "log").string() << "}\n";
  }

  void play(const GameLines& game, Line& line, const std::string& id) {
    if (client_.is_bridge) {
      line.put(summary(id));
      line.expect("AGREE");
      line.put("START:" + id + "\n");
    }
    for (std::size_t i = 0; i < game.black.size(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      // The engine of the floor answers to what begins with a minus, as in its own game.
      const std::string sign = client_.is_bridge ? game.black[i].substr(0, 1) : "-";
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
      line.put((client_.is_bridge ? "" : "+") + game.white_csa[i].substr(client_.is_bridge ? 0 : 1) +
               ",T1\n");
    }
    if (client_.is_bridge) {
      line.put("%TORYO\n#RESIGN\n#WIN\n");
    }
  }

  [[nodiscard]] Result judge() const {
    std::vector<std::uint64_t> stamps(2 * course_.moves());
    std::ifstream(stamps_path(), std::ios::binary)
        .read(reinterpret_cast<char*>(stamps.data()),
              static_cast<std::streamsize>(stamps.size() * sizeof(std::uint64_t)));
    Result result;
    for (std::size_t i = 0; i < sent_.size(); ++i) {
      result.t1_ms.push_back(static_cast<double>(stamps[2 * i] - sent_[i]) / 1e6);
      result.t2_ms.push_back(static_cast<double>(received_[i] - stamps[2 * i + 1]) / 1e6);
    }
    return result;
  }

  const Client& client_;
  const Course& course_;
  Listener listener_;
  std::vector<std::uint64_t> sent_;
  std::vector<std::uint64_t> received_;
};

}  // namespace

std::size_t Course::moves() const {
  std::size_t sum = 0;
  for (const GameLines& game : games) {
    sum += game.black.size();
  }
  return sum;
}

Client read_client(const std::string& words) {
  const std::size_t equals = words.find('=');
  const std::size_t comma = words.find(',');
  if (equals == std::string::npos || comma < equals) {
    throw std::runtime_error(
        "a client is floor=, floor-threads=, floor-quick=, floor-dropping=, bridge=, ssh= or keeper=PROGRAM");
  }
  Client client;
  client.name = words.substr(0, equals);
  client.program = words.substr(equals + 1, comma == std::string::npos ? comma : comma - equals - 1);
  client.engine_is = client.name == "ssh"      ? Client::Engine::by_ssh
                     : client.name == "keeper" ? Client::Engine::by_keeper
                                               : Client::Engine::here;
  client.is_bridge = client.name.starts_with("bridge") || client.engine_is != Client::Engine::here;
  for (const auto& [word, option] : {std::pair("-threads", "-t"), {"-quick", "-q"}, {"-dropping", "-d"}}) {
    if (client.is_floor() && client.name.find(word) != std::string::npos) {
      client.options.emplace_back(option);
    }
  }
  for (std::size_t at = comma; at != std::string::npos;) {
    const std::size_t next = words.find(',', at + 1);
    client.engine_words.push_back(
        words.substr(at + 1, next == std::string::npos ? next : next - at - 1));
    client.name += " " + client.engine_words.back();
    at = next;
  }
  return client;
}

Result run_client(const Client& client, const Course& course) { return Run(client, course).play(); }

}  // namespace kakehashi::bench
