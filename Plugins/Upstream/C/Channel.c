#include "Server.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

// Bytes of a socket, in TLS or not.

#ifdef MSG_NOSIGNAL
enum { at_once = MSG_DONTWAIT | MSG_NOSIGNAL };
#else
enum { at_once = MSG_DONTWAIT };
#endif

static ssize_t result_of(ssize_t count) {
  if (count >= 0) return count;
  return errno == EAGAIN || errno == EINTR ? flow_channel_later : flow_channel_lost;
}

static ssize_t encrypted_result_of(ssize_t count) {
  switch (count) {
  case gnutls_again:
  case gnutls_interrupted:
  case gnutls_warning_received: return flow_channel_later;
  // Many clients end without a word in TLS.
  case gnutls_cut_off: return 0;
  default: return count < 0 ? flow_channel_lost : count;
  }
}

ssize_t flow_socket_read(int socket, void *bytes, size_t room) { return result_of(recv(socket, bytes, room, at_once)); }

ssize_t flow_socket_write(int socket, const void *bytes, size_t count) {
  return result_of(send(socket, bytes, count, at_once));
}

ssize_t flow_channel_read(flow_channel *channel, void *bytes, size_t room) {
  if (!channel->session) return flow_socket_read(channel->socket, bytes, room);
  return encrypted_result_of(channel->gnutls->record_recv(channel->session, bytes, room));
}

ssize_t flow_channel_write(flow_channel *channel, const void *bytes, size_t count) {
  if (!channel->session) return flow_socket_write(channel->socket, bytes, count);
  // GnuTLS keeps a record that it could not send, and takes no other bytes before it.
  ssize_t result = channel->is_stuck ? channel->gnutls->record_send(channel->session, NULL, 0)
                                     : channel->gnutls->record_send(channel->session, bytes, count);
  ssize_t sent = encrypted_result_of(result);
  channel->is_stuck = sent == flow_channel_later;
  return sent;
}

void flow_channel_shut(flow_channel *channel) {
  if (channel->session) channel->gnutls->bye(channel->session, gnutls_shut_own);
  shutdown(channel->socket, SHUT_WR);
}

void flow_channel_close(flow_channel *channel) {
  if (channel->session) channel->gnutls->deinit(channel->session);
  close(channel->socket);
  *channel = (flow_channel){.socket = -1};
}
