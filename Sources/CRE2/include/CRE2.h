#ifndef FLOW_CRE2_H
#define FLOW_CRE2_H

#include <stddef.h>
#include <stdint.h>

// RE2 has an interface for C++ alone, which Swift cannot call without taking C++ into every module above. These
// functions are plain C. No exception leaves them.

/// A compiled regular expression, or the reason why there is none. Any number of threads may use one at once.
typedef struct flow_re2 flow_re2;

/// Compiles a pattern for text in UTF-8 that may take `memory` bytes, half of it or more for what is found out
/// while matching; NULL when there is no memory. To be freed with `flow_re2_free`.
flow_re2 *flow_re2_compile(const char *pattern, size_t length, int64_t memory);

void flow_re2_free(flow_re2 *expression);

/// The reason why a pattern is none, in RE2's words; NULL for a pattern that is one. Ends with a zero.
const char *flow_re2_error(const flow_re2 *expression);

/// The part of the pattern that is wrong; empty when RE2 names none. Its length is written to `length`.
const char *flow_re2_error_part(const flow_re2 *expression, size_t *length);

/// Instructions of the compiled pattern: the most steps that a byte of text can take.
int flow_re2_size(const flow_re2 *expression);

/// 1 if a part of the text from `start` on matches, 0 if none does, -1 when there is no memory.
///
/// The first match is written to `first` and `last` unless they are NULL, which makes the search faster. Bytes that
/// are not UTF-8 never match.
int flow_re2_find(
  const flow_re2 *expression, const char *text, size_t length, size_t start, size_t *first, size_t *last);

/// The number of capturing groups of the pattern.
int flow_re2_groups(const flow_re2 *expression);

/// The same as `flow_re2_find`, with the places of the match and of its first group: two starts and ends.
///
/// The start of the group is SIZE_MAX if the group has no part in the match, or the pattern has no group.
int flow_re2_find_group(
  const flow_re2 *expression, const char *text, size_t length, size_t start, size_t *places);

#endif
