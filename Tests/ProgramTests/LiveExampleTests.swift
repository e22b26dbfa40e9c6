import FlowCore
import Foundation
import TestKit
import Testing

/// The examples with a server, compared with a server elsewhere, and with one that answers something else.
@Suite(.serialized) struct LiveExampleTests {
  /// An example that starts the server of the shop, and options that change its answers.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    var scenario = ""
    /// Added to the options of the server that answers something else.
    let options: [String]
    /// Inputs of the server elsewhere, with `@` for its folder.
    var inputs: [String] = []
    /// The start of the report on the other answer.
    let report: String
    var testDescription: String { name }
    var file: String { scenario.isEmpty ? "\(name).yaml" : scenario }
  }

  private static let rows = [
    Row(
      name: "login", options: ["--opening", "3.00"],
      report: """
        changed work/repeat/add#1.1, api.post
                  ok.json.balance: recorded "1.00", now "4.00"

        """),
    Row(
      name: "service", options: ["--opening", "900.00"],
      report: "service.yaml:43:21: error: 'api.get#1' did not answer as expected [F2001]\n"),
    Row(
      name: "shop-server", scenario: "shop.yaml", options: ["--rows", "rows.json"],
      inputs: ["data=@shop.sqlite"],
      report: """
        changed shop/browse/page#1, catalog.page
                  ok.items[3].title: recorded "Manchester Round Barn", now "Manchester Square Barn"

        """),
  ]

  @Test(arguments: rows) func `a recording holds elsewhere, and another answer is found first`(
    _ row: Row
  ) async throws {
    let folder = try Self.copy(of: row.name)
    let recorded = try await Self.flow(["run", "--record"], row, in: folder)
    try #require(recorded.code == 0, "\(recorded.errors)")
    let other = try Self.copy(of: folder.directory.path)

    let same = try await Self.flow(["test", "--live"] + row.inputs, row, in: other)
    let changed = try await Self.flow(
      ["test", "--live"] + row.inputs, row, program: "./other",
      in: Self.copy(of: folder.directory.path, row))

    #expect(same.errors == "")
    #expect(same.code == 0)
    let beginning =
      row.report.hasPrefix("changed")
      ? "\(row.file): error: the components differ from the transcript [F3009]\n  note: calls\n        "
      : ""
    #expect(changed.errors.hasPrefix(beginning + row.report), "\(changed.errors)")
    #expect(changed.code == 1)
  }

  @Test func `the nightly job holds with another server and another database`() async throws {
    let folder = try Self.copy(of: "nightly")
    let rows = try ProjectFiles.text("Scenarios/data/catalog.json")
    try folder.write(rows, to: "rows.json")
    try folder.write(rows.replacing("\"Iowa\"", with: "\"Ohio\""), to: "other.json")

    for (file, report) in [
      ("rows.json", ""),
      (
        "other.json",
        """
        nightly.yaml: error: the components differ from the transcript [F3009]
          note: calls
                changed fetch/page#1, api.get
                  ok.json.items[3].state: recorded "Iowa", now "Ohio"

        """
      ),
    ] {
      let server = try ShopServer(
        in: TemporaryFolder(), ["--rows", folder.path(file), "--opening", "0.00"])
      let place = try Self.copy(of: folder.directory.path)
      let run = try await BuiltProgram.run(
        "flow",
        ["test", "--live", "nightly.yaml", "--update", "never", "--input", "base=\(server.url)"],
        in: place)

      #expect(run.errors.hasPrefix(report), "\(run.errors)")
      #expect(run.code == (report.isEmpty ? 0 : 1), "\(run.errors)")
      server.kill()
    }
  }

  @Test(.enabled(if: Python.having("http.server") != nil, "no Python here"))
  func `the server of files holds on another port`() async throws {
    let folder = try Self.copy(of: "places")
    // Its port is not an input, so that the first page of the documentation stays short.
    try folder.write(
      try folder.text("places.yaml")
        .replacing(existing: "components:", with: "inputs: {port: {type: int}}\ncomponents:")
        .replacing(existing: "127.0.0.1:8123", with: "127.0.0.1:${{ inputs.port }}")
        .replacing(existing: "\"8123\", --bind", with: "\"${{ string(inputs.port) }}\", --bind")
        .replacing(existing: "port: 8123", with: "port: \"${{ inputs.port }}\""),
      to: "places.yaml")
    let run = { (arguments: [String], folder: TemporaryFolder) in
      try await BuiltProgram.run(
        "flow", arguments + ["places.yaml", "--input", "port=\(try freePort())"], in: folder)
    }
    let recorded = try await run(["run", "--record"], folder)
    try #require(recorded.code == 0, "\(recorded.errors)")
    let other = try Self.copy(of: folder.directory.path)
    let same = try await run(["test", "--live"], other)
    try other.write(
      try other.text("places/7.json").replacing(existing: "12.50", with: "13.50"),
      to: "places/7.json")
    let changed = try await run(["test", "--live"], other)

    #expect(same.errors == "")
    #expect(
      changed.errors.hasPrefix(
        """
        places.yaml: error: the components differ from the transcript [F3009]
          note: calls
                changed place#1, api.get
                  ok.json.price: recorded "12.50", now "13.50"
          note: if it differs in each run, declare 'volatile: [json.price]' in the step 'place'
          note: if the change is intended
        """), "\(changed.errors)")
  }

  /// Runs an example that starts its server on a free port.
  private static func flow(
    _ arguments: [String], _ row: Row, program: String? = nil, in folder: TemporaryFolder
  ) async throws -> BuiltProgram {
    let inputs = arguments.dropFirst().filter { $0.contains("=") }
      .flatMap { ["--input", $0.replacing("@", with: folder.directory.path + "/")] }
    return try await BuiltProgram.run(
      "flow",
      arguments.filter { !$0.contains("=") } + [row.file] + inputs + [
        "--input", "program=\(program ?? BuiltProgram.url("shop-server").path)", "--input",
        "port=\(try freePort())",
      ], in: folder, environment: ["FLOW_SECRET_PASSWORD": Example.password])
  }

  /// Copies a folder, or an example of this name.
  ///
  /// With a row the copy has a server that answers something else.
  private static func copy(of source: String, _ row: Row? = nil) throws -> TemporaryFolder {
    let copy = try TemporaryFolder()
    let isExample = !source.hasPrefix("/")
    let from = isExample ? Example.folder.appending(path: source) : URL(filePath: source)
    for file in try FileManager.default.contentsOfDirectory(atPath: from.path)
    where ![".build", "Sources", "Tests", "CMicroHTTPD"].contains(file) {
      try FileManager.default.copyItem(
        at: from.appending(path: file), to: URL(filePath: copy.path(file)))
    }
    if source == "shop-server" {
      try copy.write(
        try copy.text("shop.yaml")
          .replacing(existing: "../../Scenarios/data", with: ScenarioFolder.path + "/data"),
        to: "shop.yaml")
    }
    guard let row else { return copy }
    let rows = try ProjectFiles.text("Scenarios/data/catalog.json")
    try copy.write(rows.replacing("Manchester Round", with: "Manchester Square"), to: "rows.json")
    let program = BuiltProgram.url("shop-server").path
    try copy.write(
      "#!/bin/sh\nexec '\(program)' \"$@\" \(row.options.joined(separator: " "))\n", to: "other")
    try copy.setMode(0o755, of: "other")
    return copy
  }
}
