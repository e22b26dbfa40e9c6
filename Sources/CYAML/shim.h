#ifndef FLOW_CYAML_SHIM_H
#define FLOW_CYAML_SHIM_H

#include <yaml.h>

#endif
