#ifndef FLOW_CTEXTS_H
#define FLOW_CTEXTS_H

#include <stddef.h>

#pragma clang assume_nonnull begin

/// The bytes of a file in `Texts`.
typedef struct {
  const unsigned char *bytes;
  size_t count;
} flow_text;

/// The page of all diagnostics, Docs/rules.md.
extern const flow_text flow_text_rules;
/// The page for assistants, Docs/SKILL.md.
extern const flow_text flow_text_skill;
/// The component of the page on writing components.
extern const flow_text flow_text_counter;
/// The tests of the counter.
extern const flow_text flow_text_counter_tests;
/// The tests of the counter by the checks of components.
extern const flow_text flow_text_counter_checks;
/// A scenario with the counter.
extern const flow_text flow_text_counter_scenario;
/// A server of tools in Python.
extern const flow_text flow_text_server_python;
/// The same server in JavaScript.
extern const flow_text flow_text_server_javascript;
/// A scenario with the server.
extern const flow_text flow_text_server_scenario;
/// The scenario of the demo whose recorded answer is wrong.
extern const flow_text flow_text_demo_basket;
/// Its recording.
extern const flow_text flow_text_demo_basket_transcript;
/// The scenario of the demo that fails in another order.
extern const flow_text flow_text_demo_checkout;
/// Its recording.
extern const flow_text flow_text_demo_checkout_transcript;
/// The scenario of the demo that leaves an answer unchecked.
extern const flow_text flow_text_demo_order;
/// Its recording.
extern const flow_text flow_text_demo_order_transcript;
/// The scenario of the demo with a misspelt name.
extern const flow_text flow_text_demo_refund;
/// The style sheet of the HTML report.
extern const flow_text flow_text_report_style;
/// The script of the HTML report.
extern const flow_text flow_text_report_script;
/// The metaschemas of JSON Schema by their URIs.
extern const flow_text flow_text_metaschemas;
/// The presets of APIs.
extern const flow_text flow_text_presets;

#pragma clang assume_nonnull end

#endif
