#ifndef FLOW_CCURL_H
#define FLOW_CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "Charset.h"
#include "Decoder.h"

// libcurl without its headers and without linking it: the library is loaded when it is first needed, so that
// a `flow` that makes no request neither needs it nor waits for it. Its ABI is stable since 7.16 (2006); see
// https://curl.se/libcurl/abi.html. The functions stand here because Swift calls none with variable arguments.

#pragma clang assume_nonnull begin

/// The functions of a loaded libcurl.
typedef struct flow_curl flow_curl;
/// One request and what has come of its answer; an easy handle with its buffers.
typedef struct flow_transfer flow_transfer;
/// The transfers under way and the connections that are kept; a multi handle.
typedef struct flow_multi flow_multi;
/// A thread that has been started.
typedef struct flow_thread flow_thread;
/// What a thread waits for until another one calls it.
typedef struct flow_bell flow_bell;

/// Bytes that belong to a transfer, until it is removed.
typedef struct {
  const uint8_t *_Nullable bytes;
  size_t count;
} flow_bytes;

/// What is set; the numbers are those of CURLoption.
typedef enum __attribute__((enum_extensibility(open))) : int32_t {
  flow_option_nobody = 44,
  flow_option_post = 47,
  flow_option_verify_peer = 64,
  flow_option_http_get = 80,
  flow_option_verify_host = 81,
  flow_option_timeout_ms = 155,
  flow_option_connect_timeout_ms = 156,
  flow_option_url = 10002,
  flow_option_proxy = 10004,
  flow_option_cookie = 10022,
  flow_option_key_password = 10026,
  flow_option_custom_request = 10036,
  flow_option_ca_path = 10097,
  flow_option_proxy_user = 10175,
  flow_option_proxy_password = 10176,
  flow_option_certificate = 40291,
  flow_option_key = 40292,
  flow_option_authorities = 40309,
} flow_option;

/// Loads a libcurl by its file's name; it stays loaded.
///
/// NULL when that fails: `problem` then is a text that stays valid until this thread's next call of `dlopen`.
flow_curl *_Nullable flow_curl_load(const char *file, const char *_Nullable *_Nonnull problem);

/// libcurl's own words for a result.
const char *flow_curl_text(const flow_curl *curl, int code);

/// A set of transfers without any in it; NULL when there is no memory or no descriptor left.
flow_multi *_Nullable flow_multi_new(const flow_curl *curl);
/// Closes the connections and frees the set, after its transfers.
void flow_multi_free(flow_multi *multi);
/// Begins a transfer; the result is CURLM_OK, 0, or another CURLMcode.
int flow_multi_add(flow_multi *multi, flow_transfer *transfer);
/// Ends a transfer that may be under way; forgets the answer and what was sent, apart from options.
void flow_multi_remove(flow_multi *multi, flow_transfer *transfer);
/// Does what can be done without waiting.
void flow_multi_perform(flow_multi *multi);
/// Waits until something can be done, `flow_multi_wake` is called, or the time is over.
void flow_multi_wait(flow_multi *multi, int milliseconds);
/// Ends the present or the next wait; the one function for any thread.
void flow_multi_wake(flow_multi *multi);
/// The number of a transfer that has ended since, with its CURLcode; 0 when there is none.
uint64_t flow_multi_next(flow_multi *multi, int *code);

/// A transfer of a set, with whose other transfers it shares cookies; NULL when there is no memory.
flow_transfer *_Nullable flow_transfer_new(flow_multi *multi);
/// Frees a transfer that is not under way.
void flow_transfer_free(flow_transfer *transfer);
/// Prepares a transfer that is new or was removed; the answer's body has at most `limit` bytes.
///
/// The body of a stream has no limit, and pauses when it has come to that many bytes; that of a redirect is discarded
/// if it is followed. `number` is what `flow_multi_next` answers, above 0.
void flow_transfer_reset(
  flow_transfer *transfer, uint64_t number, size_t limit, bool is_stream, bool is_followed);

/// Set an option; `flow_transfer_refusal` says whether libcurl has refused.
void flow_transfer_set_number(flow_transfer *transfer, flow_option option, long value);
void flow_transfer_set_text(flow_transfer *transfer, flow_option option, const char *_Nullable text);
void flow_transfer_set_bytes(flow_transfer *transfer, flow_option option, const void *_Nullable bytes, size_t count);
/// Says whether the request has a body.
///
/// Before 8.11, at the latest, libcurl loses the answer of a server that does not read the whole body over HTTP/2: the
/// request fails or never ends. Such a libcurl is made to use HTTP/1.1.
void flow_transfer_set_sending(flow_transfer *transfer, bool is_sending);
/// Copies the body of the request.
void flow_transfer_set_body(flow_transfer *transfer, const void *_Nullable bytes, size_t count);
/// Adds a header's line to the request.
void flow_transfer_add_header(flow_transfer *transfer, const char *line);
/// Adds a header's line to what asks a proxy for a tunnel.
void flow_transfer_add_proxy_header(flow_transfer *transfer, const char *line);
/// The CURLcode of the first option that libcurl has refused in a new or a reset transfer; 0 for none.
int flow_transfer_refusal(const flow_transfer *transfer);

/// The status of the last answer, 0 without one.
long flow_transfer_status(const flow_transfer *transfer);
/// The status with which a proxy answered the question for a tunnel, 0 without one.
long flow_transfer_connect_status(const flow_transfer *transfer);
/// Whether the server has changed the protocol (101), with which the transfer failed.
bool flow_transfer_was_upgraded(const flow_transfer *transfer);
/// Where the last answer redirects to, as a whole URL.
const char *_Nullable flow_transfer_location(const flow_transfer *transfer);
/// Microseconds from the beginning to the end.
int64_t flow_transfer_microseconds(const flow_transfer *transfer);
/// Whether there was a connection that the request could be sent on.
bool flow_transfer_was_connected(const flow_transfer *transfer);
/// Whether the body would have exceeded its limit.
bool flow_transfer_exceeded(const flow_transfer *transfer);
/// The lines of the head, of interim answers as well.
flow_bytes flow_transfer_head(const flow_transfer *transfer);
/// The lines behind the body.
flow_bytes flow_transfer_trailers(const flow_transfer *transfer);
/// The body as it came.
flow_bytes flow_transfer_body(const flow_transfer *transfer);
/// Whether the whole head of the answer has arrived; false for redirects that are followed.
bool flow_transfer_has_head(const flow_transfer *transfer);
/// Forgets what has come of a stream's body, and lets it go on.
void flow_transfer_discard_body(flow_transfer *transfer);
/// libcurl's description of a failure; may be empty.
const char *flow_transfer_problem(const flow_transfer *transfer);

/// Starts a thread that takes no signals; NULL when the system has none left.
flow_thread *_Nullable flow_thread_start(void (*body)(void *_Nonnull), void *context);
/// Waits for the end of a thread.
void flow_thread_join(flow_thread *thread);
/// Lets other threads have the processor.
void flow_thread_yield(void);

/// NULL when there is no memory.
flow_bell *_Nullable flow_bell_new(void);
/// Frees what no thread waits for.
void flow_bell_free(flow_bell *bell);
/// Ends the present or the next wait.
void flow_bell_ring(flow_bell *bell);
/// Waits until it is rung, once for all calls before.
void flow_bell_wait(flow_bell *bell);

/// Keeps the SIGPIPE of a broken connection away from this thread; answers whether it was kept away before.
bool flow_pipe_signal_hold(void);
/// Lets it come again, and forgets one that came meanwhile.
void flow_pipe_signal_release(void);

#pragma clang assume_nonnull end

#endif
