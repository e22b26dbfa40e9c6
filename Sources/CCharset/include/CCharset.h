#ifndef FLOW_CCHARSET_H
#define FLOW_CCHARSET_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Decodes bytes by iconv(3) into UTF-8, or returns NULL for invalid bytes or an unknown charset.
///
/// The result is freed with `flow_text_free`. Swift cannot call iconv on every system: on some it
/// is a macro. `place` is set to the byte offset of the first invalid byte, or to `count` for an
/// unknown charset.
uint8_t *_Nullable flow_text_decode(
  const char *charset, const uint8_t *bytes, size_t count, size_t *length, size_t *place);

/// Frees a decoded text.
void flow_text_free(uint8_t *text);

#pragma clang assume_nonnull end

#endif
