// The failure twins: each golden script is played again and again, cut after every step: once the
// connection breaks there, once the engine dies, once the standby, once engine and
// connection at the same time; once the disk is full from there on, once the bot's clock
// stands still for a while. From then on a server and an engine that behave
// take over, and the bot must come to the end of a game, or of itself, with every invariant kept,
// no illegal move and no flag fallen.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/overload.hpp"
#include "golden/script_files.hpp"
#include "support/fake_engine.hpp"
#include "support/fake_server.hpp"
#include "support/stage.hpp"

namespace kakehashi {
namespace {

using base::Millis;
using support::BotStarts;
using support::FakeEngine;
using support::FakeServer;
using support::Happening;
using support::Script;
using support::Stage;

enum class Cut { server, engine, both, standby, disk, clock };

struct Step {
  Millis at;
  Happening happening;
  std::string course;  ///< all up to it, as scripts write it
};

std::vector<Step> steps_of(const Script& script) {
  std::string course = script.tells_clocks ? "clocks " : "";
  for (const std::string& line : script.header) {
    course += line.starts_with("config ") ? line + "\n" : "";
  }
  std::vector<Step> steps;
  for (const support::ScriptInput& input : script.inputs) {
    course += support::format_instant(input.at) + input.text;
    for (const Happening& happening : input.happenings) {
      steps.push_back({input.at, happening, course += "\n"});
    }
  }
  return steps;
}

/// Scripts that begin alike are cut there once: the second cut would show what the first one did.
bool is_first(Cut cut, const std::string& course) {
  static std::set<std::pair<Cut, std::string>> cuts;
  return cuts.emplace(cut, course).second;
}

/// A line behind which more lines wait cannot be followed by anything else than those.
bool is_cuttable(const Step& step) {
  const auto* event = std::get_if<bridge::Event>(&step.happening);
  const auto* line = event == nullptr ? nullptr : std::get_if<bridge::ServerLine>(event);
  return line == nullptr || !line->more;
}

class Twin {
 public:
  Twin(const Script& script, Cut cut)
      : cut_(cut),
        stage_(script.config, 1,
               [this](Millis at, const bridge::Event* event, const bridge::Actions& actions) {
                 has_stepped_ = true;
                 watch_records(event, actions);
                 if (event != nullptr) {
                   engine_.see(*event);
                   standby_.see(*event);
                   server_.see(*event, at);
                 }
                 engine_.see(actions);
                 standby_.see(actions);
                 server_.see(actions, at);
               }) {
    if (script.tells_clocks) {
      stage_.remember_clocks(std::nullopt);
    }
  }

  void play(const std::vector<Step>& steps, std::size_t count) {
    for (std::size_t i = 0; i < count && !stage_.is_over(); ++i) {
      stage_.pass_to(steps[i].at);
      std::visit(base::Overload{[&](const BotStarts&) { stage_.start(); },
                                [](const support::TimePasses&) {},
                                [&](const bridge::Event& event) { stage_.happen(event); }},
                 steps[i].happening);
    }
  }

  /// False when there is nothing to cut.
  bool cut() {
    if (stage_.is_over()) {
      return false;
    }
    if (cut_ == Cut::disk) {
      stage_.close_book();
      stage_.fill_disk();
      return true;
    }
    if (cut_ == Cut::clock) {
      stage_.close_book();
      stage_.stop_clock();
      clock_goes_on_at_ = stage_.at() + clock_stands_still;
      return true;
    }
    const auto server_end = cut_ == Cut::server || cut_ == Cut::both ? server_.die() : std::nullopt;
    const auto engine_end = cut_ == Cut::server    ? std::nullopt
                            : cut_ == Cut::standby ? standby_.die()
                                                   : engine_.die();
    const bool cuts_server = cut_ == Cut::server || cut_ == Cut::both;
    if (server_end.has_value() != cuts_server || engine_end.has_value() != (cut_ != Cut::server)) {
      return false;
    }
    // A question that is open stays so: the script was to answer it, and no longer does.
    stage_.close_book();
    if (server_end) {
      stage_.happen(*server_end);
      server_.be_difficult();
    }
    if (engine_end && !stage_.is_over()) {
      stage_.happen(*engine_end);
    }
    return true;
  }

