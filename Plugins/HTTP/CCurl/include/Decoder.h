#ifndef FLOW_DECODER_H
#define FLOW_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Decompresses the content codings of HTTP (RFC 9110, section 8.4.1). libcurl does it as well, but fails where a body
// has several members of gzip (RFC 1952, section 2.2) or a coding that it does not know, and its body is lost then.
// The libraries are those that libcurl uses; each is loaded when it is first needed, and may be missing.

#pragma clang assume_nonnull begin

/// A content coding.
typedef enum __attribute__((enum_extensibility(closed))) : int32_t {
  flow_coding_gzip,
  /// In zlib's format, or without it as some servers send it.
  flow_coding_deflate,
  flow_coding_brotli,
  flow_coding_zstd,
} flow_coding;

/// One body that is being decompressed.
typedef struct flow_decoder flow_decoder;

/// True if the system has the library of a coding.
bool flow_coding_is_known(flow_coding coding);

/// A decoder at the begin of a body; NULL without the library or memory.
flow_decoder *_Nullable flow_decoder_new(flow_coding coding);
/// Frees a decoder.
void flow_decoder_free(flow_decoder *decoder);

/// Decompresses as much as there is room for, and moves `from` and `count` behind what it has read.
///
/// The result is the number of bytes that were written, or -1 when the body is broken. It is called again while there
/// is something left to read, and when it has filled the room.
long flow_decoder_decode(
  flow_decoder *decoder, const uint8_t *_Nullable *_Nonnull from, size_t *count, uint8_t *to,
  size_t room);

/// True if a body may end here.
bool flow_decoder_is_complete(const flow_decoder *decoder);

#pragma clang assume_nonnull end

#endif
