// What comes over the wire from a server and through the pipe from an engine.
#include <algorithm>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "csa/client_session.hpp"
#include "csa/game_summary.hpp"
#include "csa/message.hpp"
#include "fuzz/targets.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/usi.hpp"
#include "usi/command.hpp"
#include "usi/engine_encoding.hpp"
#include "usi/message.hpp"
#include "usi/session.hpp"

namespace kakehashi::fuzz {
namespace {

constexpr base::SteadyTime beginning{std::chrono::hours(1000)};

/// More lines than this say nothing new, and cost time.
constexpr std::size_t lines_max = 600;

std::vector<std::string_view> lines_of(std::string_view bytes) {
  std::vector<std::string_view> lines = base::split(bytes, '\n');
  lines.resize(std::min(lines.size(), lines_max));
  return lines;
}

bool is_one_line(std::string_view text) {
  return text.find_first_of(std::string_view("\n\r\0", 3)) == std::string_view::npos;
}

/// What a summary promises about itself.
void judge(const csa::GameSummary& summary) {
  require(summary.remarks.size() <= 32, "a summary has at most 32 remarks");
  shogi::Position position = summary.start;
  for (const csa::ListedMove& listed : summary.moves) {
    require(position.side_to_move() == listed.mover, "listed moves alternate");
    position.play(listed.move);
  }
  require(summary.position() == position, "the position is the one behind the listed moves");
}

/// Says one thing, if this is the moment for it: `!a` agrees, `!m+7776FU` moves and so on.
void say(csa::ClientSession& session, std::string_view words, base::SteadyTime now) {
  using State = csa::ClientSession::State;
  const char verb = words.empty() ? ' ' : words.front();
  const std::string_view rest = words.empty() ? words : words.substr(1);
  const State state = session.state();
  std::string line;
  if (state == State::connected) {
    line = verb == 'x'   ? session.login("me", "pw", now, "x1")
           : verb == 'g' ? session.login_again("me", "pw", "game", "token", now)
                         : session.login("me", "pw", now);
  } else if (verb == 'b' && session.keepalive_due(base::Seconds{30})) {
    line = session.keepalive(now);
  } else if (state == State::waiting || state == State::ended) {
    line = verb == 'o' ? session.logout(now) : session.ask("%%GAME test *", now);
  } else if (state == State::summary) {
    line = verb == 'r' ? session.reject(now) : session.agree(now);
  } else if (session.may_send_move()) {
    line = verb == 't'   ? session.resign(now)
           : verb == 'k' ? session.declare(now)
                         : session.move("+7776FU", rest, now);
  }
  // A Game_ID goes back as it came: other control bytes in it are the server's own.
  require(line.find('\n') == std::string::npos, "what is sent is one line");
  require(line.size() <= csa::ClientSession::line_bytes_max, "what is sent is short");
}

}  // namespace

void csa_line(std::string_view bytes) {
  for (const std::string_view line : lines_of(bytes)) {
    static_cast<void>(csa::parse_line(line));
    static_cast<void>(csa::parse_consumed(line));
    static_cast<void>(shogi::csa::parse_move(shogi::Position::startpos(), line));
  }
}

void game_summary(std::string_view bytes) {
  csa::SummaryReader reader;
  csa::ResumeReader resume;
  for (const std::string_view line : lines_of(bytes)) {
    static_cast<void>(resume.feed(line));
    if (reader.is_complete() || reader.feed(line)) {
      break;
    }
  }
  if (!reader.is_complete()) {
    return;
  }
  if (const auto summary = reader.finish()) {
    judge(*summary);
    require(summary->game_id == reader.game_id(), "both name one game");
  }
}

void csa_session(std::string_view bytes) {
  csa::ClientSession session;
  base::SteadyTime now = beginning;
  for (const std::string_view line : lines_of(bytes)) {
    now += base::Millis{700};
    if (line.starts_with("!c")) {
      static_cast<void>(session.on_closed());
      session = csa::ClientSession();
    } else if (line.starts_with('!')) {
      say(session, line.substr(1), now);
    } else {
      for (const csa::SessionEvent& event : session.on_line(line, now)) {
        if (const auto* received = std::get_if<csa::SummaryReceived>(&event)) {
          judge(received->summary);
        }
      }
    }
    if (const auto deadline = session.silence_deadline(); deadline && now >= *deadline) {
      static_cast<void>(session.on_silence(now));
      require(!session.silence_deadline(), "silence decides once");
    }
    require(!session.may_send_move() || session.state() == csa::ClientSession::State::playing,
            "moves are sent in games only");
  }
}

void usi_line(std::string_view bytes) {
  using usi::Protocol;
  usi::EngineEncoding encoding;
  for (const std::string_view line : lines_of(bytes)) {
    const std::string heard = encoding.heard(std::string(line));
    require(heard == line || base::utf8_bytes(heard) == heard.size(), "what is converted is UTF-8");
    require(!is_one_line(line) || is_one_line(encoding.told("setoption name " + heard)), "a setting is one line");
    for (const Protocol protocol :
         {Protocol::usi, Protocol::uci, Protocol::tei, Protocol::ucgi}) {
      static_cast<void>(usi::parse_line(line, usi::dialect_of(protocol)));
    }
    static_cast<void>(usi::parse_option(line));
    const usi::GoLimits limits = usi::parse_go(line);
    const std::string go = usi::format_go(usi::dialect_of(Protocol::usi), limits);
    // The bridge reads its own lines back, and writes none with such a byte in it.
    require(!is_one_line(line) || is_one_line(go), "go is one line");
  }
}

/// The first byte chooses the protocol. Lines that begin with '!' ask something of the session, if
/// this is the moment for it; all others are the engine's.
void usi_session(std::string_view bytes) {
  const int choice = bytes.empty() ? 0 : static_cast<unsigned char>(bytes.front()) % 4;
  usi::Session session(usi::dialect_of(static_cast<usi::Protocol>(choice)));
  using Phase = usi::Session::Phase;
  const auto take = [&](const usi::Reaction& reaction) {
    for (const std::string& line : reaction.lines) {
      require(is_one_line(line), "an engine is told lines");
    }
  };
  take(session.begin());
  bool is_parked = false;
  for (const std::string_view line : lines_of(bytes)) {
    const char verb = line.size() > 1 && line.front() == '!' ? line[1] : ' ';
    const Phase phase = session.phase();
    const bool is_idle = phase == Phase::ready && !is_parked;
    usi::Reaction reaction;
    if (line.empty() || line.front() != '!') {
      reaction = session.on_line(line);
    } else if (verb == 'p' && (phase == Phase::identified || is_idle)) {
      reaction = session.prepare({{"USI_Hash", "16"}, {"Button", std::nullopt}});
    } else if (verb == 'n' && is_idle) {
      reaction = session.new_game();
    } else if ((verb == 's' || verb == 'g') &&
               (is_idle || (phase == Phase::stopping && !session.current_search()))) {
      const bool is_ponder = verb == 'g' && session.dialect().has_ponder();
      reaction = session.search({"position startpos moves 7g7f",
                                 is_ponder ? "go ponder btime 1000 wtime 1000 byoyomi 0"
                                           : "go btime 1000 wtime 1000 binc 5 winc 5",
                                 is_ponder}).reaction;
    } else if (verb == 'h' && session.is_pondering()) {
      reaction = session.ponderhit(line.size() > 2 ? "btime 5 wtime 5" : "");
      is_parked = false;
    } else if (verb == 'y') {
      reaction = session.hurry();
    } else if (verb == 'a') {
      reaction = session.abandon();
      is_parked = false;
    } else if (verb == 'o') {
      reaction = session.game_over(usi::GameOver::win);
      is_parked = false;
    }
    for (const usi::EngineEvent& event : reaction.events) {
      is_parked = is_parked || std::holds_alternative<usi::AnswerParked>(event);
    }
    take(reaction);
    require(session.owed() <= 1, "one search at a time");
    require(session.options().size() <= usi::Session::options_max, "options are bounded");
  }
}

}  // namespace kakehashi::fuzz
