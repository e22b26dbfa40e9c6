#ifndef FLOW_CUPSTREAM_H
#define FLOW_CUPSTREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CLibrary.h"

// An HTTP server on the loopback interface, on libmicrohttpd, and a proxy, on GnuTLS as well. The
// functions are written in C because Swift cannot call functions with variable arguments.
//
// Every function may be called from any thread, except where its comment says otherwise.

#pragma clang assume_nonnull begin

/// The functions of a loaded libmicrohttpd.
typedef struct flow_httpd flow_httpd;
/// The functions of a loaded libnghttp2.
typedef struct flow_nghttp2 flow_nghttp2;
/// The functions of a loaded GnuTLS.
typedef struct flow_gnutls flow_gnutls;
/// A certificate authority with its certificates for hosts. Its keys exist in memory only.
typedef struct flow_authority flow_authority;
/// A server with its connections and threads.
typedef struct flow_server flow_server;
/// A request that arrived whole, or whose bytes are read one after the other. It takes one answer. Later ones, and those for a client that has
/// gone, have no effect.
typedef struct flow_request flow_request;

/// Bytes owned by a request or an authority.
typedef struct {
  const uint8_t *_Nullable bytes;
  size_t count;
} flow_span;

/// A request or connection that the server itself refused.
typedef enum __attribute__((enum_extensibility(closed))) : int32_t {
  /// The body has too many bytes (413).
  flow_refusal_body,
  /// All requests under way have too many bytes (503).
  flow_refusal_memory,
  /// The head is ambiguous or has no meaning (400).
  flow_refusal_head,
  /// A request to a proxy does not have its credentials (407).
  flow_refusal_credentials,
  /// A request did not arrive in time.
  flow_refusal_time,
  /// The client is a program of another user, or left before that was known (403).
  flow_refusal_stranger,
} flow_refusal;

/// A step of the handshake of an encrypted connection.
typedef enum __attribute__((enum_extensibility(closed))) : int32_t {
  /// The program is sent the certificate of its host.
  flow_handshake_offered,
  /// The program has accepted the certificate.
  flow_handshake_accepted,
} flow_handshake;

/// The result of a look for a client's bytes.
typedef enum __attribute__((enum_extensibility(closed))) : int32_t {
  flow_taken_some,
  /// There are none. The event `readable` follows.
  flow_taken_none,
  /// The client sends no more.
  flow_taken_end,
  /// The client has gone, or the request has its answer.
  flow_taken_gone,
} flow_taken;

/// In place of a user: all of them.
enum { flow_any_user = -1 };

/// Returns the user of this process.
int64_t flow_user(void);

/// The settings of a server.
typedef struct {
  /// The port, 0 for a free one.
  uint16_t port;
  /// The number of open connections. Others wait to be accepted.
  uint32_t connections;
  /// The bytes of a head, of a body, and of all bodies of requests under way.
  size_t head, body, bodies;
  /// The milliseconds for the first head of a connection, and for a body.
  int32_t head_time, body_time;
  /// The milliseconds for another head, and for a client that takes no bytes of an answer.
  int32_t idle_time;
  /// For a proxy, the password of `Proxy-Authorization`, under any user name.
  const char *_Nullable token;
  /// The user whose programs are clients, beside those of root, or `flow_any_user`.
  int64_t user;
  /// For a proxy, the source of certificates, which must exist until the server stops.
  flow_authority *_Nullable authority;
} flow_server_settings;

/// The receiver of a server's events, on threads of the server.
typedef struct {
  void *context;
  /// Receives a request, to be released.
  void (*arrived)(void *context, flow_request *request);
  /// A client went away before the end of its answer.
  void (*left)(void *context, uint64_t number);
  /// The last piece of a stream was taken.
  void (*drained)(void *context, uint64_t number);
  /// There are bytes, or their end, for a reader that found none.
  void (*readable)(void *context, uint64_t number);
  /// An answer was given to the system completely, or broke off. The last event of a request.
  void (*ended)(void *context, uint64_t number, bool is_complete);
  /// The server itself refused a request or connection.
  void (*refused)(void *context, flow_refusal refusal);
  /// A program is sent the certificate of a host, as `host:port`, or has accepted it. The first comes
  /// before the program can do anything with it, and the second before a request.
  void (*shook)(void *context, const char *host, flow_handshake handshake);
  /// Returns libnghttp2, or NULL. Without `is_needed`, HTTP/1.1 is as good.
  const flow_nghttp2 *_Nullable (*_Nonnull http2)(void *context, bool is_needed);
} flow_server_events;

/// Loads libmicrohttpd, or returns NULL.
flow_httpd *_Nullable flow_httpd_load(flow_library_problem *problem);
/// Loads libnghttp2, or returns NULL.
flow_nghttp2 *_Nullable flow_nghttp2_load(flow_library_problem *problem);
/// Loads GnuTLS, or returns NULL.
flow_gnutls *_Nullable flow_gnutls_load(flow_library_problem *problem);

