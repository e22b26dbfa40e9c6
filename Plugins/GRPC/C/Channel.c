#include "Link.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The most bytes of a response that wait for their reader, and the most bytes of a head with its trailers.
enum { stream_window = 256 << 10, connection_window = 16 << 20, greatest_head = 256 << 10, problem_room = 256 };

struct buffer {
  uint8_t *bytes;
  size_t start, count, capacity;
};

struct stream {
  struct stream *next;
  flow_grpc_channel *channel;
  uint64_t number;
  // 0 before it is submitted.
  int32_t id;
  char *path;
  char **headers;
  size_t header_count;
  struct buffer unsent;
  bool has_whole_request;
  // nghttp2 asks for more of the body only after it is told so.
  bool is_deferred;
  int status;
  bool has_head;
  struct buffer head, trailers, body;
  size_t consumed;
  // The server's side has ended; nghttp2 has forgotten the stream; nobody reads it anymore.
  bool is_ended, is_closed, is_dropped;
  bool has_news;
  char *failure;
};

struct flow_grpc_channel {
  flow_nghttp2 *h2;
  char *host, *port, *authority, *scheme;
  int connect_milliseconds;
  struct credentials credentials;
  flow_grpc_channel_notice notice;
  void *context;
  pthread_t thread;
  pthread_mutex_t mutex;
  int wake[2];
  // Readable at the end, also for a thread that still connects.
  int stop[2];
  bool is_awake;
  bool is_closing;
  struct stream *streams;
  uint64_t last_number;
  // The connection belongs to the thread.
  struct link link;
  struct h2_session *session;
  // A part of nghttp2's output that is not sent yet.
  const uint8_t *output;
  size_t output_count;
  // The server has sent something, and its settings, so that it speaks HTTP/2.
  bool has_input, has_settings;
};

// MARK: - Bytes

static bool append(struct buffer *buffer, const void *bytes, size_t count) {
  if (buffer->start == buffer->count) buffer->start = buffer->count = 0;
  if (count > buffer->capacity - buffer->count) {
    if (buffer->start > 0) memmove(buffer->bytes, buffer->bytes + buffer->start, buffer->count - buffer->start);
    buffer->count -= buffer->start;
    buffer->start = 0;
    size_t capacity = buffer->capacity < 1024 ? 1024 : buffer->capacity;
    while (capacity - buffer->count < count) capacity *= 2;
    uint8_t *grown = capacity == buffer->capacity ? buffer->bytes : realloc(buffer->bytes, capacity);
    if (!grown) return false;
    buffer->bytes = grown;
    buffer->capacity = capacity;
  }
  if (count > 0) memcpy(buffer->bytes + buffer->count, bytes, count);
  buffer->count += count;
  return true;
}

static size_t length(const struct buffer *buffer) { return buffer->count - buffer->start; }

static char *text(const struct buffer *buffer) {
  char *copy = malloc(length(buffer) + 1);
  if (!copy) return NULL;
  if (length(buffer) > 0) memcpy(copy, buffer->bytes + buffer->start, length(buffer));
  copy[length(buffer)] = 0;
  return copy;
}

// MARK: - Streams

static struct stream *find(flow_grpc_channel *channel, uint64_t number) {
  for (struct stream *stream = channel->streams; stream; stream = stream->next) {
    if (stream->number == number && !stream->is_dropped) return stream;
  }
  return NULL;
}

static void free_stream(struct stream *stream) {
  for (size_t index = 0; index < stream->header_count * 2; index++) free(stream->headers[index]);
  free(stream->headers);
  free(stream->path);
  free(stream->unsent.bytes);
  free(stream->head.bytes);
  free(stream->trailers.bytes);
  free(stream->body.bytes);
  free(stream->failure);
  free(stream);
}

static void end(struct stream *stream, const char *failure) {
  if (stream->is_ended) return;
  stream->is_ended = stream->has_news = true;
  if (failure) stream->failure = strdup(failure);
}

