#include "daemon/estate.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"
#include "config/schema/plain_settings.hpp"
#include "csa/io/socket_bytes.hpp"
#include "csa/message.hpp"

namespace kakehashi::daemon {
namespace {

/// "engine 0:3": of a stream, and of the first part of the names of its descriptors.
std::string word_of(bridge::EngineId engine) {
  return "engine " + std::to_string(engine.seat) + ":" + std::to_string(engine.launch);
}

std::string legacy_of(const std::string& bot) { return bot + std::string(holder::seen_by_understudy); }

constexpr std::string_view ended_word = "ended ";

/// As an earlier process has left it.
std::optional<int> status_at_end(const holder::Kept& kept, const std::string& bot) {
  const std::string word = bot + "/" + std::string(ended_word);
  const auto names = kept.names(word);
  const auto status = names.empty() ? std::nullopt : base::parse_int(std::string_view(names.front()).substr(word.size()));
  return status ? std::optional(static_cast<int>(*status)) : std::nullopt;
}

constexpr std::array<std::string_view, 4> parts{"in", "out", "err", "pid"};

std::array<int, 4> descriptors_of(const usi::io::Spawned& spawned) {
  return {spawned.to_stdin, spawned.from_stdout, spawned.from_stderr, spawned.pidfd};
}

}  // namespace

base::Result<bool, base::Message> Estate::could_be_followed(holder::Kept& kept, const config::BotConfig& bot) {
  if (status_at_end(kept, bot.name)) {
    return true;
  }
  const int left = kept.look_at(legacy_of(bot.name));
  if (left < 0) {
    return base::Failure<base::Message>{base::say("no run of it is left")};
  }
  const auto seen = base::io::Legacy::look(left);
  if (!seen) {
    return base::Failure<base::Message>{base::say("another version has left it")};
  }
  const auto then = config_of_run(kept, bot);
  const auto run = journal::io::try_left_run(*seen, then ? *then : bot);
  if (!run) {
    return base::Failure<base::Message>{run.error()};
  }
  if (run->bot.is_playing() && kept.names(bot.name + "/line ").empty()) {
    return base::Failure<base::Message>{base::say("its connection cannot be handed on (TLS, WebSocket or a proxy)")};
  }
  return true;
}

namespace {

/// Without secrets. Nothing: there is no such run.
std::optional<config::BotConfig> plain_config_of_run(const holder::Kept& kept, const std::string& bot) {
  const int left = kept.look_at(legacy_of(bot));
  const auto seen = left < 0 ? std::nullopt : base::io::Legacy::look(left);
  const auto settings = seen ? journal::io::settings_of_left_run(*seen) : std::vector<config::PlainSetting>();
  config::BotConfig then;
  for (const config::PlainSetting& setting : settings) {
    static_cast<void>(config::apply(setting, then));  // another version's that this one does not know are judged with its run
  }
  return settings.empty() ? std::nullopt : std::optional(std::move(then));
}

}  // namespace

std::optional<config::BotConfig> Estate::config_of_run(const holder::Kept& kept, const config::BotConfig& bot) {
  auto then = plain_config_of_run(kept, bot.name);
  if (then) {
    config::take_secrets(*then, bot);
  }
  return then && config::plain_settings(*then) == config::plain_settings(bot) ? std::nullopt : then;
}

std::vector<config::BotConfig> Estate::configs_of_runs(const holder::Kept& kept) {
  std::vector<config::BotConfig> all;
  for (const std::string& name : kept.names("")) {
    if (name.ends_with(holder::seen_by_understudy)) {
      if (auto then = plain_config_of_run(kept, name.substr(0, name.size() - holder::seen_by_understudy.size()))) {
        all.push_back(std::move(*then));
      }
    }
  }
  return all;
}

Estate::Estate(holder::Kept* kept, std::string bot)
    : kept_(kept != nullptr && kept->is_held() ? kept : nullptr), bot_(std::move(bot)) {
  if (kept_ == nullptr) {
    return;
  }
  ended_with_ = status_at_end(*kept_, bot_);
  if (const int left = kept_->take(legacy_of(bot_)); left >= 0) {
    legacy_ = base::io::Legacy::take_over(left);
    has_run_ = legacy_ && legacy_->is_whole();
    deaths_ = has_run_ ? legacy_->count_death() : 0;
  }
  if (!legacy_) {
    legacy_ = base::io::Legacy::create();
    if (legacy_ && !kept_->keep(legacy_of(bot_), legacy_->descriptor())) {
      legacy_.reset();
    }
  }
}

// --- the line

base::io::Legacy::Stream* Estate::keep_line(int socket) {
  const auto taken = csa::io::bytes_taken(socket);
  const std::string name = "line " + std::to_string(++lines_);
  auto* stream = legacy_ && taken ? legacy_->stream(name) : nullptr;
  if (stream == nullptr) {
    return nullptr;
  }
  line_names_[stream] = name;
  stream->set_note(*taken);
  if (!kept_->keep(name_of(name), socket)) {
    drop_line(stream);
    return nullptr;
  }
  return stream;
}

void Estate::drop_line(const base::io::Legacy::Stream* stream) {
  if (const auto name = line_names_.extract(stream)) {
    kept_->drop(name_of(name.mapped()));
    legacy_->drop(name.mapped());
  }
}

std::optional<Estate::Line> Estate::take_line() {
  if (!legacy_) {
    return std::nullopt;
  }
  const std::string word = name_of("line ");
  for (const std::string& name : kept_->names(word)) {
    lines_ = std::max(lines_, static_cast<std::uint64_t>(base::parse_int(std::string_view(name).substr(word.size())).value_or(0)));
  }
  const std::string last = "line " + std::to_string(lines_);
  Line line;
  line.stream = legacy_->find(last);
  line.socket = kept_->take(name_of(last));
  if (line.stream != nullptr) {
    line_names_[line.stream] = last;
  }
  const auto taken = line.socket >= 0 ? csa::io::bytes_taken(line.socket) : std::nullopt;
  if (taken && line.stream != nullptr && *taken >= line.stream->note()) {
    line.bytes = *taken - line.stream->note();
    const std::string_view left = line.stream->left();
    const std::uint64_t begin = line.stream->end() - left.size();
    const auto suspect = line.stream->suspect();
    const std::size_t first = left.find('\n');
    const bool is_worked_off = !suspect || *suspect <= begin || first == std::string_view::npos;
    if (deaths_ >= line_is_left_out_from && !is_worked_off) {
      line.is_plain = true;
      line.first = csa::plainest(left.substr(0, first));
      if (!line.first) {
        line.stream->skip_to(begin + first + 1);
      }
    }
    return line;
  }
  if (line.socket >= 0) {
    ::close(line.socket);
  }
  kept_->drop(name_of(last));
  drop_line(line.stream);
  return std::nullopt;
}

// --- the engines

usi::io::EngineProcess::Kept Estate::keep_engine(bridge::EngineId engine, const usi::io::Spawned& spawned) {
  if (!legacy_) {
    return {};
  }
  const std::string name = name_of(word_of(engine) + " " + std::to_string(spawned.process) + "/");
  const auto descriptors = descriptors_of(spawned);
  engines_[engine] = name;
  bool is_kept = true;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    is_kept = kept_->keep(name + std::string(parts[i]), descriptors[i]) && is_kept;
  }
  const usi::io::EngineProcess::Kept kept{legacy_->stream(word_of(engine)), legacy_->stream(word_of(engine) + " errors")};
  if (!is_kept || kept.output == nullptr || kept.errors == nullptr) {
    drop_engine(engine);
    return {};
  }
  return kept;
}

