#ifndef FLOW_UPSTREAM_LIBRARY_H
#define FLOW_UPSTREAM_LIBRARY_H

#include "CUpstream.h"

#include <sys/socket.h>
#include <sys/types.h>
#include <time.h>

// MARK: - The parts of libmicrohttpd in use, declared from its manual

// https://www.gnu.org/software/libmicrohttpd/manual/libmicrohttpd.html
struct MHD_Daemon;
struct MHD_Connection;
struct MHD_Response;
struct MHD_UpgradeResponseHandle;

enum {
  mhd_no = 0,
  mhd_yes = 1,
  mhd_use_own_thread = 8,
  mhd_use_no_date = 128,
  mhd_use_no_listener = 256,
  mhd_use_wake_up = 1024,
  mhd_allow_suspend = 8192 | mhd_use_wake_up,
  mhd_allow_upgrade = 32768,
  mhd_use_best_polling = 65536,
  mhd_option_end = 0,
  mhd_option_memory_limit = 1,
  mhd_option_connection_limit = 2,
  mhd_option_timeout = 3,
  mhd_option_completed = 4,
  mhd_option_target = 7,
  mhd_option_connections = 27,
  mhd_connection_started = 0,
  mhd_header = 1,
  mhd_info_socket = 6,
  mhd_info_context = 7,
  mhd_memory_to_free = 1,
  mhd_as_in_http_1_0 = 1,
  mhd_upgrade_close = 0,
  mhd_completed = 0,
  mhd_end_of_stream = -1,
  mhd_end_with_error = -2,
};
#define MHD_UNKNOWN_SIZE UINT64_MAX

#define HTTPD_FUNCTIONS(X)                                                                       \
  X(struct MHD_Daemon *, start_daemon,                                                           \
    (unsigned flags, uint16_t port, void *, void *, void *receive, void *context, ...))          \
  X(void, stop_daemon, (struct MHD_Daemon *))                                                    \
  X(int, add_connection,                                                                         \
    (struct MHD_Daemon *, int socket, const struct sockaddr *, socklen_t length))                \
  X(void, suspend_connection, (struct MHD_Connection *))                                         \
  X(void, resume_connection, (struct MHD_Connection *))                                          \
  X(void **, get_connection_info, (struct MHD_Connection *, int kind, ...))                      \
  X(int, get_connection_values_n, (struct MHD_Connection *, int kind, void *each, void *context)) \
  X(int, queue_response, (struct MHD_Connection *, unsigned status, struct MHD_Response *))      \
  X(struct MHD_Response *, create_response_from_buffer, (size_t count, void *bytes, int mode))   \
  X(struct MHD_Response *, create_response_from_callback,                                        \
    (uint64_t count, size_t block, void *read, void *context, void *free))                       \
  X(struct MHD_Response *, create_response_for_upgrade, (void *start, void *context))             \
  X(int, upgrade_action, (struct MHD_UpgradeResponseHandle *, int action, ...))                  \
  X(int, set_response_options, (struct MHD_Response *, int flags, ...))                          \
  X(int, add_response_header, (struct MHD_Response *, const char *name, const char *value))      \
  X(void, destroy_response, (struct MHD_Response *))

struct flow_httpd {
#define MEMBER(result, name, parameters) result(*name) parameters;
  HTTPD_FUNCTIONS(MEMBER)
};

// MARK: - The parts of libnghttp2 in use, declared from its manual

// https://nghttp2.org/documentation/apiref.html
typedef struct {
  size_t length;
  int32_t stream_id;
  uint8_t type, flags, reserved;
} nghttp2_head;

typedef struct {
  uint8_t *name, *value;
  size_t name_count, value_count;
  uint8_t flags;
} nghttp2_pair;

typedef struct {
  int32_t id;
  uint32_t value;
} nghttp2_setting;

typedef union {
  int descriptor;
  void *pointer;
} nghttp2_source;

typedef struct {
  nghttp2_source source;
  ssize_t (*read)(
    void *session, int32_t stream, uint8_t *buffer, size_t room, uint32_t *flags, nghttp2_source *, void *);
} nghttp2_provider;

