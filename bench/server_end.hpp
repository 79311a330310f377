// The benchmarks' side of the wire: one clock, one listening port, one blocking connection.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace kakehashi::bench {

/// The monotonic clock that server, client and engine read alike.
[[nodiscard]] std::uint64_t now_ns();

/// Throws what the system says of the last call.
[[noreturn]] void fail(const std::string& what);

/// Nothing that a client is waited for takes so long; a benchmark that fails says why and ends.
inline constexpr int patience_s = 30;

/// The server's end of the connection: blocking, line by line. Throws when the client is gone, and
/// when it says nothing for patience_s.
class Line {
 public:
  explicit Line(int socket);
  ~Line();
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  void put(const std::string& text);
  /// The next line that means something; `read_at` is the time at which its last part came.
  [[nodiscard]] std::string take(std::uint64_t& read_at);
  /// Takes a line and throws when it does not begin so.
  void expect(const std::string& beginning);

 private:
  int socket_;
  std::string text_;
};

class Listener {
 public:
  Listener();
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  [[nodiscard]] int port() const { return port_; }
  /// The next connection; with Nagle's algorithm left on, as shogi-server leaves it, or off. Throws
  /// when none comes within patience_s.
  [[nodiscard]] int accept(bool has_nagle) const;

 private:
  int socket_;
  int port_ = 0;
};

}  // namespace kakehashi::bench
