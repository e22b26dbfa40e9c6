#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "Server.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/sockios.h>
#endif

// One thread accepts connections, reads the heads of tunnels, and sees that clients go away, which
// libmicrohttpd does not see while a connection is suspended.

#ifdef __linux__
enum { left_event = POLLRDHUP, accepts_at_once = 64, pause_without_files = 100 };
#else
enum { left_event = POLLHUP, accepts_at_once = 64, pause_without_files = 100 };
#endif

typedef struct {
  int socket;
  int64_t deadline;
  /// Once the head of a tunnel was read.
  flow_tunnel tunnel;
} open_head;

typedef struct {
  flow_server *server;
  open_head heads[heads_at_once];
  size_t head_count;
  /// Sources of `poll`: the pipe, the listener if any, the heads, the peers with their numbers.
  struct pollfd *sources;
  uint64_t *numbers;
  size_t count, capacity, first_head, first_peer;
  /// Without files for more connections, a time before which none is accepted.
  int64_t pause;
} flow_gate;

// MARK: - Sockets

static int new_socket(void) {
#ifdef __linux__
  return socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
#else
  int made = socket(AF_INET, SOCK_STREAM, 0);
  if (made >= 0) flow_descriptor_prepare(made);
  return made;
#endif
}

static int accept_one(int listener) {
#ifdef __linux__
  return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
#else
  int socket = accept(listener, NULL, NULL), on = 1;
  if (socket < 0) return socket;
  flow_descriptor_prepare(socket);
  setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
  return socket;
#endif
}

