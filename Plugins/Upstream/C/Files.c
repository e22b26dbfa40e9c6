#define _GNU_SOURCE
#include "CUpstream.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
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

static const char prefix[] = "flow-upstream-";

// Whether a folder is this user's, has been there for an hour, and no process holds it.
static bool is_abandoned(int folder) {
  struct stat status;
  return fstat(folder, &status) == 0 && status.st_uid == geteuid() && time(NULL) - status.st_mtime > 3600 &&
         flock(folder, LOCK_EX | LOCK_NB) == 0;
}

void flow_folders_sweep(const char *parent) {
  DIR *stream = opendir(parent);
  if (stream == NULL) return;
  struct dirent *entry;
  while ((entry = readdir(stream)) != NULL) {
    if (strncmp(entry->d_name, prefix, sizeof prefix - 1) != 0) continue;
    int folder = openat(dirfd(stream), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) continue;
    if (is_abandoned(folder)) {
      unlinkat(folder, "ca.pem", 0);
      unlinkat(folder, "bundle.pem", 0);
      // With anything else in it, it is not flow's, and stays.
      unlinkat(dirfd(stream), entry->d_name, AT_REMOVEDIR);
    }
    close(folder);
  }
  closedir(stream);
}

int32_t flow_folder_hold(const char *path) {
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder >= 0) flock(folder, LOCK_EX | LOCK_NB);
  return folder;
}

void flow_folder_release(int32_t folder) {
  if (folder >= 0) close(folder);
}

const char *flow_folder_parent(void) {
  const char *parent = getenv("TMPDIR");
  // Programs may change their folder, so the path is absolute.
  return parent && *parent == '/' ? parent : "/tmp";
}

char *flow_folder_create(int32_t *failure) {
  char *path = NULL;
  if (asprintf(&path, "%s/%sXXXXXX", flow_folder_parent(), prefix) < 0) path = NULL;
  if (path && mkdtemp(path)) return path;
  *failure = path ? errno : ENOMEM;
  free(path);
  return NULL;
}

void flow_folder_free(char *path) { free(path); }

void flow_path_remove(const char *path) { remove(path); }
