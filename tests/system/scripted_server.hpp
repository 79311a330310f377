// A server that says its answers in turn, in a thread of its own, for commands that block.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace kakehashi::test {

/// Accepts one connection and answers each line in turn; then reads to the end.
class ScriptedServer {
 public:
  explicit ScriptedServer(std::vector<std::string> answers)
      : acceptor_(context_, {boost::asio::ip::make_address("127.0.0.1"), 0}),
        answers_(std::move(answers)),
        thread_([this] { serve(); }) {}
  ~ScriptedServer() { (void)finish(); }
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  [[nodiscard]] std::string port() const {
    return std::to_string(acceptor_.local_endpoint().port());
  }
  /// Waits for the client's end.
  [[nodiscard]] const std::vector<std::string>& finish() {
    if (thread_.joinable()) {
      thread_.join();
    }
    return received_;
  }

 private:
  void serve() {
    boost::system::error_code failed;
    boost::asio::ip::tcp::socket socket(context_);
    acceptor_.accept(socket, failed);
    std::string buffer;
    for (std::size_t i = 0; !failed; ++i) {
      const auto size = boost::asio::read_until(socket, boost::asio::dynamic_buffer(buffer), '\n', failed);
      if (failed) {
        return;
      }
      received_.push_back(buffer.substr(0, size - 1));
      buffer.erase(0, size);
      if (i < answers_.size()) {
        boost::asio::write(socket, boost::asio::buffer(answers_[i] + "\n"), failed);
      }
    }
  }

  boost::asio::io_context context_;
  boost::asio::ip::tcp::acceptor acceptor_;
  std::vector<std::string> answers_;
  std::vector<std::string> received_;
  std::thread thread_;
};

}  // namespace kakehashi::test
