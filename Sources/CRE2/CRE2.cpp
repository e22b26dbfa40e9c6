extern "C" {
#include "CRE2.h"
}

#include <re2/re2.h>

// RE2 has its own view of a text until 2023, and Abseil's since then.
#if __has_include(<re2/stringpiece.h>)
#include <re2/stringpiece.h>
using Text = re2::StringPiece;
#else
#include <absl/strings/string_view.h>
using Text = absl::string_view;
#endif

struct flow_re2 {
  re2::RE2 expression;

  flow_re2(Text pattern, const re2::RE2::Options &options) : expression(pattern, options) {}
};

static re2::RE2::Options options(int64_t memory) {
  re2::RE2::Options options;
  options.set_max_mem(memory);
  // RE2 would write to the terminal.
  options.set_log_errors(false);
  return options;
}

flow_re2 *flow_re2_compile(const char *pattern, size_t length, int64_t memory) {
  try {
    return new flow_re2(Text(pattern, length), options(memory));
  } catch (...) {
    return nullptr;
  }
}

void flow_re2_free(flow_re2 *expression) { delete expression; }

const char *flow_re2_error(const flow_re2 *expression) {
  return expression->expression.ok() ? nullptr : expression->expression.error().c_str();
}

const char *flow_re2_error_part(const flow_re2 *expression, size_t *length) {
  const std::string &part = expression->expression.error_arg();
  *length = part.size();
  return part.data();
}

int flow_re2_size(const flow_re2 *expression) { return expression->expression.ProgramSize(); }

int flow_re2_find(
  const flow_re2 *expression, const char *text, size_t length, size_t start, size_t *first, size_t *last) {
  try {
    Text match;
    bool wants_place = first != nullptr;
    if (!expression->expression.Match(
          Text(text, length), start, length, re2::RE2::UNANCHORED, wants_place ? &match : nullptr, wants_place))
      return 0;
    if (wants_place) {
      *first = static_cast<size_t>(match.data() - text);
      *last = *first + match.size();
    }
    return 1;
  } catch (...) {
    return -1;
  }
}

int flow_re2_groups(const flow_re2 *expression) { return expression->expression.NumberOfCapturingGroups(); }

int flow_re2_find_group(
  const flow_re2 *expression, const char *text, size_t length, size_t start, size_t *places) {
  try {
    Text parts[2];
    int count = expression->expression.NumberOfCapturingGroups() > 0 ? 2 : 1;
    if (!expression->expression.Match(
          Text(text, length), start, length, re2::RE2::UNANCHORED, parts, count))
      return 0;
    places[0] = static_cast<size_t>(parts[0].data() - text);
    places[1] = places[0] + parts[0].size();
    bool has_group = count == 2 && parts[1].data() != nullptr;
    places[2] = has_group ? static_cast<size_t>(parts[1].data() - text) : SIZE_MAX;
    places[3] = has_group ? places[2] + parts[1].size() : SIZE_MAX;
    return 1;
  } catch (...) {
    return -1;
  }
}
