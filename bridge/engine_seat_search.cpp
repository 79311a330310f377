// What an engine in its seat is asked for: games and searches. Everything is dropped without one.
#include <utility>

#include "bridge/engine_seat.hpp"

namespace kakehashi::bridge {

using base::Now;

void EngineSeat::new_game(Outbox& out) {
  if (is_idle()) {
    is_in_game_ = true;
    write(session_.new_game().lines, out);
  }
}

void EngineSeat::join_game(Outbox& out) {
  if (!is_in_game_) {
    new_game(out);
  }
}

std::optional<usi::SearchId> EngineSeat::search(usi::SearchRequest request, Outbox& out) {
  if (!is_ready()) {
    return std::nullopt;
  }
  is_in_game_ = true;
  has_searched_ = true;
  is_trying_increments_ = request.go.find(" binc ") != std::string::npos;
  usi::Session::Started started = session_.search(std::move(request));
  write(std::move(started.reaction.lines), out);
  return started.search;
}

std::vector<SeatNews> EngineSeat::ponderhit(std::string_view times, Outbox& out) {
  std::vector<SeatNews> news;
  if (!is_ready()) {
    return news;
  }
  usi::Reaction reaction = session_.ponderhit(times);
  write(std::move(reaction.lines), out);
  for (usi::EngineEvent& event : reaction.events) {
    if (auto* answered = std::get_if<usi::SearchAnswered>(&event)) {
      losses_ = 0;
      waiting_since_.reset();
      news.emplace_back(std::move(*answered));
    }
  }
  return news;
}

void EngineSeat::hurry(Now now, Outbox& out) {
  if (is_ready()) {
    std::vector<std::string> lines = session_.hurry().lines;
    if (!lines.empty()) {
      hurried_at_ = now.steady;
    }
    write(std::move(lines), out);
    watch_stop(now);
  }
}

void EngineSeat::abandon(Now now, Outbox& out) {
  if (is_ready()) {
    waiting_since_.reset();
    write(session_.abandon().lines, out);
    watch_stop(now);
  }
}

void EngineSeat::game_over(usi::GameOver result, Now now, Outbox& out) {
  // An engine that came too late for a game is not told of its end.
  if (is_ready() && std::exchange(is_in_game_, false)) {
    waiting_since_.reset();
    write(session_.game_over(result).lines, out);
    watch_stop(now);
  }
}

std::optional<usi::SearchId> EngineSeat::current_search() const {
  return is_ready() ? session_.current_search() : std::nullopt;
}

}  // namespace kakehashi::bridge
