#include "Session.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Requests as libnghttp2 reads them.

flow_stream *flow_stream_find(flow_session *session, int32_t id) {
  return session->nghttp2->session_get_stream_user_data(session->session, id);
}

// MARK: - The life of a stream

static void add(flow_session *session, flow_stream *stream) {
  pthread_mutex_lock(&session->wire.server->mutex);
  stream->next = session->wire.streams;
  session->wire.streams = stream;
  pthread_mutex_unlock(&session->wire.server->mutex);
}

static flow_stream *new_stream(flow_session *session, int32_t id) {
  flow_server *server = session->wire.server;
  flow_stream *stream = calloc(1, sizeof *stream);
  flow_request *request = stream ? flow_request_new(server) : NULL;
  if (!request) {
    free(stream);
    return NULL;
  }
  request->wire = &session->wire;
  request->is_stream = true;
  *stream = (flow_stream){
    .session = session, .request = request, .id = id, .deadline = flow_now() + server->settings.body_time};
  add(session, stream);
  session->nghttp2->session_set_stream_user_data(session->session, id, stream);
  return stream;
}

static void remove_from(flow_wire *wire, flow_stream *stream) {
  flow_stream **link = &wire->streams;
  while (*link != stream) link = &(*link)->next;
  *link = stream->next;
}

void flow_stream_over(flow_stream *stream) {
  flow_server *server = stream->session->wire.server;
  flow_request *request = stream->request;
  pthread_mutex_lock(&server->mutex);
  remove_from(&stream->session->wire, stream);
  bool has_left = request->has_arrived && !stream->is_complete && !request->has_left && !stream->is_reset;
  if (!stream->is_complete) request->has_left = true;
  request->state = state_over;
  request->wire = NULL;
  server->body_bytes -= request->counted;
  request->counted = 0;
  pthread_cond_broadcast(&server->changed);
  pthread_mutex_unlock(&server->mutex);
  if (has_left) server->events.left(server->events.context, request->number);
  if (request->has_arrived) server->events.ended(server->events.context, request->number, stream->is_complete);
  stream->session->nghttp2->session_set_stream_user_data(stream->session->session, stream->id, NULL);
  flow_request_release(request);
  free(stream->path);
  free(stream->authority);
  free(stream);
}

// MARK: - The head

static bool is(const uint8_t *name, size_t count, const char *word) {
  return count == strlen(word) && !memcmp(name, word, count);
}

static void refuse(flow_stream *stream, uint32_t status) {
  if (!stream->request->refusal) stream->request->refusal = status;
}

static void take_pseudo(
  flow_stream *stream, const uint8_t *name, size_t name_count, const char *value, size_t value_count) {
  char *text = strndup(value, value_count);
  char **place = is(name, name_count, ":method") ? &stream->request->method
    : is(name, name_count, ":path")              ? &stream->path
    : is(name, name_count, ":authority")         ? &stream->authority
                                                 : NULL;
  if (is(name, name_count, ":scheme")) stream->is_https = text && !strcmp(text, "https");
  if (!text) refuse(stream, 503);
  if (!place || *place) free(text);
  else *place = text;
}

static int on_begin_headers(void *library, const nghttp2_head *frame, void *context) {
  (void)library;
  flow_session *session = context;
  // The second head of a stream is its trailers.
  if (frame->type != nghttp2_frame_headers || flow_stream_find(session, frame->stream_id)) return 0;
  return new_stream(session, frame->stream_id) ? 0 : nghttp2_fails_for_stream;
}

static int on_header(
  void *library, const nghttp2_head *frame, const uint8_t *name, size_t name_count, const uint8_t *value,
  size_t value_count, uint8_t flags, void *context) {
  (void)library, (void)flags;
  flow_stream *stream = flow_stream_find(context, frame->stream_id);
  if (!stream || stream->has_head) return 0;
  flow_request *request = stream->request;
  stream->head_count += name_count + value_count + 32;
  if (stream->head_count > request->server->settings.head) refuse(stream, 431);
  if (request->refusal) return 0;
  const char *text = (const char *)value;
  if (name_count && name[0] == ':') take_pseudo(stream, name, name_count, text, value_count);
  else if (is(name, name_count, "cookie") && flow_headers_join(&request->headers, "cookie", "; ", text, value_count)) {
  } else if (!flow_headers_add(&request->headers, (const char *)name, name_count, text, value_count)) {
    refuse(stream, 503);
  }
  return 0;
}

// With this function, libnghttp2 resets the stream of such a header. Without it, the header alone is left out.
static int on_invalid_header(
  void *library, const nghttp2_head *frame, const uint8_t *name, size_t name_count, const uint8_t *value,
  size_t value_count, uint8_t flags, void *context) {
  (void)library, (void)frame, (void)name, (void)name_count, (void)value, (void)value_count, (void)flags;
  (void)context;
  return 0;
}

// Without an authority, `Host` names the server (RFC 9113, section 8.3.1).
static bool take_authority(flow_stream *stream) {
  flow_request *request = stream->request;
  const char *host = flow_headers_find(&request->headers, "host");
  if (!stream->authority) return true;
  if (host) return !strcasecmp(host, stream->authority);
  return flow_headers_add_first(&request->headers, "host", stream->authority);
}

