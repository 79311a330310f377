/* An engine that knows its moves beforehand: it answers at once, and writes down when it read each
 * request and when it wrote each answer. It speaks USI, and to the floor the raw lines.
 *
 *   engine MOVES STAMPS INFOS [flood]
 *
 * MOVES holds one answer a line, STAMPS is a file for two 64-bit times an answer (nanoseconds of the
 * monotonic clock), INFOS the number of info lines before each answer. With "flood" a thread-like
 * stream of info lines goes on while it waits, as fast as the pipe takes them.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { buffer_bytes = 1 << 18, think_ns = 1000000, flood_lines = 64 };

static const char info_line[] =
    "info depth 21 seldepth 34 score cp 152 nodes 10345678 nps 1234567 hashfull 321 time 8123 "
    "pv 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f\n";

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

static void say(const char* text, size_t bytes) {
  while (bytes > 0) {
    const ssize_t put = write(1, text, bytes);
    if (put < 0) {
      if (errno == EINTR) {
        continue;
      }
      exit(0);
    }
    text += put;
    bytes -= (size_t)put;
  }
}

static char* slurp(const char* path, size_t* bytes) {
  const int file = open(path, O_RDONLY);
  struct stat about;
  if (file < 0 || fstat(file, &about) != 0) {
    exit(66);
  }
  *bytes = (size_t)about.st_size;
  char* text = mmap(NULL, *bytes, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
  return text == MAP_FAILED ? exit(71), NULL : text;
}

int main(int argc, char** argv) {
  if (argc < 4) {
    return 64;
  }
  size_t moves_bytes = 0;
  const char* moves = slurp(argv[1], &moves_bytes);
  const char* const moves_end = moves + moves_bytes;
  const int stamps_file = open(argv[2], O_RDWR);
  struct stat about;
  if (stamps_file < 0 || fstat(stamps_file, &about) != 0) {
    return 66;
  }
  uint64_t* stamps = mmap(NULL, (size_t)about.st_size, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_POPULATE, stamps_file, 0);
  const int infos = atoi(argv[3]);
  const int floods = argc > 4 && strcmp(argv[4], "flood") == 0;
  char* const info_block = malloc(sizeof info_line * (size_t)(infos + flood_lines));
  size_t info_bytes = 0;
  for (int i = 0; i < infos; ++i) {
    memcpy(info_block + info_bytes, info_line, sizeof info_line - 1);
    info_bytes += sizeof info_line - 1;
  }
  char* const flood_block = malloc(sizeof info_line * flood_lines);
  for (int i = 0; i < flood_lines; ++i) {
    memcpy(flood_block + (size_t)i * (sizeof info_line - 1), info_line, sizeof info_line - 1);
  }
  static char buffer[buffer_bytes];
  size_t used = 0;
  struct pollfd input = {0, POLLIN, 0};
  for (;;) {
    while (floods && poll(&input, 1, 0) == 0) {
      say(flood_block, flood_lines * (sizeof info_line - 1));
    }
    const ssize_t got = read(0, buffer + used, buffer_bytes - used);
    const uint64_t read_at = now_ns();
    if (got <= 0) {
      return 0;
    }
    used += (size_t)got;
    char* line = buffer;
    for (char* end; (end = memchr(line, '\n', used - (size_t)(line - buffer))) != NULL;
         line = end + 1) {
      *end = '\0';
      if (strcmp(line, "usi") == 0) {
        static const char answer[] = "id name bench\nusiok\n";
        say(answer, sizeof answer - 1);
      } else if (strcmp(line, "isready") == 0) {
        static const char answer[] = "readyok\n";
        say(answer, sizeof answer - 1);
      } else if (strcmp(line, "quit") == 0) {
        return 0;
      } else if (strncmp(line, "go ", 3) == 0 || line[0] == '-') {
        if (moves >= moves_end) {
          return 70;
        }
        const char* const move_end = memchr(moves, '\n', (size_t)(moves_end - moves));
        if (info_bytes > 0) {
          say(info_block, info_bytes);
        }
        while (now_ns() - read_at < think_ns) {
        }
        stamps[0] = read_at;
        stamps[1] = now_ns();
        say(moves, (size_t)(move_end - moves) + 1);
        moves = move_end + 1;
        stamps += 2;
      }
    }
    used -= (size_t)(line - buffer);
    memmove(buffer, line, used);
  }
}
