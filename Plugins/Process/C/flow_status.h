// What Linux tells of a process: proc(5), /proc/PID/stat. Not for Swift.
#ifndef FLOW_STATUS_H
#define FLOW_STATUS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct flow_status {
  char name[32];
  char state;
  pid_t parent;
  pid_t group;
  pid_t session;
  // Clock ticks from the start of the machine to that of the process.
  uint64_t started;
};

// Reads the status of a process; false where there is none, and where the system has no /proc.
bool flow_status_read(pid_t pid, struct flow_status *status);

#endif
