#include "CTexts.h"

// The files are a part of the program. As array literals of Swift they took the optimizer a quarter of
// its time: it has an instruction for each byte, which every pass looks at.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char rules[] = {
#embed "Texts/rules.md"
};
const flow_text flow_text_rules = {rules, sizeof rules};

static const unsigned char skill[] = {
#embed "Texts/SKILL.md"
};
const flow_text flow_text_skill = {skill, sizeof skill};

static const unsigned char counter[] = {
#embed "Texts/counter.txt"
};
const flow_text flow_text_counter = {counter, sizeof counter};

static const unsigned char counter_tests[] = {
#embed "Texts/counter-tests.txt"
};
const flow_text flow_text_counter_tests = {counter_tests, sizeof counter_tests};

static const unsigned char counter_checks[] = {
#embed "Texts/counter-checks.txt"
};
const flow_text flow_text_counter_checks = {counter_checks, sizeof counter_checks};

static const unsigned char counter_scenario[] = {
#embed "Texts/counter-scenario.txt"
};
const flow_text flow_text_counter_scenario = {counter_scenario, sizeof counter_scenario};

static const unsigned char server_python[] = {
#embed "Texts/server-python.txt"
};
const flow_text flow_text_server_python = {server_python, sizeof server_python};

static const unsigned char server_javascript[] = {
#embed "Texts/server-javascript.txt"
};
const flow_text flow_text_server_javascript = {server_javascript, sizeof server_javascript};

static const unsigned char server_scenario[] = {
#embed "Texts/server-scenario.txt"
};
const flow_text flow_text_server_scenario = {server_scenario, sizeof server_scenario};

static const unsigned char demo_basket[] = {
#embed "Texts/demo-basket.txt"
};
const flow_text flow_text_demo_basket = {demo_basket, sizeof demo_basket};

static const unsigned char demo_basket_transcript[] = {
#embed "Texts/demo-basket-transcript.txt"
};
const flow_text flow_text_demo_basket_transcript = {demo_basket_transcript, sizeof demo_basket_transcript};

static const unsigned char demo_checkout[] = {
#embed "Texts/demo-checkout.txt"
};
const flow_text flow_text_demo_checkout = {demo_checkout, sizeof demo_checkout};

static const unsigned char demo_checkout_transcript[] = {
#embed "Texts/demo-checkout-transcript.txt"
};
const flow_text flow_text_demo_checkout_transcript = {demo_checkout_transcript, sizeof demo_checkout_transcript};

static const unsigned char demo_order[] = {
#embed "Texts/demo-order.txt"
};
const flow_text flow_text_demo_order = {demo_order, sizeof demo_order};

static const unsigned char demo_order_transcript[] = {
#embed "Texts/demo-order-transcript.txt"
};
const flow_text flow_text_demo_order_transcript = {demo_order_transcript, sizeof demo_order_transcript};

static const unsigned char demo_refund[] = {
#embed "Texts/demo-refund.txt"
};
const flow_text flow_text_demo_refund = {demo_refund, sizeof demo_refund};

static const unsigned char report_style[] = {
#embed "Texts/report.css"
};
const flow_text flow_text_report_style = {report_style, sizeof report_style};

static const unsigned char report_script[] = {
#embed "Texts/report.js"
};
const flow_text flow_text_report_script = {report_script, sizeof report_script};

static const unsigned char metaschemas[] = {
#embed "Texts/metaschemas.json"
};
const flow_text flow_text_metaschemas = {metaschemas, sizeof metaschemas};

static const unsigned char presets[] = {
#embed "Texts/presets.yaml"
};
const flow_text flow_text_presets = {presets, sizeof presets};
