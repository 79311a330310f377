// kakehashi-keep: finds or starts the keeper of an engine on this machine, and hands it its own standard input and
// output, behind which is the bridge through ssh. One static program without any library.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/build_facts.hpp"
#include "base/checksum.hpp"
#include "base/result.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "keeper/io/serve.hpp"

namespace {

using namespace kakehashi;

// sysexits
constexpr int usage_error = 64;
constexpr int unavailable = 69;
constexpr int cannot_create = 73;

/// How long a keeper may take to say whether it is the right one.
constexpr int answer_patience_ms = 5'000;
constexpr int attempt_pause_us = 50'000;
constexpr int attempts_max = 300;

constexpr const char* help = R"(kakehashi-keep: keeps an engine running while its link comes and goes

  kakehashi-keep attach NAME [OPTIONS] [-- COMMAND [ARGUMENT...]]
      speaks with the keeper of that name; starts one, with that engine, where there is none.
      Without a command: only with one that is there.
        --directory DIR       the engine's working directory; default: where its program lies
        --keep-in DIR         where keepers are found, mode 700; default: ~/.kakehashi/keep
        --pass WORD           a variable or a pattern (FOO_*) of the environment that the engine gets; default: those of
                              libraries, GPUs and language runtimes, as for engine.pass_environment; may be repeated
        --core-dumps          the engine may write some
        --mark WORD           of what else the engine depends on: another mark is another engine
        --fresh WORD          kills an engine that was not started with this word, and starts one with it
        --end-with-client     the engine is told to quit when its last client ends; a cut link is no end
        --unattended SECONDS  without anybody attached for so long the engine is told to quit; default: 600 s
  kakehashi-keep --version
  kakehashi-keep --help

The bridge calls this through ssh by itself. Lines are those of keeper/words.hpp, not USI.
)";

/// Where a keeper can be found on its machine: a directory that only its user can open, and in it a lock and a
/// socket of the keeper's name. Nothing listens on a network.
namespace place {

constexpr std::size_t name_bytes_max = 64;
constexpr int waiting_max = 16;

base::Failure<std::string> failed(const std::string& what) {
  return {what + ": " + std::strerror(errno)};
}

sockaddr_un address_of(const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = name + ".socket";
  std::copy(path.begin(), path.end(), std::begin(address.sun_path));
  return address;
}

/// Ours, a directory and no link, and closed to everybody else.
base::Result<bool, std::string> judge(const std::string& directory) {
  struct stat found{};
  if (::lstat(directory.c_str(), &found) != 0) {
    return failed(directory);
  }
  if (!S_ISDIR(found.st_mode) || found.st_uid != ::geteuid() || (found.st_mode & 077U) != 0) {
    return base::Failure<std::string>{directory + " must be a directory of this user that nobody else can open "
                                      "(chmod 700), and no link"};
  }
  return true;
}

/// Not a dot or a dash first.
bool is_name(std::string_view name) {
  return keeper::is_token(name, name_bytes_max) && name.front() != '.' && name.front() != '-';
}

/// Makes the directory (mode 0700) and goes into it: a socket's path has 107 bytes at most, so that all names are
/// relative to it. Refuses one that is not ours alone, or a link. Without `directory`: ~/.kakehashi/keep.
base::Result<std::string, std::string> enter_directory(std::string directory) {
  if (directory.empty()) {
    const char* home = std::getenv("HOME");
    if (home == nullptr || *home != '/') {
      return base::Failure<std::string>{"HOME is not set: give --directory"};
    }
    const std::string above = std::string(home) + "/.kakehashi";
    if (::mkdir(above.c_str(), 0700) != 0 && errno != EEXIST) {
      return failed(above);
    }
    directory = above + "/keep";
  }
  if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) {
    return failed(directory);
  }
  if (const auto judged = judge(directory); !judged) {
    return base::Failure<std::string>{judged.error()};
  }
  if (::chdir(directory.c_str()) != 0) {
    return failed(directory);
  }
  return directory;
}

/// A descriptor that holds the lock of that name while it is open; -1 when another process holds it.
base::Result<int, std::string> lock(const std::string& name) {
  const int descriptor = ::open((name + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) {
    return failed(name + ".lock");
  }
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
    return descriptor;
  }
  const bool is_held = errno == EWOULDBLOCK;
  const auto why = failed(name + ".lock");
  ::close(descriptor);
  if (is_held) {
    return -1;
  }
  return why;
}

void remove_socket(const std::string& name) { ::unlink((name + ".socket").c_str()); }

