private import CTexts

/// The files that are a part of the program.
package enum Texts {
  /// The page of all diagnostics, Docs/rules.md.
  package static var rules: [UInt8] { unsafe bytes(flow_text_rules) }
  /// The page for assistants, Docs/SKILL.md.
  package static var skill: [UInt8] { unsafe bytes(flow_text_skill) }
  /// The component of the page on writing components.
  package static var counter: [UInt8] { unsafe bytes(flow_text_counter) }
  /// The tests of the counter.
  package static var counterTests: [UInt8] { unsafe bytes(flow_text_counter_tests) }
  /// The tests of the counter by the checks of components.
  package static var counterChecks: [UInt8] { unsafe bytes(flow_text_counter_checks) }
  /// A scenario with the counter.
  package static var counterScenario: [UInt8] { unsafe bytes(flow_text_counter_scenario) }
  /// A server of tools in Python.
  package static var serverPython: [UInt8] { unsafe bytes(flow_text_server_python) }
  /// The same server in JavaScript.
  package static var serverJavaScript: [UInt8] { unsafe bytes(flow_text_server_javascript) }
  /// A scenario with the server.
  package static var serverScenario: [UInt8] { unsafe bytes(flow_text_server_scenario) }
  /// The scenario of the demo whose recorded answer is wrong.
  package static var demoBasket: [UInt8] { unsafe bytes(flow_text_demo_basket) }
  /// Its recording.
  package static var demoBasketTranscript: [UInt8] {
    unsafe bytes(flow_text_demo_basket_transcript)
  }
  /// The scenario of the demo that fails in another order.
  package static var demoCheckout: [UInt8] { unsafe bytes(flow_text_demo_checkout) }
  /// Its recording.
  package static var demoCheckoutTranscript: [UInt8] {
    unsafe bytes(flow_text_demo_checkout_transcript)
  }
  /// The scenario of the demo that leaves an answer unchecked.
  package static var demoOrder: [UInt8] { unsafe bytes(flow_text_demo_order) }
  /// Its recording.
  package static var demoOrderTranscript: [UInt8] { unsafe bytes(flow_text_demo_order_transcript) }
  /// The scenario of the demo with a misspelt name.
  package static var demoRefund: [UInt8] { unsafe bytes(flow_text_demo_refund) }
  /// The style sheet of the HTML report.
  package static var reportStyle: [UInt8] { unsafe bytes(flow_text_report_style) }
  /// The script of the HTML report.
  package static var reportScript: [UInt8] { unsafe bytes(flow_text_report_script) }
  /// The metaschemas of JSON Schema by their URIs.
  package static var metaschemas: [UInt8] { unsafe bytes(flow_text_metaschemas) }

  /// The presets of APIs, a YAML file.
  package static var presets: [UInt8] { unsafe bytes(flow_text_presets) }

  private static func bytes(_ text: flow_text) -> [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: text.bytes, count: text.count))
  }
}
