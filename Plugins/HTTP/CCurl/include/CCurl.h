#ifndef FLOW_CCURL_H
#define FLOW_CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CLibrary.h"

// libcurl without its headers and without linking it. Its ABI is stable since 7.16 (2006), see
// https://curl.se/libcurl/abi.html. The functions are written in C because Swift cannot call
// functions with variable arguments.

#pragma clang assume_nonnull begin

/// The functions of a loaded libcurl.
typedef struct flow_curl flow_curl;
/// A request and the received parts of its response: an easy handle with its buffers.
typedef struct flow_transfer flow_transfer;
/// The transfers under way and the open connections: a multi handle.
typedef struct flow_multi flow_multi;
/// A started thread.
typedef struct flow_thread flow_thread;
/// A bell that a thread waits for until another one rings it.
typedef struct flow_bell flow_bell;
/// A list of strings.
typedef struct curl_slist flow_list;

/// Bytes owned by a transfer until it is removed.
typedef struct {
  const uint8_t *_Nullable bytes;
  size_t count;
} flow_bytes;

/// The options in use, numbered as in CURLoption.
typedef enum __attribute__((enum_extensibility(open))) : int32_t {
  flow_option_nobody = 44,
  flow_option_post = 47,
  flow_option_verify_peer = 64,
  flow_option_http_get = 80,
  flow_option_verify_host = 81,
  flow_option_http_auth = 107,
  flow_option_timeout_ms = 155,
  flow_option_connect_timeout_ms = 156,
  flow_option_path_as_is = 234,
  flow_option_url = 10002,
  flow_option_proxy = 10004,
  flow_option_cookie = 10022,
  flow_option_key_password = 10026,
  flow_option_custom_request = 10036,
  flow_option_certificate_kind = 10086,
  flow_option_ca_path = 10097,
  flow_option_user = 10173,
  flow_option_password = 10174,
  flow_option_proxy_user = 10175,
  flow_option_proxy_password = 10176,
  flow_option_unix_socket = 10231,
  flow_option_sigv4 = 10305,
  flow_option_certificate = 40291,
  flow_option_key = 40292,
  flow_option_authorities = 40309,
} flow_option;

/// Loads libcurl, or returns NULL.
flow_curl *_Nullable flow_curl_load(flow_library_problem *problem);

/// Returns libcurl's own words for a result.
const char *flow_curl_text(const flow_curl *curl, int code);

/// Creates an empty set of transfers, or returns NULL without memory or a descriptor.
flow_multi *_Nullable flow_multi_new(const flow_curl *curl);
/// Closes the connections and frees the set, after its transfers.
void flow_multi_free(flow_multi *multi);
/// Forgets all cookies, while no transfer of the set exists.
void flow_multi_forget_cookies(flow_multi *multi);
/// Starts a transfer and returns CURLM_OK, 0, or another CURLMcode.
int flow_multi_add(flow_multi *multi, flow_transfer *transfer);
/// Ends a transfer, even one under way, and forgets its response and its request, except for
/// options.
void flow_multi_remove(flow_multi *multi, flow_transfer *transfer);
/// Does all work possible without waiting.
void flow_multi_perform(flow_multi *multi);
/// Waits for activity, for `flow_multi_wake`, or until the time is over.
void flow_multi_wait(flow_multi *multi, int milliseconds);
/// Waits for the connection of a transfer to be readable or writable, or for `flow_multi_wake`.
void flow_multi_wait_for(
  flow_multi *multi, const flow_transfer *transfer, bool reads, bool writes);
/// Ends the current or the next wait, the one function for any thread.
void flow_multi_wake(flow_multi *multi);
/// Returns the number of another ended transfer with its CURLcode, or 0 without one.
uint64_t flow_multi_next(flow_multi *multi, int *code);

/// Creates a transfer of a set, or returns NULL without memory.
///
/// It shares its cookies with the other transfers of the set, or ignores cookies altogether.
flow_transfer *_Nullable flow_transfer_new(flow_multi *multi, bool keeps_cookies);
/// Frees a transfer that is not under way.
void flow_transfer_free(flow_transfer *transfer);
/// Prepares a new or removed transfer, whose response body may have at most `limit` bytes.
///
/// The body of a stream has no limit, but pauses at that many bytes. The body of a redirect is
/// discarded if it is followed. `number` is the result of `flow_multi_next`, above 0.
void flow_transfer_reset(
  flow_transfer *transfer, uint64_t number, size_t limit, bool is_stream, bool is_followed);