void Estate::drop_engine(bridge::EngineId engine) {
  if (const auto name = engines_.extract(engine)) {
    for (const std::string_view part : parts) {
      kept_->drop(name.mapped() + std::string(part));
    }
  }
  legacy_->drop(word_of(engine));
  legacy_->drop(word_of(engine) + " errors");
}

std::optional<Estate::Engine> Estate::take_engine(bridge::EngineId engine, int process) {
  if (!legacy_) {
    return std::nullopt;
  }
  const std::string name = name_of(word_of(engine) + " " + std::to_string(process) + "/");
  std::array<int, 4> taken{-1, -1, -1, -1};
  bool is_whole = true;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    taken[i] = kept_->take(name + std::string(parts[i]));
    is_whole = is_whole && taken[i] >= 0;
  }
  engines_[engine] = name;
  Engine one;
  one.spawned.process = process;
  one.spawned.to_stdin = taken[0];
  one.spawned.from_stdout = taken[1];
  one.spawned.from_stderr = taken[2];
  one.spawned.pidfd = taken[3];
  one.kept = {legacy_->find(word_of(engine)), legacy_->find(word_of(engine) + " errors")};
  bool is_fit = is_whole && one.kept.output != nullptr && one.kept.errors != nullptr && !one.kept.output->is_in_doubt();
  for (auto* stream : {one.kept.output, one.kept.errors}) {
    const auto suspect = is_fit && deaths_ >= line_is_left_out_from ? stream->suspect() : std::nullopt;
    if (suspect) {
      stream->skip_to(*suspect);
      one.lacks_a_line = true;
      is_fit = deaths_ < engine_is_replaced_from;
    }
  }
  if (is_fit) {
    return one;
  }
  if (is_whole) {
    ::kill(-process, SIGKILL);
  }
  for (const int descriptor : taken) {
    if (descriptor >= 0) {
      ::close(descriptor);
    }
  }
  drop_engine(engine);
  return std::nullopt;
}