/// Creates an authority with new keys, or returns NULL without memory.
flow_authority *_Nullable flow_authority_new(const flow_gnutls *gnutls);
/// Frees an authority that no server uses.
void flow_authority_free(flow_authority *authority);
/// Returns the certificate in PEM format.
flow_span flow_authority_certificate(const flow_authority *authority);

/// Returns the system's text of an error number, valid until this thread's next call.
const char *flow_error_text(int32_t failure);

/// Listens on 127.0.0.1. Returns NULL on failure, with an error number in `failure`.
flow_server *_Nullable flow_server_start(
  const flow_httpd *httpd, const flow_server_settings *settings, const flow_server_events *events,
  int32_t *failure);
/// Returns the port, also while it is closed.
uint16_t flow_server_port(const flow_server *server);
/// Closes the port and the connections without a request. Connections are refused until it is
/// opened again.
void flow_server_close_port(flow_server *server);
/// Opens the port again, or returns an error number.
int32_t flow_server_open_port(flow_server *server);
/// Resets requests without an answer, sends the other answers, joins all threads, and frees the
/// server. It is called once.
void flow_server_stop(flow_server *server);

uint64_t flow_request_number(const flow_request *request);
flow_span flow_request_method(const flow_request *request);
/// Returns the target as written, of a request to a proxy without scheme and host.
flow_span flow_request_target(const flow_request *request);
/// Returns host and port of a request to a proxy, or nothing.
flow_span flow_request_host(const flow_request *request);
/// Returns the name under which a program uses a proxy, or nothing.
flow_span flow_request_user(const flow_request *request);
bool flow_request_is_encrypted(const flow_request *request);
size_t flow_request_header_count(const flow_request *request);
flow_span flow_request_header_name(const flow_request *request, size_t index);
flow_span flow_request_header_value(const flow_request *request, size_t index);
/// Returns true for a request that may be answered by `flow_request_upgrade`.
bool flow_request_wants_upgrade(const flow_request *request);
/// Returns true for a request without a body, whose bytes are read by `flow_request_read`.
bool flow_request_is_open(const flow_request *request);
flow_span flow_request_body(const flow_request *request);
/// Frees the body. Only the receiver of the request may call it, once it has copied the body.
void flow_request_discard_body(flow_request *request);
/// Ends the use of a request. One without an answer is reset.
void flow_request_release(flow_request *request);

/// Adds a header to the answer. Connection headers and those with line breaks are left out. A
/// length is used where the answer has no body of its own.
void flow_request_add_header(flow_request *request, const char *name, const char *value);
/// Sends an answer.
void flow_request_answer(
  flow_request *request, uint32_t status, const void *_Nullable bytes, size_t count,
  bool keeps_alive);
/// Sends the first `count` bytes of an answer that announces `announced` of them, at least as many,
/// then breaks off.
void flow_request_answer_partly(
  flow_request *request, uint32_t status, const void *_Nullable bytes, size_t count,
  size_t announced, bool resets);
/// Starts an answer in pieces.
void flow_request_begin(flow_request *request, uint32_t status, bool keeps_alive);
/// Answers with 101, and starts both directions of the other protocol.
void flow_request_upgrade(flow_request *request);
/// Takes the next bytes of a client, of an upgraded connection or an open request. For one thread at a time.
flow_taken flow_request_read(flow_request *request, void *bytes, size_t room, size_t *count);
/// Sends a copy of a piece after the event `drained` for the one before. Returns false when the
/// client has gone.
bool flow_request_write(flow_request *request, const void *_Nullable bytes, size_t count);
/// Adds a header behind the last piece, before `flow_request_finish`. HTTP/1.1 leaves it out.
void flow_request_add_trailer(flow_request *request, const char *name, const char *value);
/// Ends an answer in pieces, or the own side of an upgraded connection.
void flow_request_finish(flow_request *request);
/// Breaks a connection: by a reset, or by its end. Of HTTP/2, the stream alone is reset.
void flow_request_break(flow_request *request, bool resets);

/// Creates a file that only this user can read, or returns an error number. Nothing is replaced,
/// and no link is followed.
int32_t flow_file_create(const char *path, const void *_Nullable bytes, size_t count);
/// Reads a file of at most `limit` bytes, to be freed, or returns NULL.
uint8_t *_Nullable flow_file_read(const char *path, size_t limit, size_t *count);
void flow_file_free(uint8_t *_Nullable bytes);
/// Creates a folder that only this user can use, among the system's temporary ones. Returns its
/// path, to be freed by `flow_folder_free`, or NULL with an error number in `failure`.
char *_Nullable flow_folder_create(int32_t *failure);
void flow_folder_free(char *_Nullable path);
/// The folder for temporary ones.
const char *flow_folder_parent(void);
/// Removes the folders that killed processes of this user have left there: those of more than an
/// hour that no process holds.
void flow_folders_sweep(const char *parent);
/// Holds a folder until it is released or the process ends. Returns a descriptor, or -1.
int32_t flow_folder_hold(const char *path);
void flow_folder_release(int32_t folder);
/// Removes a file or an empty folder, if it exists.
void flow_path_remove(const char *path);

#pragma clang assume_nonnull end

#endif