enum {
  nghttp2_frame_data = 0,
  nghttp2_frame_headers = 1,
  nghttp2_flag_end_stream = 1,
  nghttp2_max_concurrent_streams = 3,
  nghttp2_max_header_list_size = 6,
  nghttp2_data_end = 1,
  nghttp2_data_no_end_stream = 2,
  nghttp2_no_error = 0,
  nghttp2_internal_error = 2,
  nghttp2_refused_stream = 7,
  nghttp2_cancel = 8,
  nghttp2_enhance_your_calm = 11,
  nghttp2_deferred = -508,
  nghttp2_fails_for_stream = -521,
};

#define NGHTTP2_FUNCTIONS(X)                                                                     \
  X(int, session_callbacks_new, (void **))                                                       \
  X(void, session_callbacks_del, (void *))                                                       \
  X(void, session_callbacks_set_on_begin_headers_callback,                                       \
    (void *, int (*)(void *, const nghttp2_head *, void *)))                                     \
  X(void, session_callbacks_set_on_header_callback, (void *, nghttp2_header_receiver))           \
  X(void, session_callbacks_set_on_invalid_header_callback, (void *, nghttp2_header_receiver))   \
  X(void, session_callbacks_set_on_frame_recv_callback,                                          \
    (void *, int (*)(void *, const nghttp2_head *, void *)))                                     \
  X(void, session_callbacks_set_on_data_chunk_recv_callback,                                     \
    (void *, int (*)(void *, uint8_t, int32_t, const uint8_t *, size_t, void *)))                \
  X(void, session_callbacks_set_on_frame_send_callback,                                          \
    (void *, int (*)(void *, const nghttp2_head *, void *)))                                     \
  X(void, session_callbacks_set_on_stream_close_callback,                                        \
    (void *, int (*)(void *, int32_t, uint32_t, void *)))                                        \
  X(int, option_new, (void **))                                                                  \
  X(void, option_del, (void *))                                                                  \
  X(void, option_set_no_auto_window_update, (void *, int))                                       \
  X(void, option_set_no_closed_streams, (void *, int))                                           \
  X(void, option_set_max_send_header_block_length, (void *, size_t))                             \
  X(int, session_server_new2, (void **, void *callbacks, void *context, void *option))           \
  X(void, session_del, (void *))                                                                 \
  X(ssize_t, session_mem_recv, (void *, const uint8_t *, size_t))                                \
  X(ssize_t, session_mem_send, (void *, const uint8_t **))                                       \
  X(int, session_want_read, (void *))                                                            \
  X(int, session_want_write, (void *))                                                           \
  X(int, session_resume_data, (void *, int32_t))                                                 \
  X(int, session_consume_connection, (void *, size_t))                                           \
  X(int, session_consume_stream, (void *, int32_t, size_t))                                      \
  X(void *, session_get_stream_user_data, (void *, int32_t))                                     \
  X(int, session_set_stream_user_data, (void *, int32_t, void *))                                \
  X(int32_t, session_get_last_proc_stream_id, (void *))                                          \
  X(int, session_terminate_session, (void *, uint32_t code))                                     \
  X(int, submit_settings, (void *, uint8_t, const nghttp2_setting *, size_t))                    \
  X(int, submit_response,                                                                        \
    (void *, int32_t, const nghttp2_pair *, size_t, const nghttp2_provider *))                   \
  X(int32_t, submit_headers,                                                                     \
    (void *, uint8_t, int32_t, const void *, const nghttp2_pair *, size_t, void *))              \
  X(int, submit_trailer, (void *, int32_t, const nghttp2_pair *, size_t))                        \
  X(int, submit_rst_stream, (void *, uint8_t, int32_t, uint32_t code))                           \
  X(int, submit_goaway, (void *, uint8_t, int32_t last, uint32_t code, const void *, size_t))

/// Receives a header.
typedef int (*nghttp2_header_receiver)(
  void *session, const nghttp2_head *, const uint8_t *name, size_t name_count, const uint8_t *value,
  size_t value_count, uint8_t flags, void *);

struct flow_nghttp2 {
  NGHTTP2_FUNCTIONS(MEMBER)
};

// MARK: - The parts of GnuTLS in use, declared from its manual

// https://www.gnutls.org/manual/gnutls.html
typedef struct {
  unsigned char *data;
  unsigned int size;
} gnutls_datum;

