package import FlowCommand
package import FlowCore

/// One command of `flow` that ran in the process of the tests.
package struct FlowCommandRun: Sendable {
  package var output: String
  package var errors: String
  package let code: ExitCode

  /// Runs a command over the probe component, or over others.
  package init(
    _ arguments: [String], environment: [String: String] = [:],
    components: [any Component.Type] = [Probe.self], families: [any PluginFamily.Type] = []
  ) async throws {
    let (output, errors) = (OutputText(), OutputText())
    let process = ProcessEnvironment(
      output: { output.append($0) }, errorOutput: { errors.append($0) }, environment: environment)
    let registry = try Registry(components, families: families)
    code = await FlowCommand(registry: registry, process: process).run(arguments)
    self.output = output.text
    self.errors = errors.text
  }

  /// Runs a command with `@` in place of a folder's path, in its arguments as in its output.
  package init(
    _ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:],
    components: [any Component.Type] = [Probe.self], families: [any PluginFamily.Type] = []
  ) async throws {
    let path = folder.directory.path + "/"
    try await self.init(
      arguments.map { $0.replacing("@/", with: path) }, environment: environment,
      components: components, families: families)
    output.replace(path, with: "@/")
    errors.replace(path, with: "@/")
  }
}
