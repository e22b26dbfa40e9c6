#ifndef FLOW_CMARIADB_H
#define FLOW_CMARIADB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CLibrary.h"

// libmariadb without its headers and without linking it. Its structures (MYSQL_BIND, MYSQL_FIELD) are those of version 3 and stay inside of CMariaDB.c; see
// https://mariadb.com/docs/connectors/mariadb-connector-c.

#pragma clang assume_nonnull begin

/// The functions of a loaded library.
typedef struct flow_my flow_my;
/// A MYSQL with the functions that it needs.
typedef struct flow_my_connection flow_my_connection;
/// A statement with its result.
typedef struct flow_my_statement flow_my_statement;

/// Loads libmariadb, or returns NULL.
const flow_my *_Nullable flow_my_load(flow_library_problem *problem);

/// How TLS is used.
enum flow_my_tls { FLOW_MY_TLS_NONE, FLOW_MY_TLS_REQUIRED, FLOW_MY_TLS_VERIFIED };

struct flow_my_login {
  const char *_Nullable host;
  const char *_Nullable user;
  const char *_Nullable password;
  const char *_Nullable database;
  const char *_Nullable socket;
  const char *_Nullable authority;
  /// The first statement, which runs within the time for the connection.
  const char *_Nullable first;
  unsigned port;
  unsigned seconds;
  enum flow_my_tls tls;
  /// The longest message of the server, in bytes.
  size_t longest;
};

/// Creates a connection that is not connected yet; NULL without memory.
flow_my_connection *_Nullable flow_my_create(const flow_my *functions);

/// Connects and logs in; false with an error.
bool flow_my_connect(flow_my_connection *connection, const struct flow_my_login *login);

void flow_my_close(flow_my_connection *connection);

/// An error of a connection or of its latest statement; the texts stay valid until the next call.
struct flow_my_error {
  unsigned number;
  const char *state;
  const char *message;
};

struct flow_my_error flow_my_error_of(flow_my_connection *connection);

/// The number of the connection, for KILL.
unsigned long flow_my_number(flow_my_connection *connection);

/// Ends what the connection waits for, which then is lost. Called from any thread while the connection is open.
void flow_my_interrupt(flow_my_connection *connection);

/// True if a transaction is open.
bool flow_my_is_in_transaction(flow_my_connection *connection);

/// The number of warnings of the latest statement.
unsigned flow_my_warnings(flow_my_connection *connection);

/// Runs statements without parameters and without their rows; how many succeeded, also with an error in `failed`.
int64_t flow_my_run(flow_my_connection *connection, const char *text, size_t length, bool *failed);

/// The value of a placeholder.
enum flow_my_kind {
  FLOW_MY_NULL,
  FLOW_MY_INTEGER,
  FLOW_MY_UNSIGNED,
  FLOW_MY_DOUBLE,
  FLOW_MY_DECIMAL,
  FLOW_MY_TEXT,
  FLOW_MY_BYTES
};

struct flow_my_value {
  enum flow_my_kind kind;
  int64_t integer;
  double number;
  /// The bytes of a text, which have to outlive the execution.
  const void *_Nullable bytes;
  size_t length;
};

/// Prepares a statement; NULL with an error of the connection.
flow_my_statement *_Nullable flow_my_prepare(flow_my_connection *connection, const char *text, size_t length);

/// Frees a statement, also one with rows left.
void flow_my_free(flow_my_statement *statement);

/// The error of the latest call; its number is 0 without one.
struct flow_my_error flow_my_error_of_statement(flow_my_statement *statement);

/// How many placeholders the statement has.
size_t flow_my_parameter_count(flow_my_statement *statement);

/// Runs the statement with as many values as it has placeholders; false with an error.
bool flow_my_execute(flow_my_statement *statement, const struct flow_my_value *_Nullable values);

/// The number of columns of the result, 0 without one.
size_t flow_my_column_count(flow_my_statement *statement);

/// The form in which a value of a column arrives.
enum flow_my_form { FLOW_MY_AS_INTEGER, FLOW_MY_AS_UNSIGNED, FLOW_MY_AS_FLOAT, FLOW_MY_AS_DOUBLE, FLOW_MY_AS_TEXT };

struct flow_my_column {
  const char *_Nullable name;
  /// The number of the type, as enum_field_types has it.
  int type;
  enum flow_my_form form;
  bool is_unsigned;
  /// True for the character set `binary`.
  bool is_binary;
};

struct flow_my_column flow_my_column_at(flow_my_statement *statement, size_t index);

enum flow_my_step { FLOW_MY_ROW, FLOW_MY_END, FLOW_MY_FAILED };

/// Reads the next row from the server.
enum flow_my_step flow_my_step(flow_my_statement *statement);

bool flow_my_is_null(flow_my_statement *statement, size_t index);
int64_t flow_my_integer(flow_my_statement *statement, size_t index);
double flow_my_double(flow_my_statement *statement, size_t index);

/// The length of a text of the row in bytes.
size_t flow_my_length(flow_my_statement *statement, size_t index);

/// Copies a text of the row into a buffer of its length; false with an error.
bool flow_my_text(flow_my_statement *statement, size_t index, void *buffer, size_t length);

/// The number of rows that the statement has changed, and the number of its last new row or 0.
uint64_t flow_my_changes(flow_my_statement *statement);
uint64_t flow_my_last_id(flow_my_statement *statement);

/// The counts of the statement, such as `Records: 3  Duplicates: 1  Warnings: 0`, or NULL.
const char *_Nullable flow_my_info(flow_my_statement *statement);

/// Discards the results behind the first one, as a procedure has them; false with an error.
///
/// `results` is set to the number of those with columns.
bool flow_my_finish(flow_my_statement *statement, size_t *results);

#pragma clang assume_nonnull end

#endif
