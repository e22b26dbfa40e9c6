#include "CCurl.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

// MARK: - The parts of libcurl in use, declared from its documentation

typedef void CURL;
typedef void CURLM;
typedef void CURLSH;
struct curl_slist {
  char *text;
  struct curl_slist *next;
};

struct curl_message {
  int kind;
  CURL *easy;
  union {
    void *any;
    int result;
  } data;
};

struct curl_address {
  int family;
  int kind;
  int protocol;
  unsigned int length;
  struct sockaddr address;
};

struct curl_waited {
  int socket;
  short events;
  short happened;
};

enum { waits_to_read = 1, waits_to_write = 4, no_socket = -1 };

struct curl_bytes {
  void *data;
  size_t count;
  unsigned int flags;
};

struct curl_version {
  int age;
  const char *text;
  unsigned int number;
};

enum {
  all_of_it = 3,
  message_done = 1,
  blob_copy = 1,
  share_kind = 1,
  share_cookies = 2,
  share_tls_sessions = 4,
  option_write_data = 10001,
  option_error_buffer = 10010,
  option_http_header = 10023,
  option_header_data = 10029,
  option_proxy_header = 10228,
  option_no_connect_headers = 265,
  option_no_proxy = 10177,
  option_no_signal = 99,
  option_fresh_connect = 74,
  option_tunnel = 61,
  option_connect_only = 141,
  option_http_version = 84,
  version_1_1 = 2,
  version_2_over_tls = 4,
  first_that_ends_uploads = 0x080b00,
  first_that_asks_to_send = 0x075000,
  option_quick_exit = 322,
  option_tcp_keepalive = 213,
  option_greatest_age = 288,
  multi_quick_exit = 21,
  option_share = 10100,
  option_cookie_file = 10031,
  option_private = 10103,
  option_copy_fields = 10165,
  option_write_function = 20011,
  option_header_function = 20079,
  option_open_socket_function = 20163,
  option_request_function = 20312,
  option_request_data = 10313,
  option_fields_size = 30120,
  option_protocols = 181,
  protocols_web = 3,
  pause_nothing = 0,
  write_later = 0x10000001,
  result_no_connection = 7,
  result_no_memory = 27,
  result_refused_by_callback = 42,
  result_lost = 56,
  result_again = 81,
  option_cookie_list = 10135,
  info_cookie_list = 0x400000 + 28,
  info_redirect_url = 0x100000 + 31,
  info_private = 0x100000 + 21,
  info_active_socket = 0x500000 + 44,
  info_status = 0x200000 + 2,
  info_connect_status = 0x200000 + 22,
  info_total = 0x600000 + 50,
  info_before_transfer = 0x600000 + 53,
};

/// Every function in use, by its name after `curl_`.
#define FUNCTIONS(X)                                                   \
  X(int, global_init, (long flags))                                    \
  X(struct curl_version *, version_info, (int age))                    \
  X(CURL *, easy_init, (void))                                         \
  X(void, easy_cleanup, (CURL * easy))                                 \
  X(int, easy_setopt, (CURL * easy, int option, ...))                  \
  X(int, easy_getinfo, (CURL * easy, int info, ...))                   \
  X(const char *, easy_strerror, (int code))                           \
  X(int, easy_pause, (CURL * easy, int parts))                         \
  X(int, easy_send, (CURL * easy, const void *bytes, size_t count, size_t *sent)) \
  X(int, easy_recv, (CURL * easy, void *bytes, size_t count, size_t *received)) \
  X(struct curl_slist *, slist_append, (struct curl_slist * list, const char *text)) \
  X(void, slist_free_all, (struct curl_slist * list))                  \
  X(CURLSH *, share_init, (void))                                      \
  X(int, share_setopt, (CURLSH * share, int option, ...))              \
  X(int, share_cleanup, (CURLSH * share))                              \
  X(CURLM *, multi_init, (void))                                       \
  X(int, multi_setopt, (CURLM * multi, int option, ...))               \
  X(int, multi_cleanup, (CURLM * multi))                               \
  X(int, multi_add_handle, (CURLM * multi, CURL *easy))                \
  X(int, multi_remove_handle, (CURLM * multi, CURL *easy))             \
  X(int, multi_perform, (CURLM * multi, int *running))                 \
  X(int, multi_poll, (CURLM * multi, void *more, unsigned int count, int milliseconds, int *ready)) \
  X(int, multi_wakeup, (CURLM * multi))                                \
  X(struct curl_message *, multi_info_read, (CURLM * multi, int *left))

