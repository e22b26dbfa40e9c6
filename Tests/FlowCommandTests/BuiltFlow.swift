import FlowCore
import Foundation
import PluginHarness

/// A run of the `flow` that was built beside the tests, started by a shell.
struct BuiltFlow {
  let errors: String
  let code: Int32

  /// Runs lines for the shell in a folder; `$0` in them is the path of `flow`.
  init(_ shell: String, in folder: TemporaryFolder) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    let tests = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    let flow = tests.deletingLastPathComponent().appending(path: "flow")
    process.arguments = ["-c", shell, flow.path]
    process.currentDirectoryURL = URL(filePath: folder.directory.path)
    process.standardOutput = FileHandle.nullDevice
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    self.errors = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    code = process.terminationStatus
  }
}
