// The priority of the thread that plays, since who plays must not wait for who thinks (engines use every processor).
#pragma once

#include <boost/asio/execution_context.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <map>
#include <optional>

#include "base/io/file.hpp"
#include "base/priority_choice.hpp"
#include "base/time.hpp"

namespace kakehashi::base::io {

/// The calling thread runs before all ordinary ones from now on, where the system allows it (root,
/// CAP_SYS_NICE, RLIMIT_RTPRIO), or no more; its threads and processes begun later are ordinary. A program that was
/// started with a nice value above 0 is meant to stand back, and does. Whether it has what was asked.
bool run_before_others(bool before) noexcept;

/// Whether the calling thread does.
[[nodiscard]] bool runs_before_others() noexcept;

/// A service of the io_context, for the thread that runs it: chooses each second while somebody plays, and where an
/// instant that may decide a game becomes due. A process that was started with such a priority keeps it, and one that may
/// not have it is not asked again.
class Priority : public boost::asio::execution_context::service {
 public:
  explicit Priority(boost::asio::io_context& context);
  [[nodiscard]] static Priority& of(boost::asio::io_context& context);

  /// That one plays. `due`: the next instant that may decide its game, in place of what it said before.
  void play(const void* who, std::optional<SteadyTime> due);
  /// It plays no more.
  void forget(const void* who);

  static boost::asio::execution_context::id id;  ///< by which Asio finds the service

 private:
  void shutdown() override;
  void begin();
  void look();
  void take(bool before);
  [[nodiscard]] std::optional<PriorityChoice::Waited> waited() const;

  boost::asio::steady_timer timer_;
  File schedstat_;  ///< of the loop's thread
  PriorityChoice choice_;
  std::map<const void*, std::optional<SteadyTime>> playing_;
  bool has_begun_ = false;
  bool is_looking_ = false;  ///< the timer is set
  bool is_fixed_ = false;  ///< it was started so, or may not have it
  bool is_before_ = false;
};

}  // namespace kakehashi::base::io
