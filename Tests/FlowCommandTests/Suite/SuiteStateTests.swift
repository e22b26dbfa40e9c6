import Testing

@testable import FlowCommand

/// The state kept from one run of a suite to the next.
@Suite struct SuiteStateTests {
  @Test func `what was written is read again, and stands in the order of the paths`() {
    var state = SuiteState()
    state.entries["b\"é.yaml"] = .init(hasFailed: true, microseconds: 12)
    state.entries["a.yaml"] = .init(hasFailed: false, microseconds: 0)
    state.entries["c.yaml"] = .init(hasFailed: false)

    #expect(
      String(decoding: state.bytes, as: UTF8.self) == """
        {"flow-state":1}
        {"path":"a.yaml","failed":false,"microseconds":0}
        {"path":"b\\"é.yaml","failed":true,"microseconds":12}
        {"path":"c.yaml","failed":false}

        """)
    #expect(SuiteState(state.bytes) == state)
    #expect(SuiteState(SuiteState().bytes) == SuiteState())
  }

  @Test(arguments: [
    "", "{}", #"{"flow-state":2}"#, "{\"flow-state\":1}\nx",
    "{\"flow-state\":1}\n{\"path\":\"a\",\"failed\":true,\"microseconds\":\"1\"}",
    "{\"flow-state\":1}\n{\"path\":\"a\",\"failed\":true,\"microseconds\":-1}",
    "{\"flow-state\":1}\n{\"path\":\"a\",\"failed\":true,\"microseconds\":9223372036854775807}",
    "{\"flow-state\":1}\n{\"path\":\"a\",\"failed\":1,\"microseconds\":1}",
  ]) func `other texts are no state`(_ text: String) {
    #expect(SuiteState(Array(text.utf8)) == nil)
  }
}
