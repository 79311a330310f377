// What a bridge adds to each move, measured from outside. This program is the server; it starts the
// client under test, which starts the engine; all three read one clock.
//
//   t1  the server begins to write the opponent's move  ->  the engine has read its request
//   t2  the engine begins to write its answer           ->  the server has read the move
//
//   latency --client NAME=PROGRAM[,WORD…] --engine E [--engine-word W] [--games N] [--moves N]
//           [--nagle] [--runs N]
//
// Several --client options are played in turn, run by run, so that a slow minute of the machine
// meets all of them alike. The table gives the median of the runs' medians, 99th percentiles and
// maxima.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/client_run.hpp"

namespace kakehashi::bench {
namespace {

struct Settings {
  std::vector<Client> clients;
  Course course;
  int games = 18;
  int moves = 127;
  int runs = 5;
};

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
}

double middle(const std::vector<double>& values) { return quantile(values, 0.5); }

constexpr std::size_t timers_told_from = 100;  ///< of an engine that thinks longer than a timer takes

struct Row {
  std::vector<double> median, p99, max, t1, t2, cpu, resident, drained, late;

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
    drained.push_back(result.drained_per_second);
    late.insert(late.end(), result.late_ms.begin(), result.late_ms.end());
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
      settings.clients.push_back(read_client(value()));
    } else if (word == "--engine") {
      settings.course.engine = value();
    } else if (word == "--engine-word") {
      settings.course.engine_words.push_back(value());
    } else if (word == "--games") {
      settings.games = std::stoi(value());
    } else if (word == "--moves") {
      settings.moves = std::stoi(value());
    } else if (word == "--runs") {
      settings.runs = std::stoi(value());
    } else if (word == "--nagle") {
      settings.course.has_nagle = true;
    } else {
      throw std::runtime_error("unknown option " + word);
    }
  }
  return settings;
}

void print(const std::vector<Client>& clients, const std::vector<Row>& rows) {
  std::printf("%-26s %9s %9s %9s %9s %9s %9s %9s\n", "client", "median", "p99", "max", "t1", "t2",
              "cpu/move", "resident");
  for (std::size_t c = 0; c < rows.size(); ++c) {
    std::printf("%-26s %6.3f ms %6.3f ms %6.3f ms %6.3f ms %6.3f ms %6.3f ms %5.1f MiB",
                clients[c].name.c_str(), middle(rows[c].median), middle(rows[c].p99),
                middle(rows[c].max), middle(rows[c].t1), middle(rows[c].t2), middle(rows[c].cpu),
                middle(rows[c].resident));
    // Against each floor, and where there is none against the first.
    for (std::size_t base = 0; base < c; ++base) {
      if (clients[base].is_floor() || base == 0) {
        std::printf("   %.2f x, p99 %.2f x%s", middle(rows[c].median) / middle(rows[base].median),
                    middle(rows[c].p99) / middle(rows[base].p99), base == 0 ? "" : (" of " + clients[base].name).c_str());
      }
    }
    if (middle(rows[c].drained) > 0) {
      std::printf("   %.0f info lines a second", middle(rows[c].drained));
    }
    if (rows[c].late.size() >= timers_told_from) {
      std::printf("   %zu timers late by %.3f ms, p95 %.3f, max %.3f", rows[c].late.size(), middle(rows[c].late),
                  quantile(rows[c].late, 0.95), quantile(rows[c].late, 1));
    }
    std::printf("\n");
  }
}

int run(Settings settings) {
  namespace fs = std::filesystem;
  settings.course.games = make_games(settings.games, settings.moves, 1);
  settings.course.folder =
      fs::temp_directory_path() / ("kakehashi-bench-" + std::to_string(::getpid()));
  std::vector<Row> rows(settings.clients.size());
  for (int r = 0; r < settings.runs; ++r) {
    for (std::size_t c = 0; c < settings.clients.size(); ++c) {
      rows[c].add(run_client(settings.clients[c], settings.course));
    }
  }
  fs::remove_all(settings.course.folder);
  print(settings.clients, rows);
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
