#include "Session.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

// The limit of libmicrohttpd, which is never reached: at it, 0.9.75 keeps a mutex for good.
enum { unlimited = INT32_MAX };
enum { flags = mhd_use_own_thread | mhd_use_best_polling | mhd_use_no_listener | mhd_allow_suspend | mhd_use_no_date
  | mhd_allow_upgrade };

int64_t flow_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

void flow_server_retain(flow_server *server) {
  pthread_mutex_lock(&server->mutex);
  server->references++;
  pthread_mutex_unlock(&server->mutex);
}

void flow_server_drop(flow_server *server) {
  pthread_mutex_lock(&server->mutex);
  bool is_last = --server->references == 0;
  pthread_mutex_unlock(&server->mutex);
  if (!is_last) return;
  pthread_mutex_destroy(&server->mutex);
  pthread_cond_destroy(&server->changed);
  free((char *)server->settings.token);
  free(server);
}

const char *flow_error_text(int32_t failure) {
  static _Thread_local char text[128];
  snprintf(text, sizeof text, "error %d", failure);
  strerror_r(failure, text, sizeof text);
  return text;
}

// MARK: - Connections as libmicrohttpd tells of them

static void note_connection(void *context, struct MHD_Connection *connection, void **state, int kind) {
  flow_server *server = context;
  if (kind == mhd_connection_started) {
    int socket = *(const int *)(const void *)server->httpd->get_connection_info(connection, mhd_info_socket);
    pthread_mutex_lock(&server->mutex);
    *state = flow_peer_of(server, socket);
    pthread_mutex_unlock(&server->mutex);
  } else if (*state) {
    pthread_mutex_lock(&server->mutex);
    flow_peer_remove(server, *state);
    pthread_mutex_unlock(&server->mutex);
    *state = NULL;
  }
}

static struct MHD_Daemon *start_daemon(flow_server *server) {
  const flow_server_settings *settings = &server->settings;
  unsigned seconds = (unsigned)(settings->idle_time + 999) / 1000;
  return server->httpd->start_daemon(
    flags, 0, NULL, NULL, (void *)flow_request_receive, server,
    mhd_option_memory_limit, settings->head, mhd_option_connection_limit, unlimited,
    mhd_option_timeout, seconds, mhd_option_completed, flow_request_over, server, mhd_option_target,
    flow_request_open, server, mhd_option_connections, note_connection, server, mhd_option_end);
}

// New threads inherit the mask: the process's own signals go to the threads waiting for them.
static bool start_threads(flow_server *server, int32_t *failure) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  errno = 0;
  server->daemon = start_daemon(server);
  // The library says nothing, but most causes are those of a failed call of the system, such as too many open files.
  *failure = errno ? errno : EAGAIN;
  bool is_started = server->daemon && flow_gate_start(server, failure);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return is_started;
}

static void stop_daemon(flow_server *server) {
  if (server->daemon) server->httpd->stop_daemon(server->daemon);
  while (server->peers) flow_peer_remove(server, server->peers);
}

// MARK: - Life

flow_server *flow_server_start(
  const flow_httpd *httpd, const flow_server_settings *settings, const flow_server_events *events,
  int32_t *failure) {
  flow_server *server = calloc(1, sizeof *server);
  *failure = ENOMEM;
  if (!server) return NULL;
  *server = (flow_server){
    .httpd = httpd, .settings = *settings, .events = *events, .references = 1, .holder = -1, .listener = -1,
    .gate_wakeup = {.pipe = {-1, -1}}, .wire_wakeup = {.pipe = {-1, -1}}};
  server->settings.token = settings->token ? strdup(settings->token) : NULL;
  pthread_mutex_init(&server->mutex, NULL);
  pthread_cond_init(&server->changed, NULL);
  server->port = settings->port;
  if (start_threads(server, failure)) return server;
  stop_daemon(server);
  flow_server_drop(server);
  return NULL;
}

uint16_t flow_server_port(const flow_server *server) { return server->port; }

// The end of a socket with bytes that were not read is a reset, which takes away what the client has not received.
static bool is_carrying(const flow_wire *wire) {
  int count = 0;
  bool has_unread = wire->inner >= 0 && ioctl(wire->inner, FIONREAD, &count) == 0 && count > 0;
  return wire->is_carrying || has_unread || flow_socket_has_unsent(wire->socket);
}

static bool is_sending(const flow_server *server) {
  for (const flow_wire *wire = server->wires; wire; wire = wire->next) {
    if (is_carrying(wire)) return true;
    for (const flow_stream *stream = wire->streams; stream; stream = stream->next) {
      if (stream->request->state >= state_answering) return true;
    }
  }
  for (const flow_peer *peer = server->peers; peer; peer = peer->next) {
    if (peer->request && peer->request->state >= state_answering) return true;
  }
  return false;
}

static void reset_if_open(flow_request *request) {
  bool is_open = request->state == state_waiting || (request->state == state_streaming && !request->is_finished);
  if (is_open) flow_request_break_locked(request, true);
}

// Libmicrohttpd does not stop while a connection is suspended.
static void reset_open_requests(flow_server *server) {
  for (flow_peer *peer = server->peers; peer; peer = peer->next) {
    if (peer->request) reset_if_open(peer->request);
  }
  for (flow_wire *wire = server->wires; wire; wire = wire->next) {
    for (flow_stream *stream = wire->streams; stream; stream = stream->next) reset_if_open(stream->request);
  }
}

// Waits for a change, or for what the system alone knows of.
static void wait_briefly(flow_server *server) {
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_nsec += flow_linger_turn * 1000000;
  limit.tv_sec += limit.tv_nsec / 1000000000;
  limit.tv_nsec %= 1000000000;
  pthread_cond_timedwait(&server->changed, &server->mutex, &limit);
}

void flow_server_stop(flow_server *server) {
  flow_gate_stop(server);
  pthread_mutex_lock(&server->mutex);
  server->is_closing = true;
  reset_open_requests(server);
  int64_t limit = flow_now() + 1000;
  while (is_sending(server) && flow_now() < limit) wait_briefly(server);
  // One that did not drain in time is suspended perhaps.
  for (flow_peer *peer = server->peers; peer; peer = peer->next) {
    if (peer->request) flow_request_resume(peer->request);
  }
  pthread_mutex_unlock(&server->mutex);
  flow_wires_stop(server);
  stop_daemon(server);
  flow_server_drop(server);
}
