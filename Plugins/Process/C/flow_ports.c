#define _GNU_SOURCE
#include "flow_process.h"
#include "flow_status.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int connected(const struct sockaddr *address, socklen_t length) {
  int descriptor = socket(address->sa_family, SOCK_STREAM, 0);
  if (descriptor < 0) return -1;
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  // A new socket has no other flags.
  fcntl(descriptor, F_SETFL, O_NONBLOCK);
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

static int connected_to_port(uint16_t port, int families) {
  if (families & FLOW_FOUR) {
    struct sockaddr_in four;
    memset(&four, 0, sizeof four);
    four.sin_family = AF_INET;
    four.sin_port = htons(port);
    four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int descriptor = connected((const struct sockaddr *)&four, sizeof four);
    if (descriptor >= 0) return descriptor;
  }
  if (!(families & FLOW_SIX)) return -1;
  struct sockaddr_in6 six;
  memset(&six, 0, sizeof six);
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(port);
  six.sin6_addr = in6addr_loopback;
  return connected((const struct sockaddr *)&six, sizeof six);
}

bool flow_port_accepts(uint16_t port, int families) {
  int descriptor = connected_to_port(port, families);
  if (descriptor < 0) return false;
  close(descriptor);
  return true;
}

int flow_request(uint16_t port, int families, const char *text) {
  int descriptor = connected_to_port(port, families);
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
// The families in which localhost is found at an address of /proc/net/tcp: words of four bytes in hexadecimal digits,
// each in the order of the machine. 0 for an address at which it is not.
static int families_of(const char *address, size_t length) {
  char word[9] = {0};
  memcpy(word, address + length - 8, 8);
  uint32_t last = ntohl((uint32_t)strtoul(word, NULL, 16));
  bool is_four = last == 0 || last == INADDR_LOOPBACK;
  if (length == 8) return is_four ? FLOW_FOUR : 0;
  bool is_zero = strspn(address, "0") >= length - 8;
  // `::` takes IPv4 as well, unless it was told not to, which is seen nowhere.
  if (is_zero) return last == 0 ? FLOW_FOUR | FLOW_SIX : last == 1 ? FLOW_SIX : 0;
  bool is_mapped = strspn(address, "0") >= 16 && memcmp(address + 16, "FFFF0000", 8) == 0;
  return is_mapped && is_four ? FLOW_FOUR : 0;
}

static size_t add_listeners(const char *path, int port, struct flow_listener *listeners,
                            size_t count, size_t capacity) {
  FILE *file = fopen(path, "re");
  if (file == NULL) return count;
  char line[512];
  if (fgets(line, sizeof line, file) == NULL) count = capacity;
  while (count < capacity && fgets(line, sizeof line, file) != NULL) {
    char address[33];
    unsigned its_port, state;
    unsigned long long inode;
    int fields = sscanf(line,
                        " %*u: %32[0-9A-F]:%4X %*[0-9A-F]:%*4X %2X %*8X:%*8X %*2X:%*8X %*8X %*u %*u %llu",
                        address, &its_port, &state, &inode);
    // What listens (0A) comes first, on older systems with what is just being accepted (03).
    if (fields == 4 && state != 0x0A && state != 0x03) break;
    size_t length = fields == 4 ? strlen(address) : 0;
    if ((length != 8 && length != 32) || state != 0x0A) continue;
    if (port != 0 && its_port != (unsigned)port) continue;
    int families = families_of(address, length);
    if (families == 0) continue;
    listeners[count++] = (struct flow_listener){inode, families, length == 8};
  }
  fclose(file);
  return count;
}

size_t flow_listeners(int port, struct flow_listener *listeners, size_t capacity) {
  size_t count = add_listeners("/proc/net/tcp", port, listeners, 0, capacity);
  return add_listeners("/proc/net/tcp6", port, listeners, count, capacity);
}

uint64_t flow_process_started(pid_t pid) {
  struct flow_status status;
  return flow_status_read(pid, &status) ? status.started : 0;
}

static bool holds(pid_t pid, uint64_t socket) {
  char path[64], wanted[64], target[64];
  snprintf(wanted, sizeof wanted, "socket:[%llu]", (unsigned long long)socket);
  snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
  DIR *folder = opendir(path);
  if (folder == NULL) return false;
  bool found = false;
  struct dirent *entry;
  while (!found && (entry = readdir(folder)) != NULL) {
    ssize_t length = readlinkat(dirfd(folder), entry->d_name, target, sizeof target - 1);
    if (length <= 0) continue;
    target[length] = 0;
    found = strcmp(target, wanted) == 0;
  }
  closedir(folder);
  return found;
}

// Whether a process may adopt what this one's programs leave behind: the first of all, and those around this one that
// asked for it (prctl(2), PR_SET_CHILD_SUBREAPER), which is seen nowhere.
static bool may_adopt(pid_t pid) {
  if (pid == 1) return true;
  struct flow_status status;
  pid_t current = getpid();
  for (int depth = 0; depth < 256 && flow_status_read(current, &status); depth++) {
    current = status.parent;
    if (current == pid) return true;
  }
  return false;
}

// Whether a process is a program, in its session or group, or was started by it or by what it has started.
//
// What left the session and whose parent has ended hangs on a process that adopts. It is the program's if it and its
// session are not older than the program, which leads a session of its own.
static bool descends(pid_t pid, pid_t program, uint64_t started) {
  struct flow_status status;
  pid_t current = pid, top = 0, session = 0;
  for (int depth = 0; depth < 256; depth++) {
    if (!flow_status_read(current, &status)) return false;
    if (current == program || status.session == program || status.group == program) return true;
    if (status.started < started || current == 1 || current == getpid()) break;
    top = current;
    session = status.session;
    current = status.parent;
  }
  if (top == 0 || session <= 0 || !may_adopt(current)) return false;
  // Where this process is the first, its own programs lead their sessions.
  if (current == getpid() && session == top) return false;
  return !flow_status_read(session, &status) || status.started >= started;
}

enum flow_owner flow_socket_owner(uint64_t socket, pid_t program, uint64_t started,
                                  struct flow_holder *holder) {
  DIR *folder = opendir("/proc");
  if (folder == NULL) return FLOW_OWNER_UNKNOWN;
  enum flow_owner owner = FLOW_OWNER_UNKNOWN;
  struct dirent *entry;
  while (owner != FLOW_OWNER_PROGRAM && (entry = readdir(folder)) != NULL) {
    if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
    pid_t pid = (pid_t)atoi(entry->d_name);
    if (!holds(pid, socket)) continue;
    struct flow_status status;
    if (descends(pid, program, started)) {
      owner = FLOW_OWNER_PROGRAM;
    } else if (owner == FLOW_OWNER_UNKNOWN && flow_status_read(pid, &status)) {
      owner = FLOW_OWNER_OTHER;
      holder->pid = pid;
      memcpy(holder->name, status.name, sizeof holder->name);
    }
  }
  closedir(folder);
  return owner;
}
#else
size_t flow_listeners(int port, struct flow_listener *listeners, size_t capacity) { return 0; }

uint64_t flow_process_started(pid_t pid) { return 0; }

enum flow_owner flow_socket_owner(uint64_t socket, pid_t program, uint64_t started,
                                  struct flow_holder *holder) {
  return FLOW_OWNER_UNKNOWN;
}
#endif
