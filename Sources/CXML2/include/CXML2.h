#ifndef FLOW_CXML2_H
#define FLOW_CXML2_H

#include <stdbool.h>
#include <stddef.h>

// libxml2 without its headers and without linking it: the library is loaded when the first expression asks for it.
// What is declared here is of version 2.9, and has not changed since; see https://gnome.pages.gitlab.gnome.org/libxml2/.

#pragma clang assume_nonnull begin

/// The loaded library.
typedef struct flow_xml flow_xml;
/// A page of HTML in memory.
typedef struct flow_html_page flow_html_page;
/// An element or a text of a page, valid as long as the page.
typedef struct flow_html_node flow_html_node;

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

/// Loads the library by its file name, or returns null with the system's reason.
const flow_xml *_Nullable flow_xml_load(const char *file, flow_xml_problem *problem);

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

// MARK: - Pages

/// Codes of faults behind which the rest of a page, or of a text in it, is lost.
enum {
  /// An internal error, which is how elements inside of too many others are reported.
  flow_html_too_deep = 1,
  /// No memory, which is how texts over a limit are reported.
  flow_html_long_text = 2,
  flow_html_open_value = 40,
  flow_html_open_comment = 45,
  flow_html_open_tag = 73,
};

/// Reads a page of these bytes in UTF-8, or returns null for a text without anything.
///
/// The text of the problem stays empty if nothing is lost.
flow_html_page *_Nullable flow_html_read(const flow_xml *xml, const char *bytes, int count,
                                         flow_xml_problem *problem);
void flow_html_free(const flow_xml *xml, flow_html_page *page);

/// Called with each element and text of a page in its order, with the number of elements around it.
typedef void (*flow_html_visit)(void *context, flow_html_node *node, int depth, bool is_element);
void flow_html_walk(flow_html_page *page, flow_html_visit visit, void *context);

/// The name of an element in lower case.
const char *flow_html_name(const flow_html_node *node);
/// Returns the text inside of a node, to be freed, or null without memory.
char *_Nullable flow_html_text(const flow_xml *xml, flow_html_node *node);
/// Returns the value of an element's attribute, to be freed, or null without one.
char *_Nullable flow_html_attribute(const flow_xml *xml, flow_html_node *node, const char *name);
void flow_html_free_text(const flow_xml *xml, char *text);

#pragma clang assume_nonnull end

#endif
