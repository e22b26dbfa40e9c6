import FlowCore
import Foundation
import PluginHarness

/// A run of the `flow` that was built beside the tests, started by a shell.
struct BuiltFlow {
  let errors: String
  let code: Int32

  /// Runs lines for the shell in a folder; `$0` in them is the path of `flow`.
  init(_ shell: String, in folder: TemporaryFolder) throws {
    let tests = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    let flow = tests.deletingLastPathComponent().appending(path: "flow")
    let ending = try ChildProcess("/bin/sh", ["-c", shell, flow.path], in: folder.directory.path)
      .ending()
    errors = ending.errors
    code = ending.signal == 0 ? ending.code : ending.signal
  }
}
