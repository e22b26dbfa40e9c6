import FlowCommand
import FlowCore
import TestKit

@testable import GRPCPlugin

/// A project in a temporary folder, with the plugin `test` and a scenario of some steps.
struct CallProject: Sendable {
  let folder: TemporaryFolder

  /// Creates a project whose component `it` calls a server.
  ///
  /// The description comes from the server itself, or from `grpc`.
  init(
    _ address: String, grpc: String? = nil, inputs: String = "{}", settings: String = "",
    declaration: String = "", steps: String
  ) throws {
    folder = try TemporaryFolder()
    try folder.write(
      "flow: 1\nplugins:\n  test: {grpc: \"\(grpc ?? address)\"\(declaration)}\n", to: "flow.yaml")
    try folder.write(
      """
      flow: 1
      inputs: \(inputs)
      components: {it: {plugin: test, with: {address: "\(address)"\(settings)}}}
      steps:
      \(steps)

      """, to: "s.yaml")
  }

  /// Runs a command of flow, with `@/` for the folder.
  func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(
      arguments, in: folder, environment: ["CI": "true"], components: [], families: [GRPC.self])
  }

  /// Describes the server in flow.lock.
  func lock() async throws -> FlowCommandRun { try await flow("plugin", "lock", "--project", "@/") }

  /// Describes the server, and runs the scenario.
  func run(_ arguments: String...) async throws -> FlowCommandRun {
    let lock = try await lock()
    guard lock.code == .passed else { return lock }
    return try await FlowCommandRun(
      ["run", "@/s.yaml"] + arguments, in: folder, components: [], families: [GRPC.self])
  }
}
