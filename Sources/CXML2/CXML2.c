#include "CXML2.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The starts of structures, as far as they are read here. Those of xmlNode and xmlDoc are the same up to `document`.
typedef struct xml_node {
  void *private;
  int kind;
  const char *name;
  struct xml_node *children, *last, *parent, *next, *previous;
  void *document;
  // Only of an element.
  void *name_space;
  char *content;
  void *attributes;
  struct name_space *declared;
} xml_node;
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
// The whole xmlError is inside of xmlXPathContext, whose first public limits came with 2.9.10.
typedef struct {
  void *document, *node;
  int variables, most_variables;
  void *variable_table;
  int types, most_types;
  void *type_table;
  int functions, most_functions;
  void *function_table;
  int axes, most_axes;
  void *axis_table;
  void **namespaces;
  int namespace_count;
  void *user;
  int size, position, is_pointer;
  void *here, *origin, *namespace_table, *variable_lookup, *variable_lookup_data, *extra;
  const char *function, *function_address;
  void *function_lookup, *function_lookup_data, **temporary_namespaces;
  int temporary_namespace_count;
  void *user_data, *error_handler;
  struct {
    xml_error start;
    char *texts[3];
    int numbers[2];
    void *context, *node;
  } last_error;
  void *debug_node, *dictionary;
  int flags;
  void *cache;
  unsigned long most_steps, steps;
} evaluation_context;
typedef void (*error_handler)(void *context, xml_error *error);

#define FLOW_XML_FUNCTIONS(X)                                                                  \
  X(void *, xmlReadMemory, (const char *, int, const char *, const char *, int))              \
  X(void, xmlFreeDoc, (void *))                                                                \
  X(void *, xmlDocGetRootElement, (void *))                                                    \
  X(evaluation_context *, xmlXPathNewContext, (void *))                                                      \
  X(void, xmlXPathFreeContext, (evaluation_context *))                                                       \
  X(int, xmlXPathRegisterNs, (void *, const char *, const char *))                             \
  X(const char *, xmlXPathNsLookup, (void *, const char *))                                    \
  X(void *, xmlXPathCompile, (const char *))                                                   \
  X(void, xmlXPathFreeCompExpr, (void *))                                                      \
  X(path_object *, xmlXPathCompiledEval, (void *, evaluation_context *))                                     \
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
  const char **version;
};

static const flow_library library = {
  "xml2",
  // Debian 13 and Ubuntu 24.10 have the first, newer systems the second.
  {2, 16},
  sizeof(flow_xml),
#define NAME(result, name, parameters) #name,
  (const char *const[]){FLOW_XML_FUNCTIONS(NAME) "xmlFree", "xmlParserVersion", NULL},
#undef NAME
};

// 2.9.10 in the form of the library's own text, which is "20914", possibly with a suffix.
enum { oldest = 20910 };

const flow_xml *flow_xml_load(flow_library_problem *problem) {
  flow_xml *xml = flow_library_load(&library, problem);
  if (!xml) return NULL;
  if (atoi(*xml->version) < oldest) {
    flow_library_refuse(problem, "it is older than version 2.9.10");
    free(xml);
    return NULL;
  }
  xml->xmlInitParser();
  return xml;
}

static const char *const memory = "the system is out of memory", *const invalid = "Invalid expression";
enum { node_set_kind = 1, element_kind = 1 };
enum { undeclared_entity = 27, warning_level = 1 };

static void note(flow_xml_problem *problem, const char *text) {
  snprintf(problem->text, sizeof problem->text, "%s", text);
  problem->text[strcspn(problem->text, "\n")] = 0;
}

// The first message is the cause, and later ones follow from it. It is not always an error: a wrong path is reported
// at a lower level.
static void keep_first(void *context, xml_error *error) {
  flow_xml_problem *problem = context;
  if (!error || !error->message || problem->text[0]) return;
  note(problem, error->message);
  problem->line = error->line;
  problem->code = error->code;
}

