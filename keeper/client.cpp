#include "keeper/client.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"

namespace kakehashi::keeper {

using base::Millis;
using base::SteadyTime;
using Micros = std::chrono::microseconds;

namespace {

constexpr std::size_t asked_max = 16;
constexpr std::size_t why_bytes_max = 300;

std::string_view take_word(std::string_view& rest) {
  const std::string_view word = rest.substr(0, rest.find(' '));
  rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  return word;
}

std::optional<std::uint64_t> to_number(std::string_view word) {
  const auto number = base::parse_int(word);
  return number && *number >= 0 ? std::optional(static_cast<std::uint64_t>(*number)) : std::nullopt;
}

/// As TCP smooths its round trip (RFC 6298).
Client::RoundTrip smoothed(const std::optional<Client::RoundTrip>& before, Micros sample) {
  if (!before) {
    return {sample, sample / 2};
  }
  return {(7 * before->mean + sample) / 8, (3 * before->deviation + std::chrono::abs(sample - before->mean)) / 4};
}

}  // namespace

Client::Client(Rules rules, SteadyTime now) : rules_(std::move(rules)), ways_(rules_.ways), out_since_(now) {
  for (std::size_t way = 0; way < ways_.size(); ++way) {
    open(way, now);
  }
}

// --- links

void Client::open(std::size_t way, SteadyTime now) {
  ways_[way].open_at.reset();
  const int number = ++links_so_far_;
  Link link{.way = way, .opened_at = now, .acknowledged = acknowledged_};
  // Said at once: the answer to one that has to wait for it first would come a round trip later.
  link.outgoing = "hello " + std::to_string(protocol) + " " + rules_.session + " " + std::to_string(seen_) + "\n";
  for (const Waiting& waiting : waiting_) {
    link.outgoing += spell(waiting, now);
  }
  links_.emplace(number, std::move(link));
  actions_.emplace_back(OpenLink{number, way});
}

void Client::close(int link) {
  links_.erase(link);
  actions_.emplace_back(CloseLink{link});
}

bool Client::has_link(std::size_t way, bool counts_doubted) const {
  return std::any_of(links_.begin(), links_.end(), [&](const auto& entry) {
    const Link& link = entry.second;
    return link.way == way && (counts_doubted || link.state != State::doubted);
  });
}

void Client::on_closed(int link, std::string why, bool is_final, SteadyTime now) {
  const auto found = links_.find(link);
  if (found == links_.end() || has_ended_) {
    return;
  }
  const std::size_t way = found->second.way;
  links_.erase(found);
  why = why.substr(0, why_bytes_max);
  const bool is_last = links_.empty();
  if (is_final && (!is_found_ || is_last)) {
    end(why);
    return;
  }
  ++ways_[way].failures;
  const bool has_each_failed =
      std::all_of(ways_.begin(), ways_.end(), [](const Way& one) { return one.failures > 0; });
  if (!is_found_ && is_last && has_each_failed) {
    end(why);
    return;
  }
  watch_way(way, why, now);
}

/// A link that is given up here is not heard of again.
void Client::drop(int link, const std::string& why, SteadyTime now) {
  actions_.emplace_back(CloseLink{link});
  on_closed(link, why, false, now);
}

/// Whether the way is up, for those who ask; and that it has a link, or gets one.
void Client::watch_way(std::size_t way, const std::string& why, SteadyTime now) {
  if (has_ended_) {
    return;
  }
  Way& present = ways_[way];
  const bool is_up = std::any_of(links_.begin(), links_.end(), [&](const auto& entry) {
    return entry.second.way == way && entry.second.state == State::up;
  });
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
  if (!is_out()) {
    out_since_.reset();
  } else if (!out_since_) {
    out_since_ = now;
  }
  if (has_link(way, false) || present.open_at) {
    return;
  }
  if (present.failures <= 1) {
    open(way, now);
    return;
  }
  present.open_at = now + std::min(rules_.pause_max, Millis{250} * (1 << std::min(present.failures - 2, 6)));
}

// --- to the engine

std::string Client::spell(const Waiting& waiting, SteadyTime now) {
  const std::string number = std::to_string(waiting.number);
  if (waiting.text) {
    return "in " + number + " " + *waiting.text + "\n";
  }
  const Millis left = std::clamp(std::chrono::ceil<Millis>(waiting.stop_at - now), Millis{0}, stop_after_max);
  return "until " + number + " " + std::to_string(left.count()) + "\n";
}

void Client::write(std::string line, SteadyTime now) { queue({.number = 0, .text = std::move(line)}, now); }

void Client::stop_at(SteadyTime at, SteadyTime now) { queue({.number = 0, .text = {}, .stop_at = at}, now); }

void Client::queue(Waiting waiting, SteadyTime now) {
  if (has_ended_) {
    return;
  }
  waiting.number = ++said_;
  waiting_bytes_ += sizeof(Waiting) + waiting.text.value_or("").size();
  if (waiting_bytes_ > waiting_bytes_max) {
    end("too much waits to be said to it");
    return;
  }
  const std::string words = spell(waiting, now);
  waiting_.push_back(std::move(waiting));
  for (auto& [number, link] : links_) {
    link.outgoing += words;
  }
}

void Client::kill() {
  if (has_ended_) {
    return;
  }
  for (auto& [number, link] : links_) {
    if (link.state != State::opening) {
      link.outgoing += "kill\n";
    }
  }
  end("killed");
}

void Client::on_acknowledged(std::uint64_t number) {
  acknowledged_ = std::max(acknowledged_, number);
  while (!waiting_.empty() && waiting_.front().number <= number) {
    waiting_bytes_ -= sizeof(Waiting) + waiting_.front().text.value_or("").size();
    waiting_.pop_front();
  }
}

// --- from the keeper

void Client::on_line(int number, std::string_view line, SteadyTime now) {
  const auto found = links_.find(number);
  if (found == links_.end() || has_ended_) {
    return;
  }
  Link& link = found->second;
  link.heard_at = now;
  std::string_view rest = line;
  const std::string_view word = take_word(rest);
  if (word == "refused") {
    on_refusal(number, rest, now);
    return;
  }
  if (link.state == State::opening) {
    on_greeting(number, line, now);
    return;
  }
  if (link.state == State::doubted) {
    link.state = State::up;
    watch_way(link.way, "", now);
  }
  if (word == "pong") {
    on_pong(link, rest, now);
    return;
  }
  const auto count = to_number(take_word(rest));
  if (word == "ack" && count && *count <= said_) {
    on_acknowledged(*count);
    return;
  }
  const bool is_numbered = word == "out" || word == "err" || word == "stopped" || word == "lost" || word == "exit";
  if (!is_numbered || !count || *count == 0) {
    drop(number, "the other side says " + base::quote_for_log(line, 60), now);
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
  } else if (word == "stopped") {
    actions_.emplace_back(StopSaid{});
  } else if (word == "lost") {
    actions_.emplace_back(InfoLost{to_number(text).value_or(0)});
  } else {
    end(std::string(text));
  }
}

void Client::on_greeting(int number, std::string_view line, SteadyTime now) {
  Link& link = links_.at(number);
  std::string_view rest = line;
  const bool is_greeting = take_word(rest) == "keeper";
  const auto spoken = to_number(take_word(rest));
  const std::string version(take_word(rest));
  const auto accepted = to_number(rest);
  if (!is_greeting || !spoken || !accepted) {
    if (++link.noise_lines > noise_lines_max) {
      drop(number, "the other side says much, and is no keeper", now);
    }
    return;
  }
  if (*accepted < link.acknowledged || *accepted > said_) {
    end("the engine was started anew by its machine");
    return;
  }
  on_acknowledged(*accepted);
  link.state = State::up;
  link.ping_at = now;
  const std::size_t way = link.way;
  ways_[way].failures = 0;
  // The one before it has done its work.
  std::vector<int> older;
  for (const auto& [other, one] : links_) {
    if (other != number && one.way == way) {
      older.push_back(other);
    }
  }
  for (const int other : older) {
    close(other);
  }
  if (!std::exchange(is_found_, true)) {
    actions_.emplace_back(EngineFound{version});
  }
  watch_way(way, "", now);
}

void Client::on_refusal(int link, std::string_view refusal, SteadyTime now) {
  std::string_view why = refusal;
  const std::string_view code = take_word(why);
  const std::string text = base::quote_for_log(why, why_bytes_max);
  if (code == "other" || code == "taken") {
    end(code == "other" ? "the engine was started anew by its machine" : "another bridge has taken the engine");
  } else if (code == "protocol") {
    end("the keeper there speaks another protocol: " + text);
  } else {
    drop(link, "the keeper refuses: " + text, now);
  }
}

void Client::on_pong(Link& link, std::string_view token, SteadyTime now) {
  const auto number = to_number(token);
  while (!link.asked.empty() && number && link.asked.front().token <= *number) {
    if (link.asked.front().token == *number) {
      const auto taken = std::chrono::duration_cast<Micros>(now - link.asked.front().at);
      ways_[link.way].round_trip = smoothed(ways_[link.way].round_trip, taken);
    }
    link.asked.pop_front();
  }
}

void Client::end(const std::string& why) {
  if (std::exchange(has_ended_, true)) {
    return;
  }
  last_ = is_found_ ? ClientAction(EngineGone{why}) : ClientAction(NotFound{why});
}

// --- time

void Client::on_time(SteadyTime now) {
  if (has_ended_) {
    return;
  }
  std::vector<int> numbers;
  for (const auto& entry : links_) {
    numbers.push_back(entry.first);
  }
  for (const int number : numbers) {
    if (!has_ended_ && links_.contains(number)) {
      look_at(number, now);
    }
  }
  for (std::size_t way = 0; way < ways_.size() && !has_ended_; ++way) {
    if (ways_[way].open_at && now >= *ways_[way].open_at) {
      open(way, now);
    }
  }
  if (!has_ended_ && is_found_ && out_since_ && now >= *out_since_ + rules_.give_up_after) {
    end("its machine could not be reached for " + base::format_millis(rules_.give_up_after.count()));
  }
}

void Client::look_at(int number, SteadyTime now) {
  Link& link = links_.at(number);
  if (link.state == State::opening) {
    if (now >= link.opened_at + rules_.attach_max) {
      drop(number, "no answer within " + base::format_millis(rules_.attach_max.count()), now);
    }
    return;
  }
  if (link.state == State::doubted && now >= link.doubted_at + rules_.drop_after) {
    drop(number, "nothing was heard of it", now);
    return;
  }
  if (now >= link.ping_at) {
    link.ping_at = now + rules_.ping_every;
    link.asked.push_back({++pings_, now});
    if (link.asked.size() > asked_max) {
      link.asked.pop_front();
    }
    link.outgoing += "ping " + std::to_string(pings_) + "\n";
  }
  if (link.state == State::up && now >= link.heard_at + rules_.doubt_after) {
    link.state = State::doubted;
    link.doubted_at = now;
    watch_way(link.way, "nothing was heard for " + base::format_millis(rules_.doubt_after.count()), now);
  }
}

std::optional<SteadyTime> Client::deadline() const {
  if (has_ended_) {
    return std::nullopt;
  }
  std::optional<SteadyTime> next = is_found_ && out_since_ ? std::optional(*out_since_ + rules_.give_up_after) : std::nullopt;
  for (const Way& way : ways_) {
    next = base::earlier(next, way.open_at);
  }
  for (const auto& [number, link] : links_) {
    if (link.state == State::opening) {
      next = base::earlier(next, link.opened_at + rules_.attach_max);
      continue;
    }
    const SteadyTime limit = link.state == State::up ? link.heard_at + rules_.doubt_after : link.doubted_at + rules_.drop_after;
    next = base::earlier(base::earlier(next, link.ping_at), limit);
  }
  return next;
}

bool Client::is_out() const {
  return std::none_of(links_.begin(), links_.end(), [](const auto& entry) { return entry.second.state == State::up; });
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
    const bool is_due = !link.outgoing.empty() || link.acks_owed >= unacknowledged_max || has_ended_;
    if (link.acks_owed > 0 && is_due) {
      link.acks_owed = 0;
      link.outgoing += "ack " + std::to_string(seen_) + "\n";
    }
    if (!link.outgoing.empty()) {
      actions_.emplace_back(SendLink{number, std::exchange(link.outgoing, {})});
    }
  }
  if (last_) {
    actions_.push_back(*std::exchange(last_, std::nullopt));
  }
  return std::exchange(actions_, {});
}

}  // namespace kakehashi::keeper
