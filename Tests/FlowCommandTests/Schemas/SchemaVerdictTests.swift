import FlowCore
import FlowScenario
import FlowSchema
import Foundation
import TestKit
import Testing

/// The verdicts of `flow schema` on real files, by two validators.
@Suite struct SchemaVerdictTests {
  /// A file of the project, by its path, and its content.
  struct File {
    let path: String
    let value: Value
    var isProject: Bool { path.hasSuffix("/flow.yaml") || path == "flow.yaml" }
  }

  @Test func `every scenario and every project file is accepted`() throws {
    let files = Self.files(in: ["Scenarios", "Examples", "Plugins"])
      .filter { !$0.path.hasPrefix("Scenarios/rejected/") }
    // Their plugins are programs and servers that only these folders declare.
    let declaring = [
      ("Plugins/GRPC/Scenarios", 2), ("Plugins/MCP/Scenarios", 2), ("Examples/agents", 4),
    ]
    let others = files.filter { file in !declaring.contains { file.path.hasPrefix($0.0 + "/") } }

    #expect(files.count > 90)
    #expect(files.filter(\.isProject).count == 9)
    #expect(try Self.refused(others, in: ".") == [])
    for (folder, count) in declaring {
      let own = files.filter { $0.path.hasPrefix(folder + "/") }
      #expect(try Self.refused(own, in: folder) == [])
      #expect(own.count == count)
    }
  }

  @Test func `of the rejected scenarios, those are refused that a schema can know`() throws {
    let files = Self.files(in: ["Scenarios/rejected"]).filter { !$0.path.contains("/parts/") }

    let refused = try Self.refused(files, in: ".").map {
      String($0.dropFirst("Scenarios/rejected/".count).dropLast(".yaml".count))
    }

    #expect(refused == Self.rejected)
  }

  /// The rejected scenarios that the schema refuses.
  ///
  /// All others are mistakes in the YAML itself, in expressions, in names that the file declares, or
  /// in other files.
  private static let rejected = [
    "await-without-timeout",
    "braces-of-other-tools-around-a-number",
    "columns-of-a-table",
    "command-for-a-shell",
    "component-answers",
    "condition-on-an-answer",
    "condition-without-braces",
    "duration-without-unit",
    "error-of-a-step",
    "every-problem-at-once",
    "expression-that-yaml-splits",
    "impossible-expectation",
    "invalid-name",
    "key-of-another-action",
    "keys-of-blocks",
    "keys-of-workflows",
    "limit",
    "malformed-branches",
    "malformed-options",
    "missing-colon-of-a-step",
    "missing-field",
    "missing-steps",
    "misspelt-with",
    "no-action",
    "no-version",
    "not-a-mapping",
    "operation-without-component",
    "reserved-name",
    "restart-of-a-component",
    "secret-inputs",
    "secret-places",
    "settings-beside-with",
    "status-functions",
    "steps-of-a-loop",
    "timestamp-without-time",
    "trials-without-a-number",
    "two-actions",
    "two-logins",
    "types-of-other-languages",
    "unbounded-repeat",
    "unfilled-role",
    "unknown-comparison",
    "unknown-error-code",
    "unknown-event",
    "unknown-field",
    "unknown-key",
    "unknown-operation",
    "unknown-optional-call",
    "unknown-plugin",
    "unknown-role",
    "unknown-setting",
    "unknown-type",
    "varying-parts",
    "volatile-places",
    "with-that-is-a-list",
    "wrong-default",
    "wrong-kinds",
    "wrong-literal",
    "wrong-version",
  ]

  struct Project: Sendable, CustomTestStringConvertible {
    let text: String
    let isAccepted: Bool
    var testDescription: String { text }
  }

