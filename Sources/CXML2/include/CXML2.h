#ifndef FLOW_CXML2_H
#define FLOW_CXML2_H

#include <stdbool.h>
#include <stddef.h>

// libxml2 without its headers and without linking it: the library is loaded when the first expression asks for it.
// What is declared here is of version 2.9, and has not changed since; see https://gnome.pages.gitlab.gnome.org/libxml2/.

#pragma clang assume_nonnull begin

/// The loaded library.
typedef struct flow_xml flow_xml;
/// A compiled path.
typedef struct flow_xml_path flow_xml_path;

/// Called with each found text, which ends with a zero byte. Returns false to stop.
typedef bool (*flow_xml_visit)(void *context, const char *text);

/// A message on one line, without the final line break.
typedef struct {
  char text[300];
  int line;
} flow_xml_problem;

/// Loads the library by its file name, or returns null with the system's reason.
const flow_xml *_Nullable flow_xml_load(const char *file, flow_xml_problem *problem);

/// Compiles a path of XPath 1.0, or returns null with the library's reason.
flow_xml_path *_Nullable flow_xml_compile(const flow_xml *xml, const char *path, flow_xml_problem *problem);
void flow_xml_free(const flow_xml *xml, flow_xml_path *path);

/// Visits the texts of what a path finds in a document of these bytes in UTF-8.
///
/// Of a path with another value than nodes, the only text is that value. Returns false with the reason if the text
/// is not well-formed, or the path has no value for it. Nothing but the bytes is read: no other file, no entities.
bool flow_xml_find(const flow_xml *xml, const char *bytes, int count, bool isHTML, flow_xml_path *path,
                   flow_xml_visit visit, void *context, flow_xml_problem *problem);

#pragma clang assume_nonnull end

#endif
