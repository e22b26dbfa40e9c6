#include "Link.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { nothing_now = -1, failed = -2 };

static ssize_t fail(char *problem, size_t room, const char *what, const char *reason) {
  snprintf(problem, room, "%s%s%s", what, *reason ? ": " : "", reason);
  return failed;
}

// MARK: - Certificates

static tls_datum datum(flow_content content) {
  return (tls_datum){(unsigned char *)content.bytes, (unsigned int)content.count};
}

bool flow_grpc_credentials_new(
  struct credentials *credentials, const flow_grpc_channel_settings *settings, char *problem, size_t room) {
  flow_tls *tls = settings->tls;
  *credentials = (struct credentials){tls, NULL, settings->is_insecure};
  if (!tls) return true;
  if (tls->certificate_allocate_credentials(&credentials->certificates) < 0) {
    return fail(problem, room, "the system is out of memory", "") == 0;
  }
  if (settings->authorities.count > 0) {
    tls_datum trusted = datum(settings->authorities);
    int count = tls->certificate_set_x509_trust_mem(credentials->certificates, &trusted, tls_pem);
    if (count <= 0) return fail(problem, room, "'ca_file' cannot be used", count < 0 ? tls->strerror(count) : "it has no certificate") == 0;
  } else {
    tls->certificate_set_x509_system_trust(credentials->certificates);
  }
  if (settings->certificate.count == 0) return true;
  tls_datum certificate = datum(settings->certificate), key = datum(settings->key);
  int code = tls->certificate_set_x509_key_mem2(
    credentials->certificates, &certificate, &key, tls_pem, settings->key_password, 0);
  if (code < 0) return fail(problem, room, "'client_cert' and 'client_key' cannot be used", tls->strerror(code)) == 0;
  return true;
}

void flow_grpc_credentials_free(struct credentials *credentials) {
  if (credentials->certificates) credentials->tls->certificate_free_credentials(credentials->certificates);
  credentials->certificates = NULL;
}

// MARK: - A connection

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// Waits for a socket, and returns false if the time is over or the channel ends.
static bool wait_for(int socket, short events, int64_t end, int wake) {
  struct pollfd descriptors[] = {{socket, events, 0}, {wake, POLLIN, 0}};
  while (true) {
    int64_t rest = end - now();
    if (rest <= 0) return false;
    int count = poll(descriptors, 2, (int)rest);
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) return descriptors[1].revents == 0;
  }
}

