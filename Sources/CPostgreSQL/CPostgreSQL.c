#include "CPostgreSQL.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <netinet/in.h>
#if defined(__linux__) && __has_include(<linux/tcp.h>)
// That of glibc, `netinet/tcp.h`, does not have the count.
#include <linux/tcp.h>
#endif

static bool find_functions(void *library, flow_pq *pq, const char **problem) {
#define FIND(result, name, parameters)                       \
  *(void **)&pq->name = dlsym(library, "PQ" #name);          \
  if (!pq->name) {                                           \
    *problem = "it is too old: it has no PQ" #name;          \
    return false;                                            \
  }
  FLOW_PQ_FUNCTIONS(FIND)
#undef FIND
  return true;
}

const flow_pq *flow_pq_load(const char *file, const char **problem) {
  // Never unloaded: libraries below it, such as OpenSSL, register what runs at the end of the process.
  void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    const char *text = dlerror();
    *problem = text ? text : "the system gave no reason";
    return NULL;
  }
  flow_pq *pq = calloc(1, sizeof *pq);
  *problem = "the system is out of memory";
  if (!pq || !find_functions(library, pq, problem)) {
    free(pq);
    return NULL;
  }
  return pq;
}

int flow_pq_wait(int socket, bool writes, int milliseconds) {
  struct pollfd descriptor = {.fd = socket, .events = writes ? POLLIN | POLLOUT : POLLIN};
  int ready;
  // A signal makes it wait anew, which only a flood of them would draw out.
  do ready = poll(&descriptor, 1, milliseconds);
  while (ready < 0 && errno == EINTR);
  return ready;
}

int64_t flow_pq_unread(int socket) {
  int count = 0;
  return ioctl(socket, FIONREAD, &count) == 0 ? count : 0;
}

int64_t flow_pq_received(int socket) {
#if defined(__linux__) && __has_include(<linux/tcp.h>)
  struct tcp_info info = {0};
  socklen_t size = sizeof info;
  if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 &&
      size >= offsetof(struct tcp_info, tcpi_bytes_received) + sizeof info.tcpi_bytes_received) {
    return (int64_t)info.tcpi_bytes_received;
  }
#else
  (void)socket;
#endif
  return -1;
}
