#define _GNU_SOURCE
#include "flow_terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static int open_user(void) {
#ifdef __linux__
  // In the same call: another thread may start a program before the next one.
  return posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
#else
  int user = posix_openpt(O_RDWR | O_NOCTTY);
  if (user < 0) return -1;
  fcntl(user, F_SETFD, FD_CLOEXEC);
  return user;
#endif
}

// The output has the line breaks that the program wrote, without a carriage return before each.
static int set_up(int program, struct flow_size size) {
  struct termios attributes;
  if (tcgetattr(program, &attributes) != 0) return errno;
  attributes.c_oflag &= ~(tcflag_t)ONLCR;
  if (tcsetattr(program, TCSANOW, &attributes) != 0) return errno;
  struct winsize window = {.ws_row = size.rows, .ws_col = size.columns};
  return ioctl(program, TIOCSWINSZ, &window) == 0 ? 0 : errno;
}

static int open_program(int user, struct flow_size size, struct flow_terminal *terminal) {
  if (grantpt(user) != 0 || unlockpt(user) != 0) return errno;
#ifdef __APPLE__
  // The name lives until the next call, and `flow` starts programs one after the other.
  const char *path = ptsname(user);
  if (path == NULL) return ENOTTY;
  snprintf(terminal->path, sizeof terminal->path, "%s", path);
#else
  int error = ptsname_r(user, terminal->path, sizeof terminal->path);
  if (error != 0) return error;
#endif
  int program = open(terminal->path, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (program < 0) return errno;
  int failure = set_up(program, size);
  if (failure != 0) {
    close(program);
    return failure;
  }
  terminal->user = user;
  terminal->program = program;
  return 0;
}

int flow_terminal_open(struct flow_size size, struct flow_terminal *terminal) {
  int user = open_user();
  if (user < 0) return errno;
  int error = open_program(user, size, terminal);
  if (error != 0) close(user);
  return error;
}
