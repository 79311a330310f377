#include "sim/kept_link.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>
#include <vector>

#include "base/overload.hpp"
#include "sim/network.hpp"

namespace kakehashi::sim {

using base::Millis;

namespace {

constexpr Millis lives_max{60'000};
constexpr Millis connect_max{5'000};

bool is_info(const std::string& line) { return line.starts_with("info"); }

}  // namespace

KeptLink::KeptLink(Agenda& agenda, const KeptEngine& ways, Dice dice, SimEngine& engine, EventSink events,
                   ComplaintSink complaints)
    : agenda_(agenda),
      ways_(ways),
      dice_(dice),
      engine_(engine),
      events_(std::move(events)),
      complaints_(std::move(complaints)) {}

base::SteadyTime KeptLink::now() const { return now_at(agenda_.at()).steady; }

Millis KeptLink::delay() {
  return ways_.latency + (ways_.jitter_max == Millis{0} ? Millis{0} : dice_.millis(0, ways_.jitter_max.count()));
}

void KeptLink::be_spared() {
  is_spared_ = true;
  out_until_ = agenda_.at();
}

// --- of the bot

void KeptLink::perform(const bridge::StartEngine& start) {
  id_ = start.engine;
  ++wanted_;
  connections_.clear();
  written_.clear();
  said_.clear();
  told_.reset();
  client_.emplace(keeper::Client::Rules{.ways = ways_.ways, .session = "s" + std::to_string(wanted_)}, now());
  perform_client();
}

void KeptLink::perform(const bridge::WriteEngine& write, int plies) {
  if (write.engine == id_ && client_) {
    written_.push_back({write.line, agenda_.at(), plies});
    client_->write(write.line, now());
    perform_client();
  }
}

void KeptLink::perform(const bridge::StopEngineAt& stop) {
  if (stop.engine == id_ && client_) {
    client_->stop_at(stop.at, now());
    perform_client();
  }
}

void KeptLink::perform(const bridge::KillEngine& kill) {
  if (kill.engine == id_ && client_) {
    has_died_ = true;
    client_->kill();
    perform_client();
  }
}

// --- the client

void KeptLink::perform_client() {
  if (!client_) {
    return;
  }
  for (keeper::ClientAction& action : client_->take_actions()) {
    std::visit(base::Overload{
                   [&](const keeper::OpenLink& one) { open(one.link, one.way); },
                   [&](const keeper::CloseLink& one) { reset(one.link, ""); },
                   [&](keeper::SendLink& one) { send(one.link, std::move(one.text)); },
                   [&](const keeper::HearLine& one) {
                     judge_heard(one.text);
                     tell(bridge::EngineLine{id_, one.text});
                   },
                   [](const keeper::HearError&) {},
                   [&](const keeper::EngineFound&) { tell(bridge::EngineStarted{id_, 4711}); },
                   [&](const keeper::WayUp& one) { tell_link(one.way, true); },
                   [&](const keeper::WayDown& one) { tell_link(one.way, false); },
                   [&](const keeper::NotFound& one) { tell(bridge::EngineFailedToStart{id_, one.why}); },
                   [&](const keeper::EngineGone& one) {
                     judge_loss(one.why.english());
                     tell(bridge::EngineExited{id_, one.why});
                   },
               },
               action);
  }
  const auto measured = client_->round_trip();
  if (measured && (!told_ || measured->mean != told_->mean || measured->deviation != told_->deviation)) {
    told_ = measured;
    tell(bridge::EngineLink{.engine = id_, .is_up = true, .is_out = client_->is_out(), .round_trip = measured->mean,
                            .deviation = measured->deviation});
  }
  wake_client();
}

void KeptLink::wake_client() {
  const auto due = client_->deadline();
  if (!due) {
    return;
  }
  const Millis at = std::chrono::ceil<Millis>(*due - now_at(Millis{0}).steady);
  if (wakes_.insert(at).second) {
    agenda_.put(at, [this, at] {
      wakes_.erase(at);
      if (client_) {
        client_->on_time(now());
        perform_client();
      }
    });
  }
}

/// Behind what happens now, as an event of its own.
void KeptLink::tell(bridge::Event event) {
  agenda_.put_after(Millis{0}, [this, event = std::move(event)] { events_(event); });
}

void KeptLink::tell_link(std::size_t way, bool is_up) {
  const auto known = told_.value_or(keeper::Client::RoundTrip{});
  tell(bridge::EngineLink{.engine = id_, .way = "way" + std::to_string(way), .is_up = is_up, .is_out = client_->is_out(),
                          .why = is_up ? base::Message() : base::verbatim("cut"), .round_trip = known.mean, .deviation = known.deviation});
}

// --- the ways

void KeptLink::open(int link, std::size_t way) {
  connections_.emplace(link, Connection{way});
  const Millis wait = agenda_.at() < out_until_ ? std::min(connect_max, out_until_ - agenda_.at()) : Millis{0};
  if (wait == connect_max) {
    agenda_.put_after(connect_max, [this, link, wanted = wanted_] {
      if (wanted == wanted_ && connections_.contains(link)) {
        reset(link, "connection timed out");
      }
    });
    return;
  }
  agenda_.put_after(wait + 3 * delay(), [this, link, wanted = wanted_] {
    if (wanted == wanted_ && connections_.contains(link)) {
      arrive(link);
    }
  });
}

/// kakehashi-keep attach: it starts a keeper where there is none that is wanted.
void KeptLink::arrive(int link) {
  if (held_ != wanted_) {
    held_ = wanted_;
    is_starting_ = true;
    keeper_.reset();
    engine_.perform(bridge::StartEngine{id_});
  }
  if (!is_starting_) {
    attach(link);
  } else {
    connections_.at(link).keeper = held_;  // as soon as the engine is there
  }
  plan_cut(link);
}

void KeptLink::attach(int link) {
  if (!keeper_) {
    reset(link, "there is no keeper", true);
    return;
  }
  Connection& connection = connections_.at(link);
  connection.keeper = held_;
  keeper_->on_client(link, now());
  for (const std::string& text : std::exchange(connection.early, {})) {
    hear(link, text);
  }
  perform_keeper();
}

void KeptLink::send(int link, std::string text) {
  const auto found = connections_.find(link);
  if (found == connections_.end()) {
    return;
  }
  Connection& connection = found->second;
  if (connection.keeper == 0) {
    connection.early.push_back(std::move(text));  // ssh holds it
    return;
  }
  connection.up_at = std::max(connection.up_at, agenda_.at() + delay());
  agenda_.put(connection.up_at, [this, link, wanted = wanted_, text = std::move(text)] {
    const auto there = connections_.find(link);
    if (wanted != wanted_ || there == connections_.end() || there->second.is_silent) {
      return;
    }
    if (is_starting_) {
      there->second.early.push_back(text);
    } else {
      hear(link, text);
      perform_keeper();
    }
  });
}

void KeptLink::hear(int link, const std::string& text) {
  std::size_t from = 0;
  for (std::size_t end = 0; keeper_ && (end = text.find('\n', from)) != std::string::npos; from = end + 1) {
    keeper_->on_client_line(link, text.substr(from, end - from), now());
  }
}

/// Both ends are told, each in its time; without a reason it was the client's own wish.
void KeptLink::reset(int link, const std::string& why, bool is_final) {
  const auto found = connections_.find(link);
  if (found == connections_.end()) {
    return;
  }
  const bool is_known_there = found->second.keeper != 0 && !found->second.is_silent;
  connections_.erase(found);
  agenda_.put_after(is_known_there ? delay() : 30 * Millis{1'000}, [this, link, held = held_] {
    if (keeper_ && held == held_) {
      keeper_->on_client_gone(link, now());
      perform_keeper();
    }
  });
  if (!why.empty()) {
    agenda_.put_after(Millis{0}, [this, link, why, is_final, wanted = wanted_] {
      if (client_ && wanted == wanted_) {
        client_->on_closed(link, base::verbatim(why), is_final, now());
        perform_client();
      }
    });
  }
}

void KeptLink::plan_cut(int link) {
  if (is_spared_ || ways_.calm) {
    return;
  }
  // Soon behind its beginning, or some time later.
  const Millis lives = dice_.one_in(4) ? dice_.millis(0, 300) : dice_.millis(0, lives_max.count());
  agenda_.put_after(lives, [this, link, wanted = wanted_] {
    if (wanted == wanted_ && !is_spared_ && connections_.contains(link)) {
      cut(link);
    }
  });
}

void KeptLink::cut(int link) {
  ++cuts_;
  constexpr std::array outages{0, 0, 0, 100, 1'000, 5'000, 20'000, 60'000};
  out_until_ = std::max(out_until_, agenda_.at() + Millis{dice_.pick(outages)});
  if (dice_.one_in(2)) {
    connections_.at(link).is_silent = true;
  } else {
    reset(link, "connection reset");
  }
  if (dice_.one_in(2)) {
    return;
  }
  // The other way lies through the same air.
  for (auto& [number, connection] : connections_) {
    connection.is_silent = true;
  }
}

// --- the keeper

void KeptLink::on_engine(const bridge::Event& event) {
  std::visit(base::Overload{
                 [&](const bridge::EngineStarted& started) {
                   if (started.engine == id_ && is_starting_) {
                     is_starting_ = false;
                     has_died_ = false;
                     keeper_.emplace(keeper::Keeper::Rules{.version = "sim"}, now());
                   }
                 },
                 [&](const bridge::EngineFailedToStart& failed) {
                   is_starting_ = is_starting_ && failed.engine != id_;
                 },
                 [&](const bridge::EngineLine& line) {
                   if (line.engine == id_ && keeper_) {
                     if (!is_info(line.text)) {
                       said_.push_back(line.text);
                     }
                     keeper_->on_engine_line(line.text, now());
                   }
                 },
                 [&](const bridge::EngineExited& exited) {
                   has_died_ |= exited.engine == id_;
                   if (exited.engine == id_ && keeper_) {
                     keeper_->on_engine_exit(exited.status.english(), now());
                   } else if (exited.engine == id_) {
                     is_starting_ = false;
                   }
                 },
                 [](const auto&) {},
             },
             event);
  if (!is_starting_) {
    std::vector<int> early;
    for (const auto& [link, connection] : connections_) {
      if (connection.keeper == held_ && held_ == wanted_ && !connection.is_silent) {
        early.push_back(link);
      }
    }
    if (std::holds_alternative<bridge::EngineStarted>(event) || std::holds_alternative<bridge::EngineFailedToStart>(event)) {
      for (const int link : early) {
        attach(link);
      }
    }
  }
  perform_keeper();
}

void KeptLink::perform_keeper() {
  for (bool is_leaving = false; keeper_;) {
    std::vector<int> closing;
    const auto actions = keeper_->take_actions();
    for (const keeper::Action& action : actions) {
      std::visit(base::Overload{
                     [&](const keeper::WriteEngine& one) { write(one.line); },
                     [&](const keeper::KillEngine&) { engine_.perform(bridge::KillEngine{id_, Millis{0}}); },
                     [&](const keeper::CloseClient& one) {
                       const auto found = connections_.find(one.client);
                       if (found != connections_.end() && !found->second.is_silent) {
                         closing.push_back(one.client);
                       }
                     },
                     [&](const keeper::Leave&) { is_leaving = true; },
                 },
                 action);
    }
    for (auto& [number, connection] : connections_) {
      const auto link = number;  // no binding may be captured
      std::string text = connection.keeper == 0 ? "" : keeper_->take_text(link, std::size_t{1} << 20U);
      if (text.empty()) {
        continue;
      }
      connection.down_at = std::max(connection.down_at, agenda_.at() + delay());
      agenda_.put(connection.down_at, [this, link, wanted = wanted_, text = std::move(text)] {
        const auto there = connections_.find(link);
        if (wanted != wanted_ || there == connections_.end() || there->second.is_silent || !client_) {
          return;
        }
        std::size_t from = 0;
        for (std::size_t end = 0; (end = text.find('\n', from)) != std::string::npos; from = end + 1) {
          client_->on_line(link, text.substr(from, end - from), now());
        }
        perform_client();
      });
    }
    for (const auto& [link, connection] : connections_) {
      if (is_leaving && connection.keeper != 0 && !connection.is_silent) {
        closing.push_back(link);
      }
    }
    for (const int link : closing) {
      // Behind what was said last.
      agenda_.put(connections_.at(link).down_at, [this, link, wanted = wanted_] {
        if (wanted == wanted_) {
          reset(link, "closed by the other side");
        }
      });
    }
    if (is_leaving) {
      keeper_.reset();
      return;
    }
    if (actions.empty()) {
      break;
    }
  }
  wake_keeper();
}

void KeptLink::wake_keeper() {
  const auto due = keeper_ ? keeper_->deadline() : std::nullopt;
  if (!due) {
    return;
  }
  const Millis at = std::chrono::ceil<Millis>(*due - now_at(Millis{0}).steady);
  agenda_.put(at, [this, held = held_, due = *due] {
    if (keeper_ && held == held_ && keeper_->deadline() == due) {
      keeper_->on_time(now());
      perform_keeper();
    }
  });
}

// --- that each line arrives, and once

/// To the engine. A "stop" may be the keeper's own, and one that would come too late is kept from it.
void KeptLink::write(const std::string& line) {
  if (line != "stop" && line != "quit") {
    while (!written_.empty() && written_.front().line == "stop") {
      written_.pop_front();
    }
    if (written_.empty() || written_.front().line != line) {
      complaints_("the engine is told \"" + line + "\", and was to be told \"" +
                  (written_.empty() ? "nothing" : written_.front().line) + "\"");
    }
  }
  const bool is_own = written_.empty() || written_.front().line != line;
  if (!is_own) {
    said_at_ = written_.front().at;
    said_on_ = written_.front().plies;
    written_.pop_front();
  }
  engine_.perform(bridge::WriteEngine{id_, line});
}

/// Its search survives the link.
void KeptLink::judge_loss(const std::string& why) {
  if (keeper_ && held_ == wanted_ && !has_died_) {
    complaints_("an engine that lives is given up: " + why);
  }
}

void KeptLink::judge_heard(const std::string& line) {
  if (is_info(line)) {
    return;
  }
  if (said_.empty() || said_.front() != line) {
    complaints_("heard of the engine: \"" + line + "\", and it said \"" + (said_.empty() ? "nothing" : said_.front()) +
                "\"");
  }
  if (!said_.empty()) {
    said_.pop_front();
  }
}

}  // namespace kakehashi::sim