struct flow_curl {
#define MEMBER(result, name, parameters) result(*name) parameters;
  FUNCTIONS(MEMBER)
#undef MEMBER
  bool ends_uploads;
  bool asks_to_send;
};

struct flow_multi {
  const flow_curl *curl;
  CURLM *handle;
  CURLSH *cookies;
};

struct buffer {
  uint8_t *bytes;
  size_t count;
  size_t capacity;
};

struct flow_transfer {
  const flow_curl *curl;
  CURL *easy;
  struct curl_slist *headers;
  struct curl_slist *proxy_headers;
  struct buffer head;
  struct buffer trailers;
  struct buffer body;
  uint64_t number;
  size_t limit;
  int refusal;
  bool exceeded;
  bool is_stream;
  bool is_paused;
  bool is_followed;
  bool has_location;
  bool has_whole_head;
  bool has_head;
  bool is_upgraded;
  bool has_challenge;
  bool is_challenged;
  bool is_once;
  bool is_sent;
  char problem[256];
};

// MARK: - Loading

static const flow_library library = {
  "curl",
  {4},
  sizeof(flow_curl),
#define NAME(result, name, parameters) "curl_" #name,
  (const char *const[]){FUNCTIONS(NAME) NULL},
#undef NAME
};

flow_curl *flow_curl_load(flow_library_problem *problem) {
  flow_curl *curl = flow_library_load(&library, problem);
  if (!curl) return NULL;
  if (curl->global_init(all_of_it) != 0) {
    flow_library_refuse(problem, "it cannot be initialised");
    free(curl);
    return NULL;
  }
  unsigned int version = curl->version_info(0)->number;
  curl->ends_uploads = version >= first_that_ends_uploads;
  curl->asks_to_send = version >= first_that_asks_to_send;
  return curl;
}

const char *flow_curl_text(const flow_curl *curl, int code) { return curl->easy_strerror(code); }

// MARK: - Many transfers

// The cookies and TLS sessions of several transfers, or NULL without memory.
static CURLSH *new_share(const flow_curl *curl) {
  CURLSH *share = curl->share_init();
  if (!share) return NULL;
  // Without locks, since one thread at a time drives all transfers.
  curl->share_setopt(share, share_kind, share_cookies);
  curl->share_setopt(share, share_kind, share_tls_sessions);
  return share;
}

flow_multi *flow_multi_new(const flow_curl *curl) {
  flow_multi *multi = calloc(1, sizeof *multi);
  if (!multi) return NULL;
  multi->curl = curl;
  multi->handle = curl->multi_init();
  multi->cookies = new_share(curl);
  if (!multi->handle || !multi->cookies) {
    flow_multi_free(multi);
    return NULL;
  }
  // Since 8.20: without it, the end waits for unfinished name lookups.
  curl->multi_setopt(multi->handle, multi_quick_exit, 1L);
  return multi;
}

void flow_multi_forget_cookies(flow_multi *multi) {
  if (multi->cookies) multi->curl->share_cleanup(multi->cookies);
  multi->cookies = new_share(multi->curl);
}

void flow_multi_free(flow_multi *multi) {
  if (multi->handle) multi->curl->multi_cleanup(multi->handle);
  if (multi->cookies) multi->curl->share_cleanup(multi->cookies);
  free(multi);
}

