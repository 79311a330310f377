#include "keeper/client.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "base/checksum.hpp"
#include "base/overload.hpp"
#include "base/text.hpp"

namespace kakehashi::keeper {

using base::Millis;
using base::SteadyTime;
using Micros = std::chrono::microseconds;

namespace {

constexpr std::size_t why_bytes_max = 300;

/// As TCP smooths its round trip (RFC 6298).
Client::RoundTrip smoothed(const std::optional<Client::RoundTrip>& before, Micros sample) {
  if (!before) {
    return {sample, sample / 2};
  }
  return {(7 * before->mean + sample) / 8, (3 * before->deviation + std::chrono::abs(sample - before->mean)) / 4};
}

}  // namespace

// --- what is said

std::string Spoken::spell(const Waiting& waiting, SteadyTime now) {
  const std::string number = std::to_string(waiting.number);
  if (waiting.word.text) {
    return "in " + number + " " + *waiting.word.text + "\n";
  }
  const Millis left = std::clamp(std::chrono::ceil<Millis>(waiting.word.stop_at - now), Millis{0}, stop_after_max);
  return "until " + number + " " + std::to_string(left.count()) + "\n";
}

std::optional<std::string> Spoken::add(Word word, SteadyTime now) {
  Waiting waiting{++last_, std::move(word)};
  waiting_bytes_ += waiting.bytes();
  if (waiting_bytes_ > waiting_bytes_max) {
    return std::nullopt;
  }
  return spell(waiting_.emplace_back(std::move(waiting)), now);
}

void Spoken::acknowledge(std::uint64_t number) {
  acknowledged_ = std::max(acknowledged_, number);
  while (!waiting_.empty() && waiting_.front().number <= number) {
    waiting_bytes_ -= waiting_.front().bytes();
    waiting_.pop_front();
  }
}

std::string Spoken::lines(SteadyTime now) const {
  std::string lines;
  for (const Waiting& waiting : waiting_) {
    lines += spell(waiting, now);
  }
  return lines;
}

// --- whether a link is alive

void Pings::ask(std::uint64_t token, SteadyTime now, Millis every) {
  due_ = now + every;
  asked_.push_back({token, now});
  if (asked_.size() > asked_max) {
    asked_.pop_front();
  }
}

std::optional<Micros> Pings::on_pong(std::uint64_t token, SteadyTime now) {
  std::optional<Micros> taken;
  while (!asked_.empty() && asked_.front().token <= token) {
    if (asked_.front().token == token) {
      taken = std::chrono::duration_cast<Micros>(now - asked_.front().at);
    }
    asked_.pop_front();
  }
  return taken;
}

// --- the client

Client::Client(Rules rules, SteadyTime now) : rules_(std::move(rules)), ways_(rules_.ways) {
  for (std::size_t way = 0; way < ways_.size(); ++way) {
    open(way, now);
  }
}

// --- links

void Client::open(std::size_t way, SteadyTime now) {
  ways_[way].open_at.reset();
  const int number = ++links_so_far_;
  Link link{.way = way, .state = Opening{.since = now, .acknowledged = spoken_.acknowledged()}};
  // Said at once: the answer to one that has to wait for it first would come a round trip later.
  link.outgoing = "hello " + std::to_string(protocol) + " " + rules_.session + " " + std::to_string(seen_) + "\n";
  link.outgoing += spoken_.lines(now);
  links_.emplace(number, std::move(link));
  actions_.emplace_back(OpenLink{number, way});
}

template <class Is>
void Client::close_each(Is is) {
  std::erase_if(links_, [&](const auto& entry) {
    const bool ends = is(entry.first, entry.second);
    if (ends) {
      actions_.emplace_back(CloseLink{entry.first});
    }
    return ends;
  });
}

void Client::on_closed(int link, const base::Message& why, bool is_final, SteadyTime now) {
  const auto found = links_.find(link);
  if (found == links_.end() || has_ended()) {
    return;
  }
  const std::size_t way = found->second.way;
  links_.erase(found);
  const bool is_last = links_.empty();
  const bool is_sought = std::holds_alternative<Seeking>(phase_);
  if (is_final && (is_sought || is_last)) {
    end(why);
    return;
  }
  ++ways_[way].failures;
  const bool has_each_failed =
      std::all_of(ways_.begin(), ways_.end(), [](const Way& one) { return one.failures > 0; });
  if (is_sought && is_last && has_each_failed) {
    end(why);
    return;
  }
  watch_way(way, why, now);
}

/// A link that is given up here is not heard of again.
void Client::drop(int link, const base::Message& why, SteadyTime now) {
  actions_.emplace_back(CloseLink{link});
  on_closed(link, why, false, now);
}

/// Whether the way is up, for those who ask; and that it has a link, or gets one.
void Client::watch_way(std::size_t way, const base::Message& why, SteadyTime now) {
  if (has_ended()) {
    return;
  }
  Way& present = ways_[way];
  const auto has_link = [&](const auto& is_such) {
    return std::any_of(links_.begin(), links_.end(),
                       [&](const auto& entry) { return entry.second.way == way && is_such(entry.second); });
  };
  const bool is_up = has_link([](const Link& link) { return link.is_up(); });
  if (is_up != std::exchange(present.is_up, is_up)) {
    if (is_up) {
      actions_.emplace_back(WayUp{way});
    } else {
      actions_.emplace_back(WayDown{way, why});
    }
  }
  if (is_up) {
    present.open_at.reset();
  }
  if (auto* found = std::get_if<Found>(&phase_)) {
    found->out_since = is_out() ? std::optional(found->out_since.value_or(now)) : std::nullopt;
  }
  const bool has_sound_link =
      has_link([](const Link& link) { return !std::holds_alternative<Doubted>(link.state); });
  if (has_sound_link || present.open_at) {
    return;
  }
  if (present.failures <= 1) {
    open(way, now);
    return;
  }
  present.open_at = now + std::min(rules_.pause_max, Millis{250} * (1 << std::min(present.failures - 2, 6)));
}

// --- to the engine

void Client::write(std::string line, SteadyTime now) { queue({.text = std::move(line)}, now); }

void Client::stop_at(SteadyTime at, SteadyTime now) { queue({.stop_at = at}, now); }

void Client::queue(Spoken::Word word, SteadyTime now) {
  if (has_ended()) {
    return;
  }
  const auto words = spoken_.add(std::move(word), now);
  if (!words) {
    end(base::say("too much waits to be said to it"));
    return;
  }
  for (auto& [number, link] : links_) {
    link.outgoing += *words;
  }
}

void Client::kill() {
  if (has_ended()) {
    return;
  }
  for (auto& [number, link] : links_) {
    if (!std::holds_alternative<Opening>(link.state)) {
      link.outgoing += "kill\n";
    }
  }
  end(base::say("killed"));
}

// --- from the keeper

void Client::on_line(int number, std::string_view line, SteadyTime now) {
  const auto found = links_.find(number);
  if (found == links_.end() || has_ended()) {
    return;
  }
  Link& link = found->second;
  std::string_view rest = line;
  const std::string_view word = take_word(rest);
  if (word == "refused") {
    on_refusal(number, rest, now);
    return;
  }
  if (std::holds_alternative<Opening>(link.state)) {
    on_greeting(number, line, now);
    return;
  }
  const bool was_doubted = std::holds_alternative<Doubted>(link.state);
  link.state = Up{.heard_at = now};
  if (was_doubted) {
    watch_way(link.way, {}, now);
  }
  if (word == "pong") {
    on_pong(link, rest, now);
    return;
  }
  const auto count = take_number(rest);
  if (word == "ack" && count && *count <= spoken_.last()) {
    spoken_.acknowledge(*count);
    return;
  }
  const bool is_numbered = word == "out" || word == "err" || word == "stopped" || word == "lost" || word == "exit";
  if (!is_numbered || !count || *count == 0) {
    drop(number, base::say("the other side says {}", base::quoted(line, 60)), now);
    return;
  }
  if (*count > seen_) {
    seen_ = *count;
    on_numbered(number, word, rest);
  }
}

void Client::on_numbered(int link, std::string_view word, std::string_view text) {
  ++links_.at(link).acks_owed;
  if (word == "out") {
    actions_.emplace_back(HearLine{std::string(text)});
  } else if (word == "err") {
    actions_.emplace_back(HearError{std::string(text)});
  } else if (word == "exit") {
    end(base::verbatim(std::string(text)));
  }
}

void Client::on_greeting(int number, std::string_view line, SteadyTime now) {
  Link& link = links_.at(number);
  auto& opening = std::get<Opening>(link.state);
  std::string_view rest = line;
  const bool is_greeting = take_word(rest) == "keeper";
  const auto spoken = take_number(rest);
  const std::string version(take_word(rest));
  const auto accepted = take_number(rest);
  if (!is_greeting || !spoken || !accepted || !rest.empty()) {
    if (++opening.noise_lines > noise_lines_max) {
      drop(number, base::say("the other side says much, and is no keeper"), now);
    }
    return;
  }
  if (*accepted < opening.acknowledged || *accepted > spoken_.last()) {
    end(base::say("the engine was started anew by its machine"));
    return;
  }
  spoken_.acknowledge(*accepted);
  link.state = Up{.heard_at = now};
  link.pings = Pings(now);
  const std::size_t way = link.way;
  ways_[way].failures = 0;
  // The one before it has done its work.
  close_each([&](int other, const Link& one) { return other != number && one.way == way; });
  if (std::holds_alternative<Seeking>(phase_)) {
    phase_ = Found{};
    actions_.emplace_back(EngineFound{version});
  }
  watch_way(way, {}, now);
}

void Client::on_refusal(int link, std::string_view refusal, SteadyTime now) {
  std::string_view why = refusal;
  const std::string_view code = take_word(why);
  const auto text = base::quoted(why, why_bytes_max);
  if (code == "other" || code == "taken") {
    end(code == "other" ? base::say("the engine was started anew by its machine")
                        : base::say("another bridge has taken the engine"));
  } else if (code == "protocol") {
    end(base::say("the keeper there speaks another protocol: {}", text));
  } else {
    drop(link, base::say("the keeper refuses: {}", text), now);
  }
}

void Client::on_pong(Link& link, std::string_view token, SteadyTime now) {
  const auto number = take_number(token);
  const auto taken = number ? link.pings.on_pong(*number, now) : std::nullopt;
  if (taken) {
    ways_[link.way].round_trip = smoothed(ways_[link.way].round_trip, *taken);
  }
}

void Client::end(const base::Message& why) {
  if (has_ended()) {
    return;
  }
  // One that came through now would ask for an engine that this client has given up, and the next one may have.
  close_each([](int, const Link& link) { return std::holds_alternative<Opening>(link.state); });
  const bool is_sought = std::holds_alternative<Seeking>(phase_);
  phase_ = Ended{is_sought ? ClientAction(NotFound{why}) : ClientAction(EngineGone{why})};
}

// --- time

void Client::on_time(SteadyTime now) {
  std::vector<int> numbers;
  for (const auto& entry : links_) {
    numbers.push_back(entry.first);
  }
  for (const int number : numbers) {
    if (!has_ended() && links_.contains(number)) {
      look_at(number, now);
    }
  }
  for (std::size_t way = 0; way < ways_.size() && !has_ended(); ++way) {
    if (ways_[way].open_at && now >= *ways_[way].open_at) {
      open(way, now);
    }
  }
  if (const auto limit = gives_up_at(); limit && now >= *limit) {
    end(base::say("its machine could not be reached for {}", base::duration(rules_.give_up_after.count())));
  }
}

void Client::look_at(int number, SteadyTime now) {
  Link& link = links_.at(number);
  if (const auto* opening = std::get_if<Opening>(&link.state)) {
    if (now >= opening->since + rules_.attach_max) {
      drop(number, base::say("no answer within {}", base::duration(rules_.attach_max.count())), now);
    }
    return;
  }
  if (const auto* doubted = std::get_if<Doubted>(&link.state);
      doubted != nullptr && now >= doubted->since + rules_.drop_after) {
    drop(number, base::say("nothing was heard of it"), now);
    return;
  }
  if (now >= link.pings.due()) {
    link.pings.ask(++pings_, now, rules_.ping_every);
    link.outgoing += "ping " + std::to_string(pings_) + "\n";
  }
  if (const auto* up = std::get_if<Up>(&link.state); up != nullptr && now >= up->heard_at + rules_.doubt_after) {
    link.state = Doubted{.since = now};
    watch_way(link.way, base::say("nothing was heard for {}", base::duration(rules_.doubt_after.count())), now);
  }
}

std::optional<SteadyTime> Client::gives_up_at() const {
  const auto* found = std::get_if<Found>(&phase_);
  return found != nullptr && found->out_since ? std::optional(*found->out_since + rules_.give_up_after) : std::nullopt;
}

std::optional<SteadyTime> Client::deadline() const {
  if (has_ended()) {
    return std::nullopt;
  }
  std::optional<SteadyTime> next = gives_up_at();
  for (const Way& way : ways_) {
    next = base::earlier(next, way.open_at);
  }
  for (const auto& [number, link] : links_) {
    const SteadyTime ping_at = link.pings.due();
    const auto limit = std::visit(
        base::Overload{
            [&](const Opening& opening) { return opening.since + rules_.attach_max; },
            [&](const Up& up) { return std::min(ping_at, up.heard_at + rules_.doubt_after); },
            [&](const Doubted& doubted) { return std::min(ping_at, doubted.since + rules_.drop_after); },
        },
        link.state);
    next = base::earlier(next, limit);
  }
  return next;
}

bool Client::is_out() const {
  return std::none_of(links_.begin(), links_.end(), [](const auto& entry) { return entry.second.is_up(); });
}

std::optional<Client::RoundTrip> Client::round_trip() const {
  std::optional<RoundTrip> fastest;
  for (const Way& way : ways_) {
    if (way.is_up && way.round_trip && (!fastest || way.round_trip->mean < fastest->mean)) {
      fastest = way.round_trip;
    }
  }
  return fastest;
}

std::vector<ClientAction> Client::take_actions() {
  for (auto& [number, link] : links_) {
    const bool is_due = !link.outgoing.empty() || link.acks_owed >= unacknowledged_max || has_ended();
    if (link.acks_owed > 0 && is_due) {
      link.acks_owed = 0;
      link.outgoing += "ack " + std::to_string(seen_) + "\n";
    }
    if (!link.outgoing.empty()) {
      actions_.emplace_back(SendLink{number, std::exchange(link.outgoing, {})});
    }
  }
  if (auto* ended = std::get_if<Ended>(&phase_); ended != nullptr && ended->last_word) {
    actions_.push_back(*std::exchange(ended->last_word, std::nullopt));
  }
  return std::exchange(actions_, {});
}

// --- the command that attaches to a keeper: on this machine, or on another through ssh, whose shell gets nothing that was
// not quoted here. It starts nothing.

namespace {

constexpr std::size_t name_bytes_max = 40;

constexpr std::string_view plain =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";

}  // namespace

std::string keeper_name(std::string_view text) {
  std::string name(text.substr(0, name_bytes_max));
  for (char& c : name) {
    c = plain.find(c) == std::string_view::npos ? '_' : c;
  }
  if (name.empty() || name.front() == '.' || name.front() == '-') {
    name.insert(name.begin(), '_');
  }
  if (name == text) {
    return name;
  }
  std::array<char, 16> sum{};
  std::snprintf(sum.data(), sum.size(), "-%08x", static_cast<unsigned>(base::crc32c(text)));
  return name + sum.data();
}

std::vector<std::string> attach_words(const Attachment& attachment) {
  std::vector<std::string> words{"attach", attachment.name};
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) {
      words.emplace_back(option);
      words.push_back(value);
    }
  };
  add("--directory", attachment.directory);
  add("--keep-in", attachment.keep_in);
  add("--mark", attachment.mark);
  add("--fresh", attachment.fresh);
  for (const std::string& pattern : attachment.pass) {
    add("--pass", pattern);
  }
  if (attachment.core_dumps) {
    words.emplace_back("--core-dumps");
  }
  if (attachment.ends_with_client) {
    words.emplace_back("--end-with-client");
  }
  words.emplace_back("--");
  words.insert(words.end(), attachment.command.begin(), attachment.command.end());
  return words;
}

