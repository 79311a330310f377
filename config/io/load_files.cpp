#include "config/io/load_files.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "base/text.hpp"
#include "base/time.hpp"
#include "config/game_config.hpp"
#include "config/io/read_file.hpp"
#include "config/io/read_secret.hpp"
#include "config/schedule.hpp"
#include "config/secrets.hpp"
#include "config/yaml/yaml_tree.hpp"

namespace kakehashi::config::io {
namespace {

using base::quoted;
using base::say;
using base::say_as;

// --- what a zone's name stands for on this machine; what its file means is schedule's business

constexpr std::size_t zone_bytes_max = std::size_t{256} * 1024;
constexpr const char* zones = "/usr/share/zoneinfo/";

/// The name in $TZ, with or without its colon; empty when the machine's own zone counts.
std::string zone_of_environment() {
  const char* value = std::getenv("TZ");
  std::string name = value == nullptr ? "" : value;
  if (name.starts_with(':')) {
    name.erase(0, 1);
  }
  return name;
}

/// A bot of a file that could be read, and what of it only this machine can tell.
struct Judged {
  BotConfig& bot;
  const Places& places;
  const std::string& file;
  Loaded& loaded;

  void problem(const std::string& key, base::Message what) const { add(loaded.problems, key, std::move(what)); }
  void warn(const std::string& key, base::Message what) const { add(loaded.warnings, key, std::move(what)); }

