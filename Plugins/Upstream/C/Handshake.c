#include "Server.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

// Connections in TLS up to the choice of their protocol.

typedef struct {
  flow_wire wire;
  flow_channel channel;
  flow_tunnel tunnel;
  /// NULL without the library.
  const flow_nghttp2 *nghttp2;
  bool is_offered;
} flow_hands;

static const char http2_name[] = "h2", http1_name[] = "http/1.1";

static void tell(flow_hands *hands, flow_handshake step) {
  flow_server *server = hands->wire.server;
  server->events.shook(server->events.context, hands->tunnel.host, step);
}

const char *flow_handshake_host(void *session_pointer) {
  flow_hands *hands = session_pointer;
  // A certificate is chosen again after another hello of the client.
  if (!hands->is_offered) tell(hands, flow_handshake_offered);
  hands->is_offered = true;
  return hands->tunnel.host;
}

flow_authority *flow_handshake_authority(void *session_pointer) {
  flow_hands *hands = session_pointer;
  return hands->wire.server->settings.authority;
}

static bool has_chosen_http2(const flow_hands *hands) {
  gnutls_datum name;
  return !hands->channel.gnutls->alpn_get_selected_protocol(hands->channel.session, &name)
    && name.size == strlen(http2_name) && !memcmp(name.data, http2_name, name.size);
}

static void start_protocol(flow_hands *hands) {
  flow_server *server = hands->wire.server;
  tell(hands, flow_handshake_accepted);
  if (has_chosen_http2(hands)) {
    if (!flow_session_start(server, hands->nghttp2, hands->channel, hands->tunnel)) return;
    hands->tunnel = (flow_tunnel){0};
  } else if (!flow_relay_start(server, hands->channel, &hands->tunnel)) {
    return;
  }
  hands->channel = (flow_channel){.socket = -1};
}

// Returns false at the end of the handshake, in whatever way.
static bool turn(flow_wire *wire, short events) {
  (void)events;
  flow_hands *hands = (flow_hands *)wire;
  const flow_gnutls *gnutls = hands->channel.gnutls;
  int result = gnutls->handshake(hands->channel.session);
  if (result == gnutls_again || result == gnutls_interrupted || result == gnutls_warning_received) {
    bool writes = gnutls->record_get_direction(hands->channel.session);
    wire->events = writes ? POLLOUT : POLLIN;
    return flow_now() < wire->deadline;
  }
  if (result == 0) start_protocol(hands);
  return false;
}

static void end(flow_wire *wire) {
  flow_hands *hands = (flow_hands *)wire;
  if (hands->channel.socket >= 0) flow_channel_close(&hands->channel);
  flow_tunnel_free(&hands->tunnel);
  free(hands);
}

// The client's protocols are HTTP/1.1 alone if it names none (RFC 7301).
static bool offer_protocols(flow_hands *hands) {
  flow_server *server = hands->wire.server;
  hands->nghttp2 = server->events.http2(server->events.context, false);
  const gnutls_datum names[] = {
    {(unsigned char *)http2_name, sizeof http2_name - 1}, {(unsigned char *)http1_name, sizeof http1_name - 1}};
  unsigned first = hands->nghttp2 ? 0 : 1;
  return !hands->channel.gnutls->alpn_set_protocols(
    hands->channel.session, names + first, 2 - first, gnutls_own_choice_first);
}

static bool prepare(flow_hands *hands) {
  flow_channel *channel = &hands->channel;
  const flow_gnutls *gnutls = channel->gnutls;
  if (gnutls->init(&channel->session, gnutls_server | gnutls_does_not_block | gnutls_no_signal)) return false;
  gnutls->session_set_ptr(channel->session, hands);
  gnutls->transport_set_int2(channel->session, channel->socket, channel->socket);
  return !gnutls->set_default_priority(channel->session) && offer_protocols(hands)
    && !gnutls->credentials_set(
      channel->session, gnutls_certificate, flow_authority_credentials(hands->wire.server->settings.authority));
}

static bool add(flow_server *server, flow_hands *hands) {
  pthread_mutex_lock(&server->mutex);
  bool is_added = flow_wires_add(server, &hands->wire);
  pthread_mutex_unlock(&server->mutex);
  return is_added;
}

void flow_handshake_start(flow_server *server, int socket, flow_tunnel tunnel) {
  flow_hands *hands = calloc(1, sizeof *hands);
  flow_channel channel = {.socket = socket, .gnutls = flow_authority_gnutls(server->settings.authority)};
  if (!hands) {
    flow_channel_close(&channel);
    return flow_tunnel_free(&tunnel);
  }
  int64_t deadline = flow_now() + server->settings.head_time;
  *hands = (flow_hands){
    .wire = {
      .server = server, .socket = socket, .inner = -1, .deadline = deadline, .is_counted = true, .turn = turn,
      .end = end},
    .channel = channel, .tunnel = tunnel};
  flow_socket_send_at_once(socket);
  if (!prepare(hands) || !add(server, hands)) end(&hands->wire);
}
