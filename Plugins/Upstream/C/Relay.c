#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "Server.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The connections of HTTP/1.1 in TLS. Libmicrohttpd has one end of a pair of sockets, and the relay takes its bytes
// to and from the client: libmicrohttpd's own TLS neither chooses a protocol nor lets a connection be upgraded.

// The time in which a client closes its side as well.
enum { closing_time = 5000 };

/// The bytes of one direction.
typedef struct {
  uint8_t bytes[16384];
  size_t start, count;
  /// True once the source has ended, and once the end was passed on.
  bool has_ended, is_over;
} flow_flow;

struct flow_relay {
  flow_wire wire;
  flow_channel channel;
  flow_flow requests, answers;
  /// The time to give up a client that does not close, or takes no bytes, or 0.
  int64_t limit;
  // With the mutex held.
  flow_peer *peer;
  bool resets;
};

// MARK: - Bytes

static ssize_t read_client(flow_relay *relay) {
  return flow_channel_read(&relay->channel, relay->requests.bytes, sizeof relay->requests.bytes);
}

static ssize_t read_server(flow_relay *relay) {
  return flow_socket_read(relay->wire.inner, relay->answers.bytes, sizeof relay->answers.bytes);
}

static ssize_t write_client(flow_relay *relay) {
  return flow_channel_write(&relay->channel, relay->answers.bytes + relay->answers.start, relay->answers.count);
}

static ssize_t write_server(flow_relay *relay) {
  const flow_flow *requests = &relay->requests;
  // What comes behind the last request goes nowhere.
  if (relay->answers.has_ended) return (ssize_t)requests->count;
  return flow_socket_write(relay->wire.inner, requests->bytes + requests->start, requests->count);
}

// Passes on all that can be. Returns false when one of the two sides is lost.
static bool pass(
  flow_relay *relay, flow_flow *flow, ssize_t (*take)(flow_relay *), ssize_t (*give)(flow_relay *)) {
  for (;;) {
    while (flow->count) {
      ssize_t count = give(relay);
      if (count == flow_channel_later) return true;
      if (count < 0) return false;
      flow->start += (size_t)count;
      flow->count -= (size_t)count;
      if (!relay->answers.is_over) relay->limit = 0;
    }
    if (flow->has_ended) return true;
    ssize_t count = take(relay);
    if (count == flow_channel_later) return true;
    if (count < 0) return false;
    flow->start = 0;
    flow->count = (size_t)count;
    flow->has_ended = count == 0;
  }
}

// MARK: - The end

static void pass_ends(flow_relay *relay) {
  flow_flow *requests = &relay->requests, *answers = &relay->answers;
  if (requests->has_ended && !requests->count && !requests->is_over) {
    shutdown(relay->wire.inner, SHUT_WR);
    requests->is_over = true;
  }
  if (answers->has_ended && !answers->count && !answers->is_over) {
    flow_channel_shut(&relay->channel);
    answers->is_over = true;
    relay->limit = flow_now() + closing_time;
  }
}

static bool goes_on(flow_relay *relay) {
  flow_server *server = relay->wire.server;
  const flow_flow *requests = &relay->requests, *answers = &relay->answers;
  int64_t now = flow_now();
  if (answers->is_over && (requests->has_ended || server->is_closing)) return false;
  if (answers->count && !relay->limit) relay->limit = now + server->settings.idle_time;
  relay->wire.deadline = relay->limit;
  relay->wire.events = (short)((requests->count || requests->has_ended ? 0 : POLLIN) | (answers->count ? POLLOUT : 0));
  relay->wire.inner_events =
    (short)((answers->count || answers->has_ended ? 0 : POLLIN) | (requests->count ? POLLOUT : 0));
  return !relay->limit || now < relay->limit;
}

static bool turn(flow_wire *wire, short events) {
  (void)events;
  flow_relay *relay = (flow_relay *)wire;
  pthread_mutex_lock(&wire->server->mutex);
  bool resets = relay->resets;
  wire->is_carrying = true;
  pthread_mutex_unlock(&wire->server->mutex);
  if (resets) {
    flow_socket_reset(wire->socket);
    return false;
  }
  bool is_open = pass(relay, &relay->requests, read_client, write_server)
    && pass(relay, &relay->answers, read_server, write_client);
  if (is_open) pass_ends(relay);
  pthread_mutex_lock(&wire->server->mutex);
  wire->is_carrying = relay->answers.count;
  flow_wire_tell(wire);
  is_open = is_open && goes_on(relay);
  pthread_mutex_unlock(&wire->server->mutex);
  return is_open;
}

static void end(flow_wire *wire) {
  flow_relay *relay = (flow_relay *)wire;
  pthread_mutex_lock(&wire->server->mutex);
  if (relay->peer) relay->peer->relay = NULL;
  pthread_mutex_unlock(&wire->server->mutex);
  // Otherwise the client has left, or has had its end.
  if (wire->server->is_closing && !relay->resets && !relay->answers.is_over) flow_channel_shut(&relay->channel);
  close(wire->inner);
  flow_channel_close(&relay->channel);
  free(relay);
}

// MARK: - A peer and its relay, with the mutex held

void flow_peer_reset(flow_peer *peer) {
  if (!peer->relay) return flow_socket_reset(peer->socket);
  peer->relay->resets = true;
  flow_wire_change(&peer->relay->wire);
}

bool flow_peer_has_unsent(const flow_peer *peer) {
  if (flow_socket_has_unsent(peer->socket)) return true;
  return peer->relay && (peer->relay->wire.is_carrying || flow_socket_has_unsent(peer->relay->wire.socket));
}

void flow_relay_forget(flow_relay *relay) { relay->peer = NULL; }

// MARK: - The start

static bool join(flow_server *server, flow_relay *relay, int socket, flow_tunnel *tunnel) {
  flow_peer *peer = flow_peer_new(server, socket, *tunnel);
  if (!peer) return false;
  *tunnel = (flow_tunnel){0};
  pthread_mutex_lock(&server->mutex);
  relay->peer = peer;
  peer->relay = relay;
  bool is_added = flow_wires_add(server, &relay->wire);
  if (!is_added) flow_peer_remove(server, peer);
  pthread_mutex_unlock(&server->mutex);
  return is_added;
}

bool flow_relay_start(flow_server *server, flow_channel channel, flow_tunnel *tunnel) {
  flow_relay *relay = calloc(1, sizeof *relay);
  int pair[2];
  if (!relay || socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) {
    free(relay);
    return false;
  }
  relay->channel = channel;
  relay->wire = (flow_wire){.socket = channel.socket, .inner = pair[0], .turn = turn, .end = end};
#ifdef SO_NOSIGPIPE
  for (int index = 0, on = 1; index < 2; index++) setsockopt(pair[index], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  bool is_ready = flow_descriptor_prepare(pair[0]) && flow_descriptor_prepare(pair[1]);
  if (is_ready && join(server, relay, pair[1], tunnel)) {
    flow_peer_give(server, pair[1]);
    return true;
  }
  close(pair[0]);
  close(pair[1]);
  free(relay);
  return false;
}
