#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "Server.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>

// One thread reads and writes the connections that libmicrohttpd does not: those of HTTP/2, and those that
// were upgraded. It starts with the first of them.

typedef struct {
  flow_server *server;
  /// The wires of this turn. The first source is the wakeup, and two follow for each wire.
  flow_wire **wires;
  struct pollfd *sources;
  size_t count, capacity;
} flow_wires;

void flow_wire_change(flow_wire *wire) {
  wire->is_changed = true;
  flow_wakeup_send(&wire->server->wire_wakeup);
}

void flow_wire_tell(flow_wire *wire) {
  if (wire->server->is_closing && !wire->is_carrying) pthread_cond_broadcast(&wire->server->changed);
}

void flow_socket_send_at_once(int socket) {
  int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

// MARK: - A turn

static bool has_room(flow_wires *wires) {
  if (wires->count < wires->capacity) return true;
  size_t capacity = wires->capacity ? wires->capacity * 2 : 16;
  flow_wire **list = realloc(wires->wires, capacity * sizeof *list);
  if (list) wires->wires = list;
  struct pollfd *sources = realloc(wires->sources, (capacity * 2 + 1) * sizeof *sources);
  if (sources) wires->sources = sources;
  // Without memory, some connection has to wait.
  if (!list || !sources) return false;
  wires->capacity = capacity;
  return true;
}

// Collects the wires and returns the next deadline, 0 without one, or -1 at the end.
static int64_t collect(flow_wires *wires) {
  flow_server *server = wires->server;
  int64_t deadline = 0;
  wires->count = 0;
  pthread_mutex_lock(&server->mutex);
  flow_wakeup_clear(&server->wire_wakeup);
  for (flow_wire *wire = server->wires; wire && has_room(wires); wire = wire->next) {
    wire->is_due = wire->is_changed;
    wire->is_changed = false;
    int64_t time = wire->is_due ? 1 : wire->deadline;
    if (time && (!deadline || time < deadline)) deadline = time;
    // A hang-up would wake the thread again and again, if it cannot be read yet.
    struct pollfd *sources = &wires->sources[wires->count * 2 + 1];
    sources[0] = (struct pollfd){.fd = wire->events ? wire->socket : -1, .events = wire->events};
    sources[1] = (struct pollfd){.fd = wire->inner_events ? wire->inner : -1, .events = wire->inner_events};
    wires->wires[wires->count++] = wire;
  }
  bool is_over = server->are_wires_over;
  pthread_mutex_unlock(&server->mutex);
  return is_over ? -1 : deadline;
}

static void end(flow_wire *wire) {
  flow_server *server = wire->server;
  pthread_mutex_lock(&server->mutex);
  flow_wire **link = &server->wires;
  while (*link != wire) link = &(*link)->next;
  *link = wire->next;
  server->wire_count -= wire->is_counted;
  if (wire->is_counted && server->is_full) flow_wakeup_send(&server->gate_wakeup);
  pthread_mutex_unlock(&server->mutex);
  wire->end(wire);
}

static void do_turn(flow_wires *wires, int64_t deadline) {
  int64_t now = flow_now();
  int64_t time = !deadline ? -1 : deadline > now ? deadline - now : 0;
  wires->sources[0] = (struct pollfd){.fd = wires->server->wire_wakeup.pipe[0], .events = POLLIN};
  nfds_t count = (nfds_t)wires->count * 2 + 1;
  if (poll(wires->sources, count, time > INT32_MAX ? INT32_MAX : (int)time) < 0) return;
  now = flow_now();
  for (size_t index = 0; index < wires->count; index++) {
    flow_wire *wire = wires->wires[index];
    short events = wires->sources[index * 2 + 1].revents | wires->sources[index * 2 + 2].revents;
    bool is_late = wire->deadline && wire->deadline <= now;
    if ((wire->is_due || events || is_late) && !wire->turn(wire, events)) end(wire);
  }
}

// MARK: - The thread

static void *run(void *context) {
  flow_wires wires = {.server = context};
  int64_t deadline;
  while ((deadline = collect(&wires)) >= 0) do_turn(&wires, deadline);
  while (wires.server->wires) end(wires.server->wires);
  free(wires.wires);
  free(wires.sources);
  return NULL;
}

static bool start(flow_server *server) {
  if (!flow_wakeup_open(&server->wire_wakeup)) return false;
  // The thread's first source exists with the first wire.
  server->has_wire_thread = pthread_create(&server->wire_thread, NULL, run, server) == 0;
  if (!server->has_wire_thread) flow_wakeup_close(&server->wire_wakeup);
  return server->has_wire_thread;
}

bool flow_wires_add(flow_server *server, flow_wire *wire) {
  if (server->are_wires_over) return false;
  wire->server = server;
  wire->next = server->wires;
  server->wires = wire;
  if (server->has_wire_thread || start(server)) {
    server->wire_count += wire->is_counted;
    flow_wire_change(wire);
    return true;
  }
  server->wires = wire->next;
  return false;
}

void flow_wires_stop(flow_server *server) {
  pthread_mutex_lock(&server->mutex);
  server->are_wires_over = true;
  bool has_thread = server->has_wire_thread;
  if (has_thread) flow_wakeup_send(&server->wire_wakeup);
  pthread_mutex_unlock(&server->mutex);
  if (!has_thread) return;
  pthread_join(server->wire_thread, NULL);
  flow_wakeup_close(&server->wire_wakeup);
}
