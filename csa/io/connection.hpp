// One attempt of a ServerLink and the connection it leads to: the socket, the layers above it, the
// queue of what is to be sent, and the lines that come out. Shared with its own pending handlers,
// which outlive the link's interest. Included by server_link and its own source only.
#pragma once

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/line_splitter.hpp"
#include "csa/io/dial.hpp"
#include "csa/io/layer_stack.hpp"
#include "csa/io/server_link.hpp"
#include "csa/io/socket_options.hpp"

namespace kakehashi::csa::io {

class ServerLink::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(boost::asio::io_context& context, Callbacks callbacks, ServerAddress address);

  /// Once. The callbacks follow from the io_context.
  void start(boost::asio::io_context& context);
  void write(std::string_view line);
  /// No callback from here on; see ServerLink::close().
  void close();
  void hold(base::Millis patience);
  /// See ServerLink::acknowledge().
  void acknowledge();
  [[nodiscard]] std::optional<TcpQuality> quality();

 private:
  using Tcp = boost::asio::ip::tcp;
  using error_code = boost::system::error_code;

  void dialled(Tcp::socket socket, std::string peer);
  void opening_timed_out();
  void look_at_layers();

  void keep_repeating();

  void read();
  void have_read(error_code failed, std::size_t size);
  void take_rest(std::string& bytes);
  void take(const std::string& bytes);
  void deliver(const std::string& bytes);
  void drop_read(error_code failed);
  void tell_end(error_code failed);

  void enqueue(std::string bytes);
  void write_front();
  void have_written(error_code failed, std::size_t size);
  void have_not_written(error_code failed);
  void write_again();
  void shut_down_sending();

  void lose(const std::string& why);
  void finish(HowClosed how, std::string why);
  void release();

  // The handler that runs keeps this object alive, and so the callbacks, whatever they destroy.
  Callbacks callbacks_;
  ServerAddress address_;
  LayerStack layers_;
  std::shared_ptr<Dial> dial_;  ///< while connecting; it holds this object until it is done
  Tcp::socket socket_;
  boost::asio::steady_timer timer_;  ///< first for the opening, then for the lingering
  std::chrono::steady_clock::time_point deadline_{};
  std::string peer_;
  bool is_open_ = true;        ///< false: no callback any more
  bool is_connected_ = false;  ///< with all layers open
  bool has_heard_ = false;
  bool owes_acknowledgement_ = false;  ///< for what was read last
  std::array<char, std::size_t{16} * 1024> buffer_{};
  base::LineSplitter splitter_{line_bytes_max};
  std::deque<std::string> queue_;
  std::size_t queued_bytes_ = 0;
  std::size_t written_bytes_ = 0;  ///< of the first in the queue
  error_code write_failure_;
  std::optional<std::chrono::steady_clock::time_point> write_failed_at_;  ///< for the first time since it worked
  boost::asio::steady_timer write_timer_;
  bool bounds_repeats_ = true;
  base::Millis patience_ = patience_min;
  RepeatPace repeat_pace_;
  boost::asio::steady_timer repeat_timer_;
};

}  // namespace kakehashi::csa::io
