// The structures and numbers of libmariadb 3 (mysql.h, mariadb_stmt.h, mariadb_com.h).
#ifndef FLOW_CMARIADB_LAYOUT_H
#define FLOW_CMARIADB_LAYOUT_H

typedef struct flow_my_bind {
  unsigned long *length;
  char *is_null;
  void *buffer;
  char *error;
  void *row_or_indicator;
  void (*store)(void);
  void (*fetch)(void);
  void (*skip)(void);
  unsigned long buffer_length;
  unsigned long offset;
  unsigned long length_value;
  unsigned int flags;
  unsigned int pack_length;
  int buffer_type;
  char error_value;
  char is_unsigned;
  char long_data_used;
  char is_null_value;
  void *extension;
} flow_my_bind;

typedef struct flow_my_field {
  char *name, *org_name, *table, *org_table, *db, *catalog, *def;
  unsigned long length, max_length;
  unsigned int name_length, org_name_length, table_length, org_table_length, db_length, catalog_length, def_length;
  unsigned int flags, decimals, charset;
  int type;
  void *extension;
} flow_my_field;

enum {
  CONNECT_TIMEOUT = 0,
  INIT_COMMAND = 3,
  CHARSET_NAME = 7,
  LOCAL_INFILE = 8,
  PROTOCOL = 9,
  REPORT_TRUNCATION = 19,
  RECONNECT = 20,
  VERIFY_CERTIFICATE = 21,
  AUTHORITY = 27,
  ENFORCE_TLS = 38,
  LONGEST_MESSAGE = 39,
  RESTRICTED_AUTHENTICATION = 7026,

  SERVER_STATUS = 30,
  IN_TRANSACTION = 1,

  // Counts the rows that an UPDATE finds, as other databases do.
  FOUND_ROWS = 2,
  MULTI_STATEMENTS = 1 << 16,
  MULTI_RESULTS = 1 << 17,

  UNSIGNED_FLAG = 32,
  BINARY_CHARSET = 63,

  OUT_OF_MEMORY = 2008,

  NO_DATA = 100,
  TRUNCATED = 101,

  TYPE_TINY = 1,
  TYPE_SHORT = 2,
  TYPE_LONG = 3,
  TYPE_FLOAT = 4,
  TYPE_DOUBLE = 5,
  TYPE_NULL = 6,
  TYPE_LONGLONG = 8,
  TYPE_INT24 = 9,
  TYPE_YEAR = 13,
  TYPE_NEWDECIMAL = 246,
  TYPE_BLOB = 252,
  TYPE_STRING = 254
};

#endif
