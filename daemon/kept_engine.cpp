#include "daemon/kept_engine.hpp"

#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <optional>

#include "base/checksum.hpp"
#include "base/overload.hpp"
#include "base/text.hpp"
#include "keeper/client.hpp"
#include "usi/engine_encoding.hpp"
#include "usi/io/engine_process.hpp"
#include "usi/output_sieve.hpp"

namespace kakehashi::daemon {

namespace asio = boost::asio;
using boost::system::error_code;
using usi::io::EngineProcess;

namespace {

/// For what was said last, before the links are closed under it.
constexpr base::Millis farewell{1'000};
/// A round trip that differs by less is no news.
constexpr std::chrono::microseconds round_trip_step{1'000};
constexpr std::size_t last_words_max = 5;
constexpr std::size_t words_bytes_max = 300;
constexpr int no_such_program = 127;  ///< a shell's exit status

base::SteadyTime now() { return std::chrono::steady_clock::now(); }

std::string random_word() {
  std::array<unsigned char, 12> bytes{};
  static_cast<void>(!::getrandom(bytes.data(), bytes.size(), 0));
  std::string word;
  for (const unsigned char byte : bytes) {
    word += fmt::format("{:02x}", byte);
  }
  return word;
}

/// Of what a local engine gets besides its command: with another one it has to be started anew.
std::string mark_of(const config::Engine& settings) {
  const usi::ProcessLimits& limits = settings.limits;
  std::string text = std::to_string(limits.memory) + " " + std::to_string(limits.address_space) + " " +
                     std::to_string(limits.open_files.value_or(0)) + (limits.core_dumps ? " core " : " ") +
                     std::to_string(limits.nice) + " " + limits.cpus;
  for (const auto& [name, value] : settings.environment) {
    text += "\n" + name + "=" + value;
  }
  return fmt::format("{:08x}", base::crc32c(text));
}

/// The other side has answered, by sysexits or as a shell: there will be no keeper. Anything else is the way's fault.
bool is_final(usi::ProcessEnd end) {
  constexpr std::array answers{64, 69, 73, 126, no_such_program};
  return end.how == usi::ProcessEnd::How::exited &&
         std::find(answers.begin(), answers.end(), end.number) != answers.end();
}

}  // namespace

std::string keeper_program() {
  std::array<char, 4096> path{};
  const ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size() - 1);
  std::string beside(path.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  beside = beside.substr(0, beside.rfind('/') + 1) + "kakehashi-keep";
  return ::access(beside.c_str(), X_OK) == 0 ? beside : "kakehashi-keep";
}

std::vector<std::vector<std::string>> link_commands(const config::Engine& settings, const std::string& name,
                                                    const std::string& fresh) {
  keeper::Attachment attachment{.name = keeper::keeper_name(name), .command = settings.command,
                                .directory = settings.directory, .mark = {}, .keep_in = {},
                                .ends_with_client = !settings.keep, .core_dumps = settings.limits.core_dumps, .fresh = fresh};
  if (settings.pass_environment != std::vector{std::string(base::usual_environment)}) {
    attachment.pass = settings.pass_environment;
  }
  std::vector<std::vector<std::string>> commands;
  for (const std::string& host : settings.host) {
    commands.push_back(keeper::ssh_command(host));
    commands.back().push_back(keeper::remote_command(keeper::attach_words(attachment)));
  }
  if (commands.empty()) {
    usi::io::SpawnRequest here;
    here.command = settings.command;
    here.directory = settings.directory;
    attachment.directory = usi::io::directory_of(here);
    // The keeper here has been given nothing else (KeptEngine::Run::open_link).
    attachment.pass = {"*"};
    attachment.pass.insert(attachment.pass.end(), settings.pass_environment.begin(), settings.pass_environment.end());
    for (const auto& variable : settings.environment) {
      attachment.pass.push_back(variable.first);
    }
    attachment.mark = mark_of(settings);
    if (const char* state = std::getenv("STATE_DIRECTORY"); state != nullptr && *state == '/') {
      attachment.keep_in = std::string(state).substr(0, std::string_view(state).find(':')) + "/keep";  // systemd's
    }
    commands.push_back(keeper::attach_words(attachment));
    commands.back().insert(commands.back().begin(), keeper_program());
  }
  return commands;
}

class KeptEngine::Run : public std::enable_shared_from_this<Run> {
 public:
  Run(asio::io_context& context, const config::Engine& settings, Wanted wanted, Callbacks callbacks)
      : context_(context), settings_(settings), wanted_(std::move(wanted)), callbacks_(std::move(callbacks)),
        timer_(context), session_(random_word()) {
    commands_ = link_commands(settings_, wanted_.name, wanted_.fresh ? session_ : "");
  }

  void start() {
    client_.emplace(keeper::Client::Rules{.ways = commands_.size(), .session = session_}, now());
    perform();
  }

  void write(std::string_view lines) {
    if (!client_) {
      return;
    }
    for (const std::string_view line : base::split(lines, '\n')) {
      if (line == "quit" && settings_.keep) {
        let_go(base::say("left running with its keeper"));
        return;
      }
      answers_.asked(1);
      client_->write(encoding_.told(std::string(line)), now());
    }
    perform_soon();
  }

  void stop_at(base::SteadyTime at) {
    if (client_) {
      client_->stop_at(at, now());
      perform_soon();
    }
  }

  void kill() {
    if (client_) {
      client_->kill();
      perform();
    }
  }

  [[nodiscard]] int process() const { return links_.empty() ? -1 : links_.begin()->second.process->process(); }

  void drop() {
    is_dropped_ = true;
    news_.clear();
    timer_.expires_after(farewell);
    timer_.async_wait([self = shared_from_this()](error_code) { self->close_all(); });
  }

 private:
  struct Link {
    std::unique_ptr<EngineProcess> process;
    std::size_t way = 0;
    std::deque<std::string> last_words{};  ///< of ssh, or of the keeper's program
  };

  /// Without a word to the engine.
  void let_go(base::Message status) {
    client_.reset();
    timer_.cancel();
    tell([this, status = std::move(status)] { callbacks_.exited(status); });
  }

  /// Behind the event that it belongs to: what is said at once leaves in one piece.
  void perform_soon() {
    if (!std::exchange(is_performing_soon_, true)) {
      asio::post(context_, [self = shared_from_this()] { self->perform(); });
    }
  }

  void perform() {
    is_performing_soon_ = false;
    if (!client_) {
      return;
    }
    for (keeper::ClientAction& action : client_->take_actions()) {
      std::visit(base::Overload{
                     [&](const keeper::OpenLink& open) { open_link(open); },
                     [&](const keeper::CloseLink& close) { bury(close.link); },
                     [&](const keeper::SendLink& send) {
                       if (const auto found = links_.find(send.link); found != links_.end()) {
                         found->second.process->write(send.text.substr(0, send.text.size() - 1));
                       }
                     },
                     [&](keeper::HearLine& hear) { lines_.push_back(std::move(hear.text)); },
                     [&](keeper::HearError& hear) {
                       for (std::string& text : passed(errors_, {hear.text})) {
                         tell([this, text = usi::readable(std::move(text))] { callbacks_.stderr_line(text); });
                       }
                     },
                     [&](const keeper::EngineFound& found) {
                       version_ = found.version;
                       tell([this] { callbacks_.started(); });
                     },
                     [&](const keeper::WayUp& up) { tell_way(up.way, true, differs()); },
                     [&](const keeper::WayDown& down) { tell_way(down.way, false, down.why); },
                     [&](keeper::NotFound& end) {
                       tell([this, why = std::move(end.why)] { callbacks_.failed(why); });
                     },
                     [&](keeper::EngineGone& end) {
                       tell_last_words();
                       tell([this, why = std::move(end.why)] { callbacks_.exited(why); });
                     },
                 },
                 action);
      if (!lines_.empty() && !std::holds_alternative<keeper::HearLine>(action)) {
        tell_lines();
      }
    }
    if (!lines_.empty()) {
      tell_lines();
    }
    tell_round_trip();
    arm();
  }

  void open_link(const keeper::OpenLink& open) {
    usi::io::SpawnRequest request;
    request.command = commands_[open.way];
    request.directory = ".";
    request.environment = wanted_.environment;
    request.dies_with_us = false;  // its end of file tells the keeper that we are gone, and not only the link
    if (settings_.host.empty()) {
      request.limits = settings_.limits;
    }
    const int number = open.link;
    const std::weak_ptr<Run> watched = weak_from_this();
    const auto with = [watched, number](auto act) {
      if (const auto self = watched.lock(); self && self->client_ && self->links_.contains(number)) {
        act(*self);
      }
    };
    EngineProcess::Callbacks callbacks;
    callbacks.keeps_all = true;
    callbacks.line = [with, number](std::string line, bool more) {
      with([&](Run& run) {
        run.client_->on_line(number, line, now());
        if (!more) {
          run.perform();
        }
      });
    };
    callbacks.stderr_line = [with, number](std::string line, bool) {
      with([&](Run& run) {
        std::deque<std::string>& words = run.links_.at(number).last_words;
        words.push_back(std::move(line));
        if (words.size() > last_words_max) {
          words.pop_front();
        }
      });
    };
    callbacks.exited = [with, number](usi::ProcessEnd end) { with([&](Run& run) { run.on_ended(number, end); }); };
    callbacks.failed = [with, number](const base::Message& why) { with([&](Run& run) { run.on_closed(number, why, true); }); };
    Link link{std::make_unique<EngineProcess>(context_, std::move(callbacks)), open.way};
    const base::Message why = link.process->start(request);
    links_.emplace(number, std::move(link));
    if (!why.empty()) {
      asio::post(context_, [with, number, why] { with([&](Run& run) { run.on_closed(number, why, true); }); });
    }
  }

  void on_ended(int number, usi::ProcessEnd end) {
    const auto words = base::quoted(base::join(links_.at(number).last_words, " / "), words_bytes_max);
    auto why = words.text.empty() ? base::Message(usi::in_words(end)) : base::verbatim(words);
    if (end.how == usi::ProcessEnd::How::exited && end.number == no_such_program && !settings_.host.empty()) {
      const std::string& host = settings_.host[links_.at(number).way];
      // As a shell would take it for one argument.
      const std::string quote = host.find(' ') == std::string::npos ? "" : "\"";
      const std::string command = "kakehashi engine install " + quote + host + quote;
      why = words.text.empty() ? base::say("kakehashi-keep is not there: {}", command)
                               : base::say("kakehashi-keep is not there: {} ({})", command, words);
    }
    on_closed(number, why, is_final(end));
  }

  void on_closed(int number, const base::Message& why, bool is_final) {
    bury(number);
    client_->on_closed(number, why, is_final, now());
    perform();
  }

  /// Not inside its own call.
  void bury(int number) {
    if (const auto found = links_.find(number); found != links_.end()) {
      asio::post(context_, [dead = std::shared_ptr<EngineProcess>(std::move(found->second.process))] {});
      links_.erase(found);
    }
  }

  void close_all() {
    client_.reset();
    while (!links_.empty()) {
      bury(links_.begin()->first);
    }
  }

  void arm() {
    const auto due = client_->deadline();
    if (is_dropped_ || !due) {
      return;
    }
    timer_.expires_at(*due);
    timer_.async_wait([watched = weak_from_this()](error_code failed) {
      if (const auto self = watched.lock(); self && !failed && self->client_ && !self->is_dropped_) {
        self->client_->on_time(now());
        self->perform();
      }
    });
  }

  // --- news: told by the loop, one behind the other

  void tell(std::function<void()> news) {
    if (is_dropped_) {
      return;
    }
    news_.push_back(std::move(news));
    if (news_.size() == 1) {
      asio::post(context_, [watched = weak_from_this()] {
        if (const auto self = watched.lock()) {
          self->tell_all();
        }
      });
    }
  }

  void tell_all() {
    while (!news_.empty() && !is_dropped_) {
      const auto news = news_.front();
      news();
      if (!news_.empty()) {
        news_.pop_front();
      }
    }
  }

  std::vector<std::string> passed(usi::OutputSieve& sieve, const std::vector<std::string_view>& lines) {
    auto sifted = sieve.sift(lines, now());
    if (sifted.left_out > 0) {
      tell([this] { callbacks_.floods(); });
    }
    return std::move(sifted.lines);
  }

  void tell_last_words() {
    for (std::string& line : answers_.take_last_words()) {
      tell([this, line = encoding_.heard(std::move(line))] { callbacks_.line(line, false); });
    }
    for (std::string& line : errors_.take_last_words()) {
      tell([this, line = usi::readable(std::move(line))] { callbacks_.stderr_line(line); });
    }
  }

  void tell_lines() {
    auto lines = passed(answers_, {lines_.begin(), lines_.end()});
    lines_.clear();
    for (std::size_t i = 0; i < lines.size(); ++i) {
      tell([this, line = encoding_.heard(std::move(lines[i])), more = i + 1 < lines.size()] { callbacks_.line(line, more); });
    }
  }

  [[nodiscard]] bridge::EngineLink present_link() const {
    const auto round_trip = client_->round_trip().value_or(known_);
    return {.engine = {}, .is_out = client_->is_out(), .round_trip = round_trip.mean, .deviation = round_trip.deviation};
  }

  void tell_way(std::size_t way, bool is_up, base::Message why) {
    bridge::EngineLink link = present_link();
    link.way = settings_.host.empty() ? "kakehashi-keep" : settings_.host[way];
    link.is_up = is_up;
    link.why = std::move(why);
    tell([this, link] { callbacks_.link(link); });
  }

  void tell_round_trip() {
    const auto measured = client_->round_trip();
    if (!measured) {
      return;
    }
    const auto differs = [](std::chrono::microseconds one, std::chrono::microseconds other) {
      return std::chrono::abs(one - other) > std::max(round_trip_step, other / 4);
    };
    if (is_known_ && !differs(measured->mean, known_.mean) && !differs(measured->deviation, known_.deviation)) {
      return;
    }
    is_known_ = true;
    known_ = *measured;
    bridge::EngineLink link = present_link();
    link.is_up = true;
    tell([this, link] { callbacks_.link(link); });
  }

  [[nodiscard]] base::Message differs() const {
    return version_ == KAKEHASHI_VERSION ? base::Message()
                                         : base::say("kakehashi-keep {} is there, and kakehashi {} here",
                                                     version_.substr(0, 40), std::string(KAKEHASHI_VERSION));
  }

  asio::io_context& context_;
  config::Engine settings_;
  Wanted wanted_;
  Callbacks callbacks_;
  asio::steady_timer timer_;
  std::string session_;
  std::vector<std::vector<std::string>> commands_;
  std::optional<keeper::Client> client_;
  std::map<int, Link> links_;
  std::deque<std::function<void()>> news_;
  std::vector<std::string> lines_;
  usi::EngineEncoding encoding_;
  usi::OutputSieve answers_;
  usi::OutputSieve errors_;
  std::string version_;
  bool is_known_ = false;
  keeper::Client::RoundTrip known_{};
  bool is_performing_soon_ = false;
  bool is_dropped_ = false;
};

KeptEngine::KeptEngine(asio::io_context& context, const config::Engine& settings, Wanted wanted, Callbacks callbacks)
    : run_(std::make_shared<Run>(context, settings, std::move(wanted), std::move(callbacks))) {}

KeptEngine::~KeptEngine() { run_->drop(); }

void KeptEngine::start() { run_->start(); }
void KeptEngine::write(std::string_view lines) { run_->write(lines); }
void KeptEngine::stop_at(base::SteadyTime at) { run_->stop_at(at); }
void KeptEngine::kill() { run_->kill(); }
int KeptEngine::process() const { return run_->process(); }

}  // namespace kakehashi::daemon
