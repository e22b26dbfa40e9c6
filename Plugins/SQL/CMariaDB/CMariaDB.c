#include "CMariaDB.h"
#include "Layout.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// Every function by its name; a MYSQL, MYSQL_RES and MYSQL_STMT are pointers to nothing known here.
#define FUNCTIONS(X)                                                                              \
  X(void *, mysql_init, (void *))                                                                 \
  X(int, mysql_optionsv, (void *, int, ...))                                                      \
  X(void *, mysql_real_connect,                                                                   \
    (void *, const char *, const char *, const char *, const char *, unsigned, const char *, unsigned long)) \
  X(void, mysql_close, (void *))                                                                  \
  X(unsigned, mysql_errno, (void *))                                                              \
  X(const char *, mysql_sqlstate, (void *))                                                       \
  X(const char *, mysql_error, (void *))                                                          \
  X(unsigned long, mysql_thread_id, (void *))                                                     \
  X(int, mysql_get_socket, (void *))                                                              \
  X(char, mariadb_get_infov, (void *, int, void *, ...))                                          \
  X(unsigned, mysql_warning_count, (void *))                                                      \
  X(int, mysql_real_query, (void *, const char *, unsigned long))                                 \
  X(void *, mysql_use_result, (void *))                                                           \
  X(void, mysql_free_result, (void *))                                                            \
  X(int, mysql_next_result, (void *))                                                             \
  X(flow_my_field *, mysql_fetch_fields, (void *))                                                \
  X(unsigned, mysql_num_fields, (void *))                                                         \
  X(void *, mysql_stmt_init, (void *))                                                            \
  X(int, mysql_stmt_prepare, (void *, const char *, unsigned long))                               \
  X(unsigned long, mysql_stmt_param_count, (void *))                                              \
  X(char, mysql_stmt_bind_param, (void *, flow_my_bind *))                                        \
  X(int, mysql_stmt_execute, (void *))                                                            \
  X(void *, mysql_stmt_result_metadata, (void *))                                                 \
  X(char, mysql_stmt_bind_result, (void *, flow_my_bind *))                                       \
  X(int, mysql_stmt_fetch, (void *))                                                              \
  X(int, mysql_stmt_fetch_column, (void *, flow_my_bind *, unsigned, unsigned long))              \
  X(char, mysql_stmt_free_result, (void *))                                                       \
  X(int, mysql_stmt_next_result, (void *))                                                        \
  X(unsigned, mysql_stmt_field_count, (void *))                                                   \
  X(const char *, mysql_info, (void *))                                                           \
  X(unsigned long long, mysql_stmt_affected_rows, (void *))                                       \
  X(unsigned long long, mysql_stmt_insert_id, (void *))                                           \
  X(unsigned, mysql_stmt_errno, (void *))                                                         \
  X(const char *, mysql_stmt_sqlstate, (void *))                                                  \
  X(const char *, mysql_stmt_error, (void *))                                                     \
  X(char, mysql_stmt_close, (void *))

struct flow_my {
#define MEMBER(result, name, parameters) result(*name) parameters;
  FUNCTIONS(MEMBER)
#undef MEMBER
};

struct flow_my_connection {
  const flow_my *my;
  void *handle;
  // A descriptor of its own for the socket: another thread must not look into the handle, and the library may have
  // closed its own descriptor, whose number then is another file's.
  int socket;
};

struct flow_my_statement {
  flow_my_connection *connection;
  void *handle;
  // The description of the result, or NULL without one.
  void *result;
  flow_my_field *fields;
  size_t count;
  // For each column: its bind, and the value of a number.
  flow_my_bind *binds;
  union number {
    int64_t integer;
    double real;
    float small;
  } *numbers;
  unsigned long *lengths;
  char *nulls;
  // True after an allocation of this file has failed, of which the library knows nothing.
  bool lacks_memory;
};

static const flow_library library = {
  "mariadb",
  {3},
  sizeof(flow_my),
#define NAME(result, name, parameters) #name,
  (const char *const[]){FUNCTIONS(NAME) NULL},
#undef NAME
};

const flow_my *flow_my_load(flow_library_problem *problem) { return flow_library_load(&library, problem); }

// MARK: - Connections

flow_my_connection *flow_my_create(const flow_my *functions) {
  flow_my_connection *connection = calloc(1, sizeof *connection);
  if (!connection) return NULL;
  connection->my = functions;
  connection->socket = -1;
  connection->handle = functions->mysql_init(NULL);
  if (connection->handle) return connection;
  free(connection);
  return NULL;
}

