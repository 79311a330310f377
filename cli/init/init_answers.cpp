#include "cli/init/init_answers.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "base/text.hpp"
#include "cli/load_config.hpp"
#include "config/schema/text.hpp"
#include "config/yaml/write_yaml.hpp"

namespace kakehashi::cli {
namespace {

using base::say;

constexpr std::string_view floodgate_host = "wdoor.c.u-tokyo.ac.jp";
constexpr std::uint64_t mebibyte = std::uint64_t{1024} * 1024;
constexpr std::uint64_t proposed_hash_max_mib = 1024;

/// Lines of a comment.
std::string said(words::Language language, const std::vector<base::Message>& lines) {
  std::string text;
  for (const base::Message& line : lines) {
    text += (text.empty() ? "" : "\n") + words::in(language, line);
  }
  return text;
}

std::string file_head(words::Language language) {
  return said(language,
              {say("Made by 'kakehashi init'. Try it with 'kakehashi check FILE', play with 'kakehashi run FILE'."),
               say("What is not written here has its default: 'kakehashi config reference' tells all.")});
}

/// In the place of a game that is not asked for: nobody should have to guess what belongs there.
std::string no_game(words::Language language) {
  return said(language,
              {say("No game is asked for, and the password is sent alone: the organisers pair, as in most tournaments."),
               say("Some servers (floodgate, 'kakehashi serve', private rooms of shogi-server) pair those who ask for a game "
                   "of the same name."),
               say("There, take the # away: 600 s, and 10 s more with each move (F; without F 10 s of byoyomi)."),
               say("The organisers say which name; test-600-10F is an example.")});
}
constexpr const char* game_example = "# game:\n#   name: test-600-10F\n";

struct HostAndPort {
  std::string host;
  std::string port;  ///< empty: the default
};

HostAndPort split_server(const std::string& text) {
  if (text.starts_with("[")) {
    const auto end = text.find(']');
    if (end != std::string::npos && (end + 1 == text.size() || text[end + 1] == ':')) {
      return {text.substr(1, end - 1), end + 1 == text.size() ? "" : text.substr(end + 2)};
    }
  }
  const auto colon = text.find(':');
  // Two colons: an IPv6 address by itself.
  if (colon == std::string::npos || text.find(':', colon + 1) != std::string::npos) {
    return {text, ""};
  }
  return {text.substr(0, colon), text.substr(colon + 1)};
}

std::optional<std::uint16_t> port_of(const std::string& text) {
  const auto number = base::parse_int(text);
  return number && *number >= 1 && *number <= 65535
             ? std::optional(static_cast<std::uint16_t>(*number))
             : std::nullopt;
}

const usi::Option* declared_as(const std::vector<usi::Option>& declared, std::string_view name) {
  const auto* option = usi::find_option(declared, name);
  return option != nullptr && option->type == usi::OptionType::spin ? option : nullptr;
}

std::int64_t within(const usi::Option& option, std::uint64_t wish) {
  const auto value = static_cast<std::int64_t>(wish);
  return std::clamp(value, option.min.value_or(value),
                    std::max(option.max.value_or(value), option.min.value_or(value)));
}

}  // namespace

std::optional<base::Message> judge_server(const std::string& text) {
  const auto [host, port] = split_server(text);
  if (!port.empty() && !port_of(port)) {
    return say("must be HOST or HOST:PORT, with a port from 1 to 65535");
  }
  return config::judge_host(host);
}

std::string proposed_game(const std::string& server) {
  return split_server(server).host == floodgate_host ? "floodgate-300-10F" : "";
}

bool needs_trip(const std::string& game) {
  const auto parsed = config::parse_game_name(game);
  return parsed && parsed->is_floodgate();
}

std::vector<std::string> words_of_command(const std::string& typed) {
  if (::access(typed.c_str(), F_OK) == 0) {
    return {typed};
  }
  const auto words = base::split_words(typed);
  return {words.begin(), words.end()};
}

std::vector<std::string> with_whole_path(std::vector<std::string> command) {
  if (command.empty() || command.front().starts_with("/")) {
    return command;
  }
  if (command.front().find('/') != std::string::npos) {
    command.front() = whole_path(command.front());
    return command;
  }
  // Debian's engines stand in /usr/games, which services do not search.
  const char* path = std::getenv("PATH");
  const std::string places = std::string(path != nullptr ? path : "") + ":/usr/games";
  for (const std::string_view place : base::split(places, ':')) {
    const std::string candidate = std::string(place) + "/" + command.front();
    if (place.starts_with("/") && ::access(candidate.c_str(), X_OK) == 0) {
      command.front() = candidate;
      break;
    }
  }
  return command;
}

Machine this_machine() {
  Machine machine;
  machine.processors = std::max(1U, std::thread::hardware_concurrency());
  const auto pages = ::sysconf(_SC_PHYS_PAGES);
  const auto page_bytes = ::sysconf(_SC_PAGESIZE);
  if (pages > 0 && page_bytes > 0) {
    machine.memory_bytes =
        static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
  }
  return machine;
}

usi::WantedOptions proposed_options(
    const std::vector<usi::Option>& declared, const Machine& machine) {
  usi::WantedOptions wanted;
  const auto propose = [&](const usi::Option& option, std::uint64_t wish) {
    wanted.emplace_back(option.name, std::to_string(within(option, wish)));
  };
  if (const auto* threads = declared_as(declared, "Threads")) {
    propose(*threads, machine.processors);
  }
  if (const auto* hash = declared_as(declared, "USI_Hash"); hash != nullptr && machine.memory_bytes > 0) {
    propose(*hash, std::min(machine.memory_bytes / mebibyte / 4, proposed_hash_max_mib));
  }
  for (const char* name : {"NetworkDelay", "NetworkDelay2"}) {
    if (const auto* delay = declared_as(declared, name)) {
      propose(*delay, 0);
    }
  }
  return wanted;
}

config::BotConfig config_of(const InitAnswers& answers) {
  config::BotConfig config;
  const auto [host, port] = split_server(answers.server);
  config.server.host = host;
  config.server.port = port_of(port).value_or(config.server.port);
  config.server.tls.enabled = answers.tls;
  config.account.name = answers.name;
  config.account.password_file = answers.trip_file.empty() ? "" : whole_path(answers.trip_file);
  config.game.name = answers.game.value_or("");
  config.engine.command = answers.engine;
  config.engine.options = answers.options;
  return config;
}

std::string file_of(const config::BotConfig& config, bool has_all, words::Language language) {
  std::string text = config::write_yaml(config, file_head(language),
                                        has_all ? config::Extent::all : config::Extent::told, language);
  if (config.game.name.empty() && !has_all) {
    // Where the game would stand: behind the account.
    text.insert(std::min(text.find("\nengine:\n"), text.size()),
                "\n" + config::comment_lines("", no_game(language)) + game_example);
  }
  return text;
}

}  // namespace kakehashi::cli
