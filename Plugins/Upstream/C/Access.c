#include "Server.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Who may use a proxy: everyone with its token, under any user name (RFC 7617).

enum { greatest_pair = 384 };

static int digit(unsigned char byte) {
  if (byte >= 'A' && byte <= 'Z') return byte - 'A';
  if (byte >= 'a' && byte <= 'z') return byte - 'a' + 26;
  if (byte >= '0' && byte <= '9') return byte - '0' + 52;
  return byte == '+' ? 62 : byte == '/' ? 63 : -1;
}

// Decodes base 64 (RFC 4648, section 4) into a text, or returns false for anything else.
static bool decode(const char *text, size_t count, char pair[greatest_pair + 1]) {
  while (count && text[count - 1] == '=') count--;
  size_t length = 0;
  unsigned bits = 0, held = 0;
  for (size_t index = 0; index < count; index++) {
    int value = digit((unsigned char)text[index]);
    if (value < 0 || length == greatest_pair) return false;
    bits = bits << 6 | (unsigned)value;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    pair[length++] = (char)(bits >> held & 0xFF);
    if (!pair[length - 1]) return false;
  }
  pair[length] = 0;
  return true;
}

// The time depends on the length given alone.
static bool is_token(const char *expected, const char *given) {
  size_t length = strlen(expected), count = strlen(given);
  unsigned difference = length != count;
  for (size_t index = 0; index < count; index++) {
    difference |= (unsigned char)given[index] ^ (unsigned char)expected[index % (length + 1)];
  }
  return difference == 0;
}

char *flow_user_of(const flow_server *server, const char *value, size_t count) {
  const char *scheme = "basic ";
  char pair[greatest_pair + 1];
  if (count < strlen(scheme) || strncasecmp(value, scheme, strlen(scheme))) return NULL;
  if (!decode(value + strlen(scheme), count - strlen(scheme), pair)) return NULL;
  char *colon = strchr(pair, ':');
  if (!colon || !is_token(server->settings.token, colon + 1)) return NULL;
  return strndup(pair, (size_t)(colon - pair));
}