// Frees the streams that nobody reads and nghttp2 does not know.
static void sweep(flow_grpc_channel *channel) {
  struct stream **place = &channel->streams;
  while (*place) {
    struct stream *stream = *place;
    bool is_unknown = stream->id == 0 || stream->is_closed || !channel->session;
    if (!stream->is_dropped || !is_unknown) {
      place = &stream->next;
      continue;
    }
    *place = stream->next;
    free_stream(stream);
  }
}

static void wake(flow_grpc_channel *channel) {
  if (channel->is_awake) return;
  channel->is_awake = true;
  ssize_t count = write(channel->wake[1], "", 1);
  (void)count;
}

// MARK: - nghttp2's calls, while the mutex is held

static struct stream *by_id(flow_grpc_channel *channel, int32_t id) {
  for (struct stream *stream = channel->streams; stream; stream = stream->next) {
    if (stream->id == id && !stream->is_closed) return stream;
  }
  return NULL;
}

static int on_header(
  struct h2_session *session, const struct h2_frame *frame, const uint8_t *name, size_t name_count,
  const uint8_t *value, size_t value_count, uint8_t flags, void *context) {
  (void)session, (void)flags;
  struct stream *stream = by_id(context, frame->stream);
  if (!stream || frame->type != h2_headers) return 0;
  if (name_count == 7 && memcmp(name, ":status", 7) == 0) {
    // The head of an interim response does not belong to the final one.
    stream->head.start = stream->head.count = 0;
    stream->status = 0;
    for (size_t index = 0; index < value_count && index < 3; index++) stream->status = stream->status * 10 + value[index] - '0';
    return 0;
  }
  struct buffer *lines = stream->has_head ? &stream->trailers : &stream->head;
  bool is_too_long = stream->head.count + stream->trailers.count + name_count + value_count > greatest_head;
  if (is_too_long || !append(lines, name, name_count) || !append(lines, ": ", 2) || !append(lines, value, value_count) || !append(lines, "\n", 1)) {
    ((flow_grpc_channel *)context)->h2->submit_rst_stream(session, 0, stream->id, h2_code_noisy);
    end(stream, "the headers of the response have more than 256 KiB");
  }
  return 0;
}

static int on_frame(struct h2_session *session, const struct h2_frame *frame, void *context) {
  (void)session;
  if (frame->type == h2_settings) ((flow_grpc_channel *)context)->has_settings = true;
  if (frame->type != h2_headers && frame->type != h2_data) return 0;
  struct stream *stream = by_id(context, frame->stream);
  if (!stream) return 0;
  if (frame->type == h2_headers && stream->status >= 200 && !stream->has_head) stream->has_head = stream->has_news = true;
  if (frame->flags & h2_end_stream) end(stream, NULL);
  return 0;
}

static int on_bytes(
  struct h2_session *session, uint8_t flags, int32_t id, const uint8_t *bytes, size_t count, void *context) {
  (void)flags;
  flow_grpc_channel *channel = context;
  // One reader that waits does not keep the others from reading.
  channel->h2->session_consume_connection(session, count);
  struct stream *stream = by_id(channel, id);
  if (!stream || stream->is_dropped) {
    channel->h2->session_consume_stream(session, id, count);
    return 0;
  }
  stream->has_news = true;
  return append(&stream->body, bytes, count) ? 0 : h2_failed;
}

static int on_close(struct h2_session *session, int32_t id, uint32_t code, void *context) {
  (void)session;
  flow_grpc_channel *channel = context;
  struct stream *stream = by_id(channel, id);
  if (!stream) return 0;
  stream->is_closed = stream->has_news = true;
  char reason[problem_room];
  snprintf(reason, sizeof reason, "the server reset the stream: %s", channel->h2->http2_strerror(code));
  end(stream, reason);
  return 0;
}

static ssize_t read_request(
  struct h2_session *session, int32_t id, uint8_t *to, size_t room, uint32_t *flags, union h2_source *source,
  void *context) {
  (void)session, (void)id, (void)context;
  struct stream *stream = source->pointer;
  size_t count = length(&stream->unsent);
  if (count > room) count = room;
  if (count > 0) memcpy(to, stream->unsent.bytes + stream->unsent.start, count);
  stream->unsent.start += count;
  bool is_all = length(&stream->unsent) == 0;
  if (is_all) stream->has_news = true;
  if (is_all && stream->has_whole_request) *flags |= h2_data_ended;
  if (count > 0 || (is_all && stream->has_whole_request)) return (ssize_t)count;
  stream->is_deferred = true;
  return h2_deferred;
}

