#include "support/performance.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/overload.hpp"
#include "base/text.hpp"

namespace kakehashi::support {

using base::Millis;

namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines lines;
  for (const std::string_view line : base::split(text, '\n')) {
    lines.emplace_back(line);
  }
  if (!lines.empty() && lines.back().empty()) {
    lines.pop_back();
  }
  return lines;
}

std::string format_row(Millis at, const std::string& text) {
  std::string instant = format_instant(at);
  instant.resize(std::max<std::size_t>(10, instant.size() + 1), ' ');
  // The two-byte marker "<+" begins one column earlier, so that the peers stand in one column.
  std::string row = instant + (text.starts_with("<+") ? "" : " ") + text;
  row.erase(row.find_last_not_of(' ') + 1);
  return row;
}

/// What a note says for programs; its sentence is pinned by no script.
std::string fields_of(const bridge::Note& note) {
  std::string text;
  for (const auto& [key, value] : note.fields) {
    text += " " + key + "=" + value;
  }
  return text;
}

/// Writes actions as rows, one or more each.
class Scribe {
 public:
  explicit Scribe(bool shows_records) : shows_records_(shows_records) {}

  void write(Millis at, const bridge::Actions& actions) {
    for (const bridge::Action& action : actions) {
      for (const std::string& text : describe(action)) {
        rows_.push_back(format_row(at, text));
      }
    }
  }
  [[nodiscard]] Lines take() { return std::exchange(rows_, {}); }

 private:
  Lines describe(const bridge::Action& action) {
    return std::visit(
        base::Overload{
            [](const bridge::ConnectServer&) { return Lines{"> server (connect)"}; },
            [](const bridge::WriteServer& write) {
              if (write.line.empty()) {
                return Lines{"> server (blank)"};
              }
              const bool is_masked = write.line != write.log_as;
              return Lines{"> server " + write.line +
                           (is_masked ? "   (shown as: " + write.log_as + ")" : "")};
            },
            [](const bridge::CloseServer&) { return Lines{"> server (close)"}; },
            [](const bridge::HoldLine&) { return Lines{}; },  // each turn has its own: hold_line_test.cpp
            [](const bridge::StartEngine& start) {
              return Lines{"> " + bridge::engine_word(start.engine) + " (start)"};
            },
            [](const bridge::WriteEngine& write) {
              return Lines{"> " + bridge::engine_word(write.engine) + " " + write.line};
            },
            [](const bridge::StopEngineAt& stop) {
              return Lines{"> keeper of " + bridge::engine_word(stop.engine) + " (when to stop it)"};
            },
            [](const bridge::KillEngine& kill) {
              return Lines{"> " + bridge::engine_word(kill.engine) + " (kill" +
                           (kill.grace.count() > 0
                                ? " after " + base::format_millis(kill.grace.count())
                                : "") +
                           ")"};
            },
            [](const bridge::ArmTimer&) { return Lines{}; },
            [this](const bridge::BeginRecord& begin) {
              record_ = lines_of(begin.text);
              return with_record("= begin " + begin.stem + begin.extensions.front(), record_);
            },
            [this](const bridge::AppendRecord& append) {
              const Lines added = lines_of(append.text);
              record_.insert(record_.end(), added.begin(), added.end());
              std::string text = "= append";
              for (const std::string& line : added) {
                text += " " + line;
              }
              return Lines{text};
            },
            [this](const bridge::FinishRecord& finish) { return describe(finish); },
            [](const bridge::LookUpBook& look_up) { return Lines{"> book " + look_up.position}; },
            [](const bridge::RecallClock&) { return Lines{}; },
            [](const bridge::KeepClock& keep) {
              return Lines{"= clock of " + bridge::engine_word(keep.engine) + " " +
                           std::string(usi::word_of(keep.clocks.reading)) +
                           (keep.clocks.swaps_sides ? " swapped" : "")};
            },
            [](const bridge::Note& note) {
              return note.level == bridge::Level::debug
                         ? Lines{}
                         : Lines{std::string("* ") + bridge::describe(note.level) + " " + note.code + fields_of(note)};
            },
            [](const bridge::GameEnded& ended) {
              return Lines{std::string("= game ") + csa::describe(ended.outcome) + " " +
                           (ended.reason.empty() ? "-" : ended.reason) + (ended.is_lost_sight ? " unheard" : "") +
                           " after " + std::to_string(ended.moves)};
            },
            [](const bridge::IsFact auto&) { return Lines{}; },  // each has its note: the referee sees to it
            [](const bridge::ReportReady&) { return Lines{"> supervisor ready"}; },
            [](const bridge::PhaseChanged& changed) { return Lines{std::string("* phase ") + bridge::code_of(changed.phase)}; },
            [](const bridge::Exit& done) {
              return Lines{"> supervisor exit " + std::to_string(done.status)};
            },
        },
        action);
  }

