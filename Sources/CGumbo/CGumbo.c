#include "CGumbo.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>

// The structures of gumbo.h.
typedef struct {
  unsigned line, column, offset;
} place;
typedef struct {
  void **items;
  unsigned count, capacity;
} vector;
typedef struct {
  int space;
  const char *name;
  flow_gumbo_text original_name;
  const char *value;
  flow_gumbo_text original_value;
  place name_start, name_end, value_start, value_end;
} attribute;
struct flow_gumbo_node {
  int kind;
  struct flow_gumbo_node *parent;
  size_t index;
  int flags;
  union {
    struct {
      vector children;
      bool has_doctype;
      const char *texts[3];
      int quirks;
    } document;
    struct {
      vector children;
      int tag, space;
      flow_gumbo_text start_tag, end_tag;
      place start, end;
      vector attributes;
    } element;
    struct {
      const char *text;
      flow_gumbo_text original;
      place start;
    } text;
  } content;
};
typedef struct {
  void *(*allocate)(void *context, size_t size);
  void (*release)(void *context, void *memory);
  void *context;
  int tab_stop;
  bool stops;
  int most_errors;
  int fragment_tag, fragment_space;
} options;
typedef struct {
  flow_gumbo_node *document, *root;
  vector errors;
} output;
enum { document_kind, element_kind, text_kind, cdata_kind, comment_kind, blank_kind, template_kind };

struct flow_gumbo {
  output *(*parse)(const options *options, const char *bytes, size_t count);
  const char *(*tag_name)(int tag);
  void (*tag_of)(flow_gumbo_text *tag);
  const options *defaults;
};

static const flow_library library = {
  "gumbo",
  // Those of versions 0.10, 0.12 and 0.13, whose structures are the same.
  {1, 2, 3},
  sizeof(flow_gumbo),
  (const char *const[]){"gumbo_parse_with_options", "gumbo_normalized_tagname", "gumbo_tag_from_original_text",
                        "kGumboDefaultOptions", NULL}};

const flow_gumbo *flow_gumbo_load(flow_library_problem *problem) { return flow_library_load(&library, problem); }

// MARK: - Memory

// The memory of a page is one range of addresses, freed as a whole. So the library can be left in the middle of its
// work, which is how a page over a limit ends: the library itself has no limits, and takes quadratic time for elements
// inside of each other. It also frees them by a function that calls itself.
enum { step = 16, classes = 48 };

typedef struct block {
  size_t class;
  struct block *next;
} block;

struct flow_gumbo_page {
  const flow_gumbo *gumbo;
  output *output;
  char *start;
  size_t used, size;
  // The released blocks of each class, which are sizes of powers of two.
  block *released[classes];
  // The last allocation of the size of a node.
  flow_gumbo_node *latest;
  int deepest;
  enum flow_gumbo_outcome outcome;
  int line;
  jmp_buf exit;
};

static _Noreturn void leave(flow_gumbo_page *page, enum flow_gumbo_outcome outcome) {
  page->outcome = outcome;
  longjmp(page->exit, 1);
}

static bool has(const flow_gumbo_page *page, const void *memory) {
  const char *byte = memory;
  return byte >= page->start && byte + sizeof(flow_gumbo_node) <= page->start + page->used;
}

static bool is_element(const flow_gumbo_node *node) {
  return node->kind == element_kind || node->kind == template_kind;
}

// Checks the latest element, which is in its place by the next allocation. Other memory of this size may be taken for
// one; only this page's memory is read.
static void check_depth(flow_gumbo_page *page) {
  const flow_gumbo_node *node = page->latest;
  int depth = 0;
  while (node && is_element(node) && has(page, node->parent)) {
    node = node->parent;
    // The document is around all elements.
    if (++depth <= page->deepest + 1) continue;
    page->line = (int)page->latest->content.element.start.line;
    leave(page, FLOW_GUMBO_TOO_DEEP);
  }
}

static size_t class_of(size_t size) {
  size_t class = 0;
  while (((size_t)step << class) < size) class++;
  return class;
}

static void *allocate(void *context, size_t size) {
  flow_gumbo_page *page = context;
  if (size == sizeof(flow_gumbo_node)) check_depth(page);
  size_t class = size <= page->size ? class_of(size + sizeof(block)) : classes;
  if (class >= classes) leave(page, FLOW_GUMBO_TOO_LARGE);
  block *found = page->released[class];
  if (found) {
    page->released[class] = found->next;
  } else {
    size_t count = (size_t)step << class;
    if (count > page->size - page->used) leave(page, FLOW_GUMBO_TOO_LARGE);
    found = (block *)(page->start + page->used);
    page->used += count;
    found->class = class;
  }
  void *memory = found + 1;
  if (size == sizeof(flow_gumbo_node)) {
    memset(memory, 0, size);
    page->latest = memory;
  }
  return memory;
}

