import Testing

@testable import FlowExpression

/// Regular expressions: the syntax and meaning of RE2, in linear time.
@Suite struct PatternTests {
  struct Match: Sendable, CustomTestStringConvertible {
    let pattern: String
    let text: String
    let expected: Bool
    var testDescription: String { "\(pattern.debugDescription) on \(text.debugDescription)" }

    init(_ pattern: String, _ text: String, _ expected: Bool = true) {
      (self.pattern, self.text, self.expected) = (pattern, text, expected)
    }
  }

  private func check(_ match: Match) throws {
    #expect(try Pattern(match.pattern).matches(match.text) == match.expected)
  }

  @Test(arguments: [
    Match(#"^\p{L}+$"#, "Éé"), Match(#"^\x{e9}+$"#, "éé"), Match(#"^\pL{2}$"#, "Éé"),
    Match(#"^\p{^L}+$"#, "12"), Match(#"^a{,2}$"#, "a{,2}"), Match(#"^}+]+$"#, "}}]"),
  ])
  func `a brace repeats only what RE2 repeats by it`(_ match: Match) throws { try check(match) }

  @Test(arguments: [
    Match("^[[:digit:]*+/-]+$", "1*2+3/4-5"), Match("^[]a]+$", "]a"), Match("^[^]a]+$", "bc"),
    Match("^[[:^alpha:][:digit:]]$", "a", false), Match(#"^[\d-z]+$"#, "1-z"),
    Match("^[[:word]+$", ":wo[rd"), Match("^[[:]+$", ":["), Match("^[(?=a)]+$", "(=)"),
    Match(#"^[\]\x{2d}]+$"#, "]-"),
  ])
  func `a class is read as RE2 reads it`(_ match: Match) throws { try check(match) }

  @Test(arguments: [
    Match(#"^\Q[(?=a)\1\E$"#, #"[(?=a)\1"#), Match(#"^\Qa+"#, "a+"), Match(#"^\Qab\E+$"#, "abb"),
    Match(#"^a\Q\E+$"#, "aa"), Match(#"^\Q\\E$"#, #"\"#),
  ])
  func `what is quoted stands for itself`(_ match: Match) throws { try check(match) }

  @Test(arguments: [
    Match(#"\s"#, "\u{B}", false), Match(#"^\v$"#, "\u{B}"), Match(#"\v"#, "\n", false),
    Match(#"^\12$"#, "\n"), Match(#"(?i)^\w\w$"#, "\u{17F}\u{212A}"),
    Match(#"(?i)[\W]"#, "\u{212A}", false), Match(#"\p{Katakana}"#, "\u{30FC}", false),
    Match(#"\p{C}"#, "\u{378}", false), Match(#"(?m)a\n^"#, "a\n"), Match("^.$", "\r"),
    Match("(?m)^b", "a\rb", false), Match("(?U)^a+?$", "aa"), Match("^a(?i)*b$", "aaB"),
    Match("(?i)a|b(?-i)c", "Bc"), Match("(?i:a)b", "AB", false), Match(#"^\_$"#, "_"),
    Match("a$", "a\n", false), Match("(?:^)*a", "ba"),
  ])
  func `what other engines take otherwise has the meaning of RE2`(_ match: Match) throws {
    try check(match)
  }

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
    #expect(try Pattern(#"\pL{9}"#).size > 5_000)
    #expect(throws: EvaluationError.self) { try Pattern(#"\pL{9}"#, memory: 100_000) }
  }

  // A backtracking pattern would need more steps than there are atoms.
  @Test(arguments: ["(x|xx)+$", "(x+)+$", "^((x*)*)*$", "([0-9x]+-?)+$", "(x?){30}x{30}!$"])
  func `a pattern takes a text once, however it repeats`(_ source: String) throws {
    #expect(try !Pattern(source).matches(String(repeating: "x", count: 60_000) + "!?"))
  }
}
