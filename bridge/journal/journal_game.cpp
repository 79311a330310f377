#include "bridge/journal/journal_game.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/overload.hpp"
#include "shogi/record/format.hpp"

namespace kakehashi::bridge::journal {
namespace {

using shogi::record::Record;

/// What a game summary says.
struct Offer {
  std::string game_id;
  std::string black;
  std::string white;
  shogi::Color us = shogi::Color::black;
};

/// What the server says of a game, and how it ended, besides its record.
struct Frame {
  Offer offer;  ///< the last one; it may have been another game, or this one again behind a lost line
  GameMark mark;
  shogi::Color us = shogi::Color::black;
  bool has_begun = false;
  base::WallTime ended;  ///< or the last that was heard of it
  csa::GameEnd end;
};

void take_line(Offer& offer, std::string_view line) {
  const auto value_of = [&](std::string_view name) {
    return line.starts_with(name) ? std::optional(std::string(line.substr(name.size()))) : std::nullopt;
  };
  if (auto id = value_of("Game_ID:")) {
    offer.game_id = std::move(*id);
  } else if (auto black = value_of("Name+:")) {
    offer.black = std::move(*black);
  } else if (auto white = value_of("Name-:")) {
    offer.white = std::move(*white);
  } else if (const auto turn = value_of("Your_Turn:")) {
    offer.us = turn->starts_with('-') ? shogi::Color::white : shogi::Color::black;
  }
}

/// Of the last game.
Frame frame_of(const Contents& contents) {
  Frame frame;
  base::WallTime now{};
  bool is_over = false;
  for (const Numbered& numbered : contents.entries) {
    if (const auto* happened = std::get_if<Happened>(&numbered.entry)) {
      now = happened->now.wall;
      if (const auto* line = std::get_if<ServerLine>(&happened->event)) {
        take_line(frame.offer, line->text);
      }
      frame.ended = is_over ? frame.ended : now;
      continue;
    }
    const auto* action = std::get_if<Action>(&numbered.entry);
    if (action == nullptr) {
      continue;
    }
    if (std::holds_alternative<BeginRecord>(*action)) {
      // The same record may be begun anew when a lost line is back: it is still that game.
      const bool goes_on = frame.has_begun && !is_over;
      const Offer& offer = frame.offer;
      frame.us = offer.us;
      frame.mark = {offer.game_id, offer.us == shogi::Color::black ? offer.black : offer.white,
                    goes_on ? frame.mark.begun : now};
      frame.has_begun = true;
      frame.end = {};
      is_over = false;
    } else if (std::holds_alternative<FinishRecord>(*action)) {
      is_over = true;
    } else if (const auto* ended = std::get_if<GameEnded>(action); ended != nullptr && !ended->is_lost_sight) {
      frame.end.outcome = ended->outcome;
      frame.end.reason = ended->reason;
    }
  }
  return frame;
}

std::optional<Record> read_file(std::string_view extension, const std::string& text,
                                std::chrono::minutes utc_offset) {
  for (const auto& facts : shogi::record::formats) {
    if (facts.extension == extension) {
      auto games = shogi::record::read_records(text, facts.format, utc_offset);
      return games && !games->empty() ? std::optional(std::move(games->back())) : std::nullopt;
    }
  }
  return std::nullopt;
}

/// Whichever of the journal's texts knows most: our own format, then the source of the files that do
/// not grow, then any file that can be read back.
std::optional<Record> moves_of(const JournalledRecord& record, std::chrono::minutes utc_offset) {
  for (const RecordFile& file : record.files) {
    if (file.extension == ".jsonl") {
      if (auto game = read_file(file.extension, file.text, utc_offset)) {
        return game;
      }
    }
  }
  if (auto game = read_file(".jsonl", record.source, utc_offset)) {
    return game;
  }
  return record.grows() ? read_file(".csa", record.text, utc_offset) : std::nullopt;
}

/// How the record itself says that the game ended; interrupted when none of its files does.
shogi::record::Ending ending_of(const JournalledRecord& record, std::chrono::minutes utc_offset) {
  for (const RecordFile& file : record.files) {
    const auto game = read_file(file.extension, file.text, utc_offset);
    if (game && game->ending) {
      return *game->ending;
    }
  }
  shogi::record::Ending cut_off;
  cut_off.comments.emplace_back(completion_remark());
  return cut_off;
}

}  // namespace

std::optional<GameMark> last_mark(const Contents& contents) {
  Frame frame = frame_of(contents);
  return frame.has_begun ? std::optional(std::move(frame.mark)) : std::nullopt;
}

std::optional<FinishedGame> last_game(const Contents& contents, const JournalledRecord& record,
                                      const config::BotConfig& bot) {
  auto moves = moves_of(record, bot.records.utc_offset);
  if (!moves) {
    return std::nullopt;
  }
  Frame frame = frame_of(contents);
  FinishedGame game;
  game.bot = bot.name;
  game.server = bot.server.host + ":" + std::to_string(bot.server.port);
  game.game_name = bot.game.name;
  game.our_color = frame.us;
  game.end = std::move(frame.end);
  game.record = std::move(*moves);
  game.record.started = frame.mark.begun;
  game.record.ended = game.record.ended.value_or(frame.ended);
  if (!game.record.ending) {
    game.record.ending = ending_of(record, bot.records.utc_offset);
  }
  return game;
}

}  // namespace kakehashi::bridge::journal