// MARK: - The thread, which holds the mutex except where it waits

static bool start_session(flow_grpc_channel *channel) {
  flow_nghttp2 *h2 = channel->h2;
  struct h2_callbacks *callbacks = NULL;
  struct h2_option *option = NULL;
  channel->has_input = channel->has_settings = false;
  if (h2->session_callbacks_new(&callbacks) != 0) return false;
  if (h2->option_new(&option) == 0) {
    h2->option_set_no_auto_window_update(option, 1);
    h2->session_callbacks_set_on_header_callback(callbacks, on_header);
    h2->session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
    h2->session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_bytes);
    h2->session_callbacks_set_on_stream_close_callback(callbacks, on_close);
    if (h2->session_client_new2(&channel->session, callbacks, channel, option) != 0) channel->session = NULL;
    h2->option_del(option);
  }
  h2->session_callbacks_del(callbacks);
  if (!channel->session) return false;
  struct h2_setting settings[] = {
    {h2_enable_push, 0}, {h2_initial_window, stream_window}, {h2_greatest_headers, greatest_head}};
  h2->submit_settings(channel->session, 0, settings, 3);
  h2->session_set_local_window_size(channel->session, 0, 0, connection_window);
  return true;
}

// Ends the connection, and the streams on it.
static void disconnect(flow_grpc_channel *channel, const char *reason) {
  if (channel->session) channel->h2->session_del(channel->session);
  channel->session = NULL;
  channel->output_count = 0;
  flow_grpc_link_close(&channel->link);
  for (struct stream *stream = channel->streams; stream; stream = stream->next) {
    if (stream->id == 0) continue;
    stream->is_closed = true;
    end(stream, reason);
  }
}

static struct h2_pair pair(const char *name, const char *value) {
  return (struct h2_pair){(uint8_t *)name, (uint8_t *)value, strlen(name), strlen(value), 0};
}

static void submit(flow_grpc_channel *channel, struct stream *stream) {
  size_t count = stream->header_count + 4;
  struct h2_pair *pairs = calloc(count, sizeof *pairs);
  if (!pairs) return end(stream, "the system is out of memory");
  pairs[0] = pair(":method", "POST");
  pairs[1] = pair(":scheme", channel->scheme);
  pairs[2] = pair(":path", stream->path);
  pairs[3] = pair(":authority", channel->authority);
  for (size_t index = 0; index < stream->header_count; index++) {
    pairs[4 + index] = pair(stream->headers[2 * index], stream->headers[2 * index + 1]);
  }
  struct h2_provider provider = {{.pointer = stream}, read_request};
  int32_t id = channel->h2->submit_request(channel->session, NULL, pairs, count, &provider, NULL);
  free(pairs);
  if (id > 0) {
    stream->id = id;
  } else {
    end(stream, channel->h2->strerror(id));
  }
}

static bool has_waiting(flow_grpc_channel *channel) {
  for (struct stream *stream = channel->streams; stream; stream = stream->next) {
    if (stream->id == 0 && !stream->is_ended && !stream->is_dropped) return true;
  }
  return false;
}

// Carries out what the callers have left.
static void serve(flow_grpc_channel *channel) {
  flow_nghttp2 *h2 = channel->h2;
  for (struct stream *stream = channel->streams; stream; stream = stream->next) {
    if (stream->id == 0) {
      if (!stream->is_ended && !stream->is_dropped && h2->session_check_request_allowed(channel->session)) submit(channel, stream);
      continue;
    }
    if (stream->is_closed) continue;
    if (stream->consumed > 0) h2->session_consume_stream(channel->session, stream->id, stream->consumed);
    stream->consumed = 0;
    if (stream->is_dropped) {
      h2->submit_rst_stream(channel->session, 0, stream->id, stream->is_ended && !stream->failure ? h2_code_none : h2_code_cancel);
    } else if (stream->is_deferred && (length(&stream->unsent) > 0 || stream->has_whole_request)) {
      stream->is_deferred = false;
      h2->session_resume_data(channel->session, stream->id);
    }
  }
}