int flow_multi_add(flow_multi *multi, flow_transfer *transfer) {
  return multi->curl->multi_add_handle(multi->handle, transfer->easy);
}

void flow_multi_perform(flow_multi *multi) {
  int running = 0;
  multi->curl->multi_perform(multi->handle, &running);
}

void flow_multi_wait(flow_multi *multi, int milliseconds) {
  int ready = 0;
  // libcurl itself shortens it to the next of its timeouts.
  multi->curl->multi_poll(multi->handle, NULL, 0, milliseconds, &ready);
}

void flow_multi_wait_for(
  flow_multi *multi, const flow_transfer *transfer, bool reads, bool writes) {
  int socket = no_socket, ready = 0;
  multi->curl->easy_getinfo(transfer->easy, info_active_socket, &socket);
  short events = (short)((reads ? waits_to_read : 0) | (writes ? waits_to_write : 0));
  struct curl_waited waited = {socket, events, 0};
  bool has_socket = socket != no_socket && events != 0;
  multi->curl->multi_poll(
    multi->handle, has_socket ? &waited : NULL, has_socket ? 1 : 0, 3600000, &ready);
}

void flow_multi_wake(flow_multi *multi) { multi->curl->multi_wakeup(multi->handle); }

// What ended a transfer: the loss of its connection, if libcurl then failed to send the request again.
static int result(const flow_transfer *transfer, int result) {
  bool is_second = result == result_no_connection || result == result_refused_by_callback;
  return transfer->is_once && transfer->is_sent && is_second ? result_lost : result;
}

uint64_t flow_multi_next(flow_multi *multi, int *code) {
  int left = 0;
  struct curl_message *message;
  while ((message = multi->curl->multi_info_read(multi->handle, &left))) {
    if (message->kind != message_done) continue;
    flow_transfer *transfer = NULL;
    multi->curl->easy_getinfo(message->easy, info_private, &transfer);
    if (!transfer) continue;
    *code = result(transfer, message->data.result);
    return transfer->number;
  }
  return 0;
}

// MARK: - One transfer

static bool append(struct buffer *buffer, const void *bytes, size_t count) {
  if (count > buffer->capacity - buffer->count) {
    size_t capacity = buffer->capacity < 4096 ? 4096 : buffer->capacity;
    while (capacity - buffer->count < count) capacity *= 2;
    uint8_t *grown = realloc(buffer->bytes, capacity);
    if (!grown) return false;
    buffer->bytes = grown;
    buffer->capacity = capacity;
  }
  memcpy(buffer->bytes + buffer->count, bytes, count);
  buffer->count += count;
  return true;
}

// A reused transfer keeps its memory, except after a large response.
static void empty(struct buffer *buffer) {
  buffer->count = 0;
  if (buffer->capacity <= 1 << 20) return;
  free(buffer->bytes);
  buffer->bytes = NULL;
  buffer->capacity = 0;
}

static size_t receive_body(char *bytes, size_t size, size_t count, void *context) {
  flow_transfer *transfer = context;
  count *= size;
  if (transfer->is_stream) {
    if (!transfer->has_head) return count;
    // The rest stays with the server until these bytes are taken. libcurl passes the present ones
    // again.
    transfer->is_paused = transfer->body.count >= transfer->limit;
    if (transfer->is_paused) return write_later;
    return append(&transfer->body, bytes, count) ? count : (size_t)-1;
  }
  transfer->exceeded = count > transfer->limit - transfer->body.count;
  // Any number except the count ends the transfer.
  return !transfer->exceeded && append(&transfer->body, bytes, count) ? count : (size_t)-1;
}

// The longest head with its trailers, below libcurl's own limit of 300 KiB, whose error says less.
enum { greatest_head = 256 << 10 };

// True for a redirect that is followed: its target is known only at its end, and a stream ignores
// its body.
static bool leads_on(const flow_transfer *transfer, long status) {
  bool is_redirect = (status >= 301 && status <= 303) || status == 307 || status == 308;
  return is_redirect && transfer->has_location && transfer->is_followed;
}

