#ifndef FLOW_UPSTREAM_SERVER_H
#define FLOW_UPSTREAM_SERVER_H

#include "Library.h"

#include <pthread.h>

// The rooms of the server, in which the mutex of the server guards all that changes. It is held
// while libmicrohttpd's functions to suspend and resume are called, never during an event.

/// `flow_linger_turn` is the time in milliseconds between two looks at what a client has received.
/// `flow_inbox_window` is the number of bytes that wait for a reader.
enum { heads_at_once = 1024, flow_linger_turn = 2, flow_inbox_window = 65536 };

typedef enum {
  /// Head or body are being read.
  state_reading,
  /// The request has arrived and has no answer.
  state_waiting,
  /// It has a whole answer, or one that breaks.
  state_answering,
  /// It has an answer in pieces.
  state_streaming,
  /// The connection has taken all that it takes.
  state_over,
} flow_state;

typedef struct {
  char *name, *value;
  size_t name_count, value_count;
} flow_header;

typedef struct {
  flow_header *items;
  size_t count;
} flow_headers;

/// The server that a tunnel leads to, and the user who opened it.
typedef struct {
  char *host, *user;
  bool is_encrypted;
} flow_tunnel;

/// The TLS around a connection that libmicrohttpd reads.
typedef struct flow_relay flow_relay;

/// A connection.
typedef struct flow_peer {
  struct flow_peer *next, *previous;
  flow_server *server;
  uint64_t number;
  int socket;
  /// Of a tunnel through a proxy, or empty.
  flow_tunnel tunnel;
  /// The relay between the socket and the client, or NULL.
  flow_relay *relay;
  flow_request *request;
  /// Milliseconds, 0 without one.
  int64_t deadline;
  /// True while the thread of the gate looks for the end of the client.
  bool is_watched;
  /// True if its socket may be a part of the current call of `poll`.
  bool is_polled;
  /// The time to resume a request that waits for the client to receive what was sent, or 0, and
  /// the time from which it does not wait.
  int64_t linger, linger_limit;
} flow_peer;

/// Wakes a thread that waits in poll(2).
typedef struct {
  int pipe[2];
  bool is_woken;
} flow_wakeup;

/// A connection that the server reads and writes without libmicrohttpd.
typedef struct flow_wire flow_wire;
typedef struct flow_stream flow_stream;
struct flow_wire {
  flow_wire *next;
  flow_server *server;
  /// That of the client, and another one or -1.
  int socket, inner;
  /// True once something is asked of it, and during the turn after it.
  bool is_changed, is_due;
  /// True for a connection that is not a peer.
  bool is_counted;
  /// True while it holds bytes of an answer. With the mutex held.
  bool is_carrying;
  /// The events to wait for, and the time in milliseconds for a turn without one, or 0.
  short events, inner_events;
  int64_t deadline;
  /// Those of HTTP/2. With the mutex held, except for reading by its thread.
  flow_stream *streams;
  /// Does all that can be done now. Returns false when the connection is over.
  bool (*turn)(flow_wire *wire, short events);
  /// Ends the connection and frees the wire.
  void (*end)(flow_wire *wire);
};

/// A socket, in TLS if there is a session.
typedef struct {
  int socket;
  const flow_gnutls *gnutls;
  void *session;
  /// True while a record waits to be sent.
  bool is_stuck;
} flow_channel;

struct flow_request {
  int references;
  flow_server *server;
  flow_peer *peer;
  struct MHD_Connection *connection;
  uint64_t number;
  char *method, *target, *host, *user;
  bool is_encrypted;
  flow_headers headers, answer;
  uint8_t *body;
  size_t body_count, body_capacity, counted;
  /// The status of a refusal by the server itself, or 0.
  uint32_t refusal;
  flow_state state;
  bool has_arrived, has_left, is_suspended;
  // The answer.
  uint32_t status;
  struct MHD_Response *response;
  bool breaks, resets, is_finished;
  uint8_t *piece;
  size_t piece_count, piece_offset;
  // A stream of HTTP/2, and its answer.
  bool is_stream, has_body;
  /// The length of the body, or MHD_UNKNOWN_SIZE.
  uint64_t announced;
  flow_headers trailers;
  // A request whose client goes on.
  bool wants_upgrade, is_open;
  /// The connection that reads and writes it in place of libmicrohttpd.
  flow_wire *wire;
  uint8_t *inbox;
  /// `inbox_taken` counts the bytes read since the latest turn of the wire.
  size_t inbox_count, inbox_capacity, inbox_taken;
  /// True once it was read at all, and while a reader waits for bytes.
  bool inbox_has_end, is_read, wants_bytes;
};