// Sends what can be sent now, and returns false with the problem at the end of the connection.
static bool send_output(flow_grpc_channel *channel, char *problem) {
  while (true) {
    if (channel->output_count == 0) {
      ssize_t count = channel->h2->session_mem_send(channel->session, &channel->output);
      if (count < 0) return snprintf(problem, problem_room, "%s", channel->h2->strerror((int)count)) < 0;
      if (count == 0) return true;
      channel->output_count = (size_t)count;
    }
    ssize_t sent = flow_grpc_link_write(&channel->link, channel->output, channel->output_count, problem, problem_room);
    if (sent == -1) return true;
    if (sent < 0) return false;
    channel->output += sent;
    channel->output_count -= (size_t)sent;
  }
}

// Reads what has arrived, up to a bound, so that callers get their turn.
static bool read_input(flow_grpc_channel *channel, char *problem) {
  uint8_t bytes[16 << 10];
  for (int turn = 0; turn < 16; turn++) {
    ssize_t count = flow_grpc_link_read(&channel->link, bytes, sizeof bytes, problem, problem_room);
    if (count == -1) return true;
    if (count == 0) return snprintf(problem, problem_room, "the server closed the connection") < 0;
    if (count < 0) return false;
    channel->has_input = true;
    ssize_t used = channel->h2->session_mem_recv(channel->session, bytes, (size_t)count);
    if (used < 0) return snprintf(problem, problem_room, "the server does not speak HTTP/2: %s", channel->h2->strerror((int)used)) < 0;
  }
  return true;
}

// Does all work that is possible now.
static void work(flow_grpc_channel *channel) {
  char problem[problem_room] = "the server closed the connection";
  serve(channel);
  bool goes_on = send_output(channel, problem) && read_input(channel, problem);
  if (goes_on) {
    serve(channel);
    goes_on = send_output(channel, problem);
  }
  bool is_over = !channel->h2->session_want_read(channel->session) && !channel->h2->session_want_write(channel->session);
  bool is_other = channel->has_input && !channel->has_settings;
  // After GOAWAY the last streams end, and another connection takes the next ones.
  if (!goes_on || is_over) disconnect(channel, is_other ? "the server does not speak HTTP/2" : problem);
}

static void connect_again(flow_grpc_channel *channel) {
  char problem[problem_room] = "";
  struct link link;
  pthread_mutex_unlock(&channel->mutex);
  bool is_open = flow_grpc_link_open(
    &link, channel->host, channel->port, &channel->credentials, channel->connect_milliseconds, channel->stop[0],
    problem, sizeof problem);
  pthread_mutex_lock(&channel->mutex);
  if (is_open) {
    channel->link = link;
    if (start_session(channel)) return;
    flow_grpc_link_close(&channel->link);
    snprintf(problem, sizeof problem, "the system is out of memory");
  }
  for (struct stream *stream = channel->streams; stream; stream = stream->next) {
    if (stream->id == 0) end(stream, problem);
  }
}

// Tells of the news, without the mutex.
static void tell(flow_grpc_channel *channel) {
  while (true) {
    uint64_t numbers[64];
    size_t count = 0;
    for (struct stream *stream = channel->streams; stream && count < 64; stream = stream->next) {
      if (!stream->has_news) continue;
      stream->has_news = false;
      if (!stream->is_dropped) numbers[count++] = stream->number;
    }
    if (count == 0) return;
    pthread_mutex_unlock(&channel->mutex);
    for (size_t index = 0; index < count; index++) channel->notice(channel->context, numbers[index]);
    pthread_mutex_lock(&channel->mutex);
  }
}

