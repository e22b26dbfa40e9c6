import FlowSystem
import Testing

/// Two texts that differ, as messages show them.
@Suite struct TextDifferenceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let texts: [String]
    let shown: [String]
    var testDescription: String { id }
  }

  static let cases = [
    Case(id: "plain", texts: ["abc", "abd"], shown: [#""abc""#, #""abd""#]),
    Case(
      id: "no-break space", texts: ["7 km", "7\u{A0}km"], shown: [#""7 km""#, #""7\u{a0}km""#]),
    Case(
      id: "where they agree, too", texts: ["7\u{A0}km, 8 m", "7\u{A0}km, 8\u{202F}m"],
      shown: [#""7\u{a0}km, 8 m""#, #""7\u{a0}km, 8\u{202f}m""#]),
    Case(id: "invisible", texts: ["id", "i\u{200B}d"], shown: [#""id""#, #""i\u{200b}d""#]),
    Case(id: "mark", texts: ["\u{FEFF}a", "a"], shown: [#""\u{feff}a""#, #""a""#]),
    Case(
      id: "composed", texts: ["caf\u{E9}", "cafe\u{301}"],
      shown: [#""caf\u{e9}""#, #""cafe\u{301}""#]),
    Case(
      id: "order of marks", texts: ["a\u{323}\u{307}", "a\u{307}\u{323}"],
      shown: [#""a\u{323}\u{307}""#, #""a\u{307}\u{323}""#]),
    Case(
      id: "another alphabet", texts: ["Moscow", "M\u{43E}s\u{441}ow"],
      shown: [#""Moscow""#, #""M\u{43e}s\u{441}ow""#]),
    Case(id: "dash", texts: ["1-2", "1\u{2013}2"], shown: [#""1-2""#, #""1\u{2013}2""#]),
    Case(
      id: "visible", texts: ["Muller", "M\u{FC}ller"], shown: [#""Muller""#, "\"M\u{FC}ller\""]),
    Case(
      id: "far", texts: ["a", "b"].map { String(repeating: "x", count: 100) + $0 + "\"" },
      shown: [#"…"xxxxxxxxxxa\"""#, #"…"xxxxxxxxxxb\"""#]),
    Case(
      id: "long after it",
      texts: ["a", "b"].map {
        String(repeating: "x", count: 50) + $0 + String(repeating: "y", count: 50)
      },
      shown: ["a", "b"].map { "…\"xxxxxxxxxx\($0)" + String(repeating: "y", count: 27) + "…" }),
    Case(
      id: "from the start", texts: ["a", "b"].map { $0 + String(repeating: "y", count: 50) },
      shown: ["a", "b"].map { "\"\($0)" + String(repeating: "y", count: 37) + "…" }),
    Case(id: "same", texts: ["abc", "abc"], shown: [#""abc""#, #""abc""#]),
  ]

  @Test(arguments: cases) func `a difference can be seen`(_ sample: Case) {
    let difference = TextDifference(sample.texts[0], sample.texts[1])

    #expect(difference.quoted(limit: 40) == sample.shown)
  }

  @Test(arguments: [
    ("a\nb\n", "a\nb \n", ["  a", #"- "b""#, #"+ "b ""#]),
    ("a\r\nb", "a\nb", [#"- a\r"#, "+ a", "  b"]),
    ("a\tb\n", "a\\tb\n", [#"- "a\tb""#, #"+ "a\\tb""#]),
    ("é\nx", "e\u{301}\nx", [#"- \u{e9}"#, #"+ e\u{301}"#, "  x"]),
    ("1-2\n", "new\n1\u{2013}2\n", ["- 1-2", "+ new", #"+ 1\u{2013}2"#]),
    ("a\nb\nc", "a\nc", ["  a", "- b", "  c"]),
  ])
  func `changed lines are shown so that they differ`(
    _ old: String, _ new: String, _ lines: [String]
  ) {
    #expect(LineDifference(from: old, to: new).text(limit: 9) == lines)
  }
}
