// The room cli/init: the dialogue of `kakehashi init`. It owns its questions, and the configuration that comes of
// the answers; it plays nothing, and nobody but the commands knows it.
//
// What `kakehashi init` has to know, how each answer is judged, and the configuration that comes of
// them. Asks nobody and opens nothing but the path of a command.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/message.hpp"
#include "config/bot_config.hpp"
#include "usi/option.hpp"
#include "words/words.hpp"

namespace kakehashi::cli {

struct InitAnswers {
  std::string server;               ///< HOST or HOST:PORT, IPv6 with a port as [ADDRESS]:PORT
  bool tls = false;
  std::string name;
  std::optional<std::string> game;  ///< empty text: none is sent
  std::string trip_file;            ///< empty: no password
  std::vector<std::string> engine;  ///< program and arguments
  usi::WantedOptions options;
};

/// Nothing, or what is wrong with the text, as the end of a sentence.
[[nodiscard]] std::optional<base::Message> judge_server(const std::string& text);

/// What floodgate's own server is asked for; elsewhere the organisers pair without a game name.
[[nodiscard]] std::string proposed_game(const std::string& server);
/// floodgate pairs only players with a trip.
[[nodiscard]] bool needs_trip(const std::string& game);

/// A typed command as words: one where a file of that name exists, spaces and all.
[[nodiscard]] std::vector<std::string> words_of_command(const std::string& typed);
/// The program with its whole path, since a service has another directory and another PATH than
/// this shell. As it was where nothing is found.
[[nodiscard]] std::vector<std::string> with_whole_path(std::vector<std::string> command);

struct Machine {
  unsigned processors = 1;
  std::uint64_t memory_bytes = 0;
};
[[nodiscard]] Machine this_machine();

/// Settings worth writing down for an engine that declares these options: its threads, its hash
/// (a quarter of the memory, at most 1 GiB), and no time kept back twice for the network.
[[nodiscard]] usi::WantedOptions proposed_options(
    const std::vector<usi::Option>& declared, const Machine& machine);

[[nodiscard]] config::BotConfig config_of(const InitAnswers& answers);
/// The whole file, with its comments in that language; `has_all`: every other setting too, as a comment with its default.
[[nodiscard]] std::string file_of(const config::BotConfig& config, bool has_all, words::Language language);

}  // namespace kakehashi::cli
