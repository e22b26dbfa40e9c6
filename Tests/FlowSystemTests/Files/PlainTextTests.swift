import FlowSystem
import Testing

/// Texts that come from outside, in UTF-8 or not.
@Suite struct PlainTextTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let expected: String

    init(_ testDescription: String, _ bytes: [UInt8], _ expected: String) {
      self.testDescription = testDescription
      self.bytes = bytes
      self.expected = expected
    }
  }

  private static func wide(_ text: String, _ size: Int, isLittleEndian: Bool) -> [UInt8] {
    text.unicodeScalars.flatMap { scalar in
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: scalar.value >> UInt32(8 * $0)) }
      return isLittleEndian ? bytes : bytes.reversed()
    }
  }

  static let cases = [
    Case("nothing", [], "\"\""), Case("a mark alone", [0xEF, 0xBB, 0xBF], "\"\""),
    Case("a mark", Array("\u{FEFF}key=ü\r\n".utf8), "\"key=ü\\r\\n\""),
    Case("a second mark", Array("\u{FEFF}\u{FEFF}x".utf8), "\"\u{FEFF}x\""),
    Case("a zero byte", [0x61, 0, 0x62], "\"a\\u{0}b\""),
    Case("one character and a zero byte", [0x61, 0], "\"a\\u{0}\""),
    Case("half a mark", [0xEF, 0xBB], "byte 0: not UTF-8 text"),
    Case("Latin-1", Array("caf".utf8) + [0xE9], "byte 3: not UTF-8 text"),
    Case(
      "UTF-16 with a mark", wide("\u{FEFF}été", 2, isLittleEndian: true),
      "the text is in UTF-16, not UTF-8"),
    Case(
      "UTF-16 of the other order", wide("\u{FEFF}é", 2, isLittleEndian: false),
      "the text is in UTF-16, not UTF-8"),
    Case(
      "UTF-16 without a mark", wide("flow", 2, isLittleEndian: false),
      "the text is in UTF-16, not UTF-8"),
    Case(
      "UTF-32 with a mark", wide("\u{FEFF}", 4, isLittleEndian: true),
      "the text is in UTF-32, not UTF-8"),
    Case(
      "UTF-32 without a mark", wide("ab", 4, isLittleEndian: false),
      "the text is in UTF-32, not UTF-8"),
  ]

  @Test(arguments: cases) func `bytes are a text without its mark, or name their encoding`(
    _ sample: Case
  ) {
    let text: String
    do throws(TextError) {
      text = "\"\(try PlainText.text(of: sample.bytes).onOneLine)\""
    } catch {
      text = error.encoding == nil ? "byte \(error.offset): \(error)" : "\(error)"
    }

    #expect(text == sample.expected)
  }
}
