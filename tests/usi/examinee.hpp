// An engine of pure words under virtual time, and the examination of it: healthy by default, with a
// habit that may answer in its place.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.hpp"
#include "usi/examination.hpp"

namespace kakehashi::usi::test {

struct Reply {
  base::Millis after{0};
  std::string line;
  enum class Kind { line, exit, stderr_line, odd } kind = Kind::line;
  Oddity oddity = Oddity::flood;
  ProcessEnd end{};
};
inline Reply exits(base::Millis after, ProcessEnd end = {}) {
  return {.after = after, .line = {}, .kind = Reply::Kind::exit, .oddity = {}, .end = end};
}
using Replies = std::vector<Reply>;
/// The reply to a line, where the habit has one; `go` counts them from 1.
using Habit = std::function<std::optional<Replies>(const std::string& line, int go)>;

inline Replies lines(std::vector<std::string> texts) {
  Replies replies;
  for (std::string& text : texts) {
    replies.push_back({base::Millis{0}, std::move(text)});
  }
  return replies;
}

class Examinee {
 public:
  Examinee(Protocol protocol, Habit habit) : dialect_(&dialect_of(protocol)), habit_(std::move(habit)) {}

  Replies hear(const std::string& line) {
    go_ += line.starts_with("go") ? 1 : 0;
    if (habit_) {
      if (auto own = habit_(line, go_)) {
        return *own;
      }
    }
    return healthy(line);
  }

 private:
  Replies healthy(const std::string& line) {
    if (line == dialect_->name) {
      std::vector<std::string> texts{"id name Healthy", "id author the tests"};
      if (dialect_->protocol == Protocol::tei) {
        texts.emplace_back("size 6 halfkomi 0");
      }
      texts.emplace_back("option name Threads type spin default 1 min 1 max 8");
      texts.emplace_back(dialect_->hello_answer);
      return lines(texts);
    }
    if (line == "isready") {
      return lines({"readyok"});
    }
    const bool waits = line.starts_with("go ponder") || line.starts_with("go btime 600000");
    if (line.starts_with("go") && !waits) {
      return answer();
    }
    is_waiting_ = is_waiting_ || waits;
    if ((line == "stop" || line == "ponderhit") && std::exchange(is_waiting_, false)) {
      return answer();
    }
    return line == "quit" ? Replies{exits(base::Millis{5})} : Replies{};
  }

  Replies answer() {
    return {{base::Millis{50}, "info depth 1 score cp 0 pv a"}, {base::Millis{50}, "bestmove a"}};
  }

  const Dialect* dialect_;
  Habit habit_;
  int go_ = 0;
  bool is_waiting_ = false;
};

inline ExamSetup setup_for(Protocol protocol) {
  ExamSetup setup;
  setup.protocol = protocol;
  setup.positions = {{"position startpos", {"a"}}};
  return setup;
}

/// The whole examination of such an engine; each start begins with a new one.
inline ExamReport examined(const Habit& habit, ExamSetup setup) {
  base::SteadyTime now{};
  const Protocol protocol = setup.protocol;
  Examination examination(std::move(setup));
  std::optional<Examinee> engine;
  std::multimap<base::SteadyTime, Reply> coming;
  const auto perform = [&](const ExamActions& actions) {
    if (actions.kill_engine || actions.start_engine) {
      coming.clear();
      engine.reset();
    }
    if (actions.start_engine) {
      engine.emplace(protocol, habit);
    }
    for (const std::string& line : actions.lines) {
      if (engine) {
        for (Reply& reply : engine->hear(line)) {
          coming.emplace(now + reply.after, std::move(reply));
        }
      }
    }
  };
  perform(examination.start(now));
  while (!examination.is_finished()) {
    if (coming.empty() || coming.begin()->first > examination.deadline()) {
      now = examination.deadline();
      perform(examination.on_time(now));
      continue;
    }
    now = coming.begin()->first;
    const Reply reply = std::move(coming.extract(coming.begin()).mapped());
    switch (reply.kind) {
      case Reply::Kind::line: perform(examination.on_line(reply.line, now)); break;
      case Reply::Kind::exit:
        engine.reset();
        perform(examination.on_exited(reply.end, now));
        break;
      case Reply::Kind::stderr_line: examination.on_stderr(reply.line, now); break;
      case Reply::Kind::odd: examination.on_odd(reply.oddity); break;
    }
  }
  return examination.report();
}

inline std::string format_for_people(const ExamReport& report) {
  std::string text;
  for (const ExamLine& line : lines_for_people(report)) {
    for (std::size_t column = 0; column < line.size(); ++column) {
      text += column + 1 == line.size() ? line[column].english() + "\n"
                                        : base::padded(line[column].english(), column == 0 ? 10 : 22);
    }
  }
  return text;
}

inline ExamReport examined(const Habit& habit, Protocol protocol = Protocol::usi) {
  return examined(habit, setup_for(protocol));
}

}  // namespace kakehashi::usi::test
