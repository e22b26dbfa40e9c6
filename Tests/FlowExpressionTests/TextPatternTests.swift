import FlowExpression
import Testing

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

  @Test func `a text whose matches take too long matches as a whole`() throws {
    let text = String(repeating: "a", count: 40) + "c"

    #expect(try matches("(a|aa)+$", text) == [text])
  }

  @Test func `what RE2 does not have is no pattern`() {
    #expect(throws: EvaluationError.self) { try TextPattern("(?=a)") }
    #expect(throws: EvaluationError.self) { try TextPattern("a(") }
  }
}
