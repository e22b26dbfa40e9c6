import FlowPattern
import Testing

/// Regular expressions: the syntax and meaning of RE2, in linear time.
@Suite struct RegularExpressionTests {
  struct Match: Sendable, CustomTestStringConvertible {
    let pattern: String
    let text: String
    let expected: Bool
    var testDescription: String { "\(pattern.debugDescription) on \(text.debugDescription)" }

    init(_ pattern: String, _ text: String, _ expected: Bool = true) {
      (self.pattern, self.text, self.expected) = (pattern, text, expected)
    }
  }

  /// Bytes, more than any of the patterns needs.
  private static let memory = 8 << 20

  private func check(_ match: Match) throws {
    let expression = try RegularExpression(match.pattern, memory: Self.memory)

    #expect(try expression.matches(match.text) == match.expected)
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

  @Test func `a program takes no more memory than is allowed`() throws {
    #expect(try RegularExpression(#"\pL{9}"#, memory: Self.memory).size > 5_000)
    #expect(throws: RegularExpression.Problem.self) {
      try RegularExpression(#"\pL{9}"#, memory: 100_000)
    }
  }

  // A backtracking pattern would need more steps than there are atoms.
  @Test(arguments: ["(x|xx)+$", "(x+)+$", "^((x*)*)*$", "([0-9x]+-?)+$", "(x?){30}x{30}!$"])
  func `a pattern takes a text once, however it repeats`(_ source: String) throws {
    let expression = try RegularExpression(source, memory: Self.memory)

    #expect(try !expression.matches(String(repeating: "x", count: 60_000) + "!?"))
  }
}