// The target has scheme and host for a proxy without a tunnel, as in HTTP/1.1.
static bool take_target(flow_stream *stream) {
  flow_request *request = stream->request;
  const flow_server *server = request->server;
  bool is_for_proxy = server->settings.token && !stream->session->tunnel.host;
  const char *scheme = stream->is_https ? "https://" : "http://";
  if (!stream->path || (is_for_proxy && !stream->authority)) return false;
  size_t count = strlen(stream->path) + (is_for_proxy ? strlen(scheme) + strlen(stream->authority) : 0);
  request->target = malloc(count + 1);
  if (!request->target) return false;
  request->target[0] = 0;
  if (is_for_proxy) strcat(strcpy(request->target, scheme), stream->authority);
  strcat(request->target, stream->path);
  return true;
}

static void check_head(flow_stream *stream) {
  flow_request *request = stream->request;
  const char *length = flow_headers_find(&request->headers, "content-length");
  // Libnghttp2 has checked that the length is a number.
  if (length && strtoull(length, NULL, 10) > request->server->settings.body) refuse(stream, 413);
  if (!request->method || !strcmp(request->method, "CONNECT") || !take_target(stream) || !take_authority(stream)
      || !flow_request_take_host(request, &stream->session->tunnel)) {
    refuse(stream, 400);
  }
}

static bool is_remote_call(const flow_request *request) {
  const char *type = flow_headers_find(&request->headers, "content-type");
  const char *start = "application/grpc";
  return type && !strncasecmp(type, start, strlen(start));
}

// MARK: - The whole request

static void hand_over(flow_stream *stream) {
  flow_request *request = stream->request;
  flow_server *server = request->server;
  stream->deadline = 0;
  pthread_mutex_lock(&server->mutex);
  bool is_late = server->is_closing || server->wants_listener_closed;
  if (!is_late) {
    request->state = state_waiting;
    request->has_arrived = true;
    request->references++;
  }
  pthread_mutex_unlock(&server->mutex);
  if (is_late) flow_stream_reset(stream, nghttp2_refused_stream);
  else server->events.arrived(server->events.context, request);
}

static void end_head(flow_stream *stream) {
  flow_request *request = stream->request;
  stream->has_head = true;
  if (!request->refusal) check_head(stream);
  if (request->refusal) return flow_stream_refuse(stream);
  request->is_open = is_remote_call(request);
  if (request->is_open) hand_over(stream);
  else if (!stream->has_end && flow_headers_find(&request->headers, "expect")) flow_stream_invite(stream);
}

static void end_body(flow_stream *stream) {
  if (stream->request->refusal) return;
  if (stream->request->is_open) flow_inbox_finish(stream->request);
  else hand_over(stream);
}

static int on_frame(void *library, const nghttp2_head *frame, void *context) {
  (void)library;
  bool is_head = frame->type == nghttp2_frame_headers;
  flow_stream *stream = is_head || frame->type == nghttp2_frame_data ? flow_stream_find(context, frame->stream_id) : NULL;
  if (!stream) return 0;
  bool has_end = frame->flags & nghttp2_flag_end_stream;
  stream->has_end = stream->has_end || has_end;
  if (is_head && !stream->has_head) end_head(stream);
  if (has_end) end_body(stream);
  return 0;
}

// MARK: - The body

static bool take_open(flow_stream *stream, const uint8_t *bytes, size_t count) {
  flow_request *request = stream->request;
  if (flow_request_count(request, count) && flow_inbox_add(request, bytes, count)) return true;
  flow_server *server = request->server;
  server->events.refused(server->events.context, flow_refusal_memory);
  flow_stream_reset(stream, nghttp2_enhance_your_calm);
  return false;
}

static int on_data(void *library, uint8_t flags, int32_t id, const uint8_t *bytes, size_t count, void *context) {
  (void)flags;
  flow_session *session = context;
  const flow_nghttp2 *nghttp2 = session->nghttp2;
  flow_stream *stream = flow_stream_find(session, id);
  // The windows of the streams bound the connection.
  nghttp2->session_consume_connection(library, count);
  if (!stream) return 0;
  flow_request *request = stream->request;
  if (request->is_open && !stream->is_reset && take_open(stream, bytes, count)) return 0;
  nghttp2->session_consume_stream(library, id, count);
  if (request->is_open || request->refusal) return 0;
  if (!flow_request_take(request, bytes, count)) flow_stream_reset(stream, nghttp2_internal_error);
  else if (request->refusal) flow_stream_refuse(stream);
  return 0;
}

// MARK: - The end

static int on_frame_sent(void *library, const nghttp2_head *frame, void *context) {
  (void)library;
  bool is_answer = frame->type == nghttp2_frame_headers || frame->type == nghttp2_frame_data;
  if (!is_answer || !(frame->flags & nghttp2_flag_end_stream)) return 0;
  flow_stream *stream = flow_stream_find(context, frame->stream_id);
  if (!stream) return 0;
  stream->is_complete = true;
  // The rest of a request that has its answer is not wanted (RFC 9113, section 8.1).
  if (!stream->has_end) flow_stream_reset(stream, nghttp2_no_error);
  return 0;
}

static int on_stream_close(void *library, int32_t id, uint32_t code, void *context) {
  (void)library, (void)code;
  flow_stream *stream = flow_stream_find(context, id);
  if (stream) flow_stream_over(stream);
  return 0;
}

void flow_streams_receive(const flow_nghttp2 *nghttp2, void *callbacks) {
  nghttp2->session_callbacks_set_on_begin_headers_callback(callbacks, on_begin_headers);
  nghttp2->session_callbacks_set_on_header_callback(callbacks, on_header);
  nghttp2->session_callbacks_set_on_invalid_header_callback(callbacks, on_invalid_header);
  nghttp2->session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
  nghttp2->session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
  nghttp2->session_callbacks_set_on_frame_send_callback(callbacks, on_frame_sent);
  nghttp2->session_callbacks_set_on_stream_close_callback(callbacks, on_stream_close);
}
