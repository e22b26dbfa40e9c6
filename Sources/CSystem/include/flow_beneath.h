#ifndef FLOW_BENEATH_H
#define FLOW_BENEATH_H

#include <stdbool.h>

/// Opens the folder at a path beneath an open one, for its entries to be named by; -1 with errno. EXDEV says that the
/// path leads out, or through an absolute link; ENOSYS that the system cannot do it.
///
/// Swift cannot call openat2(2), for which the C library has no function.
int flow_open_beneath(int folder, const char *path, bool follows_links);

/// Opens a folder by its name in an open one, and no link; -1 with errno.
///
/// Swift does not see the flags by which a folder is opened that may be searched and not read.
int flow_open_entry(int folder, const char *name);

/// Opens a folder by its whole path, of which the last part is no link; -1 with errno.
int flow_open_folder(const char *path);

#endif
