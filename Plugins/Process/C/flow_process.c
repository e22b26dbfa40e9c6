#define _GNU_SOURCE
#include "flow_process.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __APPLE__
#include <sys/event.h>
#else
#include <sys/syscall.h>
#endif

extern char **environ;

char **flow_environment(void) { return environ; }

void flow_close(int descriptor) { close(descriptor); }

static void close_if_open(int *descriptor) {
  if (*descriptor >= 0) close(*descriptor);
  *descriptor = -1;
}

static int open_pipe(int ends[2]) {
#ifdef __APPLE__
  if (pipe(ends) != 0) return errno;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  return 0;
#else
  return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
#endif
}

// A new pipe has no other flags.
static void stop_blocking(int descriptor) { fcntl(descriptor, F_SETFL, O_NONBLOCK); }

// The child is not reaped yet, so its number cannot belong to another process.
static int open_exit(pid_t pid) {
#ifdef __APPLE__
  int queue = kqueue();
  if (queue < 0) return -1;
  fcntl(queue, F_SETFD, FD_CLOEXEC);
  struct kevent event;
  EV_SET(&event, pid, EVFILT_PROC, EV_ADD | EV_ONESHOT, NOTE_EXIT, 0, NULL);
  if (kevent(queue, &event, 1, NULL, 0, NULL) == 0) return queue;
  bool has_ended = errno == ESRCH;
  close(queue);
  if (!has_ended) return -1;
  // It has ended already: the reading end of a closed pipe is readable.
  int ends[2];
  if (open_pipe(ends) != 0) return -1;
  close(ends[1]);
  return ends[0];
#else
  // The descriptor is closed on exec: pidfd_open(2).
  return (int)syscall(SYS_pidfd_open, pid, 0);
#endif
}

static int set_attributes(posix_spawnattr_t *attributes) {
  // A session of its own, of which it leads the group: without a terminal, on which it would ask, and be stopped.
  short flags = POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
#ifdef __APPLE__
  flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  sigdelset(&all, SIGKILL);
  sigdelset(&all, SIGSTOP);
  int error = posix_spawnattr_setflags(attributes, flags);
  if (error == 0) error = posix_spawnattr_setsigmask(attributes, &none);
  if (error == 0) error = posix_spawnattr_setsigdefault(attributes, &all);
  return error;
}

static int set_actions(posix_spawn_file_actions_t *actions, const char *directory, int input,
                       int output, int errors) {
  int error = input >= 0
                  ? posix_spawn_file_actions_adddup2(actions, input, STDIN_FILENO)
                  : posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (error == 0) error = posix_spawn_file_actions_adddup2(actions, output, STDOUT_FILENO);
  if (error == 0) error = posix_spawn_file_actions_adddup2(actions, errors, STDERR_FILENO);
  if (error == 0) error = posix_spawn_file_actions_addchdir_np(actions, directory);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
  // What others in this process opened without O_CLOEXEC.
  if (error == 0) error = posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
#endif
  return error;
}

static int spawn(char *const arguments[], char *const environment[], const char *directory,
                 int input, int output, int errors, pid_t *pid) {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  int error = posix_spawnattr_init(&attributes);
  if (error != 0) return error;
  error = posix_spawn_file_actions_init(&actions);
  if (error == 0) {
    error = set_attributes(&attributes);
    if (error == 0) error = set_actions(&actions, directory, input, output, errors);
    if (error == 0) {
      error = posix_spawnp(pid, arguments[0], &actions, &attributes, arguments, environment);
    }
    posix_spawn_file_actions_destroy(&actions);
  }
  posix_spawnattr_destroy(&attributes);
  return error;
}

// Where the end of children is ignored, as `trap '' CHLD` makes every program do that a shell starts, the
// system reaps them, and how they ended is lost.
static void notice_children(void) {
  struct sigaction action;
  if (sigaction(SIGCHLD, NULL, &action) == 0 && action.sa_handler == SIG_IGN) {
    signal(SIGCHLD, SIG_DFL);
  }
}

static int start(char *const arguments[], char *const environment[], const char *directory,
                 int pipes[3][2], pid_t *pid) {
  // A standard descriptor that was closed in this process would be taken by a pipe, which the
  // child would then lose while it moves the pipes to their places.
  for (int stream = 0; stream < 3; stream++) {
    for (int end = 0; end < 2; end++) {
      int descriptor = pipes[stream][end];
      if (descriptor < 0 || descriptor > STDERR_FILENO) continue;
      int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
      if (moved < 0) return errno;
      close(descriptor);
      pipes[stream][end] = moved;
    }
  }
  return spawn(arguments, environment, directory, pipes[0][0], pipes[1][1], pipes[2][1], pid);
}

