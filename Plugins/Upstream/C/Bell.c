#include "Server.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

bool flow_descriptor_prepare(int descriptor) {
  return fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 && fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0;
}

bool flow_server_bell_open(flow_bell *bell) {
  bell->is_rung = false;
  if (pipe(bell->pipe)) {
    bell->pipe[0] = bell->pipe[1] = -1;
    return false;
  }
  if (flow_descriptor_prepare(bell->pipe[0]) && flow_descriptor_prepare(bell->pipe[1])) return true;
  int failure = errno;
  flow_server_bell_close(bell);
  errno = failure;
  return false;
}

void flow_server_bell_close(flow_bell *bell) {
  for (int index = 0; index < 2; index++) {
    if (bell->pipe[index] >= 0) close(bell->pipe[index]);
    bell->pipe[index] = -1;
  }
  // Without a thread that listens, it is not rung.
  bell->is_rung = true;
}

void flow_server_bell_ring(flow_bell *bell) {
  if (bell->is_rung) return;
  bell->is_rung = true;
  // A full pipe wakes as well.
  (void)!write(bell->pipe[1], "", 1);
}

void flow_server_bell_hear(flow_bell *bell) {
  if (!bell->is_rung) return;
  char bytes[8];
  (void)!read(bell->pipe[0], bytes, sizeof bytes);
  bell->is_rung = false;
}