struct flow_server {
  const flow_httpd *httpd;
  flow_server_settings settings;
  flow_server_events events;
  struct MHD_Daemon *daemon;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  /// One for the owner and one for each request.
  int references;
  uint64_t count;
  flow_peer *peers;
  /// The numbers of peers, and of wires that are none.
  size_t peer_count, wire_count, body_bytes;
  bool is_closing;
  // The gate.
  pthread_t gate;
  flow_wakeup gate_wakeup;
  /// `is_full` is true while the gate waits for a connection to end.
  bool is_gate_over, is_full, wants_listener_closed;
  uint16_t port;
  /// Bound all the time without listening, so that nothing else takes a port that is closed.
  int holder;
  int listener;
  // The wires, newest first.
  flow_wire *wires;
  pthread_t wire_thread;
  flow_wakeup wire_wakeup;
  bool has_wire_thread, are_wires_over;
};

// Server.c
void flow_server_retain(flow_server *server);
void flow_server_drop(flow_server *server);
int64_t flow_now(void);

// Peers.c: all with the mutex held, except the first.
flow_peer *flow_peer_new(flow_server *server, int socket, flow_tunnel tunnel);
void flow_peer_remove(flow_server *server, flow_peer *peer);
flow_peer *flow_peer_find(flow_server *server, int socket, uint64_t number);
flow_peer *flow_peer_of(flow_server *server, int socket);

/// Gives a peer's socket to libmicrohttpd. With the mutex free.
void flow_peer_give(flow_server *server, int socket);

// Relay.c: with the mutex held, except the last one.
/// Resets the connection of the client.
void flow_peer_reset(flow_peer *peer);
/// Returns true if the client has not received all that was sent.
bool flow_peer_has_unsent(const flow_peer *peer);
/// Ends the use of a peer.
void flow_relay_forget(flow_relay *relay);
/// Connects a channel with libmicrohttpd, and takes the tunnel and the channel, or returns false.
bool flow_relay_start(flow_server *server, flow_channel channel, flow_tunnel *tunnel);

// Handshake.c
/// Takes a socket and a tunnel.
void flow_handshake_start(flow_server *server, int socket, flow_tunnel tunnel);
/// Returns the host whose certificate is to be sent, for the pointer of a session.
const char *flow_handshake_host(void *session_pointer);
flow_authority *flow_handshake_authority(void *session_pointer);

// Channel.c
enum { flow_channel_later = -1, flow_channel_lost = -2 };
/// Return the number of bytes, 0 at the end of the other side, or one of the above.
ssize_t flow_channel_read(flow_channel *channel, void *bytes, size_t room);
ssize_t flow_channel_write(flow_channel *channel, const void *bytes, size_t count);
ssize_t flow_socket_read(int socket, void *bytes, size_t room);
ssize_t flow_socket_write(int socket, const void *bytes, size_t count);
/// Sends the end.
void flow_channel_shut(flow_channel *channel);
void flow_channel_close(flow_channel *channel);

// Opening.c
typedef enum {
  flow_opening_none,
  flow_opening_some,
  flow_opening_over,
  flow_opening_plain,
  flow_opening_http2,
  flow_opening_encrypted,
} flow_opening;
/// Looks at the first bytes.
flow_opening flow_opening_read(int socket, bool is_tunnel);
/// Takes a socket and a tunnel.
void flow_opening_start(flow_server *server, int socket, flow_tunnel tunnel, flow_opening opening);

// Gate.c
bool flow_gate_start(flow_server *server, int32_t *failure);
void flow_gate_stop(flow_server *server);
/// Returns true if the client has not received all bytes sent. Then the gate resumes the request
/// in some milliseconds. With the mutex held.
bool flow_gate_lingers(flow_request *request);
bool flow_socket_has_unsent(int socket);
int flow_listener_new(uint16_t *port, bool listens, int32_t *failure);

// Wakeup.c: all with the mutex held, or where no other thread knows the wakeup.
/// Returns false with an error number in `errno`.
bool flow_wakeup_open(flow_wakeup *wakeup);
void flow_wakeup_close(flow_wakeup *wakeup);
void flow_wakeup_send(flow_wakeup *wakeup);
/// Called by the thread before it looks for what to do.
void flow_wakeup_clear(flow_wakeup *wakeup);
/// Makes a descriptor one that no child inherits and that does not block.
bool flow_descriptor_prepare(int descriptor);

