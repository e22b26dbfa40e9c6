#include "CEventLoop.h"

#include <stdio.h>
#include <yaml.h>

long flow_count_events(const unsigned char *bytes, size_t length) {
  yaml_parser_t parser;
  yaml_event_t event;
  yaml_event_type_t type = YAML_NO_EVENT;
  long count = 0;

  if (!yaml_parser_initialize(&parser)) return -1;
  yaml_parser_set_input_string(&parser, bytes, length);
  while (type != YAML_STREAM_END_EVENT) {
    if (!yaml_parser_parse(&parser, &event)) {
      count = -1;
      break;
    }
    type = event.type;
    yaml_event_delete(&event);
    count += 1;
  }
  yaml_parser_delete(&parser);
  return count;
}

void flow_print_lines(long count) {
  FILE *file = fopen("/dev/null", "w");
  long step;

  if (!file) return;
  for (step = 0; step < count; step += 1) {
    fprintf(file,
            "{\"call\":\"step%ld#1\",\"input\":{\"amount\":0.01},\"operation\":\"balance.add\",\"result\":"
            "{\"balance\":%ld.%02ld},\"ms\":%ld}\n",
            step, (step + 1) / 100, (step + 1) % 100, step);
  }
  fclose(file);
}