// True for the first 401 of an exchange whose login waits for the server's challenge: libcurl sends
// the request again.
static bool asks_again(flow_transfer *transfer, long status) {
  if (status != 401 || !transfer->has_challenge || transfer->is_challenged) return false;
  return transfer->is_challenged = true;
}

static size_t receive_head(char *bytes, size_t size, size_t count, void *context) {
  flow_transfer *transfer = context;
  count *= size;
  // Even after a whole head: if a server refuses `Expect` (417), libcurl repeats the request
  // without it.
  if (count > 5 && memcmp(bytes, "HTTP/", 5) == 0) {
    transfer->has_location = transfer->has_whole_head = transfer->has_head = false;
    transfer->trailers.count = transfer->body.count = 0;
  }
  if (count > 9 && strncasecmp(bytes, "location:", 9) == 0) transfer->has_location = true;
  struct buffer *lines = transfer->has_whole_head ? &transfer->trailers : &transfer->head;
  transfer->exceeded = count > greatest_head - transfer->head.count - transfer->trailers.count;
  if (transfer->exceeded || !append(lines, bytes, count)) return (size_t)-1;
  // An empty line ends a head. The heads of interim responses do not belong to the final response.
  long status = count <= 2 && !transfer->has_whole_head ? flow_transfer_status(transfer) : 0;
  // Another protocol follows, and libcurl would wait for its end.
  transfer->is_upgraded = status == 101;
  if (transfer->is_upgraded) return (size_t)-1;
  if (status >= 200) {
    transfer->has_whole_head = true;
    transfer->has_head = !asks_again(transfer, status) && !leads_on(transfer, status);
  }
  return count;
}

// libcurl itself, in 7.88 at least, leaks its sockets to programs started by this process, which
// keeps closed connections alive.
static int open_socket(void *context, int purpose, struct curl_address *address) {
  (void)context, (void)purpose;
#ifdef SOCK_CLOEXEC
  return socket(address->family, address->kind | SOCK_CLOEXEC, address->protocol);
#else
  int socket_ = socket(address->family, address->kind, address->protocol);
  if (socket_ >= 0) fcntl(socket_, F_SETFD, FD_CLOEXEC);
  return socket_;
#endif
}

// libcurl sends a request again if an open connection ends without a response. The server may have
// carried it out all the same. After a response, such as 417, it has not.
static int may_send(void *context, char *address, char *own, int port, int own_port) {
  (void)address, (void)own, (void)port, (void)own_port;
  flow_transfer *transfer = context;
  if (transfer->is_once && transfer->is_sent && transfer->head.count == 0) return 1;
  transfer->is_sent = true;
  return 0;
}

flow_transfer *flow_transfer_new(flow_multi *multi, bool keeps_cookies) {
  const flow_curl *curl = multi->curl;
  flow_transfer *transfer = calloc(1, sizeof *transfer);
  CURL *easy = transfer ? curl->easy_init() : NULL;
  if (!easy) {
    free(transfer);
    return NULL;
  }
  transfer->curl = curl;
  transfer->easy = easy;
  curl->easy_setopt(easy, option_private, transfer);
  curl->easy_setopt(easy, option_error_buffer, transfer->problem);
  curl->easy_setopt(easy, option_write_function, receive_body);
  curl->easy_setopt(easy, option_write_data, transfer);
  curl->easy_setopt(easy, option_header_function, receive_head);
  curl->easy_setopt(easy, option_header_data, transfer);
  curl->easy_setopt(easy, option_open_socket_function, open_socket);
  // Older versions do not know it.
  curl->easy_setopt(easy, option_request_function, may_send);
  curl->easy_setopt(easy, option_request_data, transfer);
  if (keeps_cookies && multi->cookies) {
    curl->easy_setopt(easy, option_share, multi->cookies);
    // Without reading a file.
    curl->easy_setopt(easy, option_cookie_file, "");
  }
  curl->easy_setopt(easy, option_no_signal, 1L);
  curl->easy_setopt(easy, option_protocols, (long)protocols_web);
  // Since 7.87: an ending transfer does not wait for an unfinished name lookup.
  curl->easy_setopt(easy, option_quick_exit, 1L);
  // A stream may be silent for long although its server is gone.
  curl->easy_setopt(easy, option_tcp_keepalive, 1L);
  // Connections are kept while a scenario does something else. libcurl's own limit is two minutes.
  // Since 7.65.
  curl->easy_setopt(easy, option_greatest_age, 3600L);
  // Overrides the environment's list of hosts to reach without a proxy.
  curl->easy_setopt(easy, option_no_proxy, "");
  // Since 7.54: a proxy's response about a tunnel is not a part of the response.
  curl->easy_setopt(easy, option_no_connect_headers, 1L);
  return transfer;
}

