#ifndef FLOW_CLIBRARY_H
#define FLOW_CLIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

/// A C library that is loaded on first use, so that a `flow` without use for it neither needs it nor waits for it.
typedef struct {
  /// The name without `lib` and suffixes, such as `curl`.
  const char *name;
  /// The version of its interface, and others to try next, ended by 0.
  int versions[4];
  /// The number of bytes of its table.
  size_t size;
  /// The names of its functions and variables, ended by NULL.
  const char *_Nullable const *_Nonnull symbols;
} flow_library;

/// The reason that a library cannot be used.
typedef struct {
  char file[64];
  char reason[512];
  /// True if the system does not have the file.
  bool is_missing;
} flow_library_problem;

/// Loads a library, never to be unloaded: those below it, such as OpenSSL, register functions for the end of the process.
///
/// Returns a table of its size, which starts with the addresses of the symbols in their order and has zeros behind
/// them, or NULL with the problem.
void *_Nullable flow_library_load(const flow_library *library, flow_library_problem *problem);

/// Replaces the reason of a problem.
void flow_library_refuse(flow_library_problem *problem, const char *reason);

#pragma clang assume_nonnull end

#endif
