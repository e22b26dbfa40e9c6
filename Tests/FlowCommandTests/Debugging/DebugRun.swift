import FlowCore
import FlowEditor
import FlowRedaction
import FlowSystem
import Synchronization
import TestKit

@testable import FlowCommand

/// A debugger in the process of the tests, over the probe component.
struct DebugRun {
  let output: String
  let errors: String
  let code: ExitCode

  /// Runs the debugger with the lines of a script, and `@/` in place of the folder.
  init(
    _ path: String, _ lines: [String], in folder: TemporaryFolder, live: Bool = false,
    options: [String] = [], isTerminal: Bool = false
  ) async throws {
    let (output, errors) = (OutputText(), OutputText())
    let process = ProcessEnvironment(
      output: { output.append($0) }, errorOutput: { errors.append($0) })
    let flow = CommandContext(
      registry: try Registry([Probe.self]), process: process, redactor: Redactor())
    let arguments = try ArgumentParser(syntax: Command.debug.syntax)
      .parse([path] + (live ? ["--live"] : []) + options)
    let (stream, input) = AsyncStream.makeStream(of: ClientLine.self)
    for line in lines { input.yield(.text(Array(line.utf8))) }
    input.finish()
    let root = folder.directory.path + "/"
    code = try await flow.debug(
      path.replacing("@/", with: root), try DebugOptions(arguments, flow),
      DebuggerInput(process, stream, isTerminal: isTerminal))
    self.output = output.text.replacing(root, with: "@/")
    self.errors = errors.text.replacing(root, with: "@/")
  }

  /// A scenario of which a late value is wrong.
  static let scenario = """
    flow: 1
    name: Totals
    inputs: {by: {type: int, default: 2}}
    components: {probe: {plugin: probe}}
    steps:
      - id: first
        uses: probe.count
        with: {by: "${{ inputs.by }}"}
      - set: {total: "${{ steps.first.value * 10 }}"}
      - id: rows
        for: row
        in: [1, 2, 3]
        do:
          - id: inner
            uses: probe.count
            with: {by: "${{ row }}"}
          - set: {total: "${{ total + steps.inner.value }}"}
      - id: last
        uses: probe.echo
        with: {value: "${{ total }}"}
        expect: {value: 42}

    """

  /// A folder with the scenario and its recording, which fails at the last step.
  static func recorded(_ text: String = scenario) async throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "totals.yaml")
    _ = try await FlowCommandRun(["run", "@/totals.yaml", "--record"], in: folder)
    return folder
  }
}
