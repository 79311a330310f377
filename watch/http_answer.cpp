#include "watch/http_answer.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"

namespace kakehashi::watch {

namespace {

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

/// Of a Host header. Names that others may give to 127.0.0.1 are none ("127.0.0.1.example.org").
bool is_loopback_name(std::string_view host) {
  const std::string_view port = host.substr(std::min(host.rfind(':'), host.size()));
  const bool has_port = port.size() > 1 && port.find_first_not_of("0123456789", 1) == port.npos;
  const std::string_view name = has_port ? host.substr(0, host.size() - port.size()) : host;
  const bool is_loopback_v4 =
      name.starts_with("127.") && name.find_first_not_of("0123456789.") == name.npos;
  return name == "localhost" || name == "[::1]" || is_loopback_v4;
}

/// Takes the same time wherever two texts differ.
bool is_same(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0U : 1U;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^
                  static_cast<unsigned char>(b.empty() ? 0 : b[i % b.size()]);
  }
  return difference == 0;
}

}  // namespace

HttpAnswer refuse(int status, const std::string& why) { return {status, "text/plain; charset=utf-8", why + "\n"}; }

std::string event_of(const std::string& json) { return "data: " + json + "\n\n"; }

HttpAnswer answer(const HttpRequest& request, const base::Secret& token,
                  const HttpSources& sources) {
  if (request.method != "GET" && request.method != "HEAD") {
    return refuse(405, "only GET and HEAD are answered here");
  }
  const std::string_view path = path_of(request.target);
  if (path == "/healthz") {
    return {200, "text/plain; charset=utf-8", "ok\n"};
  }
  const std::string_view secret = token.reveal();
  const bool may_read = secret.empty() ? is_loopback_name(request.host)
                                       : is_same("Bearer " + std::string(secret), request.authorization);
  if (path == "/readyz") {  // a probe shows no token: the status alone says nothing of the bots
    std::string missing;
    for (const base::Message& line : sources.not_ready()) {
      missing += words::in(request.language, line) + "\n";
    }
    return missing.empty() ? HttpAnswer{200, "text/plain; charset=utf-8", "ready\n"}
                           : HttpAnswer{503, "text/plain; charset=utf-8", may_read ? missing : "not ready\n"};
  }
  if (!may_read) {
    return secret.empty() ? refuse(403, "without a token only loopback names are served: use "
                                        "http://127.0.0.1 or set --status-token-file")
                          : refuse(401, "a token is needed: Authorization: Bearer TOKEN");
  }
  if (path == "/api/v1/line") {
    return {200, "text/plain; charset=utf-8", words::in(request.language, sources.line()) + "\n"};
  }
  if (!sources.json) {
    return refuse(503, "the bots play without this just now (run_plain); there are /healthz, /readyz and /api/v1/line");
  }
  if (path == "/metrics") {
    return {200, "text/plain; version=0.0.4; charset=utf-8", sources.metrics()};
  }
  if (path == "/api/v1/status") {
    return {200, "application/json", sources.json()};
  }
  if (asks_for_games(request.target) && sources.games) {
    HttpAnswer later;
    later.comes_later = true;
    return later;
  }
  if (path == "/api/v1/openapi.json") {
    return {200, "application/json", std::string(openapi_document())};
  }
  if (path == "/events") {
    return {200, "text/event-stream", event_of(sources.json()), true};
  }
  if (path == "/") {
    return {200, "text/html; charset=utf-8", sources.page()};
  }
  return refuse(404, "there is nothing here; try /, /healthz, /readyz, /metrics, /api/v1/status, "
                     "/api/v1/line, /api/v1/games, /api/v1/stats, /api/v1/openapi.json or /events");
}

// --- what the addresses below /api/v1/games ask for. The shell asks the archive, on a thread of its own, and games spells
// the answer.

namespace {

constexpr std::string_view games_path = "/api/v1/games";
constexpr std::string_view stats_path = "/api/v1/stats";

/// The word of "format=kifu", which is then gone from the query.
std::string take_format(std::string& query) {
  constexpr std::string_view key = "format=";
  std::string word;
  std::string others;
  for (const std::string_view pair : base::split(query, '&')) {
    if (pair.starts_with(key)) {
      word = pair.substr(key.size());
    } else {
      others.append(others.empty() ? "" : "&").append(pair);
    }
  }
  query = std::move(others);
  return word;
}

}  // namespace

bool asks_for_games(std::string_view target) {
  const std::string_view path = path_of(target);
  return path == games_path || path == stats_path ||
         path.starts_with(std::string(games_path) + "/");
}

base::Result<GamesRequest, std::string> parse_games_request(std::string_view target,
                                                            std::int64_t now_ms) {
  const std::string_view path = path_of(target);
  const bool has_query = path.size() < target.size();
  std::string query(has_query ? target.substr(path.size() + 1) : "");
  std::optional<shogi::record::Format> format;
  if (path.starts_with(std::string(games_path) + "/")) {
    const std::string word = take_format(query);
    format = shogi::record::format_of_word(word);
    if (!word.empty() && !format) {
      return base::Failure<std::string>{"format is csa, csa3, kif, kifu, ki2, ki2u, jkf, usi or jsonl"};
    }
  }
  auto filter = games::parse_query(query, now_ms);
  if (!filter) {
    return base::Failure<std::string>{filter.error().english()};
  }
  if (path == games_path || path == stats_path) {
    return GamesRequest{path == games_path ? GamesRequest::What::list : GamesRequest::What::count, std::move(*filter)};
  }
  const auto id = base::parse_int(path.substr(games_path.size() + 1));
  if (!id || *id < 1) {
    return base::Failure<std::string>{"a game's address ends with its number, /api/v1/games/12"};
  }
  return GamesRequest{GamesRequest::What::game, std::move(*filter), *id, format};
}

}  // namespace kakehashi::watch