/// Set an option, which libcurl may refuse, see `flow_transfer_refusal`.
void flow_transfer_set_number(flow_transfer *transfer, flow_option option, long value);
void flow_transfer_set_text(flow_transfer *transfer, flow_option option, const char *_Nullable text);
void flow_transfer_set_bytes(flow_transfer *transfer, flow_option option, const void *_Nullable bytes, size_t count);
/// Announces a body of the request.
///
/// Before 8.11, at the latest, libcurl loses the response of a server that does not read the whole
/// body over HTTP/2: the request fails or never ends. Such a libcurl has to use HTTP/1.1.
void flow_transfer_set_sending(flow_transfer *transfer, bool is_sending);
/// Keeps libcurl from sending the request a second time, when an open connection ends without a
/// response.
///
/// Before 7.80 such a request gets a new connection.
void flow_transfer_set_once(flow_transfer *transfer, bool is_once);
/// Makes a new transfer end with an open connection in place of a request, over HTTP/1.1, and through
/// a tunnel if there is a proxy.
void flow_transfer_set_connecting(flow_transfer *transfer);
/// Sends as many bytes as the connection takes now, possibly none, and returns a CURLcode.
int flow_transfer_send(
  flow_transfer *transfer, const void *bytes, size_t count, size_t *sent);
/// Receives the bytes that have arrived, possibly none, and returns a CURLcode.
int flow_transfer_receive(
  flow_transfer *transfer, void *bytes, size_t room, size_t *received, bool *has_ended);
/// Announces a login that answers the server's challenge, a 401, with a second request.
///
/// A stream skips the challenge.
void flow_transfer_set_challenge(flow_transfer *transfer);
/// Copies the body of the request.
void flow_transfer_set_body(flow_transfer *transfer, const void *_Nullable bytes, size_t count);
/// Adds a header line to the request.
void flow_transfer_add_header(flow_transfer *transfer, const char *line);
/// Adds a header line to the CONNECT request to a proxy.
void flow_transfer_add_proxy_header(flow_transfer *transfer, const char *line);
/// Returns the CURLcode of the first option refused in a new or reset transfer, or 0.
int flow_transfer_refusal(const flow_transfer *transfer);

/// Returns the status of the last response, or 0.
long flow_transfer_status(const flow_transfer *transfer);
/// Returns the status of a proxy's response to CONNECT, or 0.
long flow_transfer_connect_status(const flow_transfer *transfer);
/// Returns true if the transfer failed because the server changed the protocol (101).
bool flow_transfer_was_upgraded(const flow_transfer *transfer);
/// Returns the target of the last response's redirect, as a whole URL.
const char *_Nullable flow_transfer_location(const flow_transfer *transfer);
/// Returns the microseconds from the start to the end.
int64_t flow_transfer_microseconds(const flow_transfer *transfer);
/// Returns true if there was a connection for the request.
bool flow_transfer_was_connected(const flow_transfer *transfer);
/// Returns true if the body would have exceeded its limit.
bool flow_transfer_exceeded(const flow_transfer *transfer);
/// Returns the lines of the head, including those of interim responses.
flow_bytes flow_transfer_head(const flow_transfer *transfer);
/// Returns the lines after the body.
flow_bytes flow_transfer_trailers(const flow_transfer *transfer);
/// Returns the body as received.
flow_bytes flow_transfer_body(const flow_transfer *transfer);
/// Returns true if the whole head of the response has arrived, but false for redirects that are
/// followed.
bool flow_transfer_has_head(const flow_transfer *transfer);
/// Returns the cookies of the set, one a line in Netscape's format, to be freed; NULL without any.
flow_list *_Nullable flow_transfer_cookies(const flow_transfer *transfer);
/// Adds a cookie in Netscape's format, or carries out a command of CURLOPT_COOKIELIST such as `ALL`.
void flow_transfer_change_cookies(flow_transfer *transfer, const char *line);
/// Returns the first string of a list.
const char *flow_list_text(const flow_list *list);
/// Returns the list after the first string, NULL at the end.
flow_list *_Nullable flow_list_next(const flow_list *list);
/// Frees a list.
void flow_list_free(const flow_curl *curl, flow_list *_Nullable list);
/// Forgets the received part of a stream's body and resumes it.
void flow_transfer_discard_body(flow_transfer *transfer);
/// Returns libcurl's description of a failure, possibly empty.
const char *flow_transfer_problem(const flow_transfer *transfer);

/// Starts a thread that takes no signals, or returns NULL if the system has none left.
flow_thread *_Nullable flow_thread_start(void (*body)(void *_Nonnull), void *context);
/// Waits for the end of a thread.
void flow_thread_join(flow_thread *thread);
/// Yields the processor to other threads.
void flow_thread_yield(void);

/// Creates a bell, or returns NULL without memory.
flow_bell *_Nullable flow_bell_new(void);
/// Frees a bell without waiting threads.
void flow_bell_free(flow_bell *bell);
/// Ends the current or the next wait.
void flow_bell_ring(flow_bell *bell);
/// Waits for a ring, once for all earlier rings.
void flow_bell_wait(flow_bell *bell);

/// Blocks the SIGPIPE of a broken connection in this thread, and returns true if it was blocked
/// before.
bool flow_pipe_signal_hold(void);
/// Unblocks it, and discards one that came meanwhile.
void flow_pipe_signal_release(void);

#pragma clang assume_nonnull end

#endif
