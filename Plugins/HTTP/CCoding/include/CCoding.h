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

/// A compressor or a decompressor of the messages of a WebSocket connection (RFC 7692), whose data is
/// raw deflate without the last four bytes of each message.
typedef struct flow_message_coder flow_message_coder;

/// Returns true if the system has zlib.
bool flow_message_coder_is_known(void);

/// Creates a compressor with a window of 2 to the power of `window_bits`, 9 to 15, or returns NULL
/// without zlib or memory.
flow_message_coder *_Nullable flow_message_deflater_new(int window_bits);
/// Creates a decompressor for windows of any size, or returns NULL without zlib or memory.
flow_message_coder *_Nullable flow_message_inflater_new(void);
/// Frees a coder.
void flow_message_coder_free(flow_message_coder *coder);

/// Codes as much as fits, and moves `from` and `count` past the bytes read.
///
/// Returns the number of bytes written, or -1 for broken data. It is called again while there is
/// input left, and after it has filled the room. A compressor flushes all of its input.
long flow_message_coder_run(
  flow_message_coder *coder, const uint8_t *_Nullable *_Nonnull from, size_t *count, uint8_t *to,
  size_t room);

/// Returns true if a decompressed message may end here.
bool flow_message_coder_is_complete(const flow_message_coder *coder);
/// Returns true if the data read last was marked as the end of a stream, without any after it.
bool flow_message_coder_has_ended(const flow_message_coder *coder);
/// Forgets the earlier messages, so that the next one is coded on its own.
void flow_message_coder_reset(flow_message_coder *coder);

#pragma clang assume_nonnull end

#endif
