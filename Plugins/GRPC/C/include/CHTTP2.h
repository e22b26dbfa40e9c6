#ifndef FLOW_CHTTP2_H
#define FLOW_CHTTP2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CLibrary.h"

// A client of HTTP/2 (RFC 9113) whose requests and responses are streams, by libnghttp2 and GnuTLS without their
// headers and without linking them. libcurl before 8.11 loses responses of servers that do not read a whole request.

#pragma clang assume_nonnull begin

/// The functions of a loaded libnghttp2.
typedef struct flow_nghttp2 flow_nghttp2;
/// The functions of a loaded GnuTLS.
typedef struct flow_tls flow_tls;
/// A thread with one connection at a time to one server, and the streams on it.
///
/// All functions may be called by any thread, until `flow_grpc_channel_close`.
typedef struct flow_grpc_channel flow_grpc_channel;

/// Loads libnghttp2, or returns NULL.
flow_nghttp2 *_Nullable flow_grpc_nghttp2_load(flow_library_problem *problem);
/// Loads GnuTLS, or returns NULL.
flow_tls *_Nullable flow_grpc_tls_load(flow_library_problem *problem);

/// Bytes with their number.
typedef struct {
  const uint8_t *_Nullable bytes;
  size_t count;
} flow_content;

/// The settings of a channel, which it copies.
typedef struct {
  const char *host;
  const char *port;
  /// The `:authority` of requests.
  const char *authority;
  int connect_milliseconds;
  /// GnuTLS, or NULL for a server without TLS.
  flow_tls *_Nullable tls;
  /// True to accept any certificate.
  bool is_insecure;
  /// Certificates in PEM that are trusted instead of the system's, or none.
  flow_content authorities;
  /// The certificate and the key of the client in PEM, or none.
  flow_content certificate;
  flow_content key;
  const char *_Nullable key_password;
} flow_grpc_channel_settings;

/// Called by the channel's thread when a stream has something new, or by `flow_grpc_channel_close`.
///
/// It may not call the channel.
typedef void (*flow_grpc_channel_notice)(void *_Nullable context, uint64_t stream);

/// Starts the thread of a channel, or returns NULL without memory or with a key that cannot be read.
///
/// It connects for the first stream, and again for a stream after the end of a connection. The problem has at most
/// `room` bytes.
flow_grpc_channel *_Nullable flow_grpc_channel_new(
  flow_nghttp2 *library, const flow_grpc_channel_settings *settings, flow_grpc_channel_notice notice, void *_Nullable context,
  char *problem, size_t room);
/// Ends all streams, the connection and the thread.
void flow_grpc_channel_close(flow_grpc_channel *channel);

/// Starts a POST request, and returns the number of its stream, or 0 without memory.
///
/// `headers` has `count` names and as many values, in turn. Names are in lower case.
uint64_t flow_grpc_channel_open(
  flow_grpc_channel *channel, const char *path, const char *_Nonnull const *_Nonnull headers, size_t count);
/// Adds bytes to the body of a request, or ends it, and returns the number of bytes that are not sent yet.
size_t flow_grpc_channel_write(
  flow_grpc_channel *channel, uint64_t stream, const void *_Nullable bytes, size_t count, bool is_end);
/// Ends a stream, and resets it unless it is complete. Its number has no meaning afterwards.
void flow_grpc_channel_end(flow_grpc_channel *channel, uint64_t stream);

/// The state of a stream. Its texts and bytes are to be freed.
typedef struct {
  /// The status of the response, or 0 before its head is complete.
  int status;
  /// The lines of the head, or of the trailers at the end: `name: value`, each with a line break.
  char *_Nullable lines;
  /// New bytes of the body.
  uint8_t *_Nullable bytes;
  size_t count;
  /// The number of written bytes that are not sent yet.
  size_t unsent;
  /// True if nothing follows.
  bool is_ended;
  /// The reason for an early end.
  char *_Nullable failure;
} flow_stream_state;

/// Returns the head of a stream, or nothing before it is complete.
flow_stream_state flow_grpc_channel_head(flow_grpc_channel *channel, uint64_t stream);
/// Takes the new bytes of a stream, or its trailers at its end.
flow_stream_state flow_grpc_channel_take(flow_grpc_channel *channel, uint64_t stream);
/// Returns the number of written bytes that are not sent yet, 0 if nobody receives them.
size_t flow_grpc_channel_unsent(flow_grpc_channel *channel, uint64_t stream);

/// Frees a text or bytes of a state.
void flow_grpc_stream_free(void *_Nullable bytes);

#pragma clang assume_nonnull end

#endif
