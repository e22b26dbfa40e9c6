import FlowCore
import Foundation
import PluginHarness
import Testing

/// The built server in a process of its own, which is killed with this object.
final class RunningServer {
  let port: Int
  private let program: Program

  /// Starts it on a free port and waits until it is ready.
  init(_ arguments: [String] = [], password: String? = nil) throws {
    program = try Program(arguments, password: password)
    let line = program.firstLine()
    let prefix = "listening on http://127.0.0.1:"
    guard line.hasPrefix(prefix), let port = Int(line.dropFirst(prefix.count)) else {
      throw NotReady(output: line, ending: program.ending())
    }
    self.port = port
  }

  deinit { program.send(SIGKILL) }

  var processID: Int32 { program.processID }

  /// One request in a connection of its own.
  func ask(_ request: String, _ headers: [String] = [], _ body: String = "") throws -> String {
    try Connection(port).ask(request, headers, body)
  }

  /// The balance without what surrounds it.
  func balance() throws -> String { try ask("GET /balance") }

  /// Kills it without a chance to finish anything.
  func crash() {
    program.send(SIGKILL)
    _ = program.ending()
  }

  /// How it ends after a signal.
  func end(by signal: Int32) -> Ending {
    program.send(signal)
    return program.ending()
  }

  struct NotReady: Error {
    let output: String
    let ending: Ending
  }
}

/// How a process ended.
struct Ending: Equatable {
  var code: Int32
  /// What it printed after its first line, if that was read.
  var output: String
  var errors: String
}

/// A process of the built program.
struct Program {
  private let process = Process()
  private let output = Pipe()
  private let errors = Pipe()

  init(
    _ arguments: [String], in folder: TemporaryFolder? = nil, password: String? = nil
  ) throws {
    let tests = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    process.executableURL = tests.deletingLastPathComponent().appending(path: "shop-server")
    process.arguments = arguments
    if let password {
      process.environment = ProcessInfo.processInfo.environment
        .merging(["SHOP_PASSWORD": password]) { $1 }
    }
    if let folder { process.currentDirectoryURL = URL(filePath: folder.directory.path) }
    process.standardOutput = output
    process.standardError = errors
    try process.run()
  }

  /// The first line of the output without its end.
  func firstLine() -> String {
    var line: [UInt8] = []
    while let byte = try? output.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 {
      line.append(byte)
    }
    return String(decoding: line, as: UTF8.self)
  }

  var processID: Int32 { process.processIdentifier }

  func send(_ signal: Int32) {
    if process.isRunning { kill(process.processIdentifier, signal) }
  }

  /// Waits for the end.
  func ending() -> Ending {
    let texts = [output, errors].map {
      String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
    process.waitUntilExit()
    return Ending(code: process.terminationStatus, output: texts[0], errors: texts[1])
  }
}

/// Does work in threads of their own, which may wait, and answers the results in order.
func inThreads<Result: Sendable>(
  _ count: Int, _ work: @escaping @Sendable (Int) throws -> Result
) async throws -> [Result] {
  try await withThrowingTaskGroup(of: (Int, Result).self) { group in
    for index in 0..<count {
      group.addTask {
        try await withCheckedThrowingContinuation { continuation in
          Thread.detachNewThread {
            continuation.resume(with: Swift.Result { (index, try work(index)) })
          }
        }
      }
    }
    return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
