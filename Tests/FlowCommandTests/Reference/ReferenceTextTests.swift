import Testing

@testable import FlowCommand

/// The Markdown of texts that the program prints elsewhere.
struct ReferenceTextTests {
  @Test(arguments: [
    "With '--json': writes it.": "With `--json`: writes it.",
    "The project's state, the parts' names": "The project's state, the parts' names",
    "'a' and 'b', not 'c'.": "`a` and `b`, not `c`.",
    "'until the end": "'until the end",
    "*.HOST and <b>": #"\*.HOST and \<b>"#,
    "'*.HOST|x'": "`*.HOST|x`",
    "a\\b": #"a\\b"#,
    "''": "''",
  ])
  func `quoted words become code, and marks of Markdown stay text`(_ text: String, _ prose: String)
  {
    #expect(ReferenceText.prose(text) == prose)
  }

  @Test func `a bar in a cell is escaped, in code too`() {
    #expect(
      ReferenceText.table(["a", "b"], [["`x|y`", "z"]]) == "| a | b |\n|---|---|\n| `x\\|y` | z |\n"
    )
    #expect(ReferenceText.table(["a"], []) == "")
  }

  @Test func `a block loses the indentation of all its lines`() {
    #expect(ReferenceText.block("  a\n\n    b", "sh") == "```sh\na\n\n  b\n```\n")
  }

  @Test(arguments: [
    "F1203: a name, 'x' of `y_z`": "f1203-a-name-x-of-y_z", "http.get": "httpget",
    "Grün & blau": "grün--blau",
  ])
  func `an anchor is the one that GitHub makes`(_ heading: String, _ anchor: String) {
    #expect(ReferenceText.anchor(heading) == anchor)
  }
}
