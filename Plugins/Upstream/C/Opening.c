#include "Server.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

// The first bytes of a connection or a tunnel say what follows. They are looked at without being taken.

enum { record_of_handshake = 0x16 };

// RFC 9113, section 3.4.
static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
enum { preface_count = sizeof preface - 1 };

flow_opening flow_opening_read(int socket, bool is_tunnel) {
  char bytes[preface_count];
  ssize_t count = recv(socket, bytes, sizeof bytes, MSG_PEEK);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return flow_opening_none;
  if (count <= 0) return flow_opening_over;
  if (is_tunnel && bytes[0] == record_of_handshake) return flow_opening_encrypted;
  if (memcmp(bytes, preface, (size_t)count)) {
    flow_socket_wait_for(socket, 1);
    return flow_opening_plain;
  }
  if (count == preface_count) {
    flow_socket_wait_for(socket, 1);
    return flow_opening_http2;
  }
  flow_socket_wait_for(socket, (size_t)count + 1);
  return flow_opening_some;
}

static void start_plain(flow_server *server, int socket, flow_tunnel tunnel) {
  if (flow_peer_new(server, socket, tunnel)) return flow_peer_give(server, socket);
  flow_tunnel_free(&tunnel);
  close(socket);
}

// Without libnghttp2, libmicrohttpd answers that it does not know the version.
static bool start_http2(flow_server *server, int socket, flow_tunnel tunnel) {
  const flow_nghttp2 *nghttp2 = server->events.http2(server->events.context, true);
  return nghttp2 && flow_session_start(server, nghttp2, (flow_channel){.socket = socket}, tunnel);
}

void flow_opening_start(flow_server *server, int socket, flow_tunnel tunnel, flow_opening opening) {
  tunnel.is_encrypted = opening == flow_opening_encrypted;
  if (opening == flow_opening_encrypted) flow_handshake_start(server, socket, tunnel);
  else if (opening != flow_opening_http2 || !start_http2(server, socket, tunnel)) start_plain(server, socket, tunnel);
}