  private static let projects = [
    Project(text: "flow: 1", isAccepted: true),
    Project(text: "flow: 1\nupdate: never\njobs: 4\ndeny: [network, files]", isAccepted: true),
    Project(text: "flow: 1\nreport: {format: json, contract: {status: 80}}", isAccepted: true),
    Project(text: "flow: 1\nlive: [{tag: a, components: [b]}]", isAccepted: true),
    Project(text: "flow: 1\nplugins: {clock: {mcp: [a], state: none}}", isAccepted: true),
    Project(text: "scenarios: [a]", isAccepted: false),
    Project(text: "flow: 1\nscenarios: []", isAccepted: false),
    Project(text: "flow: 1\nscenario: [a]", isAccepted: false),
    Project(text: "flow: 1\njobs: 0", isAccepted: false),
    Project(text: "flow: 1\nupdate: always", isAccepted: false),
    Project(text: "flow: 1\ndeny: [internet]", isAccepted: false),
    Project(text: "flow: 1\nreport: {format: xml}", isAccepted: false),
    Project(text: "flow: 1\nreport: {contract: {status: 101}}", isAccepted: false),
    Project(text: "flow: 1\nlive: [{components: [b]}]", isAccepted: false),
    Project(text: "flow: 1\nplugins: {clock: {mpc: [a]}}", isAccepted: false),
  ]

  @Test func `project files are judged by their keys and kinds`() throws {
    let files = try Self.projects.enumerated().map { index, project in
      let document = try DocumentReader.document("\(index).yaml", Array(project.text.utf8))
      return File(path: "\(index)/flow.yaml", value: document.value)
    }

    let refused = try Self.refused(files, in: ".")

    let expected = Self.projects.indices.filter { !Self.projects[$0].isAccepted }
    #expect(refused == expected.map { "\($0)/flow.yaml" }.sorted())
  }

  // MARK: - Judging

  /// Returns the paths of the refused files, by the schemas for a folder, after two validators
  /// agree.
  private static func refused(_ files: [File], in folder: String) throws -> [String] {
    let paths = try [true, false].flatMap { isProject in
      let files = files.filter { $0.isProject == isProject }
      let text = try schema(isProject ? "project" : "scenario", in: folder)
      let schema = try Schema(try Value(json: Array(text.utf8)))
      #expect(schema.unknownKeywords.map(\.name) == [])
      let own = try files.filter { try !schema.accepts($0.value) }.map(\.path)
      if let official = try refused(files, byOfficial: text) { #expect(own == official) }
      return own
    }
    return paths.sorted()
  }

  private static func schema(_ kind: String, in folder: String) throws -> String {
    let run = try ChildProcess(
      BuiltFlow.path, ["schema", kind], in: ProjectFiles.root + "/" + folder
    ).ending()
    #expect(run.errors == "")
    return run.output
  }

  /// Returns the paths that the validator of Python refuses, or nil without it.
  private static func refused(_ files: [File], byOfficial schema: String) throws -> [String]? {
    guard let python = Python.having("jsonschema") else { return nil }
    let folder = try TemporaryFolder()
    try folder.write(schema, to: "schema.json")
    let values = files.map(\.value.json).joined(separator: ",")
    try folder.write("[\(values)]", to: "values.json")
    let script = """
      import json, jsonschema
      schema = json.load(open("schema.json"))
      jsonschema.Draft7Validator.check_schema(schema)
      validator = jsonschema.Draft7Validator(schema)
      values = json.load(open("values.json"))
      print(json.dumps([i for i, value in enumerate(values) if not validator.is_valid(value)]))
      """
    let run = try ChildProcess(python, ["-c", script], in: folder.directory.path).ending()
    #expect(run.errors == "")
    let indices = try JSONDecoder().decode([Int].self, from: Data(run.output.utf8))
    return indices.map { files[$0].path }
  }

  /// The scenarios and project files in folders, sorted, without files that are not YAML.
  private static func files(in folders: [String]) -> [File] {
    let root = Directory(ProjectFiles.root)
    return folders.flatMap { folder in
      let names = FileManager.default.enumerator(atPath: ProjectFiles.root + "/" + folder)
      return (names?.allObjects as? [String] ?? []).sorted().compactMap { name -> File? in
        let path = "\(folder)/\(name)"
        guard name.hasSuffix(".yaml"), !path.contains("/node_modules/"), !path.contains("/."),
          let document = try? DocumentReader.document(path, try root.read(path))
        else { return nil }
        let isScenario = path.hasPrefix("Scenarios/rejected/") || document.value.hasSteps
        let file = File(path: path, value: document.value)
        return isScenario || file.isProject ? file : nil
      }
    }
  }
}

extension Value {
  /// True for a mapping with the keys of a scenario.
  fileprivate var hasSteps: Bool {
    guard case .map(let map) = self else { return false }
    return map["steps"] != nil && map["flow"] != nil
  }
}
