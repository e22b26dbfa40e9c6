import FlowCore
import Foundation
import PluginHarness

/// A program of this package that ran as a process of its own.
struct BuiltProgram: Sendable {
  let code: Int32
  let wasKilled: Bool
  let output: String
  let errors: String

  /// Where it was built, beside the tests.
  static func url(_ name: String) -> URL {
    URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: name)
  }

  /// Runs it in a folder to its end, or until the folder's `journal` has some lines.
  ///
  /// In a thread of its own: the pool's are for tests that do not wait.
  static func run(
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
    let process = Process()
    process.executableURL = Self.url(name)
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder.directory.path)
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    // A file: a pipe that nobody reads while the errors are read could fill up.
    let captured = try TemporaryFolder()
    try captured.write("", to: "output")
    process.standardOutput = FileHandle(forWritingAtPath: captured.path("output"))
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    while let line, process.isRunning {
      let lines = (try? folder.text("journal"))?.utf8.count { $0 == UInt8(ascii: "\n") } ?? 0
      if lines >= line { kill(process.processIdentifier, SIGKILL) } else { usleep(200) }
    }
    self.errors = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    output = try captured.text("output")
    wasKilled = process.terminationReason == .uncaughtSignal
    code = process.terminationStatus
  }
}
