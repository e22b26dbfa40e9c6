#ifndef FLOW_CPCRE2_SHIM_H
#define FLOW_CPCRE2_SHIM_H

/* Swift cannot set the macro that pcre2.h asks for: which code unit the unsuffixed types stand for. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#endif
