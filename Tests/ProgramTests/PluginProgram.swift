import TestKit

/// A project in a temporary folder with the counter in Python, and flow to use it.
struct PluginProgram: Sendable {
  let folder: TemporaryFolder

  /// Creates a project without a plugin.
  init(in folder: TemporaryFolder) { self.folder = folder }

  /// Creates the project of the counter, with parts of its program replaced.
  init(changes: [(String, String)] = [], state: String = "memory") throws {
    folder = try TemporaryFolder()
    var program = try ProjectFiles.text("Sources/CTexts/Texts/server-python.txt")
    for (old, new) in changes {
      precondition(program.contains(old), "the program has no '\(old)'")
      program.replace(old, with: new)
    }
    try folder.write(program, to: "server.py")
    try folder.write(
      "flow: 1\nplugins:\n  counter: {mcp: [python3, server.py], state: \(state)}\n",
      to: "flow.yaml")
  }

  /// Runs flow in the folder.
  ///
  /// In a process of its own: `flow contract` kills processes that this one has started.
  func flow(_ arguments: String...) async throws -> BuiltProgram { try await flow(arguments) }

  /// Runs flow in the folder.
  func flow(_ arguments: [String]) async throws -> BuiltProgram {
    try await BuiltProgram.run("flow", arguments, in: folder)
  }

  /// True if a program can be started.
  static func has(_ program: String) -> Bool {
    (try? ChildProcess("/usr/bin/env", [program, "--version"]).ending().code) == 0
  }
}
