#include "CPostgreSQL.h"

#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <netinet/in.h>
#if defined(__linux__) && __has_include(<linux/tcp.h>)
// That of glibc, `netinet/tcp.h`, does not have the count.
#include <linux/tcp.h>
#endif

static const flow_library library = {
  "pq",
  {5},
  sizeof(flow_pq),
#define NAME(result, name, parameters) "PQ" #name,
  (const char *const[]){FLOW_PQ_FUNCTIONS(NAME) NULL},
#undef NAME
};

const flow_pq *flow_pq_load(flow_library_problem *problem) { return flow_library_load(&library, problem); }

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
