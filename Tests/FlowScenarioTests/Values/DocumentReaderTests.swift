import FlowCore
import FlowScenario
import TestKit
import Testing

/// The documents that components read.
@Suite struct DocumentReaderTests {
  private static func read(_ text: String, as path: String = "data/d.yaml") throws -> Document {
    let folder = try TemporaryFolder()
    try folder.write(text, to: path)
    return try DocumentReader.read(folder.directory, path)
  }

  @Test(arguments: [
    ("a: 1\nb: [x, 0.10, ~, true]\n", #"{a: 1, b: ["x", 0.10, null, true]}"#),
    ("{\"a\": \"\\u00e9\\n\\/\", \"b\": {\"c\": -1.5e2}}", #"{a: "é\n/", b: {c: -150}}"#),
    ("{\n\t\"a\": [\n\t\t1\n\t]\n}\n", "{a: [1]}"), ("[]", "[]"), ("\"text\"", #""text""#),
    ("a: &x [1]\nb: *x\n", "{a: [1], b: [1]}"),
  ]) func `a document is one value`(_ text: String, _ value: String) throws {
    let document = try Self.read(text)

    #expect(document.path == "data/d.yaml")
    #expect(document.value.description == value)
  }

  @Test(arguments: [
    (FieldPath(), Position(line: 1, column: 1)),
    (FieldPath([.field("items")]), Position(line: 2, column: 3)),
    (FieldPath([.field("items"), .index(1)]), Position(line: 3, column: 5)),
    (FieldPath([.field("items"), .index(1), .field("é")]), Position(line: 3, column: 9)),
    (FieldPath([.field("items"), .index(7)]), Position(line: 2, column: 3)),
    (FieldPath([.field("items"), .index(0), .field("no")]), Position(line: 2, column: 5)),
    (FieldPath([.index(0)]), Position(line: 1, column: 1)),
  ]) func `a part of a document is found where it stands`(_ path: FieldPath, _ place: Position)
    throws
  {
    let document = try Self.read("items:\n  - {a: 1}\n  - {é: 2}\n")

    #expect(document.position(of: path) == place)
  }

  @Test(arguments: [
    ("a: [1", "data/d.yaml:1:6: "), ("a: 1\na: 2\n", "data/d.yaml:2:1: "),
    ("", "data/d.yaml:1:1: expected a document, found none"), ("{\"a\": }}", "data/d.yaml:1:8: "),
  ]) func `a broken document is told with its place`(_ text: String, _ start: String) throws {
    let error = #expect(throws: DocumentError.self) { try Self.read(text) }

    #expect(error?.description.hasPrefix(start) == true, "\(error?.description ?? "")")
  }

  @Test func `a file named json is read as JSON`() throws {
    let document = try Self.read("{\n  \"a\": [\"\\ud83d\\ude00\", 0.10]\n}", as: "data/D.Json")
    let error = #expect(throws: DocumentError.self) { try Self.read("a: 1\n", as: "data/d.json") }

    #expect(document.value.description == #"{a: ["😀", 0.10]}"#)
    let place = document.position(of: FieldPath([.field("a"), .index(1)]))
    #expect(place == Position(line: 2, column: 25))
    #expect(error?.description == "data/d.json:1:1: expected a value")
  }

  @Test func `a value of another type is told with its place`() throws {
    let document = try Self.read("- 1\n- two\n")
    let error = #expect(throws: DocumentError.self) { try document.decode([Int].self) }

    #expect(error?.description == #"data/d.yaml:2:3: '[1]': expected int, got "two""#)
    #expect(try Self.read("- 1\n- 2\n").decode([Int].self) == [1, 2])
  }

  @Test(arguments: [
    ("../d.yaml", "cannot read '../d.yaml': the path is outside the scenario's folder"),
    ("/etc/passwd", "cannot read '/etc/passwd': the path is outside the scenario's folder"),
    ("no.yaml", "cannot read 'no.yaml': no such file"), ("data", "cannot read 'data': not a file"),
  ]) func `a path that is no file inside of the folder is refused`(
    _ path: String, _ message: String
  )
    throws
  {
    let folder = try TemporaryFolder()
    try folder.write("1", to: "data/d.yaml")
    let error = #expect(throws: FileError.self) { try DocumentReader.read(folder.directory, path) }

    #expect(error?.description == message)
  }
}
