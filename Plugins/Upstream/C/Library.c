#include "Library.h"

#include <dlfcn.h>
#include <stdlib.h>

// Neither library is ever unloaded: those below register functions for the end of the process.
static void *load(const char *file, size_t count, void **functions, const char **problem) {
  void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
  *functions = calloc(1, count);
  if (library && *functions) return library;
  const char *text = library ? "the system is out of memory" : dlerror();
  *problem = text ? text : "the system gave no reason";
  free(*functions);
  return NULL;
}

#define FIND(prefix, functions, name)                                     \
  *(void **)&functions->name = dlsym(library, prefix #name);              \
  if (!functions->name) {                                                 \
    *problem = "it is too old: it has no " prefix #name;                  \
    free(functions);                                                      \
    return NULL;                                                          \
  }

flow_httpd *flow_httpd_load(const char *file, const char **problem) {
  flow_httpd *httpd;
  void *library = load(file, sizeof *httpd, (void **)&httpd, problem);
  if (!library) return NULL;
#define FIND_HTTPD(result, name, parameters) FIND("MHD_", httpd, name)
  HTTPD_FUNCTIONS(FIND_HTTPD)
  return httpd;
}

flow_gnutls *flow_gnutls_load(const char *file, const char **problem) {
  flow_gnutls *gnutls;
  void *library = load(file, sizeof *gnutls, (void **)&gnutls, problem);
  if (!library) return NULL;
#define FIND_GNUTLS(result, name, parameters) FIND("gnutls_", gnutls, name)
  GNUTLS_FUNCTIONS(FIND_GNUTLS)
  FIND("gnutls_", gnutls, free)
  return gnutls;
}
