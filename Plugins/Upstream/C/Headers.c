#include "Server.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Headers of requests and answers in order.

void flow_headers_free(flow_headers *headers) {
  for (size_t index = 0; index < headers->count; index++) {
    free(headers->items[index].name);
    free(headers->items[index].value);
  }
  free(headers->items);
  *headers = (flow_headers){0};
}

static char *copy(const char *text, size_t count) {
  char *copied = malloc(count + 1);
  if (!copied) return NULL;
  if (count) memcpy(copied, text, count);
  copied[count] = 0;
  return copied;
}

bool flow_headers_add(
  flow_headers *headers, const char *name, size_t name_count, const char *value, size_t value_count) {
  // Grows at powers of two.
  if ((headers->count & (headers->count - 1)) == 0) {
    size_t capacity = headers->count ? headers->count * 2 : 1;
    flow_header *items = realloc(headers->items, capacity * sizeof *items);
    if (!items) return false;
    headers->items = items;
  }
  flow_header header = {copy(name, name_count), copy(value, value_count), name_count, value_count};
  if (header.name && header.value) {
    headers->items[headers->count++] = header;
    return true;
  }
  free(header.name);
  free(header.value);
  return false;
}

static size_t index_of(const flow_headers *headers, const char *name) {
  size_t index = 0;
  while (index < headers->count && strcasecmp(headers->items[index].name, name)) index++;
  return index;
}

const char *flow_headers_find(const flow_headers *headers, const char *name) {
  size_t index = index_of(headers, name);
  return index < headers->count ? headers->items[index].value : NULL;
}

void flow_headers_remove(flow_headers *headers, size_t index) {
  free(headers->items[index].name);
  free(headers->items[index].value);
  headers->count--;
  memmove(&headers->items[index], &headers->items[index + 1], (headers->count - index) * sizeof *headers->items);
}

bool flow_headers_add_first(flow_headers *headers, const char *name, const char *value) {
  if (!flow_headers_add(headers, name, strlen(name), value, strlen(value))) return false;
  flow_header first = headers->items[headers->count - 1];
  memmove(&headers->items[1], headers->items, (headers->count - 1) * sizeof first);
  headers->items[0] = first;
  return true;
}

bool flow_headers_join(
  flow_headers *headers, const char *name, const char *separator, const char *value, size_t value_count) {
  size_t index = index_of(headers, name), separator_count = strlen(separator);
  if (index == headers->count) return false;
  flow_header *header = &headers->items[index];
  char *joined = realloc(header->value, header->value_count + separator_count + value_count + 1);
  if (!joined) return false;
  memcpy(joined + header->value_count, separator, separator_count);
  memcpy(joined + header->value_count + separator_count, value, value_count);
  header->value = joined;
  header->value_count += separator_count + value_count;
  joined[header->value_count] = 0;
  return true;
}