void flow_transfer_free(flow_transfer *transfer) {
  transfer->curl->easy_cleanup(transfer->easy);
  transfer->curl->slist_free_all(transfer->headers);
  transfer->curl->slist_free_all(transfer->proxy_headers);
  free(transfer->head.bytes);
  free(transfer->trailers.bytes);
  free(transfer->body.bytes);
  free(transfer);
}

void flow_transfer_reset(
  flow_transfer *transfer, uint64_t number, size_t limit, bool is_stream, bool is_followed) {
  transfer->number = number;
  transfer->limit = limit;
  transfer->is_stream = is_stream;
  transfer->is_followed = is_followed;
  transfer->is_paused = false;
  transfer->has_location = false;
  transfer->has_whole_head = false;
  transfer->has_head = false;
  transfer->is_upgraded = false;
  transfer->is_sent = false;
  transfer->has_challenge = false;
  transfer->is_challenged = false;
  transfer->refusal = 0;
  transfer->exceeded = false;
  transfer->problem[0] = 0;
}

void flow_multi_remove(flow_multi *multi, flow_transfer *transfer) {
  const flow_curl *curl = multi->curl;
  curl->multi_remove_handle(multi->handle, transfer->easy);
  curl->easy_setopt(transfer->easy, option_http_header, NULL);
  curl->easy_setopt(transfer->easy, option_proxy_header, NULL);
  curl->easy_setopt(transfer->easy, option_copy_fields, NULL);
  curl->slist_free_all(transfer->headers);
  curl->slist_free_all(transfer->proxy_headers);
  transfer->headers = NULL;
  transfer->proxy_headers = NULL;
  empty(&transfer->head);
  empty(&transfer->trailers);
  empty(&transfer->body);
}

static void note(flow_transfer *transfer, int result) {
  if (transfer->refusal == 0) transfer->refusal = result;
}

void flow_transfer_set_number(flow_transfer *transfer, flow_option option, long value) {
  note(transfer, transfer->curl->easy_setopt(transfer->easy, option, value));
}

void flow_transfer_set_text(flow_transfer *transfer, flow_option option, const char *text) {
  note(transfer, transfer->curl->easy_setopt(transfer->easy, option, text));
}

void flow_transfer_set_bytes(flow_transfer *transfer, flow_option option, const void *bytes, size_t count) {
  struct curl_bytes blob = {(void *)bytes, count, blob_copy};
  note(transfer, transfer->curl->easy_setopt(transfer->easy, option, &blob));
}

void flow_transfer_set_sending(flow_transfer *transfer, bool is_sending) {
  bool is_old = is_sending && !transfer->curl->ends_uploads;
  // A libcurl without HTTP/2 refuses it, and uses the older version anyway.
  transfer->curl->easy_setopt(
    transfer->easy, option_http_version, is_old ? (long)version_1_1 : (long)version_2_over_tls);
}

