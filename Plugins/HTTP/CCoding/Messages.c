#include "CCoding.h"
#include "CLibrary.h"
#include "Zlib.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

// MARK: - The functions in use

static struct {
  int (*deflateInit2_)(
    struct z_stream *, int level, int method, int format, int memory, int strategy,
    const char *version, int size);
  int (*deflate)(struct z_stream *, int flush);
  int (*deflateReset)(struct z_stream *);
  int (*deflateEnd)(struct z_stream *);
  int (*inflateInit2_)(struct z_stream *, int format, const char *version, int size);
  int (*inflate)(struct z_stream *, int flush);
  int (*inflateReset)(struct z_stream *);
  int (*inflateEnd)(struct z_stream *);
} *zlib;

static const flow_library library = {
  "z", {1}, sizeof *zlib,
  (const char *const[]){
    "deflateInit2_", "deflate", "deflateReset", "deflateEnd", "inflateInit2_", "inflate",
    "inflateReset", "inflateEnd", NULL}};

enum {
  // zlib's own default, and the one method that exists.
  level = 6,
  method = 8,
  memory = 8,
  default_strategy = 0,
  no_flush = 0,
  sync_flush = 2,
  // In `data_type`, a bit of the position between two blocks.
  between_blocks = 128,
};

static void load(void) {
  flow_library_problem problem;
  zlib = flow_library_load(&library, &problem);
}

bool flow_message_coder_is_known(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return zlib != NULL;
}

// MARK: - One side of a connection

struct flow_message_coder {
  struct z_stream stream;
  bool is_deflater;
  // True after a block that is marked as the last one.
  bool has_ended;
};

static flow_message_coder *new_coder(bool is_deflater, int window_bits) {
  if (!flow_message_coder_is_known()) return NULL;
  flow_message_coder *coder = calloc(1, sizeof *coder);
  if (!coder) return NULL;
  coder->is_deflater = is_deflater;
  // A negative format is the raw one. Only the first digit of the version is compared.
  int result =
    is_deflater
      ? zlib->deflateInit2_(
          &coder->stream, level, method, -window_bits, memory, default_strategy, "1",
          sizeof coder->stream)
      : zlib->inflateInit2_(&coder->stream, -window_bits, "1", sizeof coder->stream);
  if (result == z_ok) return coder;
  free(coder);
  return NULL;
}

flow_message_coder *flow_message_deflater_new(int window_bits) {
  return new_coder(true, window_bits);
}

flow_message_coder *flow_message_inflater_new(void) { return new_coder(false, 15); }

void flow_message_coder_free(flow_message_coder *coder) {
  if (coder->is_deflater) zlib->deflateEnd(&coder->stream);
  else zlib->inflateEnd(&coder->stream);
  free(coder);
}

void flow_message_coder_reset(flow_message_coder *coder) {
  if (coder->is_deflater) zlib->deflateReset(&coder->stream);
  else zlib->inflateReset(&coder->stream);
  coder->has_ended = false;
}

long flow_message_coder_run(
  flow_message_coder *coder, const uint8_t **from, size_t *count, uint8_t *to, size_t room) {
  struct z_stream *stream = &coder->stream;
  // Another stream follows the marked end of one (RFC 7692, section 7.2.3.4).
  if (coder->has_ended && *count > 0) flow_message_coder_reset(coder);
  unsigned int offered = *count < UINT_MAX ? (unsigned int)*count : UINT_MAX;
  unsigned int offered_room = room < INT_MAX ? (unsigned int)room : INT_MAX;
  stream->next_in = *from;
  stream->avail_in = offered;
  stream->next_out = to;
  stream->avail_out = offered_room;
  int result =
    coder->is_deflater ? zlib->deflate(stream, sync_flush) : zlib->inflate(stream, no_flush);
  *from += offered - stream->avail_in;
  *count -= offered - stream->avail_in;
  if (result == z_end) coder->has_ended = true;
  bool is_good = result == z_ok || result == z_end || result == z_no_progress;
  return is_good ? (long)(offered_room - stream->avail_out) : -1;
}

bool flow_message_coder_is_complete(const flow_message_coder *coder) {
  return coder->has_ended || (coder->stream.data_type & between_blocks) != 0;
}

bool flow_message_coder_has_ended(const flow_message_coder *coder) { return coder->has_ended; }
