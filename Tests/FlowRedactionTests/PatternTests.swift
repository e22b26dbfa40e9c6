import FlowRedaction
import Testing

/// The patterns of a project in a redactor.
@Suite struct PatternTests {
  private let digits = RedactionPattern { bytes in
    bytes.indices.filter { 0x30...0x39 ~= bytes[$0] }.map { $0..<$0 + 1 }
  }

  @Test func `no patterns take the place of those that were there`() {
    let redactor = Redactor()
    redactor.use([digits])

    redactor.use([])

    #expect(redactor.redacted("room 7") == "room 7")
  }

  @Test func `secrets stay when patterns go`() throws {
    let redactor = Redactor()
    redactor.use([digits])
    try redactor.add("hunter22", named: "token")

    redactor.use([])

    #expect(redactor.redacted("hunter22 7") == "${secret:token} 7")
  }
}
