#include "Session.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

// The reading and writing of a connection, its settings, and its end.

enum {
  streams_at_once = 100,
  /// The bytes of a head that libnghttp2 reads at most.
  greatest_head = 65536,
  /// The bytes of frames that wait to be sent, above which none is made, and none is read.
  enough_to_send = 32768,
  /// The reads of one turn, so that the other connections have theirs.
  reads_at_once = 16,
  /// The time in which a client closes its side as well.
  closing_time = 5000,
};

// MARK: - Bytes to the client

static bool append(flow_session *session, const uint8_t *bytes, size_t count) {
  if (session->out_start) memmove(session->out, session->out + session->out_start, session->out_count);
  session->out_start = 0;
  if (count > session->out_capacity - session->out_count) {
    size_t capacity = session->out_capacity ? session->out_capacity : enough_to_send;
    while (capacity - session->out_count < count) capacity *= 2;
    uint8_t *out = realloc(session->out, capacity);
    if (!out) return false;
    session->out = out;
    session->out_capacity = capacity;
  }
  memcpy(session->out + session->out_count, bytes, count);
  session->out_count += count;
  return true;
}

// Makes frames, as many as may wait.
static void make_frames(flow_session *session) {
  while (session->out_count < enough_to_send && !session->is_lost) {
    const uint8_t *bytes;
    ssize_t count = session->nghttp2->session_mem_send(session->session, &bytes);
    if (count == 0) return;
    if (count < 0 || !append(session, bytes, (size_t)count)) session->is_lost = true;
  }
}

static void send_frames(flow_session *session) {
  for (;;) {
    make_frames(session);
    if (!session->out_count || session->is_lost) return;
    ssize_t count = flow_channel_write(&session->channel, session->out + session->out_start, session->out_count);
    if (count == flow_channel_later) return;
    if (count < 0) session->is_lost = true;
    if (count < 0) return;
    session->out_start += (size_t)count;
    session->out_count -= (size_t)count;
    if (!session->is_shut) session->limit = 0;
  }
}

// MARK: - Bytes of the client

// To waiting requests, a client that has sent its end is one that has gone, as in HTTP/1.1.
static void tell_left(flow_session *session) {
  flow_server *server = session->wire.server;
  for (flow_stream *stream = session->wire.streams; stream; stream = stream->next) {
    flow_request *request = stream->request;
    pthread_mutex_lock(&server->mutex);
    bool is_news = request->has_arrived && !request->has_left && request->state != state_answering;
    bool is_reading = request->state == state_reading;
    request->has_left = true;
    pthread_mutex_unlock(&server->mutex);
    if (is_news) server->events.left(server->events.context, request->number);
    // The rest of the request does not come.
    if (is_reading) flow_stream_reset(stream, nghttp2_cancel);
  }
}

static void take(flow_session *session, const uint8_t *bytes, size_t count) {
  if (session->is_shut) return;
  // Errors of the client make libnghttp2 send its reason. These are floods, or a lack of memory.
  if (session->nghttp2->session_mem_recv(session->session, bytes, count) >= 0) return;
  session->nghttp2->session_terminate_session(session->session, nghttp2_enhance_your_calm);
}

static void read_frames(flow_session *session) {
  uint8_t bytes[16384];
  for (int index = 0; index < reads_at_once; index++) {
    if (session->has_ended || session->is_lost || session->out_count > enough_to_send) return;
    ssize_t count = flow_channel_read(&session->channel, bytes, sizeof bytes);
    if (count == flow_channel_later) return;
    if (count > 0) take(session, bytes, (size_t)count);
    if (count < 0) session->is_lost = true;
    session->has_ended = count == 0;
    if (session->has_ended) tell_left(session);
  }
  // TLS may hold bytes for which the socket does not wake the thread.
  pthread_mutex_lock(&session->wire.server->mutex);
  flow_wire_change(&session->wire);
  pthread_mutex_unlock(&session->wire.server->mutex);
}

// MARK: - Streams

void flow_stream_reset(flow_stream *stream, uint32_t code) {
  flow_session *session = stream->session;
  if (stream->is_reset) return;
  stream->is_reset = true;
  session->nghttp2->submit_rst_stream(session->session, 0, stream->id, code);
}

static void update_streams(flow_session *session) {
  int64_t now = flow_now();
  for (flow_stream *stream = session->wire.streams; stream; stream = stream->next) flow_stream_update(stream, now);
}

// A closed port takes no more requests.
static void leave(flow_session *session) {
  const flow_nghttp2 *nghttp2 = session->nghttp2;
  session->is_leaving = true;
  int32_t last = nghttp2->session_get_last_proc_stream_id(session->session);
  nghttp2->submit_goaway(session->session, 0, last, nghttp2_no_error, NULL, 0);
}

// MARK: - The end

static bool waits_to_close(flow_session *session, int64_t now) {
  if (session->has_ended || (session->wire.server->is_closing && !session->is_awaited)) return false;
  if (!session->is_shut) {
    flow_channel_shut(&session->channel);
    session->is_shut = true;
    session->limit = now + closing_time;
  }
  session->wire.deadline = session->limit;
  session->wire.events = POLLIN;
  return now < session->limit;
}

static int64_t sooner(int64_t first, int64_t second) {
  return !first || (second && second < first) ? second : first;
}

static bool is_over(const flow_session *session) {
  const flow_nghttp2 *nghttp2 = session->nghttp2;
  bool has_streams = session->wire.streams;
  if (session->out_count || nghttp2->session_want_write(session->session)) return false;
  return !nghttp2->session_want_read(session->session)
    || (!has_streams && (session->has_ended || session->is_leaving));
}

