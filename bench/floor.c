/* The floor: the smallest program that can do the bridge's job without understanding it. One thread,
 * poll, a line from the socket is copied to the engine's pipe and a line back; or two threads, each of
 * which waits in its read. Nothing that stands between a server and an engine can be faster for long.
 *
 *   floor [-t] [-q] [-d] PORT ENGINE [ARGUMENT...]
 *
 *   -t   two threads
 *   -q   TCP_QUICKACK, renewed after each read
 *   -d   lines that begin with "info " are dropped, as no server takes them; without it the server
 *        gets them too, and is awake when the move comes
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { buffer_bytes = 1 << 16 };

struct way {
  int from;
  int to;
  int drops_infos;
  int is_quick;
  size_t used;
  char buffer[buffer_bytes];
};

/* Leaves the lines that are no info lines, and returns their bytes. */
static size_t drop_infos(char* lines, size_t bytes) {
  static const char info[] = "info ";
  const char* const end = lines + bytes;
  size_t left = 0;
  for (const char* line = lines; line < end;) {
    const char* const next = (const char*)memchr(line, '\n', (size_t)(end - line)) + 1;
    if (next - line < (ssize_t)sizeof info || memcmp(line, info, sizeof info - 1) != 0) {
      memmove(lines + left, line, (size_t)(next - line));
      left += (size_t)(next - line);
    }
    line = next;
  }
  return left;
}

/* Copies all whole lines; a part of a line waits. Returns 0 at the end of the stream. */
static int copy_lines(struct way* way) {
  const ssize_t got = read(way->from, way->buffer + way->used, buffer_bytes - way->used);
  if (got <= 0) {
    return 0;
  }
  way->used += (size_t)got;
  const char* last = memrchr(way->buffer, '\n', way->used);
  if (last == NULL) {
    return way->used < buffer_bytes;
  }
  const size_t whole = (size_t)(last - way->buffer) + 1;
  const size_t copied = way->drops_infos ? drop_infos(way->buffer, whole) : whole;
  if (copied > 0 && write(way->to, way->buffer, copied) != (ssize_t)copied) {
    return 0;
  }
  memmove(way->buffer, way->buffer + whole, way->used - whole);
  way->used -= whole;
  return 1;
}

static void acknowledge_quickly(int socket) {
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on);
}

static void* copy_all(void* argument) {
  struct way* const way = argument;
  while (copy_lines(way)) {
    if (way->is_quick) {
      acknowledge_quickly(way->from);
    }
  }
  return NULL;
}

int main(int argc, char** argv) {
  int quick = 0;
  int has_threads = 0;
  int drops_infos = 0;
  for (int option; (option = getopt(argc, argv, "+tqd")) != -1;) {
    quick = quick || option == 'q';
    has_threads = has_threads || option == 't';
    drops_infos = drops_infos || option == 'd';
  }
  argv += optind - 1;
  argc -= optind - 1;
  if (argc < 3) {
    return 64;
  }
  const int server = socket(AF_INET, SOCK_STREAM, 0);
  const int on = 1;
  setsockopt(server, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons((unsigned short)atoi(argv[1]));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(server, (struct sockaddr*)&address, sizeof address) != 0) {
    return 69;
  }
  int to_engine[2];
  int from_engine[2];
  if (pipe(to_engine) != 0 || pipe(from_engine) != 0) {
    return 71;
  }
  if (fork() == 0) {
    dup2(to_engine[0], 0);
    dup2(from_engine[1], 1);
    close(to_engine[1]);
    close(from_engine[0]);
    close(server);
    execv(argv[2], argv + 2);
    _exit(127);
  }
  close(to_engine[0]);
  close(from_engine[1]);
  static struct way forth;
  static struct way back;
  forth.from = server;
  forth.to = to_engine[1];
  back.from = from_engine[0];
  back.to = server;
  back.drops_infos = drops_infos;
  forth.is_quick = quick;
  if (has_threads) {
    pthread_t other;
    if (pthread_create(&other, NULL, copy_all, &back) != 0) {
      return 71;
    }
    if (quick) {
      acknowledge_quickly(server);
    }
    copy_all(&forth);
    return 0; /* and the engine's input ends with it */
  }
  struct pollfd watched[2] = {{server, POLLIN, 0}, {from_engine[0], POLLIN, 0}};
  if (quick) {
    acknowledge_quickly(server);
  }
  while (poll(watched, 2, -1) > 0) {
    if (watched[0].revents != 0) {
      if (!copy_lines(&forth)) {
        break;
      }
      if (quick) {
        acknowledge_quickly(server);
      }
    }
    if (watched[1].revents != 0 && !copy_lines(&back)) {
      break;
    }
  }
  close(to_engine[1]);
  wait(NULL);
  return 0;
}
