#ifndef FLOW_CPOSTGRESQL_H
#define FLOW_CPOSTGRESQL_H

#include <stdint.h>

#include "CLibrary.h"

// libpq without its headers and without linking it. What is declared here is of version 10, and has not changed since;
// see https://www.postgresql.org/docs/current/libpq.html.

#pragma clang assume_nonnull begin

/// A PGconn.
typedef struct flow_pq_connection flow_pq_connection;
/// A PGresult.
typedef struct flow_pq_result flow_pq_result;
/// A PGcancel.
typedef struct flow_pq_cancel flow_pq_cancel;
/// An Oid, the number of a type.
typedef uint32_t flow_pq_type;
/// A PQnoticeProcessor.
typedef void (*flow_pq_notice)(void *_Nullable context, const char *message);

/// A PQconninfoOption; the last one of a list has no keyword.
typedef struct {
  const char *_Nullable keyword;
  const char *_Nullable variable;
  const char *_Nullable compiled;
  const char *_Nullable value;
  const char *_Nullable label;
  const char *_Nullable display;
  int size;
} flow_pq_option;

/// Every function by its name behind `PQ`.
#define FLOW_PQ_FUNCTIONS(X)                                                                       \
  X(flow_pq_option *_Nullable, conninfoParse, (const char *text, char *_Nullable *_Nullable problem)) \
  X(void, conninfoFree, (flow_pq_option * options))                                                \
  X(flow_pq_connection *_Nullable, connectStartParams,                                             \
    (const char *_Nullable const *_Nonnull keywords,                                               \
     const char *_Nullable const *_Nonnull values, int expand))                                    \
  X(int, connectPoll, (flow_pq_connection * connection))                                           \
  X(flow_pq_connection *_Nullable, connectdbParams,                                                \
    (const char *_Nullable const *_Nonnull keywords,                                               \
     const char *_Nullable const *_Nonnull values, int expand))                                    \
  X(int, status, (flow_pq_connection * connection))                                                \
  X(const char *_Nullable, errorMessage, (flow_pq_connection * connection))                        \
  X(int, socket, (flow_pq_connection * connection))                                                \
  X(void, finish, (flow_pq_connection * connection))                                               \
  X(int, setnonblocking, (flow_pq_connection * connection, int enabled))                           \
  X(flow_pq_notice _Nullable, setNoticeProcessor,                                                  \
    (flow_pq_connection * connection, flow_pq_notice processor, void *_Nullable context))          \
  X(int, sendQuery, (flow_pq_connection * connection, const char *text))                           \
  X(int, sendQueryParams,                                                                          \
    (flow_pq_connection * connection, const char *text, int count, const flow_pq_type *_Nullable types, \
     const char *_Nullable const *_Nullable values, const int *_Nullable lengths,                  \
     const int *_Nullable formats, int format))                                                    \
  X(int, sendPrepare,                                                                              \
    (flow_pq_connection * connection, const char *name, const char *text, int count,               \
     const flow_pq_type *_Nullable types))                                                         \
  X(int, sendDescribePrepared, (flow_pq_connection * connection, const char *name))                \
  X(int, setSingleRowMode, (flow_pq_connection * connection))                                      \
  X(int, flush, (flow_pq_connection * connection))                                                 \
  X(int, consumeInput, (flow_pq_connection * connection))                                          \
  X(int, isBusy, (flow_pq_connection * connection))                                                \
  X(flow_pq_result *_Nullable, getResult, (flow_pq_connection * connection))                       \
  X(int, transactionStatus, (flow_pq_connection * connection))                                     \
  X(flow_pq_cancel *_Nullable, getCancel, (flow_pq_connection * connection))                       \
  X(int, cancel, (flow_pq_cancel * cancel, char *problem, int size))                               \
  X(void, freeCancel, (flow_pq_cancel * cancel))                                                   \
  X(int, resultStatus, (flow_pq_result * result))                                                  \
  X(const char *_Nullable, resultErrorField, (flow_pq_result * result, int field))                 \
  X(int, ntuples, (flow_pq_result * result))                                                       \
  X(int, nfields, (flow_pq_result * result))                                                       \
  X(const char *_Nullable, fname, (flow_pq_result * result, int column))                           \
  X(flow_pq_type, ftype, (flow_pq_result * result, int column))                                    \
  X(int, getisnull, (flow_pq_result * result, int row, int column))                                \
  X(const char *_Nullable, getvalue, (flow_pq_result * result, int row, int column))               \
  X(int, getlength, (flow_pq_result * result, int row, int column))                                \
  X(const char *_Nullable, cmdTuples, (flow_pq_result * result))                                   \
  X(const char *_Nullable, cmdStatus, (flow_pq_result * result))                                   \
  X(int, nparams, (flow_pq_result * result))                                                       \
  X(flow_pq_type, paramtype, (flow_pq_result * result, int index))                                 \
  X(void, clear, (flow_pq_result * result))

/// The functions of a loaded libpq.
typedef struct {
#define FLOW_PQ_MEMBER(result, name, parameters) result(*_Nonnull name) parameters;
  FLOW_PQ_FUNCTIONS(FLOW_PQ_MEMBER)
#undef FLOW_PQ_MEMBER
} flow_pq;

/// Loads libpq, or returns NULL.
const flow_pq *_Nullable flow_pq_load(flow_library_problem *problem);

/// How many bytes a socket holds that were not read yet; 0 where that is not known.
int64_t flow_pq_unread(int socket);

/// How many bytes a socket has received in all; -1 where the system does not count, as for sockets of this machine.
int64_t flow_pq_received(int socket);

#pragma clang assume_nonnull end

#endif
