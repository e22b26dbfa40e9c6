#include "Server.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Requests as libmicrohttpd reads them, on its thread.

// MARK: - The head

static int note_header(
  void *context, int kind, const char *name, size_t name_count, const char *value, size_t value_count) {
  (void)kind;
  flow_request *request = context;
  value_count = value ? value_count : 0;
  // Libmicrohttpd removes only the space before a value.
  while (value_count && (value[value_count - 1] == ' ' || value[value_count - 1] == '\t')) value_count--;
  bool is_text = name_count && !memchr(name, 0, name_count) && (!value_count || !memchr(value, 0, value_count));
  if (!is_text) request->refusal = 400;
  else if (!flow_headers_add(&request->headers, name, name_count, value, value_count)) request->refusal = 503;
  return mhd_yes;
}

static bool is_named(const flow_header *header, const char *name) { return !strcasecmp(header->name, name); }

static void refuse(flow_request *request, uint32_t status) {
  if (!request->refusal) request->refusal = status;
}

// Two readings of one request are dangerous (RFC 9112, section 6.1). Libmicrohttpd reads up to the
// end of the connection with a coding that it does not know.
static bool check_framing(flow_request *request, size_t *length) {
  const char *only_length = NULL;
  size_t codings = 0, lengths = 0;
  for (size_t index = 0; index < request->headers.count; index++) {
    const flow_header *header = &request->headers.items[index];
    if (is_named(header, "transfer-encoding")) {
      codings++;
      if (strcasecmp(header->value, "chunked")) return false;
    } else if (is_named(header, "content-length")) {
      if (only_length && strcmp(only_length, header->value)) return false;
      only_length = header->value;
      lengths++;
    }
  }
  *length = only_length ? strtoull(only_length, NULL, 10) : 0;
  return codings + (lengths > 0) <= 1;
}

// Takes scheme and host out of a target as of a proxy (RFC 9112, section 3.2.2). A target without them
// is for the proxy itself.
static bool split_target(flow_request *request) {
  if (request->target[0] == '/') return true;
  request->is_encrypted = !strncasecmp(request->target, "https://", 8);
  if (!request->is_encrypted && strncasecmp(request->target, "http://", 7)) return false;
  const char *host = strchr(request->target, '/') + 2;
  size_t count = strcspn(host, "/?#");
  if (!count || memchr(host, '@', count)) return false;
  request->host = strndup(host, count);
  size_t rest = strlen(host + count);
  char *target = malloc(rest + 2);
  if (!request->host || !target) {
    free(target);
    return false;
  }
  bool has_path = host[count] == '/';
  target[0] = '/';
  memcpy(target + !has_path, host + count, rest + 1);
  free(request->target);
  request->target = target;
  return true;
}

static bool take_credentials(flow_request *request) {
  for (size_t index = request->headers.count; index-- > 0;) {
    const flow_header *header = &request->headers.items[index];
    bool has_credentials = is_named(header, "proxy-authorization");
    if (has_credentials) {
      free(request->user);
      request->user = flow_user_of(request->server, header->value, header->value_count);
    }
    if (has_credentials || is_named(header, "proxy-connection")) flow_headers_remove(&request->headers, index);
  }
  return request->user;
}

bool flow_request_take_host(flow_request *request, const flow_tunnel *tunnel) {
  const flow_server *server = request->server;
  if (tunnel->host) {
    request->is_encrypted = tunnel->is_encrypted;
    request->host = strdup(tunnel->host);
    request->user = strdup(tunnel->user);
    return request->host && request->user;
  }
  if (!server->settings.token) return true;
  if (!take_credentials(request)) {
    refuse(request, 407);
    return true;
  }
  return split_target(request);
}

static bool has_header(const flow_request *request, const char *name) {
  return flow_headers_find(&request->headers, name);
}