static void wait_for_news(flow_grpc_channel *channel) {
  bool is_connected = channel->session != NULL;
  bool wants_room = is_connected && channel->output_count > 0;
  struct pollfd descriptors[] = {
    {channel->wake[0], POLLIN, 0},
    {channel->link.socket, (short)(POLLIN | (wants_room ? POLLOUT : 0)), 0},
  };
  pthread_mutex_unlock(&channel->mutex);
  poll(descriptors, is_connected ? 2 : 1, -1);
  pthread_mutex_lock(&channel->mutex);
  if (!channel->is_awake) return;
  uint8_t byte;
  channel->is_awake = read(channel->wake[0], &byte, 1) != 1;
}

static void *run(void *context) {
  flow_grpc_channel *channel = context;
  pthread_mutex_lock(&channel->mutex);
  while (!channel->is_closing) {
    if (!channel->session && has_waiting(channel)) connect_again(channel);
    if (channel->session) work(channel);
    sweep(channel);
    tell(channel);
    // GnuTLS may hold bytes that the socket does not show, but only after a full read, which reads again.
    if (!channel->is_closing && (channel->session || !has_waiting(channel))) wait_for_news(channel);
  }
  if (channel->session) send_output(channel, (char[problem_room]){0});
  disconnect(channel, "the component has ended");
  for (struct stream *stream = channel->streams; stream; stream = stream->next) end(stream, "the component has ended");
  tell(channel);
  pthread_mutex_unlock(&channel->mutex);
  return NULL;
}

// MARK: - A channel

static bool open_pipe(int wake[2]) {
  if (pipe(wake) != 0) return false;
  for (int index = 0; index < 2; index++) {
    fcntl(wake[index], F_SETFD, FD_CLOEXEC);
    fcntl(wake[index], F_SETFL, O_NONBLOCK);
  }
  return true;
}

static void free_channel(flow_grpc_channel *channel) {
  while (channel->streams) {
    struct stream *stream = channel->streams;
    channel->streams = stream->next;
    free_stream(stream);
  }
  flow_grpc_credentials_free(&channel->credentials);
  for (int index = 0; index < 2; index++) {
    if (channel->wake[index] >= 0) close(channel->wake[index]);
    if (channel->stop[index] >= 0) close(channel->stop[index]);
  }
  pthread_mutex_destroy(&channel->mutex);
  free(channel->host);
  free(channel->port);
  free(channel->authority);
  free(channel);
}

static bool start_thread(flow_grpc_channel *channel) {
  // The new thread inherits the mask: signals of the process go to the threads that wait for them.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int failure = pthread_create(&channel->thread, NULL, run, channel);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return failure == 0;
}

flow_grpc_channel *flow_grpc_channel_new(
  flow_nghttp2 *library, const flow_grpc_channel_settings *settings, flow_grpc_channel_notice notice, void *context,
  char *problem, size_t room) {
  flow_grpc_channel *channel = calloc(1, sizeof *channel);
  snprintf(problem, room, "the system is out of memory, threads or descriptors");
  if (!channel) return NULL;
  channel->h2 = library;
  channel->wake[0] = channel->wake[1] = channel->stop[0] = channel->stop[1] = -1;
  channel->link.socket = -1;
  channel->notice = notice;
  channel->context = context;
  channel->connect_milliseconds = settings->connect_milliseconds;
  channel->scheme = settings->tls ? "https" : "http";
  channel->host = strdup(settings->host);
  channel->port = strdup(settings->port);
  channel->authority = strdup(settings->authority);
  pthread_mutex_init(&channel->mutex, NULL);
  bool is_ready = channel->host && channel->port && channel->authority && open_pipe(channel->wake)
    && open_pipe(channel->stop) && flow_grpc_credentials_new(&channel->credentials, settings, problem, room) && start_thread(channel);
  if (is_ready) return channel;
  free_channel(channel);
  return NULL;
}

void flow_grpc_channel_close(flow_grpc_channel *channel) {
  pthread_mutex_lock(&channel->mutex);
  channel->is_closing = true;
  wake(channel);
  ssize_t count = write(channel->stop[1], "", 1);
  (void)count;
  pthread_mutex_unlock(&channel->mutex);
  pthread_join(channel->thread, NULL);
  free_channel(channel);
}

