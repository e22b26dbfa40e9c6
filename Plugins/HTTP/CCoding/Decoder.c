#include "CCoding.h"
#include "CLibrary.h"
#include "Zlib.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// MARK: - The parts of the libraries in use, declared from their manuals

enum { gzip_format = 16 + 15, zlib_format = 15, raw_format = -15 };

static struct {
  int (*inflateInit2_)(struct z_stream *, int format, const char *version, int size);
  int (*inflate)(struct z_stream *, int flush);
  int (*inflateReset)(struct z_stream *);
  int (*inflateEnd)(struct z_stream *);
} *zlib;

// https://www.brotli.org/decode.html
enum { brotli_error = 0, brotli_success = 1 };

static struct {
  void *(*BrotliDecoderCreateInstance)(void *, void *, void *);
  int (*BrotliDecoderDecompressStream)(
    void *, size_t *count, const uint8_t **from, size_t *room, uint8_t **to, size_t *total);
  void (*BrotliDecoderDestroyInstance)(void *);
} *brotli;

// https://facebook.github.io/zstd/zstd_manual.html
struct zstd_in {
  const void *bytes;
  size_t count, position;
};
struct zstd_out {
  void *bytes;
  size_t room, position;
};

static struct {
  void *(*ZSTD_createDStream)(void);
  size_t (*ZSTD_decompressStream)(void *, struct zstd_out *, struct zstd_in *);
  size_t (*ZSTD_freeDStream)(void *);
  unsigned (*ZSTD_isError)(size_t);
} *zstd;

// MARK: - Loading

static const flow_library zlib_library = {
  "z", {1}, sizeof *zlib,
  (const char *const[]){"inflateInit2_", "inflate", "inflateReset", "inflateEnd", NULL}};
static const flow_library brotli_library = {
  "brotlidec", {1}, sizeof *brotli,
  (const char *const[]){
    "BrotliDecoderCreateInstance", "BrotliDecoderDecompressStream", "BrotliDecoderDestroyInstance",
    NULL}};
static const flow_library zstd_library = {
  "zstd", {1}, sizeof *zstd,
  (const char *const[]){
    "ZSTD_createDStream", "ZSTD_decompressStream", "ZSTD_freeDStream", "ZSTD_isError", NULL}};

static void load(void) {
  flow_library_problem problem;
  zlib = flow_library_load(&zlib_library, &problem);
  brotli = flow_library_load(&brotli_library, &problem);
  zstd = flow_library_load(&zstd_library, &problem);
}

bool flow_coding_is_known(flow_coding coding) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  switch (coding) {
  case flow_coding_gzip:
  case flow_coding_deflate: return zlib != NULL;
  case flow_coding_brotli: return brotli != NULL;
  case flow_coding_zstd: return zstd != NULL;
  }
}

// MARK: - One body

struct flow_decoder {
  flow_coding coding;
  // For gzip and deflate.
  struct z_stream stream;
  bool has_stream;
  // The first two bytes of deflate, which distinguish its formats.
  uint8_t start[2];
  unsigned int start_count;
  // For the other codings.
  void *state;
  bool is_complete;
  // True if the following bytes are not a part of the body, as after the end of gzip in browsers
  // and in gunzip.
  bool is_over;
};

static bool begin_inflating(flow_decoder *decoder, int format) {
  // Only the first digit of the version is compared.
  decoder->has_stream =
    zlib->inflateInit2_(&decoder->stream, format, "1", sizeof decoder->stream) == z_ok;
  return decoder->has_stream;
}

static bool begin(flow_decoder *decoder) {
  switch (decoder->coding) {
  case flow_coding_gzip: return begin_inflating(decoder, gzip_format);
  case flow_coding_deflate: return true;
  case flow_coding_brotli: decoder->state = brotli->BrotliDecoderCreateInstance(NULL, NULL, NULL); break;
  case flow_coding_zstd: decoder->state = zstd->ZSTD_createDStream(); break;
  }
  return decoder->state != NULL;
}

flow_decoder *flow_decoder_new(flow_coding coding) {
  flow_decoder *decoder = flow_coding_is_known(coding) ? calloc(1, sizeof *decoder) : NULL;
  if (!decoder) return NULL;
  decoder->coding = coding;
  if (begin(decoder)) return decoder;
  free(decoder);
  return NULL;
}

