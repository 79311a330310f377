// A real WebSocket server on the loopback. Each text message is passed on as a line to a plain
// server behind, and each of its lines comes back as a message; without one behind, it collects
// what it hears and says what it is told to say.
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kakehashi::test {

class WebSocketFront {
 public:
  /// `behind` 0: nothing is behind.
  explicit WebSocketFront(boost::asio::io_context& context, std::uint16_t behind = 0);
  ~WebSocketFront();
  WebSocketFront(const WebSocketFront&) = delete;
  WebSocketFront& operator=(const WebSocketFront&) = delete;

  [[nodiscard]] std::uint16_t port() const;
  /// To be set before a client comes: the answer to its request, in place of a WebSocket.
  void decline(const std::string& status_line);

  // What the clients did.
  [[nodiscard]] const std::vector<std::string>& paths() const;
  /// "Host Origin User-Agent" of each request.
  [[nodiscard]] const std::vector<std::string>& headers() const;
  [[nodiscard]] const std::vector<std::string>& messages() const;
  [[nodiscard]] int pongs() const;
  [[nodiscard]] const std::string& last_pong() const;
  [[nodiscard]] int goodbyes() const;  ///< by a close frame

  // To the latest client; each at once, without waiting for it.
  void say(const std::string& text);
  void say_in_pieces(const std::string& first, const std::string& second);
  void say_binary(const std::string& bytes);
  void ping();
  /// From now on nothing that the client sends is taken.
  void stop_reading();
  void close(const std::string& reason);
  /// Past the WebSocket protocol.
  void say_raw(const std::string& bytes);

 private:
  struct State;
  class Session;
  std::shared_ptr<State> state_;
};

}  // namespace kakehashi::test
