#include "watch/games_request.hpp"

#include <utility>

#include "base/overload.hpp"
#include "base/text.hpp"

namespace kakehashi::watch {

namespace {

constexpr std::string_view games_path = "/api/v1/games";
constexpr std::string_view stats_path = "/api/v1/stats";

/// The word of "format=kifu", which is then gone from the query.
std::string take_format(std::string& query) {
  constexpr std::string_view key = "format=";
  std::string word;
  std::string others;
  for (const std::string_view pair : base::split(query, '&')) {
    if (pair.starts_with(key)) {
      word = pair.substr(key.size());
    } else {
      others.append(others.empty() ? "" : "&").append(pair);
    }
  }
  query = std::move(others);
  return word;
}

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

}  // namespace

bool asks_for_games(std::string_view target) {
  const std::string_view path = path_of(target);
  return path == games_path || path == stats_path ||
         path.starts_with(std::string(games_path) + "/");
}

base::Result<GamesRequest, std::string> parse_games_request(std::string_view target,
                                                            std::int64_t now_ms) {
  const std::string_view path = path_of(target);
  const bool has_query = path.size() < target.size();
  std::string query(has_query ? target.substr(path.size() + 1) : "");
  std::optional<shogi::record::Format> format;
  if (path.starts_with(std::string(games_path) + "/")) {
    const std::string word = take_format(query);
    format = shogi::record::format_of_word(word);
    if (!word.empty() && !format) {
      return base::Failure<std::string>{"format is csa, csa3, kif, kifu, ki2, ki2u, jkf, usi or jsonl"};
    }
  }
  auto filter = games::parse_query(query, now_ms);
  if (!filter) {
    return base::Failure<std::string>{filter.error().english()};
  }
  if (path == games_path) {
    return GamesRequest(ListGames{std::move(*filter)});
  }
  if (path == stats_path) {
    return GamesRequest(CountGames{std::move(*filter)});
  }
  const auto id = base::parse_int(path.substr(games_path.size() + 1));
  if (!id || *id < 1) {
    return base::Failure<std::string>{"a game's address ends with its number, /api/v1/games/12"};
  }
  return GamesRequest(OneGame{*id, std::move(filter->bot), format});
}

const std::string& bot_of(const GamesRequest& request) {
  return *std::visit(base::Overload{[](const ListGames& list) { return &list.filter.bot; },
                                    [](const CountGames& count) { return &count.filter.bot; },
                                    [](const OneGame& one) { return &one.bot; }},
                     request);
}

}  // namespace kakehashi::watch
