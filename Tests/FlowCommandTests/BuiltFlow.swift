import FlowCore
import Foundation
import TestKit

/// A run of the built `flow`, started by a shell.
struct BuiltFlow {
  let output: String
  let errors: String
  let code: Int32

  static var path: String { BuiltProgram.url("flow").path }

  /// Runs lines of the shell in a folder, with the path of `flow` as `$0`.
  init(_ shell: String, in folder: TemporaryFolder) throws {
    let ending = try ChildProcess("/bin/sh", ["-c", shell, Self.path], in: folder.directory.path)
      .ending()
    output = ending.output
    errors = ending.errors
    code = ending.signal == 0 ? ending.code : ending.signal
  }
}
