// The world between clients and the embedded server: lines that take their time, arrive in segments,
// cannot be read, break, or go dead at both ends without a word. The server is the real one (csa::server::Server), or one of
// another make; it runs on the virtual clock.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>

#include "base/line_splitter.hpp"
#include "bridge/event.hpp"
#include "csa/message.hpp"
#include "rehearse/server/server.hpp"
#include "sim/agenda.hpp"
#include "sim/dice.hpp"
#include "sim/other_server.hpp"
#include "sim/scenario.hpp"
#include "sim/way.hpp"

namespace kakehashi::sim {

/// A client's end of a line.
class Client {
 public:
  Client() = default;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  virtual ~Client() = default;
  virtual void on_connected() = 0;
  /// `more`: further lines came in the same segment.
  virtual void on_line(const std::string& line, bool more) = 0;
  virtual void on_closed(bridge::ServerClosed::How how, const std::string& why) = 0;
};

enum class LineId : std::uint64_t {};

class Network {
 public:
  using ReportSink = std::function<void(const rehearse::server::GameReport&)>;

  Network(Agenda& agenda, const Scenario& scenario, ReportSink sink);

  /// on_connected() follows, unless the client closes before.
  /// `way` outlives the story's lines.
  [[nodiscard]] LineId connect(Client& client, Way& way);
  void write(LineId id, std::string line);
  /// The client's end gives up after so long without a sign of life, as its kernel was told; until told
  /// otherwise after patience_min.
  void set_patience(LineId id, base::Millis patience);
  /// When the last line that the server has sent arrives.
  [[nodiscard]] std::optional<base::Millis> last_arrival(LineId id);
  static constexpr base::Millis patience_min{45'000};
  /// The client closes; it hears nothing any more.
  void close(LineId id);

  // --- faults
  /// Broken for the client now; the server notices later.
  void cut(LineId id, const std::string& why, base::Millis server_notices_after);
  /// Nothing goes either way any more; each side notices in its own time.
  void go_dead(LineId id, base::Millis client_notices_after, base::Millis server_notices_after);
  /// Puts a line of nobody's between the server's lines; one that is long comes in many segments.
  void inject(LineId id, const std::string& line);
  /// Nothing goes through for so long; what was sent meanwhile is repeated and arrives afterwards. The server
  /// may lose its patience and end the line from its side.
  void cut_out(LineId id, base::Millis lasts, std::optional<base::Millis> server_closes_after);
  /// All lines break, and the server forgets everything.
  void restart_server();

 private:
  struct Downward {
    base::Millis at;
    std::string bytes;  ///< a line with its end, or a piece of one
    bool ends_segment = false;
    bool closes = false;
  };
  struct Line {
    Client* client = nullptr;  ///< nothing: the client is gone
    Way* way = nullptr;
    bool is_up = false;        ///< the server knows it
    bool is_dead = false;
    base::Millis up_at{0};     ///< the last line to the server arrives then
    base::Millis down_at{0};
    std::deque<Downward> down;
    base::LineSplitter splitter{csa::server_line_bytes_max};  ///< as the link has it
    base::Millis patience = patience_min;
    base::Millis silent_since{0};
    base::Millis silent_until{-1};
  };

  template <class Question>
  auto ask(Question question) {
    return std::visit(question, server_);
  }
  /// A server without a memory, as the scenario wants it.
  [[nodiscard]] std::variant<rehearse::server::Server, OtherServer> make_server() const;
  void prepare_start();
  void watch_silence(LineId id);
  void break_for_client(LineId id, const std::string& why);
  base::Millis next_arrival(Line& line, Way::Direction direction);
  void perform(rehearse::server::Output output);
  void deliver(LineId id);
  void tell_server_closed(LineId id);
  void arm();
  void wake(base::Millis at);
  Line* find(LineId id);
  [[nodiscard]] base::Now now() const;
  [[nodiscard]] base::Millis delay_of(const Line& line);

  Agenda& agenda_;
  Dice dice_;
  const Scenario& scenario_;
  std::uint64_t seed_;
  std::variant<rehearse::server::Server, OtherServer> server_;
  ReportSink sink_;
  std::map<LineId, Line> lines_;
  std::uint64_t count_ = 0;
  std::optional<base::Millis> armed_;
};

/// The instant of the story on both clocks; `wall_shift` is what the wall clock has jumped.
[[nodiscard]] base::Now now_at(base::Millis at, base::Millis wall_shift = base::Millis{0});

}  // namespace kakehashi::sim
