import FlowCore
import Foundation
import TestKit

/// A run of the `flow` that was built beside the tests, started by a shell.
struct BuiltFlow {
  let output: String
  let errors: String
  let code: Int32

  static var path: String { BuiltProgram.url("flow").path }

  /// Runs lines for the shell in a folder; `$0` in them is the path of `flow`.
  init(_ shell: String, in folder: TemporaryFolder) throws {
    let ending = try ChildProcess("/bin/sh", ["-c", shell, Self.path], in: folder.directory.path)
      .ending()
    output = ending.output
    errors = ending.errors
    code = ending.signal == 0 ? ending.code : ending.signal
  }
}
