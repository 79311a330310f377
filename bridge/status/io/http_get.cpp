#include "bridge/status/io/http_get.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <string_view>

#include "base/text.hpp"

namespace kakehashi::bridge::status::io {

base::Result<HttpReply, std::string> http_get(const HttpPlace& place, const std::string& path,
                                              base::Millis timeout) {
  using Failed = base::Failure<std::string>;
  const bool is_v6 = place.host.find(':') != std::string::npos;
  const std::string where =
      (is_v6 ? "[" + place.host + "]" : place.host) + ":" + std::to_string(place.port);
  boost::asio::ip::tcp::iostream stream;
  stream.expires_after(timeout);
  stream.connect(place.host, std::to_string(place.port));
  if (!stream) {
    return Failed{"nothing answers on " + where + ": " + stream.error().message()};
  }
  stream << "GET " << path << " HTTP/1.0\r\nHost: " << where << "\r\n";
  if (!place.token.empty()) {
    stream << "Authorization: Bearer " << place.token.reveal() << "\r\n";
  }
  stream << "\r\n" << std::flush;
  std::string text;
  for (char block[4096]; stream && text.size() <= http_body_max;) {
    stream.read(block, sizeof block);
    text.append(block, static_cast<std::size_t>(stream.gcount()));
  }
  const std::size_t head_end = text.find("\r\n\r\n");
  const auto words = base::split_words(std::string_view(text).substr(0, text.find('\r')));
  const auto status = words.size() > 1 ? base::parse_int(words[1]) : std::nullopt;
  if (head_end == std::string::npos || !words.front().starts_with("HTTP/") || !status) {
    return Failed{"what answers on " + where + " does not speak HTTP"};
  }
  return HttpReply{static_cast<int>(*status), text.substr(head_end + 4, http_body_max)};
}

}  // namespace kakehashi::bridge::status::io
