#ifndef FLOW_CHTTP2_LINK_H
#define FLOW_CHTTP2_LINK_H

#include "Library.h"

/// Bytes to and from a server, with TLS or without.
struct link {
  int socket;
  flow_tls *tls;
  void *session;
  /// True if reading has to wait until the socket takes bytes, as in a handshake.
  bool waits_for_room;
};

/// The settings of TLS, loaded once for a channel.
struct credentials {
  flow_tls *tls;
  void *certificates;
  bool is_insecure;
};

/// Reads the certificates and the key, or returns false with the problem.
bool flow_grpc_credentials_new(struct credentials *credentials, const flow_grpc_channel_settings *settings, char *problem, size_t room);
void flow_grpc_credentials_free(struct credentials *credentials);

/// Connects to a server, in as much time, unless `wake` becomes readable; returns false with the problem.
bool flow_grpc_link_open(
  struct link *link, const char *host, const char *port, const struct credentials *credentials, int milliseconds,
  int wake, char *problem, size_t room);
/// Reads some bytes; returns 0 at the end, -1 if there are none now, and -2 with the problem.
ssize_t flow_grpc_link_read(struct link *link, void *to, size_t room, char *problem, size_t problem_room);
/// Writes some bytes; returns -1 if there is no room now, and -2 with the problem.
ssize_t flow_grpc_link_write(struct link *link, const void *bytes, size_t count, char *problem, size_t room);
void flow_grpc_link_close(struct link *link);

#endif
