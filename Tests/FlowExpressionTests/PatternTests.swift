import Testing

@testable import FlowExpression

/// Regular expressions: RE2's syntax and meaning, whatever PCRE2 makes of the same text.
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
    #expect(try Pattern(match.pattern).matches(match.text, steps: 1_000) == match.expected)
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
  func `what PCRE2 takes otherwise has RE2's meaning`(_ match: Match) throws { try check(match) }

  struct Refused: Sendable, CustomTestStringConvertible {
    let pattern: String
    let problem: String
    var testDescription: String { pattern.debugDescription }

    init(_ pattern: String, _ problem: String) {
      (self.pattern, self.problem) = (pattern, problem)
    }
  }

  @Test(arguments: [
    Refused(#"\Q[\E(?=a)"#, "lookaround is not supported"),
    Refused("[[:alpha:]](?<!a)", "lookaround is not supported"),
    Refused("(?ix)a", "this kind of group is not supported"),
    Refused("(?iJ)a", "this kind of group is not supported"),
    Refused("(a)(?-1)", "this kind of group is not supported"),
    Refused("(?i-)a", "this kind of group is not supported"),
    Refused(#"\e"#, #"'\e' is not supported"#), Refused(#"\é"#, #"'\é' is not supported"#),
    Refused(#"[\b]"#, #"'\b' is not supported"#), Refused(#"\C"#, #"'\C' is not supported"#),
    Refused(#"a\"#, "it ends with a backslash"),
    Refused(#"\8"#, "back references are not supported"),
    Refused(#"\x{110000}"#, #"'\x{11000' is not a character"#),
    Refused(#"\x{d800}"#, #"'\x{d800}' is not a character"#),
    Refused(#"\p{greek}"#, #"'\p{greek}' is not a category or script of Unicode"#),
    Refused(#"\p{Grek}"#, #"'\p{Grek}' is not a category or script of Unicode"#),
    Refused("[[:letter:]]", "'[:letter:]' is not a set of characters"),
    Refused("[z-a]", "'z-a' ends before it begins"),
    Refused("a{2,1}", "'{2,1}' ends before it begins"),
    Refused("[[:alpha:]", "missing terminating ] for character class"),
    Refused("a)", "unmatched closing parenthesis"), Refused("(?:a", "missing closing parenthesis"),
    Refused("(?P<a-b>c)", "a group's name has letters, digits and underscores"),
    Refused("a{2}{3}", "'{2}{3}' repeats a repetition"),
    Refused("a|*", "nothing to repeat before '*'"),
    Refused("a{1001}", "'{1001}' makes more than 1000 repetitions"),
    Refused("(a{40}b){30}", "'{30}' makes more than 1000 repetitions"),
  ])
  func `what RE2 does not have is refused, and said why`(_ refused: Refused) {
    let error = #expect(throws: EvaluationError.self) { try Pattern(refused.pattern) }

    let expected = "'\(refused.pattern)' is not a regular expression: \(refused.problem)"
    #expect(error?.description == expected)
  }

  // Looking for the end from every beginning would take minutes here.
  @Test func `an end that is missing is looked for once`() throws {
    let sets = "[" + String(repeating: "[:", count: 50_000) + "a]"

    #expect(try Pattern(sets).matches(":", steps: 10) == true)
    #expect(try Pattern(sets).matches("]", steps: 10) == false)
  }
}
