import FlowSystem
import Testing

@testable import FlowEditor

struct TextDocumentTests {
  struct Place: Sendable, CustomTestStringConvertible {
    let id: String
    let text: String
    let offset: Int
    let utf16: EditorPosition
    let utf8: EditorPosition
    let yaml: Position
    var testDescription: String { id }
  }

  private static func place(
    _ id: String, _ text: String, _ offset: Int, _ utf16: (Int, Int), _ utf8: (Int, Int),
    _ yaml: (Int, Int)
  ) -> Place {
    Place(
      id: id, text: text, offset: offset, utf16: EditorPosition(line: utf16.0, character: utf16.1),
      utf8: EditorPosition(line: utf8.0, character: utf8.1),
      yaml: Position(line: yaml.0, column: yaml.1))
  }

  private static let places = [
    place("the start", "ab", 0, (0, 0), (0, 0), (1, 1)),
    place("the end", "ab\ncd", 5, (1, 2), (1, 2), (2, 3)),
    place("after a line break at the end", "ab\n", 3, (1, 0), (1, 0), (2, 1)),
    place("after two bytes", "\u{e9}b", 2, (0, 1), (0, 2), (1, 2)),
    place("after a pair of UTF-16", "\u{1F389}b", 4, (0, 2), (0, 4), (1, 2)),
    place("after CRLF", "a\r\nb", 3, (1, 0), (1, 0), (2, 1)),
    place("after CR", "a\rb", 2, (1, 0), (1, 0), (2, 1)),
    place("after U+2028, a line end of YAML alone", "a\u{2028}b", 4, (0, 2), (0, 4), (2, 1)),
    place("after U+0085", "a\u{85}b\nc", 5, (1, 0), (1, 0), (3, 1)),
    place("after a byte order mark", "\u{FEFF}ab", 4, (0, 2), (0, 4), (1, 2)),
  ]

  @Test(arguments: places)
  func `a place is the same in every encoding`(_ sample: Place) {
    let table = LineTable(Array(sample.text.utf8))

    #expect(table.place(of: sample.offset, .utf16) == sample.utf16)
    #expect(table.place(of: sample.offset, .utf8) == sample.utf8)
    #expect(table.position(of: sample.offset) == sample.yaml)
    #expect(table.offset(of: sample.utf16, .utf16) == sample.offset)
    #expect(table.offset(of: sample.utf8, .utf8) == sample.offset)
    #expect(table.offset(of: sample.yaml) == sample.offset)
  }

  @Test func `places in long lines are those counted from their starts`() {
    let line = String(repeating: "aé\u{1F389}\u{2028}‸", count: 100)
    let text = line + "\n" + line + "\n"
    let table = LineTable(Array(text.utf8))

    var (offset, place) = (0, EditorPosition(line: 0, character: 0))
    var yaml = Position(line: 1, column: 1)
    for scalar in text.unicodeScalars {
      #expect(table.place(of: offset, .utf16) == place)
      #expect(table.offset(of: place, .utf16) == offset)
      #expect(table.position(of: offset) == yaml)
      #expect(table.offset(of: yaml) == offset)
      offset += scalar.utf8.count
      place =
        scalar == "\n"
        ? EditorPosition(line: place.line + 1, character: 0)
        : EditorPosition(line: place.line, character: place.character + scalar.utf16.count)
      yaml =
        scalar == "\n" || scalar == "\u{2028}"
        ? Position(line: yaml.line + 1, column: 1)
        : Position(line: yaml.line, column: yaml.column + 1)
    }
  }

  @Test func `a place beyond a line is its end, and one beyond the text the text's end`() {
    let table = LineTable(Array("ab\ncd".utf8))

    #expect(table.offset(of: EditorPosition(line: 0, character: 9), .utf16) == 2)
    #expect(table.offset(of: EditorPosition(line: 9, character: 0), .utf16) == 5)
  }

  @Test func `changes are applied one after another`() {
    var document = TextDocument(
      uri: "file:///a", path: "/a", language: "flow", version: 1, text: "a: \u{1F389}b\nc: d\n")
    let range = { (a: Int, b: Int, c: Int, d: Int) in
      EditorRange(
        EditorPosition(line: a, character: b), EditorPosition(line: c, character: d)
      ).json
    }

    document.apply(
      [
        .fields(["range": range(0, 3, 0, 5), "text": .string("x")]),
        .fields(["range": range(0, 5, 1, 3), "text": .string("")]),
      ], version: 2, .utf16)

    #expect(String(decoding: document.bytes, as: UTF8.self) == "a: xbd\n")
    #expect(document.version == 2)
    document.apply([.fields(["text": .string("new")])], version: nil, .utf16)
    #expect(String(decoding: document.bytes, as: UTF8.self) == "new")
    #expect(document.version == 3)
  }

  @Test(arguments: [
    ("file:///a/b%20c.yaml", "/a/b c.yaml"), ("file://localhost/a", "/a"),
    ("file:///%C3%A9", "/\u{e9}"), ("file://host/a", nil),
    ("untitled:Untitled-1", "untitled:Untitled-1"), ("http://a/b", nil),
    ("file:///a%zz", nil), ("file:///a%00", nil),
  ])
  func `an address of a file is its path`(_ uri: String, _ path: String?) {
    #expect(DocumentURI.path(of: uri) == path)
    if let path, uri.hasPrefix("file:///") { #expect(DocumentURI.uri(of: path) == uri) }
  }
}
