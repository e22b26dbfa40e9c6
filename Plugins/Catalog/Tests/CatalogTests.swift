import FlowCore
import PluginHarness
import Testing

@testable import CatalogPlugin

@Suite struct CatalogTests {
  private static let barn: [(String, Value)] = [
    ("title", .string("Red Barn")), ("city", .string("Pullman")), ("state", .string("Washington")),
    ("image", .string("barn.png")),
  ]

  @Test func `a page answers rows, total and end`() async throws {
    let rows = Value.list(Array(repeating: .map(ValueMap(Self.barn)), count: 3))
    let catalog = try await open(rows)
    let row =
      "{title: \"Red Barn\", city: \"Pullman\", state: \"Washington\", image: \"barn.png\"}"

    #expect(
      await catalog.text("page", [("start", .int(0)), ("length", .int(2))])
        == "{items: [\(row), \(row)], total: 3, end: false}")
    #expect(
      await catalog.text("page", [("start", .int(2)), ("length", .int(2))])
        == "{items: [\(row)], total: 3, end: true}")
    #expect(
      await catalog.text("page", [("start", .int(60)), ("length", .int(20))])
        == "{items: [], total: 3, end: true}")
  }

  @Test func `a negative start or length is illegal`() async throws {
    let catalog = try await open(.list([]))

    #expect(
      await catalog.text("page", [("start", .int(-1)), ("length", .int(2))])
        == "illegal: start -1 is negative")
    #expect(
      await catalog.text("page", [("start", .int(0)), ("length", .int(-2))])
        == "illegal: length -2 is negative")
  }

  struct Broken: Sendable, CustomTestStringConvertible {
    let id: String
    let content: Value
    let expected: String

    var testDescription: String { id }
  }

  static let broken = [
    Broken(
      id: "a number for a title",
      content: .list([.map(ValueMap(barn)), .map(ValueMap([("title", .int(12))]))]),
      expected: "data/rows.json:2:7: '[1].title': expected string, got 12"),
    Broken(
      id: "a missing field", content: .list([.map(ValueMap(barn.dropLast()))]),
      expected: "data/rows.json:1:7: '[0].image': missing, expected string"),
    Broken(
      id: "an unknown field", content: .list([.map(ValueMap(barn + [("tittle", .string(""))]))]),
      expected: "data/rows.json:1:7: '[0].tittle': unknown field; did you mean 'title'?"),
    Broken(
      id: "a row that is no map", content: .list([.string("barn")]),
      expected: "data/rows.json:1:1: '[0]': expected record, got \"barn\""),
    Broken(
      id: "no list", content: .map(ValueMap([("items", .list([]))])),
      expected: "data/rows.json:1:1: expected list(record), got {items: []}"),
  ]

  @Test(arguments: broken)
  func `a broken file fails the start with a position`(_ example: Broken) async throws {
    let error = await #expect(throws: DocumentError.self) { try await open(example.content) }

    #expect(error?.description == example.expected)
  }

  @Test func `a file that is missing fails the start`() async throws {
    let folder = try TemporaryFolder()
    var options = ContextServices.Options(directory: folder.directory)
    options.document = { directory, path in
      _ = try directory.read(path)
      return Document(path: path, value: .list([])) { _ in nil }
    }

    let error = await #expect(throws: FileError.self) {
      try await OpenComponent(Catalog.self, with: [("file", .string("none.yaml"))], options)
    }

    #expect(error?.description == "cannot read 'none.yaml': no such file")
  }

  @Test func `the file must be named`() async throws {
    let folder = try TemporaryFolder()

    let error = await #expect(throws: DecodeError.self) {
      try await OpenComponent(Catalog.self, ContextServices.Options(directory: folder.directory))
    }

    #expect(error?.description == "'file': missing, expected string")
  }
}

/// The catalog of a document that a row stands on each line of, and a field in each sixth column.
private func open(_ content: Value) async throws -> OpenComponent {
  let folder = try TemporaryFolder()
  var options = ContextServices.Options(directory: folder.directory)
  options.document = { _, path in
    Document(path: path, value: content) { place in
      guard case .index(let row)? = place.steps.first else { return Position(line: 1, column: 1) }
      return Position(line: row + 1, column: place.steps.count == 1 ? 1 : 7)
    }
  }
  return try await OpenComponent(
    Catalog.self, with: [("file", .string("data/rows.json"))], options)
}
