// Archived games as JSON.
#include <boost/json.hpp>

#include "bridge/archive/game_text.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/kif.hpp"
#include "shogi/notation/usi.hpp"
#include "shogi/record/format.hpp"
#include "shogi/record/search_comment.hpp"

namespace kakehashi::bridge::archive {

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

std::string record_text(const shogi::record::Record& record, shogi::record::Format format) {
  return shogi::record::write_record(record, format, shogi::record::CommentStyle::automatic);
}

}  // namespace kakehashi::bridge::archive
