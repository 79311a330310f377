#include "bridge/game_record.hpp"

#include <cstdio>

#include "base/text.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/usi.hpp"
#include "shogi/record/ending.hpp"
#include "shogi/record/file_name.hpp"

namespace kakehashi::bridge {

namespace {

using shogi::record::Clock;
using shogi::record::CsaVersion;

std::optional<Clock> clock_of(const csa::TimeControl& control) {
  if (control.is_untimed()) {
    return std::nullopt;
  }
  return Clock{control.total, control.byoyomi, control.increment};
}

std::string digits(const char* format, int a, int b, int c) {
  char text[40];
  std::snprintf(text, sizeof text, format, a, b, c);
  return text;
}

/// Five hexadecimal digits that are another game's hardly ever: FNV-1a over its id and beginning.
std::string digits_of(std::string_view game_id, base::WallTime started) {
  std::uint64_t hash = 14'695'981'039'346'656'037U;
  const auto since = started.time_since_epoch().count();
  for (const char c : std::string(game_id) + " " + std::to_string(since)) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 1'099'511'628'211U;
  }
  char text[8];
  std::snprintf(text, sizeof text, "%05X", static_cast<unsigned>((hash ^ (hash >> 32U)) & 0xFFFFFU));
  return text;
}

shogi::record::FileNameParts name_parts(const csa::GameSummary& summary,
                                        const config::BotConfig& config, base::WallTime started) {
  const auto local =
      std::chrono::floor<std::chrono::seconds>(started + config.records.utc_offset);
  const auto day = std::chrono::floor<std::chrono::days>(local);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(local - day);
  shogi::record::FileNameParts parts;
  parts.date = digits("%04d%02d%02d", static_cast<int>(date.year()),
                      static_cast<int>(static_cast<unsigned>(date.month())),
                      static_cast<int>(static_cast<unsigned>(date.day())));
  parts.time = digits("%02d%02d%02d", static_cast<int>(clock.hours().count()),
                      static_cast<int>(clock.minutes().count()),
                      static_cast<int>(clock.seconds().count()));
  parts.game_id = summary.game_id;
  parts.black = summary.black_name;
  parts.white = summary.white_name;
  parts.game_name = config.game.name;
  parts.hex5 = digits_of(summary.game_id, started);
  return parts;
}

}  // namespace

GameRecord::GameRecord(const csa::GameSummary& summary, const config::BotConfig& config,
                       base::WallTime started)
    : version_(config.records.format == config::RecordFormat::csa_v3_0 ? CsaVersion::v3_0
                                                                       : CsaVersion::v2_2),
      file_name_(shogi::record::file_name(config.records.name,
                                          name_parts(summary, config, started)) +
                 ".csa"),
      writer_(version_) {
  record_.event = summary.game_id;
  record_.black_name = summary.black_name;
  record_.white_name = summary.white_name;
  record_.started = started;
  record_.utc_offset = config.records.utc_offset;
  record_.black_clock = clock_of(summary.times.black);
  record_.white_clock = clock_of(summary.times.white);
  record_.max_moves = summary.max_moves;
  record_.jishogi_rule = summary.declaration == "Jishogi 1.1" ? "27" : "";
  record_.start = summary.start;
  for (const csa::ListedMove& listed : summary.moves) {
    record_.moves.push_back({listed.move, listed.consumed, {}, {}});
  }
  static_cast<void>(beginning());  // the writer follows the game where no file is begun, too
}

std::string GameRecord::beginning() {
  std::string text = writer_.begin(record_);
  for (const shogi::record::RecordedMove& move : record_.moves) {
    text += writer_.add(move);
  }
  return text;
}

std::string GameRecord::add(const Game::Played& played, const Thought* thought,
                            const shogi::Position& before) {
  shogi::record::RecordedMove move{played.move, played.consumed, {}, {}};
  if (thought != nullptr && thought->score) {
    shogi::record::Evaluation evaluation;
    evaluation.score = black_score(*thought->score, before.side_to_move());
    if (!thought->pv.empty() &&
        thought->pv.front() == shogi::usi::format_move(played.move)) {
      const std::string line = translate_pv(before, thought->pv, comment_pv_moves_max + 1);
      const auto words = base::split_words(line);
      for (std::size_t i = 1; i < words.size(); ++i) {
        evaluation.pv.emplace_back(words[i]);
      }
    }
    evaluation.depth = thought->depth;
    if (thought->nodes > 0) {
      evaluation.nodes = thought->nodes;
    }
    move.evaluation = std::move(evaluation);
  }
  if (!remark_.empty()) {
    move.comments.push_back("time: " + std::exchange(remark_, {}));
  }
  record_.moves.push_back(move);
  return writer_.add(move);
}

void GameRecord::refuse(std::string_view line) {
  refused_ = "ILLEGAL_MOVE(" + std::string(line.substr(0, line.find(','))) + ")";
}

std::string GameRecord::finish(const csa::GameEnd& end,
                               const std::optional<csa::SpecialPlayed>& special, const Game& game,
                               base::WallTime ended) {
  const shogi::Color us = game.summary().our_color;
  std::optional<shogi::Color> loser;
  if (end.outcome == csa::Outcome::lose) {
    loser = us;
  } else if (end.outcome == csa::Outcome::win) {
    loser = shogi::opposite(us);
  }
  // Some servers repeat the result's word as the only one: it is the reason then.
  const std::string& reason = end.reason.empty() ? end.result : end.reason;
  const bool after_declaration = special && special->word.starts_with("%KACHI");
  shogi::record::Ending ending;
  ending.kind = shogi::record::ending_of(
      {reason, loser, game.position().side_to_move(), after_declaration});
  if (special) {
    ending.consumed = special->consumed;
  }
  if (!refused_.empty()) {
    ending.comments.push_back(refused_);
  }
  if (!remark_at_end_.empty()) {
    ending.comments.push_back(remark_at_end_);
  }
  record_.ended = ended;
  record_.ending = ending;
  return shogi::record::CsaWriter::whole(record_, version_);
}

}  // namespace kakehashi::bridge
