import FlowCommand
import TestKit

/// A separate project for one test, in which `flow test` runs, with `T` for times in its output.
struct SuiteFolder {
  let folder: TemporaryFolder

  init(_ project: String = "flow: 1\n") throws {
    folder = try TemporaryFolder()
    try folder.write(project, to: "flow.yaml")
  }

  /// Writes a scenario that passes, or fails, without a transcript.
  func write(
    _ path: String, name: String = "x", tags: String = "", passes: Bool = true
  ) throws {
    try folder.write(
      """
      flow: 1
      name: \(name)
      tags: [\(tags)]
      components: {p: {plugin: probe}}
      steps: [{uses: p.count, expect: {value: \(passes ? 1 : 2)}}]

      """, to: path)
  }

  /// Writes a scenario that reads the content of the page.
  func writeReader(_ path: String = "reader.yaml", page: String) throws {
    try folder.write(
      """
      flow: 1
      components: {n: {plugin: notebook}}
      steps: [{id: read, uses: n.read}]
      outputs: {text: "${{ steps.read.text }}"}

      """, to: path)
    try folder.write(page, to: "page.txt")
  }

  /// Runs a command, with `@/` for the folder.
  func flow(
    _ arguments: String..., environment: [String: String] = [:]
  ) async throws -> SuiteRun {
    try await flow(arguments, environment: environment)
  }

  /// The same with a list of arguments.
  func flow(_ arguments: [String], environment: [String: String] = [:]) async throws -> SuiteRun {
    let run = try await FlowCommandRun(
      arguments, in: folder, environment: environment, components: [Probe.self, Notebook.self])
    return SuiteRun(output: run.output.withoutDurations, errors: run.errors, code: run.code)
  }

  /// Tests the folder, recording nothing.
  func test(_ arguments: String...) async throws -> SuiteRun {
    try await flow(["test", "@/", "--update", "never"] + arguments)
  }
}

/// The output of a command, without times.
struct SuiteRun {
  let output: String
  let errors: String
  let code: ExitCode

  /// The paths in the lines about scenarios, in order, without the folder.
  var paths: [String] {
    output.matches(of: /@\/(\S+)  \(/).map { String($0.1) }
  }
}