std::vector<std::string> ssh_command(std::string_view host) {
  if (host.find(' ') != std::string_view::npos) {
    std::vector<std::string> words;
    for (const std::string_view word : base::split_words(host)) {
      words.emplace_back(word);
    }
    return words;
  }
  return {"ssh",
          "-T",                             // no terminal, which would change bytes
          "-o", "BatchMode=yes",            // nobody is there to type a password
          "-o", "ConnectTimeout=5",
          "-o", "IPQoS=af21",               // as for a person who types: else Wi-Fi takes it for a file that is copied
          "-o", "ServerAliveInterval=5",
          "-o", "ServerAliveCountMax=3",
          "-o", "ControlMaster=no",         // a shared connection would hold up the one that is to replace it
          "-o", "ControlPath=none",
          "-o", "ClearAllForwardings=yes",  // a forwarded port is taken while the old connection lives
          "-o", "ForwardAgent=no",
          "-o", "ForwardX11=no",
          std::string(host)};
}

std::string quote_for_shell(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string remote_command(const std::vector<std::string>& words) {
  // The login shell may be any; what it gets is three quoted words and more.
  std::string line = "exec /bin/sh -c " +
                     quote_for_shell("PATH=\"$HOME/" + std::string(installed_in) + ":$PATH\" exec kakehashi-keep \"$@\"") + " sh";
  for (const std::string& word : words) {
    line += " " + quote_for_shell(word);
  }
  return line;
}

}  // namespace kakehashi::keeper
