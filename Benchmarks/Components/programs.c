// What a scenario of programs is measured against, and what measures it.
//
//   programs COUNT              /bin/echo so often in plain C, with its output checked; 1 when it is wrong
//   programs measure PROGRAM... runs a program, and writes to descriptor 3 its milliseconds from start to end,
//                               those of the processors, and the peak of its memory in KiB
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static void echo(void) {
  int ends[2], status = 0;
  if (pipe2(ends, O_CLOEXEC) != 0) exit(2);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  char *arguments[] = {"/bin/echo", "hello", NULL}, text[64];
  pid_t pid;
  if (posix_spawn(&pid, arguments[0], &actions, NULL, arguments, environ) != 0) exit(2);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  ssize_t count = 0, piece;
  while ((piece = read(ends[0], text + count, sizeof text - count)) > 0) count += piece;
  close(ends[0]);
  waitpid(pid, &status, 0);
  if (status != 0 || count != 6 || memcmp(text, "hello\n", 6) != 0) exit(1);
}

static double milliseconds(struct timeval time) { return time.tv_sec * 1e3 + time.tv_usec / 1e3; }

static int measure(char **arguments) {
  struct timespec start, end;
  struct rusage usage;
  pid_t pid;
  int status = 0;
  clock_gettime(CLOCK_MONOTONIC, &start);
  if (posix_spawnp(&pid, arguments[0], NULL, NULL, arguments, environ) != 0) return 2;
  if (wait4(pid, &status, 0, &usage) != pid || status != 0) return 1;
  clock_gettime(CLOCK_MONOTONIC, &end);
  dprintf(3, "%.3f %.3f %ld\n", (end.tv_sec - start.tv_sec) * 1e3 + (end.tv_nsec - start.tv_nsec) / 1e6,
          milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime), usage.ru_maxrss);
  return 0;
}

int main(int count, char **arguments) {
  if (count > 2 && !strcmp(arguments[1], "measure")) return measure(arguments + 2);
  for (int left = count == 2 ? atoi(arguments[1]) : 0; left > 0; left--) echo();
  return 0;
}
