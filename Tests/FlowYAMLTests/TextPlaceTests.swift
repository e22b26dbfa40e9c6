import FlowSystem
import FlowYAML
import Testing

/// Each character of a text has its place in the file, however the scalar is written.
struct TextPlaceTests {
  struct Case: CustomTestStringConvertible {
    let id: String
    let yaml: String
    var format = Format.yaml

    var testDescription: String { id }
  }

  static let cases: [Case] = [
    Case(id: "literal", yaml: "k: |\n  one\n  a ${{ wo }} b\n  three\n"),
    Case(id: "literal with blank lines", yaml: "k: |\n\n  one\n\n\n  ${{ wo }}\n"),
    Case(id: "literal with deeper lines", yaml: "k: |\n  one\n      ${{ wo }}\n    ${{ zu }}\n"),
    Case(id: "literal with an indicator", yaml: "k: |2-\n     one\n    ${{ wo }}\n"),
    Case(id: "literal that begins deeper", yaml: "- - k: |1+\n       ${{ wo }}\n      two\n\n"),
    Case(id: "literal behind a comment", yaml: "k: | # ${{ no }}\n  ${{ wo }}\n"),
    Case(id: "literal with CR LF", yaml: "k: |\r\n  one\r\n  ${{ wo }}\r\n"),
    Case(id: "literal without a last line break", yaml: "k: |\n  one\n  ${{ wo }}"),
    Case(id: "folded", yaml: "k: >\n  one\n  two ${{ wo }}\n  three\n\n  four ${{ zu }}\n"),
    Case(id: "folded inside of an expression", yaml: "k: >-\n  ${{ wo +\n  zu }}\n"),
    Case(id: "folded with deeper lines", yaml: "k: >\n  one\n\n    two ${{ wo }}\n  ${{ zu }}\n"),
    Case(id: "plain over lines", yaml: "k: one\n  two ${{ wo\n\n  + zu }}\nl: 1\n"),
    Case(id: "plain behind an anchor and a tag", yaml: "k: &a !!str ${{ wo }}\n"),
    Case(id: "double quotes over lines", yaml: "k: \"one \\\n   two\n  ${{ wo }}\\t${{ zu }}\"\n"),
    Case(id: "escapes", yaml: #"k: "\x41\u00e9\U0001F600 \"${{ 'a' + \"b\" }}\" \\ ${{ zu }}""#),
    Case(id: "doubled quotes", yaml: "k: 'it''s ${{ ''a'' + wo }}'\n"),
    Case(id: "single quotes over lines", yaml: "k: 'one\n\n  ''two'' ${{ wo }}'\n"),
    Case(id: "letters beyond ASCII", yaml: "\u{FEFF}ü: |\n  ä🙂\n  ö ${{ wo }}\n"),
    Case(
      id: "JSON", yaml: #"{"k": "\ud83d\ude00 \"${{ wo }}\"\n${{ zu }}"}"#, format: .json),
  ]

  @Test(arguments: cases) func `what a place shows is the character of the text`(
    _ sample: Case
  ) throws {
    let bytes = Array(sample.yaml.utf8)
    let node = try Self.scalar(try Node(parsing: bytes, as: sample.format))
    let text = Array(node.text.unicodeScalars)
    let source = Self.lines(sample.yaml)

    var found = 0
    for (offset, scalar) in text.enumerated() where scalar.properties.isAlphabetic {
      let place = try #require(node.position(ofCharacter: offset))
      let written = source[place.line - 1][place.column - 1]
      #expect(written == scalar || written == "\\", "\(offset): \(scalar) at \(place)")
      found += 1
    }
    #expect(found >= 2)
  }

  @Test func `a text that is written as it reads, and one without expressions, has no places`()
    throws
  {
    for yaml in ["k: ${{ a }}", "k: |\n  text\n  a $\n", "k: \"${{ a }}\"", "k: [1]"] {
      let node = try Node(parsing: Array(yaml.utf8))

      #expect(try Self.scalar(node).position(ofCharacter: 1) == nil)
    }
  }

  @Test func `a block with braces has places, since it may be in a language of its own`() throws {
    let node = try Node(parsing: Array("k: |\n  {\n    a\n  }\n".utf8))

    #expect(
      try Self.scalar(node).position(ofCharacter: 4) == Position(line: 3, column: 5))
  }

  @Test func `nothing is beyond the text`() throws {
    let node = try Self.scalar(try Node(parsing: Array("k: |\n  ${{ a }}\n".utf8)))

    #expect(node.position(ofCharacter: 7) == Position(line: 2, column: 10))
    #expect(node.position(ofCharacter: 9) == nil)
    #expect(node.position(ofCharacter: -1) == nil)
  }

  /// The first scalar that is a value.
  private static func scalar(_ node: Node) throws -> Node {
    switch node.kind {
    case .scalar: node
    case .sequence: try node.items.first.map(scalar) ?? node
    case .mapping: try scalar(try #require(node.entries.first).value)
    }
  }

  private static func lines(_ text: String) -> [[Unicode.Scalar]] {
    let scalars = Array(text.unicodeScalars.drop { $0 == "\u{FEFF}" })
    return scalars.split(separator: "\n", omittingEmptySubsequences: false).map(Array.init)
  }
}
