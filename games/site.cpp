#include "games/site.hpp"

#include <fmt/chrono.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstdint>
#include <map>
#include <string_view>

#include "base/checksum.hpp"
#include "base/utf8.hpp"
#include "games/game_text.hpp"
#include "shogi/record/format.hpp"

namespace kakehashi::games {

namespace {

using boost::json::array;
using boost::json::object;
using shogi::record::Format;

constexpr std::size_t feed_games_max = 50;
/// As the live page has it, told by the page itself: the web server is anyone's.
constexpr std::string_view policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'";
constexpr std::string_view list_style =
    "body{font:16px/1.6 \"Hiragino Sans\",\"Yu Gothic UI\",\"Noto Sans JP\",system-ui,sans-serif;max-width:60rem;"
    "margin:2rem auto;padding:0 1rem;color-scheme:light dark}li{margin:.2rem 0}h2{margin-top:2rem}";

std::uint64_t mark_of(const ArchivedGame& game) {
  return base::fnv1a(game.game_id + "\n" + game.us + "\n" + std::to_string(game.started_ms));
}

/// The columns that are for everyone.
object shown(const std::string& json, const ArchivedGame& game) {
  object all = boost::json::parse(json).as_object();
  for (const char* own : {"server", "record_path", "our_time_ms", "their_time_ms", "rescues", "rescue_causes", "ponder", "time"}) {
    all.erase(own);
  }
  all["id"] = site_name(game);
  return all;
}

/// "2026-01-02T03:04:05Z".
std::string instant(std::int64_t at_ms) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", base::calendar(base::WallTime{base::Millis{at_ms}}));
}

std::string headline(const ArchivedGame& game) {
  const std::string& black = game.is_black ? game.us : game.opponent;
  const std::string& white = game.is_black ? game.opponent : game.us;
  return "☗" + black + " – ☖" + white;
}

/// "alice: win, #RESIGN, 112 moves".
std::string result(const ArchivedGame& game) {
  return game.us + ": " + game.outcome + (game.reason.empty() ? "" : ", " + game.reason) + ", " +
         std::to_string(game.plies) + (game.plies == 1 ? " move" : " moves");
}

std::string viewer_link(const ArchivedGame& game) { return "index.html#game=" + site_name(game); }

std::string item(const ArchivedGame& game) {
  const std::string name = "games/" + site_name(game);
  return "<li>" + instant_text(game.started_ms) + " <a href=\"" + viewer_link(game) + "\">" +
         base::markup_text(headline(game)) + "</a>, " + base::markup_text(result(game)) + " (<a href=\"" + name +
         ".kifu\">KIF</a>, <a href=\"" + name + ".csa\">CSA</a>)</li>\n";
}

/// Without script: by opponent, then by date.
std::string plain_list(const std::vector<ArchivedGame>& games, const SiteOptions& options) {
  std::map<std::string, std::vector<const ArchivedGame*>> by_opponent;
  for (const ArchivedGame& game : games) {
    by_opponent[game.opponent].push_back(&game);
  }
  std::string text = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
                     "content=\"width=device-width\"><link rel=\"icon\" href=\"data:,\"><title>" + base::markup_text(options.title) + "</title><style>" +
                     std::string(list_style) + "</style></head><body>\n<h1>" + base::markup_text(options.title) +
                     "</h1>\n<p><a href=\"index.html\">Boards · 盤面</a></p>\n<h2>By date · 日付順</h2>\n";
  std::string day;
  for (const ArchivedGame& game : games) {
    const std::string of_game = instant(game.started_ms).substr(0, 10);
    if (of_game != day) {
      text += (day.empty() ? "" : "</ul>\n") + ("<h3>" + of_game) + "</h3>\n<ul>\n";
      day = of_game;
    }
    text += item(game);
  }
  text += (day.empty() ? "" : "</ul>\n") + std::string("<h2>By opponent · 相手別</h2>\n");
  for (const auto& [opponent, against] : by_opponent) {
    text += "<h3>" + base::markup_text(opponent) + "</h3>\n<ul>\n";
    for (const ArchivedGame* game : against) {
      text += item(*game);
    }
    text += "</ul>\n";
  }
  return text + "</body></html>\n";
}

std::string atom(const std::vector<ArchivedGame>& games, const SiteOptions& options) {
  const std::string base = base::markup_text(options.address);
  std::string text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<title>" +
                     base::markup_text(options.title) + "</title>\n<id>" + (base.empty() ? "urn:kakehashi:games" : base) +
                     "</id>\n<link href=\"" + base + "index.html\"/>\n<updated>" +
                     instant(games.empty() ? 0 : games.front().ended_ms) + "</updated>\n";
  for (std::size_t i = 0; i < std::min(games.size(), feed_games_max); ++i) {
    const ArchivedGame& game = games[i];
    text += "<entry><id>" + (base.empty() ? "urn:kakehashi:game:" : base + "games/") + site_name(game) + "</id><title>" +
            base::markup_text(headline(game)) + "</title><link href=\"" + base + viewer_link(game) + "\"/><author><name>" +
            base::markup_text(game.us) + "</name></author><updated>" + instant(game.ended_ms) + "</updated><summary>" +
            base::markup_text(result(game)) + "</summary></entry>\n";
  }
  return text + "</feed>\n";
}

/// The live page, told that it is one of plain files.
std::string viewer(std::string page, const SiteOptions& options) {
  constexpr std::string_view root = "<html lang=\"en\"";
  constexpr std::string_view charset = "<meta charset=\"utf-8\">";
  const auto put_behind = [&](std::string_view place, const std::string& text) {
    if (const std::size_t at = page.find(place); at != std::string::npos) {
      page.insert(at + place.size(), text);
    }
  };
  put_behind(root, " data-site=\"" + base::markup_text(options.title) + "\"");
  put_behind(charset, "\n<meta http-equiv=\"Content-Security-Policy\" content=\"" + std::string(policy) +
                          "\">\n<link rel=\"alternate\" type=\"application/atom+xml\" href=\"feed.xml\">");
  put_behind("<body>", "\n<noscript><a href=\"list.html\">" + base::markup_text(options.title) + "</a></noscript>");
  return page;
}

}  // namespace

std::string site_name(const ArchivedGame& game) {
  return fmt::format("{}-{:08x}", game.id, mark_of(game) & 0xFFFFFFFFU);
}

std::vector<SiteFile> site_game(const ArchivedGame& game, const shogi::record::Record& record) {
  const std::string path = "games/" + site_name(game);
  std::vector<SiteFile> files{{path + ".json", boost::json::serialize(shown(json_of(game, record), game)) + "\n"}};
  for (const Format format : {Format::kifu, Format::ki2u, Format::csa}) {
    files.push_back({path + shogi::record::facts_of(format).extension, record_text(record, format)});
  }
  return files;
}

std::vector<SiteFile> site_index(const std::vector<ArchivedGame>& games, const SiteOptions& options,
                                 const std::string& page) {
  array all;
  for (const ArchivedGame& game : games) {
    all.push_back(shown(json_of(game), game));
  }
  return {{"games.json", boost::json::serialize(object{{"games", std::move(all)}}) + "\n"},
          {"list.html", plain_list(games, options)},
          {"feed.xml", atom(games, options)},
          {"index.html", viewer(page, options)}};
}

}  // namespace kakehashi::games