// Looks for a word in the lists of the headers of a name (RFC 9110, section 5.6.1).
static bool has_word(const flow_request *request, const char *name, const char *word) {
  for (size_t index = 0; index < request->headers.count; index++) {
    if (!is_named(&request->headers.items[index], name)) continue;
    const char *rest = request->headers.items[index].value;
    while (*(rest += strspn(rest, " \t,"))) {
      size_t count = strcspn(rest, " \t,");
      if (count == strlen(word) && !strncasecmp(rest, word, count)) return true;
      rest += count;
    }
  }
  return false;
}

// A body would be taken for the first bytes of the other protocol.
static bool wants_upgrade(const flow_request *request, const char *version, size_t length) {
  return !strcmp(request->method, "GET") && !strcmp(version, "HTTP/1.1") && length == 0
    && has_word(request, "connection", "upgrade") && has_word(request, "upgrade", "websocket")
    && !has_header(request, "transfer-encoding");
}

static int read_head(
  flow_request *request, struct MHD_Connection *connection, const char *method, const char *version) {
  flow_server *server = request->server;
  request->connection = connection;
  request->method = strdup(method);
  if (!request->method || !request->target) return mhd_no;
  server->httpd->get_connection_values_n(connection, mhd_header, note_header, request);
  size_t length = 0;
  if (!check_framing(request, &length) || !flow_request_take_host(request, &request->peer->tunnel)) refuse(request, 400);
  if (length > server->settings.body) refuse(request, 413);
  request->wants_upgrade = wants_upgrade(request, version, length);
  pthread_mutex_lock(&server->mutex);
  bool is_closing = server->is_closing;
  request->peer->deadline = flow_now() + server->settings.body_time;
  pthread_mutex_unlock(&server->mutex);
  if (is_closing) return mhd_no;
  // Otherwise it is refused after its body, since a reset would take the answer away. The end of a
  // body with an ambiguous length is not known.
  bool has_body = request->refusal != 400 && !has_header(request, "expect");
  return request->refusal && !has_body ? flow_request_refuse(request) : mhd_yes;
}

// MARK: - The body

bool flow_request_count(flow_request *request, size_t count) {
  flow_server *server = request->server;
  pthread_mutex_lock(&server->mutex);
  bool fits = count <= server->settings.bodies - server->body_bytes;
  if (fits) {
    server->body_bytes += count;
    request->counted += count;
  }
  pthread_mutex_unlock(&server->mutex);
  return fits;
}

void flow_request_uncount(flow_request *request, size_t count) {
  pthread_mutex_lock(&request->server->mutex);
  request->server->body_bytes -= count;
  request->counted -= count;
  pthread_mutex_unlock(&request->server->mutex);
}

bool flow_request_take(flow_request *request, const void *part, size_t count) {
  if (request->refusal) return true;
  if (count > request->server->settings.body - request->body_count) refuse(request, 413);
  else if (!flow_request_count(request, count)) refuse(request, 503);
  if (request->refusal) {
    flow_request_discard_body(request);
    return true;
  }
  if (count > request->body_capacity - request->body_count) {
    size_t capacity = request->body_capacity ? request->body_capacity : 1024;
    while (capacity - request->body_count < count) capacity *= 2;
    uint8_t *body = realloc(request->body, capacity);
    if (!body) return false;
    request->body = body;
    request->body_capacity = capacity;
  }
  memcpy(request->body + request->body_count, part, count);
  request->body_count += count;
  return true;
}

// MARK: - The whole request

static int hand_over(flow_request *request) {
  flow_server *server = request->server;
  if (request->refusal) return flow_request_refuse(request);
  pthread_mutex_lock(&server->mutex);
  if (server->is_closing) {
    pthread_mutex_unlock(&server->mutex);
    return mhd_no;
  }
  request->state = state_waiting;
  request->has_arrived = request->is_suspended = true;
  request->references++;
  request->peer->deadline = 0;
  server->httpd->suspend_connection(request->connection);
  pthread_mutex_unlock(&server->mutex);
  server->events.arrived(server->events.context, request);
  // Its client is looked after from here on, so that it does not leave before it arrives.
  pthread_mutex_lock(&server->mutex);
  bool is_upgraded = request->status == 101;
  if ((request->state == state_waiting || request->state == state_streaming) && !is_upgraded) {
    request->peer->is_watched = true;
    flow_wakeup_send(&server->gate_wakeup);
  }
  pthread_mutex_unlock(&server->mutex);
  return mhd_yes;
}

