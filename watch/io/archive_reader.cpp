#include "watch/io/archive_reader.hpp"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "base/io/clocks.hpp"
#include "games/archived_game.hpp"
#include "games/game_text.hpp"
#include "games/io/archive.hpp"
#include "games/io/archive_writer.hpp"
#include "games/statistics.hpp"

namespace kakehashi::watch::io {
namespace {

namespace asio = boost::asio;

HttpAnswer json_answer(std::string json) { return {200, "application/json", std::move(json)}; }

HttpAnswer list_games(games::io::Archive& archive, const games::GameFilter& filter) {
  const auto games = archive.list(filter);
  return games ? json_answer(games::json_of(*games)) : refuse(500, games.error().english());
}

HttpAnswer count_games(games::io::Archive& archive, const games::GameFilter& filter) {
  games::Statistics statistics;
  const auto why = archive.each(filter, games::io::Archive::Order::any, [&](const games::ArchivedGame& game) {
    statistics.take(game);
    return true;
  });
  return why ? refuse(500, why->english()) : json_answer(json(statistics));
}

HttpAnswer show_game(games::io::Archive& archive, const GamesRequest& asked) {
  const std::int64_t id = asked.id;
  const auto found = archive.find(id);
  if (!found) {
    return refuse(500, found.error().english());
  }
  if (!*found) {
    return refuse(404, "there is no game " + std::to_string(id) + " here");
  }
  const auto record = games::record_in(**found);
  if (!record) {
    return refuse(500, "the record of game " + std::to_string(id) + " cannot be read: " + record.error().what.english());
  }
  if (asked.format) {
    return {200, "text/plain; charset=utf-8", games::record_text(*record, *asked.format)};
  }
  return json_answer(games::json_of((*found)->game, *record));
}

HttpAnswer answer_from(const std::string& file, const GamesRequest& request) {
  std::error_code failed;
  if (!std::filesystem::exists(file, failed)) {
    // Before the first game.
    return request.what == GamesRequest::What::list    ? json_answer(games::json_of(std::vector<games::ArchivedGame>()))
           : request.what == GamesRequest::What::count ? json_answer(json(games::Statistics()))
                                                       : refuse(404, "there are no games yet");
  }
  auto archive = games::io::Archive::open(file, games::io::Archive::Access::read);
  if (!archive) {
    return refuse(503, archive.error().english());
  }
  switch (request.what) {
    case GamesRequest::What::list: return list_games(*archive, request.filter);
    case GamesRequest::What::count: return count_games(*archive, request.filter);
    case GamesRequest::What::game: return show_game(*archive, request);
  }
  return {};
}

}  // namespace

ArchiveReader::ArchiveReader(asio::io_context& context, Tell tell)
    : ArchiveReader(context, std::move(tell), answer_from) {}

ArchiveReader::ArchiveReader(asio::io_context& context, Tell tell, Answer answer)
    : context_(context), tell_(std::move(tell)), answer_(std::move(answer)) {}

void ArchiveReader::ask(const std::string& target, const std::vector<config::BotConfig>& bots,
                        Reply reply) {
  const auto request = parse_games_request(
      target, base::io::read_clocks().wall.time_since_epoch().count());
  if (!request) {
    reply(refuse(400, request.error()));
    return;
  }
  const std::string& wanted = request->filter.bot;
  const auto bot = std::find_if(bots.begin(), bots.end(), [&](const config::BotConfig& one) {
    return one.archive.enabled && (wanted.empty() || wanted == one.name);
  });
  if (bot == bots.end()) {
    reply(refuse(404, "no such bot keeps an archive"));
    return;
  }
  // Kept in one place, so that a question that is not taken is answered too.
  const auto waiting = std::make_shared<Reply>(std::move(reply));
  const bool is_taken = thread_.post([this, file = games::io::archive_file(*bot), asked = *request, waiting] {
    try {
      asio::post(context_, [waiting, answer = answer_(file, asked)] { (*waiting)(answer); });
    } catch (const std::exception& failure) {  // no memory, or a file that breaks a promise: no game ends for it
      bridge::Note note;
      note.level = bridge::Level::error;
      note.code = "archive_unreadable";
      note.text = base::say("a question to the archive {} could not be answered: {}", file, std::string(failure.what()));
      asio::post(context_, [this, waiting, note] {
        tell_(note);
        (*waiting)(refuse(500, note.text.english()));
      });
    }
  });
  if (!is_taken) {
    (*waiting)(refuse(503, "too many questions wait for the archive"));
  }
}

}  // namespace kakehashi::watch::io
