#include "shogi/record/game_builder.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "shogi/legality.hpp"
#include "shogi/record/ending.hpp"
#include "shogi/record/search_comment.hpp"

namespace kakehashi::shogi::record {

namespace {

using base::say;

/// Far beyond any game; a file that goes on is none.
constexpr std::size_t moves_max = 100'000;

/// Which illegal moves somebody who judges less strictly than we do may have let pass.
bool is_for_the_board(Verdict verdict) {
  return verdict == Verdict::two_pawns || verdict == Verdict::drop_pawn_mate ||
         verdict == Verdict::king_left_in_check || verdict == Verdict::must_promote ||
         verdict == Verdict::no_further_move;
}

}  // namespace

std::optional<Square> GameBuilder::last() const {
  return record_.moves.empty() ? std::nullopt : std::optional(record_.moves.back().move.to());
}

GameBuilder::Trouble GameBuilder::start(const base::Result<Position>& position) {
  if (!position) {
    return at_place(position.error().what);
  }
  record_.start = reached_ = *position;
  return std::nullopt;
}

GameBuilder::Trouble GameBuilder::play(const base::Result<Move>& move, std::string_view text) {
  has_begun_ = true;
  if (refused_ && !refused_->before) {
    return refused_->trouble;
  }
  refused_.reset();
  if (record_.ending) {
    return at_place(say("{} stands after the end of the game", base::quoted(text, 80)));
  }
  const Verdict verdict = move ? judge(reached_, *move) : Verdict::legal;
  if (!move || verdict != Verdict::legal) {
    const auto quoted = base::quoted(text, 80);
    refused_ = Refused{std::string(text), at_place(move ? say("{} is not legal: {}", quoted, describe(verdict))
                                                        : say("{} cannot be read: {}", quoted, move.error().what))};
    if (!move || !is_for_the_board(verdict)) {
      return std::nullopt;
    }
    refused_->before = reached_;
  }
  if (record_.moves.size() == moves_max) {
    return at_place(say("the game has more than {} moves", moves_max));
  }
  reached_.play(*move);
  record_.moves.push_back({*move, {}, {}, {}});
  return std::nullopt;
}

GameBuilder::Trouble GameBuilder::end(EndingKind kind) {
  has_begun_ = true;
  if (refused_ && !is_foul(kind)) {
    if (!refused_->before) {
      return refused_->trouble;
    }
    refused_.reset();
  }
  if (record_.ending) {
    return record_.ending->kind == kind ? std::nullopt : Trouble(at_place(say("a second ending")));
  }
  record_.ending = Ending{kind, {}, {}};
  if (refused_) {
    make_refused_an_ending();
  }
  return std::nullopt;
}

GameBuilder::Trouble GameBuilder::end_by(std::optional<EndingKind> kind, std::string_view word) {
  if (!kind && next_ply() == 1) {
    return at_place(say("{} is no known ending", base::quoted(word, 80)));
  }
  const bool has_ended = record_.ending.has_value();
  if (auto trouble = end(kind.value_or(EndingKind::chudan)); trouble || has_ended) {
    return trouble;
  }
  if (!kind) {
    record_.doubts.push_back(
        at_place(say("{} is no known ending; the game counts as interrupted", base::quoted(word, 80))));
  }
  const std::string_view plain = csa_word(EndingKind::chudan);
  if (record_.ending->kind == EndingKind::chudan && word != plain && word != plain.substr(1) &&
      word != kif_word(EndingKind::chudan, turn_at_end())) {
    record_.ending->comments.emplace_back(word);
  }
  return std::nullopt;
}

void GameBuilder::make_refused_an_ending() {
  Ending& ending = *record_.ending;
  ending.consumed = refused_->consumed;
  ending.comments.push_back("ILLEGAL_MOVE(" + refused_->text + ")");
  if (refused_->before) {
    RecordedMove& move = record_.moves.back();
    ending.consumed = move.consumed;
    std::move(move.comments.begin(), move.comments.end(), std::back_inserter(ending.comments));
    record_.moves.pop_back();
    reached_ = *refused_->before;
  }
  refused_.reset();
}

GameBuilder::Trouble GameBuilder::unexplained() const {
  return refused_ ? Trouble(refused_->trouble) : std::nullopt;
}

void GameBuilder::set_consumed(base::Millis time) {
  if (record_.ending) {
    record_.ending->consumed = time;
  } else if (refused_ && !refused_->before) {
    refused_->consumed = time;
  } else if (!record_.moves.empty()) {
    record_.moves.back().consumed = time;
  }
}

void GameBuilder::add_comment(std::string_view line) {
  if (record_.ending) {
    record_.ending->comments.emplace_back(line);
  } else if (!record_.moves.empty()) {
    record_.moves.back().comments.emplace_back(line);
  } else {
    record_.comments.emplace_back(line);
  }
}

void GameBuilder::take_evaluations(std::string_view mark) {
  Position position = record_.start;
  for (RecordedMove& move : record_.moves) {
    position.play(move.move);
    if (!move.evaluation) {
      move.evaluation = take_search_comment(move.comments, mark, position, move.move.to());
    }
  }
}

base::Result<Record> GameBuilder::finish() {
  if (const Trouble trouble = unexplained()) {
    return base::fail(*trouble);
  }
  take_evaluations("");
  if (record_.ending) {
    // KI2 has its comments on the end before the words of the end.
    Ending& ending = *record_.ending;
    const Color mover = reached_.side_to_move();
    auto& before = record_.moves.empty() ? record_.comments : record_.moves.back().comments;
    for (auto* comments : {&before, &ending.comments}) {
      const auto told =
          std::find_if(comments->begin(), comments->end(), [&](const std::string& comment) {
            return take_ending_remark(comment, mover, ending);
          });
      if (told != comments->end()) {
        comments->erase(told);
        break;
      }
    }
  }
  return std::move(record_);
}

}  // namespace kakehashi::shogi::record