  /// The finished record: what is new in it, when it goes on from what was written before.
  Lines describe(const bridge::FinishRecord& finish) {
    Lines whole = lines_of(finish.files.front().text);
    std::string ended;
    if (!shows_records_) {
      // The header alone learns when the game ended; the rest goes on from what was written.
      std::erase_if(whole, [&](const std::string& line) {
        const bool is_end_time = line.starts_with("$END_TIME:");
        ended += is_end_time ? " " + line : "";
        return is_end_time;
      });
    }
    const bool goes_on = whole.size() >= record_.size() &&
                         std::equal(record_.begin(), record_.end(), whole.begin());
    if (shows_records_ || !goes_on) {
      Lines rows{goes_on ? "= finish" : "= finish, rewritten"};
      for (const std::string& line : whole) {
        rows.push_back("=   " + line);
      }
      for (std::size_t i = 1; i < finish.files.size(); ++i) {
        rows.push_back("= file " + finish.stem + finish.files[i].extension);
        for (const std::string& line : lines_of(finish.files[i].text)) {
          rows.push_back("=   " + line);
        }
      }
      return rows;
    }
    std::string text = "= finish" + ended;
    for (std::size_t i = record_.size(); i < whole.size(); ++i) {
      text += " " + whole[i];
    }
    return {text};
  }

  [[nodiscard]] Lines with_record(const std::string& title, const Lines& record) const {
    Lines rows{title};
    if (shows_records_) {
      for (const std::string& line : record) {
        rows.push_back("=   " + line);
      }
    }
    return rows;
  }

  bool shows_records_;
  Lines rows_;
  Lines record_;
};

}  // namespace

Performance perform(const Script& script, const Stage::Deaths& deaths) {
  Performance performance;
  Scribe scribe(script.shows_records);
  Lines text = script.header;
  const auto append = [&](const Lines& lines) {
    text.insert(text.end(), lines.begin(), lines.end());
  };

  Stage stage(script.config, 1,
              [&](Millis at, const bridge::Event*, const bridge::Actions& actions) {
                scribe.write(at, actions);
                for (const bridge::Action& action : actions) {
                  if (const auto* note = std::get_if<bridge::Note>(&action)) {
                    performance.notes.push_back(*note);
                  }
                }
              });
  if (script.tells_clocks) {
    stage.remember_clocks(std::nullopt);
  }
  if (deaths) {
    stage.let_die(PlayedRun(script.config, 1), deaths, script.inputs.size());
  }
  for (const ScriptInput& input : script.inputs) {
    stage.pass_to(input.at);
    append(scribe.take());
    append(input.before);
    text.push_back(format_row(input.at, input.text));
    for (const Happening& happening : input.happenings) {
      std::visit(base::Overload{[&](const BotStarts&) { stage.start(); },
                                [](const TimePasses&) {},
                                [&](const bridge::Event& event) { stage.happen(event); }},
                 happening);
    }
    const Lines rows = scribe.take();
    if (!input.is_quiet) {
      append(rows);
    }
  }
  append(script.after);

  for (const std::string& line : text) {
    performance.text += line + "\n";
  }
  performance.steps = stage.steps();
  performance.complaints = stage.referee().complaints();
  return performance;
}

std::string describe_difference(const std::string& before, const std::string& after) {
  const Lines a = lines_of(before);
  const Lines b = lines_of(after);
  // The longest common subsequence; scripts have some hundred lines at most.
  std::vector<std::vector<std::size_t>> common(a.size() + 1,
                                               std::vector<std::size_t>(b.size() + 1, 0));
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;) {
      common[i][j] = a[i] == b[j] ? common[i + 1][j + 1] + 1
                                  : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  Lines rows;
  std::vector<bool> is_change;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() || j < b.size()) {
    const bool same = i < a.size() && j < b.size() && a[i] == b[j];
    if (same) {
      rows.push_back("  " + a[i++]);
      ++j;
    } else if (j == b.size() || (i < a.size() && common[i + 1][j] >= common[i][j + 1])) {
      rows.push_back("- " + a[i++]);
    } else {
      rows.push_back("+ " + b[j++]);
    }
    is_change.push_back(!same);
  }
  constexpr std::size_t around = 3;
  std::string text;
  bool gap = false;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    bool is_near = false;
    for (std::size_t k = row < around ? 0 : row - around; k < rows.size() && k <= row + around;
         ++k) {
      is_near = is_near || is_change[k];
    }
    if (is_near) {
      text += (gap ? "  ...\n" : "") + rows[row] + "\n";
    }
    gap = !is_near;
  }
  return text;
}

}  // namespace kakehashi::support