bool flow_my_connect(flow_my_connection *connection, const struct flow_my_login *login) {
  const flow_my *my = connection->my;
  void *handle = connection->handle;
  const unsigned off = 0, tcp = 1;
  const char no = 0, yes = 1;
  my->mysql_optionsv(handle, CONNECT_TIMEOUT, &login->seconds);
  my->mysql_optionsv(handle, CHARSET_NAME, "utf8mb4");
  // Otherwise a server could ask for any file of this machine.
  my->mysql_optionsv(handle, LOCAL_INFILE, &off);
  // A server must not ask for the password as it is, nor for one typed on a terminal.
  bool is_safe = my->mysql_optionsv(handle, RESTRICTED_AUTHENTICATION,
                                    "mysql_native_password,client_ed25519,caching_sha2_password,sha256_password,"
                                    "parsec") == 0;
  my->mysql_optionsv(handle, RECONNECT, &no);
  my->mysql_optionsv(handle, REPORT_TRUNCATION, &yes);
  my->mysql_optionsv(handle, LONGEST_MESSAGE, &login->longest);
  is_safe = my->mysql_optionsv(handle, VERIFY_CERTIFICATE, login->tls == FLOW_MY_TLS_VERIFIED ? &yes : &no) == 0 && is_safe;
  is_safe = my->mysql_optionsv(handle, ENFORCE_TLS, login->tls == FLOW_MY_TLS_NONE ? &no : &yes) == 0 && is_safe;
  // Only an old library does not know them.
  if (!is_safe) return false;
  // Otherwise `localhost` is a socket, whose path nothing says.
  if (!login->socket) my->mysql_optionsv(handle, PROTOCOL, &tcp);
  if (login->first) my->mysql_optionsv(handle, INIT_COMMAND, login->first);
  if (login->authority) my->mysql_optionsv(handle, AUTHORITY, login->authority);
  if (!my->mysql_real_connect(handle, login->host, login->user, login->password, login->database, login->port,
                              login->socket, FOUND_ROWS | MULTI_STATEMENTS | MULTI_RESULTS)) {
    return false;
  }
  connection->socket = fcntl(my->mysql_get_socket(handle), F_DUPFD_CLOEXEC, 3);
  return true;
}

void flow_my_close(flow_my_connection *connection) {
  connection->my->mysql_close(connection->handle);
  if (connection->socket >= 0) close(connection->socket);
  free(connection);
}

struct flow_my_error flow_my_error_of(flow_my_connection *connection) {
  const flow_my *my = connection->my;
  void *handle = connection->handle;
  return (struct flow_my_error){my->mysql_errno(handle), my->mysql_sqlstate(handle), my->mysql_error(handle)};
}

unsigned long flow_my_number(flow_my_connection *connection) {
  return connection->my->mysql_thread_id(connection->handle);
}

void flow_my_interrupt(flow_my_connection *connection) {
  if (connection->socket >= 0) shutdown(connection->socket, SHUT_RDWR);
}

bool flow_my_is_in_transaction(flow_my_connection *connection) {
  unsigned status = 0;
  connection->my->mariadb_get_infov(connection->handle, SERVER_STATUS, &status);
  return (status & IN_TRANSACTION) != 0;
}

unsigned flow_my_warnings(flow_my_connection *connection) {
  return connection->my->mysql_warning_count(connection->handle);
}

int64_t flow_my_run(flow_my_connection *connection, const char *text, size_t length, bool *failed) {
  const flow_my *my = connection->my;
  void *handle = connection->handle;
  int64_t count = 0;
  *failed = true;
  if (my->mysql_real_query(handle, text, length) != 0) return count;
  while (true) {
    void *result = my->mysql_use_result(handle);
    if (result) my->mysql_free_result(result);
    if (my->mysql_errno(handle) != 0) return count;
    count++;
    int next = my->mysql_next_result(handle);
    if (next > 0) return count;
    if (next < 0) break;
  }
  *failed = false;
  return count;
}

// MARK: - Statements

