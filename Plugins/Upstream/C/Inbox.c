#include "Server.h"

#include <stdlib.h>
#include <string.h>

// The bytes of a client that the receiver of a request reads piece by piece.

static bool fits(flow_request *request, size_t count) {
  if (count <= request->inbox_capacity - request->inbox_count) return true;
  size_t capacity = request->inbox_capacity ? request->inbox_capacity : 4096;
  while (capacity - request->inbox_count < count) capacity *= 2;
  uint8_t *inbox = realloc(request->inbox, capacity);
  if (!inbox) return false;
  request->inbox = inbox;
  request->inbox_capacity = capacity;
  return true;
}

size_t flow_inbox_room(flow_request *request) {
  pthread_mutex_lock(&request->server->mutex);
  size_t count = request->inbox_count;
  pthread_mutex_unlock(&request->server->mutex);
  return count < flow_inbox_window ? flow_inbox_window - count : 0;
}

// Calls a reader that found nothing.
static void call_reader(flow_request *request, bool is_waiting) {
  flow_server *server = request->server;
  if (is_waiting) server->events.readable(server->events.context, request->number);
}

bool flow_inbox_add(flow_request *request, const void *bytes, size_t count) {
  pthread_mutex_lock(&request->server->mutex);
  bool is_added = fits(request, count);
  if (is_added && count) {
    memcpy(request->inbox + request->inbox_count, bytes, count);
    request->inbox_count += count;
  }
  bool is_waiting = is_added && count && request->wants_bytes;
  if (is_waiting) request->wants_bytes = false;
  pthread_mutex_unlock(&request->server->mutex);
  call_reader(request, is_waiting);
  return is_added;
}

void flow_inbox_finish(flow_request *request) {
  pthread_mutex_lock(&request->server->mutex);
  request->inbox_has_end = true;
  bool is_waiting = request->wants_bytes;
  request->wants_bytes = false;
  pthread_mutex_unlock(&request->server->mutex);
  call_reader(request, is_waiting);
}

static flow_taken take(flow_request *request, void *bytes, size_t room, size_t *count) {
  if (request->inbox_count) {
    *count = request->inbox_count < room ? request->inbox_count : room;
    memcpy(bytes, request->inbox, *count);
    request->inbox_count -= *count;
    memmove(request->inbox, request->inbox + *count, request->inbox_count);
    request->inbox_taken += *count;
    if (request->wire) flow_wire_change(request->wire);
    return flow_taken_some;
  }
  if (request->inbox_has_end) return flow_taken_end;
  bool may_come = request->state == state_waiting || request->state == state_streaming;
  if (!may_come || request->has_left || request->breaks) return flow_taken_gone;
  request->wants_bytes = true;
  return flow_taken_none;
}

flow_taken flow_request_read(flow_request *request, void *bytes, size_t room, size_t *count) {
  *count = 0;
  pthread_mutex_lock(&request->server->mutex);
  request->is_read = true;
  flow_taken taken = take(request, bytes, room, count);
  pthread_mutex_unlock(&request->server->mutex);
  return taken;
}
