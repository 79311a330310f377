#include "watch/notices.hpp"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <variant>

#include "base/overload.hpp"
#include "base/utf8.hpp"

namespace kakehashi::watch {

namespace {

using boost::json::object;
using config::NotifyEvent;
using config::NotifyTemplate;

/// By NotifyEvent.
constexpr std::array event_words{"paired", "started", "result", "rescue", "no_game", "disconnected", "test"};

constexpr std::size_t text_bytes_max = 1'500;  ///< Discord takes 2,000 characters

std::string clean(std::string_view text) {
  return base::one_line(text, base::OtherBytes::replace, text_bytes_max);
}

/// Slack's three signs (Slack, "Formatting text for app surfaces").
std::string for_slack(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  }
  return safe;
}

/// Without Markdown: what an opponent is called stays a name.
std::string for_discord(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    safe += std::string_view("\\*_~`|>[]()#").find(c) == std::string_view::npos
                ? std::string(1, c)
                : "\\" + std::string(1, c);
  }
  return safe;
}

}  // namespace

std::optional<Notice> Notices::take(const bridge::Fact& fact, base::Now now) {
  const auto notice = [&](NotifyEvent event, const bridge::Note& words) {
    return std::optional(Notice{event, bot_, now.wall, words.text, words.fields});
  };
  return std::visit(
      base::Overload{
          [&](const bridge::Paired& paired) { return notice(NotifyEvent::paired, bridge::in_words(paired)); },
          [&](const bridge::GameStarted& started) { return notice(NotifyEvent::started, bridge::in_words(started)); },
          [&](const bridge::GameEnded& ended) { return notice(NotifyEvent::result, bridge::in_words(ended)); },
          [&](const bridge::RescuePlayed& rescue) { return notice(NotifyEvent::rescue, bridge::in_words(rescue)); },
          [](const bridge::Occurred&) { return std::optional<Notice>(); },
      },
      fact);
}

std::vector<Notice> Notices::look(bridge::Phase phase, base::Now now) {
  const bool is_in_game = bridge::is_in_game(phase);
  const bool is_connected = is_in_game || phase == bridge::Phase::waiting;
  const bool is_resting = phase == bridge::Phase::resting;  // nothing is missed then
  if (is_in_game || is_resting || !in_game_) {
    in_game_ = now.steady;
    has_told_no_game_ = false;
  }
  if (is_connected || is_resting || !connected_) {
    connected_ = now.steady;
    has_told_disconnected_ = false;
  }
  std::vector<Notice> notices;
  if (!has_told_no_game_ && now.steady - *in_game_ >= no_game_after) {
    has_told_no_game_ = true;
    notices.push_back({NotifyEvent::no_game, bot_, now.wall,
                       base::say("no game for an hour; the bot is {}", bridge::name_of(phase)), {}});
  }
  if (!has_told_disconnected_ && now.steady - *connected_ >= disconnected_after) {
    has_told_disconnected_ = true;
    notices.push_back({NotifyEvent::disconnected, bot_, now.wall,
                       base::say("not logged in for ten minutes; the bot is {}", bridge::name_of(phase)), {}});
  }
  return notices;
}

Payload payload(const Notice& notice, config::NotifyTemplate as) {
  const std::string text = words::in(notice.language, notice.text);
  const std::string sentence = clean(notice.bot + ": " + text);
  switch (as) {
    case NotifyTemplate::discord:
      // Names may hold @everyone: nobody is to be called by them.
      return {"application/json",
              boost::json::serialize(object{{"content", for_discord(base::shown(sentence))},
                                            {"allowed_mentions", object{{"parse", boost::json::array()}}}})};
    case NotifyTemplate::slack:
      return {"application/json", boost::json::serialize(object{{"text", for_slack(base::shown(sentence))}})};
    case NotifyTemplate::text: return {"text/plain; charset=utf-8", sentence + "\n"};
    case NotifyTemplate::json: break;
  }
  object fields;
  for (const auto& [name, value] : notice.fields) {
    fields[name] = clean(value);
  }
  return {"application/json",
          boost::json::serialize(object{{"event", event_words.at(static_cast<std::size_t>(notice.event))},
                                        {"bot", clean(notice.bot)},
                                        {"at_ms", notice.at.time_since_epoch().count()},
                                        {"text", clean(text)},
                                        {"fields", std::move(fields)}})};
}

