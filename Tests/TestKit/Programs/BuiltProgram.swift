import FlowCore
package import Foundation

/// A program of this package that ran in a separate process.
package struct BuiltProgram: Sendable {
  package let code: Int32
  package let wasKilled: Bool
  package let output: String
  package let errors: String

  /// The folder of the built program, beside the tests.
  package static func url(_ name: String) -> URL {
    URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: name)
  }

  /// Runs it in a folder to its end, or until the folder's `journal` has some lines.
  ///
  /// It uses a separate thread, because the pool's are for tests that do not wait.
  package static func run(
    _ name: String, _ arguments: [String], in folder: TemporaryFolder, killedAt line: Int? = nil,
    environment: [String: String] = [:]
  ) async throws -> BuiltProgram {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            try BuiltProgram(
              name, arguments, in: folder, killedAt: line, environment: environment)
          })
      }
    }
  }

  private init(
    _ name: String, _ arguments: [String], in folder: TemporaryFolder, killedAt line: Int?,
    environment: [String: String]
  ) throws {
    let watch = try FolderWatch(folder)
    let process = try ChildProcess(
      Self.url(name).path, arguments, in: folder.directory.path, environment: environment)
    // On a busy machine it would be done before its lines are counted.
    if line != nil { process.giveWay() }
    while let line, process.isRunning {
      let lines = (try? folder.text("journal"))?.utf8.count { $0 == UInt8(ascii: "\n") } ?? 0
      if lines >= line { process.send(SIGKILL) }
      watch.wait(orEndOf: process)
    }
    let ending = process.ending()
    output = ending.output
    errors = ending.errors
    wasKilled = ending.signal != 0
    code = ending.code
  }
}