// Wires.c: with the mutex held, except the last ones.
/// Gives a wire to the thread, or returns false.
bool flow_wires_add(flow_server *server, flow_wire *wire);
/// Asks for a turn.
void flow_wire_change(flow_wire *wire);
/// Tells a server that stops if the wire holds nothing.
void flow_wire_tell(flow_wire *wire);
/// Ends all wires and the thread.
void flow_wires_stop(flow_server *server);
/// Sends small packets without a delay.
void flow_socket_send_at_once(int socket);

// Inbox.c: on the thread of the wires.
size_t flow_inbox_room(flow_request *request);
bool flow_inbox_add(flow_request *request, const void *bytes, size_t count);
void flow_inbox_finish(flow_request *request);

// Upgrades.c
/// Receives a socket from libmicrohttpd.
void flow_upgrade_start(
  void *context, struct MHD_Connection *connection, void *state, const char *bytes, size_t count,
  int socket, struct MHD_UpgradeResponseHandle *handle);

// Clients.c
/// Returns true if the program at the other end is of a user or of root, and has not closed it.
bool flow_client_is_of(int socket, int64_t user);

// Tunnel.c
typedef enum { head_incomplete, head_over, head_plain, head_tunnel } flow_head;
/// Looks at the bytes received. Those of a tunnel's head are taken, and it is answered.
flow_head flow_tunnel_read(flow_server *server, int socket, flow_tunnel *tunnel);
void flow_tunnel_free(flow_tunnel *tunnel);
/// Makes a socket readable with a number of bytes.
void flow_socket_wait_for(int socket, size_t count);
/// Sends an answer as far as it fits, before the socket is closed.
void flow_socket_refuse(flow_server *server, int socket, flow_refusal refusal, const char *answer);

// Access.c
/// The user of credentials with the token of the proxy, to be freed, or NULL for others.
char *flow_user_of(const flow_server *server, const char *value, size_t count);

// Headers.c
void flow_headers_free(flow_headers *headers);
bool flow_headers_add(
  flow_headers *headers, const char *name, size_t name_count, const char *value,
  size_t value_count);
bool flow_headers_add_first(flow_headers *headers, const char *name, const char *value);
void flow_headers_remove(flow_headers *headers, size_t index);
/// Returns the first value, or NULL.
const char *flow_headers_find(const flow_headers *headers, const char *name);
/// Adds to the first value, or returns false.
bool flow_headers_join(
  flow_headers *headers, const char *name, const char *separator, const char *value,
  size_t value_count);

// Session.c
/// Starts a connection of HTTP/2, and takes the channel and the tunnel, or returns false.
bool flow_session_start(
  flow_server *server, const flow_nghttp2 *nghttp2, flow_channel channel, flow_tunnel tunnel);

// Requests.c
flow_request *flow_request_new(flow_server *server);
/// Takes scheme, host and credentials out of the target and the headers, or returns false.
bool flow_request_take_host(flow_request *request, const flow_tunnel *tunnel);
/// Counts bytes in memory, or returns false if there are too many.
bool flow_request_count(flow_request *request, size_t count);
void flow_request_uncount(flow_request *request, size_t count);
/// Adds a part to the body, or refuses the request. Returns false without memory.
bool flow_request_take(flow_request *request, const void *part, size_t count);
void *flow_request_open(void *server, const char *target, struct MHD_Connection *connection);
int flow_request_receive(
  void *server, struct MHD_Connection *connection, const char *path, const char *method,
  const char *version, const char *part, size_t *count, void **state);
void flow_request_over(void *server, struct MHD_Connection *connection, void **state, int code);

// Answers.c
int flow_request_send(flow_request *request);
int flow_request_refuse(flow_request *request);
/// With the mutex held.
void flow_request_resume(flow_request *request);
void flow_socket_reset(int socket);
void flow_request_break_locked(flow_request *request, bool resets);
/// Notes that the server itself answers.
void flow_request_tell_refusal(flow_request *request);

// Authority.c
const flow_gnutls *flow_authority_gnutls(const flow_authority *authority);
/// Returns GnuTLS's choice of certificates, for sessions of the handshake.
void *flow_authority_credentials(const flow_authority *authority);

#endif
