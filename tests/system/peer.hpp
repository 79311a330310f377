// The far end of a link in system tests: a plain TCP server that accepts connections one after
// another, collects what it is sent, and says what it is told to say; and what a link told.
#pragma once

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "csa/io/server_link.hpp"

namespace kakehashi::test {

class Peer {
 public:
  explicit Peer(boost::asio::io_context& context)
      : acceptor_(context, {boost::asio::ip::make_address("127.0.0.1"), 0}), socket_(context) {
    accept();
  }

  [[nodiscard]] std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
  [[nodiscard]] int accepted() const { return accepted_; }
  [[nodiscard]] const std::string& received() const { return received_; }
  [[nodiscard]] const boost::system::error_code& ended_by() const { return ended_by_; }

  /// Straight into the kernel's buffers.
  void say(const std::string& bytes) { boost::asio::write(socket_, boost::asio::buffer(bytes)); }
  /// Segments that the link's kernel has not acknowledged. It may, 40 ms later.
  [[nodiscard]] unsigned unacknowledged() {
    tcp_info info{};
    socklen_t size = sizeof info;
    return ::getsockopt(socket_.native_handle(), IPPROTO_TCP, TCP_INFO, &info, &size) == 0 ? info.tcpi_unacked : 1;
  }
  void stop_sending() { socket_.shutdown(boost::asio::ip::tcp::socket::shutdown_send); }
  void hang_up() { socket_.close(); }
  void reset() {
    socket_.set_option(boost::asio::socket_base::linger(true, 0));
    socket_.close();
  }
  void stop_listening() { acceptor_.close(); }

 private:
  void accept() {
    acceptor_.async_accept(
        [this](boost::system::error_code failed, boost::asio::ip::tcp::socket socket) {
          if (!failed) {
            ++accepted_;
            socket_ = std::move(socket);
            ended_by_ = {};
            read();
            accept();
          }
        });
  }
  void read() {
    socket_.async_read_some(boost::asio::buffer(buffer_),
                            [this](boost::system::error_code failed, std::size_t bytes) {
                              received_.append(buffer_.data(), bytes);
                              ended_by_ = failed;
                              if (!failed) {
                                read();
                              }
                            });
  }

  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::ip::tcp::socket socket_;
  std::array<char, 4096> buffer_{};
  std::string received_;
  boost::system::error_code ended_by_;
  int accepted_ = 0;
};

/// Everything that a link told.
struct Heard {
  std::vector<std::string> peers;
  std::vector<std::string> lines;
  std::vector<bool> more;
  std::vector<std::pair<csa::HowClosed, std::string>> closes;
  std::size_t dropped = 0;  ///< lines that could not be read

  [[nodiscard]] csa::io::ServerLink::Callbacks callbacks() {
    csa::io::ServerLink::Callbacks made;
    made.connected = [this](const base::Message& where) { peers.push_back(where.english()); };
    made.line = [this](std::string line, bool has_more) {
      lines.push_back(std::move(line));
      more.push_back(has_more);
    };
    made.dropped = [this](std::size_t count, const base::Message&) { dropped += count; };
    made.closed = [this](csa::HowClosed how, const base::Message& why) { closes.emplace_back(how, why.english()); };
    return made;
  }
};

}  // namespace kakehashi::test
