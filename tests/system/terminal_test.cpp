// What reaches a terminal, or whoever reads what a command writes: nothing that commands a terminal, and nothing unseen,
// whoever holds the port of the status page and whatever a journal holds.
#include "cli/terminal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "cli/command_line.hpp"
#include "journal/journal.hpp"
#include "tests/places.hpp"
#include "tests/system/pty_program.hpp"
#include "tests/system/scratch.hpp"

namespace kakehashi::cli {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using testing::HasSubstr;
using testing::Not;

/// Sets the title, erases, hides, answers as if typed; then reorders and hides without a control.
const std::string hostile = "a\x1b]0;owned\x07\x1b[2J\x1b[8m\x9b" "5n\xC2\x9B" "6n\r\u202Eb\u2066\u2028\u200Bc";

void expect_harmless(const std::string& written) {
  for (const char* part : {"\x1b", "\x07", "\r", "\x9b" "5n", "\xC2\x9B", "\u202E", "\u2066", "\u2028", "\u200B"}) {
    EXPECT_THAT(written, Not(HasSubstr(part)));
  }
}

/// Answers one request after the other with the same page until it goes.
class StrangersPage {
 public:
  StrangersPage(int status, std::string body)
      : acceptor_(context_, {asio::ip::address_v4::loopback(), 0}),
        thread_([this, page = "HTTP/1.0 " + std::to_string(status) + " x\r\n\r\n" + std::move(body)] {
          for (;;) {
            boost::system::error_code failed;
            tcp::socket visitor = acceptor_.accept(failed);
            std::string request;
            asio::read_until(visitor, asio::dynamic_buffer(request), "\r\n\r\n", failed);
            if (request.find("GET /leave") != std::string::npos) {
              return;
            }
            asio::write(visitor, asio::buffer(page), failed);
          }
        }) {}
  ~StrangersPage() {
    tcp::socket last(context_);
    last.connect({asio::ip::address_v4::loopback(), acceptor_.local_endpoint().port()});
    asio::write(last, asio::buffer(std::string("GET /leave HTTP/1.0\r\n\r\n")));
    thread_.join();
  }
  StrangersPage(const StrangersPage&) = delete;
  StrangersPage& operator=(const StrangersPage&) = delete;

  [[nodiscard]] std::string place() const { return "127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()); }

 private:
  asio::io_context context_;
  tcp::acceptor acceptor_;
  std::thread thread_;
};

std::string written_by(std::vector<std::string> arguments) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  static_cast<void>(run_command_line(std::move(arguments)));
  return testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
}

TEST(Terminal, whoever_holds_the_port_of_the_status_page_commands_no_terminal) {
  for (const int status : {200, 503, 404}) {
    const StrangersPage page(status, hostile + "\n");
    for (const char* command : {"status", "health"}) {
      for (const char* language : {"en", "ja"}) {
        const auto written = written_by({command, "--status", page.place(), "--lang", language});
        expect_harmless(written);
        const bool is_said = status != 503 || std::string(command) == "health";
        EXPECT_EQ(written.find("owned") != std::string::npos, is_said) << command << " " << status;
      }
    }
  }
}

TEST(Terminal, a_picture_of_bots_holds_no_sequence_but_the_programs_own) {
  const std::string spelled = R"(a\u001b]0;owned\u0007\u001b[2J\u001b[8m\u009b6n\r\u202eb\u2066\u2028\u200bc)";
  const StrangersPage page(200, R"({"bots": [{"name": ")" + spelled + R"(", "phase": ")" + spelled +
                                    R"(", "window": {"text": ")" + spelled + R"("}}]})");
  const std::string written = written_by({"top", "--times", "1", "--status", page.place()});
  expect_harmless(written);
  EXPECT_THAT(written, HasSubstr("owned"));
  test::Scratch scratch;
  test::PtyProgram program({"top", "--times", "1", "--status", page.place()}, scratch.path(""));
  EXPECT_EQ(program.finish(), 0);
  EXPECT_THAT(program.screen(), HasSubstr("\x1b[H"));
  for (const char* part : {"\x1b]", "\x07", "\x1b[2J", "\x1b[8m", "\u202E", "\u200B"}) {
    EXPECT_THAT(program.screen(), Not(HasSubstr(part)));
  }
}

TEST(Terminal, a_run_in_the_background_leaves_the_terminal_to_its_shell) {
  test::Scratch scratch;
  test::write_text(scratch.path("alice.yaml"),
                   "server: {host: 127.0.0.1, port: 1}\naccount: {name: " + test::own_name("alice") +
                       "}\ngame: {name: test-60-1}\nengine: {command: [" + test::fake_engine_binary() + "]}\n");
  // With job control, as where a person types.
  test::PtyProgram shell({"-c", "set -m; " + test::binary() +
                                    " run alice.yaml & read said; echo heard $said; kill $!; wait $!; echo gone"},
                         scratch.path(""), "/bin/sh");
  ASSERT_TRUE(shell.sees("engine_ready"));
  shell.type("this\n");
  EXPECT_TRUE(shell.sees("heard this"));
  EXPECT_TRUE(shell.sees("gone"));
}

TEST(Terminal, a_journal_commands_none_and_its_script_is_whole_in_a_file) {
  test::Scratch scratch;
  const std::string path = scratch.path("bot_20261121T031522_001.journal");
  journal::Opened opened;
  opened.program = "kakehashi 0.1.0";
  opened.bot = "bot";
  opened.run = "20261121T031522";
  test::write_text(path, journal::encode(opened, 1) + journal::encode(journal::Started{1, {}}, 2) +
                             journal::encode(journal::Happened{{}, bridge::ServerLine{hostile}}, 3));
  test::PtyProgram program({"replay", "--script", path}, scratch.path(""));
  EXPECT_EQ(program.finish(), 0);
  EXPECT_THAT(program.screen(), HasSubstr("owned"));
  for (const char* part : {"\x1b", "\x07", "\xC2\x9B", "\u202E", "\u200B"}) {
    EXPECT_THAT(program.screen(), Not(HasSubstr(part)));
  }
  EXPECT_THAT(written_by({"replay", "--script", path}), HasSubstr("\u202E")) << "a script is to be read again";
}

TEST(Terminal, only_in_a_picture_the_sequences_pass_that_it_is_drawn_with) {
  std::ostringstream stream;
  {
    const ShownOnly shown(stream, -1);
    stream << "\x1b[7mtext" << as_picture << "\x1b[7m歩\x1b[0m\x1b[8m\x1b" << as_text << "\x1b[7m" << as_file
           << "\x1b\xff" << as_text;
  }
  EXPECT_EQ(stream.str(), "\\u001B[7mtext\x1b[7m歩\x1b[0m\\u001B[8m\\u001B\\u001B[7m\x1b\xff");
}

}  // namespace
}  // namespace kakehashi::cli
