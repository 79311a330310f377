#include "daemon/engines.hpp"

#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <algorithm>
#include <utility>

#include "base/io/child.hpp"
#include "base/overload.hpp"
#include "base/text.hpp"
#include "bridge/engine_seats.hpp"
#include "config/engine_config.hpp"
#include "daemon/kept_engine.hpp"
#include "usi/process.hpp"

namespace kakehashi::daemon {

namespace {

/// For an engine that closes its output on its way out.
constexpr base::Millis mute_grace{200};

int process_of(const auto& engine) {
  return std::visit([](const auto& one) { return one->process(); }, engine);
}

}  // namespace

base::PassedEnvironment engine_environment(const config::Engine& settings) {
  auto result = base::pass_environment(settings.pass_environment, base::io::own_environment());
  const auto is_set = [&](const std::string& name) {
    return std::any_of(settings.environment.begin(), settings.environment.end(),
                       [&](const auto& own) { return own.first == name; });
  };
  std::erase_if(result.passed, [&](const auto& variable) { return is_set(variable.first); });
  std::erase_if(result.withheld, is_set);
  result.passed.insert(result.passed.end(), settings.environment.begin(), settings.environment.end());
  return result;
}

Engines::Engines(boost::asio::io_context& context, std::string name, const config::Engine& settings, Happened happened,
                 Remark remark, std::shared_ptr<Estate> estate)
    : context_(context),
      name_(std::move(name)),
      settings_(settings),
      happened_(std::make_shared<Happened>(std::move(happened))),
      remark_(std::move(remark)),
      estate_(estate ? std::move(estate) : std::make_shared<Estate>(nullptr, name_)) {}

Engines::~Engines() { drop_all(); }

usi::io::EngineProcess::Callbacks Engines::callbacks_of(bridge::EngineId engine) {
  const std::weak_ptr<Happened> watched = happened_;
  usi::io::EngineProcess::Callbacks callbacks;
  callbacks.line = [this, watched, engine](std::string line, bool more) {
    if (watched.lock()) {
      tell_line(engine, bridge::EngineLine{engine, std::move(line)}, more);
    }
  };
  callbacks.stderr_line = [this, watched, engine](std::string line, bool more) {
    if (watched.lock()) {
      tell_line(engine, bridge::EngineStderr{engine, std::move(line)}, more);
    }
  };
  callbacks.odd = [this, watched, engine](usi::Oddity oddity) {
    if (!watched.lock()) {
      return;
    }
    if (oddity == usi::Oddity::output_closed) {
      kill(engine, mute_grace);  // it can never answer again: it is ended, so that the core knows while there is time
    } else if (oddity == usi::Oddity::babble) {
      tell_flood(engine);
    }
  };
  callbacks.exited = [this, watched, engine](usi::ProcessEnd end) {
    if (const auto happened = watched.lock()) {
      bury(engine);
      (*happened)(bridge::EngineExited{engine, usi::in_words(end)}, false);
    }
  };
  callbacks.failed = [this, watched, engine](base::Message why) {
    if (const auto happened = watched.lock()) {
      bury(engine);
      (*happened)(bridge::EngineFailedToStart{engine, std::move(why)}, false);
    }
  };
  callbacks.opened = [estate = estate_, engine](const usi::io::Spawned& spawned) { return estate->keep_engine(engine, spawned); };
  callbacks.closed = [estate = estate_, engine] { estate->drop_engine(engine); };
  return callbacks;
}

void Engines::tell_line(bridge::EngineId engine, bridge::Event line, bool more) {
  const auto found = running_.find(engine);
  const auto* process = found == running_.end() ? nullptr : std::get_if<std::unique_ptr<usi::io::EngineProcess>>(&found->second);
  told_ = process == nullptr ? base::io::Legacy::Place{} : (*process)->told();
  (*happened_)(std::move(line), more);
  told_ = {};
}

bool Engines::adopt(bridge::EngineId engine, int process, std::uint64_t bytes, std::string_view last) {
  auto left = estate_->take_engine(engine, process);
  if (!left) {
    return false;
  }
  if (left->lacks_a_line) {
    remark_({bridge::Level::error, "line_left_out",
             base::say("one process after the other died of a line of {}; it is left out", bridge::engine_word(engine)), {}});
  }
  const std::uint64_t written = left->kept.output->written();
  auto adopted = std::make_unique<usi::io::EngineProcess>(context_, callbacks_of(engine));
  adopted->adopt(left->spawned, left->kept);
  if (written > bytes || bytes - written > last.size()) {
    adopted->kill(base::Millis{0});  // told like any other end
  } else if (written < bytes) {
    last.remove_prefix(last.size() - static_cast<std::size_t>(bytes - written));
    last.remove_suffix(1);  // the end of the last line, which write() adds
    adopted->write(std::string(last));
  }
  running_.insert_or_assign(engine, std::move(adopted));
  return true;
}

void Engines::start(bridge::EngineId engine) {
  using usi::io::EngineProcess;
  const std::weak_ptr<Happened> watched = happened_;
  const auto tell = [watched](bridge::Event event, bool more) {
    if (const auto happened = watched.lock()) {
      (*happened)(std::move(event), more);
    }
  };
  config::Engine settings = bridge::engine_in_seat(settings_, engine);
  const std::vector<std::string> cpus = bridge::shares_of_cpus(settings_, usi::io::processors());
  if (engine.seat < cpus.size() && !cpus[engine.seat].empty()) {
    settings.limits.cpus = cpus[engine.seat];
  }
  if (settings.is_kept()) {
    start_kept(engine, settings, tell);
    return;
  }
  EngineProcess::Callbacks callbacks = callbacks_of(engine);
  usi::io::SpawnRequest request;
  request.command = settings.command;
  request.directory = settings.directory;
  auto [passed, withheld] = engine_environment(settings);
  request.environment = std::move(passed);
  request.limits = settings.limits;
  request.dies_with_us = estate_->legacy() == nullptr;
  callbacks.started = telling_start(engine, withheld, usi::io::directory_of(request));
  auto process = std::make_unique<EngineProcess>(context_, std::move(callbacks));
  base::Message why = process->start(request);
  if (!why.empty()) {
    (*happened_)(bridge::EngineFailedToStart{engine, std::move(why)}, false);
    return;
  }
  running_.insert_or_assign(engine, std::move(process));
}

std::function<void()> Engines::telling_start(bridge::EngineId engine, const std::vector<std::string>& withheld,
                                             const std::string& directory) {
  return [this, watched = std::weak_ptr<Happened>(happened_), engine, withheld = base::join(withheld, ", "), directory] {
    const auto happened = watched.lock();
    if (const auto found = running_.find(engine); happened && found != running_.end()) {
      (*happened)(bridge::EngineStarted{engine, process_of(found->second), withheld, directory}, false);
    }
  };
}

void Engines::start_kept(bridge::EngineId engine, const config::Engine& settings, const Tell& tell) {
  const std::weak_ptr<Happened> watched = happened_;
  const auto end_by = [this, watched, engine](bridge::Event event) {
    if (const auto happened = watched.lock()) {
      bury(engine);
      (*happened)(std::move(event), false);
    }
  };
  auto [passed, withheld] = engine_environment(settings);
  KeptEngine::Callbacks callbacks;
  callbacks.started = telling_start(engine, withheld, settings_.directory);
  callbacks.failed = [end_by, engine](base::Message why) { end_by(bridge::EngineFailedToStart{engine, std::move(why)}); };
  callbacks.exited = [end_by, engine](base::Message status) { end_by(bridge::EngineExited{engine, std::move(status)}); };
  callbacks.line = [tell, engine](std::string line, bool more) { tell(bridge::EngineLine{engine, std::move(line)}, more); };
  callbacks.stderr_line = [tell, engine](std::string line) { tell(bridge::EngineStderr{engine, std::move(line)}, false); };
  callbacks.floods = [this, watched, engine] {
    if (watched.lock()) {
      tell_flood(engine);
    }
  };
  callbacks.link = [tell, engine](bridge::EngineLink link) {
    link.engine = engine;
    tell(std::move(link), false);
  };
  auto kept = std::make_unique<KeptEngine>(
      context_, settings,
      KeptEngine::Wanted{.name = name_ + (engine.seat == 0 ? "" : "-" + bridge::seat_word(engine.seat)), .fresh = engine.launch > 1,
                         .environment = std::move(passed)},
      std::move(callbacks));
  kept->start();
  running_.insert_or_assign(engine, std::move(kept));
}

void Engines::write(bridge::EngineId engine, std::string lines) {
  if (const auto found = running_.find(engine); found != running_.end()) {
    std::visit([&](const auto& one) { one->write(std::move(lines)); }, found->second);
  }
}

void Engines::stop_at(bridge::EngineId engine, base::SteadyTime at) {
  if (const auto found = running_.find(engine); found != running_.end()) {
    if (const auto* kept = std::get_if<std::unique_ptr<KeptEngine>>(&found->second)) {
      (*kept)->stop_at(at);
    }
  }
}

void Engines::kill(bridge::EngineId engine, base::Millis grace) {
  if (const auto found = running_.find(engine); found != running_.end()) {
    std::visit(base::Overload{[&](const std::unique_ptr<usi::io::EngineProcess>& process) { process->kill(grace); },
                              [](const std::unique_ptr<KeptEngine>& kept) { kept->kill(); }},
               found->second);
  }
}

void Engines::tell_flood(bridge::EngineId engine) {
  if (flooding_.insert(engine).second) {
    remark_({bridge::Level::warn, "engine_floods",
             base::say("{} says more than is read: lines of it are left out, and no answer; is its debugging switched on?",
                       bridge::engine_word(engine)),
             {}});
  }
}

std::vector<int> Engines::processes() const {
  std::vector<int> ids;
  for (const auto& [engine, process] : running_) {
    ids.push_back(process_of(process));
  }
  return ids;
}

void Engines::drop_all() {
  happened_ = std::make_shared<Happened>(*happened_);
  for (const auto& [id, engine] : running_) {
    if (!bridge::engine_in_seat(settings_, id).keep) {
      kill(id, base::Millis{0});
    }
  }
  bury(std::exchange(running_, {}));
}

void Engines::bury(bridge::EngineId engine) {
  Running dead;
  dead.insert(running_.extract(engine));
  bury(std::move(dead));
}

void Engines::bury(Running dead) {
  // Shared because a handler must be copyable.
  boost::asio::post(context_, [held = std::make_shared<Running>(std::move(dead))] {});
}

}  // namespace kakehashi::daemon