flow_my_statement *flow_my_prepare(flow_my_connection *connection, const char *text, size_t length) {
  flow_my_statement *statement = calloc(1, sizeof *statement);
  if (!statement) return NULL;
  statement->connection = connection;
  statement->handle = connection->my->mysql_stmt_init(connection->handle);
  if (!statement->handle) {
    free(statement);
    return NULL;
  }
  connection->my->mysql_stmt_prepare(statement->handle, text, length);
  return statement;
}

static void free_result(flow_my_statement *statement) {
  const flow_my *my = statement->connection->my;
  if (statement->result) my->mysql_free_result(statement->result);
  free(statement->binds);
  free(statement->numbers);
  free(statement->lengths);
  free(statement->nulls);
  statement->result = NULL;
  statement->fields = NULL;
  statement->count = 0;
  statement->binds = NULL;
  statement->numbers = NULL;
  statement->lengths = NULL;
  statement->nulls = NULL;
}

void flow_my_free(flow_my_statement *statement) {
  // Before the memory of its binds.
  statement->connection->my->mysql_stmt_close(statement->handle);
  free_result(statement);
  free(statement);
}

struct flow_my_error flow_my_error_of_statement(flow_my_statement *statement) {
  const flow_my *my = statement->connection->my;
  void *handle = statement->handle;
  if (statement->lacks_memory) return (struct flow_my_error){OUT_OF_MEMORY, "HY000", "this system is out of memory"};
  // An error in place of a row is one of the connection: the library does not copy it to the statement.
  if (my->mysql_stmt_errno(handle) == 0) return flow_my_error_of(statement->connection);
  return (struct flow_my_error){my->mysql_stmt_errno(handle), my->mysql_stmt_sqlstate(handle),
                                my->mysql_stmt_error(handle)};
}

size_t flow_my_parameter_count(flow_my_statement *statement) {
  return statement->connection->my->mysql_stmt_param_count(statement->handle);
}

static void bind_value(flow_my_bind *bind, const struct flow_my_value *value) {
  bind->length = &bind->buffer_length;
  switch (value->kind) {
  case FLOW_MY_NULL: bind->buffer_type = TYPE_NULL; break;
  case FLOW_MY_UNSIGNED: bind->is_unsigned = 1; // as an integer
  case FLOW_MY_INTEGER:
    bind->buffer_type = TYPE_LONGLONG;
    bind->buffer = (void *)&value->integer;
    break;
  case FLOW_MY_DOUBLE:
    bind->buffer_type = TYPE_DOUBLE;
    bind->buffer = (void *)&value->number;
    break;
  case FLOW_MY_DECIMAL:
  case FLOW_MY_TEXT:
  case FLOW_MY_BYTES:
    bind->buffer_type = value->kind == FLOW_MY_DECIMAL ? TYPE_NEWDECIMAL
                        : value->kind == FLOW_MY_TEXT  ? TYPE_STRING
                                                       : TYPE_BLOB;
    bind->buffer = (void *)value->bytes;
    bind->buffer_length = value->length;
    break;
  }
}

static enum flow_my_form form_of(const flow_my_field *field) {
  switch (field->type) {
  case TYPE_TINY:
  case TYPE_SHORT:
  case TYPE_LONG:
  case TYPE_LONGLONG:
  case TYPE_INT24:
  case TYPE_YEAR: return field->flags & UNSIGNED_FLAG ? FLOW_MY_AS_UNSIGNED : FLOW_MY_AS_INTEGER;
  case TYPE_FLOAT: return FLOW_MY_AS_FLOAT;
  case TYPE_DOUBLE: return FLOW_MY_AS_DOUBLE;
  default: return FLOW_MY_AS_TEXT;
  }
}

// Numbers arrive in `numbers`. A text is fetched when its length is known.
static bool bind_columns(flow_my_statement *statement) {
  const flow_my *my = statement->connection->my;
  statement->fields = my->mysql_fetch_fields(statement->result);
  size_t count = my->mysql_num_fields(statement->result);
  statement->binds = calloc(count, sizeof *statement->binds);
  statement->numbers = calloc(count, sizeof *statement->numbers);
  statement->lengths = calloc(count, sizeof *statement->lengths);
  statement->nulls = calloc(count, sizeof *statement->nulls);
  if (!statement->binds || !statement->numbers || !statement->lengths || !statement->nulls) {
    statement->lacks_memory = true;
    return false;
  }
  statement->count = count;
  for (size_t index = 0; index < count; index++) {
    flow_my_bind *bind = &statement->binds[index];
    bind->length = &statement->lengths[index];
    bind->is_null = &statement->nulls[index];
    enum flow_my_form form = form_of(&statement->fields[index]);
    bind->buffer_type = form == FLOW_MY_AS_TEXT     ? TYPE_STRING
                        : form == FLOW_MY_AS_FLOAT  ? TYPE_FLOAT
                        : form == FLOW_MY_AS_DOUBLE ? TYPE_DOUBLE
                                                    : TYPE_LONGLONG;
    bind->is_unsigned = form == FLOW_MY_AS_UNSIGNED;
    if (form == FLOW_MY_AS_TEXT) continue;
    bind->buffer = &statement->numbers[index];
    bind->buffer_length = sizeof *statement->numbers;
  }
  return my->mysql_stmt_bind_result(statement->handle, statement->binds) == 0;
}

