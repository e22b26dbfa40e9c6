import FlowCore
import FlowTesting
import PluginHarness
import Testing

@testable import CatalogPlugin

@Suite struct CatalogTests {
  private static let barn =
    #"{"title": "Red Barn", "city": "Pullman", "state": "Washington", "image": "barn.png"}"#

  @Test func `a page answers rows, total and end`() async throws {
    let catalog = try await open("[\(Self.barn), \(Self.barn), \(Self.barn)]")
    let row =
      "{title: \"Red Barn\", city: \"Pullman\", state: \"Washington\", image: \"barn.png\"}"

    #expect(
      await catalog.text("page", ["start": 0, "length": 2])
        == "{items: [\(row), \(row)], total: 3, end: false}")
    #expect(
      await catalog.text("page", ["start": 2, "length": 2])
        == "{items: [\(row)], total: 3, end: true}")
    #expect(
      await catalog.text("page", ["start": 60, "length": 20])
        == "{items: [], total: 3, end: true}")
  }

  @Test func `a negative start or length is illegal`() async throws {
    let catalog = try await open("[]")

    #expect(
      await catalog.text("page", ["start": -1, "length": 2])
        == "illegal: start -1 is negative")
    #expect(
      await catalog.text("page", ["start": 0, "length": -2])
        == "illegal: length -2 is negative")
  }

  struct Broken: Sendable, CustomTestStringConvertible {
    let id: String
    let content: String
    let expected: String

    var testDescription: String { id }
  }

  static let broken = [
    Broken(
      id: "a number for a title", content: "[\(barn),\n {\"title\": 12}]",
      expected: "data/rows.json:2:12: '[1].title': expected string, got 12"),
    Broken(
      id: "a missing field", content: #"[{"title": "", "city": "", "state": ""}]"#,
      expected: "data/rows.json:1:2: '[0].image': missing, expected string"),
    Broken(
      id: "an unknown field", content: #"[{"title": "", "tittle": ""}]"#,
      expected: "data/rows.json:1:26: '[0].tittle': unknown field; did you mean 'title'?"),
    Broken(
      id: "a row that is not a map", content: #"["barn"]"#,
      expected: "data/rows.json:1:2: '[0]': expected record, got \"barn\""),
    Broken(
      id: "not a list", content: #"{"items": []}"#,
      expected: "data/rows.json:1:1: expected list(record), got {items: []}"),
  ]

  @Test(arguments: broken)
  func `a broken file fails the start with a position`(_ example: Broken) async throws {
    let error = await #expect(throws: DocumentError.self) { try await open(example.content) }

    #expect(error?.description == example.expected)
  }

  @Test func `a file that is missing fails the start`() async throws {
    let folder = try TemporaryFolder()

    let error = await #expect(throws: FileError.self) {
      try await OpenComponent(
        Catalog.self, with: ["file": "none.yaml"], in: folder.directory.path)
    }

    #expect(error?.description == "cannot read 'none.yaml': no such file")
  }

  @Test func `the file must be named`() async throws {
    let error = await #expect(throws: DecodeError.self) { try await OpenComponent(Catalog.self) }

    #expect(error?.description == "'file': missing, expected string")
  }
}

/// The catalog of a file with this text.
private func open(_ content: String) async throws -> OpenComponent {
  let folder = try TemporaryFolder()
  try folder.write(content, to: "data/rows.json")
  return try await OpenComponent(
    Catalog.self, with: ["file": "data/rows.json"], in: folder.directory.path)
}