void flow_decoder_free(flow_decoder *decoder) {
  if (decoder->has_stream) zlib->inflateEnd(&decoder->stream);
  if (decoder->state && decoder->coding == flow_coding_brotli) brotli->BrotliDecoderDestroyInstance(decoder->state);
  if (decoder->state && decoder->coding == flow_coding_zstd) zstd->ZSTD_freeDStream(decoder->state);
  free(decoder);
}

static long inflate_some(
  flow_decoder *decoder, const uint8_t **from, size_t *count, uint8_t *to, size_t room) {
  struct z_stream *stream = &decoder->stream;
  // Another member, or the end with extra bytes from some servers.
  if (decoder->is_complete && *count > 0) {
    decoder->is_over = decoder->coding == flow_coding_deflate || **from != 0x1F;
    if (decoder->is_over) return 0;
    if (zlib->inflateReset(stream) != z_ok) return -1;
    decoder->is_complete = false;
  }
  unsigned int offered = *count < UINT_MAX ? (unsigned int)*count : UINT_MAX;
  stream->next_in = *from;
  stream->avail_in = offered;
  stream->next_out = to;
  stream->avail_out = room < INT_MAX ? (unsigned int)room : INT_MAX;
  unsigned int before = stream->avail_out;
  int result = zlib->inflate(stream, 0);
  *from += offered - stream->avail_in;
  *count -= offered - stream->avail_in;
  if (result == z_end) decoder->is_complete = true;
  bool is_good = result == z_ok || result == z_end || result == z_no_progress;
  return is_good ? (long)(before - stream->avail_out) : -1;
}

// Deflate is zlib's format (RFC 9110, section 8.4.1.2), starting with two bytes that no raw deflate
// has (RFC 1950, section 2.2). Some servers leave them out.
static long inflate_any(
  flow_decoder *decoder, const uint8_t **from, size_t *count, uint8_t *to, size_t room) {
  while (decoder->start_count < 2 && *count > 0) {
    decoder->start[decoder->start_count++] = *(*from)++;
    *count -= 1;
  }
  if (decoder->start_count < 2) return 0;
  if (decoder->has_stream) return inflate_some(decoder, from, count, to, room);
  const uint8_t *start = decoder->start;
  bool has_format = (start[0] & 0x0F) == 8 && (start[0] << 8 | start[1]) % 31 == 0;
  if (!begin_inflating(decoder, has_format ? zlib_format : raw_format)) return -1;
  size_t start_count = 2;
  long written = inflate_some(decoder, &start, &start_count, to, room);
  return start_count == 0 || decoder->is_complete ? written : -1;
}

static long decode_brotli(
  flow_decoder *decoder, const uint8_t **from, size_t *count, uint8_t *to, size_t room) {
  size_t rest = room;
  int result = brotli->BrotliDecoderDecompressStream(decoder->state, count, from, &rest, &to, NULL);
  if (result == brotli_error) return -1;
  decoder->is_complete = decoder->is_over = result == brotli_success;
  return (long)(room - rest);
}

static long decode_zstd(
  flow_decoder *decoder, const uint8_t **from, size_t *count, uint8_t *to, size_t room) {
  struct zstd_in in = {*from, *count, 0};
  struct zstd_out out = {to, room, 0};
  // Between two frames there is nothing to read: a call would start another frame.
  if (decoder->is_complete && in.count == 0) return 0;
  size_t result = zstd->ZSTD_decompressStream(decoder->state, &out, &in);
  if (zstd->ZSTD_isError(result)) return -1;
  decoder->is_complete = result == 0;
  *from += in.position;
  *count -= in.position;
  return (long)out.position;
}

long flow_decoder_decode(
  flow_decoder *decoder, const uint8_t **from, size_t *count, uint8_t *to, size_t room) {
  long written = 0;
  if (!decoder->is_over) {
    switch (decoder->coding) {
    case flow_coding_gzip: written = inflate_some(decoder, from, count, to, room); break;
    case flow_coding_deflate: written = inflate_any(decoder, from, count, to, room); break;
    case flow_coding_brotli: written = decode_brotli(decoder, from, count, to, room); break;
    case flow_coding_zstd: written = decode_zstd(decoder, from, count, to, room); break;
    }
  }
  if (decoder->is_over) {
    *from += *count;
    *count = 0;
  }
  return written;
}

bool flow_decoder_is_complete(const flow_decoder *decoder) { return decoder->is_complete; }
