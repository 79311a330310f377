// `kakehashi publish`: the finished games of an archive as a site of plain files, for any web server.
#include <fcntl.h>
#include <sys/file.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "base/exit_status.hpp"
#include "base/io/file.hpp"
#include "cli/command_line.hpp"
#include "cli/games_options.hpp"
#include "cli/record_file.hpp"
#include "games/site.hpp"
#include "watch/web_documents.hpp"

namespace kakehashi::cli {
namespace {

namespace fs = std::filesystem;
using base::say;

struct Options {
  GamesOptions games;
  std::string directory;
  games::SiteOptions site{"Shogi games · 将棋の対局", ""};
};

int complain(const Terminal& terminal, const base::Message& what, int status) {
  terminal.fault(what);
  return status;
}

/// A file that says the same already keeps its time, so that what copies the site copies little.
std::optional<base::Message> write(const fs::path& directory, const games::SiteFile& file) {
  const fs::path path = directory / file.path;
  if (base::io::read_whole(path.string()) == file.text) {
    return std::nullopt;
  }
  return write_record_file(path.string(), file.text, true);
}

/// Why not; its files lie behind one another, the viewer's last: where that is, all are.
std::optional<base::Message> write_game(const fs::path& directory, const games::ArchivedRecord& archived) {
  const auto record = games::record_in(archived);
  if (!record) {
    return say("its moves cannot be read: {}", record.error().what);
  }
  std::vector<games::SiteFile> files = games::site_game(archived.game, *record);
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    if (auto why = write(directory, *file)) {
      return why;
    }
  }
  return std::nullopt;
}

int publish(Options options, const Terminal& terminal) {
  if (!options.site.address.empty() && options.site.address.back() != '/') {
    options.site.address += '/';
  }
  const auto filter = options.games.filter(terminal);
  if (!filter) {
    return base::exit_usage;
  }
  auto archive = options.games.open(terminal);
  if (!archive) {
    return base::exit_no_input;
  }
  const fs::path directory(options.directory);
  std::error_code failed;
  fs::create_directories(directory / "games", failed);
  if (failed) {
    return complain(terminal,
                    say("cannot create {}: {}", (directory / "games").string(), base::system_words(failed.message())),
                    base::exit_cannot_create);
  }
  // Two at once would write the same drafts; the second has what is left to do. Where there are no locks it goes without.
  const base::io::File turn(directory.string(), O_RDONLY | O_DIRECTORY);
  static_cast<void>(::flock(turn.descriptor(), LOCK_EX));
  std::vector<games::ArchivedGame> all;
  if (const auto why = archive->each(*filter, games::io::Archive::Order::latest_first,
                                     [&](const games::ArchivedGame& game) {
                                       all.push_back(game);
                                       return true;
                                     })) {
    return complain(terminal, say("the archive cannot be read: {}", why->text), base::exit_no_input);
  }
  std::vector<games::ArchivedGame> published;
  std::size_t added = 0;
  int status = base::exit_ok;
  for (const games::ArchivedGame& game : all) {
    if (!fs::exists(directory / "games" / (games::site_name(game) + ".json"), failed)) {
      const auto found = archive->find(game.id);
      const auto why = !found   ? std::optional(found.error().text)
                       : *found ? write_game(directory, **found)
                                : std::optional(say("it is gone"));
      if (why) {
        status = complain(terminal, say("game {} is left out: {}", game.id, *why), base::exit_data);
        continue;
      }
      ++added;
    }
    published.push_back(game);
  }
  for (const games::SiteFile& file :
       games::site_index(published, options.site, std::string(watch::live_page()))) {
    if (const auto why = write(directory, file)) {
      return complain(terminal, *why, base::exit_cannot_create);
    }
  }
  terminal.output.line(published.size() == 1 ? say("{} game published, {} new", 1, added)
                                             : say("{} games published, {} new", published.size(), added));
  return status;
}

}  // namespace

void register_publish(CLI::App& app, const Terminal& terminal, int& status) {
  auto* command = app.add_subcommand("publish", say("Write the finished games as a web site of plain files").english());
  const auto options = std::make_shared<Options>();
  command->add_option("DIRECTORY", options->directory, say("Where to write; a site that is there already is updated").english())->required();
  add_archive_options(*command, options->games);
  add_filter_options(*command, options->games);
  command->add_option("--title", options->site.title, say("The title of the pages").english())->capture_default_str();
  command->add_option("--address", options->site.address, say("Where the site will be found, for its feeds: https://…").english());
  command->callback([options, &terminal, &status] { status = publish(*options, terminal); });
}

}  // namespace kakehashi::cli
