#define _GNU_SOURCE
#include "flow_process.h"
#include "flow_status.h"
#include "flow_terminal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
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

// What a child has as its streams: pipes, or the terminal at a path for all three.
struct streams {
  int input, output, errors;
  const char *terminal;
};

// The leader of a new session takes the first terminal that it opens as its own.
static int set_streams(posix_spawn_file_actions_t *actions, const struct streams *streams) {
  if (streams->terminal != NULL) {
    int error = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, streams->terminal, O_RDWR, 0);
    if (error == 0) error = posix_spawn_file_actions_adddup2(actions, STDIN_FILENO, STDOUT_FILENO);
    if (error == 0) error = posix_spawn_file_actions_adddup2(actions, STDIN_FILENO, STDERR_FILENO);
    return error;
  }
  int error = streams->input >= 0
                  ? posix_spawn_file_actions_adddup2(actions, streams->input, STDIN_FILENO)
                  : posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (error == 0) error = posix_spawn_file_actions_adddup2(actions, streams->output, STDOUT_FILENO);
  if (error == 0) error = posix_spawn_file_actions_adddup2(actions, streams->errors, STDERR_FILENO);
  return error;
}

static int set_actions(posix_spawn_file_actions_t *actions, const char *directory, int folder,
                       const struct streams *streams) {
  int error = set_streams(actions, streams);
  if (error == 0 && folder >= 0) error = posix_spawn_file_actions_addfchdir_np(actions, folder);
  if (error == 0 && folder < 0) error = posix_spawn_file_actions_addchdir_np(actions, directory);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
  // What others in this process opened without O_CLOEXEC.
  if (error == 0) error = posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
#endif
  return error;
}

static int spawn(const char *program, char *const arguments[], char *const environment[], const char *directory,
                 int folder, const struct streams *streams, pid_t *pid) {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  int error = posix_spawnattr_init(&attributes);
  if (error != 0) return error;
  error = posix_spawn_file_actions_init(&actions);
  if (error == 0) {
    error = set_attributes(&attributes);
    if (error == 0) error = set_actions(&actions, directory, folder, streams);
    if (error == 0) {
      error = posix_spawnp(pid, program, &actions, &attributes, arguments, environment);
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

static int start(const char *program, char *const arguments[], char *const environment[], const char *directory,
                 int folder, int pipes[3][2], pid_t *pid) {
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
  int errors = pipes[2][1] < 0 ? pipes[1][1] : pipes[2][1];
  struct streams streams = {pipes[0][0], pipes[1][1], errors, NULL};
  return spawn(program, arguments, environment, directory, folder, &streams, pid);
}

// Without a descriptor for its end the process is killed.
static int watch_exit(pid_t pid, int *exit) {
  *exit = open_exit(pid);
  if (*exit >= 0) return 0;
  int error = errno;
  kill(-pid, SIGKILL);
  while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
  return error;
}

int flow_process_start(const char *program, char *const arguments[], char *const environment[],
                       const char *directory, int folder, bool has_input, bool joins_outputs,
                       struct flow_process *process) {
  int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
  int error = has_input ? open_pipe(pipes[0]) : 0;
  if (error == 0) error = open_pipe(pipes[1]);
  if (error == 0 && !joins_outputs) error = open_pipe(pipes[2]);
  pid_t pid = 0;
  notice_children();
  if (error == 0) error = start(program, arguments, environment, directory, folder, pipes, &pid);
  int exit = -1;
  if (error == 0) error = watch_exit(pid, &exit);
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
  if (!joins_outputs) stop_blocking(pipes[2][0]);
  *process = (struct flow_process){pid, exit, pipes[0][1], pipes[1][0], pipes[2][0]};
  return 0;
}

int flow_process_start_in_foreground(const char *program, char *const arguments[], char *const environment[],
                                     const char *directory, int folder, struct flow_process *process) {
  struct streams streams = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, NULL};
  pid_t pid = 0;
  int exit = -1;
  notice_children();
  int error = spawn(program, arguments, environment, directory, folder, &streams, &pid);
  if (error == 0) error = watch_exit(pid, &exit);
  if (error == 0) *process = (struct flow_process){pid, exit, -1, -1, -1};
  return error;
}

int flow_process_start_on_terminal(const char *program, char *const arguments[], char *const environment[],
                                   const char *directory, int folder, struct flow_size size,
                                   struct flow_process *process) {
  struct flow_terminal terminal;
  int error = flow_terminal_open(size, &terminal);
  if (error != 0) return error;
  struct streams streams = {-1, -1, -1, terminal.path};
  pid_t pid = 0;
  int exit = -1, input = -1;
  notice_children();
  error = spawn(program, arguments, environment, directory, folder, &streams, &pid);
  if (error == 0) error = watch_exit(pid, &exit);
  close(terminal.program);
  if (error == 0) {
    input = fcntl(terminal.user, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (input < 0) {
      error = errno;
      kill(-pid, SIGKILL);
      while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
      close(exit);
    }
  }
  if (error != 0) {
    close(terminal.user);
    return error;
  }
  // Both are the same open file.
  stop_blocking(terminal.user);
  *process = (struct flow_process){pid, exit, input, terminal.user, -1};
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

static void ask_to_end(pid_t group, int signal) {
  kill(-group, signal);
  kill(-group, SIGCONT);
}

void flow_group_terminate(pid_t group) { ask_to_end(group, SIGTERM); }

void flow_group_interrupt(pid_t group) { ask_to_end(group, SIGINT); }

void flow_group_hang_up(pid_t group) { ask_to_end(group, SIGHUP); }

bool flow_process_signal(pid_t pid, int signal) { return kill(pid, signal) == 0; }

void flow_group_kill(pid_t group) { kill(-group, SIGKILL); }

#ifdef __linux__
static bool is_living_member(const char *number, pid_t group) {
  struct flow_status status;
  return flow_status_read((pid_t)atoi(number), &status) && status.group == group &&
         status.state != 'Z' && status.state != 'X';
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
