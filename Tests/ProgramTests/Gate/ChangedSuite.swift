import FlowCore
import Foundation
import TestKit

/// A copy of a suite in a new repository of Git, committed and then changed.
struct ChangedSuite {
  /// A problem of the corpus, not of the program.
  struct Failure: Error, CustomStringConvertible { let description: String }

  /// A suite that changes are made to.
  struct Suite: Sendable {
    /// The folder whose files are copied.
    let folder: String
    /// The path of its scenario in the folder.
    let scenario: String
    /// The copied files and folders besides the scenario and its transcript, where they exist.
    var others: [String] = []
    /// True if its components run on every machine.
    var records = false
  }

  /// A folder of recorded imports of public files, or nil.
  static let imported = ProcessInfo.processInfo.environment["FLOW_IMPORTED"]

  private static let suites = [
    "two": Suite(
      folder: "Scenarios", scenario: "patience.yaml",
      others: ["errors.yaml", "errors.transcript.jsonl"], records: true),
    "errors": Suite(folder: "Scenarios", scenario: "errors.yaml", records: true),
    "patience": Suite(folder: "Scenarios", scenario: "patience.yaml", records: true),
    "quiet": Suite(folder: "Scenarios", scenario: "quiet.yaml", others: ["data"], records: true),
    "album": Suite(folder: "Scenarios", scenario: "album.yaml", others: ["data"], records: true),
    "catalog": Suite(
      folder: "Scenarios", scenario: "places.yaml", others: ["data", "schemas"], records: true),
    "trips": Suite(folder: "Scenarios", scenario: "trips.yaml", others: ["parts"], records: true),
    "screen": Suite(folder: "Scenarios", scenario: "screens-balance.yaml", records: true),
    "place": Suite(folder: "Examples/places", scenario: "places.yaml"),
    "tool": Suite(
      folder: "Examples/command-line-tool", scenario: "command-line-tool.yaml",
      others: ["cases.json", "data", "expected"], records: true),
    "migration": Suite(
      folder: "Examples/migration", scenario: "migration.yaml", others: ["migrations"],
      records: true),
    "token": Suite(folder: "Examples/login", scenario: "login.yaml", others: ["flow.yaml"]),
    "hurl-header": Suite(folder: imported ?? "", scenario: "assert_header.yaml"),
    "hurl-captures": Suite(folder: imported ?? "", scenario: "captures.yaml"),
  ]

  /// Returns the suite of a name in `Tests/Gate`.
  private static func suite(_ name: String) -> Suite {
    suites[name]
      ?? Suite(
        folder: "Examples/datasette", scenario: "\(name).yaml",
        others: ["blobs", "flow.yaml", "metadata.json", "parts"])
  }

  let folder: TemporaryFolder
  let change: SuiteChange
  private let suite: Suite

  /// Copies the suite of a change and commits it.
  init(before change: SuiteChange) throws {
    self.change = change
    suite = Self.suite(change.suite)
    folder = try TemporaryFolder()
    let root = suite.folder.hasPrefix("/") ? suite.folder : ProjectFiles.root + "/" + suite.folder
    let transcript = suite.scenario.dropLast(5) + ".transcript.jsonl"
    for name in [suite.scenario, String(transcript)] + suite.others {
      let file = URL(filePath: root).appending(path: name)
      guard FileManager.default.fileExists(atPath: file.path) else { continue }
      try FileManager.default.copyItem(at: file, to: URL(filePath: folder.path(name)))
    }
    if !folder.directory.contains("flow.yaml") {
      try folder.write("flow: 1\nexclude: [parts, shared]\n", to: "flow.yaml")
    }
    try shell("git init -q && git add -A")
    try shell("git -c user.name=a -c user.email=a@example.org -c commit.gpgsign=false commit -qm a")
  }

  // MARK: - The change

  /// Returns the committed lines with a text, such as `errors.yaml:26`.
  func lines(with text: String) throws -> Set<String> {
    let found = try shell("git grep -nF -e '\(text.replacing("'", with: "'\\''"))' -- '*.yaml'")
    return Set(
      found.split(separator: "\n").map {
        $0.split(separator: ":").prefix(2).joined(separator: ":")
      })
  }

  /// Makes the change, and records again if the test fails by it.
  func apply() throws {
    for move in change.moves {
      let target = URL(filePath: folder.path(move.to))
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.moveItem(at: URL(filePath: folder.path(move.from)), to: target)
    }
    for edit in change.edits { try apply(edit) }
    for command in change.commands { try shell(command) }
    try shell("\"$0\" test --update \(suite.records ? "failed" : "never") .")
  }

  private func apply(_ edit: SuiteChange.Edit) throws {
    let file = edit.file ?? suite.scenario
    guard !edit.old.isEmpty else { return try folder.write(edit.new, to: file) }
    let parts = ("\n" + (try folder.text(file))).components(separatedBy: "\n" + edit.old)
    guard parts.count == 2 else {
      throw Failure(description: "\(parts.count - 1) times in \(file):\n\(edit.old)")
    }
    try folder.write(String((parts[0] + "\n" + edit.new + parts[1]).dropFirst()), to: file)
  }

  /// Returns the removed and the added lines of scenarios and schemas, without blanks around.
  func difference() throws -> (removed: Set<String>, added: Set<String>) {
    let text = try shell("git add -AN . && git diff -U0 HEAD -- '*.yaml' '*.json'")
    let all = text.components(separatedBy: "\n").filter {
      !$0.hasPrefix("---") && !$0.hasPrefix("+++")
    }
    func lines(_ sign: String) -> Set<String> {
      Set(
        all.filter { $0.hasPrefix(sign) }
          .map { $0.dropFirst().trimmingCharacters(in: .whitespaces) })
    }
    return (lines("-"), lines("+"))
  }

  // MARK: - The gate

  private struct Details: Decodable { let report: Report }

  /// The report of `flow mutate --against HEAD`.
  struct Report: Decodable {
    struct Line: Decodable {
      let file: String
      let line: Int
    }

    struct Change: Decodable {
      let file: String
      let line: Int
      let removed: [String]
      let added: [String]
    }

    struct Loss: Decodable {
      let value: String
      let scenario: String
      let alterations: Int
      let noticedBy: Line?
      let change: Change?
    }

    let alterations: Int
    let lost: [Loss]
  }

  /// Compares the folder with its last commit.
  func gate() throws -> (report: Report, code: Int32, output: String) {
    let ending = try run("\"$0\" mutate --against HEAD --format json --details gate.json .")
    guard
      let details = try? JSONDecoder().decode(
        Details.self, from: Data(try folder.text("gate.json").utf8))
    else { throw Failure(description: ending.output + ending.errors) }
    return (details.report, ending.code, ending.output)
  }

  /// Runs lines of the shell in the folder, with the path of `flow` as `$0`.
  ///
  /// - Throws: `Failure` with the outputs, unless they exit with 0.
  @discardableResult
  private func shell(_ lines: String) throws -> String {
    let ending = try run(lines)
    guard ending.code == 0 else {
      throw Failure(description: "\(lines): \(ending.output)\(ending.errors)")
    }
    return ending.output
  }

  private func run(_ lines: String) throws -> ChildProcess.Ending {
    try ChildProcess(
      "/bin/sh", ["-c", lines, BuiltProgram.url("flow").path], in: folder.directory.path
    ).ending()
  }
}
