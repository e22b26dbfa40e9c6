import FlowCore
import FlowSchema
import Testing

@Suite struct SchemaPatternTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let pattern: String
    let matching: [String]
    let others: [String]
    var testDescription: String { pattern }

    init(_ pattern: String, _ matching: [String], _ others: [String] = []) {
      (self.pattern, self.matching, self.others) = (pattern, matching, others)
    }
  }

  static let cases = [
    Case(#"^\d+$"#, ["12"], ["১", "12\n", ""]),
    Case(#"^.$"#, ["a", "🐲", "\u{B}"], ["\n", "\r", "\u{2028}", "ab"]),
    Case(#"^[^]$"#, ["\n", "a"], ["", "ab"]),
    Case(#"[]"#, [], ["", "a"]),
    Case(#"^[\s\d]+$"#, [" 1\u{A0}\u{FEFF}"], ["a"]),
    Case(#"^[\S]$"#, ["a", "é"], [" ", "\u{2003}"]),
    Case(#"^[^\S]$"#, [" "], ["a"]),
    Case(#"^[\w-]+$"#, ["a-b"], ["a b"]),
    Case(#"^[a\-z]+$"#, ["-az"], ["b"]),
    Case(#"^[[\]^]+$"#, ["[]^"], ["a"]),
    Case(#"^[\b]$"#, ["\u{8}"], ["b"]),
    Case(#"\bab\b"#, ["x ab y"], ["xab"]),
    Case(#"^\u00e9\x41\u{1F432}\ud83d\udc32\cA\0$"#, ["éA🐲🐲\u{1}\0"], ["é"]),
    Case(#"^(?<year>\d{4})-(?:\d{2})$"#, ["2024-05"], ["24-05"]),
    Case(#"^a{2,3}?b{1}c{0,}$"#, ["aab", "aaabcc"], ["ab", "aaaab"]),
    Case(#"^{a}$"#, ["{a}"], ["a"]),
    Case(#"^a{,2}$"#, ["a{,2}"], ["aa"]),
    Case(#"^[^a-c]$"#, ["d"], ["b"]),
    Case(#"^\p{Lu}\p{Letter}\P{L}\p{Script=Greek}\p{sc=Latin}$"#, ["Aé1αz"], ["aé1αz"]),
    Case(#"^[\p{ASCII}]+$"#, ["az"], ["é"]),
    Case(#"^\P{ASCII}$"#, ["é"], ["a"]),
    Case(#"^(?i:ab)c$"#, ["ABc"], ["ABC"]),
    Case(#"^a|b$"#, ["ax", "xb"], ["xa", "bx"]),
    Case(#"^(?!admin$)[a-z]+$"#, ["administrator", "ann"], ["admin", "A"]),
    Case(#"^(?=.*\d)(?=.*[a-z]).{4,}$"#, ["abc1"], ["abcd", "1234", "a1"]),
    Case(
      #"^.{1,2500}$"#, [String(repeating: "é", count: 2_500)],
      ["", String(repeating: "a", count: 2_501)]),
    Case(
      #"^a{1500,}$"#, [String(repeating: "a", count: 1_600)], [String(repeating: "a", count: 1_499)]
    ),
    Case(#"^https?:\/\/[^\/]+\@\_$"#, ["https://a@_"], ["https:///"]),
  ]

  @Test(arguments: cases)
  func `a pattern of ECMA-262 finds the same texts`(_ testCase: Case) throws {
    let schema = try Schema(.map(ValueMap([("pattern", .string(testCase.pattern))])))

    #expect(try testCase.matching.filter { try !schema.accepts(.string($0)) } == [])
    #expect(try testCase.others.filter { try schema.accepts(.string($0)) } == [])
  }

  struct Refused: CustomTestStringConvertible, Sendable {
    let pattern: String
    let reason: String
    /// True for a right pattern of ECMA-262 that RE2 cannot run.
    let isValid: Bool
    var testDescription: String { pattern }

    init(_ pattern: String, _ reason: String, isValid: Bool = false) {
      (self.pattern, self.reason, self.isValid) = (pattern, reason, isValid)
    }
  }

  static let refused = [
    Refused(
      "a(?!b)", "has a lookahead inside of the pattern, which is not supported", isValid: true),
    Refused(
      "^(?=a)b|c", "has a lookahead in one of several alternatives, which is not supported",
      isValid: true),
    Refused("(?<=a)b", "has a lookbehind, which is not supported", isValid: true),
    Refused(
      #"(?<n>a)\k<n>"#, #"has the backreference \k<n>, which is not supported"#, isValid: true),
    Refused(#"\p{Emoji}"#, #"has the property \p{Emoji}, which is not supported"#, isValid: true),
    Refused(#"\ud800"#, "has half of a surrogate pair, which is not supported", isValid: true),
    Refused(
      "a{200000}", "has a repetition of more than 100000 times, which is not supported",
      isValid: true),
    Refused("*a", "is malformed: nothing to repeat at '*'"),
    Refused("a**", "is malformed: nothing to repeat at '*'"),
    Refused("a{2,1}", "is malformed: the repetition ends below its start at '{2,1}'"),
    Refused("[b-a]", "is malformed: the range ends below its start at 'b-a'"),
    Refused("[a", "is malformed: the class is not closed at '['"),
    Refused("a)", "is malformed: there is no group to close at ')'"),
    Refused("(?P<n>a)", "is malformed: unknown kind of group at '(?P'"),
    Refused("(?i)a", "is malformed: unknown kind of group at '(?)'"),
    Refused("(?<1>a)", "is malformed: a group has no name at '(?<'"),
    Refused(#"\Aa\Z"#, #"is malformed: unknown escape at '\A'"#),
    Refused(#"\u12"#, #"is malformed: unknown escape at '\u'"#),
    Refused(#"a\"#, #"is malformed: the pattern ends with a backslash at '\'"#),
  ]

  @Test(arguments: refused)
  func `a pattern that cannot be run is refused with its reason`(_ refused: Refused) throws {
    let error = #expect(throws: SchemaError.self) {
      try Schema(.map(ValueMap([("pattern", .string(refused.pattern))])))
    }
    let formats = try Schema(
      text: #"{"format": "regex"}"#, options: SchemaOptions { $0.assertsFormat = true })

    #expect(error?.description == "#/pattern: the pattern '\(refused.pattern)' \(refused.reason)")
    #expect(try formats.accepts(.string(refused.pattern)) == refused.isValid)
  }
}
