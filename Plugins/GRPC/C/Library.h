#ifndef FLOW_CHTTP2_LIBRARY_H
#define FLOW_CHTTP2_LIBRARY_H

#include "CHTTP2.h"

#include <sys/types.h>

// MARK: - The parts of libnghttp2 in use, declared from its documentation

// https://nghttp2.org/documentation/apiref.html
struct h2_session;
struct h2_callbacks;
struct h2_option;

struct h2_pair {
  uint8_t *name;
  uint8_t *value;
  size_t name_count;
  size_t value_count;
  uint8_t flags;
};

struct h2_frame {
  size_t length;
  int32_t stream;
  uint8_t type;
  uint8_t flags;
  uint8_t reserved;
};

struct h2_setting {
  int32_t id;
  uint32_t value;
};

union h2_source {
  int number;
  void *pointer;
};

typedef ssize_t (*h2_read)(
  struct h2_session *, int32_t stream, uint8_t *to, size_t room, uint32_t *flags, union h2_source *, void *context);

struct h2_provider {
  union h2_source source;
  h2_read read;
};

enum {
  h2_headers = 1,
  h2_data = 0,
  h2_settings = 4,
  h2_end_stream = 1,
  h2_data_ended = 1,
  h2_deferred = -508,
  h2_failed = -902,
  h2_enable_push = 2,
  h2_initial_window = 4,
  h2_greatest_headers = 6,
  h2_code_none = 0,
  h2_code_internal = 2,
  h2_code_refused = 7,
  h2_code_cancel = 8,
  h2_code_noisy = 11,
};

#define NGHTTP2_FUNCTIONS(X)                                                                             \
  X(int, session_callbacks_new, (struct h2_callbacks **))                                                \
  X(void, session_callbacks_del, (struct h2_callbacks *))                                                \
  X(void, session_callbacks_set_on_header_callback, (struct h2_callbacks *, void *))                     \
  X(void, session_callbacks_set_on_frame_recv_callback, (struct h2_callbacks *, void *))                 \
  X(void, session_callbacks_set_on_data_chunk_recv_callback, (struct h2_callbacks *, void *))            \
  X(void, session_callbacks_set_on_stream_close_callback, (struct h2_callbacks *, void *))               \
  X(int, option_new, (struct h2_option **))                                                              \
  X(void, option_del, (struct h2_option *))                                                              \
  X(void, option_set_no_auto_window_update, (struct h2_option *, int))                                   \
  X(int, session_client_new2, (struct h2_session **, struct h2_callbacks *, void *, struct h2_option *)) \
  X(void, session_del, (struct h2_session *))                                                            \
  X(int, submit_settings, (struct h2_session *, uint8_t, const struct h2_setting *, size_t))             \
  X(int32_t, submit_request,                                                                             \
    (struct h2_session *, const void *, const struct h2_pair *, size_t, const struct h2_provider *, void *)) \
  X(int, submit_rst_stream, (struct h2_session *, uint8_t, int32_t stream, uint32_t code))               \
  X(ssize_t, session_mem_recv, (struct h2_session *, const uint8_t *, size_t))                           \
  X(ssize_t, session_mem_send, (struct h2_session *, const uint8_t **))                                  \
  X(int, session_want_read, (struct h2_session *))                                                       \
  X(int, session_want_write, (struct h2_session *))                                                      \
  X(int, session_resume_data, (struct h2_session *, int32_t stream))                                     \
  X(int, session_consume_connection, (struct h2_session *, size_t))                                      \
  X(int, session_consume_stream, (struct h2_session *, int32_t stream, size_t))                          \
  X(int, session_set_local_window_size, (struct h2_session *, uint8_t, int32_t stream, int32_t size))    \
  X(int, session_check_request_allowed, (struct h2_session *))                                           \
  X(const char *, strerror, (int))                                                                       \
  X(const char *, http2_strerror, (uint32_t))

struct flow_nghttp2 {
#define MEMBER(result, name, parameters) result(*name) parameters;
  NGHTTP2_FUNCTIONS(MEMBER)
};

// MARK: - The parts of GnuTLS in use, declared from its manual

// https://www.gnutls.org/manual/gnutls.html
typedef struct {
  unsigned char *data;
  unsigned int size;
} tls_datum;

enum {
  tls_client = 2,
  tls_not_blocking = 8,
  tls_no_signal = 64,
  tls_pem = 1,
  tls_certificate = 1,
  tls_again = -28,
  tls_interrupted = -52,
  tls_name_dns = 1,
  tls_write_only = 1,
};

#define TLS_FUNCTIONS(X)                                                                         \
  X(int, certificate_allocate_credentials, (void **))                                            \
  X(void, certificate_free_credentials, (void *))                                                \
  X(int, certificate_set_x509_system_trust, (void *))                                            \
  X(int, certificate_set_x509_trust_mem, (void *, const tls_datum *, int kind))                  \
  X(int, certificate_set_x509_key_mem2,                                                          \
    (void *, const tls_datum *, const tls_datum *, int kind, const char *password, unsigned))    \
  X(int, init, (void **, unsigned flags))                                                        \
  X(void, deinit, (void *))                                                                      \
  X(int, set_default_priority, (void *))                                                         \
  X(int, credentials_set, (void *, int kind, void *))                                            \
  X(int, server_name_set, (void *, int kind, const void *, size_t))                              \
  X(void, session_set_verify_cert, (void *, const char *name, unsigned))                         \
  X(unsigned, session_get_verify_cert_status, (void *))                                          \
  X(int, certificate_verification_status_print, (unsigned, int kind, tls_datum *, unsigned))     \
  X(int, alpn_set_protocols, (void *, const tls_datum *, unsigned count, unsigned))              \
  X(int, alpn_get_selected_protocol, (void *, tls_datum *))                                      \
  X(void, transport_set_int2, (void *, int, int))                                                \
  X(int, handshake, (void *))                                                                    \
  X(int, record_get_direction, (void *))                                                         \
  X(ssize_t, record_recv, (void *, void *, size_t))                                              \
  X(ssize_t, record_send, (void *, const void *, size_t))                                        \
  X(int, bye, (void *, int))                                                                     \
  X(const char *, strerror, (int))

struct flow_tls {
  TLS_FUNCTIONS(MEMBER)
#undef MEMBER
};

#endif
