import FlowCommand
import FlowCore
import Foundation
import HTTPPlugin
import TestKit
import Testing

/// The table of the plugins' fields against the importers, made by importing an input for each cell.
@Suite struct FieldTableTests {
  static let columns = [
    ImportColumn.curl, .har, .postman, .bruno, .editor, .openAPI, .hurl,
  ]

  struct Case: Sendable, CustomTestStringConvertible {
    let column: ImportColumn
    let field: ImportField
    let cell: ImportColumn.Cell

    var testDescription: String { "\(column.title): \(field)" }
  }

  static let cases = columns.flatMap { column in
    column.cells.map { Case(column: column, field: $0.key, cell: $0.value) }
      .sorted { "\($0.field)" < "\($1.field)" }
  }

  @Test(arguments: cases) func `an input becomes the field or a note`(_ sample: Case) async throws {
    switch sample.cell {
    case .yes(let input):
      let run = try await imported(input, sample.column)
      #expect(try ImportedFields(run.output).fields.contains(sample.field), "\(run.output)")
    case .other(let other, let input):
      let run = try await imported(input, sample.column)
      let fields = try ImportedFields(run.output).fields
      #expect(fields.contains(ImportField(other)), "\(run.output)")
      #expect(!fields.contains(sample.field), "\(run.output)")
    case .note(let note, let input):
      let run = try await imported(input, sample.column)
      #expect(run.errors.contains(note), "\(run.errors)")
      #expect(try !ImportedFields(run.output).fields.contains(sample.field), "\(run.output)")
    }
  }

  /// Imports an input, and has the checker read the scenario.
  private func imported(
    _ input: String, _ column: ImportColumn
  ) async throws -> (output: String, errors: String) {
    let folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "flow.yaml")
    let files = column.files(of: input)
    for file in files { try folder.write(file.text, to: file.name) }
    let run = try await FlowCommandRun(
      ["import"] + column.arguments(files.map(\.name)) + ["-o", "@/imported.yaml"], in: folder,
      components: [HTTP.self])
    #expect(run.code == .passed, "\(run.errors)")
    let check = try await FlowCommandRun(
      ["check", "@/imported.yaml"], in: folder, components: [HTTP.self])
    #expect(!check.errors.contains(": error: "), "\(check.errors)")
    return (try folder.text("imported.yaml"), run.errors)
  }

  @Test func `each cell is one of a declared field`() throws {
    let fields = Set(try ImportField.all())
    for sample in Self.cases {
      #expect(fields.contains(sample.field), "\(sample.testDescription) is no field")
    }
  }

  private static let mark = "<!-- below: the table of fields -->\n\n"
  private static let variable = "FLOW_WRITE_PAGES"

  @Test func `the page has the table`() throws {
    let path = ProjectFiles.root + "/Docs/reference/imports.md"
    let text = try ProjectFiles.text("Docs/reference/imports.md")
    let end = try #require(text.firstRange(of: Self.mark)).upperBound
    let isWriting = ProcessInfo.processInfo.environment[Self.variable] != nil
    let table = try Self.table()
    if isWriting { try Data((text[..<end] + table).utf8).write(to: URL(filePath: path)) }

    #expect(
      text[end...] == table,
      "write it anew with '\(Self.variable)=1 swift test --filter FieldTableTests', and read it")
    // A run that wrote what it compares proves nothing.
    #expect(!isWriting, "the page was written; read it, and run the test again")
  }

  private static func table() throws -> String {
    let groups = [
      ("settings", "Settings of `http`"), ("request", "Input of `http`"),
      ("expect", "Expectations of an answer"),
      ("upstream", "Settings and operations of `upstream`"),
    ]
    let fields = try ImportField.all()
    var parts: [String] = []
    for (group, title) in groups {
      let rows = fields.filter { $0.group == group }
      let empty = rows.filter { row in columns.allSatisfy { $0.cells[row] == nil } }
      let head = "| field | " + columns.map(\.title).joined(separator: " | ") + " |\n"
      var text = "## \(title)\n\n"
      let known = rows.filter { !empty.contains($0) }
      if !known.isEmpty {
        text += head + "|---" + String(repeating: "|---", count: columns.count) + "|\n"
        for row in known {
          let cells = columns.map { Self.text(of: $0.cells[row]) }
          text += "| `\(row.name)` | " + cells.joined(separator: " | ") + " |\n"
        }
      }
      let rest = Self.nothing(empty.map(\.name))
      parts.append(text + (known.isEmpty || rest.isEmpty ? "" : "\n") + rest)
    }
    return parts.joined(separator: "\n")
  }

  private static func text(of cell: ImportColumn.Cell?) -> String {
    switch cell {
    case .yes?: "yes"
    case .other(let field, _)?: "yes, as `\(ImportField(field).name)`"
    case .note?: "a note"
    case nil: "–"
    }
  }

  /// The fields that no format has, wrapped as the other pages are.
  private static func nothing(_ names: [String]) -> String {
    if names.isEmpty { return "" }
    let words =
      "No format has anything for".split(separator: " ").map(String.init)
      + names.enumerated().map { "`\($1)`" + ($0 + 1 < names.count ? "," : ".") }
    var lines = [""]
    for word in words {
      let line = lines[lines.count - 1]
      if line.count + word.count > 99 {
        lines.append(word)
      } else {
        lines[lines.count - 1] = line.isEmpty ? word : line + " " + word
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
