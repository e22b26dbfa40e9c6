import FlowCommand
import FlowCore
import PluginHarness
import TestSupport

/// One command over the probe component, in a folder that is called `@`.
struct FlowCommandRun {
  let output: String
  let errors: String
  let code: ExitCode

  init(
    _ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:],
    components: [any Component.Type] = [Probe.self]
  ) async throws {
    let path = folder.directory.path
    let (output, errors) = (OutputText(), OutputText())
    let process = ProcessEnvironment(
      output: { output.append($0) }, errorOutput: { errors.append($0) }, environment: environment)
    code = await FlowCommand(registry: try Registry(components), process: process)
      .run(arguments.map { $0.replacing("@/", with: path + "/") })
    self.output = output.text.replacing(path + "/", with: "@/")
    self.errors = errors.text.replacing(path + "/", with: "@/")
  }
}
