#include "sim/panel_judge.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::sim {

namespace {

constexpr std::int64_t mate = 1'000'000;

}  // namespace

PanelJudge::PanelJudge(const config::Engine& engine) : play_(engine.team_play) {
  seats_.emplace_back();
  for (const config::FurtherEngine& member : engine.team) {
    seats_.push_back({.weight = member.weight});
  }
}

void PanelJudge::spoil() {
  for (Seat& seat : seats_) {
    seat.is_odd = true;
  }
}

void PanelJudge::begin(const std::string& turn) {
  if (turn == turn_) {
    return;
  }
  turn_ = turn;
  for (Seat& seat : seats_) {
    seat.said.reset();
    seat.is_odd = false;
  }
}

void PanelJudge::see(const bridge::Event& event, const std::string& turn, base::Millis at) {
  begin(turn);
  if (const auto* line = std::get_if<bridge::EngineLine>(&event)) {
    Seat& seat = seats_.at(line->engine.seat);
    if (seat.process == line->engine.launch) {
      hear(seat, line->text);
    }
  } else if (const auto* said = std::get_if<bridge::ServerLine>(&event); said != nullptr && said->text.starts_with('#')) {
    spoil();  // perhaps the end of the game, for which all searches end
  } else if (std::holds_alternative<bridge::ServerClosed>(event) || std::holds_alternative<bridge::StopRequested>(event)) {
    spoil();
  } else if (const auto* link = std::get_if<bridge::EngineLink>(&event)) {
    if (Seat& seat = seats_.at(link->engine.seat); seat.process == link->engine.launch) {
      seat.out_since = link->is_out ? std::optional(seat.out_since.value_or(at)) : std::nullopt;
    }
  } else if (const auto* exited = std::get_if<bridge::EngineExited>(&event)) {
    Seat& seat = seats_.at(exited->engine.seat);
    if (seat.process == exited->engine.launch) {
      lose(seat);
    }
  }
}

void PanelJudge::see(const bridge::Action& action, const std::string& turn) {
  begin(turn);
  if (const auto* start = std::get_if<bridge::StartEngine>(&action)) {
    Seat& seat = seats_.at(start->engine.seat);
    seat.process = start->engine.launch;
    seat.is_in_game = false;
    seat.out_since.reset();
    seat.asked.reset();
  } else if (const auto* kill = std::get_if<bridge::KillEngine>(&action)) {
    if (Seat& seat = seats_.at(kill->engine.seat); seat.process == kill->engine.launch) {
      lose(seat);
    }
  } else if (const auto* write = std::get_if<bridge::WriteEngine>(&action)) {
    tell(seats_.at(write->engine.seat), write->line);
  }
}

/// The last that could still say a move played as a single engine: where it is lost, a resignation of another does not
/// count. There is a search more if there is time, or a move of the bridge's own.
void PanelJudge::lose(Seat& seat) {
  const bool was_asked = seat.asked == turn_;
  seat.asked.reset();
  const bool may_another_say_a_move = std::any_of(seats_.begin(), seats_.end(), [&](const Seat& one) {
    return one.asked == turn_ || (one.said && one.said->move != "resign");
  });
  if (was_asked && !may_another_say_a_move) {
    spoil();
  }
}

void PanelJudge::tell(Seat& seat, const std::string& line) {
  if (line == "usinewgame" || line.starts_with("gameover")) {
    seat.is_in_game = line == "usinewgame";
    return;
  }
  if (line.starts_with("go ponder") || line == "go infinite" || (line.starts_with("go ") && !seat.is_in_game)) {
    seat.asked = "";
  } else if (line.starts_with("go ")) {
    seat.is_odd = seat.is_odd || seat.said;
    seat.said.reset();
    seat.asked = turn_;
  } else if (line.starts_with("ponderhit") && seat.asked) {
    seat.asked = turn_;
    return;  // what it thought before belongs to it
  } else if (line == "stop") {
    seat.is_stopped = true;
    return;
  } else {
    return;
  }
  seat.is_stopped = seat.is_exact = seat.is_early = false;
  seat.score.reset();
}

void PanelJudge::hear(Seat& seat, const std::string& line) {
  const auto words = base::split_words(line);
  if (!seat.asked || words.empty()) {
    return;
  }
  if (words[0] == "info") {
    for (std::size_t i = 1; i + 2 < words.size(); ++i) {
      const auto value = base::parse_int(words[i + 2]);
      if (words[i] != "score" || !value) {
        continue;
      }
      const bool is_exact = line.find("bound") == std::string::npos;
      if (is_exact || !seat.is_exact) {
        seat.score = words[i + 1] == "cp" ? *value : *value < 0 ? -mate - *value : mate - *value;
        seat.is_exact = is_exact;
      }
    }
  } else if (words[0] == "bestmove") {
    if (*seat.asked == turn_ && words.size() > 1) {
      seat.said = Said{std::string(words[1]), seat.score};
      seat.is_odd = seat.is_odd || words[1] == "win";
    } else if (seat.asked->empty() && !seat.is_stopped) {
      seat.is_early = true;
    }
    seat.asked.reset();
  }
}

