// The files of journals in their directory: how they are named, which belong together, and which
// are condensed or removed when they have become many. It knows no entry.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/bot_config.hpp"

namespace kakehashi::journal::io {

/// "mybot_20261121T031522_0001.journal": the first file of the run that began then (UTC).
struct JournalName {
  std::string bot;  ///< safe as a file name
  std::string run;
  int part = 1;

  [[nodiscard]] std::string file_name() const;
  friend bool operator==(const JournalName&, const JournalName&) = default;
};
/// Nothing for the name of any other file.
[[nodiscard]] std::optional<JournalName> read_journal_name(std::string_view file_name);

/// What is set, or "journal" beside the records' directory.
[[nodiscard]] std::string journal_directory(const config::BotConfig& bot);

/// The files of a bot in the order in which they were written; empty when there is no directory.
[[nodiscard]] std::vector<JournalName> list_journals(const std::string& directory,
                                                     std::string_view bot);

/// The parts that come before that file in its run, and the file itself, as paths.
[[nodiscard]] std::vector<std::string> parts_until(const std::string& path);

/// Whether a running bot writes to the file just now. Takes up to 500 ms where the one that did is dead: a child that
/// was forked as its parent was killed holds the parent's files until it runs its program.
[[nodiscard]] bool is_in_use(const std::string& path);

/// Keeps the newest `keep` files of a bot whole. Of the older ones, those of the run `present`, and
/// of runs that still have a file among the newest, are condensed; the others are removed. What is
/// condensed already is not read again, however long the run.
void tidy_journals(const std::string& directory, std::string_view bot, std::string_view present,
                   int keep);

}  // namespace kakehashi::journal::io