static void release(void *context, void *memory) {
  flow_gumbo_page *page = context;
  if (!memory) return;
  block *freed = (block *)memory - 1;
  freed->next = page->released[freed->class];
  page->released[freed->class] = freed;
}

// Bytes of memory for each byte of a page, and for any page.
enum { per_byte = 128, least = 64 << 20 };

flow_gumbo_page *flow_gumbo_read(const flow_gumbo *gumbo, const char *bytes, size_t count, int deepest,
                                 enum flow_gumbo_outcome *outcome, int *line) {
  *outcome = FLOW_GUMBO_TOO_LARGE;
  *line = 1;
  flow_gumbo_page *page = calloc(1, sizeof *page);
  if (!page) return NULL;
  page->gumbo = gumbo;
  page->deepest = deepest;
  page->size = least + per_byte * count;
  // Addresses alone: memory is taken when it is first used.
  page->start = mmap(NULL, page->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0);
  if (page->start == MAP_FAILED) {
    free(page);
    return NULL;
  }
  // The names of elements are parts of the text.
  memcpy(page->start, bytes, count);
  page->used = (count / step + 1) * step;
  options options = *gumbo->defaults;
  options.allocate = allocate;
  options.release = release;
  options.context = page;
  options.most_errors = 0;
  if (setjmp(page->exit) == 0) {
    page->output = gumbo->parse(&options, page->start, count);
    *outcome = FLOW_GUMBO_READ;
    return page;
  }
  *outcome = page->outcome;
  *line = page->line > 0 ? page->line : 1;
  flow_gumbo_free(page);
  return NULL;
}

void flow_gumbo_free(flow_gumbo_page *page) {
  munmap(page->start, page->size);
  free(page);
}

// MARK: - Nodes

static const vector *children_of(const flow_gumbo_node *node) {
  switch (node->kind) {
  case document_kind: return &node->content.document.children;
  case element_kind:
  case template_kind: return &node->content.element.children;
  default: return NULL;
  }
}

void flow_gumbo_walk(flow_gumbo_page *page, flow_gumbo_visit visit, void *context) {
  const flow_gumbo_node *root = page->output->document, *node = root;
  int depth = -1, templates = 0;
  while (true) {
    switch (node->kind) {
    case element_kind:
    case template_kind: visit(context, node, depth, FLOW_GUMBO_ELEMENT, templates > 0); break;
    case text_kind:
    case cdata_kind:
    case blank_kind: visit(context, node, depth, FLOW_GUMBO_TEXT, templates > 0); break;
    case comment_kind: visit(context, node, depth, FLOW_GUMBO_COMMENT, templates > 0); break;
    default: break;
    }
    const vector *children = children_of(node);
    if (children && children->count > 0) {
      templates += node->kind == template_kind;
      node = children->items[0];
      depth++;
      continue;
    }
    while (true) {
      const flow_gumbo_node *parent = node->parent;
      if (node == root || !parent) return;
      const vector *beside = children_of(parent);
      if (node->index + 1 < beside->count) {
        node = beside->items[node->index + 1];
        break;
      }
      node = parent;
      templates -= node->kind == template_kind;
      depth--;
    }
  }
}

flow_gumbo_text flow_gumbo_name(const flow_gumbo_page *page, const flow_gumbo_node *node) {
  const char *name = page->gumbo->tag_name(node->content.element.tag);
  if (*name) return (flow_gumbo_text){name, strlen(name)};
  flow_gumbo_text tag = node->content.element.start_tag;
  page->gumbo->tag_of(&tag);
  return tag;
}

flow_gumbo_text flow_gumbo_characters(const flow_gumbo_node *node) {
  const char *text = node->content.text.text;
  return (flow_gumbo_text){text, strlen(text)};
}

int flow_gumbo_line(const flow_gumbo_node *node) {
  return (int)(is_element(node) ? node->content.element.start.line : node->content.text.start.line);
}

const char *flow_gumbo_attribute(const flow_gumbo_node *node, const char *name) {
  const vector *attributes = &node->content.element.attributes;
  for (unsigned index = 0; index < attributes->count; index++) {
    const attribute *found = attributes->items[index];
    if (!strcasecmp(found->name, name)) return found->value;
  }
  return NULL;
}
