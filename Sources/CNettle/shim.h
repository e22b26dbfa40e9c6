#ifndef FLOW_CNETTLE_SHIM_H
#define FLOW_CNETTLE_SHIM_H

#include <nettle/md5.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <nettle/version.h>

/* The functions for digests lost their length parameter in Nettle 4; Swift would see two different functions. */
static inline void flow_sha256_digest(struct sha256_ctx *context, uint8_t *digest) {
#if NETTLE_VERSION_MAJOR >= 4
  sha256_digest(context, digest);
#else
  sha256_digest(context, SHA256_DIGEST_SIZE, digest);
#endif
}

static inline void flow_sha1_digest(struct sha1_ctx *context, uint8_t *digest) {
#if NETTLE_VERSION_MAJOR >= 4
  sha1_digest(context, digest);
#else
  sha1_digest(context, SHA1_DIGEST_SIZE, digest);
#endif
}

static inline void flow_md5_digest(struct md5_ctx *context, uint8_t *digest) {
#if NETTLE_VERSION_MAJOR >= 4
  md5_digest(context, digest);
#else
  md5_digest(context, MD5_DIGEST_SIZE, digest);
#endif
}

#endif
