#include "CIDN2.h"

static const flow_library library = {
  "idn2",
  {0},
  sizeof(flow_idn2),
#define NAME(result, name, parameters) "idn2_" #name,
  (const char *const[]){FLOW_IDN2_FUNCTIONS(NAME) NULL},
#undef NAME
};

const flow_idn2 *flow_idn2_load(flow_library_problem *problem) { return flow_library_load(&library, problem); }
