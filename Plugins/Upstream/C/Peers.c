#include "Server.h"

#include <stdlib.h>

flow_peer *flow_peer_of(flow_server *server, int socket) {
  for (flow_peer *peer = server->peers; peer; peer = peer->next) {
    if (peer->socket == socket) return peer;
  }
  return NULL;
}

flow_peer *flow_peer_find(flow_server *server, int socket, uint64_t number) {
  flow_peer *peer = flow_peer_of(server, socket);
  return peer && peer->number == number ? peer : NULL;
}

flow_peer *flow_peer_new(flow_server *server, int socket, flow_tunnel tunnel) {
  flow_peer *peer = calloc(1, sizeof *peer);
  if (!peer) return NULL;
  pthread_mutex_lock(&server->mutex);
  // Libmicrohttpd can drop a connection without a word, which leaves its number to another.
  flow_peer *stale = flow_peer_of(server, socket);
  if (stale) flow_peer_remove(server, stale);
  *peer = (flow_peer){
    .next = server->peers, .server = server, .number = ++server->count, .socket = socket, .tunnel = tunnel,
    .deadline = flow_now() + server->settings.head_time};
  if (server->peers) server->peers->previous = peer;
  server->peers = peer;
  server->peer_count++;
  pthread_mutex_unlock(&server->mutex);
  return peer;
}

void flow_peer_remove(flow_server *server, flow_peer *peer) {
  if (peer->previous) peer->previous->next = peer->next;
  else server->peers = peer->next;
  if (peer->next) peer->next->previous = peer->previous;
  if (peer->relay) flow_relay_forget(peer->relay);
  // A closed socket stays open for the client as long as `poll` has it, and a full gate has room again.
  if (peer->is_polled || server->is_full) flow_wakeup_send(&server->gate_wakeup);
  server->peer_count--;
  flow_tunnel_free(&peer->tunnel);
  free(peer);
}
