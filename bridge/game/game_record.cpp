#include "bridge/game/game_record.hpp"

#include <fmt/chrono.h>

#include <algorithm>
#include <utility>

#include "base/checksum.hpp"
#include "base/text.hpp"
#include "bridge/game/translate.hpp"
#include "shogi/notation/usi.hpp"
#include "shogi/record/ending.hpp"
#include "shogi/record/search_comment.hpp"

namespace kakehashi::bridge {
namespace {

// What a record keeps of an engine's thought: the same, turned to black's point of view, its line as
// the CSA moves behind the played one.

/// Of a move played on `before`; nothing when the engine told no score (a book move).
[[nodiscard]] std::optional<shogi::record::Evaluation> evaluation_of(const Thought& thought,
                                                                     const shogi::Move& move,
                                                                     const shogi::Position& before);

using shogi::Color;
using shogi::record::Bound;

/// At least so much for white is at most so much for black.
Bound black_bound(usi::Score::Bound bound, Color thinker) {
  const bool is_black = thinker == Color::black;
  switch (bound) {
    case usi::Score::Bound::exact: return Bound::exact;
    case usi::Score::Bound::lower: return is_black ? Bound::lower : Bound::upper;
    case usi::Score::Bound::upper: return is_black ? Bound::upper : Bound::lower;
  }
  return Bound::exact;
}

std::int64_t black_mate(const usi::Score& score, Color thinker) {
  const std::int64_t plies = score.value < 0 ? -score.value : score.value;
  const bool black_mates = score.mate_is_lost == (thinker == Color::white);
  return black_mates ? plies : -plies;
}

std::optional<std::int64_t> if_told(std::int64_t value) {
  return value > 0 ? std::optional(value) : std::nullopt;
}

std::optional<shogi::record::Evaluation> evaluation_of(const Thought& thought,
                                                       const shogi::Move& move,
                                                       const shogi::Position& before) {
  if (!thought.score) {
    return std::nullopt;
  }
  const Color thinker = before.side_to_move();
  shogi::record::Evaluation evaluation;
  evaluation.score = black_score(*thought.score, thinker);
  if (!thought.pv.empty() && thought.pv.front() == shogi::usi::format_move(move)) {
    const std::string line = translate_pv(before, thought.pv, comment_pv_moves_max + 1);
    const auto words = base::split_words(line);
    for (std::size_t i = 1; i < words.size(); ++i) {
      evaluation.pv.emplace_back(words[i]);
    }
  }
  evaluation.depth = if_told(thought.depth);
  evaluation.nodes = if_told(thought.nodes);
  evaluation.bound = black_bound(thought.score->bound, thinker);
  if (thought.score->is_mate) {
    evaluation.mate = black_mate(*thought.score, thinker);
  }
  evaluation.seldepth = if_told(thought.seldepth);
  evaluation.nps = if_told(thought.nps);
  evaluation.hashfull = if_told(thought.hashfull);
  return evaluation;
}

/// Of "* 52 -3334FU +2726FU", which the opponent's client sent for anyone to read: a score within the
/// bounds of ours, and of its line only what can be played.
std::optional<shogi::record::Evaluation> evaluation_in(std::string_view comment, const shogi::Move& move,
                                                       const shogi::Position& before) {
  comment.remove_prefix(std::min(comment.find_first_not_of('*'), comment.size()));
  auto told = comment.starts_with(' ') ? shogi::record::parse_evaluation(comment) : std::nullopt;
  if (!told) {
    return std::nullopt;
  }
  shogi::Position reached = before;
  reached.play(move);
  shogi::record::Evaluation evaluation;
  evaluation.score = std::clamp(told->score, -mate_score, mate_score);
  const std::size_t count = shogi::record::playable(told->pv, reached).size();
  told->pv.resize(std::min(count, comment_pv_moves_max));
  evaluation.pv = std::move(told->pv);
  return evaluation;
}

using shogi::record::Clock;
using shogi::record::CsaVersion;
using shogi::record::Format;
using shogi::record::RecordedMove;

bool is_csa(Format format) { return format == Format::csa || format == Format::csa3; }

/// The configured formats, CSA first: it is the one that grows.
std::vector<Format> formats_of(const config::Records& records) {
  std::vector<Format> formats = records.formats;
  std::stable_partition(formats.begin(), formats.end(), is_csa);
  return formats;
}

CsaVersion version_of(const std::vector<Format>& formats) {
  return formats.front() == Format::csa3 ? CsaVersion::v3_0 : CsaVersion::v2_2;
}

std::optional<Clock> clock_of(const csa::TimeControl& control) {
  if (control.is_untimed()) {
    return std::nullopt;
  }
  return Clock{control.total, control.byoyomi, control.increment};
}

/// Five hexadecimal digits that are another game's hardly ever, from its id and beginning.
std::string digits_of(std::string_view game_id, base::WallTime started) {
  const auto since = started.time_since_epoch().count();
  const std::uint64_t hash = base::fnv1a(std::string(game_id) + " " + std::to_string(since));
  return fmt::format("{:05X}", (hash ^ (hash >> 32U)) & 0xFFFFFU);
}

shogi::record::FileNameParts name_parts(const csa::GameSummary& summary,
                                        const config::BotConfig& config, base::WallTime started) {
  const auto local = base::calendar(started + config.records.utc_offset);
  shogi::record::FileNameParts parts;
  parts.date = fmt::format("{:%Y%m%d}", local);
  parts.time = fmt::format("{:%H%M%S}", local);
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
    : formats_(formats_of(config.records)),
      comments_(config.records.comments),
      grows_(is_csa(formats_.front())),
      name_template_(config.records.name),
      name_parts_(name_parts(summary, config, started)),
      writer_(version_of(formats_), comments_) {
  if (formats_.size() > 1 || !grows_) {
    source_.emplace();
  }
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
  static_cast<void>(begin());  // the writer follows the game where no file is begun, too
}

BeginRecord GameRecord::begin() {
  BeginRecord begin{shogi::record::file_name(name_template_, name_parts_), {}, "", ""};
  for (const Format format : formats_) {
    begin.extensions.emplace_back(shogi::record::facts_of(format).extension);
  }
  if (grows_) {
    begin.text = writer_.begin(record_);
    for (const RecordedMove& move : record_.moves) {
      begin.text += writer_.add(move);
    }
  }
  if (source_) {
    begin.source = source_->begin(record_);
  }
  return begin;
}

RecordedMove GameRecord::recorded(const Game::Played& played, const MoveFacts& facts,
                                  const shogi::Position& before) {
  RecordedMove move{played.move, played.consumed, {}, {}};
  if (facts.thought != nullptr) {
    move.evaluation = evaluation_of(*facts.thought, played.move, before);
  } else {
    move.evaluation = evaluation_in(facts.comment, played.move, before);
  }
  move.elapsed = facts.elapsed;
  move.link_delay = facts.link_delay;
  move.ponder_hit = facts.ponder_hit;
  move.comments = std::exchange(remarks_, {});
  return move;
}

AppendRecord GameRecord::append(const RecordedMove& move) {
  record_.moves.push_back(move);
  return {grows_ ? writer_.add(move) : "", source_ ? source_->add(move) : ""};
}

AppendRecord GameRecord::add(const Game::Played& played, const MoveFacts& facts,
                             const shogi::Position& before) {
  if (has_left_) {
    behind_.push_back(played.text);
    return {};
  }
  const AppendRecord grown = release();
  const AppendRecord last = append(recorded(played, facts, before));
  return {grown.text + last.text, grown.source + last.source};
}

AppendRecord GameRecord::release() {
  const auto held = std::exchange(held_, std::nullopt);
  return held ? append(held->move) : AppendRecord{};
}

AppendRecord GameRecord::hold(const Game::Played& played, const MoveFacts& facts,
                              const shogi::Position& before) {
  if (has_left_) {
    behind_.push_back(played.text);
    return {};
  }
  AppendRecord grown = release();
  held_ = Held{recorded(played, facts, before), played.text};
  return grown;
}

void GameRecord::refuse(std::string_view line) {
  if (refused_.empty()) {
    refused_ = "ILLEGAL_MOVE(" + std::string(line.substr(0, line.find(','))) + ")";
  }
}

AppendRecord GameRecord::refuse_and_leave(std::string_view line) {
  if (std::exchange(has_left_, true)) {
    behind_.emplace_back(line);
    return {};
  }
  AppendRecord grown = release();
  refuse(line);
  return grown;
}

shogi::Color GameRecord::mover() const {
  const shogi::Color first = record_.start.side_to_move();
  return record_.moves.size() % 2 == 0 ? first : shogi::opposite(first);
}

FinishRecord GameRecord::finish(const csa::GameEnd& end,
                                const std::optional<csa::SpecialPlayed>& special,
                                const Game& game, base::WallTime ended) {
  const shogi::Color us = game.summary().our_color;
  std::optional<shogi::Color> loser;
  if (end.outcome == csa::Outcome::lose) {
    loser = us;
  } else if (end.outcome == csa::Outcome::win) {
    loser = shogi::opposite(us);
  }
  // Some servers repeat the result's word as the only one: it is the reason then.
  const std::string& reason = end.reason.empty() ? end.result : end.reason;
  if (held_ && (!loser || loser == mover()) && (reason.empty() || reason.starts_with("#ILLEGAL"))) {
    refuse(held_->text);  // the game ended by it, or nobody said that it stands
  } else {
    static_cast<void>(release());
  }
  const bool after_declaration = special && special->word.starts_with("%KACHI");
  shogi::record::Ending ending;
  ending.kind = shogi::record::ending_of(
      {reason, loser, mover(), after_declaration});
  if (special) {
    ending.consumed = special->consumed;
  }
  if (!refused_.empty()) {
    ending.comments.push_back(refused_);
    ending.comments.insert(ending.comments.end(), behind_.begin(), behind_.end());
  }
  ending.reason = reason;
  if (loser && ending.kind == shogi::record::EndingKind::chudan) {
    // No special move says who lost; shogi-server's records say it so.
    const bool black_lost = *loser == shogi::Color::black;
    ending.comments.push_back("summary:abnormal:" + record_.black_name + (black_lost ? " lose:" : " win:") +
                              record_.white_name + (black_lost ? " win" : " lose"));
  }
  ending.comments.insert(ending.comments.end(), remarks_at_end_.begin(), remarks_at_end_.end());
  record_.ended = ended;
  record_.ending = ending;
  FinishRecord finish;
  name_parts_.ply = std::to_string(record_.moves.size());
  finish.stem = shogi::record::file_name(name_template_, name_parts_);
  for (const Format format : formats_) {
    const auto& facts = shogi::record::facts_of(format);
    finish.files.push_back({facts.extension,
                            shogi::record::write_record(record_, format, comments_),
                            facts.is_shift_jis});
  }
  return finish;
}

}  // namespace kakehashi::bridge