 private:
  /// An empty message is none.
  void add(std::vector<Problem>& to, const std::string& key, base::Message what) const {
    if (!what.empty()) {
      const auto found = places.find(key);
      to.push_back({file, found == places.end() ? Place{} : found->second, key, std::move(what)});
    }
  }
};

void take_password(const Judged& it) {
  SecretRead read = read_secret(it.bot.account);
  if (read.problem.empty()) {
    // In x1 mode the password goes alone.
    const std::string game = it.bot.server.mode == LoginMode::x1 ? "" : it.bot.game.name;
    read.problem = judge_password_with_game(read.secret, game).value_or(base::Message());
  }
  it.problem(read.key, read.problem);
  it.warn(read.key, read.warning);
  it.bot.account.password = std::move(read.secret);
}

/// Of a file that others may read, a password in it is theirs too.
void take_proxy_password(const Judged& it, bool is_open_to_others) {
  auto& proxy = it.bot.server.proxy;
  if (!it.bot.server.proxy_password_file.empty()) {
    SecretRead read = read_proxy_secret(it.bot.server.proxy_password_file);
    it.problem(read.key, read.problem);
    it.warn(read.key, read.warning);
    if (proxy) {
      proxy->password = std::move(read.secret);
    }
  } else if (proxy && !proxy->password.empty() && is_open_to_others) {
    it.warn("server.proxy", say("holds a password, and other users can read this file; make it private with chmod 600, or use "
                                "server.proxy_password_file"));
  }
}

/// A webhook's file is read for each message; whoever starts the bot is told now.
void judge_webhooks(const Judged& it) {
  for (std::size_t i = 0; i < it.bot.notify.size(); ++i) {
    if (!it.bot.notify[i].url_file.empty()) {
      const SecretRead read = read_address_secret(it.bot.notify[i].url_file);
      it.warn("notify[" + std::to_string(i + 1) + "].url_file", read.problem.empty() ? read.warning : read.problem);
    }
  }
}

/// Whoever can read the key can be this bot to the server.
void judge_key_file(const Judged& it) {
  const std::string& key_file = it.bot.server.tls.key_file;
  if (!key_file.empty() && read_file(key_file, file_bytes_max).is_open_to_others) {
    it.warn("server.tls.key_file", say("other users can read this key; make it private with chmod 600"));
  }
}

/// "engine --threads 4" as one text is a path with spaces, and most likely not meant as one.
void judge_program(const Judged& it) {
  const std::string program = it.bot.engine.command.size() == 1 ? it.bot.engine.command.front() : "";
  std::error_code ignored;
  if (program.find(' ') != std::string::npos && !std::filesystem::exists(program, ignored)) {
    it.warn("engine.command", say("there is no program {}; one text is one path, spaces included: write [program, argument, …] "
                                  "to give arguments",
                                  quoted(program, 200)));
  }
}

/// A directory stands for the *.yaml in it, in the order of their names; examples and hidden files
/// are no bots.
std::vector<std::string> expand(const std::vector<std::string>& paths,
                                std::vector<Problem>& unread) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code trouble;
    if (!fs::is_directory(path, trouble)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::string> found;
    for (fs::directory_iterator entry(path, trouble), end; !trouble && entry != end;
         entry.increment(trouble)) {
      const std::string name = entry->path().filename().string();
      if (name.ends_with(".yaml") && !name.ends_with(".example.yaml") && !name.starts_with(".")) {
        found.push_back(entry->path().string());
      }
    }
    if (trouble) {
      unread.push_back({path, {}, "", say("the directory cannot be read: {}", base::system_words(trouble.message()))});
    } else if (found.empty()) {
      unread.push_back(
          {path, {}, "", say("there is no configuration in this directory: put one there whose name ends in .yaml")});
    }
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

/// A missing book would be noticed in the first game only.
void judge_book(const Judged& it) {
  std::error_code ignored;
  if (!it.bot.book.file.empty() && !std::filesystem::is_regular_file(it.bot.book.file, ignored)) {
    it.problem("book.file", say("there is no file {}", quoted(it.bot.book.file, 400)));
  }
}

/// Records are dated in the machine's zone, whatever zone the schedule is told in.
void take_zones(const Judged& it) {
  const auto now = std::chrono::floor<base::Millis>(std::chrono::system_clock::now());
  if (const auto local = read_zone("local", now)) {
    it.bot.records.utc_offset = std::chrono::floor<std::chrono::minutes>(offset_at(*local, now));
  }
  if (it.bot.schedule.windows.empty()) {
    return;
  }
  if (auto offsets = read_zone(it.bot.schedule.time_zone, now)) {
    it.bot.schedule.offsets = std::move(offsets).value();
  } else {
    it.problem("schedule.time_zone", offsets.error().what);
  }
}

}  // namespace

base::Result<std::vector<ZoneOffset>> read_zone(const std::string& name, base::WallTime now) {
  const bool is_local = name == "local";
  const std::string wanted = is_local ? zone_of_environment() : name;
  if (const auto fixed = parse_fixed_zone(wanted)) {
    return std::vector<ZoneOffset>{{0, *fixed}};
  }
  const std::string path = wanted.empty() ? "/etc/localtime"
                           : wanted.starts_with('/') ? wanted
                                                     : zones + wanted;
  const FileRead file = read_file(path, zone_bytes_max);
  if (!file.is_good() && is_local && wanted.empty()) {
    return std::vector<ZoneOffset>{{0, std::chrono::seconds{0}}};  // as the C library reads it
  }
  if (!file.is_good()) {
    return base::fail(
        say("the zone {} is not known here ({}); is tzdata installed? An offset such as +09:00 needs no file",
            quoted(wanted, 80), say_as("fault", "{} {}", path, file.trouble)));
  }
  auto offsets = read_zone_file(file.text, now);
  if (!offsets) {
    return base::fail(say_as("fault", "{} {}", path, offsets.error().what));
  }
  return offsets;
}

Loaded load_files(const std::vector<std::string>& paths, Passwords passwords) {
  std::vector<Source> sources;
  std::vector<bool> are_open_to_others;
  std::vector<Problem> unread;
  for (const std::string& path : expand(paths, unread)) {
    FileRead file = read_file(path, file_bytes_max);
    if (file.is_good()) {
      sources.push_back({path, std::move(file.text)});
      are_open_to_others.push_back(file.is_open_to_others);
    } else {
      unread.push_back({path, {}, "",
                        file.is_absent ? say("{}; 'kakehashi init' makes a configuration", file.trouble)
                        : file.is_forbidden
                            ? say("{}; the user that runs this must be able to read it", file.trouble)
                            : file.trouble});
    }
  }
  Loaded loaded = load_yaml(sources);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Judged it{loaded.bots[i], loaded.places[i], sources[i].file, loaded};
    judge_program(it);
    judge_book(it);
    take_zones(it);
    if (passwords == Passwords::read) {
      take_password(it);
      take_proxy_password(it, are_open_to_others[i]);
      judge_key_file(it);
      judge_webhooks(it);
    }
  }
  loaded.problems.insert(loaded.problems.begin(), unread.begin(), unread.end());
  sort_by_place(loaded.problems);
  sort_by_place(loaded.warnings);
  return loaded;
}

}  // namespace kakehashi::config::io