// What is wrong with a text. Most warnings say nothing about its content, and a text without a needed declaration has
// lost some of its content.
static void keep_fault(void *context, xml_error *error) {
  flow_xml_problem *problem = context;
  bool loses_text = error && error->code == undeclared_entity;
  if (loses_text) {
    if (problem->code != undeclared_entity) problem->text[0] = 0;
    problem->code = error->code;
  } else if (problem->code == undeclared_entity || (error && error->level <= warning_level)) {
    return;
  }
  keep_first(context, error);
}

static void *compiled(const flow_xml *xml, const char *path, flow_xml_problem *problem) {
  memset(problem, 0, sizeof *problem);
  xml->xmlSetStructuredErrorFunc(problem, keep_first);
  void *compiled = xml->xmlXPathCompile(path);
  xml->xmlSetStructuredErrorFunc(NULL, NULL);
  if (!compiled && !problem->text[0]) note(problem, invalid);
  return compiled;
}

bool flow_xml_is_path(const flow_xml *xml, const char *path, flow_xml_problem *problem) {
  void *expression = compiled(xml, path, problem);
  if (expression) xml->xmlXPathFreeCompExpr(expression);
  return expression;
}

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

// The prefixes that an element declares, and `_` for its namespace without one. The first declaration of each counts.
static void register_declared(const flow_xml *xml, xml_node *element, void *context) {
  for (name_space *found = element->declared; found; found = found->next) {
    const char *prefix = found->prefix ? found->prefix : "_";
    bool is_known = xml->xmlXPathNsLookup(context, prefix);
    if (!is_known && found->address && *found->address) xml->xmlXPathRegisterNs(context, prefix, found->address);
  }
}

static void register_namespaces(const flow_xml *xml, void *document, void *context) {
  xml_node *root = document, *node = root->children;
  while (node) {
    bool is_element = node->kind == element_kind;
    if (is_element) register_declared(xml, node, context);
    if (is_element && node->children) {
      node = node->children;
      continue;
    }
    while (!node->next) {
      node = node->parent;
      if (!node || node == root) return;
    }
    node = node->next;
  }
}

static bool find_in(const flow_xml *xml, void *document, void *expression, const flow_xml_search *search,
                    flow_xml_problem *problem) {
  evaluation_context *evaluation = xml->xmlXPathNewContext(document);
  if (!evaluation) {
    note(problem, memory);
    return false;
  }
  register_namespaces(xml, document, evaluation);
  evaluation->most_steps = search->most_steps;
  path_object *found = xml->xmlXPathCompiledEval(expression, evaluation);
  problem->steps = evaluation->steps;
  if (found) {
    visit_all(xml, found, search->visit, search->context);
    xml->xmlXPathFreeObject(found);
  } else if (!problem->text[0]) {
    note(problem, invalid);
  }
  xml->xmlXPathFreeContext(evaluation);
  return found;
}

// Entities stay references.
enum { no_network = 1 << 11 };

static void *parsed(const flow_xml *xml, const char *bytes, int count, flow_xml_problem *problem) {
  xml->xmlSetStructuredErrorFunc(problem, keep_fault);
  void *document = xml->xmlReadMemory(bytes, count, NULL, "UTF-8", no_network);
  xml->xmlSetStructuredErrorFunc(NULL, NULL);
  if (document && problem->code != undeclared_entity) {
    memset(problem, 0, sizeof *problem);
    return document;
  }
  if (document) xml->xmlFreeDoc(document);
  if (!problem->text[0]) note(problem, count > 0 ? memory : "it is empty");
  if (problem->line < 1) problem->line = 1;
  return NULL;
}

bool flow_xml_find(const flow_xml *xml, const char *bytes, int count, const flow_xml_search *search,
                   flow_xml_problem *problem) {
  void *expression = compiled(xml, search->path, problem);
  if (!expression) return false;
  void *document = parsed(xml, bytes, count, problem);
  bool succeeded = false;
  if (document) {
    xml->xmlSetStructuredErrorFunc(problem, keep_first);
    succeeded = find_in(xml, document, expression, search, problem);
    xml->xmlSetStructuredErrorFunc(NULL, NULL);
    xml->xmlFreeDoc(document);
    // No place of the document.
    problem->line = 0;
  }
  xml->xmlXPathFreeCompExpr(expression);
  return succeeded;
}
