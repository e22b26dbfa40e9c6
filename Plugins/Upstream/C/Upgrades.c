#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "Server.h"

#include <poll.h>
#include <stdlib.h>

// Connections with another protocol after an answer 101. Libmicrohttpd gives their sockets away.

// The time in which a client closes its side as well.
enum { closing_time = 5000 };

typedef struct {
  flow_wire wire;
  flow_request *request;
  struct MHD_UpgradeResponseHandle *handle;
  /// True once the client has sent its end, its side was shut, or the connection is lost.
  bool has_ended, is_shut, is_lost;
  /// The time to give up a client that takes nothing, or does not close, or 0.
  int64_t limit;
} flow_upgrade;

// MARK: - Bytes

static void tell_left(flow_request *request) {
  flow_server *server = request->server;
  server->events.left(server->events.context, request->number);
}

static void lose(flow_upgrade *upgrade) {
  flow_request *request = upgrade->request;
  upgrade->is_lost = true;
  pthread_mutex_lock(&request->server->mutex);
  request->has_left = true;
  pthread_mutex_unlock(&request->server->mutex);
  tell_left(request);
}

// A client that is only written to is gone with its end. To a reader, the end comes behind the bytes before it.
static void note_end(flow_upgrade *upgrade) {
  flow_request *request = upgrade->request;
  upgrade->has_ended = true;
  flow_inbox_finish(request);
  pthread_mutex_lock(&request->server->mutex);
  bool is_read = request->is_read;
  pthread_mutex_unlock(&request->server->mutex);
  if (!is_read) tell_left(request);
}

static void receive(flow_upgrade *upgrade) {
  char bytes[16384];
  while (!upgrade->has_ended && !upgrade->is_lost) {
    size_t room = flow_inbox_room(upgrade->request);
    if (!room) return;
    ssize_t count = flow_socket_read(upgrade->wire.socket, bytes, room < sizeof bytes ? room : sizeof bytes);
    if (count == flow_channel_later) return;
    if (count == 0) note_end(upgrade);
    else if (count < 0 || !flow_inbox_add(upgrade->request, bytes, (size_t)count)) lose(upgrade);
  }
}

static void drop_piece(flow_request *request) {
  flow_server *server = request->server;
  pthread_mutex_lock(&server->mutex);
  free(request->piece);
  request->piece = NULL;
  request->piece_count = request->piece_offset = 0;
  pthread_mutex_unlock(&server->mutex);
  server->events.drained(server->events.context, request->number);
}

// Sends what fits, and returns true if there is more.
static bool send_piece(flow_upgrade *upgrade) {
  flow_request *request = upgrade->request;
  pthread_mutex_lock(&request->server->mutex);
  // Only this thread takes it away.
  const uint8_t *piece = request->piece;
  pthread_mutex_unlock(&request->server->mutex);
  if (!piece || upgrade->is_lost) return false;
  while (request->piece_offset < request->piece_count) {
    size_t rest = request->piece_count - request->piece_offset;
    ssize_t count = flow_socket_write(upgrade->wire.socket, piece + request->piece_offset, rest);
    if (count == flow_channel_later) return true;
    if (count < 0) {
      lose(upgrade);
      return false;
    }
    upgrade->limit = 0;
    request->piece_offset += (size_t)count;
  }
  drop_piece(request);
  return false;
}

// MARK: - The end

// A reset would take away bytes that the client has not received.
static bool waits_to_reset(flow_upgrade *upgrade, int64_t now) {
  flow_request *request = upgrade->request;
  if (!upgrade->limit) upgrade->limit = now + request->server->settings.idle_time;
  if (flow_peer_has_unsent(request->peer) && now < upgrade->limit && !request->server->is_closing) {
    upgrade->wire.deadline = now + flow_linger_turn;
    return true;
  }
  flow_peer_reset(request->peer);
  return false;
}

static bool waits_to_close(flow_upgrade *upgrade, int64_t now) {
  if (upgrade->has_ended || upgrade->request->server->is_closing) return false;
  if (!upgrade->is_shut) {
    shutdown(upgrade->wire.socket, SHUT_WR);
    upgrade->is_shut = true;
    upgrade->limit = now + closing_time;
  }
  upgrade->wire.deadline = upgrade->limit;
  return now < upgrade->limit;
}

// With the mutex held.
static bool goes_on(flow_upgrade *upgrade, bool has_more) {
  flow_request *request = upgrade->request;
  int64_t now = flow_now();
  upgrade->wire.deadline = 0;
  if (upgrade->is_lost) return false;
  if (has_more || request->piece) {
    if (!upgrade->limit) upgrade->limit = now + request->server->settings.idle_time;
    upgrade->wire.deadline = upgrade->limit;
    return now < upgrade->limit;
  }
  if (request->breaks) return request->resets && waits_to_reset(upgrade, now);
  if (request->is_finished) return waits_to_close(upgrade, now);
  return true;
}

static bool turn(flow_wire *wire, short events) {
  (void)events;
  flow_upgrade *upgrade = (flow_upgrade *)wire;
  flow_request *request = upgrade->request;
  receive(upgrade);
  bool has_more = send_piece(upgrade);
  pthread_mutex_lock(&request->server->mutex);
  bool is_full = request->inbox_count >= flow_inbox_window;
  bool reads = !upgrade->has_ended && !is_full && !request->breaks;
  wire->events = (short)((reads ? POLLIN : 0) | (has_more ? POLLOUT : 0));
  bool is_open = goes_on(upgrade, has_more);
  pthread_mutex_unlock(&request->server->mutex);
  return is_open;
}

static void end(flow_wire *wire) {
  flow_upgrade *upgrade = (flow_upgrade *)wire;
  flow_request *request = upgrade->request;
  const flow_httpd *httpd = request->server->httpd;
  pthread_mutex_lock(&request->server->mutex);
  request->wire = NULL;
  request->has_left = true;
  pthread_mutex_unlock(&request->server->mutex);
  // From here on, libmicrohttpd can end the request.
  httpd->upgrade_action(upgrade->handle, mhd_upgrade_close);
  free(upgrade);
}

// MARK: - The start, on the thread of libmicrohttpd

static bool start(flow_request *request, flow_upgrade *upgrade) {
  flow_server *server = request->server;
  flow_socket_send_at_once(request->peer->socket);
  pthread_mutex_lock(&server->mutex);
  request->wire = &upgrade->wire;
  bool is_added = flow_wires_add(server, &upgrade->wire);
  if (!is_added) request->wire = NULL;
  pthread_mutex_unlock(&server->mutex);
  return is_added;
}

void flow_upgrade_start(
  void *context, struct MHD_Connection *connection, void *state, const char *bytes, size_t count, int socket,
  struct MHD_UpgradeResponseHandle *handle) {
  (void)context, (void)connection;
  flow_request *request = state;
  flow_upgrade *upgrade = calloc(1, sizeof *upgrade);
  if (upgrade) {
    *upgrade = (flow_upgrade){
      .wire = {.socket = socket, .inner = -1, .turn = turn, .end = end}, .request = request, .handle = handle};
    if (flow_inbox_add(request, bytes, count) && start(request, upgrade)) return;
  }
  free(upgrade);
  request->server->httpd->upgrade_action(handle, mhd_upgrade_close);
}