int flow_listener_new(uint16_t *port, bool listens, int32_t *failure) {
  struct sockaddr_in address = {
    .sin_family = AF_INET, .sin_port = htons(*port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  int made = new_socket(), on = 1;
  if (made >= 0 && setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0
      && bind(made, (struct sockaddr *)&address, sizeof address) == 0
      && (!listens || listen(made, SOMAXCONN) == 0)
      && getsockname(made, (struct sockaddr *)&address, &length) == 0) {
    *port = ntohs(address.sin_port);
    return made;
  }
  *failure = errno;
  if (made >= 0) close(made);
  return -1;
}

static void close_listener(flow_server *server) {
  // A child between fork and exec has the socket as well, and would keep it listening.
  shutdown(server->listener, SHUT_RDWR);
  close(server->listener);
  server->listener = -1;
}

// MARK: - Sources

static void add_source(flow_gate *gate, int socket, short events, uint64_t number) {
  if (gate->count == gate->capacity) {
    size_t capacity = gate->capacity ? gate->capacity * 2 : 64;
    struct pollfd *sources = realloc(gate->sources, capacity * sizeof *sources);
    if (sources) gate->sources = sources;
    uint64_t *numbers = realloc(gate->numbers, capacity * sizeof *numbers);
    if (numbers) gate->numbers = numbers;
    // Without memory, some client is not seen to leave.
    if (!sources || !numbers) return;
    gate->capacity = capacity;
  }
  gate->sources[gate->count] = (struct pollfd){.fd = socket, .events = events};
  gate->numbers[gate->count++] = number;
}

static int64_t sooner(int64_t first, int64_t second) {
  return !first || (second && second < first) ? second : first;
}

// With the mutex held.
static bool has_room(const flow_gate *gate) {
  flow_server *server = gate->server;
  server->is_full = server->peer_count + server->wire_count + gate->head_count >= server->settings.connections;
  return !server->is_full;
}

// Collects the sources and returns the next deadline or 0.
static int64_t collect(flow_gate *gate) {
  flow_server *server = gate->server;
  gate->count = 0;
  add_source(gate, server->gate_wakeup.pipe[0], POLLIN, 0);
  if (server->listener >= 0 && !gate->pause && has_room(gate)) add_source(gate, server->listener, POLLIN, 0);
  int64_t deadline = gate->pause;
  gate->first_head = gate->count;
  for (size_t index = 0; index < gate->head_count; index++) {
    add_source(gate, gate->heads[index].socket, POLLIN | left_event, 0);
    deadline = sooner(deadline, gate->heads[index].deadline);
  }
  gate->first_peer = gate->count;
  for (flow_peer *peer = server->peers; peer; peer = peer->next) {
    deadline = sooner(sooner(deadline, peer->deadline), peer->linger);
    peer->is_polled = peer->is_watched;
    if (peer->is_watched) add_source(gate, peer->socket, left_event, peer->number);
  }
  return deadline;
}

// MARK: - Connections

void flow_peer_give(flow_server *server, int socket) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (server->httpd->add_connection(server->daemon, socket, (struct sockaddr *)&address, sizeof address)) return;
  pthread_mutex_lock(&server->mutex);
  flow_peer *peer = flow_peer_of(server, socket);
  if (peer) flow_peer_remove(server, peer);
  pthread_mutex_unlock(&server->mutex);
}

// Returns true if the head of a tunnel, or what follows it, is not there yet.
static bool read_head(flow_server *server, open_head *head) {
  bool reads_tunnel = server->settings.token && !head->tunnel.host;
  switch (reads_tunnel ? flow_tunnel_read(server, head->socket, &head->tunnel) : head_plain) {
  case head_incomplete: return true;
  case head_over: close(head->socket); return false;
  case head_plain:
  case head_tunnel: break;
  }
  flow_opening opening = flow_opening_read(head->socket, head->tunnel.host);
  if (opening == flow_opening_none || opening == flow_opening_some) return true;
  if (opening != flow_opening_over) {
    flow_opening_start(server, head->socket, head->tunnel, opening);
    return false;
  }
  close(head->socket);
  flow_tunnel_free(&head->tunnel);
  return false;
}

static void forget_head(flow_gate *gate, size_t index) {
  gate->heads[index] = gate->heads[--gate->head_count];
}

static void drop_head(flow_gate *gate, size_t index) {
  close(gate->heads[index].socket);
  flow_tunnel_free(&gate->heads[index].tunnel);
  forget_head(gate, index);
}

static void add_head(flow_gate *gate, open_head head) {
  // The first is not the oldest for sure, but one has to go.
  if (gate->head_count == heads_at_once) drop_head(gate, 0);
  gate->heads[gate->head_count++] = head;
}

static bool may_accept(flow_gate *gate) {
  pthread_mutex_lock(&gate->server->mutex);
  bool may = has_room(gate);
  pthread_mutex_unlock(&gate->server->mutex);
  return may;
}

static bool is_stranger(const flow_server *server, int socket) {
  return server->settings.user != flow_any_user && !flow_client_is_of(socket, server->settings.user);
}

static void accept_some(flow_gate *gate) {
  flow_server *server = gate->server;
  for (int count = 0; count < accepts_at_once && may_accept(gate); count++) {
    int socket = accept_one(server->listener);
    if (socket < 0) {
      if (errno == EMFILE || errno == ENFILE) gate->pause = flow_now() + pause_without_files;
      return;
    }
    if (is_stranger(server, socket)) {
      flow_socket_refuse(server, socket, flow_refusal_stranger,
        "HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
      close(socket);
    } else {
      open_head head = {.socket = socket, .deadline = flow_now() + server->settings.head_time};
      if (read_head(server, &head)) add_head(gate, head);
    }
  }
}

// A client that has sent its end, or left, adds nothing to half a head, and makes it readable always.
static void read_open_head(flow_gate *gate, size_t index, short events) {
  bool is_open = read_head(gate->server, &gate->heads[index]);
  bool has_ended = events & (left_event | POLLHUP | POLLERR);
  if (!is_open) forget_head(gate, index);
  else if (has_ended) drop_head(gate, index);
}

static void read_heads(flow_gate *gate, size_t count) {
  int64_t now = flow_now();
  for (size_t index = count; index-- > 0;) {
    short events = gate->sources[gate->first_head + index].revents;
    if (events) {
      read_open_head(gate, index, events);
    } else if (gate->heads[index].deadline <= now) {
      char byte;
      bool has_begun = recv(gate->heads[index].socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 1;
      drop_head(gate, index);
      // A connection without a byte is one that a client holds ready.
      if (has_begun) gate->server->events.refused(gate->server->events.context, flow_refusal_time);
    }
  }
}

// MARK: - Clients that go away, or take too long

static void note_leavers(flow_gate *gate) {
  flow_server *server = gate->server;
  for (size_t index = gate->first_peer; index < gate->count; index++) {
    if (!gate->sources[index].revents) continue;
    pthread_mutex_lock(&server->mutex);
    flow_peer *peer = flow_peer_find(server, gate->sources[index].fd, gate->numbers[index]);
    flow_request *request = peer && peer->is_watched ? peer->request : NULL;
    uint64_t number = request ? request->number : 0;
    if (request) {
      peer->is_watched = false;
      request->has_left = true;
    }
    pthread_mutex_unlock(&server->mutex);
    if (request) server->events.left(server->events.context, number);
  }
}

bool flow_socket_has_unsent(int socket) {
  int count = 0;
#ifdef __linux__
  return ioctl(socket, SIOCOUTQ, &count) == 0 && count > 0;
#else
  socklen_t length = sizeof count;
  return getsockopt(socket, SOL_SOCKET, SO_NWRITE, &count, &length) == 0 && count > 0;
#endif
}

bool flow_gate_lingers(flow_request *request) {
  flow_peer *peer = request->peer;
  int64_t now = flow_now();
  if (!peer->linger_limit) peer->linger_limit = now + request->server->settings.idle_time;
  bool is_over = request->server->is_closing || request->has_left || now >= peer->linger_limit;
  if (is_over || !flow_peer_has_unsent(peer)) return false;
  peer->linger = now + flow_linger_turn;
  flow_wakeup_send(&request->server->gate_wakeup);
  return true;
}

static void resume_lingering(flow_server *server) {
  int64_t now = flow_now();
  pthread_mutex_lock(&server->mutex);
  for (flow_peer *peer = server->peers; peer; peer = peer->next) {
    if (!peer->linger || peer->linger > now) continue;
    peer->linger = 0;
    if (peer->request) flow_request_resume(peer->request);
  }
  pthread_mutex_unlock(&server->mutex);
}

// Libmicrohttpd then sees the end of the connection.
static void end_late_peers(flow_server *server) {
  int64_t now = flow_now();
  size_t count = 0;
  pthread_mutex_lock(&server->mutex);
  for (flow_peer *peer = server->peers; peer; peer = peer->next) {
    if (!peer->deadline || peer->deadline > now) continue;
    peer->deadline = 0;
    shutdown(peer->socket, SHUT_RDWR);
    count += peer->request != NULL;
  }
  pthread_mutex_unlock(&server->mutex);
  for (; count; count--) server->events.refused(server->events.context, flow_refusal_time);
}

// MARK: - The thread

static int64_t begin_turn(flow_gate *gate) {
  flow_server *server = gate->server;
  pthread_mutex_lock(&server->mutex);
  flow_wakeup_clear(&server->gate_wakeup);
  if (server->wants_listener_closed && server->listener >= 0) {
    close_listener(server);
    while (gate->head_count) drop_head(gate, 0);
    pthread_cond_broadcast(&server->changed);
  }
  int64_t deadline = server->is_gate_over ? -1 : collect(gate);
  pthread_mutex_unlock(&server->mutex);
  return deadline;
}

static void do_turn(flow_gate *gate, int64_t deadline) {
  int64_t now = flow_now();
  int64_t time = !deadline ? -1 : deadline > now ? deadline - now : 0;
  if (poll(gate->sources, (nfds_t)gate->count, time > INT32_MAX ? INT32_MAX : (int)time) < 0) return;
  if (gate->pause && gate->pause <= flow_now()) gate->pause = 0;
  size_t head_count = gate->head_count;
  bool has_new = gate->first_head == 2 && gate->sources[1].revents;
  note_leavers(gate);
  read_heads(gate, head_count);
  if (has_new) accept_some(gate);
  resume_lingering(gate->server);
  end_late_peers(gate->server);
}

static void *run(void *context) {
  flow_gate gate = {.server = context};
  int64_t deadline;
  while ((deadline = begin_turn(&gate)) >= 0) do_turn(&gate, deadline);
  while (gate.head_count) drop_head(&gate, 0);
  free(gate.sources);
  free(gate.numbers);
  return NULL;
}

static void close_all(flow_server *server) {
  if (server->listener >= 0) close_listener(server);
  if (server->holder >= 0) close(server->holder);
  server->holder = -1;
  flow_wakeup_close(&server->gate_wakeup);
}

static bool open_sockets(flow_server *server, int32_t *failure) {
  if (!flow_wakeup_open(&server->gate_wakeup)) {
    *failure = errno;
    return false;
  }
#ifdef __linux__
  server->holder = flow_listener_new(&server->port, false, failure);
  if (server->holder < 0) return false;
#endif
  server->listener = flow_listener_new(&server->port, true, failure);
  return server->listener >= 0;
}

bool flow_gate_start(flow_server *server, int32_t *failure) {
  if (open_sockets(server, failure)) {
    *failure = pthread_create(&server->gate, NULL, run, server);
    if (*failure == 0) return true;
  }
  close_all(server);
  return false;
}

void flow_gate_stop(flow_server *server) {
  pthread_mutex_lock(&server->mutex);
  server->is_gate_over = server->wants_listener_closed = true;
  flow_wakeup_send(&server->gate_wakeup);
  pthread_mutex_unlock(&server->mutex);
  pthread_join(server->gate, NULL);
  pthread_mutex_lock(&server->mutex);
  close_all(server);
  pthread_mutex_unlock(&server->mutex);
}

void flow_server_close_port(flow_server *server) {
  pthread_mutex_lock(&server->mutex);
  server->wants_listener_closed = true;
  flow_wakeup_send(&server->gate_wakeup);
  while (server->listener >= 0 && !server->is_gate_over) pthread_cond_wait(&server->changed, &server->mutex);
  for (flow_wire *wire = server->wires; wire; wire = wire->next) flow_wire_change(wire);
  // A client would send its next request on an open connection.
  for (flow_peer *peer = server->peers; peer; peer = peer->next) {
    if (!peer->request) shutdown(peer->socket, SHUT_RDWR);
  }
  pthread_mutex_unlock(&server->mutex);
}

int32_t flow_server_open_port(flow_server *server) {
  int32_t failure = 0;
  pthread_mutex_lock(&server->mutex);
  if (server->listener < 0 && !server->is_gate_over) {
    server->listener = flow_listener_new(&server->port, true, &failure);
    server->wants_listener_closed = server->listener < 0;
    flow_wakeup_send(&server->gate_wakeup);
  }
  pthread_mutex_unlock(&server->mutex);
  return failure;
}
