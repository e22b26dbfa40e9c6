#include "Library.h"

static const flow_library nghttp2 = {
  "nghttp2",
  {14},
  sizeof(flow_nghttp2),
#define NAME(result, name, parameters) "nghttp2_" #name,
  (const char *const[]){NGHTTP2_FUNCTIONS(NAME) NULL},
#undef NAME
};

flow_nghttp2 *flow_grpc_nghttp2_load(flow_library_problem *problem) { return flow_library_load(&nghttp2, problem); }

static const flow_library gnutls = {
  "gnutls",
  {30},
  sizeof(flow_tls),
#define NAME(result, name, parameters) "gnutls_" #name,
  (const char *const[]){TLS_FUNCTIONS(NAME) NULL},
#undef NAME
};

flow_tls *flow_grpc_tls_load(flow_library_problem *problem) { return flow_library_load(&gnutls, problem); }
