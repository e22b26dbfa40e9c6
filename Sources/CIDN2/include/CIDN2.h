#ifndef FLOW_CIDN2_H
#define FLOW_CIDN2_H

#include <stdint.h>

#include "CLibrary.h"

// libidn2 without its headers and without linking it, of version 2.0 and later; see
// https://www.gnu.org/software/libidn/libidn2/manual/libidn2.html.

#pragma clang assume_nonnull begin

/// Every function by its name after `idn2_`. They return IDN2_OK, 0, or another code.
#define FLOW_IDN2_FUNCTIONS(X)                                                                     \
  X(int, register_u8,                                                                              \
    (const uint8_t *_Nullable letters, const uint8_t *_Nullable encoded,                           \
     uint8_t *_Nullable *_Nonnull result, int flags))                                              \
  X(int, to_unicode_8z8z, (const char *encoded, char *_Nullable *_Nonnull result, int flags))      \
  X(void, free, (void *memory))

/// The functions of a loaded libidn2.
typedef struct {
#define FLOW_IDN2_MEMBER(result, name, parameters) result(*_Nonnull name) parameters;
  FLOW_IDN2_FUNCTIONS(FLOW_IDN2_MEMBER)
#undef FLOW_IDN2_MEMBER
} flow_idn2;

/// Loads libidn2, or returns NULL.
const flow_idn2 *_Nullable flow_idn2_load(flow_library_problem *problem);

#pragma clang assume_nonnull end

#endif
