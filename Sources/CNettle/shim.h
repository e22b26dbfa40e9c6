#ifndef FLOW_CNETTLE_SHIM_H
#define FLOW_CNETTLE_SHIM_H

#include <nettle/sha2.h>
#include <nettle/version.h>

/* `sha256_digest` lost its length parameter in Nettle 4; Swift would see two different functions. */
static inline void flow_sha256_digest(struct sha256_ctx *context, uint8_t *digest) {
#if NETTLE_VERSION_MAJOR >= 4
  sha256_digest(context, digest);
#else
  sha256_digest(context, SHA256_DIGEST_SIZE, digest);
#endif
}

#endif
