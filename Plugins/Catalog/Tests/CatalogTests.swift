import CatalogPlugin
import FlowCore
import FlowTesting
import TestKit
import Testing

@Suite struct CatalogTests {
  private static let barn =
    #"{"title": "Red Barn", "city": "Pullman", "state": "Washington", "image": "barn.png"}"#

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: ComponentCheck.allCases)
  func `the catalog passes the checks of components`(_ check: ComponentCheck) async throws {
    let sample = try ScenarioFile("../browse.yaml")

    try await ComponentChecks(Catalog.self, sample: sample).verify(check)
  }

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
      await catalog.text("page", ["start": 60, "length": -2]) == "illegal: length -2 is negative")
  }

  @Test(arguments: [
    ("[\(barn),\n {\"title\": 12}]", "2:12: '[1].title': expected string, got 12"),
    (#"[{"title": "", "city": "", "state": ""}]"#, "1:2: '[0].image': missing, expected string"),
    (
      #"[{"title": "", "tittle": ""}]"#,
      "1:26: '[0].tittle': unknown field; did you mean 'title'?"
    ),
    (#"["barn"]"#, "1:2: '[0]': expected record, got \"barn\""),
    (#"{"items": []}"#, "1:1: expected list(record), got {items: []}"),
  ])
  func `a broken file fails the start with a position`(
    _ content: String, expected: String
  ) async throws {
    let error = await #expect(throws: DocumentError.self) { try await open(content) }

    #expect(error?.description == "data/rows.json:" + expected)
  }

  @Test func `a file that is missing fails the start`() async throws {
    let error = await #expect(throws: FileError.self) { try await open(nil) }

    #expect(error?.description == "cannot read 'data/rows.json': no such file")
  }

  @Test func `the rows must be somewhere`() async throws {
    let error = await #expect(throws: ComponentError.self) { try await OpenComponent(Catalog.self) }

    #expect(error?.description == "settings: the rows need either a 'file' or a server")
  }

  /// The catalog of a file with this text; of a file that is missing for nil.
  private func open(_ content: String?) async throws -> OpenComponent {
    if let content { try folder.write(content, to: "data/rows.json") }
    return try await OpenComponent(
      Catalog.self, with: ["file": "data/rows.json"], in: folder.directory.path)
  }
}