int flow_process_start(char *const arguments[], char *const environment[], const char *directory,
                       bool has_input, struct flow_process *process) {
  int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
  int error = has_input ? open_pipe(pipes[0]) : 0;
  if (error == 0) error = open_pipe(pipes[1]);
  if (error == 0) error = open_pipe(pipes[2]);
  pid_t pid = 0;
  notice_children();
  if (error == 0) error = start(arguments, environment, directory, pipes, &pid);
  int exit = -1;
  if (error == 0) {
    exit = open_exit(pid);
    if (exit < 0) {
      error = errno;
      kill(-pid, SIGKILL);
      while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
    }
  }
  close_if_open(&pipes[0][0]);
  close_if_open(&pipes[1][1]);
  close_if_open(&pipes[2][1]);
  if (error != 0) {
    close_if_open(&pipes[0][1]);
    close_if_open(&pipes[1][0]);
    close_if_open(&pipes[2][0]);
    return error;
  }
  if (has_input) stop_blocking(pipes[0][1]);
  stop_blocking(pipes[1][0]);
  stop_blocking(pipes[2][0]);
  *process = (struct flow_process){pid, exit, pipes[0][1], pipes[1][0], pipes[2][0]};
  return 0;
}

bool flow_process_reap(pid_t pid, int *status, int *signal) {
  int word = 0;
  pid_t reaped;
  do {
    reaped = waitpid(pid, &word, WNOHANG);
  } while (reaped < 0 && errno == EINTR);
  if (reaped == 0) return false;
  // Another part of this process has reaped it, and nothing is known.
  *status = reaped < 0 ? -1 : WIFEXITED(word) ? WEXITSTATUS(word) : 128 + WTERMSIG(word);
  *signal = reaped > 0 && WIFSIGNALED(word) ? WTERMSIG(word) : 0;
  return true;
}

void flow_group_terminate(pid_t group) {
  kill(-group, SIGTERM);
  kill(-group, SIGCONT);
}

void flow_group_kill(pid_t group) { kill(-group, SIGKILL); }

#ifdef __linux__
// Whether a process is a member of the group and has not ended: proc(5), /proc/pid/stat.
static bool is_living_member(const char *number, pid_t group) {
  char path[64], text[512];
  snprintf(path, sizeof path, "/proc/%s/stat", number);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  if (count <= 0) return false;
  text[count] = 0;
  // The name before it may contain anything.
  const char *rest = strrchr(text, ')');
  char state;
  int parent, its_group;
  if (rest == NULL || sscanf(rest + 1, " %c %d %d", &state, &parent, &its_group) != 3) return false;
  return its_group == group && state != 'Z' && state != 'X';
}

// A member that has ended stays a member until its parent has taken notice, which in a container
// may be never.
static bool has_living_member(pid_t group) {
  DIR *folder = opendir("/proc");
  if (folder == NULL) return true;
  bool found = false;
  struct dirent *entry;
  while (!found && (entry = readdir(folder)) != NULL) {
    found = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
            is_living_member(entry->d_name, group);
  }
  closedir(folder);
  return found;
}
#else
static bool has_living_member(pid_t group) { return group > 0; }
#endif

bool flow_group_exists(pid_t group) {
  if (kill(-group, 0) != 0 && errno == ESRCH) return false;
  return has_living_member(group);
}

int flow_waker_open(int *writing) {
  int ends[2];
  int error = open_pipe(ends);
  if (error != 0) return -1;
  stop_blocking(ends[0]);
  stop_blocking(ends[1]);
  *writing = ends[1];
  return ends[0];
}

void flow_wake(int writing) {
  // A full pipe wakes as well.
  ssize_t count = write(writing, "", 1);
  (void)count;
}

void flow_waker_clear(int reading) {
  char bytes[64];
  while (read(reading, bytes, sizeof bytes) == sizeof bytes) {}
}

void flow_block_broken_pipes(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
}

static ssize_t outcome(ssize_t count) {
  if (count >= 0) return count;
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? -1 : -2;
}

ssize_t flow_read(int descriptor, uint8_t *bytes, size_t count) {
  return outcome(read(descriptor, bytes, count));
}