static bool goes_on(flow_session *session) {
  flow_wire *wire = &session->wire;
  int64_t now = flow_now();
  if (session->is_lost) return false;
  if (session->is_shut || is_over(session)) return waits_to_close(session, now);
  if (wire->streams) session->idle_limit = now + wire->server->settings.idle_time;
  if (session->out_count && !session->limit) session->limit = now + wire->server->settings.idle_time;
  wire->deadline = sooner(session->limit, wire->streams ? 0 : session->idle_limit);
  bool is_late = wire->deadline && wire->deadline <= now;
  for (flow_stream *stream = wire->streams; stream; stream = stream->next) {
    wire->deadline = sooner(wire->deadline, stream->deadline);
  }
  bool reads = !session->has_ended && session->out_count <= enough_to_send;
  wire->events = (short)((reads ? POLLIN : 0) | (session->out_count ? POLLOUT : 0));
  return !is_late;
}

// A client that has not received its answer is awaited: the bytes that it sends until then would be answered by a
// reset, which takes the answer away. With the mutex held.
static bool is_awaited(const flow_session *session) {
  if (!session->wire.server->is_closing) return false;
  for (const flow_stream *stream = session->wire.streams; stream; stream = stream->next) {
    if (stream->request->is_finished && !stream->request->breaks) return true;
  }
  return session->is_awaited || session->out_count;
}

static bool turn(flow_wire *wire, short events) {
  (void)events;
  flow_session *session = (flow_session *)wire;
  pthread_mutex_lock(&wire->server->mutex);
  bool is_closed = wire->server->wants_listener_closed;
  // A stream may be over before its last bytes are sent.
  wire->is_carrying = true;
  session->is_awaited = is_awaited(session);
  pthread_mutex_unlock(&wire->server->mutex);
  if (is_closed && !session->is_leaving) leave(session);
  read_frames(session);
  do {
    session->is_again = false;
    update_streams(session);
    send_frames(session);
  } while (session->is_again && !session->is_lost);
  bool is_open = goes_on(session);
  pthread_mutex_lock(&wire->server->mutex);
  wire->is_carrying = is_open && (session->out_count || session->is_awaited);
  flow_wire_tell(wire);
  pthread_mutex_unlock(&wire->server->mutex);
  return is_open;
}

// The end of a socket with bytes that were not read is a reset.
static void drop_frames(flow_session *session) {
  uint8_t bytes[16384];
  for (int index = 0; index < reads_at_once; index++) {
    if (flow_channel_read(&session->channel, bytes, sizeof bytes) <= 0) return;
  }
}

static void end(flow_wire *wire) {
  flow_session *session = (flow_session *)wire;
  if (session->session) {
    if (!session->is_lost && !session->is_shut) {
      session->nghttp2->session_terminate_session(session->session, nghttp2_no_error);
      send_frames(session);
      flow_channel_shut(&session->channel);
      drop_frames(session);
    }
    while (wire->streams) flow_stream_over(wire->streams);
    session->nghttp2->session_del(session->session);
  }
  flow_tunnel_free(&session->tunnel);
  flow_channel_close(&session->channel);
  free(session->out);
  free(session);
}

// MARK: - The start

static bool submit_settings(flow_session *session) {
  size_t head = session->wire.server->settings.head;
  const nghttp2_setting settings[] = {
    {nghttp2_max_concurrent_streams, streams_at_once},
    {nghttp2_max_header_list_size, (uint32_t)(head < greatest_head ? head : greatest_head)}};
  return !session->nghttp2->submit_settings(session->session, 0, settings, sizeof settings / sizeof *settings);
}

// Libnghttp2 itself bounds the settings, pings, resets and continuations of a client.
static bool prepare(flow_session *session) {
  const flow_nghttp2 *nghttp2 = session->nghttp2;
  void *callbacks = NULL, *option = NULL;
  bool is_ready = !nghttp2->session_callbacks_new(&callbacks) && !nghttp2->option_new(&option);
  if (is_ready) {
    flow_streams_receive(nghttp2, callbacks);
    // A request is read as fast as its reader is.
    nghttp2->option_set_no_auto_window_update(option, 1);
    nghttp2->option_set_no_closed_streams(option, 1);
    nghttp2->option_set_max_send_header_block_length(option, session->wire.server->settings.head * 2);
    is_ready = !nghttp2->session_server_new2(&session->session, callbacks, session, option);
  }
  if (callbacks) nghttp2->session_callbacks_del(callbacks);
  if (option) nghttp2->option_del(option);
  return is_ready && submit_settings(session);
}

bool flow_session_start(
  flow_server *server, const flow_nghttp2 *nghttp2, flow_channel channel, flow_tunnel tunnel) {
  flow_session *session = calloc(1, sizeof *session);
  if (!session) return false;
  *session = (flow_session){
    .wire = {
      .server = server, .socket = channel.socket, .inner = -1, .is_counted = true, .turn = turn, .end = end},
    .channel = channel, .tunnel = tunnel, .nghttp2 = nghttp2,
    .idle_limit = flow_now() + server->settings.head_time};
  flow_socket_send_at_once(channel.socket);
  bool is_ready = prepare(session);
  pthread_mutex_lock(&server->mutex);
  is_ready = is_ready && flow_wires_add(server, &session->wire);
  pthread_mutex_unlock(&server->mutex);
  if (!is_ready) {
    session->is_lost = true;
    end(&session->wire);
  }
  return true;
}
