#include "support/played_run.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/overload.hpp"
#include "journal/journal.hpp"

namespace kakehashi::support {

namespace {

constexpr const char* program = "kakehashi test";

/// What a journal keeps of them, and what it hides.
std::string kept_of(const bridge::Actions& actions) {
  std::string text;
  for (const bridge::Action& action : actions) {
    text += journal::encode(action, 0);
    if (const auto* write = std::get_if<bridge::WriteServer>(&action)) {
      text += write->line + "\n";
    }
  }
  return text;
}

}  // namespace

PlayedRun::PlayedRun(config::BotConfig config, std::uint64_t seed)
    : config_(std::move(config)), seed_(seed), mask_(config_) {}

void PlayedRun::add(const journal::Entry& entry) {
  entries_.push_back({journal::encode(entry, entries_.size() + 1), std::holds_alternative<bridge::Action>(entry)});
}

void PlayedRun::take(const bridge::Event* event, base::Now now, const bridge::Actions& actions) {
  ++steps_;
  follow_peers(event, actions);
  undone_.insert(undone_.end(), actions.begin(), actions.end());
  if (event == nullptr) {
    add(journal::Opened{journal::format_version, program, config_.name, "run", 1, false});
    for (const config::PlainSetting& setting : config::plain_settings(config_)) {
      add(setting);
    }
    add(journal::Started{seed_, now});
  } else {
    if (const auto token = bridge::token_in(*event)) {
      token_ = *token;
    }
    held_.push_back({now, *event});
    const auto* line = std::get_if<bridge::ServerLine>(event);
    if (line != nullptr && line->more && actions.empty()) {
      return;
    }
    for (const auto& [at, happened] : std::exchange(held_, {})) {
      add(journal::Happened{at, mask_.kept(happened).value_or(happened)});
    }
  }
  for (const bridge::Action& action : actions) {
    add(action);
  }
  head_ = event == nullptr ? entries_.size() : head_;
}

void PlayedRun::carried_out(const bridge::Bot& bot) {
  undone_.clear();
  if (held_.empty()) {
    done_ = steps_;
  }
  if (auto finished = bot.finished_game(); finished != last_finished_) {
    last_finished_ = std::move(finished);
    token_.clear();  // a driver has it forgotten
  }
}

/// As journal/replay counts what was written to each.
void PlayedRun::follow_peers(const bridge::Event* event, const bridge::Actions& actions) {
  if (event != nullptr) {
    std::visit(base::Overload{
                   [&](const bridge::ServerConnected&) { line_.clear(); },
                   [&](const bridge::EngineFailedToStart& failed) { engines_.erase(failed.engine); },
                   [&](const bridge::EngineExited& exited) { engines_.erase(exited.engine); },
                   [](const auto&) {},
               },
               *event);
  }
  for (const bridge::Action& action : actions) {
    std::visit(base::Overload{
                   [&](const bridge::WriteServer& write) { line_ += write.line + "\n"; },
                   [&](const bridge::StartEngine& start) { engines_[start.engine].clear(); },
                   [&](const bridge::WriteEngine& write) {
                     if (const auto engine = engines_.find(write.engine); engine != engines_.end()) {
                       engine->second += write.line + "\n";
                     }
                   },
                   [](const auto&) {},
               },
               action);
  }
}

std::string PlayedRun::text_of(std::size_t from, std::size_t until, bool has_actions) const {
  std::string text;
  for (std::size_t i = from; i < until; ++i) {
    text += has_actions || !entries_[i].is_action ? entries_[i].text : "";
  }
  return text;
}

base::Result<PlayedRun::Heir, std::string> PlayedRun::follow(std::uint64_t chance) {
  const std::size_t drawn = head_ + static_cast<std::size_t>(chance / 64) % (entries_.size() - head_ + 1);
  const std::size_t filed = chance % 4 == 0 ? 0 : drawn;
  const std::size_t read_before = chance / 4 % 2 == 0 ? 0 : filed / 2;  // while the process played that has died
  const std::size_t left_from = chance / 8 % 2 == 0 ? filed : filed / 2;
  const bool compares = chance / 16 % 2 == 0;
  journal::Follower follower(config_, program, compares ? journal::Comparing::always : journal::Comparing::with_other_versions);
  for (const auto& [from, until] : {std::pair{std::size_t{0}, read_before}, std::pair{read_before, filed}}) {
    if (from != until) {
      const base::Message why = follower.take(journal::read(text_of(from, until, true)), from == 0 ? 0 : done_, token_);
      if (!why.empty()) {
        return base::Failure<std::string>{why.english()};
      }
    }
  }
  auto run = follower.finish(text_of(left_from, entries_.size(), false), done_, token_);
  if (!run) {
    return base::Failure<std::string>{run.error().english()};
  }
  Heir heir{std::move(*run), {}};
  for (const bridge::Actions& actions : heir.run.undone) {
    heir.undone.insert(heir.undone.end(), actions.begin(), actions.end());
  }
  last_finished_ = heir.run.bot.finished_game();
  std::string wrong = judge(heir, filed);
  if (!wrong.empty()) {
    return base::Failure<std::string>{std::move(wrong)};
  }
  return heir;
}

std::string PlayedRun::judge(const Heir& heir, std::size_t filed) const {
  const journal::FollowedRun& run = heir.run;
  if (run.steps + 1 + held_.size() != steps_) {
    return "it counts " + std::to_string(run.steps) + " steps of " + std::to_string(steps_ - 1);
  }
  if (kept_of(heir.undone) != kept_of(undone_)) {
    return "it takes for undone:\n" + kept_of(heir.undone) + "and undone is:\n" + kept_of(undone_);
  }
  if (run.has_line && run.line_bytes != line_.size()) {  // a token of a game that is over may stand there otherwise
    return "it counts " + std::to_string(run.line_bytes) + " bytes to the server, of " + std::to_string(line_.size());
  }
  for (const auto& [engine, left] : run.engines) {
    const auto found = engines_.find(engine);
    if (found == engines_.end() || left.bytes != found->second.size() || !found->second.ends_with(left.last)) {
      return "it counts " + std::to_string(left.bytes) + " bytes to " + bridge::engine_word(engine);
    }
  }
  if (run.engines.size() != engines_.size()) {
    return "it counts " + std::to_string(run.engines.size()) + " engines of " + std::to_string(engines_.size());
  }
  // The journal goes on as if nothing had happened.
  std::string rest;
  std::uint64_t number = run.filed_number;
  for (const bridge::Action& action : run.unwritten) {
    rest += journal::encode(action, ++number);
  }
  for (const auto& [happened, actions] : run.unfiled) {
    rest += journal::encode(happened, ++number);
    for (const bridge::Action& action : actions) {
      rest += journal::encode(action, ++number);
    }
  }
  if (const std::string expected = text_of(std::max(filed, head_), entries_.size(), true); filed != 0 && rest != expected) {
    return "its journal goes on:\n" + rest + "and should:\n" + expected;
  }
  return "";
}

}  // namespace kakehashi::support