bool flow_my_execute(flow_my_statement *statement, const struct flow_my_value *values) {
  const flow_my *my = statement->connection->my;
  size_t count = flow_my_parameter_count(statement);
  flow_my_bind *binds = NULL;
  if (count > 0) {
    binds = calloc(count, sizeof *binds);
    if (!binds) {
      statement->lacks_memory = true;
      return false;
    }
    for (size_t index = 0; index < count; index++) bind_value(&binds[index], &values[index]);
  }
  bool succeeded = !binds || my->mysql_stmt_bind_param(statement->handle, binds) == 0;
  succeeded = succeeded && my->mysql_stmt_execute(statement->handle) == 0;
  free(binds);
  if (!succeeded) return false;
  statement->result = my->mysql_stmt_result_metadata(statement->handle);
  return !statement->result || bind_columns(statement);
}

size_t flow_my_column_count(flow_my_statement *statement) { return statement->count; }

struct flow_my_column flow_my_column_at(flow_my_statement *statement, size_t index) {
  const flow_my_field *field = &statement->fields[index];
  return (struct flow_my_column){field->name, field->type, form_of(field), (field->flags & UNSIGNED_FLAG) != 0,
                                 field->charset == BINARY_CHARSET};
}

enum flow_my_step flow_my_step(flow_my_statement *statement) {
  switch (statement->connection->my->mysql_stmt_fetch(statement->handle)) {
  case 0:
  // Every text is longer than its missing buffer.
  case TRUNCATED: return FLOW_MY_ROW;
  case NO_DATA: return FLOW_MY_END;
  default: return FLOW_MY_FAILED;
  }
}

bool flow_my_is_null(flow_my_statement *statement, size_t index) { return statement->nulls[index] != 0; }

int64_t flow_my_integer(flow_my_statement *statement, size_t index) { return statement->numbers[index].integer; }

double flow_my_double(flow_my_statement *statement, size_t index) {
  bool is_small = form_of(&statement->fields[index]) == FLOW_MY_AS_FLOAT;
  return is_small ? statement->numbers[index].small : statement->numbers[index].real;
}

size_t flow_my_length(flow_my_statement *statement, size_t index) { return statement->lengths[index]; }

bool flow_my_text(flow_my_statement *statement, size_t index, void *buffer, size_t length) {
  unsigned long actual = 0;
  char is_null = 0, error = 0;
  flow_my_bind bind = {.buffer_type = TYPE_STRING,
                       .buffer = buffer,
                       .buffer_length = length,
                       .length = &actual,
                       .is_null = &is_null,
                       .error = &error};
  return statement->connection->my->mysql_stmt_fetch_column(statement->handle, &bind, (unsigned)index, 0) == 0;
}

uint64_t flow_my_changes(flow_my_statement *statement) {
  return statement->connection->my->mysql_stmt_affected_rows(statement->handle);
}

uint64_t flow_my_last_id(flow_my_statement *statement) {
  return statement->connection->my->mysql_stmt_insert_id(statement->handle);
}

const char *flow_my_info(flow_my_statement *statement) {
  return statement->connection->my->mysql_info(statement->connection->handle);
}

bool flow_my_finish(flow_my_statement *statement, size_t *results) {
  const flow_my *my = statement->connection->my;
  *results = 0;
  while (true) {
    my->mysql_stmt_free_result(statement->handle);
    int next = my->mysql_stmt_next_result(statement->handle);
    if (next < 0) return true;
    if (next > 0) return false;
    // A procedure ends with a result without columns.
    if (my->mysql_stmt_field_count(statement->handle) > 0) ++*results;
  }
}
