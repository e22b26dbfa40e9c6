#define _GNU_SOURCE
#include "flow_status.h"

#ifdef __linux__
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool flow_status_read(pid_t pid, struct flow_status *status) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  if (count <= 0) return false;
  text[count] = 0;
  // The name is in parentheses, and may contain anything.
  char *name = strchr(text, '('), *rest = strrchr(text, ')');
  if (name == NULL || rest == NULL || rest < name) return false;
  *rest = 0;
  snprintf(status->name, sizeof status->name, "%s", name + 1);
  int parent, group, session;
  unsigned long long started;
  // The 22nd field is the start; the state is the third.
  if (sscanf(rest + 1,
             " %c %d %d %d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
             &status->state, &parent, &group, &session, &started) != 5) {
    return false;
  }
  status->parent = parent;
  status->group = group;
  status->session = session;
  status->started = started;
  return true;
}
#else
bool flow_status_read(pid_t pid, struct flow_status *status) { return false; }
#endif
