import FlowExpression
import Testing

/// The limits of patterns in expressions, and the messages about wrong ones.
@Suite struct PatternTests {
  struct Refused: Sendable, CustomTestStringConvertible {
    let pattern: String
    let problem: String
    var testDescription: String { pattern.debugDescription }

    init(_ pattern: String, _ problem: String) {
      (self.pattern, self.problem) = (pattern, problem)
    }
  }

  @Test(arguments: [
    Refused(#"\Q[\E(?=a)"#, "invalid perl operator: '(?='"),
    Refused("(?ix)a", "invalid perl operator: '(?ix'"),
    Refused("(a)(?-1)", "invalid perl operator: '(?-1'"),
    Refused(#"\e"#, "invalid escape sequence"), Refused(#"1\é"#, #"invalid escape sequence: '\é'"#),
    Refused(#"[\b]"#, #"invalid escape sequence: '\b'"#), Refused(#"a\"#, #"trailing \"#),
    Refused(#"(b)\1"#, #"invalid escape sequence: '\1'"#),
    Refused(#"a\p{greek}"#, #"invalid character class range: '\p{greek}'"#),
    Refused("[[:letter:]]", "invalid character class range: '[:letter:]'"),
    Refused("[z-a]", "invalid character class range: 'z-a'"),
    Refused("a{2,1}", "invalid repetition size: '{2,1}'"),
    Refused("x[[:alpha:]", "missing ]: '[[:alpha:]'"), Refused("a)", "unexpected )"),
    Refused("(?:a", "missing )"),
    Refused("(?P<a-b>c)", "invalid named capture group: '(?P<a-b>'"),
    Refused("a++", "bad repetition operator: '++'"),
    Refused("a|*", "no argument for repetition operator: '*'"),
    Refused("a{1001}", "invalid repetition size: '{1001}'"),
    Refused(#"\pL{999}"#, "pattern too large - compile failed"),
  ])
  func `a pattern is refused in the words of RE2`(_ refused: Refused) {
    let error = #expect(throws: EvaluationError.self) { try Pattern(refused.pattern) }

    let expected = "'\(refused.pattern)' is not a regular expression: \(refused.problem)"
    #expect(error?.description == expected)
  }

  @Test func `a pattern has a longest length and a largest program`() throws {
    let long = String(repeating: "ab", count: 8_000)
    let error = #expect(throws: EvaluationError.self) { try Pattern(long + "c") }

    #expect(error?.description == "the pattern is longer than 16000 bytes")
    #expect(try Pattern(long).matches(long))
    #expect(throws: EvaluationError.self) { try Pattern(#"\pL{9}"#, memory: 100_000) }
  }
}
