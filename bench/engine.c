/* An engine that knows its moves beforehand: it answers at once, and writes down when it read each
 * request and when it wrote each answer. It speaks USI, and to the floor the raw lines.
 *
 *   engine MOVES STAMPS [infos=N [last]] [flood=N] [long] [think_us=N] [by_ply]
 *
 * MOVES holds one answer a line, STAMPS is a file for two 64-bit times an answer (nanoseconds of the
 * monotonic clock). infos is the number of info lines before each answer, at the beginning of its
 * thinking, or with "last" right before it; with flood a second thread
 * prints N info lines a second all the while, short ones or long ones. With by_ply MOVES holds every
 * move of the game, and the answer is the one after those of `position`; the times stand there too.
 * The last 64 bits of STAMPS count the lines of the flood.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A block is written in one piece, so that no other line gets into it: PIPE_BUF. */
enum { buffer_bytes = 1 << 18, block_bytes_max = 4096, slices_a_second = 1000 };

static const char long_line[] =
    "info depth 21 seldepth 34 score cp 152 nodes 10345678 nps 1234567 hashfull 321 time 8123 "
    "pv 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f\n";
static const char short_line[] = "info depth 21 nodes 10345678\n";

struct flood {
  long lines_a_second;
  const char* line;
  uint64_t* poured;
};

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

static void* pour(void* argument) {
  const struct flood* const flood = argument;
  const size_t line_bytes = strlen(flood->line);
  const long lines_a_block = (long)(block_bytes_max / line_bytes);
  char block[block_bytes_max];
  for (long i = 0; i < lines_a_block; ++i) {
    memcpy(block + (size_t)i * line_bytes, flood->line, line_bytes);
  }
  struct timespec next;
  clock_gettime(CLOCK_MONOTONIC, &next);
  for (long owed = 0;;) {
    for (owed += flood->lines_a_second / slices_a_second; owed > 0;) {
      const long lines = owed < lines_a_block ? owed : lines_a_block;
      say(block, (size_t)lines * line_bytes);
      __atomic_fetch_add(flood->poured, (uint64_t)lines, __ATOMIC_RELAXED);
      owed -= lines;
    }
    next.tv_nsec += 1000000000L / slices_a_second;
    if (next.tv_nsec >= 1000000000L) {
      next.tv_nsec -= 1000000000L;
      ++next.tv_sec;
    }
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
  }
  return NULL;
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

static long value_of(const char* word, const char* name) {
  const size_t length = strlen(name);
  return strncmp(word, name, length) == 0 && word[length] == '=' ? atol(word + length + 1) : -1;
}

static long moves_of(const char* position) {
  const char* at = strstr(position, " moves");
  long moves = 0;
  for (at = at == NULL ? "" : at + strlen(" moves"); *at != '\0'; ++at) {
    moves += *at == ' ';
  }
  return moves;
}

/* Spinning keeps the core awake for the short time of a measured move; a long one sleeps. */
static void think(uint64_t from_ns, long think_us) {
  const uint64_t until_ns = from_ns + (uint64_t)think_us * 1000U;
  if (think_us > 10000) {
    const struct timespec until = {(time_t)(until_ns / 1000000000U),
                                   (long)(until_ns % 1000000000U)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
  }
  while (now_ns() < until_ns) {
  }
}

int main(int argc, char** argv) {
  if (argc < 3) {
    return 64;
  }
  size_t moves_bytes = 0;
  const char* moves = slurp(argv[1], &moves_bytes);
  const char* const moves_begin = moves;
  const char* const moves_end = moves + moves_bytes;
  const int stamps_file = open(argv[2], O_RDWR);
  struct stat about;
  if (stamps_file < 0 || fstat(stamps_file, &about) != 0) {
    return 66;
  }
  uint64_t* stamps = mmap(NULL, (size_t)about.st_size, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_POPULATE, stamps_file, 0);
  uint64_t* const stamps_begin = stamps;
  long infos = 0;
  long think_us = 1000;
  long ply = 0;
  int is_by_ply = 0;
  int are_infos_last = 0;
  static struct flood flood = {0, short_line, NULL};
  flood.poured = stamps + (size_t)about.st_size / sizeof *stamps - 1;
  for (int i = 3; i < argc; ++i) {
    infos = value_of(argv[i], "infos") >= 0 ? value_of(argv[i], "infos") : infos;
    think_us = value_of(argv[i], "think_us") >= 0 ? value_of(argv[i], "think_us") : think_us;
    flood.lines_a_second =
        value_of(argv[i], "flood") >= 0 ? value_of(argv[i], "flood") : flood.lines_a_second;
    flood.line = strcmp(argv[i], "long") == 0 ? long_line : flood.line;
    are_infos_last = are_infos_last || strcmp(argv[i], "last") == 0;
    is_by_ply = is_by_ply || strcmp(argv[i], "by_ply") == 0;
  }
  const size_t info_bytes = (size_t)infos * (sizeof long_line - 1);
  char* const info_block = malloc(info_bytes + 1);
  for (long i = 0; i < infos; ++i) {
    memcpy(info_block + (size_t)i * (sizeof long_line - 1), long_line, sizeof long_line - 1);
  }
  pthread_t pouring;
  if (flood.lines_a_second > 0 && pthread_create(&pouring, NULL, pour, &flood) != 0) {
    return 71;
  }
  static char buffer[buffer_bytes];
  size_t used = 0;
  for (;;) {
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
      } else if (is_by_ply && strncmp(line, "position ", 9) == 0) {
        ply = moves_of(line);
      } else if (strncmp(line, "go ", 3) == 0 || line[0] == '-') {
        if (is_by_ply) {
          moves = moves_begin;
          for (long i = 0; i < ply && moves < moves_end; ++i) {
            moves = (const char*)memchr(moves, '\n', (size_t)(moves_end - moves)) + 1;
          }
          stamps = stamps_begin + 2 * ply;
        }
        if (moves >= moves_end) {
          static const char resign[] = "bestmove resign\n";
          say(resign, sizeof resign - 1);
          continue;
        }
        const char* const move_end = memchr(moves, '\n', (size_t)(moves_end - moves));
        if (info_bytes > 0 && !are_infos_last) {
          say(info_block, info_bytes);
        }
        think(read_at, think_us);
        if (info_bytes > 0 && are_infos_last) {
          say(info_block, info_bytes);
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
