#include "CZlib.h"

#include <dlfcn.h>
#include <pthread.h>

// `compress2`, declared from zlib's manual.
typedef int (*compress_function)(
    unsigned char *to, unsigned long *capacity, const unsigned char *from, unsigned long count,
    int level);

enum { succeeded = 0, level = 9 };

static compress_function compress2;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
#ifdef __APPLE__
  void *library = dlopen("libz.1.dylib", RTLD_NOW | RTLD_LOCAL);
#else
  void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
#endif
  if (library) *(void **)&compress2 = dlsym(library, "compress2");
}

size_t flow_zlib_compress(uint8_t *to, size_t capacity, const uint8_t *from, size_t count) {
  pthread_once(&once, load);
  if (!compress2) return 0;
  unsigned long written = capacity;
  return compress2(to, &written, from, count, level) == succeeded ? written : 0;
}
