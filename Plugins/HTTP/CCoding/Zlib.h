#ifndef FLOW_CCODING_ZLIB_H
#define FLOW_CCODING_ZLIB_H

#include <stdint.h>

// The parts of zlib in use, declared from https://zlib.net/manual.html.

struct z_stream {
  const uint8_t *next_in;
  unsigned int avail_in;
  unsigned long total_in;
  uint8_t *next_out;
  unsigned int avail_out;
  unsigned long total_out;
  const char *msg;
  void *state, *zalloc, *zfree, *opaque;
  int data_type;
  unsigned long adler, reserved;
};

enum { z_ok = 0, z_end = 1, z_no_progress = -5 };

#endif
