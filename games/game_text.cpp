#include "games/game_text.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <cmath>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "bridge/rescue_words.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/kif.hpp"
#include "shogi/notation/usi.hpp"
#include "shogi/record/format.hpp"
#include "shogi/record/search_comment.hpp"

namespace kakehashi::games {
namespace {

using base::duration;
using base::Message;
using base::say;
using base::say_as;
using base::verbatim;
using shogi::record::RecordedMove;
using words::Cell;
using words::Side;

/// Of the time that the server granted, what the engine had; empty where it is not known.
std::string share_text(const ArchivedGame& game) {
  if (!game.time || game.time->granted_ms == 0) {
    return "";
  }
  const std::int64_t permille = game.time->had_ms * 1000 / game.time->granted_ms;
  return std::to_string(permille / 10) + "." + std::to_string(permille % 10) + " %";
}

const char* color_word(const ArchivedGame& game) { return game.is_black ? "black" : "white"; }

std::string tenths(base::Millis time) { return fmt::format("{:.1f}", static_cast<double>(time.count()) / 1000); }

Message score_text(const shogi::record::Evaluation& evaluation) {
  if (evaluation.mate) {
    return say("mate {}", *evaluation.mate);
  }
  return verbatim((evaluation.score > 0 ? "+" : "") + std::to_string(evaluation.score));
}

std::string move_row(const Message& ply, const Message& move, const Message& time, const Message& score, const Message& depth,
                     const Message& line, words::Language language) {
  return words::row(language, std::array{Cell{ply, 4, Side::right}, Cell{move, 7}, Cell{time, 6, Side::right},
                                         Cell{score, 8, Side::right}, Cell{depth, 4, Side::right}, Cell{line}}) + "\n";
}

std::string move_line(std::size_t ply, const std::string& move, const RecordedMove& recorded, words::Language language) {
  const auto& thought = recorded.evaluation;
  const auto number = [](std::int64_t value) { return verbatim(std::to_string(value)); };
  return move_row(number(static_cast<std::int64_t>(ply)), verbatim(move),
                  recorded.consumed ? verbatim(tenths(*recorded.consumed)) : Message(),
                  thought ? score_text(*thought) : Message(), thought && thought->depth ? number(*thought->depth) : Message(),
                  thought ? verbatim(base::join(thought->pv, " ")) : Message(), language);
}

Message outcome_word(const ArchivedGame& game) {
  return game.outcome == "win"    ? say_as("column", "win")
         : game.outcome == "lose" ? say_as("column", "lose")
         : game.outcome == "draw" ? say_as("column", "draw")
                                  : say_as("column", "none");
}

Message result_of(const ArchivedGame& game) {
  const Message outcome = game.reason.empty() ? outcome_word(game) : say("{} ({})", outcome_word(game), game.reason);
  return game.plies == 1 ? say("{} after {} move", outcome, 1) : say("{} after {} moves", outcome, game.plies);
}

std::string game_row(const std::array<Message, 10>& texts, words::Language language) {
  return words::row(language, std::array{Cell{texts[0], 7, Side::right}, Cell{texts[1], 16}, Cell{texts[2], 6},
                                         Cell{texts[3], 6}, Cell{texts[4], 20}, Cell{texts[5], 9},
                                         Cell{texts[6], 5, Side::right}, Cell{texts[7], 8, Side::right}, Cell{texts[8]},
                                         Cell{texts[9]}}) + "\n";
}

/// "move 37: no move came in time; playing a legal move", as the archive has it.
Message rescue_text(std::string_view stored) {
  constexpr std::string_view word = "move ";
  const std::size_t colon = stored.find(": ");
  if (!stored.starts_with(word) || colon == std::string_view::npos) {
    return verbatim(std::string(stored));
  }
  return say("move {}: {}", stored.substr(word.size(), colon - word.size()), bridge::archived_rescue(stored.substr(colon + 2)));
}

std::string csv_text(const std::string& text) {
  const bool is_formula = !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
  const std::string safe = (is_formula ? "'" : "") + text;
  if (safe.find_first_of(",\"\n\r") == std::string::npos) {
    return safe;
  }
  std::string quoted = "\"";
  for (const char c : safe) {
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  }
  return quoted + "\"";
}

}  // namespace

std::string instant_text(std::int64_t at_ms) {
  return fmt::format("{:%Y-%m-%d %H:%M}", base::calendar(base::WallTime{base::Millis{at_ms}}));
}

std::string list_text(const std::vector<ArchivedGame>& games, words::Language language) {
  std::string text = game_row({say_as("column", "id"), say_as("column", "started (UTC)"), say_as("column", "result"),
                               say_as("column", "color"), say_as("column", "opponent"), say_as("column", "clock"),
                               say_as("column", "moves"), say_as("column", "time had"), say_as("column", "reason"), {}},
                              language);
  for (const ArchivedGame& game : games) {
    text += game_row({verbatim(std::to_string(game.id)), verbatim(instant_text(game.started_ms)), outcome_word(game),
                      game.is_black ? say("black") : say("white"), verbatim(game.opponent), verbatim(game.clock),
                      verbatim(std::to_string(game.plies)), verbatim(share_text(game)), verbatim(game.reason),
                      game.rescues > 0 ? say("({} rescue moves)", game.rescues) : Message()},
                     language);
  }
  return text;
}

std::string head_text(const ArchivedGame& game, words::Language language) {
  const std::string& black = game.is_black ? game.us : game.opponent;
  const std::string& white = game.is_black ? game.opponent : game.us;
  std::string text = words::in(language, say("game {}: {}", game.id, game.game_id)) + "\n";
  const auto line = [&](const Message& label, const Message& value) {
    if (!value.empty()) {
      text += words::labelled(language, label, value) + "\n";
    }
  };
  line(say_as("column", "black"), game.is_black ? say("{} (we)", black) : verbatim(black));
  line(say_as("column", "white"), game.is_black ? verbatim(white) : say("{} (we)", white));
  line(say_as("column", "result"), result_of(game));
  line(say_as("column", "started"),
       say("{} UTC, took {}", instant_text(game.started_ms), duration(game.ended_ms - game.started_ms)));
  line(say_as("column", "server"), verbatim(game.server));
  line(say_as("column", "game name"), verbatim(game.game_name));
  line(say_as("column", "clock"), verbatim(game.clock));
  line(say_as("column", "engine"), verbatim(game.engine));
  line(say_as("column", "time"), say("ours {}, theirs {}", duration(game.our_time_ms), duration(game.their_time_ms)));
  if (game.time) {
    if (const std::string share = share_text(game); !share.empty()) {
      line({}, say("the engine had {} of the time granted, {} of {}", share, duration(game.time->had_ms),
                   duration(game.time->granted_ms)));
    }
    line({}, say("used {}, charged {}, lost on the link {}", duration(game.time->used_ms), duration(game.time->charged_ms),
                 duration(game.time->lost_ms)));
  }
  if (game.ponder_searches > 0) {
    line(say_as("column", "pondering"), say("{} hits of {}, gained {}", game.ponder_hits, game.ponder_searches,
                                            duration(game.ponder_gained_ms)));
  }
  for (const MemberUse& member : game.members) {
    const Message gained = duration(member.ponder_gained_ms);
    line(&member == &game.members.front() ? say_as("column", "members") : Message(),
         member.moves == 1
             ? say("{}: {} move, {} hits of {}, gained {}", member.name, 1, member.ponder_hits, member.ponder_searches, gained)
             : say("{}: {} moves, {} hits of {}, gained {}", member.name, member.moves, member.ponder_hits,
                   member.ponder_searches, gained));
  }
  for (const auto cause : base::split(game.rescue_causes, '\n')) {
    line(say_as("column", "rescue"), rescue_text(cause));
  }
  line(say_as("column", "record"), verbatim(game.record_path));
  line(say_as("column", "floodgate"), verbatim(floodgate_link(game)));
  return text;
}

std::string game_text(const ArchivedGame& game, const shogi::record::Record& record, words::Language language) {
  std::string text = head_text(game, language) + "\n" +
                     move_row(say_as("column", "ply"), say_as("column", "move"), say_as("column", "s"),
                              say_as("column of moves", "score"), say_as("column", "depth"), say_as("column", "expected line"),
                              language);
  shogi::Position position = record.start;
  std::size_t ply = 0;
  for (const RecordedMove& recorded : record.moves) {
    text += move_line(++ply, shogi::csa::format_move(position, recorded.move), recorded, language);
    position.play(recorded.move);
  }
  return text;
}

std::string csv_head() {
  return "id,bot,server,game_name,game_id,us,opponent,engine,color,clock,started_ms,ended_ms,outcome,"
         "reason,plies,our_time_ms,their_time_ms,granted_ms,had_ms,used_ms,charged_ms,lost_ms,rescues,"
         "ponder_searches,ponder_hits,ponder_gained_ms,record_path,link\r\n";
}

std::string csv_line(const ArchivedGame& game) {
  std::string line = std::to_string(game.id);
  const auto text = [&](const std::string& value) { line += "," + csv_text(value); };
  const auto whole = [&](std::int64_t value) { line += "," + std::to_string(value); };
  for (const std::string* value : {&game.bot, &game.server, &game.game_name, &game.game_id, &game.us,
                                   &game.opponent, &game.engine}) {
    text(*value);
  }
  text(color_word(game));
  text(game.clock);
  whole(game.started_ms);
  whole(game.ended_ms);
  text(game.outcome);
  text(game.reason);
  whole(game.plies);
  whole(game.our_time_ms);
  whole(game.their_time_ms);
  const bool has_share = game.time && game.time->granted_ms > 0;
  line += has_share ? "," + std::to_string(game.time->granted_ms) + "," + std::to_string(game.time->had_ms) : ",,";
  for (const auto member : {&TimeUse::used_ms, &TimeUse::charged_ms, &TimeUse::lost_ms}) {
    line += "," + (game.time ? std::to_string((*game.time).*member) : "");
  }
  whole(game.rescues);
  whole(game.ponder_searches);
  whole(game.ponder_hits);
  whole(game.ponder_gained_ms);
  text(game.record_path);
  text(floodgate_link(game));
  return line + "\r\n";
}

std::string record_text(const shogi::record::Record& record, shogi::record::Format format) {
  return shogi::record::write_record(record, format, shogi::record::CommentStyle::automatic);
}

// --- as JSON

namespace {

using boost::json::array;
using boost::json::object;

array array_of(const std::vector<MemberUse>& members) {
  array all;
  for (const MemberUse& member : members) {
    all.push_back(object{{"name", member.name},
                         {"moves", member.moves},
                         {"searches", member.ponder_searches},
                         {"hits", member.ponder_hits},
                         {"gained_ms", member.ponder_gained_ms}});
  }
  return all;
}

object object_of(const ArchivedGame& game) {
  object json{{"id", game.id},
              {"bot", game.bot},
              {"server", game.server},
              {"game_name", game.game_name},
              {"game_id", game.game_id},
              {"us", game.us},
              {"opponent", game.opponent},
              {"engine", game.engine},
              {"color", game.is_black ? "black" : "white"},
              {"clock", game.clock},
              {"started_ms", game.started_ms},
              {"ended_ms", game.ended_ms},
              {"outcome", game.outcome},
              {"reason", game.reason},
              {"plies", game.plies},
              {"our_time_ms", game.our_time_ms},
              {"their_time_ms", game.their_time_ms},
              {"rescues", game.rescues},
              {"rescue_causes", game.rescue_causes},
              {"ponder", object{{"searches", game.ponder_searches},
                                {"hits", game.ponder_hits},
                                {"gained_ms", game.ponder_gained_ms}}},
              {"record_path", game.record_path}};
  if (!game.members.empty()) {
    json["members"] = array_of(game.members);
  }
  if (game.time) {
    object time{{"used_ms", game.time->used_ms},
                {"charged_ms", game.time->charged_ms},
                {"lost_ms", game.time->lost_ms}};
    if (game.time->granted_ms > 0) {
      time["granted_ms"] = game.time->granted_ms;
      time["had_ms"] = game.time->had_ms;
    }
    json["time"] = std::move(time);
  }
  if (const std::string link = floodgate_link(game); !link.empty()) {
    json["link"] = link;
  }
  return json;
}

}  // namespace

std::string json_of(const std::vector<MemberUse>& members) { return boost::json::serialize(array_of(members)); }

std::vector<MemberUse> members_in(const std::string& json) {
  boost::system::error_code error;
  const boost::json::value all = boost::json::parse(json, error);
  const array* const list = error ? nullptr : all.if_array();
  std::vector<MemberUse> members;
  for (const boost::json::value& one : list != nullptr ? *list : array()) {
    const object* const told = one.if_object();
    const auto text = told != nullptr ? told->if_contains("name") : nullptr;
    if (text == nullptr || !text->is_string()) {
      return {};
    }
    const auto number = [told](const char* name) {
      const boost::json::value* const found = told->if_contains(name);
      return found != nullptr && found->is_int64() ? found->as_int64() : 0;
    };
    members.push_back({std::string(text->as_string()), number("moves"), number("searches"), number("hits"), number("gained_ms")});
  }
  return members;
}

std::string json_of(const ArchivedGame& game) { return boost::json::serialize(object_of(game)); }

std::string json_of(const std::vector<ArchivedGame>& games) {
  array all;
  for (const ArchivedGame& game : games) {
    all.push_back(object_of(game));
  }
  return boost::json::serialize(object{{"games", std::move(all)}});
}

std::string json_of(const ArchivedGame& game, const shogi::record::Record& record) {
  object json = object_of(game);
  json["sfen"] = shogi::usi::format_sfen(record.start);
  array moves;
  shogi::Position position = record.start;
  std::optional<shogi::Square> last;
  for (const shogi::record::RecordedMove& recorded : record.moves) {
    object move{{"move", shogi::csa::format_move(position, recorded.move)},
                {"japanese", shogi::ki2::format_move(position, recorded.move, last)}};
    position.play(recorded.move);
    last = recorded.move.to();
    move["sfen"] = shogi::usi::format_sfen(position);
    if (recorded.consumed) {
      move["consumed_ms"] = recorded.consumed->count();
    }
    if (recorded.evaluation) {
      const auto& thought = *recorded.evaluation;
      move["score"] = thought.score;
      if (thought.mate) {
        move["mate"] = *thought.mate;
      }
      if (thought.depth) {
        move["depth"] = *thought.depth;
      }
      array pv;
      for (const std::string& next : thought.pv) {
        pv.push_back(boost::json::string(next));
      }
      move["pv"] = std::move(pv);
      array line;
      const auto playable = shogi::record::playable(thought.pv, position);
      for (const std::string& next : shogi::ki2::format_line(position, playable, last)) {
        line.push_back(boost::json::string(next));
      }
      move["pv_japanese"] = std::move(line);
    }
    moves.push_back(std::move(move));
  }
  json["moves"] = std::move(moves);
  return boost::json::serialize(json);
}

// --- as a picture

namespace {

using shogi::Color;

constexpr double width = 900;
constexpr double left = 60;
constexpr double graph_width = width - left - 20;
constexpr double score_top = 60;
constexpr double score_height = 240;
constexpr double time_top = 350;
constexpr double time_height = 140;
constexpr double height = 540;

std::string number(double value) { return fmt::format("{:.1f}", value); }

std::string text_at(double x, double y, const std::string& text, const char* anchor = "start",
                    int size = 13) {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor +
         "\" font-size=\"" + std::to_string(size) + "\">" + base::markup_text(text) + "</text>\n";
}

std::string line_at(double x1, double y1, double x2, double y2, const char* look) {
  return "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) + "\" y2=\"" +
         number(y2) + "\" class=\"" + look + "\"/>\n";
}

double x_of(std::size_t ply, std::size_t plies) {
  return left + graph_width * static_cast<double>(ply) / static_cast<double>(std::max<std::size_t>(plies, 1));
}

/// Steep where games are decided, flat where they are won; 0 in the middle.
double y_of(std::int64_t score) {
  const double share = std::tanh(static_cast<double>(score) / 1200);
  return score_top + score_height / 2 - share * (score_height / 2 - 5);
}

std::string score_graph(const shogi::record::Record& record) {
  std::string text;
  for (const std::int64_t score : {-3000, -1000, -500, 0, 500, 1000, 3000}) {
    text += line_at(left, y_of(score), width - 20, y_of(score), score == 0 ? "axis" : "grid");
    text += text_at(left - 8, y_of(score) + 4, std::to_string(score), "end", 11);
  }
  std::string points;
  std::string dots;
  for (std::size_t i = 0; i < record.moves.size(); ++i) {
    if (const auto& evaluation = record.moves[i].evaluation) {
      const std::string x = number(x_of(i + 1, record.moves.size()));
      const std::string y = number(y_of(evaluation->score));
      points += x + "," + y + " ";
      dots += "<circle cx=\"" + x + "\" cy=\"" + y + "\" r=\"2\" class=\"dot\"><title>" +
              std::to_string(i + 1) + ": " + std::to_string(evaluation->score) + "</title></circle>\n";
    }
  }
  return text + (points.empty() ? "" : "<polyline points=\"" + points + "\" class=\"score\"/>\n") + dots;
}

std::string time_graph(const shogi::record::Record& record) {
  base::Millis longest{1'000};
  for (const auto& move : record.moves) {
    longest = std::max(longest, move.consumed.value_or(base::Millis{0}));
  }
  const double bottom = time_top + time_height;
  std::string text = line_at(left, bottom, width - 20, bottom, "axis");
  text += line_at(left, time_top, width - 20, time_top, "grid");
  text += text_at(left - 8, time_top + 4, number(static_cast<double>(longest.count()) / 1000), "end", 11);
  text += text_at(left - 8, bottom + 4, "0", "end", 11);
  const double bar = std::max(0.5, graph_width / static_cast<double>(std::max<std::size_t>(record.moves.size(), 1)) * 0.8);
  Color mover = record.start.side_to_move();
  for (std::size_t i = 0; i < record.moves.size(); ++i) {
    const auto time = record.moves[i].consumed.value_or(base::Millis{0});
    const double tall = time_height * static_cast<double>(time.count()) / static_cast<double>(longest.count());
    text += "<rect x=\"" + number(x_of(i + 1, record.moves.size()) - bar / 2) + "\" y=\"" + number(bottom - tall) +
            "\" width=\"" + number(bar) + "\" height=\"" + number(tall) + "\" class=\"" +
            (mover == Color::black ? "black" : "white") + "\"/>\n";
    mover = shogi::opposite(mover);
  }
  const std::size_t step = record.moves.size() > 200 ? 50 : record.moves.size() > 60 ? 20 : 10;
  for (std::size_t ply = 0; ply <= record.moves.size(); ply += step) {
    text += text_at(x_of(ply, record.moves.size()), bottom + 18, std::to_string(ply), "middle", 11);
  }
  return text;
}

}  // namespace

std::string plot_svg(const ArchivedGame& game, const shogi::record::Record& record, words::Language language) {
  const std::string& black = game.is_black ? game.us : game.opponent;
  const std::string& white = game.is_black ? game.opponent : game.us;
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(width) + " " +
                    number(height) + "\" font-family=\"sans-serif\" role=\"img\">\n<title>" +
                    base::markup_text(game.game_id) + "</title>\n";
  svg += "<style>.axis{stroke:#444}.grid{stroke:#ddd}.score{fill:none;stroke:#2f6db3;stroke-width:2}"
         ".dot{fill:#2f6db3}.black{fill:#333}.white{fill:#d9a441}text{fill:#222}</style>\n";
  svg += "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  svg += text_at(left, 26, "☗" + black + "  ☖" + white + "  " + instant_text(game.started_ms) + " UTC", "start", 16);
  svg += text_at(left, 48, words::in(language, say("evaluation for black, centipawns ({})", result_of(game))));
  svg += score_graph(record);
  svg += text_at(left, time_top - 12, words::in(language, say("seconds a move (dark: black, light: white)")));
  svg += time_graph(record);
  return svg + "</svg>\n";
}

}  // namespace kakehashi::games
