#include "Server.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

bool flow_descriptor_prepare(int descriptor) {
  return fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 && fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0;
}

bool flow_wakeup_open(flow_wakeup *wakeup) {
  wakeup->is_woken = false;
  if (pipe(wakeup->pipe)) {
    wakeup->pipe[0] = wakeup->pipe[1] = -1;
    return false;
  }
  if (flow_descriptor_prepare(wakeup->pipe[0]) && flow_descriptor_prepare(wakeup->pipe[1])) return true;
  int failure = errno;
  flow_wakeup_close(wakeup);
  errno = failure;
  return false;
}

void flow_wakeup_close(flow_wakeup *wakeup) {
  for (int index = 0; index < 2; index++) {
    if (wakeup->pipe[index] >= 0) close(wakeup->pipe[index]);
    wakeup->pipe[index] = -1;
  }
  // Without a thread that listens, it is not woken.
  wakeup->is_woken = true;
}

void flow_wakeup_send(flow_wakeup *wakeup) {
  if (wakeup->is_woken) return;
  wakeup->is_woken = true;
  // A full pipe wakes as well.
  (void)!write(wakeup->pipe[1], "", 1);
}

void flow_wakeup_clear(flow_wakeup *wakeup) {
  if (!wakeup->is_woken) return;
  char bytes[8];
  (void)!read(wakeup->pipe[0], bytes, sizeof bytes);
  wakeup->is_woken = false;
}
