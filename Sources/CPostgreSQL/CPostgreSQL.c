#include "CPostgreSQL.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>

static bool find_functions(void *library, flow_pq *pq, const char **problem) {
#define FIND(result, name, parameters)                       \
  *(void **)&pq->name = dlsym(library, "PQ" #name);          \
  if (!pq->name) {                                           \
    *problem = "it is too old: it has no PQ" #name;          \
    return false;                                            \
  }
  FLOW_PQ_FUNCTIONS(FIND)
#undef FIND
  return true;
}

const flow_pq *flow_pq_load(const char *file, const char **problem) {
  // Never unloaded: libraries below it, such as OpenSSL, register what runs at the end of the process.
  void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    const char *text = dlerror();
    *problem = text ? text : "the system does not say why";
    return NULL;
  }
  flow_pq *pq = calloc(1, sizeof *pq);
  *problem = "there is no memory";
  if (!pq || !find_functions(library, pq, problem)) {
    free(pq);
    return NULL;
  }
  return pq;
}

int flow_pq_wait(int socket, bool writes, int milliseconds) {
  struct pollfd descriptor = {.fd = socket, .events = writes ? POLLIN | POLLOUT : POLLIN};
  int ready;
  // A signal makes it wait anew, which only a flood of them would draw out.
  do ready = poll(&descriptor, 1, milliseconds);
  while (ready < 0 && errno == EINTR);
  return ready;
}
