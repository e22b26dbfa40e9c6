#ifndef FLOW_CXML2_H
#define FLOW_CXML2_H

#include <stdbool.h>
#include <stddef.h>

#include "CLibrary.h"

// libxml2 without its headers and without linking it: the library is loaded when the first expression asks for it.
// What is declared here is of version 2.9, and has not changed since; see https://gnome.pages.gitlab.gnome.org/libxml2/.

#pragma clang assume_nonnull begin

/// The loaded library.
typedef struct flow_xml flow_xml;

/// Called with each found text, which ends with a zero byte. Returns false to stop.
typedef bool (*flow_xml_visit)(void *context, const char *text);

/// A message on one line, without the final line break.
typedef struct {
  char text[300];
  /// The line of a document that is not well-formed, or 0.
  int line;
  /// The code of a fault of a document or a path.
  int code;
  /// The taken steps of a path, which are the limit if that was too low.
  unsigned long steps;
} flow_xml_problem;

/// A search in a document.
typedef struct {
  /// A path of XPath 1.0, compiled for each search: libxml2 changes a compiled path while it is used.
  const char *path;
  /// The limit of visited nodes and evaluated parts.
  unsigned long most_steps;
  flow_xml_visit visit;
  void *context;
} flow_xml_search;

/// Loads the library, or returns null.
const flow_xml *_Nullable flow_xml_load(flow_library_problem *problem);

/// The code of a path with a prefix that the document does not declare.
enum { flow_xml_unknown_prefix = 1219 };

/// Compiles a path of XPath 1.0, or returns false with the library's reason.
bool flow_xml_is_path(const flow_xml *xml, const char *path, flow_xml_problem *problem);

/// Visits the texts of what a path finds in a document of these bytes in UTF-8.
///
/// Of a path with another value than nodes, the only text is that value. Returns false with the reason if the text
/// is not well-formed, or the path has no value for it. Nothing but the bytes is read: no other file, no entities.
bool flow_xml_find(const flow_xml *xml, const char *bytes, int count, const flow_xml_search *search,
                   flow_xml_problem *problem);

#pragma clang assume_nonnull end

#endif