void Estate::drop_rest() {
  if (kept_ == nullptr) {
    return;
  }
  for (const std::string& name : kept_->names(bot_ + "/")) {
    const int descriptor = kept_->take(name);
    const std::string_view before = std::string_view(name).substr(0, name.rfind('/'));
    const auto process = base::parse_int(before.substr(before.rfind(' ') + 1));
    pollfd ended{descriptor, POLLIN, 0};
    if (name.ends_with("/pid") && process && *process > 1 && ::poll(&ended, 1, 0) == 0) {
      ::kill(-static_cast<pid_t>(*process), SIGKILL);
    }
    ::close(descriptor);
    kept_->drop(name);
  }
}

void Estate::end(int status) {
  if (kept_ == nullptr) {
    return;
  }
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);  // the name says it all
  static_cast<void>(kept_->keep(name_of(ended_word) + std::to_string(status), nothing));
  ::close(nothing);
  kept_->drop(legacy_of(bot_));
}

// --- the understudy

std::vector<std::shared_ptr<journal::io::RunAhead>> get_ready(holder::Kept& kept,
                                                                const std::vector<config::BotConfig>& bots) {
  std::vector<std::shared_ptr<journal::io::RunAhead>> runs;
  std::vector<int> legacies;
  for (const config::BotConfig& bot : bots) {
    runs.push_back(std::make_shared<journal::io::RunAhead>(bot));
    legacies.push_back(kept.take(legacy_of(bot.name)));
  }
  std::size_t next = 0;  // each a part in its turn
  kept.wait_for_turn([&] {
    for (std::size_t tried = 0; tried < runs.size(); ++tried) {
      const std::size_t index = next++ % runs.size();
      const auto seen = legacies[index] < 0 ? std::nullopt : base::io::Legacy::look(legacies[index]);
      if (seen && runs[index]->take_part(*seen)) {
        return true;
      }
    }
    ::malloc_trim(0);  // it waits for a long time
    return false;
  });
  for (const int legacy : legacies) {
    if (legacy >= 0) {
      ::close(legacy);
    }
  }
  return runs;
}

}  // namespace kakehashi::daemon
