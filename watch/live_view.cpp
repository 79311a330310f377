#include "watch/live_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstdlib>
#include <vector>

#include "base/text.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/kif.hpp"
#include "shogi/notation/usi.hpp"
#include "watch/report.hpp"

namespace kakehashi::watch {
namespace {

using shogi::Color;
using shogi::PieceKind;

constexpr std::size_t last_moves_shown = 6;
constexpr std::size_t pv_bytes_max = 60;
constexpr std::size_t thoughts_rows = 4;
constexpr std::size_t end_rows = 2;

std::string piece_text(PieceKind kind, const Look& look) {
  return look.kanji ? shogi::kif::piece_letter(kind) : shogi::csa::piece_code(kind);
}

std::string hand_text(const shogi::Position& position, Color color, const Look& look) {
  std::string text;
  for (int i = shogi::hand_kind_count - 1; i >= 0; --i) {
    const auto kind = static_cast<PieceKind>(i);
    const int count = position.hand(color, kind);
    if (count > 0) {
      text += (text.empty() ? "" : " ") + piece_text(kind, look) +
              (count > 1 ? std::to_string(count) : "");
    }
  }
  return text.empty() ? "-" : text;
}

/// "4:05", "1:02:09"; a clock that has run out stands at 0:00.
std::string clock_text(base::Millis time) {
  const auto seconds = std::max<std::int64_t>(time.count(), 0) / 1000;
  return seconds >= 3600 ? fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
                         : fmt::format("{}:{:02}", seconds / 60, seconds % 60);
}

base::Message seconds_text(base::Millis time) {
  return base::say("{} s", fmt::format("{:.1f}", static_cast<double>(time.count()) / 1000.0));
}

std::string in_words(const Look& look, const base::Message& message) { return words::in(look.language, message); }

/// The target square of the last move: "+7776FU" leads to 76.
std::optional<shogi::Square> last_target(const bridge::GameView& game) {
  if (game.moves.empty() || game.moves.back().move.size() != 7) {
    return std::nullopt;
  }
  const int file = game.moves.back().move[3] - '0';
  const int rank = game.moves.back().move[4] - '0';
  return shogi::Square::is_on_board(file, rank) ? std::optional(shogi::Square(file, rank))
                                                : std::nullopt;
}

std::string board_text(const bridge::GameView& game, const Look& look) {
  const auto marked = look.color ? last_target(game) : std::nullopt;
  std::string text = look.kanji ? "  ９ ８ ７ ６ ５ ４ ３ ２ １\n" : "   9  8  7  6  5  4  3  2  1\n";
  text += "+---------------------------+\n";
  for (int rank = 1; rank <= 9; ++rank) {
    text += '|';
    for (int file = 9; file >= 1; --file) {
      const shogi::Square square(file, rank);
      const auto piece = game.position.at(square);
      std::string cell = look.kanji ? " ・" : " * ";
      if (piece) {
        const char side = look.kanji ? (piece->color == Color::black ? ' ' : 'v')
                                     : shogi::csa::sign(piece->color);
        cell = side + piece_text(piece->kind, look);
      }
      text += marked == square ? "\x1b[7m" + cell + "\x1b[0m" : cell;
    }
    text += '|';
    text += look.kanji ? shogi::kif::count_word(rank) : std::to_string(rank);
    text += '\n';
  }
  return text + "+---------------------------+\n";
}

std::string side_text(const WatchedGame& watched, Color color, base::SteadyTime now,
                      const Look& look) {
  const auto& game = *watched.game;
  const bool is_black = color == Color::black;
  const auto& main_time = is_black ? game.black_main_time : game.white_main_time;
  const auto& engine = is_black ? watched.black_engine : watched.white_engine;
  const bool is_thinking = !game.end && game.position.side_to_move() == color;
  const auto spent = std::max(base::millis_between(game.turn_started, now), base::Millis{0});

  const auto side = is_black ? (look.kanji ? base::say_as("column", "▲ black") : base::say_as("column", "+ black"))
                             : (look.kanji ? base::say_as("column", "△ white") : base::say_as("column", "- white"));
  std::string text = in_words(look, side) + "  " + plain(is_black ? game.black_name : game.white_name);
  if (!engine.empty()) {
    const std::string name = plain(engine);
    text += " (" + (watched.standby == color ? in_words(look, base::say("{} (standby)", name)) : name) + ")";
  }
  if (main_time) {
    text += "   " + clock_text(is_thinking ? *main_time - spent : *main_time);
  }
  if (is_thinking) {
    text += "   " + in_words(look, base::say("thinking {}", seconds_text(spent)));
  }
  return text + "\n  " + in_words(look, base::say("in hand: {}", hand_text(game.position, color, look))) + "\n";
}

base::Message thought_of(const bridge::ViewedScore& score) {
  const auto pv = plain(std::string_view(score.pv).substr(0, pv_bytes_max));
  return pv.empty() ? base::say("{}, depth {}", format_score(score), score.depth)
                    : base::say("{}, depth {}, {}", format_score(score), score.depth, pv);
}

std::string thought_text(const base::Message& side, const std::optional<bridge::ViewedScore>& score, const Look& look) {
  const auto thought = score ? thought_of(*score) : base::verbatim("-");
  return "  " + in_words(look, base::say("{}: {}", side, thought)) + "\n";
}

/// Behind an empty line and a heading; without the heading where there is no room for it.
std::string last_moves_text(const bridge::GameView& game, std::size_t rows, const Look& look) {
  if (rows < 2) {
    return "";
  }
  const bool has_heading = rows >= 3;
  const auto count = game.moves.size();
  std::string text = has_heading ? "\n" + in_words(look, base::say("last moves")) + "\n" : "\n";
  for (auto i = count - std::min({count, last_moves_shown, rows - (has_heading ? 2 : 1)}); i < count; ++i) {
    text += in_words(look, format_move_line(game, i, std::nullopt)) + "\n";
  }
  return text;
}

}  // namespace

std::string plain(std::string_view text) {
  auto quoted = base::quote_for_log(text, 60);
  return quoted.size() >= 2 && quoted.front() == '"' ? quoted.substr(1, quoted.size() - 2) : quoted;
}

base::Message format_score(const bridge::ViewedScore& score) {
  if (score.is_mate) {
    return score.value < 0 ? base::say("mate in {} for white", std::abs(score.value))
                           : base::say("mate in {} for black", std::abs(score.value));
  }
  return base::verbatim((score.value > 0 ? "+" : "") + std::to_string(score.value));
}

base::Message format_end(const bridge::GameView& game) {
  if (!game.end) {
    return base::say("still running");
  }
  const auto& end = *game.end;
  const bool is_black = game.our_color == Color::black;
  const auto& ours = plain(is_black ? game.black_name : game.white_name);
  const auto& theirs = plain(is_black ? game.white_name : game.black_name);
  const auto reason = end.reason.empty() ? end.result : end.reason;
  const auto why = reason.empty() ? base::say("the server gave no reason") : base::verbatim(plain(reason));
  switch (end.outcome) {
    case csa::Outcome::win: return base::say("{} won ({})", ours, why);
    case csa::Outcome::lose: return base::say("{} won ({})", theirs, why);
    case csa::Outcome::draw: return base::say("draw ({})", why);
    case csa::Outcome::none: break;
  }
  return base::say("no result ({})", why);
}

base::Message format_move_line(const bridge::GameView& game, std::size_t index,
                               const std::optional<bridge::ViewedScore>& score) {
  const auto& played = game.moves.at(index);
  const std::string move = fmt::format("{:4} {}", index + 1, plain(played.move));
  const auto seconds = seconds_text(played.consumed);
  return score ? base::say("{}  {}  {} depth {}", move, seconds, format_score(*score), score->depth)
               : base::say("{}  {}", move, seconds);
}

std::string render_live_view(const WatchedGame& watched, base::SteadyTime now, const Look& look) {
  const auto number = watched.count ? base::say("game {} of {}", watched.number, *watched.count)
                                    : base::say("game {}", watched.number);
  if (watched.game == nullptr) {
    return in_words(look, base::say("{}: waiting for both bots", number)) + "\n";
  }
  const auto& game = *watched.game;
  std::string text = in_words(look, base::say("{}, move {}", number, game.moves.size())) + "\n\n";
  text += side_text(watched, Color::white, now, look);
  text += board_text(game, look);
  text += side_text(watched, Color::black, now, look);
  const std::size_t above = live_view_rows_min - (game.end ? 0 : end_rows);
  std::size_t rows_left = look.rows - std::min(look.rows, above);
  if (rows_left >= thoughts_rows) {
    rows_left -= thoughts_rows;
    text += "\n" + in_words(look, base::say("evaluation, + is good for black")) + "\n";
    text += thought_text(base::say("black"), watched.black_score, look);
    text += thought_text(base::say("white"), watched.white_score, look);
  }
  text += last_moves_text(game, rows_left, look);
  if (game.end) {
    text += "\n" + in_words(look, format_end(game)) + "\n";
  }
  return text;
}

// --- of all bots of a running program

namespace {

std::string text_at(const boost::json::object& from, const char* key) {
  const auto* found = from.if_contains(key);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : "";
}

std::int64_t number_at(const boost::json::object& from, const char* key) {
  const auto* found = from.if_contains(key);
  return found != nullptr && found->is_int64() ? found->get_int64() : 0;
}

bool flag_at(const boost::json::object& from, const char* key) {
  const auto* found = from.if_contains(key);
  return found != nullptr && found->is_bool() && found->get_bool();
}

const boost::json::object* object_at(const boost::json::object& from, const char* key) {
  const auto* found = from.if_contains(key);
  return found != nullptr ? found->if_object() : nullptr;
}

std::optional<base::Millis> clock_at(const boost::json::object& game, const char* side) {
  const auto* clocks = object_at(game, "clocks");
  const auto* clock = clocks != nullptr ? object_at(*clocks, side) : nullptr;
  return clock != nullptr && clock->contains("main_time_ms") ? std::optional(base::Millis{number_at(*clock, "main_time_ms")})
                                                             : std::nullopt;
}

/// The game of a report, as the live view of a rehearsal takes it.
bridge::GameView read_game(const boost::json::object& game, base::SteadyTime now) {
  bridge::GameView view;
  view.game_id = text_at(game, "id");
  view.black_name = text_at(game, "black");
  view.white_name = text_at(game, "white");
  if (const auto position = shogi::usi::parse_sfen(text_at(game, "sfen"))) {
    view.position = *position;
  }
  if (const auto* moves = game.if_contains("moves"); moves != nullptr && moves->is_array()) {
    for (const auto& move : moves->get_array()) {
      if (const auto* one = move.if_object()) {
        view.moves.push_back({text_at(*one, "move"), base::Millis{number_at(*one, "consumed_ms")}});
      }
    }
  }
  view.black_main_time = clock_at(game, "black");
  view.white_main_time = clock_at(game, "white");
  view.turn_started = now - base::Millis{number_at(game, "turn_running_ms")};
  if (const auto* end = object_at(game, "end")) {
    const std::string outcome = text_at(*end, "outcome");
    view.end = csa::GameEnd{outcome == "win"    ? csa::Outcome::win
                            : outcome == "lose" ? csa::Outcome::lose
                            : outcome == "draw" ? csa::Outcome::draw
                                                : csa::Outcome::none,
                            text_at(*end, "reason"), {}};
  }
  view.our_color = text_at(game, "our_color") == "white" ? shogi::Color::white : shogi::Color::black;
  return view;
}

std::optional<bridge::ViewedScore> read_score(const boost::json::object& game) {
  const auto* score = object_at(game, "score");
  if (score == nullptr) {
    return std::nullopt;
  }
  return bridge::ViewedScore{flag_at(*score, "mate"), number_at(*score, "value"), number_at(*score, "depth"),
                             text_at(*score, "pv")};
}

/// What the program tells by its name; one of another version may tell others.
base::Message phase_named(const std::string& name) {
  if (name == "left") {
    return base::say("left");
  }
  for (int phase = 0; phase <= static_cast<int>(bridge::Phase::failed); ++phase) {
    if (auto known = bridge::name_of(static_cast<bridge::Phase>(phase)); known == name) {
      return known;
    }
  }
  return base::verbatim(plain(name));
}

base::Message heading(const boost::json::object& bot) {
  const auto* window = object_at(bot, "window");
  const auto phase = phase_named(text_at(bot, "phase"));
  const auto state = window != nullptr ? until_window(phase, plain(text_at(*window, "opens")),
                                                      base::Millis{number_at(*window, "opens_in_ms")})
                                       : phase;
  return base::say("{}: {}", plain(text_at(bot, "name")), state);
}

base::Message link_state_named(const std::string& name) {
  return name == "up"        ? base::say_as("link", "up")
         : name == "reduced" ? base::say_as("link", "reduced")
                             : base::say_as("link", "out");
}

base::Message with_link(const base::Message& heading, const boost::json::object& engine) {
  const auto* found = object_at(engine, "link");
  if (found == nullptr) {
    return heading;
  }
  const auto& link = *found;
  const std::string name = text_at(link, "state");
  const auto state = link_state_named(name);
  const std::int64_t tenths_ms = number_at(link, "round_trip_us") / 100;
  const std::string round_trip = std::to_string(tenths_ms / 10) + "." + std::to_string(tenths_ms % 10);
  const auto text = name == "out" ? base::say("{}, link {}", heading, state)
                                  : base::say("{}, link {} {} ms", heading, state, round_trip);
  const std::int64_t cuts = number_at(link, "cuts");
  const auto out = base::duration(number_at(link, "out_ms"));
  return cuts == 0   ? text
         : cuts == 1 ? base::say("{}, {} cut of {}", text, cuts, out)
                     : base::say("{}, {} cuts of {}", text, cuts, out);
}

/// The engines of a team that thinks together.
struct ShownTeam {
  struct Member { bool plays = false; base::Message text; };
  std::vector<Member> members;  ///< "> gpu2: +7776FU 52, hits 4 of 9": `>` is who plays
  base::Message brief;          ///< all in one: "team: 2 of 3 engines ready; > gpu2: …; engine: …"
};

base::Message brief_member(const boost::json::object& member) {
  std::vector<base::Message> parts;
  if (flag_at(member, "out")) {
    parts.push_back(base::say("out of this game"));
  } else if (!flag_at(member, "ready")) {
    parts.push_back(base::say("not ready"));
  }
  if (const auto* said = object_at(member, "said")) {
    const bool has_score = said->contains("score");
    parts.push_back(base::verbatim(plain(text_at(*said, "move")) +
                                   (has_score ? " " + std::to_string(number_at(*said, "score")) : "")));
  }
  if (const std::int64_t searches = number_at(member, "searches"); searches > 0) {
    parts.push_back(base::say("hits {} of {}", number_at(member, "hits"), searches));
  }
  return base::say("{}: {}", (flag_at(member, "plays") ? "> " : "") + plain(text_at(member, "name")),
                   parts.empty() ? base::say("ready") : base::listed(parts));
}

ShownTeam read_team(const boost::json::object& game) {
  ShownTeam team;
  const auto* members = game.if_contains("members");
  if (members == nullptr || !members->is_array()) {
    return team;
  }
  std::size_t ready = 0;
  for (const boost::json::value& one : members->get_array()) {
    if (const auto* member = one.if_object()) {
      ready += flag_at(*member, "ready") && !flag_at(*member, "out") ? 1 : 0;
      team.members.push_back({flag_at(*member, "plays"), brief_member(*member)});
    }
  }
  team.brief = base::say("team: {} of {} engines ready", ready, team.members.size());
  for (const ShownTeam::Member& member : team.members) {
    team.brief = base::say("{}; {}", team.brief, member.text);
  }
  return team;
}

/// As many lines as there is room for: one for each, one for all, or none.
std::string team_text(const ShownTeam& team, std::size_t rows, const Look& look) {
  if (team.members.empty() || rows == 0) {
    return "";
  }
  if (rows < team.members.size()) {
    return in_words(look, team.brief) + "\n";
  }
  std::string text;
  for (const ShownTeam::Member& member : team.members) {
    text += (member.plays ? "" : "  ") + in_words(look, member.text) + "\n";
  }
  return text;
}

/// A bot and the game it plays, or played last.
struct Shown {
  base::Message heading;
  std::optional<bridge::GameView> game;
  WatchedGame watched;
  ShownTeam team;
};

Shown read_bot(const boost::json::object& bot, base::SteadyTime now) {
  Shown shown{heading(bot), std::nullopt, {}, {}};
  const auto* engine = object_at(bot, "engine");
  if (engine != nullptr) {
    shown.heading = with_link(shown.heading, *engine);
  }
  const auto* game = object_at(bot, "game");
  if (game == nullptr) {
    return shown;
  }
  shown.game = read_game(*game, now);
  auto& watched = shown.watched;
  watched.number = static_cast<int>(number_at(bot, "games_finished")) + (shown.game->end ? 0 : 1);
  watched.count.reset();
  const std::string name = engine != nullptr ? text_at(*engine, "name") : "";
  const bool is_black = shown.game->our_color == shogi::Color::black;
  const bool is_standby = !name.empty() && text_at(*engine, "role") == "standby";
  (is_black ? watched.black_engine : watched.white_engine) = name;
  if (is_standby) {
    watched.standby = shown.game->our_color;
  }
  shown.team = read_team(*game);
  (is_black ? watched.black_score : watched.white_score) = read_score(*game);
  return shown;
}

base::Message brief(const Shown& shown) {
  if (!shown.game) {
    return shown.heading;
  }
  const auto& score = shown.watched.black_score ? shown.watched.black_score : shown.watched.white_score;
  const auto sides =
      base::say("{}, {} - {}", shown.heading, plain(shown.game->black_name), plain(shown.game->white_name));
  const std::size_t moves = shown.game->moves.size();
  const auto text = score ? base::say("{}, move {}, {}", sides, moves, format_score(*score))
                          : base::say("{}, move {}", sides, moves);
  return shown.game->end ? base::say("{}, {}", text, format_end(*shown.game)) : text;
}

}  // namespace

std::string render_top(const boost::json::array& bots, base::SteadyTime now, const Look& look) {
  std::string text;
  std::size_t rows_left = look.rows;
  std::size_t behind = bots.size();
  for (const auto& bot : bots) {
    --behind;
    if (!bot.is_object()) {
      continue;
    }
    auto shown = read_bot(bot.get_object(), now);
    std::string picture = in_words(look, brief(shown)) + "\n";
    // The heading, the picture, and an empty line below it where another bot follows.
    const std::size_t around = 1 + (behind > 0 ? 1 : 0);
    if (shown.game && rows_left >= live_view_rows_min + around + behind) {
      shown.watched.game = &*shown.game;
      Look own = look;
      own.rows = rows_left - around - behind;
      const std::string team = team_text(shown.team, own.rows - live_view_rows_min, look);
      own.rows -= static_cast<std::size_t>(std::count(team.begin(), team.end(), '\n'));
      picture = in_words(look, shown.heading) + "\n" + team + render_live_view(shown.watched, now, own) + (behind > 0 ? "\n" : "");
    }
    const auto rows = static_cast<std::size_t>(std::count(picture.begin(), picture.end(), '\n'));
    rows_left -= std::min(rows_left, rows);
    text += picture;
  }
  return text;
}

}  // namespace kakehashi::watch
