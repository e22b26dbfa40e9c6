#include "Session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Answers as libnghttp2 sends them.

// MARK: - Heads

static bool is_token(const char *name) {
  if (!*name) return false;
  for (; *name; name++) {
    bool is_letter = (*name | 0x20) >= 'a' && (*name | 0x20) <= 'z';
    if (!is_letter && !(*name >= '0' && *name <= '9') && !strchr("!#$%&'*+-.^_`|~", *name)) return false;
  }
  return true;
}

// Names are in lower case (RFC 9113, section 8.2).
static bool convert(flow_header *header, nghttp2_pair *pair) {
  static const char *const left_out[] = {"content-length", "upgrade", "te"};
  for (size_t index = 0; index < sizeof left_out / sizeof *left_out; index++) {
    if (!strcasecmp(header->name, left_out[index])) return false;
  }
  if (!is_token(header->name) || strpbrk(header->value, "\r\n")) return false;
  for (char *byte = header->name; *byte; byte++) {
    if (*byte >= 'A' && *byte <= 'Z') *byte |= 0x20;
  }
  *pair = (nghttp2_pair){
    (uint8_t *)header->name, (uint8_t *)header->value, header->name_count, header->value_count, 0};
  return true;
}

// Returns the headers behind some places, to be freed, or NULL.
static nghttp2_pair *convert_all(flow_headers *headers, size_t places, size_t *count) {
  nghttp2_pair *pairs = calloc(places + headers->count + 1, sizeof *pairs);
  *count = places;
  for (size_t index = 0; pairs && index < headers->count; index++) {
    if (convert(&headers->items[index], &pairs[*count])) ++*count;
  }
  return pairs;
}

static nghttp2_pair pair_of(const char *name, char *value) {
  return (nghttp2_pair){(uint8_t *)name, (uint8_t *)value, strlen(name), strlen(value), 0};
}

// MARK: - Bodies

// Takes a part of the piece. With the mutex held.
static size_t take_piece(flow_request *request, uint8_t *buffer, size_t room) {
  size_t rest = request->piece_count - request->piece_offset;
  size_t count = rest < room ? rest : room;
  memcpy(buffer, request->piece + request->piece_offset, count);
  request->piece_offset += count;
  if (count < rest) return count;
  free(request->piece);
  request->piece = NULL;
  request->piece_count = request->piece_offset = 0;
  return count;
}

static void submit_trailers(flow_stream *stream) {
  size_t count;
  nghttp2_pair *pairs = convert_all(&stream->request->trailers, 0, &count);
  // Without memory, the stream would have no end.
  if (!pairs) return flow_stream_reset(stream, nghttp2_internal_error);
  stream->session->nghttp2->submit_trailer(stream->session->session, stream->id, pairs, count);
  free(pairs);
}

// The answer is finished, and the frame that is made is the last one with data.
static void note_last(flow_stream *stream, uint32_t *flags) {
  *flags |= nghttp2_data_end;
  if (!stream->request->trailers.count) return;
  *flags |= nghttp2_data_no_end_stream;
  submit_trailers(stream);
}

static ssize_t read_piece(
  void *library, int32_t id, uint8_t *buffer, size_t room, uint32_t *flags, nghttp2_source *source, void *context) {
  (void)library, (void)id, (void)context;
  flow_stream *stream = source->pointer;
  flow_request *request = stream->request;
  flow_server *server = request->server;
  pthread_mutex_lock(&server->mutex);
  bool has_piece = request->piece;
  size_t count = has_piece ? take_piece(request, buffer, room) : 0;
  bool is_drained = has_piece && !request->piece;
  bool is_last = !request->piece && request->is_finished && !request->breaks;
  bool breaks = !request->piece && request->breaks;
  pthread_mutex_unlock(&server->mutex);
  stream->deadline = 0;
  if (is_drained) server->events.drained(server->events.context, request->number);
  if (is_last) note_last(stream, flags);
  if (breaks) stream->session->is_again = true;
  if (count || is_last) return (ssize_t)count;
  stream->is_deferred = true;
  return nghttp2_deferred;
}

// MARK: - Answers

