#ifndef FLOW_CEVENTLOOP_H
#define FLOW_CEVENTLOOP_H

#include <stddef.h>

/// Counts libyaml's events over a text, and does nothing else with them; -1 when libyaml rejects it.
///
/// It is C, because it is what the Swift reader is compared with: libyaml without anything around it.
long flow_count_events(const unsigned char *bytes, size_t length);

/// Prints as many lines as a recording has for calls of a balance to /dev/null, by stdio.
void flow_print_lines(long count);

#endif
