// Finished games as a site of plain files: an index for the viewer and one without script, each game for the
// viewer and as a record, feeds. What is in them, not where they lie: pure text. Only what the server shows to
// everyone goes in: no path, no address, nothing of how the bridge fared.
#pragma once

#include <string>
#include <vector>

#include "games/archived_game.hpp"
#include "shogi/record/model.hpp"

namespace kakehashi::games {

struct SiteFile {
  std::string path;  ///< below the site's directory
  std::string text;
};

struct SiteOptions {
  std::string title;
  std::string address;  ///< "https://example.org/games/", which feeds name; empty: not known
};

/// "12-1f3a9c04": the game's number, and a mark that is another one's hardly ever, since another archive counts
/// from 1 again. No peer's text is in it.
[[nodiscard]] std::string site_name(const ArchivedGame& game);

/// games/NAME.json for the viewer and the records; they never change once they are there.
[[nodiscard]] std::vector<SiteFile> site_game(const ArchivedGame& game, const shogi::record::Record& record);

/// What changes with each game, the latest of which stands first. `page` is the live page, which becomes the viewer.
[[nodiscard]] std::vector<SiteFile> site_index(const std::vector<ArchivedGame>& games, const SiteOptions& options,
                                               const std::string& page);

}  // namespace kakehashi::games