// --- what waits for a receiver

bool Deliveries::add(Notice notice) {
  const bool is_full = waiting_.size() >= waiting_max;
  if (is_full) {
    // The one that is being sent, or was tried, keeps its place.
    waiting_.erase(waiting_.begin() + (is_sending_ || attempts_ > 0 ? 1 : 0));
  }
  waiting_.push_back(std::move(notice));
  return !is_full;
}

std::optional<Notice> Deliveries::begin(base::SteadyTime now) {
  if (is_sending_ || waiting_.empty() || now < due_) {
    return std::nullopt;
  }
  is_sending_ = true;
  ++attempts_;
  return waiting_.front();
}

std::optional<base::SteadyTime> Deliveries::due() const {
  return is_sending_ || waiting_.empty() ? std::nullopt : std::optional(due_);
}

Deliveries::Verdict Deliveries::ended(Outcome outcome, base::SteadyTime now) {
  is_sending_ = false;
  const bool is_over = outcome != Outcome::later || attempts_ >= attempts_max;
  if (!is_over) {
    due_ = now + std::min<base::Millis>(pause_max, first_pause * (1 << (attempts_ - 1)));
    return Verdict::tries_again;
  }
  waiting_.pop_front();
  attempts_ = 0;
  due_ = now;
  return outcome == Outcome::delivered ? Verdict::done : Verdict::gives_up;
}

Deliveries::Outcome Deliveries::outcome_of(int http_status) {
  if (http_status >= 200 && http_status < 300) {
    return Outcome::delivered;
  }
  const bool asks_for_another =
      http_status == 408 || http_status == 425 || http_status == 429 || http_status >= 500;
  return asks_for_another ? Outcome::later : Outcome::refused;
}

// --- the address of a webhook. Its path is a secret: whoever knows it can write there.

namespace {

constexpr std::size_t bytes_max = 4096;

base::Failure<base::Message> wrong(base::Message why) { return {std::move(why)}; }

}  // namespace

base::Result<WebAddress, base::Message> parse_web_address(std::string_view text) {
  WebAddress address;
  address.is_tls = text.starts_with("https://");
  if (!address.is_tls && !text.starts_with("http://")) {
    return wrong(base::say("the webhook's address must begin with https:// or http://"));
  }
  // Control bytes or spaces would write further headers of HTTP.
  const bool is_printable = std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7F; });
  if (!is_printable || text.size() > bytes_max) {
    return wrong(base::say("the webhook's address must be one line of printable ASCII, at most 4096 bytes"));
  }
  text.remove_prefix(address.is_tls ? 8 : 7);
  const auto path = text.find_first_of("/?#");
  std::string_view authority = text.substr(0, path);
  std::string target(path == std::string_view::npos ? "/" : text.substr(path, text.find('#') - path));
  if (!target.starts_with('/')) {
    target = "/" + target;
  }
  if (authority.find('@') != std::string_view::npos) {
    return wrong(base::say("the webhook's address must hold no user and password"));
  }
  address.port = address.is_tls ? 443 : 80;
  const auto bracket = authority.rfind(']');
  const auto colon = authority.rfind(':');
  if (colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket)) {
    const auto port = base::parse_int(authority.substr(colon + 1));
    if (!port || *port < 1 || *port > 65535) {
      return wrong(base::say("the webhook's address has no port from 1 to 65535"));
    }
    address.port = static_cast<std::uint16_t>(*port);
    authority = authority.substr(0, colon);
  }
  if (authority.starts_with('[') && authority.ends_with(']')) {
    authority = authority.substr(1, authority.size() - 2);
  }
  if (authority.empty()) {
    return wrong(base::say("the webhook's address names no host"));
  }
  address.host = std::string(authority);
  address.target = base::Secret(std::move(target));
  return address;
}

}  // namespace kakehashi::watch