static int new_socket(const struct addrinfo *address) {
#ifdef SOCK_CLOEXEC
  int socket_ = socket(address->ai_family, address->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, address->ai_protocol);
#else
  int socket_ = socket(address->ai_family, address->ai_socktype, address->ai_protocol);
  if (socket_ >= 0) {
    fcntl(socket_, F_SETFD, FD_CLOEXEC);
    fcntl(socket_, F_SETFL, O_NONBLOCK);
  }
#endif
  if (socket_ < 0) return -1;
  int yes = 1;
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
#ifdef SO_NOSIGPIPE
  setsockopt(socket_, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
#endif
  return socket_;
}

// Returns a socket that is connected to an address, or -1 with the error number.
static int connected(const struct addrinfo *address, int64_t end, int wake, int *error) {
  int socket_ = new_socket(address);
  *error = errno;
  if (socket_ < 0) return -1;
  if (connect(socket_, address->ai_addr, address->ai_addrlen) == 0) return socket_;
  *error = errno;
  if (errno == EINPROGRESS) {
    socklen_t size = sizeof *error;
    *error = ETIMEDOUT;
    if (wait_for(socket_, POLLOUT, end, wake)) getsockopt(socket_, SOL_SOCKET, SO_ERROR, error, &size);
    if (*error == 0) return socket_;
  }
  close(socket_);
  return -1;
}

static bool handshake(
  struct link *link, const char *host, const struct credentials *credentials, int64_t end, int wake, char *problem,
  size_t room) {
  flow_tls *tls = credentials->tls;
  link->tls = tls;
  if (tls->init(&link->session, tls_client | tls_not_blocking | tls_no_signal) < 0) {
    link->session = NULL;
    return fail(problem, room, "the system is out of memory", "") == 0;
  }
  tls->set_default_priority(link->session);
  tls->credentials_set(link->session, tls_certificate, credentials->certificates);
  tls->server_name_set(link->session, tls_name_dns, host, strlen(host));
  if (!credentials->is_insecure) tls->session_set_verify_cert(link->session, host, 0);
  tls_datum h2 = {(unsigned char *)"h2", 2}, chosen = {NULL, 0};
  tls->alpn_set_protocols(link->session, &h2, 1, 0);
  tls->transport_set_int2(link->session, link->socket, link->socket);
  int code;
  while ((code = tls->handshake(link->session)) == tls_again || code == tls_interrupted) {
    short events = tls->record_get_direction(link->session) ? POLLOUT : POLLIN;
    if (!wait_for(link->socket, events, end, wake)) {
      return fail(problem, room, "no secure connection in time", "") == 0;
    }
  }
  if (code < 0) {
    unsigned status = credentials->is_insecure ? 0 : tls->session_get_verify_cert_status(link->session);
    tls_datum text = {NULL, 0};
    // All bits mean that no certificate was checked.
    if (status && status != UINT32_MAX && tls->certificate_verification_status_print(status, tls_certificate, &text, 0) >= 0) {
      fail(problem, room, "the server's certificate is not accepted", (char *)text.data);
      free(text.data);
      return false;
    }
    return fail(problem, room, "no secure connection", tls->strerror(code)) == 0;
  }
  if (tls->alpn_get_selected_protocol(link->session, &chosen) < 0 || chosen.size != 2) {
    return fail(problem, room, "the server does not offer HTTP/2", "") == 0;
  }
  return true;
}

bool flow_grpc_link_open(
  struct link *link, const char *host, const char *port, const struct credentials *credentials, int milliseconds,
  int wake, char *problem, size_t room) {
  *link = (struct link){-1, NULL, NULL, false};
  int64_t end = now() + milliseconds;
  struct addrinfo wanted = {.ai_socktype = SOCK_STREAM}, *addresses = NULL;
  int code = getaddrinfo(host, port, &wanted, &addresses);
  if (code != 0) return fail(problem, room, "the host is not known", gai_strerror(code)) == 0;
  int error = 0;
  for (const struct addrinfo *next = addresses; next && link->socket < 0; next = next->ai_next) {
    link->socket = connected(next, end, wake, &error);
  }
  freeaddrinfo(addresses);
  if (link->socket < 0) return fail(problem, room, "cannot connect", strerror(error)) == 0;
  if (!credentials->tls || handshake(link, host, credentials, end, wake, problem, room)) return true;
  flow_grpc_link_close(link);
  return false;
}

ssize_t flow_grpc_link_read(struct link *link, void *to, size_t room, char *problem, size_t problem_room) {
  if (link->session) {
    ssize_t count = link->tls->record_recv(link->session, to, room);
    if (count >= 0) return count;
    if (count == tls_again || count == tls_interrupted) return nothing_now;
    return fail(problem, problem_room, "the connection is broken", link->tls->strerror((int)count));
  }
  ssize_t count = recv(link->socket, to, room, 0);
  if (count >= 0) return count;
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return nothing_now;
  return fail(problem, problem_room, "the connection is broken", strerror(errno));
}

ssize_t flow_grpc_link_write(struct link *link, const void *bytes, size_t count, char *problem, size_t room) {
  if (link->session) {
    ssize_t sent = link->tls->record_send(link->session, bytes, count);
    if (sent >= 0) return sent;
    if (sent == tls_again || sent == tls_interrupted) return nothing_now;
    return fail(problem, room, "the connection is broken", link->tls->strerror((int)sent));
  }
#ifdef MSG_NOSIGNAL
  ssize_t sent = send(link->socket, bytes, count, MSG_NOSIGNAL);
#else
  ssize_t sent = send(link->socket, bytes, count, 0);
#endif
  if (sent >= 0) return sent;
  int failure = errno;
  if (failure == EAGAIN || failure == EWOULDBLOCK || failure == EINTR) return nothing_now;
  // A server that has left may have said why, and that is read first.
  char first;
  if (recv(link->socket, &first, 1, MSG_PEEK | MSG_DONTWAIT) > 0) return nothing_now;
  return fail(problem, room, "the connection is broken", strerror(failure));
}

void flow_grpc_link_close(struct link *link) {
  if (link->session) {
    link->tls->bye(link->session, tls_write_only);
    link->tls->deinit(link->session);
    link->session = NULL;
  }
  if (link->socket >= 0) close(link->socket);
  link->socket = -1;
}
