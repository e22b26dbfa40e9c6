// Starting, signalling and reaping processes. Swift cannot call these itself: the types of
// posix_spawn differ between systems, `syscall` is variadic, and wait statuses are macros.
#ifndef FLOW_PROCESS_H
#define FLOW_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// A running process, with the descriptors that its owner has to close. All are closed on exec.
struct flow_process {
  pid_t pid;
  // Readable once the process has ended: a pidfd, or a kqueue where there is none.
  int exit;
  // What is written here is its input; -1 where it reads /dev/null. Never blocks.
  int input;
  // Its standard output and its standard error. Never block.
  int output;
  int errors;
};

// Starts a program in a process group of its own, with no signal blocked or ignored and no
// descriptor but its three streams.
//
// From then on this process does not ignore SIGCHLD, without which no status is known.
//
// `arguments` and `environment` end with NULL. A program without a slash is found in PATH.
// Returns 0, or an errno with nothing open and nothing running.
int flow_process_start(char *const arguments[], char *const environment[], const char *directory,
                       bool has_input, struct flow_process *process);

// Reaps a process; false while it runs. Its exit code, and the signal that ended it or 0.
bool flow_process_reap(pid_t pid, int *status, int *signal);

// Sends SIGTERM to a process group, and SIGCONT, without which a stopped process never sees it.
void flow_group_terminate(pid_t group);

// Sends SIGKILL to a process group.
void flow_group_kill(pid_t group);

// Whether a process group has members that live.
bool flow_group_exists(pid_t group);

// A descriptor that becomes readable by `flow_wake`, or -1 with errno; closed by `close`.
int flow_waker_open(int *writing);

// Makes a waker readable. Called from any thread.
void flow_wake(int writing);

// Takes back what `flow_wake` did.
void flow_waker_clear(int reading);

// Lets a write to a closed pipe fail in this thread instead of ending the whole process.
void flow_block_broken_pipes(void);

// Reads or writes without blocking: a count, 0 at the end, -1 to try again later, -2 for a failure.
ssize_t flow_read(int descriptor, uint8_t *bytes, size_t count);
ssize_t flow_write(int descriptor, const uint8_t *bytes, size_t count);

// Closes a descriptor, by a name that no method hides.
void flow_close(int descriptor);

// Whether something accepts connections on a TCP port of this machine.
bool flow_port_accepts(uint16_t port);

// Sends a request to a TCP port of this machine: the descriptor of the connection, or -1 where there is none.
int flow_request(uint16_t port, const char *text);

// The status of an HTTP/1 answer: 0 while it has not come, -1 when none will.
int flow_answer_status(int descriptor);

// The TCP ports on which something listens for programs of this machine, and how many there are of them: at most
// `capacity`. None where the system does not say (Linux: proc(5), /proc/net/tcp and tcp6).
size_t flow_listening_ports(uint16_t *ports, size_t capacity);

// The variables of this process, as NAME=VALUE and ending with NULL.
char **flow_environment(void);

#endif
