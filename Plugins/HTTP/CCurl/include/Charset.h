#ifndef FLOW_CHARSET_H
#define FLOW_CHARSET_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Decodes a text by iconv(3) into UTF-8; NULL where it is not of the charset, or the system does not know that.
///
/// The result is freed with `flow_text_free`. Swift cannot call iconv on every system: on some it is a macro.
/// `place` is where the text is not of the charset, in bytes, and the text's length where the charset is not known.
uint8_t *_Nullable flow_text_decode(
  const char *charset, const uint8_t *bytes, size_t count, size_t *length, size_t *place);

/// Frees a decoded text.
void flow_text_free(uint8_t *text);

#pragma clang assume_nonnull end

#endif
