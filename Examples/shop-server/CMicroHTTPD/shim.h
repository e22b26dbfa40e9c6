#ifndef FLOW_CMICROHTTPD_SHIM_H
#define FLOW_CMICROHTTPD_SHIM_H

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>

/* Swift calls no function with variable arguments and imports no macro that is a cast; the names that it gives the
   enumerations differ between versions of the library. */

static const enum MHD_Result flow_mhd_yes = MHD_YES;
static const enum MHD_Result flow_mhd_no = MHD_NO;

/* Listens on the loopback interface; each connection has a thread, so that an answer may wait. */
static inline struct MHD_Daemon *flow_mhd_start(
    uint16_t port, unsigned connection_limit, MHD_AccessHandlerCallback handler,
    MHD_RequestCompletedCallback completed, void *context) {
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return MHD_start_daemon(
      MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL, port, NULL, NULL,
      handler, context, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address, MHD_OPTION_NOTIFY_COMPLETED,
      completed, NULL, MHD_OPTION_CONNECTION_LIMIT, connection_limit, MHD_OPTION_END);
}

/* The port that the system chose; 0 when it is unknown. */
static inline uint16_t flow_mhd_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}

/* The socket of a connection; -1 when it is unknown. */
static inline int flow_mhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

/* A header of a request; NULL when it has none of this name. */
static inline const char *flow_mhd_header(struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* A parameter of a request's query, decoded; NULL when it has none of this name, or one without a value. */
static inline const char *flow_mhd_parameter(struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
}

/* An answer with a copy of these bytes. */
static inline struct MHD_Response *flow_mhd_answer(const void *bytes, size_t count) {
  return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

/* An answer without a length, whose parts a function hands out; -1 from it is the end. */
static inline struct MHD_Response *flow_mhd_stream(
    MHD_ContentReaderCallback reader, void *context, MHD_ContentReaderFreeCallback free) {
  return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, reader, context, free);
}

#endif
