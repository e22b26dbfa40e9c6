import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import FilePlugin

@Suite struct ColumnsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `the cells of a table have the types of their columns`() async throws {
    try folder.write(
      "i,d,f,b,s,t,l,e\n-7,1.50,1e3,true,07,2026-01-31T12:00:00Z,1m30s,\n", to: "a.csv")
    let types = """
      {"i": "int", "d": "decimal", "f": "double", "b": "bool", "s": "string", "t": "timestamp", \
      "l": "duration", "e": "optional(int)"}
      """

    let text = try await read("a.csv", "csv", types)

    #expect(
      text
        == "{text: null, data: [{i: -7, d: 1.50, f: 1000.0, b: true, s: \"07\", "
        + "t: 2026-01-31T12:00:00Z, l: 90s, e: null}], bytes: null, size: 64}")
  }

  @Test func `JSON and YAML have typed rows, whose optional values may be absent`() async throws {
    try folder.write(
      #"[{"n": 1, "t": "2026-01-31T12:00:00Z"}, {"t": null, "n": 2.5}]"#, to: "a.json")
    try folder.write("- {n: 1}\n", to: "a.yaml")
    let types = #"{"n": "decimal", "t": "optional(timestamp)"}"#

    let json = try await read("a.json", "json", types)
    let yaml = try await read("a.yaml", "yaml", types)

    #expect(
      json
        == "{text: null, data: [{n: 1, t: 2026-01-31T12:00:00Z}, {t: null, n: 2.5}], bytes: null, "
        + "size: 62}")
    #expect(yaml == "{text: null, data: [{n: 1, t: null}], bytes: null, size: 9}")
  }

  @Test(arguments: [
    ("n,price\n", "line 1, column 3: 'price' is not one of the columns n, é"),
    ("\u{FEFF}\"é\",x\n", "line 1, column 5: 'x' is not one of the columns n, é"),
    ("\"a\nb\",n\n", "line 1, column 1: 'a\nb' is not one of the columns n, é"),
    ("n,\"é\"\n1,\"x\ny\"\n2a,z\n", "line 4, row 2, column 'n': expected int, got \"2a\""),
    ("é\n", "line 1, column 2: the column 'n' is missing"),
    ("n\r\n1\r\n", "line 1, column 2: the column 'é' is missing"),
    ("", "line 1, column 1: the column 'n' is missing"),
    ("é,n\nx,\n", "line 2, row 1, column 'n': expected int, got \"\""),
    ("é,n\nx, 1\n", "line 2, row 1, column 'n': expected int, got \" 1\""),
    ("é,n\nx\n", "line 2: 1 field, and the first row has 2"),
  ])
  func `a column or cell of CSV that does not fit is found`(_ text: String, reason: String)
    async throws
  {
    try folder.write(text, to: "a.csv")

    let answer = try await read("a.csv", "csv", #"{"é": "string", "n": "int"}"#)

    #expect(answer == "malformed: cannot read 'a.csv': \(reason)")
  }

  @Test(arguments: [
    (#"[{"n": 1}, {"n": 1, "x": 2}]"#, "row 2: 'x' is not one of the columns n"),
    (#"[{"n": 1}, {}]"#, "row 2: the column 'n' is missing"),
    (#"[{"n": 1}, {"n": 1.5}]"#, "row 2, column 'n': expected int, got 1.5"),
    (#"[{"n": null}]"#, "row 1, column 'n': expected int, got null"),
    (#"{"n": 1}"#, "a table must be a list of maps"),
    ("[1]", "a table must be a list of maps"),
  ])
  func `a row of JSON that does not fit is found`(_ text: String, reason: String) async throws {
    try folder.write(text, to: "a.json")

    let answer = try await read("a.json", "json", #"{"n": "int"}"#)

    #expect(answer == "malformed: cannot read 'a.json': \(reason)")
  }

  @Test func `a text has no columns`() async throws {
    try folder.write("", to: "a.txt")

    let answer = try await read("a.txt", "text", #"{"n": "int"}"#)

    #expect(
      answer == "malformed: 'columns' needs 'as' with csv, json, jsonl, yaml or yaml_documents")
  }

  @Test(arguments: ["nan", "inf", "0x1p3", "1_000", "", " 1", "1,5"])
  func `what is no number is not one in a table`(_ text: String) {
    for cell in [ColumnType.Cell.int, .decimal, .double] {
      #expect(ColumnType(cell: cell).value(of: text) == nil)
    }
  }

  private func read(_ path: String, _ format: String, _ types: String) async throws -> String {
    let files = try await OpenComponent(Files.self, in: folder.directory.path)
    let columns = try Value(json: Array(types.utf8))
    return await files.text("read", ["path": path, "as": format, "columns": columns])
  }
}
