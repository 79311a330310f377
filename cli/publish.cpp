// `kakehashi publish`: the finished games of an archive as a site of plain files, for any web server.
#include <fcntl.h>
#include <sys/file.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <iostream>
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

struct Options {
  GamesOptions games;
  std::string directory;
  games::SiteOptions site{"Shogi games · 将棋の対局", ""};
};

int complain(const std::string& what, int status) {
  std::cerr << "kakehashi: " << what << "\n";
  return status;
}

/// A file that says the same already keeps its time, so that what copies the site copies little.
std::optional<std::string> write(const fs::path& directory, const games::SiteFile& file) {
  const fs::path path = directory / file.path;
  if (base::io::read_whole(path.string()) == file.text) {
    return std::nullopt;
  }
  return write_record_file(path.string(), file.text, true);
}

/// Why not; its files lie behind one another, the viewer's last: where that is, all are.
std::optional<std::string> write_game(const fs::path& directory, const games::ArchivedRecord& archived) {
  const auto record = games::record_in(archived);
  if (!record) {
    return "its moves cannot be read: " + record.error().what;
  }
  std::vector<games::SiteFile> files = games::site_game(archived.game, *record);
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    if (auto why = write(directory, *file)) {
      return why;
    }
  }
  return std::nullopt;
}

int publish(Options options) {
  if (!options.site.address.empty() && options.site.address.back() != '/') {
    options.site.address += '/';
  }
  const auto filter = options.games.filter();
  if (!filter) {
    return base::exit_usage;
  }
  auto archive = options.games.open();
  if (!archive) {
    return base::exit_no_input;
  }
  const fs::path directory(options.directory);
  std::error_code failed;
  fs::create_directories(directory / "games", failed);
  if (failed) {
    return complain("cannot create " + (directory / "games").string() + ": " + failed.message(), base::exit_cannot_create);
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
    return complain("the archive cannot be read: " + why->text, base::exit_no_input);
  }
  std::vector<games::ArchivedGame> published;
  std::size_t added = 0;
  int status = base::exit_ok;
  for (const games::ArchivedGame& game : all) {
    if (!fs::exists(directory / "games" / (games::site_name(game) + ".json"), failed)) {
      const auto found = archive->find(game.id);
      const auto why = !found   ? std::optional(found.error().text.english())
                       : *found ? write_game(directory, **found)
                                : std::optional<std::string>("it is gone");
      if (why) {
        status = complain("game " + std::to_string(game.id) + " is left out: " + *why, base::exit_data);
        continue;
      }
      ++added;
    }
    published.push_back(game);
  }
  for (const games::SiteFile& file :
       games::site_index(published, options.site, std::string(watch::live_page()))) {
    if (const auto why = write(directory, file)) {
      return complain(*why, base::exit_cannot_create);
    }
  }
  std::cout << published.size() << (published.size() == 1 ? " game" : " games") << " published, " << added << " new\n";
  return status;
}

}  // namespace

void register_publish(CLI::App& app, const Terminal&, int& status) {
  auto* command = app.add_subcommand("publish", "Write the finished games as a web site of plain files");
  const auto options = std::make_shared<Options>();
  command->add_option("DIRECTORY", options->directory, "Where to write; a site that is there already is updated")->required();
  add_archive_options(*command, options->games);
  add_filter_options(*command, options->games);
  command->add_option("--title", options->site.title, "The title of the pages")->capture_default_str();
  command->add_option("--address", options->site.address, "Where the site will be found, for its feeds: https://…");
  command->callback([options, &status] { status = publish(*options); });
}

}  // namespace kakehashi::cli
