#ifndef FLOW_UPSTREAM_SESSION_H
#define FLOW_UPSTREAM_SESSION_H

#include "Server.h"

// Connections of HTTP/2 (RFC 9113), on the thread of the wires.

/// A connection.
typedef struct {
  flow_wire wire;
  flow_channel channel;
  flow_tunnel tunnel;
  const flow_nghttp2 *nghttp2;
  void *session;
  /// The frames to be sent.
  uint8_t *out;
  size_t out_start, out_count, out_capacity;
  /// True once the client has sent its end, the connection is lost, it takes no more requests, and its own end was
  /// sent.
  bool has_ended, is_lost, is_leaving, is_shut;
  /// True if the server stops while the client has not received an answer.
  bool is_awaited;
  /// True if a stream changed while frames were made.
  bool is_again;
  /// The time to give up a client that takes no bytes or does not close, or 0, and one without requests.
  int64_t limit, idle_limit;
} flow_session;

/// A stream with its request.
struct flow_stream {
  /// Of the wire, with the mutex held.
  flow_stream *next;
  flow_session *session;
  flow_request *request;
  int32_t id;
  /// The pseudo-headers.
  char *path, *authority;
  bool is_https;
  /// The bytes of the head, as RFC 9113, section 6.5.2, counts them.
  size_t head_count;
  /// True once the head was read, the client has sent its end, and the answer was started and ended.
  bool has_head, has_end, is_submitted, is_complete;
  /// True while the answer waits for a piece, and once the stream was reset.
  bool is_deferred, is_reset;
  /// The time to give up a body, or a client that takes no bytes of the answer, or 0.
  int64_t deadline;
};

// Session.c
/// Sends a reset, once.
void flow_stream_reset(flow_stream *stream, uint32_t code);

// Streams.c
/// Tells libnghttp2 which functions of this file receive what.
void flow_streams_receive(const flow_nghttp2 *nghttp2, void *callbacks);
/// Ends a stream and frees it.
void flow_stream_over(flow_stream *stream);
flow_stream *flow_stream_find(flow_session *session, int32_t id);

// Responses.c
/// Sends what the receiver of the request has given.
void flow_stream_update(flow_stream *stream, int64_t now);
/// Answers with a status alone.
void flow_stream_refuse(flow_stream *stream);
/// Sends an interim answer 100.
void flow_stream_invite(flow_stream *stream);

#endif