/// Listening; takes the place of a socket that was left behind. Only with the lock held.
base::Result<int, std::string> listen(const std::string& name) {
  remove_socket(name);
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) {
    return failed("socket");
  }
  const sockaddr_un address = address_of(name);
  const mode_t before = ::umask(0177);
  const bool is_bound = ::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  const int error = errno;
  ::umask(before);
  errno = error;
  if (!is_bound || ::listen(descriptor, waiting_max) != 0) {
    const auto why = failed(name + ".socket");
    ::close(descriptor);
    return why;
  }
  return descriptor;
}

/// -1: nobody listens.
int connect(const std::string& name) {
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_un address = address_of(name);
  if (descriptor >= 0 && ::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    return descriptor;
  }
  if (descriptor >= 0) {
    ::close(descriptor);
  }
  return -1;
}

}  // namespace place

struct Wish : keeper::Attachment {
  base::Millis unattended{600'000};
};

int complain(int status, const std::string& what) {
  std::fprintf(stderr, "kakehashi-keep: %s\n", base::shown(what).c_str());
  return status;
}

/// Whether two command lines are the same; it protects nothing.
std::string fingerprint(const Wish& wish) {
  std::uint64_t hash = base::fnv1a_with_end(wish.mark, base::fnv1a_with_end(wish.directory, base::fnv1a("")));
  for (const std::string& argument : wish.command) {
    hash = base::fnv1a_with_end(argument, hash);
  }
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(hash));
  return text.data();
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

/// The words, with the standard input and output.
bool hand_over(int keeper, std::string_view words) {
  constexpr std::array descriptors{STDIN_FILENO, STDOUT_FILENO};
  iovec part{const_cast<char*>(words.data()), words.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof descriptors)> extra{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = extra.data();
  message.msg_controllen = extra.size();
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof descriptors);
  std::memcpy(CMSG_DATA(header), descriptors.data(), sizeof descriptors);
  return ::sendmsg(keeper, &message, MSG_NOSIGNAL) == static_cast<ssize_t>(words.size());
}

/// Until the keeper has closed its side.
void wait_for_end(int keeper) {
  char nothing = 0;
  while (::read(keeper, &nothing, 1) > 0 || errno == EINTR) {
    errno = 0;
  }
}

/// One short line, which comes in one piece; empty when the keeper is gone before, or says nothing.
std::string read_answer(int keeper) {
  std::array<char, 16> bytes{};
  pollfd wait{keeper, POLLIN, 0};
  const ssize_t count = ::poll(&wait, 1, answer_patience_ms) > 0 ? ::read(keeper, bytes.data(), bytes.size()) : 0;
  return {bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
}

/// Whether its client is still there. One that was cut off or has ended on its way here asks for nothing any more: the
/// engine may be another's by now.
bool is_wanted() {
  std::array<pollfd, 2> looks{{{STDIN_FILENO, POLLRDHUP, 0}, {STDOUT_FILENO, 0, 0}}};
  return ::poll(looks.data(), looks.size(), 0) <= 0 ||
         std::none_of(looks.begin(), looks.end(), [](const pollfd& look) {
           return (look.revents & (POLLERR | POLLHUP | POLLRDHUP)) != 0;
         });
}

/// The keeper's process: no terminal, no descriptor of the caller's, its own session. Never returns. What goes
/// wrong is written to `report`, an empty report means that the keeper listens.
[[noreturn]] void become_keeper(const Wish& wish, int report) {
  ::setsid();
  ::signal(SIGHUP, SIG_IGN);
  const auto say = [&](const std::string& why) {
    write_all(report, why);
    ::_exit(why.empty() ? 0 : 1);
  };
  const auto listening = place::listen(wish.name);
  if (!listening) {
    say(listening.error());
  }
  const auto engine = keeper::io::start_engine(wish);
  if (!engine) {
    place::remove_socket(wish.name);
    say(engine.error());
  }
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    ::dup2(nothing, descriptor);
  }
  ::close(nothing);
  ::close(report);
  keeper::io::serve({.unattended = wish.unattended, .version = KAKEHASHI_VERSION}, *engine, *listening,
                    {.command = fingerprint(wish), .fresh = wish.fresh});
  place::remove_socket(wish.name);
  ::_exit(0);
}

/// With the lock of that name held by `lock`, which the keeper keeps.
std::string start_keeper(const Wish& wish, int lock) {
  std::array<int, 2> report{};
  if (::pipe2(report.data(), O_CLOEXEC) != 0) {
    return "no pipe can be made";
  }
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::close(report[0]);
    become_keeper(wish, report[1]);
  }
  ::close(report[1]);
  ::close(lock);
  std::string why = pid < 0 ? std::string("no process can be made: ") + std::strerror(errno) : "";
  std::array<char, 1024> bytes{};
  ssize_t count = 0;
  while (pid > 0 && ((count = ::read(report[0], bytes.data(), bytes.size())) > 0 || (count < 0 && errno == EINTR))) {
    why.append(bytes.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
  }
  ::close(report[0]);
  return why;
}

/// A path means what it meant where the caller stood.
void make_absolute(std::string& path) {
  std::array<char, 4096> here{};
  if (!path.empty() && path.front() != '/' && ::getcwd(here.data(), here.size()) != nullptr) {
    path = std::string(here.data()) + "/" + path;
  }
}

int attach(Wish wish) {
  make_absolute(wish.directory);
  make_absolute(wish.keep_in);
  if (!wish.command.empty() && wish.command.front().find('/') != std::string::npos) {
    make_absolute(wish.command.front());
  }
  if (const auto entered = place::enter_directory(wish.keep_in); !entered) {
    return complain(cannot_create, entered.error());
  }
  const std::string wanted = "attach " + (wish.command.empty() ? "-" : fingerprint(wish)) + " " +
                             (wish.fresh.empty() ? "-" : wish.fresh) + (wish.ends_with_client ? " end\n" : " keep\n");
  // A keeper of another command, or one that is leaving, has its time to end.
  for (int attempt = 0; attempt < attempts_max && is_wanted(); ++attempt) {
    if (const int keeper = place::connect(wish.name); keeper >= 0) {
      if (hand_over(keeper, wanted) && read_answer(keeper) == "same\n") {
        wait_for_end(keeper);
        return 0;
      }
      ::close(keeper);
    } else if (wish.command.empty()) {
      return complain(unavailable, "there is no keeper of the name " + wish.name);
    } else {
      const auto lock = place::lock(wish.name);
      if (!lock) {
        return complain(cannot_create, lock.error());
      }
      if (*lock >= 0) {
        if (const std::string why = start_keeper(wish, *lock); !why.empty()) {
          return complain(unavailable, why);
        }
        continue;
      }
    }
    ::usleep(attempt_pause_us);
  }
  return complain(unavailable, "the keeper of the name " + wish.name + " neither answers nor ends");
}

/// What is wrong, or nothing.
std::optional<std::string> read_wish(const std::vector<std::string>& words, Wish& wish) {
  const std::map<std::string_view, bool*> switches{{"--end-with-client", &wish.ends_with_client}, {"--core-dumps", &wish.core_dumps}};
  const std::map<std::string_view, std::string*> paths{{"--directory", &wish.directory}, {"--keep-in", &wish.keep_in}};
  const std::map<std::string_view, std::string*> names{{"--mark", &wish.mark}, {"--fresh", &wish.fresh}};
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--") {
      wish.command.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
      return wish.command.empty() ? std::optional<std::string>("a command must follow --") : std::nullopt;
    }
    if (const auto found = switches.find(word); found != switches.end()) {
      *found->second = true;
    } else if (paths.contains(word) || names.contains(word) || word == "--unattended" || word == "--pass") {
      if (++i == words.size()) {
        return word + " needs a value";
      }
      if (paths.contains(word)) {
        *paths.at(word) = words[i];
      } else if (word == "--pass") {
        wish.pass.push_back(words[i]);
      } else if (names.contains(word) && !place::is_name(words[i])) {
        return word + " takes letters, digits and _ - . , 64 at most, not " + base::quote_for_log(words[i]);
      } else if (names.contains(word)) {
        *names.at(word) = words[i];
      } else if (const auto seconds = base::parse_int(words[i]); seconds && *seconds > 0 && *seconds <= 604'800) {
        wish.unattended = base::Seconds{*seconds};
      } else {
        return "--unattended takes 1 to 604800 s, not " + base::quote_for_log(words[i]);
      }
    } else if (wish.name.empty() && place::is_name(word)) {
      wish.name = word;
    } else {
      return base::quote_for_log(word) + (wish.name.empty() ? " is no name: letters, digits and _ - . , 64 at most"
                                                            : " is not understood; a command follows --");
    }
  }
  return wish.name.empty() ? std::optional<std::string>("attach needs a name") : std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty() || words.front() == "--help") {
    std::fputs(help, stdout);
    return 0;
  }
  if (words.front() == "--version") {
    std::printf("kakehashi-keep %s, protocol %d (%s)\n", KAKEHASHI_VERSION, keeper::protocol,
                std::string(base::build_facts()).c_str());
    return 0;
  }
  if (words.front() != "attach") {
    return complain(usage_error, base::quote_for_log(words.front()) + " is no command; try --help");
  }
  Wish wish;
  if (const auto wrong = read_wish(words, wish)) {
    return complain(usage_error, *wrong + "; try --help");
  }
  ::signal(SIGPIPE, SIG_IGN);
  return attach(std::move(wish));
}
