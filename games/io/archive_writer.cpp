#include "games/io/archive_writer.hpp"

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <filesystem>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "base/utf8.hpp"
#include "games/archived_game.hpp"
#include "games/io/archive.hpp"
#include "journal/io/earlier_runs.hpp"

namespace kakehashi::games::io {
namespace {

namespace asio = boost::asio;

using base::say;

base::Message count_of(std::size_t games) { return games == 1 ? say("a game") : say("{} games", games); }

base::Message cannot_write(const std::string& file, const Trouble& why) {
  return say("the archive {} cannot be written: {}", file, why);
}

/// Opened for each game: games are minutes apart, and a file that was moved away or put back counts.
std::optional<Trouble> store(const std::string& file, const bridge::FinishedGame& game, const std::string& record_path,
                            base::Millis patience) {
  auto archive = Archive::open(file, Archive::Access::write, patience);
  if (!archive) {
    return archive.error();
  }
  const auto added = archive->add({archived(game, record_path)});
  return added ? std::nullopt : std::optional(cannot_write(file, added.error()));
}

/// The games of these journals that the archive lacks. A file that is not there is not made for none.
base::Result<std::vector<ArchivedRecord>, Trouble> missing(const std::string& file,
                                                          const std::vector<std::string>& journals,
                                                          const config::BotConfig& bot, base::Millis patience) {
  std::optional<Archive> archive;
  std::error_code failed;
  if (std::filesystem::exists(file, failed)) {
    auto opened = Archive::open(file, Archive::Access::write, patience);
    if (!opened) {
      return base::Failure<Trouble>{opened.error()};
    }
    archive = std::move(*opened);
  }
  std::optional<Trouble> trouble;
  const auto is_known = [&](const journal::GameMark& mark) {
    constexpr auto replaced = base::OtherBytes::replace;
    const auto has = archive ? archive->has(base::one_line(mark.game_id, replaced), base::one_line(mark.us, replaced),
                                            mark.begun.time_since_epoch().count())
                             : base::Result<bool, Trouble>(false);
    trouble = has ? trouble : has.error();
    return trouble || *has;  // one that cannot be read is asked no more
  };
  std::vector<ArchivedRecord> games;
  for (const journal::io::EarlierGame& earlier : journal::io::earlier_games(journals, bot, is_known)) {
    games.push_back(archived(earlier.game, earlier.record_path));
  }
  if (trouble) {
    return base::Failure<Trouble>{say("the archive {} cannot be read: {}", file, *trouble)};
  }
  return games;
}

/// Nothing, or what there is to tell; an error, which is to be tried again.
std::optional<bridge::Note> add_missing(const std::string& file, const config::BotConfig& bot,
                                        base::Millis patience) {
  const auto fail = [](const Trouble& why) {
    return bridge::Note{
        bridge::Level::error, "archive_failed",
        say("{}; games of earlier runs may be missing in it until it can, which is tried again, and games go on", why),
        {}};
  };
  const auto journals = journal::io::ended_journals(bot);
  if (journals.empty()) {
    return std::nullopt;
  }
  const auto games = missing(file, journals, bot, patience);
  if (!games) {
    return fail(games.error());
  }
  if (games->empty()) {
    return std::nullopt;
  }
  auto archive = Archive::open(file, Archive::Access::write, patience);
  if (!archive) {
    return fail(archive.error());
  }
  const auto added = archive->add(*games);
  if (!added) {
    return fail(cannot_write(file, added.error()));
  }
  return *added == 0 ? std::nullopt
                     : std::optional(bridge::Note{bridge::Level::warn, "archive_completed",
                                                  say("an earlier run ended before it had stored {} in the archive {}; added "
                                                      "from the journal",
                                                      count_of(static_cast<std::size_t>(*added)), file),
                                                  {}});
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

// --- what a bot's archive lacks

void ArchiveWriter::Backlog::add(const config::BotConfig& bot, Game game) {
  lacking_.bot = bot;
  lacking_.games.push_back(std::move(game));
}

void ArchiveWriter::Backlog::catch_up(const config::BotConfig& bot) {
  lacking_.bot = bot;
  lacking_.is_to_catch_up = true;
}

ArchiveWriter::Batch ArchiveWriter::Backlog::take() {
  return {lacking_.bot, std::exchange(lacking_.games, {}), std::exchange(lacking_.is_to_catch_up, false)};
}

std::vector<bridge::Note> ArchiveWriter::Backlog::take_back(Outcome outcome) {
  const bool has_failed = !outcome.left.is_empty();
  auto& games = outcome.left.games;
  const auto excess = games.size() - std::min(games.size(), games_max);
  games.erase(games.begin(), games.begin() + static_cast<std::ptrdiff_t>(excess));
  games.insert(games.end(), lacking_.games.begin(), lacking_.games.end());
  lacking_.games = std::move(games);
  lacking_.is_to_catch_up = lacking_.is_to_catch_up || outcome.left.is_to_catch_up;
  std::vector<bridge::Note> news;
  for (bridge::Note& one : outcome.news) {
    const bool is_hindrance = one.level == bridge::Level::error;
    const bool is_known = is_hindrance && one.text == told_;
    told_ = is_hindrance ? one.text : told_;
    if (!is_known) {
      news.push_back(std::move(one));
    }
  }
  if (!has_failed && !told_.empty()) {
    told_ = {};
    news.push_back({bridge::Level::info, "archive_caught_up", say("the archive can be written again and lacks nothing"), {}});
  }
  return news;
}

// --- the writer

ArchiveWriter::ArchiveWriter(asio::io_context& context, Tell tell)
    : context_(context), tell_(std::move(tell)), pause_(context) {}

void ArchiveWriter::take(const config::BotConfig& bot, std::shared_ptr<const bridge::FinishedGame> game,
                         std::string record_path) {
  std::string file = archive_file(bot);
  if (file.empty()) {
    return;
  }
  backlogs_[bot.name].add(bot, {std::move(game), std::move(record_path), std::move(file)});
  request(bot.name);
}

void ArchiveWriter::catch_up(const config::BotConfig& bot) {
  if (archive_file(bot).empty()) {
    return;
  }
  backlogs_[bot.name].catch_up(bot);
  request(bot.name);
}

void ArchiveWriter::close() {
  is_closing_ = true;
  pause_.cancel();
  request_all();
}

std::size_t ArchiveWriter::waiting() const {
  std::size_t games = games_at_work_.value_or(0);
  for (const auto& [bot, backlog] : backlogs_) {
    games += backlog.games();
  }
  return games;
}

void ArchiveWriter::request(const std::string& bot) {
  if (std::find(requested_.begin(), requested_.end(), bot) == requested_.end()) {
    requested_.push_back(bot);
  }
  work_off();
}

void ArchiveWriter::request_all() {
  for (const auto& [bot, backlog] : backlogs_) {
    if (!backlog.is_empty()) {
      request(bot);
    }
  }
}

void ArchiveWriter::pause() {
  if (std::exchange(is_pausing_, true)) {
    return;
  }
  pause_.expires_after(next_pause_);
  next_pause_ = std::min(2 * next_pause_, pause_max);
  pause_.async_wait([this](boost::system::error_code failed) {
    is_pausing_ = false;
    if (!failed) {
      request_all();
    }
  });
}

void ArchiveWriter::work_off() {
  if (games_at_work_ || requested_.empty()) {
    return;
  }
  const Batch batch = backlogs_[requested_.front()].take();
  requested_.pop_front();
  games_at_work_ = batch.games.size();
  const bool is_last = is_closing_;
  // The loop goes on until the outcome is back.
  const bool is_taken = thread_.post([this, batch, is_last, guard = asio::make_work_guard(context_)] {
    asio::post(guard.get_executor(),
               [this, is_last, outcome = attempt(batch, is_last ? Archive::default_patience : patience_in_play)] {
                 take_back(outcome, is_last);
               });
  });
  if (!is_taken) {
    Outcome outcome = failed(batch, say("the system gives no thread to write it with"));
    asio::post(context_, [this, is_last, outcome = std::move(outcome)] { take_back(outcome, is_last); });
  }
}

void ArchiveWriter::take_back(Outcome outcome, bool was_last) {
  games_at_work_.reset();
  const std::string bot = outcome.left.bot.name;
  const bool has_failed = !outcome.left.is_empty();
  const std::vector<bridge::Note> news = backlogs_[bot].take_back(std::move(outcome));
  for (const bridge::Note& note : news) {
    tell_(bot, note);
  }
  if (has_failed && is_closing_ && !was_last) {
    request(bot);
  } else if (has_failed && !is_closing_) {
    pause();
  } else if (!has_failed) {
    next_pause_ = pause_min;
  }
  work_off();
}

ArchiveWriter::Outcome ArchiveWriter::attempt(const Batch& batch, base::Millis patience) {
  try {
    return work(batch, patience);
  } catch (const std::exception& failure) {  // no memory: it costs the archive, not the process
    return failed(batch, base::verbatim(failure.what()));
  }
}

ArchiveWriter::Outcome ArchiveWriter::failed(const Batch& batch, base::Message why) {
  bridge::Note note{bridge::Level::error, "archive_failed",
            say("{}; {} will be tried again, each minute at least, and by the next start", std::move(why),
                batch.games.empty() ? say("games of earlier runs") : count_of(batch.games.size())),
            {}};
  if (!batch.games.empty()) {
    note.fields = {{"game_id", batch.games.back().game->record.event}};
  }
  return {batch, {std::move(note)}};
}

/// One after the other: what is wrong with one game is not to cost the others.
ArchiveWriter::Outcome ArchiveWriter::work(const Batch& batch, base::Millis patience) {
  Outcome outcome{{batch.bot, {}, false}, {}};
  for (auto one = batch.games.begin(); one != batch.games.end(); ++one) {
    if (const auto not_stored = store(one->file, *one->game, one->record_path, patience)) {
      Batch left{batch.bot, {std::next(one), batch.games.end()}, false};
      left.games.push_back(*one);  // the others come first then
      outcome = failed(left, *not_stored);
      break;
    }
  }
  if (batch.is_to_catch_up && !outcome.left.is_empty()) {
    outcome.left.is_to_catch_up = true;  // not now either
  } else if (batch.is_to_catch_up) {
    if (auto news = add_missing(archive_file(batch.bot), batch.bot, patience)) {
      outcome.left.is_to_catch_up = news->level == bridge::Level::error;
      outcome.news.push_back(std::move(*news));
    }
  }
  return outcome;
}

}  // namespace kakehashi::games::io
