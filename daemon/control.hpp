// Requests of the people of this machine to a running `run --status`: to stop, to read its configuration
// again. They come over a socket of the kernel's that has no file and no network, named after the port of
// the status page, and only from the user that the bots run as, or root: the page itself stays one that can
// only be read. What a request does is the fleet's business.
//
// A request is a line, and behind it another one that names the language of the answer, which an older program neither
// sends nor reads. Both are written in one piece: the second is there with the first, or not at all.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/message.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "words/words.hpp"

namespace boost::asio {
class io_context;
}

namespace kakehashi::daemon {

struct Answerer {
  uid_t user = 0;
  pid_t process = 0;  ///< as it was when it began to listen
};

struct ControlAnswer {
  bool is_done = false;  ///< false: refused
  std::vector<base::Message> lines;
};

/// What came of a request, as who asked sees it.
struct ControlReply {
  bool is_done = false;
  std::string text;  ///< for people, in lines
  /// Who answers, where that is a process of another user than who asks, as root may. Any user of the machine can have
  /// taken the name, so a person is to see whose answer it was.
  std::optional<Answerer> stranger{};
};

/// Whether a process of the user `peer` may command one of the user `own`.
[[nodiscard]] bool may_command(uid_t peer, uid_t own);

class Control {
 public:
  using Reply = std::function<void(const ControlAnswer& answer)>;
  /// `request` is one line of a person's program: hostile until it is known. `reply` is called once, now or later.
  using Answer = std::function<void(const std::string& request, uid_t user, const Reply& reply)>;

  Control(boost::asio::io_context& context, Answer answer);
  /// As stop().
  ~Control();
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;

  /// The error says why nobody can be heard: another process has the name.
  [[nodiscard]] base::Result<bool, base::Message> start(std::uint16_t status_port);
  /// May be called from inside an answer, which is still given.
  void stop();

  static constexpr std::size_t request_bytes_max = 64;
  static constexpr std::size_t visits_max = 8;

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;  ///< shared with its pending handlers
};

/// An answer takes no longer, but for what has a time of its own.
inline constexpr base::Millis answer_max{5'000};

/// What the bots of that port say to a request, in that language; those of a version that does not know of languages say
/// it in English. The error: nobody of ours answers there.
[[nodiscard]] base::Result<ControlReply, base::Message> ask_control(std::uint16_t status_port, const std::string& request,
                                                                    words::Language language,
                                                                    base::Millis patience = answer_max);

}  // namespace kakehashi::daemon
