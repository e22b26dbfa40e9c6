#ifndef FLOW_CZLIB_H
#define FLOW_CZLIB_H

#include <stddef.h>
#include <stdint.h>

/// Compresses bytes into zlib's format (RFC 1950); answers how many were written, 0 where the system has no zlib or
/// there is no room.
///
/// zlib is loaded when it is first needed, since most runs of flow write nothing compressed; Swift cannot call a
/// function that it finds at run time without knowing its header.
size_t flow_zlib_compress(uint8_t *to, size_t capacity, const uint8_t *from, size_t count);

#endif
