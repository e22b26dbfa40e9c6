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
// With `joins_outputs` both outputs are one pipe, in the order of the writes, and `errors` is -1.
//
// It runs in an open folder, or for -1 in the one at the path. `arguments` and `environment` end with NULL. A program without a slash is found in the PATH of this process.
// Returns 0, or an errno with nothing open and nothing running.
int flow_process_start(const char *program, char *const arguments[], char *const environment[],
                       const char *directory, int folder, bool has_input, bool joins_outputs,
                       struct flow_process *process);

// Starts a program as above, with the three streams of this process: there is no `input`, `output` or `errors`.
int flow_process_start_in_foreground(const char *program, char *const arguments[], char *const environment[],
                                     const char *directory, int folder, struct flow_process *process);

// The size of a terminal in characters.
struct flow_size {
  unsigned short columns, rows;
};

// Starts a program as above, with a new terminal as its three streams: `input` and `output` are the same terminal, and
// `errors` is -1. Fails with the errno of the system where there are no more terminals.
int flow_process_start_on_terminal(const char *program, char *const arguments[], char *const environment[],
                                   const char *directory, int folder, struct flow_size size,
                                   struct flow_process *process);

// Sends a signal to a process that was not reaped, or for a negative number to its group; false if the system refuses.
bool flow_process_signal(pid_t pid, int signal);

// Reaps a process; false while it runs. Its exit code, and the signal that ended it or 0.
bool flow_process_reap(pid_t pid, int *status, int *signal);

// Sends SIGTERM to a process group, and SIGCONT, without which a stopped process never sees it.
void flow_group_terminate(pid_t group);

// The same with SIGINT, as the key Ctrl-C sends it.
void flow_group_interrupt(pid_t group);

// The same with SIGHUP, by which a closed terminal ends its programs: an interactive shell ignores SIGTERM.
void flow_group_hang_up(pid_t group);

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

// The protocols by which localhost is reached: 127.0.0.1 and ::1.
enum flow_family { FLOW_FOUR = 1, FLOW_SIX = 2 };

// Whether something accepts connections on a TCP port of this machine.
bool flow_port_accepts(uint16_t port, int families);

// Sends a request to a TCP port of this machine: the descriptor of the connection, or -1 where there is none.
int flow_request(uint16_t port, int families, const char *text);

// The status of an HTTP/1 answer: 0 while it has not come, -1 when none will.
int flow_answer_status(int descriptor);

// A socket on which something listens for programs of this machine.
struct flow_listener {
  // The number of its inode.
  uint64_t socket;
  int families;
  // Whether it takes IPv4 alone.
  bool is_four;
};

// The sockets that listen on a TCP port, or on any with port 0, and how many there are of them: at most `capacity`.
// None where the system does not say (Linux: proc(5), /proc/net/tcp and tcp6).
size_t flow_listeners(int port, struct flow_listener *listeners, size_t capacity);

// When a process was started, in clock ticks since the start of the machine; 0 where the system does not say.
uint64_t flow_process_started(pid_t pid);

// A process, with the name that the system has of it.
struct flow_holder {
  pid_t pid;
  char name[32];
};

enum flow_owner {
  // The system does not say: the process may be another user's.
  FLOW_OWNER_UNKNOWN,
  // The program, or something that it has started.
  FLOW_OWNER_PROGRAM,
  // Another process, which is the holder.
  FLOW_OWNER_OTHER,
};

// Which process listens on a socket, seen from a program and when it was started.
enum flow_owner flow_socket_owner(uint64_t socket, pid_t program, uint64_t started,
                                  struct flow_holder *holder);

// The bytes of the longest identity, with its end.
#define FLOW_IDENTITY 128

// What no other process has, ever: the number of a process, when it was started, the start of the machine, and the
// namespace of the number. False where the system does not say, or there is no such process.
bool flow_process_identity(pid_t pid, char *text, size_t capacity);

// A descriptor of the process that has this identity, to be closed, and its name; -1 when it has ended.
int flow_process_hold(const char *identity, struct flow_holder *holder);

// Descriptors of all processes in the session that a held process leads, and how many there are; 0 once it has ended.
size_t flow_session_hold(int leader, const char *identity, int *held, size_t capacity);

// Whether a held process has ended.
bool flow_held_has_ended(int held);

// Sends a held process SIGTERM, or SIGKILL. It reaches no other one, though the number may be another's by now.
void flow_held_end(int held, bool is_gentle);

// Opens and locks a file in a folder of this user's, for notes about processes; -1 where there is none and it is not
// to be new, where another process has it, and where the system refuses.
int flow_notes_open(const char *name, bool is_new);

// Removes a file of notes, which stays open.
void flow_notes_remove(const char *name, int file);

// Replaces the notes of a file by lines that are all as long as those before.
bool flow_notes_write(int file, const char *text, size_t count);

// The first bytes of the notes of a file, and how many there are.
size_t flow_notes_read(int file, char *text, size_t capacity);

// The variables of this process, as NAME=VALUE and ending with NULL.
char **flow_environment(void);

#endif
