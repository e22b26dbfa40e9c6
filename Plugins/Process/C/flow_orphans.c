#define _GNU_SOURCE
#include "flow_process.h"
#include "flow_status.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __linux__
bool flow_process_identity(pid_t pid, char *text, size_t capacity) {
  struct flow_status status;
  if (!flow_status_read(pid, &status)) return false;
  // The numbers of processes are those of a namespace, and the ticks those of a start of the machine.
  char boot[37] = {0};
  int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  ssize_t count = file < 0 ? -1 : read(file, boot, sizeof boot - 1);
  if (file >= 0) close(file);
  struct stat names;
  if (count != sizeof boot - 1 || stat("/proc/self/ns/pid", &names) != 0) return false;
  int length = snprintf(text, capacity, "%d %llu %s %llu", (int)pid,
                        (unsigned long long)status.started, boot, (unsigned long long)names.st_ino);
  return length > 0 && (size_t)length < capacity;
}

int flow_process_hold(const char *identity, struct flow_holder *holder) {
  pid_t pid = (pid_t)atoi(identity);
  if (pid <= 1) return -1;
  // Held first: what is compared then is this process, or a later one, which has another start.
  int held = (int)syscall(SYS_pidfd_open, pid, 0);
  if (held < 0) return -1;
  char text[FLOW_IDENTITY];
  struct flow_status status;
  if (flow_process_identity(pid, text, sizeof text) && strcmp(text, identity) == 0 &&
      flow_status_read(pid, &status)) {
    holder->pid = pid;
    memcpy(holder->name, status.name, sizeof holder->name);
    return held;
  }
  close(held);
  return -1;
}

static bool is_in_session(pid_t pid, pid_t leader) {
  struct flow_status status;
  return flow_status_read(pid, &status) && status.session == leader && status.state != 'Z' &&
         status.state != 'X';
}

size_t flow_session_hold(int leader, const char *identity, int *held, size_t capacity) {
  DIR *folder = opendir("/proc");
  if (folder == NULL) return 0;
  pid_t session = (pid_t)atoi(identity);
  size_t count = 0;
  struct dirent *entry;
  while (count < capacity && (entry = readdir(folder)) != NULL) {
    if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
    pid_t pid = (pid_t)atoi(entry->d_name);
    if (pid == getpid() || !is_in_session(pid, session)) continue;
    int member = (int)syscall(SYS_pidfd_open, pid, 0);
    if (member < 0) continue;
    if (is_in_session(pid, session)) {
      held[count++] = member;
    } else {
      close(member);
    }
  }
  closedir(folder);
  // The number of a session is no other's as long as its leader is there.
  if (!flow_held_has_ended(leader)) return count;
  while (count > 0) close(held[--count]);
  return 0;
}

bool flow_held_has_ended(int held) {
  struct pollfd state = {held, POLLIN, 0};
  return poll(&state, 1, 0) == 1;
}

void flow_held_end(int held, bool is_gentle) {
  syscall(SYS_pidfd_send_signal, held, is_gentle ? SIGTERM : SIGKILL, NULL, 0);
  if (is_gentle) syscall(SYS_pidfd_send_signal, held, SIGCONT, NULL, 0);
}
#else
bool flow_process_identity(pid_t pid, char *text, size_t capacity) { return false; }
int flow_process_hold(const char *identity, struct flow_holder *holder) { return -1; }
size_t flow_session_hold(int leader, const char *identity, int *held, size_t capacity) { return 0; }
bool flow_held_has_ended(int held) { return true; }
void flow_held_end(int held, bool is_gentle) {}
#endif

// A folder of this user's alone, where files are that mean nothing once the machine is started again.
static int open_notes_folder(bool is_new) {
  const char *outer = getenv("TMPDIR");
  if (outer == NULL || outer[0] != '/') outer = "/tmp";
  char path[PATH_MAX];
  int length = snprintf(path, sizeof path, "%s/flow-programs-%u", outer, (unsigned)geteuid());
  if (length < 0 || (size_t)length >= sizeof path) return -1;
  if (is_new && mkdir(path, 0700) != 0 && errno != EEXIST) return -1;
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat status;
  // Anyone may have made a folder of this name.
  if (folder >= 0 && fstat(folder, &status) == 0 && status.st_uid == geteuid() &&
      (status.st_mode & 077) == 0) {
    return folder;
  }
  if (folder >= 0) close(folder);
  return -1;
}

static bool is_named(int folder, const char *name, int file) {
  struct stat named, opened;
  return fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && fstat(file, &opened) == 0 &&
         named.st_dev == opened.st_dev && named.st_ino == opened.st_ino && S_ISREG(opened.st_mode);
}

// Whether a process is left of those that were noted in a file.
static bool has_any(int file) {
  char text[64 << 10];
  size_t count = flow_notes_read(file, text, sizeof text - 1);
  text[count] = 0;
  for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
    *end = 0;
    // Blanks are behind the identity.
    line[strcspn(line, "\t")] = 0;
    size_t length = strlen(line);
    while (length > 0 && line[length - 1] == ' ') line[--length] = 0;
    struct flow_holder holder;
    int held = flow_process_hold(line, &holder);
    if (held >= 0) close(held);
    if (held >= 0) return true;
  }
  return false;
}

// Removes what was noted by killed processes of runs that nobody has resumed, once nothing is left of it.
static void sweep(int folder) {
  int copy = dup(folder);
  DIR *stream = copy < 0 ? NULL : fdopendir(copy);
  if (stream == NULL) {
    if (copy >= 0) close(copy);
    return;
  }
  struct dirent *entry;
  for (int count = 0; count < 64 && (entry = readdir(stream)) != NULL; count++) {
    int file = openat(folder, entry->d_name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) continue;
    if (flock(file, LOCK_EX | LOCK_NB) == 0 && is_named(folder, entry->d_name, file) &&
        !has_any(file)) {
      unlinkat(folder, entry->d_name, 0);
    }
    close(file);
  }
  closedir(stream);
}

int flow_notes_open(const char *name, bool is_new) {
  int folder = open_notes_folder(is_new);
  if (folder < 0) return -1;
  if (is_new) sweep(folder);
  int flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (is_new ? O_CREAT : 0);
  int file = openat(folder, name, flags, 0600);
  // Another process that holds it lives, and its programs are no orphans. One that has just ended may have removed it.
  if (file >= 0 && (flock(file, LOCK_EX | LOCK_NB) != 0 || !is_named(folder, name, file))) {
    close(file);
    file = -1;
  }
  close(folder);
  return file;
}

void flow_notes_remove(const char *name, int file) {
  int folder = open_notes_folder(false);
  if (folder >= 0 && is_named(folder, name, file)) unlinkat(folder, name, 0);
  if (folder >= 0) close(folder);
}

bool flow_notes_write(int file, const char *text, size_t count) {
  // What a killed process leaves of the old lines behind the new ones is whole lines: all have one length.
  return pwrite(file, text, count, 0) == (ssize_t)count && ftruncate(file, (off_t)count) == 0;
}

size_t flow_notes_read(int file, char *text, size_t capacity) {
  ssize_t count = pread(file, text, capacity, 0);
  return count > 0 ? (size_t)count : 0;
}
