import Testing

@testable import FlowExpression

/// Finding every match of a regular expression.
@Suite struct TextPatternTests {
  private func matches(_ pattern: String, _ text: String) throws -> [String] {
    let bytes = Array(text.utf8)
    return try TextPattern(pattern).ranges(in: bytes).map {
      String(decoding: bytes[$0], as: UTF8.self)
    }
  }

  @Test func `every match is found, empty ones are not`() throws {
    #expect(try matches("[0-9]+", "a1b22é333") == ["1", "22", "333"])
    #expect(try matches("é*", "aéébé") == ["éé", "é"])
    #expect(try matches("^b$", "a\nb") == [])
    #expect(try matches(#"\p{L}+"#, "1é2ab") == ["é", "ab"])
    #expect(try matches("(?m)^.", "a\rb\nc\n") == ["a", "c"])
  }

  @Test func `bytes that are no text never match, and hide nothing beside them`() throws {
    let bytes: [UInt8] = [0xFF, 0x31, 0xC3, 0x32, 0xFF]

    #expect(try TextPattern("[0-9]").ranges(in: bytes) == [1..<2, 3..<4])
    #expect(try TextPattern(".").ranges(in: bytes) == [1..<2, 3..<4])
  }

  // Each search goes to the end of the text, for an end of the longer match that is not there.
  @Test func `a text whose searches take too much processor time matches as a whole`() throws {
    let pattern = try TextPattern("[a-z]|([a-z] )+;")
    let text = Array(String(repeating: "q ", count: 500).utf8)
    var ticks = 0

    let found = pattern.ranges(in: text) {
      ticks += 1
      return .milliseconds(ticks * 300)
    }

    #expect(found == [0..<1_000])
    #expect(ticks == 5)
    #expect(pattern.ranges(in: text) { .zero }.count == 500)
  }

  @Test func `a character of which a byte matches is taken whole`() throws {
    #expect(try matches(#"\Cb"#, "aéb€") == ["éb"])
    #expect(try matches(#"a\C"#, "a€b") == ["a€"])
  }

  @Test func `what RE2 does not have is no pattern`() {
    #expect(throws: EvaluationError.self) { try TextPattern("(?=a)") }
    #expect(throws: EvaluationError.self) { try TextPattern("a(") }
  }
}
