// The report as JSON.
#include <algorithm>
#include <boost/json.hpp>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/kif.hpp"
#include "shogi/notation/usi.hpp"
#include "watch/report.hpp"

namespace kakehashi::watch {

namespace {

using boost::json::array;
using boost::json::object;
using boost::json::value;

/// "until Mon 20:00, in 3 h 12 min".
std::string until(const bridge::ViewedWindow& window, const base::Now& now) {
  const base::Millis left = window.at - now.wall;
  return "until " + window.opens +
         (left.count() < 1'000 ? "" : ", in " + base::duration(left.count() / 1'000 * 1'000).english());
}

const char* side(shogi::Color color) { return color == shogi::Color::black ? "black" : "white"; }

/// An engine's line as players write it behind a move to `last`; it ends where a move makes no sense on the board.
array japanese(const bridge::GameView& game, std::optional<shogi::Square> last) {
  std::vector<shogi::Move> line;
  shogi::Position position = game.position;
  for (const std::string_view word : base::split_words(game.score->pv)) {
    const auto move = shogi::usi::parse_move(word);
    if (!move || !shogi::is_legal(position, *move)) {
      break;
    }
    line.push_back(*move);
    position.play(*move);
  }
  array words;
  for (const std::string& word : shogi::ki2::format_line(game.position, line, last)) {
    words.push_back(value(word));
  }
  return words;
}

object score_of(const bridge::GameView& game, std::optional<shogi::Square> last) {
  const bridge::ViewedScore& score = *game.score;
  return {{"mate", score.is_mate}, {"value", score.value}, {"depth", score.depth}, {"nps", score.nps},
          {"pv", base::utf8_for_json(score.pv)}, {"japanese", japanese(game, last)}};
}

object clock_of(const std::optional<base::Millis>& main_time, const csa::TimeControl& control) {
  if (!main_time) {
    return {{"untimed", true}};
  }
  return {{"main_time_ms", main_time->count()},
          {"total_ms", control.total.value_or(base::Millis{0}).count()},
          {"byoyomi_ms", control.byoyomi.count()},
          {"increment_ms", control.increment.count()}};
}

/// Left out where nothing is known.
void add(object& described, const char* name, const std::optional<std::int64_t>& number) {
  if (number) {
    described[name] = *number;
  }
}

struct WrittenMoves {
  array moves;
  std::optional<shogi::Square> last;  ///< target of the last one
};

/// With the words of players. Where the server's board and ours part, all further moves go without.
WrittenMoves moves_of(const bridge::GameView& game) {
  array moves;
  shogi::Position position = game.start;
  std::optional<shogi::Square> last;
  bool is_followed = true;
  for (const bridge::ViewedMove& move : game.moves) {
    object described{{"move", base::utf8_for_json(move.move)}, {"consumed_ms", move.consumed.count()}};
    const auto played = shogi::csa::parse_move(position, move.move);
    is_followed = is_followed && played && position.can_play(*played);
    if (is_followed) {
      described["japanese"] = shogi::ki2::format_move(position, *played, last);
      position.play(*played);
    }
    last = is_followed ? std::optional(played->to()) : std::nullopt;
    add(described, "score", move.score);
    add(described, "mate", move.mate);
    add(described, "depth", move.depth);
    moves.push_back(std::move(described));
  }
  return {std::move(moves), last};
}

array members_of(const bridge::GameView& game) {
  array members;
  for (const bridge::ViewedMember& member : game.members) {
    object described{{"name", base::utf8_for_json(member.name)},
                     {"engine", base::utf8_for_json(member.engine)},
                     {"ready", member.is_ready},
                     {"plays", member.plays},
                     {"out", member.is_out},
                     {"moves", member.moves},
                     {"searches", member.ponder.searches},
                     {"hits", member.ponder.hits},
                     {"gained_ms", member.ponder.gained.count()}};
    if (member.said) {
      object said{{"move", member.said->move}};
      add(said, "score", member.said->score);
      if (member.said->depth > 0) {
        said["depth"] = member.said->depth;
      }
      described["said"] = std::move(said);
    }
    members.push_back(std::move(described));
  }
  return members;
}

object game_of(const bridge::GameView& game, const base::Now& now) {
  WrittenMoves written = moves_of(game);
  object described{
      {"id", base::utf8_for_json(game.game_id)},
      {"black", base::utf8_for_json(game.black_name)},
      {"white", base::utf8_for_json(game.white_name)},
      {"our_color", side(game.our_color)},
      {"start_sfen", shogi::usi::format_sfen(game.start)},
      {"sfen", shogi::usi::format_sfen(game.position)},
      {"turn", side(game.position.side_to_move())},
      {"moves", std::move(written.moves)},
      {"clocks", object{{"black", clock_of(game.black_main_time, game.times.black)},
                        {"white", clock_of(game.white_main_time, game.times.white)}}},
      {"ponder", object{{"searches", game.ponder.searches},
                        {"hits", game.ponder.hits},
                        {"gained_ms", game.ponder.gained.count()}}},
  };
  if (!game.members.empty()) {
    described["members"] = members_of(game);
  }
  if (game.max_moves) {
    described["max_moves"] = *game.max_moves;
  }
  if (game.score) {
    described["score"] = score_of(game, written.last);
  }
  if (game.end) {
    described["end"] = object{{"outcome", csa::describe(game.end->outcome)},
                              {"reason", base::utf8_for_json(game.end->reason)}};
  } else {
    described["turn_running_ms"] = base::millis_between(game.turn_started, now.steady).count();
  }
  return described;
}

object bot_of(const Report::Bot& bot, const base::Now& now) {
  array lines;
  for (const LoggedLine& line : bot.state->lines()) {
    lines.push_back(object{{"at_ms", line.at.time_since_epoch().count()},
                           {"level", bridge::describe(line.level)},
                           {"code", line.code},
                           {"text", base::utf8_for_json(line.text.english())}});
  }
  object results;
  std::uint64_t finished = 0;
  for (const auto& [key, count] : bot.state->games()) {
    finished += count;
    value& outcome = results[key.first];
    outcome = (outcome.is_null() ? 0 : outcome.to_number<std::uint64_t>()) + count;
  }
  object engine{{"name", base::utf8_for_json(bot.view.engine_name)},
                {"role", bot.view.standby_plays ? "standby" : "main"},
                {"losses", bot.state->count(bridge::Incident::engine_lost)}};
  if (const auto& link = bot.view.engine_link) {
    engine["link"] = object{{"state", state_of(*link)},
                            {"ways", link->ways},
                            {"round_trip_us", link->round_trip.count()},
                            {"jitter_us", link->jitter.count()},
                            {"cuts", link->cuts},
                            {"out_ms", link->out.count()}};
  }
  object described{
      {"name", base::utf8_for_json(bot.state->name())},
      {"phase", bot.is_done ? "left" : bridge::name_of(bot.view.phase).english()},
      {"ready", is_ready(bot)},
      {"trouble", base::utf8_for_json(bot.state->trouble().english())},
      {"trouble_code", bot.state->trouble_code()},
      {"engine", std::move(engine)},
      // As the results, of all that the process has played: the bot itself begins anew when it is reloaded.
      {"games_finished", finished},
      {"results", std::move(results)},
      {"rescue_moves", bot.state->count(bridge::Incident::rescue_played)},
      {"log", std::move(lines)},
  };
  if (bot.view.window && !bot.is_done) {
    const bridge::ViewedWindow& window = *bot.view.window;
    described["window"] = object{
        {"opens", window.opens},
        {"opens_ms", window.at.time_since_epoch().count()},
        {"opens_in_ms", std::max(base::Millis{0}, window.at - now.wall).count()},
        {"text", until(window, now)}};
  }
  if (bot.view.game) {
    described["game"] = game_of(*bot.view.game, now);
  }
  return described;
}

}  // namespace

std::string json(const Report& report) {
  array bots;
  for (const Report::Bot& bot : report.bots) {
    bots.push_back(bot_of(bot, report.now));
  }
  return boost::json::serialize(object{
      {"version", report.version},
      {"now_ms", report.now.wall.time_since_epoch().count()},
      {"uptime_ms", base::millis_between(report.started.steady, report.now.steady).count()},
      {"bots", std::move(bots)},
  });
}

}  // namespace kakehashi::watch