enum {
  gnutls_ecdsa = 4,
  gnutls_curve_p256 = INT32_MIN | 2,
  gnutls_sha256 = 6,
  gnutls_use_signing_certificates = 4,
  gnutls_use_signatures = 128,
  gnutls_name_dns = 1,
  gnutls_name_address = 4,
  gnutls_random_nonce = 0,
  gnutls_pem = 1,
  gnutls_server = 1,
  gnutls_does_not_block = 8,
  gnutls_no_signal = 64,
  gnutls_certificate = 1,
  gnutls_shut_own = 1,
  gnutls_warning_received = -16,
  gnutls_again = -28,
  gnutls_interrupted = -52,
  gnutls_cut_off = -110,
  gnutls_own_choice_first = 2,
};

/// Chooses the certificate of a session.
typedef int (*gnutls_chooser)(
  void *session, const gnutls_datum *names, int name_count, const int *algorithms, int count,
  void **certificates, unsigned *certificate_count, void **key);

#define GNUTLS_FUNCTIONS(X)                                                                      \
  X(int, x509_privkey_init, (void **))                                                           \
  X(void, x509_privkey_deinit, (void *))                                                         \
  X(int, x509_privkey_generate, (void *, int algorithm, unsigned bits, unsigned flags))          \
  X(int, privkey_init, (void **))                                                                \
  X(void, privkey_deinit, (void *))                                                              \
  X(int, privkey_import_x509, (void *, void *key, unsigned flags))                               \
  X(int, x509_crt_init, (void **))                                                               \
  X(void, x509_crt_deinit, (void *))                                                             \
  X(int, x509_crt_set_version, (void *, unsigned version))                                       \
  X(int, x509_crt_set_serial, (void *, const void *bytes, size_t count))                         \
  X(int, x509_crt_set_activation_time, (void *, time_t))                                         \
  X(int, x509_crt_set_expiration_time, (void *, time_t))                                         \
  X(int, x509_crt_set_dn_by_oid,                                                                 \
    (void *, const char *oid, unsigned raw, const void *name, unsigned count))                   \
  X(int, x509_crt_set_key, (void *, void *key))                                                  \
  X(int, x509_crt_set_basic_constraints, (void *, unsigned is_authority, int length))            \
  X(int, x509_crt_get_key_id, (void *, unsigned flags, unsigned char *, size_t *))               \
  X(int, x509_crt_set_subject_key_id, (void *, const void *, size_t))                            \
  X(int, x509_crt_set_authority_key_id, (void *, const void *, size_t))                          \
  X(int, x509_crt_set_key_usage, (void *, unsigned))                                             \
  X(int, x509_crt_set_key_purpose_oid, (void *, const void *oid, unsigned critical))             \
  X(int, x509_crt_set_subject_alt_name, (void *, int kind, const void *, unsigned, unsigned))    \
  X(int, x509_crt_sign2, (void *, void *issuer, void *key, int digest, unsigned flags))          \
  X(int, x509_crt_export2, (void *, int format, gnutls_datum *))                                 \
  X(int, pcert_import_x509, (void *, void *certificate, unsigned flags))                         \
  X(void, pcert_deinit, (void *))                                                                \
  X(int, rnd, (int level, void *, size_t))                                                       \
  X(int, certificate_allocate_credentials, (void **))                                            \
  X(void, certificate_free_credentials, (void *))                                                \
  X(void, certificate_set_retrieve_function2, (void *, gnutls_chooser))                          \
  X(int, init, (void **session, unsigned flags))                                                 \
  X(void, deinit, (void *session))                                                               \
  X(int, set_default_priority, (void *session))                                                  \
  X(int, credentials_set, (void *session, int kind, void *))                                     \
  X(int, alpn_set_protocols, (void *session, const gnutls_datum *, unsigned count, unsigned))    \
  X(int, alpn_get_selected_protocol, (void *session, gnutls_datum *))                            \
  X(void, transport_set_int2, (void *session, int, int))                                         \
  X(int, handshake, (void *session))                                                             \
  X(int, record_get_direction, (void *session))                                                  \
  X(ssize_t, record_recv, (void *session, void *, size_t))                                       \
  X(ssize_t, record_send, (void *session, const void *, size_t))                                 \
  X(int, bye, (void *session, int how))                                                          \
  X(void, session_set_ptr, (void *, void *))                                                     \
  X(void *, session_get_ptr, (void *))

struct flow_gnutls {
  GNUTLS_FUNCTIONS(MEMBER)
#undef MEMBER
  /// gnutls_free is a variable.
  void (**free)(void *);
};

#endif
