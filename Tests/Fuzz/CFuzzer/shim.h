#ifndef FLOW_CFUZZER_SHIM_H
#define FLOW_CFUZZER_SHIM_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer has no header; this is its documented entry for programs with a `main` of their own
   (llvm.org/docs/LibFuzzer.html, "Using libFuzzer as a library"). */
int LLVMFuzzerRunDriver(int *argc, char ***argv,
                        int (*callback)(const uint8_t *data, size_t size));

#endif