bool PanelJudge::precedes(std::size_t one, std::size_t other) const {
  return seats_[one].weight != seats_[other].weight ? seats_[one].weight > seats_[other].weight : one < other;
}

PanelJudge::Verdict PanelJudge::verdict(const shogi::Position& position) const {
  Verdict verdict;
  std::vector<std::size_t> answered;
  std::vector<std::size_t> awaited;
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    const Seat& seat = seats_[i];
    verdict.is_known = verdict.is_known && !seat.is_odd && !seat.is_early && !(seat.asked && *seat.asked != turn_);
    if (seat.asked && *seat.asked == turn_) {
      awaited.push_back(i);
    } else if (seat.said) {
      const auto move = shogi::usi::parse_move(seat.said->move);
      if (seat.said->move == "resign" || (move && shogi::is_legal(position, *move))) {
        answered.push_back(i);
      }
    }
  }
  verdict.is_complete = verdict.is_determined = awaited.empty();
  const bool are_out = !awaited.empty() && std::all_of(awaited.begin(), awaited.end(), [&](std::size_t one) { return seats_[one].out_since.has_value(); });
  for (const std::size_t one : are_out ? awaited : std::vector<std::size_t>()) {
    verdict.out_since = std::max(verdict.out_since, seats_[one].out_since);
  }
  if (answered.empty()) {
    return verdict;
  }
  std::size_t best = best_of(answered);
  verdict.is_determined = awaited.empty() || is_determined(best, answered, awaited);
  if (!verdict.is_determined) {
    // Who resigns has no say as long as others may outvote that.
    std::erase_if(answered, [&](std::size_t one) { return seats_[one].said->move == "resign"; });
    if (answered.empty()) {
      return verdict;
    }
    best = best_of(answered);
  }
  verdict.expected = seats_[best].said->move;
  return verdict;
}

std::map<std::string, int> PanelJudge::votes(const std::vector<std::size_t>& answered) const {
  std::map<std::string, int> votes;
  for (const std::size_t one : answered) {
    votes[seats_[one].said->move] += seats_[one].weight;
  }
  return votes;
}

std::size_t PanelJudge::best_of(const std::vector<std::size_t>& answered) const {
  const auto sums = votes(answered);
  const auto merit = [&](std::size_t one) -> std::int64_t {
    const Said& said = *seats_[one].said;
    switch (play_) {
      case config::TeamPlay::majority: return sums.at(said.move);
      case config::TeamPlay::first_with_advice: return one == 0 ? 1 : 0;
      default: return said.move == "resign" ? -3 * mate : said.score.value_or(-2 * mate);
    }
  };
  return *std::max_element(answered.begin(), answered.end(), [&](std::size_t one, std::size_t other) {
    return merit(one) < merit(other) || (merit(one) == merit(other) && precedes(other, one));
  });
}

bool PanelJudge::is_determined(std::size_t best, const std::vector<std::size_t>& answered,
                               const std::vector<std::size_t>& awaited) const {
  const auto has_say = [&](std::size_t one) { return precedes(one, best); };
  if (play_ == config::TeamPlay::first_with_advice) {
    return best == 0 || std::none_of(awaited.begin(), awaited.end(), [&](std::size_t one) { return one == 0 || has_say(one); });
  }
  if (play_ != config::TeamPlay::majority) {
    return false;
  }
  int left = 0;
  for (const std::size_t one : awaited) {
    left += seats_[one].weight;
  }
  // All that are awaited may say one thing: what another has said, or what nobody has. Of two alike the first by weight.
  auto rivals = votes(answered);
  const int sum = rivals.at(seats_[best].said->move);
  rivals.erase(seats_[best].said->move);
  rivals.emplace("", 0);
  return std::none_of(rivals.begin(), rivals.end(), [&](const auto& rival) {
    const bool is_before = std::any_of(awaited.begin(), awaited.end(), has_say) ||
                           std::any_of(answered.begin(), answered.end(),
                                       [&](std::size_t one) { return seats_[one].said->move == rival.first && has_say(one); });
    return rival.second + left > sum || (rival.second + left == sum && is_before);
  });
}

}  // namespace kakehashi::sim