void flow_transfer_set_once(flow_transfer *transfer, bool is_once) {
  transfer->is_once = is_once;
  bool is_old = is_once && !transfer->curl->asks_to_send;
  transfer->curl->easy_setopt(transfer->easy, option_fresh_connect, is_old ? 1L : 0L);
}

void flow_transfer_set_connecting(flow_transfer *transfer) {
  const flow_curl *curl = transfer->curl;
  curl->easy_setopt(transfer->easy, option_connect_only, 1L);
  curl->easy_setopt(transfer->easy, option_http_version, (long)version_1_1);
  curl->easy_setopt(transfer->easy, option_tunnel, 1L);
}

int flow_transfer_send(
  flow_transfer *transfer, const void *bytes, size_t count, size_t *sent) {
  *sent = 0;
  int result = transfer->curl->easy_send(transfer->easy, bytes, count, sent);
  return result == result_again ? 0 : result;
}

int flow_transfer_receive(
  flow_transfer *transfer, void *bytes, size_t room, size_t *received, bool *has_ended) {
  *received = 0;
  int result = transfer->curl->easy_recv(transfer->easy, bytes, room, received);
  *has_ended = result == 0 && *received == 0;
  return result == result_again ? 0 : result;
}

void flow_transfer_set_challenge(flow_transfer *transfer) { transfer->has_challenge = true; }

void flow_transfer_set_body(flow_transfer *transfer, const void *bytes, size_t count) {
  // The size first, since without it the bytes would be a C string. NULL would mean a body from
  // elsewhere.
  if (count == 0) bytes = "";
  note(transfer, transfer->curl->easy_setopt(transfer->easy, option_fields_size, (int64_t)count));
  note(transfer, transfer->curl->easy_setopt(transfer->easy, option_copy_fields, bytes));
}

static void add_header(
  flow_transfer *transfer, struct curl_slist **list, int option, const char *line) {
  struct curl_slist *longer = transfer->curl->slist_append(*list, line);
  if (!longer) return note(transfer, result_no_memory);
  // Only the first header changes the start of the list.
  if (!*list) note(transfer, transfer->curl->easy_setopt(transfer->easy, option, longer));
  *list = longer;
}

void flow_transfer_add_header(flow_transfer *transfer, const char *line) {
  add_header(transfer, &transfer->headers, option_http_header, line);
}

void flow_transfer_add_proxy_header(flow_transfer *transfer, const char *line) {
  add_header(transfer, &transfer->proxy_headers, option_proxy_header, line);
}

int flow_transfer_refusal(const flow_transfer *transfer) { return transfer->refusal; }

long flow_transfer_status(const flow_transfer *transfer) {
  long status = 0;
  transfer->curl->easy_getinfo(transfer->easy, info_status, &status);
  return status;
}

long flow_transfer_connect_status(const flow_transfer *transfer) {
  long status = 0;
  transfer->curl->easy_getinfo(transfer->easy, info_connect_status, &status);
  return status;
}

bool flow_transfer_was_upgraded(const flow_transfer *transfer) { return transfer->is_upgraded; }

const char *flow_transfer_location(const flow_transfer *transfer) {
  const char *location = NULL;
  transfer->curl->easy_getinfo(transfer->easy, info_redirect_url, &location);
  return location;
}

static int64_t time_until(const flow_transfer *transfer, int info) {
  int64_t time = 0;
  transfer->curl->easy_getinfo(transfer->easy, info, &time);
  return time;
}

int64_t flow_transfer_microseconds(const flow_transfer *transfer) { return time_until(transfer, info_total); }

bool flow_transfer_was_connected(const flow_transfer *transfer) {
  return time_until(transfer, info_before_transfer) > 0;
}

bool flow_transfer_exceeded(const flow_transfer *transfer) { return transfer->exceeded; }

flow_bytes flow_transfer_head(const flow_transfer *transfer) {
  return (flow_bytes){transfer->head.bytes, transfer->head.count};
}

