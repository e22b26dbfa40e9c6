#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "Server.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { block = 32768 };

// MARK: - Endings

// On Linux the client sees nothing but the reset. Elsewhere it may see the end before it, since
// libmicrohttpd shuts down the socket before it closes it.
void flow_socket_reset(int socket) {
#ifdef __linux__
  struct sockaddr none = {.sa_family = AF_UNSPEC};
  connect(socket, &none, sizeof none);
#else
  struct linger at_once = {1, 0};
  setsockopt(socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
#endif
}

void flow_request_resume(flow_request *request) {
  if (request->wire) return flow_wire_change(request->wire);
  if (!request->is_suspended) return;
  request->is_suspended = false;
  request->server->httpd->resume_connection(request->connection);
}

void flow_request_break_locked(flow_request *request, bool resets) {
  request->breaks = true;
  request->resets = resets;
  if (request->state == state_waiting) request->state = state_answering;
  flow_request_resume(request);
}

static bool is_open(const flow_request *request) {
  bool has_end = request->is_finished || request->breaks;
  return request->state == state_waiting || (request->state == state_streaming && !has_end);
}

void flow_request_break(flow_request *request, bool resets) {
  pthread_mutex_lock(&request->server->mutex);
  if (is_open(request)) flow_request_break_locked(request, resets);
  pthread_mutex_unlock(&request->server->mutex);
}

void flow_request_release(flow_request *request) {
  flow_server *server = request->server;
  pthread_mutex_lock(&server->mutex);
  int references = --request->references;
  // What is left belongs to libmicrohttpd, which waits for an answer that nothing can give.
  if (references && is_open(request)) flow_request_break_locked(request, true);
  pthread_mutex_unlock(&server->mutex);
  if (references) return;
  flow_headers_free(&request->headers);
  flow_headers_free(&request->answer);
  flow_headers_free(&request->trailers);
  if (request->response) server->httpd->destroy_response(request->response);
  flow_request_discard_body(request);
  free(request->method);
  free(request->target);
  free(request->host);
  free(request->user);
  free(request->piece);
  free(request->inbox);
  free(request);
  flow_server_drop(server);
}

// MARK: - Sending, on the thread of libmicrohttpd

int flow_request_send(flow_request *request) {
  flow_server *server = request->server;
  pthread_mutex_lock(&server->mutex);
  struct MHD_Response *response = request->response;
  bool breaks = !response;
  request->response = NULL;
  if (breaks && request->resets) flow_peer_reset(request->peer);
  pthread_mutex_unlock(&server->mutex);
  if (breaks) return mhd_no;
  int result = server->httpd->queue_response(request->connection, request->status, response);
  server->httpd->destroy_response(response);
  return result;
}

static flow_refusal refusal_of(uint32_t status) {
  switch (status) {
  case 407: return flow_refusal_credentials;
  case 413: return flow_refusal_body;
  case 503: return flow_refusal_memory;
  default: return flow_refusal_head;
  }
}

void flow_request_tell_refusal(flow_request *request) {
  flow_server *server = request->server;
  pthread_mutex_lock(&server->mutex);
  request->state = state_answering;
  pthread_mutex_unlock(&server->mutex);
  server->events.refused(server->events.context, refusal_of(request->refusal));
}

int flow_request_refuse(flow_request *request) {
  flow_server *server = request->server;
  const flow_httpd *httpd = server->httpd;
  struct MHD_Response *response = httpd->create_response_from_buffer(0, NULL, 0);
  if (!response) return mhd_no;
  if (request->refusal == 407) httpd->add_response_header(response, "Proxy-Authenticate", "Basic realm=\"flow\"");
  httpd->add_response_header(response, "Connection", "close");
  flow_request_tell_refusal(request);
  int result = httpd->queue_response(request->connection, request->refusal, response);
  httpd->destroy_response(response);
  return result;
}

static ssize_t suspend(flow_request *request) {
  request->is_suspended = true;
  request->server->httpd->suspend_connection(request->connection);
  return 0;
}

// Takes a piece, or returns the end or 0, suspended until there is more.
static ssize_t take_piece(flow_request *request, char *buffer, size_t room, bool *is_drained) {
  size_t rest = request->piece_count - request->piece_offset;
  if (rest) {
    size_t count = rest < room ? rest : room;
    memcpy(buffer, request->piece + request->piece_offset, count);
    request->piece_offset += count;
    *is_drained = count == rest;
    return (ssize_t)count;
  }
  if (request->is_finished) return mhd_end_of_stream;
  if (request->breaks || request->server->is_closing) {
    // A reset would take away bytes that the client has not received.
    if (request->resets && flow_gate_lingers(request)) return suspend(request);
    if (request->resets) flow_peer_reset(request->peer);
    return mhd_end_with_error;
  }
  return suspend(request);
}

static ssize_t read_piece(void *context, uint64_t position, char *buffer, size_t room) {
  (void)position;
  flow_request *request = context;
  flow_server *server = request->server;
  bool is_drained = false;
  pthread_mutex_lock(&server->mutex);
  ssize_t count = take_piece(request, buffer, room, &is_drained);
  if (is_drained) {
    free(request->piece);
    request->piece = NULL;
    request->piece_count = request->piece_offset = 0;
  }
  pthread_mutex_unlock(&server->mutex);
  if (is_drained) server->events.drained(server->events.context, request->number);
  return count;
}

// MARK: - Answers

void flow_request_add_header(flow_request *request, const char *name, const char *value) {
  static const char *const own[] = {"connection", "keep-alive", "proxy-connection", "transfer-encoding", "trailer"};
  for (size_t index = 0; index < sizeof own / sizeof *own; index++) {
    if (!strcasecmp(name, own[index])) return;
  }
  flow_headers_add(&request->answer, name, strlen(name), value, strlen(value));
}

// Libmicrohttpd adds it itself.
static const char own_length[] = "content-length";

static void add_headers(flow_request *request, struct MHD_Response *response, const char *left_out, bool keeps_alive) {
  const flow_httpd *httpd = request->server->httpd;
  for (size_t index = 0; index < request->answer.count; index++) {
    const flow_header *header = &request->answer.items[index];
    bool is_left_out = !strcasecmp(header->name, left_out);
    if (!is_left_out) httpd->add_response_header(response, header->name, header->value);
  }
  if (!keeps_alive) httpd->add_response_header(response, "Connection", "close");
}

static uint8_t *copy(const void *bytes, size_t count) {
  uint8_t *copied = malloc(count ? count : 1);
  if (copied && count) memcpy(copied, bytes, count);
  return copied;
}

// The length that a client would find with a GET, or an unknown one.
static uint64_t announced_length(const flow_request *request, size_t count) {
  for (size_t index = 0; index < request->answer.count; index++) {
    const flow_header *header = &request->answer.items[index];
    if (strcasecmp(header->name, "content-length")) continue;
    char *end;
    unsigned long long length = strtoull(header->value, &end, 10);
    if (end != header->value && !*end && header->value[0] != '-' && length < MHD_UNKNOWN_SIZE) return length;
  }
  return count ? count : MHD_UNKNOWN_SIZE;
}

static bool has_no_body(const flow_request *request, uint32_t status) {
  return status == 204 || status == 304 || !strcmp(request->method, "HEAD");
}

// Gives the answer of a stream to its wire.
static void give_stream(
  flow_request *request, uint32_t status, uint8_t *piece, size_t count, uint64_t announced, flow_state state) {
  pthread_mutex_lock(&request->server->mutex);
  // The wire is taken away with the end of the stream.
  bool is_waiting = request->state == state_waiting;
  if (is_waiting) {
    request->status = status;
    request->has_body = (piece || state == state_streaming) && !has_no_body(request, status);
    request->piece = request->has_body ? piece : NULL;
    request->piece_count = request->has_body ? count : 0;
    request->announced = announced;
    request->state = state;
    if (request->wire) flow_wire_change(request->wire);
  }
  bool is_taken = is_waiting && request->has_body;
  pthread_mutex_unlock(&request->server->mutex);
  if (!is_taken) free(piece);
}

static void answer_stream(flow_request *request, uint32_t status, const void *bytes, size_t count) {
  bool is_unknown = status == 204 || request->is_open;
  uint64_t length = has_no_body(request, status) ? announced_length(request, count) : count;
  uint8_t *piece = count ? copy(bytes, count) : NULL;
  if (count && !piece) return flow_request_break(request, true);
  pthread_mutex_lock(&request->server->mutex);
  if (request->state == state_waiting) request->is_finished = true;
  pthread_mutex_unlock(&request->server->mutex);
  give_stream(request, status, piece, count, is_unknown ? MHD_UNKNOWN_SIZE : length, state_answering);
}

static void answer_stream_partly(
  flow_request *request, uint32_t status, const void *bytes, size_t count, size_t announced, bool resets) {
  uint8_t *piece = copy(bytes, count);
  if (!piece) return flow_request_break(request, true);
  pthread_mutex_lock(&request->server->mutex);
  if (request->state == state_waiting) {
    request->breaks = true;
    request->resets = resets;
  }
  pthread_mutex_unlock(&request->server->mutex);
  give_stream(request, status, piece, count, announced, state_answering);
}

static struct MHD_Response *new_response(flow_request *request, uint32_t status, const void *bytes, size_t count) {
  const flow_httpd *httpd = request->server->httpd;
  if (status != 204 && has_no_body(request, status)) {
    uint64_t length = announced_length(request, count);
    struct MHD_Response *response = httpd->create_response_from_callback(length, 1, read_piece, request, NULL);
    // Before 0.9.76 the end of chunks would follow, and be read as the next answer.
    if (response && length == MHD_UNKNOWN_SIZE) httpd->set_response_options(response, mhd_as_in_http_1_0, 0);
    return response;
  }
  uint8_t *body = copy(bytes, count);
  struct MHD_Response *response =
    body ? httpd->create_response_from_buffer(count, body, mhd_memory_to_free) : NULL;
  if (!response) free(body);
  return response;
}

static void give(flow_request *request, uint32_t status, struct MHD_Response *response, flow_state state) {
  flow_server *server = request->server;
  pthread_mutex_lock(&server->mutex);
  bool is_waiting = request->state == state_waiting;
  if (is_waiting) {
    request->status = status;
    request->response = response;
    request->state = state;
    // The sockets of upgraded connections are read.
    if (state == state_answering || status == 101) request->peer->is_watched = false;
    flow_request_resume(request);
  }
  pthread_mutex_unlock(&server->mutex);
  if (!is_waiting && response) server->httpd->destroy_response(response);
}

static bool has_port_open(flow_server *server) {
  pthread_mutex_lock(&server->mutex);
  bool is_open = !server->wants_listener_closed;
  pthread_mutex_unlock(&server->mutex);
  return is_open;
}

void flow_request_answer(
  flow_request *request, uint32_t status, const void *bytes, size_t count, bool keeps_alive) {
  if (request->is_stream) return answer_stream(request, status, bytes, count);
  struct MHD_Response *response = new_response(request, status, bytes, count);
  if (!response) return flow_request_break(request, true);
  add_headers(request, response, own_length, keeps_alive && has_port_open(request->server));
  give(request, status, response, state_answering);
}

void flow_request_begin(flow_request *request, uint32_t status, bool keeps_alive) {
  if (has_no_body(request, status)) return flow_request_answer(request, status, NULL, 0, keeps_alive);
  if (request->is_stream) return give_stream(request, status, NULL, 0, MHD_UNKNOWN_SIZE, state_streaming);
  struct MHD_Response *response = request->server->httpd->create_response_from_callback(
    MHD_UNKNOWN_SIZE, block, read_piece, request, NULL);
  if (!response) return flow_request_break(request, true);
  add_headers(request, response, own_length, keeps_alive && has_port_open(request->server));
  give(request, status, response, state_streaming);
}

void flow_request_upgrade(flow_request *request) {
  const flow_httpd *httpd = request->server->httpd;
  struct MHD_Response *response =
    request->wants_upgrade ? httpd->create_response_for_upgrade(flow_upgrade_start, NULL) : NULL;
  if (!response) return flow_request_break(request, true);
  // Libmicrohttpd adds the header of the connection.
  httpd->add_response_header(response, "Upgrade", "websocket");
  add_headers(request, response, "upgrade", true);
  give(request, 101, response, state_streaming);
}

void flow_request_answer_partly(
  flow_request *request, uint32_t status, const void *bytes, size_t count, size_t announced, bool resets) {
  if (request->is_stream) return answer_stream_partly(request, status, bytes, count, announced, resets);
  const flow_httpd *httpd = request->server->httpd;
  uint8_t *piece = copy(bytes, count);
  struct MHD_Response *response =
    piece ? httpd->create_response_from_callback(announced, block, read_piece, request, NULL) : NULL;
  if (!response) {
    free(piece);
    return flow_request_break(request, true);
  }
  // After all of them, the connection has to end as well.
  add_headers(request, response, own_length, count < announced);
  pthread_mutex_lock(&request->server->mutex);
  bool is_waiting = request->state == state_waiting && !request->piece;
  if (is_waiting) {
    request->piece = piece;
    request->piece_count = count;
    request->breaks = true;
    request->resets = resets;
  }
  pthread_mutex_unlock(&request->server->mutex);
  if (!is_waiting) free(piece);
  give(request, status, response, state_answering);
}

bool flow_request_write(flow_request *request, const void *bytes, size_t count) {
  uint8_t *piece = copy(bytes, count);
  pthread_mutex_lock(&request->server->mutex);
  bool is_open = piece && request->state == state_streaming && !request->is_finished && !request->breaks
    && !request->has_left && !request->piece;
  if (is_open) {
    request->piece = piece;
    request->piece_count = count;
    flow_request_resume(request);
  }
  pthread_mutex_unlock(&request->server->mutex);
  if (!is_open) free(piece);
  return is_open;
}

void flow_request_add_trailer(flow_request *request, const char *name, const char *value) {
  flow_headers_add(&request->trailers, name, strlen(name), value, strlen(value));
}

void flow_request_finish(flow_request *request) {
  pthread_mutex_lock(&request->server->mutex);
  if (request->state == state_streaming && !request->breaks) {
    request->is_finished = true;
    flow_request_resume(request);
  }
  pthread_mutex_unlock(&request->server->mutex);
}
