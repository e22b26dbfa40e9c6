#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "Server.h"

#include <netinet/in.h>
#include <unistd.h>

// The user of the program at the other end of a connection. Both ends are on this machine, so the
// system knows the socket there.

int64_t flow_user(void) { return (int64_t)geteuid(); }

typedef struct {
  struct sockaddr_in here, there;
} connection_ends;

static bool find_ends(int socket, connection_ends *ends) {
  socklen_t here = sizeof ends->here, there = sizeof ends->there;
  return getsockname(socket, (struct sockaddr *)&ends->here, &here) == 0 && ends->here.sin_family == AF_INET
    && getpeername(socket, (struct sockaddr *)&ends->there, &there) == 0 && ends->there.sin_family == AF_INET;
}

#ifdef __linux__
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <stdio.h>
#include <string.h>

// A socket that its program has closed has no inode, and most of the time the user 0 in place of
// its own.
static bool is_of(int64_t user, int64_t owner, uint64_t inode) {
  return owner == 0 ? inode != 0 : owner == user;
}

// MARK: - Asking the kernel, sock_diag(7)

static bool ask(int netlink, const connection_ends *ends, struct inet_diag_msg *socket) {
  struct {
    struct nlmsghdr head;
    struct inet_diag_req_v2 body;
  } question = {
    .head = {.nlmsg_len = sizeof question, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST},
    .body = {
      .sdiag_family = AF_INET, .sdiag_protocol = IPPROTO_TCP, .idiag_states = UINT32_MAX,
      .id = {
        .idiag_sport = ends->there.sin_port, .idiag_src = {ends->there.sin_addr.s_addr},
        .idiag_dport = ends->here.sin_port, .idiag_dst = {ends->here.sin_addr.s_addr},
        .idiag_cookie = {INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE}}}};
  if (send(netlink, &question, sizeof question, 0) != sizeof question) return false;
  struct {
    struct nlmsghdr head;
    struct inet_diag_msg body;
    char attributes[1024];
  } answer;
  // The kernel has answered before `send` returns.
  ssize_t count = recv(netlink, &answer, sizeof answer, MSG_DONTWAIT);
  size_t least = sizeof answer.head + sizeof answer.body;
  if (count < (ssize_t)least || answer.head.nlmsg_type != SOCK_DIAG_BY_FAMILY) return false;
  *socket = answer.body;
  // Without a connection it finds what listens on the client's port.
  return socket->id.idiag_sport == ends->there.sin_port && socket->id.idiag_dport == ends->here.sin_port;
}

// MARK: - Reading proc_pid_net(5), for systems that do not answer

// An address is the word of IPv4 as the machine reads it, alone or behind the words of `::ffff:`.
static bool is_address(const char *text, unsigned port, const struct sockaddr_in *address) {
  char word[9];
  snprintf(word, sizeof word, "%08X", address->sin_addr.s_addr);
  size_t length = strlen(text);
  bool is_mapped = length == 32 && memcmp(text, "0000000000000000FFFF0000", 24) == 0;
  bool is_known = length == 8 || is_mapped;
  return is_known && port == ntohs(address->sin_port) && memcmp(text + length - 8, word, 8) == 0;
}

static bool is_listed(const char *path, const connection_ends *ends, int64_t user) {
  FILE *file = fopen(path, "re");
  if (!file) return false;
  bool found = false;
  char line[512], local[33], remote[33];
  while (!found && fgets(line, sizeof line, file)) {
    unsigned local_port, remote_port, owner;
    unsigned long long inode;
    int fields = sscanf(
      line, " %*u: %32[0-9A-F]:%4X %32[0-9A-F]:%4X %*2X %*8X:%*8X %*2X:%*8X %*8X %u %*u %llu", local,
      &local_port, remote, &remote_port, &owner, &inode);
    if (fields != 6 || !is_address(local, local_port, &ends->there)) continue;
    found = is_address(remote, remote_port, &ends->here) && is_of(user, owner, inode);
  }
  fclose(file);
  return found;
}

static bool is_own_end(const connection_ends *ends, int64_t user) {
  struct inet_diag_msg client;
  int netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  bool is_known = netlink >= 0 && ask(netlink, ends, &client);
  if (netlink >= 0) close(netlink);
  if (is_known) return is_of(user, client.idiag_uid, client.idiag_inode);
  return is_listed("/proc/net/tcp", ends, user) || is_listed("/proc/net/tcp6", ends, user);
}
#elif defined(__APPLE__)
#include <libproc.h>
#include <stdlib.h>

static bool is_end(int process, int file, const connection_ends *ends) {
  struct socket_fdinfo info;
  if (proc_pidfdinfo(process, file, PROC_PIDFDSOCKETINFO, &info, sizeof info) < (int)sizeof info) return false;
  if (info.psi.soi_kind != SOCKINFO_TCP) return false;
  const struct in_sockinfo *socket = &info.psi.soi_proto.pri_tcp.tcpsi_ini;
  return (uint16_t)socket->insi_lport == ends->there.sin_port
    && (uint16_t)socket->insi_fport == ends->here.sin_port
    && socket->insi_laddr.ina_46.i46a_addr4.s_addr == ends->there.sin_addr.s_addr;
}

static bool has_end(int process, const connection_ends *ends) {
  int size = proc_pidinfo(process, PROC_PIDLISTFDS, 0, NULL, 0);
  struct proc_fdinfo *files = size > 0 ? malloc((size_t)size) : NULL;
  if (!files) return false;
  size = proc_pidinfo(process, PROC_PIDLISTFDS, 0, files, size);
  bool found = false;
  for (int index = 0; !found && index < size / (int)sizeof *files; index++) {
    found = files[index].proc_fdtype == PROX_FDTYPE_SOCKET && is_end(process, files[index].proc_fd, ends);
  }
  free(files);
  return found;
}

// The system shows the sockets of processes of the same user alone.
static bool is_own_end(const connection_ends *ends, int64_t user) {
  int size = proc_listpids(PROC_UID_ONLY, (uint32_t)user, NULL, 0);
  int *processes = size > 0 ? malloc((size_t)size) : NULL;
  if (!processes) return false;
  size = proc_listpids(PROC_UID_ONLY, (uint32_t)user, processes, size);
  bool found = false;
  for (int index = 0; !found && index < size / (int)sizeof *processes; index++) {
    found = processes[index] > 0 && has_end(processes[index], ends);
  }
  free(processes);
  return found;
}
#else
static bool is_own_end(const connection_ends *ends, int64_t user) {
  (void)ends, (void)user;
  return false;
}
#endif

bool flow_client_is_of(int socket, int64_t user) {
  connection_ends ends;
  return find_ends(socket, &ends) && is_own_end(&ends, user);
}