ssize_t flow_write(int descriptor, const uint8_t *bytes, size_t count) {
  return outcome(write(descriptor, bytes, count));
}

static int connected(const struct sockaddr *address, socklen_t length) {
  int descriptor = socket(address->sa_family, SOCK_STREAM, 0);
  if (descriptor < 0) return -1;
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  stop_blocking(descriptor);
  bool is_connected = connect(descriptor, address, length) == 0;
  if (!is_connected && errno == EINPROGRESS) {
    struct pollfd state = {descriptor, POLLOUT, 0};
    int error = 0;
    socklen_t size = sizeof error;
    is_connected = poll(&state, 1, 20) == 1 &&
                   getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
  }
  if (is_connected) return descriptor;
  close(descriptor);
  return -1;
}

static int connected_to_port(uint16_t port) {
  struct sockaddr_in four;
  memset(&four, 0, sizeof four);
  four.sin_family = AF_INET;
  four.sin_port = htons(port);
  four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int descriptor = connected((const struct sockaddr *)&four, sizeof four);
  if (descriptor >= 0) return descriptor;
  struct sockaddr_in6 six;
  memset(&six, 0, sizeof six);
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(port);
  six.sin6_addr = in6addr_loopback;
  return connected((const struct sockaddr *)&six, sizeof six);
}

bool flow_port_accepts(uint16_t port) {
  int descriptor = connected_to_port(port);
  if (descriptor < 0) return false;
  close(descriptor);
  return true;
}

int flow_request(uint16_t port, const char *text) {
  int descriptor = connected_to_port(port);
  if (descriptor < 0) return -1;
  // It fits the buffer of a new connection.
  size_t count = strlen(text);
#ifdef MSG_NOSIGNAL
  ssize_t sent = send(descriptor, text, count, MSG_NOSIGNAL);
#else
  int yes = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
  ssize_t sent = send(descriptor, text, count, 0);
#endif
  if (sent == (ssize_t)count) return descriptor;
  close(descriptor);
  return -1;
}

int flow_answer_status(int descriptor) {
  char head[16] = {0};
  ssize_t count = recv(descriptor, head, sizeof head - 1, MSG_PEEK | MSG_DONTWAIT);
  if (count < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? 0 : -1;
  if (count == 0) return -1;
  // HTTP/1.1 200
  if (count < 12) return 0;
  if (strncmp(head, "HTTP/1.", 7) != 0 || head[8] != ' ') return -1;
  int status = atoi(head + 9);
  return status > 0 ? status : -1;
}

#ifdef __linux__
// Whether an address in /proc/net/tcp is one of this machine's own, or any: of what listens, that is what a connection to
// localhost finds. Words of four bytes in hexadecimal digits, each in the order of the machine.
static bool is_local(const char *address, size_t length) {
  char word[9] = {0};
  memcpy(word, address + length - 8, 8);
  uint32_t last = ntohl((uint32_t)strtoul(word, NULL, 16));
  bool is_zero = strspn(address, "0") >= length - 8;
  if (length == 8) return last == 0 || last >> 24 == 127;
  // ::, ::1 and those of IPv4 in IPv6.
  if (is_zero) return last <= 1;
  return memcmp(address + 16, "FFFF0000", 8) == 0 && (last == 0 || last >> 24 == 127);
}

static size_t add_ports(const char *path, uint16_t *ports, size_t count, size_t capacity) {
  FILE *file = fopen(path, "re");
  if (file == NULL) return count;
  char line[256];
  while (count < capacity && fgets(line, sizeof line, file) != NULL) {
    char address[33];
    unsigned port, state;
    int fields = sscanf(line, " %*u: %32[0-9A-F]:%4X %*[0-9A-F]:%*4X %2X", address, &port, &state);
    size_t length = fields == 3 ? strlen(address) : 0;
    // 0A is TCP_LISTEN.
    if ((length == 8 || length == 32) && state == 0x0A && is_local(address, length)) {
      ports[count++] = (uint16_t)port;
    }
  }
  fclose(file);
  return count;
}

size_t flow_listening_ports(uint16_t *ports, size_t capacity) {
  size_t count = add_ports("/proc/net/tcp", ports, 0, capacity);
  return add_ports("/proc/net/tcp6", ports, count, capacity);
}
#else
size_t flow_listening_ports(uint16_t *ports, size_t capacity) { return 0; }
#endif
