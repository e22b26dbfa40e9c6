#define _GNU_SOURCE
#include "CUpstream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int32_t flow_file_create(const char *path, const void *bytes, size_t count) {
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return errno;
  const char *rest = bytes;
  int32_t failure = 0;
  while (count && !failure) {
    ssize_t written = write(file, rest, count);
    if (written > 0) {
      rest += written;
      count -= (size_t)written;
    } else if (errno != EINTR) failure = errno;
  }
  if (close(file) && !failure) failure = errno;
  if (failure) unlink(path);
  return failure;
}

uint8_t *flow_file_read(const char *path, size_t limit, size_t *count) {
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return NULL;
  struct stat status;
  bool is_fit = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && (uint64_t)status.st_size <= limit;
  uint8_t *bytes = is_fit ? malloc((size_t)status.st_size + 1) : NULL;
  ssize_t size = bytes ? 1 : -1;
  for (*count = 0; size > 0 && *count < (size_t)status.st_size; *count += (size_t)(size > 0 ? size : 0)) {
    size = read(file, bytes + *count, (size_t)status.st_size - *count);
  }
  close(file);
  if (size >= 0) return bytes;
  free(bytes);
  return NULL;
}

void flow_file_free(uint8_t *bytes) { free(bytes); }

char *flow_folder_create(int32_t *failure) {
  const char *parent = getenv("TMPDIR");
  char *path = NULL;
  // Programs may change their folder, so the path is absolute.
  if (!parent || *parent != '/') parent = "/tmp";
  if (asprintf(&path, "%s/flow-upstream-XXXXXX", parent) < 0) path = NULL;
  if (path && mkdtemp(path)) return path;
  *failure = path ? errno : ENOMEM;
  free(path);
  return NULL;
}

void flow_folder_free(char *path) { free(path); }

void flow_path_remove(const char *path) { remove(path); }
