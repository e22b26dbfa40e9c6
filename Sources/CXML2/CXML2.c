#include "CXML2.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The starts of xmlXPathObject, xmlNodeSet, xmlNs and xmlError, as far as they are read here.
typedef struct {
  int count;
  int capacity;
  void **nodes;
} node_set;
typedef struct {
  int kind;
  node_set *nodes;
} path_object;
typedef struct name_space {
  struct name_space *next;
  int kind;
  const char *address;
  const char *prefix;
} name_space;
typedef struct {
  int domain, code;
  const char *message;
  int level;
  const char *file;
  int line;
} xml_error;
typedef void (*error_handler)(void *context, xml_error *error);

#define FLOW_XML_FUNCTIONS(X)                                                                  \
  X(void *, xmlReadMemory, (const char *, int, const char *, const char *, int))              \
  X(void *, htmlReadMemory, (const char *, int, const char *, const char *, int))             \
  X(void, xmlFreeDoc, (void *))                                                                \
  X(void *, xmlDocGetRootElement, (void *))                                                    \
  X(name_space **, xmlGetNsList, (void *, void *))                                             \
  X(void *, xmlXPathNewContext, (void *))                                                      \
  X(void, xmlXPathFreeContext, (void *))                                                       \
  X(int, xmlXPathRegisterNs, (void *, const char *, const char *))                             \
  X(void *, xmlXPathCompile, (const char *))                                                   \
  X(void, xmlXPathFreeCompExpr, (void *))                                                      \
  X(path_object *, xmlXPathCompiledEval, (void *, void *))                                     \
  X(void, xmlXPathFreeObject, (path_object *))                                                 \
  X(char *, xmlXPathCastToString, (path_object *))                                             \
  X(char *, xmlXPathCastNodeToString, (void *))                                                \
  X(void, xmlSetStructuredErrorFunc, (void *, error_handler))                                  \
  X(void, xmlInitParser, (void))

struct flow_xml {
#define MEMBER(result, name, parameters) result(*name) parameters;
  FLOW_XML_FUNCTIONS(MEMBER)
#undef MEMBER
  void (**free)(void *);
};

static const char *const memory = "the system is out of memory";
enum { node_set_kind = 1 };

static void note(flow_xml_problem *problem, const char *text) {
  snprintf(problem->text, sizeof problem->text, "%s", text);
  problem->text[strcspn(problem->text, "\n")] = 0;
}

static bool find_functions(void *library, flow_xml *xml, flow_xml_problem *problem) {
#define FIND(result, name, parameters)                       \
  *(void **)&xml->name = dlsym(library, #name);              \
  if (!xml->name) {                                          \
    note(problem, "it has no " #name);                       \
    return false;                                            \
  }
  FLOW_XML_FUNCTIONS(FIND)
#undef FIND
  xml->free = (void (**)(void *))dlsym(library, "xmlFree");
  if (!xml->free) note(problem, "it has no xmlFree");
  return xml->free;
}

const flow_xml *flow_xml_load(const char *file, flow_xml_problem *problem) {
  void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    const char *text = dlerror();
    note(problem, text ? text : "the system gave no reason");
    return NULL;
  }
  flow_xml *xml = calloc(1, sizeof *xml);
  if (!xml) {
    note(problem, memory);
  } else if (find_functions(library, xml, problem)) {
    xml->xmlInitParser();
    return xml;
  }
  free(xml);
  return NULL;
}

// The first message is the cause, and later ones follow from it. It is not always an error: a wrong path is reported
// at a level that HTML uses for what every page has.
static void keep_first(void *context, xml_error *error) {
  flow_xml_problem *problem = context;
  if (!error || !error->message || problem->text[0]) return;
  note(problem, error->message);
  problem->line = error->line;
}

flow_xml_path *flow_xml_compile(const flow_xml *xml, const char *path, flow_xml_problem *problem) {
  problem->text[0] = 0;
  xml->xmlSetStructuredErrorFunc(problem, keep_first);
  void *compiled = xml->xmlXPathCompile(path);
  xml->xmlSetStructuredErrorFunc(NULL, NULL);
  if (!compiled && !problem->text[0]) note(problem, "Invalid expression");
  return compiled;
}

void flow_xml_free(const flow_xml *xml, flow_xml_path *path) { xml->xmlXPathFreeCompExpr(path); }

static bool visit_text(const flow_xml *xml, char *text, flow_xml_visit visit, void *context) {
  bool goes_on = text && visit(context, text);
  if (text) (*xml->free)(text);
  return goes_on;
}

static void visit_all(const flow_xml *xml, path_object *found, flow_xml_visit visit, void *context) {
  if (found->kind != node_set_kind) {
    visit_text(xml, xml->xmlXPathCastToString(found), visit, context);
    return;
  }
  int count = found->nodes ? found->nodes->count : 0;
  for (int index = 0; index < count; index++) {
    char *text = xml->xmlXPathCastNodeToString(found->nodes->nodes[index]);
    if (!visit_text(xml, text, visit, context)) return;
  }
}

// The root's own prefixes, and `_` for its namespace without one.
static void register_namespaces(const flow_xml *xml, void *document, void *context) {
  void *root = xml->xmlDocGetRootElement(document);
  name_space **list = root ? xml->xmlGetNsList(document, root) : NULL;
  if (!list) return;
  for (int index = 0; list[index]; index++) {
    name_space *found = list[index];
    if (found->address) xml->xmlXPathRegisterNs(context, found->prefix ? found->prefix : "_", found->address);
  }
  (*xml->free)(list);
}

static bool find_in(const flow_xml *xml, void *document, flow_xml_path *path, flow_xml_visit visit, void *context,
                    flow_xml_problem *problem) {
  void *evaluation = xml->xmlXPathNewContext(document);
  if (!evaluation) {
    note(problem, memory);
    return false;
  }
  register_namespaces(xml, document, evaluation);
  path_object *found = xml->xmlXPathCompiledEval(path, evaluation);
  if (found) {
    visit_all(xml, found, visit, context);
    xml->xmlXPathFreeObject(found);
  } else if (!problem->text[0]) {
    note(problem, "Invalid expression");
  }
  xml->xmlXPathFreeContext(evaluation);
  return found;
}

bool flow_xml_find(const flow_xml *xml, const char *bytes, int count, bool isHTML, flow_xml_path *path,
                   flow_xml_visit visit, void *context, flow_xml_problem *problem) {
  // NONET, NOERROR and NOWARNING, of both parsers; RECOVER for pages. Entities stay references.
  enum { xml_options = 1 << 11 | 1 << 5 | 1 << 6, html_options = xml_options | 1 << 0 };
  problem->text[0] = 0;
  problem->line = 0;
  // Of pages nothing is wrong enough to be reported.
  if (!isHTML) xml->xmlSetStructuredErrorFunc(problem, keep_first);
  void *document = isHTML ? xml->htmlReadMemory(bytes, count, NULL, "UTF-8", html_options)
                          : xml->xmlReadMemory(bytes, count, NULL, "UTF-8", xml_options & ~(1 << 5));
  bool succeeded = false;
  if (document) {
    problem->text[0] = 0;
    xml->xmlSetStructuredErrorFunc(problem, keep_first);
    succeeded = find_in(xml, document, path, visit, context, problem);
    xml->xmlFreeDoc(document);
  } else if (isHTML) {
    // It has no page for a text without anything.
    succeeded = true;
  } else if (!problem->text[0]) {
    note(problem, memory);
  }
  xml->xmlSetStructuredErrorFunc(NULL, NULL);
  return succeeded;
}