  /// Lets the peers that behave go on. True when the bot finished a game or itself.
  bool go_on() {
    const int finished = stage_.view().games_finished;
    const Millis end = stage_.at() + Millis{1'800'000};
    while (!stage_.is_over() && stage_.at() < end) {
      if (std::exchange(has_stepped_, false) && stage_.view().games_finished > finished) {
        return true;
      }
      if (clock_goes_on_at_ && stage_.at() >= *clock_goes_on_at_) {
        clock_goes_on_at_.reset();
        stage_.start_clock();
      }
      stage_.pass_to(stage_.at() + tick);
      for (FakeEngine* engine : {&engine_, &standby_}) {
        if (const auto event = engine->act(); event && !stage_.is_over()) {
          stage_.happen(*event);
        }
      }
      // Lines of one segment come together.
      for (bool more = true; more && !stage_.is_over();) {
        const auto event = server_.act(stage_.at());
        if (event) {
          stage_.happen(*event);
        }
        const auto* line = event ? std::get_if<bridge::ServerLine>(&*event) : nullptr;
        more = line != nullptr && line->more;
      }
    }
    return stage_.is_over();
  }

  [[nodiscard]] std::string complaints() const {
    std::string text;
    for (const std::string& complaint : stage_.referee().complaints()) {
      text += complaint + "\n";
    }
    for (const std::string& complaint : server_.complaints()) {
      text += complaint + "\n";
    }
    if (records_failed_ != failures_told_) {
      text += std::to_string(records_failed_) + " records could not be written, " +
              std::to_string(failures_told_) + " errors say so\n";
    }
    return text;
  }
  [[nodiscard]] std::string phase() const { return name_of(stage_.view().phase).english(); }

 private:
  static constexpr Millis tick{150};
  static constexpr Millis clock_stands_still{5'000};

  /// Whoever cannot have a record is told of it, each time.
  void watch_records(const bridge::Event* event, const bridge::Actions& actions) {
    const auto* written = event == nullptr ? nullptr : std::get_if<bridge::RecordWritten>(event);
    records_failed_ += written != nullptr && !written->why.empty();
    for (const bridge::Action& action : actions) {
      const auto* note = std::get_if<bridge::Note>(&action);
      failures_told_ += note != nullptr && note->code == "record_failed";
    }
  }

  Cut cut_;
  FakeEngine engine_;
  FakeEngine standby_{1};
  FakeServer server_;
  int records_failed_ = 0;
  int failures_told_ = 0;
  std::optional<Millis> clock_goes_on_at_;
  bool has_stepped_ = false;  ///< since it was last looked at: a view costs as much as a step
  Stage stage_;
};

class TwinTest : public testing::Test {
 public:
  TwinTest(std::filesystem::path path, Cut cut) : path_(std::move(path)), cut_(cut) {}

  void TestBody() override {
    const auto script = golden::read(path_);
    ASSERT_TRUE(script) << script.error().what;
    const std::vector<Step> steps = steps_of(*script);
    for (std::size_t count = 1; count <= steps.size(); ++count) {
      if (!is_cuttable(steps[count - 1]) || !is_first(cut_, steps[count - 1].course)) {
        continue;
      }
      Twin twin(*script, cut_);
      twin.play(steps, count);
      if (!twin.cut()) {
        continue;
      }
      EXPECT_TRUE(twin.go_on()) << "cut after step " << count << " of " << steps.size()
                                << ": stuck in phase \"" << twin.phase() << "\"";
      EXPECT_EQ(twin.complaints(), "") << "cut after step " << count << " of " << steps.size();
    }
  }

 private:
  std::filesystem::path path_;
  Cut cut_;
};

/// By its configuration the bot refuses the only opponent, or rests for hours: no twin of it comes to play.
bool stays_away(const std::string& script) {
  return script.find("config schedule.") != std::string::npos ||
         (script.find("config game.own_accounts") != std::string::npos &&
          script.find("config game.meet_own = true") == std::string::npos);
}

}  // namespace

void golden::register_twins() {
  for (const std::filesystem::path& path : golden::files()) {
    const std::string name = path.stem().string();
    if (stays_away(golden::read_text(path))) {
      continue;
    }
    const auto add = [&](const char* suite, Cut cut) {
      testing::RegisterTest(suite, name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                            [path, cut]() -> testing::Test* { return new TwinTest(path, cut); });
    };
    add("golden_server_lost", Cut::server);
    add("golden_engine_lost", Cut::engine);
    if (golden::read_text(path).find("config engine.standby") != std::string::npos) {
      add("golden_standby_lost", Cut::standby);
    }
    add("golden_both_lost", Cut::both);
    add("golden_disk_full", Cut::disk);
    add("golden_clock_stopped", Cut::clock);
  }
}

}  // namespace kakehashi
