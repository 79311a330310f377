// What the bridge costs beside the moves: from its start to LOGIN, and while it waits for a game.
//
//   cost --bridge PROGRAM --engine E [--runs N] [--idle-s N]
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bench/child.hpp"
#include "bench/server_end.hpp"

namespace kakehashi::bench {
namespace {

namespace fs = std::filesystem;

struct Settings {
  std::string bridge;
  std::string engine;
  int runs = 11;
  int idle_s = 20;
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
    } else if (word == "--runs") {
      settings.runs = std::stoi(value);
    } else if (word == "--idle-s") {
      settings.idle_s = std::stoi(value);
    } else {
      throw std::runtime_error("unknown option " + word);
    }
  }
  return settings;
}

void write_bot(const fs::path& folder, const Settings& settings, int port) {
  fs::remove_all(folder);
  fs::create_directories(folder);
  std::ofstream(folder / "moves") << "bestmove resign\n";
  std::ofstream(folder / "stamps") << std::string(64, '\0');
  std::ofstream(folder / "bot.yaml")
      << "server: {host: 127.0.0.1, port: " << port << "}\naccount: {name: bench}\n"
      << "game: {name: test-600-10}\nengine: {command: [" << settings.engine << ", "
      << (folder / "moves").string() << ", " << (folder / "stamps").string() << "]}\n"
      << "records: {directory: " << (folder / "records").string() << "}\n"
      << "log: {file: " << (folder / "log").string() << "}\n";
}

void run(const Settings& settings) {
  const fs::path folder =
      fs::temp_directory_path() / ("kakehashi-cost-" + std::to_string(::getpid()));
  const Listener listener;
  write_bot(folder, settings, listener.port());
  const std::vector<std::string> command{settings.bridge, "run", (folder / "bot.yaml").string()};

  std::vector<double> starts_ms;
  for (int i = 0; i < settings.runs; ++i) {
    const std::uint64_t from_ns = now_ns();
    Child child(command);
    child.end_with(SIGKILL);
    Line line(listener.accept(false));
    std::uint64_t at_ns = 0;
    static_cast<void>(line.take(at_ns));
    starts_ms.push_back(static_cast<double>(at_ns - from_ns) / 1e6);
  }
  std::sort(starts_ms.begin(), starts_ms.end());
  std::printf("start to LOGIN, engine's boot included: median %.1f ms of %d starts, at most %.1f ms\n",
              starts_ms[starts_ms.size() / 2], settings.runs, starts_ms.back());

  Child child(command);
  child.end_with(SIGKILL);
  Line line(listener.accept(false));
  line.expect("LOGIN ");
  line.put("LOGIN:bench OK\n");
  std::this_thread::sleep_for(std::chrono::seconds(2));
  const long sleeps = child.sleeps();
  const double cpu_ms = child.cpu_ms();
  std::this_thread::sleep_for(std::chrono::seconds(settings.idle_s));
  std::printf("waiting for a game: %.2f wake-ups and %.3f ms of CPU a second; resident %.1f MiB; "
              "%ld descriptors; the program has %.1f MiB\n",
              static_cast<double>(child.sleeps() - sleeps) / settings.idle_s,
              (child.cpu_ms() - cpu_ms) / settings.idle_s, child.resident_mib(),
              child.descriptors(),
              static_cast<double>(fs::file_size(settings.bridge)) / 1024 / 1024);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace kakehashi::bench

int main(int argc, char** argv) {
  try {
    kakehashi::bench::run(kakehashi::bench::read_settings(argc, argv));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cost: %s\n", error.what());
    return 70;
  }
}