// MARK: - The calls

static struct stream *new_stream(flow_grpc_channel *channel, const char *path, const char *const *headers, size_t count) {
  struct stream *stream = calloc(1, sizeof *stream);
  if (!stream) return NULL;
  stream->channel = channel;
  stream->path = strdup(path);
  stream->headers = calloc(count * 2 + 1, sizeof *stream->headers);
  bool is_whole = stream->path && stream->headers;
  stream->header_count = stream->headers ? count : 0;
  for (size_t index = 0; is_whole && index < count * 2; index++) {
    stream->headers[index] = strdup(headers[index]);
    is_whole = stream->headers[index] != NULL;
  }
  if (is_whole) return stream;
  free_stream(stream);
  return NULL;
}

uint64_t flow_grpc_channel_open(flow_grpc_channel *channel, const char *path, const char *const *headers, size_t count) {
  struct stream *stream = new_stream(channel, path, headers, count);
  if (!stream) return 0;
  pthread_mutex_lock(&channel->mutex);
  stream->number = ++channel->last_number;
  // Behind the others, which are submitted first.
  struct stream **place = &channel->streams;
  while (*place) place = &(*place)->next;
  *place = stream;
  uint64_t number = stream->number;
  wake(channel);
  pthread_mutex_unlock(&channel->mutex);
  return number;
}

static size_t unsent(const struct stream *stream) {
  return !stream || stream->is_ended || stream->is_closed ? 0 : length(&stream->unsent);
}

size_t flow_grpc_channel_write(flow_grpc_channel *channel, uint64_t number, const void *bytes, size_t count, bool is_end) {
  pthread_mutex_lock(&channel->mutex);
  struct stream *stream = find(channel, number);
  if (stream && !stream->is_ended && !stream->is_closed) {
    if (!append(&stream->unsent, bytes, count)) end(stream, "the system is out of memory");
    stream->has_whole_request = stream->has_whole_request || is_end;
    wake(channel);
  }
  size_t rest = unsent(stream);
  pthread_mutex_unlock(&channel->mutex);
  return rest;
}

size_t flow_grpc_channel_unsent(flow_grpc_channel *channel, uint64_t number) {
  pthread_mutex_lock(&channel->mutex);
  size_t rest = unsent(find(channel, number));
  pthread_mutex_unlock(&channel->mutex);
  return rest;
}

void flow_grpc_channel_end(flow_grpc_channel *channel, uint64_t number) {
  pthread_mutex_lock(&channel->mutex);
  struct stream *stream = find(channel, number);
  if (stream) {
    stream->is_dropped = true;
    wake(channel);
  }
  pthread_mutex_unlock(&channel->mutex);
}

static flow_stream_state state(struct stream *stream) {
  flow_stream_state state = {0};
  if (!stream) {
    state.is_ended = true;
    return state;
  }
  state.status = stream->has_head ? stream->status : 0;
  state.unsent = unsent(stream);
  state.is_ended = stream->is_ended;
  state.failure = stream->failure ? strdup(stream->failure) : NULL;
  return state;
}

flow_stream_state flow_grpc_channel_head(flow_grpc_channel *channel, uint64_t number) {
  pthread_mutex_lock(&channel->mutex);
  struct stream *stream = find(channel, number);
  flow_stream_state result = state(stream);
  if (stream && stream->has_head) result.lines = text(&stream->head);
  pthread_mutex_unlock(&channel->mutex);
  return result;
}

flow_stream_state flow_grpc_channel_take(flow_grpc_channel *channel, uint64_t number) {
  pthread_mutex_lock(&channel->mutex);
  struct stream *stream = find(channel, number);
  flow_stream_state result = state(stream);
  if (stream) {
    result.count = length(&stream->body);
    result.bytes = stream->body.bytes;
    stream->consumed += result.count;
    stream->body = (struct buffer){0};
    if (stream->is_ended) result.lines = text(&stream->trailers);
    if (result.count > 0) wake(channel);
  }
  pthread_mutex_unlock(&channel->mutex);
  return result;
}

void flow_grpc_stream_free(void *bytes) { free(bytes); }
