// Every phase of a session against every call and every kind of line: no cell is left open.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "tests/usi/words.hpp"

namespace kakehashi::usi {
namespace {

using Phase = Session::Phase;

std::string name_of(Phase phase) {
  switch (phase) {
    case Phase::silent: return "silent";
    case Phase::handshake: return "handshake";
    case Phase::identified: return "identified";
    case Phase::preparing: return "preparing";
    case Phase::ready: return "ready";
    case Phase::searching: return "searching";
    case Phase::stopping: return "stopping";
  }
  return "";
}

const std::vector<std::string>& states() {
  static const std::vector<std::string> names{
      "silent",    "handshake", "identified", "preparing", "ready", "searching", "pondering",
      "parked",    "hurried",   "abandoned",  "queued",    "over"};
  return names;
}

void search(Session& session, bool is_ponder) {
  static_cast<void>(session.search({"position", is_ponder ? "go ponder" : "go", is_ponder}));
}

/// Brings a session to ready; `steps` short of it when there are fewer than four.
Session after(int steps) {
  Session session;
  if (steps > 0) {
    static_cast<void>(session.begin());
  }
  if (steps > 1) {
    static_cast<void>(session.on_line("usiok"));
  }
  if (steps > 2) {
    static_cast<void>(session.prepare({}));
  }
  if (steps > 3) {
    static_cast<void>(session.on_line("readyok"));
  }
  return session;
}

Session in_state(const std::string& state) {
  static const std::map<std::string, int> boot{
      {"silent", 0}, {"handshake", 1}, {"identified", 2}, {"preparing", 3}};
  if (const auto found = boot.find(state); found != boot.end()) {
    return after(found->second);
  }
  Session session = after(4);
  if (state != "ready") {
    search(session, state == "pondering" || state == "parked");
  }
  if (state == "parked") {
    static_cast<void>(session.on_line("bestmove 7g7f"));
  } else if (state == "hurried") {
    static_cast<void>(session.hurry());
  } else if (state == "abandoned" || state == "queued") {
    static_cast<void>(session.abandon());
  } else if (state == "over") {
    static_cast<void>(session.game_over(GameOver::win));
  }
  if (state == "queued") {
    search(session, false);
  }
  return session;
}

Reaction perform(Session& session, const std::string& input) {
  static const std::map<std::string, std::function<Reaction(Session&)>> calls{
      {"begin()", [](Session& s) { return s.begin(); }},
      {"prepare()", [](Session& s) { return s.prepare({{"A", "1"}}); }},
      {"new_game()", [](Session& s) { return s.new_game(); }},
      {"search()", [](Session& s) { return s.search({"position", "go", false}).reaction; }},
      {"ponderhit()", [](Session& s) { return s.ponderhit(""); }},
      {"hurry()", [](Session& s) { return s.hurry(); }},
      {"abandon()", [](Session& s) { return s.abandon(); }},
      {"game_over()", [](Session& s) { return s.game_over(GameOver::lose); }},
      {"quit()", [](Session& s) { return s.quit(); }}};
  const auto found = calls.find(input);
  return found != calls.end() ? found->second(session) : session.on_line(input);
}

/// What the input does in the state: events, lines to the engine, and the phase if it changes.
std::string outcome(const std::string& state, const std::string& input) {
  Session session = in_state(state);
  const Phase before = session.phase();
  std::vector<std::string> words;
  try {
    words = usi::test::words(perform(session, input));
  } catch (const base::CheckFailure&) {
    return "forbidden";
  }
  if (session.phase() != before) {
    words.push_back(name_of(session.phase()));
  }
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : "; ") + word;
  }
  return text;
}

/// One input: what it usually does, and the states in which it does something else.
struct Row {
  std::string input;
  std::string usually;
  std::map<std::string, std::string> except;
};

