#include "bridge/mask.hpp"

#include <string_view>
#include <utility>
#include <variant>

#include "base/text.hpp"
#include "csa/message.hpp"

namespace kakehashi::bridge {
namespace {

constexpr std::string_view token_key = "Reconnect_Token:";

base::Secret hidden_password(const config::BotConfig& config) {
  const base::Secret& password = config.account.password;
  const bool is_public =
      password.stands_in(config.account.name) || password.stands_in(config.game.name);
  return is_public ? base::Secret() : password;
}

/// Without the quotation marks.
base::Secret quoted(const base::Secret& secret) {
  const std::string text(secret.reveal());
  std::string shown = base::quote_for_log(text, text.size() * 4 + 2);
  return shown == '"' + text + '"' ? base::Secret() : base::Secret(shown.substr(1, shown.size() - 2));
}

/// "Game_ID:…", "P1-KY-KE…", "BEGIN Position": what stands in a summary, which no line tells by itself.
bool is_of_summary(std::string_view line) {
  if (line.starts_with("BEGIN ") || line.starts_with("END ") || line.starts_with('P')) {
    return true;
  }
  const std::size_t key = line.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_+-");
  return key != 0 && key != std::string_view::npos && line[key] == ':';
}

/// Games as the server shows them to everybody: not chat, nor what it has against a line of ours.
bool is_published(std::string_view line) {
  const csa::ServerMessage message = csa::parse_line(line);
  if (std::holds_alternative<csa::Unknown>(message)) {
    return is_of_summary(line);
  }
  return !std::holds_alternative<csa::Extended>(message) && !std::holds_alternative<csa::LoginRefused>(message);
}

}  // namespace

std::optional<std::string> token_in(const Event& event) {
  const auto* line = std::get_if<ServerLine>(&event);
  if (line == nullptr || !line->text.starts_with(token_key)) {
    return std::nullopt;
  }
  return line->text.substr(token_key.size());
}

Event with_token(const Event& event, const std::string& token) {
  const auto hidden = token_in(event);
  // One of another length is that of a game that is over.
  const bool is_it = hidden && hidden->size() == token.size() && hidden->find_first_not_of('*') == std::string::npos;
  if (!is_it || token.empty()) {
    return event;
  }
  return ServerLine{std::string(token_key) + token, std::get<ServerLine>(event).more};
}

Mask::Mask(const config::BotConfig& config)
    : password_(hidden_password(config)), quoted_(quoted(password_)) {}

std::string Mask::heard(const std::string& line) const {
  if (!password_.stands_in(line) || is_published(line)) {
    return line;
  }
  constexpr std::string_view refusal = "LOGIN:incorrect";  // it stays one, whatever the password is
  const std::size_t kept = line.starts_with(refusal) ? refusal.size() : 0;
  return line.substr(0, kept) + password_.hide_in(line.substr(kept));
}

std::optional<Event> Mask::kept(const Event& event) const {
  const auto* line = std::get_if<ServerLine>(&event);
  if (line == nullptr) {
    return std::nullopt;
  }
  if (line->text.starts_with(token_key)) {
    return ServerLine{std::string(token_key) + std::string(line->text.size() - token_key.size(), '*'), line->more};
  }
  std::string heard_as = heard(line->text);
  return heard_as == line->text ? std::nullopt : std::optional<Event>(ServerLine{std::move(heard_as), line->more});
}

std::string Mask::hide(std::string text) const {
  return quoted_.hide_in(password_.hide_in(std::move(text)));
}

Note Mask::hide(Note note) const {
  note.text = note.text.with_texts([this](std::string text) { return hide(std::move(text)); });
  for (auto& field : note.fields) {
    field.second = hide(std::move(field.second));
  }
  return note;
}

}  // namespace kakehashi::bridge
