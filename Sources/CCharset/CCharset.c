#include "CCharset.h"

#include <errno.h>
#include <iconv.h>
#include <stdlib.h>

// Grows a buffer, or frees it and returns NULL without memory.
static uint8_t *grow(uint8_t *text, size_t capacity) {
  uint8_t *grown = realloc(text, capacity);
  if (!grown) free(text);
  return grown;
}

static uint8_t *convert(iconv_t converter, const uint8_t *bytes, size_t count, size_t *length, size_t *place) {
  size_t capacity = count + count / 2 + 16, left = count;
  uint8_t *text = malloc(capacity);
  char *from = (char *)bytes;
  // A final call without input flushes the state of a stateful charset.
  for (int is_ending = 0; text;) {
    char *to = (char *)text + *length;
    size_t room = capacity - *length;
    size_t result = iconv(converter, is_ending ? NULL : &from, is_ending ? NULL : &left, &to, &room);
    *length = (size_t)((uint8_t *)to - text);
    if (result != (size_t)-1) {
      if (is_ending) return text;
      is_ending = 1;
    } else if (errno == E2BIG) {
      capacity *= 2;
      text = grow(text, capacity);
    } else {
      *place = count - left;
      free(text);
      return NULL;
    }
  }
  return NULL;
}

uint8_t *flow_text_decode(
  const char *charset, const uint8_t *bytes, size_t count, size_t *length, size_t *place) {
  *length = 0;
  *place = count;
  iconv_t converter = iconv_open("UTF-8", charset);
  if (converter == (iconv_t)-1) return NULL;
  uint8_t *text = convert(converter, bytes, count, length, place);
  iconv_close(converter);
  return text;
}

void flow_text_free(uint8_t *text) { free(text); }