const std::vector<Row>& table() {
  static const std::string prepared = "> setoption name A value 1; > isready; preparing";
  static const std::string odd_option = "complaint the option \"A\" came out of place";
  static const std::vector<Row> rows{
      {"begin()", "forbidden", {{"silent", "> usi; handshake"}}},
      {"prepare()", "forbidden", {{"identified", prepared}, {"ready", prepared}}},
      {"new_game()", "forbidden", {{"ready", "> usinewgame"}}},
      {"search()",
       "forbidden",
       {{"ready", "> position; > go; searching"}, {"abandoned", ""}, {"queued", ""}, {"over", ""}}},
      {"ponderhit()",
       "forbidden",
       {{"pondering", "> ponderhit"}, {"parked", "1 answered 7g7f"}}},
      {"hurry()", "", {{"searching", "> stop; stopping"}, {"pondering", "> stop; stopping"}}},
      {"abandon()", "", {{"searching", "> stop; stopping"}, {"pondering", "> stop; stopping"}}},
      {"game_over()",
       "",
       {{"ready", "> gameover lose"},
        {"parked", "> gameover lose"},
        {"searching", "> stop; stopping"},
        {"pondering", "> stop; stopping"}}},
      {"quit()", "> quit", {}},
      {"usiok", "complaint usiok came out of place", {{"handshake", "identified ; identified"}}},
      {"readyok", "complaint readyok came out of place", {{"preparing", "ready; ready"}}},
      {"bestmove 2g2f",
       "swallowed bestmove 2g2f",
       {{"searching", "1 answered 2g2f; ready"},
        {"hurried", "1 answered 2g2f; ready"},
        {"pondering", "parked; ready"},
        {"abandoned", "swallowed bestmove 2g2f; ready"},
        {"queued", "swallowed bestmove 2g2f; > position; > go; searching"},
        {"over", "swallowed bestmove 2g2f; > gameover win; ready"}}},
      {"bestmove resign",
       "swallowed bestmove resign",
       {{"searching", "1 answered resign; ready"},
        {"hurried", "1 answered resign; ready"},
        {"pondering", "parked; ready"},
        {"abandoned", "swallowed bestmove resign; ready"},
        {"queued", "swallowed bestmove resign; > position; > go; searching"},
        {"over", "swallowed bestmove resign; > gameover win; ready"}}},
      {"info depth 1",
       "",
       {{"searching", "info of 1"}, {"pondering", "info of 1"}, {"hurried", "info of 1"}}},
      {"info string hello",
       "said hello",
       {{"searching", "info of 1"},
        {"pondering", "info of 1"},
        {"hurried", "info of 1"},
        {"abandoned", ""},
        {"queued", ""},
        {"over", ""}}},
      {"id name X", "", {}},
      {"option name A type button", odd_option, {{"silent", ""}, {"handshake", ""}}},
      {"option name A type slider",
       "complaint the engine's line \"option name A type slider\" cannot be read: unknown option "
       "type \"slider\"",
       {}},
      {"checkmate nomate",
       "complaint the engine's line \"checkmate nomate\" answers no go mate",
       {}},
      {"a banner", "said a banner", {}},
      {" \t ", "", {}},
  };
  return rows;
}

TEST(SessionTable, every_input_has_its_outcome_in_every_state) {
  std::size_t exceptions_met = 0;
  std::size_t exceptions = 0;
  for (const Row& row : table()) {
    exceptions += row.except.size();
    for (const std::string& state : states()) {
      const auto except = row.except.find(state);
      exceptions_met += except != row.except.end() ? 1U : 0U;
      EXPECT_EQ(outcome(state, row.input),
                except != row.except.end() ? except->second : row.usually)
          << row.input << " in state " << state;
    }
  }
  EXPECT_EQ(exceptions_met, exceptions) << "an exception names a state that there is not";
}

TEST(SessionTable, the_states_reach_every_phase) {
  std::map<Phase, int> reached;
  for (const std::string& state : states()) {
    ++reached[in_state(state).phase()];
  }
  EXPECT_EQ(reached.size(), 7U);
}

}  // namespace
}  // namespace kakehashi::usi
