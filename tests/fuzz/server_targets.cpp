// What reaches our own servers: clients of the embedded CSA server, and of the status server.
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <array>
#include <chrono>
#include <string>
#include <utility>

#include "base/text.hpp"
#include "fuzz/targets.hpp"
#include "rehearse/server/server.hpp"
#include "watch/http_answer.hpp"

namespace kakehashi::fuzz {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t lines_max = 400;
constexpr std::size_t clients = 4;

}  // namespace

/// The first byte of a line is the client who says the rest: '0' to '3'. "@" lets a second pass, "%0"
/// takes a client away and lets it come again.
void rehearsal(std::string_view bytes) {
  using rehearse::server::ConnectionId;
  using rehearse::server::Order;
  rehearse::server::Settings settings;
  settings.floodgate_interval = base::Millis{60'000};
  rehearse::server::Server server(settings, 1);
  base::Now now{base::SteadyTime{1000h}, base::WallTime{std::chrono::sys_days{std::chrono::year{2026} / 1 / 2}}};
  std::array<std::uint64_t, clients> ids{};
  std::uint64_t connections = 0;
  const auto take = [&](const rehearse::server::Output& output) {
    for (const Order& order : output.orders) {
      if (const auto* send = std::get_if<rehearse::server::SendLine>(&order)) {
        require(send->line.find('\n') == std::string::npos, "the server sends lines");
      } else if (const auto* closed = std::get_if<rehearse::server::CloseConnection>(&order)) {
        for (std::uint64_t& id : ids) {
          id = ConnectionId{id} == closed->connection ? 0 : id;
        }
      }
    }
  };
  std::size_t count = 0;
  for (const std::string_view line : base::split(bytes, '\n')) {
    if (++count > lines_max) {
      return;
    }
    now.steady += 40ms;
    now.wall += 40ms;
    if (line.empty()) {
      continue;
    }
    if (line.front() == '@') {
      now.steady += 1s;
      now.wall += 1s;
      take(server.on_timer(now));
      continue;
    }
    const bool leaves = line.front() == '%' && line.size() > 1;
    const char name = leaves ? line[1] : line.front();
    std::uint64_t& id = ids[static_cast<unsigned char>(name) % clients];
    if (leaves) {
      if (id != 0) {
        take(server.on_closed(ConnectionId{std::exchange(id, 0)}, now));
      }
      continue;
    }
    if (id == 0) {
      id = ++connections;
      take(server.connected(ConnectionId{id}, now));
    }
    take(server.on_line(ConnectionId{id}, line.substr(1), now));
  }
}

/// Read as io/http_server reads it, and answered with and without a token.
void http(std::string_view bytes) {
  namespace http = boost::beast::http;
  http::request_parser<http::empty_body> parser;
  parser.header_limit(8 * 1024);
  parser.body_limit(0);
  parser.eager(true);
  boost::system::error_code failed;
  parser.put(boost::asio::buffer(bytes.data(), bytes.size()), failed);
  if (!parser.is_header_done()) {
    return;
  }
  const auto text_of = [](boost::beast::string_view text) { return std::string(text.data(), text.size()); };
  const auto& request = parser.get();
  const watch::HttpRequest asked{text_of(request.method_string()), text_of(request.target()),
                                  text_of(request[http::field::host]),
                                  text_of(request[http::field::authorization])};
  const watch::HttpSources sources{[] { return std::string("secret-of-the-bot"); },
                                    [] { return std::string("{}secret-of-the-bot"); },
                                    [] { return base::verbatim("secret-of-the-bot"); },
                                    [] { return std::vector<base::Message>(); },
                                    [] { return std::string("<html>secret-of-the-bot"); }};
  static_cast<void>(watch::answer(asked, base::Secret(""), sources));
  const watch::HttpAnswer guarded = watch::answer(asked, base::Secret("a-token-of-length"), sources);
  require(guarded.body.find("secret-of-the-bot") == std::string::npos ||
              asked.authorization.find("a-token-of-length") != std::string::npos,
          "nothing is shown without the token");
}

}  // namespace kakehashi::fuzz
