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

#endif
