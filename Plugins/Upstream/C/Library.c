#include "Library.h"

static const flow_library httpd = {
  "microhttpd",
  {12},
  sizeof(flow_httpd),
#define NAME(result, name, parameters) "MHD_" #name,
  (const char *const[]){HTTPD_FUNCTIONS(NAME) NULL},
#undef NAME
};

flow_httpd *flow_httpd_load(flow_library_problem *problem) { return flow_library_load(&httpd, problem); }

static const flow_library nghttp2 = {
  "nghttp2",
  {14},
  sizeof(flow_nghttp2),
#define NAME(result, name, parameters) "nghttp2_" #name,
  (const char *const[]){NGHTTP2_FUNCTIONS(NAME) NULL},
#undef NAME
};

flow_nghttp2 *flow_nghttp2_load(flow_library_problem *problem) { return flow_library_load(&nghttp2, problem); }

static const flow_library gnutls = {
  "gnutls",
  {30},
  sizeof(flow_gnutls),
#define NAME(result, name, parameters) "gnutls_" #name,
  (const char *const[]){GNUTLS_FUNCTIONS(NAME) "gnutls_free", NULL},
#undef NAME
};

flow_gnutls *flow_gnutls_load(flow_library_problem *problem) { return flow_library_load(&gnutls, problem); }
