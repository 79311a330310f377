#include "bridge/mask.hpp"

#include <string_view>
#include <utility>
#include <variant>

#include "base/text.hpp"

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

/// Chat, server news and the players' names: for people, and long or strange as it may be.
bool is_for_people(std::string_view line) {
  return line.starts_with("##") || line.starts_with("Name+:") || line.starts_with("Name-:");
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
  if (token_in(event) != base::Secret::mask) {
    return event;
  }
  return ServerLine{std::string(token_key) + token, std::get<ServerLine>(event).more};
}

Mask::Mask(const config::BotConfig& config)
    : password_(hidden_password(config)), quoted_(quoted(password_)) {}

std::string Mask::hide(std::string text) const {
  return quoted_.hide_in(password_.hide_in(std::move(text)));
}

std::optional<Event> Mask::hide(const Event& event) const {
  const auto* line = std::get_if<ServerLine>(&event);
  if (line == nullptr) {
    return std::nullopt;
  }
  if (line->text.starts_with(token_key)) {
    return ServerLine{std::string(token_key) + base::Secret::mask, line->more};
  }
  if (!password_.stands_in(line->text)) {
    return std::nullopt;
  }
  return ServerLine{password_.hide_in(line->text), line->more};
}

std::string Mask::hide_in_line(const std::string& line) const {
  return is_for_people(line) ? password_.hide_in(line) : line;
}

csa::GameSummary Mask::hide(csa::GameSummary summary) const {
  summary.game_id = hide(std::move(summary.game_id));
  return summary;
}

csa::GameEnd Mask::hide(csa::GameEnd end) const {
  end.reason = hide(std::move(end.reason));
  end.result = hide(std::move(end.result));
  return end;
}

void Mask::hide(std::vector<Action>& actions) const {
  if (password_.empty()) {
    return;
  }
  const auto hide_in = [this](std::string& text) { text = hide(std::move(text)); };
  for (Action& action : actions) {
    if (auto* note = std::get_if<Note>(&action)) {
      note->text = hide(std::move(note->text));
      for (auto& field : note->fields) {
        field.second = hide(std::move(field.second));
      }
    } else if (auto* write = std::get_if<WriteServer>(&action)) {
      write->log_as = hide(std::move(write->log_as));
    } else if (auto* paired = std::get_if<Paired>(&action)) {
      hide_in(paired->opponent);
      hide_in(paired->game_id);
    } else if (auto* started = std::get_if<GameStarted>(&action)) {
      hide_in(started->game_id);
    } else if (auto* ended = std::get_if<GameEnded>(&action)) {
      hide_in(ended->reason);
      hide_in(ended->opponent);
      hide_in(ended->game_id);
    } else if (auto* rescue = std::get_if<RescuePlayed>(&action)) {
      hide_in(rescue->how);
    } else if (auto* occurred = std::get_if<Occurred>(&action)) {
      hide_in(occurred->trouble);
    }
  }
}

}  // namespace kakehashi::bridge
