import FlowCommand
import FlowCore
import Foundation
import TestKit

@testable import MCPPlugin

/// A project in a temporary folder, with a server in Python and a scenario.
struct ServerProject: Sendable {
  let folder: TemporaryFolder

  init(
    _ server: TestServer, steps: String = "  - uses: it.act", declaration: String = "",
    settings: String = "", program: (TemporaryFolder) throws -> String? = { _ in nil }
  ) throws {
    folder = try TemporaryFolder()
    try folder.write(server.python, to: "server.py")
    let mcp = try program(folder) ?? "[python3, server.py]"
    try folder.write(
      "flow: 1\nplugins:\n  test: {mcp: \(mcp)\(declaration)}\n", to: "flow.yaml")
    try folder.write(
      """
      flow: 1
      components: {it: {plugin: test\(settings)}}
      steps:
      \(steps)

      """, to: "s.yaml")
  }

  /// Replaces the server's program.
  func replace(_ server: TestServer) throws { try folder.write(server.python, to: "server.py") }

  /// Runs a command of flow, with `@/` for the folder.
  func flow(
    _ arguments: String..., environment: [String: String] = [:]
  ) async throws -> FlowCommandRun {
    try await FlowCommandRun(
      arguments, in: folder, environment: environment, components: [], families: [MCP.self])
  }

  /// Describes the server in flow.lock.
  func lock(
    _ options: String..., environment: [String: String] = [:]
  ) async throws -> FlowCommandRun {
    try await FlowCommandRun(
      ["plugin", "lock", "--project", "@/"] + options, in: folder, environment: environment,
      components: [], families: [MCP.self])
  }

  /// The numbers of processes of the server, and of those that it has started, that still run.
  var living: [Int32] {
    let text = (try? folder.text("pids")) ?? ""
    return text.split(separator: "\n").compactMap { Int32($0) }.filter { pid in
      let status = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
      guard let status, let name = status.lastIndex(of: ")") else { return false }
      return !status[name...].hasPrefix(") Z")
    }
  }
}
