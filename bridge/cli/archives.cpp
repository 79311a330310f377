#include "bridge/cli/archives.hpp"

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "base/overload.hpp"
#include "bridge/io/driver.hpp"
#include "bridge/io/earlier_games.hpp"
#include "shogi/record/jsonl.hpp"
#include "shogi/record/one_line.hpp"
#include "status/archived_game.hpp"
#include "status/game_text.hpp"
#include "status/games_request.hpp"
#include "status/io/archive.hpp"
#include "status/statistics.hpp"

namespace kakehashi::bridge::cli {
namespace {

namespace asio = boost::asio;

/// Nobody is logged in yet, and nobody likes to wait.
constexpr base::Millis patience_at_start{2'000};

/// Opened for each game: games are minutes apart, and a file that was moved away or put back counts.
std::optional<std::string> store(const std::string& file, const FinishedGame& game,
                                 const std::string& record_path) {
  auto archive = status::io::Archive::open(file, status::io::Archive::Access::write);
  if (!archive) {
    return archive.error();
  }
  const auto added = archive->add({status::archived(game, record_path)});
  return added ? std::nullopt
               : std::optional("the archive " + file + " cannot be written: " + added.error());
}

/// The games of these journals that the archive lacks. A file that is not there is not made for none.
base::Result<std::vector<status::ArchivedRecord>, std::string> missing(
    const std::string& file, const std::vector<std::string>& journals,
    const config::BotConfig& bot, base::Millis patience) {
  std::optional<status::io::Archive> archive;
  std::error_code failed;
  if (std::filesystem::exists(file, failed)) {
    auto opened = status::io::Archive::open(file, status::io::Archive::Access::write, patience);
    if (!opened) {
      return base::Failure<std::string>{opened.error()};
    }
    archive = std::move(*opened);
  }
  const auto is_known = [&](const journal::GameMark& mark) {
    using shogi::record::one_line;
    constexpr auto replaced = shogi::record::OtherBytes::replace;
    const auto has = archive ? archive->has(one_line(mark.game_id, replaced), one_line(mark.us, replaced),
                                            mark.begun.time_since_epoch().count())
                             : base::Result<bool, std::string>(false);
    return has && *has;
  };
  std::vector<status::ArchivedRecord> games;
  for (const io::EarlierGame& earlier : io::earlier_games(journals, bot, is_known)) {
    games.push_back(status::archived(earlier.game, earlier.record_path));
  }
  return games;
}

Note make_note(Level level, std::string code, std::string text) {
  return {level, std::move(code), std::move(text), {}};
}

std::optional<Note> add_missing(const std::string& file, const std::vector<std::string>& journals,
                                const config::BotConfig& bot, base::Millis patience) {
  constexpr const char* consequence = "; games of earlier runs may be missing in it, and games go on";
  const auto games = missing(file, journals, bot, patience);
  if (!games) {
    return make_note(Level::error, "archive_failed", games.error() + consequence);
  }
  if (games->empty()) {
    return std::nullopt;
  }
  auto archive = status::io::Archive::open(file, status::io::Archive::Access::write, patience);
  if (!archive) {
    return make_note(Level::error, "archive_failed", archive.error() + consequence);
  }
  const auto added = archive->add(*games);
  if (!added) {
    return make_note(Level::error, "archive_failed",
                     "the archive " + file + " cannot be written: " + added.error() + consequence);
  }
  return *added == 0 ? std::nullopt
                     : std::optional(make_note(
                           Level::warn, "archive_completed",
                           "an earlier run ended before it had stored " +
                               (*added == 1 ? "a game" : std::to_string(*added) + " games") +
                               " in the archive " + file + "; added from the journal"));
}

using status::HttpAnswer;

HttpAnswer refusal(int status, const std::string& why) {
  return {status, "text/plain; charset=utf-8", why + "\n"};
}

HttpAnswer json_answer(std::string json) { return {200, "application/json", std::move(json)}; }

HttpAnswer list_games(status::io::Archive& archive, const status::GameFilter& filter) {
  const auto games = archive.list(filter);
  return games ? json_answer(status::json_of(*games)) : refusal(500, games.error());
}

HttpAnswer count_games(status::io::Archive& archive, const status::GameFilter& filter) {
  status::Statistics statistics;
  const auto why = archive.each(filter, status::io::Archive::Order::any, [&](const status::ArchivedGame& game) {
    statistics.take(game);
    return true;
  });
  return why ? refusal(500, *why) : json_answer(status::json(statistics));
}

HttpAnswer show_game(status::io::Archive& archive, std::int64_t id) {
  const auto found = archive.find(id);
  if (!found) {
    return refusal(500, found.error());
  }
  const auto records = *found ? shogi::record::read_jsonl((*found)->jsonl)
                              : base::Result<std::vector<shogi::record::Record>>(base::fail("no game"));
  return records ? json_answer(status::json_of((*found)->game, records->front()))
                 : refusal(404, "there is no game " + std::to_string(id) + " here");
}

HttpAnswer answer_from(const std::string& file, const status::GamesRequest& request) {
  std::error_code failed;
  if (!std::filesystem::exists(file, failed)) {
    // Before the first game.
    return std::visit(base::Overload{
                          [](const status::ListGames&) { return json_answer(status::json_of(std::vector<status::ArchivedGame>())); },
                          [](const status::CountGames&) { return json_answer(status::json(status::Statistics())); },
                          [](const status::OneGame&) { return refusal(404, "there are no games yet"); }},
                      request);
  }
  auto archive = status::io::Archive::open(file, status::io::Archive::Access::read);
  if (!archive) {
    return refusal(503, archive.error());
  }
  return std::visit(
      base::Overload{
          [&](const status::ListGames& list) { return list_games(*archive, list.filter); },
          [&](const status::CountGames& count) { return count_games(*archive, count.filter); },
          [&](const status::OneGame& one) { return show_game(*archive, one.id); }},
      request);
}

Note failed_note(const FinishedGame& game, const std::string& why) {
  Note note;
  note.level = Level::error;
  note.code = "archive_failed";
  note.text = why + "; this game is not in it, and games go on";
  note.fields = {{"game_id", game.record.event}};
  return note;
}

}  // namespace

std::string archive_file(const config::BotConfig& bot) {
  if (!bot.archive.enabled) {
    return "";
  }
  return bot.archive.file.empty()
             ? (std::filesystem::path(bot.records.directory) / "games.db").string()
             : bot.archive.file;
}

Archives::Archives(asio::io_context& context, Tell tell)
    : context_(context), tell_(std::move(tell)) {}

bool Archives::post(const std::string& bot, Work work) {
  const auto stays = std::make_shared<asio::executor_work_guard<asio::io_context::executor_type>>(
      context_.get_executor());
  return writer_.post([this, stays, bot, work = std::move(work)] {
    if (auto note = work()) {
      asio::post(context_, [this, bot, told = std::move(*note)] { tell_(bot, told); });
    }
  });
}

void Archives::take(const config::BotConfig& bot, std::shared_ptr<const FinishedGame> game,
                    std::string record_path) {
  const std::string file = archive_file(bot);
  if (file.empty()) {
    return;
  }
  const bool is_taken =
      post(bot.name, [file, game, path = std::move(record_path)]() -> std::optional<Note> {
        const auto why = store(file, *game, path);
        return why ? std::optional(failed_note(*game, *why)) : std::nullopt;
      });
  if (!is_taken) {
    tell_(bot.name, failed_note(*game, "too many games wait for the archive " + file));
  }
}

void Archives::catch_up(const config::BotConfig& bot) {
  const std::string file = archive_file(bot);
  const auto journals = file.empty() ? std::vector<std::string>() : io::ended_journals(bot);
  if (const auto note = journals.empty()
                            ? std::nullopt
                            : add_missing(file, journals, bot, patience_at_start)) {
    tell_(bot.name, *note);
  }
}

void Archives::catch_up_later(const config::BotConfig& bot) {
  const std::string file = archive_file(bot);
  if (!file.empty()) {
    // Which journals have ended is seen now: later ones may be of games that wait to be stored.
    static_cast<void>(post(bot.name, [file, bot, journals = io::ended_journals(bot)] {
      return add_missing(file, journals, bot, status::io::Archive::default_patience);
    }));
  }
}

void Archives::ask(const std::string& target, const std::vector<config::BotConfig>& bots,
                   Reply reply) {
  const auto request = status::parse_games_request(
      target, io::read_clocks().wall.time_since_epoch().count());
  if (!request) {
    reply(refusal(400, request.error()));
    return;
  }
  const std::string& wanted = status::bot_of(*request);
  const auto bot = std::find_if(bots.begin(), bots.end(), [&](const config::BotConfig& one) {
    return one.archive.enabled && (wanted.empty() || wanted == one.name);
  });
  if (bot == bots.end()) {
    reply(refusal(404, "no such bot keeps an archive"));
    return;
  }
  // Kept in one place, so that a question that is not taken is answered too.
  const auto waiting = std::make_shared<Reply>(std::move(reply));
  const bool is_taken = reader_.post([this, file = archive_file(*bot), asked = *request, waiting] {
    asio::post(context_, [waiting, answer = answer_from(file, asked)] { (*waiting)(answer); });
  });
  if (!is_taken) {
    (*waiting)(refusal(503, "too many questions wait for the archive"));
  }
}

}  // namespace kakehashi::bridge::cli
