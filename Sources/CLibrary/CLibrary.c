#define _GNU_SOURCE
#include "CLibrary.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Homebrew's folder on Apple silicon is not among the system's.
#ifdef __APPLE__
static const char *const forms[] = {"lib%s.%d.dylib", "/opt/homebrew/lib/lib%s.%d.dylib", NULL};
#else
static const char *const forms[] = {"lib%s.so.%d", NULL};
#endif

void flow_library_refuse(flow_library_problem *problem, const char *reason) {
  snprintf(problem->reason, sizeof problem->reason, "%s", reason);
}

// Returns the library of a file, or NULL with the reason.
static void *open_file(flow_library_problem *problem) {
  void *handle = dlopen(problem->file, RTLD_LAZY | RTLD_LOCAL);
  if (handle) return handle;
  const char *text = dlerror();
  flow_library_refuse(problem, text ? text : "the system gave no reason");
  // The only thing that says so: dlopen(3) has no codes of errors.
  problem->is_missing = strcasestr(problem->reason, "no such file") != NULL;
  return NULL;
}

static void *open_first(const flow_library *library, flow_library_problem *problem) {
  for (const int *version = library->versions; version == library->versions || *version; version++) {
    for (const char *const *form = forms; *form; form++) {
      flow_library_problem next = {0};
      snprintf(next.file, sizeof next.file, *form, library->name, *version);
      void *handle = open_file(&next);
      // The first file is named, unless the system has another one that cannot be loaded.
      if (handle || !problem->file[0] || (problem->is_missing && !next.is_missing)) *problem = next;
      if (handle) return handle;
    }
  }
  return NULL;
}

void *flow_library_load(const flow_library *library, flow_library_problem *problem) {
  *problem = (flow_library_problem){0};
  void *handle = open_first(library, problem);
  if (!handle) return NULL;
  void **table = calloc(1, library->size);
  if (!table) {
    flow_library_refuse(problem, "the system is out of memory");
    return NULL;
  }
  for (size_t index = 0; library->symbols[index]; index++) {
    table[index] = dlsym(handle, library->symbols[index]);
    if (table[index]) continue;
    snprintf(problem->reason, sizeof problem->reason, "it is too old: it has no %s", library->symbols[index]);
    free(table);
    return NULL;
  }
  return table;
}
