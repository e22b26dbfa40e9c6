#ifndef FLOW_CCODING_H
#define FLOW_CCODING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Decompresses the content codings of HTTP (RFC 9110, section 8.4.1). libcurl can do this as well,
// but it fails and loses the body if that has several members of gzip (RFC 1952, section 2.2) or an
// unknown coding. The libraries are those used by libcurl. Each is loaded on first use and may be
// missing.

#pragma clang assume_nonnull begin

/// A content coding.
typedef enum __attribute__((enum_extensibility(closed))) : int32_t {
  flow_coding_gzip,
  /// In zlib's format, or without it as some servers send it.
  flow_coding_deflate,
  flow_coding_brotli,
  flow_coding_zstd,
} flow_coding;

/// A body being decompressed.
typedef struct flow_decoder flow_decoder;

/// Returns true if the system has the library of a coding.
bool flow_coding_is_known(flow_coding coding);

/// Creates a decoder for a body, or returns NULL without the library or memory.
flow_decoder *_Nullable flow_decoder_new(flow_coding coding);
/// Frees a decoder.
void flow_decoder_free(flow_decoder *decoder);

/// Decompresses as much as fits, and moves `from` and `count` past the bytes read.
///
/// Returns the number of bytes written, or -1 for a broken body. It is called again while there is
/// input left, and after it has filled the room.
long flow_decoder_decode(
  flow_decoder *decoder, const uint8_t *_Nullable *_Nonnull from, size_t *count, uint8_t *to,
  size_t room);

/// Returns true if a body may end here.
bool flow_decoder_is_complete(const flow_decoder *decoder);

#pragma clang assume_nonnull end

#endif
