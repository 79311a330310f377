#include "daemon/clock_memory.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/checksum.hpp"
#include "base/io/file.hpp"
#include "base/io/threads.hpp"
#include "base/text.hpp"
#include "bridge/engine_seats.hpp"
#include "config/engine_config.hpp"
#include "journal/io/journal_files.hpp"
#include "usi/io/spawn.hpp"

namespace kakehashi::daemon {
namespace {

constexpr std::uintmax_t bytes_max = 64UL * 1024;
constexpr std::string_view heading =
    "# How engines read their clocks, as kakehashi found by asking them. It may be deleted.\n";

/// The sum of all that an entry holds for; nothing when there is no such program.
std::optional<std::string> key_of(const config::Engine& engine, const std::string& facts) {
  struct stat status {};
  const auto places = engine.command.empty() ? std::vector<std::string>() : usi::io::places_of(engine.command.front());
  if (std::none_of(places.begin(), places.end(), [&](const std::string& place) { return ::stat(place.c_str(), &status) == 0; })) {
    return std::nullopt;
  }
  std::vector<std::string> texts = engine.command;
  texts.insert(texts.end(), {engine.directory, facts, std::to_string(static_cast<int>(engine.protocol)),
                             std::to_string(status.st_size), std::to_string(status.st_ino),
                             std::to_string(status.st_mtim.tv_sec), std::to_string(status.st_mtim.tv_nsec)});
  std::uint64_t sum = base::fnv1a("");
  for (const std::string& text : texts) {
    sum = base::fnv1a_with_end(text, sum);
  }
  return fmt::format("{:016x}", sum);
}

struct Entry {
  std::string key;
  usi::EngineClocks clocks;
};

std::string line_of(const Entry& entry) {
  const std::string text = entry.key + " " + std::string(usi::word_of(entry.clocks.reading)) +
                           (entry.clocks.swaps_sides ? " swapped" : " plain");
  return text + " " + std::to_string(base::crc32c(text)) + "\n";
}

/// Lines that are not as they were written are dropped.
std::vector<Entry> read_entries(const std::string& file) {
  std::vector<Entry> entries;
  const std::string text = base::io::read_own(file, bytes_max).value_or("");
  for (const std::string_view line : base::split(text, '\n')) {
    const auto words = base::split_words(line);
    const auto reading = words.size() == 4 ? usi::clock_reading_named(words[1]) : std::nullopt;
    if (!reading) {
      continue;
    }
    Entry entry{std::string(words[0]), {*reading, words[2] == "swapped"}};
    if (line_of(entry) == std::string(line) + "\n" && entries.size() < clocks_kept_max) {
      entries.push_back(std::move(entry));
    }
  }
  return entries;
}

}  // namespace

std::string clock_file(const config::BotConfig& config) { return journal::io::journal_directory(config) + "/engine-clocks"; }

usi::EngineClocks recall_clocks(const std::string& file, const config::Engine& engine,
                                const std::string& facts) {
  const auto key = key_of(engine, facts);
  for (const Entry& entry : read_entries(file)) {
    if (key == entry.key) {
      return entry.clocks;
    }
  }
  return {};
}

void keep_clocks(const std::string& file, const config::Engine& engine, const std::string& facts,
                 const usi::EngineClocks& clocks) {
  const auto key = key_of(engine, facts);
  if (!key) {
    return;
  }
  std::vector<Entry> entries = read_entries(file);
  std::erase_if(entries, [&](const Entry& entry) { return entry.key == *key; });
  if (entries.size() >= clocks_kept_max) {
    entries.erase(entries.begin());
  }
  entries.push_back({*key, clocks});
  std::string text(heading);
  for (const Entry& entry : entries) {
    text += line_of(entry);
  }
  static_cast<void>(base::io::replace_whole(file, text));
}

ClockMemory::ClockMemory(boost::asio::io_context& context, std::function<void(bridge::ClockRecalled)> recalled)
    : context_(context),
      recalled_(std::make_shared<std::function<void(bridge::ClockRecalled)>>(std::move(recalled))) {}

void ClockMemory::recall(const config::BotConfig& config, const bridge::RecallClock& wanted) {
  // What the thread may outlive is copied; the io_context waits for it.
  const bool is_taken = base::io::DiskThread::of(context_).post(
      [&context = context_, watched = std::weak_ptr(recalled_), file = clock_file(config),
       engine = bridge::engine_in_seat(config.engine, wanted.engine), wanted] {
        bridge::ClockRecalled answer{wanted.engine, recall_clocks(file, engine, wanted.facts)};
        boost::asio::post(context, [watched, answer] {
          if (const auto recalled = watched.lock()) {
            (*recalled)(answer);
          }
        });
      });
  if (!is_taken) {
    (*recalled_)({wanted.engine, {}});
  }
}

void ClockMemory::keep(const config::BotConfig& config, const bridge::KeepClock& found) {
  static_cast<void>(base::io::DiskThread::of(context_).post(
      [file = clock_file(config), engine = bridge::engine_in_seat(config.engine, found.engine), found] {
        keep_clocks(file, engine, found.facts, found.clocks);
      }));
}

}  // namespace kakehashi::daemon
