#include "CZlib.h"
#include "CLibrary.h"

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

typedef struct {
  int (*init)(z_stream *, int level, const char *version, int size);
  int (*reset)(z_stream *);
  int (*deflate)(z_stream *, int flush);
  int (*end)(z_stream *);
} functions;

static const flow_library library = {
  "z", {1}, sizeof(functions),
  (const char *const[]){"deflateInit_", "deflateReset", "deflate", "deflateEnd", NULL}};

enum { succeeded = 0, ended = 1, finish = 4 };

// Pages are made more often than they are looked at: level 6 takes twice as long for a tenth less.
enum { level = 1 };

static functions *zlib;
static pthread_key_t streams;
static int is_ready;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void discard(void *stream) {
  zlib->end(stream);
  free(stream);
}

static void load(void) {
  flow_library_problem problem;
  zlib = flow_library_load(&library, &problem);
  is_ready = zlib && pthread_key_create(&streams, discard) == 0;
}

// The calling thread's stream: its 268 KB are more work to allocate and clear than most texts are to compress.
static z_stream *own_stream(void) {
  z_stream *stream = pthread_getspecific(streams);
  if (stream) return zlib->reset(stream) == succeeded ? stream : NULL;
  stream = calloc(1, sizeof *stream);
  if (!stream) return NULL;
  // Only the version's first digit is compared.
  if (zlib->init(stream, level, "1", sizeof *stream) != succeeded) {
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
  return zlib->deflate(stream, finish) == ended ? stream->total_out : 0;
}
