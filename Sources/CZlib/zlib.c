#include "CZlib.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

// `z_stream` and the functions as zlib's manual declares them.
typedef struct {
  const unsigned char *next_in;
  unsigned int avail_in;
  unsigned long total_in;
  unsigned char *next_out;
  unsigned int avail_out;
  unsigned long total_out;
  const char *msg;
  void *state, *zalloc, *zfree, *opaque;
  int data_type;
  unsigned long adler, reserved;
} z_stream;

typedef int (*init_function)(z_stream *, int level, const char *version, int size);
typedef int (*reset_function)(z_stream *);
typedef int (*deflate_function)(z_stream *, int flush);
typedef int (*end_function)(z_stream *);
typedef int (*inflate_init_function)(z_stream *, const char *version, int size);
typedef int (*inflate_function)(z_stream *, int flush);

enum { succeeded = 0, ended = 1, finish = 4 };

// Pages are made more often than they are looked at: level 6 takes twice as long for a tenth less.
enum { level = 1 };

static init_function init;
static reset_function reset;
static deflate_function deflate;
static end_function end;
static inflate_init_function inflate_init;
static inflate_function inflate;
static end_function inflate_end;
static pthread_key_t streams;
static int is_ready;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void discard(void *stream) {
  end(stream);
  free(stream);
}

static void load(void) {
#ifdef __APPLE__
  void *library = dlopen("libz.1.dylib", RTLD_NOW | RTLD_LOCAL);
#else
  void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
#endif
  if (!library) return;
  *(void **)&init = dlsym(library, "deflateInit_");
  *(void **)&reset = dlsym(library, "deflateReset");
  *(void **)&deflate = dlsym(library, "deflate");
  *(void **)&end = dlsym(library, "deflateEnd");
  *(void **)&inflate_init = dlsym(library, "inflateInit_");
  *(void **)&inflate = dlsym(library, "inflate");
  *(void **)&inflate_end = dlsym(library, "inflateEnd");
  is_ready = inflate_init && inflate && inflate_end && init && reset && deflate && end && pthread_key_create(&streams, discard) == 0;
}

// The calling thread's stream: its 268 KB are more work to allocate and clear than most texts are to compress.
static z_stream *own_stream(void) {
  z_stream *stream = pthread_getspecific(streams);
  if (stream) return reset(stream) == succeeded ? stream : NULL;
  stream = calloc(1, sizeof *stream);
  if (!stream) return NULL;
  // Only the version's first digit is compared.
  if (init(stream, level, "1", sizeof *stream) != succeeded) {
    free(stream);
    return NULL;
  }
  if (pthread_setspecific(streams, stream) == 0) return stream;
  discard(stream);
  return NULL;
}

size_t flow_zlib_compress(uint8_t *to, size_t capacity, const uint8_t *from, size_t count) {
  pthread_once(&once, load);
  if (!is_ready || count > UINT32_MAX || capacity > UINT32_MAX) return 0;
  z_stream *stream = own_stream();
  if (!stream) return 0;
  stream->next_in = from;
  stream->avail_in = (unsigned int)count;
  stream->next_out = to;
  stream->avail_out = (unsigned int)capacity;
  return deflate(stream, finish) == ended ? stream->total_out : 0;
}

ptrdiff_t flow_zlib_expand(uint8_t *to, size_t capacity, const uint8_t *from, size_t count) {
  pthread_once(&once, load);
  if (!is_ready || count > UINT32_MAX || capacity > UINT32_MAX) return -1;
  z_stream stream = {0};
  if (inflate_init(&stream, "1", sizeof stream) != succeeded) return -1;
  stream.next_in = from;
  stream.avail_in = (unsigned int)count;
  stream.next_out = to;
  stream.avail_out = (unsigned int)capacity;
  int result = inflate(&stream, finish);
  ptrdiff_t written = result == ended && stream.avail_in == 0 ? (ptrdiff_t)stream.total_out : -1;
  inflate_end(&stream);
  return written;
}
