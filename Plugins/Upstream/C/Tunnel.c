#include "Server.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// The heads of tunnels through a proxy (RFC 9110, section 9.3.6). Bytes are looked at without being
// taken, so that those of other requests stay for libmicrohttpd.

enum { greatest_head = 8192, shortest_head = 8 };

#ifdef MSG_NOSIGNAL
enum { send_flags = MSG_NOSIGNAL };
#else
enum { send_flags = 0 };
#endif

void flow_socket_wait_for(int socket, size_t count) {
  int least = (int)count;
  setsockopt(socket, SOL_SOCKET, SO_RCVLOWAT, &least, sizeof least);
}

// The socket is readable again with one byte more.
static flow_head wait_for(int socket, size_t count) {
  flow_socket_wait_for(socket, count);
  return head_incomplete;
}

void flow_socket_refuse(flow_server *server, int socket, flow_refusal refusal, const char *answer) {
  (void)!send(socket, answer, strlen(answer), send_flags);
  server->events.refused(server->events.context, refusal);
  // Its end would be a reset with bytes not taken.
  char bytes[greatest_head];
  (void)recv(socket, bytes, sizeof bytes, 0);
}

static flow_head refuse(flow_server *server, int socket, flow_refusal refusal, const char *answer) {
  flow_socket_refuse(server, socket, refusal, answer);
  return head_over;
}

static bool is_authority(const char *text, size_t count) {
  for (size_t index = 0; index < count; index++) {
    char byte = text[index];
    bool is_letter = (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
    if (!is_letter && !(byte >= '0' && byte <= '9') && !memchr(".-_:[]", byte, 6)) return false;
  }
  return count > 0 && count < 300;
}

static char *user_in(const flow_server *server, const char *head) {
  for (const char *line = strstr(head, "\r\n"); line; line = strstr(line + 2, "\r\n")) {
    const char *name = "proxy-authorization:";
    if (strncasecmp(line + 2, name, strlen(name))) continue;
    const char *value = line + 2 + strlen(name);
    value += strspn(value, " \t");
    return flow_user_of(server, value, strcspn(value, "\r"));
  }
  return NULL;
}

static flow_head open_tunnel(flow_server *server, int socket, char *head, flow_tunnel *tunnel) {
  const char *start = head + 8;
  size_t count = strcspn(start, " \r\n");
  if (start[count] != ' ' || !is_authority(start, count)) {
    return refuse(server, socket, flow_refusal_head,
      "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  }
  tunnel->user = user_in(server, head);
  if (!tunnel->user) {
    return refuse(server, socket, flow_refusal_credentials,
      "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"flow\"\r\n"
      "Connection: close\r\nContent-Length: 0\r\n\r\n");
  }
  const char answer[] = "HTTP/1.1 200 Connection Established\r\n\r\n";
  tunnel->host = strndup(start, count);
  if (tunnel->host && send(socket, answer, sizeof answer - 1, send_flags) == sizeof answer - 1) return head_tunnel;
  flow_tunnel_free(tunnel);
  return head_over;
}

void flow_tunnel_free(flow_tunnel *tunnel) {
  free(tunnel->host);
  free(tunnel->user);
  *tunnel = (flow_tunnel){0};
}

flow_head flow_tunnel_read(flow_server *server, int socket, flow_tunnel *tunnel) {
  char head[greatest_head + 1];
  ssize_t count = recv(socket, head, greatest_head, MSG_PEEK);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return wait_for(socket, shortest_head);
  if (count <= 0) return head_over;
  head[count] = 0;
  // The end of the connection makes it readable with fewer bytes, too.
  if (count < shortest_head) return head_over;
  if (memcmp(head, "CONNECT ", 8)) {
    wait_for(socket, 1);
    return head_plain;
  }
  // Bytes behind a NUL are never a head.
  char *end = strstr(head, "\r\n\r\n");
  if (!end && (count == greatest_head || strlen(head) < (size_t)count)) {
    return refuse(server, socket, flow_refusal_head,
      "HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  }
  if (!end) return wait_for(socket, (size_t)count + 1);
  wait_for(socket, 1);
  size_t taken = (size_t)(end + 4 - head);
  char rest[greatest_head];
  if (recv(socket, rest, taken, 0) != (ssize_t)taken) return head_over;
  end[4] = 0;
  return open_tunnel(server, socket, head, tunnel);
}