flow_request *flow_request_new(flow_server *server) {
  flow_request *request = calloc(1, sizeof *request);
  if (!request) return NULL;
  request->references = 1;
  request->server = server;
  flow_server_retain(server);
  pthread_mutex_lock(&server->mutex);
  request->number = ++server->count;
  pthread_mutex_unlock(&server->mutex);
  return request;
}

void *flow_request_open(void *context, const char *target, struct MHD_Connection *connection) {
  flow_server *server = context;
  void *peer = *(void **)server->httpd->get_connection_info(connection, mhd_info_context);
  if (!peer) return NULL;
  flow_request *request = flow_request_new(server);
  if (!request) return NULL;
  request->target = strdup(target);
  pthread_mutex_lock(&server->mutex);
  request->peer = peer;
  request->peer->request = request;
  pthread_mutex_unlock(&server->mutex);
  return request;
}

int flow_request_receive(
  void *context, struct MHD_Connection *connection, const char *path, const char *method, const char *version,
  const char *part, size_t *count, void **state) {
  (void)context, (void)path;
  flow_request *request = *state;
  if (!request) return mhd_no;
  if (!request->method) return read_head(request, connection, method, version);
  if (*count) {
    size_t given = *count;
    *count = 0;
    return flow_request_take(request, part, given) ? mhd_yes : mhd_no;
  }
  return request->state == state_reading ? hand_over(request) : flow_request_send(request);
}

void flow_request_over(void *context, struct MHD_Connection *connection, void **state, int code) {
  (void)connection;
  flow_server *server = context;
  flow_request *request = *state;
  *state = NULL;
  if (!request) return;
  pthread_mutex_lock(&server->mutex);
  bool is_complete = code == mhd_completed && !request->breaks;
  if (request->breaks && request->resets) flow_peer_reset(request->peer);
  request->state = state_over;
  request->connection = NULL;
  request->peer->request = NULL;
  request->peer->is_watched = false;
  request->peer->deadline = flow_now() + server->settings.idle_time;
  request->peer = NULL;
  server->body_bytes -= request->counted;
  request->counted = 0;
  pthread_cond_broadcast(&server->changed);
  pthread_mutex_unlock(&server->mutex);
  if (request->has_arrived) server->events.ended(server->events.context, request->number, is_complete);
  flow_request_release(request);
}

// MARK: - Members

static flow_span span(const char *text) { return (flow_span){(const uint8_t *)text, text ? strlen(text) : 0}; }

uint64_t flow_request_number(const flow_request *request) { return request->number; }
flow_span flow_request_method(const flow_request *request) { return span(request->method); }
flow_span flow_request_target(const flow_request *request) { return span(request->target); }
flow_span flow_request_host(const flow_request *request) { return span(request->host); }

flow_span flow_request_user(const flow_request *request) { return span(request->user); }
bool flow_request_is_encrypted(const flow_request *request) { return request->is_encrypted; }
size_t flow_request_header_count(const flow_request *request) { return request->headers.count; }

flow_span flow_request_header_name(const flow_request *request, size_t index) {
  return span(request->headers.items[index].name);
}

flow_span flow_request_header_value(const flow_request *request, size_t index) {
  return span(request->headers.items[index].value);
}

bool flow_request_wants_upgrade(const flow_request *request) { return request->wants_upgrade; }

bool flow_request_is_open(const flow_request *request) { return request->is_open; }

flow_span flow_request_body(const flow_request *request) {
  return (flow_span){request->body, request->body_count};
}

void flow_request_discard_body(flow_request *request) {
  free(request->body);
  request->body = NULL;
  request->body_count = request->body_capacity = 0;
}
