#ifndef FLOW_CSQLITE_SHIM_H
#define FLOW_CSQLITE_SHIM_H

#include <sqlite3.h>

/* Swift imports no macro that is a cast: the statement makes a copy of what is bound. */
static inline int flow_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
  return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

/* As above; NULL would bind NULL in place of no bytes. */
static inline int flow_sqlite_bind_bytes(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

/* Swift calls no variadic function. Sets a flag of a connection, SQLITE_DBCONFIG_DEFENSIVE and its like. */
static inline int flow_sqlite_configure(sqlite3 *connection, int flag, int value) {
  return sqlite3_db_config(connection, flag, value, (int *)0);
}

/* The byte of the statement that the last error is about; -1 for none, and before version 3.38. */
static inline int flow_sqlite_error_offset(sqlite3 *connection) {
#if SQLITE_VERSION_NUMBER >= 3038000
  return sqlite3_error_offset(connection);
#else
  (void)connection;
  return -1;
#endif
}

/* SQLITE_OPEN_SUPER_JOURNAL, which had another name before version 3.33. */
#define FLOW_SQLITE_SUPER_JOURNAL 0x00004000

/* Opens a file as the system's own functions do, but no super-journal: a journal may name any file as the one, which
   is deleted when it is none. No transaction of ours makes one. */
static inline int flow_sqlite_open_file(
    sqlite3_vfs *files, const char *name, sqlite3_file *file, int flags, int *opened) {
  (void)files;
  sqlite3_vfs *system = sqlite3_vfs_find(0);
  file->pMethods = 0;
  if (!system || flags & FLOW_SQLITE_SUPER_JOURNAL) return SQLITE_CANTOPEN;
  return system->xOpen(system, name, file, flags, opened);
}

/* Makes functions known by a name that reach files as above. Call it once. */
static inline int flow_sqlite_register_files(const char *name) {
  static sqlite3_vfs files;
  sqlite3_vfs *system = sqlite3_vfs_find(0);
  if (!system) return SQLITE_ERROR;
  files = *system;
  files.zName = name;
  files.pNext = 0;
  files.xOpen = flow_sqlite_open_file;
  return sqlite3_vfs_register(&files, 0);
}

#endif
