#ifndef FLOW_PROCESS_END_H
#define FLOW_PROCESS_END_H

/// Opens a process as a descriptor that is readable once the process has ended; -1 with errno, ESRCH for a process that
/// does not exist, ENOSYS on a system without such descriptors.
///
/// Swift cannot call pidfd_open(2), for which older C libraries have no function.
int flow_open_process(int process);

#endif
