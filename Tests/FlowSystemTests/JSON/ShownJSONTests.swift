import FlowSystem
import Testing

/// Documents of JSON that drive no terminal and turn no text.
@Suite struct ShownJSONTests {
  @Test func `every character beyond ASCII that breaks text has an escape, and no other`() {
    var wrong: [Unicode.Scalar] = []
    for value in UInt32(0x80)...0x2_FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = "\"a\(scalar)b\""
      let hex = String(value, radix: 16)
      let escaped = "\"a\\u" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex + "b\""
      if text.shownJSON != (scalar.breaksText ? escaped : text) { wrong.append(scalar) }
    }

    #expect(wrong == [])
  }

  @Test(arguments: [
    ("{\"a\":1}\n{\"é✓\":2}\n", "{\"a\":1}\n{\"é✓\":2}\n"),
    ("\"\u{9B}2J \u{2066}x\u{2069}\u{85}\"", #""\u009b2J \u2066x\u2069\u0085""#),
    ("\"\u{2028}\u{61C}\u{200E}\"", #""\u2028\u061c\u200e""#),
    ("\"\u{C2}\u{2190}\"", "\"\u{C2}\u{2190}\""),
    ("", ""),
  ])
  func `a document says the same in its escapes`(_ text: String, _ shown: String) throws {
    #expect(text.shownJSON == shown)
    guard text.hasPrefix("\"") else { return }
    #expect(
      try JSONParser.parse(Array(shown.utf8)[...]) == JSONParser.parse(Array(text.utf8)[...]))
  }
}
