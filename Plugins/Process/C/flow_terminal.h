// A pseudo-terminal for a program (pty(7)).
#ifndef FLOW_TERMINAL_H
#define FLOW_TERMINAL_H

#include "flow_process.h"

struct flow_terminal {
  // The side of a user, who types and reads.
  int user;
  // The side of the program, which the parent keeps open until the program has opened it.
  int program;
  // The path of that side.
  char path[128];
};

// Opens a terminal of a size; 0, or an errno with nothing open.
int flow_terminal_open(struct flow_size size, struct flow_terminal *terminal);

#endif