typedef struct {
  uint32_t status;
  bool has_body, has_length;
  uint64_t length;
} answer_head;

// With the mutex held. Returns false without an answer.
static bool read_answer(const flow_request *request, answer_head *head) {
  bool has_answer = (request->state == state_answering || request->state == state_streaming) && request->status;
  *head = (answer_head){
    request->status, request->has_body, request->announced != MHD_UNKNOWN_SIZE, request->announced};
  return has_answer;
}

static bool submit(flow_stream *stream, const answer_head *answer) {
  flow_session *session = stream->session;
  char status[16], length[24];
  size_t places = answer->has_length ? 2 : 1, count;
  nghttp2_pair *pairs = convert_all(&stream->request->answer, places, &count);
  if (!pairs) return false;
  snprintf(status, sizeof status, "%u", answer->status);
  snprintf(length, sizeof length, "%llu", (unsigned long long)answer->length);
  pairs[0] = pair_of(":status", status);
  if (answer->has_length) pairs[1] = pair_of("content-length", length);
  nghttp2_provider provider = {{.pointer = stream}, read_piece};
  int result = session->nghttp2->submit_response(
    session->session, stream->id, pairs, count, answer->has_body ? &provider : NULL);
  free(pairs);
  return result == 0;
}

void flow_stream_refuse(flow_stream *stream) {
  flow_request *request = stream->request;
  flow_server *server = request->server;
  char status[16];
  snprintf(status, sizeof status, "%u", request->refusal);
  nghttp2_pair pairs[] = {
    pair_of(":status", status), pair_of("content-length", "0"),
    pair_of("proxy-authenticate", "Basic realm=\"flow\"")};
  stream->is_submitted = true;
  stream->deadline = flow_now() + server->settings.idle_time;
  flow_request_tell_refusal(request);
  const flow_nghttp2 *nghttp2 = stream->session->nghttp2;
  nghttp2->submit_response(
    stream->session->session, stream->id, pairs, request->refusal == 407 ? 3 : 2, NULL);
}

void flow_stream_invite(flow_stream *stream) {
  nghttp2_pair pair = pair_of(":status", "100");
  stream->session->nghttp2->submit_headers(stream->session->session, 0, stream->id, NULL, &pair, 1, NULL);
}

// MARK: - Turns

// Lets the client send as much as its bytes were read.
static void open_window(flow_stream *stream, size_t taken) {
  if (!taken) return;
  flow_session *session = stream->session;
  flow_request_uncount(stream->request, taken);
  session->nghttp2->session_consume_stream(session->session, stream->id, taken);
}

static void give_up(flow_stream *stream) {
  flow_server *server = stream->request->server;
  if (!stream->request->has_arrived) server->events.refused(server->events.context, flow_refusal_time);
  flow_stream_reset(stream, nghttp2_cancel);
}

void flow_stream_update(flow_stream *stream, int64_t now) {
  flow_request *request = stream->request;
  flow_server *server = request->server;
  answer_head answer;
  pthread_mutex_lock(&server->mutex);
  bool has_answer = read_answer(request, &answer), has_piece = request->piece, resets = request->resets;
  bool is_broken = request->breaks && !has_piece && (!answer.status || stream->is_submitted);
  bool may_go_on = has_piece || request->is_finished || request->breaks;
  size_t taken = request->inbox_taken;
  request->inbox_taken = 0;
  pthread_mutex_unlock(&server->mutex);
  open_window(stream, taken);
  if (is_broken) flow_stream_reset(stream, resets ? nghttp2_internal_error : nghttp2_cancel);
  if (stream->is_reset) return;
  if (stream->deadline && stream->deadline <= now) return give_up(stream);
  if (has_piece && !stream->deadline) stream->deadline = now + server->settings.idle_time;
  if (has_answer && !stream->is_submitted) {
    stream->is_submitted = true;
    if (!submit(stream, &answer)) flow_stream_reset(stream, nghttp2_internal_error);
  } else if (stream->is_deferred && may_go_on) {
    stream->is_deferred = false;
    stream->session->nghttp2->session_resume_data(stream->session->session, stream->id);
  }
}
