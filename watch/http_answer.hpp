// Which request gets which answer: addresses, access, headers. Pure; sockets are io/http_server's.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.hpp"
#include "base/result.hpp"
#include "base/secret.hpp"
#include "games/game_filter.hpp"
#include "shogi/record/format.hpp"
#include "words/words.hpp"

namespace kakehashi::watch {

struct HttpRequest {
  std::string method;
  std::string target;         ///< path and query, as sent
  std::string host;           ///< the Host header
  std::string authorization;  ///< the Authorization header
  words::Language language = words::Language::english;  ///< by the Accept-Language header: of what is for people
};

struct HttpAnswer {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
  bool is_stream = false;  ///< server-sent events: the body is a first event, more follow
  bool comes_later = false;  ///< HttpSources::games gives it
};

/// What there is to answer with, made when it is asked for.
struct HttpSources {
  /// Those of metrics, json, page and games may be empty, all together: that is not to be had just now (503).
  std::function<std::string()> metrics;
  std::function<std::string()> json;
  std::function<base::Message()> line;
  std::function<std::vector<base::Message>()> not_ready;  ///< in lines; none: ready
  std::function<std::string()> page;       ///< the live page, HTML
  /// What parse_games_request() reads: a database takes its time, and nothing waits for it meanwhile.
  /// `reply` is called once, from the loop that asked, now or later.
  std::function<void(const std::string& target, std::function<void(HttpAnswer)> reply)> games{};
};

/// With an empty token everything may be read, but only under a loopback name (a web page elsewhere
/// could otherwise read it through its visitor's browser). With one, all but /healthz and /readyz
/// need "Authorization: Bearer TOKEN".
[[nodiscard]] HttpAnswer answer(const HttpRequest& request, const base::Secret& token,
                                const HttpSources& sources);

/// A text for a person who asks for what is not to be had.
[[nodiscard]] HttpAnswer refuse(int status, const std::string& why);

/// A server-sent event.
[[nodiscard]] std::string event_of(const std::string& json);

// --- what stands in watch/web and is compiled in

/// The live page: one HTML text without anything from elsewhere.
[[nodiscard]] std::string_view live_page();

/// The description of the addresses for programs (OpenAPI 3.0); a test holds it against what is really answered.
[[nodiscard]] std::string_view openapi_document();

// --- what the addresses below /api/v1/games ask for. The shell asks the archive, on a thread of its own, and games spells
// the answer.

struct GamesRequest {
  enum class What { list, count, game };  ///< /api/v1/games?…, /api/v1/stats?…, /api/v1/games/ID?bot=…&format=…
  What what = What::list;
  games::GameFilter filter;  ///< its bot: whose archive is asked; empty: the first one
  std::int64_t id = 0;       ///< like the format, of a single game
  std::optional<shogi::record::Format> format{};  ///< nothing: JSON
};

[[nodiscard]] bool asks_for_games(std::string_view target);
/// Why not, when the conditions are not understood.
[[nodiscard]] base::Result<GamesRequest, std::string> parse_games_request(std::string_view target,
                                                                          std::int64_t now_ms);
}  // namespace kakehashi::watch
