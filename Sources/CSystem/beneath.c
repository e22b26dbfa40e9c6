#define _GNU_SOURCE
#include "flow_beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

#if defined(O_PATH)
#define SEARCHED O_PATH
#elif defined(O_SEARCH)
#define SEARCHED O_SEARCH
#else
#define SEARCHED O_RDONLY
#endif

#ifdef __linux__
#include <sys/syscall.h>

// Of <linux/openat2.h>, which older headers do not have; the number is the same on every machine.
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#define NO_MAGIC_LINKS 0x02
#define NO_LINKS 0x04
#define BENEATH 0x08

struct how {
  uint64_t flags;
  uint64_t mode;
  uint64_t resolve;
};

int flow_open_beneath(int folder, const char *path, bool follows_links) {
  struct how how = {
      .flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
      .resolve = BENEATH | NO_MAGIC_LINKS | (follows_links ? 0 : NO_LINKS),
  };
  return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}
#else
int flow_open_beneath(int folder, const char *path, bool follows_links) {
  errno = ENOSYS;
  return -1;
}
#endif

int flow_open_entry(int folder, const char *name) {
  return openat(folder, name, SEARCHED | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int flow_open_folder(const char *path) {
  return open(path, SEARCHED | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}