flow_bytes flow_transfer_trailers(const flow_transfer *transfer) {
  return (flow_bytes){transfer->trailers.bytes, transfer->trailers.count};
}

flow_bytes flow_transfer_body(const flow_transfer *transfer) {
  return (flow_bytes){transfer->body.bytes, transfer->body.count};
}

flow_list *flow_transfer_cookies(const flow_transfer *transfer) {
  flow_list *cookies = NULL;
  transfer->curl->easy_getinfo(transfer->easy, info_cookie_list, &cookies);
  return cookies;
}

void flow_transfer_change_cookies(flow_transfer *transfer, const char *line) {
  note(transfer, transfer->curl->easy_setopt(transfer->easy, option_cookie_list, line));
}

const char *flow_list_text(const flow_list *list) { return list->text; }

flow_list *flow_list_next(const flow_list *list) { return list->next; }

void flow_list_free(const flow_curl *curl, flow_list *list) { curl->slist_free_all(list); }

bool flow_transfer_has_head(const flow_transfer *transfer) { return transfer->has_head; }

void flow_transfer_discard_body(flow_transfer *transfer) {
  empty(&transfer->body);
  if (!transfer->is_paused) return;
  transfer->is_paused = false;
  transfer->curl->easy_pause(transfer->easy, pause_nothing);
}

const char *flow_transfer_problem(const flow_transfer *transfer) { return transfer->problem; }

// MARK: - A thread

struct flow_thread {
  pthread_t thread;
  void (*body)(void *);
  void *context;
};

static void *run(void *argument) {
  flow_thread *thread = argument;
  thread->body(thread->context);
  return NULL;
}

flow_thread *flow_thread_start(void (*body)(void *), void *context) {
  flow_thread *thread = calloc(1, sizeof *thread);
  if (!thread) return NULL;
  thread->body = body;
  thread->context = context;
  // The new thread inherits the mask: SIGPIPE of a broken connection stays there, and the process's
  // own signals go to the threads waiting for them.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int failure = pthread_create(&thread->thread, NULL, run, thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (failure == 0) return thread;
  free(thread);
  return NULL;
}

void flow_thread_join(flow_thread *thread) {
  pthread_join(thread->thread, NULL);
  free(thread);
}

void flow_thread_yield(void) { sched_yield(); }

struct flow_bell {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  bool is_rung;
};

flow_bell *flow_bell_new(void) {
  flow_bell *bell = calloc(1, sizeof *bell);
  if (!bell) return NULL;
  pthread_mutex_init(&bell->mutex, NULL);
  pthread_cond_init(&bell->condition, NULL);
  return bell;
}

void flow_bell_free(flow_bell *bell) {
  pthread_cond_destroy(&bell->condition);
  pthread_mutex_destroy(&bell->mutex);
  free(bell);
}

void flow_bell_ring(flow_bell *bell) {
  pthread_mutex_lock(&bell->mutex);
  bell->is_rung = true;
  pthread_cond_signal(&bell->condition);
  pthread_mutex_unlock(&bell->mutex);
}

void flow_bell_wait(flow_bell *bell) {
  pthread_mutex_lock(&bell->mutex);
  while (!bell->is_rung) pthread_cond_wait(&bell->condition, &bell->mutex);
  bell->is_rung = false;
  pthread_mutex_unlock(&bell->mutex);
}

// MARK: - SIGPIPE

static sigset_t pipe_signal(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  return signals;
}

bool flow_pipe_signal_hold(void) {
  sigset_t signals = pipe_signal(), before;
  pthread_sigmask(SIG_BLOCK, &signals, &before);
  return sigismember(&before, SIGPIPE);
}

void flow_pipe_signal_release(void) {
  sigset_t signals = pipe_signal(), waiting;
  int signal;
  // It was not held before, so a pending one comes from a connection.
  if (sigpending(&waiting) == 0 && sigismember(&waiting, SIGPIPE)) sigwait(&signals, &signal);
  pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}
