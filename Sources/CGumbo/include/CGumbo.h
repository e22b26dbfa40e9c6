#ifndef FLOW_CGUMBO_H
#define FLOW_CGUMBO_H

#include <stdbool.h>
#include <stddef.h>

#include "CLibrary.h"

// libgumbo without its header and without linking it: the library is loaded when the first page is read. It reads
// HTML by the rules of the standard (https://html.spec.whatwg.org/multipage/parsing.html). Its structures are those
// of version 0.10 and stay inside of CGumbo.c.

#pragma clang assume_nonnull begin

/// The loaded library.
typedef struct flow_gumbo flow_gumbo;
/// A page in memory.
typedef struct flow_gumbo_page flow_gumbo_page;
/// An element, a text or a comment of a page, valid as long as the page.
typedef struct flow_gumbo_node flow_gumbo_node;

/// Some characters of a page in UTF-8.
typedef struct {
  const char *_Nullable start;
  size_t count;
} flow_gumbo_text;

/// Loads the library, or returns null.
const flow_gumbo *_Nullable flow_gumbo_load(flow_library_problem *problem);

/// The outcome of reading a page.
enum flow_gumbo_outcome {
  FLOW_GUMBO_READ,
  /// An element is inside of more others than allowed.
  FLOW_GUMBO_TOO_DEEP,
  /// The page takes more memory than allowed.
  FLOW_GUMBO_TOO_LARGE,
};

/// Reads a page of these bytes in UTF-8, which are copied.
///
/// Returns null with the reason in `outcome` and the line, from 1: the library itself has no limits.
flow_gumbo_page *_Nullable flow_gumbo_read(const flow_gumbo *gumbo, const char *bytes, size_t count, int deepest,
                                           enum flow_gumbo_outcome *outcome, int *line);
void flow_gumbo_free(flow_gumbo_page *page);

enum flow_gumbo_kind { FLOW_GUMBO_ELEMENT, FLOW_GUMBO_TEXT, FLOW_GUMBO_COMMENT };

/// Called with each node of a page in its order, with the number of elements around it.
///
/// `is_inert` is true in a `template`, whose content is not a part of the page.
typedef void (*flow_gumbo_visit)(void *context, const flow_gumbo_node *node, int depth, enum flow_gumbo_kind kind,
                                 bool is_inert);
void flow_gumbo_walk(flow_gumbo_page *page, flow_gumbo_visit visit, void *context);

/// The name of an element, as written for one that the standard does not name.
flow_gumbo_text flow_gumbo_name(const flow_gumbo_page *page, const flow_gumbo_node *node);
/// The characters of a text or a comment.
flow_gumbo_text flow_gumbo_characters(const flow_gumbo_node *node);
/// The line of a node that is no text, from 1.
int flow_gumbo_line(const flow_gumbo_node *node);
/// The value of an element's attribute by its lower-case name, or null without one.
const char *_Nullable flow_gumbo_attribute(const flow_gumbo_node *node, const char *name);

#pragma clang assume_nonnull end

#endif
